"""The best play only, without listing the others: exactly the one that the full ranking puts first.

The idea, in three steps. (1) Every *span* of squares that a play could cover is found with a bound
on what any play there can be worth: the empty squares' effective multipliers, largest first, times
the rack's tiles, dearest first, plus the best leave that so many tiles can leave. (2) Spans wait in
a queue by bound, anchor by anchor; before an anchor is opened its bounds are made sharper: only
subsets of the rack that spell some word together with the letters on the span count, which a
filter in the second-level cache says. (3) A span is worked out by looking its subsets up in the
table of alphagrams and laying the words found on the squares. When no bound reaches the best play
so far the search is over. Ties are decided by the total order of movegen/equity.py, so bounds equal
to the best are still opened.

Where this does not apply (more than nine tiles, more than two blanks, more spans than there is room
for) all plays are generated and the first of them is taken.
"""

from __future__ import annotations

import numpy as np

from engine._jit import (
    U,
    array,
    as_pointer,
    b1,
    carray,
    i64,
    kernel,
    lowest_bit,
    popcount,
    prefetch,
    record,
    table,
    u64,
    void,
)
from engine.board.crosschecks import S_
from engine.board.state import STRIDE
from engine.lexicon.alphagrams import COUNT_BITS, MAX_COUNT, filter_bits, mixed
from engine.movegen import generate as all_plays

MOST = 9  #: tiles
SUBSETS = 1 << MOST
GROUPS = 32  #: subsets of one size: without a blank, and from 16 on with
ROWS = 64
SPANS = 4096
ANCHORS = 1024
QUEUE = 512
BATCH = 3  #: lookups that are done together
NONE = -(1 << 40)  #: millipoints below every equity
_MUCH = 1 << 40

#: Scratch of one search, and what it found. Only the tables' addresses outlive a call.
SEARCH = np.dtype(
    [
        # -- tables of the lexicon (engine/lexicon/alphagrams.py), by address
        ("filter_at", "u8"),
        ("filter_size", "i8"),
        ("filter_shift", "u8"),
        ("slots_at", "u8"),
        ("slots_size", "i8"),
        ("slot_shift", "u8"),
        ("print_shift", "u8"),
        ("words_at", "u8"),
        ("words_size", "i8"),
        ("width", "i8"),
        ("number", "u8", 64),
        # -- the rack, dearest tile first, blanks last; a subset is a mask of these places
        ("naturals", "i8"),
        ("blanks", "i8"),
        ("worth", "i8", 16),  # points of the tile at a place
        ("dearest", "i8", 16),  # points of so many tiles, the dearest
        ("letter", "u1", 16),
        ("places", "u2", 64),  # letter -> mask
        ("can_be", "u8"),  # letters that some tile of the rack can be
        ("natural_letters", "u8"),  # those of its tiles that are no blanks
        ("used_mp", "i4", SUBSETS),  # subset used -> leave value of the others
        ("key", "u8", SUBSETS),
        ("in_state", "u2", SUBSETS),  # subset -> mask of the state's places
        ("group_first", "u2", GROUPS + 1),
        ("group_subsets", "i8", SUBSETS),  # used_mp << 9 | subset
        ("group_best_mp", "i8", GROUPS),
        ("group_sorted", "u1", GROUPS),
        # -- which subsets spell a word with the letters of a span, found as far as was asked
        ("row_key", "u8", ROWS),
        ("row_used", "u1", ROWS),
        ("row_done", "u2", ROWS * GROUPS),  # subsets of the group that were tried
        ("row_found", "u2", ROWS * GROUPS),  # of them: those in row_subsets
        ("row_subsets", "u2", ROWS * SUBSETS),
        ("row_letters", "u8", ROWS * SUBSETS),  # letters that a lone blank can be
        # -- spans, those of an anchor together
        ("spans", "i8"),
        ("span_bound", "i8", SPANS),
        ("span_natural_mp", "i8", SPANS),  # bound of the points, without a blank
        ("span_blank_mp", "i8", SPANS),  # likewise with one
        ("span_base", "i4", SPANS),  # points that do not depend on the tiles laid
        ("span_key", "u8", SPANS),  # of the letters on it
        ("span_first", "u2", SPANS),
        ("span_last", "u2", SPANS),
        ("span_laid", "u1", SPANS),
        ("span_free", "u4", SPANS),  # its free squares, counted as in left_free
        ("span_factor", "i4", SPANS),  # product of its word premiums
        ("span_tight", "i4", SPANS),  # most points of the tiles on the other squares
        ("anchors", "i8"),
        ("anchor_bound", "i8", ANCHORS),  # << 10 | its number: one maximum finds both
        ("anchor_first", "i4", ANCHORS + 1),
        ("anchor_open", "i4", ANCHORS),  # spans of a sharp anchor that are still in; -1: not sharp
        ("open_span", "u2", SPANS),  # those, from anchor_first on
        # -- one step to the left or right of an anchor, and its sums from the anchor on
        ("most", "i8", STRIDE),  # place of the lane -> points of the dearest tile that fits
        ("left_factor", "i8", MOST + 1),  # product of the word premiums
        ("left_crossed", "i8", MOST + 1),  # points of the tiles in cross words
        ("left_free", "i8", MOST + 1),  # free squares, a byte each: all, letter premium 2+, 3+, 4
        ("left_word", "i8", MOST + 1),  # most points on tight squares, in the main word
        ("left_cross", "i8", MOST + 1),  # likewise, in cross words
        ("left_least", "i8", MOST + 1),  # least that a tile brings on a tight square
        ("right_factor", "i8", MOST + 1),
        ("right_crossed", "i8", MOST + 1),
        ("right_free", "i8", MOST + 1),
        ("right_word", "i8", MOST + 1),
        ("right_cross", "i8", MOST + 1),
        ("right_least", "i8", MOST + 1),
        ("right_through", "i8", MOST + 1),
        ("right_key", "u8", MOST + 1),
        ("right_last", "i8", MOST + 1),
        # -- subsets to look up, some spans' together, so that one can wait for another's memory
        ("queued", "i8"),
        ("queue_key", "u8", QUEUE),
        ("queue_used", "u2", QUEUE),
        ("queue_mp", "i4", QUEUE),
        ("queue_span", "u2", QUEUE),
        ("queue_words", "i8", QUEUE),  # first word << 8 | how many; 0: none
        # -- the span being worked out: letters on it as bytes, and its empty squares in order
        ("through_mask", "u8", 4),
        ("through_value", "u8", 4),
        ("empty_byte", "u8", MOST),
        ("empty_fits", "u8", MOST),
        ("empty_eff", "i8", MOST),
        ("empty_hot", "u1", MOST),
        ("empty_letter", "u8", MOST),
        # -- the best so far
        ("floor_mp", "i8"),
        ("found", "i8"),
        ("equity_mp", "i8"),
        ("score", "i8"),
        ("first", "i8"),
        ("tiles", "u8"),  # packed, in square order
        ("laid", "i8"),
        ("used", "i8"),  # subset
        ("overflow", "i8"),
        # -- the opening: squares and letters that cost
        ("hot", "u4"),  # bit: place in the start row
        ("vowels", "u8"),
        ("vowel_mp", "i8"),
    ],
    align=True,
)
B_ = record(SEARCH)
_ONE = np.uint64(1)


