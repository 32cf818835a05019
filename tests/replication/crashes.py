"""Every crash of a peer, in memory: before and after each effect of each step of a game, killed, torn or without power.

Real replicas over real stores on disks in memory take turns. Before each effect of one of them its disk is copied: that
is what a kill at this point leaves. From each copy a peer is started, looks at what the others had shown by then, and
goes on. It must come to all that the peer without the crash had come to, by the same ids.
"""

import copy
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import NamedTuple

from catan_p2p.game.constants import Chance
from catan_p2p.game.randomness import logical_clock
from catan_p2p.limits import MAX_COMMIT_BYTES, MAX_OBJECT_BYTES
from catan_p2p.log.evidence import read_refusals
from catan_p2p.log.graph import CommitGraph
from catan_p2p.log.reading import read_root, take_in
from catan_p2p.log.refs import COLOURS
from catan_p2p.log.storage.memory import MemoryDisk
from catan_p2p.log.storage.objects import ObjectId, ObjectKind, ObjectMissing, object_id
from catan_p2p.log.storage.store import GitStore
from catan_p2p.log.transport.queries import DirectRemote
from catan_p2p.replication.core.effects import (
    Effect,
    ForgetRef,
    KeepEvidence,
    KeepObjects,
    LeaveSource,
    RecordRef,
    ReportCommit,
    ShowRefs,
)
from catan_p2p.replication.core.events import CommitsBrought, Event, HeadHeard
from catan_p2p.replication.replica import Replica
from catan_p2p.simulation.game import SimulationSettings
from catan_p2p.simulation.laboratory.seats import make_seats
from catan_p2p.simulation.laboratory.spec import Network
from catan_p2p.tables.opening import seated_replica
from tests.log.storage.memory import MemoryRemote, Objects
from tests.replication.peers import PeerTable
from tests.virtual_time import VirtualTime

FOLDER = Path("/game")
ROUNDS = 4
"""So often a peer that was started again looks and acts until it must have come as far as without the crash."""
Refs = dict[str, ObjectId]


class Case(NamedTuple):
    """A disk as a crash leaves it, and what the peer knew and had shown by then."""

    disk: MemoryDisk
    shown: frozenset[ObjectId]
    acknowledged: frozenset[ObjectId]
    """What it had shown, or synced: none of it may be lost."""
    where: str


@dataclass
class Turn:
    """One turn of the watched peer: what the others showed all the while, its crashes, and what it held afterwards."""

    shown: dict[str, Refs]
    cases: list[Case] = field(default_factory=list)
    held: frozenset[ObjectId] = frozenset()
    head: ObjectId | None = None


class MemorySeats:
    """The seats of a game, on disks in memory. ``lies`` are refs that one shows to another instead of the own ones."""

    def __init__(self, players: int, rules: str, chance: Chance = "actor", seed: int = 1) -> None:
        settings = SimulationSettings(players, seed=seed, policies=("builder",), rules=rules, chance=chance)
        self.game, self.players = make_seats(0, settings, Network())
        self.objects = Objects()
        self.objects.kept |= self.players[0].objects
        self.lies: dict[tuple[str, str], Refs] = {}
        self.time = VirtualTime()
        self.table = PeerTable[Replica]([], self.time)
        for player in self.players:
            disk = MemoryDisk()
            player.write(disk, FOLDER)
            self.table.seat(self.started(player.settings.colour, disk))

    def started(self, colour: str, disk: MemoryDisk, shown: Mapping[str, Refs] | None = None) -> Replica:
        """The replica of a seat over a disk; it sees ``shown`` of the others, by default what they show by and by."""
        player = self.players[COLOURS.index(colour)]
        time = self.time if shown is None else VirtualTime()

        def reach(other: str, url: str) -> DirectRemote:
            def refs() -> Mapping[str, ObjectId]:
                if (colour, other) in self.lies:
                    return self.lies[colour, other]
                return self.shown_by(other) if shown is None else shown[other]

            return DirectRemote(MemoryRemote(other, refs, self.objects))

        return seated_replica(
            GitStore.within(disk, FOLDER, durability="power", time=time),
            player.settings,
            player.key,
            player.chooser,
            player.randomness,
            logical_clock,
            reach,
            lambda *meeting: None,  # type: ignore[arg-type, return-value]
            has_chat=False,
            time=time,
        )

    def replica(self, colour: str) -> Replica:
        return self.table.peers[COLOURS.index(colour)]

    def shown_by(self, colour: str) -> Refs:
        """The refs that everybody sees of a player, whose commits can be read from then on."""
        store = self.replica(colour).store
        refs = store.list_refs("refs/", broken=[])
        waiting = [*refs.values()]
        while waiting:
            if (oid := waiting.pop()) not in self.objects.kept:
                kind, data = self.objects.kept[oid] = store.read(oid)
                graph = self.replica(colour).graph
                waiting += [ObjectId(line[7:].decode()) for line in data.split(b"\n") if line.startswith(b"parent ")]
                assert kind == "commit" and graph is not None
        return refs


