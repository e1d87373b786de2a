"""Floor 7: many games at once, matches, and the records that they leave.

The package may itself be called: ``engine.selfplay("equity", "greedy", games=1000, seed=1)`` is
``engine.play_games(...)``.
"""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Any


class _Callable(ModuleType):
    def __call__(self, *players: str, **settings: Any) -> Any:
        """``engine.play_games``; the floor above, which knows lexicons by name, provides it."""
        return sys.modules["engine"].play_games(*players, **settings)


sys.modules[__name__].__class__ = _Callable
