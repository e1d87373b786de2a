"""The state of a game between two actions: one immutable value, every tuple by player."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from engine.board.play import Grid, Play
from engine.errors import QuixotryError
from engine.game.bag import put_back, shuffled
from engine.game.events import Rack, Word
from engine.game.position import Position
from engine.game.result import Result
from engine.rules.rules import Rules
from engine.rules.tiles import BLANK


@dataclass(frozen=True)
class Pending:
    """A play that may be challenged until the next player acts."""

    player: int
    play: Play
    score: int
    phonies: tuple[Word, ...]  #: its words that are not in the lexicon
    before: State  #: the state that it was made in


@dataclass(frozen=True)
class State:
    """``turn``: who moves next, None where nobody does: the game is over (``result``), or it will
    be for the reason ``ending`` unless the ``pending`` play is challenged off."""

    board: Grid
    racks: tuple[Rack, ...]
    bag: tuple[int, ...]  #: in the order of drawing, the next tile first
    scores: tuple[int, ...]  #: before any final adjustment
    turn: int | None
    used_ms: tuple[int, ...]  #: time used
    lost: tuple[int, ...]  #: turns that a player has still to miss
    stream: int  #: random numbers to come (bag.py)
    scoreless: int = 0  #: turns in a row that scored nothing
    passes: int = 0  #: passes in a row
    pending: Pending | None = None
    ending: str = ""
    result: Result | None = None


def deal(rules: Rules, players: int, first: int, bag: tuple[int, ...], stream: int) -> State:
    """The state before the first turn: racks drawn in the order of play.

    Raises QuixotryError where the bag does not hold a tile for everybody.
    """
    if len(bag) <= rules.rack_size * (players - 1):
        raise QuixotryError(
            f"{len(bag)} tiles are too few for {players} players with racks of {rules.rack_size}"
        )
    racks: list[Rack] = [()] * players
    for seat in range(players):
        hand, bag = bag[: rules.rack_size], bag[rules.rack_size :]
        racks[(first + seat) % players] = tuple(sorted(hand))
    board = ((0,) * rules.layout.cols,) * rules.layout.rows
    none = (0,) * players
    return State(board, tuple(racks), bag, none, first, none, none, stream)


def set_up(position: Position, stream: int) -> State:
    """The state of a position, its player on turn being player 0.

    Tiles that are missing on a rack are drawn from those that nobody is known to have. Raises
    NotationError or QuixotryError for a position that no game can have.
    """
    position.check_tiles()
    rules = position.rules
    unseen = Counter(position.unseen)
    for rack in position.racks[1:]:
        unseen.subtract(rack)
    bag, stream = shuffled(sorted(unseen.elements()), stream)
    racks = []
    for rack in position.racks:
        missing = rules.rack_size - len(rack)
        racks.append(tuple(sorted(rack + bag[:missing])))
        bag = bag[missing:]
    if not all(racks):
        raise QuixotryError("the position leaves no tile for one of the players")
    none = (0,) * len(racks)
    return State(
        position.board, tuple(racks), bag, position.scores, 0, none, none, stream, position.zeros
    )


def returned(state: State, letters: Sequence[int], fixed: bool) -> tuple[tuple[int, ...], int]:
    """Bag and stream after tiles are given up: mixed in, or last where the order is ``fixed``."""
    if fixed:
        return (*state.bag, *letters), state.stream
    return put_back(state.bag, sorted(letters), state.stream)


def laid(board: Grid, play: Play) -> Grid:
    """The board with a play on it."""
    rows = list(board)
    for row, col, tile in play.laid:
        rows[row] = (*rows[row][:col], tile, *rows[row][col + 1 :])
    return tuple(rows)


def count_tiles(state: State) -> Counter[int]:
    """Every tile on the board, the racks and in the bag, by letter (a blank is 0)."""
    tiles = Counter(0 if tile & BLANK else tile for row in state.board for tile in row if tile)
    tiles.update(state.bag)
    for rack in state.racks:
        tiles.update(rack)
    return tiles
