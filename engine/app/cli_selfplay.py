"""``quixotry selfplay``: many games between static players, and their records."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from engine.app.terminal import emit, say
from engine.errors import QuixotryError

if TYPE_CHECKING:
    from engine.selfplay.pool import Workers
    from engine.selfplay.run import RunResult
    from engine.selfplay.totals import Totals


def add_parser(commands: Any) -> None:
    """Add ``selfplay`` to a program's subcommands."""
    about = "play many games and keep records of every turn"
    parser = commands.add_parser("selfplay", help=about, description=about, allow_abbrev=False)
    parser.add_argument(
        "--players", required=True, metavar="A,B[,C[,D]]", help="equity or greedy, two to four"
    )
    parser.add_argument("--games", type=int, required=True, metavar="N")
    parser.add_argument("--seed", type=int, default=0, metavar="S", help="default 0")
    parser.add_argument(
        "--out",
        metavar="DIR",
        help="folder for the records; a run that was killed goes on when it is called again",
    )
    parser.add_argument(
        "--rules", default="english", help="english, finnish+nine, a .toml file ..."
    )
    parser.add_argument(
        "--lexicon",
        action="append",
        default=[],
        help="name, or a .qlx, .kwg, .txt or .gz file; once for all players or once for each",
    )
    parser.add_argument(
        "--leaves",
        action="append",
        default=[],
        help="zero, a name, or a .qlv, .csv or .klv2 file; once for all players or once for each",
    )
    add_workers(parser)
    parser.add_argument("--format", help="parquet, npz or csv (default: parquet with pyarrow)")
    parser.add_argument(
        "--chunk", type=int, default=1000, metavar="N", help="games in a file (default 1000)"
    )
    parser.add_argument("--report", metavar="FILE.html", help="write a report with plots")
    parser.add_argument("--json", action="store_true", help="the figures as one JSON object")
    parser.set_defaults(run=_run, parser=parser)


def add_workers(parser: argparse.ArgumentParser) -> None:
    """Add the arguments that say who plays: --workers, --processes, --cluster."""
    parser.add_argument(
        "--workers", type=int, metavar="W", help="threads or processes (default: one a processor)"
    )
    parser.add_argument("--processes", action="store_true", help="processes instead of threads")
    parser.add_argument(
        "--cluster", metavar="ADDRESS", help="a Dask scheduler, or local:N for N processes"
    )


def workers_of(args: argparse.Namespace) -> Workers:
    """The workers that a command line asks for. Raises QuixotryError."""
    from engine.selfplay.pool import Workers, default_count

    if args.cluster is not None:
        if args.processes or args.workers is not None:
            raise QuixotryError("--cluster goes without --workers and --processes")
        from engine.selfplay.cluster import check_cluster

        check_cluster(args.cluster)
        return Workers("cluster", address=args.cluster)
    count = default_count() if args.workers is None else args.workers
    return Workers("processes" if args.processes else "threads", count)


def _run(args: argparse.Namespace) -> int:
    from engine.app.report import check_report
    from engine.app.runs import find_players
    from engine.rules.rules import find_rules
    from engine.selfplay.run import play_run

    if "" in (args.out, args.report):
        args.parser.error("--out and --report need a name")
    if args.report:
        check_report(args.report)
    workers = workers_of(args)
    rules = find_rules(args.rules)
    names = [name.strip() for name in args.players.split(",")]
    players = find_players(names, rules, args.lexicon, args.leaves)
    with live(args.games, names[0]) as progress:
        result = play_run(
            rules,
            players,
            games=args.games,
            seed=args.seed,
            out=args.out,
            workers=workers,
            form=args.format,
            chunk=args.chunk,
            keep=False,
            progress=progress,
        )
    if args.report:
        _report(args.report, result)
    if args.json:
        emit(result.figures())
    else:
        for line in result.summary().splitlines():
            say(line)
    return 0


@contextmanager
def live(games: int, name: str) -> Iterator[Callable[[Totals], None] | None]:
    """A line on the terminal while games are played: rate, time left, and the win share of player
    0 with its 95 % interval; nothing (None) where standard error is no terminal."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    shown = Progress(
        TextColumn("{task.completed:,.0f} of {task.total:,.0f} games"),
        BarColumn(bar_width=None),
        TextColumn("{task.fields[rate]}"),
        TimeRemainingColumn(),
        TextColumn("{task.fields[share]}"),
        console=Console(stderr=True),
        transient=True,
    )
    task = shown.add_task("", total=games, rate="", share="")
    begun: list[tuple[float, int]] = []  # when the first chunk began, and games there already

    def progress(totals: Totals) -> None:
        if not begun:
            begun.append((time.monotonic(), totals.games))
        seconds, played = time.monotonic() - begun[0][0], totals.games - begun[0][1]
        share, low, high = totals.win_share(0)
        shown.update(
            task,
            completed=totals.games,
            rate=f"{played / seconds:,.0f} games/s" if played else "",
            share=f"{name} {share:.1%} ({low:.1%} to {high:.1%})" if totals.games else "",
        )

    with shown:
        yield progress


def _report(path: str | Path, result: RunResult) -> None:
    from engine.app.report import Plot, write_report

    figures, totals = result.figures(), result.totals
    header = ("player", "score", "s.d.", "turns", "bingos", "score/turn", "win share", "95 %")
    rows = [
        (
            f"{one['player']} {one['name']}",
            f"{one['score']:.2f}",
            f"{one['score_deviation']:.1f}",
            f"{one['turns']:.2f}",
            f"{one['bingos']:.3f}",
            f"{one['score_per_turn']:.2f}",
            f"{one['win_share']:.2%}",
            f"{one['win_share_low']:.2%} to {one['win_share_high']:.2%}",
        )
        for one in figures["players"]
    ]
    labels = [f"{number} {name}" for number, name in enumerate(result.names)]

    def each(title: str, xlabel: str, counts: list[Any]) -> Plot:
        return Plot(title, xlabel, dict(zip(labels, counts, strict=True)))

    plots = [
        each("Scores", "points", totals.scores),
        Plot(f"Spread of {labels[0]}", "points", {labels[0]: totals.spreads}),
        each("Turns", "turns in a game", totals.turns),
        each("Bingos", "bingos in a game", totals.bingos),
    ]
    notes = [result.summary().splitlines()[0], *result.summary().splitlines()[-3:]]
    title = f"Self-play: {', '.join(result.names)}"
    write_report(path, title, header, rows, plots, notes)
