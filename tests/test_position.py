"""Positions as values: what is unseen, what is in the bag, what a play is worth at the end."""

from __future__ import annotations

import copy
import pickle
from dataclasses import replace
from typing import Any

import pytest
from positions import EMPTY, lexicon_of, position, reason

from engine.errors import IllegalPlay, LexiconFileError, NotationError
from engine.game.position import Position
from engine.rules.rules import find_rules
from engine.rules.tiles import TileSet, find_tile_set

WORDS = ("CAT", "CATS", "AT")
FEW = TileSet(
    "few", ("?", "A", "B", "C"), ("?", "a", "b", "c"), (0, 5, 3, 2), (0, 1, 3, 5),
    (False, True, False, False),
)  # fmt: skip


def _few(racks: str) -> Position:
    """CAB on the board, seven of ten tiles left: A A A A B B C."""
    rules = replace(find_rules("english"), name="few", tiles=FEW)
    board = EMPTY.replace("15/" * 7 + "15", "15/" * 7 + "5CAB7", 1)
    scores = "/".join("0" for _ in racks.split("/"))
    return position(f"{board} {racks} {scores} 0", ("CAB", "CABA"), rules)


# -- tiles unseen ----------------------------------------------------------------------------------


def test_with_the_bag_empty_all_unseen_tiles_are_the_opponents() -> None:
    term = {"score": 10_000, "endgame": 2000 * (3 + 6 + 5)}
    for racks in ("A/", "A/AAABBC", "A/B", "A/C"):
        at = _few(racks)
        assert at.bag == 0
        out = at.value("8F ...A")
        assert out.terms == term, racks
        assert [p.terms for p in at.plays() if str(p) == str(out)] == [term]


def test_known_parts_of_racks_count_as_unseen() -> None:
    at = _few("A/B/C")
    assert at.unseen == {1: 3, 2: 2, 3: 1}
    assert at.value("8F ...A").terms["endgame"] == 1500 * (3 + 6 + 5)


def test_a_rack_that_is_not_known_is_a_full_rack() -> None:
    assert position("/", WORDS).bag == 100 - 14
    assert position("AAEINRT/", WORDS).bag == 100 - 14
    assert position("/AAEINRT", WORDS).bag == 100 - 14
    assert position("AAE/", WORDS).bag == 100 - 3 - 7
    assert position(f"{EMPTY} /// 0/0/0/0 0", WORDS).bag == 100 - 28
    assert Position.new(lexicon=lexicon_of(WORDS, find_tile_set("english")), players=1).bag == 93
    assert _few("/").bag == 0


def test_a_pass_takes_no_tile_out_of_the_bag() -> None:
    for racks, scores in (("AAEINRT/", "0/0"), ("AAEINRT/EEEEEEE/", "0/0/0"), ("//", "0/0/0")):
        at = position(f"{EMPTY} {racks} {scores} 0", WORDS)
        bags = [at.bag]
        for _ in range(4):
            at = at.apply("pass")
            bags.append(at.bag)
        assert len(set(bags)) == 1, (racks, bags)


def test_no_more_tiles_than_a_rack_holds_are_exchanged() -> None:
    at = position("/", WORDS)
    assert at.judge("exch ABCDEFG").score == 0
    assert reason(at, "exch ABCDEFGH") == "more than 7 tiles"
    with pytest.raises(IllegalPlay, match="more than 7 tiles"):
        at.apply("exch AAAAAAAAA")


@pytest.mark.parametrize("move", ["exch 3", "ex.3", "exchange 7", "-3", "exch", "ex "])
def test_an_exchange_names_its_tiles(move: str) -> None:
    with pytest.raises(NotationError, match="an exchange names the tiles that it gives up"):
        position("CATS/", WORDS).judge(move)


# -- as values -------------------------------------------------------------------------------------


def test_a_position_cannot_be_changed_and_pickles() -> None:
    at = position("CATS/", WORDS)
    before = dict(at.unseen)
    unseen: Any = at.unseen
    with pytest.raises(TypeError, match="cannot be changed"):
        unseen[1] = 50
    assert at.unseen == before
    for again in (pickle.loads(pickle.dumps(at)), copy.deepcopy(at)):
        assert again == at
        assert hash(again) == hash(at)
        assert again.unseen == before
    lexicon: Any = at.lexicon
    for name in ("info", "trie", "graph", "nothing"):
        with pytest.raises(AttributeError, match="cannot be changed"):
            delattr(lexicon, name)
        with pytest.raises(AttributeError, match="cannot be changed"):
            setattr(lexicon, name, None)
    assert "CAT" in lexicon


# -- places ----------------------------------------------------------------------------------------


def test_a_first_play_down_has_the_place_of_the_best_play_worth_no_more() -> None:
    at = position("CAT", WORDS)
    plays = at.plays()
    for number, ranked in enumerate(plays, 1):
        assert at.rank(ranked) == number
    for move, twin in (("H8 CAT", "8H CAT"), ("H7 AT", "8G AT")):
        down = at.value(move)
        equal = [p.equity_mp for p in plays].index(at.value(twin).equity_mp) + 1
        assert at.rank(down) == equal
        assert at.rank(at.value(twin)) >= equal


# -- the lexicon of the rules ----------------------------------------------------------------------


@pytest.mark.parametrize("tiles", ["german", "super_catalan", "catalan"])
def test_tiles_without_a_lexicon_ask_for_one(tiles: str) -> None:
    with pytest.raises(LexiconFileError, match=f"{tiles}'\\) have no lexicon .* with --lexicon"):
        Position.from_cgp(f"{EMPTY} A/ 0/0 0 ld {tiles};")


def test_the_english_super_set_takes_the_english_lexicon() -> None:
    board = "/".join(["21"] * 21)
    super_board = Position.from_cgp(f"{board} AEINRT?/ 0/0 0 ld english_super; var classic_super;")
    assert super_board.lexicon.info.name == "english"
    assert super_board.rules.tiles == find_tile_set("english_super")
    assert super_board.rules.layout.name == "super21"
    small = Position.from_cgp(f"{EMPTY} AEINRT?/ 0/0 0 ld english_super;")
    assert (small.lexicon.info.name, small.rules.tiles.total) == ("english", 200)


def test_the_super_board_takes_the_super_set_of_its_language() -> None:
    board = "/".join(["21"] * 21)
    for tiles, expected in (("catalan", "super_catalan"), ("super_catalan", "super_catalan"),
                            ("german", "german_super")):  # fmt: skip
        rules = Position.rules_of(f"{board} / 0/0 0 ld {tiles}; bdn SuperCrosswordGame;")
        assert rules.tiles.name == expected
