"""Text of results: who played, and tables for people."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from engine.players.static import StaticPlayer


def leaves_name(player: StaticPlayer) -> str:
    """Name of a player's leaves; that of a file without its folders."""
    return Path(player.leaves.name).name


def described(player: StaticPlayer) -> str:
    """``equity (lexicon english, leaves zero)``."""
    return f"{player.name} (lexicon {player.lexicon.info.name}, leaves {leaves_name(player)})"


def aligned(rows: Sequence[Sequence[str]]) -> list[str]:
    """A table as lines of text: the first column to the left, the others to the right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return ["  ".join([row[0].ljust(widths[0]), *map(str.rjust, row[1:], widths[1:])])
            for row in rows]  # fmt: skip
