"""Who may wait to be seated: so many connections, of which no address has more than half.

A connection is a stranger until it has a seat. Where there are too many strangers, none is turned away, for it may be a
player who comes back to a game: the oldest of the address that has the most is let go.
"""

import ipaddress
from collections import Counter
from collections.abc import Callable


def address_group(host: str) -> str:
    """Whose connections are counted together: those of one IPv4 address, or of one IPv6 network of 64 bits."""
    try:
        found = ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return host
    mapped = getattr(found, "ipv4_mapped", None)
    if mapped is not None:
        return str(mapped)
    return str(found) if found.version == 4 else str(ipaddress.ip_network((found, 64), strict=False))


def is_own_machine(group: str) -> bool:
    """Whether connections come from this machine."""
    return group in ("", "::/64") or group.startswith("127.")


class SeatlessClient:
    """A connection without a seat; ``dismiss`` lets it go."""

    def __init__(self, group: str, dismiss: Callable[[], None]) -> None:
        self.group = group
        self.dismiss = dismiss


class SeatlessClients:
    """All connections without a seat, the oldest first."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._most_of_group = max(1, most // 2)
        self._waiting: dict[SeatlessClient, None] = {}

    def __len__(self) -> int:
        return len(self._waiting)

    def admit(self, group: str, dismiss: Callable[[], None]) -> SeatlessClient:
        """Let one in, and if need be another one go."""
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
        stranger = SeatlessClient(group, dismiss)
        self._waiting[stranger] = None
        return stranger

    def forget(self, stranger: SeatlessClient) -> None:
        """It has a seat, or has gone."""
        self._waiting.pop(stranger, None)
