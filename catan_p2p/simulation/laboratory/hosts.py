"""The hosts of a simulated network: the machine of a player, which runs the real replica, and a relay."""

from __future__ import annotations

from collections.abc import Callable, Container, Generator, Iterable, Mapping
from functools import partial
from pathlib import Path
from random import Random

import simpy

from catan_p2p.log.game import GameDefinition
from catan_p2p.log.refs import HEADS, foreign_ref
from catan_p2p.log.storage.memory import MemoryDisk, PowerCut
from catan_p2p.log.storage.objects import ObjectDamaged, ObjectId, ObjectKind, ObjectMissing, StoreError, parents_of
from catan_p2p.log.storage.store import GitStore
from catan_p2p.log.transport.queries import PushMove
from catan_p2p.log.transport.shared_repository import SharedRepository
from catan_p2p.replication.coroutines import LookPause
from catan_p2p.replication.head_note import HeadNote
from catan_p2p.replication.play import may_pass, playing, waiting_for_room
from catan_p2p.replication.relay import SeatRelay
from catan_p2p.replication.replica import Replica
from catan_p2p.simulation.laboratory.clockwork import Machine, VirtualTime
from catan_p2p.simulation.laboratory.distributions import US
from catan_p2p.simulation.laboratory.links import HostPort
from catan_p2p.simulation.laboratory.remotes import VirtualRemote
from catan_p2p.simulation.laboratory.scene import (
    PromiseBroken,
    ShownRepository,
    SimulatedRepository,
    SimulationScene,
    VisitingHost,
)
from catan_p2p.simulation.laboratory.seats import SimulatedPlayer
from catan_p2p.simulation.laboratory.served_disk import Objects, ServedDisk, between, listing_bytes
from catan_p2p.simulation.laboratory.spending import HostSpending
from catan_p2p.tables.opening import seated_replica

FOLDER = Path("/game")
NOTES = Path("/notes/heads")
_RESTLESS = 10_000
"""A peer that goes on this often without a pause, at the same moment, would do so for ever."""
_ROOM_US = US // 5
"""How often a peer that starts on a full disk tries again."""


