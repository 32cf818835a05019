"""A bound on connections without a seat, of which one address may have at most half.

A new connection is never turned away, since it may be a player who comes back to a game. Instead the server closes the
oldest connection of the address that has the most.
"""

import ipaddress
from collections import Counter
from collections.abc import Callable


def address_group(host: str) -> str:
    """The key under which connections are counted: an IPv4 address, or the /64 network of an IPv6 address."""
    try:
        found = ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return host
    mapped = getattr(found, "ipv4_mapped", None)
    # A socket that listens on IPv6 reports IPv4 clients as ::ffff:a.b.c.d; they would all share one /64.
    if mapped is not None:
        return str(mapped)
    return str(found) if found.version == 4 else str(ipaddress.ip_network((found, 64), strict=False))


def is_own_machine(group: str) -> bool:
    """Whether connections come from this machine."""
    return group in ("", "::/64") or group.startswith("127.")


class SeatlessClient:
    """A connection without a seat; ``dismiss`` closes it."""

    def __init__(self, group: str, dismiss: Callable[[], None]) -> None:
        self.group = group
        self.dismiss = dismiss


class SeatlessClients:
    """All connections without a seat, oldest first: at most ``most``."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._most_of_group = max(1, most // 2)
        self._waiting: dict[SeatlessClient, None] = {}

    def __len__(self) -> int:
        return len(self._waiting)

    def admit(self, group: str, dismiss: Callable[[], None]) -> SeatlessClient:
        """Add a connection; if there are too many, dismiss the oldest of the busiest address."""
        counts = Counter(other.group for other in self._waiting)
        busiest = None
        if counts[group] >= self._most_of_group:
            busiest = group
        elif len(self._waiting) >= self._most:
            busiest = counts.most_common(1)[0][0]
        if busiest is not None:
            oldest = next(other for other in self._waiting if other.group == busiest)
            self.forget(oldest)
            oldest.dismiss()
        client = SeatlessClient(group, dismiss)
        self._waiting[client] = None
        return client

    def forget(self, client: SeatlessClient) -> None:
        """Count a connection no longer: it has a seat, or has ended."""
        self._waiting.pop(client, None)
