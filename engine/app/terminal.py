"""What the commands have in common: numbers as arguments, lines of text, lines of JSON."""

from __future__ import annotations

import argparse
import codecs
import json
import os
import re
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import NoReturn

from engine.errors import printable, shorten

_SURROGATES = re.compile("[\ud800-\udfff]")


def interrupt(_number: int, frame: FrameType | None) -> NoReturn:
    """What Ctrl-C does: raise KeyboardInterrupt; but end the process at once (exit code 130) while
    a module is imported. That is when kernels are compiled, and an exception there may be lost."""
    while frame is not None:
        if frame.f_code.co_filename == "<frozen importlib._bootstrap>":
            os._exit(130)
        frame = frame.f_back
    raise KeyboardInterrupt


@contextmanager
def interruptible() -> Iterator[None]:
    """Inside, Ctrl-C is ``interrupt``; handlers of somebody else are left alone."""
    main = threading.current_thread() is threading.main_thread()
    mine = main and signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if mine:
        signal.signal(signal.SIGINT, interrupt)
    try:
        yield
    finally:
        if mine:
            signal.signal(signal.SIGINT, signal.default_int_handler)


def whole(text: str) -> int:
    """Type of an argument that is a number from 0."""
    if not (text.isascii() and text.isdecimal()) or len(text) > 9:
        raise argparse.ArgumentTypeError(f"{shorten(text)} is not a number of 0 or more")
    return int(text)


def say(text: str) -> None:
    """Print one line; what a terminal might obey is escaped."""
    print(printable(text))


def emit(value: object) -> None:
    """Print one JSON value as a line that is valid UTF-8 whatever the encoding of the output.

    Bytes of an argument that are no UTF-8 (lone surrogates in Python) become U+FFFD.
    """
    text = _SURROGATES.sub("\ufffd", json.dumps(value, ensure_ascii=False))
    if codecs.lookup(sys.stdout.encoding or "ascii").name != "utf-8":
        text = json.dumps(json.loads(text))
    print(text)


@contextmanager
def steps(what: str) -> Iterator[Callable[[str], None]]:
    """A function that shows the step of a long job, in one line that goes when the job is done.

    Shown on standard error, and only on a terminal.
    """
    if not sys.stderr.isatty():
        yield lambda step: None
        return
    from rich.console import Console
    from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    columns = (SpinnerColumn(), TextColumn("{task.description}", markup=False), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as line:
        task = line.add_task(what)
        yield lambda step: line.update(task, description=printable(f"{what}: {step}"))
