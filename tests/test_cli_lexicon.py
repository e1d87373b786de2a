"""``quixotry lexicon``: what it prints, writes and exits with."""

from __future__ import annotations

import gzip
import itertools
import json
import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from graph_twin import dawg_words, gaddag_paths, twin_lexicon

import engine as eng
from engine.app.cli import main
from engine.lexicon.files import read_lexicon, write_lexicon
from engine.lexicon.lexicon import Lexicon
from engine.rules.tiles import find_tile_set

REPO = Path(__file__).resolve().parents[1]
WORDS = ["AA", "AB", "ABLE", "CAR", "CARE", "CARES", "CAT", "CATS", "QUIZ", "SCARE"]

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    """run("find", ...) -> (exit code, stdout, stderr)."""

    def run_(*arguments: object) -> tuple[int, str, str]:
        capsys.readouterr()
        try:
            code = main(["lexicon", *map(str, arguments)])
        except SystemExit as exit_:
            code = exit_.code
        return (code, *capsys.readouterr())

    return run_


@pytest.fixture(autouse=True)
def _data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("QUIXOTRY_DATA", str(tmp_path / "data"))
    return


@pytest.fixture
def words(tmp_path: Path) -> Path:
    path = tmp_path / "words.txt"
    path.write_text("\n".join(WORDS) + "\n")
    return path


@pytest.fixture
def small(tmp_path: Path) -> Path:
    path = tmp_path / "small.qlx"
    write_lexicon(path, twin_lexicon(WORDS, find_tile_set("english"), "small"))
    return path


def lines(text: str) -> list[Any]:
    return [json.loads(line) for line in text.splitlines()]


# -- build -----------------------------------------------------------------------------------------


def test_a_built_lexicon_is_found_by_name(run: Run, words: Path) -> None:
    code, out, err = run("build", words, "--name", "mine", "--licence", "free")
    assert (code, err) == (0, "")
    assert out.startswith("mine: 10 words of up to 5 tiles\n10 lines, 0 duplicates, 0 rejected\n")
    assert run("find", "--lexicon", "mine", "--prefix", "ca")[1].split() == [
        "CAR", "CARE", "CARES", "CAT", "CATS",
    ]  # fmt: skip
    assert run("list", "mine")[1].split() == WORDS
    assert run("check", "mine")[:2] == (
        0,
        "mine: 10 words, trie and graph agree, no damage\n",
    )
    assert "licence\tfree\n" in run("info", "mine")[1]
    code, out, _ = run("info")
    assert [line.split("\t")[:3] for line in out.splitlines() if line.startswith("mine")] == [
        ["mine", "10", "5"]
    ]


