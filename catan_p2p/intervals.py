"""The uncertainty of figures: confidence intervals of shares and means, and the p-value of chi-square."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from math import inf, sqrt
from statistics import fmean, median, stdev
from typing import Any, NamedTuple

from catan_p2p.extras import needed

_Z = 1.959963984540054
"""Standard errors on each side that cover 95 % of a normal distribution."""
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


def has_library() -> bool:
    """Whether intervals of means can be computed: scipy is there."""
    return find_spec("scipy") is not None


FROM_ZERO = Interval(0.0, inf)
"""The values that a count, a size or a time can have."""


@dataclass(frozen=True, slots=True)
class MeanSpread:
    """The mean of ``count`` values, their standard deviation (of the sample; 0 for a single value), and the median.

    ``possible`` has the least and the largest value that there can be.
    """

    count: int
    mean: float
    deviation: float
    median: float
    possible: Interval = FROM_ZERO

    @property
    def interval(self) -> Interval | None:
        """The interval of the mean; None without scipy, and for a single value, which has no spread.

        It is Student's t (Biometrika 6, 1908), without what no mean of possible values can be: the intersection with
        the physical region (Mandelkern, Statistical Science 17, 2002), which contains the mean as often. How often that
        is if values are few and lopsided, ``benchmarks.coverage`` measures.
        """
        if self.count < 2 or not has_library():
            return None
        half = float(_special().stdtrit(self.count - 1, 0.975)) * (self.deviation / sqrt(self.count))
        return Interval(max(self.mean - half, self.possible.low), min(self.mean + half, self.possible.high))


def spread(values: Sequence[float], possible: Interval = FROM_ZERO) -> MeanSpread:
    """Mean, standard deviation and median of some values, at least one."""
    deviation = stdev(values) if len(values) > 1 else 0.0
    return MeanSpread(len(values), fmean(values), deviation, median(values), possible)


def _special() -> Any:
    # Not scipy.stats, which takes ten times as long to import.
    return needed("scipy.special", "report", "an interval of a mean")


def middle(drawn: Iterable[float]) -> Interval:
    """The bounds of the middle 95 % of the drawn values: the interval of the percentile bootstrap."""
    ordered = sorted(drawn)
    last = len(ordered) - 1
    return Interval(ordered[round(0.025 * last)], ordered[round(0.975 * last)])


def chi_square_p(statistic: float, degrees: int) -> float:
    """The probability that chance alone makes chi-square at least this large; ``MissingExtra`` without scipy."""
    return float(_special().chdtrc(degrees, statistic))
