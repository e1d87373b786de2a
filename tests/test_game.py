"""The referee: turns, challenges, ends, time, undo; what is refused and changes nothing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import FrozenInstanceError, replace
from itertools import pairwise
from typing import Any

import pytest
from games import rack, set_up, whole
from positions import lexicon_of

from engine.board.play import EXCHANGE, PLAY, Play
from engine.errors import IllegalPlay, NotationError, QuixotryError, RulesError
from engine.game.bag import below, put_back, shuffled, start_stream
from engine.game.challenges import parse_challenge
from engine.game.clock import Clock
from engine.game.events import Accepted, Challenged, Ended, LostTurn, Turn
from engine.game.game import Game
from engine.game.result import CHALLENGE, NO_MOVES, OUT, PASSES, SCORELESS, TARGET, make_result
from engine.game.start import draw_starter, find_starter
from engine.rules.rules import Challenge, find_rules
from engine.rules.tiles import BLANK, find_tile_set

ENGLISH = find_tile_set("english")
WORDS = ("CAT", "CATS", "AS", "TA", "SO", "OX", "QI")


def new(players: int = 2, rules: str = "english", **options: Any) -> Game:
    return Game(rules, lexicon_of(WORDS, find_rules(rules).tiles), players=players, **options)


def whole_order(first: str) -> list[int]:
    """All English tiles, these first."""
    given = list(ENGLISH.parse_rack(first[:7])) + list(ENGLISH.parse_rack(first[7:]))
    every = Counter(dict(enumerate(ENGLISH.counts)))
    every.subtract(given)
    return [*given, *every.elements()]


# -- starting a game -------------------------------------------------------------------------------


def test_a_seed_and_a_number_decide_the_tiles() -> None:
    assert new(seed=5).state == new(seed=5).state
    racks = {new(seed=seed, number=number).racks for seed in (0, 5) for number in (0, 1)}
    assert len(racks) == 4


@pytest.mark.parametrize("players", [2, 3, 4])
def test_everybody_draws_a_full_rack_in_the_order_of_play(players: int) -> None:
    order = tuple(new(players, seed=9).state.bag)
    for first in range(players):
        game = new(players, seed=9, first=first)
        game.check()
        assert (game.turn, game.bag, game.state.bag) == (first, 100 - 7 * players, order)
        assert game.racks[first] == new(players, seed=9).racks[0]


@pytest.mark.parametrize(
    "options",
    [
        {"players": 1},
        {"players": 5},
        {"players": 0},
        {"players": "ab"},
        {"players": [1, 2]},
        {"players": ["a", ""]},
        {"players": ["a", "b\n"]},
        {"players": 2.0},
        {"seed": -1},
        {"seed": 2**64},
        {"seed": "x"},
        {"seed": True},
        {"number": -1},
        {"first": 2},
        {"first": "0"},
        {"challenge": "quadruple"},
        {"challenge": "points"},
        {"challenge": "points(99999)"},
        {"challenge": 5},
        {"finish_line": -1},
        {"finish_line": 1.5},
        {"clock": 60},
        {"start": "15/15"},
        {"rules": 5},
        {"lexicon": "english"},
        {"draw_order": "ABC"},
        {"draw_order": [99] * 100},
        {"draw_order": 7},
        {"draw_order": [1] * 100},
    ],
)
def test_what_cannot_be_a_game_is_refused(options: dict[str, Any]) -> None:
    with pytest.raises(QuixotryError) as error:
        Game(**{"rules": "english", "lexicon": lexicon_of(WORDS, ENGLISH), **options})
    assert "expected" in str(error.value) or "has" in str(error.value)


def test_a_tile_set_must_hold_a_tile_for_everybody() -> None:
    counts = (0, 7, *(0,) * 25)
    rules = replace(find_rules("english"), tiles=replace(ENGLISH, name="seven", counts=counts))
    with pytest.raises(QuixotryError, match="7 tiles are too few for 2 players"):
        Game(rules, lexicon_of(WORDS, rules.tiles))


def test_a_lexicon_of_other_tiles_is_refused() -> None:
    with pytest.raises(QuixotryError):
        Game("hungarian", lexicon_of(WORDS, ENGLISH))


def test_a_draw_for_the_start_follows_the_rules() -> None:
    starters = set()
    for seed in range(40):
        game = new(3, seed=seed, first=None)
        assert find_starter(game.start_draw) == game.turn
        assert list(game.start_draw[0]) == [0, 1, 2]
        starters.add(game.turn)
        game.check()
    assert starters == {0, 1, 2}


def test_only_those_who_tie_for_the_best_tile_draw_again() -> None:
    few = replace(ENGLISH, name="few", counts=(0, 3, 1, *(0,) * 24))
    again = 0
    for seed in range(50):
        rounds, _ = draw_starter(few, 4, start_stream(seed, 0))
        for drawn, after in pairwise(rounds):
            best = [player for player, letter in drawn.items() if letter == min(drawn.values())]
            assert sorted(after) == best
            again += 1
    assert again


def test_a_set_of_one_kind_of_tile_cannot_decide_who_starts() -> None:
    one = replace(ENGLISH, name="one", counts=(0, 30, *(0,) * 25))
    with pytest.raises(QuixotryError, match="cannot decide"):
        draw_starter(one, 2, 1)


@pytest.mark.parametrize(
    "rounds", [[], [{0: 3, 1: 3}], [{0: 3, 1: 3}, {0: 1, 2: 2}], [{0: 1, 1: 2}, {0: 1, 1: 2}]]
)
def test_rounds_that_decide_nothing_are_refused(rounds: list[dict[int, int]]) -> None:
    with pytest.raises(QuixotryError):
        find_starter(rounds)


# -- turns -----------------------------------------------------------------------------------------


def test_a_turn_tells_what_a_score_sheet_needs() -> None:
    game = new(draw_order=whole_order("CATEEIISOEEIUU"), challenge="void")
    racks = game.racks
    event = game.play("8G CAT")
    assert isinstance(event, Turn)
    assert (event.player, str(event.play), event.score, event.scores) == (0, "8G CAT", 10, (10, 0))
    assert (event.racks, event.bag, event.seconds) == (racks, 86, None)
    assert [ENGLISH.format_word(word) for word in event.words] == ["CAT"]
    with pytest.raises(FrozenInstanceError):
        event.score = 11  # type: ignore[misc]
    assert game.log == (event,)
    assert (game.turn, game.bag) == (1, 83)


@pytest.mark.parametrize(
    ("move", "reason"),
    [
        ("1A CAT", "must cover the start"),
        ("8H C", "two tiles"),
        ("8G CATS", "not on the rack: S"),
        ("8G TAC", "not in the lexicon: TAC"),
        ("8O CAT", "runs off"),
        ("exch Q", "not on the rack: Q"),
        ("exch", "names the tiles"),
        ("8G C?T", "no tile '\\?'"),
        ("", "expected a move"),
        ("nonsense", "expected a move"),
        (Play(PLAY, 7, 6, True, (3, BLANK, 20)), "a blank needs a letter"),
        (Play(PLAY, 7, 6, True, (3, 99, 20)), "letters 1 to 26"),
        (Play(PLAY, 7, 6, True, (0, 0)), "no tile is laid"),
        (Play(PLAY, -5, 6, True, (3, 1)), "runs off"),
        (Play(EXCHANGE), "names the tiles"),
        (Play("swap"), "expected a move"),
        (None, "expected a move"),
        (7, "expected a move"),
    ],
)
def test_a_move_that_is_refused_changes_nothing(move: Any, reason: str) -> None:
    game = new(draw_order=whole_order("CATEEIISOEEIUU"), challenge="void")
    before = whole(game)
    with pytest.raises((IllegalPlay, NotationError), match=reason):
        game.play(move)
    assert whole(game) == before


@pytest.mark.parametrize("tiles", ["", "ab", "Q", "12", [99], [-1], [True], ["A"], 5, None])
def test_an_exchange_that_is_refused_changes_nothing(tiles: Any) -> None:
    game = new(draw_order=whole_order("CATEEIISOEEIUU"))
    before = whole(game)
    with pytest.raises((IllegalPlay, NotationError)):
        game.exchange(tiles)
    assert whole(game) == before


def test_a_play_as_a_value_is_the_play_as_text() -> None:
    text, value = (new(draw_order=whole_order("CATEEIISOEEIUU")) for _ in range(2))
    text.play("8G CAT")
    value.play(Play(PLAY, 7, 6, True, ENGLISH.parse_word("CAT")))
    text.play("8G ...S")
    value.play(Play(PLAY, 7, 9, True, ENGLISH.parse_word("S")))  # not its whole word
    assert value.log == text.log
    assert str(value.log[-1].play) == "8G ...S"  # type: ignore[attr-defined]


def test_what_is_exchanged_goes_to_the_end_of_a_fixed_order_as_listed() -> None:
    game = new(draw_order=whole_order("CATEEIISOEEIUU"))
    next_three = game.state.bag[:3]
    game.exchange("TIC")
    assert game.state.bag[-3:] == tuple(map(ENGLISH.labels.index, "TIC"))
    assert Counter(next_three) <= Counter(game.racks[0])
    game.check()


def test_what_is_exchanged_cannot_be_drawn_in_the_same_turn() -> None:
    for seed in range(30):
        game = set_up(WORDS, "QXJZKVW/EEEEEEE", bag="AAAAAAA", seed=seed)
        game.exchange("QXJZKVW")
        assert rack(game, 0) == "AAAAAAA"


def test_exchanged_digraphs_are_tiles() -> None:
    hungarian = find_rules("hungarian")
    game = set_up(
        ("A.B",), "[CS][SZ]AAAAA/BBBBBBB", bag="EEEEEEE", rules=replace(hungarian), seed=1
    )
    game.play("exch [CS][SZ]")
    assert rack(game, 0) == "AAAAAEE"
    game.check()


def test_the_position_hides_what_the_others_hold() -> None:
    game = new(3, seed=2)
    game.pass_turn()
    position = game.position
    assert position.racks == (game.racks[1], (), ())
    assert (position.bag, position.zeros) == (game.bag, 1)
    assert sum(position.unseen.values()) == 100 - 7
    assert game.unseen(1) == position.unseen


def test_scores_of_the_position_begin_with_the_player_on_turn() -> None:
    game = set_up(WORDS, "CATEEII/SEEEEEE/IIIIIII", scores=(5, 6, 7), challenge="void")
    game.play("8G CAT")
    assert game.position.scores == (6, 7, 15)


# -- challenges ------------------------------------------------------------------------------------


def test_challenge_rules_read_back() -> None:
    assert parse_challenge(" Double ") == Challenge("double")
    assert parse_challenge("points(5)") == Challenge("points", 5)
    assert parse_challenge("POINTS( 7 , player_gains )") == Challenge("points", 7, "player_gains")
    for text in ("", "points(-1)", "points(5, nobody)", "points(x)", "points(10001)"):
        with pytest.raises(RulesError, match="expected"):
            parse_challenge(text)


def test_a_phony_is_refused_under_void_and_stays_under_none() -> None:
    void = set_up(WORDS, "CATEEII/", challenge="void")
    with pytest.raises(IllegalPlay, match="not in the lexicon: TAC"):
        void.play("8G TAC")
    none = set_up(WORDS, "CATEEII/", challenge="none")
    assert none.play("8G TAC").scores == (10, 0)
    assert none.pending is None


def test_a_play_may_be_challenged_until_the_next_player_acts() -> None:
    game = set_up(WORDS, "TACEEII/", challenge="single")
    game.play("8G TAC")
    assert game.challengers == (1,)
    assert game.legal_actions == ("accept", "challenge", "exchange", "pass", "play")
    game.pass_turn()
    assert game.challengers == ()
    before = whole(game)
    with pytest.raises(QuixotryError, match="no play to challenge"):
        game.challenge()
    assert whole(game) == before


def test_a_play_worth_nothing_that_is_challenged_off_is_one_scoreless_turn() -> None:
    game = set_up(WORDS, "??EEEEE/", zeros=1, challenge="single")
    game.play("8G zz")
    assert game.state.scoreless == 2
    game.challenge()
    assert (game.state.scoreless, game.turn) == (2, 1)


def test_a_pending_play_does_not_hold_all_those_before_it() -> None:
    game = set_up(WORDS, "CATEEII/SEEEEEE", challenge="single")
    game.play("8G CAT")
    game.play("8G ...S")
    assert game.pending is not None
    assert game.pending.before.pending is None


def test_accepting_a_play_closes_it_and_the_turn_stays() -> None:
    game = set_up(WORDS, "TACEEII/", challenge="single")
    game.play("8G TAC")
    assert isinstance(game.accept(), Accepted)
    assert (game.pending, game.turn, game.scores) == (None, 1, (10, 0))


@pytest.mark.parametrize("player", [0, 3, -1, "1", True, 1.0])
def test_who_may_not_challenge_is_refused(player: Any) -> None:
    game = set_up(WORDS, "TACEEII/", challenge="single")
    game.play("8G TAC")
    before = whole(game)
    with pytest.raises(QuixotryError):
        game.challenge(player)
    assert whole(game) == before


def test_a_play_is_challenged_once() -> None:
    game = set_up(WORDS, "CATEEII///", challenge="single")
    game.play("8G CAT")
    game.challenge(3)
    with pytest.raises(QuixotryError, match="no play to challenge"):
        game.challenge(2)


def test_a_lost_turn_is_the_challengers_next_own_turn() -> None:
    game = set_up(WORDS, "CATEEII/OXSEEEE/SOOEEEE", challenge="double")
    game.play("8G CAT")
    game.challenge(2)
    assert (game.turn, game.state.lost) == (1, (0, 0, 1))
    game.play("8G ...S")
    assert game.turn == 0  # player 2 sat out
    lost = game.log[-1]
    assert isinstance(lost, LostTurn)
    assert (lost.player, game.state.lost, game.state.scoreless) == (2, (0, 0, 0), 1)
    assert game.challengers == (0, 2)  # who lost the turn may still challenge
    game.challenge(2)
    assert game.turn == 0
    game.pass_turn()
    game.pass_turn()
    assert game.turn == 0  # and loses the next one again
    assert [type(event) for event in game.log[-2:]] == [Turn, LostTurn]


def test_a_play_challenged_off_after_a_lost_turn_counts_both() -> None:
    game = set_up(WORDS, "CATEEII/OXSEEEE/SOOEEEE", challenge="double")
    game.play("8G CAT")
    game.challenge(2)
    bag, racks = game.state.bag, game.racks
    game.play("8G ...X")
    assert (game.turn, game.state.scoreless) == (0, 1)
    game.challenge(0)
    assert (game.turn, game.state.scoreless, game.scores) == (0, 2, (10, 0, 0))
    assert (game.state.bag, game.racks) == (bag, racks)
    game.check()


def test_lost_turns_end_a_game_too() -> None:
    game = set_up(WORDS, "CATEEII/", zeros=0, challenge="double")
    game.play("8G CAT")
    game.challenge()
    for _ in range(5):
        game.pass_turn()
    assert game.result is not None
    assert game.result.reason == SCORELESS  # the lost turn and five passes


def test_the_tiles_drawn_come_back_to_the_front() -> None:
    game = new(draw_order=whole_order("TACEEIISOEEIUU"), challenge="single")
    bag = game.state.bag
    game.play("8G TAC")
    assert game.state.bag == bag[3:]
    game.challenge()
    assert game.state.bag == bag


def test_a_lost_challenge_of_a_going_out_play_ends_the_game() -> None:
    game = set_up(WORDS, "S/Q", "6CAT6", bag="", scores=(30, 20), challenge="points(5)")
    game.play("8G ...S")
    game.challenge()
    assert game.result is not None
    assert (game.result.reason, game.result.before) == (OUT, (36, 15))
    assert game.scores == (46, 5)
    assert [type(event) for event in game.log] == [Turn, Challenged, Ended]


@pytest.mark.parametrize("how", ["accept", "pass_turn", "challenge"])
def test_a_game_that_waits_takes_no_turn_but_an_answer(how: str) -> None:
    game = set_up(WORDS, "S/CATQ", "6CAT6", bag="", challenge="single")
    game.play("8G ...S")
    assert game.legal_actions == ("accept", "challenge")
    before = whole(game)
    for refused in (lambda: game.play("8A CAT"), lambda: game.exchange("Q"), lambda: game.position):
        with pytest.raises(QuixotryError, match="unless the last play is challenged"):
            refused()
    assert whole(game) == before
    getattr(game, how)()
    assert game.over
    assert game.legal_actions == ()


def test_triple_costs_the_game() -> None:
    game = set_up(WORDS, "CATEEII//", scores=(0, 50, 90), challenge="triple")
    game.play("8G CAT")
    game.challenge(2)
    assert game.result is not None
    assert (game.result.reason, game.result.adjustment) == (CHALLENGE, (0, 0, 0))
    assert (game.scores, game.result.places, game.result.winner) == ((10, 50, 90), (2, 1, 3), 1)


def test_triple_takes_a_phony_off_as_any_rule() -> None:
    game = set_up(WORDS, "TACEEII/", challenge="triple")
    game.play("8G TAC")
    game.challenge()
    assert (game.over, game.scores, game.turn) == (False, (0, 0), 1)


# -- ends ------------------------------------------------------------------------------------------


def test_nobody_can_play_ends_the_game_at_once() -> None:
    game = set_up(("CAT", "SO", "CATS"), "SO/V", "6CAT6", bag="", challenge="void")
    game.play("J8 SO")
    assert game.result is not None
    assert (game.result.reason, game.turn, game.over) == (OUT, None, True)
    game = set_up(("CAT", "SO", "CATS"), "SOV/V", "6CAT6", bag="", challenge="void")
    game.play("J8 SO")
    assert game.result is not None
    assert (game.result.reason, game.result.adjustment) == (NO_MOVES, (-4, -4))


def test_everybody_must_pass_twice_in_a_row() -> None:
    game = new(3, "classic", seed=1)
    for _ in range(5):
        game.pass_turn()
    game.exchange(game.racks[2][:1])
    for _ in range(6):
        assert not game.over
        game.pass_turn()
    assert game.result is not None
    assert game.result.reason == PASSES


def test_a_lost_turn_breaks_a_row_of_passes() -> None:
    game = set_up(WORDS, "CATEEII//", rules=find_rules("classic"), challenge="double")
    game.play("8G CAT")
    game.challenge(2)
    game.pass_turn()
    assert (game.turn, game.state.passes) == (0, 0)
    for _ in range(6):
        assert not game.over
        game.pass_turn()
    assert game.over


def test_the_finish_line_ends_a_game_without_adjustment() -> None:
    game = set_up(WORDS, "CATEEII/", scores=(60, 0), finish_line=70, challenge="void", seed=4)
    game.play("8G CAT")
    assert game.result is not None
    assert (game.result.reason, game.scores, game.result.adjustment) == (TARGET, (70, 0), (0, 0))


def test_the_finish_line_counts_before_going_out() -> None:
    game = set_up(WORDS, "S/Q", "6CAT6", bag="", scores=(64, 69), finish_line=70, challenge="void")
    game.play("8G ...S")
    assert game.result is not None
    assert (game.result.reason, game.scores) == (TARGET, (70, 69))


def test_points_for_a_lost_challenge_may_reach_the_finish_line() -> None:
    game = set_up(
        WORDS, "CATEEII/", scores=(55, 0), finish_line=70, challenge="points(5, player_gains)"
    )
    game.play("8G CAT")
    assert (game.over, game.waiting) == (False, False)
    game.challenge()
    assert game.result is not None
    assert (game.result.reason, game.scores) == (TARGET, (70, 0))


def test_reaching_the_finish_line_can_be_challenged_off() -> None:
    game = set_up(WORDS, "TACEEII/", scores=(60, 0), finish_line=70, challenge="single")
    game.play("8G TAC")
    assert (game.waiting, game.turn) == (True, None)
    game.challenge()
    assert (game.over, game.waiting, game.turn, game.scores) == (False, False, 1, (60, 0))


def test_finish_lines_of_the_variants_count_the_players() -> None:
    rules = "norwegian+finish-beginner"
    for players, points in ((2, 70), (3, 60), (4, 50)):
        assert new(players, rules).rules.finish_line[players] == points
    assert new(2, rules, finish_line=0).rules.finish_line == {}


def test_places_and_ties() -> None:
    rules = find_rules("english")
    box = ((), (1,), (1,))  # A is worth 1
    tied = make_result(SCORELESS, rules, box, (5, 6, 6), (0, 0, 0))
    assert (tied.scores, tied.places, tied.winners) == ((5, 5, 5), (1, 1, 1), (0, 1, 2))
    assert (tied.draw, tied.winner) == (True, None)
    before = make_result(SCORELESS, find_rules("classic"), box, (5, 6, 4), (0, 0, 0))
    assert (before.scores, before.places, before.winner) == ((5, 5, 3), (2, 1, 3), 1)
    still = make_result(SCORELESS, find_rules("classic"), box, (5, 6, 6), (0, 0, 0))
    assert (still.places, still.winners, still.draw) == ((3, 1, 1), (1, 2), True)


def test_the_tournament_way_is_for_two_players() -> None:
    rules = replace(find_rules("english"), adjustment="tournament")
    out = make_result(OUT, rules, ((), (17,)), (0, 0), (0, 0))
    assert out.adjustment == (20, 0)
    three = make_result(OUT, rules, ((), (17,), (1,)), (0, 0, 0), (0, 0, 0))
    assert three.adjustment == (11, -10, -1)
    passed = make_result(SCORELESS, rules, ((1,), (17,)), (0, 0), (0, 0))
    assert passed.adjustment == (-1, -10)


def test_a_game_that_is_over_takes_no_action() -> None:
    game = new()
    for _ in range(6):
        game.pass_turn()
    before = whole(game)
    actions: tuple[Callable[[], object], ...] = (
        game.pass_turn,
        lambda: game.play("8H QI"),
        lambda: game.exchange("A"),
        game.challenge,
        game.accept,
        lambda: game.position,
    )
    for action in actions:
        with pytest.raises(QuixotryError):
            action()
    assert whole(game) == before
    ended = game.log[-1]
    assert isinstance(ended, Ended)
    assert (ended.player, ended.scores, ended.result) == (None, game.scores, game.result)


# -- time ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("seconds", "points"),
    [(0, 0), (1500, 0), (1500.001, 10), (1560, 10), (1560.5, 20), (2100, 100)],
)
def test_each_started_minute_of_overtime_costs_ten_points(seconds: float, points: int) -> None:
    game = new(clock=Clock(1500), draw_order=whole_order("AEINSTU?BCDFGH"))
    game.pass_turn(seconds=seconds)
    for _ in range(5):
        game.pass_turn(seconds=0)
    assert game.result is not None
    assert game.result.overtime == (points, 0)
    assert game.scores == (-7 - points, -18)
    assert game.seconds_left(0) == pytest.approx(1500 - seconds)


def test_time_adds_up_exactly() -> None:
    game = new(clock=Clock(0.6), rules="classic", players=2)
    for _ in range(3):
        game.pass_turn(seconds=0.2)
        game.exchange(game.racks[1][:1], seconds=0.2)
    assert game.state.used_ms == (600, 600)
    for _ in range(4):
        game.pass_turn(seconds=0)
    assert game.result is not None
    assert game.result.overtime == (0, 0)  # 0.2 + 0.2 + 0.2 is not more than 0.6


def test_overtime_is_counted_in_milliseconds() -> None:
    assert Clock(1).overtime_points(1000) == 0
    game = new(clock=Clock(1))
    game.pass_turn(seconds=1.001)  # times 1000 it is 1000.9999999999999
    assert game.state.used_ms == (1001, 0)


def test_a_clock_that_is_given_measures_each_action() -> None:
    time = [100.0]
    game = set_up(WORDS, "TACEEII/", clock=Clock(60, now=lambda: time[0]), challenge="single")
    time[0] += 12.5
    assert game.play("8G TAC").seconds == 12.5
    time[0] += 5
    with pytest.raises(IllegalPlay):
        game.exchange("?????")
    time[0] += 2
    assert game.challenge().seconds == 7.0
    assert game.state.used_ms == (12_500, 7_000)  # the play came off, its time did not
    game.undo(2)
    time[0] += 3
    assert game.pass_turn().seconds == 3.0


def test_with_a_clock_every_action_says_how_long_it_took() -> None:
    game = new(clock=Clock(60))
    before = whole(game)
    for seconds in (None, -1, float("nan"), float("inf"), "3", True):
        with pytest.raises(QuixotryError, match="seconds"):
            game.pass_turn(seconds=seconds)  # type: ignore[arg-type]
    assert whole(game) == before
    assert game.pass_turn(seconds=3).seconds == 3.0


def test_without_a_clock_time_is_only_noted() -> None:
    game = new()
    assert game.pass_turn(seconds=9999).seconds == 9999
    assert game.seconds_left(0) is None
    for limit in (-1, "x", float("nan")):
        with pytest.raises(QuixotryError):
            Clock(limit)  # type: ignore[arg-type]
    with pytest.raises(QuixotryError):
        Clock(60, penalty=-1)


# -- undo ------------------------------------------------------------------------------------------


def test_a_new_action_replaces_what_was_undone() -> None:
    game = new(seed=3)
    for _ in range(3):
        game.pass_turn()
    game.undo(2)
    assert (game.actions, game.actions_known, len(game.log)) == (1, 3, 1)
    game.exchange(game.racks[1][:2])
    assert (game.actions, game.actions_known) == (2, 2)
    with pytest.raises(QuixotryError, match="expected 0 to 2"):
        game.redo()


@pytest.mark.parametrize("actions", [-1, 9, 1.0, "1", None, True])
def test_there_is_nothing_before_the_start_or_after_the_end(actions: Any) -> None:
    game = new()
    game.pass_turn()
    before = whole(game)
    with pytest.raises(QuixotryError):
        game.undo(2)
    with pytest.raises(QuixotryError):
        game.redo()
    with pytest.raises(QuixotryError):
        game.replay(actions)
    assert whole(game) == before


def test_an_exchange_done_again_draws_the_same_tiles() -> None:
    game = new(seed=11)
    tiles = game.racks[0][:4]
    game.exchange(tiles)
    first = game.state
    game.undo()
    game.exchange(tiles)
    assert game.state == first


# -- a game from a position, the bag ---------------------------------------------------------------


def test_a_position_is_completed_and_goes_on() -> None:
    game = set_up(WORDS, "CAT/", scores=(70, 80), zeros=2, seed=1)
    game.check()
    assert game.scores == (70, 80)
    assert Counter(ENGLISH.parse_rack("CAT")) <= Counter(game.racks[0])
    game.pass_turn()
    assert game.state.scoreless == 3
    for wrong in ({"players": ["a"]}, {"players": ["a", "b", "c"]}, {"first": 1}):
        with pytest.raises(QuixotryError):
            Game(start=game.position, **wrong)  # type: ignore[arg-type]


def test_tiles_put_back_are_drawn_again_from_any_place() -> None:
    bag, stream = shuffled((1, 2, 3, 4), start_stream(1, 1))
    assert sorted(bag) == [1, 2, 3, 4]
    places = Counter()
    for number in range(400):
        mixed, _ = put_back(bag, (9,), start_stream(2, number))
        assert sorted(mixed) == [1, 2, 3, 4, 9]
        places[mixed.index(9)] += 1
    assert min(places[i] for i in range(5)) > 40
    assert below(stream, 1)[1] == 0
