"""Sets of points as integers: bit ``i`` is set if point number ``i`` is in the set."""

from collections.abc import Iterable
from functools import lru_cache
from typing import TypeAlias

Points: TypeAlias = int
"""A set of settlement points or of road points; numbers start at 1, so bit 0 is never set."""


@lru_cache(maxsize=1 << 11)
def numbers(points: Points) -> tuple[int, ...]:
    """The numbers in the set, ascending."""
    found = []
    while points:
        lowest = points & -points
        found.append(lowest.bit_length() - 1)
        points ^= lowest
    return tuple(found)


def as_points(numbers: Iterable[int]) -> Points:
    """The set that holds these numbers."""
    points = 0
    for number in numbers:
        points |= 1 << number
    return points
