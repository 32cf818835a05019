"""Work that waits now and then, written apart from how it is waited: by a process that sleeps, or in virtual time."""

from __future__ import annotations

from collections.abc import Callable, Generator
from typing import NamedTuple, TypeAlias, TypeVar

T = TypeVar("T")


class LookPause(NamedTuple):
    """A pause: how long at most, and whether it ends as soon as a neighbour has answered."""

    most_s: float
    for_news: bool = True


Waiting: TypeAlias = Generator[LookPause, None, T]
"""Work that yields each pause it needs, and returns what came of it."""


def carried_out(work: Waiting[T], wait: Callable[[LookPause], None]) -> T:
    """Do all of some work, every pause by ``wait``."""
    while True:
        try:
            asked = next(work)
        except StopIteration as end:
            result: T = end.value
            return result
        wait(asked)
