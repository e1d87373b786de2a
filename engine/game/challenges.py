"""Challenge rules as text, such as ``double`` or ``points(10)``."""

from __future__ import annotations

import re

from engine.errors import RulesError, shorten
from engine.rules.rules import Challenge

#: Under these a play with words outside the lexicon stays unless it is challenged.
OPEN_KINDS = ("single", "double", "triple", "points")
PAYS = ("challenger_loses", "player_gains")
_POINTS = re.compile(r"points\s*\(\s*(\d{1,5})\s*(?:,\s*(\w+)\s*)?\)", re.ASCII)


def parse_challenge(text: str) -> Challenge:
    """The challenge rule that a text names. Raises RulesError.

    ``points(5)``: 5 points go from the challenger; ``points(5, player_gains)``: to the player
    challenged.
    """
    given = text.strip().lower()
    if given in ("void", "none", "single", "double", "triple"):
        return Challenge(given)
    found = _POINTS.fullmatch(given)
    if found is None or (found[2] or PAYS[0]) not in PAYS or int(found[1]) > 10_000:
        raise RulesError(
            f"challenge {shorten(text)}, expected void, none, single, double, triple, points(N) or"
            " points(N, player_gains)"
        )
    return Challenge("points", int(found[1]), found[2] or PAYS[0])
