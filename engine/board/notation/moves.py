"""Moves as text: ``8D WORD`` across, ``D8 WORD`` down, ``exch ABC``, ``pass``.

Squares that are played through may be written ``.``, as the letter that lies there, or in
parentheses, ``(A)B`` or ``(AB)``; lower case is a blank. Tiles that touch the ends of what is
written are part of the word.
"""

from __future__ import annotations

import re
import unicodedata

from engine.board.play import EXCHANGE, PASS, PLAY, Grid, Play
from engine.errors import IllegalPlay, NotationError, shorten
from engine.rules.layouts import format_coordinate, parse_coordinate
from engine.rules.tiles import BLANK, TileSet

_EXCHANGE = re.compile(r"(?:(?:exchange|exch|ex)(?:[\s.]+|$)|-\s*)(\S*)", re.IGNORECASE)
_EXPECTED = "expected a move like '8D WORD', 'exch ABC' or 'pass'"


def parse_move(text: str, tiles: TileSet, board: Grid) -> Play:
    """The play that a text means on a board.

    Raises NotationError for a text that cannot be read, IllegalPlay where it cannot be laid out on
    the board. Not checked: racks, words, and whether the play is allowed.
    """
    given = unicodedata.normalize("NFC", text.strip())
    if given.lower() in ("pass", "-"):
        return Play(PASS, text="pass")
    exchange = _EXCHANGE.fullmatch(given)
    if exchange is not None:
        if not exchange[1] or exchange[1].isdecimal():
            raise NotationError(
                f"{shorten(given)}: an exchange names the tiles that it gives up, as in 'exch ABC'"
            )
        return make_exchange(tiles.parse_rack(exchange[1]), tiles)
    coordinate, _, word = given.replace(".", " ", 1).partition(" ")
    if " " in given:
        coordinate, _, word = given.partition(" ")
    place = parse_coordinate(coordinate)
    if place is None or not word.strip():
        raise NotationError(f"{shorten(text)}: {_EXPECTED}")
    row, col, across = place
    return _lay_out(given, row, col, across, _symbols(word.strip(), given, tiles), tiles, board)


def _symbols(word: str, given: str, tiles: TileSet) -> list[tuple[int, bool]]:
    """The squares of a word as written: (tile, True where it must lie there already).

    A dot is (0, True).
    """
    symbols: list[tuple[int, bool]] = []
    inside = False
    at = 0
    while at < len(word):
        char = word[at]
        if char in "()":
            if inside == (char == "("):
                raise NotationError(f"{shorten(given)}: unmatched {char!r}")
            inside = not inside
            at += 1
        elif char == ".":
            symbols.append((0, True))
            at += 1
        else:
            tile, at = tiles.parse_tile(word, at)
            symbols.append((tile, inside))
    if inside:
        raise NotationError(f"{shorten(given)}: unmatched '('")
    if not symbols:
        raise NotationError(f"{shorten(given)}: {_EXPECTED}")
    return symbols


def _lay_out(
    given: str,
    row: int,
    col: int,
    across: bool,
    symbols: list[tuple[int, bool]],
    tiles: TileSet,
    board: Grid,
) -> Play:
    down, right = (0, 1) if across else (1, 0)

    def at(step: int) -> int | None:
        r, c = row + step * down, col + step * right
        return board[r][c] if 0 <= r < len(board) and 0 <= c < len(board[0]) else None

    def name(step: int) -> str:
        return format_coordinate(row + step * down, col + step * right, True)

    laid: dict[int, int] = {}
    for step, (tile, there) in enumerate(symbols):
        lies = at(step)
        if lies is None:
            raise IllegalPlay(given, f"runs off the {len(board)} x {len(board[0])} board")
        if lies:
            if tile and tile & ~BLANK != lies & ~BLANK:
                raise IllegalPlay(given, f"{name(step)} holds {tiles.format_tile(lies)}")
        elif there:
            raise IllegalPlay(given, f"there is no tile on {name(step)}")
        else:
            laid[step] = tile
    if not laid:
        raise IllegalPlay(given, "no tile is laid")
    return make_play(
        board,
        [(row + step * down, col + step * right, tile) for step, tile in laid.items()],
        across,
        tiles,
    )


def make_play(board: Grid, laid: list[tuple[int, int, int]], across: bool, tiles: TileSet) -> Play:
    """The play that lays tiles (row, column, tile) in one line, with its whole main word.

    A single tile that makes a word both ways is an across play, one that makes only a down word a
    down play. Not checked: gaps.
    """

    def lies(row: int, col: int) -> int:
        return board[row][col] if 0 <= row < len(board) and 0 <= col < len(board[0]) else 0

    if len(laid) == 1:
        row, col, _ = laid[0]
        beside = lies(row, col - 1) or lies(row, col + 1)
        above = lies(row - 1, col) or lies(row + 1, col)
        if beside or above:
            across = bool(beside)
    down, right = (0, 1) if across else (1, 0)
    row, col, _ = laid[0]
    while lies(row - down, col - right):
        row, col = row - down, col - right
    new = {(r, c): tile for r, c, tile in laid}
    start = row, col
    word: list[int] = []
    while (row, col) in new or lies(row, col) or len(word) == 0:
        word.append(new.get((row, col), 0))
        row, col = row + down, col + right
    # squares past a gap, so that the judge can say there is one
    last = max(laid)[:2]
    while (row, col) <= last:
        word.append(new.get((row, col), 0))
        row, col = row + down, col + right
    text = format_coordinate(*start, across) + " " + format_squares(word, tiles)
    return Play(PLAY, *start, across, tuple(word), text)


def format_squares(word: list[int] | tuple[int, ...], tiles: TileSet) -> str:
    """A main word as text, ``.`` for what lies there already."""
    return "".join(tiles.format_tile(tile) if tile else "." for tile in word)


def make_exchange(letters: tuple[int, ...], tiles: TileSet) -> Play:
    """The exchange of some letters (sorted: in its text blanks come first)."""
    if not letters:
        raise NotationError("an exchange names the tiles that it gives up")
    given = "".join(tiles.format_tile(letter) if letter else "?" for letter in letters)
    return Play(EXCHANGE, tiles=letters, text=f"exch {given}")
