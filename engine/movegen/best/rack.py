"""The rack as the search sees it: its subsets by size and blank, with what they leave."""

from __future__ import annotations

import numpy as np

from engine._jit import U, kernel, lowest_bit, popcount, void
from engine.board.crosschecks import S_
from engine.movegen.best.record import B_, GROUPS, MOST, NONE

_ONE = np.uint64(1)


@kernel(void(S_, B_))
def set_rack(s, b):
    """Take over the rack and leave values of the state, in the order of this search."""
    n = s.held
    full = (1 << n) - 1
    # places by worth, dearest first, blanks last
    order = np.uint64(0)  # four bits a place
    b.blanks = 0
    b.can_be = 0
    for i in range(n):
        letter = s.rack[U(i)]
        if letter == 0:
            b.blanks += 1
    b.naturals = n - b.blanks
    for i in range(b.blanks, n):  # an insertion sort; equal worths stay in order of letters
        worth = np.int64(s.value[U(s.rack[U(i)])])
        at = i - b.blanks
        while at > 0 and b.worth[U(at - 1)] < worth:
            b.worth[U(at)] = b.worth[U(at - 1)]
            b.letter[U(at)] = b.letter[U(at - 1)]
            at -= 1
        b.worth[U(at)] = worth
        b.letter[U(at)] = s.rack[U(i)]
    for i in range(b.naturals, MOST):  # blanks, then none
        b.worth[U(i)] = 0
        b.letter[U(i)] = 0
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
        b.group_ranked[U(g)] = 0
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
            at = np.int64(b.group_first[U(g)]) + np.int64(b.group_ranked[U(g)])
            b.group_subsets[U(at)] = (np.int64(b.used_mp[U(used)]) << 9) | used
            b.group_ranked[U(g)] += 1
    for g in range(GROUPS):
        b.group_ranked[U(g)] = 0
    b.row_used[:] = 0
