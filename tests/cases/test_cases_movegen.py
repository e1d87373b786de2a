"""Move generation faults that other programs really had, each with the right answer."""

from __future__ import annotations

from collections import Counter

import pytest
from positions import (
    EMPTY,
    dotted,
    exchanges,
    on_board,
    placements,
    position,
    reason,
    with_tiles,
)

from engine.errors import NotationError
from engine.rules.rules import find_rules
from engine.rules.tiles import TileSet

NOISE = ("NOISE", "ENABLED", "LUCID", "TENSIONAL")
NOISE_BOARD = "15/15/15/4N5L4/4O5U4/4I5C4/4S5I4/4ENABLED4/15/15/15/15/15/15/15"


def test_mg01_cross_words_past_a_played_through_square_are_checked() -> None:
    board = "15/15/15/15/15/15/8AT5/6SEA6/15/15/15/15/15/15/15 EH/ 0/0 0"
    words = ("SEA", "AT", "AA", "ETH")
    at = position(board, words)
    assert placements(at) == {}
    assert "SEAH" in reason(at, "J6 E.H")
    assert placements(position(board, (*words, "SEAH"))) == {"J6 E.H": 15}


def test_mg03_a_play_runs_through_two_groups_of_tiles() -> None:
    at = position(f"{NOISE_BOARD} AEINOST/ 0/0 0", NOISE)
    found = placements(at)
    assert str(at.plays()[0].play) == dotted("4C TE(N)SIONA(L)")
    assert sorted(found.values(), reverse=True) == [70, 7, 7, 6, 5]


def test_mg04_a_blank_is_tried_after_a_word_on_the_board() -> None:
    at = on_board(("SCALP", "SCALPEL"), "E?", "5SCALP5")
    assert placements(at) == {dotted("8F (SCALP)El"): 10}


def test_mg06_words_alongside_a_word_are_found() -> None:
    at = on_board(("ERA", "BUM", "BE", "UR", "MA"), "BMU", "6ERA6")
    found = placements(at)
    assert len(found) == 4
    assert (str(at.plays()[0].play), found["7G BUM"]) == ("7G BUM", 29)


def test_mg07_words_across_the_ends_of_a_word_are_found() -> None:
    words = ("WING", "SWING", "WINGS", "ASH", "HAS", "AH", "HA", "SH")
    at = on_board(words, "AHS", "6WING5")
    found = placements(at)
    assert len(found) == 8
    assert (str(at.plays()[0].play), found["F6 HAS"]) == ("F6 HAS", 23)
    assert found["8F S...."] == found["8G ....S"] == 9


def test_mg09_openings_down_are_folded_into_those_across() -> None:
    assert set(placements(position("CAT", ("CAT",)))) == {"8F CAT", "8G CAT", "8H CAT"}


def test_mg10_letters_of_a_blank_are_different_plays() -> None:
    at = on_board(("AT", "BAT", "CAT", "HAT"), "?", "7AT6")
    assert placements(at) == {"8G b..": 2, "8G c..": 2, "8G h..": 2, "H8 .t": 1, "I7 a.": 1}


def test_mg12_words_at_the_last_column_neither_overrun_nor_wrap() -> None:
    assert placements(on_board(("ABSOLUTE", "ABSOLUTES"), "S", "7ABSOLUTE")) == {}
    at = on_board(("ONE", "EON", "NE"), "ON", "7ABSOLUTE")
    assert placements(at) == {"O6 ON.": 3, "O8 .ON": 3, "O7 N.": 2}


def test_mg12_words_at_the_last_row_neither_overrun_nor_wrap() -> None:
    rows = [f"7{letter}7" for letter in "ABSOLUTE"]
    assert placements(on_board(("ABSOLUTE", "ABSOLUTES"), "S", *rows)) == {}
    at = on_board(("ONE", "EON", "NE"), "ON", *rows)
    assert placements(at) == {"15F ON.": 3, "15H .ON": 3, "15G N.": 2}


def test_mg13_a_tile_before_or_after_the_play_is_part_of_its_word() -> None:
    at = on_board(("AT", "GO", "GOAT"), "GO", "7AT6")
    assert placements(at) == {"8F GO..": 5}
    without = on_board(("AT", "GO"), "GO", "7AT6")
    assert placements(without) == {}
    for move in ("8F GO", "8F GO..", "8F GO(AT)"):
        assert reason(without, move)


@pytest.mark.parametrize("rack", ["", "VVV"])
def test_mg15_no_tiles_or_no_play_leaves_exchange_and_pass(rack: str) -> None:
    at = on_board(("CAT", "CATS"), rack, "6CAT6", check_tiles=False)  # three Vs
    kinds = Counter(ranked.play.kind for ranked in at.plays())
    assert kinds == Counter({"pass": 1, "exchange": len(rack)})
    assert at.plays()[-1].play.kind == "pass"


