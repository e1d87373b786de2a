"""The Finnish word list: the transducer and its walks, readings of words, and the list itself."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from finnish_twin import Arc, kfst_bytes, paths
from hypothesis import given
from hypothesis import strategies as st

from engine.errors import LexiconFileError
from engine.rules.tiles import find_tile_set
from lexicon_build import packages
from lexicon_build.sources import SourceWords, find_source, finnish, finnish_readings
from lexicon_build.sources.finnish_joukahainen import Inflected, inflected_words
from lexicon_build.sources.finnish_readings import Reading, read_words, roman_numerals, simple_words
from lexicon_build.sources.finnish_transducer import Transducer, read_transducer
from lexicon_build.sources.finnish_walk import (
    Grammar,
    all_paths,
    apply_flag,
    make_grammar,
    paths_of_words,
)
from lexicon_build.wordlist import parse_word_list

SOURCE = find_source("finnish")


# -- the file --------------------------------------------------------------------------------------


def _read(folder: Path, data: bytes) -> Transducer:
    (folder / "some.kfst").write_bytes(data)
    return read_transducer(folder / "some.kfst")


_KOIRA: list[Arc] = [
    (0, 1, "@0@", "[Ln]"),
    (1, 2, "i", "i"),
    (2, 3, "@P.LS.N@", "@P.LS.N@"),
    (3, 4, "d", "d"),
    (4, 5, "@0@", "[Sn]"),
    (5, 6, "@R.LS.N@", "@R.LS.N@"),
    (4, 6, "@R.LS.G@", "[Sg]"),
    (1, 4, "X", "x"),
]


def test_a_transducer_is_read_as_arcs_by_state(tmp_path: Path) -> None:
    transducer = _read(tmp_path, kfst_bytes(_KOIRA, [6]))
    assert transducer.final.tolist() == [False] * 6 + [True]
    assert len(transducer.spoken.target) == 2  # X is no lower-case letter
    assert len(transducer.silent.target) == 5
    assert transducer.outputs[0] == ""
    assert ("@R.LS.G@", "") in transducer.actions
    (path,) = paths_of_words(transducer, _anything(transducer), ["id", "di", "i", "idd", "x", ""])
    assert path == ("id", "word", "[Ln]id[Sn]")


@pytest.mark.parametrize(
    ("data", "fault"),
    [
        (b"", "unpack_from requires"),
        (b"KFSU" + kfst_bytes(_KOIRA, [6])[4:], "expected KFST version 0"),
        (kfst_bytes(_KOIRA, [6], weighted=True), "without weights"),
        (kfst_bytes(_KOIRA, [6])[:-30], "end-of-stream|counts"),
        (kfst_bytes(_KOIRA, [6])[:40], ""),
        (kfst_bytes(_KOIRA, [6]).replace(b"\0\0\0\x08", b"\0\0\0\x07", 1), "counts do not fit"),
    ],
)
def test_a_broken_transducer_is_one_clear_error(tmp_path: Path, data: bytes, fault: str) -> None:
    with pytest.raises(LexiconFileError, match=rf"some\.kfst: not the transducer.*{fault}"):
        _read(tmp_path, data)


def _anything(transducer: Transducer) -> Grammar:
    return make_grammar(transducer, "", lambda state, tag: state, lambda state: "word")


# -- the walk --------------------------------------------------------------------------------------

_LETTER = st.sampled_from("ab")
_FLAG = st.sampled_from(
    [f"@{kind}.K.{value}@" for kind in "PNRDU" for value in "XY"] + ["@R.K@", "@D.K@", "@C.K@"]
)
_WRITTEN = st.one_of(_LETTER, _FLAG, st.sampled_from(["@0@", "[Ln]", "[Sn]", "[Bc]"]))


@st.composite
def _transducers(draw: Any) -> tuple[list[Arc], list[int]]:
    """Arcs of up to six states, those that read no letter going forward, and final states."""
    arcs = []
    for _ in range(draw(st.integers(1, 14))):
        if draw(st.booleans()):
            source, target = draw(st.integers(0, 5)), draw(st.integers(0, 5))
            arcs.append((source, target, draw(_LETTER), draw(_WRITTEN)))
        else:
            source = draw(st.integers(0, 4))
            target = draw(st.integers(source + 1, 5))
            read = draw(st.one_of(_FLAG, st.just("@0@")))
            arcs.append((source, target, read, draw(_WRITTEN)))
    return arcs, sorted(draw(st.sets(st.integers(0, 5), min_size=1)))


@given(_transducers(), st.lists(st.text("ab", min_size=1, max_size=5), max_size=8))
def test_a_walk_finds_the_paths_that_a_naive_one_finds(
    tmp_path_factory: pytest.TempPathFactory, made: tuple[list[Arc], list[int]], words: list[str]
) -> None:
    arcs, finals = made
    transducer = _read(tmp_path_factory.getbasetemp(), kfst_bytes(arcs, finals))
    grammar = make_grammar(
        transducer, "", lambda state, tag: None if tag == "[Bc]" else state, lambda state: "word"
    )
    found = Counter((path.word, path.output) for path in paths_of_words(transducer, grammar, words))
    assert found == Counter(
        (word, written)
        for word in set(words)
        for written in paths(arcs, finals, word, lambda tag: tag != "[Bc]")
    )


def test_all_paths_are_those_of_all_words(tmp_path: Path) -> None:
    arcs: list[Arc] = [(0, 0, "a", "a"), (0, 1, "@0@", "[Ln]"), (1, 1, "b", "b")]
    transducer = _read(tmp_path, kfst_bytes(arcs, [1]))
    found = [path.word for path in all_paths(transducer, _anything(transducer))]
    expected = ["a" * i + "b" * j for i in range(16) for j in range(16) if 0 < i + j <= 15]
    assert sorted(found) == sorted(expected)


def test_a_grammar_lets_through_only_sequences_of_tags_it_wants(tmp_path: Path) -> None:
    arcs: list[Arc] = [
        (0, 1, "a", "[Ln]"),
        (0, 1, "b", "[Ll]"),
        (1, 2, "a", "[Sn]"),
        (1, 2, "b", "b"),
    ]
    transducer = _read(tmp_path, kfst_bytes(arcs, [1, 2]))
    grammar = make_grammar(
        transducer,
        "",
        lambda seen, tag: None if tag == "[Ll]" or tag in seen else seen + tag,
        lambda seen: seen if seen != "[Ln]" else None,
    )
    found = list(paths_of_words(transducer, grammar, ["a", "aa", "ab", "b", "ba"]))
    assert found == [("aa", "[Ln][Sn]", "[Ln][Sn]")]


@pytest.mark.parametrize(
    ("before", "flag", "after"),
    [
        ((), "@P.K.X@", (("K", True, "X"),)),
        ((), "@R.K@", None),
        ((), "@D.K@", ()),
        ((("K", True, "X"),), "@R.K.X@", (("K", True, "X"),)),
        ((("K", True, "X"),), "@R.K.Y@", None),
        ((("K", True, "X"),), "@D.K@", None),
        ((("K", True, "X"),), "@U.K.Y@", None),
        ((("K", False, "X"),), "@U.K.Y@", (("K", True, "Y"),)),
        ((("K", True, "X"), ("L", True, "X")), "@C.K@", (("L", True, "X"),)),
    ],
)
def test_flags_are_set_tested_and_cleared(before: Any, flag: str, after: Any) -> None:
    assert apply_flag(before, flag) == after


# -- readings --------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def voikko() -> Transducer:
    if fault := finnish.PYVOIKKO.fault():
        pytest.skip(f"{fault} (pip install 'quixotry[finnish]')")
    return read_transducer(finnish.PYVOIKKO.file("pyvoikko/voikko.kfst"))


@pytest.fixture(scope="module")
def entries(voikko: Transducer) -> Grammar:
    return finnish_readings.entries_grammar(voikko)


@pytest.mark.parametrize(
    ("word", "reading"),
    [
        ("koira", (1, "N", False, "koira", "koira")),
        ("koirat", (1, "N", True, "koira", "koira")),
        ("nopea", (1, "N", False, "nopea", "nopea")),
        ("tehdä", (1, "V", False, "tehdä", "tehdä")),
        ("tekeminen", (1, "V", False, "tehdä", "tehdä")),
        ("ehkä", (1, "X", False, "ehkä", "ehkä")),
        ("vanhempi", (1, "N", False, "vanhempi", "vanhempi")),  # comparative, but a noun as well
        ("palaveri", (1, "N", False, "palaveri", "palaveri")),
        ("kissanruoat", (2, "N", True, "kissanruoka", "ruoka")),
        ("makeanhimo", (2, "N", False, "makeanhimo", "himo")),
        ("osattomuus", (1, "N", False, "osattomuus", "osattomuus")),  # of a participle
    ],
)  # fmt: skip
def test_an_entry_has_its_base_form(
    voikko: Transducer, entries: Grammar, word: str, reading: tuple[Any, ...]
) -> None:
    first, *others = read_words(voikko, entries, [word])[word]
    assert first == Reading(*reading)
    assert all(other.parts >= first.parts for other in others)


@pytest.mark.parametrize(
    "word",
    [
        "koiran", "talossa",  # cases
        "koirani", "koirakin", "hevosko",  # possessive, clitics
        "nopeampi", "nopein", "nopeasti",  # comparison, adverbs of adjectives
        "teen", "tekisi", "tekevä", "tehnyt",  # forms of verbs, participles
        "helsinki", "pekka",  # names in lower case
        "linjaauto",  # spelt with a hyphen
        "qwrt", "x",
    ],
)  # fmt: skip
def test_other_forms_are_no_entries(voikko: Transducer, entries: Grammar, word: str) -> None:
    assert read_words(voikko, entries, [word]) == {}


def test_readings_do_not_depend_on_the_order_of_the_words(
    voikko: Transducer, entries: Grammar
) -> None:
    words = ["koira", "kissanruoat", "tehdä", "lumi", "lumiukko", "kuusi", "palaveri", "ääni"]
    expected = read_words(voikko, entries, words)
    assert len(expected) == len(words)
    assert read_words(voikko, entries, [*words[::-1], "koiran"]) == expected
    assert {word: read_words(voikko, entries, [word])[word] for word in words} == expected


def test_simple_words_are_neither_compound_nor_inflected(voikko: Transducer) -> None:
    simple = simple_words(voikko)
    assert {"koira", "koirat", "tehdä", "tekeminen", "nopea", "ja"} <= simple
    assert simple.isdisjoint({"koiran", "kissanruoka", "nopeampi", "mmx", "koirakin"})
    assert max(map(len, simple)) <= 15


def test_roman_numerals_are_told(voikko: Transducer) -> None:
    assert roman_numerals(voikko, ["vii", "xii", "villi", "koira"]) == {"vii", "xii"}


# -- Joukahainen -----------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def joukahainen() -> Inflected:
    if fault := packages.Package("voikko", "0.5").fault():
        pytest.skip(f"{fault} (pip install 'quixotry[finnish]')")
    return inflected_words()


def test_the_list_is_inflected_in_nominatives_and_infinitives(joukahainen: Inflected) -> None:
    assert {"kypressi", "kypressit", "blokata", "primaarikasvain"} <= joukahainen.words
    assert joukahainen.words.isdisjoint({"kypressin", "blokkaan", "Aabel", "aabel"})
    assert joukahainen.plurals["hevonen"] == "hevoset"
    assert joukahainen.plurals["mies"] == "miehet"


@pytest.mark.parametrize(
    ("first", "fourth"),
    [
        ("blokata", "blokkaaminen"),  # strong stem in the present
        ("aikoa", "aikominen"),  # weak in the present: aion
        ("defragmentoida", "defragmentoiminen"),
        ("bylsiä", "bylsiminen"),
        ("deittailla", "deittaileminen"),
        ("bilettää", "bilettäminen"),
    ],
)
def test_fourth_infinitives_are_made_from_the_present(
    joukahainen: Inflected, first: str, fourth: str
) -> None:
    assert joukahainen.fourth[first] == {fourth}


def test_fourth_infinitives_are_those_that_the_transducer_lists(
    voikko: Transducer, joukahainen: Inflected
) -> None:
    """Where both know a verb, they agree but for two irregular ones."""
    simple = simple_words(voikko)
    made = {
        verb: {form for form in forms if len(form) <= 15}
        for verb, forms in joukahainen.fourth.items()
        if verb in simple
    }
    made = {verb: forms for verb, forms in made.items() if forms}
    assert len(made) > 5000
    wrong = {verb for verb, forms in made.items() if not forms & simple}
    assert wrong == {"nähdä", "tehdä"}


# -- what is made of them --------------------------------------------------------------------------


def test_base_forms_are_added_where_none_is_known() -> None:
    readings = {
        "verhotangot": [Reading(2, "N", True, f"verho{x}", x) for x in ("tango", "tanko")],
        "lumiukot": [Reading(2, "N", True, "lumiukko", "ukko")],
        "juoda": [Reading(1, "V", False, "juoda", "juoda")],
        "palaverit": [
            Reading(1, "N", True, "palaveri", "palaveri"),
            Reading(2, "N", True, "palaveriitta", "veriitta"),
        ],
    }
    assert finnish._bases(readings, {"verhotanko"}) == {"lumiukko", "palaveri"}


def test_plurals_of_compounds_are_made_from_their_last_part() -> None:
    readings = {
        "lumiukko": [Reading(2, "N", False, "lumiukko", "ukko")],
        "lumiakat": [Reading(2, "N", True, "lumiakka", "akka")],
        "palaveri": [
            Reading(1, "N", False, "palaveri", "palaveri"),
            Reading(2, "N", False, "palaveri", "veri"),
        ],
        "aivopesu": [
            Reading(1, "N", False, "aivopesu", "aivopesu"),
            Reading(2, "N", False, "aivopesu", "pesu"),
        ],
    }
    plurals = {"ukko": "ukot", "akka": "akat", "palaveri": "palaverit", "veri": "veret",
               "pesu": "pesut"}  # fmt: skip
    assert finnish._plurals(readings, plurals, {"palaverit"}) == {"lumiukot", "aivopesut"}
    assert finnish._plurals(readings, plurals, set()) == {"lumiukot", "aivopesut", "palaverit"}


# -- the whole list --------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def built() -> SourceWords:
    faults = [fault for package in SOURCE.packages if (fault := package.fault())]
    if faults:
        pytest.skip(f"{'; '.join(faults)} (pip install 'quixotry[finnish]')")
    return SOURCE.read()


@pytest.fixture(scope="module")
def words(built: SourceWords) -> set[str]:
    return set(built.text.upper().split("\n"))


@pytest.fixture(scope="module")
def samples(shared: Path) -> dict[str, Any]:
    text = (shared / "lexicons" / "samples.json").read_text("utf-8")
    found: dict[str, Any] = json.loads(text)["finnish"]
    return found


def test_the_list_has_what_it_must_have(words: set[str], samples: dict[str, Any]) -> None:
    assert not {*samples["in"], *samples["must"]["in"]} - words
    assert not words & set(samples["must"]["not_in"])


def test_the_list_has_the_words_of_two_tiles(words: set[str], samples: dict[str, Any]) -> None:
    assert sorted(word for word in words if len(word) == 2) == sorted(samples["two_tile"])


def test_the_list_has_hardly_a_random_string(words: set[str], samples: dict[str, Any]) -> None:
    strings = samples["not_in_random"]
    assert len(words & set(strings)) <= 0.02 * len(strings)


def test_the_list_has_the_size_expected(words: set[str], samples: dict[str, Any]) -> None:
    assert abs(len(words) - samples["count"]) <= 0.02 * samples["count"]


def test_the_list_is_sorted_and_fits_the_tiles(built: SourceWords) -> None:
    lines = built.text.split("\n")
    assert lines == sorted(set(lines))
    found = parse_word_list(built.text, find_tile_set("finnish"))
    assert len(found) + found.rejections == len(lines)
    assert set(found.strangers) <= set("qxzåšž")
    assert found.rejections < 1000


def test_notes_explain_the_count(built: SourceWords) -> None:
    text = " ".join(built.notes)
    for part in ("transducer", "Joukahainen", "texts use", "base forms", "nominative"):
        assert part in text


def test_missing_packages_are_named_with_the_command(monkeypatch: pytest.MonkeyPatch) -> None:
    def version(name: str) -> str:
        if name == "pyvoikko":
            raise packages.importlib.metadata.PackageNotFoundError(name)
        return "0.1"

    monkeypatch.setattr(packages.importlib.metadata, "version", version)
    with pytest.raises(LexiconFileError) as caught:
        SOURCE.read()
    assert str(caught.value) == (
        "source 'finnish': pyvoikko 0.6 is not installed; voikko 0.5 is needed, 0.1 is installed;"
        ' wordfreq 3.1.1 is needed, 0.1 is installed; install with: pip install "quixotry[finnish]"'
    )
