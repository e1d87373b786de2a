"""The search: spans best first, until no bound reaches the best play so far."""

from __future__ import annotations

import numpy as np

from engine._jit import U, array, b1, i64, kernel, lowest_bit, popcount, u64, void
from engine.board.crosschecks import S_
from engine.movegen import generate as all_plays
from engine.movegen.best.fallback import first_of_all
from engine.movegen.best.rack import set_rack
from engine.movegen.best.record import B_, BATCH, LISTED, MOST, NONE
from engine.movegen.best.spans import spans
from engine.movegen.best.workout import queue_span, sharpen, work_out


@kernel(void(S_, B_))
def _search(s, b):
    b.queued = 0
    # anchors in whole vectors, the last one filled up
    padded = (b.anchors + 31) // 32 * 32
    for i in range(b.anchors, padded):
        b.anchor_bound[U(i)] = NONE << 10
    while True:
        top = np.int64(NONE << 10)
        for i in range(padded):
            top = max(top, b.anchor_bound[U(i)])
        anchor = top & 1023
        if top >> 10 < b.floor_mp:
            if b.queued == 0:
                return
            work_out(s, b)
            continue
        if not b.anchor_sharp[U(anchor)]:
            sharpen(s, b, anchor)
            continue
        best = second = np.int64(NONE << 12)
        for i in range(b.anchor_first[U(anchor)], b.anchor_first[U(anchor + 1)]):
            bound = b.span[U(i)].bound
            second = max(second, min(best, bound))
            best = max(best, bound)
        b.anchor_bound[U(anchor)] = ((second >> 12) << 10) | anchor
        if best >> 12 >= b.floor_mp:
            span = best & 4095
            b.span[U(span)].bound = (NONE << 12) | span
            queue_span(s, b, span)
            if b.queued >= BATCH:
                work_out(s, b)


@kernel(b1(S_, i64, i64))
def _exchanged_before(s, given, other):
    """Whether an exchange goes before another that is worth the same."""
    if other == 0:
        return True
    count, others = popcount(np.uint64(given)), popcount(np.uint64(other))
    if count != others:
        return count < others
    while given:
        letter = s.rack[U(lowest_bit(np.uint64(given)))]
        other_letter = s.rack[U(lowest_bit(np.uint64(other)))]
        if letter != other_letter:
            return letter < other_letter
        given &= given - 1
        other &= other - 1
    return False


@kernel(void(S_, B_, i64, array(u64)))
def best_play(s, b, most_exchanged, out):
    """Find the first play of the total order for the rack and board of a state.

    The graph must be attached to the state (crosschecks.attach) and the tables to the search
    (``attach_tables``), with their arrays alive. ``most_exchanged``: as in generate. Writes one
    ROW to ``out`` (four uint64).
    """
    full = (np.int64(1) << s.held) - 1
    if s.held > MOST or popcount(np.uint64(s.places[0])) > 2:
        first_of_all(s, b, most_exchanged, out)
        return
    set_rack(s, b)
    b.wanted = 0
    b.found = 0
    b.equity_mp = NONE
    b.floor_mp = NONE + 1
    exchange = np.int64(0)
    if most_exchanged > 0:
        for given in range(1, full + 1):
            if popcount(np.uint64(given)) <= most_exchanged:
                mp = np.int64(s.leave_mp[U(full ^ given)])
                if mp > b.floor_mp or (mp == b.floor_mp and _exchanged_before(s, given, exchange)):
                    b.floor_mp = mp
                    exchange = given
    spans(s, b)
    if b.overflow:
        first_of_all(s, b, most_exchanged, out)
        return
    _search(s, b)
    if b.found:
        kept = full ^ np.int64(b.in_state[U(b.used)])
        s.out_at = out.ctypes.data
        s.room = 1
        s.count = 0
        all_plays.write_row(
            s, np.uint64(b.first), np.uint64(0), b.tiles, np.uint64(kept), all_plays.PLAY,
            b.score, b.equity_mp,
        )  # fmt: skip
    else:
        s.out_at = out.ctypes.data
        s.room = 1
        s.count = 0
        all_plays.write_exchange(s, exchange)


@kernel(i64(S_, B_, i64, i64, i64, array(u64)))
def list_best(s, b, most_exchanged, wanted, margin_mp, out):
    """Write the first ``wanted`` plays of the total order to ``out``, among others, unsorted; or,
    with ``margin_mp`` not negative, every play and exchange worth that much less than the best at
    most. All exchanges and the pass follow.

    As ``best_play``; ``out`` has room for ROWs. Returns how many there are; where that is more
    than fit the caller must come again with more room; -1 where the search does not apply.
    """
    if s.held > MOST or popcount(np.uint64(s.places[0])) > 2 or wanted > LISTED:
        return -1
    set_rack(s, b)
    b.wanted = max(1, wanted)
    b.margin_mp = margin_mp
    b.listed = 0
    b.floor_mp = NONE + 1
    s.out_at = out.ctypes.data
    s.room = out.size // 4
    s.count = 0
    spans(s, b)
    if b.overflow:
        return -1
    _search(s, b)
    if most_exchanged > 0:
        all_plays.write_exchanges(s, most_exchanged)
    all_plays.write_exchange(s, 0)
    return s.count
