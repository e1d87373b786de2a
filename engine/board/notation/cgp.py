"""CGP: a position as one line of text, ``BOARD RACKS SCORES ZEROS [opcode operands; ...]``.

The board is its rows joined by ``/``, numbers are runs of empty squares, lower case is a blank,
``[CS]`` a tile of several characters. Racks and scores name the player on turn first. Every opcode
is kept as it is written; the ones that change the rules are read in game/position.py.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

from engine.board.play import Grid
from engine.errors import NotationError, shorten
from engine.rules.layouts import MAX_SIZE
from engine.rules.rules import MAX_PLAYERS
from engine.rules.tiles import TileSet

MAX_SCORE = 1_000_000


@dataclass(frozen=True)
class Cgp:
    """The fields of a CGP; board and racks still as text, for they need a tile set to be read."""

    board: str
    racks: tuple[str, ...]
    scores: tuple[int, ...]
    zeros: int
    opcodes: tuple[tuple[str, str], ...] = ()

    def opcode(self, name: str) -> str | None:
        """Operands of an opcode; None where it is not there."""
        return dict(self.opcodes).get(name)


def parse_cgp(text: str) -> Cgp:
    """Split and check a CGP. Scores and zeros are required, as the format says.

    Raises NotationError.
    """
    fields = unicodedata.normalize("NFC", text).split(maxsplit=4)
    if len(fields) < 4:
        raise NotationError(
            f"CGP {shorten(text)}: {len(fields)} fields,"
            " expected 4 fields: board, racks, scores, zeros"
        )
    board, racks, scores, zeros, *rest = fields
    names = tuple(racks.split("/"))
    if not 1 <= len(names) <= MAX_PLAYERS:
        raise NotationError(f"CGP racks {shorten(racks)}: expected 1 to {MAX_PLAYERS} racks")
    points = []
    for score in scores.split("/"):
        if not re.fullmatch(r"-?\d{1,7}", score, re.ASCII) or abs(int(score)) > MAX_SCORE:
            raise NotationError(f"CGP scores {shorten(scores)}: expected numbers like 120/98")
        points.append(int(score))
    if len(points) != len(names):
        raise NotationError(f"CGP: {len(names)} racks but {len(points)} scores")
    if not re.fullmatch(r"\d{1,4}", zeros, re.ASCII):
        raise NotationError(f"CGP zeros {shorten(zeros)}: expected the number of scoreless turns")
    return Cgp(board, names, tuple(points), int(zeros), _opcodes(rest[0] if rest else ""))


def _opcodes(text: str) -> tuple[tuple[str, str], ...]:
    found: dict[str, str] = {}
    for part in text.split(";"):
        words = part.split()
        if not words:
            continue
        if words[0] in found:
            raise NotationError(f"CGP opcode {shorten(words[0])} is given twice")
        found[words[0]] = " ".join(words[1:])
    return tuple(found.items())


def parse_board(text: str, tiles: TileSet) -> Grid:
    """The rows of a board. Raises NotationError where they differ in length or cannot be read."""
    rows = []
    for number, part in enumerate(text.split("/"), 1):
        row: list[int] = []
        at = 0
        while at < len(part):
            empty = re.match(r"[1-9]\d?", part[at:], re.ASCII)
            if empty is not None:
                row += [0] * int(empty[0])
                at += len(empty[0])
            elif part[at] == "?":
                raise NotationError(
                    f"CGP row {number}: a blank on the board is a lower-case letter"
                )
            else:
                try:
                    tile, at = tiles.parse_tile(part, at)
                except NotationError as error:
                    raise NotationError(f"CGP row {number}: {error}") from None
                row.append(tile)
            if len(row) > MAX_SIZE:
                raise NotationError(f"CGP row {number} has more than {MAX_SIZE} squares")
        rows.append(tuple(row))
        if len(rows) > MAX_SIZE:
            raise NotationError(f"CGP board has more than {MAX_SIZE} rows")
        if len(row) != len(rows[0]):
            raise NotationError(
                f"CGP row {number} has {len(row)} squares, the first has {len(rows[0])}"
            )
    return tuple(rows)


def format_board(board: Grid, tiles: TileSet) -> str:
    """The board field of a CGP."""
    rows = []
    for row in board:
        text, empty = "", 0
        for tile in (*row, -1):
            if tile == 0:
                empty += 1
                continue
            text += str(empty) if empty else ""
            text += tiles.format_tile(tile) if tile > 0 else ""
            empty = 0
        rows.append(text)
    return "/".join(rows)


def format_cgp(cgp: Cgp) -> str:
    """The canonical line of a CGP."""
    text = f"{cgp.board} {'/'.join(cgp.racks)} {'/'.join(map(str, cgp.scores))} {cgp.zeros}"
    return text + "".join(f" {f'{code} {operands}'.strip()};" for code, operands in cgp.opcodes)
