"""Static best-move self-play, one thread: games per yardstick.

python bench/selfplay.py [GAMES]
"""

from __future__ import annotations

import sys
from functools import partial

import measure

import engine as eng
from engine.players.static import find_player
from engine.rules.rules import find_rules
from engine.selfplay.batch import Batch


def main() -> None:
    games = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    rules = find_rules("english")
    lexicon = eng.load_lexicon(measure.SHARED / "oracle" / "enable.txt")
    leaves = eng.load_leaves(measure.SHARED / "oracle" / "leaves.klv2")
    player = find_player("equity", rules, lexicon, leaves)
    batch = Batch(rules, [player, player])
    batch.play(1, 0, 10)
    rates = []
    for run in range(5):
        unit = measure.yardstick(3)
        seconds = measure.cpu_seconds(partial(batch.play, 1, run * games, games), 1)[0]
        rates.append(games / seconds * unit)
        print(f"yardstick {unit:.4f} s, {games / seconds:.0f} games/s: {rates[-1]:.1f} a yardstick")
    print(f"median {measure.median(rates):.1f} games per yardstick")
    _, results = batch.play(1, 0, 10 * games, record=False)
    scores, turns = results["score"][:, :2], results["player_turns"][:, :2]
    wins = (scores[:, 0] > scores[:, 1]).mean() + (scores[:, 0] == scores[:, 1]).mean() / 2
    print(
        f"mean score {scores.mean():.1f}, {turns.mean():.2f} turns and"
        f" {results['bingos'][:, :2].mean():.2f} bingos a player, first mover {wins:.1%}"
    )


if __name__ == "__main__":
    main()
