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
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from engine.errors import LexiconFileError, NotationError, shorten
from engine.files import read_bytes
from engine.lexicon.kwg import Dawg, levels, pack_nodes, read_dawg
from engine.rules.tiles import TileSet, find_tile_set

MAX_VALUES = 1 << 25  #: largest table, in values
MAX_POINTS = 100_000  #: largest value of a leave, either way
_ROWS_SHOWN = 100  # bad rows named in an error

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
    _check_size(leaves.name, leaves.kinds, max_len)
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


def _check_size(name: str, kinds: int, max_len: int) -> None:
    if table_size(kinds, max_len) > MAX_VALUES:
        raise LexiconFileError(
            f"leaves {name!r}: a table of leaves of {max_len} of {kinds} kinds of tile is too large"
        )


# -- CSV: LEAVE,value in points, a line each, any order; '#' comments ------------------------------


def leaves_from_csv(text: str, tiles: TileSet, name: str, origin: str = "") -> Leaves:
    """Leaves from CSV text. Raises LexiconFileError that names every bad row (by line number)."""
    found: dict[tuple[int, ...], tuple[int, str]] = {}  # leave -> line, text
    values: list[int] = []
    faults: list[str] = []
    for line, row in enumerate(text.removeprefix("\ufeff").splitlines(), 1):
        row = row.strip()
        if not row or row.startswith("#"):
            continue
        leave, _, number = (part.strip() for part in row.partition(","))
        try:
            letters = tiles.parse_rack(leave)
            value = _points(number)
            if not letters:
                raise NotationError("no tiles before the comma")
            if table_size(tiles.kinds, len(letters)) > MAX_VALUES:
                raise NotationError(f"a leave of {len(letters)} tiles is too long")
            if letters in found:
                raise NotationError(f"{leave} is {found[letters][1]} of line {found[letters][0]}")
        except NotationError as error:
            faults.append(f"line {line}: {error}")
            continue
        found[letters] = line, leave
        values.append(value)
    if faults:
        more = f"; and {len(faults) - _ROWS_SHOWN} more" if len(faults) > _ROWS_SHOWN else ""
        raise LexiconFileError(f"leaves {name!r}: " + "; ".join(faults[:_ROWS_SHOWN]) + more)
    if not found:
        raise LexiconFileError(f"leaves {name!r}: no values")
    longest = max(map(len, found))
    offset, choose = multiset_tables(tiles.kinds, longest)
    table = np.zeros(table_size(tiles.kinds, longest), np.int32)
    for size in range(1, longest + 1):
        places = [i for i, letters in enumerate(found) if len(letters) == size]
        keys = [letters for letters in found if len(letters) == size]
        if keys:
            rows = np.array(keys)
            index = sum((choose[i, rows[:, i - 1]] for i in range(1, size + 1)), offset[size])
            table[index] = np.array(values, np.int32)[places]
    return Leaves(name, tiles.kinds, longest, table, origin)


def _points(text: str) -> int:
    """Millipoints of a number in points. Raises NotationError."""
    if not text:
        raise NotationError("no value")
    try:
        value = float(text.replace("_", "?"))
    except ValueError:
        value = math.nan
    if not abs(value) <= MAX_POINTS:
        raise NotationError(
            f"{shorten(text)} is not a number of points from -{MAX_POINTS} to {MAX_POINTS}"
        )
    return round(value * 1000)


def format_csv(leaves: Leaves, tiles: TileSet) -> str:
    """CSV text of every leave that is not worth 0; reading it gives the same table."""
    lines = [f"# {line}" for line in leaves.origin.splitlines()]
    offset, _ = multiset_tables(leaves.kinds, leaves.max_len)
    texts = [tiles.format_rack([letter]) for letter in range(tiles.kinds)]
    for size, rows in enumerate(multisets(leaves.kinds, leaves.max_len), 1):
        values = leaves.values[offset[size] : offset[size + 1]]
        kept = (values != 0) | (size == 1)
        kept[0] |= size == leaves.max_len  # keeps the table's size
        for row, value in zip(rows[kept].tolist(), values[kept].tolist(), strict=True):
            row = row[row.count(0) :] + [0] * row.count(0)
            lines.append("".join([texts[letter] for letter in row]) + f",{_decimal(value)}")
    return "\n".join(lines) + "\n"


