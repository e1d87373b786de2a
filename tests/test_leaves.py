"""Leave values: the index, the rule for longer leaves, CSV and KLV2, every fault."""

from __future__ import annotations

import contextlib
import json
import random
import struct
import tempfile
import time
import zlib
from collections import Counter
from itertools import combinations_with_replacement
from pathlib import Path
from typing import Any

import naive
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.errors import LexiconFileError
from engine.lexicon.leave_catalog import default_leaves, find_leaves
from engine.lexicon.leave_files import (
    KIND,
    format_csv,
    leaves_from_csv,
    load_leaves,
    read_header,
    read_klv2,
    write_klv2,
    write_leaves,
)
from engine.lexicon.leaves import (
    Leaves,
    extend,
    multiset_tables,
    multisets,
    table_size,
    zero_leaves,
)
from engine.lexicon.packed import pack
from engine.rules.tiles import TileSet, find_tile_set

ENGLISH = find_tile_set("english")
ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
EXAMPLE = bytes.fromhex(
    "04000000 01004000 00008000 03008001 0000c002 04000000 0000c841 0000c03f 000000c0 000050c0"
)


def small(counts: tuple[int, ...] = (1, 3, 2, 0, 1)) -> TileSet:
    labels = ("?", "A", "B", "C", "D", "E", "F")[: len(counts)]
    n = len(labels)
    return TileSet(
        "small", labels, tuple(x.lower() for x in labels), counts, (1,) * n, (False,) * n
    )


def table(kinds: int, max_len: int, seed: int) -> tuple[Leaves, naive.LeaveTable]:
    """Random leaves, and the naive twin."""
    rng = random.Random(seed)
    every = naive.multisets(kinds, max_len)
    values = {some: rng.randint(-40_000, 40_000) for some in every}
    values[()] = 0
    array = np.array([values[some] for some in every], np.int32)
    return Leaves("random", kinds, max_len, array), naive.LeaveTable(values, max_len)


def test_the_order_of_a_table() -> None:
    for kinds, max_len in ((2, 5), (5, 3), (27, 2), (64, 2)):
        every = naive.multisets(kinds, max_len)
        leaves = Leaves("x", kinds, max_len, np.zeros(len(every), np.int32))
        assert [leaves.index(some) for some in every] == list(range(len(every)))
        rows = [tuple(row) for size in multisets(kinds, max_len) for row in size.tolist()]
        assert rows == every[1:]
        offset, choose = multiset_tables(kinds, max_len)
        assert offset[-1] == len(every) == table_size(kinds, max_len)
        assert choose.shape == (max_len + 1, kinds)


@given(st.integers(1, 4), st.integers(0, 99), st.lists(st.integers(0, 4), max_size=7))
def test_values_are_those_of_the_naive_table(max_len: int, seed: int, kept: list[int]) -> None:
    leaves, twin = table(5, max_len, seed)
    assert leaves.value(kept) == twin(kept)


def test_an_extended_table_has_the_same_values() -> None:
    leaves, twin = table(4, 2, 1)
    longer = extend(leaves, 6)
    assert longer.max_len == 6
    for size in range(7):
        for kept in combinations_with_replacement(range(4), size):
            assert longer.value(kept) == twin(kept)
    assert extend(longer, 3) is longer
    with pytest.raises(LexiconFileError, match="too large"):
        extend(zero_leaves(64), 9)


def test_worths_of_tiles_add_up_at_any_length() -> None:
    worths = np.random.default_rng(1).integers(-8000, 25_000, 28).astype(np.int32)
    worths[0] = 0
    leaves = extend(Leaves("worths", 27, 1, worths), 4)
    for rack in ("A", "AEINST?", "??", "QQQQQQQQQ", "ABCDEFGHIJKL"):
        letters = ENGLISH.parse_rack(rack)
        assert leaves.value(letters) == sum(int(worths[1 + x]) for x in letters)


def test_bundled_english_leaves_have_the_shape_that_is_known() -> None:
    english = find_leaves("english", ENGLISH)

    def points(rack: str) -> float:
        return english.value(ENGLISH.parse_rack(rack)) / 1000

    assert 24 < points("?") < 30
    assert 6 < points("S") < 10
    assert points("Q") < 0 < points("QU") + 3
    assert min(points(x) for x in ALPHABET) == min(points("Q"), points("V"))
    offset, _ = multiset_tables(27, 6)
    six = english.values[offset[6] : offset[7]]
    rows = list(multisets(27, 6))[-1]
    without_blank = six[(rows != 0).all(axis=1)]
    better = int((without_blank > english.value(ENGLISH.parse_rack("AEINST"))).sum())
    assert better < 12


