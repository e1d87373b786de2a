"""Whole-game scripts of the reference data: the referee's state after every event."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from conftest import shared_folder
from positions import lexicon_of

from engine.board.notation.cgp import format_board
from engine.errors import IllegalPlay, NotationError, QuixotryError
from engine.game.events import Challenged, Turn
from engine.game.game import Game
from engine.game.start import find_starter
from engine.lexicon.leaves import zero_leaves
from engine.rules.layouts import Layout, find_layout
from engine.rules.rules import Challenge, End, Rules
from engine.rules.tiles import TileSet, find_tile_set

FILE = shared_folder() / "oracle" / "rules.jsonl"
RECORDS = (
    [json.loads(line) for line in FILE.read_text("utf-8").splitlines()] if FILE.exists() else []
)
GAMES = [record for record in RECORDS if record["type"] == "game"]
STARTS = [record for record in RECORDS if record["type"] == "start_draw"]


def test_the_scripts_are_there(shared: Path) -> None:
    assert (len(GAMES), len(STARTS)) == (30, 11)


def _tiles(given: Any) -> TileSet:
    if isinstance(given, str):
        return find_tile_set(given)
    labels, counts, values, vowels = (tuple(column) for column in zip(*given, strict=True))
    lower = tuple(label.lower() for label in labels)
    return TileSet("script", labels, lower, counts, values, tuple(map(bool, vowels)))


def _rules(record: dict[str, Any]) -> Rules:
    given, layout = record["rules"], record["layout"]
    challenge = dict(given["challenge"])
    end = given["end"]
    target = given["finish_line"]
    return Rules(
        name=record["id"],
        tiles=_tiles(given["tileset"]),
        layout=find_layout(layout)
        if isinstance(layout, str)
        else Layout(layout["name"], tuple(layout["squares"]), tuple(layout["start"])),
        rack_size=given["rack_size"],
        bonus=tuple(given["bonus"].get(str(n), 0) for n in range(given["rack_size"] + 1)),
        exchange_min_bag=given["exchange_min_bag"],
        end=End(end["kind"], end["turns"] if end["kind"] == "scoreless" else end["rounds"]),
        challenge=Challenge(**challenge),
        tie=given["tie"],
        finish_line={record["players"]: target} if target else {},
    )


def _game(record: dict[str, Any]) -> Game:
    rules = _rules(record)
    label = rules.tiles.labels.index
    return Game(
        rules,
        lexicon_of(tuple(record["lexicon"]), rules.tiles),
        zero_leaves(rules.tiles.kinds),
        players=record["players"],
        draw_order=[label(text) for text in record["draw_order"]],
    )


def _act(game: Game, event: dict[str, Any]) -> Any:
    if event["do"] == "challenge":
        return game.challenge(event["player"])
    assert game.turn == event["player"]
    if event["do"] == "play":
        return game.play(event["move"])
    if event["do"] == "pass":
        return game.pass_turn()
    return game.exchange([game.rules.tiles.labels.index(text) for text in event["tiles"]])


def _labels(game: Game, letters: Any) -> list[str]:
    labels = game.rules.tiles.labels
    return [labels[letter] for letter in letters]


def _check(game: Game, expect: dict[str, Any], racks: list[list[str]]) -> None:
    game.check()
    assert list(game.state.scores) == expect["scores"]
    for rack, given in zip(game.racks, racks, strict=True):
        assert sorted(_labels(game, rack)) == sorted(given)
    assert game.bag == expect["bag"]
    assert game.turn == expect["turn"]
    if expect["scoreless_run"] is not None:
        assert game.state.scoreless == expect["scoreless_run"]
    if expect["ended"] is not None:
        assert game.over == expect["ended"]


@pytest.mark.parametrize("record", GAMES, ids=[record["id"] for record in GAMES])
def test_a_script_is_followed_to_the_letter(record: dict[str, Any]) -> None:
    game = _game(record)
    for event in record["events"]:
        expect = event.get("expect")
        if expect is None:
            assert event["only_if_not_ended"]
            assert game.over
            continue
        for rack, given in zip(game.racks, event["racks_before"], strict=True):
            assert sorted(_labels(game, rack)) == sorted(given)
        assert game.bag == event["bag_before"]
        if not expect["ok"]:
            before = game.state, game.actions, game.actions_known
            with pytest.raises((IllegalPlay, NotationError)):
                _act(game, event)
            assert (game.state, game.actions, game.actions_known) == before
        else:
            made = _act(game, event)
            assert made.player == event["player"]
            if isinstance(made, Turn):
                assert made.score == expect.get("score", 0)
                words = [".".join(_labels(game, (t & 63 for t in w))) for w in made.words]
                assert words == expect.get("words", [])
            if isinstance(made, Challenged):
                assert made.removed == expect["removed"]
            if expect["ended"] and game.waiting:
                game.accept()
        _check(game, expect, expect["racks"])
    assert format_board(game.board, game.rules.tiles) == record["board_end"]
    final = record["final"]
    assert game.over == (final is not None)
    if game.result is not None:
        result = game.result
        assert result.reason == final["reason"]
        assert list(result.before) == final["scores_before_adjustment"]
        if final["adjustment"] is not None:
            assert list(result.adjustment) == final["adjustment"]
            assert list(game.scores) == final["scores"]
        assert (result.winner, result.draw) == (final["winner"], final["draw"])
        with pytest.raises(QuixotryError):
            game.pass_turn()


@pytest.mark.parametrize("record", GAMES, ids=[record["id"] for record in GAMES])
def test_a_script_is_undone_and_done_again(record: dict[str, Any]) -> None:
    game = _game(record)
    states = [game.state]
    for event in record["events"]:
        if event.get("expect", {}).get("ok"):
            _act(game, event)
            states.append(game.state)
    for number in (*range(len(states) - 1, -1, -1), *range(len(states))):
        game.replay(number)
        assert game.state == states[number]


@pytest.mark.parametrize("record", STARTS, ids=[record["id"] for record in STARTS])
def test_who_starts(record: dict[str, Any]) -> None:
    label = find_tile_set(record["tileset"]).labels.index
    rounds = [{int(p): label(tile) for p, tile in drawn.items()} for drawn in record["rounds"]]
    assert find_starter(rounds) == record["starter"]
