"""A match: two static players in seat-swapped pairs of games on the same draws.

Both games of pair n are game number n of the seed, so they have the same first racks and the same
bag; in the first one player A begins, in the second player B. Identical players play the same game
twice, which counts for nothing: the luck of the draw mostly cancels out. What a match says depends
on its arguments only, not on the workers: pairs are played in chunks of CHUNK, and after each
chunk, in order, the sequential test is asked whether to go on.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass, field, replace
from functools import cached_property
from types import NoneType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.players.static import StaticPlayer
from engine.rules.rules import Rules
from engine.selfplay.batch import Batch, check_seed
from engine.selfplay.checks import check_progress, expect, whole
from engine.selfplay.pool import Workers, check_workers, run
from engine.selfplay.stats import (
    RESULTS,
    Estimate,
    Sprt,
    elo,
    mean_interval,
    ratio_interval,
    share_interval,
)
from engine.selfplay.summary import described, leaves_name

MAX_PAIRS = 10**9
CHUNK = 100  #: pairs played, and counted, at a time
ORDERS = ((0, 1), (1, 0))  #: players of the two games of a pair, in the order of play

#: A pair: [game, player], player 0 is A. ``made``: points before the adjustment at the end.
PAIR = np.dtype(
    [
        ("score", "i4", (2, 2)),
        ("made", "i4", (2, 2)),
        ("bingos", "i2", (2, 2)),
        ("turns", "i2", (2, 2)),
    ]
)


@dataclass(frozen=True)
class MatchTask:
    """The chunks of a match, by number; can be pickled."""

    rules: Rules
    players: tuple[StaticPlayer, StaticPlayer]
    pairs: int
    seed: int

    @cached_property
    def _batch(self) -> Batch:
        return Batch(self.rules, self.players)

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name != "_batch"}

    @property
    def chunks(self) -> int:
        """Number of chunks."""
        return -(-self.pairs // CHUNK)

    def __call__(self, number: int) -> NDArray[np.void]:
        """The pairs (PAIR) of a chunk."""
        first = number * CHUNK
        rows = np.zeros(min(CHUNK, self.pairs - first), PAIR)
        for game, order in enumerate(ORDERS):
            _, played = self._batch.play(self.seed, first, len(rows), order=order, record=False)
            seats = list(order)
            rows["score"][:, game, seats] = played["score"][:, :2]
            rows["made"][:, game, seats] = (played["score"] - played["adjustment"])[:, :2]
            rows["bingos"][:, game, seats] = played["bingos"][:, :2]
            rows["turns"][:, game, seats] = played["player_turns"][:, :2]
        return rows


@dataclass
class Sums:
    """Number, sum and sum of squares of integers."""

    n: int = 0
    total: int = 0
    squares: int = 0

    def add(self, values: NDArray[Any]) -> None:
        values = values.astype(np.int64)
        self.n += len(values)
        self.total += int(values.sum())
        self.squares += int((values * values).sum())


@dataclass
class PlayerTally:
    """What one player did: sums over pairs (both games together), and games by value."""

    score: Sums = field(default_factory=Sums)
    made: Sums = field(default_factory=Sums)
    bingos: Sums = field(default_factory=Sums)
    turns: Sums = field(default_factory=Sums)
    made_by_turns: int = 0  #: sum of products
    games: dict[str, Counter[int]] = field(
        default_factory=lambda: {name: Counter() for name in ("score", "bingos", "turns")}
    )

    def add(self, rows: NDArray[np.void], player: int) -> None:
        for name in ("score", "made", "bingos", "turns"):
            getattr(self, name).add(rows[name][:, :, player].sum(axis=1))
        made = rows["made"][:, :, player].sum(axis=1, dtype=np.int64)
        turns = rows["turns"][:, :, player].sum(axis=1, dtype=np.int64)
        self.made_by_turns += int((made * turns).sum())
        for name, counter in self.games.items():
            _count(counter, rows[name][:, :, player])

    @property
    def score_per_turn(self) -> Estimate:
        """Points a turn, exchanges and passes included, without the adjustment at the end."""
        made, turns = self.made, self.turns
        return ratio_interval(
            made.n, made.total, turns.total, made.squares, self.made_by_turns, turns.squares
        )

    def per_game(self, name: str) -> Estimate:
        """Mean a game of ``score``, ``bingos`` or ``turns``."""
        sums: Sums = getattr(self, name)
        return mean_interval(sums.n, sums.total, sums.squares, 2)


def _count(counter: Counter[int], values: NDArray[Any]) -> None:
    for value, times in zip(*np.unique(values, return_counts=True), strict=True):
        counter[int(value)] += int(times)


class Tally:
    """The pairs of a match so far, as sums: the same in whatever order they come."""

    def __init__(self, rules: Rules) -> None:
        self._tie = rules.tie
        self.pairs = 0
        self.divergent = 0  #: pairs whose two games did not run alike
        self.results = [0] * RESULTS  #: pairs by points of A: 0, 1/2, 1, 3/2, 2
        self.first = [0] * RESULTS  #: pairs by points of those who began
        self.games = [0, 0, 0]  #: games that A lost, drew, won
        self.spread = Sums()  #: of A, over pairs
        self.spreads: Counter[int] = Counter()  #: of A, games by spread
        self.players = (PlayerTally(), PlayerTally())

    def add(self, rows: NDArray[np.void]) -> None:
        """Count some pairs (PAIR)."""
        self.pairs += len(rows)
        alike = np.ones(len(rows), bool)
        for name in rows.dtype.names or ():
            alike &= (rows[name][:, 0] == rows[name][:, 1, ::-1]).all(axis=1)
        self.divergent += int((~alike).sum())
        spread = rows["score"][:, :, 0] - rows["score"][:, :, 1]
        won = np.sign(spread)
        if self._tie == "before_adjustment":
            before = np.sign(rows["made"][:, :, 0] - rows["made"][:, :, 1])
            won = np.where(won == 0, before, won)
        for value in range(3):
            self.games[value] += int((won == value - 1).sum())
        for counts, points in (
            (self.results, won.sum(axis=1)),
            (self.first, won[:, 0] - won[:, 1]),
        ):
            for value in range(RESULTS):
                counts[value] += int((points == value - 2).sum())
        self.spread.add(spread.sum(axis=1))
        _count(self.spreads, spread)
        for player, tally in enumerate(self.players):
            tally.add(rows, player)

    @property
    def win_share(self) -> Estimate:
        """Points of A as a part of all, a draw half a point."""
        return self._share(self.results)

    @property
    def first_mover_share(self) -> Estimate:
        """Points of those who began as a part of all."""
        return self._share(self.first, exact=False)

    def _share(self, counts: list[int], exact: bool = True) -> Estimate:
        total = sum(value * count for value, count in enumerate(counts))
        squares = sum(value * value * count for value, count in enumerate(counts))
        differ = self.divergent > 0 or not exact
        return share_interval(self.pairs, total, squares, RESULTS - 1, differ)

    @property
    def mean_spread(self) -> Estimate:
        """Points by which A is ahead at the end of a game, mean."""
        return mean_interval(self.spread.n, self.spread.total, self.spread.squares, 2)

    @property
    def elo(self) -> Estimate:
        """The difference in Elo points that the win share stands for."""
        share = self.win_share
        return Estimate(elo(share.value), elo(share.low), elo(share.high))


@dataclass(frozen=True)
class MatchResult:
    """How a match went. ``tally``: every figure with its interval; ``sprt``: ``A``, ``B``,
    ``undecided``, or ``off``; ``llr``: the test's log-likelihood ratio, 0 without a test."""

    rules: Rules
    players: tuple[StaticPlayer, StaticPlayer]
    seed: int
    tally: Tally
    sprt: str
    llr: float

    def __repr__(self) -> str:
        return f"<MatchResult {self.summary().splitlines()[0]}>"

    def to_dict(self) -> dict[str, Any]:
        """Every figure by name, for JSON; None where a bound is infinite. Those of both players
        are lists, A first. Intervals end in ``_low`` and ``_high``."""
        tally = self.tally
        lost, drawn, won = tally.games
        found: dict[str, Any] = {
            "players": [player.name for player in self.players],
            "lexicons": [player.lexicon.info.name for player in self.players],
            "leaves": [leaves_name(player) for player in self.players],
            "rules": self.rules.name,
            "seed": self.seed,
            "pairs": tally.pairs,
            "divergent_pairs": tally.divergent,
            "pair_results": tally.results,
            "won": won,
            "drawn": drawn,
            "lost": lost,
        }
        for name, estimate in (
            ("win_share", tally.win_share),
            ("spread", tally.mean_spread),
            ("elo", tally.elo),
            ("first_mover_share", tally.first_mover_share),
        ):
            for key, value in _bounds(name, estimate):
                found[key] = _finite(value)
        for name in ("score", "bingos", "turns", "score_per_turn"):
            both = [self._of_player(name, player) for player in tally.players]
            for (key, one), (_, other) in zip(
                _bounds(name, both[0]), _bounds(name, both[1]), strict=True
            ):
                found[key] = [_finite(one), _finite(other)]
        return found | {"llr": round(self.llr, 4), "sprt": self.sprt}

    @staticmethod
    def _of_player(name: str, player: PlayerTally) -> Estimate:
        if name == "score_per_turn":
            return player.score_per_turn
        found = player.per_game(name)
        if name == "score" or not math.isfinite(found.low):  # a score may be below 0
            return found
        return replace(found, low=max(0.0, found.low))

    def rows(self) -> list[tuple[str, str, str]]:
        """(what, value, its 95 % interval) of every figure, as text."""
        tally = self.tally
        share, first, elo_ = tally.win_share, tally.first_mover_share, tally.elo
        lost, drawn, won = tally.games
        rows = [
            ("pairs", str(tally.pairs), f"{tally.divergent} of them diverged"),
            ("games won, drawn, lost by A", f"{won}, {drawn}, {lost}", ""),
            ("win share of A, %", *_texts(share, ".2f", 100)),
            ("Elo difference", *_texts(elo_, "+.1f")),
            ("spread of A", *_texts(tally.mean_spread, "+.2f")),
            ("share of who began, %", *_texts(first, ".2f", 100)),
        ]
        for what, name, form in (
            ("score", "score", ".1f"),
            ("bingos a game", "bingos", ".3f"),
            ("turns a game", "turns", ".2f"),
            ("points a turn", "score_per_turn", ".2f"),
        ):
            for label, player in zip("AB", tally.players, strict=True):
                rows.append((f"{what}, {label}", *_texts(self._of_player(name, player), form)))
        rows.append(("sequential test", self.sprt, f"LLR {self.llr:+.2f}" if self.tested else ""))
        return rows

    @property
    def tested(self) -> bool:
        """Whether a sequential test was made."""
        return self.sprt != "off"

    def title(self) -> str:
        """Who played whom, under which rules."""
        a, b = (described(player) for player in self.players)
        return f"A {a} against B {b}, rules {self.rules.name}, seed {self.seed}"

    def summary(self) -> str:
        """The result as lines of text."""
        rows = self.rows()
        wide, wide_value = (max(len(row[i]) for row in rows) for i in (0, 1))
        lines = [f"{a:<{wide}}  {b:>{wide_value}}  {c}".rstrip() for a, b, c in rows]
        return "\n".join([self.title(), *lines])


