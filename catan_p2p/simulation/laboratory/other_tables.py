"""The other tables at a relay: their players make requests as real peers do, and so wait when the relay is busy.

Their games are replays. A script, made from a game of real replicas, lists each player's commits: their size, and the
commits that they follow. A player of such a table polls, fetches and pushes like a peer, one request after the other,
and writes the next commits of the script once it has fetched what they follow. Nothing is checked again, and no faults
happen there.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from operator import le
from random import Random
from typing import Any

from catan_p2p.log.refs import HEADS
from catan_p2p.log.storage.objects import parents_of
from catan_p2p.log.transport.pacing import Backoff, quiet_pause_s
from catan_p2p.log.transport.remote import RemoteUnreachable
from catan_p2p.log.transport.shared_repository import LEAST_S, MOST_S
from catan_p2p.log.transport.worker_remote import COMMITS_S, HEADS_S, WorkerEnded
from catan_p2p.replication.relay import SERVER_S
from catan_p2p.simulation.laboratory.clockwork import VirtualTime
from catan_p2p.simulation.laboratory.daemon import CostOf, DaemonConnection, DaemonCosts, GitDaemon, call
from catan_p2p.simulation.laboratory.distributions import US, parse_distribution
from catan_p2p.simulation.laboratory.following import SYN_BYTES
from catan_p2p.simulation.laboratory.links import HostPort
from catan_p2p.simulation.laboratory.remotes import REQUEST_BYTES, WANT_BYTES
from catan_p2p.simulation.laboratory.scene import SimulatedRepository, SimulationScene
from catan_p2p.simulation.laboratory.seats import HOOKS_WAIT_S
from catan_p2p.simulation.laboratory.served_disk import listing_bytes

_LONG_AGO_US = -3600 * US
"""A last look at this time makes the next one due at once."""
Heights = list[int]
"""The number of known commits of each player."""


@dataclass(frozen=True, slots=True)
class ScriptedCommit:
    """A commit of a script: how many commits of each player it follows, and its bytes in a pack.

    A commit of no bytes stands for a push of what all others have: the root when a game begins, the end when it ends.
    """

    follows: tuple[int, ...]
    size: int


@dataclass(frozen=True, slots=True)
class GameScript:
    """A game as its players wrote it: each player's commits, and the order of the players in which they came."""

    by_player: tuple[tuple[ScriptedCommit, ...], ...]
    order: tuple[int, ...]


def script_of(world: Any) -> GameScript:
    """The script of a game that a world has played over a relay."""
    relay, players = world.relay, len(world.hosts)
    written = [[ScriptedCommit((0,) * players, 0)] for _ in range(players)]
    heights: dict[str, tuple[int, ...]] = {}
    order = [*range(players)]
    for oid, known in world.recording.actions.items():
        if oid not in relay.objects:
            continue
        _, data = relay.objects[oid]
        seen = [heights[parent] for parent in parents_of(data) if parent in heights]
        player = known.player - 1
        follows = tuple(max((height[i] for height in seen), default=0) for i in range(players))
        written[player].append(ScriptedCommit(follows, world.sizes.known(oid, data)))
        heights[oid] = tuple(len(written[i]) if i == player else follows[i] for i in range(players))
        order.append(player)
    # The author of the last commit has pushed the end of the game with it; the others push it once they know it.
    ends, last = tuple(map(len, written)), order[-1]
    for player in range(players):
        if player != last:
            written[player].append(ScriptedCommit(ends, 0))
            order.append(player)
    return GameScript(tuple(map(tuple, written)), tuple(order))


class OtherTable(SimulatedRepository):
    """A table that follows a script, and its commits at the relay. When its game is over, it begins again."""

    def __init__(self, world: SimulationScene, script: GameScript, begins_at: int) -> None:
        super().__init__(world, "another table", world.relay.port)
        self.script = script
        self.players: list[OtherPlayer] = []
        self.shown: Heights = [script.order[:begins_at].count(i) for i in range(len(script.by_player))]
        """The commits at the relay."""
        self.games = 0
        self._ends = [len(written) for written in script.by_player]

    def has_pushed(self, player: int, height: int) -> None:
        """The relay has accepted a push."""
        self.shown[player] = height
        self.has_news()

    def restart_if_over(self) -> None:
        """Begin the next game, once all players know the end of this one."""
        if all(one.known == self._ends for one in self.players):
            self.games += 1
            self.shown = [0] * len(self._ends)
            for one in self.players:
                one.begin(self.shown)
                one.later(0, one.go_on)


