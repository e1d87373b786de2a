"""pytest-benchmark: setting up a rack, the best play alone, the best fifteen."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from test_plays import POSITIONS

import engine as eng
from engine.board import crosschecks
from engine.movegen import generate
from engine.movegen.best import best_play, new_search
from engine.movegen.best.rack import set_rack


def _ready(name: str) -> tuple[Any, Any, Any]:
    position = eng.Position.from_cgp(POSITIONS[name])
    table, lexicon = position._table, position.lexicon
    states, searches = table.state(), new_search(position.rules, lexicon)
    crosschecks.attach(states[0], lexicon.graph, lexicon.gaddag_root, int(lexicon.wide))
    return table, states, searches


@pytest.mark.parametrize("name", POSITIONS)
def test_set_rack(benchmark: Any, name: str) -> None:
    table, states, searches = _ready(name)
    rack, leaves = np.array(table.rack, np.uint8), table.leaves

    def both() -> None:
        generate.set_rack(states[0], rack, leaves.values, leaves.max_len)
        set_rack(states[0], searches[0])

    benchmark(both)


@pytest.mark.parametrize("name", POSITIONS)
def test_best_play(benchmark: Any, name: str) -> None:
    _, states, searches = _ready(name)
    out = np.zeros(4, np.uint64)
    benchmark(best_play, states[0], searches[0], 7, out)
    assert out.any()


@pytest.mark.parametrize("name", POSITIONS)
def test_first_15(benchmark: Any, name: str) -> None:
    position = eng.Position.from_cgp(POSITIONS[name])
    assert len(benchmark(position.first, 15)) == 15
