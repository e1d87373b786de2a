"""The actions of ``quixotry lexicon`` that make or verify files: build, check, convert."""

from __future__ import annotations

import argparse
import hashlib
import os
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

from engine.app.library import TEXT_ENDINGS, is_file
from engine.app.terminal import emit, say, steps
from engine.errors import LexiconFileError, printable, shorten
from engine.lexicon.catalog import built_path, find_lexicon, lexicon_path
from engine.lexicon.files import read_info, read_lexicon, replace_file, write_lexicon
from engine.lexicon.kwg import write_kwg
from engine.lexicon.leave_files import (
    ENDINGS,
    format_csv,
    load_leaves,
    write_klv2,
    write_leaves,
)
from engine.lexicon.leaves import extend
from engine.lexicon.lexicon import Lexicon, LexiconInfo
from engine.rules.rules import find_rules
from engine.rules.tiles import TileSet, find_tile_set, load_tile_set
from lexicon_build.compile import compile_lexicon
from lexicon_build.convert import lexicon_rows, read_words, text_bytes, words_text
from lexicon_build.sources import Progress, Source, find_source
from lexicon_build.verify import verify
from lexicon_build.wordlist import WordList, parse_word_list

GRAPHS = (".qlx", ".kwg")
TEXTS = TEXT_ENDINGS
LONGEST = 15  # tiles of a source's longest word
_TEXTS = ("origin", "version", "licence", "comment")  # of the header, as options
_SHOWN = 5  # rejected lines of each kind that are printed


# words, their tile set, the bytes they come from, and texts for the header
_Words = tuple[WordList, TileSet, bytes, dict[str, str]]

# -- where things come from ------------------------------------------------------------------------


def _tiles(args: argparse.Namespace) -> TileSet:
    """The tile set that --tiles or --rules names, else English."""
    if args.rules is not None:
        return find_rules(args.rules).tiles
    if args.tiles is None:
        return find_tile_set("english")
    if args.tiles.endswith(".toml"):
        return load_tile_set(Path(args.tiles))
    return find_tile_set(args.tiles)


def _tiles_given(args: argparse.Namespace) -> bool:
    return args.tiles is not None or args.rules is not None


def _name(args: argparse.Namespace, otherwise: str) -> str:
    """The name that --name gives a lexicon."""
    if args.name is None:
        return otherwise
    if not args.name.strip() or not args.name.isprintable():
        raise LexiconFileError(f"--name {shorten(args.name)}: expected a name without control"
                               " characters")  # fmt: skip
    name: str = args.name
    return name


def _stem(path: Path) -> str:
    """Name of a file without .txt, .gz and the like."""
    name = path.name
    while Path(name).suffix.lower() in (*GRAPHS, *TEXTS, *ENDINGS):
        name = Path(name).stem
    return name


def _compiled(words: WordList, tiles: TileSet, name: str, data: bytes, **texts: str) -> Lexicon:
    digest = hashlib.sha256(data).hexdigest()
    return compile_lexicon(words, tiles, name=name, source_hash=digest, **texts)


def _rejections(words: WordList) -> list[str]:
    """A line of text for each kind of rejected line."""
    lines = []
    for kind, some in words.rejected.items():
        shown = ", ".join(f"{shorten(text)} (line {n})" for n, text in some.examples[:_SHOWN])
        more = ", ..." if some.count > _SHOWN else ""
        lines.append(f"  {some.count} {kind}" + (f": {shown}{more}" if shown else ""))
    if words.strangers:
        lines.append(f"  characters that no tile has: {words.shown_strangers}")
    return lines


def _counts(words: WordList) -> dict[str, Any]:
    """What is reported of a word list, as JSON."""
    rejected = {
        kind: {"count": some.count, "lines": [list(example) for example in some.examples]}
        for kind, some in words.rejected.items()
    }
    return {
        "words": len(words),
        "lines": words.lines,
        "duplicates": words.duplicates,
        "rejected": rejected,
        "strangers": words.strangers,
    }


def _report(words: WordList, head: str) -> None:
    say(head)
    print(f"{words.lines} lines, {words.duplicates} duplicates, {words.rejections} rejected")
    for line in _rejections(words):
        print(line)


# -- the actions -----------------------------------------------------------------------------------


