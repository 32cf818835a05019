"""How long messages take from one host to another: latency, bandwidth, loss, and queues at both ends.

A path is the way up of one host, the way between two places, and the way down of the other; each may be different in
both directions. What is lost is sent again, as TCP does, so loss is delay. Times are in whole microseconds.
"""

from dataclasses import dataclass
from functools import lru_cache
from random import Random

from catan_p2p.simulation.laboratory.distributions import US, Distribution

SEGMENT_BYTES = 1448
"""What of a message goes into one packet."""
HEADER_BYTES = 52
_FIRST_WINDOW = 10
"""So many packets are sent before the first acknowledgement (RFC 6928)."""
_LEAST_TIMEOUT_US = 200_000
"""The least time until something is sent again, as in Linux; RFC 6298 has one second."""
_MOST_LOSSES = 6


@dataclass(frozen=True, slots=True)
class AccessLink:
    """How a host reaches the network: each way its delay, its bandwidth in bits a second (0: any), its loss."""

    up: Distribution
    down: Distribution
    up_bps: int = 0
    down_bps: int = 0
    loss_ppm: int = 0
    """So many of a million packets are lost, in either direction."""


class HostPort:
    """A host's access in use: what is sent one way waits for what was sent before."""

    __slots__ = ("access", "busy_down_us", "busy_up_us", "free_down", "free_up", "place")

    def __init__(self, access: AccessLink, place: int) -> None:
        self.access = access
        self.place = place
        self.free_up = self.free_down = 0
        self.busy_up_us = self.busy_down_us = 0


class NetworkLinks:
    """All paths of one network; ``between[a][b]`` is the way from one place to another."""

    def __init__(self, between: tuple[tuple[Distribution, ...], ...], rng: Random) -> None:
        self._between = between
        self._rng = rng

    def leave(self, sender: HostPort, receiver: HostPort, size: int, now: int) -> tuple[int, int]:
        """Send a message now: when it reaches the receiver's end, and how much later it is whole there.

        To be asked in the order of time: what was sent first goes first.
        """
        rng, up, down = self._rng, sender.access, receiver.access
        packets = -(-size // SEGMENT_BYTES) or 1
        at = now
        if up.up_bps:
            took = _on_the_wire(size) * 8 * US // up.up_bps
            sender.busy_up_us += took
            at = sender.free_up = max(at, sender.free_up) + took
        way = up.up.draw(rng) + self._between[sender.place][receiver.place].draw(rng) + down.down.draw(rng)
        more = 2 * way * ((packets // _FIRST_WINDOW).bit_length()) if packets > _FIRST_WINDOW else 0
        if loss := up.loss_ppm + down.loss_ppm:
            more += self._again(packets, loss, 2 * way)
        return at + way, more

    def enter(self, receiver: HostPort, size: int, now: int) -> int:
        """When a message that has reached the receiver's end now has come in: what came first goes first."""
        if receiver.access.down_bps:
            took = _on_the_wire(size) * 8 * US // receiver.access.down_bps
            receiver.busy_down_us += took
            now = receiver.free_down = max(now, receiver.free_down) + took
        return now

    def _again(self, packets: int, loss_ppm: int, round_trip: int) -> int:
        """How much later a message comes because packets of it were lost."""
        rng = self._rng
        worst = 0
        for packet in range(packets):
            losses = 0
            while losses < _MOST_LOSSES and rng.randrange(1_000_000) < loss_ppm:
                losses += 1
            if not losses:
                continue
            if losses == 1 and packets - packet > 3:
                worst = max(worst, round_trip)  # three later packets tell that it is missing
            else:
                timeout = max(_LEAST_TIMEOUT_US, 3 * round_trip // 2)
                worst = max(worst, timeout * ((1 << losses) - 1))
        return worst


@lru_cache(maxsize=1 << 10)
def _on_the_wire(size: int) -> int:
    return size + (-(-size // SEGMENT_BYTES) or 1) * HEADER_BYTES
