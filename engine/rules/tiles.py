"""Tile sets: which letters there are, how many, what they are worth, and how they are written.

A *letter* is a small int, its place in the tile set: 0 is the blank on a rack (and "nothing" on a
board), 1..63 are the letters in the language's own order. On the board a blank that plays letter
``l`` is ``l | BLANK``.
"""

from __future__ import annotations

import hashlib
import re
import tomllib
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from importlib import resources
from pathlib import Path
from typing import Any

from engine.errors import NotationError, RulesError, brief, shorten
from engine.files import read_text
from engine.rules.frozen import FrozenDict

BLANK = 0x80  #: flag of a blank that plays a letter
MAX_LETTERS = 63
_RESERVED = set("?.[]()/;,+-0123456789")
_BRACKETED = re.compile(r"\[([^\[\]]*)\]")


@dataclass(frozen=True)
class TileSet:
    """An immutable tile set; every tuple is indexed by letter, ``[0]`` is the blank ``?``."""

    name: str
    labels: tuple[str, ...]
    blank_labels: tuple[str, ...]  #: how a blank that plays the letter is written
    counts: tuple[int, ...]
    values: tuple[int, ...]  #: points
    vowels: tuple[bool, ...]
    aliases: Mapping[str, str] = field(default_factory=FrozenDict, hash=False)
    """Character -> character of a label that word lists mean by it."""
    super_set: str = ""  #: tile set of the super board: its own name, or empty: this one doubled

    def __post_init__(self) -> None:
        object.__setattr__(self, "aliases", FrozenDict(self.aliases))
        _check(self)

    # -- what is in it -----------------------------------------------------------------------

    @property
    def kinds(self) -> int:
        """Number of kinds of tile, the blank included."""
        return len(self.labels)

    @property
    def total(self) -> int:
        """Tiles in a full bag."""
        return sum(self.counts)

    @property
    def points(self) -> int:
        """Sum of the values of all tiles."""
        return sum(c * v for c, v in zip(self.counts, self.values, strict=True))

    @cached_property
    def alphabet_hash(self) -> str:
        """Names the letters and their order: two tile sets with the same hash share lexicons."""
        return hashlib.sha256("\0".join(self.labels).encode()).hexdigest()[:16]

    def for_super_board(self) -> TileSet:
        """The tiles of the super board: a set of its own, this one where it is that, else twice
        these."""
        if self.super_set:
            return self if self.super_set == self.name else find_tile_set(self.super_set)
        name = f"{self.name}_super"
        doubled = tuple(2 * count for count in self.counts)
        return replace(self, name=name, counts=doubled, super_set=name)

    # -- text of racks, boards and moves: one character is one tile, longer tiles in brackets ----

    @cached_property
    def _bare(self) -> dict[str, int]:
        """Text -> tile for what may be written without brackets."""
        singles = {label for label in self.labels if len(label) == 1}
        bare: dict[str, int] = {}
        for letter in range(1, self.kinds):
            label, blank = self.labels[letter], self.blank_labels[letter]
            if len(label) == 1 or not set(label) <= singles:
                bare[label] = letter
                bare[blank] = letter | BLANK
        return bare

    @cached_property
    def _written_bare(self) -> bool:
        """Whether longer tiles are written without brackets: where none of them needs any."""
        return all(label in self._bare for label in self.labels[1:])

    @cached_property
    def _bracketed(self) -> dict[str, int]:
        """Text -> tile for what may stand in brackets: every tile."""
        upper = {self.labels[i]: i for i in range(1, self.kinds)}
        lower = {self.blank_labels[i]: i | BLANK for i in range(1, self.kinds)}
        return upper | lower

    @cached_property
    def _longest_bare(self) -> int:
        return max((len(text) for text in self._bare), default=1)

    def parse_tile(self, text: str, at: int) -> tuple[int, int]:
        """Read one tile at ``text[at:]`` (NFC text): ``(tile, index after it)``.

        A tile is a letter, with BLANK set where it is written in lower case. Raises NotationError.
        """
        if text[at] == "[":
            found = _BRACKETED.match(text, at)
            if found is None:
                raise NotationError(
                    f"{shorten(text)}: the bracket at character {at + 1} is not closed"
                )
            if found[1] not in self._bracketed:
                raise NotationError(f"{shorten(text)}: {self.name} has no tile {brief(found[0])}")
            return self._bracketed[found[1]], found.end()
        for length in range(min(self._longest_bare, len(text) - at), 0, -1):
            tile = self._bare.get(text[at : at + length])
            if tile is not None:
                return tile, at + length
        raise NotationError(f"{shorten(text)}: {self.name} has no tile {text[at]!r}")

    def parse_rack(self, text: str) -> tuple[int, ...]:
        """Letters of a rack such as ``AEINR?`` or ``[CS]A?``, sorted, blanks (0) first.

        Raises NotationError; a lower-case letter is an error (on a rack only ``?`` is a blank).
        """
        text = unicodedata.normalize("NFC", text)
        letters = []
        at = 0
        while at < len(text):
            if text[at] == "?":
                letters.append(0)
                at += 1
                continue
            start = at
            tile, at = self.parse_tile(text, at)
            if tile & BLANK:
                raise NotationError(
                    f"rack {shorten(text)}: {text[start:at]!r} is lower case;"
                    " a blank on a rack is '?'"
                )
            letters.append(tile)
        return tuple(sorted(letters))

    def format_tile(self, tile: int) -> str:
        """Text of one tile on a board or in a move (``[CS]``; lower case for a blank)."""
        letter = tile & ~BLANK
        label = self.blank_labels[letter] if tile & BLANK else self.labels[letter]
        return label if len(label) == 1 or self._written_bare else f"[{label}]"

    def format_rack(self, letters: Iterable[int]) -> str:
        """Text of a rack or leave, letters in order, blanks last: ``AEINR?``."""
        ordered = sorted(letters, key=lambda letter: (letter == 0, letter))
        return "".join("?" if letter == 0 else self.format_tile(letter) for letter in ordered)

    # -- text of word lists: the longest tile, unless dots or brackets decide ------------------

    @cached_property
    def upper(self) -> dict[str, str]:
        """Character -> upper-case character, by this language's own case rules."""
        pairs: dict[str, str] = {}
        for label, blank in zip(self.labels[1:], self.blank_labels[1:], strict=True):
            if len(label) == len(blank):
                pairs.update(zip(blank, label, strict=True))
        pairs.update({c: c for label in self.labels[1:] for c in label})
        pairs.update(self.aliases)
        return pairs

    def parse_word(self, text: str) -> tuple[int, ...]:
        """Letters of a word in any case: ``asszony``, ``K.Ö.Z.S.É.G``, ``KÖ[ZS]``.

        The longest tile wins at each place; a dot separates tiles; brackets hold one tile.
        Raises NotationError.
        """
        given = text
        text = "".join(self.upper.get(c, c) for c in unicodedata.normalize("NFC", text.strip()))
        longest = max(len(label) for label in self.labels)
        codes = {label: letter for letter, label in enumerate(self.labels) if letter}
        letters = []
        at = 0
        while at < len(text):
            if text[at] == ".":
                at += 1
                continue
            if text[at] == "[":
                letter, at = self.parse_tile(text, at)
                letters.append(letter)
                continue
            for length in range(min(longest, len(text) - at), 0, -1):
                if text[at : at + length] in codes:
                    letters.append(codes[text[at : at + length]])
                    at += length
                    break
            else:
                raise NotationError(f"word {shorten(given)}: {self.name} has no tile {text[at]!r}")
        return tuple(letters)

    def format_word(self, letters: Sequence[int]) -> str:
        """Word-list text of a word: dots between the tiles only where they are needed."""
        labels = [self.labels[letter] for letter in letters]
        text = "".join(labels)
        if len(text) == len(labels) and all(len(label) == 1 for label in self.labels):
            return text
        try:
            plain = self.parse_word(text) == tuple(letters)
        except NotationError:  # the longest tile takes a character that the next one needs
            plain = False
        return text if plain else ".".join(labels)


