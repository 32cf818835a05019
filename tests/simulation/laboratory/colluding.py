"""Games over simulated links with players who lie together, or to some only: ``python -m ...colluding``.

Accomplices: a liar shows a call to one honest player alone, who tells their share, and goes on in another way; once
the liar is out, the next one does the same; the last one calls for draws. Split views: a liar
plays two games, each with some of the others, from a commit on; directly, over folders, or over a relay that lies too.

A referee follows all lines (``lines.py``): everything held is valid, nobody honest lies, no share that was told is used
for another call, and all honest players end on one commit.
"""

import sys
from collections import Counter
from collections.abc import Callable, Generator, Iterable, Mapping
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any, Literal, NamedTuple

import simpy

from catan_p2p.game.actions import Action, Call
from catan_p2p.game.constants import Player
from catan_p2p.game.rules import apply, decisions
from catan_p2p.log.nodes import ReplyNode
from catan_p2p.log.refs import parse_branch
from catan_p2p.log.storage.objects import ObjectId, ObjectKind, object_id
from catan_p2p.log.transport.queries import PushMove
from catan_p2p.log.verdict import LoggedStep
from catan_p2p.replication.peer import GaveUp
from catan_p2p.replication.replica import Neighbour, Replica
from catan_p2p.simulation.game import SimulationSettings
from catan_p2p.simulation.laboratory.distributions import US
from catan_p2p.simulation.laboratory.hosts import FOLDER, Host, RelayHost
from catan_p2p.simulation.laboratory.lies import ForgedRefs, HonestRepository
from catan_p2p.simulation.laboratory.scene import ShownRepository, SimulatedRepository
from catan_p2p.simulation.laboratory.served_disk import Objects
from catan_p2p.simulation.laboratory.world import SimulatedWorld
from tests.simulation.laboratory.leaving import NETWORKS, Away, LeavingWorld
from tests.simulation.laboratory.sums import Sums, run_simulated, watched
from tests.simulation.laboratory.worlds import settings

Act = Callable[..., list[LoggedStep]]

JOINT = (
    "thesis; PointsToWin = 3; Leaving = yes; Chance = joint",
    "brief; PointsToWin = 3; Leaving = yes; Chance = joint",
)
ACTOR = ("thesis; PointsToWin = 3; Leaving = yes; HandLimit = 3", "brief; PointsToWin = 3; Leaving = yes")
REVEAL_S = 10
"""So long a liar waits for the share of whom they have shown a call."""


class Plan(NamedTuple):
    """Who lies, and how."""

    kind: Literal["accomplices", "split views"]
    liars: tuple[Player, ...]
    """In the order in which they lie; the last accomplice only helps."""
    at: int
    """From how many commits on."""
    apart_s: int
    """For how long those who are shown different things cannot reach one another: for less than the patience."""


class LyingWorld(LeavingWorld):
    """A game in which some players lie, none of whom is compared in the end."""

    def __init__(self, number: int, chosen: SimulationSettings, plan: Plan) -> None:
        super().__init__(number, chosen, Away(plan.liars[0], "forks", plan.at))
        self.plan = plan
        self.watcher.lines.liars = plan.liars
        self.lies = 0
        self.rng = self.stream("lies")
        self.gone = {self.hosts[player - 1].name for player in plan.liars}
        for player in plan.liars:
            self._keep_going(self.hosts[player - 1])

    def _keep_going(self, host: Host) -> None:
        """Let the world go on when the program of a liar gives up, as it may."""
        life = host.life

        def living() -> Generator[simpy.Event, None, None]:
            try:
                yield from life()
            except GaveUp:
                host.is_done = True
                self.has_ended(host)

        host.life = living  # type: ignore[method-assign]

    def has_started(self, host: Host, replica: Replica) -> None:
        SimulatedWorld.has_started(self, host, replica)
        if host.seat.player in self.plan.liars:
            act = replica.act

            def acting(max_actions: int | None = None) -> list[LoggedStep]:
                return self.collude(host, replica, act, max_actions)

            replica.act = acting  # type: ignore[method-assign]

    def collude(self, host: Host, replica: Replica, act: Act, max_actions: int | None) -> list[LoggedStep]:
        """What a liar's program does when it may act."""
        raise NotImplementedError

    def keep_apart(self, some: Iterable[str], others: Iterable[str], for_us: int) -> None:
        """Let nothing pass between some hosts and others for a time."""
        others = [*others]
        ways = [way for a in some for b in others for way in ((a, b), (b, a))]
        self.cuts.cut(ways, refuses=False)
        self.at(self.now + for_us, lambda: self.cuts.join(ways, refuses=False))