def _decimal(millipoints: int) -> str:
    sign, whole = "-" if millipoints < 0 else "", abs(millipoints)
    return f"{sign}{whole // 1000}.{whole % 1000:03d}"


# -- KLV2: nodes of a DAWG of sorted leaves, then a float32 for each -------------------------------


def read_klv2(data: bytes, tiles: TileSet, name: str, origin: str = "") -> Leaves:
    """Leaves from the bytes of a KLV2, or of the older KLV (int16, 1/256 point).

    Raises LexiconFileError for whatever does not hold together; time and memory are bounded.
    """
    where = f"leaves {name!r}"
    nodes, after = _counted(data, 0, 4, where)
    dawg = read_dawg(nodes, tiles.kinds, 0, where)
    count = int.from_bytes(data[after : after + 4], "little")
    rest = len(data) - after - 4
    if rest not in (4 * count, 2 * count) or rest < 0:
        raise LexiconFileError(
            f"{where}: {count} leaves, but {max(rest, 0)} bytes of values (4 each, or 2 in a KLV)"
        )
    if dawg.words != count:
        raise LexiconFileError(f"{where}: {dawg.words} leaves have {count} values")
    if count and rest == 2 * count:
        points = np.frombuffer(data, "<i2", count, after + 4) / 256
    else:
        points = np.frombuffer(data, "<f4", count, after + 4).astype(np.float64)
    if not (np.abs(points) <= MAX_POINTS).all():
        raise LexiconFileError(f"{where}: a value is no number, or past {MAX_POINTS} points")
    longest = max(1, dawg.height)
    _check_size(name, tiles.kinds, longest)
    table = np.zeros(table_size(tiles.kinds, longest), np.int32)
    filled = 0
    for index, rank in _indexed(dawg, tiles.kinds, longest, where):
        table[index] = np.rint(points[rank] * 1000)
        filled += len(np.unique(index)) if not dawg.in_order else len(index)
    if filled != count:
        raise LexiconFileError(f"{where}: the same leave twice")
    return Leaves(name, tiles.kinds, longest, table, origin)


def _counted(data: bytes, at: int, size: int, where: str) -> tuple[memoryview, int]:
    """A u32 count and so many items of ``size`` bytes: the items, and where they end."""
    count = int.from_bytes(data[at : at + 4], "little")
    if not count:
        raise LexiconFileError(f"{where}: {len(data)} bytes that hold no leaves")
    end = at + 4 + count * size
    if len(data) < end + 4:
        raise LexiconFileError(f"{where}: {len(data)} bytes are too short for {count} nodes")
    return memoryview(data)[at + 4 : end], end


def _indexed(dawg: Dawg, kinds: int, longest: int, where: str) -> Iterator[tuple[Ints, Ints]]:
    """For each size the indices in a table, and the ranks in the file, of its leaves."""
    offset, choose = multiset_tables(kinds, longest)
    index, last = np.zeros(1, np.int64), np.zeros(1, np.uint8)
    for size, level in enumerate(levels(dawg), 1):
        tile = dawg.tile[level.node]
        if (tile < last[level.parent]).any():
            raise LexiconFileError(f"{where}: a leave whose tiles are not sorted")
        index = index[level.parent] + choose[size, tile]
        last = tile
        whole = np.flatnonzero(dawg.accepts[level.node])
        yield offset[size] + index[whole], level.rank[whole]


