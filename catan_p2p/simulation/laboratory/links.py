"""The time that messages take from one host to another: latency, bandwidth, loss, and queues at both ends.

A path is the uplink of the sender, the connection of two places, and the downlink of the receiver; each can differ by
direction. As with TCP, lost packets are sent again, so loss is delay. Times are in whole microseconds.
"""

from dataclasses import dataclass
from functools import lru_cache
from random import Random

from catan_p2p.simulation.laboratory.distributions import US, Distribution

SEGMENT_BYTES = 1448
"""The bytes of a message in one packet."""
HEADER_BYTES = 52
"""The headers of IPv4 (20 bytes) and TCP (20, and 12 of options): 1500 bytes with a full segment."""
_FIRST_WINDOW = 10
"""The number of packets that are sent before the first acknowledgement (RFC 6928)."""
_LEAST_TIMEOUT_US = 200_000
"""The least retransmission timeout, as in Linux; RFC 6298 has one second."""
_MOST_LOSSES = 6


@dataclass(frozen=True, slots=True)
class AccessLink:
    """A host's access to the network: delay and bandwidth in bits a second (0: unlimited) up and down, and loss."""

    up: Distribution
    down: Distribution
    up_bps: int = 0
    down_bps: int = 0
    loss_ppm: int = 0
    """Lost packets of a million, in either direction."""


class HostPort:
    """A host's access in use: messages of one direction queue behind one another."""

    __slots__ = ("access", "busy_down_us", "busy_up_us", "free_down", "free_up", "place")

    def __init__(self, access: AccessLink, place: int) -> None:
        self.access = access
        self.place = place
        self.free_up = self.free_down = 0
        self.busy_up_us = self.busy_down_us = 0


class NetworkLinks:
    """All paths of one network; ``between[a][b]`` is the delay from place ``a`` to place ``b``."""

    def __init__(self, between: tuple[tuple[Distribution, ...], ...], rng: Random) -> None:
        self._between = between
        self._rng = rng

    def leave(self, sender: HostPort, receiver: HostPort, size: int, now: int) -> tuple[int, int]:
        """Send a message now; returns when it reaches the receiver's end, and how much later it is complete there.

        Call it in the order of time: messages queue in the order of the calls.
        """
        rng, up, down = self._rng, sender.access, receiver.access
        packets = -(-size // SEGMENT_BYTES) or 1  # an empty message is a packet, too
        at = now
        if up.up_bps:
            took = _on_the_wire(size) * 8 * US // up.up_bps
            sender.busy_up_us += took
            at = sender.free_up = max(at, sender.free_up) + took
        way = up.up.draw(rng) + self._between[sender.place][receiver.place].draw(rng) + down.down.draw(rng)
        # Slow start: the window doubles with each round trip.
        more = 2 * way * ((packets // _FIRST_WINDOW).bit_length()) if packets > _FIRST_WINDOW else 0
        if loss := up.loss_ppm + down.loss_ppm:
            more += self._again(packets, loss, 2 * way)
        return at + way, more

    def enter(self, receiver: HostPort, size: int, now: int) -> int:
        """When a message that reaches the receiver's end now has passed the downlink, in the order of the calls."""
        if receiver.access.down_bps:
            took = _on_the_wire(size) * 8 * US // receiver.access.down_bps
            receiver.busy_down_us += took
            now = receiver.free_down = max(now, receiver.free_down) + took
        return now

    def _again(self, packets: int, loss_ppm: int, round_trip: int) -> int:
        """The delay of a message by the loss of packets: that of the worst packet, since they travel side by side."""
        rng = self._rng
        worst = 0
        for packet in range(packets):
            losses = 0
            while losses < _MOST_LOSSES and rng.randrange(1_000_000) < loss_ppm:
                losses += 1
            if not losses:
                continue
            if losses == 1 and packets - packet > 3:
                worst = max(worst, round_trip)  # fast retransmit, after three duplicate acknowledgements
            else:
                timeout = max(_LEAST_TIMEOUT_US, 3 * round_trip // 2)
                worst = max(worst, timeout * ((1 << losses) - 1))  # the timeout doubles with each loss: 1 + 2 + 4 ...
        return worst


@lru_cache(maxsize=1 << 10)
def _on_the_wire(size: int) -> int:
    return size + (-(-size // SEGMENT_BYTES) or 1) * HEADER_BYTES