class Host(VisitingHost):
    """A player's machine: a disk, the process of a peer, and the daemon that serves its repository."""

    def __init__(self, world: SimulationScene, seat: SimulatedPlayer, port: HostPort, machine: Machine) -> None:
        super().__init__(world, seat.settings.colour, port)
        self.seat = seat
        self.machine = machine
        self.serve_us = machine.serve_us if self.network.transport == "git" else 0
        self.time = VirtualTime(world)
        self.disk = MemoryDisk()
        self.spent = HostSpending(lambda: world.now)
        self.replica: Replica | None = None
        self.remotes: dict[str, VirtualRemote] = {}
        self.is_done = False
        self.slowness = 1
        """The factor by which a sync of the disk takes longer."""
        self.lie: Callable[[SimulatedRepository, SimulatedRepository], ShownRepository | None] | None = None
        """What this host shows instead of its repository, while it lies."""
        self.restart_after_us = 0
        self.loses_power = False
        self.on_restart: Callable[[], None] | None = None
        self._wake: simpy.Event | None = None
        self._waits_for_news = False
        self._is_killed = False
        self._acted = self._known = self._syncs = 0
        self._restless = (0, 0)
        """When it last went on without a pause, and how often at that moment."""
        seat.write(self.disk, FOLDER)
        if world.game.has_views:
            HeadNote(NOTES, seat.root, seat.settings.colour, self.disk).keep(seat.root)
            self.disk.sync_all()
            self.disk.uncounted = str(NOTES.parent)  # the note is synced after a move, which does not wait for it
        self.served = ServedDisk(self.disk, FOLDER, world.sizes)

    # What others see

    def shown_to(self, visitor: SimulatedRepository) -> ShownRepository | None:
        """The repository as last published, or a lie."""
        if self.lie is not None and visitor is not self:
            return self.lie(self, visitor)
        return self.served

    @property
    def honest(self) -> ServedDisk:
        """The repository on its disk, as last published."""
        return self.served

    @property
    def tells(self) -> bool:
        """Whether it announces moved refs to its followers."""
        return self.network.looks == "follow" and self.network.transport == "git"

    # The life of its process

    def wake(self) -> None:
        """End a pause that waits for news: an answer or an announcement has come."""
        if self._waits_for_news:
            self._end_wait()

    def kill(self) -> None:
        """Kill the process as ``kill -9`` does, wherever it waits."""
        self._is_killed = True
        self._end_wait()

    def _end_wait(self) -> None:
        if self._wake is not None and not self._wake.triggered:
            self._wake.succeed()

    def life(self) -> Generator[simpy.Event, None, None]:
        """The process: start, play, be killed and start again, until the game is over and everybody knows."""
        while not self.is_done:
            try:
                store = yield from self._opened()
                yield from self._play(store)
            except PowerCut:
                yield from self._lie_dead()

    def _opened(self) -> Generator[simpy.Event, None, GitStore]:
        self.spent.starts += 1
        self.spent.lies(False)
        # At the beginning of a game all peers are running already.
        yield from self._pass(self.machine.start_us if self.spent.starts > 1 else self.machine.ask_us)
        while True:
            try:
                store = self._open_store()
                try:
                    self.replica = self._take_seat(store)
                except BaseException:
                    self.disk.let_go()  # closes its files, whose locks would stop the next start
                    raise
                return store
            except ObjectDamaged as error:
                self.world.mend(self, error)
                self.spent.mended += 1
                self.served.read_anew()
            except StoreError as error:
                if not may_pass(error):
                    raise
                yield from self._pass(_ROOM_US)

    def _open_store(self) -> GitStore:
        return GitStore.within(self.disk, FOLDER, durability="power", time=self.time, place_for=foreign_ref)

    def _take_seat(self, store: GitStore) -> Replica:
        seat = self.seat
        self.remotes = {}
        relay = self.world.relay

        def meet(url: str, game: GameDefinition, player: int) -> SeatRelay:
            assert relay is not None
            remote = self.remotes[relay.name] = VirtualRemote(url, self, relay)
            return SeatRelay(SharedRepository(remote, time=self.time), game, player, self.time, has_chat=False)

        def reach(colour: str, url: str) -> VirtualRemote:
            self.remotes[colour] = VirtualRemote(url, self, self.world.repository_of(colour))
            return self.remotes[colour]

        replica = seated_replica(
            store,
            seat.settings,
            seat.key,
            seat.chooser,
            seat.randomness,
            self._date,
            reach,
            meet,
            has_chat=False,
            time=self.time,
            notes=NOTES,
        )
        self.world.has_started(self, replica)
        return replica

    def _date(self, height: int) -> int:
        return int(self.time.date_s())

    def _play(self, store: GitStore) -> Generator[simpy.Event, None, None]:
        replica = self.replica
        assert replica is not None
        self._acted, self._known, self._syncs = len(replica.timings), len(replica.graph), self.disk.syncs
        self.served.read_anew()
        self.is_up = True
        self.world.has_shown(self)
        think = self.seat.thinking
        work = playing(replica, self.seat.pace, None, self._acknowledge, think)
        while True:
            if self._is_killed:
                work.close()
                raise PowerCut
            try:
                asked = next(work)
            except StopIteration:
                break
            yield from self._after_step(replica)
            if self.absent_us:
                yield from self._pass(self.absent_us)
            yield from self._wait(replica, asked)
        yield from self._after_step(replica)
        yield from self._with_room(store.fold)
        yield from self._with_room(
            partial(store.check_out, f"{HEADS}{self.seat.settings.colour}_{replica.game.number}")
        )
        store.close()
        self.served.look()
        self.is_done = True
        self.is_up = self.network.transport == "path"  # files of a folder can be read without a process
        self.loses_followers(says_so=True)
        for remote in self.remotes.values():
            remote.follow_no_more()
        self.spent.lies(True)
        self.world.has_ended(self)

    def _with_room(self, do: Callable[[], object]) -> Generator[simpy.Event, None, None]:
        """Call ``do`` as ``peer`` does after the last action: again and again while the disk is full."""
        for asked in waiting_for_room(do, lambda words: None, None, self.time):
            yield from self._pass(int(asked.most_s * US))
            if self._is_killed:
                raise PowerCut

    def _acknowledge(self, commit: ObjectId) -> None:
        self.world.has_acknowledged(self, commit)

    def _after_step(self, replica: Replica) -> Generator[simpy.Event, None, None]:
        """Let the time pass that the step has taken, then show what it has published."""
        # A step runs in no virtual time; the counters of replica and disk say afterwards what it did.
        acts, known, syncs = len(replica.timings), len(replica.graph), self.disk.syncs
        acted, checked = acts - self._acted, known - self._known - (acts - self._acted)
        cost = acted * self.machine.act_us + max(0, checked) * self.machine.check_us
        cost += (syncs - self._syncs) * self.machine.sync_us * self.slowness
        if syncs != self._syncs:
            cost += self.machine.publish_us
        self._acted, self._known, self._syncs = acts, known, syncs
        if cost:
            self.spent.computes(True)
            yield from self._pass(cost)
            self.spent.computes(False)
        if self.served.look():
            self.world.has_shown(self)
        self.world.has_stepped(self)

    def _wait(self, replica: Replica, asked: LookPause) -> Generator[simpy.Event, None, None]:
        if asked.for_news and replica.has_news:
            self._restless = (self.world.now, 1 + (self._restless[1] if self._restless[0] == self.world.now else 0))
            if self._restless[1] > _RESTLESS:
                raise PromiseBroken(
                    f"{self.name} goes on without a pause at {self.world.now / US:.3f} s, and accepts nothing"
                )
            return
        self._wake, self._waits_for_news = self.world.kernel.event(), asked.for_news
        waited = self._wake
        # At least a microsecond: without it time would stand still.
        self.world.at(self.world.now + max(1, int(asked.most_s * US)), lambda: waited.triggered or waited.succeed())
        yield waited
        self._wake = None

    def _pass(self, delay_us: int) -> Generator[simpy.Event, None, None]:
        yield self.world.kernel.timeout(delay_us)

    def _heal(self) -> None:
        """Remove the locks of processes that are gone, as ``tables.repair.heal`` does after a minute."""
        for name in self.disk.files(FOLDER):
            if name.endswith(".lock"):
                self.disk.remove(FOLDER / name)

    def _lie_dead(self) -> Generator[simpy.Event, None, None]:
        """The time after a kill: only the disk is left. Ends when the process is started again."""
        self.replica = None
        self.is_up = self.network.transport == "path"
        self._is_killed = False
        self._wake = None
        self.loses_followers(says_so=not self.loses_power)
        for remote in self.remotes.values():
            remote.close()
        self.spent.lies(True)
        self.disk.let_go()
        self.disk.fail = lambda size: None
        if self.served.look():
            self.world.has_shown(self)  # others may have read it just before the kill
        if self.loses_power:
            self.loses_power = False
            self.disk.lose_power(self.world.stream(f"power {self.name} {self.world.now}"))
            self._heal()
        if self.on_restart is not None:
            self.on_restart()
            self.on_restart = None
        self.world.has_died(self)
        yield from self._pass(max(1000, self.restart_after_us))


