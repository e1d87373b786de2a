"""Spans of squares that a play could cover, each with a bound on what a play there is worth."""

from __future__ import annotations

import numpy as np

from engine._jit import U, b1, i64, kernel, lowest_bit, u64, void
from engine.board.crosschecks import S_
from engine.board.state import STRIDE
from engine.movegen.best.record import _MUCH, ANCHORS, B_, LEFT, MOST, NONE, RIGHT, SPANS

_ONE = np.uint64(1)


@kernel(void(B_, i64, i64, i64, i64, i64, i64, i64, i64, u64), inline=True)
def _emit(b, first, last, laid, free, factor, base, tight, least, key):
    """Note a span. ``free``: its free squares, as in step_free; ``tight``: most points of the tiles
    on the others, ``least``: fewest of one."""
    points = b.dearest[U(free & 255)] + b.dearest[U((free >> 8) & 255)]
    points += b.dearest[U((free >> 16) & 255)] + b.dearest[U(free >> 24)]
    natural = base + points * factor + tight
    blank = np.int64(0)
    bound = np.int64(NONE)
    if b.blanks:
        # the blank takes the place of a tile that brings no less than this
        if free:
            least = min(least, factor * b.worth[U((free & 255) - 1)])
        blank = 1000 * (natural - least)
        bound = blank + b.group_best_mp[U(16 + laid)]
    natural *= 1000
    bound = max(bound, natural + b.group_best_mp[U(laid)])
    if bound < b.floor_mp:
        return
    span = b.spans
    if span == SPANS:
        b.overflow = 1
        return
    b.spans = span + 1
    new = b.span[U(span)]
    new.bound = (bound << 12) | span
    new.natural_mp = natural
    new.blank_mp = blank
    new.base = base
    new.key = key
    new.first = first
    new.last = last
    new.laid = laid
    new.free = free
    new.factor = factor
    new.tight = tight


@kernel(i64(i64), inline=True)
def _free(letter_premium):
    """A free square as it is counted in step_free."""
    return (
        1
        + ((letter_premium > 1) << 8)
        + ((letter_premium > 2) << 16)
        + ((letter_premium > 3) << 24)
    )


@kernel(b1(S_, i64), inline=True)
def _is_hooked(s, square):
    """Whether a tile on an empty square makes a cross word."""
    return s.cross_score[U(square)] >= 0


@kernel(void(B_, i64), inline=True)
def _start_steps(b, step):
    """The sums over no square."""
    b.step_factor[U(step)] = 1
    b.step_crossed[U(step)] = 0
    b.step_free[U(step)] = 0
    b.step_word[U(step)] = 0
    b.step_cross[U(step)] = 0
    b.step_least[U(step)] = _MUCH


@kernel(void(S_, B_, i64, i64, i64, i64), inline=True)
def _step(s, b, step, square, base, is_tight):
    """Add an empty square to the sums of a step; they become those of the next one."""
    word = np.int64(s.word_premium[U(square)])
    letter = np.int64(s.letter_premium[U(square)])
    after = U(step + 1)
    before = U(step)
    b.step_factor[after] = b.step_factor[before] * word
    if is_tight:
        worth = b.most[U(square - base)] * letter
        cross = np.int64(s.cross_score[U(square)])
        crossed = cross * word if cross >= 0 else 0
        in_cross = worth * word if cross >= 0 else 0
        b.step_crossed[after] = b.step_crossed[before] + crossed
        b.step_free[after] = b.step_free[before]
        b.step_word[after] = b.step_word[before] + worth
        b.step_cross[after] = b.step_cross[before] + in_cross
        b.step_least[after] = min(b.step_least[before], worth + in_cross)
    else:
        b.step_crossed[after] = b.step_crossed[before]
        b.step_free[after] = b.step_free[before] + _free(letter)
        b.step_word[after] = b.step_word[before]
        b.step_cross[after] = b.step_cross[before]
        b.step_least[after] = b.step_least[before]


