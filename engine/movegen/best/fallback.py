"""The first play by generating all of them: where the search does not apply."""

from __future__ import annotations

import numpy as np

from engine._jit import U, array, b1, i64, kernel, u64, void
from engine.board.crosschecks import S_
from engine.board.state import STRIDE
from engine.movegen import generate as all_plays
from engine.movegen.best.offer import place_of
from engine.movegen.best.record import B_, NONE

_ONE = np.uint64(1)


@kernel(i64(S_, B_, array(u64), i64))
def _opening_mp(s, b, rows, row):
    """The opening term of a row: all tiles of a first play lie side by side."""
    info = rows[U(4 * row + 3)]
    if info >> np.uint64(48) != all_plays.PLAY:
        return 0
    mp = np.int64(0)
    place = np.int64(info & np.uint64(0xFFFF)) % STRIDE
    for i in range(np.int64((info >> np.uint64(32)) & np.uint64(255))):
        letter = all_plays.tile_of(rows, row, i) & np.uint64(63)
        if (b.hot >> np.uint32(place + i)) & np.uint32(1) and (b.vowels >> letter) & _ONE:
            mp += b.vowel_mp
    return mp


@kernel(b1(S_, array(u64), i64, i64))
def _row_before(s, rows, one, other):
    """Whether a row goes before another of the same equity."""
    score, other_score = (
        np.int32(rows[U(4 * one + 2)] >> np.uint64(32)),
        np.int32(rows[U(4 * other + 2)] >> np.uint64(32)),
    )
    if score != other_score:
        return score > other_score
    info, other_info = rows[U(4 * one + 3)], rows[U(4 * other + 3)]
    kind, other_kind = info >> np.uint64(48), other_info >> np.uint64(48)
    if kind != other_kind:
        return kind < other_kind
    place = place_of(s, np.int64(info & np.uint64(0xFFFF)))
    other_place = place_of(s, np.int64(other_info & np.uint64(0xFFFF)))
    if kind == all_plays.PLAY and place != other_place:
        return place < other_place
    laid = np.int64((info >> np.uint64(32)) & np.uint64(255))
    other_laid = np.int64((other_info >> np.uint64(32)) & np.uint64(255))
    if laid != other_laid:
        return laid < other_laid
    for i in range(laid):
        tile, other_tile = all_plays.tile_of(rows, one, i), all_plays.tile_of(rows, other, i)
        if tile != other_tile:
            return tile < other_tile
    return False


@kernel(void(S_, B_, i64, array(u64)))
def first_of_all(s, b, most_exchanged, out):
    """Generate every play and write the first of the total order to ``out``."""
    rows = np.empty(4 * 4096, np.uint64)
    count = all_plays.generate_attached(s, rows, most_exchanged)
    if 4 * count > len(rows):
        rows = np.empty(4 * count, np.uint64)
        all_plays.generate_attached(s, rows, most_exchanged)
    best = count - 1  # the pass
    best_mp = np.int64(NONE)
    for i in range(count - 1):
        mp = np.int64(np.int32(rows[U(4 * i + 2)] & np.uint64(0xFFFFFFFF)))
        if s.tiles == 0:
            mp += _opening_mp(s, b, rows, i)
        if mp > best_mp or (mp == best_mp and _row_before(s, rows, i, best)):
            best_mp = mp
            best = i
    for j in range(4):
        out[j] = rows[U(4 * best + j)]
    if best < count - 1:
        mask = np.uint64(0xFFFFFFFF)
        out[2] = (out[2] & ~mask) | (np.uint64(best_mp) & mask)
