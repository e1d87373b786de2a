"""Win probability: swings of games against the slow twin, swings to a table, files, training."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

import naive
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import engine as eng
from engine.errors import LexiconFileError, QuixotryError
from engine.lexicon.catalog import find_lexicon
from engine.lexicon.leaves import Leaves, zero_leaves
from engine.lexicon.packed import pack
from engine.players.static import find_player
from engine.rules.rules import Rules, find_rules
from engine.rules.tiles import TileSet
from engine.search import winpct
from engine.search.winpct import (
    KIND,
    SCALE,
    WinTable,
    default_win_table,
    find_win_table,
    load_win_table,
    read_win_table,
    row_of,
    rows_of,
    win_table_names,
    write_win_table,
)
from engine.selfplay.batch import Batch
from engine.selfplay.pool import Workers
from lexicon_build import winpct as training
from lexicon_build.forecasts import Forecasts
from lexicon_build.swings import MOST_SWING, Positions, SwingCounts, SwingTask, positions_of
from lexicon_build.winpct import Plan, make_table, train_winpct

ENGLISH = find_rules("english")
TILES = TileSet(
    name="tiny",
    labels=("?", "A", "B"),
    blank_labels=("?", "a", "b"),
    counts=(0, 5, 4),
    values=(0, 1, 3),
    vowels=(False, True, False),
)
TINY = replace(ENGLISH, name="tiny", tiles=TILES, rack_size=2, bonus=(0, 0, 0))  # 5 in the bag
Key = tuple[int, int, int]  # bag, own tiles, tiles of the other; both 0 where the bag has tiles


def _plan(**changes: Any) -> Plan:
    few = {"games": 700, "seed": 5, "name": "few"}
    return Plan(ENGLISH, find_lexicon("english"), zero_leaves(27), **(few | changes))


Seen = dict[Key, list[tuple[int, int]]]  # spreads, and swings in half points


def _counts(seen: Seen) -> SwingCounts:
    rows = [(row_of(2, *key), *pair) for key, pairs in seen.items() for pair in pairs]
    found = SwingCounts(TINY)
    found.add(Positions(*np.array(rows, np.int32).T))
    return found


def _level(swings: Iterable[int]) -> list[tuple[int, int]]:
    """Swings where nobody was ahead."""
    return [(0, swing) for swing in swings]


def _many(swings: dict[int, int]) -> SwingCounts:
    """Swings seen so often with 3 in the bag of TINY, nobody ahead."""
    found = SwingCounts(TINY)
    found.counts = np.zeros((rows_of(TINY), 81), np.int64)
    for swing, number in swings.items():
        found.counts[row_of(2, 3, 2, 2), 40 + swing] = number
    return found


@st.composite
def _seen(draw: st.DrawFn) -> Seen:
    """What was seen in some positions of TINY."""
    rng = random.Random(draw(st.integers(0, 2**32 - 1)))
    keys: list[Key] = [(0, own, other) for own in (1, 2) for other in (1, 2)]
    keys += [(bag, 0, 0) for bag in range(1, 6)]
    some = rng.sample(keys, draw(st.integers(1, len(keys))))
    wide = draw(st.sampled_from((3, 30, 60)))
    most = draw(st.sampled_from((2, 15)))
    ahead = draw(st.sampled_from((0, 1, 400)))
    return {
        key: [
            (rng.randint(-ahead, ahead), rng.randint(-wide, wide))
            for _ in range(rng.randint(1, most))
        ]
        for key in some
    }


# -- swings of games -------------------------------------------------------------------------------


def _players(rules: Rules, words: list[str] | None) -> Batch:
    lexicon = eng.load_lexicon(words, rules) if words else find_lexicon("english")
    player = find_player("equity", rules, lexicon)
    return Batch(rules, (player, player))


FEW = ["aa", "qi", "za", "ox", "cat", "cats", "tea", "eat", "sea"]


@pytest.mark.parametrize(
    ("rules", "words"),
    [
        (ENGLISH, None),
        (find_rules("classic"), FEW),  # equal scores are decided by those before
        (find_rules("english+nine"), None),
        (ENGLISH, FEW),  # games that end with tiles in the bag
        (replace(ENGLISH, tiles=replace(TILES, counts=(1, 2, 2))), ["ab"]),
        (TINY, ["ab", "ba", "aab", "abab"]),
    ],
    ids=["english", "classic", "nine", "stuck", "five tiles", "tiny"],
)
def test_positions_of_games_are_those_of_the_slow_twin(
    rules: Rules, words: list[str] | None
) -> None:
    turns, games = _players(rules, words).play(3, 0, 60)
    found = positions_of(turns, games, rules)
    twin = naive.positions(turns, games, rules)
    assert len(found) == len(twin) == len(turns)
    rows = [row_of(rules.rack_size, *position[:3]) for position in twin]
    assert found.rows.tolist() == rows
    assert max(rows) < rows_of(rules)
    assert found.spreads.tolist() == [position[3] for position in twin]
    assert found.results.tolist() == [position[5] for position in twin]
    swings = [2 * position[4] for position in twin]
    edges = (found.swings - np.array(swings)).tolist()
    assert set(edges) <= ({-1, 0, 1} if rules.tie == "before_adjustment" else {0})


def test_equal_scores_decided_by_those_before_are_no_draw() -> None:
    rules = find_rules("classic")
    turns, games = _players(rules, FEW).play(1, 0, 400)
    equal = games["score"][:, 0] == games["score"][:, 1]
    decided = equal & (games["adjustment"][:, 0] != games["adjustment"][:, 1])
    results = positions_of(turns, games, rules).results
    assert decided.any()
    assert (results == 0.5).sum() == games["turns"][equal & ~decided].sum()
    assert (positions_of(turns, games, ENGLISH).results == 0.5).sum() == games["turns"][equal].sum()


def test_the_chunks_of_a_task_are_all_its_games() -> None:
    player = _plan().player
    whole = SwingTask(ENGLISH, player, 3, 50, 50)(0)
    task = SwingTask(ENGLISH, player, 3, 50, 20)
    parts = Positions.join([task(number) for number in range(task.chunks)])
    for name in ("rows", "spreads", "swings"):
        assert getattr(parts, name).tolist() == getattr(whole, name).tolist()


def test_swings_are_counted_in_whatever_order_they_come() -> None:
    rng = np.random.default_rng(1)
    parts = [
        Positions(*rng.integers((0, -90, -wide), (14, 90, wide), (50, 3), dtype=np.int32).T)
        for wide in (5, 400, 20, 90)
    ]
    one, other = SwingCounts(TINY), SwingCounts(TINY)
    for part in parts:
        one.add(part)
    for part in reversed(parts):
        other.add(part)
    assert np.array_equal(one.sums(), other.sums())
    assert np.array_equal(SwingCounts(TINY, one.sums()).sums(), one.sums())
    every = Positions.join(parts)
    for row in range(14):
        own = every.rows == row
        spreads, swings = every.spreads[own].tolist(), every.swings[own].tolist()
        products = sum(a * b for a, b in zip(spreads, swings, strict=True))
        assert one.moments[row].tolist() == [sum(spreads), sum(a * a for a in spreads), products]
    for row, swing in zip(every.rows.tolist(), every.swings.tolist(), strict=True):
        one.counts[row, swing + one.reach] -= 1
    assert not one.counts.any()


def test_swings_past_all_measure_count_as_the_greatest() -> None:
    tiles = replace(TILES, values=(0, 100, 100))
    rules = replace(TINY, tiles=tiles, bonus=(0, 10_000, 10_000))
    turns, games = _players(rules, ["ab", "ba", "aab", "abab"]).play(1, 0, 20)
    swings = positions_of(turns, games, rules).swings
    assert np.abs(swings).max() == 2 * MOST_SWING


# -- from swings to a table ------------------------------------------------------------------------


@settings(max_examples=20)
@given(_seen(), st.sampled_from((0.1, 7.3)), st.sampled_from((0.0, 0.5, 1.0)))
def test_a_table_is_that_of_the_slow_twin(seen: Seen, thin: float, width: float) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(training, "THIN_BAG", thin)
        patch.setattr(training, "THIN_RACKS", thin)
        patch.setattr(training, "WIDTH", width)
        table = make_table(_counts(seen), TINY)
    for spread in (-300, -20, -1, 0, 7):
        twin = naive.win_table(seen, 2, 5, spread, thin, width, training.SLOPE)
        for key, share in twin.items():
            found = table.probability(spread, *key)
            assert abs(found - share) <= 0.5001 / SCALE, (key, spread)


@given(_seen())
def test_a_share_never_falls_as_the_spread_rises(seen: Seen) -> None:
    shares = make_table(_counts(seen), TINY).shares.astype(int)
    assert (np.diff(shares, axis=1) >= 0).all()
    assert shares.min() >= 0
    assert shares.max() <= SCALE


def test_hand_made_swings_give_their_shares() -> None:
    """Of 10 million positions with 3 in the bag: 60 % gain 10 points, 40 % lose 5."""
    table = make_table(_many({20: 6_000_000, -10: 4_000_000}), TINY)
    expected = {-11: 0.0, -10: 0.3, -9: 0.6, 0: 0.6, 4: 0.6, 5: 0.8, 6: 1.0, 300: 1.0, 9999: 1.0}
    for spread, share in expected.items():
        assert table.probability(spread, 3, 2, 2) == pytest.approx(share, abs=1e-4)
        # the one who has just played is ahead by -spread
        assert table.after_play(-spread, 3, 2, 2) == pytest.approx(1 - share, abs=1e-4)


def test_half_a_point_decides_a_tie() -> None:
    table = make_table(_many({11: 10_000_000}), TINY)  # 5.5: makes up for 5 points, not for 6
    shares = [table.probability(spread, 3, 2, 2) for spread in (-6, -5)]
    assert shares == pytest.approx([0, 1], abs=1e-4)


def test_swings_that_depend_on_the_spread_are_forecast_as_they_do() -> None:
    """Who was ahead by 100 lost 5, who was behind by 100 gained 5: nobody changed places."""
    rng = random.Random(1)
    pairs = [(s, rng.randint(-100, 100) - s // 10) for s in (-100, 100) for _ in range(40_000)]
    table = make_table(_counts({(3, 0, 0): pairs}), TINY)
    for spread in (-40, -10, 0, 10, 40):
        share = sum(2 * spread + rng.randint(-100, 100) - spread / 10 > 0 for _ in range(100_000))
        assert table.probability(spread, 3, 2, 2) == pytest.approx(share / 100_000, abs=0.01)
    straight = make_table(_counts({(3, 0, 0): _level(swing for _, swing in pairs)}), TINY)
    assert straight.probability(40, 3, 2, 2) > table.probability(40, 3, 2, 2) + 0.01


def test_a_bag_that_was_never_seen_is_worth_what_its_neighbours_are() -> None:
    near, far = _level([40] * 2000), _level([-40] * 2000)
    table = make_table(_counts({(2, 0, 0): near, (5, 0, 0): far, (0, 1, 1): _level([0])}), TINY)
    assert table.probability(0, 1, 2, 2) == pytest.approx(8 / 9, abs=0.01)  # 1/2 against 1/16
    assert table.probability(0, 0, 2, 1) == 0.5  # an empty bag is no neighbour


def test_with_an_empty_rack_the_spread_decides() -> None:
    table = make_table(_counts({(0, 1, 1): _level(range(-50, 50))}), TINY)
    for own, other in ((0, 1), (2, 0), (0, 0)):
        shares = table.probabilities([-300, -1, 0, 1, 300], 0, own, other)
        assert shares.tolist() == [0, 0, 0.5, 1, 1]


def test_a_table_reaches_as_far_as_results_are_open() -> None:
    close = make_table(_counts({(1, 0, 0): _level(range(-50, 50))}), TINY)
    assert close.reach == 300
    wide = make_table(_counts({(1, 0, 0): _level(range(-1600, 1600, 3))}), TINY)
    assert 780 < wide.reach < 1000
    ends = wide.probabilities([-wide.reach, wide.reach], 1, 2, 2)
    assert ends[0] <= training.CERTAIN
    assert ends[1] >= 1 - training.CERTAIN


def test_no_positions_make_no_table() -> None:
    with pytest.raises(QuixotryError, match="made of nothing"):
        make_table(SwingCounts(TINY), TINY)


# -- a table ---------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> WinTable:
    return train_winpct(_plan(), tmp_path_factory.mktemp("table") / "few.qwp").table


_SPREADS = st.integers(-1000, 1000)


@given(_SPREADS, st.integers(0, 86), st.integers(0, 7), st.integers(0, 7))
def test_both_players_share_one_win(
    table: WinTable, spread: int, bag: int, own: int, other: int
) -> None:
    """Whoever is asked: what the one gets the other does not."""
    on_turn = table.probability(spread, bag, own, other)
    waiting = float(table.after_play(-spread, bag, other, own))
    assert on_turn + waiting == pytest.approx(1, abs=1e-12)
    assert table.probability(spread + 1, bag, own, other) >= on_turn


def test_the_player_on_turn_has_an_edge(table: WinTable) -> None:
    level = table.probabilities(0, np.arange(1, 87), 7, 7)
    assert (level > 0.5).all()
    assert table.probability(0, 0, 3, 3) > 0.5
    assert table.probability(0, 0, 1, 6) > table.probability(0, 0, 6, 1)


def test_arrays_give_what_numbers_do(table: WinTable) -> None:
    spreads = np.array([[-30], [0], [75]])
    bags = np.array([0, 1, 40])
    found = table.probabilities(spreads, bags, 5, 7)
    assert found.shape == (3, 3)
    for i, spread in enumerate((-30, 0, 75)):
        for j, bag in enumerate((0, 1, 40)):
            assert found[i, j] == table.probability(spread, bag, 5, 7)


@pytest.mark.parametrize(
    ("given_", "message"),
    [
        ((0, 87, 7, 7), "bag of 87 tiles: win table 'few' has 0 to 86"),
        ((0, -1, 7, 7), "bag of -1 tiles"),
        ((0, 0, 8, 7), "own rack of 8 tiles: win table 'few' has 0 to 7"),
        ((0, 0, 7, -1), "other rack of -1"),
        ((0.5, 0, 7, 7), "spread 0.5, expected whole numbers"),
        ((0, 0, "x", 7), "own rack 'x', expected whole numbers"),
        ((10**30, 0, 7, 7), "spread 1000"),
        ((True, 0, 7, 7), "spread True"),
    ],
)
def test_what_no_position_has_is_refused(table: WinTable, given_: Any, message: str) -> None:
    with pytest.raises(QuixotryError, match=message):
        table.probability(*given_)


def test_arrays_that_do_not_fit_are_refused(table: WinTable) -> None:
    with pytest.raises(QuixotryError, match="do not fit"):
        table.probabilities([1, 2, 3], [1, 2], 7, 7)


def test_a_table_cannot_be_changed(table: WinTable) -> None:
    with pytest.raises(ValueError, match="read-only"):
        table.shares[0, 0] = 1


@pytest.mark.parametrize("name", ["english+nine", "english+super", "finnish", "polish"])
def test_a_table_is_for_its_own_tiles_racks_and_bags(table: WinTable, name: str) -> None:
    table.check_rules(find_rules("classic"))
    with pytest.raises(LexiconFileError, match="does not fit the rules"):
        table.check_rules(find_rules(name))


# -- files and names -------------------------------------------------------------------------------


def test_a_file_gives_the_table_back(table: WinTable, tmp_path: Path) -> None:
    path = tmp_path / "a.qwp"
    write_win_table(path, table, {"games": 3})
    assert load_win_table(path) == load_win_table(str(path)) == table
    assert load_win_table(path).origin == table.origin
    header, _ = read_win_table(path)
    assert header["training"] == {"games": 3}
    assert [file.name for file in tmp_path.iterdir()] == ["a.qwp"]


@settings(max_examples=60)
@given(st.data())
def test_a_damaged_file_is_an_error(
    table: WinTable, tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    path = tmp_path_factory.mktemp("damaged") / "a.qwp"
    write_win_table(path, table)
    whole = bytearray(path.read_bytes())
    at = data.draw(st.one_of(st.integers(0, 400), st.integers(0, len(whole) - 1)))
    if data.draw(st.booleans()):
        whole[at] ^= data.draw(st.integers(1, 255))
    else:
        del whole[at:]
    path.write_bytes(whole)
    with pytest.raises(LexiconFileError, match=r"a\.qwp"):
        load_win_table(path)


@pytest.mark.parametrize(
    ("header", "numbers", "message"),
    [
        ({"scale": 1}, {}, "its header is not that of a win table"),
        ({"rack_size": 13}, {}, "its header is not that of a win table"),
        ({"rack_size": True}, {}, "its header is not that of a win table"),
        ({"labels": ["?", 1]}, {}, "its header is not that of a win table"),
        ({"name": None}, {}, "its header is not that of a win table"),
        ({"rack_size": 8}, {}, "64 rows, expected 81 or more"),
        ({}, {"dtype": "<i4"}, "int32"),
        ({}, {"columns": 10}, "expected uint16 by row and spread"),
        ({}, {"flip": True}, "falls as the spread rises"),
        ({}, {"past": True}, "a share is past 60000"),
        ({"name": "x" * 300}, {}, "header is not that"),
        ({"labels": ["?"] * 27}, {}, "header is not that"),
        ({"training": {"x": float("nan")}}, {}, "not JSON"),
    ],
)
def test_a_file_that_lies_is_an_error(
    tmp_path: Path, header: dict[str, Any], numbers: dict[str, Any], message: str
) -> None:
    rows = np.tile(np.linspace(0, SCALE, numbers.get("columns", 11)), (64, 1)).astype("<u2")
    rows = rows[:, ::-1] if "flip" in numbers else rows
    if "past" in numbers:
        rows[0, -1] = SCALE + 1
    good = {"name": "x", "labels": list(ENGLISH.tiles.labels), "rack_size": 7, "scale": SCALE}
    good |= {"origin": "", "training": {}}
    made = np.ascontiguousarray(rows).astype(numbers.get("dtype", "<u2"))
    path = tmp_path / "lie.qwp"
    path.write_bytes(pack(KIND, good | header, made))
    with pytest.raises(LexiconFileError, match=message) as caught:
        load_win_table(path)
    assert str(path) in str(caught.value)


def test_a_file_of_leaves_is_no_win_table() -> None:
    with pytest.raises(LexiconFileError, match="not a win table"):
        load_win_table(Path(eng.__file__).parent / "data" / "leaves" / "english.qlv")


def test_bundled_tables_are_found_by_name_and_by_rules(
    table: WinTable, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(winpct, "BUNDLED", tmp_path)
    assert win_table_names() == ()
    assert default_win_table(ENGLISH) is None
    write_win_table(tmp_path / "english.qwp", table)
    winpct._bundled.cache_clear()
    assert win_table_names() == ("english",)
    assert find_win_table("english", ENGLISH) == table
    assert find_win_table(tmp_path / "english.qwp", ENGLISH) == table
    assert default_win_table(find_rules("classic")) == table  # the same tiles on the same board
    for other in ("english+nine", "english+super", "polish"):
        assert default_win_table(find_rules(other)) is None
    with pytest.raises(LexiconFileError, match="no win table 'klingon'; there are: english"):
        find_win_table("klingon", ENGLISH)
    with pytest.raises(LexiconFileError, match="does not fit the rules 'polish'"):
        find_win_table("english", find_rules("polish"))
    winpct._bundled.cache_clear()


def test_the_bundled_english_table_is_of_english_games() -> None:
    table = default_win_table(ENGLISH)
    assert table is not None
    assert table is find_win_table("english", ENGLISH)
    header, _ = read_win_table(winpct.BUNDLED / "english.qwp")
    training = header["training"]
    assert (training["rules"], training["lexicon"]["name"]) == ("english", "english")
    assert training["fresh"]["brier"] < 0.165
    bins = training["fresh"]["bins"]
    for forecast, result in zip(bins["forecast"], bins["result"], strict=True):
        assert abs(forecast - result) < 0.01
    for bag in range(5, 86, 10):  # the rule of thumb: a lead of 30 and the tiles unseen is 90 %
        assert 0.88 < table.probability(30 + bag + 7, bag, 7, 7) < 0.94


# -- training --------------------------------------------------------------------------------------


@pytest.mark.parametrize("workers", [Workers(count=2), Workers("processes", 2)])
def test_any_workers_train_the_same_file(tmp_path: Path, workers: Workers) -> None:
    train_winpct(_plan(), tmp_path / "one.qwp")
    train_winpct(_plan(), tmp_path / "other.qwp", workers=workers)
    assert (tmp_path / "one.qwp").read_bytes() == (tmp_path / "other.qwp").read_bytes()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["one.qwp", "other.qwp"]


class _Stopped(Exception):
    pass


def _stop_at(step: int) -> Callable[[str, int, int], None]:
    steps = iter(range(1, 1000))

    def progress(what: str, done: int, of: int) -> None:
        if next(steps) == step:
            raise _Stopped

    return progress


@pytest.fixture
def often(monkeypatch: pytest.MonkeyPatch) -> None:
    """Chunks of 200 games, kept after each."""
    monkeypatch.setattr(training, "_SAVE_EVERY", -1.0)
    monkeypatch.setattr(training, "CHUNK", 200)


@pytest.mark.parametrize("stop", [1, 2, 4, 5])
def test_a_training_that_was_stopped_goes_on_to_the_same_file(
    tmp_path: Path, stop: int, often: None
) -> None:
    whole, out = tmp_path / "whole.qwp", tmp_path / "out.qwp"
    told: list[tuple[str, int, int]] = []
    train_winpct(_plan(), whole, progress=lambda *step: told.append(step))
    assert told == [
        *(("games", done, 700) for done in (200, 400, 600, 700)),
        ("fresh games", 70, 70),
    ]
    with pytest.raises(_Stopped):
        train_winpct(_plan(), out, progress=_stop_at(stop))
    assert not out.exists()
    again: list[tuple[str, int, int]] = []
    train_winpct(_plan(), out, progress=lambda *step: again.append(step))
    assert out.read_bytes() == whole.read_bytes()
    assert again == told[stop - 1 :]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out.qwp", "whole.qwp"]


def test_a_damaged_checkpoint_is_played_again(tmp_path: Path, often: None) -> None:
    out = tmp_path / "out.qwp"
    train_winpct(_plan(), out)
    whole = out.read_bytes()
    out.unlink()
    with pytest.raises(_Stopped):
        train_winpct(_plan(), out, progress=_stop_at(4))
    kept = tmp_path / "out.qwp.training" / "swings"
    data = bytearray(kept.read_bytes())
    data[-9] ^= 1
    kept.write_bytes(data)
    train_winpct(_plan(), out)
    assert out.read_bytes() == whole


@pytest.mark.parametrize("change", [{"seed": 6}, {"games": 800}, {"name": "other"}, "leaves"])
def test_a_training_under_way_with_other_arguments_is_not_touched(
    tmp_path: Path, often: None, change: Any
) -> None:
    out = tmp_path / "out.qwp"
    with pytest.raises(_Stopped):
        train_winpct(_plan(), out, progress=_stop_at(2))
    kept = tmp_path / "out.qwp.training" / "swings"
    before = kept.read_bytes()
    other = Leaves("zero", 27, 1, np.arange(28, dtype=np.int32), "all zero")
    plan = replace(_plan(), leaves=other) if change == "leaves" else _plan(**change)
    with pytest.raises(QuixotryError, match="other arguments"):
        train_winpct(plan, out)
    assert kept.read_bytes() == before


def test_a_folder_that_cannot_be_written_is_said_before_any_game(tmp_path: Path) -> None:
    with pytest.raises(LexiconFileError, match="No such file"):
        train_winpct(_plan(games=10**8), tmp_path / "nowhere" / "out.qwp")


def test_the_file_tells_how_it_was_made(tmp_path: Path) -> None:
    out = tmp_path / "out.qwp"
    trained = train_winpct(_plan(), out)
    header, table = read_win_table(out)
    assert table == trained.table
    assert json.loads(json.dumps(trained.record)) == header["training"]
    record = header["training"]
    assert (record["games"], record["seed"], record["fresh"]["games"]) == (700, 5, 70)
    assert record["lexicon"]["words"] == 168_548
    assert record["leaves"]["name"] == "zero"
    assert "700 games of the leaves 'zero'" in header["origin"]
    assert 0.1 < record["fresh"]["brier"] < 0.2


def test_fresh_games_are_others(tmp_path: Path) -> None:
    plan = _plan()
    games, fresh = (plan.task(which)(0) for which in (False, True))
    assert games.swings[:500].tolist() != fresh.swings[:500].tolist()


def test_nine_tile_racks_have_a_table(tmp_path: Path) -> None:
    rules = find_rules("english+nine")
    plan = Plan(rules, find_lexicon("english"), zero_leaves(27), games=100)
    table = train_winpct(plan, tmp_path / "nine.qwp").table
    table.check_rules(rules)
    assert (table.rack_size, table.most_bag) == (9, 82)
    assert table.probability(0, 40, 9, 9) > 0.5


def test_games_that_never_empty_the_bag_make_a_table_too(tmp_path: Path) -> None:
    plan = Plan(ENGLISH, eng.load_lexicon(["qi"]), zero_leaves(27), games=20)
    table = train_winpct(plan, tmp_path / "qi.qwp").table
    assert table.probability(50, 0, 7, 7) > 0.9


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"games": 0}, "games: 0, expected 1 to"),
        ({"games": 1.5}, "games: 1.5"),
        ({"seed": -1}, "seed -1"),
        ({"rules": find_rules("english+finish-expert")}, "end a game at 200 points"),
        ({"rules": find_rules("finnish"), "leaves": zero_leaves(32)}, "not for the tile set"),
        ({"leaves": zero_leaves(30)}, "leaves 'zero' are for 30 kinds of tile"),
    ],
)
def test_a_plan_that_cannot_be_is_refused(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(QuixotryError, match=message):
        replace(_plan(), **changes)


# -- forecasts -------------------------------------------------------------------------------------


def test_forecasts_are_scored_and_binned() -> None:
    found = Forecasts()
    found.add(np.array([0.0, 0.05, 0.42]), np.array([0.0, 1.0, 0.5]))
    found.add(np.array([0.48, 1.0]), np.array([1.0, 1.0]))
    assert found.brier == pytest.approx((0.95**2 + 0.08**2 + 0.52**2) / 5)
    bins = found.bins()
    assert [number for number, _, _ in bins] == [2, 0, 0, 0, 2, 0, 0, 0, 0, 1]
    assert bins[0][1:] == pytest.approx((0.025, 0.5))
    assert bins[4][1:] == pytest.approx((0.45, 0.75))
    assert found.worst == pytest.approx(0.475)
    assert found.record()["bins"]["positions"] == [2, 2, 1]


def test_a_table_foresees_fresh_games(table: WinTable) -> None:
    """Even one of 700 games: no bin of 100 games' positions is off by a sixth."""
    turns, games = Batch(ENGLISH, (_plan().player,) * 2).play(99, 0, 100)
    positions = positions_of(turns, games, ENGLISH)
    found = Forecasts()
    found.add(table.of_rows(positions.rows, positions.spreads), positions.results)
    assert found.brier < 0.18
    assert found.worst < 1 / 6