# -- the rack --------------------------------------------------------------------------------------


@kernel(void(S_, B_))
def _set_rack(s, b):
    """Take over the rack and leave values of the state, in the order of this search."""
    n = s.held
    full = (1 << n) - 1
    # places by worth, dearest first, blanks last
    order = np.uint64(0)  # four bits a place
    count = 0
    b.blanks = 0
    b.can_be = 0
    b.natural_letters = 0
    for i in range(n):
        letter = s.rack[U(i)]
        if letter == 0:
            b.blanks += 1
    b.naturals = n - b.blanks
    for i in range(b.blanks, n):  # an insertion sort; equal worths stay in order of letters
        worth = np.int64(s.value[U(s.rack[U(i)])])
        at = count
        while at > 0 and b.worth[U(at - 1)] < worth:
            b.worth[U(at)] = b.worth[U(at - 1)]
            b.letter[U(at)] = b.letter[U(at - 1)]
            at -= 1
        b.worth[U(at)] = worth
        b.letter[U(at)] = s.rack[U(i)]
        count += 1
    for _ in range(b.blanks):
        b.worth[U(count)] = 0
        b.letter[U(count)] = 0
        count += 1
    b.dearest[0] = 0
    for i in range(n):
        b.dearest[U(i + 1)] = b.dearest[U(i)] + b.worth[U(i)]
    b.places[:] = 0
    repeats = 0  # places that hold the same letter as the one before
    for i in range(n):
        letter = b.letter[U(i)]
        if i > 0 and b.letter[U(i - 1)] == letter:
            repeats |= 1 << i
        b.places[U(letter)] |= np.uint16(1 << i)
        b.can_be |= s.alphabet if letter == 0 else _ONE << np.uint64(letter)
        if letter:
            b.natural_letters |= _ONE << np.uint64(letter)
        # of equal tiles the state's first place goes with this order's first
        nth = popcount(np.uint64(b.places[U(letter)])) - 1
        in_state = np.int64(s.places[U(letter)])
        for _ in range(nth):
            in_state &= in_state - 1
        order |= np.uint64(lowest_bit(np.uint64(in_state))) << np.uint64(4 * i)
    b.in_state[0] = 0
    b.key[0] = 0
    for i in range(n):
        bit = 1 << i
        in_state = np.int64(1) << np.int64((order >> np.uint64(4 * i)) & np.uint64(15))
        number = b.number[U(b.letter[U(i)])]
        for rest in range(bit):
            b.in_state[U(rest | bit)] = np.int64(b.in_state[U(rest)]) | in_state
            b.key[U(rest | bit)] = b.key[U(rest)] + number
    # subsets in groups by size and blank; of those that are the same tiles only one
    blank_places = full ^ ((1 << b.naturals) - 1)
    for g in range(GROUPS + 1):
        b.group_first[U(g)] = 0
    for g in range(GROUPS):
        b.group_best_mp[U(g)] = NONE
        b.group_sorted[U(g)] = 0
    state_full = np.int64(b.in_state[U(full)])
    for used in range(1, full + 1):
        mp = np.int64(s.leave_mp[U(state_full ^ np.int64(b.in_state[U(used)]))])
        b.used_mp[U(used)] = mp
        if used & repeats & ~(used << 1) == 0:
            g = popcount(np.uint64(used)) + (16 if used & blank_places else 0)
            b.group_first[U(g + 1)] += 1
            b.group_best_mp[U(g)] = max(b.group_best_mp[U(g)], mp)
    for g in range(GROUPS):
        b.group_first[U(g + 1)] += b.group_first[U(g)]
    for used in range(full, 0, -1):
        if used & repeats & ~(used << 1) == 0:
            g = popcount(np.uint64(used)) + (16 if used & blank_places else 0)
            at = np.int64(b.group_first[U(g)]) + np.int64(b.group_sorted[U(g)])
            b.group_subsets[U(at)] = (np.int64(b.used_mp[U(used)]) << 9) | used
            b.group_sorted[U(g)] += 1
    for g in range(GROUPS):
        b.group_sorted[U(g)] = 0
    b.row_used[:] = 0


