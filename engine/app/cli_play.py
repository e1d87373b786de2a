"""``quixotry play``: a game in the terminal against one to three computer players."""

from __future__ import annotations

import argparse
import io
import secrets
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from engine.app.playing import LEAVES, LEXICON, option
from engine.errors import QuixotryError, printable, shorten

if TYPE_CHECKING:
    from rich.text import Text

    from engine.app.games import Game
    from engine.app.play.saved import Saved
    from engine.app.play.session import Session, Setup
    from engine.lexicon.leaves import Leaves
    from engine.lexicon.lexicon import Lexicon
    from engine.rules.rules import Rules

YOU = "you"
USUAL = "level3"


def add_parser(commands: Any) -> None:
    """Add ``play`` to a program's subcommands."""
    about = "play a game against the computer"
    parser = commands.add_parser(
        "play",
        help=about,
        description=f"{about}; 'help' in the game tells what may be typed",
        allow_abbrev=False,
    )
    parser.add_argument("--rules", help="english, finnish+nine, a .toml file (default english)")
    parser.add_argument("--lexicon", help=LEXICON)
    parser.add_argument("--leaves", help=f"those of level4 and better: {LEAVES}")
    who = parser.add_mutually_exclusive_group()
    who.add_argument(
        "--against", metavar="A[,B[,C]]", help=f"one to three computers (default {USUAL})"
    )
    who.add_argument("--players", metavar="P,P[,P[,P]]", help="everybody in order: you,level3")
    parser.add_argument("--name", help="your name")
    parser.add_argument("--seed", type=int, metavar="S", help="fixes the game (default: by chance)")
    parser.add_argument(
        "--challenge", metavar="RULE", help="void, none, single, double, triple, points(N)"
    )
    parser.add_argument("--load", metavar="FILE", help="go on with a game that was saved")
    parser.add_argument("--levels", action="store_true", help="list the computers, then leave")
    parser.add_argument(
        "--language", metavar="L", help="en, fi, pl, hu, nb (default: by the rules)"
    )
    parser.set_defaults(run=_run, parser=parser)


def _run(args: argparse.Namespace) -> int:
    from engine.app.play.texts import find_texts

    if args.language is not None:
        with option("--language"):
            find_texts(args.language)
    fixed = ("against", "players", "seed", "challenge", "name")
    given = [f"--{name}" for name in fixed if getattr(args, name) is not None]
    if args.load is not None and given:
        args.parser.error(f"--load goes without {given[0]}: the game has its own")
    if args.levels:
        others = [*given, *(["--load"] if args.load is not None else [])]
        if others:
            args.parser.error(f"--levels goes without {others[0]}: nothing is played")
        return _list_levels(args)
    terminal = sys.stdin is not None and sys.stdin.isatty()
    show = _printer(terminal)
    session = _begin(args, show)
    try:
        session.begin()
        left = _converse(session, terminal)
    except KeyboardInterrupt:
        show("")
        left = False
    show(session.farewell)
    return 0 if left else 130


def _list_levels(args: argparse.Namespace) -> int:
    """Print the computers and what they score."""
    from engine.app.terminal import say
    from engine.players.names import NAMES, mean_score

    rules = _rules(args.rules or "english")
    for name in NAMES:
        points = mean_score(name, rules.name)
        say(name if points is None else f"{name}, about {points} points a game")
    return 0


def _converse(session: Session, terminal: bool) -> bool:
    """Read lines and do what they say until the player leaves or the input ends; True."""
    for line in _lines(session, terminal):
        if not session.do(line):
            break
    return True


def _lines(session: Session, terminal: bool) -> Iterator[str]:
    """What is typed, a line at a time; a prompt comes before where somebody types it."""
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")
    if not terminal:
        yield from sys.stdin or ()
        return
    with suppress(ImportError):
        import readline  # noqa: F401  (lines can be edited)
    while True:
        try:
            yield input(session.prompt)
        except EOFError:
            print()
            return


def _printer(terminal: bool) -> Callable[[Text | str], None]:
    """A function that prints a line: with colour on a terminal that has it, else without."""
    from rich.console import Console
    from rich.text import Text

    class Screen(Console):
        def on_broken_pipe(self) -> None:
            raise BrokenPipeError  # the program knows what to do (cli.py)

    screen = Screen(highlight=False, soft_wrap=True, color_system="auto" if terminal else None)

    def show(line: Text | str) -> None:
        text = line if isinstance(line, Text) else Text(printable(line))
        screen.print(text if screen.color_system else Text(text.plain.rstrip()))

    return show


# -- the game that is asked for --------------------------------------------------------------------


