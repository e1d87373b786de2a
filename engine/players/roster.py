"""Computer players by name: the levels, from a beginner to ``level6``, and the static players.

What a level scores was measured (bench/levels.py writes engine/data/levels.toml): points a game
of two of the level, by rules, with the lexicon that the rules name.
"""

from __future__ import annotations

import tomllib
from dataclasses import replace
from functools import cache
from pathlib import Path

from engine.errors import QuixotryError, shorten
from engine.lexicon.leave_catalog import default_leaves
from engine.lexicon.leaves import Leaves, zero_leaves
from engine.lexicon.lexicon import Lexicon
from engine.players.levels import SKILLS, Level
from engine.players.player import Player
from engine.players.static import PLAYERS
from engine.players.static import find_player as find_static
from engine.rules.rules import Rules

LEVELS = (*SKILLS, "level6")  #: the last one is ``equity`` under another name
NAMES = (*LEVELS, *PLAYERS)
SCORES = Path(__file__).resolve().parents[1] / "data" / "levels.toml"


def find_player(
    name: str, rules: Rules, lexicon: Lexicon, leaves: Leaves | None = None, *, seed: int = 0
) -> Player:
    """A player by name, with leaves of its own (None: the bundled ones of the tile set).

    ``seed`` (0 to 2**64 - 1): what a level notices. Raises QuixotryError with the names there are,
    LexiconFileError for a lexicon of other tiles.
    """
    check_name(name)
    lexicon.check_tiles(rules.tiles)
    if name in SKILLS:
        skill = SKILLS[name]
        own = leaves or default_leaves(rules.tiles)
        values = own if skill.leaves else zero_leaves(rules.tiles.kinds)
        return Level(name, lexicon, values, skill, seed)
    if name in LEVELS:
        return replace(find_static("equity", rules, lexicon, leaves), name=name)
    return find_static(name, rules, lexicon, leaves)


def check_name(name: object) -> None:
    """Raise QuixotryError, with the names there are, for what is no player's name."""
    if name not in NAMES:
        raise QuixotryError(f"no player {shorten(name)}; there are {', '.join(NAMES)}")


def mean_score(name: str, rules: str) -> int | None:
    """Points a game that a player makes against another of its kind under some rules, by name;
    None where nobody measured it."""
    score: int | None = _scores().get(rules, {}).get("equity" if name == LEVELS[-1] else name)
    return score


@cache
def _scores() -> dict[str, dict[str, int]]:
    return tomllib.loads(SCORES.read_text("utf-8")) if SCORES.exists() else {}
