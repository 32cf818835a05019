"""Sums of floats on which decisions depend."""

from collections.abc import Iterable
from functools import reduce
from operator import add


def added(numbers: Iterable[float]) -> float:
    """The sum, rounded after every number, so that the same seed plays the same game on every version of Python.

    The built-in ``sum`` does so until Python 3.11, and rounds once from 3.12 on.
    """
    return reduce(add, numbers, 0.0)
