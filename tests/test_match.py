"""Matches: pairs on the same draws with the seats swapped, their figures, and when they stop."""

from __future__ import annotations

import json
import math
import pickle
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import engine as eng
from engine.errors import QuixotryError
from engine.lexicon.leaves import zero_leaves
from engine.players.static import StaticPlayer, find_player
from engine.rules.rules import End, find_rules
from engine.selfplay.batch import Batch
from engine.selfplay.match import CHUNK, PAIR, MatchResult, MatchTask, Tally, play_match
from engine.selfplay.pool import Workers
from engine.selfplay.stats import Estimate, Sprt

ENGLISH = find_rules("english")


def _player(name: str = "equity", **change: Any) -> StaticPlayer:
    player = find_player(name, ENGLISH, eng.load_lexicon("english"))
    return replace(player, **change)


@pytest.fixture(scope="module")
def rows() -> Any:
    """250 pairs of equity against greedy."""
    task = MatchTask(ENGLISH, (_player(), _player("greedy")), 250, 3)
    assert task.chunks == 3
    return np.concatenate([task(number) for number in range(3)])


def _tally(rows: Any, rules: Any = ENGLISH) -> Tally:
    tally = Tally(rules)
    tally.add(rows)
    return tally


# -- pairs -----------------------------------------------------------------------------------------


def test_identical_players_differ_in_no_pair() -> None:
    player = _player()
    task = MatchTask(ENGLISH, (player, replace(player, name="twin")), 200, 9)
    played = np.concatenate([task(0), task(1)])
    for name in PAIR.names or ():
        assert (played[name][:, 0] == played[name][:, 1, ::-1]).all()
    spread = played["score"][:, :, 0] - played["score"][:, :, 1]
    assert (spread.sum(axis=1) == 0).all()
    assert len(np.unique(spread)) > 50
    tally = _tally(played)
    assert tally.results == [0, 0, 200, 0, 0]
    assert tally.divergent == 0
    for estimate, value in ((tally.win_share, 0.5), (tally.mean_spread, 0), (tally.elo, 0)):
        assert (estimate.value, estimate.low, estimate.high) == (value, value, value)


def test_a_pair_is_a_game_number_in_both_orders(rows: Any) -> None:
    batch = Batch(ENGLISH, [_player(), _player("greedy")])
    for number in (0, 99, 100, 249):
        for game, order in enumerate(((0, 1), (1, 0))):
            turns, results = batch.play(3, number, 1, order=order)
            seats = list(order)
            pair = rows[number]
            assert pair["score"][game, seats].tolist() == results[0]["score"][:2].tolist()
            assert pair["bingos"][game, seats].tolist() == results[0]["bingos"][:2].tolist()
            for seat, player in enumerate(order):
                mine = turns[turns["player"] == seat]
                assert pair["made"][game, player] == mine["score"].sum()
                assert pair["turns"][game, player] == len(mine)
        first = [batch.play(3, number, 1, order=order)[0][0] for order in ((0, 1), (1, 0))]
        assert first[0]["rack"].tolist() == first[1]["rack"].tolist()


def test_players_swapped_give_the_same_games() -> None:
    one = play_match(ENGLISH, _player(), _player("greedy"), 150, 4, sprt=None).tally
    other = play_match(ENGLISH, _player("greedy"), _player(), 150, 4, sprt=None).tally
    assert one.results == other.results[::-1]
    assert one.first == other.first
    assert one.games == other.games[::-1]
    assert one.mean_spread.value == -other.mean_spread.value
    assert one.players == other.players[::-1]
    assert one.win_share.low == pytest.approx(1 - other.win_share.high)


def test_each_player_has_its_own_lexicon_and_leaves() -> None:
    short = eng.load_lexicon([w for w in eng.load_lexicon("english").trie if len(w) < 5])
    a, b = _player(), _player(lexicon=short, leaves=zero_leaves(27))
    tally = play_match(ENGLISH, a, b, 50, 1, sprt=None).tally
    assert tally.win_share.value > 0.9
    assert tally.players[1].bingos.total == 0


@pytest.mark.parametrize("name", ["english+nine", "english+super", "english+finish-expert"])
def test_other_rules(name: str) -> None:
    rules = find_rules(name)
    lexicon = eng.load_lexicon("english", rules)
    a, b = (find_player(player, rules, lexicon) for player in ("equity", "greedy"))
    result = play_match(rules, a, b, 10, 1)
    assert sum(result.tally.games) == 20
    assert f"rules {name}" in result.summary()


