"""Games kept in files: JSON with the rules, the lexicon's hash, the players, the seed, the actions.

Nothing in a file is trusted: its form is checked here, and what was played is played again by the
referee (``replay``). The tiles come from the seed.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from engine.errors import QuixotryError, shorten
from engine.files import read_text
from engine.game.events import Accepted, Challenged, Event, Turn
from engine.rules.rules import Challenge, Rules, find_rules

if TYPE_CHECKING:
    from engine.game.game import Game
    from engine.lexicon.lexicon import Lexicon

FORMAT = "quixotry game 1"
MOST_BYTES, MOST_ACTIONS = 1 << 20, 10_000


@dataclass(frozen=True)
class Saved:
    """What a file of a game says; ``players`` names computers, ``""`` is the one who types."""

    rules: str
    rules_hash: str
    challenge: str
    lexicon: str
    lexicon_hash: str
    players: tuple[str, ...]
    names: tuple[str, ...]
    seed: int
    actions: tuple[str, ...]


def rules_hash(rules: Rules) -> str:
    """Names everything in rules that decides a game, but for the challenge rule."""
    tiles, layout, end = rules.tiles, rules.layout, rules.end
    parts = (
        (tiles.labels, tiles.counts, tiles.values), (layout.squares, layout.start),
        rules.rack_size, rules.bonus, rules.exchange_min_bag, (end.kind, end.count), rules.tie,
        rules.adjustment, sorted(rules.finish_line.items()),
    )  # fmt: skip
    return hashlib.sha256(repr(parts).encode()).hexdigest()[:16]


def rules_text(given: str) -> str:
    """Rules as a file of a game names them: by name, or by the absolute path of their file."""
    file, dot, rest = given.rpartition(".toml")
    if not dot or (rest and rest[0] != "+"):
        return given
    return f"{os.path.abspath(file)}.toml{rest}"


def find_saved_rules(saved: Saved, path: Path) -> tuple[str, Rules]:
    """The rules of the game in ``path``, where they were or beside it; with the text that found
    them. Raises QuixotryError."""
    file, dot, rest = saved.rules.rpartition(".toml")
    beside = path.parent / f"{os.path.basename(file)}.toml"
    for place in (f"{file}.toml", str(beside)) if dot else ():
        if os.path.exists(place):
            text = rules_text(place + rest)
            return text, find_rules(text)
    if dot:
        raise QuixotryError(
            f"{file}.toml: the rules of the game are not there:"
            f" start 'quixotry play --load {path} --rules FILE'"
        )
    return saved.rules, find_rules(saved.rules)


def lexicon_hash(lexicon: Lexicon) -> str:
    """Names the words of a lexicon."""
    return lexicon.info.source_hash or f"{lexicon.info.words} words"


def format_challenge(rule: Challenge) -> str:
    """A challenge rule as ``parse_challenge`` reads it."""
    return f"points({rule.points}, {rule.pay})" if rule.kind == "points" else rule.kind


# -- actions ---------------------------------------------------------------------------------------


def is_action(event: Event) -> bool:
    """Whether an event is what a player did, not what followed from it."""
    return isinstance(event, (Turn, Challenged, Accepted))


def actions_of(game: Game) -> tuple[str, ...]:
    """What was done in a game, as texts."""
    return tuple(_text(event) for event in game.log if is_action(event))


def _text(event: Event) -> str:
    if isinstance(event, Turn):
        return event.play.text
    return f"{'challenge' if isinstance(event, Challenged) else 'accept'} {event.player}"


def replay(game: Game, actions: tuple[str, ...]) -> None:
    """Do the actions in a game that has just begun. Raises QuixotryError with the first that the
    referee refuses."""
    for number, action in enumerate(actions, 1):
        word, _, player = action.partition(" ")
        acts: dict[str, Callable[[int], Event]] = {
            "challenge": game.challenge,
            "accept": game.accept,
        }
        try:
            if word in acts and player.isdecimal() and len(player) < 3:
                acts[word](int(player))
            else:
                game.play(action)
        except QuixotryError as error:
            raise QuixotryError(f"action {number}: {error}") from None


# -- files -----------------------------------------------------------------------------------------


def write_saved(path: Path, saved: Saved) -> None:
    """Write a game's file, whole or not at all; one that is there already must be a game's too.

    Raises QuixotryError.
    """
    from engine.lexicon.files import replace_file

    if os.path.lexists(path):
        try:
            read_saved(path)
        except QuixotryError as error:
            raise QuixotryError(f"{path} is there and is not overwritten: {error}") from None
    text = json.dumps({"format": FORMAT} | asdict(saved), ensure_ascii=False, indent=1)
    replace_file(path, [text.encode("utf-8", "replace"), b"\n"])


def read_saved(path: Path) -> Saved:
    """The game in a file. Raises QuixotryError where it is none."""
    if os.path.exists(path) and not os.path.isfile(path):
        raise QuixotryError(f"{path}: not a file")
    if os.path.isfile(path) and os.path.getsize(path) > MOST_BYTES:
        raise QuixotryError(f"{path}: more than {MOST_BYTES} bytes, a game has less")
    text = read_text(path, QuixotryError)
    try:
        table = json.loads(text)
    except (ValueError, RecursionError):
        raise QuixotryError(f"{path}: not a game (no JSON)") from None
    if not isinstance(table, dict) or table.get("format") != FORMAT:
        raise QuixotryError(f"{path}: not a game (expected format {FORMAT!r})")
    values: dict[str, Any] = {}
    for name, kind in Saved.__annotations__.items():
        values[name] = _value(path, name, table.get(name), kind)
    if len(values["actions"]) > MOST_ACTIONS or len(values["players"]) != len(values["names"]):
        raise QuixotryError(f"{path}: damaged: too many actions, or other players than names")
    return Saved(**values)


def _value(path: Path, name: str, given: object, kind: str) -> Any:
    """A value of a table, of the kind that the field has. Raises QuixotryError."""
    if kind.startswith("tuple"):
        if isinstance(given, list) and all(isinstance(item, str) for item in given):
            return tuple(given)
    elif type(given).__name__ == kind:
        return given
    raise QuixotryError(f"{path}: damaged: {name} {shorten(given)}, expected {kind}")