def test_leaves_by_name() -> None:
    assert find_leaves("zero", ENGLISH).value((0, 1, 2)) == 0
    assert find_leaves("english", ENGLISH) is find_leaves("english", ENGLISH)
    assert default_leaves(ENGLISH) == default_leaves(ENGLISH.for_super_board())
    assert default_leaves(ENGLISH).name == "english"
    for other in ("spanish", "french", "dutch"):
        assert default_leaves(find_tile_set(other)).name == "zero"
    with pytest.raises(LexiconFileError, match="no leaves 'x'; there are zero, english"):
        find_leaves("x", ENGLISH)
    with pytest.raises(LexiconFileError, match="not for the letters of 'polish'"):
        find_leaves("english", find_tile_set("polish"))
    with pytest.raises(LexiconFileError, match=r"none\.csv: No such file"):
        find_leaves("none.csv", ENGLISH)


def test_a_table_of_the_wrong_shape_is_refused() -> None:
    for values in (np.zeros(5, np.int32), np.zeros(4, np.int64), np.array([1, 0, 0, 0], np.int32)):
        with pytest.raises(LexiconFileError):
            Leaves("x", 3, 1, values)


def test_leaves_cannot_be_changed_and_compare_by_value() -> None:
    leaves, _ = table(3, 2, 1)
    with pytest.raises(ValueError, match="read-only"):
        leaves.values[1] = 1
    assert leaves == table(3, 2, 1)[0] != table(3, 2, 2)[0]
    assert hash(leaves) == hash(table(3, 2, 1)[0])


# -- CSV -------------------------------------------------------------------------------------------


def test_csv_in_any_order_with_comments() -> None:
    text = "\ufeff# from somewhere\r\n BA , 1.5 \r\n\r\n?,25\r\nA,-0.0004\r\n"
    leaves = leaves_from_csv(text, ENGLISH, "x")
    values = [leaves.value(ENGLISH.parse_rack(rack)) for rack in ("AB", "BA", "?", "A", "B")]
    assert values == [1500, 1500, 25_000, 0, 0]
    assert leaves.max_len == 2


def test_csv_round_trips() -> None:
    for tiles in (ENGLISH, find_tile_set("hungarian"), find_tile_set("spanish")):
        size = table_size(tiles.kinds, 2)
        values = np.random.default_rng(1).integers(-99_999, 99_999, size).astype(np.int32)
        values[0] = values[100:200] = 0
        leaves = Leaves("x", tiles.kinds, 2, values, "an origin\nof two lines")
        assert leaves_from_csv(format_csv(leaves, tiles), tiles, "x") == leaves
        zero = zero_leaves(tiles.kinds)
        assert leaves_from_csv(format_csv(zero, tiles), tiles, "zero") == zero


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("", "no values"),
        ("A,1\nA,2\n", "line 2: A is A of line 1"),
        ("AB,1\n#\nBA,2\n", "line 3: BA is AB of line 1"),
        ("A1,1\n", "line 1: .*no tile '1'"),
        ("a,1\n", "lower case"),
        ("A\n", "no value"),
        ("A,\n", "no value"),
        (",1\n", "no tiles"),
        ("A,x\n", "'x' is not a number"),
        ("A,nan\n", "not a number"),
        ("A,inf\n", "not a number"),
        ("A,1_0\n", "not a number"),
        ("A,1e9\n", "not a number of points"),
        ("A,1,2\n", "'1,2' is not a number"),
        ("A" * 20 + ",1\n", "20 tiles is too long"),
    ],
)
def test_faults_of_a_csv(text: str, fault: str) -> None:
    with pytest.raises(LexiconFileError, match=fault) as caught:
        leaves_from_csv(text, ENGLISH, "x")
    assert "\n" not in str(caught.value)


def test_many_bad_rows_are_counted() -> None:
    with pytest.raises(LexiconFileError, match="and 900 more"):
        leaves_from_csv("A1,1\n" * 1000, ENGLISH, "x")


# -- KLV2 ------------------------------------------------------------------------------------------


