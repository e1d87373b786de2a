"""A play: tiles on squares, an exchange, or a pass."""

from __future__ import annotations

from dataclasses import dataclass, field

from engine.rules.tiles import BLANK

PLAY, EXCHANGE, PASS = "play", "exchange", "pass"

Grid = tuple[tuple[int, ...], ...]  #: a board: rows of tiles, 0 where a square is empty


@dataclass(frozen=True)
class Play:
    """What a player does in a turn.

    A play on the board begins on the first square of its whole main word, and ``tiles`` has an
    entry for each square of that word: 0 where a tile lies already, else the tile laid (a letter,
    with BLANK set for a blank). For an exchange ``tiles`` holds the letters given up, sorted.
    ``text`` is the play in notation (``8D .OO``, ``exch AB?``, ``pass``); it takes no part in
    comparisons.
    """

    kind: str
    row: int = 0
    col: int = 0
    across: bool = True
    tiles: tuple[int, ...] = ()
    text: str = field(default="", compare=False)

    def __str__(self) -> str:
        return self.text

    @property
    def laid(self) -> list[tuple[int, int, int]]:
        """(row, column, tile) of each tile laid."""
        down, right = (0, 1) if self.across else (1, 0)
        return [
            (self.row + i * down, self.col + i * right, tile)
            for i, tile in enumerate(self.tiles)
            if tile and self.kind == PLAY
        ]

    @property
    def used(self) -> tuple[int, ...]:
        """Letters that leave the rack (a blank is 0), sorted."""
        if self.kind == EXCHANGE:
            return self.tiles
        return tuple(sorted(0 if tile & BLANK else tile for tile in self.tiles if tile))


def less(rack: tuple[int, ...], used: tuple[int, ...]) -> tuple[int, ...] | None:
    """Letters of a rack without those used, sorted; None where it does not hold them."""
    left = list(rack)
    for letter in used:
        if letter not in left:
            return None
        left.remove(letter)
    return tuple(left)
