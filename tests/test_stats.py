"""Intervals, Elo and the sequential test, against simulation and direct maximisation."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.selfplay.stats import (
    Sprt,
    elo,
    mean_interval,
    ratio_interval,
    share_interval,
    share_of,
    t95,
)


@pytest.mark.parametrize(
    ("degrees", "expected"), [(5, 2.5706), (10, 2.2281), (30, 2.0423), (10_000, 1.9602)]
)
def test_students_t(degrees: int, expected: float) -> None:
    assert t95(degrees) == pytest.approx(expected, rel=0.002)


def _sums(values: np.ndarray) -> tuple[int, int, int]:
    return len(values), int(values.sum()), int((values * values).sum())


def test_the_interval_of_a_mean_is_the_textbooks() -> None:
    values = np.array([3, -4, 10, 0, 7, 7, -1, 2, 5, 1])
    found = mean_interval(*_sums(values), scale=2)
    error = 2.2622 * values.std(ddof=1) / math.sqrt(10) / 2
    assert found.value == values.mean() / 2
    assert (found.value - found.low, found.high - found.value) == pytest.approx(
        (error, error), 1e-3
    )


def test_one_value_says_nothing_about_the_spread() -> None:
    found = mean_interval(1, 3, 9)
    assert (found.value, found.low, found.high) == (3, -math.inf, math.inf)


def test_no_values_are_refused() -> None:
    with pytest.raises(ValueError, match="no values"):
        mean_interval(0, 0, 0)
    with pytest.raises(ValueError, match="no values"):
        share_interval(0, 0, 0, 4)


def test_intervals_hold_the_truth_95_times_in_100() -> None:
    """Pairs with correlated halves, shares and ratios."""
    rng = np.random.default_rng(5)
    held = np.zeros(3)
    runs, n = 2000, 60
    weights = [0.08, 0.1, 0.4, 0.12, 0.3]
    share = sum(w * k / 4 for k, w in enumerate(weights))
    for _ in range(runs):
        results = rng.choice(5, n, p=weights)
        turns = rng.integers(20, 29, n)
        points = 36 * turns + rng.integers(-90, 91, n)
        found = (
            (share_interval(*_sums(results), whole=4), share),
            (mean_interval(*_sums(points)), 36 * 24),
            (
                ratio_interval(
                    n, int(points.sum()), int(turns.sum()), int((points**2).sum()),
                    int((points * turns).sum()), int((turns**2).sum()),
                ),
                36,
            ),
        )  # fmt: skip
        held += [estimate.low <= truth <= estimate.high for estimate, truth in found]
    assert held / runs == pytest.approx(0.95, abs=0.02)


@given(st.lists(st.integers(0, 4), min_size=1, max_size=200))
def test_a_share_and_its_interval_stay_within_0_and_1(results: list[int]) -> None:
    found = share_interval(*_sums(np.array(results)), whole=4)
    assert 0 <= found.low <= found.value <= found.high <= 1
    assert found.high - found.low > 0.0


def test_a_clean_sweep_is_no_certainty() -> None:
    found = share_interval(10, 40, 160, 4)
    assert found.value == found.high == 1
    assert 0.7 < found.low < 0.9


def test_pairs_whose_halves_all_ran_alike_are_exact() -> None:
    found = share_interval(10, 20, 40, 4, differ=False)
    assert (found.value, found.low, found.high) == (0.5, 0.5, 0.5)


def test_the_same_share_in_pairs_that_balance_is_surer() -> None:
    """Pairs that split 1 : 1 as a rule tell more than independent games."""
    balanced = share_interval(*_sums(np.array([2] * 90 + [0] * 5 + [4] * 5)), whole=4)
    loose = share_interval(*_sums(np.array([2] * 50 + [0] * 25 + [4] * 25)), whole=4)
    assert balanced.value == loose.value == 0.5
    assert balanced.high - balanced.low < (loose.high - loose.low) / 2


# -- Elo -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("share", "points"), [(0.525, 17), (0.55, 35), (0.634, 95), (0.645, 104), (0.75, 191)]
)
def test_elo(share: float, points: int) -> None:
    assert round(elo(share)) == points
    assert elo(1 - share) == pytest.approx(-elo(share))
    assert share_of(elo(share)) == pytest.approx(share)


def test_elo_without_a_loss_is_infinite() -> None:
    assert (elo(0), elo(1), elo(0.5)) == (-math.inf, math.inf, 0)


# -- the sequential test ---------------------------------------------------------------------------


def _greatest(counts: list[int], share: float) -> float:
    """Log-likelihood of the best distribution with a mean, by a dual search on a fine grid."""
    values = np.arange(5) / 4 - share
    weights = np.array([count or 1e-3 for count in counts])
    parts = weights / weights.sum()
    low, high = -1 / values[-1], -1 / values[0]
    t = np.linspace(low, high, 2_000_003)[1:-1]
    gap = np.abs((parts[:, None] * values[:, None] / (1 + t * values[:, None])).sum(axis=0))
    best = parts / (1 + t[gap.argmin()] * values)
    assert best.sum() == pytest.approx(1, abs=1e-4)
    assert best @ values == pytest.approx(0, abs=1e-4)
    return float(weights @ np.log(best))


@pytest.mark.parametrize(
    "counts", [[10, 20, 60, 25, 15], [0, 0, 7, 0, 0], [100, 3, 40, 0, 260], [0, 0, 0, 0, 4]]
)
def test_the_ratio_is_that_of_the_greatest_likelihoods(counts: list[int]) -> None:
    test = Sprt()
    direct = _greatest(counts, share_of(5)) - _greatest(counts, share_of(-5))
    assert test.llr(counts) == pytest.approx(direct, abs=2e-3)


@given(st.lists(st.integers(0, 1000), min_size=5, max_size=5))
def test_swapping_the_players_swaps_the_verdict(counts: list[int]) -> None:
    test = Sprt()
    assert test.llr(counts) == pytest.approx(-test.llr(counts[::-1]), abs=1e-6)


def test_the_ratio_grows_with_the_wins_of_a() -> None:
    test = Sprt()
    ratios = [test.llr([100 - n, 100, 400, 100, 100 + n]) for n in range(0, 100, 10)]
    assert ratios == sorted(ratios)
    assert test.llr([0, 0, 0, 0, 0]) == 0
    assert test.llr([0, 0, 500, 0, 0]) == pytest.approx(0, abs=1e-9)


def test_near_the_middle_it_is_walds_ratio_of_normal_means() -> None:
    """LLR ~ N (s1 - s0) (mean - (s0 + s1) / 2) / variance for small differences."""
    counts = [900, 1500, 5000, 1560, 1000]
    n, values = sum(counts), np.arange(5) / 4
    mean = np.dot(counts, values) / n
    variance = np.dot(counts, (values - mean) ** 2) / n
    test = Sprt()
    low, high = share_of(-5), share_of(5)
    expected = n * (high - low) * (mean - (low + high) / 2) / variance
    assert test.llr(counts) == pytest.approx(expected, rel=0.01)


def test_bounds_are_walds() -> None:
    test = Sprt()
    assert (test.lower, test.upper) == pytest.approx((-math.log(19), math.log(19)))
    assert test.verdict([0, 0, 0, 0, 150]) == "A"
    assert test.verdict([150, 0, 0, 0, 0]) == "B"
    assert test.verdict([20, 20, 100, 20, 20]) == "undecided"


@pytest.mark.parametrize("true_elo", [-20, 20])
def test_wrong_verdicts_are_rare(true_elo: float) -> None:
    """At the hypotheses themselves, checked every 25 pairs; wider ones keep the test short."""
    test = Sprt(-20, 20)
    rng = np.random.default_rng(11)
    base = np.array([0.12, 0.08, 0.6, 0.08, 0.12])
    move = (share_of(true_elo) - 0.5) / 1.0  # from both losses to both wins: one point of share
    weights = base + np.array([-move, 0, 0, 0, move])
    verdicts = []
    for _ in range(300):
        counts = np.zeros(5, int)
        verdict = "undecided"
        while verdict == "undecided":
            counts += rng.multinomial(25, weights)
            verdict = test.verdict(counts.tolist())
        verdicts.append(verdict)
    wrong = verdicts.count("B" if true_elo > 0 else "A") / len(verdicts)
    assert wrong < 0.08


@pytest.mark.parametrize(
    "given", [{"elo0": 5, "elo1": 5}, {"elo0": math.nan}, {"alpha": 0}, {"beta": 0.5}]
)
def test_hypotheses_that_make_no_test_are_refused(given: dict[str, float]) -> None:
    with pytest.raises(ValueError, match="expected"):
        Sprt(**given)