def build(args: argparse.Namespace) -> int:
    """Make a lexicon and report its counts, what was rejected, and where a source is from."""
    if args.output is not None and args.output.suffix.lower() != ".qlx":
        args.parser.error(f"{args.output}: a lexicon's file ends in .qlx")
    source = _named_source(args)
    if source:
        name, path = _target(args)
        if _is_plain(args) and path.is_file():
            return _leave(args, name, path)
        with steps(name) as progress:
            listed = _from_source(source, progress, args.max_length)
    else:
        listed = _from_file(args)
        name, path = _target(args)
    words, tiles, data, texts = listed
    words.need_words(tiles, args.source)
    before = len(words)
    words = _without(words, args.exclude, tiles, args.max_length)
    excluded = before - len(words)
    if source and excluded:
        texts["comment"] = "; ".join(filter(None, [texts["comment"], f"{excluded} excluded"]))
    texts |= {key: text for key in _TEXTS if (text := getattr(args, key))}
    with steps(name) as progress:
        progress("building the graph")
        lexicon = _compiled(words, tiles, name, data, **texts)
    if args.output is None:
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise LexiconFileError(f"cannot make {path.parent}: {error.strerror}") from None
    write_lexicon(path, lexicon)
    if args.json:
        found = {"name": name, "file": str(path)} | _counts(words) | {"excluded": excluded}
        emit(found | (texts if source else {}))
        return 0
    left_out = f", {excluded} excluded" if args.exclude else ""
    _report(words, f"{name}: {len(words)} words of up to {lexicon.info.longest} tiles{left_out}")
    if source:
        _say_texts(lexicon.info)
    say(f"written to {path}")
    return 0


def _named_source(args: argparse.Namespace) -> Source | None:
    """The source that is named; None where a file is."""
    path = Path(args.source)
    if is_file(path) or path.suffix or len(path.parts) > 1:
        return None
    source = find_source(args.source)
    if _tiles_given(args):
        args.parser.error(
            f"source {source.name}: its tile set is known, leave --tiles and --rules out"
        )
    if args.max_length > LONGEST:
        args.parser.error(f"source {source.name} has words of up to {LONGEST} tiles only")
    return source


def _target(args: argparse.Namespace) -> tuple[str, Path]:
    """Name and file of the lexicon to be built."""
    name = _name(args, _stem(args.output or Path(args.source)))
    return name, args.output or built_path(name)


def _is_plain(args: argparse.Namespace) -> bool:
    """Whether a source's lexicon is wanted as it comes: then one that is there need not be made."""
    asked = args.force or args.output or args.exclude or args.max_length != LONGEST
    return not asked and not any(getattr(args, key) for key in _TEXTS)


def _leave(args: argparse.Namespace, name: str, path: Path) -> int:
    """Say that a lexicon is there already, and where it is from."""
    info = read_info(path)
    if args.json:
        known = {key: getattr(info, key) for key in (*_TEXTS, "date", "words")}
        emit({"name": name, "file": str(path), "exists": True} | known)
        return 0
    say(f"{name}: {info.words} words of up to {info.longest} tiles, built already")
    _say_texts(info)
    say(f"in {path} (--force builds it again)")
    return 0


def _say_texts(info: LexiconInfo) -> None:
    for note in filter(None, info.comment.split("; ")):
        say(f"  {note}")
    for key in ("origin", "version", "licence"):
        if text := getattr(info, key):
            say(f"{key + ':':9}{text}")


def _from_file(args: argparse.Namespace) -> _Words:
    path, tiles = Path(args.source), _tiles(args)
    words, data = read_words(path, tiles, args.max_length)
    return words, tiles, data, {"origin": path.name}


def _from_source(source: Source, progress: Progress, max_length: int) -> _Words:
    tiles = find_tile_set(source.name)
    found = source.read(progress)
    progress("sorting the words")
    words = parse_word_list(found.text, tiles, max_length)
    texts = {key: getattr(source, key) for key in ("origin", "version", "licence", "date")}
    return words, tiles, found.text.encode(), texts | {"comment": "; ".join(found.notes)}


