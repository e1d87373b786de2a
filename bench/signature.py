"""One number for all that best-play self-play does: it changes when any play, score, equity, draw
or end of game changes.

python bench/signature.py [GAMES]

The stored value is in tests/test_signature.py. A change that is meant to be only faster must not
change it; one that changes play stores the new value and says why.
"""

from __future__ import annotations

import hashlib
import sys

import measure  # noqa: F401 - finds the engine
import numpy as np

import engine as eng
from engine.movegen.ranking import unpack
from engine.players.static import find_player
from engine.rules.rules import find_rules
from engine.selfplay.batch import Batch

GAMES = 200
SEED = 2024


def signature(games: int = GAMES) -> str:
    """SHA-256, first 16 hex digits, over the turns and results of English games.

    The bundled list and leaves; every other game ``greedy`` begins against ``equity``. Of a turn:
    game, kind, first square, tiles in square order, points, equity. Of a game: scores and end.
    """
    rules = find_rules("english")
    lexicon = eng.load_lexicon("english")
    digest = hashlib.sha256()
    equity, greedy = (find_player(name, rules, lexicon) for name in ("equity", "greedy"))
    for first, players in enumerate(([equity, equity], [greedy, equity])):
        turns, results = Batch(rules, players).play(SEED, first, games // 2, step=2)
        numbers = [turns[name] for name in ("game", "kind", "first", "laid", "score", "equity_mp")]
        table = np.column_stack([*numbers, unpack(turns)]).astype("<i8")
        ends = np.column_stack([results["game"], results["score"][:, :2], results["end"]])
        digest.update(table.tobytes())
        digest.update(ends.astype("<i8").tobytes())
    return digest.hexdigest()[:16]


if __name__ == "__main__":
    print(signature(int(sys.argv[1]) if len(sys.argv) > 1 else GAMES))