# Accomplices


@dataclass
class Lure:
    """A call that was shown to one player, and whom its author looks at otherwise."""

    commit: ObjectId
    victim: Host
    until_us: int
    neighbours: list[Neighbour]


class Faces:
    """A repository that shows some visitors another commit than its own in the place of a ref."""

    def __init__(self, source: SimulatedRepository) -> None:
        self._source = source
        self._instead: dict[str, dict[str, ObjectId]] = {}
        self._objects = Objects()
        self._frozen: dict[str, Mapping[str, ObjectId]] = {}

    def freeze(self, visitor: str) -> None:
        """Show a visitor nothing new."""
        self._frozen[visitor] = dict(self._source.honest.refs)

    def release(self, visitor: str) -> None:
        """Show a visitor everything again."""
        self._frozen.pop(visitor, None)
        self._source.has_news()

    def show(
        self, visitor: str, ref: str, commit: ObjectId, objects: Mapping[ObjectId, tuple[ObjectKind, bytes]]
    ) -> None:
        """From now on show a visitor this commit."""
        self._instead.setdefault(visitor, {})[ref] = commit
        self._objects.update(objects)
        self._source.has_news()

    def __call__(self, source: SimulatedRepository, visitor: SimulatedRepository) -> ShownRepository:
        served: HonestRepository = self._source.honest
        if visitor.name in self._frozen:
            return ForgedRefs(served, self._frozen[visitor.name], {})
        instead = self._instead.get(visitor.name)
        return ForgedRefs(served, {**served.refs, **instead}, self._objects) if instead else served


def _has_replied(host: Host, call: ObjectId) -> bool:
    """Whether a player has replied to a call."""
    graph = None if host.replica is None else host.replica.graph
    nodes = graph.valid.nodes.values() if graph.game.has_views else ()
    return any(isinstance(one, ReplyNode) and one.head == call and one.link.player == host.seat.player for one in nodes)


class AccomplicesWorld(LyingWorld):
    """Liars who show a call to one honest player alone, one liar after the other, and one who uses what they heard."""

    def __init__(self, number: int, chosen: SimulationSettings, plan: Plan) -> None:
        super().__init__(number, chosen, plan)
        self._lures: dict[Player, Lure] = {}
        self._faces: dict[str, Faces] = {}
        self.told = 0
        """How many shares were told to a liar alone."""

    def collude(self, host: Host, replica: Replica, act: Act, max_actions: int | None) -> list[LoggedStep]:
        me = host.seat.player
        if me in self._lures:
            lure = self._lures[me]
            has_told = _has_replied(lure.victim, lure.commit)
            if not has_told and self.now < lure.until_us:
                return []
            self.told += has_told
            del self._lures[me]
            steps = act(max_actions)
            replica.neighbours = lure.neighbours
            self._faces_of(host).release(host.name)
            return steps
        if self._may_lie(me, replica) and self._show_a_call(host, replica):
            return []
        return act(max_actions)

    def _faces_of(self, host: Host) -> Faces:
        """What shows this host's branches to others."""
        source: Any = self.relay or host
        if source.name not in self._faces:
            source.lie = self._faces[source.name] = Faces(source)
        return self._faces[source.name]

    def _may_lie(self, me: Player, replica: Replica) -> bool:
        graph = replica.graph
        there = [player for player in self.plan.liars[:-1] if not graph.state.away[player - 1]]
        has_lied = graph.game.has_views and me in graph.valid.forkers
        return there[:1] == [me] and len(graph) >= self.plan.at and replica.is_awaited and not has_lied

    def _show_a_call(self, host: Host, replica: Replica) -> bool:
        """Show a call to somebody honest, if there is one to be made."""
        graph, me = replica.graph, host.seat.player
        calls: list[Action] = [one for one in decisions(graph.state, me) if isinstance(one, Call)]
        honest = [one for one in self.there if not graph.state.away[one.seat.player - 1]]
        if not calls or not honest or graph.state.is_over:
            return False
        call, victim, objects = self.rng.choice(calls), self.rng.choice(honest), Objects()

        def put(kind: ObjectKind, data: bytes) -> ObjectId:
            oid = object_id(kind, data)
            objects[oid] = kind, data
            return oid

        before = graph.before(call)
        date = int(host.time.date_s()) + 3600
        step = graph.write(call, apply(before, call), date, put, replica._share_for(call))
        commits = {oid: found for oid, found in objects.items() if found[0] == "commit"}
        faces = self._faces_of(host)
        faces.show(victim.name, host.seat.log, step.commit, commits)
        faces.freeze(host.name)
        if self.plan.apart_s:
            others = [one.name for one in self.hosts if one is not victim and one is not host]
            self.keep_apart([victim.name], others, self.plan.apart_s * US)
        self._lures[me] = Lure(step.commit, victim, self.now + REVEAL_S * US, replica.neighbours)
        replica.neighbours = []  # else the program would go on from the call, once others have it
        self._has_left = True
        self.lies += 1
        return True


