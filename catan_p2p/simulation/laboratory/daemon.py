"""The machine of a stock relay: Git's daemon, which starts a process for each client, with its cores and connections.

When all connections are in use, it does what ``git daemon --max-connections`` of version 2.39 does. It accepts one more
client, waits at most a second until a process ends, and closes the connection if none has. Meanwhile it accepts no
other client. ``BACKLOG`` clients may wait in the listen queue; the system ignores the connection attempts of others.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple, Protocol, TypeAlias

from catan_p2p.simulation.laboratory.distributions import US

BACKLOG = 6
"""Git's daemon calls ``listen(5)``; Linux queues one more."""
PATIENCE_US = US
RESENT_US = (US, 2 * US)
"""After these times TCP tries to connect a second and a third time."""
GIVEN_UP_US = 2 * US
"""This long after the last attempt a client gives up: five seconds after the first (``git_protocol.CONNECT_S``)."""
_FULL = 0.8
"""A resource that is in use for this share of the time counts as full."""

Do: TypeAlias = Callable[[], object]


class VisitCost(NamedTuple):
    """Processor time in microseconds, and the part of it that is spent on refs."""

    us: int
    refs_us: int


def _cost(us: int, refs: int, ref_ns: int) -> VisitCost:
    refs_us = refs * ref_ns // 1000
    return VisitCost(us + refs_us, refs_us)


@dataclass(frozen=True, slots=True)
class DaemonCosts:
    """Processor time of a stock relay for one request: in microseconds, and in nanoseconds for each ref.

    Measured by ``python -m benchmarks.relay`` on 27 November 2026: Git 2.39.5, an Intel Xeon of 2.6 GHz.
    """

    look_us: int = 2650
    look_ref_ns: int = 4050
    fetch_us: int = 2350
    """The part of a fetch after the look, in the same process."""
    fetch_commit_us: int = 65
    begin_us: int = 2800
    """The beginning of a push: a new process, which lists the refs."""
    begin_ref_ns: int = 4100
    push_us: int = 10_500
    """Unpacking a push, checking that it is complete, moving the ref, and checking whether ``git gc`` should run."""
    push_ref_ns: int = 8900
    push_commit_us: int = 100

    def look(self, refs: int) -> VisitCost:
        """A process that lists the refs."""
        return _cost(self.look_us, refs, self.look_ref_ns)

    def fetch(self, refs: int, commits: int) -> VisitCost:
        """A pack of ``commits`` commits, from a process that has listed its refs."""
        return _cost(self.fetch_us + commits * self.fetch_commit_us, 0, 0)

    def begin(self, refs: int) -> VisitCost:
        """A process that receives a push, and lists the refs first."""
        return _cost(self.begin_us, refs, self.begin_ref_ns)

    def push(self, refs: int, commits: int) -> VisitCost:
        """Receiving a pack of ``commits`` commits."""
        return _cost(self.push_us + commits * self.push_commit_us, refs, self.push_ref_ns)


STOCK = DaemonCosts()
CostOf: TypeAlias = Callable[[DaemonCosts, int], VisitCost]
"""The cost of a piece of work, in a repository with this many refs."""


class Kernel(Protocol):
    """The kernel of a simulation: it knows the time and calls functions later."""

    now: int

    def at(self, time_us: int, do: Do) -> None:
        """Call ``do`` at this time."""


class DaemonConnection:
    """A client's connection: it waits to be accepted, requests work, and ends when the client closes it."""

    __slots__ = ("_asked", "_daemon", "drop", "is_accepted", "is_open", "since", "works")

    def __init__(self, daemon: GitDaemon, drop: Do) -> None:
        self._daemon = daemon
        self.drop = drop
        """Called if the daemon closes the connection without serving it."""
        self.is_accepted = False
        self.is_open = True
        self.since = daemon.clock.now
        self.works = 0
        """How many pieces of work are requested and not done yet."""
        self._asked: list[tuple[VisitCost, Do]] = []

    def work(self, cost: VisitCost, do: Do) -> None:
        """Request work; ``do`` is called when it is done, unless the client has closed the connection by then."""
        if not self.is_accepted:
            self._asked.append((cost, do))
        elif self.is_open:
            self.works += 1
            self._daemon.queue(self, cost, do)

    def accept(self) -> None:
        """A process serves the connection from now on."""
        self.is_accepted = True
        asked, self._asked = self._asked, []
        for cost, do in asked:
            self.work(cost, do)

    def close(self) -> None:
        """The client closes the connection; the process ends when its current work is done."""
        if self.is_open:
            self.is_open = False
            self._daemon.left(self)