def _bounds(name: str, estimate: Estimate) -> Iterator[tuple[str, float]]:
    yield name, estimate.value
    yield f"{name}_low", estimate.low
    yield f"{name}_high", estimate.high


def _finite(value: float) -> float | None:
    return round(value, 6) if math.isfinite(value) else None


def _texts(estimate: Estimate, form: str, factor: float = 1) -> tuple[str, str]:
    """A value and its interval; ``-`` where nothing can be said."""
    value, low, high = (
        format(factor * x + 0.0, form) if math.isfinite(x) else ""
        for x in (estimate.value, estimate.low, estimate.high)
    )
    if low and high:
        return value, f"{low} .. {high}"
    return value or "-", f"{low} or more" if low else f"{high} or less" if high else "-"


def play_match(
    rules: Rules,
    a: StaticPlayer,
    b: StaticPlayer,
    pairs: int,
    seed: int = 0,
    *,
    sprt: Sprt | None = Sprt(),  # noqa: B008 - immutable
    workers: Workers | int | None = None,
    progress: Callable[[Tally, float | None], None] | None = None,
) -> MatchResult:
    """Play up to ``pairs`` pairs of games of ``a`` against ``b``.

    Stops after the first chunk at which ``sprt`` (None: no test) is sure. ``progress`` is called
    after every chunk with the tally and the test's log-likelihood ratio (None without a test). The
    result is the same for any ``workers``: a number of threads or Workers (None: one thread).
    Raises QuixotryError.
    """
    expect("rules", rules, Rules, "Rules")
    pairs = whole("pairs", pairs, 1, MAX_PAIRS)
    check_seed(seed)
    for name, player in (("a", a), ("b", b)):
        expect(name, player, StaticPlayer, "a StaticPlayer")
        player.check_rules(rules)
    expect("sprt", sprt, (Sprt, NoneType), "an Sprt or None")
    workers = check_workers(workers)
    check_progress(progress)
    task = MatchTask(rules, (a, b), pairs, seed)
    _ = task._batch  # raises here what is wrong with rules and players
    tally = Tally(rules)
    verdict, llr = "undecided" if sprt else "off", 0.0
    with closing(run(task, range(task.chunks), workers)) as chunks:  # type: ignore[type-var]
        for _number, rows in chunks:
            tally.add(rows)
            if sprt:
                llr, verdict = sprt.llr(tally.results), sprt.verdict(tally.results)
            if progress:
                progress(tally, llr if sprt else None)
            if verdict in ("A", "B"):
                break
    return MatchResult(rules, (a, b), seed, tally, verdict, llr)
