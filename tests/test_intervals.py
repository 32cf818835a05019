"""Intervals: what they are worth with few values, and against published numbers."""

import sys
from math import inf
from random import Random

import pytest

from catan_p2p.extras import MissingExtra
from catan_p2p.intervals import Interval, MeanSpread, chi_square_p, spread, wilson
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


@pytest.mark.needs("report")
def test_an_interval_of_a_mean_is_the_published_one() -> None:
    """Student's sleep data (Biometrika 6, 1908): ten differences, and the interval that textbooks give for them."""
    gained = [1.2, 2.4, 1.3, 1.3, 0.0, 1.0, 1.8, 0.8, 4.6, 1.4]
    assert spread(gained).interval == pytest.approx((0.7001, 2.4599), abs=5e-5)
    few = spread([1.0, 2.0], Interval(-inf, inf))
    assert few.interval == pytest.approx((1.5 - 12.7062 / 2, 1.5 + 12.7062 / 2), abs=5e-5)


@pytest.mark.needs("report")
def test_an_interval_of_a_mean_has_only_values_that_are_possible() -> None:
    assert spread([1.0, 2.0]).interval == pytest.approx((0, 1.5 + 12.7062 / 2), abs=5e-5)
    assert spread([0.0, 1.0], Interval(0.0, 1.0)).interval == (0.0, 1.0)


@pytest.mark.needs("report")
def test_an_interval_of_a_mean_needs_two_values_and_has_no_width_if_all_are_equal() -> None:
    assert spread([3.0]) == MeanSpread(1, 3.0, 0.0, 3.0) and spread([3.0]).interval is None
    assert spread([1.0, 3.0]).deviation == pytest.approx(2**0.5)
    assert spread([3.0] * 5).interval == (3.0, 3.0)


@pytest.mark.needs("report")
@pytest.mark.parametrize("count", [2, 5, 10, 20])
def test_intervals_of_few_normal_values_hold_the_mean_in_95_of_100_cases(count: int) -> None:
    rng = Random(7)
    intervals = [spread([rng.gauss(10, 2) for _ in range(count)]).interval for _ in range(2000)]
    held = sum(one.low <= 10 <= one.high for one in intervals if one is not None)
    assert 1870 <= held <= 1930  # three deviations


@pytest.mark.needs("report")
@pytest.mark.parametrize(("statistic", "p"), [(18.307, 0.05), (9.342, 0.5), (0.0, 1.0), (23.209, 0.01)])
def test_chi_square_is_as_often_so_large_as_the_tables_say(statistic: float, p: float) -> None:
    assert chi_square_p(statistic, 10) == pytest.approx(p, abs=1e-4)


def test_without_scipy_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "scipy", None)
    monkeypatch.delitem(sys.modules, "scipy.special", raising=False)
    with pytest.raises(MissingExtra, match=r"needs scipy\.special: pip install 'catan-p2p\[report\]'"):
        chi_square_p(18.3, 10)
