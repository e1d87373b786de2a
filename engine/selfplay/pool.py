"""Numbered pieces of work on threads, processes or a Dask cluster; results in the order asked for.

A *task* is called with a number and returns that piece's result, which depends on the number only;
so it does not matter who does it, how often it is begun, or in what order pieces are finished.
Threads are for tasks whose kernels release the GIL; processes and clusters want a task that can be
pickled, a frozen dataclass for instance.
"""

from __future__ import annotations

import multiprocessing
import os
import pickle
import signal
import traceback
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from itertools import islice
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from numbers import Integral
from typing import Any, TypeVar

from engine.errors import QuixotryError, shorten
from engine.selfplay.checks import expect, whole
from engine.selfplay.interrupts import interrupts_held

R = TypeVar("R")
Task = Callable[[int], R]

KINDS = ("threads", "processes", "cluster")
MAX_WORKERS = 1024
MAX_DEATHS = 3  #: of workers that were doing one piece of work; then it is an error
_AHEAD = 2  # pieces handed out a worker: one that it does, one that waits


@dataclass(frozen=True)
class Workers:
    """Who does the work: ``count`` threads or processes, or the cluster at ``address``.

    ``address`` is that of a Dask scheduler (``tcp://host:8786``), or ``local:N``: a cluster of N
    processes on this machine, started for the occasion.
    """

    kind: str = "threads"
    count: int = 1
    address: str = ""

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise QuixotryError(
                f"kind of workers {shorten(self.kind)}, expected {', '.join(KINDS)}"
            )
        whole("workers", self.count, 1, MAX_WORKERS)
        expect("address", self.address, str, "the address of a Dask scheduler, or local:N")
        if (self.kind == "cluster") != bool(self.address):
            raise QuixotryError("an address is given for a cluster, and only for one")


def check_workers(given: Workers | int | None) -> Workers:
    """Workers from what an argument ``workers`` may be: a number of threads, Workers, or None (one
    thread). Raises QuixotryError for anything else."""
    if given is None or isinstance(given, Workers):
        return given or Workers()
    if not isinstance(given, Integral):
        raise QuixotryError(f"workers {shorten(given)}, expected a number of threads, or Workers")
    return Workers(count=whole("workers", given, 1, MAX_WORKERS))


def default_count() -> int:
    """Workers where none are asked for: processors that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def run(task: Task[R], numbers: Iterable[int], workers: Workers) -> Iterator[tuple[int, R]]:
    """(number, ``task(number)``) for each number, in the order given; numbers differ.

    Works a few pieces ahead of what has been taken, no more, so memory does not grow with their
    number. A piece whose process is killed is done again. Raises what the task raises, in its
    place in the order; QuixotryError where a piece ends its process MAX_DEATHS times or a cluster
    cannot be used. Closing the iterator stops the workers.
    """
    if workers.kind == "cluster":
        from engine.selfplay.cluster import run_cluster

        return run_cluster(task, numbers, workers.address)
    if workers.kind == "processes":
        return _run_processes(task, numbers, workers.count)
    return _run_threads(task, numbers, workers.count)


def _run_threads(task: Task[R], numbers: Iterable[int], count: int) -> Iterator[tuple[int, R]]:
    todo = iter(numbers)
    under_way: deque[tuple[int, Future[R]]] = deque()
    pool = ThreadPoolExecutor(count, thread_name_prefix="selfplay")
    try:
        while True:
            for number in islice(todo, _AHEAD * count - len(under_way)):
                under_way.append((number, pool.submit(task, number)))
            if not under_way:
                return
            number, future = under_way.popleft()
            yield number, future.result()
    finally:
        pool.shutdown(cancel_futures=True)


# -- processes -------------------------------------------------------------------------------------


@dataclass
class _Process:
    process: BaseProcess
    pipe: Connection
    held: deque[int] = field(default_factory=deque)  # given to it, the one under way first
    up: bool = False  # has asked for its task


@dataclass(frozen=True)
class _Failure:
    """An exception of a task, on its way to the process that asked."""

    error: BaseException
    trace: str

    @classmethod
    def of(cls, error: Exception) -> _Failure:
        trace = traceback.format_exc()
        try:
            pickle.loads(pickle.dumps(error))
        except Exception:  # an exception may refuse in any way
            error = RuntimeError(f"{type(error).__name__}: {error}")
        return cls(error, trace)


def _serve(pipe: Connection) -> None:
    """A worker process: asks for its task, then numbers in, (number, result or _Failure) out, until
    the pipe closes."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # where it is not blocked (interrupts_held)
    try:
        pipe.send(None)
        task = pipe.recv()
        while True:
            number = pipe.recv()
            try:
                result = task(number)
            except Exception as error:
                result = _Failure.of(error)
            pipe.send((number, result))
    except (EOFError, OSError):
        return


