"""Full racks of self-play and what the best plays with them were worth: what leaves are made of.

A rack is known by its *key*: its letters in order, six bits each, the first in the lowest bits.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine._jit import array, f64, i64, kernel, table, void
from engine.lexicon.leaves import multiset_tables, table_size
from engine.movegen.generate import PASS
from engine.rules.rules import MAX_RACK
from engine.rules.tiles import TileSet
from lexicon_build.training import GamesTask

Ints = NDArray[np.int64]
_BITS = 6  # a letter
MOST_TILES = 63 // _BITS  #: of a rack
_PENDING = 1 << 22  # rows that wait to be merged


@dataclass(frozen=True)
class RackSums:
    """Rows with different keys, in order: how often a rack was held, and the sum of equities."""

    keys: Ints
    counts: Ints
    sums_mp: Ints

    @classmethod
    def of(cls, keys: Ints, counts: Ints, sums_mp: Ints) -> RackSums:
        """Rows in any order, the same key more than once."""
        order = np.argsort(keys, kind="stable")
        keys = keys[order]
        first = np.flatnonzero(np.r_[True, keys[1:] != keys[:-1]][: len(keys)])
        if not len(first):
            return cls(keys, counts, sums_mp)
        return cls(
            keys[first],
            np.add.reduceat(counts[order], first),
            np.add.reduceat(sums_mp[order], first),
        )

    def __len__(self) -> int:
        return len(self.keys)


@dataclass
class RackTable:
    """The sum of many RackSums; the same in whatever order they come."""

    _rows: RackSums = field(default_factory=lambda: RackSums(*np.zeros((3, 0), np.int64)))
    _pending: list[RackSums] = field(default_factory=list)

    def add(self, rows: RackSums) -> None:
        self._pending.append(rows)
        if sum(map(len, self._pending)) > _PENDING:
            self.rows()

    def rows(self) -> RackSums:
        """All of it."""
        if self._pending:
            parts = [self._rows, *self._pending]
            columns = (
                np.concatenate([getattr(part, name) for part in parts])
                for name in ("keys", "counts", "sums_mp")
            )
            self._rows, self._pending = RackSums.of(*columns), []
        return self._rows


class RackTask(GamesTask):
    """The task of collecting racks: chunk number -> RackSums.

    Every full rack counts, whatever was done with it, while the bag holds as many tiles as a rack.
    """

    def __call__(self, number: int) -> RackSums:
        turns, _ = self.play(number)
        size = self.rules.rack_size
        kept = turns[(turns["held"] == size) & (turns["bag"] >= size) & (turns["kind"] != PASS)]
        return RackSums.of(
            pack_racks(kept["rack"][:, :size]),
            np.ones(len(kept), np.int64),
            kept["equity_mp"].astype(np.int64),
        )


def pack_racks(racks: NDArray[Any]) -> Ints:
    """Keys of racks of up to MOST_TILES, a row each, letters in order."""
    keys = np.zeros(len(racks), np.int64)
    for place in range(racks.shape[1]):
        keys |= racks[:, place].astype(np.int64) << (_BITS * place)
    return keys


# -- from racks to leaves --------------------------------------------------------------------------


def chances(tiles: TileSet) -> NDArray[np.float64]:
    """float64 (kinds, MAX_RACK + 1, MAX_RACK + 1), [letter, kept, held]: ways to draw held - kept
    more of a letter when ``kept`` are out of a full bag."""
    table = np.zeros((tiles.kinds, MAX_RACK + 1, MAX_RACK + 1))
    for letter, count in enumerate(tiles.counts):
        for kept in range(min(count, MAX_RACK) + 1):
            for held in range(kept, MAX_RACK + 1):
                table[letter, kept, held] = math.comb(count - kept, held - kept)
    return table


def leave_means(
    rows: RackSums, means: NDArray[np.float64], tiles: TileSet, rack_size: int, max_len: int
) -> tuple[NDArray[np.float64], Ints]:
    """``(mean, seen)`` by index of leave, float64 and int64: the mean over the racks that hold the
    leave, each as often as it is drawn to it from a full bag, and how often they were seen.

    Both are 0 for a leave that no rack holds. ``means``: one a row. Every rack counts once,
    however often it was seen (formula of the MAGPIE engine's ``leavegen``).
    """
    total = np.zeros(table_size(tiles.kinds, max_len))
    weight, seen = np.zeros(len(total)), np.zeros(len(total), np.int64)
    tables = *multiset_tables(tiles.kinds, max_len), chances(tiles)
    spread(rows.keys, rows.counts, means, rack_size, max_len, *tables, total, weight, seen)
    return np.divide(total, weight, out=np.zeros(len(total)), where=weight > 0), seen


@kernel(
    void(
        array(i64),
        array(i64),
        array(f64),
        i64,
        i64,
        table(i64),
        table(i64, 2),
        table(f64, 3),
        array(f64),
        array(f64),
        array(i64),
    )
)
def spread(keys, counts, means, rack_size, max_len, offset, choose, ways, total, weight, seen):
    """Add every rack to the leaves of up to ``max_len`` of its tiles, by index: to ``total`` its
    mean times the ways to draw the rest (``chances``), to ``weight`` those ways, to ``seen`` its
    count."""
    letters = np.zeros(MAX_RACK, np.int64)
    held = np.zeros(MAX_RACK, np.int64)  # by place of a letter's first tile
    for row in range(len(keys)):
        repeats = 0  # places that hold the same letter as the one before
        first = 0
        for place in range(rack_size):
            letter = (keys[row] >> (6 * place)) & 63
            letters[place] = letter
            held[place] = 0
            if place > 0 and letters[place - 1] == letter:
                repeats |= 1 << place
            else:
                first = place
            held[first] += 1
        for kept in range(1 << rack_size):
            if kept & repeats & ~(kept << 1):
                continue  # of equal tiles the first are kept
            size = 0
            index = 0
            draws = 1.0
            place = 0
            while place < rack_size:
                letter = letters[place]
                same = 0
                for at in range(place, place + held[place]):
                    if (kept >> at) & 1:
                        same += 1
                        size += 1
                        if size <= max_len:
                            index += choose[size, letter]
                draws *= ways[letter, same, held[place]]
                place += held[place]
            if size <= max_len:
                index += offset[size]
                total[index] += means[row] * draws
                weight[index] += draws
                seen[index] += counts[row]


@kernel(
    void(
        array(i64),
        i64,
        i64,
        table(i64),
        table(i64, 2),
        array(f64),
        array(f64),
    )
)
def expected(keys, rack_size, part, offset, choose, values, found):
    """What racks are worth by their leaves of ``part`` tiles alone: for each key the sum of
    ``values`` over those, divided so that it is exact where values are sums of tile worths."""
    letters = np.zeros(MAX_RACK, np.int64)
    times = 1.0  # parts that one tile is in: C(rack_size - 1, part - 1)
    for i in range(1, part):
        times = times * (rack_size - i) / i
    for row in range(len(keys)):
        for place in range(rack_size):
            letters[place] = (keys[row] >> (6 * place)) & 63
        total = 0.0
        for kept in range(1 << rack_size):
            size = 0
            index = offset[part]
            for place in range(rack_size):
                if (kept >> place) & 1:
                    size += 1
                    if size <= part:
                        index += choose[size, letters[place]]
            if size == part:
                total += values[index]
        found[row] = total / times


@kernel(void(i64, i64, table(i64), table(i64, 2), array(i64), f64, array(f64)))
def smooth(kinds, max_len, offset, choose, seen, thin, values):
    """Move thinly seen leaves towards what the rule for longer leaves makes of their parts, 0 for
    a single tile: that counts as ``thin`` racks seen. Shorter leaves first."""
    letters = np.zeros(MAX_RACK, np.int64)
    for size in range(1, max_len + 1):
        letters[:size] = 0
        for index in range(offset[size], offset[size + 1]):
            total = 0.0
            for out in range(size):
                place = 0
                part = offset[size - 1]
                for i in range(size):
                    if i != out:
                        place += 1
                        part += choose[place, letters[i]]
                total += values[part]
            if size > 1:
                total /= size - 1
            values[index] = (seen[index] * values[index] + thin * total) / (seen[index] + thin)
            at = 0  # the next one: raise the first letter that the one after it lets rise
            while at + 1 < size and letters[at] == letters[at + 1]:
                at += 1
            letters[at] += 1
            letters[:at] = 0
