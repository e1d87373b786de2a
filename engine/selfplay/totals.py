"""What many games come to: counts that add up in any order, and the figures made of them."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.selfplay.columns import ENDS, Columns, ints
from engine.selfplay.stats import Z95

_WHOLE = 12  # a won game in twelfths: a tie of two, three or four is a whole number of them

Counts = Counter[int]


def _counts(values: NDArray[np.int64]) -> Counts:
    found, number = np.unique(values, return_counts=True)
    return Counter(dict(zip(found.tolist(), number.tolist())))


def mean(counts: Counts) -> float:
    """Mean of the values counted; 0 where there are none."""
    return sum(v * n for v, n in counts.items()) / max(1, counts.total())


def deviation(counts: Counts) -> float:
    """Standard deviation of the values counted (n - 1); 0 for fewer than two."""
    number, total = counts.total(), sum(v * n for v, n in counts.items())
    squares = sum(v * v * n for v, n in counts.items())  # whole numbers: nothing cancels
    if number < 2:
        return 0.0
    return math.sqrt((squares * number - total * total) / number / (number - 1))


@dataclass
class Totals:
    """Counts over games, each player's by number; ``+=`` adds those of other games."""

    players: int
    games: int = 0
    scores: list[Counts] = field(default_factory=list)  #: final scores
    made: list[int] = field(default_factory=list)  #: points of all plays
    turns: list[Counts] = field(default_factory=list)
    bingos: list[Counts] = field(default_factory=list)
    shares: list[Counts] = field(default_factory=list)  #: twelfths of a win
    first_shares: Counts = field(default_factory=Counter)  #: those of who began
    spreads: Counts = field(default_factory=Counter)  #: player 0's score less the best other one
    ends: Counter[str] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        for counts in (self.scores, self.turns, self.bingos, self.shares):
            counts += [Counter() for _ in range(self.players - len(counts))]
        self.made += [0] * (self.players - len(self.made))

    @classmethod
    def of(cls, games: Columns, players: int, tie: str) -> Totals:
        """Those of a table of games; ``tie``: as in Rules."""

        def each(name: str) -> NDArray[np.int64]:
            return np.stack([ints(games, f"{name}_{player}") for player in range(players)])

        score, adjustment = each("score"), each("adjustment")
        value = score << 32
        if tie == "before_adjustment":
            value += score - adjustment
        winners = value == value.max(axis=0)
        shares = winners * (_WHOLE // winners.sum(axis=0))
        spread = score[0] - score[1:].max(axis=0) if players > 1 else score[0]
        end = games["end"]
        first = ints(games, "first")
        return cls(
            players,
            len(first),
            scores=[_counts(row) for row in score],
            made=(score - adjustment).sum(axis=1).tolist(),
            turns=[_counts(row) for row in each("turns")],
            bingos=[_counts(row) for row in each("bingos")],
            shares=[_counts(row) for row in shares],
            first_shares=_counts(shares[first, np.arange(len(first))]),
            spreads=_counts(spread),
            ends=Counter(end.tolist()),
        )

    def __iadd__(self, other: Totals) -> Totals:
        self.games += other.games
        for name in ("scores", "turns", "bingos", "shares"):
            for mine, theirs in zip(getattr(self, name), getattr(other, name), strict=True):
                mine.update(theirs)
        self.made = [a + b for a, b in zip(self.made, other.made, strict=True)]
        self.first_shares.update(other.first_shares)
        self.spreads.update(other.spreads)
        self.ends.update(other.ends)
        return self

    def win_share(self, player: int | None) -> tuple[float, float, float]:
        """Mean share of the wins (a tie is shared) and its 95 % interval; None: of who began.

        The interval is Wilson's (1927), of as many games without ties as would have the variance
        seen (Korn & Graubard 1998). Without a game it is all from 0 to 1.
        """
        counts = self.first_shares if player is None else self.shares[player]
        if not self.games:
            return 0.0, 0.0, 1.0
        share, games = mean(counts) / _WHOLE, float(self.games)
        spread = deviation(counts) / _WHOLE
        if spread and self.games > 1:
            games *= max(1.0, share * (1 - share) / spread**2)
        middle = (share + Z95 * Z95 / (2 * games)) / (1 + Z95 * Z95 / games)
        half = math.sqrt(share * (1 - share) / games + (Z95 / (2 * games)) ** 2)
        half *= Z95 / (1 + Z95 * Z95 / games)
        return share, min(share, max(0.0, middle - half)), max(share, min(1.0, middle + half))

    def figures(self, names: tuple[str, ...]) -> dict[str, Any]:
        """The figures as JSON takes them. ``score_per_turn`` is of the plays: without what the
        tiles left at the end gave or took."""
        first, low, high = self.win_share(None)
        players = []
        for player, name in enumerate(names):
            share, share_low, share_high = self.win_share(player)
            turns = sum(value * number for value, number in self.turns[player].items())
            players.append(
                {
                    "player": player,
                    "name": name,
                    "score": round(mean(self.scores[player]), 3),
                    "score_deviation": round(deviation(self.scores[player]), 3),
                    "turns": round(mean(self.turns[player]), 4),
                    "bingos": round(mean(self.bingos[player]), 4),
                    "score_per_turn": round(self.made[player] / max(1, turns), 4),
                    "win_share": round(share, 5),
                    "win_share_low": round(share_low, 5),
                    "win_share_high": round(share_high, 5),
                }
            )
        return {
            "games": self.games,
            "players": players,
            "first_mover_share": round(first, 5),
            "first_mover_share_low": round(low, 5),
            "first_mover_share_high": round(high, 5),
            "spread": round(mean(self.spreads), 3),
            "spread_deviation": round(deviation(self.spreads), 3),
            "ends": {end: self.ends[end] for end in ENDS if self.ends[end]},
        }
