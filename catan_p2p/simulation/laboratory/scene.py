"""What the parts of a simulated game know of one another: repositories at places, and the game as a whole."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Mapping
from random import Random
from typing import Any, Protocol

import simpy

from catan_p2p.log.game import GameDefinition
from catan_p2p.log.storage.objects import ObjectDamaged, ObjectId, ObjectKind
from catan_p2p.log.transport.queries import PushMove
from catan_p2p.replication.replica import Replica
from catan_p2p.simulation.laboratory.clockwork import Machine, VirtualTime
from catan_p2p.simulation.laboratory.daemon import GitDaemon
from catan_p2p.simulation.laboratory.faults import NetworkCuts
from catan_p2p.simulation.laboratory.links import AccessLink, HostPort, NetworkLinks
from catan_p2p.simulation.laboratory.recording import SimulationRecord
from catan_p2p.simulation.laboratory.served_disk import CommitSizes, Objects
from catan_p2p.simulation.laboratory.spec import Network
from catan_p2p.simulation.laboratory.spending import HostSpending


class PromiseBroken(Exception):
    """Something that was promised does not hold; the message says what, where and when."""


class SimulationScene(Protocol):
    """A simulated game as its parts see it."""

    network: Network
    machine: Machine
    kernel: simpy.Environment
    now: int
    """Microseconds since the beginning."""
    cuts: NetworkCuts
    sizes: CommitSizes
    recording: SimulationRecord
    links: NetworkLinks
    access: AccessLink
    places: int
    game: GameDefinition
    referee: Any
    hosts: list[Any]
    relay: Any

    def stream(self, purpose: str) -> Random:
        """A generator for something, apart from all others."""

    def at(self, time_us: int, do: Callable[[], object]) -> None:
        """Do something at a time."""

    def send(
        self,
        sender: SimulatedRepository,
        receiver: SimulatedRepository,
        size: int,
        come: Callable[[], object],
        lost: Callable[[], object],
    ) -> None:
        """Have a message come from one host to another."""

    def carry(
        self,
        sender: SimulatedRepository,
        receiver: SimulatedRepository,
        size: int,
        come: Callable[[], object],
        late_us: int = 0,
    ) -> None:
        """The same, however long it takes and whatever is cut."""

    def repository_of(self, colour: str) -> SimulatedRepository:
        """Where others find a player's repository."""

    def has_started(self, host: Any, replica: Replica) -> None:
        """A peer has opened its repository."""

    def has_died(self, host: Any) -> None:
        """A peer was killed."""

    def has_acknowledged(self, host: Any, commit: ObjectId) -> None:
        """A peer says that nothing can undo a commit any more."""

    def has_shown(self, host: Any) -> None:
        """A repository shows something new."""

    def has_stepped(self, host: Any) -> None:
        """A peer has carried out what was due."""

    def tell_news(self, source: SimulatedRepository, whose: str) -> None:
        """A repository has something new of a player: wake those who wait there."""

    def has_ended(self, host: Any) -> None:
        """A peer has ended by itself."""

    def mend(self, host: Any, error: ObjectDamaged) -> None:
        """Mend a damaged repository."""


class ToldConnection(Protocol):
    """A connection over which a repository is followed."""

    def look(self) -> None:
        """Tell what has moved."""

    def hang_up(self) -> None:
        """End it."""


class ShownRepository(Protocol):
    """A repository as one visitor is shown it."""

    @property
    def refs(self) -> Mapping[str, ObjectId]:
        """Where the refs are."""

    @property
    def listing_bytes(self) -> int:
        """What telling them takes."""

    def missing(self, heads: Iterable[ObjectId], held: Container[ObjectId]) -> Objects:
        """The commits between what is held and the heads."""

    def read(self, oid: ObjectId) -> tuple[ObjectKind, bytes]:
        """An object; ``ObjectMissing`` if it is not there."""

    def pack_bytes(self, commits: Mapping[ObjectId, tuple[ObjectKind, bytes]]) -> int:
        """What sending them takes."""


class SimulatedRepository:
    """Something that can be fetched from, at one place of the network."""

    def __init__(self, world: SimulationScene, name: str, port: HostPort) -> None:
        self.world = world
        self.name = name
        self.port = port
        self.is_up = True
        self.absent_until = 0
        self.serve_us = 0
        self.daemon: GitDaemon | None = None
        """What lets visitors in, if it is shared by so many that they wait for one another."""
        self.followers: list[ToldConnection] = []
        self._waiting: list[Callable[[], None]] = []
        """Told once there is something new."""

    @property
    def honest(self) -> Any:
        """What it has, whatever it shows."""
        raise NotImplementedError

    def push(self, visitor: SimulatedRepository, moves: Iterable[PushMove], commits: Objects) -> dict[str, str]:
        """Take a push by a visitor; which moves were refused, and why."""
        return {move.ref: "nobody may push here" for move in moves}

    @property
    def tells(self) -> bool:
        """Whether it tells those who follow it what it shows; plain Git does not."""
        return False

    @property
    def absent_us(self) -> int:
        """How long it still stands still."""
        left_us = self.absent_until - self.world.now
        return left_us if left_us > 0 else 0

    def later(self, delay_us: int, do: Callable[[], object]) -> None:
        """Do something after a while."""
        self.world.at(self.world.now + delay_us, do)

    def shown_to(self, visitor: SimulatedRepository) -> ShownRepository | None:
        """The repository as it shows itself to somebody; None if it does not answer."""
        raise NotImplementedError

    @property
    def listing_bytes(self) -> int:
        """What telling its refs takes."""
        shown = self.shown_to(self)
        return 0 if shown is None else shown.listing_bytes

    @property
    def refs_count(self) -> int:
        """How many refs its repository has, with those of other tables; counted where that takes time."""
        return 0

    def hold(self, visitor: SimulatedRepository, answer: Callable[[], Any], most_us: int) -> None:
        """Answer once there is something new, or after so long."""
        done: list[bool] = []

        def once() -> None:
            if not done:
                done.append(True)
                answer()

        self._waiting.append(once)
        self.later(most_us, once)

    def has_news(self) -> None:
        """Tell everybody who waits, and who follows."""
        waiting, self._waiting = self._waiting, []
        for answer in waiting:
            answer()
        for follower in [*self.followers]:
            follower.look()

    def is_followed_no_more(self, follower: ToldConnection) -> None:
        """Somebody has gone who followed."""
        if follower in self.followers:
            self.followers.remove(follower)

    def loses_followers(self, *, says_so: bool) -> None:
        """The process that tells them is gone; whether its system says so."""
        gone, self.followers = self.followers, []
        for follower in gone:
            if says_so:
                follower.hang_up()


class VisitingHost(SimulatedRepository):
    """A host that looks at others."""

    time: VirtualTime
    machine: Machine
    spent: HostSpending

    @property
    def network(self) -> Network:
        """What the network is like."""
        return self.world.network

    def wake(self) -> None:
        """An answer has come."""
        raise NotImplementedError
