"""The plays of a position with leaves valued against the tiles that are unseen there."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engine.game.position import Position
from engine.movegen.pool_leaves import set_pool_leaves
from engine.movegen.ranking import Table


class PoolTable(Table):
    """A Table whose kernel values leaves so; ``terms`` of its plays still name the plain leave."""

    @classmethod
    def of(cls, position: Position) -> PoolTable:
        """The table of the player on turn."""
        plain = position._table
        return cls(
            plain.rules, plain.lexicon, plain.leaves, plain.board, plain.rack, plain.bag,
            plain.opponents_points, plain.opponents,
        )  # fmt: skip

    def state(self) -> NDArray[np.void]:
        """As in Table, the leaves moved."""
        array = super().state()
        if self.bag > 0:
            counts = np.array(self.rules.tiles.counts, np.int64)
            grid = np.array(self.board, np.uint8).ravel()
            letters = np.where(grid >= 0x80, 0, grid)[grid > 0]
            seen = np.bincount([*letters.tolist(), *self.rack], minlength=len(counts))
            set_pool_leaves(
                array[0], self.leaves.values, self.leaves.max_len, counts,
                counts - seen, self.bag, self.rules.rack_size,
            )  # fmt: skip
        return array
