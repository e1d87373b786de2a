"""Words to a minimal GADDAG + DAWG in one array, hash-consed (Gordon 1994; Appel & Jacobson 1988).

The layout is the one of engine/lexicon: a state is a mask of its letters, then one child word
``(child offset << 1) | accept`` a letter. Two things keep the work small. The GADDAG is built as
the trie of the *reversed distinct prefixes* of the words, not of all their rotations: after the
separator it goes straight to the DAWG state of that prefix, which exists already. And a state is
looked up in a hash table of offsets into the output itself as soon as it is complete, so that
nothing but the path to the current word is ever unminimised.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine._jit import array, b1, i64, kernel, popcount, table, u8, u32, u64
from engine.errors import LexiconFileError
from engine.lexicon.alphagrams import mask_of

MAX_OFFSET = 1 << 31  # a child word holds an offset of 31 bits
_DEPTH = 32
_LETTERS = 64


class Graph(NamedTuple):
    """The finished graph: ``words`` is uint32 (states), the roots are offsets into it."""

    words: NDArray[np.uint32]
    dawg_root: int
    gaddag_root: int
    wide: bool  #: masks of two words, for alphabets past 31 letters


def sort_order(rows: NDArray[np.uint8]) -> NDArray[np.intp]:
    """Order that sorts letter rows (N, L), zero-padded, letters below 64; a prefix comes first."""
    keys = []
    for first in range(0, rows.shape[1], 10):
        key = np.zeros(len(rows), np.uint64)
        for column in range(first, first + 10):
            key <<= np.uint64(6)
            if column < rows.shape[1]:
                key |= rows[:, column]
        keys.append(key)
    return np.lexsort(keys[::-1]) if len(keys) > 1 else np.argsort(keys[0], kind="stable")


@kernel((table(u32), i64, b1), inline=True)
def _length(words, at, wide):
    """Words that the state at an offset takes."""
    return 1 + np.int64(wide) + popcount(mask_of(words, at, wide))


@kernel((u64, i64), inline=True)
def _mix(hashed, word):
    return (hashed ^ np.uint64(word)) * np.uint64(0x9E3779B97F4A7C15)


@kernel((table(u32), i64, b1), inline=True)
def _state_hash(words, at, wide):
    """Hash of the state at an offset, and its length in words."""
    length = _length(words, at, wide)
    hashed = np.uint64(0)
    for i in range(length):
        hashed = _mix(hashed, np.int64(words[at + i]))
    return hashed >> np.uint64(20), length


@kernel((table(u32), i64, b1, i64))
def _rehash(words, used, wide, size):
    """A table of ``size`` slots (a power of two) that holds every state."""
    slots = np.zeros(size, np.uint32)
    at = np.int64(1 + wide)
    while at < used:
        hashed, length = _state_hash(words, at, wide)
        slot = np.int64(hashed) & (size - 1)
        while slots[slot]:
            slot = (slot + 1) & (size - 1)
        slots[slot] = at
        at += length
    return slots


@kernel((table(u8, 2), table(u8)))
def _count_prefixes(rows, lengths):
    """Number of distinct non-empty prefixes of sorted rows."""
    count = 0
    for i in range(len(rows)):
        shared = 0
        if i > 0:
            limit = min(lengths[i], lengths[i - 1])
            while shared < limit and rows[i, shared] == rows[i - 1, shared]:
                shared += 1
        count += lengths[i] - shared
    return count


@kernel(
    (
        table(u8, 2),
        table(u8),
        table(u8),
        table(u32),
        b1,
        array(u32),
        i64,
        array(u32),
        i64,
        array(u32),
        array(u8),
        array(u8),
        array(u32),
    )
)
def _build(
    rows, lengths, accepts, separators, wide, words, used, slots, states,
    prefix_row, prefix_length, prefix_accepts, prefix_state,
):  # fmt: skip
    """Add the trie of sorted unique rows, minimised, to the graph.

    Row i ends in an accepting arc if ``accepts[i]``, and its last node has a separator child at
    ``separators[i]`` if that is not 0. Fills the ``prefix_`` arrays (unless they are empty) with
    every distinct prefix: a row it begins, its length, whether it is a word, its state.
    Returns the graph, words used, table, number of states, root, and prefixes filled.
    """
    one = np.uint64(1)
    mask = np.zeros(_DEPTH, np.uint64)
    child = np.zeros((_DEPTH, _LETTERS), np.uint32)
    arc_accepts = np.zeros(_DEPTH, np.uint32)
    head = np.int64(1 + wide)
    filled = 0
    root = np.int64(0)
    depth = 0  # of the last row's deepest open node
    n = len(rows)
    for i in range(n + 1):
        shared = 0
        if 0 < i < n:
            limit = min(lengths[i], lengths[i - 1])
            while shared < limit and rows[i, shared] == rows[i - 1, shared]:
                shared += 1
        # complete the nodes that this row no longer shares, deepest first (the root at the end)
        last = shared if i < n else -1
        while depth > last and i > 0:
            count = popcount(mask[depth])
            at = np.int64(0)
            if count:
                if used + head + count > len(words):
                    grown = np.empty(2 * len(words) + 128, np.uint32)
                    grown[:used] = words[:used]
                    words = grown
                words[used] = np.uint32(mask[depth] & np.uint64(0xFFFFFFFF))
                if wide:
                    words[used + 1] = np.uint32(mask[depth] >> np.uint64(32))
                for j in range(count):
                    words[used + head + j] = child[depth, j]
                if 2 * states > len(slots):
                    slots = _rehash(words, used, wide, 2 * len(slots))
                hashed, length = _state_hash(words, used, wide)
                slot = np.int64(hashed) & (len(slots) - 1)
                at = used
                while slots[slot]:
                    old = np.int64(slots[slot])
                    j = 0
                    while j < length and words[old + j] == words[used + j]:
                        j += 1
                    if j == length:
                        at = old
                        break
                    slot = (slot + 1) & (len(slots) - 1)
                if at == used:
                    slots[slot] = used
                    used += length
                    states += 1
            if depth:
                parent = depth - 1
                letter = np.uint64(rows[i - 1, parent])
                child[parent, popcount(mask[parent])] = (at << 1) | arc_accepts[depth]
                mask[parent] |= one << letter
                if len(prefix_row):
                    prefix_row[filled] = i - 1
                    prefix_length[filled] = depth
                    prefix_accepts[filled] = arc_accepts[depth]
                    prefix_state[filled] = at
                    filled += 1
            else:
                root = at
            depth -= 1
        if i == n:
            break
        depth = np.int64(lengths[i])
        for d in range(shared + 1, depth + 1):
            mask[d] = 0
            arc_accepts[d] = 0
        arc_accepts[depth] = accepts[i]
        if separators[i]:
            mask[depth] |= one
            child[depth, 0] = separators[i] << np.uint32(1)
    return words, used, slots, states, root, filled


@kernel((table(u8, 2), table(u32), table(u8)))
def _reversed_prefixes(rows, prefix_row, prefix_length):
    out = np.zeros((len(prefix_row), rows.shape[1]), np.uint8)
    for i in range(len(prefix_row)):
        length = prefix_length[i]
        for j in range(length):
            out[i, j] = rows[prefix_row[i], length - 1 - j]
    return out


@kernel((table(u32), i64, i64, i64, b1))
def _order_parents_first(words, used, dawg_root, gaddag_root, wide):
    """The graph with every state after its parents. Returns the array and the new roots.

    States are sorted by their longest distance from a root, and where that is the same by breadth
    first: those near the roots, which are met most, lie together, and so do brothers. Move
    generation is a fifth faster on this order than on one in depth.
    """
    head = np.int64(1 + wide)
    by_breadth = np.empty(used, np.uint32)
    parents = np.zeros(used, np.uint32)  # arcs into each state, of those reached
    found = 0
    for root in (gaddag_root, dawg_root):
        if root and (found == 0 or by_breadth[0] != root):
            by_breadth[found] = root
            parents[root] = 1
            found += 1
    roots = found
    done = 0
    while done < found:
        at = np.int64(by_breadth[done])
        done += 1
        for j in range(head, _length(words, at, wide)):
            down = words[at + j] >> np.uint32(1)
            if down:
                if parents[down] == 0:
                    by_breadth[found] = down
                    found += 1
                parents[down] += 1
    # longest distances: a state hands its own on when all its parents have
    distance = np.zeros(used, np.uint8)
    queue = np.empty(found, np.uint32)
    queued = 0
    for i in range(roots):
        parents[by_breadth[i]] -= 1
        if parents[by_breadth[i]] == 0:
            queue[queued] = by_breadth[i]
            queued += 1
    done = 0
    starts = np.zeros(257, np.int64)
    while done < queued:
        at = np.int64(queue[done])
        done += 1
        starts[distance[at] + 1] += 1
        for j in range(head, _length(words, at, wide)):
            down = words[at + j] >> np.uint32(1)
            if down:
                distance[down] = max(distance[down], distance[at] + 1)
                parents[down] -= 1
                if parents[down] == 0:
                    queue[queued] = down
                    queued += 1
    for i in range(1, 257):
        starts[i] += starts[i - 1]
    order = queue  # all handed on: its room serves for the result
    for i in range(found):
        at = np.int64(by_breadth[i])
        order[starts[distance[at]]] = at
        starts[distance[at]] += 1
    place = np.zeros(used, np.uint32)
    total = head
    for i in range(found):
        place[order[i]] = total
        total += _length(words, np.int64(order[i]), wide)
    out = np.zeros(total, np.uint32)
    for i in range(found):
        at = np.int64(order[i])
        to = np.int64(place[at])
        length = _length(words, at, wide)
        for j in range(head):
            out[to + j] = words[at + j]
        for j in range(head, length):
            word = words[at + j]
            out[to + j] = (place[word >> np.uint32(1)] << np.uint32(1)) | (word & np.uint32(1))
    return out, np.int64(place[dawg_root]), np.int64(place[gaddag_root])


def build_graph(rows: NDArray[np.uint8], lengths: NDArray[np.uint8], kinds: int) -> Graph:
    """The minimal GADDAG + DAWG of words.

    ``rows`` (N, L) uint8: letters of each word, zero-padded, sorted, unique; ``lengths`` (N,)
    uint8; ``kinds``: letters of the tile set plus one. Raises LexiconFileError where the graph
    would not fit its 31-bit offsets.
    """
    wide = kinds > 32
    head = 1 + wide
    n = len(rows)
    rows = np.ascontiguousarray(rows)
    words = np.zeros(max(1024, 4 * n), np.uint32)
    slots = np.zeros(1 << max(10, (2 * n).bit_length()), np.uint32)
    count = int(_count_prefixes(rows, lengths))
    prefix_row, prefix_state = np.empty(count, np.uint32), np.empty(count, np.uint32)
    prefix_length, prefix_accepts = np.empty(count, np.uint8), np.empty(count, np.uint8)
    words, used, slots, states, dawg_root, _ = _build(
        rows, lengths, np.ones(n, np.uint8), np.zeros(n, np.uint32), wide, words, head, slots, 0,
        prefix_row, prefix_length, prefix_accepts, prefix_state,
    )  # fmt: skip
    backwards = _reversed_prefixes(rows, prefix_row, prefix_length)
    del prefix_row
    order = sort_order(backwards)
    none8, none32 = np.empty(0, np.uint8), np.empty(0, np.uint32)
    words, used, _, states, gaddag_root, _ = _build(
        backwards[order], prefix_length[order], prefix_accepts[order], prefix_state[order], wide,
        words, used, slots, states, none32, none8, none8, none32,
    )  # fmt: skip
    if used >= MAX_OFFSET:
        raise LexiconFileError(f"{n} words need a graph of {used} words, at most {MAX_OFFSET}")
    graph, dawg_root, gaddag_root = _order_parents_first(words, used, dawg_root, gaddag_root, wide)
    return Graph(graph, int(dawg_root), int(gaddag_root), wide)
