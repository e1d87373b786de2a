"""What happens in a game, one frozen value an event; a game's log is a list of them.

``racks`` and ``bag`` are those before the event, by player and as a number of tiles; ``scores``
those after it. ``seconds``: time that the player took, None where nobody measured it.
"""

from __future__ import annotations

from dataclasses import dataclass

from engine.board.play import Play
from engine.game.result import Result

Rack = tuple[int, ...]  #: letters, sorted; 0 is a blank
Word = tuple[int, ...]  #: tiles, BLANK set where a blank plays the letter


@dataclass(frozen=True, kw_only=True)
class Event:
    """What all events tell."""

    player: int | None  #: who did it; None for the end
    racks: tuple[Rack, ...]
    bag: int
    scores: tuple[int, ...]
    seconds: float | None = None


@dataclass(frozen=True, kw_only=True)
class Turn(Event):
    """A play, an exchange or a pass (``play.kind``); ``words``: main word first."""

    play: Play
    score: int = 0
    words: tuple[Word, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Challenged(Event):
    """``player`` challenged the ``play`` of player ``against``, which had scored ``score``.

    ``phonies``: its words that are not in the lexicon. Where there are any the play is ``removed``:
    its tiles and points go back and the turn is lost. Where there are none ``points`` go from the
    challenger, or to the player challenged, as the rules say (``scores`` holds the outcome).
    """

    against: int
    play: Play
    score: int
    removed: bool
    phonies: tuple[Word, ...] = ()
    points: int = 0


@dataclass(frozen=True, kw_only=True)
class Accepted(Event):
    """``player`` said that nobody challenges the last play."""


@dataclass(frozen=True, kw_only=True)
class LostTurn(Event):
    """``player`` missed a turn after challenging a good play; it counts as a scoreless turn."""


@dataclass(frozen=True, kw_only=True)
class Ended(Event):
    """The game is over; ``scores`` are the final ones."""

    result: Result