@kernel(void(B_, i64))
def _sort_group(b, g):
    """Subsets of a group by what they leave, best first."""
    first, last = np.int64(b.group_first[U(g)]), np.int64(b.group_first[U(g + 1)])
    for i in range(first + 1, last):
        subset = b.group_subsets[U(i)]
        at = i
        while at > first and b.group_subsets[U(at - 1)] < subset:
            b.group_subsets[U(at)] = b.group_subsets[U(at - 1)]
            at -= 1
        b.group_subsets[U(at)] = subset
    b.group_sorted[U(g)] = 1


# -- which subsets spell a word --------------------------------------------------------------------


@kernel(b1(B_, u64), inline=True)
def _may_be(b, key):
    """Whether a key may be a word's."""
    filter_ = carray(as_pointer(b.filter_at), (b.filter_size,), np.uint64)
    x = mixed(key)
    bits = filter_bits(x)
    return filter_[U(x >> b.filter_shift)] & bits == bits


@kernel(u64(S_, B_, u64))
def _blank_letters(s, b, key):
    """Letters that, added to a key, may give a word's."""
    letters = np.uint64(0)
    for letter in range(1, s.kinds):
        letters |= np.uint64(_may_be(b, key + b.number[U(letter)])) << np.uint64(letter)
    return letters


@kernel(i64(B_, u64))
def _row(b, key):
    """The row of a key, cleared if it was another's."""
    row = np.int64((key * np.uint64(0xD6E8FEB86659FD93)) >> np.uint64(58))
    if b.row_used[U(row)] == 0 or b.row_key[U(row)] != key:
        b.row_used[U(row)] = 1
        b.row_key[U(row)] = key
        for g in range(row * GROUPS, row * GROUPS + GROUPS):
            b.row_done[U(g)] = 0
            b.row_found[U(g)] = 0
    return row


