"""``quixotry train``: leave values and win probabilities from self-play."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING, Any

from engine.app.playing import LEAVES, LEXICON, add_common, live, read_common, stoppable
from engine.app.terminal import emit, say

if TYPE_CHECKING:
    from engine.lexicon.leaves import Leaves
    from engine.rules.tiles import TileSet

_SHOWN = 10  # best and worst leaves


def add_parser(commands: Any) -> None:
    """Add ``train`` to a program's subcommands."""
    about = "make leave values or win probabilities by self-play"
    train = commands.add_parser("train", help=about, description=about, allow_abbrev=False)
    what = train.add_subparsers(dest="what", metavar="WHAT", required=True)

    about = "leave values, generation by generation, until they are no better than those before"
    leaves = what.add_parser("leaves", help=about, description=about, allow_abbrev=False)
    _add_common(leaves, ".qlv", 50_000, "of the first generation; then twice as many each time")
    leaves.add_argument(
        "--generations", type=int, default=5, metavar="N", help="at most (default 5)"
    )
    leaves.add_argument(
        "--pairs", type=int, default=20_000, metavar="N",
        help="most pairs of a match against the leaves before (default 20000)",
    )  # fmt: skip
    leaves.add_argument(
        "--max-len", type=int, metavar="N",
        help="tiles of the longest leave in the table (default 6, or as many as fit)",
    )  # fmt: skip
    leaves.set_defaults(run=_run_leaves, parser=leaves)

    about = "share of a win by spread and tiles unseen, from the rest of every position's game"
    winpct = what.add_parser("winpct", help=about, description=about, allow_abbrev=False)
    _add_common(winpct, ".qwp", 200_000, "to make the table of; a tenth more judge it")
    winpct.add_argument("--leaves", metavar="T", help=f"those of the players: {LEAVES}")
    winpct.set_defaults(run=_run_winpct, parser=winpct)


def _add_common(parser: argparse.ArgumentParser, ending: str, games: int, which: str) -> None:
    parser.add_argument(
        "--out", required=True, metavar=f"FILE{ending}",
        help="the file to write; a training that was stopped goes on when it is called again",
    )  # fmt: skip
    parser.add_argument("--name", help="name of the table (default: that of the file)")
    parser.add_argument(
        "--games", type=int, default=games, metavar="N", help=f"{which} (default {games})"
    )
    parser.add_argument("--lexicon", metavar="L", help=LEXICON)
    add_common(parser, report=False)
    parser.set_defaults(report=None)


@contextmanager
def _stages() -> Iterator[Callable[[str, int, int], None]]:
    """A function that shows each stage of a training in a live line of its own."""
    with ExitStack() as stack:
        stage: list[Any] = [None, None]

        def progress(what: str, done: int, of: int) -> None:
            if what != stage[0]:
                stack.close()
                unit = "pairs" if "match" in what else "games"
                stage[:] = what, stack.enter_context(live(of, unit))
            if stage[1]:
                stage[1](done, what)

        yield progress


_ON = "the same command goes on"

# -- leaves ----------------------------------------------------------------------------------------


def _run_leaves(args: argparse.Namespace) -> int:
    from engine.app.training import train_leaves

    rules, workers = read_common(args)
    with stoppable(_ON), _stages() as progress:
        trained = train_leaves(
            args.out,
            rules=rules,
            lexicon=args.lexicon,
            games=args.games,
            generations=args.generations,
            pairs=args.pairs,
            max_len=args.max_len,
            seed=args.seed,
            name=args.name,
            workers=workers,
            progress=progress,
        )
    leaves, tiles = trained.leaves, rules.tiles
    singles = {
        tiles.format_rack([kind]): leaves.value([kind]) / 1000 for kind in range(tiles.kinds)
    }
    best, worst = _extremes(leaves, tiles)
    if args.json:
        figures = {"tile_values": singles, "best": dict(best), "worst": dict(worst)}
        emit({"file": args.out, "name": leaves.name} | trained.record | figures)
        return 0
    found = f"up to {leaves.max_len} tiles" if leaves.values.any() else "all zero: no better found"
    say(f"leaves {leaves.name!r}, {found}, rules {rules.name}:")
    for number, step in enumerate(trained.record["steps"], 1):
        low, value, high = (step[f"win_share{end}"] for end in ("_low", "", "_high"))
        say(
            f"generation {number}: {step['games']} games, {step['racks']} racks; wins"
            f" {value:.2%} ({low:.2%} to {high:.2%}) of {step['pairs']} pairs against those before"
            + ("" if step["taken"] else ": not taken")
        )
    say(f"tiles  {_worths(sorted(singles.items(), key=lambda item: -item[1]))}")
    say(f"best   {_worths(best)}")
    say(f"worst  {_worths(worst)}")
    say(f"written to {args.out}")
    return 0


def _worths(pairs: list[tuple[str, float]]) -> str:
    return "  ".join(f"{text} {points:.1f}" for text, points in pairs)


Worths = list[tuple[str, float]]


def _extremes(leaves: Leaves, tiles: TileSet) -> tuple[Worths, Worths]:
    """The best leaves of a full bag, best first, and the worst, worst first, in points."""
    import numpy as np

    from engine.lexicon.leaves import multiset_tables, multisets

    offset, _ = multiset_tables(leaves.kinds, leaves.max_len)
    best: Worths = []
    worst: Worths = []
    for size, rows in enumerate(multisets(leaves.kinds, leaves.max_len), 1):
        drawable = np.ones(len(rows), bool)
        for kind, count in enumerate(tiles.counts[: leaves.kinds]):
            if count < size:
                drawable &= (rows == kind).sum(axis=1) <= count
        rows, values = rows[drawable], leaves.values[offset[size] : offset[size + 1]][drawable]
        order = np.argsort(values, kind="stable")
        for found, places in ((best, order[::-1][:_SHOWN]), (worst, order[:_SHOWN])):
            found += [(tiles.format_rack(rows[i].tolist()), int(values[i]) / 1000) for i in places]
    best.sort(key=lambda item: -item[1])
    worst.sort(key=lambda item: item[1])
    return best[:_SHOWN], worst[:_SHOWN]


# -- win probability -------------------------------------------------------------------------------


def _run_winpct(args: argparse.Namespace) -> int:
    from engine.app.training import train_winpct

    rules, workers = read_common(args)
    with stoppable(_ON), _stages() as progress:
        trained = train_winpct(
            args.out,
            rules=rules,
            lexicon=args.lexicon,
            leaves=args.leaves,
            games=args.games,
            seed=args.seed,
            name=args.name,
            workers=workers,
            progress=progress,
        )
    table, record = trained.table, trained.record
    if args.json:
        emit({"file": args.out, "name": table.name} | record)
        return 0
    fresh = record["fresh"]
    say(f"win table {table.name!r} of {record['games']} games, rules {rules.name}:")
    say(f"up to {table.most_bag} tiles in the bag, spreads up to {table.reach}")
    say(
        f"{fresh['games']} fresh games, {fresh['positions']} positions:"
        f" Brier score {fresh['brier']:.4f}"
    )
    say("forecast   result  off by  positions")
    bins = (fresh["bins"][column] for column in ("forecast", "result", "positions"))
    for forecast, result, positions in zip(*bins, strict=True):
        say(f"{forecast:8.2%} {result:8.2%} {100 * (result - forecast):+7.2f} {positions:10}")
    say(f"written to {args.out}")
    return 0
