"""A table of static players, ready to play any number of games (kernel.py)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from engine.board import crosschecks
from engine.board.state import STATE, new_state
from engine.errors import QuixotryError
from engine.lexicon.lexicon import Lexicon
from engine.movegen.best import SEARCH, new_search
from engine.movegen.best.prepare import tables_of
from engine.players.static import StaticPlayer
from engine.rules.rules import MAX_PLAYERS, Rules
from engine.selfplay.kernel import GAME, GAME_RULES, SEAT, TURN, play_games

MAX_BAG = 1000
_TURNS_A_GAME = 40  # room made for a player's turns; a game that needs more is played again


def check_seed(seed: int) -> None:
    """Raise QuixotryError for what is no seed."""
    if not isinstance(seed, int) or not 0 <= seed < 2**64:
        raise QuixotryError(f"seed {seed!r}, expected a whole number from 0 to 2**64 - 1")


class Batch:
    """Rules and two to four static players in the order of play; immutable, shared by threads."""

    def __init__(self, rules: Rules, players: Sequence[StaticPlayer], *, stop_bag: int = 0) -> None:
        """``stop_bag``: games stop, unfinished, once the bag holds fewer tiles.

        Raises QuixotryError for a number of players or a bag that no game can have.
        """
        if not 2 <= len(players) <= MAX_PLAYERS:
            raise QuixotryError(f"{len(players)} players, expected 2 to {MAX_PLAYERS}")
        if rules.tiles.total > MAX_BAG:
            raise QuixotryError(f"a bag of {rules.tiles.total} tiles, expected {MAX_BAG} at most")
        self.rules = rules
        self.players = tuple(players)
        self.stop_bag = stop_bag
        self.lexicons: list[Lexicon] = []
        for player in players:
            player.check_rules(rules)
            if not any(player.lexicon is lexicon for lexicon in self.lexicons):
                self.lexicons.append(player.lexicon)
        for lexicon in self.lexicons:
            tables_of(lexicon)  # before threads ask for them
        self._rules = self._rules_record()

    def _rules_record(self) -> NDArray[np.void]:
        rules = self.rules
        made = np.zeros(1, GAME_RULES)
        record = made[0]
        record["players"] = len(self.players)
        record["rack_size"] = rules.rack_size
        record["exchange_min_bag"] = rules.exchange_min_bag
        if rules.end.kind == "scoreless":
            record["scoreless_end"] = rules.end.count
        else:
            record["passes_end"] = rules.end.count * len(self.players)
        record["target"] = rules.finish_line.get(len(self.players), 0)
        record["tournament"] = rules.adjustment == "tournament" and len(self.players) == 2
        record["stop_bag"] = self.stop_bag
        record["kinds"] = rules.tiles.kinds
        record["counts"][: rules.tiles.kinds] = rules.tiles.counts
        return made

    def _scratch(self) -> tuple[NDArray[np.void], NDArray[np.void]]:
        """States and searches, one a lexicon, with graphs and tables attached."""
        states = np.zeros(len(self.lexicons), STATE)
        searches = np.zeros(len(self.lexicons), SEARCH)
        for i, lexicon in enumerate(self.lexicons):
            states[i] = new_state(self.rules)[0]
            crosschecks.attach(states[i], lexicon.graph, lexicon.gaddag_root, int(lexicon.wide))
            searches[i] = new_search(self.rules, lexicon)[0]
        return states, searches

    def _seats(self, order: Sequence[int]) -> NDArray[np.void]:
        seats = np.zeros(len(self.players), SEAT)
        for seat, number in zip(seats, order, strict=True):
            player = self.players[number]
            seat["values_at"] = player.leaves.values.ctypes.data
            seat["values_size"] = player.leaves.values.size
            seat["longest"] = player.leaves.max_len
            seat["lexicon"] = next(
                i for i, lexicon in enumerate(self.lexicons) if lexicon is player.lexicon
            )
            seat["terms"] = player.terms
            seat["pool"] = player.pool
        return seats

    def play(
        self,
        seed: int,
        first: int,
        games: int,
        *,
        step: int = 1,
        order: Sequence[int] | None = None,
        record: bool = True,
    ) -> tuple[NDArray[np.void], NDArray[np.void]]:
        """Play so many games of a seed, number ``first`` and every ``step``-th from there.

        ``order``: players by number in the order of play (None: as given). Returns a row a turn
        (kernel.TURN; none without ``record``) and a row a game (kernel.GAME), players numbered by
        their seats. Releases the GIL; the result depends on the arguments only.
        """
        check_seed(seed)
        states, searches = self._scratch()
        seats = self._seats(order or range(len(self.players)))
        results = np.zeros(games, GAME)
        room = games * _TURNS_A_GAME * len(self.players) if record else 0
        while True:
            turns = np.zeros(room, TURN)
            seed_ = np.uint64(seed)
            filled = play_games(
                states, searches, seats, self._rules[0], seed_, first, step, games, turns, results
            )
            if filled >= 0:
                return turns[:filled], results
            room *= 2