@kernel(void(S_, B_, i64, i64, i64, b1))
def _scan(s, b, row, g, least_mp, one_is_enough):
    """Find the subsets of a group that may spell a word with a row's letters and leave
    ``least_mp`` or more; with ``one_is_enough`` stop at the first (there may be one already)."""
    cell = row * GROUPS + g
    if one_is_enough and b.row_found[U(cell)]:
        return
    if b.group_sorted[U(g)] == 0:
        _sort_group(b, g)
    first = np.int64(b.group_first[U(g)])
    size = np.int64(b.group_first[U(g + 1)]) - first
    done = np.int64(b.row_done[U(cell)])
    found = np.int64(b.row_found[U(cell)])
    to = row * SUBSETS + first
    key = b.row_key[U(row)]
    while done < size:
        subset = b.group_subsets[U(first + done)]
        if subset >> 9 < least_mp:
            break
        subset &= SUBSETS - 1
        if g < 16:  # those that come next: their words of the filter are far away
            ahead = b.group_subsets[U(first + min(done + 2, size - 1))] & (SUBSETS - 1)
            x = mixed(key + b.key[U(ahead)])
            prefetch(b.filter_at + (x >> b.filter_shift) * np.uint64(8))
        done += 1
        letters = np.uint64(0)
        if g < 16:
            hit = _may_be(b, key + b.key[U(subset)])
        else:
            wild = subset >> b.naturals
            if wild & (wild - 1):  # two blanks
                hit = False
                left = s.alphabet
                while left and not hit:
                    letter = lowest_bit(left)
                    left &= left - _ONE
                    hit = _blank_letters(s, b, key + b.key[U(subset)] + b.number[U(letter)]) != 0
            else:
                letters = _blank_letters(s, b, key + b.key[U(subset)])
                hit = letters != 0
        if hit:
            b.row_subsets[U(to + found)] = subset
            b.row_letters[U(to + found)] = letters
            found += 1
            if one_is_enough:
                break
    b.row_done[U(cell)] = done
    b.row_found[U(cell)] = found


# -- spans and their bounds ------------------------------------------------------------------------


