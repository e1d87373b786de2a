"""Cross-checks: kept up to date tile by tile, computed at once, and by the slow reference."""

from __future__ import annotations

from typing import Any

import naive
import numpy as np
import pytest
import strategies
from hypothesis import given
from positions import lexicon_of, with_tiles
from strategies import Setting

from engine.board.crosschecks import get_grid, place, set_board
from engine.board.state import STRIDE, new_state
from engine.rules.layouts import Layout

_DERIVED = ("tile", "cross", "cross_score", "occupied", "hooked", "tiles")

pytestmark = pytest.mark.kernels


def _number(setting: Setting, row: int, col: int, across: bool) -> int:
    if across:
        return row * STRIDE + col + 1
    return (setting.rules.layout.rows + col) * STRIDE + row + 1


def _graph(setting: Setting) -> tuple[Any, int, int]:
    lexicon = lexicon_of(setting.texts, setting.rules.tiles)
    return lexicon.graph, lexicon.gaddag_root, int(lexicon.wide)


def _at_once(setting: Setting, grid: naive.Grid) -> Any:
    state = new_state(setting.rules)[0]
    set_board(state, *_graph(setting), np.array(grid, np.uint8))
    return state


def _differences(one: Any, other: Any) -> list[str]:
    return [name for name in _DERIVED if not np.array_equal(one[name], other[name])]


@given(strategies.settings())
def test_cross_checks_and_cross_scores_are_the_naive_ones(setting: Setting) -> None:
    state = _at_once(setting, setting.grid)
    for row in range(setting.rules.layout.rows):
        for col in range(setting.rules.layout.cols):
            for across in (True, False):
                square = _number(setting, row, col, across)
                where = f"row {row} col {col} {'across' if across else 'down'}"
                assert state["tile"][square] == setting.grid[row][col], where
                lane, bit = square // STRIDE, 1 << square % STRIDE
                hooked = bool(int(state["hooked"][lane]) & bit)
                assert bool(int(state["occupied"][lane]) & bit) == bool(setting.grid[row][col])
                if setting.grid[row][col]:
                    assert (state["cross"][square], hooked) == (0, False), where
                    continue
                letters, score = naive.cross_check(
                    setting.grid, setting.words, setting.rules, row, col, across
                )
                mask = int(state["cross"][square])
                if letters is None:
                    assert mask == sum(1 << i for i in range(1, setting.rules.tiles.kinds)), where
                    assert (state["cross_score"][square], hooked) == (-1, False), where
                else:
                    assert mask == sum(1 << i for i in letters), where
                    assert (state["cross_score"][square], hooked) == (score, True), where


@given(strategies.settings(phonies=False))
def test_cross_checks_kept_up_to_date_are_those_computed_at_once(setting: Setting) -> None:
    state = _at_once(setting, naive.empty_grid(setting.rules))
    grid = naive.empty_grid(setting.rules)
    for key in setting.history:
        across, tiles = key[2:]
        laid = [(square, tile) for square, tile in zip(naive.squares(key), tiles) if tile]
        first = _number(setting, *laid[0][0], across)
        place(state, *_graph(setting), first, np.array([t for _, t in laid], np.uint8))
        grid = naive.placed(grid, key)
        assert not _differences(state, _at_once(setting, grid)), key


def test_a_played_through_tile_like_the_one_laid_before_it() -> None:
    """Laid A, played through A, laid B: the hook beside the first A is brought up to date."""
    rules = with_tiles("english", Layout("small", ("....",) * 4, (1, 1)))
    words = frozenset({(1, 1, 2), (1, 1), (1, 2)})
    grid = ((0, 0, 0, 0), (0, 1, 0, 0), (0, 0, 0, 0), (0, 0, 0, 0))
    setting = Setting(rules, words, grid, ((), ()), 0)
    state = _at_once(setting, grid)
    place(state, *_graph(setting), _number(setting, 1, 0, True), np.array([1, 2], np.uint8))
    after = _at_once(setting, naive.placed(grid, (1, 0, True, (1, 0, 2))))
    assert not _differences(state, after)


@given(strategies.settings())
def test_the_grid_reads_back(setting: Setting) -> None:
    state = _at_once(setting, setting.grid)
    layout = setting.rules.layout
    grid = np.empty((layout.rows, layout.cols), np.uint8)
    get_grid(state, grid)
    assert tuple(map(tuple, grid.tolist())) == setting.grid


@given(strategies.settings())
def test_a_record_used_again_keeps_nothing_of_the_board_before(setting: Setting) -> None:
    state = _at_once(setting, setting.grid)
    empty = naive.empty_grid(setting.rules)
    set_board(state, *_graph(setting), np.array(empty, np.uint8))
    assert not _differences(state, _at_once(setting, empty))
