"""Which subsets of the rack spell a word with the letters of a span, found as far as was asked.

A subset and the letters on a span have one key (engine/lexicon/alphagrams.py); the filter says
almost always rightly whether it is a word's. What was found is kept by the key of the span's
letters, for many spans share it.
"""

from __future__ import annotations

import numpy as np

from engine._jit import U, as_pointer, b1, carray, i64, kernel, lowest_bit, prefetch, u64, void
from engine.board.crosschecks import S_
from engine.lexicon.alphagrams import filter_bits, mixed
from engine.movegen.best.record import B_, GROUPS, SUBSETS

_ONE = np.uint64(1)


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


@kernel(b1(B_, u64), inline=True)
def _may_be(b, key):
    """Whether a key may be a word's."""
    filter_ = carray(as_pointer(b.filter_at), (b.filter_size,), np.uint64)
    x = mixed(key)
    bits = filter_bits(x)
    return filter_[U(x >> b.filter_shift)] & bits == bits


@kernel(u64(S_, B_, u64))
def blank_letters(s, b, key):
    """Letters that, added to a key, may give a word's."""
    letters = np.uint64(0)
    for letter in range(1, s.kinds):
        letters |= np.uint64(_may_be(b, key + b.number[U(letter)])) << np.uint64(letter)
    return letters


@kernel(i64(B_, u64))
def row_of(b, key):
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
def scan(s, b, row, g, least_mp, one_is_enough):
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
                    hit = blank_letters(s, b, key + b.key[U(subset)] + b.number[U(letter)]) != 0
            else:
                letters = blank_letters(s, b, key + b.key[U(subset)])
                hit = letters != 0
        if hit:
            b.row_subsets[U(to + found)] = subset
            b.row_letters[U(to + found)] = letters
            found += 1
            if one_is_enough:
                break
    b.row_done[U(cell)] = done
    b.row_found[U(cell)] = found
