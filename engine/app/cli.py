"""The command ``quixotry``: its subcommands, and how every one of them fails.

Exit code 0 fine; 1 a problem with the input, or output that cannot be written, one line on
stderr; 2 wrong usage.
"""

from __future__ import annotations

import argparse
import logging
import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from engine.app import cli_best, cli_lexicon, cli_match, cli_play, cli_selfplay, cli_train
from engine.app.terminal import interruptible
from engine.errors import QuixotryError, printable
from engine.files import file_fault
from engine.version import __version__


class _Parser(argparse.ArgumentParser):
    """One that does not keep silent where its help cannot be written, and whose commands refuse
    themselves what they do not know: with their own usage."""

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        found, unknown = super().parse_known_args(args, namespace)
        if unknown:
            self.error(f"unrecognized arguments: {' '.join(unknown)}")
        return found, unknown

    def _print_message(self, message: str, file: Any = None) -> None:
        if message and file is sys.stdout:
            file.write(message)
        else:
            super()._print_message(message, file)


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(prog="quixotry", description="A crossword-game engine.", allow_abbrev=False)
    parser.add_argument("--version", action="version", version=f"quixotry {__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    cli_best.add_parser(commands)
    cli_lexicon.add_parser(commands)
    cli_play.add_parser(commands)
    cli_selfplay.add_parser(commands)
    cli_match.add_parser(commands)
    cli_train.add_parser(commands)
    warmup = commands.add_parser("warmup", help="compile the kernels ahead of time")
    warmup.set_defaults(run=_warmup)
    return parser


def _warmup(args: argparse.Namespace) -> int:
    """Import every module with kernels in it: that compiles them, or finds them compiled."""
    from importlib import import_module

    for module in (
        "engine.movegen.ranking",
        "engine.lexicon.check",
        "lexicon_build.wordlist",
        "engine.selfplay.batch",
        "lexicon_build.racks",
    ):
        import_module(module)
    from engine._jit import CACHE

    print(
        f"kernels are ready in {CACHE}" if CACHE else "kernels cannot be kept: no folder for them"
    )
    return 0


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command line (default: that of the process); the exit code."""
    try:
        with interruptible():
            return _run(argv)
    except QuixotryError as error:
        return _fail(str(error))
    except BrokenPipeError:  # whoever read our output has seen enough
        _discard_output()
        return 0
    except UnicodeEncodeError as error:
        char = error.object[error.start]
        return _fail(f"{char!r} cannot be written in the encoding of the output, {error.encoding}")
    except OSError as error:
        if error.filename is not None:
            return _fail(file_fault(error.filename, error))
        return _fail(f"cannot write the output: {error.strerror or error}")
    except KeyboardInterrupt:
        return 130
    finally:
        _settle_errors()


def _run(argv: Sequence[str] | None) -> int:
    if sys.stdout is None:
        raise QuixotryError("cannot write the output: it is closed")
    try:
        args = _parser().parse_args(argv)
        handler = logging.StreamHandler(sys.stderr)
        handler.setFormatter(logging.Formatter("quixotry: %(message)s"))
        log = logging.getLogger("engine")
        log.setLevel(logging.INFO)
        log.handlers = [handler]
        logging.raiseExceptions = False  # a line that cannot be written is no reason to fail
        code: int = args.run(args)
    except SystemExit:  # of argparse, after --help
        sys.stdout.flush()
        raise
    sys.stdout.flush()
    return code


def _fail(message: str) -> int:
    """Say what went wrong, after what was printed before; the exit code."""
    try:
        if sys.stdout is not None:
            sys.stdout.flush()
    except OSError:
        _discard_output()
    if sys.stderr is not None:
        with suppress(OSError):
            print(f"quixotry: error: {printable(message)}", file=sys.stderr, flush=True)
    return 1


def _settle_errors() -> None:
    """Let go of what could not be written to standard error (a line about kernels, say)."""
    try:
        if sys.stderr is not None:
            sys.stderr.flush()
    except OSError:
        with suppress(OSError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stderr.fileno())


def _discard_output() -> None:
    """Let go of what could not be written, so that Python does not try it again when it ends."""
    with suppress(OSError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


if __name__ == "__main__":
    sys.exit(main())
