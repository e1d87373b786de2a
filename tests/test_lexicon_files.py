"""The lexicon in memory and its .qlx file: round trips, and every sort of damage."""

from __future__ import annotations

import contextlib
import json
import os
import pickle
import random
import subprocess
import sys
import zlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from graph_twin import dawg_words, gaddag_paths, twin_lexicon
from hypothesis import given
from hypothesis import strategies as st

from engine.errors import LexiconFileError
from engine.lexicon.catalog import built_path, find_lexicon, lexicon_files
from engine.lexicon.check import check_graph
from engine.lexicon.files import read_info, read_lexicon, replace_file, write_lexicon
from engine.lexicon.lexicon import Lexicon, from_key, to_key
from engine.rules.tiles import TileSet, find_tile_set
from lexicon_build.graph import build_graph

WORDS = ["AA", "AB", "ABLE", "CAT", "CATS", "QUIZ", "ZAX"]
REPO = Path(__file__).resolve().parents[1]


@pytest.fixture
def lexicon(english: TileSet) -> Lexicon:
    return twin_lexicon(WORDS, english)


@pytest.fixture
def english() -> TileSet:
    return find_tile_set("english")


@st.composite
def lexicons(draw: st.DrawFn) -> Lexicon:
    tiles = find_tile_set(draw(st.sampled_from(["english", "hungarian", "norwegian", "spanish"])))
    word = st.lists(st.integers(1, tiles.kinds - 1), min_size=2, max_size=9)
    return twin_lexicon(draw(st.lists(word, max_size=40)), tiles)


# -- in memory -------------------------------------------------------------------------------------


def test_words_are_found_in_any_case_and_nothing_else(lexicon: Lexicon) -> None:
    assert "QUIZ" in lexicon
    assert "quiz" in lexicon
    assert "Q.U.I.Z" in lexicon
    assert "QUI" not in lexicon
    assert "" not in lexicon
    assert "QUÍZ" not in lexicon
    assert (1, 2) in lexicon
    assert (1, 2 | 0x80) in lexicon
    assert (0, 1) not in lexicon
    assert (1, 200) not in lexicon
    assert 7 not in lexicon
    assert len(lexicon) == 7
    assert [lexicon.format(word) for word in lexicon] == WORDS


def test_digraph_tiles_are_one_letter() -> None:
    hungarian = twin_lexicon(["K.Ö.Z.S.É.G", "CS.A.K"], find_tile_set("hungarian"))
    assert "csak" in hungarian
    assert "K.Ö.Z.S.É.G" in hungarian
    assert "KÖZSÉG" not in hungarian  # the longest tile wins: ZS
    assert [hungarian.format(word) for word in hungarian] == ["CSAK", "K.Ö.Z.S.É.G"]


def test_lower_case_follows_the_language_also_after_a_round_trip(tmp_path: Path) -> None:
    turkish = twin_lexicon(["ISI", "İZ"], find_tile_set("turkish"))
    write_lexicon(tmp_path / "t.qlx", turkish)
    for lexicon in (turkish, read_lexicon(tmp_path / "t.qlx")):
        assert "ısı" in lexicon
        assert "iz" in lexicon
        assert "isi" not in lexicon
        assert "ız" not in lexicon


def test_a_lexicon_cannot_be_changed(lexicon: Lexicon) -> None:
    with pytest.raises(AttributeError):
        lexicon.wide = True
    with pytest.raises(ValueError, match="read-only"):
        lexicon.graph[0] = 1


def test_a_lexicon_can_be_sent_to_another_process(lexicon: Lexicon, tmp_path: Path) -> None:
    write_lexicon(tmp_path / "l.qlx", lexicon)
    for opened in (lexicon, read_lexicon(tmp_path / "l.qlx")):
        copy = pickle.loads(pickle.dumps(opened))
        assert copy == lexicon
        assert hash(copy) == hash(lexicon)
        assert np.array_equal(copy.graph, lexicon.graph)


