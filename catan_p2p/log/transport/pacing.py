"""How long to wait before the next attempt or the next look.

After failures: ``Backoff``, longer with each failure. While nothing is new: ``quiet_pause_s``, longer the longer it is
quiet. The loops of a peer and of a relay take their pauses from here.
"""

from __future__ import annotations

from dataclasses import dataclass

from catan_p2p.log.transport.remote import CostlyRemote, NotThereYet
from catan_p2p.log.transport.worker_remote import WorkerEnded
from catan_p2p.time_source import SYSTEM_TIME, TimeSource

_RETRY_MIN_S = 0.05
_RETRY_MAX_S = 2.0
_RETRY_ENDED_S = 30.0
"""The longest pause after a process had to be ended: starting another one costs more than asking again."""
_RETRY_COSTLY_S = 1.0
"""The shortest pause after much was read in vain."""


QUIET_PART = 0.1
"""Where nothing is new, the pause is this part of the time since something was."""


def quiet_pause_s(quiet_s: float, least_s: float, most_s: float, part: float = QUIET_PART) -> float:
    """The pause in seconds before the next look, where nothing has been new for ``quiet_s``."""
    return min(max(least_s, part * quiet_s), most_s)


@dataclass(slots=True)
class Backoff:
    """Whether something may be tried again."""

    trouble: str | None = None
    """Why the last attempt failed, None if it succeeded."""
    failures: int = 0
    """How many attempts in a row have failed."""
    is_waiting: bool = False
    """Whether the last attempt failed only because something has not arrived yet."""
    most_s: float = _RETRY_MAX_S
    """The longest pause, unless a process had to be ended."""
    time: TimeSource = SYSTEM_TIME
    wait_s: float = 0.0
    """How long to leave it alone after the last failure."""
    _next: float = 0.0

    @property
    def is_over(self) -> bool:
        """Whether it may be tried now."""
        return not self.failures or self.time.monotonic() >= self._next

    def failed(self, error: Exception) -> None:
        """Record a failure, and wait longer after each: longest if a process had to be ended."""
        self.trouble, self.is_waiting = str(error), isinstance(error, NotThereYet)
        self.failures += 1
        most_s = _RETRY_ENDED_S if isinstance(error, WorkerEnded | CostlyRemote) else self.most_s
        least_s = _RETRY_COSTLY_S if isinstance(error, CostlyRemote) else _RETRY_MIN_S
        self.wait_s = min(max(2 * self.wait_s, least_s), most_s)
        self._next = self.time.monotonic() + self.wait_s

    def worked(self) -> None:
        """Record a success."""
        self.trouble, self.is_waiting, self.failures, self.wait_s, self._next = None, False, 0, 0.0, 0.0