class GitDaemon:
    """Git's daemon on a machine with ``cores`` cores, which serves at most ``connections`` connections at once."""

    def __init__(self, clock: Kernel, cores: int, connections: int, costs: DaemonCosts = STOCK) -> None:
        self.clock = clock
        self.cores = cores
        self.connections = connections
        self.costs = costs
        self._live = 0
        self._backlog: deque[DaemonConnection] = deque()
        self._in_hand: DaemonConnection | None = None
        """The client that was accepted when all connections were in use."""
        self._free = cores
        self._queue: deque[tuple[DaemonConnection, VisitCost, Do, int]] = deque()
        self.busy_us = self.refs_us = self.queued_us = self.longest = self.served = self.refused = self.unheard = 0
        self._lived_us = self._counted_at = 0

    # Connections

    def knock(self, drop: Do) -> DaemonConnection | None:
        """A connection attempt; None if it gets no answer, because the listen queue is full."""
        if len(self._backlog) >= BACKLOG:
            self.unheard += 1
            return None
        found = DaemonConnection(self, drop)
        self._backlog.append(found)
        self._accept_next()
        return found

    def _accept_next(self) -> None:
        while self._backlog and self._in_hand is None:
            one = self._backlog.popleft()
            if self._live < self.connections:
                self._serve(one)
            else:
                self._in_hand = one
                self.clock.at(self.clock.now + PATIENCE_US, partial(self._refuse, one))

    def _serve(self, one: DaemonConnection) -> None:
        self._count(1)
        self.served += 1
        one.accept()
        if not one.is_open:
            self._end_if_idle(one)

    def _refuse(self, one: DaemonConnection) -> None:
        if self._in_hand is one:
            self._in_hand = None
            self.refused += 1
            one.is_open = False
            one.drop()
            self._accept_next()

    def left(self, one: DaemonConnection) -> None:
        """A client has closed its connection."""
        if one.is_accepted:
            self._end_if_idle(one)

    def _end_if_idle(self, one: DaemonConnection) -> None:
        if one.works:
            return
        self._count(-1)
        # The client that is accepted already comes before those in the listen queue.
        waiting, self._in_hand = self._in_hand, None
        if waiting is not None:
            self._serve(waiting)
        self._accept_next()

    def _count(self, more: int) -> None:
        now = self.clock.now
        self._lived_us += self._live * (now - self._counted_at)
        self._counted_at = now
        self._live += more

    # Cores

    def queue(self, one: DaemonConnection, cost: VisitCost, do: Do) -> None:
        """Have a core work for a connection; the one that has waited longest comes next."""
        self._queue.append((one, cost, do, self.clock.now))
        if self._free:
            self._begin()
        else:
            self.longest = max(self.longest, len(self._queue))

    def _begin(self) -> None:
        one, cost, do, since = self._queue.popleft()
        now = self.clock.now
        self._free -= 1
        self.queued_us += now - since
        self.busy_us += cost.us
        self.refs_us += cost.refs_us
        self.clock.at(now + cost.us, partial(self._done, one, do))

    def _done(self, one: DaemonConnection, do: Do) -> None:
        self._free += 1
        if self._queue:
            self._begin()
        one.works -= 1
        if one.is_open:
            do()
        else:
            self._end_if_idle(one)

    # Figures

    def figures(self, link_share: float) -> dict[str, Any]:
        """How busy the machine was until now, and which limit was binding; ``link_share`` is the use of its link."""
        self._count(0)  # adds the time since the last change
        elapsed = max(1, self.clock.now)
        processor = self.busy_us / (self.cores * elapsed)
        connections = self._lived_us / (self.connections * elapsed)
        return {
            "processor_share": round(processor, 6),
            "refs_share": round(self.refs_us / max(1, self.busy_us), 6),
            "link_share": round(link_share, 6),
            "connections_share": round(connections, 6),
            "queue_mean": round(self.queued_us / elapsed, 6),
            "queue_longest": self.longest,
            "served": self.served,
            "refused": self.refused,
            "unheard": self.unheard,
            "limit": self._limit(processor, link_share, connections),
        }

    def _limit(self, processor: float, link: float, connections: float) -> str:
        """The resource that was full. Connections fill up whenever another resource is full, so they come last."""
        if max(processor, link) >= _FULL:
            if link > processor:
                return "link"
            return "refs" if 2 * self.refs_us > self.busy_us else "processor"
        return "connections" if connections >= _FULL or self.refused or self.unheard else "none"


def call(
    daemon: GitDaemon,
    there: Callable[[Do], object],
    back: Callable[[Do], object],
    later: Callable[[int, Do], object],
    heard: Callable[[DaemonConnection], object],
    connected: Do,
    failed: Callable[[str], object],
) -> None:
    """Connect to a daemon. ``there`` and ``back`` carry a call to the daemon's end and to the client's.

    ``later`` calls after a delay. ``heard`` is called with the connection at the daemon's end, then ``connected`` or
    ``failed``, with the reason, at the client's.
    """

    def attempted(attempts: int) -> None:
        found = daemon.knock(lambda: back(lambda: failed("closed the connection")))
        if found is not None:
            heard(found)
            back(connected)
        elif attempts < len(RESENT_US):
            # Every attempt travels equally long, so the pauses between them are the same at both ends.
            later(RESENT_US[attempts], partial(attempted, attempts + 1))
        else:
            daemon.refused += 1
            later(GIVEN_UP_US, lambda: failed("does not answer"))

    there(partial(attempted, 0))
