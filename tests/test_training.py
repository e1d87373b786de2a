"""Training of leaves: racks to values against the slow twin, resume, workers, the file."""

from __future__ import annotations

import os
import random
from collections import Counter
from dataclasses import replace
from pathlib import Path

import naive
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import random_tile_sets

from engine.errors import LexiconFileError, QuixotryError
from engine.lexicon.catalog import find_lexicon
from engine.lexicon.leave_files import load_leaves, read_header
from engine.lexicon.leaves import zero_leaves
from engine.rules.rules import Rules, find_rules
from engine.selfplay.pool import Workers
from lexicon_build import leaves as training
from lexicon_build.leaves import Plan, make_leaves, train_leaves
from lexicon_build.racks import RackSums, RackTable, RackTask, pack_racks

ENGLISH = find_rules("english")


def _plan(**changes: object) -> Plan:
    few = {"games": 600, "generations": 2, "pairs": 100, "seed": 5, "name": "few"}
    return Plan(ENGLISH, find_lexicon("english"), **(few | changes))  # type: ignore[arg-type]


def _rows(racks: dict[tuple[int, ...], tuple[int, int]]) -> RackSums:
    numbers = np.array(list(racks.values()), np.int64)
    return RackSums.of(pack_racks(np.array(list(racks))), numbers[:, 0], numbers[:, 1])


@pytest.mark.kernels
@settings(max_examples=30)
@given(st.data())
def test_leaves_made_of_racks_are_those_of_the_slow_twin(data: st.DataObject) -> None:
    tiles = data.draw(random_tile_sets(5))
    size = data.draw(st.integers(2, 5))
    rng = random.Random(data.draw(st.integers(0, 2**32 - 1)))
    every = [letter for letter, count in enumerate(tiles.counts) for _ in range(count)]
    racks: dict[tuple[int, ...], tuple[int, int]] = {}
    for _ in range(rng.randint(1, 30)):
        rack = tuple(sorted(rng.sample(every, size)))
        number = rng.randint(1, 40)
        racks[rack] = number, number * rng.randint(-20_000, 80_000) + rng.randrange(number)
    rules = replace(ENGLISH, tiles=tiles, rack_size=size, bonus=(0,) * (size + 1))
    plan = Plan.__new__(Plan)  # without a lexicon for these tiles
    longest = rng.randint(1, size - 1)
    plan.__dict__.update(rules=rules, max_len=longest, name="x")
    leaves, _ = make_leaves(_rows(racks), plan)
    twin = naive.trained_leaves(
        racks, tiles.counts, longest, training.THIN_RACK, training.THIN_LEAVE
    )
    for leave, value in twin.items():
        assert abs(leaves.value(leave) - value) <= training.UNIT_MP / 2 + 1e-3, leave


def test_racks_of_games_are_the_full_racks_of_their_turns() -> None:
    """Against the turns of the same games, counted one by one."""
    task = RackTask(ENGLISH, _plan().player(zero_leaves(27)), 3, 40, 25, stop_bag=7)
    found = RackTable()
    for number in range(task.chunks):
        found.add(task(number))
    turns, _ = task.batch.play(3, 0, 40)
    counts: Counter[tuple[int, ...]] = Counter()
    sums: Counter[tuple[int, ...]] = Counter()
    for turn in turns:
        if turn["held"] == 7 and turn["bag"] >= 7:
            rack = tuple(int(letter) for letter in turn["rack"][:7])
            counts[rack] += 1
            sums[rack] += int(turn["equity_mp"])
    rows = found.rows()
    expected = _rows({rack: (number, sums[rack]) for rack, number in counts.items()})
    for name in ("keys", "counts", "sums_mp"):
        assert getattr(rows, name).tolist() == getattr(expected, name).tolist()
    assert len(rows) > 200


