"""``quixotry match``: two players against each other in seat-swapped pairs of games."""

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

if TYPE_CHECKING:
    from engine.selfplay.match import MatchResult, Tally
    from engine.selfplay.stats import Sprt


def add_parser(commands: Any) -> None:
    """Add ``match`` to a program's subcommands."""
    about = "play two players against each other in seat-swapped pairs on the same draws"
    parser = commands.add_parser("match", help=about, description=about, allow_abbrev=False)
    parser.add_argument("a", metavar="A", help="player: equity, greedy, pool")
    parser.add_argument("b", metavar="B", help="the other player")
    parser.add_argument(
        "--pairs", type=int, default=10_000, metavar="N", help="most pairs (default 10000)"
    )
    parser.add_argument("--lexicon", metavar="L", help=LEXICON)
    parser.add_argument("--lexicon2", metavar="L", help="that of B (default: that of A)")
    parser.add_argument("--leaves", metavar="T", help=LEAVES)
    parser.add_argument("--leaves2", metavar="T", help="those of B (default: those of A)")
    add_common(parser)
    parser.add_argument("--no-sprt", action="store_true", help="play all pairs, whatever happens")
    parser.add_argument("--elo0", type=float, metavar="E", help="B is better (default -5)")
    parser.add_argument("--elo1", type=float, metavar="E", help="A is better (default 5)")
    parser.set_defaults(run=_run, parser=parser)


def _run(args: argparse.Namespace) -> int:
    if args.report == "":
        args.parser.error("--report needs a name")
    if args.no_sprt and (args.elo0, args.elo1) != (None, None):
        args.parser.error("--no-sprt goes without --elo0 and --elo1")
    with stoppable() as begin:
        result = _play(args, begin)
    return answer(args, result.to_dict(), result.summary(), lambda file: _report(file, result))


def _play(args: argparse.Namespace, begin: Callable[[], None]) -> MatchResult:
    from engine.app.matches import find_pair
    from engine.selfplay.checks import whole
    from engine.selfplay.match import MAX_PAIRS, play_match

    whole("--pairs", args.pairs, 1, MAX_PAIRS)
    sprt = _sprt(args)
    rules, workers = read_common(args)
    lexicons, leaves = (args.lexicon, args.lexicon2), (args.leaves, args.leaves2)
    players = find_pair(args.a, args.b, rules, lexicons, leaves)
    begin()
    with live(args.pairs, "pairs") as show:

        def progress(tally: Tally, llr: float | None) -> None:
            share = tally.win_share
            text = f"A {share.value:.1%} ({share.low:.1%} to {share.high:.1%})"
            if show:
                show(tally.pairs, text if llr is None else f"{text}  LLR {llr:+.2f}")

        if show:
            show(0, "")
        return play_match(
            rules, *players, args.pairs, args.seed, sprt=sprt, workers=workers, progress=progress
        )


def _sprt(args: argparse.Namespace) -> Sprt | None:
    from engine.selfplay.stats import Sprt

    if args.no_sprt:
        return None
    with option("--elo0, --elo1"):
        return Sprt(-5 if args.elo0 is None else args.elo0, 5 if args.elo1 is None else args.elo1)


def _report(file: Path, result: MatchResult) -> None:
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