@kernel(void(B_, i64, i64, i64, i64, i64, i64, i64, i64, u64), inline=True)
def _emit(b, first, last, laid, free, factor, base, tight, least, key):
    """Note a span. ``free``: its free squares, as in left_free; ``tight``: most points of the tiles
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
    b.span_bound[U(span)] = bound
    b.span_natural_mp[U(span)] = natural
    b.span_blank_mp[U(span)] = blank
    b.span_base[U(span)] = base
    b.span_key[U(span)] = key
    b.span_first[U(span)] = first
    b.span_last[U(span)] = last
    b.span_laid[U(span)] = laid
    b.span_free[U(span)] = free
    b.span_factor[U(span)] = factor
    b.span_tight[U(span)] = tight


@kernel(i64(i64), inline=True)
def _free(letter_premium):
    """A free square as it is counted in left_free."""
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
    b.left_factor[0] = 1
    b.left_crossed[0] = 0
    b.left_free[0] = 0
    b.left_word[0] = 0
    b.left_cross[0] = 0
    b.left_least[0] = _MUCH
    at = start - 1
    while lefts < n and at >= leftmost and (ok >> (at - base)) & 1:
        word = np.int64(s.word_premium[U(at)])
        letter = np.int64(s.letter_premium[U(at)])
        b.left_factor[U(lefts + 1)] = b.left_factor[U(lefts)] * word
        if (tight >> (at - base)) & 1:
            worth = b.most[U(at - base)] * letter
            cross = np.int64(s.cross_score[U(at)])
            crossed = cross * word if cross >= 0 else 0
            in_cross = worth * word if cross >= 0 else 0
            b.left_crossed[U(lefts + 1)] = b.left_crossed[U(lefts)] + crossed
            b.left_free[U(lefts + 1)] = b.left_free[U(lefts)]
            b.left_word[U(lefts + 1)] = b.left_word[U(lefts)] + worth
            b.left_cross[U(lefts + 1)] = b.left_cross[U(lefts)] + in_cross
            b.left_least[U(lefts + 1)] = min(b.left_least[U(lefts)], worth + in_cross)
        else:
            b.left_crossed[U(lefts + 1)] = b.left_crossed[U(lefts)]
            b.left_free[U(lefts + 1)] = b.left_free[U(lefts)] + _free(letter)
            b.left_word[U(lefts + 1)] = b.left_word[U(lefts)]
            b.left_cross[U(lefts + 1)] = b.left_cross[U(lefts)]
            b.left_least[U(lefts + 1)] = b.left_least[U(lefts)]
        lefts += 1
        at -= 1
    rights = 0
    b.right_factor[0] = 1
    b.right_crossed[0] = 0
    b.right_free[0] = 0
    b.right_word[0] = 0
    b.right_cross[0] = 0
    b.right_least[0] = _MUCH
    b.right_through[0] = through
    b.right_key[0] = key
    b.right_last[0] = square
    at = square + 1
    while rights < n and (ok >> (at - base)) & 1:
        word = np.int64(s.word_premium[U(at)])
        letter = np.int64(s.letter_premium[U(at)])
        b.right_factor[U(rights + 1)] = b.right_factor[U(rights)] * word
        if (tight >> (at - base)) & 1:
            worth = b.most[U(at - base)] * letter
            cross = np.int64(s.cross_score[U(at)])
            crossed = cross * word if cross >= 0 else 0
            in_cross = worth * word if cross >= 0 else 0
            b.right_crossed[U(rights + 1)] = b.right_crossed[U(rights)] + crossed
            b.right_free[U(rights + 1)] = b.right_free[U(rights)]
            b.right_word[U(rights + 1)] = b.right_word[U(rights)] + worth
            b.right_cross[U(rights + 1)] = b.right_cross[U(rights)] + in_cross
            b.right_least[U(rights + 1)] = min(b.right_least[U(rights)], worth + in_cross)
        else:
            b.right_crossed[U(rights + 1)] = b.right_crossed[U(rights)]
            b.right_free[U(rights + 1)] = b.right_free[U(rights)] + _free(letter)
            b.right_word[U(rights + 1)] = b.right_word[U(rights)]
            b.right_cross[U(rights + 1)] = b.right_cross[U(rights)]
            b.right_least[U(rights + 1)] = b.right_least[U(rights)]
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
            factor = b.left_factor[U(left)] * b.right_factor[U(right)]
            points = b.right_through[U(right)] * factor + s.bonus[U(left + right)]
            points += b.left_crossed[U(left)] + b.right_crossed[U(right)]
            tight_points = (b.left_word[U(left)] + b.right_word[U(right)]) * factor
            tight_points += b.left_cross[U(left)] + b.right_cross[U(right)]
            _emit(
                b, start - left, b.right_last[U(right)], left + right,
                b.left_free[U(left)] + b.right_free[U(right)], factor, points, tight_points,
                min(b.left_least[U(left)], b.right_least[U(right)]), b.right_key[U(right)],
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
            i = 0
            while i < b.naturals and (fits >> np.uint64(b.letter[U(i)])) & _ONE == 0:
                i += 1
            b.most[U(place)] = b.worth[U(i)] if i < b.naturals else 0
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
            bound = b.span_bound[U(before)]
            for span in range(before + 1, b.spans):
                bound = max(bound, b.span_bound[U(span)])
            b.anchor_bound[U(b.anchors)] = (bound << 10) | b.anchors
            b.anchor_first[U(b.anchors)] = before
            b.anchor_open[U(b.anchors)] = -1
            b.anchors += 1
            b.anchor_first[U(b.anchors)] = b.spans


@kernel(void(S_, B_))
def _spans(s, b):
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


@kernel(void(S_, B_, i64))
def _sharpen(s, b, anchor):
    """Make the bounds of an anchor's spans sharper: only subsets that spell a word count."""
    first, last = b.anchor_first[U(anchor)], b.anchor_first[U(anchor + 1)]
    best = np.int64(NONE)
    count = 0
    for span in range(last - 1, first - 1, -1):
        bound = b.span_bound[U(span)]
        if bound < b.floor_mp:
            continue
        if bound <= best:
            b.open_span[U(first + count)] = span
            count += 1
            continue
        least = max(b.floor_mp, best)
        laid = np.int64(b.span_laid[U(span)])
        row = _row(b, b.span_key[U(span)])
        sharp = np.int64(NONE)
        for g in (laid, 16 + laid):
            if b.group_first[U(g)] == b.group_first[U(g + 1)]:
                continue
            points = b.span_natural_mp[U(span)] if g < 16 else b.span_blank_mp[U(span)]
            if points + b.group_best_mp[U(g)] < least:
                continue
            _scan(s, b, row, g, least - points, True)
            cell = row * GROUPS + g
            if b.row_found[U(cell)]:
                subset = b.row_subsets[U(row * SUBSETS + np.int64(b.group_first[U(g)]))]
                sharp = max(sharp, points + b.used_mp[U(subset)])
        # below what was asked for nothing was looked at
        sharp = max(sharp, least - 1)
        if sharp >= b.floor_mp:
            b.span_bound[U(span)] = sharp
            b.open_span[U(first + count)] = span
            count += 1
            best = max(best, sharp)
    b.anchor_bound[U(anchor)] = (best << 10) | anchor
    b.anchor_open[U(anchor)] = count


