"""Carries out the faults of a simulated game: each begins at its moment, and ends after its time."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable, Sequence
from functools import partial
from random import Random
from typing import Any

from catan_p2p.log.storage.memory import ShortWrite
from catan_p2p.simulation.laboratory.distributions import US
from catan_p2p.simulation.laboratory.faults import DAMAGE, Fault
from catan_p2p.simulation.laboratory.hosts import FOLDER, Host
from catan_p2p.simulation.laboratory.lies import LIES, ReplayedListing
from catan_p2p.simulation.laboratory.scene import SimulationScene

_WRITES = 60
"""A kill comes within this many writes."""
_SLOWNESS = 50
_LATE_US = (US // 10, US, 3 * US)
_JUMPS_S = (-86_400, -3600, -5, 5, 3600, 86_400 * 365)
_RESTARTS_US = (1000, US // 5, 2 * US)
_FLAPS = 6
_HELD_US = US // 20
"""How often the simulation checks whether all others hold what a host is about to lose."""


class GameFaults:
    """The faults of one game."""

    def __init__(self, world: SimulationScene, faults: Sequence[Fault]) -> None:
        self._world = world
        self._waiting = list(faults)
        self.happened: list[Fault] = []
        self.over_at = 0
        """When the last fault that has begun is over, with time to recover from it."""
        self._has_damage = self._has_gone_back = False
        self.damaged: set[str] = set()
        """The hosts whose repository may need to be mended; damage is the only reason for that."""

    def reached(self, height: int) -> None:
        """Schedule the faults that come when the game has ``height`` actions."""
        while self._waiting and self._waiting[0].height <= height:
            fault = self._waiting.pop(0)
            self._world.at(self._world.now + fault.after_us, partial(self._begin, fault))

    def _begin(self, fault: Fault) -> None:
        if all(host.is_done for host in self._world.hosts):
            return
        self.happened.append(fault)
        self.over_at = max(self.over_at, self._world.now + 2 * fault.lasts_us + 3 * US)
        # The method of a kind begins the fault and returns what ends it, None if nothing is left to end.
        name = "kill" if fault.kind in ("crash", "power", DAMAGE) else fault.kind.replace("-", "_")
        end: Callable[[], None] | None = getattr(self, f"_{name}")(fault, Random(fault.detail))
        if end is not None:
            self._world.at(self._world.now + fault.lasts_us, end)

    def _host(self, fault: Fault) -> Host | None:
        """The host of a player at which the fault strikes; None if that is the relay, or if the peer has ended."""
        hosts = self._world.hosts
        host = hosts[fault.first] if fault.first < len(hosts) else None
        return None if host is None or host.is_done else host

    def _name(self, number: int) -> str:
        hosts = self._world.hosts
        return hosts[number].name if number < len(hosts) else "relay"

    # Faults of a peer and its disk

    def _kill(self, fault: Fault, rng: Random) -> None:
        host = self._host(fault)
        if host is None or host.replica is None:
            return
        host.restart_after_us = rng.choice(_RESTARTS_US)
        if fault.kind == DAMAGE:
            if self._has_damage or len(self._world.referee.graph) < 5:
                return
            self._has_damage = True
            self.damaged.add(host.name)
            host.on_restart = lambda: damage(host, rng)
            host.kill()
            return
        host.loses_power = fault.kind == "power"
        left = rng.randrange(_WRITES)

        def fail(size: int) -> int | None:
            nonlocal left
            left -= 1
            return None if left >= 0 else rng.randrange(size + 1)  # the bytes that are written before the kill

        host.disk.fail = fail

    def _full_disk(self, fault: Fault, rng: Random) -> Callable[[], None] | None:
        host = self._host(fault)
        if host is None:
            return None

        is_torn = rng.random() < 0.5

        def fail(size: int) -> int | None:
            if size and is_torn:
                raise ShortWrite(errno.ENOSPC, rng.randrange(size))
            if size:
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            return None

        host.disk.fail = fail

        def end() -> None:
            if host.disk.fail is fail:  # else another fault has taken its place
                host.disk.fail = lambda size: None

        return end

    def _slow_disk(self, fault: Fault, rng: Random) -> Callable[[], None] | None:
        host = self._host(fault)
        if host is None:
            return None
        host.slowness = _SLOWNESS

        def end() -> None:
            host.slowness = 1

        return end

    def _failed_sync(self, fault: Fault, rng: Random) -> Callable[[], None] | None:
        host = self._host(fault)
        if host is None or host.disk.syncing != "works":
            return None
        host.disk.syncing = "fails"

        def end() -> None:
            host.disk.syncing = "works"

        return end

    def _lost_sync(self, fault: Fault, rng: Random) -> Callable[[], None] | None:
        host = self._host(fault)
        if host is None or self._has_gone_back or host.disk.syncing != "works":
            return None
        self._has_gone_back = True
        host.disk.syncing = "lies"

        def lose() -> None:
            self._go_back(host, lambda: host.disk.lose_power(None))

        return lambda: self._once_held(host, lose)

    def _restored(self, fault: Fault, rng: Random) -> Callable[[], None] | None:
        host = self._host(fault)
        if host is None or self._has_gone_back or host.replica is None:
            return None
        self._has_gone_back = True
        # A backup that was made while the peer was running, without its locks.
        copy = {name: data for name, data in host.disk.files(FOLDER).items() if not name.endswith(".lock")}
        return lambda: self._once_held(host, lambda: self._go_back(host, lambda: host.disk.restore(FOLDER, copy)))

    def _go_back(self, host: Host, restore: Callable[[], None]) -> None:
        def restarting() -> None:
            host.disk.syncing = "works"
            if self._is_over:  # since the kill, which waits for as long as the peer stands still
                return
            restore()
            host.served.read_anew()
            self._world.referee.goes_back(host)

        host.on_restart = restarting
        host.restart_after_us = _RESTARTS_US[0]
        self.over_at = max(self.over_at, self._world.now + 3 * US)
        host.kill()

    @property
    def _is_over(self) -> bool:
        """Whether a peer has seen the end: it leaves three seconds after all know it, and gives nothing back then."""
        hosts = self._world.hosts
        return any(one.is_done or (one.replica is not None and one.replica.graph.state.is_over) for one in hosts)

    def _once_held(self, host: Host, lose: Callable[[], None]) -> None:
        """Call ``lose`` as soon as all other hosts hold this one's actions."""
        if self._is_over:
            host.disk.syncing = "works"
        elif _is_held(host, self._world.hosts):
            lose()
        else:
            self._world.at(self._world.now + _HELD_US, lambda: self._once_held(host, lose))

    def _absence(self, fault: Fault, rng: Random) -> None:
        host = self._host(fault)
        if host is not None:
            host.absent_until = max(host.absent_until, self._world.now + fault.lasts_us)

    def _lost_objects(self, fault: Fault, rng: Random) -> None:
        if self._world.relay is not None:
            self._world.relay.lose_objects(rng)

    def _clock(self, fault: Fault, rng: Random) -> None:
        host = self._host(fault)
        if host is not None:
            host.time.wrong_by_us += rng.choice(_JUMPS_S) * US

    # Faults between hosts

    def _partition(self, fault: Fault, rng: Random) -> Callable[[], None]:
        names = [host.name for host in self._world.hosts] + ["relay"] * (self._world.relay is not None)
        side = rng.sample(names, rng.randrange(1, len(names)))
        ways = [(a, b) for a in names for b in names if (a in side) != (b in side)]
        return self._cut(ways, refuses=rng.random() < 0.5)

    def _one_way(self, fault: Fault, rng: Random) -> Callable[[], None]:
        return self._cut([(self._name(fault.first), self._name(fault.second))], refuses=rng.random() < 0.5)

    def _cut(self, ways: list[tuple[str, str]], *, refuses: bool) -> Callable[[], None]:
        cuts = self._world.cuts
        cuts.cut(ways, refuses=refuses)
        return lambda: cuts.join(ways, refuses=refuses)

    def _flapping(self, fault: Fault, rng: Random) -> None:
        ways = [(self._name(fault.first), self._name(fault.second))]
        ways += [way[::-1] for way in ways]
        world, each_us = self._world, max(1000, fault.lasts_us // (2 * _FLAPS))
        for i in range(_FLAPS):
            world.at(world.now + 2 * i * each_us, lambda: world.cuts.cut(ways, refuses=False))
            world.at(world.now + (2 * i + 1) * each_us, lambda: world.cuts.join(ways, refuses=False))

    def _late(self, fault: Fault, rng: Random) -> Callable[[], None]:
        way, by_us = (self._name(fault.first), self._name(fault.second)), rng.choice(_LATE_US)
        self._world.cuts.delay(way, by_us)
        return lambda: self._world.cuts.delay(way, -by_us)

    def _doubled(self, fault: Fault, rng: Random) -> Callable[[], None] | None:
        host = self._host(fault)
        if host is None:
            return None
        source = self._world.relay or host
        return self._lying(source, ReplayedListing(source, self._name(fault.second)))

    def _liar(self, fault: Fault, rng: Random) -> Callable[[], None] | None:
        world = self._world
        if world.relay is not None and (fault.first == len(world.hosts) or rng.random() < 0.5):
            named: Host = rng.choice(list(world.hosts))
            return self._lying(world.relay, rng.choice(LIES)(named, rng))
        source = self._host(fault)
        return None if source is None else self._lying(source, rng.choice(LIES)(source, rng))

    def _lying(self, target: Any, lie: object) -> Callable[[], None]:
        """Make a host, or the relay, show a lie instead of its repository; returns what ends it."""
        target.lie = lie
        self._world.referee.has_lied(lie)
        target.has_news()

        def end() -> None:
            if target.lie is lie:
                target.lie = None
                target.has_news()

        return end


def _is_held(host: Host, hosts: Sequence[Host]) -> bool:
    """Whether all other hosts hold everything that a host has written."""
    if host.replica is None:
        return False
    held = host.replica.core.held
    done = [held.graph.head, *held.own_replies().values()]
    if held.graph.game.has_views:
        done.append(held.graph.valid.chain_ends[host.seat.player])
    others = [one.replica for one in hosts if one is not host]
    return all(other is not None and all(commit in other.graph for commit in done) for other in others)


def damage(host: Host, rng: Random) -> None:
    """Change one byte of the oldest pack."""
    packs = [name for name in host.disk.files(FOLDER) if name.endswith(".pack")]
    if packs:
        host.disk.flip(FOLDER / packs[0], 12 + rng.randrange(1 << 20))
