"""``engine.match``: a match of players by name, with lexicons and leaves from anything."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from engine.app.runs import LeavesSource, LexiconSource, find_players, given_rules, leaves_of_each
from engine.errors import QuixotryError
from engine.rules.rules import Rules

if TYPE_CHECKING:
    from engine.players.static import StaticPlayer
    from engine.selfplay.match import MatchResult, Tally
    from engine.selfplay.pool import Workers
    from engine.selfplay.stats import Sprt


def match(
    a: str,
    b: str,
    *,
    pairs: int = 1000,
    seed: int = 0,
    rules: Rules | Path | str = "english",
    lexicon: LexiconSource = None,
    lexicon2: LexiconSource = None,
    leaves: LeavesSource | Sequence[LeavesSource] = None,
    leaves2: LeavesSource = None,
    sprt: Sprt | bool | None = True,
    workers: Workers | int = 1,
    progress: Callable[[Tally, float | None], None] | None = None,
) -> MatchResult:
    """Play two players against each other in up to ``pairs`` seat-swapped pairs of games.

    ``a``, ``b``: names of players (``equity``, ``greedy``, ``pool``). ``lexicon``: that of both
    players, from anything that ``load_lexicon`` takes: a name, a file, a Lexicon, or a list of
    words.
    ``leaves``: a name, a file or Leaves, for both players; or a list with one for each.
    ``lexicon2`` and ``leaves2``: those of ``b`` alone. ``sprt``: the sequential test that may stop
    the match, True for the default one, False or None for none. ``workers``: threads, or a Workers
    of processes or a cluster. ``progress``: called after every chunk of pairs with the tally and
    the log-likelihood ratio (None without a test). The result depends on the seed, not on the
    workers.

    Raises QuixotryError, with nothing played, for arguments that cannot be.
    """
    from engine.selfplay.match import play_match
    from engine.selfplay.stats import Sprt

    rules = given_rules(rules)
    one, other = find_pair(a, b, rules, (lexicon, lexicon2), (leaves, leaves2))
    test = Sprt() if sprt is True else None if sprt is False else sprt
    return play_match(rules, one, other, pairs, seed, sprt=test, workers=workers, progress=progress)


def find_pair(
    a: str,
    b: str,
    rules: Rules,
    lexicons: tuple[LexiconSource, LexiconSource],
    leaves: tuple[LeavesSource | Sequence[LeavesSource], LeavesSource],
) -> tuple[StaticPlayer, StaticPlayer]:
    """The players of ``match``, with the lexicons and leaves given there. Raises QuixotryError."""
    tables = leaves_of_each(leaves[0])
    if leaves[1] is not None:
        if len(tables) != 1:
            raise QuixotryError("leaves for each player and leaves2: expected one of the two")
        tables = (*tables, leaves[1])
    one, other = find_players((a, b), rules, lexicons[: 1 if lexicons[1] is None else 2], tables)
    return one, other
