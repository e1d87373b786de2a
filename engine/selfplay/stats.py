"""Intervals, Elo differences and the sequential test of matches.

The unit is the *pair*: two games on the same draws with the seats swapped. The halves of a pair
are not independent, so every variance is that of pairs, never of single games. What is kept of n
pairs are sums of integers, so results do not depend on the order of adding. The 95 % intervals
hold for a number of pairs that was fixed beforehand; where the sequential test stops a match early
they are a little too narrow.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from engine.errors import QuixotryError
from engine.selfplay.checks import expect

Z95 = 1.959963984540054
RESULTS = 5  #: of a pair: 0, 1/2, 1, 3/2, 2 points
_PSEUDO = 1e-3  #: stands for a count of 0, so that every result stays possible


@dataclass(frozen=True)
class Estimate:
    """A value with its 95 % interval; bounds are infinite where nothing can be said."""

    value: float
    low: float
    high: float


def t95(degrees: int) -> float:
    """The 97.5 % point of Student's t, within 1 % for 5 degrees of freedom or more.

    The expansion of Fisher & Cornish (1960) at the normal distribution's. Infinite for none.
    """
    if degrees < 1:
        return math.inf
    z = Z95
    first = (z**3 + z) / 4
    second = (5 * z**5 + 16 * z**3 + 3 * z) / 96
    third = (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384
    return z + first / degrees + second / degrees**2 + third / degrees**3


def _around(value: float, variance: float, n: int) -> Estimate:
    """value +- t * sqrt(variance / n)."""
    if n < 2:
        return Estimate(value, -math.inf, math.inf)
    error = t95(n - 1) * math.sqrt(max(0.0, variance) / n)
    return Estimate(value, value - error, value + error)


def mean_interval(n: int, total: int, squares: int, scale: float = 1.0) -> Estimate:
    """The mean of n values with the sum ``total`` and the sum of squares ``squares``; all of it
    divided by ``scale``. Raises ValueError for n < 1."""
    if n < 1:
        raise ValueError("no values")
    variance = (n * squares - total * total) / (n * (n - 1)) if n > 1 else 0.0
    return _around(total / n / scale, variance / scale**2, n)


def ratio_interval(n: int, x: int, y: int, xx: int, xy: int, yy: int) -> Estimate:
    """Sum of x over sum of y of n pairs (x, y): points a turn.

    The variance is that of the linearised ratio (Cochran, Sampling Techniques, 1977, 6.4).
    ``xx``, ``xy``, ``yy``: sums of products.
    """
    if n < 1 or y == 0:
        raise ValueError("no values")
    ratio = x / y
    if n < 2:
        return _around(ratio, 0.0, n)
    # of the residuals x - ratio * y, whose mean is 0
    variance = (xx - 2 * ratio * xy + ratio * ratio * yy) / (n - 1)
    return _around(ratio, variance / (y / n) ** 2, n)


def share_interval(n: int, total: int, squares: int, whole: int, differ: bool = True) -> Estimate:
    """The mean share of n pairs, each worth 0 to ``whole``, as a part of ``whole``.

    Wilson's interval (1927) with the effective sample size of Korn & Graubard (1998): the number
    of independent games whose share would have the variance seen over the pairs. It stays within
    0 and 1 and is not empty after a clean sweep. ``differ`` False: the halves of all pairs ran
    alike, so that the share is exact.
    """
    if n < 1:
        raise ValueError("no values")
    share = total / (n * whole)
    if not differ:
        return Estimate(share, share, share)
    games = 2.0 * n
    spread = n * squares - total * total
    if n > 1 and spread > 0 and 0 < share < 1:
        games = share * (1 - share) / (spread / (n * (n - 1)) / whole**2 / n)
    z = t95(n - 1) if n > 5 else t95(5)
    middle = (share + z * z / (2 * games)) / (1 + z * z / games)
    reach = math.sqrt(share * (1 - share) / games + z * z / (4 * games * games))
    reach *= z / (1 + z * z / games)
    low, high = max(0.0, middle - reach), min(1.0, middle + reach)
    return Estimate(share, min(share, low), max(share, high))


# -- Elo -------------------------------------------------------------------------------------------


def elo(share: float) -> float:
    """The difference in Elo points that gives a win share: -400 log10(1 / share - 1)."""
    if share <= 0:
        return -math.inf
    return math.inf if share >= 1 else 0.0 - 400 * math.log10(1 / share - 1)


def share_of(elo_: float) -> float:
    """The win share that a difference in Elo points gives."""
    return 1 / (1 + 10 ** (-elo_ / 400))


# -- the sequential test ---------------------------------------------------------------------------


@dataclass(frozen=True)
class Sprt:
    """A generalised sequential probability ratio test (GSPRT) on the results of pairs.

    Hypotheses on the win share s of player A: H0, s = s0 = share_of(elo0), and H1, s = s1 =
    share_of(elo1). With N pairs, of which a part p_k had the result a_k (0, 1/4, 1/2, 3/4 or 1),

        LLR = N * sum over k of p_k * log(q1_k / q0_k),

    where q_j is the distribution of greatest likelihood whose mean is s_j,

        q_j_k = p_k / (1 + t * (a_k - s_j)),  with the t that makes the sum over k of
        p_k * (a_k - s_j) / (1 + t * (a_k - s_j)) zero.

    The test accepts H1 ("A") once LLR >= log((1 - beta) / alpha) and H0 ("B") once LLR <=
    log(beta / (1 - alpha)) (Wald 1945). Results that have not come up count as a thousandth of a
    pair. Source: M. Van den Bergh, "A Practical Introduction to the GSPRT" (2020), after X. Li,
    J. Liu and Z. Ying, "Generalized Sequential Probability Ratio Test for Separate Families of
    Hypotheses" (2014); as in the testing of chess engines.

    With the defaults "A" says that A is the stronger one, "B" that B is: a player 5 Elo points
    stronger is called the weaker one with a probability of at most about alpha.
    """

    elo0: float = -5.0
    elo1: float = 5.0
    alpha: float = 0.05
    beta: float = 0.05

    def __post_init__(self) -> None:
        """Raises QuixotryError for hypotheses or error rates that make no test."""
        for name in ("elo0", "elo1", "alpha", "beta"):
            expect(name, getattr(self, name), (int, float), "a number")
        if not -1000 <= self.elo0 < self.elo1 <= 1000:
            raise QuixotryError(
                f"elo0 {self.elo0} and elo1 {self.elo1}: expected elo0 < elo1, both within 1000"
            )
        if not (0 < self.alpha < 0.5 and 0 < self.beta < 0.5):
            raise QuixotryError(f"alpha {self.alpha}, beta {self.beta}: expected 0 to 0.5")

    @property
    def lower(self) -> float:
        """LLR at or below which H0 is accepted."""
        return math.log(self.beta / (1 - self.alpha))

    @property
    def upper(self) -> float:
        """LLR at or above which H1 is accepted."""
        return math.log((1 - self.beta) / self.alpha)

    def llr(self, counts: Sequence[int]) -> float:
        """The log-likelihood ratio after so many pairs of each result (0, 1/2, 1, 3/2, 2)."""
        if not any(counts):
            return 0.0
        weights = [count or _PSEUDO for count in counts]
        low, high = share_of(self.elo0), share_of(self.elo1)
        t0, t1 = _tilt(weights, low), _tilt(weights, high)
        return math.fsum(
            weight * (math.log1p(t0 * (k / 4 - low)) - math.log1p(t1 * (k / 4 - high)))
            for k, weight in enumerate(weights)
        )

    def verdict(self, counts: Sequence[int]) -> str:
        """``A`` (H1), ``B`` (H0) or ``undecided``."""
        llr = self.llr(counts)
        return "A" if llr >= self.upper else "B" if llr <= self.lower else "undecided"


def _tilt(weights: Sequence[float], share: float) -> float:
    """The t of Sprt's docstring, by bisection: the sum falls as t grows."""
    values = [k / 4 - share for k in range(RESULTS)]
    low, high = -1 / values[-1], -1 / values[0]
    for _ in range(200):
        t = (low + high) / 2
        if not low < t < high:
            break
        if math.fsum(w * v / (1 + t * v) for w, v in zip(weights, values, strict=True)) > 0:
            low = t
        else:
            high = t
    return t
