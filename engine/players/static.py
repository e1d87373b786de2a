"""Static players: they make the first play of a ranking and look no further.

equity   score, leave, opening and endgame terms: the ranking of ``quixotry best``
greedy   the highest score only
pool     as equity, leaves valued against the unseen tiles (engine/movegen/pool_leaves.py)
"""

from __future__ import annotations

from dataclasses import dataclass

from engine.board.play import Play
from engine.errors import QuixotryError
from engine.game.position import Position
from engine.lexicon.leave_catalog import default_leaves
from engine.lexicon.leaves import Leaves, zero_leaves
from engine.lexicon.lexicon import Lexicon
from engine.players.choose import choose_static
from engine.players.names import PLAYERS
from engine.rules.rules import Rules


@dataclass(frozen=True)
class StaticPlayer:
    """A player by ranking. ``terms``: whether the opening and endgame terms count; ``pool``:
    whether leaves are valued against the unseen tiles."""

    name: str
    lexicon: Lexicon
    leaves: Leaves
    terms: bool = True
    pool: bool = False

    def check_rules(self, rules: Rules) -> None:
        """Raise LexiconFileError or QuixotryError where lexicon or leaves are for other tiles."""
        if self.leaves.kinds != rules.tiles.kinds:
            raise QuixotryError(
                f"leaves {self.leaves.name!r} are for {self.leaves.kinds} kinds of tile,"
                f" {rules.tiles.name} has {rules.tiles.kinds}"
            )
        self.lexicon.check_tiles(rules.tiles)

    def choose(self, position: Position) -> Play:
        """The play that this player makes (engine/players/choose.py)."""
        return choose_static(position, self.lexicon, self.leaves, self.terms, self.pool)


def find_player(
    name: str, rules: Rules, lexicon: Lexicon, leaves: Leaves | None = None
) -> StaticPlayer:
    """A player by name, with leaves of its own (None: the bundled ones of the tile set).

    Raises QuixotryError with the names there are, LexiconFileError for a lexicon of other tiles.
    """
    lexicon.check_tiles(rules.tiles)
    if name in ("equity", "pool"):
        own = leaves or default_leaves(rules.tiles)
        return StaticPlayer(name, lexicon, own, pool=name == "pool")
    if name == "greedy":
        return StaticPlayer(name, lexicon, zero_leaves(rules.tiles.kinds), terms=False)
    raise QuixotryError(f"no player {name!r}; there are {', '.join(PLAYERS)}")
