"""Random durations that are the same on every machine, since they come from tables of whole microseconds.

Logarithms and exponentials differ in the last bit from one C library to another. One bit can change the order of
events, and so the game. A distribution is therefore a table of 512 quantiles, computed once and rounded; drawing a
duration is drawing an index.
"""

from decimal import Decimal, localcontext
from functools import lru_cache
from pathlib import Path
from random import Random
from statistics import NormalDist

from catan_p2p.text_files import open_file

US = 1_000_000
"""Microseconds in a second."""
_QUANTILES = 512
_MOST_BYTES = 1 << 20
"""The largest file of measured durations."""
_UNITS = {"us": 1, "ms": 1000, "s": US}
KINDS = ("constant", "normal", "lognormal", "empirical")


class BadDistribution(ValueError):
    """Words that do not describe a distribution; the message says what is wrong."""


class Distribution:
    """A distribution of durations in microseconds: equally likely values, in ascending order."""

    __slots__ = ("_bits", "_count", "text", "values")

    def __init__(self, text: str, values: tuple[int, ...]) -> None:
        self.text = text
        self.values = values
        self._count = len(values)
        self._bits = self._count.bit_length()

    def draw(self, rng: Random) -> int:
        """Draw a duration; a constant one leaves the generator as it is.

        Does what ``rng.choice`` does, with a third of its function calls: most events of a simulation need such a draw.
        """
        if self._count == 1:
            return self.values[0]
        number = rng.getrandbits(self._bits)
        while number >= self._count:
            number = rng.getrandbits(self._bits)
        return self.values[number]

    @property
    def median_us(self) -> int:
        """The median."""
        return self.values[len(self.values) // 2]


NONE = Distribution("none", (0,))


@lru_cache(maxsize=256)
def parse_distribution(text: str) -> Distribution:
    """The distribution that words describe; ``BadDistribution`` if they describe none.

    ``none``; ``constant 5 ms``; ``normal 40 ms 3 ms``, mean and deviation, never below 0; ``lognormal 40 ms 0.2``,
    median and the deviation of the logarithm; ``empirical 4 4 5 9 ms``, values that are equally likely;
    ``empirical FILE ms``, one value a line.
    """
    words = text.split()
    if words == ["none"]:
        return NONE
    try:
        kind, *given = words
        match kind:
            case "constant":
                value, unit = given
                return Distribution(text, (_us(value, unit),))
            case "normal":
                mean, unit, deviation, other = given
                middle, spread = _us(mean, unit), _us(deviation, other)
                return Distribution(text, tuple(max(0, middle + round(z * spread)) for z in _normal()))
            case "lognormal":
                median, unit, sigma = given
                return Distribution(text, _lognormal(_us(median, unit), Decimal(sigma)))
            case "empirical":
                *values, unit = given
                if len(values) == 1 and not values[0].replace(".", "").isdigit():  # the name of a file
                    with open_file(Path(values[0]), _MOST_BYTES) as file:
                        values = file.read().decode("utf-8-sig").split()
                return Distribution(text, tuple(sorted(_us(value, unit) for value in values)))
    except OSError as error:
        raise BadDistribution(f"{text!r}: cannot read: {error.strerror or error}") from None
    except (ValueError, ArithmeticError, KeyError):
        raise BadDistribution(f"{text!r}: not a distribution such as 'lognormal 40 ms 0.2'") from None
    raise BadDistribution(f"{text!r}: expected none, {', '.join(KINDS)}")


def lognormal(median_us: int, sigma: str) -> Distribution:
    """The lognormal distribution with this median; ``sigma`` is the deviation of the logarithm, 0 for a constant."""
    if not median_us:
        return NONE
    if not Decimal(sigma):
        return Distribution(f"constant {median_us} us", (median_us,))
    return parse_distribution(f"lognormal {median_us} us {sigma}")


@lru_cache(maxsize=1)
def _normal() -> tuple[float, ...]:
    """Quantiles of the standard normal distribution, rounded to six digits, in which no two C libraries differ."""
    return tuple(round(NormalDist().inv_cdf((i + 0.5) / _QUANTILES), 6) for i in range(_QUANTILES))


def _lognormal(median_us: int, sigma: Decimal) -> tuple[int, ...]:
    # Decimal computes exp itself, to the same digits everywhere; math.exp is the C library's.
    with localcontext() as context:
        context.prec = 20
        return tuple(int(median_us * (sigma * Decimal(str(z))).exp()) for z in _normal())


def _us(value: str, unit: str) -> int:
    found = int(Decimal(value) * _UNITS[unit])
    if found < 0:
        raise ValueError
    return found
