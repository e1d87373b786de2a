"""Leave values: what the tiles kept on a rack are worth, in millipoints, by multiset of tiles.

A table holds every multiset of up to ``max_len`` tiles. The multiset of k tiles
o_1 <= .. <= o_k (0 the blank) has the index ``offset[k] + sum of C(o_i + i - 1, i)`` over i = 1..k,
where ``offset[k]`` is the number of smaller multisets: the combinatorial number system, in which
multisets of one size are in order of their greatest tile, then the next. Index 0 is the empty
leave, always worth 0.

A longer leave L of k tiles is worth ``floor(sum of v(L without t) over its tiles t / (k - 1))``:
exactly the sum of the tiles' worths where the table is made of such.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from engine.errors import LexiconFileError

MAX_VALUES = 1 << 25  #: largest table, in values
MAX_POINTS = 100_000  #: largest value of a leave, either way

Ints = NDArray[np.int64]


@lru_cache(maxsize=16)
def multiset_tables(kinds: int, max_len: int) -> tuple[Ints, Ints]:
    """``(offset, choose)``: int64 (max_len + 2,) and (max_len + 1, kinds), read-only.

    ``offset[k]``: multisets of fewer than k tiles; ``choose[i, o]``: C(o + i - 1, i) for i >= 1.
    """
    offset = [math.comb(kinds + k - 1, k - 1) if k else 0 for k in range(max_len + 2)]
    rows = [[math.comb(o + i - 1, i) if i else 0 for o in range(kinds)] for i in range(max_len + 1)]
    tables = np.array(offset, np.int64), np.array(rows, np.int64)
    for made in tables:
        made.flags.writeable = False
    return tables


def table_size(kinds: int, max_len: int) -> int:
    """Number of multisets of up to ``max_len`` tiles, the empty one included."""
    return math.comb(kinds + max_len, max_len)


@dataclass(frozen=True, eq=False, repr=False)
class Leaves:
    """An immutable table of leave values; ``values`` is int32 by index, in millipoints."""

    name: str
    kinds: int  #: kinds of tile, the blank included
    max_len: int
    values: NDArray[np.int32]
    origin: str = ""

    def __post_init__(self) -> None:
        size = table_size(self.kinds, self.max_len)
        if self.max_len < 1 or self.values.shape != (size,) or self.values.dtype != np.int32:
            raise LexiconFileError(
                f"leaves {self.name!r}: {self.values.shape} {self.values.dtype} values for"
                f" {self.max_len} of {self.kinds} kinds of tile, expected {size} of int32"
            )
        if self.values[0]:
            raise LexiconFileError(f"leaves {self.name!r}: the empty leave is worth 0")
        view = np.ascontiguousarray(self.values).view()
        view.flags.writeable = False
        object.__setattr__(self, "values", view)

    def index(self, letters: Iterable[int]) -> int:
        """Place in ``values`` of a leave of up to ``max_len`` tiles, in any order."""
        kept = sorted(letters)
        offset, choose = multiset_tables(self.kinds, self.max_len)
        return int(offset[len(kept)]) + sum(int(choose[i, o]) for i, o in enumerate(kept, 1))

    def value(self, letters: Iterable[int]) -> int:
        """Value of a leave of any length, in any order, in millipoints."""
        return self._value(tuple(sorted(letters)), {})

    def _value(self, kept: tuple[int, ...], known: dict[tuple[int, ...], int]) -> int:
        if len(kept) <= self.max_len:
            return int(self.values[self.index(kept)])
        if kept not in known:
            parts = (kept[:i] + kept[i + 1 :] for i in range(len(kept)))
            known[kept] = sum(self._value(part, known) for part in parts) // (len(kept) - 1)
        return known[kept]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Leaves):
            return NotImplemented
        same = (self.name, self.kinds, self.max_len) == (other.name, other.kinds, other.max_len)
        return same and np.array_equal(self.values, other.values)

    def __hash__(self) -> int:
        return hash((self.name, self.kinds, self.max_len))

    def __repr__(self) -> str:
        return f"<Leaves {self.name}, up to {self.max_len} of {self.kinds} kinds of tile>"


@lru_cache(maxsize=64)
def zero_leaves(kinds: int) -> Leaves:
    """Leaves that are all worth 0."""
    return Leaves("zero", kinds, 1, np.zeros(kinds + 1, np.int32), "all zero")


def multisets(kinds: int, max_len: int) -> Iterator[NDArray[np.uint8]]:
    """Every multiset in the order of a table: for each size 1..max_len its rows (N, size)."""
    rows = np.zeros((1, 0), np.uint8)
    for size in range(1, max_len + 1):
        counts = [math.comb(top + size - 1, size - 1) for top in range(kinds)]
        grown = np.empty((sum(counts), size), np.uint8)
        at = 0
        for top, count in enumerate(counts):
            grown[at : at + count, :-1] = rows[:count]
            grown[at : at + count, -1] = top
            at += count
        rows = grown
        yield rows


def extend(leaves: Leaves, max_len: int) -> Leaves:
    """The same values in a table of leaves up to ``max_len`` tiles (at least the table's own)."""
    if max_len <= leaves.max_len:
        return leaves
    check_size(leaves.name, leaves.kinds, max_len)
    offset, choose = multiset_tables(leaves.kinds, max_len)
    values = np.zeros(table_size(leaves.kinds, max_len), np.int32)
    values[: len(leaves.values)] = leaves.values
    for size, rows in enumerate(multisets(leaves.kinds, max_len), 1):
        if size <= leaves.max_len:
            continue
        total = np.zeros(len(rows), np.int64)
        for out in range(size):
            kept = (column for column in range(size) if column != out)
            terms = (choose[i, rows[:, column]] for i, column in enumerate(kept, 1))
            total += values[offset[size - 1] + sum(terms, np.zeros(len(rows), np.int64))]
        values[offset[size] : offset[size + 1]] = total // (size - 1)
    return Leaves(leaves.name, leaves.kinds, max_len, values, leaves.origin)


def check_size(name: str, kinds: int, max_len: int) -> None:
    """Raise LexiconFileError for a table that no file and no program may ask for."""
    if table_size(kinds, max_len) > MAX_VALUES:
        raise LexiconFileError(
            f"leaves {name!r}: a table of leaves of {max_len} of {kinds} kinds of tile is too large"
        )