Script = Callable[[PeerTable[Replica], Replica], object]
"""What a player does in a turn, after looking."""


def acts(table: PeerTable[Replica], replica: Replica) -> None:
    """Act, and do what is due in a change of the view; the others are waited for for ever."""
    table.go_on(replica)


def turn_of(table: PeerTable[Replica], replica: Replica, script: Script) -> None:
    """A turn: a second passes, the player looks and does what the script says."""
    table.time.sleep(1.0)
    table.look(replica)
    script(table, replica)


class Watched:
    """Copies a peer's disk before and after every effect of a turn, and holds every step to the laws."""

    def __init__(self, seats: MemorySeats, colour: str, seen: Counter[str]) -> None:
        self.seats = seats
        self.colour = colour
        self.seen = seen
        self.replica = seats.replica(colour)
        self.disk: MemoryDisk = self.replica.store.medium  # type: ignore[assignment]
        self.turn: Turn | None = None
        self._synced: frozenset[ObjectId] = frozenset({self.replica.graph.root})
        step, carry_out = self.replica.core.step, self.replica._carry_out

        def stepping(event: Event) -> list[Effect]:
            effects = step(event)
            check_bounds(event, effects)
            check_order(effects)
            return effects

        def carrying(effect: Effect) -> None:
            self.seen[type(effect).__name__] += 1
            self._copy(f"before {type(effect).__name__}")
            carry_out(effect)
            if isinstance(effect, KeepObjects | RecordRef | ForgetRef | ShowRefs | KeepEvidence):
                once = self.disk.files()
                carry_out(effect)
                assert self.disk.files() == once, f"{effect} twice is not the same as once"
            if isinstance(effect, ShowRefs):
                self._synced |= self._reached()
                check_shown(self.seats, self.colour)
            self._copy(f"after {type(effect).__name__}")

        self.replica.core.step = stepping  # type: ignore[method-assign]
        self.replica._carry_out = carrying  # type: ignore[method-assign]

    def _reached(self) -> frozenset[ObjectId]:
        self.seats.shown_by(self.colour)
        graph = self.replica.graph
        return frozenset(oid for oid in self.seats.shown_by(self.colour).values() if oid in graph)

    def _copy(self, where: str) -> None:
        if self.turn is None:
            return
        if self.turn.cases and self.turn.cases[-1].disk.files() == self.disk.files():
            return
        held = frozenset(self.seats.shown_by(self.colour).values())
        self.turn.cases.append(Case(copy.deepcopy(self.disk), held, self._synced, where))

    def take(self, script: Script) -> Turn:
        """A turn, with its crashes."""
        others = [seat.colour for seat in self.seats.game.seats if seat.colour != self.colour]
        shown = {other: self.seats.lies.get((self.colour, other)) or self.seats.shown_by(other) for other in others}
        self.turn = Turn(shown)
        turn_of(self.seats.table, self.replica, script)
        turn, self.turn = self.turn, None
        graph = self.replica.graph
        turn.held, turn.head = frozenset((graph.root, *graph.line_commits())), graph.head
        return turn


def check_bounds(event: Event, effects: Sequence[Effect]) -> None:
    """The number and size of the effects of one event are bounded by what the event brings."""
    commits = 1
    if (
        isinstance(event, HeadHeard)
        and isinstance(event.brought, CommitsBrought)
        and isinstance(event.brought.commits, list)
    ):
        commits += len(event.brought.commits)
    assert len(effects) <= 16 * commits + 64, (event, len(effects))
    for effect in effects:
        if isinstance(effect, KeepObjects):
            assert len(effect.objects) <= 64
            assert all(len(data) <= max(MAX_COMMIT_BYTES, MAX_OBJECT_BYTES) for _, data in effect.objects)
        if isinstance(effect, KeepEvidence):
            assert len(effect.commits) <= 2
            assert all(len(data) <= MAX_COMMIT_BYTES for _, _, data in effect.commits)


def check_order(effects: Sequence[Effect]) -> None:
    """A ref moves only to what was kept before, and a source is left last."""
    for at, effect in enumerate(effects):
        assert not isinstance(effect, LeaveSource) or at == len(effects) - 1
        later = {object_id(*one.objects[-1]) for one in effects[at:] if isinstance(one, KeepObjects)}
        assert not isinstance(effect, RecordRef) or effect.new not in later
        assert not isinstance(effect, ReportCommit) or effect.step.commit not in later


def observer(seats: MemorySeats) -> CommitGraph:
    """Somebody who has seen nothing but the root."""
    graph = read_root(seats.players[0].root, seats.objects.read)
    assert isinstance(graph, CommitGraph)
    return graph


def check_shown(seats: MemorySeats, colour: str) -> None:
    """Whatever a player shows as their own is accepted by somebody who has seen nothing else."""
    for ref, head in seats.shown_by(colour).items():
        if ref.startswith("refs/heads/"):
            graph = observer(seats)
            take_in(graph, head, seats.objects.read)
            assert head in graph, f"{colour} shows {ref} at {head}, which is refused"


