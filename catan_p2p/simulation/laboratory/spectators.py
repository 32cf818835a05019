"""Spectators: each polls one repository, and fetches new commits from it.

A spectator is only the place of its newest commit in the log. One graph validates every commit for all spectators: the
verdict is the same for all that have the earlier commits, so ten thousand spectators cost as much as one.
"""

from collections.abc import Callable
from functools import partial

from catan_p2p.log.graph import CommitGraph
from catan_p2p.log.reading import read_root
from catan_p2p.log.storage.objects import ObjectId
from catan_p2p.log.verdict import LoggedStep
from catan_p2p.simulation.laboratory.distributions import US
from catan_p2p.simulation.laboratory.following import SYN_BYTES
from catan_p2p.simulation.laboratory.histograms import Histogram
from catan_p2p.simulation.laboratory.hosts import Host
from catan_p2p.simulation.laboratory.links import HostPort
from catan_p2p.simulation.laboratory.recording import SPECTATORS, HostTraffic
from catan_p2p.simulation.laboratory.remotes import REQUEST_BYTES, WANT_BYTES
from catan_p2p.simulation.laboratory.scene import SimulatedRepository, SimulationScene
from catan_p2p.simulation.laboratory.served_disk import Objects

LOOK_US = 2 * US
"""How often a spectator looks if the network does not say otherwise."""
_PER_SPECTATOR = 4
"""In gossip, this many spectators look at each host and at each other spectator."""
_LISTING_BYTES = 400
"""The size of another spectator's listing of refs."""


class SimulatedSpectator(SimulatedRepository):
    """One spectator, with its source: a player's host, the relay, or in gossip another spectator."""

    def __init__(self, world: SimulationScene, number: int, port: HostPort) -> None:
        super().__init__(world, f"spectator {number}", port)
        self.source: SimulatedRepository | None = None
        self.place = 0
        """The place of its newest commit in the log."""


