"""Self-play by names: players, rules, lexicons and leaves as a user gives them."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Union

from engine.app.library import load_leaves, load_lexicon
from engine.errors import QuixotryError, shorten
from engine.lexicon.catalog import own_lexicon
from engine.lexicon.lexicon import Lexicon
from engine.rules.rules import MAX_PLAYERS, Rules, find_rules

if TYPE_CHECKING:
    from engine.lexicon.leaves import Leaves
    from engine.players.static import StaticPlayer
    from engine.selfplay.pool import Workers
    from engine.selfplay.run import RunResult
    from engine.selfplay.totals import Totals

log = logging.getLogger("engine.runs")

LexiconSource = str | Path | Lexicon | Iterable[str] | None
LeavesSource = Union[str, Path, "Leaves", None]


def given_rules(rules: Rules | Path | str) -> Rules:
    """Rules from what an argument ``rules`` may be. Raises QuixotryError, RulesError."""
    from engine.selfplay.checks import expect

    expect("rules", rules, (Rules, str, Path), "a name, a .toml file or Rules")
    return rules if isinstance(rules, Rules) else find_rules(str(rules))


def check_names(names: Sequence[str]) -> None:
    """Raise QuixotryError for players that there are not, or too few or too many of them."""
    from engine.players.names import LEVELS, PLAYERS

    for name in names:
        if not isinstance(name, str):
            raise QuixotryError(f"players: {shorten(name)}, expected the name of a player")
    if not 2 <= len(names) <= MAX_PLAYERS:
        count = f"{len(names)} player{'' if len(names) == 1 else 's'}"
        raise QuixotryError(f"{count} given, expected 2 to {MAX_PLAYERS}")
    for name in names:
        if name in LEVELS:
            raise QuixotryError(
                f"player {name!r} plays in 'quixotry play' and eng.Game only; here there are"
                f" {', '.join(PLAYERS)}"
            )
        if name not in PLAYERS:
            raise QuixotryError(f"no player {shorten(name)}; there are {', '.join(PLAYERS)}")


def check_each(what: str, given: Sequence[object], names: Sequence[str]) -> None:
    """Raise QuixotryError where neither none, nor one for all, nor one for each is given."""
    if len(given) not in (0, 1, len(names)):
        raise QuixotryError(
            f"{what}: {len(given)} for {len(names)} players, expected one for all or one for each"
        )


def find_players(
    names: Sequence[str],
    rules: Rules,
    lexicons: Sequence[LexiconSource] = (),
    leaves: Sequence[LeavesSource] = (),
) -> tuple[StaticPlayer, ...]:
    """Players by name. ``lexicons`` and ``leaves``: none (the rules' own), one for all players, or
    one for each; each is read once. A lexicon without words is logged. Raises QuixotryError."""
    from engine.players.static import find_player

    check_names(names)
    check_each("lexicons", lexicons, names)
    check_each("leaves", leaves, names)
    found = _each(lexicons or [None], len(names), lambda source: _lexicon(source, rules))
    tables = _each(leaves or [None], len(names), lambda source: _leaves(source, rules))
    for lexicon in {id(lexicon): lexicon for lexicon in found}.values():
        if not lexicon.info.words:
            log.warning(f"lexicon {lexicon.info.name} has no words: with it nobody can lay a tile")
    return tuple(map(find_player, names, [rules] * len(names), found, tables))


def _each(sources: Sequence[Any], count: int, load: Callable[[Any], Any]) -> list[Any]:
    """What is loaded from each source, equal ones once; one source is for all."""
    known: dict[object, Any] = {}
    made = []
    for source in sources:
        key = source if isinstance(source, (str, Path)) else id(source)
        if key not in known:
            known[key] = load(source)
        made.append(known[key])
    return made if len(made) == count else made * count


def _lexicon(source: LexiconSource, rules: Rules) -> Lexicon:
    if source is None:
        return own_lexicon(rules)
    return source if isinstance(source, Lexicon) else load_lexicon(source, rules)


def _leaves(source: LeavesSource, rules: Rules) -> Leaves | None:
    from engine.lexicon.leaves import Leaves

    return source if source is None or isinstance(source, Leaves) else load_leaves(source, rules)


def leaves_of_each(leaves: LeavesSource | Sequence[LeavesSource]) -> Sequence[LeavesSource]:
    """An argument ``leaves``, one for all or a list with one for each, as find_players takes it.

    Raises QuixotryError for an empty list."""
    if isinstance(leaves, (list, tuple)) and not leaves:
        raise QuixotryError("leaves []: expected one for all, or a list with one for each player")
    return leaves if isinstance(leaves, (list, tuple)) else (leaves,)


def play_games(
    *players: str,
    games: int,
    seed: int = 0,
    rules: Rules | Path | str = "english",
    lexicon: LexiconSource = None,
    lexicons: Sequence[LexiconSource] | None = None,
    leaves: LeavesSource | Sequence[LeavesSource] = None,
    out: Path | str | None = None,
    workers: int | Workers = 1,
    format: str | None = None,
    chunk: int = 1000,
    progress: Callable[[Totals], None] | None = None,
) -> RunResult:
    """Games between two to four players by name; also called as ``engine.selfplay(...)``.

        result = eng.play_games("equity", "greedy", games=10_000, seed=1, out="runs/a")
        print(result.summary())
        frame = result.to_pandas()

    Player g modulo their number begins game g. ``lexicon``: that of all players, from anything
    that ``load_lexicon`` takes: a name, a file, a Lexicon, or a list of words; ``lexicons``: a list
    with one for each player. ``leaves``: a name, a file or Leaves, for all players; or a list with
    one for each. ``out``: folder for the records; a run that was killed goes on when it is called
    again. ``workers``: threads, or Workers; the games are the same for any of them.

    Raises QuixotryError, with nothing played or written, for arguments that cannot be.
    """
    from engine.selfplay.checks import expect
    from engine.selfplay.run import play_run

    rules = given_rules(rules)
    if lexicons is not None:
        expect("lexicons", lexicons, (list, tuple), "a list with a lexicon for each player")
        if lexicon is not None:
            raise QuixotryError("lexicon and lexicons: expected one of the two")
        if not lexicons:
            raise QuixotryError("lexicons []: expected a list with a lexicon for each player")
    each = (lexicon,) if lexicons is None else lexicons
    return play_run(
        rules,
        find_players(players, rules, each, leaves_of_each(leaves)),
        games=games,
        seed=seed,
        out=out,
        workers=workers,
        form=format,
        chunk=chunk,
        progress=progress,
    )