def test_tiles_of_another_alphabet_are_named(lexicon: Lexicon, english: TileSet) -> None:
    lexicon.check_tiles(english)
    with pytest.raises(LexiconFileError, match=r"'twin' .*'polish'.* lacks: Q V X and no tiles: Ą"):
        lexicon.check_tiles(find_tile_set("polish"))


@given(st.lists(st.integers(1, 63), max_size=15))
def test_keys_and_letters(letters: list[int]) -> None:
    assert from_key(to_key(letters)) == tuple(letters)


# -- the graph -------------------------------------------------------------------------------------


@given(lexicons())
def test_the_twins_graph_holds_the_words(lexicon: Lexicon) -> None:
    words = list(lexicon)
    assert sorted(dawg_words(lexicon)) == words
    expected = {word[::-1] for word in words}
    expected |= {(*w[:cut][::-1], 0, *w[cut:]) for w in words for cut in range(1, len(w))}
    assert set(gaddag_paths(lexicon)) == expected
    roots = lexicon.dawg_root, lexicon.gaddag_root
    check_graph(lexicon.graph, *roots, lexicon.info.kinds, lexicon.wide)


@given(lexicons())
def test_the_real_builder_makes_the_twins_graph(lexicon: Lexicon) -> None:
    words = list(lexicon)
    longest = max(map(len, words), default=2)
    rows = np.zeros((len(words), longest), np.uint8)
    for row, word in zip(rows, words, strict=True):
        row[: len(word)] = word
    lengths = np.array([len(word) for word in words], np.uint8)
    real = Lexicon(lexicon.info, *build_graph(rows, lengths, lexicon.info.kinds), lexicon.trie)
    assert sorted(dawg_words(real)) == sorted(dawg_words(lexicon))
    assert sorted(gaddag_paths(real)) == sorted(gaddag_paths(lexicon))
    assert len(real.graph) == len(lexicon.graph)
    check_graph(real.graph, real.dawg_root, real.gaddag_root, real.info.kinds, real.wide)


@pytest.mark.parametrize(
    ("words", "roots", "wide", "fault"),
    [
        ([0, 2, 1], (1, 3), False, "outside"),
        ([0, 2, 1], (-1, 0), False, "outside"),
        ([], (0, 0), False, "outside"),
        ([0], (0, 0), True, "outside"),
        ([1, 2, 1], (1, 0), False, "without letters"),
        ([0, 2], (1, 0), False, "runs past"),
        ([0, 0, 2], (2, 0), True, "runs past"),
        ([0, 1 << 27, 1], (1, 0), False, "alphabet lacks"),
        ([0, 0, 0, 1 << 31, 1], (2, 0), True, "alphabet lacks"),
        ([0, 2, 3], (1, 0), False, "not after its parent"),
        ([0, 2, 9], (1, 0), False, "outside the graph"),
        ([0, 6, 5, 1], (1, 0), False, "overlap"),
        ([0, 0, 2, 1], (1, 0), True, "overlap"),
        ([0, 2, 6, 1, 8, 1], (1, 0), False, "separator inside"),
        ([0, 1, 7, 2, 1], (0, 1), False, "separator that ends"),
        ([0, 1, 0], (0, 1), False, "separator that ends"),
        ([0, 2, 0], (1, 0), False, "leads nowhere"),
        ([0, 2, 6, 0], (1, 0), False, "without letters"),
    ],
)
def test_faults_of_a_graph(
    words: list[int], roots: tuple[int, int], wide: bool, fault: str
) -> None:
    with pytest.raises(LexiconFileError, match=fault):
        check_graph(np.array(words, np.uint32), *roots, 27, wide)


def test_a_random_graph_never_harms() -> None:
    rng = np.random.default_rng(3)
    for _ in range(300):
        graph = rng.integers(0, 40, 30).astype(np.uint32)
        graph[0] = 0
        with contextlib.suppress(LexiconFileError):
            check_graph(graph, *(int(x) for x in rng.integers(0, 30, 2)), 27, bool(rng.integers(2)))


