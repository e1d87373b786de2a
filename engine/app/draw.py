"""A board as text, for terminals."""

from __future__ import annotations

from collections.abc import Iterator

from engine.game.position import Position

#: How the premium squares are drawn: letter x2 x3 x4, word x2 x3 x4.
PREMIUMS = {".": "·", "d": "'", "t": '"', "q": "^", "D": "-", "T": "=", "Q": "#"}


def draw_board(position: Position) -> Iterator[str]:
    """The lines of a drawing: coordinates, tiles (blanks in lower case), premium squares."""
    tiles, layout = position.rules.tiles, position.rules.layout
    width = max(len(label) for label in tiles.labels) + 1
    columns = [chr(65 + col) for col in range(layout.cols)]
    yield "   " + "".join(f"{name:>{width}}" for name in columns)
    for row, line in enumerate(position.board):
        cells = []
        for col, tile in enumerate(line):
            text = PREMIUMS[layout.squares[row][col]]
            if tile:
                text = tiles.format_tile(tile).strip("[]")
            elif (row, col) == layout.start:
                text = "*"
            cells.append(f"{text:>{width}}")
        yield f"{row + 1:>3}" + "".join(cells)
    used = {mark: name for mark, name in _NAMES.items() if any(mark in r for r in layout.squares)}
    yield "   " + ", ".join(f"{PREMIUMS[mark]} {name}" for mark, name in used.items())


_NAMES = {
    "d": "letter x2",
    "t": "letter x3",
    "q": "letter x4",
    "D": "word x2",
    "T": "word x3",
    "Q": "word x4",
}
