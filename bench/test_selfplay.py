"""pytest-benchmark: whole games of static players, with and without records."""

from __future__ import annotations

from typing import Any

import pytest

import engine as eng
from engine.players.static import find_player
from engine.rules.rules import find_rules
from engine.selfplay.batch import Batch


@pytest.mark.parametrize("name", ["equity", "greedy", "pool"])
@pytest.mark.parametrize("record", [False, True])
def test_ten_games(benchmark: Any, name: str, record: bool) -> None:
    rules = find_rules("english")
    player = find_player(name, rules, eng.load_lexicon("english"))
    batch = Batch(rules, [player, player])
    _, results = benchmark(batch.play, 1, 0, 10, record=record)
    assert len(results) == 10