@kernel(void(S_, B_, i64, i64, i64, i64, i64))
def _anchor(s, b, square, leftmost, ok, tight, is_block):
    """Note every span of an anchor. ``ok``: places of the lane where some tile of the rack fits,
    ``tight``: those where not every tile does."""
    n = s.held
    base = square - square % STRIDE
    through = np.int64(0)
    key = np.uint64(0)
    start = square
    if is_block:
        while s.tile[U(start)]:
            through += s.value[U(s.tile[U(start)])]
            key += b.number[U(s.tile[U(start)] & 63)]
            start -= 1
        start += 1
    else:
        start = square + 1
    # to the left there are only empty squares
    lefts = 0
    _start_steps(b, LEFT)
    at = start - 1
    while lefts < n and at >= leftmost and (ok >> (at - base)) & 1:
        _step(s, b, LEFT + lefts, at, base, (tight >> (at - base)) & 1)
        lefts += 1
        at -= 1
    rights = 0
    _start_steps(b, RIGHT)
    b.right_through[0] = through
    b.right_key[0] = key
    b.right_last[0] = square
    at = square + 1
    while rights < n and (ok >> (at - base)) & 1:
        _step(s, b, RIGHT + rights, at, base, (tight >> (at - base)) & 1)
        rights += 1
        at += 1
        while s.tile[U(at)]:
            through += s.value[U(s.tile[U(at)])]
            key += b.number[U(s.tile[U(at)] & 63)]
            at += 1
        b.right_through[U(rights)] = through
        b.right_key[U(rights)] = key
        b.right_last[U(rights)] = at - 1
    for left in range(0 if is_block else 1, lefts + 1):
        most = min(rights, n - left)
        right = 0
        if left == 0:
            right = 1
            if s.after[U(square + 1)] & s.cross[U(square + 1)] & b.can_be == 0:
                continue
        if s.tiles == 0 or s.down != 0:
            # one tile alone: never the first play, and where it makes a cross word it goes across
            if left == 1 and (s.tiles == 0 or _is_hooked(s, start - 1)):
                right = 1
            elif left == 0 and _is_hooked(s, square + 1):
                right = 2
        while right <= most:
            here = RIGHT + right
            factor = b.step_factor[U(left)] * b.step_factor[U(here)]
            points = b.right_through[U(right)] * factor + s.bonus[U(left + right)]
            points += b.step_crossed[U(left)] + b.step_crossed[U(here)]
            tight_points = (b.step_word[U(left)] + b.step_word[U(here)]) * factor
            tight_points += b.step_cross[U(left)] + b.step_cross[U(here)]
            _emit(
                b, start - left, b.right_last[U(right)], left + right,
                b.step_free[U(left)] + b.step_free[U(here)], factor, points, tight_points,
                min(b.step_least[U(left)], b.step_least[U(here)]), b.right_key[U(right)],
            )  # fmt: skip
            right += 1


@kernel(void(S_, B_, i64, i64))
def _lane(s, b, lane, anchors):
    base = lane * STRIDE
    s.down = lane >= s.rows
    length = s.cols if lane < s.rows else s.rows
    occupied = np.int64(s.occupied[U(lane)])
    ok = ((np.int64(2) << length) - 2) & ~occupied
    tight = np.int64(0)
    before_block = (occupied >> 1) & ~occupied
    left = ok & (before_block | np.int64(s.hooked[U(lane)]))
    while left:
        place = np.int64(lowest_bit(np.uint64(left)))
        bit = left & -left
        left ^= bit
        fits = s.cross[U(base + place)] & b.can_be
        if before_block & bit:
            fits &= s.before[U(base + place)]
        if fits == 0:
            ok ^= bit
        else:
            tight |= bit
            fitting = np.uint64(0)  # places of the rack; no branch that depends on the tiles
            for i in range(MOST):
                fitting |= ((fits >> np.uint64(b.letter[U(i)])) & _ONE) << np.uint64(i)
            b.most[U(place)] = b.worth[U(lowest_bit(fitting))] if fitting else 0
    leftmost = base + 1
    while anchors:
        place = np.int64(lowest_bit(np.uint64(anchors)))
        anchors &= anchors - 1
        is_block = np.int64(s.tile[U(base + place)] != 0)
        before = b.spans
        _anchor(s, b, base + place, leftmost, ok, tight, is_block)
        leftmost = base + place + 1 + is_block
        if b.spans > before:
            if b.anchors == ANCHORS:
                b.overflow = 1
                return
            bound = b.span[U(before)].bound
            for span in range(before + 1, b.spans):
                bound = max(bound, b.span[U(span)].bound)
            b.anchor_bound[U(b.anchors)] = ((bound >> 12) << 10) | b.anchors
            b.anchor_first[U(b.anchors)] = before
            b.anchor_sharp[U(b.anchors)] = 0
            b.anchors += 1
            b.anchor_first[U(b.anchors)] = b.spans


@kernel(void(S_, B_))
def spans(s, b):
    """Note every span of the board, by anchor."""
    b.spans = 0
    b.anchors = 0
    b.overflow = 0
    if s.tiles == 0:
        _lane(s, b, s.start // STRIDE, np.int64(1) << (s.start % STRIDE))
        return
    for lane in range(s.rows + s.cols):
        occupied = np.int64(s.occupied[U(lane)])
        ends = occupied & ~(occupied >> 1)
        lonely = np.int64(s.hooked[U(lane)]) & ~(occupied << 1) & ~(occupied >> 1)
        if ends | lonely:
            _lane(s, b, lane, ends | lonely)
