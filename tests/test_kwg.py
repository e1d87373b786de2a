"""KWG files: the oracle's words, the examples of the format, round trips, every fault."""

from __future__ import annotations

import random
import struct
from pathlib import Path

import numpy as np
import pytest
from graph_twin import twin_lexicon
from hypothesis import given
from hypothesis import strategies as st

from engine.errors import LexiconFileError
from engine.lexicon import kwg
from engine.lexicon.kwg import Words, read_kwg, write_kwg
from engine.lexicon.lexicon import Lexicon
from engine.rules.tiles import find_tile_set

EXAMPLE = bytes.fromhex("01004000 03000001 04004003 0000c014 05004001 0600c014 0000c013")
ACCEPTS, LAST = 1 << 23, 1 << 22


def nodes(*values: int) -> bytes:
    return struct.pack(f"<{len(values)}I", *values)


def node(tile: int, arc: int = 0, flags: int = 0) -> int:
    return tile << 24 | flags | arc


def texts(words: Words) -> list[str]:
    return [
        "".join(chr(64 + x) for x in row[:n])
        for row, n in zip(words.rows, words.lengths, strict=True)
    ]


def test_the_example_of_the_format() -> None:
    words = read_kwg(EXAMPLE, 27)
    assert texts(words) == ["AT", "CAT", "CATS"]
    assert words.rows.dtype == words.lengths.dtype == np.uint8
    assert words.rows.tolist() == [[1, 20, 0, 0], [3, 1, 20, 0], [3, 1, 20, 19]]
    assert words.too_long == 0


def test_the_oracles_words(shared: Path) -> None:
    words = read_kwg((shared / "oracle" / "enable.kwg").read_bytes(), 27)
    expected = (shared / "oracle" / "enable.txt").read_text().split()
    assert texts(words) == sorted(expected)


def test_a_big_lexicon_round_trips(shared: Path, enable: Lexicon) -> None:
    words = read_kwg(write_kwg(enable), 27)
    assert texts(words) == sorted((shared / "oracle" / "enable.txt").read_text().split())


@given(st.data())
def test_lexicons_round_trip(data: st.DataObject) -> None:
    tiles = find_tile_set(data.draw(st.sampled_from(["english", "hungarian", "norwegian"])))
    word = st.lists(st.integers(1, tiles.kinds - 1), min_size=2, max_size=9).map(tuple)
    given = data.draw(st.lists(word, max_size=40))
    raw = write_kwg(twin_lexicon(given, tiles))
    read = read_kwg(raw, tiles.kinds)
    rows = [tuple(row[:n].tolist()) for row, n in zip(read.rows, read.lengths, strict=True)]
    assert rows == sorted(set(given))
    assert gaddag_words(raw) == {
        (*w[:cut][::-1], 0, *w[cut:]) for w in given for cut in range(1, len(w))
    } | {w[::-1] for w in given}


def gaddag_words(raw: bytes) -> set[tuple[int, ...]]:
    """Paths of the GADDAG that accept, by a plain walk over the nodes."""
    all_nodes = struct.unpack(f"<{len(raw) // 4}I", raw)
    found = set()

    def walk(at: int, path: tuple[int, ...]) -> None:
        previous = -1
        while at:
            value = all_nodes[at]
            tile = value >> 24
            assert tile > previous
            previous = tile
            if value & ACCEPTS:
                found.add((*path, tile))
            walk(value & (LAST - 1), (*path, tile))
            at = 0 if value & LAST else at + 1

    walk(all_nodes[1] & (LAST - 1), ())
    return found


def test_longer_words_are_left_out_and_counted() -> None:
    words = read_kwg(EXAMPLE, 27, max_length=3)
    assert texts(words) == ["AT", "CAT"]
    assert words.too_long == 1
    assert words.rows.shape == (2, 3)


def test_no_words() -> None:
    assert len(read_kwg(nodes(LAST), 27).rows) == 0
    empty = twin_lexicon([], find_tile_set("english"))
    assert write_kwg(empty) == nodes(LAST, LAST)


