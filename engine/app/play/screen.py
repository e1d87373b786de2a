"""How a game looks in the terminal: the board, the scores, the rack, in 80 columns.

Colour comes only on top: premium squares keep their marks (engine/app/draw.py), blanks are in
lower case, and the tiles of the last play have a ``>`` before them, so that all is there without.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import TYPE_CHECKING

from engine.app.draw import PREMIUMS
from engine.app.play.texts import Texts
from engine.rules.layouts import LETTER_PREMIUMS, format_coordinate
from engine.rules.tiles import BLANK

if TYPE_CHECKING:
    from rich.text import Text

    from engine.board.play import Grid
    from engine.rules.layouts import Layout
    from engine.rules.rules import Rules
    from engine.rules.tiles import TileSet

WIDTH = 80
LAST = ">"
_STYLES = {
    ".": "grey54 on grey93",
    "d": "grey30 on light_sky_blue1",
    "t": "white on dodger_blue2",
    "q": "white on blue3",
    "D": "grey30 on pink1",
    "T": "white on red3",
    "Q": "white on dark_magenta",
}
_TILE, _LAST_TILE = "black on wheat1", "bold black on gold1"
_BLANK, _LAST_BLANK = "red3 on wheat1", "bold red3 on gold1"


def draw(rules: Rules, board: Grid, last: Collection[tuple[int, int]]) -> Iterator[Text]:
    """The lines of a board; ``last``: squares of the tiles that the last play laid."""
    from rich.text import Text

    layout, tiles = rules.layout, rules.tiles
    width = min(1 + max(map(len, tiles.labels)), (WIDTH - 3) // layout.cols)
    names = (format_coordinate(0, col, False)[:-1] for col in range(layout.cols))
    yield Text("   " + "".join(f"{f' {name}':<{width}}" for name in names).rstrip())
    for row, line in enumerate(board):
        drawn = Text(f"{row + 1:>2} ")
        for col, tile in enumerate(line):
            new = (row, col) in last
            cell = f" {_square(layout, row, col)}"
            style = _STYLES[layout.squares[row][col]]
            if tile:
                cell = (LAST if new else " ") + tiles.format_tile(tile).strip("[]")
                style = _tile_style(tile, new)
            drawn.append(f"{cell[-width:]:<{width}}", style)
        yield drawn


def _square(layout: Layout, row: int, col: int) -> str:
    return "*" if (row, col) == layout.start else PREMIUMS[layout.squares[row][col]]


def _tile_style(tile: int, new: bool) -> str:
    if tile & BLANK:
        return _LAST_BLANK if new else _BLANK
    return _LAST_TILE if new else _TILE


def legend(layout: Layout, texts: Texts) -> Iterator[Text]:
    """The lines that tell what the marks of the squares mean."""
    from rich.text import Text

    line = Text("   ")
    for mark, shown in PREMIUMS.items():
        if mark == "." or not any(mark in row for row in layout.squares):
            continue
        factor = 2 + ("dtq" if mark in LETTER_PREMIUMS else "DTQ").index(mark)
        kind = f" {texts.say('letter' if mark in LETTER_PREMIUMS else 'word')} x{factor}  "
        if len(line) + 3 + len(kind) > WIDTH:
            yield line
            line = Text("   ")
        line.append(f" {shown} ", _STYLES[mark]).append(kind)
    start = f"* {texts.say('start')}"
    if len(line) + len(start) > WIDTH:
        yield line
        line = Text("   ")
    yield line.append(start)


def status(names: Sequence[str], scores: Sequence[int], turn: int | None, bag: str) -> str:
    """The line with everybody's points, ``>`` before whose turn it is, and the bag."""
    shown = (
        f"{'>' if player == turn else ' '} {name} {points}"
        for player, (name, points) in enumerate(zip(names, scores, strict=True))
    )
    return "  ".join([*shown, f" {bag}"])


def format_tiles(letters: Sequence[int], tiles: TileSet) -> str:
    """Tiles of a rack as they are typed, with spaces between."""
    return " ".join(tiles.format_tile(letter) if letter else "?" for letter in letters)


def format_unseen(unseen: dict[int, int], tiles: TileSet) -> str:
    """Tiles and how many there are of each: ``A9 B2 [CS]1 ?2``, the blank last."""
    ordered = sorted(unseen, key=lambda letter: (letter == 0, letter))
    return " ".join(f"{format_tiles([letter], tiles)}{unseen[letter]}" for letter in ordered)