# -- working a span out ----------------------------------------------------------------------------


@kernel(i64(S_, B_, i64, i64))
def _set_span(s, b, first, last):
    """Set the words' masks and the empty squares of a span; its points without the tiles laid."""
    factor = np.int64(1)
    for square in range(first, last + 1):
        if s.tile[U(square)] == 0:
            factor *= np.int64(s.word_premium[U(square)])
    b.through_mask[:] = 0
    b.through_value[:] = 0
    laid = 0
    total = np.int64(0)
    for square in range(first, last + 1):
        byte = np.uint64(square - first)
        tile = s.tile[U(square)]
        if tile:
            shift = np.uint64(8) * (byte & np.uint64(7))
            word = byte >> np.uint64(3)
            b.through_mask[U(word)] |= np.uint64(255) << shift
            b.through_value[U(word)] |= np.uint64(tile & 63) << shift
            total += s.value[U(tile)] * factor
            continue
        premium = np.int64(s.word_premium[U(square)])
        letter = np.int64(s.letter_premium[U(square)])
        b.empty_byte[U(laid)] = byte
        b.empty_fits[U(laid)] = s.cross[U(square)]
        b.empty_eff[U(laid)] = letter * factor
        if s.cross_score[U(square)] >= 0:
            b.empty_eff[U(laid)] += letter * premium
            total += s.cross_score[U(square)] * premium
        hot = (b.hot >> np.uint32(square % STRIDE)) & np.uint32(1) if s.tiles == 0 else np.uint32(0)
        b.empty_hot[U(laid)] = hot
        laid += 1
    return total + s.bonus[U(laid)]


@kernel(i64(S_, i64), inline=True)
def _place(s, square):
    """Orders squares by row, column, across before down."""
    lane, place = square // STRIDE, square % STRIDE
    if lane < s.rows:
        return (lane * STRIDE + place - 1) * 2
    return ((place - 1) * STRIDE + lane - s.rows) * 2 + 1


@kernel(b1(S_, B_, i64, i64, i64, u64))
def _is_before(s, b, score, first, laid, tiles):
    """Whether a play goes before the best so far, which is worth the same."""
    if score != b.score:
        return score > b.score
    place, best = _place(s, first), _place(s, b.first)
    if place != best:
        return place < best
    if laid != b.laid:
        return laid < b.laid
    for i in range(laid):
        shift = np.uint64(all_plays.TILE_BITS * i)
        tile = (tiles >> shift) & np.uint64(127)
        other = (b.tiles >> shift) & np.uint64(127)
        if tile != other:
            return tile < other
    return False


@kernel(void(S_, B_, i64, i64, i64, i64, i64), inline=True)
def _offer(s, b, first, laid, used, score, wild):
    """Take a play if it is better than the best so far. ``wild``: its squares with blanks."""
    equity = 1000 * score + np.int64(b.used_mp[U(used)])
    if s.tiles == 0:
        for i in range(laid):
            if b.empty_hot[U(i)] and (b.vowels >> b.empty_letter[U(i)]) & _ONE:
                equity += b.vowel_mp
    if equity < b.floor_mp:
        return
    tiles = np.uint64(0)
    for i in range(laid):
        tile = b.empty_letter[U(i)]
        if (wild >> i) & 1:
            tile |= all_plays.PLAYED_BLANK
        tiles |= tile << np.uint64(all_plays.TILE_BITS * i)
    if equity == b.equity_mp and b.found and not _is_before(s, b, score, first, laid, tiles):
        return
    b.found = 1
    b.floor_mp = equity
    b.equity_mp = equity
    b.score = score
    b.first = first
    b.tiles = tiles
    b.laid = laid
    b.used = used


@kernel(void(B_, i64))
def _look_up(b, i):
    """Find the words of the i-th key in the queue, and ask for them from memory."""
    slots = carray(as_pointer(b.slots_at), (b.slots_size,), np.uint64)
    x = mixed(b.queue_key[U(i)])
    print_ = x & ((_ONE << (np.uint64(64) - b.print_shift)) - _ONE)
    at = x >> b.slot_shift
    last_slot = np.uint64(b.slots_size - 1)
    b.queue_words[U(i)] = 0
    while True:
        slot = slots[U(at)]
        if slot == 0:
            return
        if slot >> b.print_shift == print_:
            break
        at = (at + _ONE) & last_slot
    words = slot & ((_ONE << b.print_shift) - _ONE)
    b.queue_words[U(i)] = np.int64(words)
    first = (words >> np.uint64(COUNT_BITS)) * np.uint64(b.width)
    prefetch(b.words_at + first * np.uint64(8))


