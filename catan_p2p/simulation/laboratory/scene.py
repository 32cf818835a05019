"""The interfaces by which the parts of a simulated game know one another: hosts as repositories, and the game."""

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
from catan_p2p.simulation.laboratory.faults import NetworkCuts
from catan_p2p.simulation.laboratory.links import AccessLink, HostPort, NetworkLinks
from catan_p2p.simulation.laboratory.recording import SimulationRecord
from catan_p2p.simulation.laboratory.served_disk import CommitSizes, Objects
from catan_p2p.simulation.laboratory.spec import Network
from catan_p2p.simulation.laboratory.spending import HostSpending


class PromiseBroken(Exception):
    """A promise of the program was broken; the message says what happened, where and when."""


class StandsStill(PromiseBroken):
    """Nothing moves any more in a game that is not over."""


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
        """A random generator for this purpose, independent of all others."""

    def at(self, time_us: int, do: Callable[[], object]) -> None:
        """Call ``do`` at this time."""

    def send(
        self,
        sender: SimulatedRepository,
        receiver: SimulatedRepository,
        size: int,
        come: Callable[[], object],
        lost: Callable[[], object],
    ) -> None:
        """Send a message of ``size`` bytes; calls ``come`` on arrival, or ``lost`` if the path stays cut."""

    def carry(
        self,
        sender: SimulatedRepository,
        receiver: SimulatedRepository,
        size: int,
        come: Callable[[], object],
        late_us: int = 0,
    ) -> None:
        """The same, but the message always arrives, even over a path that is cut."""

    def repository_of(self, colour: str) -> SimulatedRepository:
        """The repository of a player."""

    def has_started(self, host: Any, replica: Replica) -> None:
        """A peer has opened its repository."""

    def has_died(self, host: Any) -> None:
        """A peer was killed."""

    def has_acknowledged(self, host: Any, commit: ObjectId) -> None:
        """A peer says that nothing can undo a commit any more."""

    def has_shown(self, host: Any) -> None:
        """A repository shows something new."""

    def has_stepped(self, host: Any) -> None:
        """A peer has carried out the effects of a step."""

    def tell_news(self, source: SimulatedRepository, whose: str) -> None:
        """A repository has something new of the player ``whose``: notify its followers and waiting hosts."""

    def has_ended(self, host: Any) -> None:
        """A peer has ended by itself."""

    def mend(self, host: Any, error: ObjectDamaged) -> None:
        """Mend a damaged repository."""


class ToldConnection(Protocol):
    """A connection over which a repository is followed."""

    def look(self) -> None:
        """Announce what has moved."""

    def hang_up(self) -> None:
        """End the connection."""


class ShownRepository(Protocol):
    """A repository as it is shown to one host."""

    @property
    def refs(self) -> Mapping[str, ObjectId]:
        """All refs, each with its object."""

    @property
    def listing_bytes(self) -> int:
        """The size of a listing of the refs."""

    def missing(self, heads: Iterable[ObjectId], held: Container[ObjectId]) -> Objects:
        """The commits that lead from ``held`` to these heads."""

    def read(self, oid: ObjectId) -> tuple[ObjectKind, bytes]:
        """An object; ``ObjectMissing`` if it is not there."""

    def pack_bytes(self, commits: Mapping[ObjectId, tuple[ObjectKind, bytes]]) -> int:
        """The size of a pack of these commits."""


class SimulatedRepository:
    """A host that can be fetched from, at one place of the network."""

    def __init__(self, world: SimulationScene, name: str, port: HostPort) -> None:
        self.world = world
        self.name = name
        self.port = port
        self.is_up = True
        self.absent_until = 0
        self.serve_us = 0
        self.followers: list[ToldConnection] = []
        self._waiting: list[Callable[[], None]] = []
        """Called once, when there is something new."""

    @property
    def honest(self) -> Any:
        """The true repository, whatever the host shows."""
        raise NotImplementedError

    def push(self, visitor: SimulatedRepository, moves: Iterable[PushMove], commits: Objects) -> dict[str, str]:
        """Receive a push; returns the refused refs, each with the reason."""
        return {move.ref: "nobody may push here" for move in moves}

    @property
    def tells(self) -> bool:
        """Whether the host announces moved refs to its followers; plain Git does not."""
        return False

    @property
    def absent_us(self) -> int:
        """How much longer the host stands still."""
        left_us = self.absent_until - self.world.now
        return left_us if left_us > 0 else 0

    def later(self, delay_us: int, do: Callable[[], object]) -> None:
        """Call ``do`` after this delay."""
        self.world.at(self.world.now + delay_us, do)

    def shown_to(self, visitor: SimulatedRepository) -> ShownRepository | None:
        """The repository that the host shows to ``visitor``; None if it does not answer."""
        raise NotImplementedError

    @property
    def listing_bytes(self) -> int:
        """The size of a listing of its refs."""
        shown = self.shown_to(self)
        return 0 if shown is None else shown.listing_bytes

    def hold(self, visitor: SimulatedRepository, answer: Callable[[], Any], most_us: int) -> None:
        """Call ``answer`` once there is something new, at the latest after ``most_us``."""
        done: list[bool] = []

        def once() -> None:
            if not done:
                done.append(True)
                answer()

        self._waiting.append(once)
        self.later(most_us, once)

    def has_news(self) -> None:
        """Call those that wait for news, and have followers' connections announce it."""
        waiting, self._waiting = self._waiting, []
        for answer in waiting:
            answer()
        for follower in [*self.followers]:
            follower.look()

    def is_followed_no_more(self, follower: ToldConnection) -> None:
        """A follower has gone."""
        if follower in self.followers:
            self.followers.remove(follower)

    def loses_followers(self, *, says_so: bool) -> None:
        """The process that serves followers is gone. With ``says_so`` its system closes the connections."""
        gone, self.followers = self.followers, []
        for follower in gone:
            if says_so:
                follower.hang_up()


class VisitingHost(SimulatedRepository):
    """A host that polls others' repositories."""

    time: VirtualTime
    machine: Machine
    spent: HostSpending

    @property
    def network(self) -> Network:
        """The network of the simulation."""
        return self.world.network

    def wake(self) -> None:
        """Called when an answer has come."""
        raise NotImplementedError
