"""Work on a Dask cluster: a scheduler that runs somewhere, or one started here for the occasion.

The scheduler gives the work of a killed worker to another, and a local cluster starts a new one.
"""

from __future__ import annotations

import logging
import pickle
import re
import socket
import uuid
import warnings
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack
from itertools import islice
from typing import Any, TypeVar

from engine.errors import QuixotryError
from engine.selfplay.interrupts import interrupts_held

R = TypeVar("R")

_AHEAD = 2  # pieces handed out a thread of the cluster
_SECONDS = 30  # to wait for a scheduler and its first worker


def _do(task: Callable[[int], R], number: int) -> R:
    return task(number)


def local_count(address: str) -> int | None:
    """N of ``local:N``; None for another address. Raises QuixotryError for a bad number."""
    if not address.startswith("local"):
        return None
    found = re.fullmatch(r"local:([1-9]\d{0,2})", address)
    if found is None:
        raise QuixotryError(f"cluster {address!r}, expected local:N with N from 1 to 999")
    return int(found[1])


def check_cluster(address: str) -> None:
    """Raise QuixotryError where ``address`` is none or Dask is not installed."""
    local_count(address)
    _distributed()


def _distributed() -> Any:
    try:
        import distributed
    except ImportError:
        raise QuixotryError(
            "a cluster needs Dask: pip install 'quixotry[cluster]' (or distributed)"
        ) from None
    return distributed


def _knock(address: str) -> None:
    """Raise OSError or ValueError where nobody listens: cheaper to find out than with a client."""
    from distributed.comm.addressing import parse_address, parse_host_port
    from distributed.comm.registry import get_backend

    scheme, place = parse_address(address)
    get_backend(scheme)
    host, port = parse_host_port(place)
    if scheme in ("tcp", "tls"):
        socket.create_connection((host, port), _SECONDS).close()


def _local_cluster(count: int) -> Any:
    return _distributed().LocalCluster(
        n_workers=count,
        threads_per_worker=1,
        dashboard_address=None,
        silence_logs=logging.CRITICAL,
    )


def run_cluster(
    task: Callable[[int], R], numbers: Iterable[int], address: str
) -> Iterator[tuple[int, R]]:
    """As pool.run, on the cluster at ``address`` or on ``local:N``."""
    count = local_count(address)
    distributed = _distributed()
    for name in ("distributed", "distributed.nanny", "distributed.scheduler"):
        logging.getLogger(name).setLevel(logging.CRITICAL)  # lost workers are no news
    todo = iter(numbers)
    with ExitStack() as stack:
        try:
            if count is None:
                _knock(address)
            with interrupts_held():  # for the threads and processes begun here
                if count is not None:
                    place = stack.enter_context(_local_cluster(count))
                else:
                    place = address
                client = distributed.Client(place, timeout=_SECONDS, set_as_default=False)
                stack.enter_context(client)
            client.wait_for_workers(1, timeout=_SECONDS)
        except (OSError, TimeoutError, ValueError, RuntimeError) as error:
            raise QuixotryError(f"no Dask cluster at {address}: {error}") from None
        blob = pickle.dumps(task)  # loaded once a worker, and again where a worker is lost
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # it is large, and sent once
            loaded = client.submit(pickle.loads, blob, key=f"task-{uuid.uuid4()}", retries=10)
        under_way: deque[tuple[int, Any]] = deque()
        while True:
            threads = max(1, sum(client.nthreads().values()))
            for number in islice(todo, max(0, _AHEAD * threads - len(under_way))):
                future = client.submit(_do, loaded, number, pure=False, retries=0)
                under_way.append((number, future))
            if not under_way:
                return
            number, future = under_way.popleft()
            try:
                result = future.result()
            except distributed.KilledWorker as error:
                raise QuixotryError(
                    f"piece {number} of the work ended its workers: {error}"
                ) from None
            future.release()
            yield number, result