# -- the file --------------------------------------------------------------------------------------


@given(lexicons())
def test_a_file_round_trips(tmp_path_factory: pytest.TempPathFactory, lexicon: Lexicon) -> None:
    path = tmp_path_factory.getbasetemp() / "round.qlx"
    write_lexicon(path, lexicon)
    again = read_lexicon(path)
    assert again == lexicon
    assert again.info == lexicon.info == read_info(path)
    assert np.array_equal(again.graph, lexicon.graph)
    assert (again.dawg_root, again.gaddag_root, again.wide) == (
        lexicon.dawg_root,
        lexicon.gaddag_root,
        lexicon.wide,
    )
    first = path.read_bytes()
    write_lexicon(path, again)
    assert path.read_bytes() == first


def test_a_lexicon_outlives_the_replacement_of_its_file(lexicon: Lexicon, tmp_path: Path) -> None:
    path = tmp_path / "l.qlx"
    write_lexicon(path, lexicon)
    opened = read_lexicon(path)
    write_lexicon(path, twin_lexicon(["ZZZ"], lexicon.info.tiles))
    assert np.array_equal(opened.graph, lexicon.graph)
    assert len(read_lexicon(path)) == 1


def _use(path: Path) -> Lexicon:
    lexicon = read_lexicon(path)
    assert len(lexicon.graph)
    return lexicon


def test_any_damaged_byte_is_noticed(lexicon: Lexicon, tmp_path: Path) -> None:
    path = tmp_path / "l.qlx"
    write_lexicon(path, lexicon)
    good = path.read_bytes()
    header = json.loads(good[16 : 16 + int.from_bytes(good[8:12], "little")])
    covered = set(range(16 + int.from_bytes(good[8:12], "little")))
    for offset, size, _ in header["sections"].values():
        covered |= set(range(offset, offset + size))
    rng = random.Random(1)
    for at in sorted(rng.sample(sorted(covered), 400)) + list(range(16)):
        damaged = bytearray(good)
        damaged[at] ^= 1 << rng.randrange(8)
        path.write_bytes(damaged)
        with pytest.raises(LexiconFileError, match=r"l\.qlx"):
            _use(path)


def test_any_missing_or_added_bytes_are_noticed(lexicon: Lexicon, tmp_path: Path) -> None:
    path = tmp_path / "l.qlx"
    write_lexicon(path, lexicon)
    good = path.read_bytes()
    for data in [good[:n] for n in range(0, len(good), 7)] + [good + b"\0", good + good]:
        path.write_bytes(data)
        with pytest.raises(LexiconFileError, match=r"l\.qlx"):
            read_lexicon(path)


def _forge(path: Path, change: dict[str, Any], data: bytes) -> None:
    """The file with another header, checksums right."""
    length = int.from_bytes(data[8:12], "little")
    header = json.loads(data[16 : 16 + length]) | change
    text = json.dumps({k: v for k, v in header.items() if v != "gone"}).encode()
    assert len(text) <= length
    text = text.ljust(length)
    start = data[:12] + zlib.crc32(text).to_bytes(4, "little")
    path.write_bytes(start + text + data[16 + length :])


@pytest.mark.parametrize(
    "change",
    [
        {"words": "7"},
        {"words": 8},
        {"words": -1},
        {"words": True},
        {"longest": 1.5},
        {"name": None},
        {"licence": "gone"},
        {"labels": "?AB"},
        {"labels": ["?", 1]},
        {"labels": ["?"]},
        {"labels": ["A", "B"]},
        {"labels": ["?", "A", "B"], "blank_labels": []},
        {"alphabet_hash": "0" * 16},
        {"aliases": [["a"]]},
        {"dawg_root": 100_000},
        {"gaddag_root": -1},
        {"dawg_root": "1"},
        {"dawg_root": 2},
        {"wide": 0},
        {"wide": True},
        {"sections": {}},
        {"sections": []},
        {"sections": {"graph": [64, 4, 0], "trie": [0, 1]}},
    ],
    ids=str,
)
def test_a_forged_header_is_refused(
    change: dict[str, Any], lexicon: Lexicon, tmp_path: Path
) -> None:
    path = tmp_path / "l.qlx"
    write_lexicon(path, lexicon)
    good = path.read_bytes()
    _forge(path, {}, good)
    _use(path)
    _forge(path, change, good)
    with pytest.raises(LexiconFileError, match=r"l\.qlx"):
        _use(path)