# Split views


class SplitRelay(RelayHost):
    """A relay in league with a liar: it keeps what the liar pushes in two games apart, and shows each to some."""

    def __init__(self, relay: RelayHost) -> None:
        super().__init__(relay.world, relay.port)
        self._twin: Host | None = None
        self._side: set[str] = set()
        self._liar = ""
        self._other: dict[str, ObjectId] = {}
        self._is_apart = False

    def split(self, liar: Host, twin: Host, side: set[str], *, is_apart: bool) -> None:
        """From now on show some what the liar's other peer pushes, and keep what the two sides push apart."""
        self._twin, self._side, self._liar, self._is_apart = twin, side, liar.name, is_apart
        self._other = dict(self.refs)
        self.version += 1

    def join(self) -> None:
        """Pass on between the two sides what the honest push."""
        self._is_apart = False
        for ref in {*self.refs, *self._other}:
            author = _author_of(ref)
            if author == self._liar:
                continue
            there, here = (self._other, self.refs) if author in self._side else (self.refs, self._other)
            if ref in there:
                here[ref] = there[ref]
            else:
                here.pop(ref, None)
        self.version += 1
        self.has_news()

    def push(self, visitor: SimulatedRepository, moves: Iterable[PushMove], commits: Objects) -> dict[str, str]:
        moves, plain = [*moves], self.refs
        if self._twin is None:
            return super().push(visitor, moves, commits)
        own, others = (self._other, plain) if self._sees_other(visitor) else (plain, self._other)
        try:
            self.refs = own
            refused = super().push(visitor, moves, commits)
            if not self._is_apart and visitor.name != self._liar:
                for move in moves:
                    if move.ref not in refused:
                        others.pop(move.ref, None)
                        if move.new is not None:
                            others[move.ref] = move.new
        finally:
            self.refs = plain
        return refused

    def _sees_other(self, visitor: SimulatedRepository) -> bool:
        return visitor is self._twin or visitor.name in self._side

    def shown_to(self, visitor: SimulatedRepository) -> ShownRepository | None:
        if self._twin is not None and self._sees_other(visitor):
            return ForgedRefs(self, self._other, {})
        return super().shown_to(visitor)


def _author_of(ref: str) -> str | None:
    branch = parse_branch(ref.rpartition("/")[2])
    return None if branch is None else branch.colour


