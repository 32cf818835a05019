"""Work with pauses, written independently of how they pass: in a process that sleeps, or in virtual time."""

from __future__ import annotations

from collections.abc import Callable, Generator
from typing import NamedTuple, TypeAlias, TypeVar

T = TypeVar("T")


class LookPause(NamedTuple):
    """A pause: its longest duration, and whether it ends as soon as a neighbour has answered."""

    most_s: float
    for_news: bool = True


Waiting: TypeAlias = Generator[LookPause, None, T]
"""Work that yields each pause it needs, and returns its result."""


def carried_out(work: Waiting[T], wait: Callable[[LookPause], None]) -> T:
    """Do all of some work, spending every pause with ``wait``."""
    while True:
        try:
            asked = next(work)
        except StopIteration as end:
            result: T = end.value
            return result
        wait(asked)
