"""Cross-checks and cross-scores: what fits on an empty square, given the tiles off its lane.

Kept up to date as tiles are laid: a tile changes only the squares at the two ends of its block in
each of its two lanes. ``refresh`` computes every square anew; both give the same.
"""

from __future__ import annotations

import numpy as np

from engine._jit import (
    U,
    array,
    as_pointer,
    carray,
    i64,
    kernel,
    lowest_bit,
    popcount,
    record,
    table,
    u8,
    u32,
    u64,
    void,
)
from engine.board.state import STATE, STRIDE

S_ = record(STATE)
_ONE = np.uint64(1)
_ALL_BUT_SEPARATOR = np.uint64(0xFFFFFFFFFFFFFFFE)


@kernel((S_, u64), inline=True)
def mask_at(s, at):
    """Mask of the children of a state: bit 0 the separator, bit l letter l."""
    graph = carray(as_pointer(s.graph_at), (s.graph_size,), np.uint32)
    mask = np.uint64(graph[at])
    if s.wide:
        mask |= np.uint64(graph[at + _ONE]) << np.uint64(32)
    return mask


@kernel((S_, u64, u64, u64), inline=True)
def child_at(s, at, mask, letter):
    """Child word ``(offset << 1) | accept`` of a state with this mask, by a letter in the mask."""
    graph = carray(as_pointer(s.graph_at), (s.graph_size,), np.uint32)
    below = mask & ((_ONE << letter) - _ONE)
    return np.uint64(graph[at + _ONE + np.uint64(s.wide) + np.uint64(popcount(below))])


@kernel((S_, u64, u64), inline=True)
def step(s, at, tile):
    """Child word of a state by the letter of a tile on the board; 0 where there is none."""
    letter = tile & np.uint64(63)
    mask = mask_at(s, at)
    if (mask >> letter) & _ONE:
        return child_at(s, at, mask, letter)
    return np.uint64(0)


@kernel((S_, i64), inline=True)
def twin(s, square):
    """The square's number in its other lane."""
    lane, place = square // STRIDE, square % STRIDE
    if lane < s.rows:
        return (s.rows + place - 1) * STRIDE + lane + 1
    return (place - 1) * STRIDE + (lane - s.rows) + 1


@kernel((S_, u64, i64, i64))
def _walk(s, at, square, end):
    """Child word after the tiles on square, square - 1, .. end + 1, from a state; 0 if none."""
    word = at << _ONE
    while square > end:
        word = step(s, word >> _ONE, np.uint64(s.tile[U(square)]))
        if word == 0:
            break
        square -= 1
    return word


@kernel(void(S_, i64))
def _update_square(s, square):
    """Compute the cross-check and cross-score of a square anew."""
    lane, place = square // STRIDE, square % STRIDE
    bit = np.uint32(1) << np.uint32(place)
    s.hooked[U(lane)] &= ~bit
    s.cross_score[U(square)] = -1
    if s.tile[U(square)]:
        s.cross[U(square)] = 0
        return
    other = twin(s, square)
    low = other - 1  # the block before goes down to low + 1, the one after up to high - 1
    score = 0
    while s.tile[U(low)]:
        score += s.value[U(s.tile[U(low)])]
        low -= 1
    high = other + 1
    while s.tile[U(high)]:
        score += s.value[U(s.tile[U(high)])]
        high += 1
    if high - low == 2:
        s.cross[U(square)] = s.alphabet
        return
    s.hooked[U(lane)] |= bit
    s.cross_score[U(square)] = score
    fits = np.uint64(0)
    after = _walk(s, np.uint64(s.root), high - 1, other)
    if high - other > 1:
        candidates = after
    else:  # nothing after: the tiles before, then the separator
        candidates = _walk(s, np.uint64(s.root), other - 1, low)
        candidates = step(s, candidates >> _ONE, np.uint64(0)) if candidates else candidates
    if candidates > _ONE:
        state = candidates >> _ONE
        mask = mask_at(s, state)
        left = mask & _ALL_BUT_SEPARATOR
        while left:
            letter = lowest_bit(left)
            left &= left - _ONE
            word = child_at(s, state, mask, letter)
            if high - other > 1 and other - low > 1:
                word = _walk(s, word >> _ONE, other - 1, low)
            if word & _ONE:
                fits |= _ONE << letter
    s.cross[U(square)] = fits


