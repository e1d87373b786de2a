"""What commands that play many games share: arguments, a live line, Ctrl-C, the answer."""

from __future__ import annotations

import argparse
import logging
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from engine.app.terminal import emit, interrupt, say
from engine.errors import QuixotryError

if TYPE_CHECKING:
    from engine.rules.rules import Rules
    from engine.selfplay.pool import Workers

log = logging.getLogger("engine.play")

LEXICON = "name, or a .qlx, .kwg, .txt or .gz file"
LEAVES = "zero, a name, or a .qlv, .csv or .klv2 file"

Show = Callable[[int, str], None]  #: games or pairs played, and a text that follows


def add_common(parser: argparse.ArgumentParser, report: bool = True) -> None:
    """Add the arguments of all: --seed, --rules, who plays, --json, and --report where there is
    one."""
    parser.add_argument("--seed", type=int, default=0, metavar="S", help="default 0")
    parser.add_argument(
        "--rules", default="english", help="english, finnish+nine, a .toml file (default english)"
    )
    parser.add_argument(
        "--workers", type=int, metavar="W", help="threads or processes (default: one a processor)"
    )
    parser.add_argument("--processes", action="store_true", help="processes instead of threads")
    parser.add_argument(
        "--cluster", metavar="ADDRESS", help="a Dask scheduler, or local:N for N processes"
    )
    if report:
        parser.add_argument("--report", metavar="FILE.html", help="write a page with plots")
    parser.add_argument("--json", action="store_true", help="the figures as one JSON object")


@contextmanager
def option(name: str) -> Iterator[None]:
    """What is refused inside is what was given to this option: the message says so."""
    try:
        yield
    except QuixotryError as error:
        error.add_prefix(f"{name}: ")
        raise


def read_common(args: argparse.Namespace) -> tuple[Rules, Workers]:
    """Check the arguments of ``add_common``, all before any game: the rules and the workers.

    Loads the kernels too. Raises QuixotryError.
    """
    import engine.lexicon.check  # noqa: F401 - a kernel that is not loaded before it is needed
    from engine.rules.rules import find_rules
    from engine.selfplay.batch import check_seed

    with option("--seed"):
        check_seed(args.seed)
    if args.report is not None:
        from engine.app.report import check_report

        with option("--report"):
            check_report(args.report)
    workers = _workers(args)
    with option("--rules"):
        return find_rules(args.rules), workers


def _workers(args: argparse.Namespace) -> Workers:
    from engine.selfplay.checks import whole
    from engine.selfplay.pool import MAX_WORKERS, Workers, default_count

    if args.cluster is not None:
        if args.processes or args.workers is not None:
            raise QuixotryError("--cluster goes without --workers and --processes")
        from engine.selfplay.cluster import check_cluster

        with option("--cluster"):
            check_cluster(args.cluster)
            return Workers("cluster", address=args.cluster)
    count = default_count() if args.workers is None else args.workers
    whole("--workers", count, 1, MAX_WORKERS)
    return Workers("processes" if args.processes else "threads", count)


def answer(
    args: argparse.Namespace, figures: dict[str, Any], text: str, report: Callable[[Path], None]
) -> int:
    """Have the report written that was asked for, then print the figures; the exit code."""
    if args.report is not None:
        report(Path(args.report))
    if args.json:
        emit(figures)
    else:
        for line in text.splitlines():
            say(line)
    return 0


# -- Ctrl-C ----------------------------------------------------------------------------------------


@contextmanager
def stoppable(advice: str | Callable[[], str] = "") -> Iterator[Callable[[], None]]:
    """Ctrl-C stops the games: one line says so, and the exit code is 130. ``advice``: what the line
    ends with, or a function that says so then.

    Yields a function to call when the games begin. From then on the workers finish the pieces that
    they are at and end, and KeyboardInterrupt goes on to whoever called; a second Ctrl-C does not
    wait for them. Before, when modules and kernels are loaded and an exception in the wrong place
    is lost or worse, the process ends at once. Other handlers than Python's own are left alone.
    """

    def say_so() -> None:
        text = advice if isinstance(advice, str) else advice()
        log.warning("; ".join(filter(None, ["stopped", text])))

    def at_once(_number: int, _frame: object) -> NoReturn:
        if sys.stderr is not None and sys.stderr.isatty():
            sys.stderr.write("\x1b[?25h")  # the cursor, which a live line hides
        say_so()
        os._exit(130)

    def stop(_number: int, _frame: object) -> NoReturn:
        signal.signal(signal.SIGINT, at_once)
        raise KeyboardInterrupt

    def begin() -> None:
        if mine and not begun:
            begun.append(True)
            signal.signal(signal.SIGINT, stop)

    begun: list[bool] = []
    main = threading.current_thread() is threading.main_thread()
    before = signal.getsignal(signal.SIGINT)
    mine = main and before in (signal.default_int_handler, interrupt)
    if mine:
        signal.signal(signal.SIGINT, at_once)
    try:
        yield begin
    except KeyboardInterrupt:
        say_so()
        raise
    finally:
        if mine:
            signal.signal(signal.SIGINT, before)


# -- the live line ---------------------------------------------------------------------------------


@contextmanager
def live(total: int, what: str) -> Iterator[Show | None]:
    """A line on the terminal while ``total`` games or pairs are played: how many, the rate, the
    time left and a text; nothing (None) where standard error is no terminal."""
    if sys.stderr is None or not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    shown = Progress(
        TextColumn(f"{{task.completed:,.0f}} of {{task.total:,.0f}} {what}"),
        BarColumn(bar_width=None),
        TextColumn("{task.fields[rate]}"),
        TimeRemainingColumn(),
        TextColumn("{task.fields[text]}", markup=False),
        console=Console(stderr=True),
        transient=True,
    )
    task = shown.add_task("", total=total, rate="", text="")
    begun: list[tuple[float, int]] = []  # when it was first told how many, and how many those were

    def show(done: int, text: str) -> None:
        if not begun:
            begun.append((time.monotonic(), done))
        seconds, played = time.monotonic() - begun[0][0], done - begun[0][1]
        rate = f"{played / seconds:,.0f} {what}/s" if played and seconds else ""
        shown.update(task, completed=done, rate=rate, text=text)

    with shown:
        yield show
