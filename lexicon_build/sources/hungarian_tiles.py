"""Hungarian words in tiles: where CS GY LY NY SZ TY ZS are one tile, and where they are two.

A pair is one tile unless a boundary of syllables or of a compound falls into it: köz|ség is
K.Ö.Z.S.É.G, garázs is G.A.R.Á.ZS. Boundaries are those that the dictionary gives (``hy:``), and the
places of the package ``pyphen`` where a word may be hyphenated; endings have none of their own.
Z+SZ and C+SZ go before ZS+Z and CS+Z. DZ and DZS are no tiles; nor is Y.
"""

from __future__ import annotations

import re
from collections.abc import Set
from typing import Any

from lexicon_build.hunspell import Entry
from lexicon_build.packages import Package
from lexicon_build.sources import words_by_hand

PYPHEN = Package("pyphen", "0.18.1")

_PAIR = re.compile("cs|gy|ly|ny|sz|ty|zs")
_TILE = re.compile(rf"[cz](?=sz)|{_PAIR.pattern}|[^|]")
_SEPARATORS = "|-=."


class Boundaries:
    """Finds the boundaries in dictionary entries."""

    def __init__(self) -> None:
        import pyphen

        self._hyphenation: Any = pyphen.Pyphen(lang="hu_HU")
        self._wrong = words_by_hand("hungarian_wrong_breaks.txt")

    def of(self, entry: Entry) -> Set[int]:
        """The offsets of boundaries in an entry's word, where it has a pair."""
        if not _PAIR.search(entry.word):
            return frozenset()
        if entry.word in self._wrong:
            return given_boundaries(entry)
        return given_boundaries(entry) | set(self._hyphenation.positions(entry.word))


def given_boundaries(entry: Entry) -> set[int]:
    """Offsets that the dictionary gives: as a number, or as (a part of) the word with marks."""
    field = re.search(r"\bhy:(\S+)", entry.morphology)
    if not field:
        return set()
    value = field[1]
    if value.isdecimal():
        return {int(value)}
    offset = entry.word.find("".join(char for char in value if char not in _SEPARATORS))
    if offset < 0:
        return set()
    found = set()
    for char in value:
        if char in _SEPARATORS:
            found.add(offset)
        else:
            offset += 1
    return found


def split_tiles(word: str, boundaries: Set[int]) -> list[str] | None:
    """A word's tiles, in lower case; None where a Y has no tile.

    ``boundaries``: offsets at which a tile must end.
    """
    for offset in sorted(boundaries, reverse=True):
        word = f"{word[:offset]}|{word[offset:]}"
    tiles: list[str] = _TILE.findall(word)
    return None if "y" in tiles else tiles