def _check(tiles: TileSet) -> None:
    where = f"tile set {shorten(tiles.name)}"
    if not tiles.name.isprintable():
        raise RulesError(f"{where}: a name cannot hold control characters")
    if not 2 <= tiles.kinds <= MAX_LETTERS + 1:
        raise RulesError(f"{where}: {tiles.kinds - 1} letters, expected 1 to {MAX_LETTERS}")
    if tiles.labels[0] != "?":
        raise RulesError(f"{where}: the first tile is {tiles.labels[0]!r}, expected the blank '?'")
    lengths = {len(t) for t in (tiles.labels, tiles.blank_labels, tiles.counts, tiles.values)}
    if lengths != {tiles.kinds}:
        raise RulesError(f"{where}: labels, counts and values differ in number")
    seen: set[str] = set()
    for label, blank in zip(tiles.labels[1:], tiles.blank_labels[1:], strict=True):
        for text in (label, blank):
            bad = not text or set(text) & _RESERVED or any(c.isspace() for c in text)
            if bad or not text.isprintable() or text != unicodedata.normalize("NFC", text):
                raise RulesError(f"{where}: {shorten(text)} cannot be a tile's label")
            if text in seen:
                raise RulesError(
                    f"{where}: {shorten(text)} is written twice (or has no lower case)"
                )
            seen.add(text)
    for label, count, value in zip(tiles.labels, tiles.counts, tiles.values, strict=True):
        if not 0 <= count <= 500 or not 0 <= value <= 100:
            raise RulesError(
                f"{where}: tile {label!r} has count {count} and value {value},"
                " expected counts of 0 to 500 and values of 0 to 100"
            )
    if tiles.total == 0:
        raise RulesError(f"{where}: the bag is empty")
    _check_aliases(tiles, where)


