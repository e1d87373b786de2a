"""What a play is worth: equity, an exact sum of named terms in millipoints, and the ranking by it.

    score    points x 1000
    leave    while the bag holds tiles: value of the tiles kept (engine/lexicon/leaves.py)
    opening  likewise, first play of the game: -700 for each vowel, also one played by a blank,
             laid on a square beside a letter premium, where the opponent can use it
    endgame  bag empty. Going out: what the opponents lose, and their tiles' value, which the player
             gains: twice their points for two players (points x (1 + 1 / opponents)). Otherwise
             -2 x the points kept - 10

A pass has no equity: it ranks last. Ties have one total order: equity, score, plays before
exchanges, row, column, across before down, fewer tiles first, the tiles in square order (letters
by code, a blank after all of them).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from engine.board.play import EXCHANGE, PASS, PLAY, Grid, Play
from engine.rules.rules import Rules
from engine.rules.tiles import BLANK

if TYPE_CHECKING:
    from engine.lexicon.leaves import Leaves

OPENING_VOWEL_MP = -700
KEPT_POINT_MP = -2000
KEPT_MP = -10_000


@dataclass(frozen=True)
class RankedPlay:
    """A play with what it is worth. ``kept``: letters left on the rack.

    ``terms`` sum to the equity; they take no part in comparisons.
    """

    play: Play
    score: int  #: points
    kept: tuple[int, ...]
    leave: str  #: the letters kept, as text
    leave_mp: int  #: value of the leave; 0 with the bag empty
    equity_mp: int | None  #: None for a pass
    terms: dict[str, int] = field(default_factory=dict, compare=False, hash=False)

    def __str__(self) -> str:
        return self.play.text

    @property
    def leave_value(self) -> float:
        """Value of the leave, in points."""
        return self.leave_mp / 1000

    @property
    def equity(self) -> float | None:
        """Equity in points; None for a pass."""
        return None if self.equity_mp is None else self.equity_mp / 1000


def outgoing_mp(opponents_points: int, opponents: int) -> int:
    """The endgame term of going out."""
    return opponents_points * (1000 + 1000 // max(1, opponents))


def endgame_term(
    kept: tuple[int, ...], rules: Rules, opponents_points: int, opponents: int
) -> dict[str, int]:
    """The term of keeping some tiles with the bag empty."""
    if not kept:
        return {"endgame": outgoing_mp(opponents_points, opponents)}
    points = sum(rules.tiles.values[letter] for letter in kept)
    return {"endgame": KEPT_POINT_MP * points + KEPT_MP}


def terms_of(
    play: Play,
    score: int,
    kept: tuple[int, ...],
    *,
    board: Grid,
    rules: Rules,
    leaves: Leaves,
    bag: int,
    opponents_points: int,
    opponents: int,
) -> dict[str, int]:
    """The terms of a play's equity, in millipoints; those that are 0 by rule are left out."""
    terms = {"score": 1000 * score}
    if bag > 0:
        terms["leave"] = leaves.value(kept)
    else:
        terms |= endgame_term(kept, rules, opponents_points, opponents)
    if bag > 0 and play.kind == PLAY and not any(map(any, board)):
        hotspots = rules.layout.hotspots(play.across)
        terms["opening"] = OPENING_VOWEL_MP * sum(
            (row, col) in hotspots and rules.tiles.vowels[tile & ~BLANK]
            for row, col, tile in play.laid
        )
    return terms


_KINDS = {PLAY: 0, EXCHANGE: 1, PASS: 2}


def rank_key(ranked: RankedPlay) -> tuple[object, ...]:
    """Sorts best first, by the total order."""
    play = ranked.play
    used = tuple(tile for tile in play.tiles if tile or play.kind == EXCHANGE)
    return (
        _KINDS[play.kind] == 2,
        -(ranked.equity_mp or 0),
        -ranked.score,
        _KINDS[play.kind],
        play.row,
        play.col,
        not play.across,
        len(used),
        used,
    )
