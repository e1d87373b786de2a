"""Quixotry: a crossword-game engine.

    import engine as eng

    position = eng.Position.from_cgp("15/15/... RETINA?/ 0/0 0")
    for play in position.plays(top=5):
        print(play, play.score, play.equity)

Everything takes and returns immutable values; nothing prints. The names below are imported when
they are first used: ``import engine`` itself loads neither numpy nor numba.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from engine.version import __version__ as __version__

_WHERE = {
    "IllegalPlay": "engine.errors",
    "LexiconFileError": "engine.errors",
    "NotationError": "engine.errors",
    "QuixotryError": "engine.errors",
    "RulesError": "engine.errors",
    "Layout": "engine.rules.layouts",
    "Rules": "engine.rules.rules",
    "find_rules": "engine.rules.rules",
    "rules_names": "engine.rules.rules",
    "variant_names": "engine.rules.rules",
    "TileSet": "engine.rules.tiles",
    "find_tile_set": "engine.rules.tiles",
    "tile_set_names": "engine.rules.tiles",
    "Lexicon": "engine.lexicon.lexicon",
    "Leaves": "engine.lexicon.leaves",
    "match": "engine.app.matches",
    "load_leaves": "engine.app.library",
    "load_lexicon": "engine.app.library",
    "Clock": "engine.game.clock",
    "Game": "engine.app.games",
    "Play": "engine.board.play",
    "RankedPlay": "engine.movegen.equity",
    "Position": "engine.game.position",
    "Player": "engine.players.player",
    "Workers": "engine.selfplay.pool",
    "play_games": "engine.app.runs",
    "train_leaves": "engine.app.training",
    "train_winpct": "engine.app.training",
}

__all__ = sorted([*_WHERE, "__version__"])

if TYPE_CHECKING:
    from engine.app.games import Game as Game
    from engine.app.library import load_leaves as load_leaves
    from engine.app.library import load_lexicon as load_lexicon
    from engine.app.matches import match as match
    from engine.app.runs import play_games as play_games
    from engine.app.training import train_leaves as train_leaves
    from engine.app.training import train_winpct as train_winpct
    from engine.board.play import Play as Play
    from engine.errors import IllegalPlay as IllegalPlay
    from engine.errors import LexiconFileError as LexiconFileError
    from engine.errors import NotationError as NotationError
    from engine.errors import QuixotryError as QuixotryError
    from engine.errors import RulesError as RulesError
    from engine.game.clock import Clock as Clock
    from engine.game.position import Position as Position
    from engine.lexicon.leaves import Leaves as Leaves
    from engine.lexicon.lexicon import Lexicon as Lexicon
    from engine.movegen.equity import RankedPlay as RankedPlay
    from engine.players.player import Player as Player
    from engine.rules.layouts import Layout as Layout
    from engine.rules.rules import Rules as Rules
    from engine.rules.rules import find_rules as find_rules
    from engine.rules.rules import rules_names as rules_names
    from engine.rules.rules import variant_names as variant_names
    from engine.rules.tiles import TileSet as TileSet
    from engine.rules.tiles import find_tile_set as find_tile_set
    from engine.rules.tiles import tile_set_names as tile_set_names
    from engine.selfplay.pool import Workers as Workers


def __getattr__(name: str) -> Any:
    if name in _WHERE:
        return getattr(importlib.import_module(_WHERE[name]), name)
    if name == "selfplay":  # the package, which may be called (engine/selfplay/__init__.py)
        return importlib.import_module("engine.selfplay")
    raise AttributeError(f"module 'engine' has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