def _without(words: WordList, files: list[Path], tiles: TileSet, max_length: int) -> WordList:
    """The words less those of some files."""
    for file in files:
        excluded, _ = read_words(file, tiles, max_length)
        for line in _rejections(excluded):
            print(f"quixotry: {printable(str(file))}: not read:{line[1:]}", file=sys.stderr)
        words = words.without(excluded)
    return words


def check(args: argparse.Namespace) -> int:
    """Verify a lexicon in full, or report what of a word list fits a tile set."""
    path = Path(args.file)
    if path.suffix.lower() == ".qlx" or not (is_file(path) or path.suffix):
        lexicon = find_lexicon(args.file)
        if _tiles_given(args):
            lexicon.check_tiles(_tiles(args))
        verify(lexicon)
        if args.json:
            emit({"name": lexicon.info.name, "words": len(lexicon), "sound": True})
        else:
            say(f"{lexicon.info.name}: {len(lexicon)} words, trie and graph agree, no damage")
        return 0
    tiles = _tiles(args)
    words, _ = read_words(path, tiles, args.max_length)
    if args.json:
        emit({"name": str(path), "tiles": tiles.name, "sound": not words.rejected} | _counts(words))
    else:
        _report(words, f"{path}: {len(words)} words for the tile set {tiles.name!r}")
    if words.rejected:
        raise LexiconFileError(words.left_out(str(path), "are no words"))
    return 0


def convert(args: argparse.Namespace) -> int:
    """Convert words to words, or leaves to leaves, by the endings of the file names."""
    to_words = args.output.suffix.lower() in (*GRAPHS, *TEXTS)
    if to_words and not args.input.suffix and not is_file(args.input):
        args.input = lexicon_path(args.input)
    source, target = (path.suffix.lower() for path in (args.input, args.output))
    for group in ((*GRAPHS, *TEXTS), ENDINGS):
        if source in group and target in group and target != ".klv":
            break
    else:
        args.parser.error(
            f"{source or 'no ending'} to {target or 'no ending'}: expected"
            " .qlx .kwg .txt .gz among themselves, or .qlv .klv2 .klv .csv to .qlv, .klv2 or .csv"
        )
    with suppress(OSError, ValueError):
        if os.path.samefile(args.input, args.output):
            args.parser.error(f"{args.output}: input and output are the same file")
    return _convert_leaves(args) if source in ENDINGS else _convert_words(args)


def _convert_words(args: argparse.Namespace) -> int:
    name = _name(args, _stem(args.input))
    lexicon = None
    if args.input.suffix.lower() == ".qlx":
        if args.max_length:
            args.parser.error("--max-length does not go with a .qlx file")
        lexicon = read_lexicon(args.input)
        tiles = lexicon.info.tiles
        if _tiles_given(args):
            lexicon.check_tiles(_tiles(args))
        rows, lengths = lexicon_rows(lexicon)
    else:
        tiles = _tiles(args)
        words, data = read_words(args.input, tiles, args.max_length or 15)
        words.need_words(tiles, str(args.input))
        for line in _rejections(words):
            print(f"quixotry: left out:{line[1:]}", file=sys.stderr)
        rows, lengths = words.rows, words.lengths
        if args.output.suffix.lower() in GRAPHS:
            lexicon = _compiled(words, tiles, name, data, origin=args.input.name)
    if args.output.suffix.lower() in TEXTS:
        replace_file(args.output, [text_bytes(words_text(rows, lengths, tiles), args.output)])
    elif lexicon is not None and args.output.suffix.lower() == ".kwg":
        replace_file(args.output, [write_kwg(lexicon)])
    elif lexicon is not None:
        write_lexicon(args.output, lexicon)
    say(f"{len(rows)} words written to {args.output}")
    return 0


def _convert_leaves(args: argparse.Namespace) -> int:
    tiles = _tiles(args)
    leaves = load_leaves(args.input, tiles)
    if args.max_length:
        leaves = extend(leaves, args.max_length)
    ending = args.output.suffix.lower()
    if ending == ".qlv":
        write_leaves(args.output, leaves, tiles)
    elif ending == ".csv":
        replace_file(args.output, [format_csv(leaves, tiles).encode()])
    else:
        replace_file(args.output, [write_klv2(leaves, tiles)])
    say(f"leaves of up to {leaves.max_len} tiles written to {args.output}")
    return 0
