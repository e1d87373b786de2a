"""Static best-move self-play, one thread: games per yardstick.

python bench/selfplay.py [--games N] [--rules R] [--lexicon L] [--leaves T] [--threads 2]
"""

from __future__ import annotations

import argparse
import time
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import measure

import engine as eng
from engine.players.static import find_player
from engine.rules.rules import find_rules
from engine.selfplay.batch import Batch


def main() -> None:
    oracle = measure.SHARED / "oracle"
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--rules", default="english")
    parser.add_argument("--lexicon", default=str(oracle / "enable.txt"))
    parser.add_argument("--leaves", default=str(oracle / "leaves.klv2"))
    parser.add_argument("--threads", type=int, default=1)
    args = parser.parse_args()
    rules = find_rules(args.rules)
    lexicon = eng.load_lexicon(args.lexicon, rules)
    player = find_player("equity", rules, lexicon, eng.load_leaves(args.leaves, rules))
    batch = Batch(rules, [player, player])
    batch.play(1, 0, 10)
    rates = []
    for run in range(5):
        unit = measure.yardstick(3)
        work = partial(batch.play, 1, run * args.games, args.games)
        seconds = measure.cpu_seconds(work, 1)[0]
        rates.append(args.games / seconds * unit)
        print(f"yardstick {unit:.4f} s, {args.games / seconds:.0f} games/s: {rates[-1]:.1f}")
    print(f"median {measure.median(rates):.1f} games per yardstick")
    _, results = batch.play(1, 0, 10 * args.games, record=False)
    scores, turns = results["score"][:, :2], results["player_turns"][:, :2]
    wins = (scores[:, 0] > scores[:, 1]).mean() + (scores[:, 0] == scores[:, 1]).mean() / 2
    print(
        f"mean score {scores.mean():.1f}, {turns.mean():.2f} turns and"
        f" {results['bingos'][:, :2].mean():.2f} bingos a player, first mover {wins:.1%}"
    )
    if args.threads > 1:
        walls = [_wall(batch, args.games, threads) for threads in (1, args.threads) * 3]
        one, many = min(walls[0::2]), min(walls[1::2])
        print(f"{args.threads} threads against one, wall time: x {one / many:.2f}")


def _wall(batch: Batch, games: int, threads: int) -> float:
    """Wall seconds of 4 x games games on some threads."""
    start = time.perf_counter()
    with ThreadPoolExecutor(threads) as pool:
        list(pool.map(lambda k: batch.play(1, k * games, games, record=False), range(4)))
    return time.perf_counter() - start


if __name__ == "__main__":
    main()
