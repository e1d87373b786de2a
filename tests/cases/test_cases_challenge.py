"""Challenge faults that other programs really had, each with the right answer."""

from __future__ import annotations

import pytest
from games import rack, set_up

from engine.board.notation.cgp import format_board
from engine.errors import QuixotryError
from engine.game.events import Challenged, LostTurn, Turn
from engine.game.game import Game

WORDS = ("CAT", "CATS", "QI")


def texts(game: Game, words: tuple[tuple[int, ...], ...]) -> list[str]:
    return [game.rules.tiles.format_word(word) for word in words]


def test_ch01_a_play_challenged_off_leaves_nothing_behind() -> None:
    game = set_up(WORDS, "CATEEII/QEEIIOO", challenge="double", seed=3)
    assert game.play("8G CAT").scores == (10, 0)
    bag, racks = game.bag, game.racks
    game.play("8G ...Q")
    assert game.scores[1] > 0
    event = game.challenge(0)
    assert isinstance(event, Challenged)
    assert (event.removed, event.against, texts(game, event.phonies)) == (True, 1, ["CATQ"])
    assert format_board(game.board, game.rules.tiles).split("/")[7] == "6CAT6"
    assert (game.scores, game.racks, game.bag, game.turn) == ((10, 0), racks, bag, 0)
    assert "Q" in rack(game, 1)
    game.check()
    played = [str(p.play) for p in game.position.plays() if p.play.kind == "play"]
    assert not any("Q" in text for text in played)


def test_ch03_a_going_out_play_challenged_off_lets_the_game_go_on() -> None:
    game = set_up(WORDS, "Q/S", "6CAT6", bag="", scores=(20, 30), challenge="single")
    game.play("8G ...Q")
    assert (game.over, game.waiting, game.turn) == (False, True, None)
    event = game.challenge()
    assert isinstance(event, Challenged)
    assert event.removed
    assert (game.over, game.waiting, game.turn) == (False, False, 1)
    assert (game.scores, rack(game, 0)) == ((20, 30), "Q")
    game.play("8G ...S")
    assert game.waiting
    game.accept()
    assert game.over
    assert game.scores == (20 - 10, 30 + 6 + 10)


def test_ch04_the_whole_play_comes_off_and_only_its_phonies_are_named() -> None:
    words = ("SEA", "AT", "AA", "ETH")
    game = set_up(words, "EH/", "8AT5", "6SEA6", top=7, challenge="single")
    board = game.board
    turn = game.play("J6 E.H")
    assert isinstance(turn, Turn)
    assert texts(game, turn.words) == ["ETH", "SEAH"]
    event = game.challenge()
    assert isinstance(event, Challenged)
    assert texts(game, event.phonies) == ["SEAH"]
    assert (event.removed, game.board, game.scores) == (True, board, (0, 0))


@pytest.mark.parametrize(
    ("challenge", "scores", "turn"),
    [
        ("single", (10, 0), 1),
        ("double", (10, 0), 0),
        ("points(5)", (10, -5), 1),
        ("points(10)", (10, -10), 1),
        ("points(5, player_gains)", (15, 0), 1),
        ("points(10, player_gains)", (20, 0), 1),
    ],
)
def test_ch06_a_good_play_challenged(challenge: str, scores: tuple[int, ...], turn: int) -> None:
    game = set_up(WORDS, "CATEEII/", challenge=challenge)
    assert game.play("8G CAT").scores == (10, 0)
    event = game.challenge()
    assert isinstance(event, Challenged)
    assert (event.removed, event.score) == (False, 10)
    assert (game.scores, game.turn) == (scores, turn)
    assert sum(abs(a - b) for a, b in zip(event.scores, (10, 0))) == event.points
    lost = [e for e in game.log if isinstance(e, LostTurn)]
    assert len(lost) == (challenge == "double")
    assert game.state.scoreless == len(lost)


@pytest.mark.parametrize("challenge", ["void", "none"])
def test_ch06_nothing_can_be_challenged(challenge: str) -> None:
    game = set_up(WORDS, "CATEEII/", challenge=challenge)
    game.play("8G CAT")
    with pytest.raises(QuixotryError, match=challenge):
        game.challenge()
    assert game.legal_actions == ("exchange", "pass", "play")
