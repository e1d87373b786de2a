"""Self-play by names: players, rules, lexicons and leaves as a user gives them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from engine.app.library import load_leaves, load_lexicon
from engine.errors import QuixotryError
from engine.lexicon.catalog import find_lexicon
from engine.lexicon.lexicon import Lexicon
from engine.rules.rules import Rules, find_rules
from engine.selfplay.pool import Workers

if TYPE_CHECKING:
    from engine.lexicon.leaves import Leaves
    from engine.players.static import StaticPlayer
    from engine.selfplay.run import RunResult
    from engine.selfplay.totals import Totals

LexiconSource = str | Path | Lexicon | None


def find_players(
    names: Sequence[str],
    rules: Rules,
    lexicons: Sequence[LexiconSource] = (),
    leaves: Sequence[str | Path | Leaves | None] = (),
) -> tuple[StaticPlayer, ...]:
    """Players by name. ``lexicons`` and ``leaves``: none (the rules' own), one for all players, or
    one for each; each is read once. Raises QuixotryError."""
    from engine.players.static import find_player

    for what, given in (("lexicons", lexicons), ("leaves", leaves)):
        if len(given) not in (0, 1, len(names)):
            raise QuixotryError(
                f"{len(given)} {what} for {len(names)} players: give one, or one for each"
            )
    known_lexicons: dict[str, Lexicon] = {}
    known_leaves: dict[str, Leaves] = {}
    players = []
    for i, name in enumerate(names):
        source = lexicons[i % len(lexicons)] if lexicons else None
        if isinstance(source, Lexicon):
            lexicon = source
        else:
            key = str(source)
            if key not in known_lexicons:
                known_lexicons[key] = (
                    find_lexicon(rules.lexicon) if source is None else load_lexicon(source, rules)
                )
            lexicon = known_lexicons[key]
        kept = leaves[i % len(leaves)] if leaves else None
        if isinstance(kept, (str, Path)):
            key = str(kept)
            if key not in known_leaves:
                known_leaves[key] = load_leaves(kept, rules)
            kept = known_leaves[key]
        players.append(find_player(name, rules, lexicon, kept))
    return tuple(players)


def play_games(
    *players: str,
    games: int,
    seed: int = 0,
    rules: Rules | str = "english",
    lexicon: LexiconSource | Sequence[LexiconSource] = None,
    leaves: str | Path | Leaves | Sequence[str | Path | Leaves | None] | None = None,
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

    Player g modulo their number begins game g. ``lexicon``, ``leaves``: for all players, or a list
    with one for each. ``out``: folder for the records; a run that was killed goes on when it is
    called again. ``workers``: threads, or Workers; the games are the same for any of them.
    Raises QuixotryError.
    """
    from engine.selfplay.run import play_run

    rules = find_rules(rules) if isinstance(rules, str) else rules
    seats = find_players(players, rules, _each(lexicon), _each(leaves))
    return play_run(
        rules,
        seats,
        games=games,
        seed=seed,
        out=out,
        workers=Workers(count=workers) if isinstance(workers, int) else workers,
        form=format,
        chunk=chunk,
        progress=progress,
    )


def _each(given: Any) -> Sequence[Any]:
    if given is None:
        return ()
    return given if isinstance(given, (list, tuple)) else (given,)