@pytest.mark.parametrize("trie", [b"", b"We love Marisa.\0", b"x" * 5000])
def test_a_trie_that_is_none_is_refused(trie: bytes, lexicon: Lexicon, tmp_path: Path) -> None:
    path = tmp_path / "l.qlx"
    write_lexicon(path, lexicon)
    good = path.read_bytes()
    sections = json.loads(good[16 : 16 + int.from_bytes(good[8:12], "little")])["sections"]
    at = sections["trie"][0]
    sections["trie"] = [at, len(trie), zlib.crc32(trie)]
    _forge(path, {"sections": sections}, good[:at] + trie)
    with pytest.raises(LexiconFileError, match="trie"):
        read_lexicon(path)


def test_what_is_no_lexicon_file(tmp_path: Path) -> None:
    (tmp_path / "text.qlx").write_bytes(b"AARDVARK\n" * 10)
    for path, fault in (
        (tmp_path, r"directory|not a file"),
        (tmp_path / "none.qlx", "No such file"),
        (tmp_path / "text.qlx", "not a lexicon file"),
        (Path(os.devnull), "not a file"),
    ):
        with pytest.raises(LexiconFileError, match=fault):
            read_lexicon(path)


def test_a_newer_version_says_so(lexicon: Lexicon, tmp_path: Path) -> None:
    path = tmp_path / "l.qlx"
    write_lexicon(path, lexicon)
    data = bytearray(path.read_bytes())
    data[7] = 2
    path.write_bytes(data)
    with pytest.raises(LexiconFileError, match="version 2, expected 1"):
        read_lexicon(path)


def test_a_failed_write_leaves_the_old_file_and_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "f"
    path.write_bytes(b"old")

    def broken() -> Any:
        yield b"new"
        raise RuntimeError

    with pytest.raises(RuntimeError):
        replace_file(path, broken())
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]
    with pytest.raises(LexiconFileError, match="cannot write"):
        replace_file(tmp_path / "no" / "f", [b""])


# -- by name ---------------------------------------------------------------------------------------


def test_lexicons_built_here_are_found_by_name(lexicon: Lexicon) -> None:
    path = built_path("mine")
    path.parent.mkdir(parents=True, exist_ok=True)
    write_lexicon(path, lexicon)
    try:
        assert lexicon_files()["mine"] == path
        assert find_lexicon("mine") == lexicon
        assert find_lexicon("mine") is find_lexicon(path)
        with pytest.raises(LexiconFileError, match=r"no lexicon 'yours'; there are: .*mine"):
            find_lexicon("yours")
    finally:
        path.unlink()
    with pytest.raises(LexiconFileError, match=r"mine\.qlx"):
        find_lexicon(path)


@pytest.mark.parametrize("name", ["", ".", "../x", "a/b", "a b", "x.qlx", "-o"])
def test_names_that_are_none(name: str) -> None:
    with pytest.raises(LexiconFileError, match="cannot be a lexicon's name"):
        built_path(name)


def test_lookups_import_neither_numpy_nor_numba(lexicon: Lexicon, tmp_path: Path) -> None:
    write_lexicon(tmp_path / "l.qlx", lexicon)
    code = (
        "import sys; from engine.lexicon.catalog import find_lexicon;"
        "from engine.lexicon.find import match_pattern;"
        f"lexicon = find_lexicon({str(tmp_path / 'l.qlx')!r});"
        "assert 'quiz' in lexicon and len(match_pattern(lexicon, 'CAT*')) == 2;"
        "assert not {'numpy', 'numba', 'rich'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True, cwd=REPO)
