"""Who starts: everybody draws a tile, the one nearest the start of the alphabet begins.

A blank beats every letter (it is letter 0). Those who tie for the best tile, and only they, draw
again from the whole set; then all tiles go back. A round is a mapping of player -> letter drawn.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from engine.errors import QuixotryError
from engine.game.bag import shuffled
from engine.rules.tiles import TileSet

Round = Mapping[int, int]


def find_starter(rounds: Iterable[Round]) -> int:
    """The player who begins after these rounds of drawing.

    Raises QuixotryError where a round is not of the players who tied in the one before, or where
    the last round leaves a tie.
    """
    tied: list[int] | None = None
    for number, drawn in enumerate(rounds, 1):
        if not drawn or (tied is not None and sorted(drawn) != tied):
            who = "two players or more" if tied is None else f"players {tied}"
            raise QuixotryError(f"start, round {number}: players {sorted(drawn)}, expected {who}")
        best = min(drawn.values())
        tied = sorted(player for player, letter in drawn.items() if letter == best)
    if tied is None or len(tied) > 1:
        raise QuixotryError(f"start: players {tied or []} are equal, they have to draw again")
    return tied[0]


def draw_starter(tiles: TileSet, players: int, stream: int) -> tuple[tuple[Round, ...], int]:
    """Rounds of drawing that decide who begins, and the next stream.

    Raises QuixotryError for a tile set that cannot decide it.
    """
    letters = [letter for letter, count in enumerate(tiles.counts) for _ in range(count)]
    if len(set(letters)) < 2 or len(letters) < players:
        raise QuixotryError(f"the tiles of {tiles.name} cannot decide who of {players} starts")
    rounds: list[Round] = []
    tied = list(range(players))
    while len(tied) > 1:
        order, stream = shuffled(letters, stream)
        drawn = dict(zip(tied, order))
        rounds.append(drawn)
        tied = [player for player in tied if drawn[player] == min(drawn.values())]
    return tuple(rounds), stream
