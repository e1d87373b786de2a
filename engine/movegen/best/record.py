"""The scratch record of one search, and what it found."""

from __future__ import annotations

import numpy as np

from engine._jit import U, i64, kernel, record, table, u64, void
from engine.board.state import STRIDE

MOST = 9  #: tiles
SUBSETS = 1 << MOST
GROUPS = 32  #: subsets of one size: without a blank, and from 16 on with
ROWS = 64
TRIED = 8  #: keys that the filter is asked for together, or twice as many: whole vectors
SPANS = 4096
ANCHORS = 1024
LEFT, RIGHT, STEPS = 0, MOST + 1, 2 * (MOST + 1)
QUEUE = 512
LISTED = 256  #: most plays that are listed by their number
BATCH = 3  #: lookups that are done together
NONE = -(1 << 40)  #: millipoints below every equity
_MUCH = 1 << 40

#: A span, whole on one or two cache lines.
SPAN = np.dtype(
    [
        ("bound", "i8"),  # << 12 | its number: one maximum finds both
        ("natural_mp", "i8"),  # bound of the points, without a blank
        ("blank_mp", "i8"),  # likewise with one
        ("key", "u8"),  # of the letters on it
        ("base", "i4"),  # points that do not depend on the tiles laid
        ("factor", "i4"),  # product of its word premiums
        ("tight", "i4"),  # most points of the tiles on the squares that are not free
        ("free", "u4"),  # its free squares, counted as in step_free
        ("first", "u2"),
        ("last", "u2"),
        ("laid", "u1"),
    ],
    align=True,
)

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
        ("dearest_used", "i8", 16),  # likewise, of a subset
        ("letter", "u1", 16),  # at a place; 0 beyond
        ("places", "u2", 64),  # letter -> mask
        ("can_be", "u8"),  # letters that some tile of the rack can be
        ("used_mp", "i4", SUBSETS),  # subset used -> leave value of the others
        ("key", "u8", SUBSETS),
        ("in_state", "u2", SUBSETS),  # subset -> mask of the state's places
        ("group_first", "u2", GROUPS + 1),
        ("group_subsets", "i8", SUBSETS),  # used_mp << 9 | subset
        ("ranked_subsets", "i8", SUBSETS),  # the same, best leave first
        ("ranked_key", "u8", SUBSETS + 2 * TRIED),  # their keys, and room to read beyond
        ("group_best_mp", "i8", GROUPS),
        ("group_ranked", "u1", GROUPS),
        # -- which subsets spell a word with the letters of a span, found as far as was asked
        ("row_key", "u8", ROWS),
        ("row_used", "u1", ROWS),
        ("row_done", "u2", ROWS * GROUPS),  # subsets of the group that were tried
        ("row_found", "u2", ROWS * GROUPS),  # of them: those in row_subsets
        ("row_subsets", "u2", ROWS * SUBSETS),
        ("row_letters", "u8", ROWS * SUBSETS),  # letters that a lone blank can be
        # -- spans, those of an anchor together
        ("spans", "i8"),
        ("span", SPAN, SPANS),
        ("anchors", "i8"),
        ("anchor_bound", "i8", ANCHORS),  # << 10 | its number
        ("anchor_first", "i4", ANCHORS + 1),
        ("anchor_sharp", "u1", ANCHORS),
        # -- one step to the left or right of an anchor, and its sums from the anchor on
        ("most", "i8", STRIDE),  # place of the lane -> points of the dearest tile that fits
        # side LEFT, then side RIGHT: sums over so many squares from the anchor on
        ("step_factor", "i8", STEPS),  # product of the word premiums
        ("step_crossed", "i8", STEPS),  # points of the tiles in cross words
        ("step_free", "i8", STEPS),  # free squares, a byte each: all, letter premium 2+, 3+, 4
        ("step_word", "i8", STEPS),  # most points on tight squares, in the main word
        ("step_cross", "i8", STEPS),  # likewise, in cross words
        ("step_least", "i8", STEPS),  # least that a tile brings on a tight square
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
        ("floor_mp", "i8"),  # what is worth less is of no interest
        ("found", "i8"),
        ("equity_mp", "i8"),
        ("score", "i8"),
        ("first", "i8"),
        ("tiles", "u8"),  # packed, in square order
        ("laid", "i8"),
        ("used", "i8"),  # subset
        ("overflow", "i8"),
        # -- more than the best: the first ``wanted`` (0: only the best), or all within a margin
        ("wanted", "i8"),
        ("margin_mp", "i8"),  # -1: no such limit
        ("listed", "i8"),
        ("listed_mp", "i8", LISTED),  # equities of the best so far, largest first
        # -- the opening: squares and letters that cost
        ("hot", "u4"),  # bit: place in the start row
        ("vowels", "u8"),
        ("vowel_mp", "i8"),
    ],
    align=True,
)
B_ = record(SEARCH)
_ONE = np.uint64(1)


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