def test_the_example_of_the_format() -> None:
    leaves = read_klv2(EXAMPLE, ENGLISH, "x")
    values = [leaves.value(ENGLISH.parse_rack(rack)) for rack in ("?", "A", "BA", "B", "C", "AC")]
    assert values == [25_000, 1_500, -2_000, -3_250, 0, 0]


def test_the_older_klv_is_told_by_its_size() -> None:
    old = EXAMPLE[:24] + struct.pack("<4h", 25 * 256, 384, -512, -832)
    assert read_klv2(old, ENGLISH, "x") == read_klv2(EXAMPLE, ENGLISH, "x")


def test_an_empty_klv() -> None:
    leaves = read_klv2(bytes.fromhex("01000000 00004000 00000000"), ENGLISH, "x")
    assert not leaves.values.any()


def test_the_oracles_leaves_fast(shared: Path) -> None:
    data = (shared / "oracle" / "leaves.klv2").read_bytes()
    start = time.perf_counter()
    leaves = read_klv2(data, ENGLISH, "x")
    assert time.perf_counter() - start < 0.5
    known = {"?": 28_656, "Q": -6_290, "?I": 27_727, "AEINST": 33_793, "?DLQSV": 5_591}
    assert {rack: leaves.value(ENGLISH.parse_rack(rack)) for rack in known} == known
    assert leaves.max_len == 6
    again = write_klv2(leaves, ENGLISH)
    assert struct.unpack_from("<I", again, 4 + 4 * struct.unpack_from("<I", again)[0]) == (914_624,)
    assert read_klv2(again, ENGLISH, "x") == leaves


@given(st.lists(st.integers(0, 4), min_size=2, max_size=6), st.integers(1, 5), st.integers(0, 9))
def test_a_written_klv2_holds_every_drawable_leave(
    counts: list[int], max_len: int, seed: int
) -> None:
    if not sum(counts):
        counts[0] = 1
    tiles = small(tuple(counts))
    leaves, twin = table(tiles.kinds, 1 + seed % 3, seed)
    raw = write_klv2(leaves, tiles, max_len)
    bag = Counter(dict(enumerate(tiles.counts)))
    drawable = [some for some in naive.multisets(tiles.kinds, max_len)[1:] if Counter(some) <= bag]
    count = struct.unpack_from("<I", raw, 4 + 4 * struct.unpack_from("<I", raw)[0])[0]
    assert count == len(drawable)
    again = read_klv2(raw, tiles, "x")
    for some in drawable:
        assert again.value(some) == twin(some)


