"""Every legal play of a position, scored and valued, in one kernel call. Read this first.

A play lies in one lane and takes in at least one *anchor*: the last tile of a block, or an empty
square beside a tile of another lane (Appel & Jacobson 1988). It belongs to the leftmost anchor
that it takes in, so each play is found once. From an anchor the search walks the GADDAG (Gordon
1994): first the letters from the anchor to the left, then, through the separator, those to the
right. One function does both, across and down, letter and blank: ``_extend`` lays one more tile in
the direction it is going and calls itself.

The rack is never changed. A subset of it is a mask of its places that travels by value; what a
subset keeps (its leave value, the letters it can still play) is looked up by the mask. The tiles
laid so far travel by value too, packed seven bits each, first square lowest, in two words. So
there is nothing to undo, and a play is written with four stores.
"""

from __future__ import annotations

import numpy as np

from engine._jit import (
    U,
    array,
    as_pointer,
    carray,
    i32,
    i64,
    kernel,
    lowest_bit,
    popcount,
    table,
    u8,
    u32,
    u64,
    void,
)
from engine.board.crosschecks import S_, attach, child_at, mask_at, step
from engine.board.state import STRIDE
from engine.rules.rules import MAX_RACK

PLAY, EXCHANGE, PASS = np.uint64(0), np.uint64(1), np.uint64(2)
PACKED = 9  #: tiles in one packed word
TILE_BITS = 7
PLAYED_BLANK = np.uint64(0x40)  #: flag of a blank in a packed tile (BLANK on the board is 0x80)

#: One line of the output. ``low`` and ``high``: tiles laid (or given up), packed; ``first``: square
#: the main word begins on; ``kept``: subset of the rack that is left; equity in millipoints.
ROW = np.dtype(
    [
        ("low", "u8"),
        ("high", "u8"),
        ("equity_mp", "i4"),
        ("score", "i4"),
        ("first", "u2"),
        ("kept", "u2"),
        ("laid", "u1"),
        ("lefts", "u1"),
        ("kind", "u2"),
    ]
)
assert ROW.itemsize == 32

_ONE = np.uint64(1)
_PACKED = np.uint64(PACKED)
_TILE_BITS = np.uint64(TILE_BITS)
_CROSSED = np.uint64(32)
_HALF = np.uint64(0xFFFFFFFF)


def _choose(n: int, k: int) -> int:
    import math

    return min(math.comb(n, k), 2**62)


# CHOOSE[n, k]: ways to choose k of n; they number the leaves (engine/lexicon/leaves.py)
CHOOSE = np.array([[_choose(n, k) for k in range(MAX_RACK + 2)] for n in range(80)], np.int64)


@kernel(void(S_, u64, u64, u64, u64, u64, i64, i64), inline=True)
def write_row(s, first, lefts, tiles, kept, kind, score, equity_mp):
    """Append a row, or only count it where the buffer is full."""
    if s.count < s.room:
        out = carray(as_pointer(s.out_at), (4 * s.room,), np.uint64)
        i = np.uint64(4 * s.count)
        laid = np.uint64(s.held) - np.uint64(popcount(kept))
        out[i] = tiles
        out[i + _ONE] = s.more if laid > _PACKED else np.uint64(0)
        out[i + np.uint64(2)] = (np.uint64(score) << np.uint64(32)) | (np.uint64(equity_mp) & _HALF)
        out[i + np.uint64(3)] = (
            first
            | (kept << np.uint64(16))
            | (laid << np.uint64(32))
            | (lefts << np.uint64(40))
            | (kind << np.uint64(48))
        )
    s.count += 1


