"""Remaining swings of self-play: what a win table is made of.

The *swing* of a position is what the player on turn gains on the other until the end of the game,
adjustment included: the final spread less that of the position. Static players ignore the spread,
so one game tells about every lead: P(win | spread s) = P(swing > -s) + P(swing = -s) / 2. Nearly:
who is ahead has more often spent the good tiles, so swings are a little smaller after a lead.

Swings are counted in half points: where equal scores are decided by those before the adjustment, a
swing is half a point more or less, and so never exactly even.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.movegen.generate import PLAY
from engine.rules.rules import Rules
from engine.search.winpct import row_of, rows_of
from lexicon_build.training import GamesTask

MOST_SWING = 5_000  #: points; larger ones count as this

Ints = NDArray[np.int64]


@dataclass(frozen=True)
class Positions:
    """Positions before turns; each is one int32 in every column."""

    rows: NDArray[np.int32]  #: of a win table
    spreads: NDArray[np.int32]  #: of the player on turn, in points
    swings: NDArray[np.int32]  #: in half points

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def results(self) -> NDArray[np.float64]:
        """What the player on turn got: 1, 0.5 or 0."""
        results: NDArray[np.float64] = 0.5 + 0.5 * np.sign(2 * self.spreads + self.swings)
        return results

    @classmethod
    def join(cls, parts: list[Positions]) -> Positions:
        names = ("rows", "spreads", "swings")
        return cls(*(np.concatenate([getattr(part, name) for part in parts]) for name in names))


def positions_of(turns: NDArray[np.void], games: NDArray[np.void], rules: Rules) -> Positions:
    """The positions before all turns of some games of two, as ``Batch.play`` returns them."""
    size, bag = rules.rack_size, turns["bag"].astype(np.int64)
    held, laid = turns["held"].astype(np.int64), turns["laid"].astype(np.int64)
    game = np.repeat(np.arange(len(games)), games["turns"])
    side = 1 - 2 * turns["player"].astype(np.int64)  # 1: the player who began, -1: the other
    spread = turns["spread"] - turns["score"]
    columns = (games[name].astype(np.int64) for name in ("score", "adjustment"))
    score, adjustment = (column[:, 0] - column[:, 1] for column in columns)
    swing = 2 * (side * score[game] - spread)
    if rules.tie == "before_adjustment":
        swing -= side * np.sign(adjustment)[game]
    # the other rack: as its player left it a turn ago, or as it was dealt
    kept = held - np.where(turns["kind"] == PLAY, laid - np.minimum(laid, bag), 0)
    dealt = np.minimum(size, rules.tiles.total - held)
    other = np.where(turns["turn"] == 0, dealt, np.roll(kept, 1))
    most = 2 * MOST_SWING
    made = row_of(size, bag, held, other), spread, np.clip(swing, -most, most)
    return Positions(*(column.astype(np.int32) for column in made))


class SwingTask(GamesTask):
    """The task of playing games to their ends: chunk number -> Positions."""

    def __call__(self, number: int) -> Positions:
        turns, games = self.play(number)
        return positions_of(turns, games, self.rules)


class SwingCounts:
    """What was seen in each row of a win table; the same in whatever order it comes.

    ``counts``: int64 (rows, 2 * reach + 1), how often each swing, in half points. ``moments``:
    int64 (rows, 3), the sums of spreads, of their squares, and of spread times swing.
    """

    def __init__(self, rules: Rules, sums: Ints | None = None) -> None:
        """``sums``: those of ``sums()``, to go on from."""
        empty = np.zeros((rows_of(rules), 4), np.int64) if sums is None else sums
        self.moments, self.counts = empty[:, :3].copy(), empty[:, 3:].copy()

    @property
    def reach(self) -> int:
        """Greatest swing there is room for, in half points."""
        return int(self.counts.shape[1] // 2)

    def sums(self) -> Ints:
        """All of it in one array."""
        return np.hstack([self.moments, self.counts])

    def add(self, positions: Positions) -> None:
        """Count some positions."""
        most = int(np.abs(positions.swings).max(initial=0))
        if most > self.reach:
            wider = most - self.reach
            self.counts = np.pad(self.counts, ((0, 0), (wider, wider)))
        np.add.at(self.counts, (positions.rows, positions.swings + self.reach), 1)
        spreads = positions.spreads.astype(np.int64)
        moments = np.stack([spreads, spreads**2, spreads * positions.swings], axis=1)
        np.add.at(self.moments, positions.rows, moments)