class Spectators:
    """All spectators of one game, and what they have seen."""

    def __init__(self, world: SimulationScene, count: int) -> None:
        self._world = world
        self._rng = rng = world.stream("spectators")
        objects: Objects = world.hosts[0].seat.objects
        graph = read_root(world.referee.root, objects.__getitem__)
        assert isinstance(graph, CommitGraph), graph
        self._graph = graph
        self._place: dict[ObjectId, int] = {graph.root: 0}
        """The place of each commit in the log; the root has 0."""
        self._shown: list[int] = []
        """When each commit after the root was first shown."""
        self._bytes_to = [0]
        """The bytes of all commits up to each place, so that those between two places are a difference."""
        self.staleness = Histogram()
        """The age of each action when a spectator saw it, over all actions and spectators."""
        self.looks = self.wasted = self.fetches = self.bytes = self.refused = 0
        self.all = [
            SimulatedSpectator(world, i, HostPort(world.access, rng.randrange(world.places))) for i in range(count)
        ]
        for i, one in enumerate(self.all):
            one.source = self._source(i)

    def _source(self, number: int) -> SimulatedRepository:
        world = self._world
        if world.relay is not None:
            relay: SimulatedRepository = world.relay
            return relay
        if world.network.fanout and number >= len(world.hosts) * _PER_SPECTATOR:
            return self.all[number // _PER_SPECTATOR - 1]
        host: SimulatedRepository = world.hosts[number % len(world.hosts)]
        return host

    def begin(self) -> None:
        """Schedule the first poll of each spectator, at a random moment of the first period."""
        for one in self.all:
            self._world.at(self._rng.randrange(LOOK_US), partial(self._look, one))

    def judge(self, host: Host) -> None:
        """Validate and number the commits that a host shows for the first time."""
        now, known = self._world.now, self._place
        for ref, head in host.served.refs.items():
            if ref == host.seat.log and head not in known:
                commits = host.served.missing([head], known)
                for oid in reversed(commits):
                    if oid not in known:
                        self._take(oid, commits[oid][1], now)

    def _take(self, oid: ObjectId, data: bytes, now: int) -> None:
        step = self._graph.check(oid, data)
        if isinstance(step, LoggedStep):
            self._graph.add(step)
            self._shown.append(now)
            self._bytes_to.append(self._bytes_to[-1] + self._world.sizes.known(oid, data))
            self._place[oid] = len(self._shown)
        else:
            self.refused += 1

    # One spectator's look: a connection, a listing, and a fetch if there is something new

    def _look(self, one: SimulatedSpectator) -> None:
        world, source = self._world, one.source
        assert source is not None
        self.looks += 1
        self._way(source).looks += 1
        if world.cuts.blocks(one.name, source.name) or not source.is_up:
            self._later(one)
            return
        there, back = partial(self._there, one, source, SYN_BYTES), partial(self._back, one, source, SYN_BYTES)
        asks = partial(self._ask, one, source)
        there(lambda: back(asks))

    def _ask(self, one: SimulatedSpectator, source: SimulatedRepository) -> None:
        listed = partial(self._listed, one, source)
        self._there(one, source, REQUEST_BYTES, lambda: source.later(source.serve_us, listed))

    def _listed(self, one: SimulatedSpectator, source: SimulatedRepository) -> None:
        newest = self._newest(source, one)
        size = _LISTING_BYTES if isinstance(source, SimulatedSpectator) else source.listing_bytes
        self.bytes += size
        if newest <= one.place:
            self.wasted += 1
            self._way(source).wasted_looks += 1
            self._back(one, source, size, partial(self._next, one))
        else:
            self._back(one, source, size, partial(self._want, one, source, newest))

    def _want(self, one: SimulatedSpectator, source: SimulatedRepository, newest: int) -> None:
        self._there(one, source, 2 * WANT_BYTES, partial(self._send, one, source, newest))

    def _newest(self, source: SimulatedRepository, one: SimulatedSpectator) -> int:
        """The place of the newest commit that a source shows."""
        if isinstance(source, SimulatedSpectator):
            return source.place
        shown = source.shown_to(one)
        return 0 if shown is None else max((self._place.get(head, 0) for head in shown.refs.values()), default=0)

    def _send(self, one: SimulatedSpectator, source: SimulatedRepository, newest: int) -> None:
        size = 32 + self._bytes_to[newest] - self._bytes_to[one.place]
        way = self._way(source)
        way.fetches += 1
        way.fetched_bytes += size
        self.fetches += 1
        self.bytes += size
        self._back(one, source, size, partial(self._arrived, one, newest))

    def _arrived(self, one: SimulatedSpectator, newest: int) -> None:
        now = self._world.now
        for shown in self._shown[one.place : newest]:
            self.staleness.add(now - shown)
        if newest > one.place:
            one.place = newest
            one.has_news()
        self._next(one)

    def _next(self, one: SimulatedSpectator) -> None:
        network = self._world.network
        if network.looks != "hooks" or one.source is None or not one.source.is_up:
            self._later(one)
        else:
            one.source.hold(one, partial(self._told, one), 30 * US)

    def _later(self, one: SimulatedSpectator) -> None:
        """Poll again after a period."""
        one.later(self._world.network.period_us or LOOK_US, partial(self._look, one))

    def _told(self, one: SimulatedSpectator) -> None:
        """A hook of the source has announced something new."""
        source = one.source
        assert source is not None
        self._back(one, source, REQUEST_BYTES, partial(self._look, one))

    # Messages

    def _way(self, source: SimulatedRepository) -> HostTraffic:
        return self._world.recording.way(SPECTATORS, _end(source))

    def _there(self, one: SimulatedSpectator, source: SimulatedRepository, size: int, come: Callable[[], None]) -> None:
        """Send a message to a source."""
        self._world.recording.sent(SPECTATORS, _end(source), size)
        self._world.carry(one, source, size, come)

    def _back(self, one: SimulatedSpectator, source: SimulatedRepository, size: int, come: Callable[[], None]) -> None:
        """Have a message come from a source."""
        self._world.recording.sent(_end(source), SPECTATORS, size)
        self._world.carry(source, one, size, come)


def _end(source: SimulatedRepository) -> str:
    """The name of a source as one end of a path."""
    return SPECTATORS if isinstance(source, SimulatedSpectator) else source.name
