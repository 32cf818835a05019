"""The source of a peer's time: nothing in ``log``, ``replication`` and ``tables`` reads a clock or sleeps by itself.

A simulation gives its peers a source of virtual time, which passes only when the simulation says so.
"""

import time
from typing import Protocol


class TimeSource(Protocol):
    """A clock for durations, a clock for dates, and a way to wait."""

    def monotonic(self) -> float:
        """Seconds since some moment; never goes back."""

    def date_s(self) -> float:
        """Seconds since 1970, by this machine's calendar: it can be wrong, and it can jump."""

    def sleep(self, seconds: float) -> None:
        """Wait for this time."""


class SystemTime:
    """The clocks of this machine."""

    monotonic = staticmethod(time.perf_counter)
    """Seconds. On Windows, ``time.monotonic`` can advance in steps of 16 ms."""

    def date_s(self) -> float:
        """Seconds since 1970."""
        return time.time()

    def sleep(self, seconds: float) -> None:
        """Wait for this time."""
        time.sleep(seconds)


SYSTEM_TIME: TimeSource = SystemTime()


class SteppingTime:
    """A clock that advances by ``step_s`` whenever it is read, so that what depends on it can be repeated exactly."""

    def __init__(self, step_s: float) -> None:
        self._step_s = step_s
        self._steps = 0

    def monotonic(self) -> float:
        """Seconds, one step more than when it was last read."""
        self._steps += 1
        return self._steps * self._step_s

    def date_s(self) -> float:
        """The same: this clock began in 1970."""
        return self.monotonic()

    def sleep(self, seconds: float) -> None:
        """Advance by this time at once, by at least one step."""
        self._steps += max(1, round(seconds / self._step_s))
