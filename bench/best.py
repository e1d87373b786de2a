"""The best play on positions from self-play: the same racks with no, one and two blanks.

python bench/best.py [GAMES]
"""

from __future__ import annotations

import sys

import measure
import numpy as np

import engine as eng
from engine.board.crosschecks import clear_board, lay
from engine.movegen.best import best_play
from engine.movegen.generate import PLAY, PLAYED_BLANK, set_rack
from engine.movegen.ranking import unpack
from engine.players.static import find_player
from engine.rules.rules import find_rules
from engine.rules.tiles import BLANK
from engine.selfplay.batch import Batch


def main() -> None:
    games = int(sys.argv[1]) if len(sys.argv) > 1 else 100
    rules = find_rules("english")
    lexicon = eng.load_lexicon(measure.SHARED / "oracle" / "enable.txt")
    leaves = eng.load_leaves(measure.SHARED / "oracle" / "leaves.klv2")
    player = find_player("equity", rules, lexicon, leaves)
    batch = Batch(rules, [player, player])
    turns, _ = batch.play(1, 0, games)
    boards, searches = batch._scratch()
    states, most, racks = [], [], []
    game = -1
    for turn, tiles in zip(turns, unpack(turns), strict=True):
        if turn["game"] != game:
            clear_board(boards[0])
            game = turn["game"]
        if turn["held"] == 7:  # the bag may be empty: leaves serve as well for timing
            states.append(boards.copy())
            most.append(int(min(turn["bag"], 7)) if turn["bag"] >= 7 else 0)
            racks.append(turn["rack"][:7][turn["rack"][:7] > 0])
        if turn["kind"] == PLAY:
            laid = tiles[: turn["laid"]]
            blank = laid & np.uint8(PLAYED_BLANK) > 0
            lay(boards[0], int(turn["first"]), np.where(blank, laid & 63 | BLANK, laid))
    draw = np.random.default_rng(1)
    out = np.zeros(4, np.uint64)
    times = []
    for blanks in range(3):
        for state, rack in zip(states, racks, strict=True):
            letters = draw.permutation(np.resize(rack, 7))[: 7 - blanks]
            sorted_ = np.sort(np.concatenate([np.zeros(blanks, np.uint8), letters]))
            set_rack(state[0], sorted_.astype(np.uint8), leaves.values, leaves.max_len)

        def run() -> None:
            for state, exchange in zip(states, most, strict=True):
                best_play(state[0], searches[0], exchange, out)

        unit = measure.yardstick(3)
        seconds = measure.cpu_seconds(run, 5)[2] / len(states)
        times.append(seconds)
        print(
            f"{blanks} blanks: {seconds * 1e6:.1f} us a position ({len(states)} positions),"
            f" {unit / seconds:.0f} a yardstick, x {seconds / times[0]:.2f}"
        )


if __name__ == "__main__":
    main()
