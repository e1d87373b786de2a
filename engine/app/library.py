"""Lexicons and leaves from anything that a user may name."""

from __future__ import annotations

import logging
import os
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from engine.errors import LexiconFileError, printable, shorten
from engine.lexicon.catalog import ENDING, find_lexicon
from engine.lexicon.lexicon import Lexicon
from engine.rules.rules import Rules, find_rules
from engine.rules.tiles import TileSet

if TYPE_CHECKING:
    from engine.lexicon.leaves import Leaves

log = logging.getLogger("engine.library")

TEXT_ENDINGS = (".txt", ".gz")
LIST_ENDINGS = (*TEXT_ENDINGS, ".kwg")


def load_lexicon(
    source: str | Path | Iterable[str],
    tiles: TileSet | Rules | str | None = None,
    max_length: int | None = None,
) -> Lexicon:
    """A lexicon from an iterable of words, from a ``.qlx``, ``.kwg`` or word-list file, or by name.

    ``tiles``: the tile set that a list is read with (or rules, or their name; English without),
    and that a compiled lexicon must be for. ``max_length``: longest word kept of a list, in tiles;
    None: 15, or 21 where the rules' board is larger. A file that exists is read as what its ending
    says, as text where it has none of these. Lines that are no words are left out, and a warning
    is logged that says how many. Raises LexiconFileError, RulesError.
    """
    rules = find_rules(tiles) if isinstance(tiles, str) else tiles or find_rules("english")
    tile_set = rules.tiles if isinstance(rules, Rules) else rules
    if max_length is None:
        side = max(rules.layout.rows, rules.layout.cols) if isinstance(rules, Rules) else 15
        max_length = 15 if side <= 15 else 21
    if isinstance(source, (str, Path)):
        path = Path(source)
        ending = path.suffix.lower()
        if ending == ENDING or not (ending in LIST_ENDINGS or is_file(source)):
            lexicon = find_lexicon(source)
            if tiles is not None:
                lexicon.check_tiles(tile_set)
            return lexicon
        from lexicon_build.convert import read_words

        words, _ = read_words(path, tile_set, max_length)
        where, name = str(path), printable(path.name.split(".")[0])
    else:
        from lexicon_build.wordlist import word_list

        words = word_list(_texts(source), tile_set, max_length)
        where, name = "the words given", "words"
    words.need_words(tile_set, where)
    if words.rejections:
        log.warning(words.left_out(where))
    from lexicon_build.compile import compile_lexicon

    return compile_lexicon(words, tile_set, name=name)


def _texts(words: object) -> list[str]:
    """An iterable of words as a list. Raises LexiconFileError for what is none."""
    if not isinstance(words, Iterable):
        raise LexiconFileError(
            f"lexicon {shorten(words)}, expected a name, a file, a Lexicon or a list of words"
        )
    texts = list(words)
    for text in texts:
        if not isinstance(text, str):
            raise LexiconFileError(f"lexicon: {shorten(text)} in a list of words, expected a text")
    return texts


def is_file(source: str | Path) -> bool:
    """Whether there is something to read under a path; False also for what can be no path."""
    return os.path.exists(source) and not os.path.isdir(source)


def load_leaves(source: str | Path, tiles: TileSet | Rules | str = "english") -> Leaves:
    """Leaves by name (``zero``, ``english``) or from a ``.qlv``, ``.csv`` or ``.klv2`` file.

    Raises LexiconFileError, RulesError.
    """
    from engine.lexicon.leave_catalog import find_leaves

    if not isinstance(source, (str, Path)):
        raise LexiconFileError(f"leaves {shorten(source)}, expected a name, a file or Leaves")
    rules = find_rules(tiles) if isinstance(tiles, str) else tiles
    return find_leaves(source, rules.tiles if isinstance(rules, Rules) else rules)
