"""Win probability from self-play: by spread and tiles unseen, from the remaining swings of games.

Two players alike play; the swing of every position (lexicon_build/swings.py) counts for all
spreads. Two things smooth what chance left rough. A row (engine/search/winpct.py) seen n times with
the distribution d counts as (n d + a p) / (n + a), where p is that of the row and its neighbours:
bags of a few tiles more or less, or with an empty bag racks of a few tiles more or less, each tile
halving the weight. Then a row is averaged over the spread, twice, w * (deviation of the swing) /
(cube root of n + a) either way: less and less as n grows. a is THIN_BAG or THIN_RACKS, w is WIDTH,
all three as foresaw English games best. What comes out never falls as the spread rises, and keeps
what it is worth to be on turn.

Swings depend on the spread by a few hundredths of it (who is ahead has spent good tiles). So each
row has a slope b, that of the regression of swing on spread, and counts a spread s, where the mean
was m, as s + b (s - m). Slopes are held towards those of the neighbours, and these towards 0, as if
they differed by SLOPE.

Games of other numbers, as many as a tenth of those, tell how well the table foresees results; that
goes into the file with the rest of the record. What comes out depends on the arguments only, never
on workers or interruptions.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.errors import LexiconFileError, QuixotryError
from engine.lexicon.leaves import Leaves
from engine.lexicon.lexicon import Lexicon
from engine.lexicon.packed import read_packed, write_packed
from engine.players.static import StaticPlayer
from engine.rules.rules import Rules
from engine.search.winpct import SCALE, WinTable, read_win_table, write_win_table
from engine.selfplay.batch import check_seed
from engine.selfplay.pool import Workers, run
from lexicon_build.forecasts import Forecasts
from lexicon_build.swings import MOST_SWING, SwingCounts, SwingTask
from lexicon_build.training import Workplace, is_made, need_words, plan_record

THIN_BAG = 3000.0  #: times seen that a row's neighbours count for
THIN_RACKS = 100.0  #: the same with an empty bag, where one tile makes a greater difference
WIDTH = 1.0  #: of averages over the spread
SLOPE = 0.03  #: by how much slopes may differ
STEEPEST = 0.5  #: a slope never goes past this
LEAST_REACH = 300  #: spreads that every table has
CERTAIN = 0.0005  #: a table ends where the share of a win is so close to 0 and 1
FRESH = 10  #: one game to judge the table by for so many to make it of
CHUNK = 500  #: games played at a time
_FARTHEST = 16  # tiles; neighbours further off weigh as much
_KIND = b"QXSWING\x01"
_MAX_NUMBERS = 1 << 28  # of a file of swings
_SAVE_EVERY = 10.0  # seconds

Floats = NDArray[np.float64]
Progress = Callable[[str, int, int], None]


@dataclass(frozen=True)
class Plan:
    """What is trained. ``leaves``: those of the players; ``games``: that the table is made of."""

    rules: Rules
    lexicon: Lexicon
    leaves: Leaves
    seed: int = 0
    games: int = 200_000
    name: str = "winpct"

    def __post_init__(self) -> None:
        """Raises QuixotryError for what cannot be, LexiconFileError for other tiles."""
        if type(self.games) is not int or not 1 <= self.games <= 10**8:
            raise QuixotryError(f"games: {self.games!r}, expected 1 to {10**8}")
        check_seed(self.seed)
        if 2 in self.rules.finish_line:
            raise QuixotryError(
                f"rules {self.rules.name!r} end a game at {self.rules.finish_line[2]} points: who"
                " wins is no matter of spread and tiles alone, so there is no win table for them"
            )
        self.player.check_rules(self.rules)
        need_words(self.lexicon)

    @property
    def player(self) -> StaticPlayer:
        return StaticPlayer("equity", self.lexicon, self.leaves)

    @property
    def fresh_games(self) -> int:
        """Games that the table is judged by."""
        return -(-self.games // FRESH)

    def task(self, fresh: bool = False) -> SwingTask:
        """The games to make the table of, or those to judge it by."""
        games = self.fresh_games if fresh else self.games
        seed = (self.seed * 1_000_003 + fresh) % 2**64
        return SwingTask(self.rules, self.player, seed, games, CHUNK)

    def record(self) -> dict[str, Any]:
        """The plan as JSON takes it."""
        return plan_record(self.rules, self.lexicon) | {
            "leaves": {
                "name": self.leaves.name,
                "origin": self.leaves.origin,
                "hash": hashlib.sha256(self.leaves.values.tobytes()).hexdigest()[:16],
            },
            "seed": self.seed,
            "games": self.games,
            "thin": [THIN_BAG, THIN_RACKS],
            "width": WIDTH,
            "slope": SLOPE,
        }


@dataclass
class Trained:
    """What training gave: the table, and the record of it."""

    table: WinTable
    record: dict[str, Any] = field(default_factory=dict)


def train_winpct(
    plan: Plan,
    out: Path,
    *,
    workers: Workers = Workers(),  # noqa: B008 - immutable
    progress: Progress | None = None,
) -> Trained:
    """Train a win table and write it to ``out``, a ``.qwp`` file, with the record in its header.

    What is done is kept in a folder beside it, ``out`` + ``.training``, until the end: a training
    that was killed goes on from there. A file that this plan made already is only read.
    ``progress`` is called with what is going on and how much of it is done of how much. Raises
    QuixotryError, with nothing changed, where ``out`` or the folder is anything else;
    LexiconFileError where a file cannot be written.
    """
    if is_made(out, _header(out), plan.name, plan.record()):
        header, table = read_win_table(out)
        return Trained(table, header["training"])
    with _Folder(out, plan) as folder:
        counts = _collect(plan, folder, workers, progress)
        origin = (
            f"trained by self-play on the lexicon {plan.lexicon.info.name!r}"
            f" ({plan.lexicon.info.words} words), rules {plan.rules.name!r}: {plan.games} games of"
            f" the leaves {plan.leaves.name!r}"
        )
        table = make_table(counts, plan.rules, plan.name, origin)
        judged = _judge(plan, table, workers, progress)
        record = plan.record() | {"fresh": {"games": plan.fresh_games} | judged.record()}
        write_win_table(out, table, record)
        folder.remove("swings")
    return Trained(table, record)


def _header(out: Path) -> dict[str, Any] | None:
    try:
        return read_win_table(out)[0]
    except LexiconFileError:
        return None


def _collect(
    plan: Plan, folder: _Folder, workers: Workers, progress: Progress | None
) -> SwingCounts:
    """Swings of the games, from where the folder has them."""
    task = plan.task()
    _ = task.batch  # raises here what is wrong with the rules
    done, counts = folder.read()
    folder.write(done, counts)  # raises here where nothing can be written
    saved = time.monotonic()
    with closing(run(task, range(done, task.chunks), workers)) as chunks:  # type: ignore[type-var]
        for number, positions in chunks:
            counts.add(positions)
            if progress:
                progress("games", min(plan.games, (number + 1) * CHUNK), plan.games)
            if time.monotonic() - saved > _SAVE_EVERY or number + 1 == task.chunks:
                folder.write(number + 1, counts)
                saved = time.monotonic()
    return counts


def _judge(plan: Plan, table: WinTable, workers: Workers, progress: Progress | None) -> Forecasts:
    """What the table foresees in fresh games, and what came."""
    task = plan.task(fresh=True)
    found = Forecasts()
    with closing(run(task, range(task.chunks), workers)) as chunks:  # type: ignore[type-var]
        for number, positions in chunks:
            found.add(table.of_rows(positions.rows, positions.spreads), positions.results)
            if progress:
                games = plan.fresh_games
                progress("fresh games", min(games, (number + 1) * CHUNK), games)
    return found


# -- from swings to a table ------------------------------------------------------------------------


def make_table(seen: SwingCounts, rules: Rules, name: str = "winpct", origin: str = "") -> WinTable:
    """The table that swings make. Raises QuixotryError where there are none."""
    counts = seen.counts
    if not counts.any():
        raise QuixotryError("no position in these games: a win table cannot be made of nothing")
    empty = (rules.rack_size + 1) ** 2  # rows with an empty bag
    thin = np.where(np.arange(len(counts)) < empty, THIN_RACKS, THIN_BAG)[:, None]
    number = counts.sum(axis=1, keepdims=True)
    weights = neighbours(rules.rack_size, len(counts))
    weights[~(weights @ number).any(axis=1)] = 1  # no game got there: any position will do
    near = weights @ counts
    share = (counts + thin * near / near.sum(axis=1, keepdims=True)) / (number + thin)
    swings = np.arange(counts.shape[1]) - seen.reach
    mean = (share * swings).sum(axis=1, keepdims=True)
    deviation = np.sqrt((share * (swings - mean) ** 2).sum(axis=1, keepdims=True))
    widths = np.rint(WIDTH * deviation / np.cbrt(number + thin)).astype(int).ravel()
    slopes, middles = regression(seen, weights, deviation.ravel() / 2)
    rows = zip(share, widths.tolist(), slopes.tolist(), middles.tolist(), strict=True)
    wins = np.stack([win_shares(*row) for row in rows])
    own, other = np.divmod(np.arange(empty), rules.rack_size + 1)
    spreads = np.arange(wins.shape[1]) - wins.shape[1] // 2
    wins[:empty][(own == 0) | (other == 0)] = 0.5 + 0.5 * np.sign(spreads)
    shares = np.rint(SCALE * np.maximum.accumulate(wins, axis=1)).astype(np.uint16)
    return WinTable(name, rules.tiles.labels, rules.rack_size, _cut(shares), origin)


def regression(seen: SwingCounts, weights: Floats, deviation: Floats) -> tuple[Floats, Floats]:
    """By row: slope of the regression of swing on spread, and the mean spread in points.

    ``weights``: what rows count for each other; ``deviation``: of the swing, in points.
    """
    halves = np.arange(seen.counts.shape[1]) - seen.reach
    number, swing = seen.counts.sum(axis=1), (seen.counts * halves).sum(axis=1) / 2
    spread, square, product = seen.moments.T * [[1], [1], [0.5]]
    own = np.stack([number, swing, spread, square, product])
    near = own @ weights.T
    free = np.maximum(1, deviation**2) / SLOPE**2  # of spread squared, that a slope of 0 stands for
    (cross, squares), (cross_near, squares_near) = map(_centred, (own, near))
    slopes = (cross + free * cross_near / (squares_near + free)) / (squares + free)
    return np.clip(slopes, -STEEPEST, STEEPEST), near[2] / near[0]


def _centred(sums: Floats) -> tuple[Floats, Floats]:
    """Sums of (spread - mean) times (swing - mean), and of the square of the first."""
    number, swing, spread, square, product = sums
    number = np.where(number > 0, number, 1)
    return product - spread * swing / number, square - spread**2 / number


def neighbours(rack_size: int, rows: int) -> Floats:
    """float64 (rows, rows): what a row counts for another: 1 itself, half for each tile more or
    less; 0 where the bag of one is empty and that of the other is not.

    All are powers of two, so that sums of counts come out the same in whatever order.
    """
    empty = (rack_size + 1) ** 2
    own, other = np.divmod(np.arange(empty), rack_size + 1)
    bag = np.arange(rows - empty)
    weights = np.zeros((rows, rows))
    distance = abs(own[:, None] - own) + abs(other[:, None] - other)
    weights[:empty, :empty] = np.exp2(-np.minimum(distance, _FARTHEST))
    distance = abs(bag[:, None] - bag)
    weights[empty:, empty:] = np.exp2(-np.minimum(distance, _FARTHEST))
    return weights


def win_shares(shares: Floats, width: int, slope: float = 0.0, middle: float = 0.0) -> Floats:
    """Share of a win by spread, from the shares of swings in half points.

    Averaged twice over spreads of up to ``width`` half points either way; a spread s counts as
    s + slope * (s - middle). For spreads as far as swings go and LEAST_REACH further, in both
    directions the same number.
    """
    furthest = len(shares) // 4 + LEAST_REACH
    reach = 2 * furthest
    more = reach + 2 * width - len(shares) // 2
    below = np.cumsum(shares) - shares / 2  # chance of a swing below, the same one counted half
    below = np.concatenate([np.zeros(more), below, np.ones(more)])
    for _ in range(2):
        sums = np.concatenate([[0.0], np.cumsum(below)])
        below = (sums[2 * width + 1 :] - sums[: -2 * width - 1]) / (2 * width + 1)
    spreads = np.arange(-furthest, furthest + 1)
    needed = -2 * (spreads + slope * (spreads - middle))  # a swing past this wins
    wins: Floats = 1 - np.interp(needed, np.arange(-reach, reach + 1), below)
    return wins


def _cut(shares: NDArray[np.uint16]) -> NDArray[np.uint16]:
    """The spreads of a table that are needed (CERTAIN, LEAST_REACH)."""
    middle = shares.shape[1] // 2
    low, high = shares[:, :middle].max(axis=0)[::-1], shares[:, middle + 1 :].min(axis=0)
    open_ = (low > CERTAIN * SCALE) | (high < (1 - CERTAIN) * SCALE)  # by spread from 1
    reach = max(LEAST_REACH, int(np.flatnonzero(open_).max(initial=-1)) + 2)
    reach = min(reach, middle, MOST_SWING)
    return shares[:, middle - reach : middle + reach + 1]


# -- what is done so far ---------------------------------------------------------------------------


class _Folder(Workplace):
    """Swings counted so far."""

    def __init__(self, out: Path, plan: Plan) -> None:
        super().__init__(out, plan.record() | {"name": plan.name, "chunk": CHUNK})
        self._rules = plan.rules

    def read(self) -> tuple[int, SwingCounts]:
        """Chunks that are done, and the swings of these; none where the file is damaged."""
        try:
            header, numbers = read_packed(
                self.path / "swings", _KIND, "file of swings", _MAX_NUMBERS
            )
            return int(header["chunks"]), SwingCounts(self._rules, numbers.view(np.int64))
        except (LexiconFileError, ValueError, KeyError, TypeError):
            return 0, SwingCounts(self._rules)

    def write(self, chunks: int, counts: SwingCounts) -> None:
        """Raises LexiconFileError."""
        numbers = counts.sums().view("<i4")
        write_packed(self.path / "swings", _KIND, {"chunks": chunks}, numbers, level=1)
