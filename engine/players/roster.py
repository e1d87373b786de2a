"""Computer players by name: the levels, from a beginner to ``level6``, and the static players."""

from __future__ import annotations

from dataclasses import replace

from engine.lexicon.leave_catalog import default_leaves
from engine.lexicon.leaves import Leaves, zero_leaves
from engine.lexicon.lexicon import Lexicon
from engine.players.levels import SKILLS, Level
from engine.players.names import LEVELS, check_name
from engine.players.player import Player
from engine.players.static import find_player as find_static
from engine.rules.rules import Rules


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
