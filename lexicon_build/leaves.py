"""Leave values from self-play, generation by generation.

A generation plays games with the leaves of the one before (the first: all zero), collects what
every full rack was worth, and makes of that the leaves of the next:

    value(L) = mean over racks R that hold L, each as often as it is drawn to L from a full bag,
               less the mean over all racks so drawn

with one mean a rack, however often it was seen. What chance left thin is filled in twice. A rack
seen n times with the mean m counts as (n m + a p) / (n + a), where p is what its leaves of one tile
less make it worth: its neighbours by one tile. A leave whose racks were seen n times counts as
(n v + b w) / (n + b), where w is its value by the rule for longer leaves
(engine/lexicon/leaves.py): one that never came up is worth what its parts say. a is THIN_RACK, b is
THIN_LEAVE.

Each generation has twice the games of the one before. A match against the leaves before decides:
training ends with the first generation that is not better; that one is taken all the same unless
it is surely worse, for it rests on more games. What comes out depends on the arguments only, never
on workers or interruptions.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from engine.errors import LexiconFileError, QuixotryError
from engine.lexicon.leave_files import read_header, read_leaves, write_leaves
from engine.lexicon.leaves import MAX_VALUES, Leaves, multiset_tables, table_size, zero_leaves
from engine.lexicon.lexicon import Lexicon
from engine.lexicon.packed import read_packed, write_packed
from engine.players.static import StaticPlayer
from engine.rules.rules import Rules
from engine.selfplay.match import play_match
from engine.selfplay.pool import Workers, run
from engine.selfplay.stats import Sprt
from lexicon_build.racks import (
    MOST_TILES,
    RackSums,
    RackTable,
    RackTask,
    expected,
    leave_means,
    smooth,
)
from lexicon_build.training import Workplace, is_made, need_words, plan_record

THIN_RACK = 3.0  #: times seen that a rack's neighbours count for
THIN_LEAVE = 10.0  #: racks seen that a leave's parts count for
MARGIN_ELO = 2.0  #: a match ends early where the better one is surely better than this
CHUNK = 500  #: games collected at a time
UNIT_MP = 50  #: values are rounded to multiples of this
LONGEST = 6  #: leaves in a table, where nothing else is asked for
_KIND = b"QXRACKS\x01"
_MAX_NUMBERS = 1 << 30  # of a file of racks
_SAVE_EVERY = 20.0  # seconds

Progress = Callable[[str, int, int], None]


@dataclass(frozen=True)
class Plan:
    """What is trained. ``games``: of the first generation; ``pairs``: of each match at most."""

    rules: Rules
    lexicon: Lexicon
    seed: int = 0
    games: int = 50_000
    generations: int = 5
    pairs: int = 20_000
    max_len: int = LONGEST
    name: str = "leaves"

    def __post_init__(self) -> None:
        """Raises QuixotryError for numbers that cannot be, LexiconFileError for other tiles."""
        for what, number, most in (
            ("games", self.games, 10**8),
            ("generations", self.generations, 20),
            ("pairs", self.pairs, 10**8),
            ("tiles in the longest leave", self.max_len, self.rules.rack_size - 1),
        ):
            if type(number) is not int or not 1 <= number <= most:
                raise QuixotryError(f"{what}: {number!r}, expected 1 to {most}")
        kinds = self.rules.tiles.kinds
        if table_size(kinds, self.max_len) > MAX_VALUES:
            raise QuixotryError(
                f"a table of leaves of up to {self.max_len} of {kinds} kinds of tile is too large"
            )
        if self.rules.rack_size > MOST_TILES:
            raise QuixotryError(
                f"racks of {self.rules.rack_size} tiles, expected {MOST_TILES} at most to train"
            )
        self.lexicon.check_tiles(self.rules.tiles)
        need_words(self.lexicon)

    def games_of(self, generation: int) -> int:
        """Games of a generation; the first is number 1."""
        return self.games << (generation - 1)

    def seed_of(self, generation: int, match: bool) -> int:
        """Seed of a generation's games or match: all differ."""
        return (self.seed * 1_000_003 + 2 * generation + match) % 2**64

    def player(self, leaves: Leaves) -> StaticPlayer:
        return StaticPlayer("equity", self.lexicon, leaves)

    def record(self) -> dict[str, Any]:
        """The plan as JSON takes it."""
        return plan_record(self.rules, self.lexicon) | {
            "seed": self.seed,
            "games": self.games,
            "generations": self.generations,
            "pairs": self.pairs,
            "max_len": self.max_len,
            "thin": [THIN_RACK, THIN_LEAVE],
            "margin_elo": MARGIN_ELO,
        }


