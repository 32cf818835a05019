"""One simulated game: hosts, links, faults and a referee, on the event loop of simpy."""

import tempfile
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import simpy

from catan_p2p.log.keys import write_private_key
from catan_p2p.log.storage.objects import ObjectDamaged, ObjectId
from catan_p2p.log.verdict import LoggedStep
from catan_p2p.replication.core.commit_author import GaveUp
from catan_p2p.replication.replica import Replica
from catan_p2p.simulation.game import SimulationSettings
from catan_p2p.simulation.laboratory.clockwork import QUICK, Machine
from catan_p2p.simulation.laboratory.distributions import US, parse_distribution
from catan_p2p.simulation.laboratory.faults import Fault, NetworkCuts, draw_faults
from catan_p2p.simulation.laboratory.game_faults import GameFaults
from catan_p2p.simulation.laboratory.hosts import FOLDER, Host, RelayHost
from catan_p2p.simulation.laboratory.links import HostPort, NetworkLinks
from catan_p2p.simulation.laboratory.presets import PRESETS
from catan_p2p.simulation.laboratory.recording import SimulationRecord
from catan_p2p.simulation.laboratory.referee import Referee
from catan_p2p.simulation.laboratory.remotes import REQUEST_BYTES
from catan_p2p.simulation.laboratory.scene import PromiseBroken, SimulatedRepository, StandsStill
from catan_p2p.simulation.laboratory.seats import make_seats
from catan_p2p.simulation.laboratory.served_disk import CommitSizes
from catan_p2p.simulation.laboratory.spec import Network, bandwidth_bps, loss_ppm
from catan_p2p.simulation.laboratory.spectators import Spectators
from catan_p2p.tables.repair import heal, mend_seat
from catan_p2p.tables.seat import KEY_FILE, PRIVATE_FOLDER, write_settings


def mend_host(host: Host, hosts: list[Host], error: ObjectDamaged) -> None:
    """Mend a damaged repository as ``catan-p2p peer`` does at its start; ``ObjectDamaged`` if that fails."""
    # Mending works on real folders: all repositories are written to disk, and the mended one is read back.
    with tempfile.TemporaryDirectory(prefix="catan-p2p-network-") as temporary:
        base = Path(temporary)
        for one in hosts:
            _write(one, base / one.name)
        settings = host.seat.settings
        settings = type(settings)(settings.colour, settings.seed, settings.clock, settings.policy)
        settings.remotes = {one.name: str(base / one.name) for one in hosts if one is not host}
        path = base / host.name
        write_settings(path, settings)
        if host.seat.key is not None:
            write_private_key(host.seat.key, path / PRIVATE_FOLDER / KEY_FILE)
        heal(path)
        mend_seat(path, settings)
        host.disk.empty(FOLDER)
        for file in sorted((path / ".git").rglob("*")):
            if file.is_file() and file.name not in ("index", "writer.lock"):
                host.disk.put(FOLDER / file.relative_to(path / ".git"), file.read_bytes())
        host.disk.sync_all()


def _write(host: Host, path: Path) -> None:
    for name, data in host.disk.files(FOLDER).items():
        (path / name).parent.mkdir(parents=True, exist_ok=True)
        (path / name).write_bytes(data)
    for name in ("objects/pack", "refs/heads", PRIVATE_FOLDER):
        (path / name).mkdir(parents=True, exist_ok=True)


LIMIT_US = 24 * 3600 * US
"""A game that takes longer than this, besides the time that players think, will never end."""
STILL_US = 900 * US
"""A game in which nothing moves for this long, besides thinking, once all faults are over, stands still."""
_MOST_PLACES = 7
"""With ``latency``, each of at most six players and a relay has a place of its own, since directions can differ."""
_RETRY_US = US // 5
_RETRY_MOST_US = 30 * US