class RelayHost(SimulatedRepository):
    """A relay: a repository that all players push their own branches to, and fetch all others from."""

    def __init__(self, world: SimulationScene, port: HostPort) -> None:
        super().__init__(world, "relay", port)
        self.objects: Objects = {}
        self.refs: dict[str, ObjectId] = {}
        self.version = 0
        self.serve_us = world.machine.serve_us
        self.lie: Callable[[SimulatedRepository, SimulatedRepository], ShownRepository | None] | None = None

    def push(self, visitor: SimulatedRepository, moves: Iterable[PushMove], commits: Objects) -> dict[str, str]:
        """Receive a push as Git does: accept a move if its ref is as the client expects it, and no commit is missing.

        Returns the refused refs, each with the reason.
        """
        refused = {}
        self.objects.update(self._connected(commits))
        for move in moves:
            if self.refs.get(move.ref) != move.old:
                refused[move.ref] = "the ref is elsewhere"
            elif move.new is not None and move.new not in self.objects:
                refused[move.ref] = "missing necessary objects"
            elif move.new is None:
                self.refs.pop(move.ref, None)
            else:
                self.refs[move.ref] = move.new
        self.version += 1
        self.world.tell_news(self, visitor.name)
        return refused

    def lose_objects(self, rng: Random) -> None:
        """Lose all commits, the newest or the oldest ones; the refs stay."""
        oids = [*self.objects]
        first, last = rng.choice(((0, len(oids)), (len(oids) // 2, len(oids)), (0, len(oids) // 2)))
        for oid in oids[first:last]:
            del self.objects[oid]
        self.version += 1

    def _connected(self, commits: Objects) -> Objects:
        """The commits of a push of which no ancestor is missing."""
        children: dict[ObjectId, list[ObjectId]] = {}
        for oid, (_, data) in commits.items():
            for parent in parents_of(data):
                children.setdefault(parent, []).append(oid)
        lacking = [parent for parent in children if parent not in commits and parent not in self.objects]
        left = {*lacking}
        while lacking:
            new = [oid for oid in children.get(lacking.pop(), ()) if oid not in left]
            left.update(new)
            lacking += new
        return {oid: data for oid, data in commits.items() if oid not in left}

    def shown_to(self, visitor: SimulatedRepository) -> ShownRepository | None:
        """The pushed refs and commits, or a lie."""
        return self.lie(self, visitor) if self.lie is not None else self

    @property
    def honest(self) -> RelayHost:
        """The relay itself, without a lie."""
        return self

    @property
    def listing_bytes(self) -> int:
        """The size of a listing of all refs."""
        return listing_bytes(self.refs)

    def missing(self, heads: Iterable[ObjectId], held: Container[ObjectId]) -> Objects:
        """The commits that lead from ``held`` to these heads."""
        return between(heads, held, self.read)

    def read(self, oid: ObjectId) -> tuple[ObjectKind, bytes]:
        """A commit; ``ObjectMissing`` if it is not there."""
        if oid not in self.objects:
            raise ObjectMissing(f"no object {oid}")
        return self.objects[oid]

    def pack_bytes(self, commits: Mapping[ObjectId, tuple[ObjectKind, bytes]]) -> int:
        """The size of a pack of these commits; each was measured when it was pushed."""
        return 32 + sum(self.world.sizes.known(oid, data) for oid, (_, data) in commits.items())
