"""``quixotry selfplay``: many games between static players, and their records."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from engine.app.playing import (
    LEAVES,
    LEXICON,
    add_common,
    answer,
    live,
    option,
    read_common,
    stoppable,
)
from engine.errors import QuixotryError, shorten

if TYPE_CHECKING:
    from engine.selfplay.run import RunResult
    from engine.selfplay.totals import Totals


def add_parser(commands: Any) -> None:
    """Add ``selfplay`` to a program's subcommands."""
    about = "play many games and keep records of every turn"
    parser = commands.add_parser("selfplay", help=about, description=about, allow_abbrev=False)
    parser.add_argument(
        "--players",
        required=True,
        metavar="A,B[,C[,D]]",
        help="two to four of equity, greedy, pool",
    )
    parser.add_argument("--games", type=int, required=True, metavar="N")
    parser.add_argument(
        "--out",
        metavar="DIR",
        help="folder for the records; a run that was stopped goes on when it is called again",
    )
    for name, help_ in (("--lexicon", LEXICON), ("--leaves", LEAVES)):
        parser.add_argument(
            name,
            action="append",
            default=[],
            help=f"{help_}; once for all players or once for each",
        )
    add_common(parser)
    parser.add_argument("--format", help="parquet, npz or csv (default: parquet with pyarrow)")
    parser.add_argument(
        "--chunk", type=int, default=1000, metavar="N", help="games in a file (default 1000)"
    )
    parser.set_defaults(run=_run, parser=parser)


def _run(args: argparse.Namespace) -> int:
    if "" in (args.out, args.report):
        args.parser.error("--out and --report need a name")
    if args.format is not None and args.out is None:
        args.parser.error("--format goes with --out")

    def advice() -> str:
        begun = args.out is not None and Path(args.out, "manifest.json").is_file()
        return "the same command goes on from here" if begun else ""

    with stoppable(advice) as begin:
        result = _play(args, begin)
    return answer(args, result.figures(), result.summary(), lambda file: _report(file, result))


def _play(args: argparse.Namespace, begin: Callable[[], None]) -> RunResult:
    from engine.app.library import is_file
    from engine.app.runs import check_each, check_names, find_players
    from engine.selfplay.checks import whole
    from engine.selfplay.records import check_format, default_format
    from engine.selfplay.run import MAX_CHUNK, MAX_GAMES, play_run

    whole("--games", args.games, 1, MAX_GAMES)
    whole("--chunk", args.chunk, 1, MAX_CHUNK)
    form = default_format() if args.format is None else args.format
    with option("--format"):
        check_format(form)
    rules, workers = read_common(args)
    if args.report and args.out and Path(args.report).absolute() == Path(args.out).absolute():
        raise QuixotryError(f"--report: {args.report} is the folder of --out, expected a file")
    names = [name.strip() for name in args.players.split(",")]
    with option("--players"):
        check_names(names)
    for name, given in (("--lexicon", args.lexicon), ("--leaves", args.leaves)):
        for source in given:
            if "," in source and not is_file(source):
                raise QuixotryError(
                    f"{name} {shorten(source)}: expected one, repeat {name} for each player"
                )
        check_each(name, given, names)
    players = find_players(names, rules, args.lexicon, args.leaves)
    begin()
    with live(args.games, "games") as show:

        def progress(totals: Totals) -> None:
            if show:
                share, low, high = totals.win_share(0)
                text = f"{names[0]} {share:.1%} ({low:.1%} to {high:.1%})" if totals.games else ""
                show(totals.games, text)

        return play_run(
            rules,
            players,
            games=args.games,
            seed=args.seed,
            out=args.out,
            workers=workers,
            form=form,
            chunk=args.chunk,
            keep=False,
            progress=progress,
        )


def _report(path: Path, result: RunResult) -> None:
    from engine.app.report import Plot, write_report

    totals = result.totals
    labels = [f"{number} {name}" for number, name in enumerate(result.names)]

    def each(title: str, xlabel: str, counts: list[Any]) -> Plot:
        return Plot(title, xlabel, dict(zip(labels, counts, strict=True)))

    plots = [
        each("Scores", "points", totals.scores),
        Plot(f"Spread of {labels[0]}", "points", {labels[0]: totals.spreads}),
        each("Turns", "turns in a game", totals.turns),
        each("Bingos", "bingos in a game", totals.bingos),
    ]
    header, *rows = result.table()
    notes = [result.title(), result.seats(), *result.notes()]
    write_report(path, f"Self-play: {', '.join(result.names)}", header, rows, plots, notes)