class SimulatedWorld:
    """A game of a simulation, played by ``run``; the same settings give the same events in the same order."""

    judge: type[Referee] = Referee
    """The class of the referee; tests replace it."""

    def __init__(self, number: int, settings: SimulationSettings, network: Network) -> None:
        self.network = network
        self.machine = QUICK if network.machine == "quick" else Machine()
        self.kernel = simpy.Environment()
        self.now = 0
        """Microseconds since the beginning. The loop sets it: reading simpy's own clock costs two calls each time."""
        self.cuts = NetworkCuts()
        self.sizes = CommitSizes()
        self._prefix = f"{settings.seed}/{number}/"
        preset = PRESETS[network.profile]
        between = preset.between
        if network.latency:
            there, back = parse_distribution(network.latency), parse_distribution(network.back or network.latency)
            places = range(_MOST_PLACES)
            between = tuple(tuple(there if a <= b else back for b in places) for a in places)
        self.links = NetworkLinks(between, self.stream("links"))
        access = preset.access
        if network.latency:
            access = replace(access, up=parse_distribution("none"), down=parse_distribution("none"))
        if network.bandwidth:
            up_bps, down_bps = bandwidth_bps(network.bandwidth)
            access = replace(access, up_bps=up_bps, down_bps=down_bps)
        if network.loss:
            access = replace(access, loss_ppm=loss_ppm(network.loss))
        self.access = access
        self.places = len(between)
        self.game, seats = make_seats(number, settings, network)
        self.recording = SimulationRecord([seat.settings.colour for seat in seats])
        self.referee = self.judge(seats[0].root, seats[0].objects, lambda: self.now)
        self.referee.tell = self._taken_in
        self.hosts: list[Any] = [Host(self, seat, self._port(i), self.machine) for i, seat in enumerate(seats)]
        self._by_name: dict[str, SimulatedRepository] = {host.name: host for host in self.hosts}
        self.relay = RelayHost(self, self._port(len(seats))) if network.overlay == "star" else None
        for host in self.hosts:
            for commit in host.served.refs.values():
                self.sizes.of(commit, host.served.read(commit)[1], host.served.reader)
        hosts = len(self.hosts) + (self.relay is not None)
        drawn = draw_faults(self.stream("faults"), network.faults, hosts, network.fault_kinds, self.round_trip_us)
        chosen = network.chosen
        self.faults = [fault for fault in drawn if chosen is None or fault.number in chosen]
        self._happening = GameFaults(self, self.faults)
        self.spectators = Spectators(self, network.spectators) if network.spectators else None
        self._moved_at = 0
        self._ended = 0
        self.events = 0
        self.still_us = STILL_US
        self._problem: BaseException | None = None

    def _port(self, number: int) -> HostPort:
        return HostPort(self.access, number % self.places)

    @property
    def round_trip_us(self) -> int:
        """The median time of a message and its answer between the first two hosts, at least a millisecond."""
        way = PRESETS[self.network.profile].round_trips_us
        middle = parse_distribution(self.network.latency).median_us * 2 if self.network.latency else way[0][-1]
        return max(1000, middle + 2 * (self.access.up.median_us + self.access.down.median_us))

    def stream(self, purpose: str) -> Random:
        """A random generator for this purpose, independent of all others."""
        return Random(self._prefix + purpose)

    def repository_of(self, colour: str) -> SimulatedRepository:
        """The repository of a player."""
        return self._by_name[colour]

    # Time

    def at(self, time_us: int, do: Callable[[], object]) -> None:
        """Call ``do`` at this time, or at once if it has passed."""
        delay_us = time_us - self.now
        event = self.kernel.timeout(delay_us if delay_us > 0 else 0)
        event.callbacks = [partial(self._do, do)]

    def _do(self, do: Callable[[], object], _: simpy.Event) -> None:
        self.events += 1
        try:
            do()
        except PromiseBroken as error:
            self._problem = self._problem or error

    def send(
        self,
        sender: SimulatedRepository,
        receiver: SimulatedRepository,
        size: int,
        come: Callable[[], object],
        lost: Callable[[], object],
    ) -> None:
        """Send a message from one host to another; while the path is cut it is sent again, and in the end lost."""
        self.recording.sent(sender.name, receiver.name, size)
        late = self.cuts.late_us(sender.name, receiver.name)
        self.carry(sender, receiver, size, lambda: self._deliver(sender, receiver, come, lost, _RETRY_US), late)

    def carry(
        self,
        sender: SimulatedRepository,
        receiver: SimulatedRepository,
        size: int,
        come: Callable[[], object],
        late_us: int = 0,
    ) -> None:
        """Send a message from one host to another, even over a path that is cut."""
        links, port = self.links, receiver.port
        reached, more = links.leave(sender.port, port, size, self.now)
        more += late_us

        def enter() -> None:
            at = links.enter(port, size, self.now) + more
            if at > self.now:
                self.at(at, come)
            else:
                come()

        self.at(reached, enter)

    def _deliver(
        self,
        sender: SimulatedRepository,
        receiver: SimulatedRepository,
        come: Callable[[], object],
        lost: Callable[[], object],
        again_us: int,
    ) -> None:
        if not self.cuts.blocks(sender.name, receiver.name):
            come()
        elif again_us > _RETRY_MOST_US:
            lost()
        else:
            # Doubled each time, as the timeout of TCP.
            self.at(self.now + again_us, lambda: self._deliver(sender, receiver, come, lost, 2 * again_us))

    # Called by hosts

    def has_started(self, host: Host, replica: Replica) -> None:
        """A peer has opened its repository."""
        self.referee.has_started(host, replica)

    def has_died(self, host: Host) -> None:
        """A peer was killed."""
        self.referee.has_died(host)

    def has_acknowledged(self, host: Host, commit: ObjectId) -> None:
        """A peer says that nothing can undo a commit any more."""
        self.referee.has_acknowledged(host, commit)

    def has_shown(self, host: Host) -> None:
        """A repository shows something new."""
        self.referee.has_shown(host)
        self._moved_at = self.now
        self.recording.shown(host.name, self.now)
        self._happening.reached(len(self.referee.graph) - 1)
        self.tell_news(host, host.name)
        if self.spectators is not None:
            self.spectators.judge(host)

    def has_stepped(self, host: Host) -> None:
        """A peer has carried out the effects of a step."""
        self.referee.has_stepped(host)

    def tell_news(self, source: SimulatedRepository, whose: str) -> None:
        """Notify followers, and run the hooks: a message about a player's branches to each host that polls there."""
        source.has_news()
        if self.network.looks != "hooks":
            return
        for host in self.hosts:
            if host.name != whose and source.name in host.remotes:
                self.send(source, host, REQUEST_BYTES, partial(self._hint, host, whose), lambda: None)

    def _hint(self, host: Host, colour: str) -> None:
        if host.replica is not None:
            host.replica.hint(colour)
            host.wake()

    def has_ended(self, host: Host) -> None:
        """A peer has ended by itself."""
        self._ended += 1
        self._moved_at = self.now

    def mend(self, host: Host, error: ObjectDamaged) -> None:
        """Mend a repository, as ``catan-p2p peer`` does when it starts; ``PromiseBroken`` if no fault damaged it."""
        if host.name not in self._happening.damaged:
            raise PromiseBroken(
                f"{self.now / US:.6f} s: {host.name} has to be mended, and nothing was damaged: {error}"
            )
        mend_host(host, self.hosts, error)

    def _taken_in(self, host: Host, step: LoggedStep) -> None:
        self._moved_at = self.now
        self.recording.taken_in(host.name, step, self.now)

    # Playing

    def run(self) -> None:
        """Play to the end.

        Raises ``PromiseBroken`` if the game breaks a promise of the program, ``GaveUp`` as peers do.
        """
        for host in self.hosts:
            self.kernel.process(host.life())
        self._happening.reached(0)
        if self.spectators is not None:
            self.spectators.begin()
        allowed_us = self.still_us + 40 * parse_distribution(self.network.thinking).values[-1]
        players = len(self.hosts)
        while self._ended < players:
            if (next_us := self.kernel.peek()) == simpy.core.Infinity:
                raise PromiseBroken(f"{self.now / US:.6f} s: nothing happens any more")
            self.now = int(next_us)
            try:
                self.kernel.step()
            except (PromiseBroken, GaveUp):
                raise
            except Exception as error:  # no fault may end a peer with a traceback
                raise PromiseBroken(
                    f"{self.now / US:.6f} s: a peer ended with {type(error).__name__}: {error}"
                ) from error
            if self._problem is not None:
                raise self._problem
            long_ago_us = self.now - allowed_us
            is_still = long_ago_us > self._moved_at and long_ago_us > self._happening.over_at
            if is_still or self.now > LIMIT_US + 1000 * allowed_us:
                raise StandsStill(
                    f"{self.now / US:.6f} s: the game stands still at action {len(self.referee.graph) - 1}"
                )
        self.referee.check_end(self.hosts)

    @property
    def happened(self) -> list[Fault]:
        """The faults that came before the end."""
        return self._happening.happened
