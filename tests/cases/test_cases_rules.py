"""Faults in rules, bag and game end that other programs really had, each with the right answer."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest
from games import rack, set_up, whole
from positions import lexicon_of, position

from engine.errors import IllegalPlay, NotationError
from engine.game.bag import put_back, start_stream
from engine.game.game import Game
from engine.game.result import OUT, SCORELESS
from engine.rules.rules import find_rules
from engine.rules.tiles import find_tile_set

ENGLISH = find_tile_set("english")


def test_ru01_an_exchange_needs_seven_tiles_in_the_bag() -> None:
    few = set_up(("AT",), "AEINSTX/EEEEEEE", bag="OOOOOO", challenge="void")
    before = whole(few)
    with pytest.raises(IllegalPlay, match="needs 7 tiles in the bag, there are 6"):
        few.exchange("X")
    assert whole(few) == before
    assert few.most_exchanged == 0
    assert "exchange" not in few.legal_actions
    enough = set_up(("AT",), "AEINSTX/EEEEEEE", bag="OOOOOOO", challenge="void")
    enough.exchange("X")
    assert (enough.bag, rack(enough, 0), enough.turn) == (7, "AEINOST", 1)


def test_ru03_few_unseen_tiles_make_an_empty_bag() -> None:
    game = set_up(("AT",), "AEINSTX/EEEEE", bag="")
    assert sum(game.unseen(0).values()) == 5
    assert (game.position.bag, game.bag, game.most_exchanged) == (0, 0, 0)
    with pytest.raises(IllegalPlay):
        game.exchange("X")


def test_ru04_the_exchange_limit_is_one_of_the_rules() -> None:
    rules = replace(find_rules("english"), exchange_min_bag=1)
    game = set_up(("AT",), "AEINSTX/EEEEEEE", bag="OOO", rules=rules)
    assert game.most_exchanged == 3
    with pytest.raises(IllegalPlay, match="holds only 3"):
        game.exchange("AEIN")
    for tiles in ("A", "AE", "AEI"):
        game.exchange(tiles)
        assert game.bag == 3
        game.check()
        game.undo()


def test_ru06_a_recalled_blank_is_a_blank_again() -> None:
    game = set_up(("QI", "XI"), "?IEEEEE/", challenge="single")
    game.play("8H qI")
    game.undo()
    assert rack(game, 0) == "EEEEEI?"
    game.play("8H xI")
    game.undo()
    game.play("8H bI")
    game.challenge()
    assert rack(game, 0) == "EEEEEI?"


def test_ru07_tiles_given_up_mix_evenly_with_the_bag() -> None:
    x, y, z = ENGLISH.parse_word("XYZ")
    first: Counter[int] = Counter()
    for number in range(30_000):
        bag, _ = put_back((x, y), (z,), start_stream(7, number))
        assert sorted(bag) == [x, y, z]
        first[bag[0]] += 1
    assert all(abs(first[letter] - 10_000) <= 330 for letter in (x, y, z))


@pytest.mark.parametrize("bag", ["", "O", "OOOOOO"])
def test_ru09_six_passes_cost_everybody_their_own_tiles(bag: str) -> None:
    racks = "LR/V" if not bag else "LREEEEE/VEEEEEE"
    game = set_up(
        ("LEV",), racks, "6LEV6", bag=bag, scores=(300, 310), challenge="none"
    )  # any word stands: somebody can play, and the passes are needed
    for _ in range(6):
        assert not game.over
        game.pass_turn()
    assert game.result is not None
    assert game.result.reason == SCORELESS
    left = (2, 4) if not bag else (7, 10)
    assert game.scores == (300 - left[0], 310 - left[1])


def test_ru10_a_play_worth_nothing_is_a_scoreless_turn() -> None:
    game = set_up(("AA",), "??EEEEE/", zeros=5, challenge="void")
    game.play("8G aa")
    assert game.result is not None
    assert game.result.reason == SCORELESS
    held = set_up(("AA",), "??EEEEE/", zeros=5, challenge="double")
    held.play("8G aa")
    assert held.waiting
    held.accept()
    assert held.over


def test_ru12_only_an_empty_rack_goes_out() -> None:
    game = set_up(("CAT", "CATS", "AS", "BAS"), "SA/BC", "6CAT6", bag="", challenge="single")
    game.play("8G ...S")
    assert (game.over, game.waiting, game.turn, rack(game, 0)) == (False, False, 1, "A")


@pytest.mark.parametrize(
    ("adjustment", "scores"), [("tournament", (350, 280)), ("box", (330, 260))]
)
def test_ru13_what_going_out_is_worth(adjustment: str, scores: tuple[int, ...]) -> None:
    rules = replace(find_rules("english"), adjustment=adjustment)
    game = set_up(
        ("CAT", "CATS"), "S/QZ", "6CAT6", bag="", scores=(304, 280), rules=rules, challenge="void"
    )
    assert game.play("8G ...S").scores == (310, 280)
    assert game.result is not None
    assert game.result.reason == OUT
    assert game.scores == scores


def test_ru15_players_may_have_the_same_name() -> None:
    game = Game("english", lexicon_of(("CAT",), ENGLISH), players=["bot", "bot"])
    assert (game.names, game.turn) == (("bot", "bot"), 0)
    game.pass_turn()
    assert game.turn == 1


def test_ru16_a_game_may_end_before_a_play() -> None:
    order = Counter(enumerate_all()) - Counter(ENGLISH.parse_rack("AEINSTU?BCDFGH"))
    first = [*ENGLISH.parse_rack("AEINSTU"), *ENGLISH.parse_rack("?BCDFGH")]
    game = Game("english", lexicon_of(("CAT",), ENGLISH), draw_order=[*first, *order.elements()])
    for _ in range(6):
        game.pass_turn()
    assert game.scores == (-7, -18)


def enumerate_all() -> list[int]:
    return [letter for letter, count in enumerate(ENGLISH.counts) for _ in range(count)]


def test_ru18_more_copies_of_a_tile_than_there_are() -> None:
    cgp = "/".join(["15"] * 7 + ["7ZA6"] + ["15"] * 7) + " Z/ 0/0 0"
    with pytest.raises(NotationError, match="Z: 2 used, 1 exists"):
        position(cgp, ("ZA",))
    loose = position(cgp, ("ZA",), check_tiles=False)
    assert ENGLISH.parse_rack("Z")[0] not in loose.unseen
    with pytest.raises(NotationError, match="Z: 2 used, 1 exists"):
        Game(start=loose)
