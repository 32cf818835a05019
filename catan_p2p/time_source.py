"""Where a peer's time comes from: nothing in ``log``, ``replication`` and ``tables`` reads a clock or sleeps by itself.

A simulation gives its peers another one, in which time passes only when the simulation says so.
"""

import time
from typing import Protocol


class TimeSource(Protocol):
    """A clock for durations, a clock for dates, and a way to wait."""

    def monotonic(self) -> float:
        """Seconds since some moment; never goes back."""

    def date_s(self) -> float:
        """Seconds since 1970, as far as this machine knows: may be wrong, and may jump."""

    def sleep(self, seconds: float) -> None:
        """Wait so long."""


class SystemTime:
    """The clocks of this machine."""

    monotonic = staticmethod(time.perf_counter)
    """Seconds; finer than the usual clock on some systems."""

    def date_s(self) -> float:
        """Seconds since 1970."""
        return time.time()

    def sleep(self, seconds: float) -> None:
        """Wait so long."""
        time.sleep(seconds)


SYSTEM_TIME: TimeSource = SystemTime()


class SteppingTime:
    """A clock that goes on by ``step_s`` at every look: what depends on it is the same on every machine and day."""

    def __init__(self, step_s: float) -> None:
        self._step_s = step_s
        self._steps = 0

    def monotonic(self) -> float:
        """Seconds, one step more than at the last look."""
        self._steps += 1
        return self._steps * self._step_s

    def date_s(self) -> float:
        """The same: it began in 1970."""
        return self.monotonic()

    def sleep(self, seconds: float) -> None:
        """Let so much pass at once."""
        self._steps += max(1, round(seconds / self._step_s))