def _check_aliases(tiles: TileSet, where: str) -> None:
    """Raise RulesError unless each alias is one character that no label or lower-case form has,
    read as a character that some label has."""
    own = {char for label in tiles.labels[1:] for char in label}
    lower = {char for label in tiles.blank_labels[1:] for char in label}
    for char, target in tiles.aliases.items():
        good = len(char) == 1 and char.isprintable() and not char.isspace()
        if not good or char in _RESERVED or char != unicodedata.normalize("NFC", char):
            raise RulesError(f"{where}: alias {shorten(char)}: expected one character")
        if char in own | lower:
            raise RulesError(f"{where}: alias {shorten(char)}: a tile is written so")
        if target not in own:
            raise RulesError(
                f"{where}: alias {char!r} = {shorten(target)}: expected one character of a tile"
            )


def tile_set_from_table(table: Mapping[str, Any], where: str) -> TileSet:
    """A tile set from a TOML table: ``name``, ``tiles`` (rows of label, count, value, vowel),
    and, where they are needed, ``blank_forms`` (label -> its lower case), ``aliases`` and
    ``super``, the bundled set of the super board. Raises RulesError."""
    unknown = set(table) - {"name", "tiles", "blank_forms", "aliases", "super", "notes"}
    if unknown:
        raise RulesError(f"{where}: unknown key {shorten(min(unknown))} in a tile set")
    rows = table.get("tiles")
    if not isinstance(rows, list) or not rows:
        raise RulesError(f"{where}: 'tiles' must be a list of [label, count, value, vowel]")
    for row in rows:
        types = [type(x) for x in row] if isinstance(row, list) else []
        if types != [str, int, int, bool]:
            raise RulesError(f"{where}: {shorten(row)} is not [label, count, value, vowel]")
    forms = table.get("blank_forms", {})
    aliases = table.get("aliases", {})
    for given in (forms, aliases):
        if not isinstance(given, dict) or not all(isinstance(v, str) for v in given.values()):
            raise RulesError(f"{where}: blank_forms and aliases must be tables of texts")
    stray = set(forms) - {row[0] for row in rows}
    if stray:
        raise RulesError(f"{where}: blank form for {shorten(min(stray))}, which is no tile")
    name, super_set = table.get("name", Path(where).stem), table.get("super", "")
    for key, text in (("name", name), ("super", super_set)):
        if not isinstance(text, str):
            raise RulesError(f"{where}: {key} = {shorten(text)}, expected a text")
    made = TileSet(
        name=name,
        labels=tuple(row[0] for row in rows),
        blank_labels=tuple(forms.get(row[0], row[0].lower()) for row in rows),
        counts=tuple(row[1] for row in rows),
        values=tuple(row[2] for row in rows),
        vowels=tuple(row[3] for row in rows),
        aliases=aliases,
        super_set=super_set,
    )
    if made.for_super_board().labels != made.labels:
        raise RulesError(f"{where}: super = {shorten(super_set)}: a set of other letters")
    return made


_DATA = resources.files("engine.rules") / "data" / "tiles"


@cache
def tile_set_names() -> tuple[str, ...]:
    """Names of the tile sets that come with the package."""
    return tuple(sorted(f.name[:-5] for f in _DATA.iterdir() if f.name.endswith(".toml")))


@cache
def find_tile_set(name: str) -> TileSet:
    """A bundled tile set by name. Raises RulesError with the names there are."""
    if name not in tile_set_names():
        raise RulesError(f"no tile set {shorten(name)}; there are {', '.join(tile_set_names())}")
    return tile_set_from_table(tomllib.loads((_DATA / f"{name}.toml").read_text("utf-8")), name)


def load_tile_set(path: Path) -> TileSet:
    """A user's tile set from a TOML file. Raises RulesError."""
    return tile_set_from_table(read_toml(path), str(path))


def read_toml(path: Path) -> dict[str, Any]:
    """The table in a TOML file. Raises RulesError naming the file and what is wrong with it."""
    text = read_text(path, RulesError)
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError) as error:  # also a number of thousands of digits
        raise RulesError(f"{path}: not a TOML file: {error}") from None