@dataclass
class Trained:
    """What training gave: the leaves of the best generation, and the record of all."""

    leaves: Leaves
    record: dict[str, Any] = field(default_factory=dict)


def train_leaves(
    plan: Plan,
    out: Path,
    *,
    workers: Workers = Workers(),  # noqa: B008 - immutable
    progress: Progress | None = None,
) -> Trained:
    """Train leaves and write them to ``out``, a ``.qlv`` file, with the record in its header.

    What is done is kept in a folder beside it, ``out`` + ``.training``, until the end: a training
    that was killed goes on from there. A file that this plan made already is only read.
    ``progress`` is called with what is going on and how much of it is done of how much. Raises
    QuixotryError, with nothing changed, where ``out`` or the folder is anything else;
    LexiconFileError where a file cannot be written.
    """
    tiles = plan.rules.tiles
    if is_made(out, _header(out), plan.name, plan.record()):
        return Trained(read_leaves(out, tiles), read_header(out)[0]["training"])
    with _Folder(out, plan) as folder:
        best, steps = _generations(plan, folder, workers, progress)
        record = plan.record() | {"steps": steps}
        origin = (
            f"trained by self-play on the lexicon {plan.lexicon.info.name!r}"
            f" ({plan.lexicon.info.words} words), rules {plan.rules.name!r}:"
            f" {sum(step['games'] for step in steps)} games in {len(steps)} generations"
        )
        best = Leaves(plan.name, best.kinds, best.max_len, best.values, origin)
        write_leaves(out, best, tiles, record)
        folder.remove("generation-*.qlv", "racks")
    return Trained(best, record)


def _header(out: Path) -> dict[str, Any] | None:
    try:
        return read_header(out)[0]
    except LexiconFileError:
        return None


def _generations(
    plan: Plan, folder: _Folder, workers: Workers, progress: Progress | None
) -> tuple[Leaves, list[dict[str, Any]]]:
    """The best leaves, and the record of each generation."""
    best = zero_leaves(plan.rules.tiles.kinds)
    steps: list[dict[str, Any]] = []
    for generation in range(1, plan.generations + 1):
        made = folder.generation(generation)
        if made is None:
            table = _collect(plan, generation, best, folder, workers, progress)
            leaves, mean = make_leaves(table.rows(), plan)
            step = {
                "games": plan.games_of(generation),
                "racks": len(table.rows()),
                "rack_mean": round(mean, 3),
            } | _compare(plan, generation, leaves, best, workers, progress)
            folder.keep(generation, leaves, step)
        else:
            leaves, step = made
        steps.append(step)
        if step["taken"]:
            best = leaves
        if not step["better"]:
            break
    return best, steps


def _collect(
    plan: Plan,
    generation: int,
    leaves: Leaves,
    folder: _Folder,
    workers: Workers,
    progress: Progress | None,
) -> RackTable:
    """Racks of a generation's games, from where the folder has them."""
    games = plan.games_of(generation)
    seed, size = plan.seed_of(generation, False), plan.rules.rack_size
    task = RackTask(plan.rules, plan.player(leaves), seed, games, CHUNK, stop_bag=size)
    _ = task.batch  # raises here what is wrong with the rules
    done, table = folder.racks(generation)
    saved = time.monotonic()
    with closing(run(task, range(done, task.chunks), workers)) as chunks:  # type: ignore[type-var]
        for number, rows in chunks:
            table.add(rows)
            if progress:
                progress(f"generation {generation}", min(games, (number + 1) * CHUNK), games)
            if time.monotonic() - saved > _SAVE_EVERY:
                folder.keep_racks(generation, number + 1, table)
                saved = time.monotonic()
    return table


