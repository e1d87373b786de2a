"""How well a win table foresees fresh games, against sigmoids fitted to the games it was made of.

python bench/winpct.py TABLE.qwp [--games N] [--fit N] [--seed S] [--rules R] [--lexicon L]
                                 [--leaves T]

Rules, lexicon and leaves must be those of the training. ``--fit``: how many of the training's games
are played again to fit the sigmoids (default: all). Brier scores, and the table's calibration in
ten bins of its forecast.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import measure  # noqa: F401 - finds the engine
import numpy as np
from numpy.typing import NDArray

import engine as eng
from engine.players.static import find_player
from engine.rules.rules import find_rules
from engine.search.winpct import read_win_table
from lexicon_build.forecasts import Forecasts
from lexicon_build.swings import Positions, SwingTask
from lexicon_build.winpct import Plan

Floats = NDArray[np.float64]


def positions(task: SwingTask) -> Positions:
    """All positions of a task's games."""
    return Positions.join([task(number) for number in range(task.chunks)])


def unseen(found: Positions, rack_size: int) -> Floats:
    """Tiles that the player on turn does not see."""
    empty = (rack_size + 1) ** 2
    bag = found.rows - empty + 1 + rack_size
    return np.where(bag > rack_size, bag, found.rows % (rack_size + 1)).astype(np.float64)


def features(found: Positions, rack_size: int) -> dict[str, Floats]:
    """What each sigmoid knows."""
    lead, tiles = found.spreads / 100.0, unseen(found, rack_size) / 100
    one, near = np.ones(len(lead)), 1 / (0.3 + tiles)
    return {
        "lead": np.stack([one, lead], axis=1),
        "lead, unseen, lead x unseen": np.stack([one, lead, tiles, lead * tiles], axis=1),
        "lead / (30 + unseen)": np.stack([one, lead * near, near], axis=1),
    }


def sigmoid(x: Floats, weights: Floats) -> Floats:
    made: Floats = 1 / (1 + np.exp(-(x @ weights)))
    return made


def fit(x: Floats, results: Floats) -> Floats:
    """Weights of a logistic regression, by Newton's method."""
    weights = np.zeros(x.shape[1])
    for _ in range(25):
        p = sigmoid(x, weights)
        step = np.linalg.solve((x * (p * (1 - p))[:, None]).T @ x, x.T @ (results - p))
        weights = weights + step
        if np.abs(step).max() < 1e-9:
            break
    return weights


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("table", type=Path)
    parser.add_argument("--games", type=int, default=50_000)
    parser.add_argument("--fit", type=int)
    parser.add_argument("--seed", type=int, default=2026)
    parser.add_argument("--rules", default="english")
    parser.add_argument("--lexicon")
    parser.add_argument("--leaves")
    args = parser.parse_args()
    header, table = read_win_table(args.table)
    record, rules = header["training"], find_rules(args.rules)
    lexicon = eng.load_lexicon(args.lexicon or rules.lexicon, rules)
    leaves = eng.load_leaves(args.leaves, rules) if args.leaves else None
    player = find_player("equity", rules, lexicon, leaves)
    plan = Plan(rules, lexicon, player.leaves, record["seed"], record["games"], table.name)
    given = plan.record()
    if any(record[key] != given[key] for key in ("rules", "lexicon", "leaves")):
        parser.error("the table was trained with other rules, another lexicon or other leaves")
    trained = plan.task()
    games = min(args.fit or plan.games, plan.games)
    old = positions(SwingTask(rules, player, trained.seed, games, trained.chunk))
    fresh = positions(SwingTask(rules, player, args.seed, args.games, trained.chunk))
    found = Forecasts()
    found.add(table.of_rows(fresh.rows, fresh.spreads), fresh.results)
    print(f"{args.games} fresh games, seed {args.seed}: {len(fresh)} positions")
    print(f"Brier score: {found.brier:.5f} the table")
    known = features(fresh, rules.rack_size)
    for name, x in features(old, rules.rack_size).items():
        forecasts = sigmoid(known[name], fit(x, old.results))
        score = np.square(forecasts - fresh.results).mean()
        print(f"             {score:.5f} sigmoid of {name}, fitted to {games} training games")
    print("forecast   result  off by  positions")
    for number, forecast, result in found.bins():
        print(f"{forecast:8.2%} {result:8.2%} {100 * (result - forecast):+7.2f} {number:10}")
    print(f"worst bin: off by {100 * found.worst:.2f} points")


if __name__ == "__main__":
    main()
