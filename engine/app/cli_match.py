"""``quixotry match``: two players against each other in seat-swapped pairs of games."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from engine.app.cli_selfplay import add_workers, workers_of
from engine.app.terminal import emit, say
from engine.errors import QuixotryError

if TYPE_CHECKING:
    from engine.selfplay.match import MatchResult, Tally
    from engine.selfplay.stats import Sprt


def add_parser(commands: Any) -> None:
    """Add ``match`` to a program's subcommands."""
    about = "play two players against each other in seat-swapped pairs on the same draws"
    parser = commands.add_parser("match", help=about, description=about, allow_abbrev=False)
    parser.add_argument("a", metavar="A", help="player: equity, greedy")
    parser.add_argument("b", metavar="B", help="the other player")
    parser.add_argument(
        "--pairs", type=int, default=10_000, metavar="N", help="most pairs (default 10000)"
    )
    parser.add_argument("--seed", type=int, default=0, metavar="S", help="default 0")
    parser.add_argument(
        "--rules", default="english", help="english, finnish+nine, a .toml file (default english)"
    )
    anything = "name, or a .qlx, .kwg, .txt or .gz file"
    parser.add_argument("--lexicon", metavar="L", help=anything)
    parser.add_argument("--lexicon2", metavar="L", help="that of B (default: that of A)")
    parser.add_argument("--leaves", metavar="T", help="zero, a name, or a .qlv, .csv or .klv2 file")
    parser.add_argument("--leaves2", metavar="T", help="those of B (default: those of A)")
    add_workers(parser)
    parser.add_argument("--no-sprt", action="store_true", help="play all pairs, whatever happens")
    parser.add_argument(
        "--elo0", type=float, default=-5, metavar="E", help="B is the better one (default -5)"
    )
    parser.add_argument(
        "--elo1", type=float, default=5, metavar="E", help="A is the better one (default 5)"
    )
    parser.add_argument("--report", metavar="FILE", help="an HTML page with plots")
    parser.add_argument("--json", action="store_true", help="one JSON object")
    parser.set_defaults(run=_run, parser=parser)


def _run(args: argparse.Namespace) -> int:
    if args.pairs < 1:
        raise QuixotryError(f"--pairs {args.pairs}: expected 1 or more")
    workers, sprt = workers_of(args), _sprt(args)
    if args.report:
        from engine.app.report import check_report

        check_report(args.report)
    from engine.app.matches import match

    with _progress(args.pairs) as progress:
        result = match(
            args.a,
            args.b,
            pairs=args.pairs,
            seed=args.seed,
            rules=args.rules,
            lexicon=args.lexicon,
            lexicon2=args.lexicon2,
            leaves=args.leaves,
            leaves2=args.leaves2,
            sprt=sprt or False,
            workers=workers,
            progress=progress,
        )
    if args.report:
        _report(args.report, result)
    if args.json:
        emit(result.to_dict())
    else:
        for line in result.summary().splitlines():
            say(line)
    return 0


def _report(file: str, result: MatchResult) -> None:
    from engine.app.report import Plot, write_report

    tally = result.tally
    names = [f"{label} {player.name}" for label, player in zip("AB", result.players, strict=True)]

    def both(name: str) -> dict[str, dict[int, int]]:
        return {
            label: dict(player.games[name])
            for label, player in zip(names, tally.players, strict=True)
        }

    plots = (
        Plot("Scores", "points", both("score")),
        Plot("Spread of A", "points", {names[0]: dict(tally.spreads)}),
        Plot("Turns of a player", "turns a game", both("turns")),
        Plot("Bingos", "bingos a game", both("bingos")),
    )
    title = f"{names[0]} against {names[1]}"
    header = ("", "value", "95 % interval")
    write_report(file, title, header, result.rows(), plots, (result.title(),))


def _sprt(args: argparse.Namespace) -> Sprt | None:
    from engine.selfplay.stats import Sprt

    if args.no_sprt:
        return None
    try:
        return Sprt(args.elo0, args.elo1)
    except ValueError as error:
        raise QuixotryError(f"--elo0, --elo1: {error}") from None


@contextmanager
def _progress(pairs: int) -> Iterator[Callable[[Tally, float | None], None] | None]:
    """A line on a terminal: pairs, rate, time left, win share; None where nobody watches."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn
    from rich.progress import TimeRemainingColumn as TimeLeft

    columns = (
        TextColumn("pairs"),
        BarColumn(20),
        MofNCompleteColumn(),
        TextColumn("{task.fields[rate]}"),
        TimeLeft(),
        TextColumn("{task.fields[share]}"),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as shown:
        line = shown.add_task("", total=pairs, share="", rate="")

        def progress(tally: Tally, llr: float | None) -> None:
            share = tally.win_share
            text = f"A {share.value:.1%} ({share.low:.1%} .. {share.high:.1%})"
            text += "" if llr is None else f"  LLR {llr:+.2f}"
            speed = shown.tasks[0].finished_speed or shown.tasks[0].speed
            rate = f"{speed:.0f}/s" if speed else ""
            shown.update(line, completed=tally.pairs, share=text, rate=rate)

        yield progress
