"""Where outcomes of chance come from."""

from __future__ import annotations

from typing import Protocol


class Numbers(Protocol):
    """A source of numbers: a ``random.Random``, or the numbers made from the shares of all players."""

    def randrange(self, stop: int, /) -> int:
        """A number from 0 to ``stop`` - 1, uniform."""

    def randint(self, first: int, last: int, /) -> int:
        """A number from ``first`` to ``last``, uniform."""