class _Processes:
    """Worker processes; those that end are replaced and their numbers given to others."""

    def __init__(self, task: Task[Any], count: int) -> None:
        self._context = multiprocessing.get_context("spawn")
        self._task = task
        self._again: deque[int] = deque()
        self._deaths: dict[int, int] = {}
        self._stillborn = 0
        self._workers: list[_Process] = []
        try:
            for _ in range(count):
                self._start()
        except BaseException:
            self.close()
            raise

    def _start(self) -> None:
        """Start a worker. It fetches its task, which may be large, when it has come up: one that
        ends before would leave a start that hands over the task waiting for ever."""
        with interrupts_held():
            ours, theirs = self._context.Pipe()
            process = self._context.Process(target=_serve, args=(theirs,), daemon=True)
            process.start()
            theirs.close()
            self._workers.append(_Process(process, ours))

    def give(self, todo: Iterator[int]) -> list[int]:
        """Hand out numbers until every worker has enough; those taken from ``todo``."""
        taken: list[int] = []
        while True:
            worker = min(self._workers, key=lambda worker: len(worker.held))
            if len(worker.held) >= _AHEAD:
                return taken
            if self._again:
                number = self._again.popleft()
            else:
                try:
                    number = next(todo)
                except StopIteration:
                    return taken
                taken.append(number)
            worker.held.append(number)
            if worker.up:
                self._send(worker, number)

    def receive(self) -> list[tuple[int, Any]]:
        """Wait until something happens; the results that came."""
        came = []
        ready = wait([worker.pipe for worker in self._workers])
        for worker in [worker for worker in self._workers if worker.pipe in ready]:
            try:
                message = worker.pipe.recv()
            except (EOFError, OSError):
                self._replace(worker)
                continue
            if message is None:
                worker.up = True
                self._send(worker, self._task, *worker.held)
                continue
            number, result = message
            worker.held.remove(number)
            self._deaths.pop(number, None)
            came.append((number, result))
        return came

    def _send(self, worker: _Process, *messages: Any) -> None:
        try:
            for message in messages:
                worker.pipe.send(message)
        except OSError:  # it has ended
            self._replace(worker)

    def _replace(self, worker: _Process) -> None:
        worker.pipe.close()
        worker.process.join()
        code = worker.process.exitcode
        if not worker.up:
            self._stillborn += 1
            if self._stillborn >= MAX_DEATHS:
                raise QuixotryError(
                    f"worker processes end before they begin (the last one with exit code {code});"
                    " a script that starts them needs 'if __name__ == \"__main__\":'"
                )
        elif worker.held:
            number = worker.held[0]
            self._deaths[number] = self._deaths.get(number, 0) + 1
            if self._deaths[number] >= MAX_DEATHS:
                raise QuixotryError(
                    f"piece {number} of the work ended its process {MAX_DEATHS} times"
                    f" (the last time with exit code {code})"
                )
        self._again.extend(worker.held)
        self._workers.remove(worker)
        self._start()

    def close(self) -> None:
        for worker in self._workers:
            worker.pipe.close()
            worker.process.terminate()
        for worker in self._workers:
            worker.process.join()


def _run_processes(task: Task[R], numbers: Iterable[int], count: int) -> Iterator[tuple[int, R]]:
    todo = iter(numbers)
    order: deque[int] = deque()  # handed out and not taken yet
    done: dict[int, Any] = {}
    pool = _Processes(task, count)
    try:
        while True:
            order.extend(pool.give(islice(todo, 2 * _AHEAD * count - len(order))))
            if not order:
                return
            if order[0] not in done:
                done.update(pool.receive())
                continue
            number = order.popleft()
            result = done.pop(number)
            if isinstance(result, _Failure):
                raise result.error from RuntimeError(result.trace)
            yield number, result
    finally:
        pool.close()
