"""What every measurement shares: CPU time, the unit of machine speed, the positions.

Figures are CPU seconds, and *per yardstick*: divided by the time of a fixed piece of work done in
the same minute, so that they mean the same on every machine. The yardstick and the positions are
reference data outside the repository (QUIXOTRY_SHARED, default ``../shared``).
"""

from __future__ import annotations

import gzip
import importlib.util
import json
import os
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

REPO = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(REPO))
SHARED = Path(os.environ.get("QUIXOTRY_SHARED") or REPO.parent / "shared")


def cpu_seconds(work: Callable[[], object], runs: int = 5) -> list[float]:
    """CPU seconds of each of some runs, sorted."""
    times = []
    for _ in range(runs):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return sorted(times)


def yardstick(runs: int = 5) -> float:
    """CPU seconds of the unit of work, best of some runs."""
    path = SHARED / "bench" / "yardstick.py"
    spec = importlib.util.spec_from_file_location("yardstick", path)
    if spec is None or spec.loader is None or not path.exists():
        sys.exit(f"no yardstick at {path} (set QUIXOTRY_SHARED)")
    module: Any = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    import numpy as np

    nodes = np.fromfile(module.KWG, dtype="<u4")
    module.work(nodes)
    return cpu_seconds(lambda: module.work(nodes), runs)[0]


def median(values: list[float]) -> float:
    """The middle of some values."""
    return statistics.median(values)


def english_records() -> list[dict[str, Any]]:
    """The 120 English reference positions."""
    path = SHARED / "oracle" / "moves.jsonl.gz"
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        return [record for record in map(json.loads, lines) if "cgp" in record]