def after_crashes(seats: MemorySeats, colour: str, turn: Turn, rng: Random) -> Iterator[tuple[str, MemoryDisk, Case]]:
    """The disks that crashes leave: killed, killed in the middle of a write, and without power."""
    for number, case in enumerate(turn.cases):
        killed = copy.deepcopy(case.disk)
        killed.let_go()
        yield "killed", killed, case
        if number and (torn := torn_between(turn.cases[number - 1].disk, case.disk, rng)) is not None:
            yield "torn", torn, turn.cases[number - 1]
        dark = copy.deepcopy(case.disk)
        dark.lose_power(rng)
        for name in dark.files(FOLDER):
            if name.endswith(".lock"):
                dark.remove(FOLDER / name)
        yield "without power", dark, case


def torn_between(before: MemoryDisk, after: MemoryDisk, rng: Random) -> MemoryDisk | None:
    """The disk with a part of what was appended to the journal."""
    path = FOLDER / "catan-p2p" / "writer.journal"
    names = [name for name in after.files(FOLDER) if name.endswith("journal")]
    assert names, f"no journal such as {path}"
    old, new = before.read(FOLDER / names[0]) or b"", after.read(FOLDER / names[0]) or b""
    if not new.startswith(old) or len(new) - len(old) < 2:
        return None
    torn = copy.deepcopy(before)
    descriptor = torn.open_append(FOLDER / names[0])
    torn.append(descriptor, new[len(old) : len(old) + rng.randrange(1, len(new) - len(old))])
    torn.let_go()
    return torn


@dataclass
class Figures:
    """What was tried."""

    steps: int = 0
    crashes: Counter[str] = field(default_factory=Counter)
    effects: Counter[str] = field(default_factory=Counter)


def go_on(
    seats: MemorySeats, colour: str, turn: Turn, script: Script, every: int, rng: Random, figures: Figures
) -> None:
    """Start from what each crash of a turn leaves, and see that it comes to the same."""
    done: set[frozenset[tuple[str, bytes]]] = set()
    for number, (how, disk, case) in enumerate(after_crashes(seats, colour, turn, rng)):
        left = frozenset(disk.files().items())
        if number % every or left in done:
            continue
        done.add(left)
        figures.crashes[how] += 1
        told = f"{colour} {how} {case.where}"
        again = seats.started(colour, disk, turn.shown)
        alone = PeerTable([again], again.time)
        assert all(oid in again.graph or is_left(again, oid) for oid in case.acknowledged), f"{told}: lost"
        for _ in range(ROUNDS):
            turn_of(alone, again, script)
        assert turn.head in again.graph, f"{told}: it does not come to {turn.head}"
        lost = {oid for oid in turn.held if oid not in again.graph and not is_left(again, oid)}
        assert not lost, f"{told}: lost {lost}"
        check_alone(seats, again, told)
        again.close()
        again.store.close()


def is_left(replica: Replica, oid: ObjectId) -> bool:
    """Whether a commit was left on a branch that did not survive: it is kept aside, or another player's."""
    return oid in replica.core.held.refs.values()


def check_alone(seats: MemorySeats, replica: Replica, told: str) -> None:
    """The player has not contradicted themselves: one observer accepts what was shown before, and what is now."""
    seen = observer(seats)

    def read(oid: ObjectId) -> tuple[ObjectKind, bytes]:
        try:
            return replica.store.read(oid)
        except ObjectMissing:
            return seats.objects.read(oid)

    colour = replica.game.seats[replica.player - 1].colour
    own = {**seats.shown_by(colour), **replica.store.list_refs("refs/heads/", broken=[])}
    before = seats.shown_by(colour)
    for ref, head in [*before.items(), *own.items()]:
        if ref.startswith("refs/heads/"):
            take_in(seen, head, read)
            assert head in seen, f"{told}: {ref} at {head} contradicts what was shown"
    blamed = {line["colour"] for line in read_refusals(FOLDER / "catan-p2p", replica.store.medium)}
    assert blamed <= {"Red"}, f"{told}: charges {blamed}"


def crash_everywhere(
    seats: MemorySeats,
    colour: str,
    turns: int,
    script_of: Callable[[str, int], Script],
    every: int = 1,
    seed: int = 1,
) -> Figures:
    """Let all take turns, and crash one of them at every effect of every turn."""
    figures, rng = Figures(), Random(seed)
    watched = Watched(seats, colour, figures.effects)
    for number in range(turns):
        for seat in seats.game.seats:
            script = script_of(seat.colour, number)
            if seat.colour != colour:
                turn_of(seats.table, seats.replica(seat.colour), script)
                continue
            turn = watched.take(script)
            figures.steps += 1
            go_on(seats, colour, turn, script, every, rng, figures)
    return figures
