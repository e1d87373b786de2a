"""A run: so many games of a seed between some players, cut into chunks that workers play.

The chunks of a run are the same whoever plays them; engine/selfplay/folder.py keeps them.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.errors import QuixotryError, shorten
from engine.players.static import StaticPlayer
from engine.rules.rules import MAX_PLAYERS, Rules
from engine.selfplay.batch import Batch, check_seed
from engine.selfplay.checks import check_progress, expect, whole
from engine.selfplay.columns import Columns, join_columns, play_chunk
from engine.selfplay.folder import WHATS, Folder, make_manifest
from engine.selfplay.pool import Workers, check_workers, run
from engine.selfplay.records import arrays_of, check_format, default_format, encode, versions
from engine.selfplay.summary import aligned, described, leaves_name
from engine.selfplay.totals import Totals

DEFAULT_CHUNK = 1000
MAX_CHUNK = 100_000
MAX_GAMES = 10**9

_batch_lock = threading.Lock()


@dataclass(frozen=True)
class Chunk:
    """What playing a chunk gives: its totals, and its files' bytes or its columns if wanted."""

    totals: Totals
    files: tuple[bytes, bytes] | None = None  #: turns, games
    turns: Columns | None = None
    games: Columns | None = None


@dataclass(frozen=True)
class ChunkTask:
    """The task of a run (engine/selfplay/pool.py): number -> Chunk.

    ``keep``: a format, for files; ``memory``, for columns; ``nothing``, for totals only.
    ``versions``: of the process that asked; a worker with others refuses.
    """

    rules: Rules
    players: tuple[StaticPlayer, ...]
    seed: int
    games: int
    chunk: int
    keep: str
    versions: dict[str, str] = field(default_factory=dict, hash=False)

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name != "_batch"}

    def _players(self) -> Batch:
        """The batch, made once a process: threads share it, other processes make their own."""
        with _batch_lock:
            made: Batch | None = self.__dict__.get("_batch")
            if made is None:
                own = versions(self.keep)
                if own != self.versions:
                    raise QuixotryError(f"a worker has {own}, expected {self.versions}")
                made = Batch(self.rules, self.players)
                self.__dict__["_batch"] = made
            return made

    def __call__(self, number: int) -> Chunk:
        first = number * self.chunk
        count = min(self.chunk, self.games - first)
        with_turns = self.keep != "nothing"
        turns, games = play_chunk(self._players(), self.seed, first, count, with_turns)
        totals = Totals.of(games, len(self.players), self.rules.tie)
        if turns is None:
            return Chunk(totals)
        if self.keep == "memory":
            return Chunk(totals, turns=turns, games=games)
        return Chunk(totals, files=(encode(turns, self.keep), encode(games, self.keep)))