def test_unsorted_lists_are_read_and_sorted() -> None:
    raw = nodes(LAST | 1, node(3, 3), node(1, 3, LAST), node(20, 0, ACCEPTS | LAST))
    assert texts(read_kwg(raw, 27)) == ["AT", "CT"]


def test_unreachable_nodes_do_not_matter() -> None:
    loop = (node(1, 8), node(99, 7, LAST), node(5, LAST - 1, 0))
    assert texts(read_kwg(EXAMPLE + nodes(*loop), 27)) == ["AT", "CAT", "CATS"]


def test_nodes_are_little_endian_on_every_machine() -> None:
    with pytest.raises(LexiconFileError, match="04030201"):
        read_kwg(b"\x01\x02\x03\x04", 27)


FAULTS = {
    "no bytes": (b"", "no KWG"),
    "three bytes": (b"\x01\x00\x40", "no KWG"),
    "an odd length": (EXAMPLE + b"\0", "no KWG"),
    "text": (b"AARDVARK", "no root pointer"),
    "an arc past the end": (nodes(LAST | 0x3FFFFF), "runs past"),
    "an inner arc past the end": (nodes(LAST | 1, node(1, 9, LAST)), "runs past"),
    "a list without an end": (nodes(LAST | 1, node(1, 0, ACCEPTS)), "runs past"),
    "two nodes that point at each other": (
        nodes(LAST | 1, node(1, 2, LAST), node(1, 1, LAST)),
        "loop",
    ),
    "a loop with words": (nodes(LAST | 1, node(1, 1, ACCEPTS | LAST)), "loop"),
    "a loop of lists": (
        nodes(LAST | 1, *(node(t, 1, ACCEPTS) for t in range(1, 26)), node(26, 1, LAST)),
        "loop|more than",
    ),
    "a dead end": (nodes(LAST | 1, node(1, 0, LAST)), "dead end"),
    "a tile past the alphabet": (nodes(LAST | 1, node(27, 0, ACCEPTS | LAST)), "tile 27"),
    "a separator in the DAWG": (nodes(LAST | 1, node(0, 0, ACCEPTS | LAST)), "tile 0"),
    "a tile twice": (
        nodes(LAST | 1, node(1, 0, ACCEPTS), node(1, 0, ACCEPTS | LAST)),
        "same tile twice",
    ),
    "too many words": (
        nodes(LAST | 1, *(
            node(t, 0 if level == 9 else 1 + (level + 1) * 26, ACCEPTS | (LAST if t == 26 else 0))
            for level in range(10) for t in range(1, 27)
        )),
        "more than 16777216 words",
    ),
    "a path too long": (
        nodes(LAST | 1, *(node(1, i + 1, LAST) for i in range(1, 100)), node(1, 0, ACCEPTS | LAST)),
        "more than 64 tiles",
    ),
}  # fmt: skip


@pytest.mark.parametrize("fault", FAULTS)
def test_faults_of_a_file(fault: str) -> None:
    raw, message = FAULTS[fault]
    with pytest.raises(LexiconFileError, match=message):
        read_kwg(raw, 27)


def test_random_damage_never_harms() -> None:
    good = write_kwg(twin_lexicon(["AT", "CAT", "CATS", "DOG", "DOGS"], find_tile_set("english")))
    rng = random.Random(5)
    for _ in range(500):
        raw = bytearray(good)
        for _ in range(rng.randint(1, 4)):
            raw[rng.randrange(len(raw))] = rng.randrange(256)
        try:
            words = read_kwg(bytes(raw), 27)
        except LexiconFileError:
            continue
        assert (words.lengths > 0).all()


def test_a_lexicon_too_big_for_the_format(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kwg, "MAX_NODES", 10)
    with pytest.raises(LexiconFileError, match=r"needs \d+ nodes, but a KWG has room for 10"):
        write_kwg(twin_lexicon(["QUIZ", "CATS"], find_tile_set("english")))
