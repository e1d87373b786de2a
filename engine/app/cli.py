"""The command ``quixotry``: its subcommands, and how every one of them fails.

Exit code 0 fine; 1 a problem with the input, one line on stderr; 2 wrong usage.
"""

from __future__ import annotations

import argparse
import logging
import os
import sys
from collections.abc import Sequence

from engine.app import cli_best, cli_lexicon
from engine.errors import QuixotryError
from engine.version import __version__


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="quixotry", description="A crossword-game engine.", allow_abbrev=False
    )
    parser.add_argument("--version", action="version", version=f"quixotry {__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    cli_best.add_parser(commands)
    cli_lexicon.add_parser(commands)
    warmup = commands.add_parser("warmup", help="compile the kernels ahead of time")
    warmup.set_defaults(run=_warmup)
    return parser


def _warmup(args: argparse.Namespace) -> int:
    """Import every module with kernels in it: that compiles them, or finds them compiled."""
    from importlib import import_module

    for module in ("engine.movegen.ranking", "engine.lexicon.check", "lexicon_build.wordlist"):
        import_module(module)
    from engine._jit import CACHE

    print(
        f"kernels are ready in {CACHE}" if CACHE else "kernels cannot be kept: no folder for them"
    )
    return 0


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command line (default: that of the process); the exit code."""
    args = _parser().parse_args(argv)
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(logging.Formatter("quixotry: %(message)s"))
    log = logging.getLogger("engine")
    log.setLevel(logging.INFO)
    log.handlers = [handler]
    try:
        code: int = args.run(args)
        sys.stdout.flush()
        return code
    except QuixotryError as error:
        print(f"quixotry: error: {error}", file=sys.stderr)
        return 1
    except BrokenPipeError:  # whoever read our output has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(main())
