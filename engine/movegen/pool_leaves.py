"""Leaves valued against the tiles that are really unseen.

A leave's value in the table is the mean over draws from a full bag. One tile more makes of a leave
L the leave L + t, so the table itself says what drawing a t is worth. With q(t) the part of the
unseen tiles that are t, and q0(t) that of a full bag less L, the leave is worth

    v(L) + d * shift(L),    shift(L) = sum over t of (q(t) - q0(t)) * v(L + t),

where d is the number of tiles that will be drawn to it: the first order of the change, exact where
values are sums of tile worths. A leave as long as the longest of the table has the mean of the
shifts of its parts of one tile less.
"""

from __future__ import annotations

import numpy as np

from engine._jit import U, array, i32, i64, kernel, popcount, table, void
from engine.board.crosschecks import S_
from engine.movegen.generate import CHOOSE
from engine.rules.rules import MAX_RACK


@kernel(void(S_, table(i32), i64, array(i64), array(i64), i64, i64))
def set_pool_leaves(s, values_mp, longest, counts, unseen, bag, rack_size):
    """Move the values of the rack's leaves, as ``set_rack`` left them, to those of this pool.

    ``counts``: tiles of the set, by letter; ``unseen``: those neither on the board nor on the rack;
    ``bag``: how many of them can be drawn. Integers only: shifts are rounded down to millipoints a
    tile.
    """
    n = s.held
    kinds = popcount(s.alphabet) + 1
    total = np.int64(0)
    pool = np.int64(0)
    for letter in range(kinds):
        total += counts[U(letter)]
        pool += unseen[U(letter)]
    if pool == 0:
        return
    shift = np.zeros(1 << n, np.int64)
    kept = np.zeros(MAX_RACK + 1, np.int64)
    before = np.zeros(MAX_RACK + 2, np.int64)
    after = np.zeros(MAX_RACK + 2, np.int64)
    same = np.int64(0)  # places that hold the same letter as the one before
    for i in range(1, n):
        if s.rack[U(i)] == s.rack[U(i - 1)]:
            same |= np.int64(1) << i
    for subset in range(1 << n):
        twin = subset
        while True:  # of equal tiles take the first: those subsets come earlier
            moved = twin & same & ~(twin << 1)
            if moved == 0:
                break
            low = moved & -moved
            twin ^= low | (low >> 1)
        if twin != subset:
            shift[U(subset)] = shift[U(twin)]
            continue
        size = popcount(np.uint64(subset))
        if size >= longest:
            left = np.int64(subset)
            while left:
                shift[U(subset)] += shift[U(subset ^ (left & -left))]
                left &= left - 1
            if size > 0:
                shift[U(subset)] //= size
            continue
        at = 0
        for i in range(n):
            if (subset >> i) & 1:
                kept[U(at)] = s.rack[U(i)]
                at += 1
        # rank of L + t: the letters up to t as they are, t, then the others one place further
        base = CHOOSE[U(kinds + size), U(size)]
        before[0] = 0
        for i in range(size):
            before[U(i + 1)] = before[U(i)] + CHOOSE[U(kept[U(i)] + i), U(i + 1)]
        after[U(size)] = 0
        for i in range(size - 1, -1, -1):
            after[U(i)] = after[U(i + 1)] + CHOOSE[U(kept[U(i)] + i + 1), U(i + 2)]
        now = np.int64(0)
        full = np.int64(0)
        place = 0
        for letter in range(kinds):
            held = 0
            while place < size and kept[U(place)] == letter:
                place += 1
                held += 1
            if counts[U(letter)] == 0:
                continue
            rank = before[U(place)] + CHOOSE[U(letter + place), U(place + 1)] + after[U(place)]
            value = np.int64(values_mp[U(base + rank)])
            now += unseen[U(letter)] * value
            full += (counts[U(letter)] - held) * value
        shift[U(subset)] = now // pool - full // max(1, total - size)
    for subset in range(1 << n):
        drawn = min(rack_size - popcount(np.uint64(subset)), bag)
        s.leave_mp[U(subset)] += drawn * shift[U(subset)]
