"""Checks that a graph holds together before any kernel walks it; the one kernel of this floor."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engine._jit import b1, i64, kernel, popcount, table, u32
from engine.errors import LexiconFileError

_FAULTS = (
    "",
    "a state runs past the end",
    "a state has a letter that the alphabet lacks",
    "a child lies outside the graph or not after its parent",
    "two states overlap",
    "a separator inside the DAWG",
    "a separator that ends a word or leads nowhere",
    "an arc that ends no word and leads nowhere",
    "a state without letters",
)
_DAWG, _GADDAG = 1, 2


@kernel(i64(table(u32), i64, i64, i64, b1))
def _check(graph, dawg_root, gaddag_root, kinds, wide):
    """0, or ``offset << 4 | fault``. One pass: parents come before their children."""
    n = len(graph)
    head = 1 + np.int64(wide)
    reached = np.zeros(n, np.uint8)
    for i in range(head):
        if graph[i] != 0:
            return np.int64(8)
    if (0 < dawg_root < head) or (0 < gaddag_root < head):
        return np.int64(4)
    if dawg_root:
        reached[dawg_root] |= _DAWG
    if gaddag_root:
        reached[gaddag_root] |= _GADDAG
    end = head  # of the last state
    for at in range(head, n):
        sort = reached[at]
        if sort == 0:
            continue
        fault = np.int64(at) << 4
        if at < end:
            return fault | 4
        if at + head > n:
            return fault | 1
        mask = np.uint64(graph[at])
        if wide:
            mask |= np.uint64(graph[at + 1]) << np.uint64(32)
        if mask == 0:
            return fault | 8
        if kinds < 64 and mask >> np.uint64(kinds):
            return fault | 2
        end = at + head + popcount(mask)
        if end > n:
            return fault | 1
        separator = mask & np.uint64(1) != 0
        if separator and sort & _DAWG:
            return fault | 5
        for i in range(at + head, end):
            child = np.int64(graph[i] >> np.uint32(1))
            accepts = graph[i] & np.uint32(1) != 0
            to_dawg = separator and i == at + head
            if to_dawg and (accepts or child == 0):
                return fault | 6
            if child == 0:
                if not accepts:
                    return fault | 7
                continue
            if child <= at or child >= n:
                return fault | 3
            reached[child] |= _DAWG if to_dawg else sort
    return np.int64(0)


def check_graph(
    graph: NDArray[np.uint32],
    dawg_root: int,
    gaddag_root: int,
    kinds: int,
    wide: bool,
    where: str = "graph",
) -> None:
    """Raise LexiconFileError unless every state that the roots lead to is sound.

    Sound: inside the array, over no other state, letters below ``kinds``, children behind it,
    separators only before the DAWG, no arc to nowhere. Time and memory grow with the array only.
    """
    if len(graph) < 1 + wide or not (0 <= dawg_root < len(graph) > gaddag_root >= 0):
        raise LexiconFileError(f"{where}: a root outside the graph of {len(graph)} words")
    found = int(_check(graph, dawg_root, gaddag_root, kinds, wide))
    if found:
        raise LexiconFileError(
            f"{where}: damaged graph: {_FAULTS[found & 15]} (at word {found >> 4})"
        )