@kernel(void(S_, B_, i64, i64, i64, i64, i64, i64))
def _try_words(s, b, which, used, mp, first, laid, base):
    """Offer the words found (first << 8 | how many) on the span that is set, with the tiles of a
    subset."""
    words = carray(as_pointer(b.words_at), (b.words_size,), np.uint64)
    word = (which >> COUNT_BITS) * b.width
    end = word + (which & MAX_COUNT) * b.width
    blanks = popcount(np.uint64(used >> b.naturals))
    naturals = used & ((1 << b.naturals) - 1)
    while word < end:
        this = word
        word += b.width
        fits = True
        for i in range(b.width):
            if words[np.uint64(this + i)] & b.through_mask[U(i)] != b.through_value[U(i)]:
                fits = False
        if not fits:
            continue
        left = naturals
        missing = 0
        lacks = np.uint64(0)  # letters that blanks must be, a byte each
        score = base
        for i in range(laid):
            byte = b.empty_byte[U(i)]
            bits = words[np.uint64(this) + (byte >> np.uint64(3))]
            letter = (bits >> (np.uint64(8) * (byte & np.uint64(7)))) & np.uint64(255)
            if (b.empty_fits[U(i)] >> letter) & _ONE == 0:
                fits = False
                break
            b.empty_letter[U(i)] = letter
            score += b.empty_eff[U(i)] * np.int64(s.value[U(letter)])
            place = np.int64(b.places[U(letter)]) & left
            if place:
                left ^= place & -place
            else:
                missing += 1
                if missing > blanks:
                    fits = False
                    break
                lacks = (lacks << np.uint64(8)) | letter
        # the subset must be used up: a key may have been mistaken for another
        if not fits or left or missing != blanks:
            continue
        if blanks == 0:
            _offer(s, b, first, laid, used, score, 0)
            continue
        one, two = lacks & np.uint64(255), lacks >> np.uint64(8)
        for i in range(laid):
            letter = b.empty_letter[U(i)]
            if letter != one and letter != two:
                continue
            less = score - b.empty_eff[U(i)] * np.int64(s.value[U(letter)])
            if blanks == 1:
                if letter == one:
                    _offer(s, b, first, laid, used, less, 1 << i)
                continue
            other = two if letter == one else one
            for j in range(i + 1, laid):
                if b.empty_letter[U(j)] == other:
                    _offer(
                        s, b, first, laid, used,
                        less - b.empty_eff[U(j)] * np.int64(s.value[U(other)]), (1 << i) | (1 << j),
                    )  # fmt: skip


@kernel(void(S_, B_))
def _work_out(s, b):
    """Offer every play of the subsets in the queue."""
    for i in range(b.queued):
        _look_up(b, i)
    before = -1
    base = first = laid = np.int64(0)
    for i in range(b.queued):
        if b.queue_words[U(i)] == 0:
            continue
        span = np.int64(b.queue_span[U(i)])
        mp = np.int64(b.queue_mp[U(i)])
        if mp + max(b.span_natural_mp[U(span)], b.span_blank_mp[U(span)]) < b.floor_mp:
            continue
        if span != before:
            first, laid = np.int64(b.span_first[U(span)]), np.int64(b.span_laid[U(span)])
            base = _set_span(s, b, first, np.int64(b.span_last[U(span)]))
            before = span
        _try_words(s, b, b.queue_words[U(i)], np.int64(b.queue_used[U(i)]), mp, first, laid, base)
    b.queued = 0


@kernel(void(S_, B_, u64, i64, i64, i64))
def _push(s, b, key, span, used, mp):
    """Queue a key to look up for a subset on a span."""
    if b.queued == QUEUE:
        _work_out(s, b)
    i = b.queued
    b.queued = i + 1
    b.queue_key[U(i)] = key
    b.queue_span[U(i)] = span
    b.queue_used[U(i)] = used
    b.queue_mp[U(i)] = mp
    prefetch(b.slots_at + (mixed(key) >> b.slot_shift) * np.uint64(8))


