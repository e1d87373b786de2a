"""Games for tests, from a board and racks or from a draw order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from positions import lexicon_of

from engine.board.notation.cgp import parse_board
from engine.game.game import Game
from engine.game.position import Position
from engine.lexicon.leaves import zero_leaves
from engine.rules.rules import Rules, find_rules
from engine.rules.tiles import BLANK


def set_up(
    words: Sequence[str],
    racks: str,
    *rows: str,
    bag: str | None = None,
    scores: tuple[int, ...] = (),
    zeros: int = 0,
    rules: Rules | None = None,
    top: int = 8,
    **options: Any,
) -> Game:
    """A game from rows ``top`` and those below, the player on turn being player 0.

    ``racks``: ``AB?/CD``. ``bag``: the tile set is made of exactly these tiles besides those on the
    board and the racks; None: the whole set of the rules, what the racks lack being drawn.
    """
    rules = rules or find_rules("english")
    every = ["15"] * (top - 1) + list(rows)
    board = parse_board("/".join(every + ["15"] * (15 - len(every))), rules.tiles)
    hands = tuple(rules.tiles.parse_rack(rack) for rack in racks.split("/"))
    if bag is not None:
        rules = _with_exactly(rules, board, hands, rules.tiles.parse_rack(bag))
    start = Position(
        rules=rules,
        lexicon=lexicon_of(tuple(words), rules.tiles),
        leaves=zero_leaves(rules.tiles.kinds),
        board=board,
        racks=hands,
        scores=scores or (0,) * len(hands),
        zeros=zeros,
    )
    return Game(start=start, **options)


def _with_exactly(rules: Rules, board: Any, hands: Any, bag: Any) -> Rules:
    letters = [0 if tile & BLANK else tile for row in board for tile in row if tile]
    letters += [letter for hand in (*hands, bag) for letter in hand]
    counts = tuple(letters.count(letter) for letter in range(rules.tiles.kinds))
    return replace(rules, tiles=replace(rules.tiles, name="exact", counts=counts))


def rack(game: Game, player: int) -> str:
    """A rack as text."""
    return game.rules.tiles.format_rack(game.racks[player])


def whole(game: Game) -> Any:
    """Everything that an action could change."""
    return game.state, game.actions, game.actions_known, game.log, game._steps[:]