class SplitWorld(LyingWorld):
    """A liar with two peers in one seat, each of which plays with some of the others."""

    def __init__(self, number: int, chosen: SimulationSettings, plan: Plan) -> None:
        super().__init__(number, chosen, plan)
        if self.relay is not None:
            self.relay = SplitRelay(self.relay)
        names = [host.name for host in self.there]
        self.side = {*self.rng.sample(names, self.rng.randrange(1, len(names)))}
        self.twin: Host | None = None

    def collude(self, host: Host, replica: Replica, act: Act, max_actions: int | None) -> list[LoggedStep]:
        if self.twin is None and len(replica.graph) >= self.plan.at and replica.is_awaited:
            self._split(host, replica)
        return act(max_actions)

    def _split(self, host: Host, replica: Replica) -> None:
        """Begin a second peer in the same seat, from what the first one holds."""
        rest = {one.name for one in self.there} - self.side
        replica.store.publish()
        replica.neighbours = [one for one in replica.neighbours if one.colour not in self.side]
        remotes = {name: url for name, url in host.seat.settings.remotes.items() if name in self.side}
        seat = replace(host.seat, settings=replace(host.seat.settings, remotes=remotes))
        twin = self.twin = Host(self, seat, self._port(host.seat.player - 1), self.machine)
        for name, data in host.disk.files(FOLDER).items():
            if not name.endswith(".lock"):
                twin.disk.put(FOLDER / name, data)
        twin.disk.sync_all()
        twin.time.wrong_by_us += 3600 * US
        twin.served.read_anew()
        self._keep_going(twin)
        if isinstance(self.relay, SplitRelay):
            self.relay.split(host, twin, self.side, is_apart=self.plan.apart_s > 0)
            if self.plan.apart_s:
                self.at(self.now + self.plan.apart_s * US, self.relay.join)
        else:
            host.lie = lambda source, visitor: (twin if visitor.name in self.side else host).served
            if self.plan.apart_s:
                self.keep_apart(self.side, rest, self.plan.apart_s * US)
        self.kernel.process(twin.life())
        self._has_left = True
        self.lies += 1

    def has_shown(self, host: Host) -> None:
        super().has_shown(host)
        if host is self.twin:
            self.hosts[self.plan.liars[0] - 1].has_news()  # it is there that all who follow the liar are told

    def has_ended(self, host: Host) -> None:
        if host is not self.twin:
            super().has_ended(host)


# The campaign


@dataclass
class Figures(Sums):
    """What a campaign has seen."""

    lies: int = 0
    """Calls that were shown to one player alone, and games that were split."""
    shares_told: int = 0
    """To a liar alone."""
    kinds: Counter[str] = field(default_factory=Counter)


KINDS = ("accomplices", "split views")


def game_of(seed: int, policies: str = "builder", hands: str = "open", players: int = 0) -> LyingWorld:
    """A game of the campaign: everything else goes with the seed, and so do the players if there are 0."""
    rng = Random(f"colluding {seed}")
    kind, turn = KINDS[seed % len(KINDS)], seed // len(KINDS)
    players = players or 3 + turn % 4
    words = f"{NETWORKS[rng.randrange(len(NETWORKS))]}; machine = quick"
    apart_s = rng.choice((0, 5, 12))
    rules = rng.choice(JOINT if kind == "accomplices" else (*JOINT, *ACTOR))
    if kind == "accomplices":
        count = rng.randrange(2, players)
        liars = tuple(rng.sample(range(1, players + 1), count))
        plan = Plan("accomplices", liars, rng.randrange(1, 60), apart_s)
    else:
        plan = Plan("split views", (1 + rng.randrange(players),), rng.randrange(1, 60), apart_s)
    chosen = settings(words, seed, players, rules=rules, signed=True, policies=policies, hands=hands)
    return (AccomplicesWorld if kind == "accomplices" else SplitWorld)(0, chosen, plan)


def play_one(seed: int, policies: str = "builder", hands: str = "open", players: int = 0) -> Figures:
    """One game of the campaign."""
    world = game_of(seed, policies, hands, players)
    found = watched(Figures(), world, f"seed {seed}, {world.plan}", world.check)
    found.lies = world.lies
    found.shares_told = world.told if isinstance(world, AccomplicesWorld) else 0
    if world.lies:
        found.kinds[world.plan.kind] += 1
    return found


if __name__ == "__main__":
    sys.exit(run_simulated("Let players of simulated games lie together, or to some only.", play_one, Figures(), 80, 0))
