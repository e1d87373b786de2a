"""pytest-benchmark: all plays of a position, from the kernel alone to ranked objects.

python -m pytest bench --benchmark-only
"""

from __future__ import annotations

from typing import Any

import pytest

import engine as eng

POSITIONS = {
    "opening": "15/15/15/15/15/15/15/15/15/15/15/15/15/15/15 AEINRST/ 0/0 0",
    "blank": "15/15/15/15/15/15/15/5WINDY5/15/15/15/15/15/15/15 AEINRT?/ 0/28 0",
    "two-blanks": "15/15/15/15/15/15/15/5WINDY5/15/15/15/15/15/15/15 AEINR??/ 0/28 0",
}


@pytest.mark.parametrize("name", POSITIONS)
def test_rows(benchmark: Any, name: str) -> None:
    table = eng.Position.from_cgp(POSITIONS[name])._table
    assert len(benchmark(table.rows)) > 100


@pytest.mark.parametrize("name", POSITIONS)
def test_top_15(benchmark: Any, name: str) -> None:
    position = eng.Position.from_cgp(POSITIONS[name])
    assert len(benchmark(position.plays, 15)) == 15
