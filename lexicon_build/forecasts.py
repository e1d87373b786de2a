"""How good forecasts of results are: Brier score and calibration."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

BINS = 10

Floats = NDArray[np.float64]


@dataclass
class Forecasts:
    """Sums over forecasts (0 to 1) and what came of them; ``add`` changes them."""

    squares: float = 0.0  #: of forecast less result
    counts: Floats = field(default_factory=lambda: np.zeros(BINS))  #: by bin of the forecast
    expected: Floats = field(default_factory=lambda: np.zeros(BINS))  #: sum of forecasts
    observed: Floats = field(default_factory=lambda: np.zeros(BINS))  #: sum of results

    def add(self, forecasts: Floats, results: Floats) -> None:
        """Forecasts, and results of 1, 0.5 or 0."""
        bins = np.minimum(forecasts * BINS, BINS - 1).astype(np.int64)
        self.squares += float(np.square(forecasts - results).sum())
        self.counts += np.bincount(bins, minlength=BINS)
        self.expected += np.bincount(bins, forecasts, BINS)
        self.observed += np.bincount(bins, results, BINS)

    @property
    def brier(self) -> float:
        """Mean square of forecast less result; NaN for none."""
        number = self.counts.sum()
        return float(self.squares / number) if number else float("nan")

    def bins(self) -> list[tuple[int, float, float]]:
        """Of each bin: forecasts, their mean, mean of the results; NaN in an empty one."""
        with np.errstate(invalid="ignore"):
            means = self.expected / self.counts, self.observed / self.counts
        return list(zip(*(column.tolist() for column in (self.counts.astype(int), *means))))

    @property
    def worst(self) -> float:
        """Greatest difference of the means of a bin, as a share."""
        return max((abs(expected - got) for n, expected, got in self.bins() if n), default=0.0)

    def record(self) -> dict[str, Any]:
        """All of it as JSON takes it."""
        rows = [row for row in self.bins() if row[0]]
        return {
            "positions": int(self.counts.sum()),
            "brier": round(self.brier, 6),
            "bins": {
                "positions": [number for number, _, _ in rows],
                "forecast": [round(forecast, 5) for _, forecast, _ in rows],
                "result": [round(result, 5) for _, _, result in rows],
            },
        }
