"""Finding words, against plain filters over the word list."""

from __future__ import annotations

import re
from collections import Counter

import pytest
from graph_twin import twin_lexicon
from hypothesis import given
from hypothesis import strategies as st

from engine.errors import NotationError
from engine.lexicon.find import (
    check_words,
    find_anagrams,
    find_hooks,
    find_prefix,
    match_pattern,
)
from engine.lexicon.lexicon import Lexicon
from engine.rules.tiles import find_tile_set

WORDS = [
    "AA",
    "AB",
    "ABLE",
    "ABLER",
    "ARE",
    "AREA",
    "BAR",
    "BARE",
    "BARED",
    "BARES",
    "CAR",
    "CARE",
    "CARES",
    "CAT",
    "CATS",
    "QUIZ",
    "RARE",
    "SCAR",
    "SCARE",
    "SCARES",
    "TABLE",
    "TABLES",
]
LEXICON = twin_lexicon(WORDS, find_tile_set("english"))
HUNGARIAN = twin_lexicon(
    ["K.Ö.Z.S.É.G", "CS.A.K", "SZ.A", "A.SZ", "R.I.ZS"], find_tile_set("hungarian")
)


def texts(words: list[tuple[int, ...]], lexicon: Lexicon = LEXICON) -> list[str]:
    return [lexicon.format(word) for word in words]


def test_checking_words() -> None:
    checked = check_words(LEXICON, ["cat", "CATZ", "C4T", ""])
    assert checked == [("cat", True), ("CATZ", False), ("C4T", False), ("", False)]


@pytest.mark.parametrize(
    "pattern",
    ["CAT", "cat", "?A?", "?A*", "*S", "*", "**", "*A*E*", "S*A*S", "C.R*", "?", "*AR*", ""],
)
def test_patterns(pattern: str) -> None:
    regex = re.compile(pattern.upper().replace("?", ".").replace("**", "*").replace("*", ".*"))
    assert texts(match_pattern(LEXICON, pattern)) == [w for w in WORDS if regex.fullmatch(w)]


@given(st.text("ABCRES?*", max_size=7), st.integers(0, 4), st.integers(2, 7))
def test_any_pattern(pattern: str, shortest: int, longest: int) -> None:
    regex = re.compile(re.sub(r"\*+", ".*", pattern.replace("?", ".")))
    expected = [w for w in WORDS if regex.fullmatch(w) and shortest <= len(w) <= longest]
    assert texts(match_pattern(LEXICON, pattern, shortest, longest)) == expected


def test_patterns_count_tiles_not_characters() -> None:
    assert texts(match_pattern(HUNGARIAN, "??"), HUNGARIAN) == ["ASZ", "SZA"]
    assert texts(match_pattern(HUNGARIAN, "??[ZS]"), HUNGARIAN) == ["RIZS"]
    assert texts(match_pattern(HUNGARIAN, "cs*"), HUNGARIAN) == ["CSAK"]
    assert texts(match_pattern(HUNGARIAN, "*[Z][S]*"), HUNGARIAN) == ["K.Ö.Z.S.É.G"]
    assert texts(match_pattern(HUNGARIAN, "*zs*"), HUNGARIAN) == ["RIZS"]


@pytest.mark.parametrize("pattern", ["C4T", "[", "[CA", "CA]", "[CA]T"])
def test_patterns_that_cannot_be_read(pattern: str) -> None:
    with pytest.raises(NotationError):
        match_pattern(LEXICON, pattern)


def test_a_pattern_of_many_runs_takes_no_time() -> None:
    assert match_pattern(LEXICON, "*A" * 40 + "*B") == []
    assert match_pattern(LEXICON, "*?" * 40 + "*") == []


@given(st.text("ABCERS?", min_size=1, max_size=9), st.integers(2, 4), st.integers(2, 9))
def test_anagrams(rack: str, shortest: int, longest: int) -> None:
    have, blanks = Counter(rack.replace("?", "")), rack.count("?")
    expected = [
        word
        for word in WORDS
        if (Counter(word) - have).total() <= blanks
        and len(word) <= len(rack)
        and shortest <= len(word) <= longest
    ]
    assert texts(find_anagrams(LEXICON, rack, shortest, longest)) == expected


def test_anagrams_of_digraph_tiles() -> None:
    assert texts(find_anagrams(HUNGARIAN, "A[SZ]"), HUNGARIAN) == ["ASZ", "SZA"]
    assert texts(find_anagrams(HUNGARIAN, "K[CS]?"), HUNGARIAN) == ["CSAK"]
    assert find_anagrams(HUNGARIAN, "ASZ") == []


@pytest.mark.parametrize("rack", ["", "a", "A4", "["])
def test_racks_that_cannot_be_read(rack: str) -> None:
    with pytest.raises(NotationError):
        find_anagrams(LEXICON, rack)


def test_hooks() -> None:
    hooks = find_hooks(LEXICON, "care")
    assert (texts([hooks.front]), texts([hooks.back])) == (["S"], ["S"])
    hooks = find_hooks(LEXICON, "ARE")
    assert (texts([hooks.front]), texts([hooks.back])) == (["BCR"], ["A"])
    assert find_hooks(LEXICON, "ZZZ") == ((), ())
    with pytest.raises(NotationError):
        find_hooks(LEXICON, "")


def test_prefixes() -> None:
    assert texts(find_prefix(LEXICON, "car")) == ["CAR", "CARE", "CARES"]
    assert texts(find_prefix(LEXICON, "car", longest=4)) == ["CAR", "CARE"]
    assert texts(find_prefix(LEXICON, "")) == WORDS
    assert find_prefix(LEXICON, "Z") == []
    with pytest.raises(NotationError):
        find_prefix(LEXICON, "4")
