"""Positions for tests: from a CGP text or a Setting, and plays as plain data."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from functools import lru_cache
from typing import Any

import naive
from strategies import Setting

from engine.app.library import load_lexicon
from engine.errors import IllegalPlay, NotationError
from engine.game.position import Position
from engine.lexicon.leaves import zero_leaves
from engine.rules.layouts import Layout
from engine.rules.rules import Rules, find_rules
from engine.rules.tiles import TileSet, find_tile_set

EMPTY = "/".join(["15"] * 15)
REFUSED = (IllegalPlay, NotationError)


@lru_cache(maxsize=64)
def lexicon_of(words: tuple[str, ...], tiles: TileSet) -> Any:
    """The lexicon of exactly these words."""
    return load_lexicon(words, tiles=tiles)


def with_tiles(tiles: str | TileSet, layout: Layout | None = None) -> Rules:
    """The English rules with other tiles, and perhaps another board."""
    tile_set = find_tile_set(tiles) if isinstance(tiles, str) else tiles
    rules = replace(find_rules("english"), name="test", tiles=tile_set)
    return replace(rules, layout=layout) if layout else rules


def position(
    cgp: str, words: Iterable[str], rules: Rules | None = None, check_tiles: bool = True
) -> Position:
    """A position with exactly these words and leaves of 0. ``cgp`` may be only ``RACK`` or
    ``RACK/RACK``: an empty board. A board of fewer rows than the layout's ends in empty rows."""
    rules = rules or find_rules("english")
    if " " not in cgp:
        board = "/".join([str(rules.layout.cols)] * rules.layout.rows)
        cgp = f"{board} {cgp if '/' in cgp else cgp + '/'} 0/0 0"
    return Position.from_cgp(
        cgp,
        rules=rules,
        lexicon=lexicon_of(tuple(words), rules.tiles),
        leaves=zero_leaves(rules.tiles.kinds),
        check_tiles=check_tiles,
    )


def on_board(
    words: Iterable[str],
    rack: str,
    *rows: str,
    rules: Rules | None = None,
    check_tiles: bool = True,
) -> Position:
    """A position whose rows 8, 9, ... are given in CGP, the rest of the 15 rows empty."""
    every = ["15"] * 7 + list(rows)
    every += ["15"] * (15 - len(every))
    return position(f"{'/'.join(every)} {rack}/ 0/0 0", words, rules, check_tiles)


def make(setting: Setting, lexicon: Any, leaves: Any) -> Position:
    """The position of a Setting."""
    return Position(
        rules=setting.rules,
        lexicon=lexicon,
        leaves=leaves,
        board=setting.grid,
        racks=setting.racks,
        scores=(0,) * len(setting.racks),
        zeros=0,
    )


def placements(position: Position) -> dict[str, int]:
    """Move text -> points of every tile play."""
    found = [p for p in position.plays() if p.play.kind == "play"]
    texts = {str(p.play): p.score for p in found}
    assert len(texts) == len(found), "the same text twice"
    return texts


def exchanges(position: Position) -> list[str]:
    return [str(p.play) for p in position.plays() if p.play.kind == "exchange"]


def dotted(move: str) -> str:
    """``H8 (E)gRU`` as ``H8 .gRU``."""
    return re.sub(r"\(([^)]*)\)", lambda m: "." * len(re.sub(r"\[[^\]]*\]", "x", m[1])), move)


def key(play: Any) -> naive.Key:
    return play.row, play.col, play.across, tuple(play.tiles)


def reason(position: Position, move: str) -> str:
    """Why a move is refused; fails where it is not."""
    try:
        found = position.judge(move)
    except (IllegalPlay, NotationError) as error:
        said: str = getattr(error, "reason", str(error)).strip()
    else:
        raise AssertionError(f"{move} was accepted: {found}")
    assert said, f"{move}: no reason"
    return said
