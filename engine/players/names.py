"""Names of the computer players, and what was measured of them; nothing heavy is loaded here.

What a level scores was measured by bench/levels.py, which writes engine/data/levels.toml: points a
game of two of the level, by rules, with the lexicon that the rules name.
"""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path

from engine.errors import QuixotryError, shorten

LEVELS = ("level1", "level2", "level3", "level4", "level5", "level6")  #: the last one is ``equity``
PLAYERS = ("equity", "greedy", "pool")  #: static players
NAMES = (*LEVELS, *PLAYERS)
SCORES = Path(__file__).resolve().parents[1] / "data" / "levels.toml"


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
