"""Board layouts: size, premium squares, start square.

A layout file is plain text, one row a line: ``.`` plain, ``d t q`` letter x2 x3 x4, ``D T Q`` word
x2 x3 x4. An optional first line ``start 8H`` names the start square; without it the centre is
taken. Lines that begin with ``#`` are comments.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache, cached_property
from importlib import resources
from pathlib import Path

from engine.errors import RulesError, shorten
from engine.files import read_text

MAX_SIZE = 21
LETTER_PREMIUMS = {"d": 2, "t": 3, "q": 4}
WORD_PREMIUMS = {"D": 2, "T": 3, "Q": 4}


@dataclass(frozen=True)
class Layout:
    """An immutable board layout; ``squares`` holds one string a row."""

    name: str
    squares: tuple[str, ...]
    start: tuple[int, int]  #: row and column of the start square, from 0

    def __post_init__(self) -> None:
        where = f"layout {shorten(self.name)}"
        if not self.name.isprintable():
            raise RulesError(f"{where}: a name cannot hold control characters")
        if not 2 <= self.rows <= MAX_SIZE or not 2 <= self.cols <= MAX_SIZE:
            raise RulesError(f"{where}: {self.rows} x {self.cols}, expected 2 to {MAX_SIZE} a side")
        for number, row in enumerate(self.squares, 1):
            if len(row) != self.cols:
                raise RulesError(f"{where}: row {number} has {len(row)} squares, not {self.cols}")
            bad = set(row) - {".", *LETTER_PREMIUMS, *WORD_PREMIUMS}
            if bad:
                raise RulesError(f"{where}: row {number} has {min(bad)!r}, expected . d t q D T Q")
        row_, col = self.start
        if not (0 <= row_ < self.rows and 0 <= col < self.cols):
            raise RulesError(f"{where}: the start square is off the board")

    @property
    def rows(self) -> int:
        return len(self.squares)

    @property
    def cols(self) -> int:
        return len(self.squares[0]) if self.squares else 0

    def letter_premium(self, row: int, col: int) -> int:
        """Factor of the letter laid on a square."""
        return LETTER_PREMIUMS.get(self.squares[row][col], 1)

    def word_premium(self, row: int, col: int) -> int:
        """Factor of the words that a tile laid on a square belongs to."""
        return WORD_PREMIUMS.get(self.squares[row][col], 1)

    def hotspots(self, across: bool) -> frozenset[tuple[int, int]]:
        """Squares of the start row (or column) beside a letter premium of its neighbours.

        A vowel laid there in the first play opens that premium to the opponent
        (engine/movegen/equity.py).
        """
        return self._hotspots[across]

    @cached_property
    def _hotspots(self) -> tuple[frozenset[tuple[int, int]], frozenset[tuple[int, int]]]:
        row, col = self.start
        lanes = ([(r, col) for r in range(self.rows)], [(row, c) for c in range(self.cols)])
        beside = (((0, -1), (0, 1)), ((-1, 0), (1, 0)))
        down, across = (
            frozenset(
                (r, c)
                for r, c in lane
                if any(
                    0 <= r + dr < self.rows
                    and 0 <= c + dc < self.cols
                    and self.letter_premium(r + dr, c + dc) > 1
                    for dr, dc in steps
                )
            )
            for lane, steps in zip(lanes, beside, strict=True)
        )
        return down, across


def parse_coordinate(text: str) -> tuple[int, int, bool] | None:
    """``8D`` -> (7, 3, True), ``D8`` -> (7, 3, False): row and column from 0, across or not.

    None where the text is no coordinate. Columns past Z are AA, AB ...
    """
    found = re.fullmatch(r"([1-9]\d?)([A-Za-z]{1,2})|([A-Za-z]{1,2})([1-9]\d?)", text, re.ASCII)
    if found is None:
        return None
    row_text, col_text = (found[1], found[2]) if found[1] else (found[4], found[3])
    col = 0
    for c in col_text.upper():
        col = col * 26 + ord(c) - 64
    return int(row_text) - 1, col - 1, found[1] is not None


def format_coordinate(row: int, col: int, across: bool) -> str:
    """``8D`` across, ``D8`` down; row and column from 0."""
    letters = chr(65 + col) if col < 26 else chr(64 + col // 26) + chr(65 + col % 26)
    return f"{row + 1}{letters}" if across else f"{letters}{row + 1}"


def parse_layout(text: str, name: str) -> Layout:
    """A layout from its text form. Raises RulesError."""
    lines = [line.strip() for line in text.splitlines()]
    lines = [line for line in lines if line and not line.startswith("#")]
    start: tuple[int, int] | None = None
    if lines and lines[0].startswith("start"):
        place = parse_coordinate(lines[0][5:].strip())
        if place is None:
            raise RulesError(
                f"layout {shorten(name)}: {shorten(lines[0])} is not 'start' and a square like 8H"
            )
        start = place[:2]
        lines = lines[1:]
    if not lines:
        raise RulesError(f"layout {shorten(name)}: no rows")
    return Layout(name, tuple(lines), start or (len(lines) // 2, len(lines[0]) // 2))


_DATA = resources.files("engine.rules") / "data" / "layouts"


@cache
def layout_names() -> tuple[str, ...]:
    """Names of the layouts that come with the package."""
    return tuple(sorted(f.name[:-4] for f in _DATA.iterdir() if f.name.endswith(".txt")))


@cache
def find_layout(name: str) -> Layout:
    """A bundled layout by name. Raises RulesError with the names there are."""
    if name not in layout_names():
        raise RulesError(f"no layout {shorten(name)}; there are {', '.join(layout_names())}")
    return parse_layout((_DATA / f"{name}.txt").read_text("utf-8"), name)


def load_layout(path: Path) -> Layout:
    """A user's layout from a text file. Raises RulesError."""
    return parse_layout(read_text(path, RulesError), path.stem)
