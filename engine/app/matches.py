"""``engine.match``: a match of players by name, with lexicons and leaves from anything."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from engine.app.runs import LexiconSource, find_players
from engine.rules.rules import Rules, find_rules

if TYPE_CHECKING:
    from engine.lexicon.leaves import Leaves
    from engine.selfplay.match import MatchResult, Tally
    from engine.selfplay.pool import Workers
    from engine.selfplay.stats import Sprt


def match(
    a: str,
    b: str,
    *,
    pairs: int = 1000,
    seed: int = 0,
    rules: Rules | str = "english",
    lexicon: LexiconSource = None,
    lexicon2: LexiconSource = None,
    leaves: Leaves | str | Path | None = None,
    leaves2: Leaves | str | Path | None = None,
    sprt: Sprt | bool = True,
    workers: Workers | int = 1,
    progress: Callable[[Tally, float | None], None] | None = None,
) -> MatchResult:
    """Play two players against each other in up to ``pairs`` seat-swapped pairs of games.

    ``a``, ``b``: names of players (``equity``, ``greedy``). ``lexicon``, ``leaves``: a name, a
    file or loaded ones (default: those of the rules); ``lexicon2`` and ``leaves2``: those of ``b``
    (default: those of ``a``). ``sprt``: the sequential test that may stop the match, True for the
    default one, False for none. ``workers``: threads, or a Workers of processes or a cluster.
    ``progress``: called after every chunk of pairs with the tally and the log-likelihood ratio
    (None without a test). The result depends on the seed, not on the workers.

    Raises QuixotryError, RulesError, LexiconFileError.
    """
    from engine.selfplay.match import play_match
    from engine.selfplay.pool import Workers
    from engine.selfplay.stats import Sprt

    rules = find_rules(rules) if isinstance(rules, str) else rules
    lexicons = lexicon, lexicon if lexicon2 is None else lexicon2
    one, other = find_players(
        (a, b), rules, lexicons, (leaves, leaves if leaves2 is None else leaves2)
    )
    return play_match(
        rules,
        one,
        other,
        pairs,
        seed,
        sprt=Sprt() if sprt is True else sprt or None,
        workers=Workers(count=workers) if isinstance(workers, int) else workers,
        progress=progress,
    )
