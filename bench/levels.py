"""The levels measured: mean score of two of a level, and its share of wins against the next one.

python bench/levels.py [--games N] [--rules R,R ...] [--write]

Every rule system whose lexicon is there is measured; ``--write`` keeps the mean scores in
engine/data/levels.toml, from where the program shows them, beside those of other rules.
"""

from __future__ import annotations

import argparse
import sys
import tomllib
from pathlib import Path
from statistics import fmean, stdev

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import engine as eng
from engine.lexicon.catalog import lexicon_files
from engine.players.names import LEVELS, SCORES

NAMES = (*LEVELS[:-1], "equity")
HEAD = "# Mean score a game of two of a kind, with the lexicon of the rules; made by\n# {}\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--games", type=int, default=200, help="of each pair (default 200)")
    parser.add_argument("--rules", default="english,finnish,hungarian,norwegian,polish")
    parser.add_argument("--write", action="store_true", help=f"write {SCORES.name}")
    args = parser.parse_args()
    scores = tomllib.loads(SCORES.read_text("utf-8")) if SCORES.exists() else {}
    for rules in args.rules.split(","):
        if eng.find_rules(rules).lexicon in lexicon_files():
            scores[rules] = _measure(rules, args.games)
        else:
            print(f"{rules}: no lexicon {eng.find_rules(rules).lexicon}, left out")
    if args.write:
        lines = [HEAD.format(f"python bench/levels.py --games {args.games} --write")]
        for rules, points in sorted(scores.items()):
            lines += [f"\n[{rules}]\n", *(f"{name} = {mean}\n" for name, mean in points.items())]
        SCORES.write_text("".join(lines), "utf-8")


def _measure(rules: str, games: int) -> dict[str, int]:
    """Mean scores of all levels, each printed with its share of wins against the next one."""
    means = {}
    for name, better in zip(NAMES, (*NAMES[1:], None)):
        own = _play(rules, name, name, games)
        points = [score for game in own for score in game.scores]
        means[name] = round(fmean(points))
        line = f"{rules} {name}: mean {fmean(points):.1f}, sd {stdev(points):.1f},"
        line += f" {fmean(game.actions / 2 for game in own):.1f} turns"
        if better:
            wins = [_won(game.scores) for game in _play(rules, name, better, games)]
            line += f"; wins {fmean(wins):.1%} against {better}"
        print(line, flush=True)
    return means


def _play(rules: str, a: str, b: str, games: int) -> list[eng.Game]:
    return [
        eng.Game(rules, [a, b], seed=1, number=number, first=number % 2).run()
        for number in range(games)
    ]


def _won(scores: tuple[int, ...]) -> float:
    return (scores[0] > scores[1]) + (scores[0] == scores[1]) / 2


if __name__ == "__main__":
    main()