@kernel(void(S_, u64, u64, u64, u64, u64, u64, u64))
def _extend(s, at, square, way, kept, tiles, points, factor):
    """Find every play that goes on from here. All numbers are uint64: indices without a sign
    need no test for negative ones.

    ``at``: GADDAG state of the letters so far; ``square``: the empty one to fill next; ``way``: to
    its neighbour, -1 to the left, +1 to the right; ``kept``: subset of the rack not yet laid;
    ``tiles``: those laid, packed; ``points``: of the main word before ``factor``, and from bit 32
    on those of the cross words.
    """
    rightwards = way == _ONE
    mask = mask_at(s, at)
    laid = np.uint64(s.held) - np.uint64(popcount(kept))
    if not rightwards:
        if mask & _ONE:
            s.first = square + _ONE
            s.lefts = laid
            down_to = child_at(s, at, mask, np.uint64(0)) >> _ONE
            _extend(s, down_to, s.right, _ONE, kept, tiles, points, factor)
        if square < s.leftmost:
            return
        s.first = square
        s.lefts = laid + _ONE
    left = mask & s.cross[square] & s.playable[kept]
    if left == 0:
        return
    letter_premium = np.uint64(s.letter_premium[square])
    word_premium = np.uint64(s.word_premium[square])
    factor *= word_premium
    unit = letter_premium  # what a point of the tile laid here adds to ``points``
    alone = laid == 0 and s.tiles == 0
    if s.cross_score[square] >= 0:
        unit += (letter_premium * word_premium) << _CROSSED
        points += (np.uint64(s.cross_score[square]) * word_premium) << _CROSSED
        alone |= laid == 0 and s.down != 0
    shift = _TILE_BITS * laid
    while left:
        letter = lowest_bit(left)
        left &= left - _ONE
        word = child_at(s, at, mask, letter)
        beyond = square + way
        with_through = points
        if rightwards:
            while s.tile[beyond]:
                word = step(s, word >> _ONE, np.uint64(s.tile[beyond]))
                if word == 0:
                    break
                with_through += np.uint64(s.value[s.tile[beyond]])
                beyond += _ONE
        down_to = word >> _ONE
        onward = np.uint64(0)  # the letters, and the separator, that can follow
        if down_to:
            onward = mask_at(s, down_to)
            if rightwards:
                onward &= s.cross[beyond]
            else:
                onward &= (s.cross[beyond] if beyond >= s.leftmost else np.uint64(0)) | _ONE
        tile = letter
        worth = np.uint64(s.value[letter]) * unit
        natural = np.uint64(s.places[letter]) & kept
        blank = np.uint64(s.places[0]) & kept
        place = natural & (~natural + _ONE)
        while word:
            if place:
                new_kept = kept ^ place
                new_points = with_through + worth
                new_tiles = tiles
                if laid < _PACKED:
                    new_tiles |= tile << shift
                else:
                    low = shift - _PACKED * _TILE_BITS
                    s.more = (s.more & ((_ONE << low) - _ONE)) | (tile << low)
                if word & _ONE and not alone:
                    score = np.int64(
                        (new_points & _HALF) * factor
                        + (new_points >> _CROSSED)
                        + np.uint64(s.bonus[laid + _ONE])
                    )
                    write_row(
                        s, s.first, s.lefts, new_tiles, new_kept, PLAY, score,
                        score * 1000 + np.int64(s.leave_mp[new_kept]),
                    )  # fmt: skip
                if onward & (s.playable[new_kept] | _ONE) and new_kept:
                    _extend(s, down_to, beyond, way, new_kept, new_tiles, new_points, factor)
                    if not rightwards:
                        s.first = square
                        s.lefts = laid + _ONE
            if tile & PLAYED_BLANK or blank == 0:
                break
            tile |= PLAYED_BLANK
            worth = np.uint64(0)
            place = blank & (~blank + _ONE)


@kernel(void(S_, i64, i64))
def _lane(s, lane, anchors):
    """Every play of a lane; ``anchors`` is a mask of places."""
    s.down = lane >= s.rows
    base = lane * STRIDE
    s.leftmost = base + 1
    while anchors:
        place = lowest_bit(np.uint64(anchors))
        anchors &= anchors - 1
        square = base + place
        s.right = square + 1
        at = np.uint64(s.root)
        points = np.uint64(0)
        is_block = s.tile[square] != 0
        while s.tile[square]:
            word = step(s, at, np.uint64(s.tile[square]))
            if word == 0:
                break
            points += np.uint64(s.value[s.tile[square]])
            at = word >> _ONE
            square -= 1
        if s.tile[square] == 0 and at:
            full = (_ONE << np.uint64(s.held)) - _ONE
            _extend(s, at, square, ~np.uint64(0), full, np.uint64(0), points, _ONE)
        # the next play may not take this anchor in, nor touch it
        s.leftmost = base + place + (2 if is_block else 1)