def test_mg16_an_invalid_word_on_the_board_closes_its_squares() -> None:
    assert placements(on_board(("AT", "TA"), "AT", "6QXZ6")) == {}


def test_mg18_letters_at_the_end_of_a_large_alphabet_hook_both_ways() -> None:
    rules = find_rules("norwegian")
    words = ("ØL", "BØ", "FÅ")
    at = on_board(words, "Ø", "7L7", rules=rules)
    assert all(word in at.lexicon for word in words)
    assert placements(at).keys() == {"8G Ø.", "H7 Ø."}
    assert placements(on_board(words, "Ø", "7B7", rules=rules)).keys() == {"8H .Ø", "H8 .Ø"}
    assert placements(on_board(words, "F", "7Å7", rules=rules)).keys() == {"8G F.", "H7 F."}
    assert placements(on_board(words, "Å", "7F7", rules=rules)).keys() == {"8H .Å", "H8 .Å"}


@pytest.mark.parametrize("moves", [("E4 NOIS.", "K4 LUCI."), ("K4 LUCI.", "E4 NOIS.")])
def test_mg19_a_position_set_up_is_one_played_to(moves: tuple[str, str]) -> None:
    racks = {"8E ENABLED": "ABDEELN", "E4 NOIS.": "NOIS", "K4 LUCI.": "CILU"}
    at = position("ABDEELN", NOISE)
    for move in ("8E ENABLED", *moves):
        board = str(at).split()[0]
        at = position(f"{board} {racks[move]}/ 0/0 0", NOISE).apply(move)
    played = position(f"{str(at).split()[0]} AEINOST/ 0/0 0", NOISE)
    at_once = position(f"{NOISE_BOARD} AEINOST/ 0/0 0", NOISE)
    assert played.board == at_once.board
    assert [str(p) for p in played.plays()] == [str(p) for p in at_once.plays()]


@pytest.mark.parametrize(
    ("rack", "number"), [("ABCDEFG", 127), ("AABBCCD", 53), ("AAAAAAA", 7), ("??ABCDE", 95)]
)
def test_mg21_every_different_exchange_is_listed_once(rack: str, number: int) -> None:
    found = exchanges(position(rack, ("AB",)))
    assert len(found) == len(set(found)) == number


def test_mg22_a_blank_can_be_exchanged() -> None:
    at = position(f"{EMPTY} ?EGKMNO/ABCDEFG 0/0 0", ("AB",))
    assert len(exchanges(at)) == 127
    (found,) = (p for p in at.plays() if str(p.play) == "exch ?")
    assert at.rules.tiles.format_rack(found.kept) == "EGKMNO"
    after = at.apply("exch ?")
    assert at.rules.tiles.format_rack(after.racks[-1]) == "EGKMNO"
    assert after.bag == at.bag
    assert at.apply("exch ?EGKMNO").racks[-1] == ()


def test_mg22_a_lower_case_letter_in_an_exchange_loses_no_tile() -> None:
    at = position(f"{EMPTY} ?EGKMNO/ABCDEFG 0/0 0", ("AB",))
    try:
        after = at.apply("exch e")
    except NotationError:
        return
    assert at.rules.tiles.format_rack(after.racks[-1]) == "EGKMNO"


def test_mg24_an_opening_down_is_worth_as_much_as_its_twin_across() -> None:
    listed = position("CAT", ("CAT",)).plays(top=1, also=("H7 CAT", "8G CAT"))
    by_text = {str(p.play): p for p in listed}
    assert by_text["H7 CAT"].equity_mp == by_text["8G CAT"].equity_mp
    assert by_text["H7 CAT"].score == by_text["8G CAT"].score == 10


def test_mg25_forty_five_copies_of_a_tile_are_counted() -> None:
    tiles = TileSet(
        "many", ("?", "A", "B"), ("?", "a", "b"), (2, 45, 10), (0, 1, 3), (False, True, False)
    )
    at = position("AAAAAAA/AAAAABB", ("AA", "AB", "AAAAAAA"), with_tiles(tiles))
    assert tiles.total == 57
    assert (at.unseen[0], at.unseen[1], at.unseen[2]) == (2, 38, 10)
    assert at.bag == 57 - 7 - 7
    assert at.apply("exch AAAAA").unseen[1] == 45 - 5  # the other player holds five
    played = at.apply("8B AAAAAAA")
    assert played.unseen[1] == 45 - 7 - 5
    assert str(played).split()[0].split("/")[7] == "1AAAAAAA7"
