"""Every play of the reference positions, whose answers come from independent programs."""

from __future__ import annotations

import gzip
import json
import re
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from conftest import shared_folder

from engine.rules.layouts import Layout, find_layout
from engine.rules.rules import Rules, find_rules
from engine.rules.tiles import TileSet, find_tile_set

LANGUAGES = ("english", "finnish", "hungarian", "norwegian", "polish")


def _records(path: Path) -> list[dict[str, Any]]:
    """JSON lines; an empty list where the file is missing (the fixture then skips)."""
    if not path.is_file():
        return []
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


ENGLISH = [r for r in _records(shared_folder() / "oracle" / "moves.jsonl.gz") if "id" in r]
_FOLDER = shared_folder() / "oracle" / "languages"
VARIED = [
    record
    for name in (*(f"moves_{language}" for language in LANGUAGES), "variants")
    for record in _records(_FOLDER / f"{name}.jsonl.gz")
]


def test_the_reference_positions_are_there(shared: Path) -> None:
    assert (len(ENGLISH), len(VARIED)) == (120, 87)


# -- English: scores and equities ------------------------------------------------------------------


@pytest.fixture(scope="module")
def real_leaves(shared: Path) -> Any:
    from engine.lexicon.leave_catalog import find_leaves

    return find_leaves(str(shared / "oracle" / "leaves.klv2"), find_tile_set("english"))


@pytest.mark.parametrize("leaves", ["zero", "real"])
@pytest.mark.parametrize("record", ENGLISH, ids=[f"{r['category']}-{r['id']}" for r in ENGLISH])
def test_english_plays_scores_and_equities(
    record: dict[str, Any], leaves: str, enable: Any, real_leaves: Any
) -> None:
    from engine.game.position import Position
    from engine.lexicon.leaves import zero_leaves

    table = real_leaves if leaves == "real" else zero_leaves(27)
    at = Position.from_cgp(record["cgp"], rules=find_rules("english"), lexicon=enable, leaves=table)
    assert at.bag == record["bag"]
    listed = at.plays()
    place = 3 if leaves == "real" else 2
    expected = {_blanks_last(move[0]): (move[1], move[place]) for move in record["moves"]}
    found = {_blanks_last(str(p.play)): p for p in listed}
    assert len(found) == len(listed)
    assert found.keys() == expected.keys()
    assert len(listed) == record["num_moves"]  # exchanges and the pass too
    wrong = [
        (text, p.score, p.equity, expected[text])
        for text, p in found.items()
        if p.score != expected[text][0]
        or (p.equity is None) != (expected[text][1] is None)
        or (p.equity is not None and abs(p.equity - expected[text][1]) > 0.001001)
    ]
    assert not wrong, wrong[:5]
    assert _blanks_last(str(listed[0].play)) == _blanks_last(record[f"best_{leaves}"])


def _blanks_last(move: str) -> str:
    """An exchange with its blanks last, wherever they were written."""
    return re.sub(r"^exch (\?+)(.+)$", r"exch \2\1", move)


# -- other languages and variants: scores ----------------------------------------------------------


def _rules(record: dict[str, Any]) -> Rules:
    layout = record["layout"]
    if isinstance(layout, str):
        board = find_layout(layout)
    else:
        board = Layout(layout["name"], tuple(layout["squares"]), tuple(layout["start"]))
    size = record["rack_size"]
    return replace(
        find_rules("english"),
        name=record["id"],
        tiles=find_tile_set(record["tileset"]),
        layout=board,
        rack_size=size,
        bonus=tuple(record["bonus"].get(str(laid), 0) for laid in range(size + 1)),
        exchange_min_bag=record["exchange_min_bag"],
    )


@pytest.mark.parametrize("record", VARIED, ids=[r["id"] for r in VARIED])
def test_plays_and_scores_of_languages_and_variants(
    record: dict[str, Any], language_lexicon: Callable[[str, str], Any]
) -> None:
    from engine.game.position import Position
    from engine.lexicon.leaves import zero_leaves

    rules = _rules(record)
    lexicon = language_lexicon(record["lexicon"], record["tileset"])
    at = Position.from_cgp(
        record["cgp"], rules=rules, lexicon=lexicon, leaves=zero_leaves(rules.tiles.kinds)
    )
    _check_reading(record, at)
    listed = at.plays()
    plays = [p for p in listed if p.play.kind == "play"]
    found = [(str(p.play), p.score) for p in plays]
    assert len(set(found)) == len(found) == record["num_moves"]
    expected = {(_canonical(move, rules.tiles), score) for move, score in record["moves"]}
    assert not set(found) - expected
    assert not expected - set(found)
    assert sum(p.play.kind == "exchange" for p in listed) == record["exchanges"]
    assert max((score for _, score in found), default=0) == record["best_score"]
    laid = [sum(1 for tile in p.play.tiles if tile) for p in plays]
    assert sum(1 for number in laid if rules.bonus[number]) == record["bingos"]
    if "by_tiles_laid" in record:
        assert Counter(laid) == {int(n): count for n, count in record["by_tiles_laid"].items()}


def _canonical(text: str, tiles: TileSet) -> str:
    """The reference writes brackets round every tile of several characters, the engine only where
    it could be read as several tiles (not the Hungarian GY: there is no tile Y)."""
    return re.sub(
        r"\[[^\]]*\]", lambda found: tiles.format_tile(tiles.parse_tile(found[0], 0)[0]), text
    )


def _check_reading(record: dict[str, Any], at: Any) -> None:
    """The position was read as the record says, and prints itself back."""
    tiles = at.rules.tiles
    assert at.bag == record["bag"]
    assert Counter(at.racks[0]) == Counter(tiles.labels.index(label) for label in record["rack"])
    cells = [row.split() for row in record["grid"]]
    labels = [
        [tiles.format_tile(tile).strip("[]") if tile else "." for tile in row] for row in at.board
    ]
    assert labels == cells
    assert str(at) == _canonical(record["cgp"], tiles)