@kernel(void(S_))
def _plays(s):
    if s.tiles == 0:
        _lane(s, s.start // STRIDE, np.int64(1) << (s.start % STRIDE))
        return
    for lane in range(s.rows + s.cols):
        occupied = np.int64(s.occupied[lane])
        ends = occupied & ~(occupied >> 1)
        lonely = np.int64(s.hooked[lane]) & ~(occupied << 1) & ~(occupied >> 1)
        _lane(s, lane, ends | lonely)


@kernel(void(S_, i64))
def write_exchange(s, given):
    """Append the exchange of a subset; of none: the pass."""
    tiles = np.uint64(0)
    s.more = 0
    shift = np.uint64(0)
    for i in range(s.held):
        if (given >> i) & 1:
            tile = np.uint64(s.rack[i])
            if shift < _PACKED * _TILE_BITS:
                tiles |= tile << shift
            else:
                s.more |= tile << (shift - _PACKED * _TILE_BITS)
            shift += _TILE_BITS
    kept = ((np.int64(1) << s.held) - 1) ^ given
    kind = EXCHANGE if given else PASS
    write_row(s, 0, 0, tiles, np.uint64(kept), kind, 0, np.int64(s.leave_mp[kept]))


@kernel(void(S_, i64))
def write_exchanges(s, most):
    """Every exchange of 1 to ``most`` tiles, each multiset once: of equal tiles the first ones."""
    full = (np.int64(1) << s.held) - 1
    same = np.int64(0)  # places that hold the same letter as the one before
    for i in range(1, s.held):
        if s.rack[i] == s.rack[i - 1]:
            same |= np.int64(1) << i
    for given in range(1, full + 1):
        if given & same & ~(given << 1) == 0 and popcount(np.uint64(given)) <= most:
            write_exchange(s, given)


@kernel(u64(array(u64), i64, i64), inline=True)
def tile_of(rows, row, i):
    """The i-th tile of a row in square order."""
    lefts = np.int64((rows[4 * row + 3] >> np.uint64(40)) & np.uint64(255))
    at = lefts - 1 - i if i < lefts else i
    if at < PACKED:
        return (rows[4 * row] >> np.uint64(TILE_BITS * at)) & np.uint64(127)
    at -= PACKED
    return (rows[4 * row + 1] >> np.uint64(TILE_BITS * at)) & np.uint64(127)


@kernel(void(S_, i64, i64))
def _set_long_leave(s, subset, size):
    """The value of a leave that has more tiles than the table's, from those with one less."""
    sum_mp = np.int64(0)
    left = subset
    while left:
        sum_mp += s.leave_mp[U(subset ^ (left & -left))]
        left &= left - 1
    s.leave_mp[U(subset)] = sum_mp // (size - 1) if size > 1 else 0


@kernel(void(S_, table(u8), table(i32), i64))
def set_rack(s, letters, values_mp, longest):
    """Put sorted letters on the rack and fill the tables by subset.

    ``values_mp``: leave values by index (engine/lexicon/leaves.py) of leaves of up to ``longest``
    tiles; beyond, a leave is worth the sum of what is left when each of its tiles is taken away,
    divided by one less than their number: exact where values are sums of tile worths.
    """
    n = len(letters)
    s.held = n
    s.places[:] = 0
    for i in range(n):
        s.rack[U(i)] = letters[i]
        s.places[U(letters[i])] |= np.uint32(1) << np.uint32(i)
    kinds = popcount(s.alphabet) + 1
    s.playable[0] = 0
    s.leave_mp[0] = 0
    # first a leave's index in its place, then all the values: none waits for another's memory
    further = np.zeros(MAX_RACK + 1, np.int64)  # size -> index of one tile more, less that without
    for top in range(n):
        bit = 1 << top
        letter = np.int64(letters[top])
        playable = s.alphabet if letter == 0 else _ONE << np.uint64(letter)
        for size in range(min(n, longest)):
            further[U(size)] = (
                CHOOSE[U(letter + size), U(size + 1)] + CHOOSE[U(kinds + size - 1), U(size)]
            )
        for rest in range(bit):
            size = popcount(np.uint64(rest))
            s.playable[U(rest | bit)] = s.playable[U(rest)] | playable
            index = np.int64(s.leave_mp[U(rest)]) + further[U(size)]
            s.leave_mp[U(rest | bit)] = index if size < longest else 0
    for subset in range(1 << n):
        s.leave_mp[U(subset)] = values_mp[U(s.leave_mp[U(subset)])]
    if n > longest:
        for subset in range(1 << n):
            size = popcount(np.uint64(subset))
            if size > longest:
                _set_long_leave(s, subset, size)


@kernel(void(S_, i64, i64, i64))
def set_endgame(s, outgoing_mp, per_point_mp, fixed_mp):
    """With the bag empty: what a subset kept is worth instead of its leave value.

    Nothing kept: ``outgoing_mp``. Else ``per_point_mp`` a point of the tiles kept, plus
    ``fixed_mp``.
    """
    s.leave_mp[0] = outgoing_mp
    for subset in range(1, 1 << s.held):
        points = 0
        for i in range(s.held):
            if (subset >> i) & 1:
                points += s.value[s.rack[i]]
        s.leave_mp[subset] = per_point_mp * points + fixed_mp


@kernel(i64(S_, array(u64), i64))
def generate_attached(s, out, most_exchanged):
    """``generate`` for a state that a graph is attached to."""
    s.out_at = out.ctypes.data
    s.room = out.size // 4
    s.count = 0
    _plays(s)
    if most_exchanged > 0:
        write_exchanges(s, most_exchanged)
    write_exchange(s, 0)
    return s.count


@kernel(i64(S_, table(u32), i64, i64, array(u64), i64))
def generate(s, graph, root, wide, out, most_exchanged):
    """Every legal play, exchange and the pass of the rack on the board.

    Writes rows to ``out`` (uint64, four a row: a ROW array's view), unsorted: plays, then
    exchanges of up to ``most_exchanged`` tiles (0: none), then the pass. Returns how many there
    are; where that is more than fit, the first rows are written and the caller must come again
    with more room. Changes only the record's scratch fields.
    """
    attach(s, graph, root, wide)
    return generate_attached(s, out, most_exchanged)
