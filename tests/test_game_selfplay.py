"""Games of self-play followed by the referee, and games of computer players by name."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from positions import lexicon_of

import engine as eng
from engine.board.play import PASS, Play
from engine.errors import QuixotryError
from engine.game import game as referee
from engine.game.result import NO_MOVES
from engine.lexicon.catalog import find_lexicon
from engine.lexicon.lexicon import Lexicon
from engine.players.static import find_player
from engine.rules.rules import Rules, find_rules
from engine.selfplay.batch import Batch
from engine.selfplay.columns import Columns, play_chunk

pytestmark = pytest.mark.kernels


def invented(rules: Rules, words: int, seed: int) -> Lexicon:
    """A lexicon of syllables of the tiles."""
    rng = random.Random(seed)
    tiles = rules.tiles
    bag = [letter for letter in range(1, tiles.kinds) for _ in range(tiles.counts[letter])]
    vowels = [letter for letter in bag if tiles.vowels[letter]]
    others = [letter for letter in bag if not tiles.vowels[letter]]
    made: set[tuple[int, ...]] = set()
    while len(made) < words:
        word: list[int] = []
        for _ in range(rng.choice((1, 1, 2, 2, 3))):
            word += [rng.choice(others)] * (rng.random() < 0.8) + [rng.choice(vowels)]
        if len(word) > 1:
            made.add(tuple(word))
    return lexicon_of(tuple(sorted(map(tiles.format_word, made))), tiles)


def rows_of(columns: Columns) -> list[dict[str, Any]]:
    lists = [c.tolist() for c in columns.values()]
    return [dict(zip(columns, row, strict=True)) for row in zip(*lists, strict=True)]


CASES = [  # rules, players, words invented (0: the bundled list), games, an end to be seen
    ("english", 2, 0, 10, "out"),
    ("english", 4, 0, 4, "out"),
    ("english", 3, 20, 8, "scoreless"),
    ("classic", 2, 8, 8, "passes"),
    ("finnish", 4, 2000, 5, "no_moves"),
    ("polish+nine", 2, 2500, 4, "no_moves"),
    ("hungarian", 3, 40, 6, "passes"),
    ("norwegian+finish-expert", 2, 2500, 6, "target"),
    ("english+finish-beginner", 4, 300, 6, "target"),
    ("english+super", 2, 0, 1, "out"),
]


@pytest.mark.parametrize(("name", "players", "words", "games", "end"), CASES)
def test_self_play_goes_by_the_referee(
    name: str, players: int, words: int, games: int, end: str
) -> None:
    rules = find_rules(name)
    lexicon = invented(rules, words, seed=players) if words else find_lexicon(rules.lexicon)
    three = ("equity", "greedy", "pool")
    names = [three[(games + seat) % 3] for seat in range(players)]
    seats = [find_player(each, rules, lexicon) for each in names]
    turns, results = play_chunk(Batch(rules, seats), 11, 5, games)
    assert turns is not None
    assert end in [result["end"] for result in rows_of(results)]
    for result in rows_of(results):
        rows = [row for row in rows_of(turns) if row["game"] == result["game"]]
        game = eng.Game(
            rules,
            seats,
            lexicon=lexicon,
            seed=11,
            number=result["game"],
            first=result["first"],
            challenge="void",
        )
        _follow(game, rows)
        _compare(game, result, players)
        played = game.log
        game.replay(0)
        game.run()  # the players choose by themselves what the kernel chose
        assert game.log == played


def _follow(game: eng.Game, rows: list[dict[str, Any]]) -> None:
    tiles = game.rules.tiles
    for number, row in enumerate(rows):
        if game.over:  # nobody can play: the kernel waits until everybody has passed
            assert game.result is not None
            assert game.result.reason == NO_MOVES
            assert {row["play"] for row in rows[number:]} == {"pass"}
            return
        assert game.turn == row["player"]
        assert tiles.format_rack(game.racks[row["player"]]) == row["rack"]
        assert game.bag == row["bag"]
        event: Any = game.play(row["play"])
        assert (str(event.play), event.score) == (row["play"], row["score"])
        game.check()


def _compare(game: eng.Game, result: dict[str, Any], players: int) -> None:
    assert game.result is not None
    if game.result.reason != NO_MOVES:  # it may have waited for another end there
        assert game.result.reason == result["end"]
    assert game.bag == result["bag"]
    for player in range(players):
        assert game.scores[player] == result[f"score_{player}"]
        assert game.result.adjustment[player] == result[f"adjustment_{player}"]


def test_a_game_of_players_by_name() -> None:
    game = eng.Game(rules="english", players=["equity", "greedy"], seed=7).run()
    assert game.over
    assert game.names == ("equity", "greedy")
    again = eng.Game(rules="english", players=["equity", "greedy"], seed=7).run()
    assert (game.scores, game.log) == (again.scores, again.log)
    assert Counter(type(event).__name__ for event in game.log)["Ended"] == 1
    game.check()


def test_a_computer_waits_for_somebody_else() -> None:
    game = eng.Game(players=[None, "equity"], names=["Ada", "engine"], seed=3)
    assert game.run().turn == 0
    game.pass_turn()
    assert game.run().turn == 0
    assert game.actions == 2
    assert game.pending is not None  # the computer's play may be challenged
    assert game.challengers == (0,)


def test_a_computer_leaves_its_last_play_to_be_challenged() -> None:
    for seed in range(40):
        game = eng.Game(players=[None, "equity"], seed=seed)
        while not game.over and game.run().turn == 0:
            game.play(game.position.first(1)[0].play)
        if game.waiting:
            assert game.pending is not None
            assert game.pending.player == 1
            game.accept()
            assert game.over
            return
    raise AssertionError("the computer never went out")


class Stubborn:
    name = "stubborn"

    def choose(self, position: eng.Position) -> Play:
        return position.parse("exch " + position.rules.tiles.format_rack(position.racks[0][:1]))


def test_players_that_never_end_a_game_are_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("engine.app.games.MOST_TURNS", 50)
    game = eng.Game("classic", players=[Stubborn(), Stubborn()])
    with pytest.raises(QuixotryError, match="no end after 50 turns"):
        game.run()


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"players": ["equity"]}, "1 players"),
        ({"players": ["equity", "nobody"]}, "no player 'nobody'"),
        ({"players": ["equity", 3]}, "player 3"),
        ({"players": "equity"}, "players 'equity'"),
        ({"names": ["a"]}, r"names \['a'\], expected a list with one for each of 2 players"),
        ({"names": []}, r"names \[\], expected"),
        ({"names": "ab"}, "names 'ab', expected"),
        ({"rules": "martian"}, "no rules 'martian'"),
        ({"rules": "english+wide"}, "no variant 'wide'"),
        ({"rules": 5}, "rules 5, expected"),
        ({"lexicon": 5}, "lexicon 5, expected"),
        ({"start": "15/15"}, "start '15/15', expected a Position"),
        ({"lexicon": "no such lexicon"}, "no lexicon"),
        ({"leaves": "no such leaves"}, "no leaves"),
        ({"leaves": 3}, "leaves 3, expected"),
        ({"leaves": ["zero"]}, r"leaves \['zero'\], expected"),
        ({"seed": -1}, "seed -1"),
    ],
)
def test_a_game_that_cannot_be_made_is_refused(options: dict[str, Any], said: str) -> None:
    with pytest.raises(QuixotryError, match=said):
        eng.Game(**options)


@pytest.mark.parametrize("given", [{"rules": "english"}, {"lexicon": ["AA"]}, {"leaves": "zero"}])
def test_what_a_position_has_is_not_given_beside_it(given: dict[str, Any]) -> None:
    (what,) = given
    with pytest.raises(QuixotryError, match=f"{what} and start: a position has its own {what}"):
        eng.Game(start=eng.Position.new(), **given)


def test_the_rules_of_a_game_are_english_or_a_file(tmp_path: Path) -> None:
    file = tmp_path / "my.toml"
    file.write_text('base = "english"\nexchange_min_bag = 3\n')
    assert eng.Game(file).rules.exchange_min_bag == 3
    assert eng.Game(rules=None).rules == find_rules("english")


def test_computers_take_no_time_by_a_clock_that_measures_none() -> None:
    game = eng.Game(clock=eng.Clock(1500), seed=1, challenge="double").run()
    assert game.over
    assert [game.seconds_left(player) for player in (0, 1)] == [1500, 1500]


@pytest.mark.parametrize("given", [{"leaves": []}, {"lexicons": []}])
def test_an_empty_list_is_not_one_for_each_player(given: dict[str, Any]) -> None:
    (what,) = given
    with pytest.raises(QuixotryError, match=rf"{what} \[\]: expected"):
        eng.play_games("equity", "greedy", games=1, **given)


def test_a_static_player_passes_after_three_rounds_without_a_score() -> None:
    lexicon = lexicon_of(("QQ",), find_rules("english").tiles)
    for name in ("equity", "greedy"):
        game = eng.Game("english", [name, name], lexicon=lexicon, seed=1).run()
        kinds = [event.play.kind for event in game.log if hasattr(event, "play")]
        assert kinds == ["exchange"] * len(kinds)  # six scoreless turns end it before
        passing = eng.Game("classic", [name, name], lexicon=lexicon, seed=1).run()
        kinds = [event.play.kind for event in passing.log if hasattr(event, "play")]
        assert kinds == ["exchange"] * 6 + [PASS] * 4


def test_the_referee_needs_no_players() -> None:
    assert issubclass(eng.Game, referee.Game)
    choose: Callable[..., Play] = find_player(
        "greedy", find_rules("english"), lexicon_of(("AT",), find_rules("english").tiles)
    ).choose
    game = referee.Game("english", lexicon_of(("AT",), find_rules("english").tiles), seed=1)
    before = game.state
    assert choose(game.position) == choose(game.position)
    assert game.state is before