@kernel(void(S_, B_, i64))
def _queue_span(s, b, span):
    """Queue every subset that can make a play on a span as good as the best so far."""
    laid = np.int64(b.span_laid[U(span)])
    span_key = b.span_key[U(span)]
    base = np.int64(b.span_base[U(span)])
    free, factor = np.int64(b.span_free[U(span)]), np.int64(b.span_factor[U(span)])
    tight = np.int64(b.span_tight[U(span)])
    row = _row(b, span_key)
    for g in (laid, 16 + laid):
        if b.group_first[U(g)] == b.group_first[U(g + 1)]:
            continue
        points = b.span_natural_mp[U(span)] if g < 16 else b.span_blank_mp[U(span)]
        if points + b.group_best_mp[U(g)] < b.floor_mp:
            continue
        _scan(s, b, row, g, b.floor_mp - points, False)
        cell = row * GROUPS + g
        to = row * SUBSETS + np.int64(b.group_first[U(g)])
        for nth in range(np.int64(b.row_found[U(cell)])):
            used = np.int64(b.row_subsets[U(to + nth)])
            mp = np.int64(b.used_mp[U(used)])
            if mp + points < b.floor_mp:
                break
            # the subset's own tiles on the multipliers, both from the largest
            points_of_free = so_far = np.int64(0)
            left = used
            for i in range(free & 255):
                so_far += b.worth[U(lowest_bit(np.uint64(left)))]
                left &= left - 1
                i += 1
                times = np.int64(i == free & 255) + np.int64(i == (free >> 8) & 255)
                times += np.int64(i == (free >> 16) & 255) + np.int64(i == free >> 24)
                points_of_free += times * so_far
            dot = points_of_free * factor + tight
            if mp + 1000 * (base + dot) < b.floor_mp:
                continue
            key = span_key + b.key[U(used)]
            if g < 16:
                _push(s, b, key, span, used, mp)
                continue
            wild = used >> b.naturals
            letters = b.row_letters[U(to + nth)]
            if wild & (wild - 1) == 0:
                while letters:
                    letter = lowest_bit(letters)
                    letters &= letters - _ONE
                    _push(s, b, key + b.number[U(letter)], span, used, mp)
                continue
            ones = s.alphabet
            while ones:
                one = lowest_bit(ones)
                twos = _blank_letters(s, b, key + b.number[U(one)]) & ones  # each pair once
                ones &= ones - _ONE
                while twos:
                    two = lowest_bit(twos)
                    twos &= twos - _ONE
                    both = key + b.number[U(one)] + b.number[U(two)]
                    _push(s, b, both, span, used, mp)


# -- everything, where the search does not apply ---------------------------------------------------


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
    place = _place(s, np.int64(info & np.uint64(0xFFFF)))
    other_place = _place(s, np.int64(other_info & np.uint64(0xFFFF)))
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
def _first_of_all(s, b, most_exchanged, out):
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


# -- the search ------------------------------------------------------------------------------------


@kernel(void(S_, B_))
def _search(s, b):
    b.queued = 0
    while True:
        top = np.int64(NONE << 10)
        for i in range(b.anchors):
            top = max(top, b.anchor_bound[U(i)])
        anchor = top & 1023
        if top >> 10 < b.floor_mp:
            if b.queued == 0:
                return
            _work_out(s, b)
            continue
        if b.anchor_open[U(anchor)] < 0:
            _sharpen(s, b, anchor)
            continue
        first = np.int64(b.anchor_first[U(anchor)])
        last = first + np.int64(b.anchor_open[U(anchor)]) - 1
        second = bound = np.int64(NONE)
        at = first
        for i in range(first, last + 1):
            other = b.span_bound[U(b.open_span[U(i)])]
            if other > bound:
                second = bound
                bound = other
                at = i
            else:
                second = max(second, other)
        b.anchor_bound[U(anchor)] = (second << 10) | anchor
        if bound >= b.floor_mp:
            span = np.int64(b.open_span[U(at)])
            b.open_span[U(at)] = b.open_span[U(last)]
            b.anchor_open[U(anchor)] -= 1
            _queue_span(s, b, span)
            if b.queued >= BATCH:
                _work_out(s, b)


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
        _first_of_all(s, b, most_exchanged, out)
        return
    _set_rack(s, b)
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
    _spans(s, b)
    if b.overflow:
        _first_of_all(s, b, most_exchanged, out)
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


@kernel(void(B_, table(u64), i64, table(u64), i64, i64, table(u64), i64, table(u64)))
def attach_tables(b, filter_, filter_shift, slots, slot_shift, print_shift, words, width, number):
    """Let the search use a lexicon's alphagrams, while the caller holds the arrays."""
    b.filter_at, b.filter_size = filter_.ctypes.data, filter_.size
    b.filter_shift = filter_shift
    b.slots_at, b.slots_size = slots.ctypes.data, slots.size
    b.slot_shift, b.print_shift = slot_shift, print_shift
    b.words_at, b.words_size = words.ctypes.data, words.size
    b.width = width
    for i in range(64):
        b.number[U(i)] = number[i]