def make_leaves(rows: RackSums, plan: Plan) -> tuple[Leaves, float]:
    """The leaves that racks make, and the mean of all racks, in points.

    Raises QuixotryError where there are no racks.
    """
    if not len(rows):
        raise QuixotryError("no full rack in these games: leaves cannot be made of nothing")
    tiles, size, longest = plan.rules.tiles, plan.rules.rack_size, plan.max_len
    offset, choose = multiset_tables(tiles.kinds, longest)
    means = rows.sums_mp / rows.counts
    for last in (False, True):
        values, seen = leave_means(rows, means, tiles, size, longest)
        mean = values[0]
        values -= mean
        values[seen == 0] = 0
        smooth(tiles.kinds, longest, offset, choose, seen, THIN_LEAVE, values)
        if not last:
            prior = np.zeros(len(rows))
            expected(rows.keys, size, longest, offset, choose, values, prior)
            means = (rows.sums_mp + THIN_RACK * (mean + prior)) / (rows.counts + THIN_RACK)
    numbers = (np.rint(values / UNIT_MP) * UNIT_MP).astype(np.int32)
    return Leaves(plan.name, tiles.kinds, longest, numbers), float(mean) / 1000


def _compare(
    plan: Plan,
    generation: int,
    leaves: Leaves,
    before: Leaves,
    workers: Workers,
    progress: Progress | None,
) -> dict[str, Any]:
    """How a generation's leaves do against those before, as JSON takes it."""

    def told(tally: Any, _llr: float | None) -> None:
        if progress:
            progress(f"generation {generation}, match", tally.pairs, plan.pairs)

    result = play_match(
        plan.rules,
        plan.player(leaves),
        plan.player(before),
        plan.pairs,
        plan.seed_of(generation, True),
        sprt=Sprt(-MARGIN_ELO, MARGIN_ELO),
        workers=workers,
        progress=told,
    )
    share = result.tally.win_share
    return {
        "pairs": result.tally.pairs,
        "win_share": round(share.value, 5),
        "win_share_low": round(share.low, 5),
        "win_share_high": round(share.high, 5),
        "better": share.value > 0.5,
        "taken": share.high > 0.5,
    }


class _Folder(Workplace):
    """Racks of the generation under way, and the leaves of those that are done."""

    def __init__(self, out: Path, plan: Plan) -> None:
        super().__init__(out, plan.record() | {"name": plan.name, "chunk": CHUNK})
        self._plan = plan

    def generation(self, number: int) -> tuple[Leaves, dict[str, Any]] | None:
        """Leaves and record of a generation that is done; None where it is not, or damaged."""
        file = self.path / f"generation-{number}.qlv"
        try:
            step = read_header(file)[0]["training"]
            return (read_leaves(file, self._plan.rules.tiles), step) if "taken" in step else None
        except LexiconFileError:
            return None

    def keep(self, number: int, leaves: Leaves, step: dict[str, Any]) -> None:
        tiles = self._plan.rules.tiles
        write_leaves(self.path / f"generation-{number}.qlv", leaves, tiles, step)

    def racks(self, generation: int) -> tuple[int, RackTable]:
        """Chunks that are done of a generation, and the racks of these."""
        table = RackTable()
        try:
            header, rows = read_packed(self.path / "racks", _KIND, "file of racks", _MAX_NUMBERS)
            if header.get("generation") != generation:
                return 0, table
            table.add(RackSums(*rows.view(np.int64)))
            return int(header["chunks"]), table
        except (LexiconFileError, ValueError, KeyError, TypeError):
            return 0, RackTable()

    def keep_racks(self, generation: int, chunks: int, table: RackTable) -> None:
        rows = table.rows()
        numbers = np.stack([rows.keys, rows.counts, rows.sums_mp])
        header = {"generation": generation, "chunks": chunks}
        write_packed(self.path / "racks", _KIND, header, numbers.view("<i4"), level=1)
