"""Intervals: what they are worth with few values, and against published numbers."""

from random import Random

import pytest

from catan_p2p.intervals import Interval, bootstrap_mean, chi_square_p, wilson
from tests.for_each import for_each


@for_each(
    ("found", "count", "low", "high"),
    [(0, 2, 0.0, 0.6576), (1, 2, 0.0945, 0.9055), (2, 2, 0.3424, 1.0), (81, 263, 0.2553, 0.3662)],
)
def test_wilsons_interval_is_the_published_one(found: int, count: int, low: float, high: float) -> None:
    """The last one is Newcombe's example (Statistics in Medicine 17, 1998, page 861)."""
    assert wilson(found, count) == pytest.approx((low, high), abs=6e-5)


def test_wilsons_interval_has_a_width_and_stays_between_none_and_all() -> None:
    for count in range(1, 40):
        for found in range(count + 1):
            low, high = wilson(found, count)
            assert 0 <= low <= found / count <= high <= 1
            assert high - low > 0.05
    assert wilson(0, 0) == Interval(0.0, 1.0)


def test_an_interval_of_a_mean_needs_two_values_and_is_the_same_every_time() -> None:
    assert bootstrap_mean([]) is None
    assert bootstrap_mean([3.0]) is None
    values = [Random(5).gauss(10, 2) for _ in range(50)]
    assert bootstrap_mean(values) == bootstrap_mean(values)


def test_intervals_of_means_hold_the_true_mean_about_so_often() -> None:
    rng = Random(7)
    held = 0
    for _ in range(200):
        found = bootstrap_mean([rng.expovariate(0.5) for _ in range(60)], resamples=200)
        assert found is not None
        held += found.low <= 2 <= found.high
    assert 175 <= held <= 199


def test_the_interval_of_many_values_is_as_wide_as_if_all_were_drawn() -> None:
    """The mean of 4,000 values with deviation 2 has a standard error of 0.032."""
    rng = Random(3)
    values = [rng.gauss(10, 2) for _ in range(4000)]
    found = bootstrap_mean(values)
    assert found is not None
    assert found.high - found.low == pytest.approx(2 * 1.96 * 2 / 4000**0.5, rel=0.1)
    assert found.low < sum(values) / len(values) < found.high


@pytest.mark.parametrize(("statistic", "p"), [(18.307, 0.05), (9.342, 0.5), (0.0, 1.0), (23.209, 0.01)])
def test_chi_square_is_as_often_so_large_as_the_tables_say(statistic: float, p: float) -> None:
    assert chi_square_p(statistic, 10) == pytest.approx(p, abs=1e-4)
    with pytest.raises(ValueError, match="even"):
        chi_square_p(statistic, 9)
