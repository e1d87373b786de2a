"""How games end: the final adjustment, overtime, places."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from engine.rules.rules import Rules

OUT = "out"  #: a player used the last tile
SCORELESS = "scoreless"  #: so many turns in a row scored nothing
PASSES = "passes"  #: everybody passed so often in a row
NO_MOVES = "no_moves"  #: the bag is empty and nobody has a legal play
TARGET = "target"  #: a player reached the finish line
CHALLENGE = "challenge"  #: a good play was challenged under the rule that this loses the game


@dataclass(frozen=True)
class Result:
    """The outcome of a game, every tuple by player."""

    reason: str  #: one of the constants of this module
    before: tuple[int, ...]  #: scores before the adjustment
    adjustment: tuple[int, ...]  #: for the tiles left
    overtime: tuple[int, ...]  #: points lost on the clock
    scores: tuple[int, ...]  #: final: before + adjustment - overtime
    places: tuple[int, ...]  #: 1 for the first; who is equal shares a place

    @property
    def winners(self) -> tuple[int, ...]:
        """Players in the first place: more than one after a draw."""
        return tuple(player for player, place in enumerate(self.places) if place == 1)

    @property
    def winner(self) -> int | None:
        """The player in the first place; None after a draw."""
        return None if self.draw else self.winners[0]

    @property
    def draw(self) -> bool:
        """Whether several players share the first place."""
        return len(self.winners) > 1


def make_result(
    reason: str,
    rules: Rules,
    racks: Sequence[Sequence[int]],
    scores: tuple[int, ...],
    overtime: tuple[int, ...],
    loser: int | None = None,
) -> Result:
    """The result of a game that ends so. ``loser``: a player who is last whatever the scores."""
    adjustment = _adjustment(reason, rules, racks)
    final = tuple(a + b - c for a, b, c in zip(scores, adjustment, overtime, strict=True))
    keys = []
    for player, points in enumerate(final):
        before = scores[player] if rules.tie == "before_adjustment" else 0
        keys.append((player != loser, points, before))
    places = tuple(1 + sum(other > key for other in keys) for key in keys)
    return Result(reason, scores, adjustment, overtime, final, places)


def _adjustment(reason: str, rules: Rules, racks: Sequence[Sequence[int]]) -> tuple[int, ...]:
    """Everybody loses the tiles left, who went out gains them all; or, with two players and the
    tournament's way, who went out gains twice the other's tiles. Nothing at a finish line or
    where a challenge decided the game."""
    if reason in (TARGET, CHALLENGE):
        return (0,) * len(racks)
    left = [sum(rules.tiles.values[letter] for letter in rack) for rack in racks]
    out = [reason == OUT and not rack for rack in racks]
    if reason == OUT and rules.adjustment == "tournament" and len(racks) == 2:
        return tuple(2 * sum(left) if gone else 0 for gone in out)
    return tuple(sum(left) if gone else -own for gone, own in zip(out, left, strict=True))
