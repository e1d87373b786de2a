"""pytest-benchmark: a board from nothing, and the cross-checks after one play."""

from __future__ import annotations

from typing import Any

import numpy as np

import engine as eng
from engine.board import crosschecks
from engine.board.state import STRIDE

CGP = "15/15/15/15/15/15/15/5WINDY5/15/15/15/15/15/15/15 AEINRT?/ 0/28 0"


def test_set_board(benchmark: Any) -> None:
    position = eng.Position.from_cgp(CGP)
    state = position._table.state()
    grid = np.array(position.board, np.uint8)
    lexicon = position.lexicon
    root, wide = lexicon.gaddag_root, lexicon.wide
    benchmark(crosschecks.set_board, state[0], lexicon.graph, root, wide, grid)


def test_place(benchmark: Any) -> None:
    position = eng.Position.from_cgp(CGP)
    state = position._table.state()
    lexicon, laid = position.lexicon, np.array([1, 14], np.uint8)
    arguments = (lexicon.graph, lexicon.gaddag_root, lexicon.wide, 8 * STRIDE + 7, laid)

    def fresh() -> tuple[tuple[Any, ...], dict[str, Any]]:
        return (state.copy()[0], *arguments), {}

    benchmark.pedantic(crosschecks.place, setup=fresh, rounds=2000)