class OtherPlayer(SimulatedRepository):
    """One player of such a table, with the requests to the relay."""

    def __init__(self, world: SimulationScene, table: OtherTable, number: int, port: HostPort, rng: Random) -> None:
        super().__init__(world, f"player {number} of another table", port)
        network = world.network
        time = VirtualTime(world)
        self._table, self._number, self._rng = table, number, rng
        self._relay = world.relay
        self._thinking = parse_distribution(network.thinking)
        self._period_s = network.period_us / US or (HOOKS_WAIT_S if network.looks == "hooks" else 0.0)
        self._looking, self._pushing = (Backoff(most_s=SERVER_S, time=time) for _ in range(2))
        self._line: DaemonConnection | None = None
        self._serial = 0
        """The number of the last request; a call that belongs to an earlier one is dropped."""
        self._asking: Backoff | None = None
        """The backoff of the request that has no answer yet; None if there is no such request."""
        self._is_thinking = self._is_writing = False
        self._alarm = self._deadline = 0
        self._begun_at, self._changed_at = _LONG_AGO_US, world.now
        self.looks = self.fetches = self.pushes = 0
        self.begin(table.shown)

    def begin(self, shown: Sequence[int]) -> None:
        """Begin a game of which all players know these commits."""
        self.known = list(shown)
        self._pushed = self.known[self._number]
        self._listed = list(shown)

    # What to do next

    def go_on(self) -> None:
        """Write the commits whose turn it is, then make the next request: a push before a fetch before a poll."""
        self._act()
        if self._asking is not None or self._is_writing:
            return None
        if self.known[self._number] > self._pushed and self._pushing.is_over:
            return self._push()
        news = [i for i, height in enumerate(self._listed) if i != self._number and height > self.known[i]]
        if news and self._looking.is_over:
            return self._fetch(news[0])
        now = self.world.now
        next_at = max(self._next_look, int((self._looking.wait_s if not self._looking.is_over else 0) * US) + now)
        if next_at <= now:
            return self._look()
        if self.known[self._number] > self._pushed:
            next_at = min(next_at, now + max(1, int(self._pushing.wait_s * US)))
        self._alarm += 1  # only the newest alarm rings
        return self.later(next_at - now, partial(self._ring, self._alarm))

    def _ring(self, alarm: int) -> None:
        if alarm == self._alarm:
            self.go_on()

    @property
    def _next_look(self) -> int:
        """When to poll again, by the pauses of a peer that polls a relay."""
        pause_s = quiet_pause_s((self.world.now - self._changed_at) / US, LEAST_S, MOST_S)
        return self._begun_at + int(max(pause_s, self._period_s) * US)

    def hint(self) -> None:
        """A hook of the relay has announced something new: poll at once."""
        self._begun_at = _LONG_AGO_US
        self.go_on()

    def _act(self) -> None:
        """Think about the next commits of the script, if all that they follow is known; then write them."""
        if self._is_thinking or self._is_writing or not self._due():
            return
        self._is_thinking = True
        thought_us = self._thinking.draw(self._rng)
        if thought_us:
            self.later(thought_us, self._write)
        else:
            self._write()

    def _due(self) -> int:
        """The number of commits of the script that can be written now."""
        written, known = self._table.script.by_player[self._number], list(self.known)
        own = self._number
        while known[own] < len(written) and all(map(le, written[known[own]].follows, known)):
            known[own] += 1
        return known[own] - self.known[own]

    def _write(self) -> None:
        self._is_thinking, self._is_writing = False, True
        machine, count = self.world.machine, self._due()
        cost_us = count * machine.act_us + machine.sync_us + machine.publish_us
        self.later(cost_us, partial(self._has_written, count))

    def _has_written(self, count: int) -> None:
        self._is_writing = False
        self.known[self._number] += count
        self._table.restart_if_over()
        self.go_on()

    # Requests, one after the other. A game can end and begin again before an answer comes: ``games`` tells.

    def _look(self) -> None:
        self.looks += 1
        self._begun_at = self.world.now
        serial = self._ask(HEADS_S, self._looking)

        def listed() -> None:
            shown, games = list(self._table.shown), self._table.games
            self._back(serial, self._listing_bytes, partial(heard, shown, games))

        def heard(shown: Heights, games: int) -> None:
            if games == self._table.games and shown != self._listed:
                self._listed, self._changed_at = shown, self.world.now
                self._skip()
            self._answered()

        self._after(self.world.machine.ask_us, serial, lambda: self._visit(serial, DaemonCosts.look, listed))

    def _skip(self) -> None:
        """Mark commits of no bytes as known once they are at the relay: there is nothing to fetch."""
        for player, written in enumerate(self._table.script.by_player):
            while self.known[player] < self._listed[player] and not written[self.known[player]].size:
                self.known[player] += 1
        self._table.restart_if_over()

    def _fetch(self, player: int) -> None:
        self.fetches += 1
        serial, games = self._ask(COMMITS_S, self._looking), self._table.games
        first, last = self.known[player], self._listed[player]
        written = self._table.script.by_player[player][first:last]

        def begun() -> None:
            self._back(serial, REQUEST_BYTES, lambda: self._there(serial, WANT_BYTES * len(self.known), asked))

        def asked() -> None:
            self._work(lambda costs, refs: costs.fetch(refs, len(written)), send)

        def send() -> None:
            self._back(serial, 32 + sum(one.size for one in written), brought)

        def brought() -> None:
            self._after(len(written) * self.world.machine.check_us, serial, taken)

        def taken() -> None:
            if games == self._table.games:
                self.known[player] = max(self.known[player], last)
                self._skip()
            self._answered()

        self._visit(serial, DaemonCosts.look, begun)

    def _push(self) -> None:
        self.pushes += 1
        serial, games = self._ask(COMMITS_S, self._pushing), self._table.games
        own = self._number
        first, last = self._pushed, self.known[own]
        written = self._table.script.by_player[own][first:last]
        size = 32 + sum(one.size for one in written) + 2 * WANT_BYTES

        def begun() -> None:
            self._back(serial, self._listing_bytes, lambda: self._there(serial, size, received))

        def received() -> None:
            self._work(lambda costs, refs: costs.push(refs, len(written)), taken)

        def taken() -> None:
            if games == self._table.games:
                self._table.has_pushed(own, last)
                self._tell_others()
            self._back(serial, REQUEST_BYTES, reported)

        def reported() -> None:
            if games == self._table.games:
                self._pushed = self._listed[own] = last
                self._changed_at = self.world.now
            self._answered()

        self._after(self.world.machine.git_us, serial, lambda: self._visit(serial, DaemonCosts.begin, begun))

    def _tell_others(self) -> None:
        if self.world.network.looks == "hooks":
            for one in self._table.players:
                if one is not self:
                    self.world.carry(self._relay, one, REQUEST_BYTES, one.hint)

    @property
    def _listing_bytes(self) -> int:
        """The size of a listing of the refs in this table's repository."""
        relay = self._relay
        if self.world.network.repositories == "one":
            return relay.listing_bytes  # type: ignore[no-any-return]
        return other_listing_bytes(len(self._table.players))

    def _refs_count(self) -> int:
        is_one = self.world.network.repositories == "one"
        return self._relay.refs_count if is_one else len(self._table.players)

    def _ask(self, timeout_s: float, backoff: Backoff) -> int:
        self._asking = backoff
        self._serial += 1
        self._deadline = self.world.now + int(timeout_s * US)
        return self._serial

    def _give_up(self, serial: int) -> None:
        if serial == self._serial and self._asking is not None:
            self._failed(WorkerEnded("takes too long"))

    def _answered(self) -> None:
        if self._asking is not None:
            self._asking.worked()
        self._asking = None
        self._hang_up()
        self.go_on()

    def _failed(self, error: RemoteUnreachable) -> None:
        if self._asking is not None:
            self._asking.failed(error)
        self._asking = None
        self._serial += 1
        self._hang_up()
        self.go_on()

    # The connection

    def _visit(self, serial: int, cost: CostOf, do: Callable[[], None]) -> None:
        """Connect to the daemon, and have its new process do work of this cost before ``do`` is called."""

        def asked() -> None:
            self._there(serial, REQUEST_BYTES, partial(self._work, cost, do))

        call(
            self._relay.daemon,
            lambda knock: self._there(serial, SYN_BYTES, knock),
            lambda come: self._back(serial, SYN_BYTES, come),
            lambda delay_us, again: self._after(delay_us, serial, again),
            self._hear,
            asked,
            lambda why: self._failed(RemoteUnreachable(why)),
        )

    def _hear(self, line: DaemonConnection) -> None:
        self._line = line
        self.later(self._deadline - self.world.now, partial(self._give_up, self._serial))

    def _work(self, cost: CostOf, do: Callable[[], None]) -> None:
        daemon: GitDaemon = self._relay.daemon
        if self._line is not None:
            self._line.work(cost(daemon.costs, self._refs_count()), do)

    def _hang_up(self) -> None:
        line, self._line = self._line, None
        if line is not None:
            self.world.carry(self, self._relay, SYN_BYTES, line.close)

    def _after(self, delay_us: int, serial: int, do: Callable[[], object]) -> None:
        self.later(delay_us, partial(self._if_current, serial, do))

    def _there(self, serial: int, size: int, do: Callable[[], object]) -> None:
        self.world.carry(self, self._relay, size, partial(self._if_current, serial, do))

    def _back(self, serial: int, size: int, do: Callable[[], object]) -> None:
        self.world.carry(self._relay, self, size, partial(self._if_current, serial, do))

    def _if_current(self, serial: int, do: Callable[[], object]) -> None:
        if serial == self._serial:
            do()


def other_listing_bytes(players: int) -> int:
    """The size of a listing of the refs of another table."""
    return listing_bytes([f"{HEADS}Orange_100"] * players)


class OtherTables:
    """All other tables at the relay of one game."""

    def __init__(self, world: SimulationScene, scripts: Sequence[GameScript], count: int) -> None:
        rng = world.stream("tables")
        self.all = []
        for number in range(count):
            script = scripts[number % len(scripts)]
            table = OtherTable(world, script, rng.randrange(len(script.order)))
            # Each table begins at another place of its script, so that they are not all at the same move.
            ports = [HostPort(world.access, rng.randrange(world.places)) for _ in script.by_player]
            table.players = [OtherPlayer(world, table, i, port, rng) for i, port in enumerate(ports)]
            self.all.append(table)
            for one in table.players:
                world.at(rng.randrange(max(US, world.network.period_us)), one.go_on)
        if world.network.repositories == "one":
            players = sum(len(table.players) for table in self.all)
            world.relay.others_refs = players
            world.relay.others_bytes = other_listing_bytes(players) - other_listing_bytes(0)