def test_rejected_lines_are_reported_with_their_numbers(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "l.txt"
    path.write_text("ab\nDON'T\nX-RAY\nA\n\nab\n" + "A" * 16 + "\n")
    code, out, _ = run("build", path)
    assert code == 0
    assert "l: 1 words of up to 2 tiles\n6 lines, 1 duplicates, 4 rejected\n" in out
    assert "2 a character that no tile has: \"DON'T\" (line 2), 'X-RAY' (line 3)\n" in out
    assert "1 too short (fewer than 2 tiles): 'A' (line 4)\n" in out
    assert "too long (more than 15 tiles)" in out
    _, out, _ = run("build", path, "--json")
    (report,) = lines(out)
    assert report["words"] == 1
    assert report["rejected"]["a character that no tile has"] == {
        "count": 2,
        "lines": [[2, "DON'T"], [3, "X-RAY"]],
    }
    assert report["strangers"] == "'-"
    code, out, err = run("check", path, "--json")
    assert code == 1
    assert lines(out)[0]["sound"] is False
    assert err.startswith(f"quixotry: error: {path}: 4 of 6 lines are no words: 2 a character")
    assert err.endswith("unknown characters: ' -; first: \"DON'T\" (line 2)\n")
    assert err.count("\n") == 1
    code, out, again = run("check", path)
    assert (code, again) == (1, err)
    assert "4 rejected" in out


def test_words_can_be_left_out(run: Run, words: Path, tmp_path: Path) -> None:
    bad = tmp_path / "bad.txt"
    bad.write_text("cat\ncats\ndog\nx-y\n")
    out = tmp_path / "o.qlx"
    code, text, err = run("build", words, "--exclude", bad, "-o", out, "--max-length", 4)
    assert code == 0
    assert "'CARES' (line 6), 'SCARE' (line 10)" in text
    assert text.startswith("o: 6 words of up to 4 tiles, 2 excluded\n")
    assert "bad.txt: not read: 1 a character that no tile has: 'x-y' (line 4)" in err
    kept = [read_lexicon(out).format(word) for word in read_lexicon(out)]
    assert kept == ["AA", "AB", "ABLE", "CAR", "CARE", "QUIZ"]


def test_a_lexicon_of_another_tile_set(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "hu.txt"
    path.write_text("asszony\nK.Ö.Z.S.É.G\n")
    assert run("build", path, "--rules", "hungarian", "-o", tmp_path / "hu.qlx")[0] == 0
    assert run("list", tmp_path / "hu.qlx")[1].split() == ["ASSZONY", "K.Ö.Z.S.É.G"]
    assert run("list", tmp_path / "hu.qlx", "--length", 5, "--json")[1] == '{"word": "ASSZONY"}\n'
    code, _, err = run("check", tmp_path / "hu.qlx", "--tiles", "english")
    assert code == 1
    assert "is not for the tile set 'english'" in err
    code, _, err = run("build", path, "--tiles", "greek")
    assert code == 1
    assert "none of" in err
    assert not (tmp_path / "data").exists()


def test_words_left_out_where_a_list_is_loaded_are_a_warning(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "list"
    path.write_text("CAT\nX-RAY\n\nDON'T\nA-B\n" + "A" * 5000 + "\n")
    for arguments in (["list", path], ["find", "--lexicon", path, "--prefix", "C"]):
        code, out, err = run(*arguments)
        assert (code, out) == (0, "CAT\n")
        assert err == (
            f"quixotry: {path}: 4 of 5 lines left out: 3 a character that no tile has, 1 too long"
            " (more than 15 tiles); unknown characters: - '; first: 'X-RAY' (line 2)\n"
        )
    path.write_text("CAT\n" + "A" * 5000 + "\n\x1b\n")
    assert run("list", path)[2].endswith(": \\x1b; first: '" + "A" * 57 + "...' (line 2)\n")


def test_a_file_that_exists_is_a_path(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("sanat", "words.lst", "english"):
        (tmp_path / name).write_text("CAT\n")
        assert run("list", name) == (0, "CAT\n", "")
        assert run("check", name)[:2] == (0, f"{name}: 1 words for the tile set 'english'\n1 lines,"
                                          " 0 duplicates, 0 rejected\n")  # fmt: skip
    assert run("find", "--words", "aardvark")[1] == "aardvark  valid\n", "the default is no path"


def test_words_to_leave_out_come_from_any_word_file(run: Run, words: Path, tmp_path: Path) -> None:
    (tmp_path / "few.txt").write_text("CAT\nCATS\n")
    assert run("convert", tmp_path / "few.txt", tmp_path / "few.kwg")[0] == 0
    assert run("convert", tmp_path / "few.txt", tmp_path / "few.gz")[0] == 0
    for name in ("few.txt", "few.kwg", "few.gz"):
        out = run("build", words, "--exclude", tmp_path / name, "-o", tmp_path / "o.qlx")[1]
        assert out.startswith("o: 8 words of up to 5 tiles, 2 excluded\n")


# -- check -----------------------------------------------------------------------------------------


def _tampered(lexicon: Lexicon, path: Path, graph: np.ndarray) -> None:
    write_lexicon(
        path,
        Lexicon(lexicon.info, graph, lexicon.dawg_root, lexicon.gaddag_root, lexicon.wide,
                lexicon.trie),
    )  # fmt: skip


def test_a_graph_that_disagrees_with_the_words_is_found(run: Run, tmp_path: Path) -> None:
    """Every accept flag of a sound graph is turned, one at a time."""
    lexicon = twin_lexicon(["AB", "ABA", "BAB", "CAB"], find_tile_set("english"))
    path = tmp_path / "l.qlx"
    turned = 0
    for at in range(1, len(lexicon.graph)):
        graph = lexicon.graph.copy()
        graph[at] ^= 1
        changed = Lexicon(lexicon.info, graph, lexicon.dawg_root, lexicon.gaddag_root,
                          lexicon.wide, lexicon.trie)  # fmt: skip
        _tampered(lexicon, path, graph)
        code, _, err = run("check", path)
        assert code == 1
        assert "l.qlx: damaged" in err or "differ at" in err
        turned += "differ at" in err
        if "GADDAG" in err:
            assert dawg_words(changed) == dawg_words(lexicon)
            assert gaddag_paths(changed) != gaddag_paths(lexicon)
    assert turned > 5


def test_another_layout_of_the_same_words_is_sound(run: Run, small: Path, tmp_path: Path) -> None:
    lexicon = read_lexicon(small)
    assert run("check", small)[0] == 0
    graph = np.append(lexicon.graph, np.uint32(0))
    _tampered(lexicon, tmp_path / "l.qlx", graph)
    assert run("check", tmp_path / "l.qlx")[0] == 0


# -- find ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["--pattern", "CA*"], "CAR CARE CARES CAT CATS"),
        (["--pattern", "?A?", "--json"], '{"word": "CAR"} {"word": "CAT"}'),
        (["--anagram", "TACS"], "CAT CATS"),
        (["--anagram", "TAC?", "--whole"], "CARE CATS"),
        (["--anagram", "TAC?", "--max", "3"], "AA AB CAR CAT"),
        (["--prefix", "CARE", "--min", "5"], "CARES"),
        (["--hooks", "CARE"], "front  S\nback   S"),
        (["--words", "cat", "CATZ"], "cat  valid\nCATZ  not valid"),
    ],
)
def test_find(run: Run, small: Path, arguments: list[str], expected: str) -> None:
    if "--whole" in arguments:
        expected = "CATS"
    code, out, err = run("find", "--lexicon", small, *arguments)
    assert (code, err) == (0, "")
    if "\n" not in expected:
        expected = expected.replace("} ", "}\n") if "{" in expected else "\n".join(expected.split())
    assert out == expected + "\n"


def test_find_as_json(run: Run, small: Path) -> None:
    code, out, _ = run("find", "--lexicon", small, "--json", "--words", "QUIZ", "quiz", "quip", "4")
    assert code == 0
    assert lines(out) == [
        {"word": "QUIZ", "valid": True},
        {"word": "quiz", "valid": True},
        {"word": "quip", "valid": False},
        {"word": "4", "valid": False},
    ]
    _, out, _ = run("find", "--lexicon", small, "--json", "--hooks", "car")
    assert lines(out) == [{"word": "car", "valid": True, "front": [], "back": ["E"]}]


def test_find_is_fast_and_imports_nothing_heavy(shared: Path, tmp_path: Path, enable: Any) -> None:
    write_lexicon(tmp_path / "e.qlx", enable)
    code = (
        "import argparse, sys; from engine.app.cli_lexicon import add_parser;"
        "parser = argparse.ArgumentParser(); add_parser(parser.add_subparsers());"
        "args = parser.parse_args(); assert args.run(args) == 0;"
        "assert not {'numpy', 'numba', 'rich', 'lexicon_build'} & set(sys.modules)"
    )
    command = [sys.executable, "-c", code, "lexicon", "find", "--lexicon", tmp_path / "e.qlx"]
    for arguments in (["--words", "quiz"], ["--anagram", "AEINR?", "--json"], ["--pattern", "*Q"]):
        best = 9.0
        for _ in range(3):
            start = time.perf_counter()
            subprocess.run([*command, *arguments], check=True, cwd=REPO, stdout=subprocess.DEVNULL)
            best = min(best, time.perf_counter() - start)
        assert best < 0.3


def test_a_reader_that_stops_early_is_no_error(shared: Path, tmp_path: Path, enable: Any) -> None:
    write_lexicon(tmp_path / "e.qlx", enable)
    command = [sys.executable, "-m", "engine.app.cli", "lexicon", "list", str(tmp_path / "e.qlx")]
    with subprocess.Popen(command, cwd=REPO, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as p:
        assert p.stdout is not None
        assert p.stderr is not None
        assert p.stdout.readline() == b"AA\n"
        p.stdout.close()
        assert p.stderr.read() == b""
    assert p.returncode == 0


# -- convert ---------------------------------------------------------------------------------------


def test_a_lexicon_is_converted_by_its_name(run: Run, tmp_path: Path) -> None:
    code, out, _ = run("convert", "english", tmp_path / "e.txt")
    assert (code, out) == (0, f"{len(eng.load_lexicon('english'))} words written to"
                              f" {tmp_path / 'e.txt'}\n")  # fmt: skip
    code, _, err = run("convert", "nowhere", tmp_path / "f.txt")
    assert code == 1
    assert "no lexicon 'nowhere'; there are" in err
    assert not (tmp_path / "f.txt").exists()


def test_words_through_every_format(run: Run, words: Path, tmp_path: Path) -> None:
    chain = [words] + [tmp_path / name for name in ("a.qlx", "b.kwg", "c.txt.gz", "d.kwg", "e.txt")]
    for source, target in itertools.pairwise(chain):
        assert run("convert", source, target) == (0, f"10 words written to {target}\n", "")
    assert (tmp_path / "e.txt").read_text().split() == WORDS
    assert gzip.decompress((tmp_path / "c.txt.gz").read_bytes()) == words.read_bytes()
    assert read_lexicon(tmp_path / "a.qlx").info.name == "words"
    assert (tmp_path / "b.kwg").read_bytes() == (tmp_path / "d.kwg").read_bytes()


def test_words_of_an_alphabet_with_digraphs_through_every_format(run: Run, tmp_path: Path) -> None:
    words = tmp_path / "hu.txt"
    words.write_text("K.Ö.Z.S.É.G\nASSZONY\nCSAK\n")
    chain = [words] + [tmp_path / name for name in ("a.kwg", "b.qlx", "c.txt")]
    for source, target in itertools.pairwise(chain):
        tiles = [] if source.suffix == ".qlx" else ["--tiles", "hungarian"]
        assert run("convert", source, target, *tiles)[0] == 0
    assert (tmp_path / "c.txt").read_text().split() == ["A.S.SZ.O.NY", "CS.A.K", "K.Ö.Z.S.É.G"]


def test_leaves_through_both_formats(run: Run, tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("A,1.5\n?,20\nQ,-7\n")
    assert run("convert", tmp_path / "a.csv", tmp_path / "b.klv2", "--max-length", 3)[0] == 0
    assert run("convert", tmp_path / "b.klv2", tmp_path / "c.csv")[0] == 0
    rows = dict(line.split(",") for line in (tmp_path / "c.csv").read_text().splitlines())
    assert (rows["AQ?"], rows["AA"], rows["B"]) == ("14.500", "3.000", "0.000")
    assert "QQ" not in rows  # there is one Q


# -- what cannot be done ---------------------------------------------------------------------------


def _id(given: object) -> str:
    return " ".join(given)[:60] if isinstance(given, list) else ""


@pytest.mark.parametrize(
    ("arguments", "fault"),
    [
        (["build", "none.txt"], r"none\.txt: No such file"),
        (["build", "nowhere"], r"no source 'nowhere'; there are .*english"),
        (["build", "WORDS", "--name", "../x"], "cannot be a lexicon's name"),
        (["build", "WORDS", "--exclude", "none.txt"], r"none\.txt: No such file"),
        (["build", "WORDS", "--tiles", "klingon"], "no tile set 'klingon'; there are"),
        (["build", "WORDS", "--rules", "klingon"], "no rules 'klingon'; there are"),
        (["build", "WORDS", "--max-length", "1"], "longest word 1, expected 2 to 21"),
        (["build", "WORDS", "-o", "no/o.qlx"], "cannot write"),
        (["build", "BAD"], r"line 2: not UTF-8"),
        (["build", "SMALL"], r"small\.qlx: a lexicon, not a word list \(quixotry lexicon convert"),
        (["build", "WORDS", "--exclude", "SMALL"], r"small\.qlx: a lexicon, not a word list"),
        (["build", "WORDS", "--name", ""], "--name '': expected a name"),
        (["build", "WORDS", "-o", "o.qlx", "--name", ""], "--name '': expected a name"),
        (["build", "WORDS", "-o", "o.qlx", "--name", "a\x1bb"], r"--name 'a\\x1bb': expected"),
        (["convert", "WORDS", "o.qlx", "--name", ""], "--name '': expected a name"),
        (["build", "WORDS", "--tiles", ""], "no tile set ''; there are"),
        (["build", "WORDS", "--rules", ""], "no rules ''; there are"),
        (["build", "x" * 5000], "no source 'xxx[x]*\\.\\.\\.'; there are"),
        (["build", "x" * 5000 + ".txt"], "File name too long"),
        (["build", "a\0.txt"], r"a\\x00\.txt: no file can have such a name"),
        (["build", "WORDS", "-o", "a\0.qlx"], "a name cannot hold control characters"),
        (["build", "WORDS", "-o", "a\0.qlx", "--name", "a"], "cannot write .*no file can have"),
        (["convert", "WORDS", "a\0.kwg"], "cannot write .*no file can have such a name"),
        (["build", "WORDS", "--tiles", "a\0.toml"], "no file can have such a name"),
        (["build", "WORDS", "--exclude", "a\0"], "no file can have such a name"),
        (["check", "a\0.qlx"], "no file can have such a name"),
        (["info", "a\0.qlx"], "no file can have such a name"),
        (["info", ""], "no lexicon ''; there are"),
        (["find", "--words", "A", "--lexicon", ""], "no lexicon ''; there are"),
        (["find", "--words", "A", "--rules", ""], "no rules ''; there are"),
        (["list", "a\0.txt"], "no file can have such a name"),
        (["convert", "EMPTY.klv2", "o.csv"], "EMPTY.klv2': 0 bytes that hold no leaves"),
        (["convert", "a\0.klv2", "o.csv"], "no file can have such a name"),
        (["find", "--lexicon", "SMALL", "--prefix", "4" * 5000], "word '444[4]*\\.\\.\\.': "),
        (["build", "BAD.kwg"], "no KWG"),
        (["check", "BAD"], r"line 2: not UTF-8"),
        (["check", "BAD.qlx"], "no lexicon file"),
        (["check", "nothing"], "no lexicon 'nothing'; there are"),
        (["info", "nothing"], "no lexicon 'nothing'"),
        (["list", "none.qlx"], r"none\.qlx: No such file"),
        (["find", "--words", "A", "--lexicon", "latin"], "no lexicon 'latin'; there are"),
        (["find", "--lexicon", "SMALL", "--pattern", "C4"], "no tile '4'"),
        (["find", "--lexicon", "SMALL", "--anagram", "abc"], "lower case"),
        (["find", "--lexicon", "SMALL", "--prefix", "[A"], "not closed"),
        (["convert", "none.kwg", "o.txt"], r"none\.kwg: No such file"),
        (["convert", "BAD.kwg", "o.txt"], "no KWG"),
        (["convert", "BAD.klv2", "o.csv"], "too short"),
        (["convert", "BAD.csv", "o.klv2"], "not a text file"),
        (["convert", "none.csv", "o.klv2"], r"none\.csv: No such file"),
    ],
    ids=_id,
)
def test_bad_input_is_one_line_and_writes_nothing(
    arguments: list[str], fault: str, run: Run, words: Path, small: Path, tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    monkeypatch.chdir(tmp_path)
    for name in ("BAD", "BAD.kwg", "BAD.qlx", "BAD.klv2", "BAD.csv"):
        (tmp_path / name).write_bytes(b"AB\n\xc3(\n\0")
    (tmp_path / "EMPTY.klv2").write_bytes(b"")
    before = sorted(tmp_path.rglob("*"))
    places = {"WORDS": words, "SMALL": small}
    code, out, err = run(*(places.get(text, text) for text in arguments))
    assert (code, out) == (1, "")
    assert err.startswith("quixotry: error: ")
    assert err.count("\n") == 1
    assert re.search(fault, err), err
    assert sorted(tmp_path.rglob("*")) == before


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["dance"],
        ["build"],
        ["build", "x.txt", "--tiles", "english", "--rules", "english"],
        ["build", "x.txt", "-o", "x.txt"],
        ["build", "x.txt", "--max-length", "-1"],
        ["find"],
        ["find", "--words"],
        ["find", "--pattern", "A", "--prefix", "A"],
        ["find", "--lexicon", "SMALL", "--pattern", "A", "--whole"],
        ["convert", "a.txt", "b.csv"],
        ["convert", "a.klv2", "b.klv"],
        ["convert", "a", "b"],
        ["convert", "SMALL", "SMALL"],
        ["find", "--lex", "SMALL", "--words", "A"],
        ["build", "x.txt", "--max", "4"],
        ["find", "--words", "A", "--max", "9" * 5000],
    ],
    ids=_id,
)
def test_wrong_usage(arguments: list[str], run: Run, small: Path) -> None:
    before = small.read_bytes()
    code, out, err = run(*(small if text == "SMALL" else text for text in arguments))
    assert (code, out) == (2, "")
    assert small.read_bytes() == before
    assert len(err) < 1500
    assert "usage:" in err
