"""From a position to its ranked plays: sets the kernel up, sorts its rows, makes the objects."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache, partial

import numpy as np
from numpy.typing import NDArray

from engine.board import crosschecks
from engine.board.notation.moves import make_exchange, make_play
from engine.board.play import PASS, PLAY, Grid, Play
from engine.board.state import STRIDE, new_state
from engine.errors import NotationError
from engine.lexicon.leaves import Leaves
from engine.lexicon.lexicon import Lexicon
from engine.movegen import generate as kernel
from engine.movegen.equity import (
    KEPT_MP,
    KEPT_POINT_MP,
    OPENING_VOWEL_MP,
    RankedPlay,
    endgame_term,
    outgoing_mp,
    rank_key,
)
from engine.rules.rules import MAX_RACK, Rules
from engine.rules.tiles import BLANK

_FIRST_ROOM = 4096
_LAST_MP = -(2**62)


@lru_cache(maxsize=32)
def _empty_state(rules: Rules) -> NDArray[np.void]:
    return new_state(rules)


@dataclass(frozen=True)
class Table:
    """What the plays of one player depend on."""

    rules: Rules
    lexicon: Lexicon
    leaves: Leaves
    board: Grid
    rack: tuple[int, ...]  #: letters, sorted
    bag: int
    opponents_points: int  #: value of the tiles that the opponents hold (with the bag empty)
    opponents: int
    _known: dict[int, tuple[tuple[int, ...], str, dict[str, int]]] = field(
        default_factory=dict, repr=False, compare=False
    )

    def state(self) -> NDArray[np.void]:
        """A STATE record (array of one) with the board and the rack set."""
        array = _empty_state(self.rules).copy()
        grid = np.array(self.board, np.uint8)
        graph, root, wide = self.lexicon.graph, self.lexicon.gaddag_root, self.lexicon.wide
        crosschecks.set_board(array[0], graph, root, wide, grid)
        rack = np.array(self.rack, np.uint8)
        kernel.set_rack(array[0], rack, self.leaves.values, self.leaves.max_len)
        if self.bag == 0:
            outgoing = outgoing_mp(self.opponents_points, self.opponents)
            kernel.set_endgame(array[0], outgoing, KEPT_POINT_MP, KEPT_MP)
        return array

    @property
    def most_exchanged(self) -> int:
        """Most tiles that may be exchanged now; 0 where none may."""
        return min(self.bag, len(self.rack)) if self.bag >= self.rules.exchange_min_bag else 0

    def rows(self) -> NDArray[np.void]:
        """Every play, exchange and the pass as kernel rows (ROW), with full equity, unsorted."""
        array = self.state()
        graph, root, wide = self.lexicon.graph, self.lexicon.gaddag_root, self.lexicon.wide
        room = _FIRST_ROOM
        while True:
            out = np.empty(4 * room, np.uint64)
            count = kernel.generate(array[0], graph, root, wide, out, self.most_exchanged)
            if count <= room:
                break
            room = count
        rows = out[: 4 * count].view(kernel.ROW)
        if self.opening:
            rows["equity_mp"] += self._opening_mp(rows)
        return rows

    def _opening_mp(self, rows: NDArray[np.void]) -> NDArray[np.int32]:
        """The opening term of each row; all tiles of a first play lie side by side, across."""
        row, hotspots = self.rules.layout.start[0], self.rules.layout.hotspots(True)
        hot = np.zeros(STRIDE + MAX_RACK, bool)
        hot[[col + 1 for _, col in hotspots]] = True
        vowel = np.zeros(64, bool)
        vowel[: self.rules.tiles.kinds] = self.rules.tiles.vowels
        tiles = unpack(rows)
        place = rows["first"].astype(np.int64) - row * STRIDE
        on_board = rows["kind"] == kernel.PLAY
        place[~on_board] = 0
        places = place[:, None] + np.arange(tiles.shape[1])
        bad = vowel[tiles & 63] & hot[places] & (tiles > 0) & on_board[:, None]
        terms: NDArray[np.int32] = (OPENING_VOWEL_MP * bad.sum(axis=1)).astype(np.int32)
        return terms

    def first(self, number: int) -> list[RankedPlay]:
        """The best ``number`` plays as ``plays``, found without listing the others."""
        return self._searched(number, -1, number)

    def within(self, margin_mp: int) -> list[RankedPlay]:
        """Every play and exchange worth at most ``margin_mp`` less than the best, best first.

        Raises NotationError for a negative margin.
        """
        if margin_mp < 0:
            raise NotationError(f"margin {margin_mp}, expected 0 millipoints or more")
        found = self._searched(1, margin_mp, None)
        best = max((p.equity_mp for p in found if p.equity_mp is not None), default=0)
        return [p for p in found if p.equity_mp is not None and p.equity_mp >= best - margin_mp]

    def _searched(self, number: int, margin_mp: int, top: int | None) -> list[RankedPlay]:
        from engine.movegen.best import list_best, new_search  # kernels that nobody else needs

        state, search = self.state(), new_search(self.rules, self.lexicon)
        graph, root, wide = self.lexicon.graph, self.lexicon.gaddag_root, int(self.lexicon.wide)
        crosschecks.attach(state[0], graph, root, wide)
        if not self.opening:
            search["vowel_mp"] = 0
        room = _FIRST_ROOM
        while True:
            out = np.empty(4 * room, np.uint64)
            count = list_best(state[0], search[0], self.most_exchanged, number, margin_mp, out)
            if count <= room:
                break
            room = count
        rows = out[: 4 * count].view(kernel.ROW) if count >= 0 else self.rows()
        return [self._ranked(row, tiles) for row, tiles in self._best_first(rows, top)]

    def plays(self, top: int | None) -> list[RankedPlay]:
        """The best ``top`` plays (None: all), best first."""
        rows = self.rows()
        return [self._ranked(row, tiles) for row, tiles in self._best_first(rows, top)]

    def placements(self) -> tuple[int, Iterator[Callable[[], RankedPlay]]]:
        """How many plays lay tiles, and a function for each of them, best first, that makes it."""
        rows = self.rows()
        rows = rows[rows["kind"] == kernel.PLAY]
        best_first = self._best_first(rows, None)
        return len(rows), (partial(self._ranked, row, tiles) for row, tiles in best_first)

    def rank(self, ranked: RankedPlay) -> int:
        """Place of a play among all, from 1: that of the first play it is not behind."""
        rows = self.rows()
        if ranked.equity_mp is None:
            return len(rows)
        values = _values_mp(rows)
        better = values > ranked.equity_mp
        tied = rows[values == ranked.equity_mp]
        ties = (self._ranked(row, tiles) for row, tiles in self._best_first(tied, None))
        return 1 + int(better.sum()) + sum(rank_key(tie) < rank_key(ranked) for tie in ties)

    def _best_first(
        self, rows: NDArray[np.void], top: int | None
    ) -> Iterator[tuple[np.void, list[int]]]:
        if top is not None and top < len(rows):
            # nothing below the equity of the top-th can be among them (the pass has none)
            values = _values_mp(rows)
            last = len(rows) - max(top, 1)
            rows = rows[values >= np.partition(values, last)[last]]
        tiles = unpack(rows)
        lane, place = np.divmod(rows["first"].astype(np.int64), STRIDE)
        down = lane >= self.rules.layout.rows
        row = np.where(down, place - 1, lane)
        col = np.where(down, lane - self.rules.layout.rows, place - 1)
        # a blank that plays a letter sorts after the letters, a blank given up before them
        keys = [
            *tiles.T[::-1],
            rows["laid"],
            down,
            col,
            row,
            rows["kind"],
            -rows["score"],
            -_values_mp(rows),
        ]
        for i in np.lexsort(keys)[:top]:
            yield rows[i], tiles[i, : rows["laid"][i]].tolist()

    def _kept(self, subset: int) -> tuple[tuple[int, ...], str, dict[str, int]]:
        """Letters of a subset of the rack, their text, and the term of keeping them."""
        if subset not in self._known:
            kept = tuple(x for i, x in enumerate(self.rack) if subset >> i & 1)
            if self.bag > 0:
                term = {"leave": self.leaves.value(kept)}
            else:
                term = endgame_term(kept, self.rules, self.opponents_points, self.opponents)
            self._known[subset] = kept, self.rules.tiles.format_rack(kept), term
        return self._known[subset]

    @property
    def opening(self) -> bool:
        """Whether the opening term applies."""
        return self.bag > 0 and not any(map(any, self.board))

    def _ranked(self, row: np.void, packed: list[int]) -> RankedPlay:
        kept, leave, kept_terms = self._kept(int(row["kept"]))
        play = self._play(row, packed)
        score = int(row["score"])
        terms = {"score": 1000 * score} | kept_terms
        if self.opening and play.kind == PLAY:
            terms["opening"] = int(row["equity_mp"]) - sum(terms.values())
        return RankedPlay(
            play=play,
            score=score,
            kept=kept,
            leave=leave,
            leave_mp=terms.get("leave", 0),
            equity_mp=None if play.kind == PASS else int(row["equity_mp"]),
            terms=terms,
        )

    def _play(self, row: np.void, packed: list[int]) -> Play:
        if row["kind"] == kernel.PASS:
            return Play(PASS, text="pass")
        if row["kind"] == kernel.EXCHANGE:
            return make_exchange(tuple(packed), self.rules.tiles)
        blank = int(kernel.PLAYED_BLANK)
        lane, place = divmod(int(row["first"]), STRIDE)
        down = lane >= self.rules.layout.rows
        r, c = (place - 1, lane - self.rules.layout.rows) if down else (lane, place - 1)
        laid = []
        for tile in packed:
            while self.board[r][c]:
                r, c = (r + 1, c) if down else (r, c + 1)
            laid.append((r, c, tile ^ blank | BLANK if tile & blank else tile))
            r, c = (r + 1, c) if down else (r, c + 1)
        return make_play(self.board, laid, not down, self.rules.tiles)


def _values_mp(rows: NDArray[np.void]) -> NDArray[np.int64]:
    """Equity to rank by, int64: that of a pass is below all others."""
    values: NDArray[np.int64] = rows["equity_mp"].astype(np.int64)
    values[rows["kind"] == kernel.PASS] = _LAST_MP
    return values


def unpack(rows: NDArray[np.void]) -> NDArray[np.uint8]:
    """The tiles of each row in square order, (N, MAX_RACK) uint8, zero-padded, as packed."""
    tiles = np.empty((len(rows), MAX_RACK), np.uint8)
    for i in range(MAX_RACK):
        word, place = ("low", i) if i < kernel.PACKED else ("high", i - kernel.PACKED)
        tiles[:, i] = rows[word] >> np.uint64(kernel.TILE_BITS * place) & np.uint64(127)
    # those laid from the anchor to the left were packed in the order they were laid
    lefts = rows["lefts"].astype(np.int64)[:, None]
    order = np.arange(MAX_RACK)[None, :]
    order = np.where(order < lefts, lefts - 1 - order, order)
    return np.take_along_axis(tiles, order, axis=1)
