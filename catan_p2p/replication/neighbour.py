"""What a peer knows of another player's repository, and how long it leaves one alone that makes trouble."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass, field
from time import monotonic
from typing import TypeAlias

from catan_p2p.constants import Player
from catan_p2p.log.graph import Rejected
from catan_p2p.log.storage.objects import ObjectId
from catan_p2p.log.transport.asking import Answer, Asked, Request
from catan_p2p.log.transport.worker_remote import Ended

_RETRY_MIN_S = 0.05
_RETRY_MAX_S = 2.0
_RETRY_ENDED_S = 30.0
"""The longest pause after a process had to be ended: to start another costs more than to ask again."""

Look: TypeAlias = Generator[Request, Answer | None, None]
"""A look at a neighbour: what it asks its remote, and what it is answered."""


@dataclass(slots=True)
class Neighbour:
    """Another player, their remote, and what this peer knows of it."""

    player: Player
    colour: str
    remote: Asked
    trouble: str | None = None
    """Why the last look failed, None if it did not."""
    rejected: dict[str, Rejected] = field(default_factory=dict)
    """The head that was refused, by the name of the ref that was there."""
    seen: dict[str, ObjectId] = field(default_factory=dict)
    """The heads that are dealt with, by the name of the ref that was there."""
    withheld: str | None = None
    strays_at: float = 0.0
    """When branches that do not count any more may be looked for again."""
    failures: int = 0
    """How many looks in a row have failed."""
    looks: int = 0
    """How often it was begun to look at it."""
    look: Look | None = None
    """The look that is under way."""
    asked_at: float = 0.0
    """When it was asked what is not answered yet."""
    _wait_s: float = 0.0
    _next_look: float = 0.0

    @property
    def note(self) -> str | None:
        """What a user should know of it, None if all is well."""
        back = next((bad for bad in self.rejected.values() if bad.reason == "branch"), None)
        return self.trouble or self.withheld or (None if back is None else back.detail)

    @property
    def is_due(self) -> bool:
        """Whether it may be looked at now: not while it is, and after a failure not at once again."""
        return self.look is None and monotonic() >= self._next_look

    def failed(self, error: Exception) -> None:
        """Take note of a failure, and wait longer from failure to failure: longest if it took a process with it."""
        self.trouble = str(error)
        self.failures += 1
        most_s = _RETRY_ENDED_S if isinstance(error, Ended) else _RETRY_MAX_S
        self._wait_s = min(max(2 * self._wait_s, _RETRY_MIN_S), most_s)
        self._next_look = monotonic() + self._wait_s

    def worked(self) -> None:
        """Take note that it could be reached."""
        self.trouble, self.failures, self._wait_s, self._next_look = None, 0, 0.0, 0.0
