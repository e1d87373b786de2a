"""Pieces of work on threads, processes and clusters."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from engine.errors import QuixotryError
from engine.selfplay.pool import Workers, default_count, run

THREADS = [Workers(), Workers("threads", 3)]
EVERYBODY = [*THREADS, Workers("processes", 2), Workers("cluster", address="local:2")]


@dataclass(frozen=True)
class Square:
    """The square of a number and who made it; ``bad`` is refused."""

    bad: int = -1

    def __call__(self, number: int) -> tuple[int, int]:
        if number == self.bad:
            raise QuixotryError(f"no square of {number}")
        time.sleep(0.002 * (number % 3))
        return number * number, os.getpid()


@dataclass(frozen=True)
class KillsItself:
    """Kills the process that does piece 5, ``times`` times."""

    folder: Path
    times: int

    def __call__(self, number: int) -> int:
        marks = len(list(self.folder.iterdir()))
        if number == 5 and marks < self.times:
            (self.folder / str(marks)).touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return -number


class Strange(Exception):
    def __init__(self, one: int, two: int) -> None:
        super().__init__(f"{one} and {two}")


def raise_strange(number: int) -> int:
    raise Strange(number, number)


def _name(workers: Workers) -> str:
    return workers.address or f"{workers.count} {workers.kind}"


@pytest.mark.parametrize("workers", EVERYBODY, ids=_name)
def test_results_come_in_the_order_asked_for(workers: Workers) -> None:
    numbers = [*range(20, 0, -1), 40, 30]
    results = list(run(Square(), numbers, workers))
    assert [(number, square) for number, (square, _) in results] == [(n, n * n) for n in numbers]
    others = {pid for _, (_, pid) in results} - {os.getpid()}
    assert bool(others) == (workers.kind != "threads")
    assert list(run(Square(), [], workers)) == []


@pytest.mark.parametrize("workers", EVERYBODY, ids=_name)
def test_what_a_task_raises_comes_in_its_place(workers: Workers) -> None:
    results = run(Square(bad=4), range(10), workers)
    assert [next(results)[0] for _ in range(4)] == [0, 1, 2, 3]
    with pytest.raises(QuixotryError, match="no square of 4"):
        next(results)


def test_an_exception_that_cannot_travel_still_says_what_it_was() -> None:
    with pytest.raises(RuntimeError, match="Strange: 0 and 0"):
        list(run(raise_strange, [0], Workers("processes")))


@pytest.mark.parametrize("workers", [*THREADS, Workers("processes", 2)], ids=_name)
def test_no_work_far_ahead_of_what_is_taken(workers: Workers) -> None:
    begun = []

    def numbers() -> Iterator[int]:
        for number in range(1_000_000_000):
            begun.append(number)
            yield number

    results = run(Square(), numbers(), workers)
    for _ in range(10):
        next(results)
    time.sleep(0.1)
    assert len(begun) <= 10 + 4 * workers.count
    results.close()  # type: ignore[attr-defined]
    assert not [t for t in threading.enumerate() if t.name.startswith("selfplay")]


@pytest.mark.parametrize("workers", EVERYBODY[2:], ids=_name)
def test_a_killed_worker_costs_nothing_but_time(workers: Workers) -> None:
    got = []
    for number, (square, pid) in run(Square(), range(40), workers):
        got.append((number, square))
        if number in (3, 4, 20):
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                assert number == 4  # the one killed a moment ago
    assert got == [(number, number * number) for number in range(40)]


def test_work_that_kills_its_process_is_tried_again(tmp_path: Path) -> None:
    task = KillsItself(tmp_path, 2)
    results = list(run(task, range(10), Workers("processes", 2)))
    assert results == [(number, -number) for number in range(10)]


def test_work_that_always_kills_its_process_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(QuixotryError, match=r"piece 5 .* 3 times .*-9"):
        list(run(KillsItself(tmp_path, 99), range(10), Workers("processes", 2)))


@pytest.mark.parametrize(
    ("kind", "count", "address"),
    [("fibres", 1, ""), ("threads", 0, ""), ("threads", 5000, ""), ("threads", 1, "local:2"),
     ("cluster", 1, "")],
)  # fmt: skip
def test_workers_that_cannot_be(kind: str, count: int, address: str) -> None:
    with pytest.raises(QuixotryError):
        Workers(kind, count, address)


@pytest.mark.parametrize(
    "address", ["local:0", "local:two", "nowhere", "tcp://127.0.0.1:1", "foo://127.0.0.1:1"]
)
def test_a_cluster_that_is_not_there(address: str) -> None:
    begun = time.monotonic()
    with pytest.raises(QuixotryError, match=address):
        list(run(Square(), [1], Workers("cluster", address=address)))
    assert time.monotonic() - begun < 10


def test_there_is_a_processor() -> None:
    assert default_count() >= 1
