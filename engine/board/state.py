"""The one record that the kernels work on: a board in both orientations and a rack.

A *lane* is a row or a column: lanes 0 .. rows-1 are the rows, the columns follow. Square ``s`` of a
kernel is ``lane * STRIDE + place`` with place 1 .. length of the lane; the places before and after
are sentinels that nothing fits on, so no loop tests for the edge. Every square of the board is in
two lanes, so it has two numbers: its *twin* is the other one. All that is said of a square (its
cross-check, its cross-score) is said for a play along its lane.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engine.rules.layouts import MAX_SIZE
from engine.rules.rules import MAX_RACK, Rules

STRIDE = 32
LANES = 2 * MAX_SIZE
SQUARES = LANES * STRIDE
SUBSETS = 1 << MAX_RACK

STATE = np.dtype(
    [
        # -- the lexicon's graph, by address: valid while the outermost kernel runs
        ("graph_at", "u8"),
        ("graph_size", "i8"),
        ("root", "i8"),  # of the GADDAG
        ("wide", "i8"),  # masks of two words
        # -- the rules
        ("rows", "i8"),
        ("cols", "i8"),
        ("start", "i8"),  # start square, in its row
        ("alphabet", "u8"),  # mask of all letters
        ("kinds", "i8"),  # letters and the blank
        ("value", "i4", 256),  # points of a tile, 0 for a blank that plays a letter
        ("bonus", "i4", 16),  # points by tiles laid
        ("letter_premium", "u1", SQUARES),
        ("word_premium", "u1", SQUARES),
        # -- the board
        ("tiles", "i8"),  # on the board
        ("tile", "u1", SQUARES),  # 0 empty
        ("cross", "u8", SQUARES),  # cross-check: letters that fit; 0 on an occupied square
        ("cross_score", "i4", SQUARES),  # of the tiles that a cross word would take in; -1: none
        (
            "before",
            "u8",
            SQUARES,
        ),  # of an empty square: letters that can go before the block after it
        ("after", "u8", SQUARES),  # likewise: after the block before it, in a word that it begins
        ("occupied", "u4", LANES),  # bit p: place p has a tile
        ("hooked", "u4", LANES),  # bit p: place p is empty and has a tile beside it, off the lane
        # -- the rack: a subset of it is a mask of its places
        ("held", "i8"),  # tiles on the rack
        ("rack", "u1", 16),  # letters, sorted
        ("places", "u4", 64),  # letter -> the rack places that hold it (0: the blanks)
        ("playable", "u8", SUBSETS),  # subset -> letters that one of its tiles can be
        ("leave_mp", "i4", SUBSETS),  # subset kept -> what keeping it is worth
        # -- a generation under way
        ("out_at", "u8"),
        ("room", "i8"),
        ("count", "i8"),
        ("down", "i8"),
        ("leftmost", "u8"),  # square that a play of this anchor may begin on at the earliest
        ("right", "u8"),  # square after the anchor
        ("first", "u8"),  # square that the play begins on
        ("lefts", "u8"),  # tiles laid from the anchor to the left
        ("more", "u8"),  # the tiles laid that one packed word has no room for
    ],
    align=True,
)


def new_state(rules: Rules) -> NDArray[np.void]:
    """An array of one STATE record: the empty board of some rules, no rack, no lexicon yet."""
    array = np.zeros(1, STATE)
    state = array[0]
    layout, tiles = rules.layout, rules.tiles
    state["rows"], state["cols"] = layout.rows, layout.cols
    state["start"] = layout.start[0] * STRIDE + layout.start[1] + 1
    state["alphabet"] = sum(1 << letter for letter in range(1, tiles.kinds))
    state["kinds"] = tiles.kinds
    state["value"][: tiles.kinds] = tiles.values
    state["bonus"][: len(rules.bonus)] = rules.bonus
    for row in range(layout.rows):
        for col in range(layout.cols):
            for square in (row * STRIDE + col + 1, (layout.rows + col) * STRIDE + row + 1):
                state["letter_premium"][square] = layout.letter_premium(row, col)
                state["word_premium"][square] = layout.word_premium(row, col)
                state["cross"][square] = state["alphabet"]
                state["cross_score"][square] = -1
    return array
