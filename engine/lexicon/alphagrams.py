"""From a multiset of letters to the words that it spells, for the best-play kernel.

Every letter has a fixed random odd number; the *key* of a multiset is the sum over its letters,
so the key of "these rack tiles and those on the board" is one addition. Two tables hold the keys
of a lexicon's words: a *filter* that fits in a CPU's second-level cache and says almost always
rightly that a key is no word's (Bloom 1970, blocked: four bits of one word), and an open-addressing
table from key to the words themselves, which lie together, zero-padded.

A key that is no word's may pass the filter, or even be found in the table: whoever takes a word
from it must check its letters. A key that is a word's is always found: the numbers are drawn again
in the (unheard of) case that two keys cannot be told apart.
"""

from __future__ import annotations

import random
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine._jit import array, b1, i64, kernel, lowest_bit, popcount, table, u8, u32, u64, void
from engine.errors import LexiconFileError
from engine.lexicon.lexicon import Lexicon

COUNT_BITS = 8  #: of a slot: words that share a key
MAX_COUNT = (1 << COUNT_BITS) - 1
_ONE = np.uint64(1)
_MIX = np.uint64(0x9E3779B97F4A7C15)


class Alphagrams(NamedTuple):
    """The tables; arrays are read-only."""

    filter: NDArray[np.uint64]  #: (2 ** f,)
    filter_shift: int  #: 64 - f
    slots: NDArray[np.uint64]  #: (2 ** t,): print << print_shift | first word << 8 | count; 0 empty
    slot_shift: int  #: 64 - t
    print_shift: int
    words: NDArray[np.uint64]  #: (words * width,): letters of each word as bytes, zero-padded
    width: int  #: uint64 a word
    number: NDArray[np.uint64]  #: (64,): of each letter; 0 for the blank


@kernel((u64,), inline=True)
def mixed(key):
    """The key as evenly spread bits: its upper ones choose a place, its lower ones are a print."""
    x = key * _MIX
    return x ^ (x >> np.uint64(29))


@kernel((u64,), inline=True)
def filter_bits(x):
    """The four bits of a mixed key in its word of the filter."""
    six = np.uint64(63)
    return (
        (_ONE << (x & six))
        | (_ONE << ((x >> np.uint64(6)) & six))
        | (_ONE << ((x >> np.uint64(12)) & six))
        | (_ONE << ((x >> np.uint64(18)) & six))
    )


@kernel((table(u32), i64, b1), inline=True)
def mask_of(words, at, wide):
    """Letters of the state at an offset of a graph."""
    mask = np.uint64(words[at])
    if wide:
        mask |= np.uint64(words[at + 1]) << np.uint64(32)
    return mask


@kernel((table(u32), i64, b1, i64))
def list_words(words, root, wide, longest):
    """Words below a DAWG root as rows (N, longest), uint8, zero-padded, and lengths, in order."""
    rows = np.zeros((1024, longest), np.uint8)
    lengths = np.zeros(1024, np.uint8)
    path = np.zeros(longest + 1, np.uint8)
    state = np.zeros(longest + 1, np.int64)
    left = np.zeros(longest + 1, np.uint64)
    found = 0
    depth = 0
    state[0] = root
    left[0] = mask_of(words, root, wide)
    head = np.int64(1 + wide)
    while depth >= 0:
        if left[depth] == 0:
            depth -= 1
            continue
        letter = lowest_bit(left[depth])
        left[depth] &= left[depth] - _ONE
        below = mask_of(words, state[depth], wide) & ((_ONE << letter) - _ONE)
        word = words[state[depth] + head + popcount(below)]
        path[depth] = letter
        if word & np.uint32(1):
            if found == len(rows):
                more = np.zeros((2 * found, longest), np.uint8)
                more[:found] = rows
                rows = more
                more_lengths = np.zeros(2 * found, np.uint8)
                more_lengths[:found] = lengths
                lengths = more_lengths
            rows[found, : depth + 1] = path[: depth + 1]
            lengths[found] = depth + 1
            found += 1
        down = np.int64(word >> np.uint32(1))
        if down and depth + 1 < longest:
            depth += 1
            state[depth] = down
            left[depth] = mask_of(words, down, wide)
    return rows[:found], lengths[:found]


