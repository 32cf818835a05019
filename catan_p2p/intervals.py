"""The uncertainty of figures: confidence intervals of shares and means, and the p-value of chi-square."""

from collections.abc import Iterable, Sequence
from math import exp, sqrt
from random import Random
from statistics import fmean
from typing import NamedTuple

_Z = 1.959963984540054
"""Standard errors on each side that cover 95 % of a normal distribution."""
RESAMPLES = 2000
MOST_RESAMPLED = 1000
"""At most this many values are drawn for each resample. More values are first averaged in this many groups."""
_SEED = 1
LEAST_EXPECTED = 5
"""The least expected count of every outcome for which chi-square means anything: the usual rule of five."""


class Interval(NamedTuple):
    """The bounds that contain a value with 95 % confidence."""

    low: float
    high: float


def wilson(found: float, count: float) -> Interval:
    """The interval of a share, ``found`` of ``count``, by Wilson's score; from 0 to 1 if nothing was counted.

    For observations that depend on one another, pass smaller numbers: those of as many independent observations as
    carry the same information.

    Unlike Wald's interval it has a width even if all or none were found, and stays between 0 and 1.
    """
    if not count:
        return Interval(0.0, 1.0)
    share, z2 = found / count, _Z * _Z
    centre = (share + z2 / (2 * count)) / (1 + z2 / count)
    half = _Z * sqrt(share * (1 - share) / count + z2 / (4 * count * count)) / (1 + z2 / count)
    # In exact arithmetic these bounds are 0 and 1; rounding must not leave them at 1e-17.
    return Interval(max(0.0, centre - half) if found else 0.0, min(1.0, centre + half) if found < count else 1.0)


def bootstrap_mean(values: Sequence[float], resamples: int = RESAMPLES) -> Interval | None:
    """The interval of a mean, by resampling the values; the same values give the same interval.

    None for fewer than two values: a single value says nothing about the spread. More than ``MOST_RESAMPLED`` values
    are averaged in that many groups, and the means of the groups are resampled: the interval is as wide, and computing
    it takes no longer.
    """
    if len(values) > MOST_RESAMPLED:
        values = [fmean(values[first::MOST_RESAMPLED]) for first in range(MOST_RESAMPLED)]
    count = len(values)
    if count < 2:
        return None
    rng = Random(_SEED)
    return middle(sum(rng.choices(values, k=count)) / count for _ in range(resamples))


def middle(drawn: Iterable[float]) -> Interval:
    """The bounds of the middle 95 % of the drawn values: the interval of the percentile bootstrap."""
    ordered = sorted(drawn)
    last = len(ordered) - 1
    return Interval(ordered[round(0.025 * last)], ordered[round(0.975 * last)])


def chi_square_p(statistic: float, degrees: int) -> float:
    """The probability that chance alone makes chi-square at least this large.

    ``ValueError`` unless the ``degrees`` of freedom are even, as the ten of two dice are.
    """
    if degrees < 2 or degrees % 2:
        raise ValueError(f"{degrees} degrees of freedom: expected an even number from 2 on")
    # For even degrees the tail is a sum of Poisson terms, so no library for the gamma function is needed.
    term = total = 1.0
    for i in range(1, degrees // 2):
        term *= statistic / 2 / i
        total += term
    return exp(-statistic / 2) * total
