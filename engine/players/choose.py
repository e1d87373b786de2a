"""How static players choose: the first play of their own ranking."""

from __future__ import annotations

from dataclasses import replace

from engine.board.play import EXCHANGE, Play
from engine.game.position import Position
from engine.lexicon.leaves import Leaves
from engine.lexicon.lexicon import Lexicon
from engine.movegen.equity import rank_key

PATIENCE = 3  #: rounds without a score after which a static player passes, not exchanges


def choose_static(position: Position, lexicon: Lexicon, leaves: Leaves, terms: bool) -> Play:
    """The first play by equity with these leaves, or without the ``terms`` by score alone.

    After three rounds without a score there are no exchanges, else two players who cannot play
    would exchange for ever; games in self-play go the same way.
    """
    own = replace(position, lexicon=lexicon, leaves=leaves)
    patient = position.zeros < PATIENCE * len(position.racks)
    if terms and patient:
        return own.first(1)[0].play
    plays = [ranked for ranked in own.plays() if patient or ranked.play.kind != EXCHANGE]
    if terms:
        return plays[0].play
    by_score = (
        replace(ranked, equity_mp=None if ranked.equity_mp is None else 1000 * ranked.score)
        for ranked in plays
    )
    return min(by_score, key=rank_key).play