def write_klv2(leaves: Leaves, tiles: TileSet, max_len: int = 0) -> bytes:
    """Bytes of a KLV2 with every leave of 1 to ``max_len`` tiles (0: as the table) in a full bag.

    Raises LexiconFileError where there are too many.
    """
    longest = max_len or leaves.max_len
    leaves = extend(leaves, longest)
    nodes = _drawable(tiles, longest)
    dawg = read_dawg(nodes, tiles.kinds, 0, f"leaves {leaves.name!r}")
    points = np.zeros(dawg.words, "<f4")
    for index, rank in _indexed(dawg, tiles.kinds, longest, leaves.name):
        points[rank] = leaves.values[index] / 1000
    sizes = (len(nodes) // 4).to_bytes(4, "little"), dawg.words.to_bytes(4, "little")
    return sizes[0] + nodes + sizes[1] + points.tobytes()


def _drawable(tiles: TileSet, longest: int) -> bytes:
    """KWG nodes of the DAWG of every multiset of up to ``longest`` tiles in a full bag.

    A list holds the kinds that may follow a last tile of which ``spare`` are left, with ``room``
    for more tiles. Where the bag sets no limit (spare -1) it is the end of one long list; where it
    does, a copy of that which differs in its first node.
    """
    own = [kind for kind in range(tiles.kinds) if tiles.counts[kind]]
    none = (-1, 0, 0)

    def after(at: int, spare: int, room: int) -> tuple[int, int, int]:
        """Key of the list after one tile ``own[at]`` more."""
        left = (tiles.counts[own[at]] if spare < 0 else spare) - 1
        if not room or (not left and at + 1 == len(own)):
            return none
        return (at, -1 if left >= room else left, room) if left else (at + 1, -1, room)

    place = {none: 0}  # key (place in own, spare, room) -> first node of the list
    nodes = [(0, True, (0, -1, longest))]  # tile, last of its list, key of the child list
    for room in range(longest, 0, -1):
        chain = [(own[at], at + 1 == len(own), after(at, -1, room - 1)) for at in range(len(own))]
        place |= {(at, -1, room): len(nodes) + at for at in range(len(own))}
        nodes += chain
        for at in range(len(own)):
            for spare in range(1, min(tiles.counts[own[at]], room)):
                place[at, spare, room] = len(nodes)
                nodes.append((*chain[at][:2], after(at, spare, room - 1)))
                nodes += chain[at + 1 :]
    accepts = np.arange(len(nodes)) > 0
    tile, last, keys = (np.array(column) for column in zip(*nodes, strict=True))
    return pack_nodes(tile, accepts, last, np.array([place[tuple(key)] for key in keys.tolist()]))


# -- leaves by name --------------------------------------------------------------------------------

_DATA = Path(__file__).resolve().parents[1] / "data" / "leaves"


def leaves_names() -> tuple[str, ...]:
    """Names that ``find_leaves`` knows: ``zero`` and the bundled tables."""
    return ("zero", *sorted(file.stem for file in _DATA.glob("*.csv")))


@lru_cache(maxsize=64)
def _bundled(name: str) -> Leaves:
    text = (_DATA / f"{name}.csv").read_text("utf-8")
    comments = [line[1:].strip() for line in text.splitlines() if line.startswith("#")]
    return leaves_from_csv(text, find_tile_set(name), name, "\n".join(comments))


def find_leaves(name: str | Path, tiles: TileSet) -> Leaves:
    """Leaves by name (``zero``, ``english``), or from a ``.csv`` or ``.klv2`` file.

    Raises LexiconFileError, also where a bundled table is for other letters.
    """
    if str(name).lower().endswith((".csv", ".klv2", ".klv")):
        return load_leaves(Path(name), tiles)
    if name == "zero":
        return zero_leaves(tiles.kinds)
    if name not in leaves_names():
        raise LexiconFileError(
            f"no leaves {shorten(str(name))}; there are {', '.join(leaves_names())};"
            " or a .csv or .klv2"
        )
    if find_tile_set(str(name)).alphabet_hash != tiles.alphabet_hash:
        raise LexiconFileError(f"leaves {str(name)!r} are not for the letters of {tiles.name!r}")
    return _bundled(str(name))


def default_leaves(tiles: TileSet) -> Leaves:
    """The bundled leaves made for a tile set's letters and points, else leaves worth 0."""
    for name in leaves_names()[1:]:
        own = find_tile_set(name)
        if (own.labels, own.values) == (tiles.labels, tiles.values):
            return _bundled(name)
    return zero_leaves(tiles.kinds)


def load_leaves(path: Path, tiles: TileSet) -> Leaves:
    """Leaves from a ``.csv``, ``.klv2`` or ``.klv`` file. Raises LexiconFileError."""
    data = read_bytes(path, LexiconFileError)
    if path.suffix.lower() != ".csv":
        return read_klv2(data, tiles, str(path))
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise LexiconFileError(f"{path}: not a text file in UTF-8") from None
    return leaves_from_csv(text, tiles, str(path))
