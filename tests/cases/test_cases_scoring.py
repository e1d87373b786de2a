"""Scoring faults that other programs really had, each with the right answer."""

from __future__ import annotations

import pytest
from positions import EMPTY, REFUSED, dotted, on_board, placements, position, reason, with_tiles

from engine.errors import IllegalPlay
from engine.rules.layouts import Layout
from engine.rules.tiles import find_tile_set

DUCE = ("DUCE", "EGRUGEAI")


def test_sc01_a_blank_beside_the_new_tile_is_a_cross_word_worth_the_new_tile() -> None:
    at = on_board(("TA", "MO", "AM"), "MO", "6Ta7")
    assert at.judge("9H MO").score == 8
    assert placements(at) == {"9H MO": 8, "H8 .M": 3}


def test_sc03_a_tile_that_makes_words_both_ways_is_one_play_and_scores_both() -> None:
    at = on_board(("ABY", "BE", "EA", "YA"), "A", "6ABY6", "7E7")
    assert placements(at) == {"9H .A": 9}


def test_sc04_a_word_premium_under_one_tile_counts_once_in_each_of_its_words() -> None:
    words = ("HEAT", "HERB", "BOX", "TIN", "BOXY", "TINY")
    at = on_board(words, "Y", "7HEAT4", "7E2I4", "7R2N4", "7BOX5")
    assert placements(at) == {"11H ...Y": 46}


def test_sc06_a_refused_bingo_leaves_no_bonus_behind() -> None:
    at = position("AEINSTX", ("AT", "TAX"))
    with pytest.raises(IllegalPlay):
        at.apply("8B AEINSTX")
    assert at.judge("8H AT").score == 4
    assert at.apply("8H AT").scores != at.scores


def test_sc07_every_choice_of_blank_among_equal_letters_is_tried() -> None:
    at = on_board(DUCE, "RUIAG?E", "4DUCE7")
    found = placements(at)
    assert len(found) == 6
    assert found[dotted("H8 (E)gRUGEAI")] == max(found.values()) == 80
    assert found[dotted("H8 (E)GRUgEAI")] == 74
    assert found[dotted("H3 EGRUg(E)AI")] == 60
    assert found[dotted("H3 EgRUG(E)AI")] == 58
    assert str(at.plays()[0].play) == dotted("H8 (E)gRUGEAI")


def test_sc09_the_premium_under_the_last_tile_counts() -> None:
    at = on_board(DUCE, "RUIAG?E", "4DUCE7")
    for text in ("H8 .gRUGEAI", "H8 (E)gRUGEAI", "H8 EgRUGEAI"):
        assert at.judge(text).score == 80


def test_sc10_seven_triple_words_multiply_without_overflow() -> None:
    squares = ["." * 15] * 15
    squares[7] = "T" * 15
    rules = with_tiles("english", Layout("triples", tuple(squares), (7, 7)))
    at = position("AERATED", ("AERATED",), rules)
    assert at.judge("8B AERATED").score == 8 * 3**7 + 50 == 17546
    assert placements(at)["8B AERATED"] == 17546


def test_sc12_a_blank_scores_0_whatever_it_is_and_carries_the_word_premium() -> None:
    at = on_board(("QUAD", "QUAS"), "AD?", "6QU7")
    assert {at.judge(f"8G ..A{letter}").score for letter in "ds"} == {12}
    opening = position("T?", ("AT", "BT", "ZT"))
    assert {opening.judge(f"8H {letter}T").score for letter in "abz"} == {2}


def test_sc12_a_blank_without_a_letter_is_refused() -> None:
    with pytest.raises(REFUSED):
        on_board(("QUAD", "QUAS"), "AD?", "6QU7").judge("8G ..A?")


def test_sc13_tile_values_and_counts() -> None:
    english, polish = find_tile_set("english"), find_tile_set("polish")
    assert (english.total, english.points) == (100, 187)
    assert position("JOG", ("JOG",)).judge("8G JOG").score == 22
    assert polish.values[polish.labels.index("Ż")] == 5
    assert polish.values[polish.labels.index("Ź")] == 9


@pytest.mark.parametrize("move", ["8F CAT", "8G CAT", "8H CAT", "H6 CAT", "H7 CAT", "H8 CAT"])
def test_sc15_the_first_word_may_cover_the_centre_anywhere(move: str) -> None:
    assert position("CAT", ("CAT",)).judge(move).score == 10


@pytest.mark.parametrize("move", ["8I CAT", "7H CAT", "8E CAT", "1A CAT"])
def test_sc15_the_first_word_must_cover_the_centre(move: str) -> None:
    assert reason(position("CAT", ("CAT",)), move)


def test_sc16_after_a_pass_or_an_exchange_the_next_play_is_still_the_first() -> None:
    for first in ("pass", "exch A"):
        at = position(f"{EMPTY} AT/AT 0/0 0", ("AT",)).apply(first)
        assert at.judge("8G AT").score == 4
        assert reason(at, "1A AT")
        assert set(placements(at)) == {"8G AT", "8H AT"}