def _begin(args: argparse.Namespace, show: Callable[[Text | str], None]) -> Session:
    """The session of a new game, or of the one in the file. Raises QuixotryError."""
    from engine.app.play.saved import find_saved_rules, read_saved, rules_text
    from engine.app.play.session import Session
    from engine.app.play.texts import find_texts, language_of

    saved = None
    if args.load is not None:
        with option("--load"):
            saved = read_saved(Path(args.load))
    if saved and args.rules is None:
        with option("--load"):
            text, rules = find_saved_rules(saved, Path(args.load))
    else:
        with option("--rules"):
            text = rules_text(args.rules or "english")
            rules = _rules(args.rules or "english")
    texts = find_texts(args.language or language_of(rules))
    lexicon, leaves = _tables(args, rules)
    if saved is None:
        setup = _setup(args, text, rules, lexicon, leaves, texts.say("you"))
        game = setup.new_game()
    else:
        with option("--load"):
            setup, game = _restored(saved, Path(args.load), text, rules, lexicon, leaves)

    def restore(path: Path) -> tuple[Setup, Game]:
        found = read_saved(path)
        return _restored(found, path, *find_saved_rules(found, path), lexicon, leaves)

    return Session(setup, game, texts, show, restore)


def _rules(name: str) -> Rules:
    from engine.rules.rules import find_rules

    return find_rules(name)


def _tables(args: argparse.Namespace, rules: Rules) -> tuple[Lexicon, Leaves | None]:
    from engine.app.library import load_leaves, load_lexicon
    from engine.lexicon.catalog import own_lexicon

    lexicon = own_lexicon(rules) if args.lexicon is None else load_lexicon(args.lexicon, rules)
    return lexicon, None if args.leaves is None else load_leaves(args.leaves, rules)


def _setup(
    args: argparse.Namespace,
    text: str,
    rules: Rules,
    lexicon: Lexicon,
    leaves: Leaves | None,
    you: str,
) -> Setup:
    """A new game's setup. Raises QuixotryError for options that cannot be."""
    from engine.app.play.session import Setup
    from engine.game.bag import start_stream
    from engine.game.challenges import parse_challenge

    seed = secrets.randbelow(1 << 32) if args.seed is None else args.seed
    with option("--seed"):
        start_stream(seed, 0)
    if args.challenge is not None:
        with option("--challenge"):
            parse_challenge(args.challenge)
    players = _players(args)
    names = _numbered([player or args.name or you for player in players])
    return Setup(
        text, rules, lexicon, leaves, players, names, seed, args.challenge or "",
    )  # fmt: skip


def _players(args: argparse.Namespace) -> tuple[str, ...]:
    """Names of computers in order, "" for who types. Raises QuixotryError."""
    from engine.players.names import check_name

    what = "--against" if args.players is None else "--players"
    text = (args.against or USUAL) if args.players is None else args.players
    given = [name.strip() for name in text.split(",")]
    if args.players is None:
        given = [YOU, *given]
    with option(what):
        for name in given:
            if name != YOU:
                check_name(name)
        if given.count(YOU) != 1 or not 2 <= len(given) <= 4:
            raise QuixotryError(
                f"{shorten(text)}: expected one to three computers"
                + ("" if args.players is None else f", and {YOU!r} once")
            )
    return tuple("" if name == YOU else name for name in given)


def _numbered(names: list[str]) -> tuple[str, ...]:
    """The names; one that comes again gets a number."""
    return tuple(
        f"{name} {names[:place].count(name) + 1}" if name in names[:place] else name
        for place, name in enumerate(names)
    )


def _restored(
    saved: Saved, path: Path, text: str, rules: Rules, lexicon: Lexicon, leaves: Leaves | None
) -> tuple[Setup, Game]:
    """The game that a file tells, played again by the referee. Raises QuixotryError."""
    from engine.app.play.saved import lexicon_hash, replay, rules_hash
    from engine.app.play.session import Setup
    from engine.players.names import check_name

    if rules_hash(rules) != saved.rules_hash:
        raise QuixotryError(f"the game was played by other rules than {rules.name!r} are now")
    if lexicon_hash(lexicon) != saved.lexicon_hash:
        raise QuixotryError(
            f"the game was played with lexicon {shorten(saved.lexicon)}, which is not the"
            f" {lexicon.info.name!r} taken here: start 'quixotry play --load {path} --lexicon L'"
        )
    for name in filter(None, saved.players):
        check_name(name)
    if saved.players.count("") != 1:
        raise QuixotryError(f"players {shorten(saved.players)}, expected one without a name")
    setup = Setup(
        text, rules, lexicon, leaves, saved.players, saved.names, saved.seed, saved.challenge,
    )  # fmt: skip
    game = setup.new_game()
    replay(game, saved.actions)
    return setup, game
