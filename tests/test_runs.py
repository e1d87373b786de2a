"""``engine.selfplay`` and ``engine.match`` from Python: what their arguments mean."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import engine as eng
from engine.app.matches import match
from engine.app.runs import play_games
from engine.errors import QuixotryError
from engine.selfplay.match import MatchResult
from engine.selfplay.pool import Workers
from engine.selfplay.run import RunResult
from engine.selfplay.stats import Sprt

WORDS = ["at", "cat", "cats", "tea", "eat", "eats", "seat", "sea", "teas"]


def selfplay_of(**given: Any) -> RunResult:
    return play_games("equity", "greedy", **({"games": 4} | given))


def match_of(**given: Any) -> MatchResult:
    return match("equity", "greedy", **({"pairs": 2} | given))


BOTH = [selfplay_of, match_of]

# -- lexicons and leaves ---------------------------------------------------------------------------


def _words(result: RunResult | MatchResult) -> list[int]:
    return [player.lexicon.info.words for player in result.players]


@pytest.mark.parametrize("play", BOTH)
def test_a_list_given_as_lexicon_is_a_list_of_words(play: Callable[..., Any]) -> None:
    for words in (WORDS, tuple(WORDS), iter(WORDS)):
        assert _words(play(lexicon=words)) == [9, 9]


def test_lexicons_of_a_run_are_one_for_each_player() -> None:
    english = eng.load_lexicon("english")
    assert _words(selfplay_of(lexicons=[english, WORDS])) == [len(english), 9]
    assert _words(selfplay_of(lexicons=[WORDS])) == [9, 9]
    with pytest.raises(QuixotryError, match="lexicon and lexicons: expected one"):
        selfplay_of(lexicon="english", lexicons=["english", WORDS])
    with pytest.raises(QuixotryError, match="lexicons: 3 for 2 players"):
        selfplay_of(lexicons=["english"] * 3)
    with pytest.raises(QuixotryError, match="lexicons 'english', expected a list"):
        selfplay_of(lexicons="english")


def test_lexicon2_of_a_match_is_that_of_b() -> None:
    english = len(eng.load_lexicon("english"))
    assert _words(match_of(lexicon2=WORDS)) == [english, 9]
    assert _words(match_of(lexicon=WORDS, lexicon2="english")) == [9, english]


@pytest.mark.parametrize("play", BOTH)
def test_a_list_given_as_leaves_is_one_for_each_player(play: Callable[..., Any]) -> None:
    one = play(leaves=["english", "zero"]).players
    assert [player.leaves.name for player in one] == ["english", "zero"]
    with pytest.raises(QuixotryError, match="leaves: 3 for 2 players"):
        play(leaves=["zero"] * 3)


def test_leaves2_of_a_match_are_those_of_b() -> None:
    players = match("equity", "equity", pairs=1, leaves="zero", leaves2="english").players
    assert [player.leaves.name for player in players] == ["zero", "english"]
    with pytest.raises(QuixotryError, match="leaves for each player and leaves2"):
        match_of(leaves=["zero", "english"], leaves2="zero")


def test_a_lexicon_given_twice_is_read_once(tmp_path: Path) -> None:
    file = tmp_path / "w.txt"
    file.write_text("\n".join(WORDS))
    one, other = selfplay_of(lexicons=[file, file]).players
    assert one.lexicon is other.lexicon


@pytest.mark.parametrize("play", BOTH)
def test_a_lexicon_without_words_is_logged_once(
    play: Callable[..., Any], caplog: pytest.LogCaptureFixture
) -> None:
    assert _words(play(lexicon=[])) == [0, 0]
    assert [record.getMessage() for record in caplog.records] == [
        "lexicon words has no words: with it nobody can lay a tile"
    ]


@pytest.mark.parametrize("play", BOTH)
def test_rules_whose_lexicon_is_not_here_say_how_to_give_one(play: Callable[..., Any]) -> None:
    with pytest.raises(QuixotryError, match=r"no lexicon 'polish'.*--lexicon \(in Python: lex"):
        play(rules="polish")


# -- arguments of the wrong kind -------------------------------------------------------------------

WRONG = [
    ("seed", 1.5),
    ("seed", "x"),
    ("seed", None),
    ("rules", 5),
    ("rules", None),
    ("rules", ["english"]),
    ("workers", "a"),
    ("workers", 1.5),
    ("workers", True),
    ("workers", [2]),
    ("lexicon", 5),
    ("lexicon", [5]),
    ("lexicon", [eng.load_lexicon]),
    ("leaves", 5),
    ("leaves", [5, 5]),
    ("leaves", {"S": 8}),
    ("progress", 5),
]


def _refused(play: Callable[..., Any], name: str, value: object) -> None:
    with pytest.raises(QuixotryError) as error:
        play(**{name: value})
    assert str(error.value).startswith(name)
    assert "expected" in str(error.value)


@pytest.mark.parametrize("play", BOTH)
@pytest.mark.parametrize(("name", "value"), WRONG)
def test_an_argument_of_the_wrong_kind_is_named(
    name: str, value: object, play: Callable[..., Any]
) -> None:
    _refused(play, name, value)


@pytest.mark.parametrize(
    ("name", "value"),
    [("games", "x"), ("games", 1.5), ("games", None), ("games", True),
     ("chunk", None), ("chunk", "7"), ("chunk", -1), ("out", 5), ("out", ["a"]), ("format", 5),
     ("format", ["csv"]), ("format", ""), ("lexicons", 5)],
)  # fmt: skip
def test_an_argument_of_a_run_of_the_wrong_kind_is_named(name: str, value: object) -> None:
    _refused(selfplay_of, name, value)


@pytest.mark.parametrize(
    ("name", "value"),
    [("pairs", "x"), ("pairs", None), ("pairs", 2.0), ("pairs", False), ("sprt", "x"),
     ("sprt", 5)],
)  # fmt: skip
def test_an_argument_of_a_match_of_the_wrong_kind_is_named(name: str, value: object) -> None:
    _refused(match_of, name, value)


@pytest.mark.parametrize(("name", "said"), [("lexicon2", "lexicon 5"), ("leaves2", "leaves 5")])
def test_what_is_of_b_alone_may_be_wrong_too(name: str, said: str) -> None:
    with pytest.raises(QuixotryError, match=f"{said}, expected"):
        match_of(**{name: 5})


@pytest.mark.parametrize("players", [(["equity", "greedy"],), (5, "equity"), (None, None)])
def test_players_that_are_no_names_are_said(players: tuple[Any, ...]) -> None:
    with pytest.raises(QuixotryError, match=r"^players: .*, expected the name of a player"):
        eng.selfplay(*players, games=3)
    if len(players) == 2:
        with pytest.raises(QuixotryError, match=r"^players: .*, expected the name of a player"):
            eng.match(*players, pairs=3)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (("threads", "a"), "workers 'a', expected a whole number"),
        (("threads", 1.5), "workers 1.5"),
        ((5,), "kind of workers 5"),
        (([],), r"kind of workers \[\]"),
        (("cluster", 1, 5), "address 5"),
    ],
)
def test_workers_of_the_wrong_kind_are_said(given: tuple[Any, ...], said: str) -> None:
    with pytest.raises(QuixotryError, match=said):
        Workers(*given)


@pytest.mark.parametrize("given", [{"elo0": "a"}, {"alpha": None}, {"elo0": float("nan")}])
def test_a_test_that_cannot_be_is_refused(given: dict[str, Any]) -> None:
    with pytest.raises(QuixotryError, match=next(iter(given))):
        Sprt(**given)


def test_a_number_too_large_to_be_shown_is_refused() -> None:
    _refused(selfplay_of, "games", 10**5000)


def test_whole_numbers_of_numpy_are_numbers(tmp_path: Path) -> None:
    result = selfplay_of(games=np.int64(4), chunk=np.int32(3), workers=np.int8(2), out=tmp_path)
    assert result.totals.games == 4
    assert match_of(pairs=np.int64(2)).tally.pairs == 2


@pytest.mark.parametrize("play", BOTH)
def test_rules_may_be_a_path(play: Callable[..., Any], tmp_path: Path) -> None:
    file = tmp_path / "house.toml"
    file.write_text('base = "english"\nexchange_min_bag = 1\n')
    assert play(rules=file).rules.exchange_min_bag == 1


def test_nothing_is_written_where_an_argument_is_wrong(tmp_path: Path) -> None:
    for name, value in [*WRONG, ("games", 0), ("chunk", 0), ("format", "xls")]:
        with pytest.raises(QuixotryError):
            selfplay_of(**{"out": tmp_path / "out", name: value})
    assert not (tmp_path / "out").exists()