@kernel(void(S_, i64))
def _update_ends(s, square):
    """Update the empty squares at both ends of the block that a square with a tile is in."""
    low = square
    while s.tile[U(low)]:
        low -= 1
    high = square
    while s.tile[U(high)]:
        high += 1
    if low % STRIDE > 0:
        _update_square(s, twin(s, low))
    last = s.cols if high // STRIDE < s.rows else s.rows
    if high % STRIDE <= last:
        _update_square(s, twin(s, high))
    s.before[U(low)] = 0
    s.after[U(high)] = 0
    block = _walk(s, np.uint64(s.root), high - 1, low) >> _ONE
    if block:
        mask = mask_at(s, block)
        s.before[U(low)] = mask & _ALL_BUT_SEPARATOR
        if mask & _ONE:
            s.after[U(high)] = mask_at(s, child_at(s, block, mask, np.uint64(0)) >> _ONE)


@kernel(void(S_, i64, i64), inline=True)
def _put(s, square, tile):
    s.tile[U(square)] = tile
    s.cross[U(square)] = 0
    s.cross_score[U(square)] = -1
    bit = np.uint32(1) << np.uint32(square % STRIDE)
    s.occupied[U(square // STRIDE)] |= bit
    s.hooked[U(square // STRIDE)] &= ~bit


@kernel(void(S_, table(u32), i64, i64), inline=True)
def attach(s, graph, root, wide):
    """Let the record use a graph, while the caller holds the array."""
    s.graph_at = graph.ctypes.data
    s.graph_size = graph.size
    s.root = root
    s.wide = wide


@kernel(void(S_, i64, table(u8)))
def lay(s, first, laid):
    """Lay tiles on the empty squares from ``first`` on along its lane; update what changes.

    ``laid``: tiles in square order. The graph must be attached. Not checked: that they fit, and
    that the play is legal.
    """
    square = first
    for i in range(len(laid)):
        while s.tile[U(square)]:
            square += 1
        _put(s, square, laid[i])
        _put(s, twin(s, square), laid[i])
        _update_ends(s, twin(s, square))
        square += 1
    if len(laid):
        _update_ends(s, square - 1)
    s.tiles += len(laid)


@kernel(void(S_, table(u32), i64, i64, i64, table(u8)))
def place(s, graph, root, wide, first, laid):
    """``lay``, with a graph to attach."""
    attach(s, graph, root, wide)
    lay(s, first, laid)


@kernel(void(S_))
def clear_board(s):
    """Take every tile off the board."""
    s.tiles = 0
    s.occupied[:] = 0
    s.hooked[:] = 0
    for lane in range(s.rows + s.cols):
        length = s.cols if lane < s.rows else s.rows
        for square in range(lane * STRIDE + 1, lane * STRIDE + 1 + length):
            s.tile[U(square)] = 0
            s.cross[U(square)] = s.alphabet
            s.cross_score[U(square)] = -1


@kernel(void(S_))
def refresh(s):
    """Compute every square anew (the graph must be attached)."""
    for row in range(s.rows):
        for col in range(s.cols):
            square = row * STRIDE + col + 1
            _update_square(s, square)
            _update_square(s, twin(s, square))
            if s.tile[U(square)]:
                _update_ends(s, square)
                _update_ends(s, twin(s, square))


@kernel(void(S_, table(u32), i64, i64, table(u8, 2)))
def set_board(s, graph, root, wide, grid):
    """Set the whole board to ``grid`` (rows, cols) of tiles and compute every square."""
    attach(s, graph, root, wide)
    s.tiles = 0
    s.occupied[:] = 0
    s.hooked[:] = 0
    for row in range(s.rows):
        for col in range(s.cols):
            square = row * STRIDE + col + 1
            s.tile[U(square)] = grid[row, col]
            s.tile[U(twin(s, square))] = grid[row, col]
            if grid[row, col]:
                s.tiles += 1
                _put(s, square, grid[row, col])
                _put(s, twin(s, square), grid[row, col])
    refresh(s)


@kernel(void(S_, array(u8, 2)))
def get_grid(s, grid):
    """Write the board's tiles to ``grid`` (rows, cols)."""
    for row in range(s.rows):
        for col in range(s.cols):
            grid[row, col] = s.tile[U(row * STRIDE + col + 1)]