def test_rows_that_wait_are_merged_whatever_their_order(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("lexicon_build.racks._PENDING", 10)
    rng = np.random.default_rng(1)
    parts = [
        RackSums.of(rng.integers(0, 30, 8), np.ones(8, np.int64), rng.integers(-9, 9, 8))
        for _ in range(20)
    ]
    tables = RackTable(), RackTable()
    for part in parts:
        tables[0].add(part)
    for part in reversed(parts):
        tables[1].add(part)
    one, other = (table.rows() for table in tables)
    assert one.keys.tolist() == other.keys.tolist() == sorted(set(one.keys.tolist()))
    assert one.sums_mp.tolist() == other.sums_mp.tolist()
    assert one.counts.sum() == other.counts.sum() == 160


@pytest.mark.parametrize("workers", [Workers(count=2), Workers("processes", 2)])
def test_any_workers_train_the_same_file(tmp_path: Path, workers: Workers) -> None:
    train_leaves(_plan(), tmp_path / "one.qlv")
    train_leaves(_plan(), tmp_path / "other.qlv", workers=workers)
    assert (tmp_path / "one.qlv").read_bytes() == (tmp_path / "other.qlv").read_bytes()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["one.qlv", "other.qlv"]


class _Stopped(Exception):
    pass


@pytest.mark.parametrize("stop", [1, 2, 4, 5])
def test_a_training_that_was_stopped_goes_on_to_the_same_file(
    tmp_path: Path, stop: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Stopped in the games or the match of a generation, with racks kept after every chunk."""
    monkeypatch.setattr(training, "_SAVE_EVERY", -1.0)
    monkeypatch.setattr(training, "CHUNK", 300)
    whole, out = tmp_path / "whole.qlv", tmp_path / "out.qlv"
    told: list[tuple[str, int, int]] = []
    train_leaves(_plan(), whole, progress=lambda *step: told.append(step))
    steps = 0

    def stopping(what: str, done: int, of: int) -> None:
        nonlocal steps
        steps += 1
        if steps == stop:
            raise _Stopped

    with pytest.raises(_Stopped):
        train_leaves(_plan(), out, progress=stopping)
    assert not out.exists()
    again: list[tuple[str, int, int]] = []
    train_leaves(_plan(), out, progress=lambda *step: again.append(step))
    assert out.read_bytes() == whole.read_bytes()
    assert again == told[-len(again) :]
    assert len(again) < len(told) or stop == 1


def test_a_damaged_checkpoint_is_played_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(training, "_SAVE_EVERY", -1.0)
    out = tmp_path / "out.qlv"
    train_leaves(_plan(generations=1), out)
    whole = out.read_bytes()
    out.unlink()

    def stopping(what: str, done: int, of: int) -> None:
        if done == of:
            raise _Stopped

    with pytest.raises(_Stopped):
        train_leaves(_plan(generations=1), out, progress=stopping)
    kept = tmp_path / "out.qlv.training" / "racks"
    data = bytearray(kept.read_bytes())
    data[-9] ^= 1
    kept.write_bytes(data)
    train_leaves(_plan(generations=1), out)
    assert out.read_bytes() == whole


def test_a_training_under_way_with_other_arguments_is_not_touched(tmp_path: Path) -> None:
    out = tmp_path / "out.qlv"

    def stopping(what: str, done: int, of: int) -> None:
        raise _Stopped

    with pytest.raises(_Stopped):
        train_leaves(_plan(), out, progress=stopping)
    before = {path: path.read_bytes() for path in (tmp_path / "out.qlv.training").iterdir()}
    with pytest.raises(QuixotryError, match="other arguments"):
        train_leaves(_plan(seed=6), out)
    after = {path: path.read_bytes() for path in (tmp_path / "out.qlv.training").iterdir()}
    assert after == before


def test_a_training_of_other_rules_of_the_same_name_is_not_gone_on_with(tmp_path: Path) -> None:
    out = tmp_path / "out.qlv"

    def stopping(what: str, done: int, of: int) -> None:
        raise _Stopped

    with pytest.raises(_Stopped):
        train_leaves(_plan(), out, progress=stopping)
    dear = replace(ENGLISH, bonus=(*ENGLISH.bonus[:-1], 500))
    with pytest.raises(QuixotryError, match="other arguments"):
        train_leaves(replace(_plan(), rules=dear), out)


def test_a_file_of_the_same_plan_is_only_read(tmp_path: Path) -> None:
    out = tmp_path / "out.qlv"
    first = train_leaves(_plan(generations=1), out)
    before = out.stat().st_mtime_ns
    again = train_leaves(_plan(generations=1), out, progress=lambda *step: pytest.fail("played"))
    assert (again.leaves, again.record) == (first.leaves, first.record)
    assert out.stat().st_mtime_ns == before


@pytest.mark.parametrize("content", [b"precious", b""])
def test_a_file_that_is_something_else_is_not_replaced(tmp_path: Path, content: bytes) -> None:
    out = tmp_path / "out.qlv"
    out.write_bytes(content)
    with pytest.raises(QuixotryError, match="there already"):
        train_leaves(_plan(), out)
    assert out.read_bytes() == content
    assert [path.name for path in tmp_path.iterdir()] == ["out.qlv"]


def test_leaves_of_another_plan_are_not_replaced(tmp_path: Path) -> None:
    out = tmp_path / "out.qlv"
    train_leaves(_plan(generations=1), out)
    before = out.read_bytes()
    for other in (_plan(generations=1, seed=6), _plan(generations=1, name="other")):
        with pytest.raises(QuixotryError, match="there already"):
            train_leaves(other, out)
    assert out.read_bytes() == before


def test_files_of_others_in_the_way_are_kept(tmp_path: Path) -> None:
    folder = tmp_path / "out.qlv.training"
    folder.mkdir()
    (folder / "thesis.txt").write_text("x")
    with pytest.raises(QuixotryError, match=r"thesis\.txt"):
        train_leaves(_plan(), tmp_path / "out.qlv")
    assert [path.name for path in folder.iterdir()] == ["thesis.txt"]
    (tmp_path / "b.qlv.training").write_text("x")
    with pytest.raises(QuixotryError, match="in the way"):
        train_leaves(_plan(), tmp_path / "b.qlv")
    assert (tmp_path / "b.qlv.training").read_text() == "x"


@pytest.mark.skipif(os.name == "nt", reason="no locks there")
def test_a_second_training_of_the_same_file_is_refused(tmp_path: Path) -> None:
    out = tmp_path / "out.qlv"

    def begins_another(what: str, done: int, of: int) -> None:
        with pytest.raises(QuixotryError, match="another training"):
            train_leaves(_plan(), out)
        raise _Stopped

    with pytest.raises(_Stopped):
        train_leaves(_plan(), out, progress=begins_another)


@pytest.mark.parametrize("size", [11, 12])
def test_racks_that_no_key_holds_are_refused(size: int) -> None:
    large = replace(ENGLISH, rack_size=size, bonus=(0,) * (size + 1))
    with pytest.raises(QuixotryError, match="10 at most"):
        Plan(large, find_lexicon("english"))


def test_keys_of_ten_tiles_are_their_letters() -> None:
    rack = np.array([[63, 1, 62, 2, 61, 3, 60, 4, 59, 5]], np.uint8)
    key = int(pack_racks(rack)[0])
    assert [key >> 6 * place & 63 for place in range(10)] == rack[0].tolist()


def test_a_lexicon_without_words_is_refused() -> None:
    empty = replace(find_lexicon("english").info, words=0)
    lexicon = find_lexicon("english")
    none = type(lexicon)(
        empty, lexicon.graph, lexicon.dawg_root, lexicon.gaddag_root, lexicon.wide, lexicon.trie
    )
    with pytest.raises(QuixotryError, match="no words"):
        Plan(ENGLISH, none)


def test_the_file_tells_how_it_was_made(tmp_path: Path) -> None:
    out = tmp_path / "out.qlv"
    trained = train_leaves(_plan(), out)
    header, _ = read_header(out)
    record = header["training"]
    assert record == trained.record
    assert record["lexicon"]["words"] == 168_548
    assert [step["games"] for step in record["steps"]] == [600, 1200][: len(record["steps"])]
    assert record["steps"][0]["better"]
    assert "self-play on the lexicon 'english'" in header["origin"]
    assert load_leaves(out, ENGLISH.tiles) == trained.leaves


def test_every_leave_that_can_occur_has_a_value() -> None:
    """Even where hardly any rack was seen, a leave is worth what its parts say."""
    rack = ENGLISH.tiles.parse_rack("AEINRST")
    racks = {tuple(sorted(rack)): (1000, 90_000_000), (1, 1, 1, 9, 9, 9, 22): (1000, 10_000_000)}
    leaves, _ = make_leaves(_rows(racks), _plan())
    assert leaves.value(ENGLISH.tiles.parse_rack("NS")) > 0
    assert leaves.value(ENGLISH.tiles.parse_rack("NSV")) != 0  # N, S and V never met
    assert leaves.value(ENGLISH.tiles.parse_rack("VV")) < 0


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"games": 0}, "games"),
        ({"games": 1.5}, "games"),
        ({"generations": 99}, "generations"),
        ({"pairs": "x"}, "pairs"),
        ({"max_len": 7}, "longest leave"),
    ],
)
def test_a_plan_that_cannot_be_is_refused(changes: dict[str, object], message: str) -> None:
    with pytest.raises(QuixotryError, match=message):
        _plan(**changes)


def test_a_lexicon_of_other_tiles_is_refused() -> None:
    with pytest.raises(LexiconFileError):
        Plan(find_rules("finnish"), find_lexicon("english"))


def _tiny(rules: Rules) -> Plan:
    return Plan(rules, find_lexicon("english"), games=100, generations=1, pairs=10)


def test_nine_tile_racks_are_trained_with_a_table_of_six(tmp_path: Path) -> None:
    trained = train_leaves(_tiny(find_rules("english+nine")), tmp_path / "nine.qlv")
    assert trained.leaves.max_len == 6
    assert trained.leaves.value(ENGLISH.tiles.parse_rack("?AEINRST")) > 20_000
