"""``quixotry lexicon``: build, check, info, list, find, convert.

Modules that cost time (numpy, numba, rich) are imported where they are needed, so that ``find``
answers at once.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from engine.app.terminal import emit, say, whole
from engine.errors import LexiconFileError, printable

if TYPE_CHECKING:
    from engine.lexicon.lexicon import Lexicon

_ANY = "name, or a .qlx, .kwg, .txt or .gz file"
_LIST_RULES = "rules whose tiles a word list is read with (default: english)"

Handler = Callable[[argparse.Namespace], int]


def add_parser(subparsers: Any) -> None:
    """Add ``lexicon`` to a program's subcommands.

    Each action sets ``run``: a function of the parsed arguments that returns the exit code 0 or
    raises QuixotryError for a problem with the input. Wrong usage exits with 2 as argparse does.
    """
    about = "build, check, list, search and convert lexicons and leave files"
    lexicon = subparsers.add_parser("lexicon", help=about, description=about, allow_abbrev=False)
    actions = lexicon.add_subparsers(dest="action", metavar="ACTION", required=True)

    def action(name: str, handler: Handler, about: str) -> argparse.ArgumentParser:
        parser: argparse.ArgumentParser = actions.add_parser(
            name, help=about, description=about, allow_abbrev=False
        )
        parser.set_defaults(run=handler, parser=parser)
        return parser

    build = action(
        "build", _in_files("build"), "make a lexicon from a word list, a KWG or a named source"
    )
    build.add_argument("source", help="word list (text or .gz), .kwg, or a source such as english")
    _add_tiles(build)
    build.add_argument("--name", help="name of the lexicon (default: that of the source)")
    build.add_argument("-o", "--output", type=Path, metavar="FILE", help="a .qlx file (default:"
                       " the user's own lexicons, to be found by name)")  # fmt: skip
    _add_max_length(build, 15)
    build.add_argument("--exclude", type=Path, action="append", default=[], metavar="FILE",
                       help="word list of words to leave out; may be repeated")  # fmt: skip
    build.add_argument("--force", action="store_true",
                       help="build a source's lexicon again that is there already")  # fmt: skip
    for key in ("origin", "version", "licence", "comment"):
        build.add_argument(f"--{key}", default="", help=f"{key} recorded in the file")
    _add_json(build)

    check = action(
        "check", _in_files("check"), "verify a lexicon, or a word list against a tile set"
    )
    check.add_argument("file", help="lexicon (name or .qlx), word list or .kwg")
    _add_tiles(check)
    _add_max_length(check, 15)
    _add_json(check)

    info = action("info", _info, "what a lexicon's file says about it; all lexicons without a name")
    info.add_argument("lexicon", nargs="?", help="name, or a .qlx, .qlv or .qwp file")
    _add_json(info)

    words = action("list", _list, "every word of a lexicon")
    words.add_argument("lexicon", help=_ANY)
    words.add_argument("--rules", metavar="NAME", help=_LIST_RULES)
    words.add_argument("--length", type=whole, metavar="N", help="only words of N tiles")
    _add_json(words)

    find = action("find", _find, "look words up: checks, patterns, anagrams, hooks, prefixes")
    what = find.add_mutually_exclusive_group(required=True)
    what.add_argument("--words", nargs="+", metavar="WORD", help="say whether each is a word")
    what.add_argument("--pattern", help="'?' or '.' any tile, '*' any tiles, '[CS]' one tile")
    what.add_argument(
        "--anagram", metavar="RACK", help="words of some tiles of a rack, '?' a blank"
    )
    what.add_argument("--hooks", metavar="WORD", help="letters that make a word before or behind")
    what.add_argument("--prefix", help="words that begin so")
    find.add_argument("--lexicon", metavar="L", help=f"{_ANY} (default: english)")
    find.add_argument("--rules", metavar="NAME", help=_LIST_RULES)
    find.add_argument("--min", type=whole, default=0, metavar="N", help="shortest word, in tiles")
    find.add_argument("--max", type=whole, default=99, metavar="N", help="longest word, in tiles")
    find.add_argument("--whole", action="store_true", help="with --anagram: use the whole rack")
    _add_json(find)

    convert = action(
        "convert", _in_files("convert"), "between .qlx .kwg .txt .gz, or between .qlv .klv2 .csv"
    )
    convert.add_argument("input", type=Path, metavar="IN", help="a file, or a lexicon's name")
    convert.add_argument("output", type=Path, metavar="OUT")
    _add_tiles(convert)
    convert.add_argument("--name", help="name of the lexicon (default: that of the input)")
    convert.add_argument("--max-length", type=whole, metavar="N", help="longest word (default 15);"
                         " to .qlv, .klv2: longest leave (default: as given)")  # fmt: skip


def _add_tiles(parser: argparse.ArgumentParser) -> None:
    group = parser.add_mutually_exclusive_group()
    group.add_argument("--tiles", metavar="NAME", help="tile set, or a .toml (default: english)")
    group.add_argument("--rules", metavar="NAME", help="rules whose tile set to take")


def _add_max_length(parser: argparse.ArgumentParser, default: int) -> None:
    parser.add_argument("--max-length", type=whole, default=default, metavar="N",
                        help="longest word, in tiles (default: %(default)s)")  # fmt: skip


def _add_json(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="one JSON object a line")


def _in_files(name: str) -> Handler:
    """An action of cli_lexicon_files, which is imported when it runs."""

    def run(args: argparse.Namespace) -> int:
        from engine.app import cli_lexicon_files

        handler: Handler = getattr(cli_lexicon_files, name)
        return handler(args)

    return run


# -- the actions -----------------------------------------------------------------------------------


def _info(args: argparse.Namespace) -> int:
    from dataclasses import asdict

    from engine.lexicon.catalog import lexicon_files, lexicon_path
    from engine.lexicon.files import read_info

    if args.lexicon is None:
        rows: list[Sequence[str]] = [("lexicon", "words", "longest", "licence", "file")]
        for name, path in lexicon_files().items():
            try:
                info = read_info(path)
            except LexiconFileError as error:
                print(f"quixotry: error: {error}", file=sys.stderr)
                continue
            if args.json:
                emit({"lexicon": name, "file": str(path)} | asdict(info))
            rows.append((name, str(info.words), str(info.longest), info.licence, str(path)))
        if not args.json:
            _table(rows)
        return 0
    if args.lexicon.lower().endswith((".qlv", ".qwp")):
        return _trained_info(args)
    path = lexicon_path(args.lexicon)
    values = asdict(read_info(path))
    if args.json:
        emit({"file": str(path)} | values)
        return 0
    del values["blank_labels"]
    values["labels"] = " ".join(values["labels"])
    values["aliases"] = " ".join(f"{a}={b}" for a, b in values["aliases"])
    rows = [(key.replace("_", " "), str(value)) for key, value in values.items() if value != ""]
    _table([("lexicon", args.lexicon), ("file", str(path)), *rows])
    return 0


def _trained_info(args: argparse.Namespace) -> int:
    """What the header of a file of leaves or of a win table says: how it was made."""
    from engine.lexicon.leave_files import read_header
    from engine.search.winpct import read_win_table

    path = Path(args.lexicon)
    leaves = path.suffix.lower() == ".qlv"
    header = (read_header if leaves else read_win_table)(path)[0]
    del header["array"]
    if args.json:
        emit({"file": str(path)} | header)
        return 0
    header["labels"] = " ".join(header["labels"])
    _table([("leaves" if leaves else "win table", args.lexicon), *_flat(header)])
    return 0


def _flat(values: dict[str, Any], before: str = "") -> list[tuple[str, str]]:
    """Key and value of everything in a header, keys of what is inside others joined."""
    rows: list[tuple[str, str]] = []
    for key, value in values.items():
        name = f"{before}{key}".replace("_", " ")
        if isinstance(value, dict):
            rows += _flat(value, f"{name} ")
        elif isinstance(value, list) and any(isinstance(item, dict) for item in value):
            for number, item in enumerate(value, 1):
                rows += _flat({str(number): item}, f"{name} ")
        elif value != "":
            rows.append((name, str(value)))
    return rows


def _table(rows: Sequence[Sequence[str]]) -> None:
    """Rows, the first one headings: a table on a terminal, else tabs between the columns."""
    rows = [[printable(cell) for cell in row] for row in rows]
    if not sys.stdout.isatty():
        for row in rows:
            print("\t".join(row))
        return
    from rich.console import Console
    from rich.table import Table

    table = Table(box=None, header_style="bold", pad_edge=False)
    for heading in rows[0]:
        table.add_column(heading, overflow="fold")
    for row in rows[1:]:
        table.add_row(*row)
    Console(markup=False, highlight=False).print(table)


def _list(args: argparse.Namespace) -> int:
    lexicon = _lexicon(args)
    _print_words(lexicon, [w for w in lexicon if args.length in (None, len(w))], args.json)
    return 0


def _lexicon(args: argparse.Namespace) -> Lexicon:
    """The lexicon that an action is to search: a name, or any file with words in it."""
    from engine.app.library import load_lexicon
    from engine.lexicon.catalog import lexicon_path

    source = lexicon_path("english") if args.lexicon is None else args.lexicon
    return load_lexicon(source, args.rules)


def _print_words(lexicon: Lexicon, words: Sequence[Sequence[int]], as_json: bool) -> None:
    for word in words:
        text = lexicon.format(word)
        if as_json:
            emit({"word": text})
        else:
            print(text)


def _find(args: argparse.Namespace) -> int:
    from engine.lexicon import find

    lexicon = _lexicon(args)
    if args.whole and args.anagram is None:
        args.parser.error("--whole goes with --anagram")
    if args.words is not None:
        for word, valid in find.check_words(lexicon, args.words):
            if args.json:
                emit({"word": word, "valid": valid})
            else:
                say(f"{word}  {'valid' if valid else 'not valid'}")
        return 0
    if args.hooks is not None:
        hooks = find.find_hooks(lexicon, args.hooks)
        front, back = ([lexicon.info.labels[x] for x in letters] for letters in hooks)
        if args.json:
            valid = args.hooks in lexicon
            emit({"word": args.hooks, "valid": valid, "front": front, "back": back})
        else:
            print(f"front  {' '.join(front)}\nback   {' '.join(back)}")
        return 0
    if args.pattern is not None:
        words = find.match_pattern(lexicon, args.pattern, args.min, args.max)
    elif args.prefix is not None:
        words = find.find_prefix(lexicon, args.prefix, args.min, args.max)
    else:
        tiles = len(lexicon.info.tiles.parse_rack(args.anagram)) if args.whole else 0
        words = find.find_anagrams(lexicon, args.anagram, max(args.min, tiles), args.max)
    _print_words(lexicon, words, args.json)
    return 0
