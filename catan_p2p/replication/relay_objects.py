"""What a relay has lost of what was pushed there: its refs may outlive the objects that they lead to.

A relay is asked whether everything can be read that this player's branches there lead to: once at the start, and again
while nothing new is seen there, ever more seldom. Where that takes a whole fetch, a game that goes on costs none.

Into a folder everything is written again. To a server Git sends nothing that any ref there leads to, so each player
whose branches have lost something lets them go first, and pushes them anew once those of all others are gone, too.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from catan_p2p.log.storage.objects import ObjectId, StoreError
from catan_p2p.log.transport.queries import AskReadable
from catan_p2p.log.transport.shared_repository import PendingRequest, SharedRepository
from catan_p2p.time_source import SYSTEM_TIME, TimeSource

LEAST_S = 30.0
"""So long nothing new must have been seen at a relay before it is asked again."""
GONE_S = 20.0
"""So long the own branches stay away from a server where those of others still lead to something."""
_QUIET_PART = 0.5
_MOST_S = 600.0
_MOST_DOUBLINGS = 10


class RelayObjects:
    """Which of this player's branches at a relay lead to something that cannot be read there."""

    def __init__(self, meeting: SharedRepository, time: TimeSource = SYSTEM_TIME) -> None:
        self.least_s = LEAST_S
        self.gone_s = GONE_S
        self._meeting = meeting
        self._time = time
        self._lost: dict[str, ObjectId] = {}
        """Where the refs are that count as not being there."""
        self._removed_at: float | None = None
        self._logs: frozenset[str] = frozenset()
        self._asked: PendingRequest | None = None
        self._asked_at: float | None = None
        self._losses = 0
        """How often in a row something was lost: it is sent again, ever more seldom."""

    @property
    def is_known(self) -> bool:
        """Whether the relay has been asked, and has answered."""
        return self._asked_at is not None and self._asked is None

    def is_lost(self, ref: str, there: ObjectId | None) -> bool:
        """Whether what a ref at the relay leads to cannot be read."""
        return there is not None and self._lost.get(ref) == there

    @property
    def stays_away(self) -> bool:
        """Whether what was removed is not to be pushed yet: others still have branches there."""
        removed_at = self._removed_at
        return removed_at is not None and bool(self._logs) and self._time.monotonic() < removed_at + self.gone_s

    def was_pushed(self, ref: str) -> None:
        """Take note that everything that a ref leads to was sent."""
        self._lost.pop(ref, None)

    def was_removed(self, ref: str) -> None:
        """Take note that a ref that leads to what was lost is gone."""
        if self._lost.pop(ref, None) is not None:
            self._removed_at = self._time.monotonic()

    def tend(self, published: Mapping[str, ObjectId], logs: Iterable[str]) -> None:
        """Take in the answer, and ask again if it is time.

        ``published`` are the own branches that are there, ``logs`` those of the others: where one of them has gone, its
        player may have found something lost.
        """
        before, self._logs = self._logs, frozenset(logs)
        asked = self._asked
        if asked is not None and asked.answer is not None:
            self._asked = None
            assert isinstance(asked.request, AskReadable)
            if not isinstance(asked.answer, StoreError):  # what cannot be asked now is asked later
                readable = asked.answer
                self._lost = {ref: head for ref, head in asked.request.heads.items() if ref not in readable}
                self._losses = self._losses + 1 if self._lost else 0
        elif asked is None and (before - self._logs or self._is_due()):
            self._asked_at = self._time.monotonic()
            if published:
                self._asked = self._meeting.post(AskReadable(published))

    def _is_due(self) -> bool:
        if self._asked_at is None:
            return True
        now = self._time.monotonic()
        least_s: float = self.least_s * 2 ** min(self._losses, _MOST_DOUBLINGS)
        pause_s = min(max(least_s, _QUIET_PART * (now - self._meeting.changed_at)), _MOST_S)
        return now - max(self._asked_at, self._meeting.changed_at) >= pause_s