@dataclass(frozen=True)
class RunResult:
    """A finished run."""

    rules: Rules
    players: tuple[StaticPlayer, ...]
    seed: int
    totals: Totals
    folder: Path | None  #: of its records
    _source: Callable[[str], Iterator[dict[str, NDArray[Any]]]] = field(repr=False, compare=False)

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the players by number."""
        return tuple(player.name for player in self.players)

    def figures(self) -> dict[str, Any]:
        """The figures of the run as JSON takes them (Totals.figures)."""
        found: dict[str, Any] = {"seed": self.seed, "rules": self.rules.name}
        found |= self.totals.figures(self.names)
        for one, player in zip(found["players"], self.players, strict=True):
            one |= {"lexicon": player.lexicon.info.name, "leaves": leaves_name(player)}
        return found

    def title(self) -> str:
        """How many games under which rules."""
        return f"{self.totals.games:,} games, rules {self.rules.name}, seed {self.seed}"

    def seats(self) -> str:
        """Who the players are, by number."""
        return ", ".join(f"{i} {described(player)}" for i, player in enumerate(self.players))

    def table(self) -> list[tuple[str, ...]]:
        """The figures of each player as text, a row each, below a row of headings."""
        rows: list[tuple[str, ...]] = [
            ("player", "score", "s.d.", "turns", "bingos", "score/turn", "win share (95 %)")
        ]
        for one in self.figures()["players"]:
            low, high = one["win_share_low"], one["win_share_high"]
            rows.append(
                (
                    f"{one['player']} {one['name']}",
                    f"{one['score']:.2f}",
                    f"{one['score_deviation']:.1f}",
                    f"{one['turns']:.2f}",
                    f"{one['bingos']:.3f}",
                    f"{one['score_per_turn']:.2f}",
                    f"{one['win_share']:.2%} ({low:.2%} to {high:.2%})",
                )
            )
        return rows

    def notes(self) -> list[str]:
        """The other figures, a line of text each."""
        figures = self.figures()
        low, high = figures["first_mover_share_low"], figures["first_mover_share_high"]
        ends = ", ".join(f"{end} {number:,}" for end, number in figures["ends"].items())
        mean, deviation = figures["spread"], figures["spread_deviation"]
        return [
            f"who began won {figures['first_mover_share']:.2%} ({low:.2%} to {high:.2%})",
            f"spread of player 0: mean {mean:+.2f}, s.d. {deviation:.1f}",
            f"ended by {ends}",
        ]

    def summary(self) -> str:
        """The figures as lines of text."""
        return "\n".join([self.title(), self.seats(), *aligned(self.table()), *self.notes()])

    def turns(self) -> dict[str, NDArray[Any]]:
        """The columns of all turns (engine/selfplay/columns.py), text as arrays of ``str``."""
        return _joined(self._source("turns"))

    def games(self) -> dict[str, NDArray[Any]]:
        """The columns of all games."""
        return _joined(self._source("games"))

    def to_pandas(self, what: str = "turns") -> Any:
        """``turns`` or ``games`` as a pandas DataFrame. Raises QuixotryError without pandas."""
        if what not in WHATS:
            raise QuixotryError(f"what {shorten(what)}, expected {' or '.join(WHATS)}")
        try:
            import pandas
        except ImportError:
            raise QuixotryError("to_pandas needs pandas: pip install pandas") from None
        return pandas.DataFrame(_joined(self._source(what)))


def _joined(parts: Iterator[dict[str, NDArray[Any]]]) -> dict[str, NDArray[Any]]:
    tables = list(parts)
    if not tables:
        raise QuixotryError("this run kept no records")
    return {name: np.concatenate([table[name] for table in tables]) for name in tables[0]}


def play_run(
    rules: Rules,
    players: Sequence[StaticPlayer],
    *,
    games: int,
    seed: int,
    out: Path | str | None = None,
    workers: Workers | int | None = None,
    form: str | None = None,
    chunk: int = DEFAULT_CHUNK,
    keep: bool = True,
    progress: Callable[[Totals], None] | None = None,
) -> RunResult:
    """Play ``games`` games of a seed; player g modulo their number begins game g.

    ``out``: folder for the records, in ``form`` (None: Parquet if it can be written, else .npz); a
    run that was killed goes on where it stopped. Without it the records are kept in memory, or,
    with ``keep`` False, not at all. The records are the same for any ``workers`` (None: a thread).
    ``progress`` is called with the totals so far, before the first chunk and after each.

    Raises QuixotryError for numbers that cannot be, for a folder that holds another run, for
    workers that fail; LexiconFileError where a file cannot be written.
    """
    players = tuple(players)
    games = whole("games", games, 1, MAX_GAMES)
    chunk = whole("chunk", chunk, 1, MAX_CHUNK)
    _check(rules, players, seed)
    workers = check_workers(workers)
    check_progress(progress)
    form = default_format() if form is None else form
    check_format(form)
    kept = form if out is not None else "memory" if keep else "nothing"
    task = ChunkTask(rules, players, seed, games, chunk, kept, versions(kept))
    numbers = range(-(-games // chunk))
    totals = Totals(len(players))
    if out is None:
        chunks: list[Chunk] = []
        _work(task, numbers, workers, totals, progress, chunks.append if keep else None)

        def source(what: str) -> Iterator[dict[str, NDArray[Any]]]:
            parts = [chunk.turns if what == "turns" else chunk.games for chunk in chunks]
            found = [part for part in parts if part is not None]
            return iter([arrays_of(join_columns(found))] if found else [])

        return RunResult(rules, players, seed, totals, None, source)
    manifest = make_manifest(rules, players, games=games, seed=seed, chunk=chunk, form=form)
    folder = Folder(out, manifest)
    try:
        missing = []
        for number in numbers:
            if folder.has(number):
                totals += Totals.of(dict(folder.read("games", number)), len(players), rules.tie)
            else:
                missing.append(number)
        _work(task, missing, workers, totals, progress, None, folder)
    finally:
        folder.close()

    def stored(what: str) -> Iterator[dict[str, NDArray[Any]]]:
        return (folder.read(what, number) for number in numbers)

    return RunResult(rules, players, seed, totals, folder.path, stored)


def _check(rules: Rules, players: tuple[StaticPlayer, ...], seed: int) -> None:
    expect("rules", rules, Rules, "Rules")
    if not 2 <= len(players) <= MAX_PLAYERS:
        raise QuixotryError(f"{len(players)} players, expected 2 to {MAX_PLAYERS}")
    check_seed(seed)
    for player in players:
        expect("players:", player, StaticPlayer, "a StaticPlayer")
        player.check_rules(rules)


def _work(
    task: ChunkTask,
    numbers: Sequence[int],
    workers: Workers,
    totals: Totals,
    progress: Callable[[Totals], None] | None,
    keep: Callable[[Chunk], None] | None,
    folder: Folder | None = None,
) -> None:
    """Have chunks played, written or kept, and counted."""
    if progress is not None:
        progress(totals)
    if not numbers:
        return
    made = run(task, numbers, workers)
    with closing(made):  # type: ignore[type-var]
        for number, chunk in made:
            if folder is not None and chunk.files is not None:
                folder.write(number, *chunk.files)
            if keep is not None:
                keep(chunk)
            totals += chunk.totals
            if progress is not None:
                progress(totals)
