"""What a computer player is: something that chooses a play in a position."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

from engine.board.play import Play
from engine.game.position import Position


@runtime_checkable
class Player(Protocol):
    """A player at a table. The position is what it may see: the other racks are empty there."""

    @property
    def name(self) -> str:
        """How it is called in lists and logs."""

    def choose(self, position: Position) -> Play:
        """A legal play, exchange or pass of the player on turn; nothing is changed."""