@kernel(void(table(u8, 2), table(u8), table(u64), array(u64)))
def _keys(rows, lengths, number, keys):
    for i in range(len(rows)):
        key = np.uint64(0)
        for j in range(lengths[i]):
            key += number[rows[i, j]]
        keys[i] = key


@kernel(b1(table(u64), table(u64), i64, array(u64), i64, array(u64), i64, i64))
def _fill(keys, number, kinds, filter_, filter_shift, slots, slot_shift, print_shift):
    """Fill filter and slots from sorted keys. False: two keys cannot be told apart."""
    for letter in range(1, kinds):  # one tile that makes no word of its own is looked up too
        x = mixed(number[letter])
        filter_[x >> np.uint64(filter_shift)] |= filter_bits(x)
    kept = (_ONE << np.uint64(64 - print_shift)) - _ONE
    first = 0
    n = len(keys)
    while first < n:
        last = first + 1
        while last < n and keys[last] == keys[first]:
            last += 1
        x = mixed(keys[first])
        filter_[x >> np.uint64(filter_shift)] |= filter_bits(x)
        print_ = x & kept
        slot = np.int64(x >> np.uint64(slot_shift))
        while slots[slot]:
            if slots[slot] >> np.uint64(print_shift) == print_:
                return False
            slot = (slot + 1) & (len(slots) - 1)
        slots[slot] = (
            (print_ << np.uint64(print_shift))
            | (np.uint64(first) << np.uint64(COUNT_BITS))
            | np.uint64(last - first)
        )
        if last - first > MAX_COUNT:
            return False
        first = last
    return True


@kernel(void(table(u8, 2), table(u8), table(u32), array(u64, 2)))
def _pack(rows, lengths, order, words):
    for i in range(len(order)):
        row = order[i]
        for j in range(lengths[row]):
            words[i, j >> 3] |= np.uint64(rows[row, j]) << np.uint64(8 * (j & 7))


def alphagrams(lexicon: Lexicon) -> Alphagrams:
    """The tables of a lexicon. Raises LexiconFileError where more than 255 words are anagrams of
    each other."""
    rows, lengths = list_words(
        lexicon.graph, lexicon.dawg_root, lexicon.wide, max(lexicon.info.longest, 1)
    )
    n = len(rows)
    f = min(20, max(6, (n // 4).bit_length()))
    t = max(6, (2 * n).bit_length())
    print_shift = COUNT_BITS + max(1, n).bit_length()
    for seed in range(8):
        draw = random.Random(f"alphagrams {seed}")
        number = np.array([draw.getrandbits(64) | 1 for _ in range(64)], np.uint64)
        number[0] = 0
        keys = np.empty(n, np.uint64)
        _keys(rows, lengths, number, keys)
        order = np.argsort(keys, kind="stable").astype(np.uint32)
        filter_, slots = np.zeros(1 << f, np.uint64), np.zeros(1 << t, np.uint64)
        kinds = lexicon.info.kinds
        if _fill(keys[order], number, kinds, filter_, 64 - f, slots, 64 - t, print_shift):
            break
    else:
        raise LexiconFileError(f"lexicon {lexicon.info.name!r}: too many words are anagrams")
    width = 2 if rows.shape[1] <= 16 else 3
    words = np.zeros((n, width), np.uint64)
    _pack(rows, lengths, order, words)
    found = Alphagrams(filter_, 64 - f, slots, 64 - t, print_shift, words.ravel(), width, number)
    for made in (found.filter, found.slots, found.words, found.number):
        made.flags.writeable = False
    return found
