"""Leave files: the project's own, CSV, KLV2 and KLV.

The own file (``.qlv``, engine/lexicon/packed.py) holds every value of a table in order, as
multiples of ``unit_mp`` millipoints, and in its header the letters that it is for and the record of
its training.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from engine.errors import LexiconFileError, NotationError, shorten
from engine.files import decode, read_bytes
from engine.lexicon.files import replace_file
from engine.lexicon.kwg import Dawg, levels, pack_nodes, read_dawg
from engine.lexicon.leaves import (
    MAX_POINTS,
    MAX_VALUES,
    Ints,
    Leaves,
    check_size,
    extend,
    multiset_tables,
    multisets,
    table_size,
)
from engine.lexicon.packed import are_labels, is_name, pack, read_packed
from engine.rules.tiles import TileSet

KIND = b"QXLEAVE\x01"
ENDINGS = (".qlv", ".csv", ".klv2", ".klv")
_ROWS_SHOWN = 100  # bad rows named in an error

# -- the own file ----------------------------------------------------------------------------------


def write_leaves(
    path: Path, leaves: Leaves, tiles: TileSet, training: dict[str, Any] | None = None
) -> None:
    """Write leaves as a ``.qlv`` file, ``training`` (as JSON takes it) in its header.

    Exact where every value is a multiple of a unit with which all fit into 16 bits; the others are
    rounded to the smallest of 1, 10, 100, .. millipoints that lets them fit. Raises
    LexiconFileError.
    """
    unit = next(10**n for n in range(9) if np.abs(leaves.values).max() < 32767.5 * 10**n)
    if unit == 1:  # larger units make smaller files
        unit = next(n for n in (100, 50, 20, 10, 5, 2, 1) if not (leaves.values % n).any())
    header = {
        "name": leaves.name,
        "labels": list(tiles.labels),
        "max_len": leaves.max_len,
        "unit_mp": unit,
        "origin": leaves.origin,
        "training": training or {},
    }
    numbers = np.rint(leaves.values / unit).astype("<i2")
    replace_file(path, [pack(KIND, header, numbers)])


def read_leaves(path: Path, tiles: TileSet) -> Leaves:
    """Leaves from a ``.qlv`` file. Raises LexiconFileError, also where it is for other letters."""
    header, numbers = read_header(path)
    if tuple(header["labels"]) != tiles.labels:
        raise LexiconFileError(f"{path}: these leaves are not for the letters of {tiles.name!r}")
    values = numbers.astype(np.int32) * header["unit_mp"]
    return Leaves(header["name"], tiles.kinds, header["max_len"], values, header["origin"])


def read_header(path: Path) -> tuple[dict[str, Any], np.ndarray[Any, Any]]:
    """Header of a ``.qlv`` file, checked, and its numbers in units of ``unit_mp``, int16.

    Raises LexiconFileError.
    """
    header, numbers = read_packed(path, KIND, "leave file")
    match header:
        case {
            "name": str(),
            "labels": labels,
            "max_len": int(longest),
            "unit_mp": int(unit),
            "origin": str(),
            "training": dict(),
        } if (
            is_name(header["name"])
            and are_labels(labels)
            and type(longest) is type(unit) is int
            and 1 <= longest <= 15
            and 1 <= unit <= MAX_POINTS
        ):
            pass
        case _:
            raise LexiconFileError(f"{path}: its header is not that of a leave file")
    size = table_size(len(labels), longest)
    if numbers.dtype != np.dtype("<i2") or numbers.shape != (size,) or numbers[0]:
        raise LexiconFileError(
            f"{path}: {numbers.shape} {numbers.dtype} values for leaves of up to {longest} of"
            f" {len(labels)} kinds of tile, expected {size} of int16, the first 0"
        )
    if int(np.abs(numbers.astype(np.int64)).max()) * unit > MAX_POINTS * 1000:
        raise LexiconFileError(f"{path}: a value is past {MAX_POINTS} points")
    return header, numbers


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
    check_size(name, tiles.kinds, longest)
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


def load_leaves(path: Path, tiles: TileSet) -> Leaves:
    """Leaves from a file of one of ENDINGS. Raises LexiconFileError."""
    ending = path.suffix.lower()
    if ending == ".qlv":
        return read_leaves(path, tiles)
    data = read_bytes(path, LexiconFileError)
    if ending != ".csv":
        return read_klv2(data, tiles, str(path))
    return leaves_from_csv(decode(data, path, LexiconFileError), tiles, str(path))
