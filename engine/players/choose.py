"""How static players choose: the first play of their own ranking."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from engine.board.play import EXCHANGE, Play
from engine.game.position import Position
from engine.lexicon.leaves import Leaves
from engine.lexicon.lexicon import Lexicon
from engine.movegen.equity import rank_key

if TYPE_CHECKING:
    from engine.movegen.ranking import Table

PATIENCE = 3  #: rounds without a score after which a static player passes, not exchanges


def choose_static(
    position: Position, lexicon: Lexicon, leaves: Leaves, terms: bool, pool: bool
) -> Play:
    """The first play by equity with these leaves, or without the ``terms`` by score alone.
    ``pool``: leaves are valued against the unseen tiles.

    After three rounds without a score there are no exchanges, else two players who cannot play
    would exchange for ever; games in self-play go the same way.
    """
    own = replace(position, lexicon=lexicon, leaves=leaves)
    patient = position.zeros < PATIENCE * len(position.racks)
    table = _table(own, pool)
    if terms and patient:
        return table.first(1)[0].play
    plays = [r for r in table.plays(None) if patient or r.play.kind != EXCHANGE]
    if terms:
        return plays[0].play
    by_score = (
        replace(ranked, equity_mp=None if ranked.equity_mp is None else 1000 * ranked.score)
        for ranked in plays
    )
    return min(by_score, key=rank_key).play


def _table(position: Position, pool: bool) -> Table:
    if pool:
        from engine.players.pool_table import PoolTable  # numba: only when plays are wanted

        return PoolTable.of(position)
    return position._table