def test_other_tiles() -> None:
    rules = replace(find_rules("hungarian"), end=End("scoreless", 6))
    words = ["alma", "szalma", "mag", "magas", "agy", "gyom", "lomb", "nyom", "csalma"]
    lexicon = eng.load_lexicon(words, rules)
    player = find_player("equity", rules, lexicon)
    assert play_match(rules, player, player, 20, 1).tally.results == [0, 0, 20, 0, 0]


# -- figures ---------------------------------------------------------------------------------------


def test_figures_are_those_of_the_games(rows: Any) -> None:
    tally = _tally(rows)
    score = rows["score"].astype(float)
    points = (np.sign(score[:, :, 0] - score[:, :, 1]) + 1) / 2
    assert tally.win_share.value == pytest.approx(points.mean())
    assert tally.games == [int((points == x).sum()) for x in (0, 0.5, 1)]
    began = (points[:, 0] + 1 - points[:, 1]) / 2
    assert tally.first_mover_share.value == pytest.approx(began.mean())
    spread = (score[:, :, 0] - score[:, :, 1]).mean(axis=1)
    found = tally.mean_spread
    assert found.value == pytest.approx(spread.mean())
    error = 1.9695 * spread.std(ddof=1) / math.sqrt(len(spread))
    assert found.high - found.value == pytest.approx(error, rel=1e-3)
    for player, of_player in enumerate(tally.players):
        for name in ("score", "bingos", "turns"):
            assert of_player.per_game(name).value == rows[name][:, :, player].mean()
            games = of_player.games[name]
            assert games.total() == 500
            mean = sum(k * v for k, v in games.items()) / 500
            assert mean == pytest.approx(rows[name][:, :, player].mean())
        made, turns = rows["made"][:, :, player], rows["turns"][:, :, player]
        assert of_player.score_per_turn.value == pytest.approx(made.sum() / turns.sum())
    assert sum(tally.spreads.values()) == 500


def test_the_interval_of_points_a_turn_is_that_of_resampled_pairs(rows: Any) -> None:
    found = _tally(rows).players[0].score_per_turn
    rng = np.random.default_rng(2)
    made, turns = (rows[name][:, :, 0].sum(axis=1) for name in ("made", "turns"))
    picks = rng.integers(0, len(rows), (4000, len(rows)))
    low, high = np.quantile(made[picks].sum(axis=1) / turns[picks].sum(axis=1), (0.025, 0.975))
    assert (found.low, found.high) == pytest.approx((low, high), abs=0.12)


def test_the_order_of_chunks_does_not_matter(rows: Any) -> None:
    tally = Tally(ENGLISH)
    for chunk in (rows[200:], rows[:100], rows[100:200]):
        tally.add(chunk)
    whole = _tally(rows)
    assert (tally.results, tally.spread, tally.players) == (
        whole.results, whole.spread, whole.players,
    )  # fmt: skip


def test_equal_scores_are_a_draw_unless_the_rules_look_before_the_adjustment() -> None:
    pair = np.zeros(1, PAIR)
    pair["score"] = [[[300, 300], [310, 310]]]
    pair["made"] = [[[305, 303], [310, 310]]]
    assert _tally(pair).games == [0, 2, 0]
    before = replace(ENGLISH, tie="before_adjustment")
    assert _tally(pair, before).games == [0, 1, 1]
    assert _tally(pair, before).results == [0, 0, 0, 1, 0]


def test_equity_beats_greedy_and_the_first_mover_has_the_better_half() -> None:
    tally = play_match(ENGLISH, _player(), _player("greedy"), 1000, 1, sprt=None).tally
    assert 0.55 < tally.win_share.value < 0.68
    assert 0.51 < tally.first_mover_share.value < 0.58
    assert tally.win_share.low > 0.5
    assert 370 < tally.players[1].per_game("score").value < 440


# -- when it stops, and who does the work ----------------------------------------------------------


