"""A game clock, as far as a referee needs one: time used, and what overtime costs."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from engine.errors import QuixotryError, shorten

MOST_SECONDS = 1_000_000.0


@dataclass(frozen=True)
class Clock:
    """``limit`` seconds for each player and all of their turns.

    ``now``: a function that says the time in seconds, such as ``time.monotonic``; with it the
    referee measures each action itself, without it every action says how long it took (what
    ``eng.Game.run`` does for computers takes 0 seconds then).
    ``penalty``: points lost at the end for each minute of overtime that has begun.
    """

    limit: float
    now: Callable[[], float] | None = None
    penalty: int = 10

    def __post_init__(self) -> None:
        check_seconds(self.limit, "the clock's limit")
        if type(self.penalty) is not int or not 0 <= self.penalty <= 10_000:
            raise QuixotryError(
                f"penalty {shorten(self.penalty)}, expected 0 to 10000 points a minute"
            )

    def overtime_points(self, used_ms: int) -> int:
        """Points that a player loses for the time used, in milliseconds."""
        over = used_ms - round(self.limit * 1000)
        return self.penalty * math.ceil(over / 60_000) if over > 0 else 0


def check_seconds(seconds: object, what: str = "seconds") -> float:
    """A time as a float. Raises QuixotryError for what is none."""
    if isinstance(seconds, bool) or not isinstance(seconds, (int, float)):
        raise QuixotryError(f"{what}: {shorten(seconds)}, expected a number of seconds")
    if not 0 <= seconds <= MOST_SECONDS:
        raise QuixotryError(f"{what}: {seconds}, expected 0 to {MOST_SECONDS:.0f} seconds")
    return float(seconds)
