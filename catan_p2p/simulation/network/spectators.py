"""Those who only follow: each looks at one repository, and fetches what is new there.

A spectator holds the newest commit it has, nothing else. Everything is validated, by one graph for all of them: its
verdict on a commit is the same for everybody who has the commits before it, and ten thousand of them cost one.
"""

from __future__ import annotations

from functools import partial

from catan_p2p.log.graph import Graph
from catan_p2p.log.reading import read_root
from catan_p2p.log.storage.objects import ObjectId
from catan_p2p.log.verdict import Step
from catan_p2p.simulation.network.distributions import US
from catan_p2p.simulation.network.histograms import Histogram
from catan_p2p.simulation.network.hosts import Host
from catan_p2p.simulation.network.links import Port
from catan_p2p.simulation.network.remotes import HOLD_US, REQUEST_BYTES, SYN_BYTES, WANT_BYTES
from catan_p2p.simulation.network.scene import Repository, Scene
from catan_p2p.simulation.network.served import Objects

LOOK_US = 2 * US
"""How often a spectator looks that is not told otherwise."""
_PER_SPECTATOR = 4
"""In gossip, so many spectators look at each other one."""
_LISTING_BYTES = 400


class Spectator(Repository):
    """One of them, at a source: a player's host, the relay, or in gossip another spectator."""

    def __init__(self, world: Scene, number: int, port: Port) -> None:
        super().__init__(world, f"spectator {number}", port)
        self.source: Repository | None = None
        self.head: ObjectId | None = None
        self.seen_version = -1
        self.version = 0

    def version_for(self, visitor: Repository) -> int:
        """The version of that."""
        return self.version


class Spectators:
    """All spectators of one game, and what they have seen."""

    def __init__(self, world: Scene, count: int) -> None:
        self._world = world
        self._rng = rng = world.stream("spectators")
        self._objects: Objects = dict(world.hosts[0].seat.objects)
        graph = read_root(world.referee.root, self._objects.__getitem__)
        assert isinstance(graph, Graph), graph
        self._graph = graph
        self._line: list[tuple[ObjectId, int]] = []
        """Commits in order, with when each was first shown."""
        self._place: dict[ObjectId, int] = {graph.root: 0}
        self.staleness = Histogram()
        """How old an action was when a spectator saw it, for every action and every spectator."""
        self.looks = self.wasted = self.fetches = self.bytes = self.refused = 0
        self.all = [Spectator(world, i, Port(world.access, rng.randrange(world.places))) for i in range(count)]
        for i, one in enumerate(self.all):
            one.head = graph.root
            one.source = self._source(i)

    def _source(self, number: int) -> Repository:
        world = self._world
        if world.relay is not None:
            relay: Repository = world.relay
            return relay
        if world.network.fanout and number >= len(world.hosts) * _PER_SPECTATOR:
            return self.all[number // _PER_SPECTATOR - 1]
        host: Repository = world.hosts[number % len(world.hosts)]
        return host

    def begin(self) -> None:
        """Everybody looks for the first time at some moment of the first period."""
        for one in self.all:
            self._world.at(self._rng.randrange(LOOK_US), partial(self._look, one))

    def judge(self, host: Host) -> None:
        """Take note of what a host shows for the first time."""
        now, known = self._world.now, self._place
        for ref, head in host.served.refs.items():
            if ref == host.seat.log and head not in known:
                commits = host.served.missing([head], known)
                for oid in reversed(commits):
                    if oid not in known:
                        self._take(oid, commits[oid][1], now)

    def _take(self, oid: ObjectId, data: bytes, now: int) -> None:
        step = self._graph.check(oid, data)
        if isinstance(step, Step):
            self._graph.add(step)
            self._objects[oid] = "commit", data
            self._line.append((oid, now))
            self._place[oid] = len(self._line)
        else:
            self.refused += 1

    # One spectator's look: a connection, a listing, and a fetch if there is something new

    def _look(self, one: Spectator) -> None:
        world, source = self._world, one.source
        assert source is not None
        self.looks += 1
        if world.cuts.blocks(one.name, source.name) or not source.is_up:
            self._next(one)
            return
        now, links = world.now, world.links
        there = links.arrival(one.port, source.port, SYN_BYTES, now)
        back = links.arrival(source.port, one.port, SYN_BYTES, there)
        asked = links.arrival(one.port, source.port, REQUEST_BYTES, back) + source.serve_us
        world.at(asked, lambda: self._asked(one, source))

    def _asked(self, one: Spectator, source: Repository) -> None:
        if self._world.network.looks == "long-poll" and source.version_for(one) == one.seen_version:
            source.hold(one, lambda: self._listed(one, source), HOLD_US)
        else:
            self._listed(one, source)

    def _listed(self, one: Spectator, source: Repository) -> None:
        world = self._world
        newest = self._newest(source, one)
        one.seen_version = source.version_for(one)
        size = _LISTING_BYTES if isinstance(source, Spectator) else source.listing_bytes
        at = world.links.arrival(source.port, one.port, size, world.now)
        self.bytes += size
        if newest <= self._place[one.head or self._graph.root]:
            self.wasted += 1
            world.at(at, lambda: self._next(one))
            return
        asked = world.links.arrival(one.port, source.port, 2 * WANT_BYTES, at)
        world.at(asked, lambda: self._send(one, source, newest))

    def _newest(self, source: Repository, one: Spectator) -> int:
        """The newest commit of the line that a source shows, as its place."""
        if isinstance(source, Spectator):
            return self._place[source.head or self._graph.root]
        shown = source.shown_to(one)
        return 0 if shown is None else max((self._place.get(head, 0) for head in shown.refs.values()), default=0)

    def _send(self, one: Spectator, source: Repository, newest: int) -> None:
        have = self._place[one.head or self._graph.root]
        size = 32
        for oid, _ in self._line[have:newest]:
            size += self._world.sizes.known(oid, self._objects[oid][1])
        self.fetches += 1
        self.bytes += size
        at = self._world.links.arrival(source.port, one.port, size, self._world.now)
        self._world.at(at, lambda: self._arrived(one, newest))

    def _arrived(self, one: Spectator, newest: int) -> None:
        have, now = self._place[one.head or self._graph.root], self._world.now
        for _, shown in self._line[have:newest]:
            self.staleness.add(now - shown)
        if newest > have:
            one.head = self._line[newest - 1][0]
            one.version += 1
            one.has_news()
        self._next(one)

    def _next(self, one: Spectator) -> None:
        network = self._world.network
        if network.looks == "long-poll":
            self._look(one)
        elif network.looks != "hooks" or one.source is None or not one.source.is_up:
            self._world.at(self._world.now + (network.period_us or LOOK_US), lambda: self._look(one))
        else:
            one.source.hold(one, lambda: self._told(one), 30 * US)

    def _told(self, one: Spectator) -> None:
        """A hook of the source has said that there is something new."""
        source = one.source
        assert source is not None
        at = self._world.links.arrival(source.port, one.port, REQUEST_BYTES, self._world.now)
        self._world.at(at, lambda: self._look(one))
