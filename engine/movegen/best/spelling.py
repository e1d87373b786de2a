"""Which subsets of the rack spell a word with the letters of a span, found as far as was asked.

A subset and the letters on a span have one key (engine/lexicon/alphagrams.py); the filter says
almost always rightly whether it is a word's. What was found is kept by the key of the span's
letters, for many spans share it.
"""

from __future__ import annotations

import numpy as np

from engine._jit import U, as_pointer, b1, carray, i64, kernel, lowest_bit, u64, void
from engine.board.crosschecks import S_
from engine.lexicon.alphagrams import filter_bits, mixed
from engine.movegen.best.record import B_, GROUPS, SUBSETS, TRIED

_ONE = np.uint64(1)


@kernel(void(B_, i64))
def _rank_group(b, g):
    """Subsets of a group by what they leave, best first."""
    first, last = np.int64(b.group_first[U(g)]), np.int64(b.group_first[U(g + 1)])
    for i in range(first, last):
        subset = b.group_subsets[U(i)]
        at = first
        for j in range(first, last):
            at += np.int64(b.group_subsets[U(j)] > subset)
        b.ranked_subsets[U(at)] = subset
        b.ranked_key[U(at)] = b.key[U(subset & (SUBSETS - 1))]
    b.group_ranked[U(g)] = 1


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
    for letter in range((s.kinds + 31) // 32 * 32):  # in whole vectors
        letters |= np.uint64(_may_be(b, key + b.number[U(letter)])) << np.uint64(letter)
    return letters & s.alphabet


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
    ``least_mp`` or more; with ``one_is_enough`` stop at the first."""
    cell = row * GROUPS + g
    if b.group_ranked[U(g)] == 0:
        _rank_group(b, g)
    first = np.int64(b.group_first[U(g)])
    size = np.int64(b.group_first[U(g + 1)]) - first
    done = np.int64(b.row_done[U(cell)])
    found = np.int64(b.row_found[U(cell)])
    to = (row << s.held) + first
    key = b.row_key[U(row)]
    while done < size:
        if b.ranked_subsets[U(first + done)] >> 9 < least_mp:
            break
        if g < 16:
            # a vector or two at once, though fewer may be asked for
            hits = np.uint64(0)
            tried = TRIED * (1 + np.int64(size - done > TRIED))
            for i in range(tried):
                hit = _may_be(b, key + b.ranked_key[U(first + done + i)])
                hits |= np.uint64(hit) << np.uint64(i)
            if size - done < tried:  # beyond are other groups' keys
                hits &= (_ONE << np.uint64(size - done)) - _ONE
            while hits:
                at = first + done + np.int64(lowest_bit(hits))
                hits &= hits - _ONE
                b.row_subsets[U(to + found)] = b.ranked_subsets[U(at)] & (SUBSETS - 1)
                found += 1
            done += tried
        else:
            subset = b.ranked_subsets[U(first + done)] & (SUBSETS - 1)
            done += 1
            letters = np.uint64(0)
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
        if one_is_enough and found:
            break
    b.row_done[U(cell)] = done
    b.row_found[U(cell)] = found
