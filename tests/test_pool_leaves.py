"""Leaves valued against the unseen tiles: the kernel against its twin, and what it means."""

from __future__ import annotations

import random
from dataclasses import replace

import naive
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import engine_leaves, leave_tables, random_tile_sets

from engine.board.state import new_state
from engine.lexicon.leaves import Leaves, extend
from engine.movegen.generate import set_rack
from engine.movegen.pool_leaves import set_pool_leaves
from engine.rules.rules import Rules, find_rules
from engine.rules.tiles import TileSet

pytestmark = pytest.mark.kernels
ENGLISH = find_rules("english")


def _rules(tiles: TileSet, rack_size: int) -> Rules:
    return replace(ENGLISH, tiles=tiles, rack_size=rack_size, bonus=(0,) * (rack_size + 1))


def _values(
    rules: Rules, leaves: Leaves, rack: list[int], unseen: list[int], bag: int
) -> list[int]:
    """Value of every subset of a rack, by mask."""
    state = new_state(rules)[0]
    set_rack(state, np.array(rack, np.uint8), leaves.values, leaves.max_len)
    counts = np.array(rules.tiles.counts, np.int64)
    set_pool_leaves(
        state,
        leaves.values,
        leaves.max_len,
        counts,
        np.array(unseen, np.int64),
        bag,
        rules.rack_size,
    )
    return [int(mp) for mp in state["leave_mp"][: 1 << len(rack)]]


@settings(max_examples=40)
@given(st.data())
def test_a_racks_leaves_are_worth_what_the_slow_twin_says(data: st.DataObject) -> None:
    tiles = data.draw(random_tile_sets(12))
    rack_size = data.draw(st.integers(1, 9))
    table = data.draw(leave_tables(tiles))
    rng = random.Random(data.draw(st.integers(0, 2**32 - 1)))
    rules = _rules(tiles, rack_size)
    every = [letter for letter, count in enumerate(tiles.counts) for _ in range(count)]
    rng.shuffle(every)
    rack = sorted(every[: rng.randint(0, rack_size)])
    rest = every[len(rack) :][: rng.randint(1, len(every))] or [every[0]]
    unseen = [rest.count(letter) for letter in range(tiles.kinds)]
    bag = rng.randint(0, len(rest))
    found = _values(rules, engine_leaves(table, tiles), rack, unseen, bag)
    for mask in rng.sample(range(len(found)), min(len(found), 64)):
        kept = tuple(rack[i] for i in range(len(rack)) if mask >> i & 1)
        assert found[mask] == naive.pool_leave_mp(table, kept, tiles.counts, unseen, bag, rack_size)


def _one_letter(letter: str, mp: int) -> Leaves:
    """Leaves whose only worth is in one letter."""
    values = np.zeros(ENGLISH.tiles.kinds + 1, np.int32)
    values[1 + ENGLISH.tiles.parse_rack(letter)[0]] = mp
    return extend(Leaves("one", ENGLISH.tiles.kinds, 1, values), 6)


def test_keeping_less_is_worth_more_when_the_pool_is_rich() -> None:
    """With sums of worths the change is the number drawn times the change of the mean tile."""
    s = ENGLISH.tiles.parse_rack("S")[0]
    leaves = _one_letter("S", 10_000)
    rack = list(ENGLISH.tiles.parse_rack("EE"))
    rich, poor = [0] * 27, [0] * 27
    rich[s], rich[1], poor[1] = 4, 4, 8
    assert _values(ENGLISH, leaves, rack, rich, 8)[0] == 7 * (5000 - 4 * 10_000 // 100)
    assert _values(ENGLISH, leaves, rack, poor, 8)[0] == 7 * (0 - 4 * 10_000 // 100)
    assert _values(ENGLISH, leaves, rack, rich, 3)[0] == 3 * (5000 - 4 * 10_000 // 100)
