"""Faults of word lists, graph and leave files that other programs really had, each put right."""

from __future__ import annotations

import struct
from pathlib import Path

import pytest

from engine.app.library import load_lexicon
from engine.errors import LexiconFileError
from engine.game.position import Position
from engine.lexicon.files import read_lexicon, write_lexicon
from engine.lexicon.kwg import read_kwg
from engine.lexicon.leave_files import leaves_from_csv
from engine.lexicon.lexicon import Lexicon
from engine.rules.tiles import find_tile_set
from lexicon_build.wordlist import WordList, read_word_list

ENGLISH = find_tile_set("english")


def read(data: bytes, folder: Path, tiles: str = "english") -> WordList:
    path = folder / "words.txt"
    path.write_bytes(data)
    return read_word_list(path, find_tile_set(tiles))


def texts(words: WordList) -> list[str]:
    rows = zip(words.rows.tolist(), words.lengths.tolist(), strict=True)
    return [ENGLISH.format_word(row[:length]) for row, length in rows]


def test_lx01_carriage_returns_are_no_part_of_a_word(tmp_path: Path) -> None:
    for data in (b"AA\r\nAB\r\n", b"AA\rAB", b"AA\nAB"):
        assert texts(read(data, tmp_path)) == ["AA", "AB"]


def test_lx03_a_utf_16_list_is_decoded_by_its_bom(tmp_path: Path) -> None:
    assert len(read(b"\xff\xfeA\x00A\x00\n\x00", tmp_path)) == 1
    assert texts(read("AA\nAB".encode("utf-16"), tmp_path)) == ["AA", "AB"]
    with pytest.raises(LexiconFileError, match="UTF-8"):
        read(b"AA\n\xff\xfe\xfd\n", tmp_path)


def test_lx04_a_rebuilt_lexicon_holds_the_new_list_alone(tmp_path: Path) -> None:
    path = tmp_path / "x.qlx"
    write_lexicon(path, load_lexicon(["AA", "AB"]))
    first = load_lexicon(path)
    write_lexicon(path, load_lexicon(["AB", "AD"]))
    second = load_lexicon(path)
    assert len(second) == 2
    assert "AA" not in second
    assert "AD" in second
    assert "AA" in first


def test_lx06_what_is_no_word_is_reported_with_its_line(tmp_path: Path) -> None:
    words = read(b"ab\nDON'T\nX-RAY\nCO2\n\n  AD  \n", tmp_path)
    assert texts(words) == ["AB", "AD"]
    (rejected,) = words.rejected.values()
    assert rejected.examples == ((2, "DON'T"), (3, "X-RAY"), (4, "CO2"))
    assert words.rejections == 3


def test_lx07_an_empty_list_is_a_lexicon_without_words(tmp_path: Path) -> None:
    (tmp_path / "words.txt").write_bytes(b"")
    empty = load_lexicon(tmp_path / "words.txt")
    write_lexicon(tmp_path / "e.qlx", empty)
    for lexicon in (empty, read_lexicon(tmp_path / "e.qlx")):
        assert len(lexicon) == 0
        assert list(lexicon) == []
        assert "A" not in lexicon
        assert "" not in lexicon
        position = Position.new(lexicon=lexicon, rack="AEINRST")
        assert [str(p.play) for p in position.plays() if p.play.kind == "play"] == []


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\x01\x00\x40",
        struct.pack("<I", 1 << 22 | 0x3FFFFF),
        struct.pack("<III", 1 << 22 | 1, 1 << 24 | 1 << 22 | 2, 1 << 24 | 1 << 22 | 1),
        struct.pack("<II", 1 << 22 | 1, 1 << 24 | 3 << 22 | 1),
        bytes((1 << 24) + 4),
    ],
    ids=["empty", "three bytes", "arc past the end", "two nodes", "loop with words", "too many"],
)
def test_lx09_a_corrupt_graph_is_an_error_in_no_time(data: bytes) -> None:
    with pytest.raises(LexiconFileError):
        read_kwg(data, ENGLISH.kinds)


def test_lx10_graph_nodes_are_little_endian() -> None:
    with pytest.raises(LexiconFileError, match="04030201"):
        read_kwg(b"\x01\x02\x03\x04", ENGLISH.kinds)
    at = bytes.fromhex("01004000 02004001 0000c014")
    assert read_kwg(at, ENGLISH.kinds).rows.tolist() == [[1, 20]]


def test_lx12_the_order_of_tiles_does_not_change_a_leaves_value() -> None:
    leaves = leaves_from_csv("AER,3.0\n", ENGLISH, "x")
    values = [
        leaves.value([ENGLISH.labels.index(c) for c in text]) for text in ("AER", "REA", "EAR")
    ]
    assert values == [3000, 3000, 3000]


def test_lx13_every_bad_row_of_a_leave_file_is_named() -> None:
    with pytest.raises(LexiconFileError) as caught:
        leaves_from_csv("AB,1.0\nBA,2.0\nA1,3\nQ,\n", ENGLISH, "x")
    message = str(caught.value)
    assert "line 2: BA is AB of line 1" in message
    assert "line 3: 'A1': english has no tile '1'" in message
    assert "line 4: no value" in message


def test_lx15_a_lexicon_of_other_tiles_is_refused_by_name() -> None:
    spanish: Lexicon = load_lexicon(["NIÑO", "CALLE", "PERRO"], find_tile_set("spanish"))
    with pytest.raises(LexiconFileError, match=r"'english': .*lacks: CH LL Ñ RR and no tiles: K W"):
        spanish.check_tiles(ENGLISH)
    with pytest.raises(LexiconFileError, match="lacks: CH LL Ñ RR"):
        Position.new(rules="english", lexicon=spanish, rack="A")
