"""The best-play kernel against the first of the full ranking, on positions from self-play.

python bench/check_best.py [RULES] [--positions N] [--lexicon L] [--leaves zero|random|FILE]
                           [--players N] [--seed S] [--blanks N]

RULES: english, polish, finnish+nine ...; for ``languages`` and ``variants`` all of them one after
the other. Recorded games are replayed; what was played must be what the full ranking puts first,
ties included. With ``--blanks`` every position gets another rack, with so many blanks.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

import measure
import numpy as np

import engine as eng
from engine.board import crosschecks
from engine.board.state import STRIDE
from engine.lexicon.leave_catalog import default_leaves
from engine.lexicon.leaves import Leaves, table_size
from engine.lexicon.lexicon import Lexicon
from engine.movegen import generate
from engine.movegen.best import best_play
from engine.movegen.equity import OPENING_VOWEL_MP
from engine.movegen.ranking import Table, unpack
from engine.players.choose import PATIENCE
from engine.players.static import StaticPlayer
from engine.rules.rules import Rules, find_rules
from engine.rules.tiles import BLANK
from engine.selfplay.batch import Batch

LANGUAGES = ("english", "finnish", "hungarian", "norwegian", "polish")
VARIANTS = ("english+nine", "english+super", "english+nine+super", "polish+nine", "finnish+super")
CHUNK = 50  # games recorded at a time

#: kind, square, tiles in square order, points, millipoints (None for a pass)
Key = tuple[int, int, tuple[int, ...], int, int | None]


@dataclass(frozen=True)
class Found:
    """One position, what the kernel plays there and what the ranking puts first."""

    table: Table
    played: Key
    expected: Key

    def __str__(self) -> str:
        tiles = self.table.rules.tiles
        rows = ["".join(tiles.format_tile(t) if t else "." for t in r) for r in self.table.board]
        return "\n".join(
            [
                f"rules {self.table.rules.name}, lexicon {self.table.lexicon.info.name},"
                f" leaves {self.table.leaves.name}, {self.table.bag} tiles in the bag,"
                f" opponents' points {self.table.opponents_points}",
                *rows,
                f"rack {tiles.format_rack(self.table.rack)}",
                f"played   {self.played}",
                f"expected {self.expected}  ({self.table.plays(1)[0]})",
            ]
        )


def key_of(row: np.void, tiles: list[int]) -> Key:
    """A row of the kernels (generate.ROW, selfplay TURN) as plain data."""
    kind = int(row["kind"])
    worth = None if kind == generate.PASS else int(row["equity_mp"])
    return kind, int(row["first"]), tuple(tiles), int(row["score"]), worth


def ranked_first(table: Table) -> Key:
    """The first play of the full ranking."""
    row, tiles = next(table._best_first(table.rows(), 1))
    return key_of(row, tiles)


class Probe:
    """The best-play kernel for one lexicon under some rules."""

    def __init__(self, rules: Rules, lexicon: Lexicon, leaves: Leaves) -> None:
        player = StaticPlayer("equity", lexicon, leaves)
        self.rules, self.lexicon, self.leaves = rules, lexicon, leaves
        self._batch = Batch(rules, [player, player])

    def best(self, table: Table) -> Key:
        """The play that the kernel finds for the player of a table."""
        _, searches = self._batch._scratch()
        array = table.state()
        lexicon = self.lexicon
        crosschecks.attach(array[0], lexicon.graph, lexicon.gaddag_root, int(lexicon.wide))
        searches[0]["vowel_mp"] = OPENING_VOWEL_MP if table.bag > 0 else 0
        out = np.zeros(4, np.uint64)
        best_play(array[0], searches[0], table.most_exchanged, out)
        row = out.view(generate.ROW)
        return key_of(row[0], unpack(row)[0, : row[0]["laid"]].tolist())


def lay(board: list[list[int]], rules: Rules, first: int, tiles: list[int]) -> None:
    """Put the tiles of a play on a board."""
    lane, place = divmod(first, STRIDE)
    down = lane >= rules.layout.rows
    row, col = (place - 1, lane - rules.layout.rows) if down else (lane, place - 1)
    flag = int(generate.PLAYED_BLANK)
    for tile in tiles:
        while board[row][col]:
            row, col = (row + 1, col) if down else (row, col + 1)
        board[row][col] = tile ^ flag | BLANK if tile & flag else tile


def positions(
    batch: Batch, *, seed: int = 1, first: int = 0, games: int = CHUNK
) -> Iterator[tuple[Table, Key]]:
    """Every turn of some games: the position, and the play that was made.

    The players must be ``equity``: the ranking always counts the opening and endgame terms.
    """
    rules, players = batch.rules, batch.players
    turns, _ = batch.play(seed, first, games)
    packed = unpack(turns)
    values = np.array(rules.tiles.values, np.int64)
    game = -1
    for row, all_tiles in zip(turns, packed, strict=True):
        if row["game"] != game:
            game = row["game"]
            board = [[0] * rules.layout.cols for _ in range(rules.layout.rows)]
            unseen = np.array(rules.tiles.counts, np.int64)
        rack = row["rack"][: row["held"]].tolist()
        # all that is on neither the board nor this rack; with the bag empty: on the others' racks
        points = int((unseen * values).sum()) - sum(int(values[letter]) for letter in rack)
        player = players[row["player"]]
        table = Table(
            rules, player.lexicon, player.leaves, tuple(map(tuple, board)), tuple(rack),
            int(row["bag"]), points, len(players) - 1,
        )  # fmt: skip
        tiles = all_tiles[: row["laid"]].tolist()
        yield table, key_of(row, tiles)
        if row["kind"] == generate.PLAY:
            lay(board, rules, int(row["first"]), tiles)
            flag = int(generate.PLAYED_BLANK)
            for tile in tiles:
                unseen[0 if tile & flag else tile] -= 1


def other_rack(table: Table, blanks: int, rng: random.Random) -> Table:
    """The position with a rack drawn from what is unseen, and so many blanks on it."""
    bag = Counter(dict(enumerate(table.rules.tiles.counts)))
    bag.subtract(0 if t & BLANK else t for row in table.board for t in row if t)
    stock = [letter for letter, count in bag.items() if letter for _ in range(count)]
    naturals = rng.sample(stock, min(len(stock), table.rules.rack_size - blanks))
    rack = tuple(sorted([0] * blanks + naturals))
    return Table(
        table.rules, table.lexicon, table.leaves, table.board, rack, table.bag,
        table.opponents_points, table.opponents,
    )  # fmt: skip


def random_leaves(rules: Rules, seed: int = 1) -> Leaves:
    """Leave values in whole points, so that many plays are worth the same."""
    size = table_size(rules.tiles.kinds, 2)
    values = np.random.default_rng(seed).integers(-9, 10, size).astype(np.int32) * 1000
    values[0] = 0
    return Leaves(name="random", kinds=rules.tiles.kinds, max_len=2, values=values)


def check(
    rules: Rules,
    lexicon: Lexicon,
    leaves: Leaves,
    number: int,
    *,
    players: int = 2,
    seed: int = 1,
    blanks: int | None = None,
) -> Iterator[Found]:
    """So many positions from self-play, each with both answers."""
    probe = Probe(rules, lexicon, leaves)
    rng = random.Random(seed)
    batch = Batch(rules, [StaticPlayer("equity", lexicon, leaves)] * players)
    done = first = 0
    while True:
        board, scoreless = None, 0
        for table, played in positions(batch, seed=seed, first=first):
            # players who have scored nothing for long exchange no more: not what is asked here
            scoreless = scoreless + 1 if table.board == board else 0
            board = table.board
            if blanks is not None:
                table = other_rack(table, blanks, rng)
            if blanks is not None or scoreless >= PATIENCE * players:
                played = probe.best(table)
            yield Found(table, played, ranked_first(table))
            done += 1
            if done == number:
                return
        first += CHUNK


def main() -> None:
    parser = argparse.ArgumentParser(description="best play against the full ranking")
    parser.add_argument("rules", nargs="?", default="english")
    parser.add_argument("--positions", type=int, default=10_000)
    parser.add_argument("--lexicon", help="default: the reference list of the language")
    parser.add_argument("--leaves", help="zero, random, or anything that `best` takes")
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--blanks", type=int)
    args = parser.parse_args()
    wrong = 0
    names = {"languages": LANGUAGES, "variants": VARIANTS}.get(args.rules, (args.rules,))
    for name in names:
        rules = find_rules(name)
        language = name.split("+")[0]
        reference = measure.SHARED / "oracle" / "languages" / f"words_{language}.txt.gz"
        lexicon = eng.load_lexicon(args.lexicon or reference, rules)
        if args.leaves == "random":
            leaves = random_leaves(rules, args.seed)
        else:
            named = eng.load_leaves(args.leaves, rules) if args.leaves else None
            leaves = named or default_leaves(rules.tiles)
        start = time.monotonic()
        seen: Counter[str] = Counter()
        for found in check(
            rules, lexicon, leaves, args.positions,
            players=args.players, seed=args.seed, blanks=args.blanks,
        ):  # fmt: skip
            seen["positions"] += 1
            seen["exchanges"] += found.expected[0] == generate.EXCHANGE
            seen["passes"] += found.expected[0] == generate.PASS
            seen["bag empty"] += found.table.bag == 0
            seen["two blanks"] += found.table.rack.count(0) == 2
            if found.played != found.expected:
                seen["DIFFERENT"] += 1
                if seen["DIFFERENT"] <= 5:
                    print(found, flush=True)
        wrong += seen["DIFFERENT"]
        counts = ", ".join(f"{count} {what}" for what, count in seen.items())
        print(
            f"{name}, leaves {leaves.name}: {counts}; {time.monotonic() - start:.0f} s", flush=True
        )
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
