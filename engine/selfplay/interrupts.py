"""Ctrl-C is for the process that asked for the work, not for those that do it."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing import resource_tracker


@contextmanager
def interrupts_held() -> Iterator[None]:
    """Ctrl-C waits; processes and threads that are begun meanwhile never hear of it: it is for the
    process that asked, which ends them."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    resource_tracker.ensure_running()  # else started with the first process, and it lets signals in
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