def test_it_stops_at_the_first_checkpoint_that_is_sure() -> None:
    task = MatchTask(ENGLISH, (_player(), _player("greedy")), 5000, 1)
    result = play_match(ENGLISH, *task.players, 5000, 1)
    assert result.sprt == "A"
    assert result.tally.pairs % CHUNK == 0
    tally = Tally(ENGLISH)
    for number in range(result.tally.pairs // CHUNK):
        assert Sprt().verdict(tally.results) == "undecided"
        tally.add(task(number))
    assert Sprt().verdict(tally.results) == "A"
    assert tally.results == result.tally.results
    assert result.llr == Sprt().llr(tally.results) > Sprt().upper


def test_without_a_test_all_pairs_are_played() -> None:
    seen = []
    result = play_match(
        ENGLISH, _player("greedy"), _player(), 130, 1,
        sprt=None, progress=lambda tally, llr: seen.append((tally.pairs, llr)),
    )  # fmt: skip
    assert (result.tally.pairs, result.sprt, result.llr) == (130, "off", 0)
    assert seen == [(100, None), (130, None)]


def test_b_may_win_too() -> None:
    result = play_match(ENGLISH, _player("greedy"), _player(), 5000, 1, sprt=Sprt(-20, 20))
    assert result.sprt == "B"
    assert result.tally.pairs < 1000


@pytest.mark.parametrize("workers", [Workers(count=2), Workers("processes", 2)])
def test_any_workers_give_the_same_result(workers: Workers) -> None:
    players = _player(), _player("greedy")
    alone = play_match(ENGLISH, *players, 1000, 2)
    assert alone.tally.pairs < 1000  # it stopped while others were ahead
    result = play_match(ENGLISH, *players, 1000, 2, workers=workers)
    assert result.to_dict() == alone.to_dict()
    assert result.tally.spreads == alone.tally.spreads


def test_a_task_travels_without_its_tables() -> None:
    player = _player()
    task = MatchTask(ENGLISH, (player, player), 5, 1)
    played = task(0)
    again = pickle.loads(pickle.dumps(task))
    assert "_batch" not in again.__dict__
    assert again(0).tobytes() == played.tobytes()


# -- results ---------------------------------------------------------------------------------------


def test_one_pair_has_no_interval_of_the_spread_in_json() -> None:
    result = play_match(ENGLISH, _player(), _player("greedy"), 1, 1)
    found = json.loads(json.dumps(result.to_dict(), allow_nan=False))
    assert (found["pairs"], found["spread_low"], found["sprt"]) == (1, None, "undecided")
    assert 0 <= found["win_share_low"] <= found["win_share"] <= found["win_share_high"] <= 1


def test_no_interval_of_what_is_counted_goes_below_0() -> None:
    result = eng.match("greedy", "greedy", pairs=4, seed=1, lexicon=["QI", "ZA", "RETAINS"])
    found = result.to_dict()
    for name in ("bingos", "turns"):
        for low, value in zip(found[f"{name}_low"], found[name], strict=True):
            assert 0 <= low <= value
    clipped = MatchResult._of_player("bingos", _Counted())  # type: ignore[arg-type]
    assert clipped == Estimate(0.01, 0.0, 0.03)


class _Counted:
    """A player whose interval would go below 0."""

    def per_game(self, name: str) -> Estimate:
        return Estimate(0.01, -0.01, 0.03)


def test_the_python_function_takes_anything(tmp_path: Any) -> None:
    words = tmp_path / "some.txt"
    words.write_text("\n".join(w for w in eng.load_lexicon("english").trie if len(w) < 6))
    one = eng.match("equity", "equity", pairs=30, seed=1, lexicon=words, leaves2="zero")
    other = eng.match(
        "equity", "equity", pairs=30, seed=1, workers=2,
        lexicon=eng.load_lexicon(words), leaves2=zero_leaves(27),
    )  # fmt: skip
    assert one.to_dict() == other.to_dict()
    assert repr(one).startswith("<MatchResult A equity (lexicon some, leaves english) against B")


def test_what_makes_no_match_is_refused() -> None:
    player = _player()
    with pytest.raises(QuixotryError, match="pairs 0, expected"):
        play_match(ENGLISH, player, player, 0)
    with pytest.raises(QuixotryError, match="kinds of tile"):
        eng.match("equity", "equity", leaves=zero_leaves(30))
    with pytest.raises(QuixotryError, match="no player 'human'"):
        eng.match("equity", "human")
    with pytest.raises(QuixotryError, match="kinds of tile"):
        play_match(find_rules("polish"), player, player, 5)
    polish = _player(leaves=zero_leaves(33))
    with pytest.raises(QuixotryError, match="tiles"):
        play_match(find_rules("polish"), polish, polish, 5)


@pytest.mark.parametrize("seed", [-1, 2**64, "q", 1.5])
def test_what_is_no_seed_is_refused(seed: object) -> None:
    from engine.selfplay.batch import check_seed

    with pytest.raises(QuixotryError, match="expected a whole number from 0"):
        check_seed(seed)  # type: ignore[arg-type]