FAULTS = {
    "no bytes": b"",
    "three bytes": b"\0\0\0",
    "an absurd number of nodes": struct.pack("<II", 0xFFFFFFFF, 0x400000),
    "no nodes": bytes(8),
    "no values": EXAMPLE[:20],
    "an absurd number of values": EXAMPLE[:20] + b"\xff\xff\xff\xff" + EXAMPLE[24:],
    "too few values": EXAMPLE[:-4],
    "an odd length": EXAMPLE[:-1],
    "too many values": EXAMPLE + bytes(4),
    "fewer leaves than values": EXAMPLE[:20] + struct.pack("<I5f", 5, *range(5)),
    "a value that is no number": EXAMPLE[:-4] + struct.pack("<f", float("nan")),
    "an infinite value": EXAMPLE[:-4] + struct.pack("<f", float("inf")),
    "an arc past the end": struct.pack("<II", 1, 1 << 22 | 9) + bytes(4),
    "a loop": struct.pack("<III", 2, 1 << 22 | 1, 1 << 24 | 3 << 22 | 1) + bytes(4),
    "tiles that are not sorted": struct.pack(
        "<IIIIIff", 3, 1 << 22 | 1, 2 << 24 | 3 << 22 | 2, 1 << 24 | 3 << 22, 2, 1, 1
    ),
    "a leave twice": struct.pack(
        "<IIIIIff", 3, 1 << 22 | 1, 2 << 24 | 1 << 23, 2 << 24 | 3 << 22, 2, 1, 1
    ),
    "a leave too long for a table": struct.pack("<II", 21, 1 << 22 | 1)
    + b"".join(struct.pack("<I", 1 << 24 | 3 << 22 | (i + 1) % 21) for i in range(1, 21))
    + struct.pack("<I20f", 20, *range(20)),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_faults_of_a_klv2(fault: str) -> None:
    with pytest.raises(LexiconFileError, match="leaves 'x'"):
        read_klv2(FAULTS[fault], ENGLISH, "x")


def test_random_damage_never_harms() -> None:
    good = write_klv2(table(5, 3, 1)[0], small())
    rng = random.Random(5)
    for _ in range(300):
        raw = bytearray(good)
        raw[rng.randrange(len(raw))] = rng.randrange(256)
        with contextlib.suppress(LexiconFileError):
            read_klv2(bytes(raw), small(), "x")


# -- the project's own file ------------------------------------------------------------------------


@st.composite
def _tables(draw: st.DrawFn) -> Leaves:
    unit, longest = draw(st.sampled_from((1, 10, 100))), draw(st.integers(1, 2))
    values = st.lists(
        st.integers(-3276, 3276), min_size=(n := table_size(27, longest) - 1), max_size=n
    )
    numbers = np.array([0, *draw(values)], np.int32) * unit
    return Leaves("own", 27, longest, numbers, "from a test")


@given(_tables())
def test_own_file_gives_back_name_values_and_origin(leaves: Leaves) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "own.qlv"
        write_leaves(path, leaves, ENGLISH, {"games": 1})
        read = load_leaves(path, ENGLISH)
        assert (read, read.origin) == (leaves, leaves.origin)
        assert read_header(path)[0]["training"] == {"games": 1}


def test_values_past_16_bits_are_rounded_to_a_unit_that_fits(tmp_path: Path) -> None:
    values = np.zeros(28, np.int32)
    values[1:3] = 40_004, -41_006
    write_leaves(tmp_path / "a.qlv", Leaves("a", 27, 1, values), ENGLISH)
    assert load_leaves(tmp_path / "a.qlv", ENGLISH).values[1:3].tolist() == [40_000, -41_010]


def test_own_file_for_other_letters_is_refused(tmp_path: Path) -> None:
    write_leaves(tmp_path / "a.qlv", zero_leaves(27), ENGLISH)
    with pytest.raises(LexiconFileError, match="not for the letters of 'finnish'"):
        load_leaves(tmp_path / "a.qlv", find_tile_set("finnish"))


def test_a_damaged_own_file_is_refused_wherever_it_is_hit(tmp_path: Path) -> None:
    path = tmp_path / "a.qlv"
    write_leaves(path, Leaves("a", 27, 1, np.arange(28, dtype=np.int32)), ENGLISH)
    data = path.read_bytes()
    for at in range(len(data)):
        path.write_bytes(data[:at] + bytes([data[at] ^ 0x41]) + data[at + 1 :])
        with pytest.raises(LexiconFileError):
            load_leaves(path, ENGLISH)
    for length in range(len(data)):
        path.write_bytes(data[:length])
        with pytest.raises(LexiconFileError):
            load_leaves(path, ENGLISH)


@pytest.mark.parametrize(
    "change",
    [
        {"max_len": 2},
        {"max_len": True},
        {"unit_mp": 0},
        {"unit_mp": 10**9},
        {"labels": "ABC"},
        {"labels": [1] * 27},
        {"training": []},
        {"name": None},
    ],
)
def test_a_header_that_does_not_hold_together_is_refused(
    tmp_path: Path, change: dict[str, Any]
) -> None:
    header = {
        "name": "a",
        "labels": list(ENGLISH.labels),
        "max_len": 1,
        "unit_mp": 10,
        "origin": "",
        "training": {},
    }
    numbers = np.arange(28, dtype="<i2")
    path = tmp_path / "a.qlv"
    path.write_bytes(pack(KIND, header, numbers))
    load_leaves(path, ENGLISH)
    path.write_bytes(pack(KIND, header | change, numbers))
    with pytest.raises(LexiconFileError, match=r"a\.qlv"):
        load_leaves(path, ENGLISH)


@pytest.mark.parametrize("array", [["<i2", [10**9], 5, 0], ["<f8", [28], 5, 0], [], None, "x"])
def test_an_array_that_cannot_be_is_refused_before_it_is_unpacked(
    tmp_path: Path, array: Any
) -> None:
    body = json.dumps({"array": array}).encode()
    path = tmp_path / "a.qlv"
    sizes = len(body).to_bytes(4, "little") + zlib.crc32(body).to_bytes(4, "little")
    path.write_bytes(KIND + sizes + body)
    with pytest.raises(LexiconFileError, match="its array is"):
        load_leaves(path, ENGLISH)
