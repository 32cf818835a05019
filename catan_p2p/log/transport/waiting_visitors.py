"""Visitors of a server that Git need not serve yet, and which of them gives way to the next.

They have not made a request yet, or have received the refs and not answered. There is always room for a newcomer: when
there are too many visitors, one is drawn by lot from those that wait at the most crowded address of the most crowded
network. A visitor that makes its request at once waits only for a moment. So those that stay silent give way, however
fast they come again.
"""

from __future__ import annotations

import contextlib
import ipaddress
import os
import socket
from collections import Counter
from collections.abc import Callable, Iterator
from random import Random

from catan_p2p.limits import MAX_REQUEST_BYTES

_HEAD_BYTES = 4
_NETWORK_BITS = {4: 24, 6: 64}


def network_of(address: str) -> str:
    """Return the network of an address, as one user or provider has it: the first 24 bits of IPv4, 64 of IPv6."""
    # A link-local IPv6 address may name its interface after a %.
    try:
        found = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address
    # A server that listens on both sees IPv4 visitors under such addresses.
    if isinstance(found, ipaddress.IPv6Address) and found.ipv4_mapped is not None:
        found = found.ipv4_mapped
    network = ipaddress.ip_network(f"{found}/{_NETWORK_BITS[found.version]}", strict=False)
    return str(network.network_address)


class WaitingVisitor:
    """A connection that Git does not serve yet; it must go on by ``until``, on the server's clock."""

    def __init__(self, connection: socket.socket, address: str, until: float) -> None:
        self.connection = connection
        self.address = address
        self.network = network_of(address)
        self.until = until
        self._data = bytearray()
        self._size = _HEAD_BYTES
        self.untold: memoryview | None = None
        """The rest of the refs to send; None before the visitor has asked for them."""

    def ask(self, listing: bytes) -> None:
        """Note that the visitor asks for the refs."""
        self.untold = memoryview(listing)
        self._data.clear()

    def tell(self) -> bool:
        """Send more of the refs, without waiting; return whether any were sent. ``OSError`` if the visitor is gone."""
        assert self.untold is not None
        try:
            count = self.connection.send(self.untold) if self.untold else 0
        except BlockingIOError:
            return False
        self.untold = self.untold[count:]
        return count > 0

    def read_answer(self) -> bytes | None:
        """Return the beginning of the visitor's answer to the refs, unless it is empty (``0000``); None before that.

        ``OSError`` if the visitor has gone, or wants nothing.
        """
        try:
            # Four bytes tell an answer from none; all the rest is left in the socket for Git.
            more = self.connection.recv(_HEAD_BYTES - len(self._data))
        except BlockingIOError:
            return None
        self._data += more
        if not more or self._data == b"0000":
            raise ConnectionResetError
        return bytes(self._data) if len(self._data) == _HEAD_BYTES else None

    def read(self) -> bytes | None:
        """Return the first line of Git's protocol once it is complete, None before; empty if it is not one.

        Reads no byte of what follows, and never waits. ``OSError`` if the visitor has gone.
        """
        while len(self._data) < self._size:
            # Exactly as many bytes as the line still needs, so what follows stays in the socket for Git.
            try:
                more = self.connection.recv(self._size - len(self._data))
            except BlockingIOError:
                return None
            if not more:
                raise ConnectionResetError
            self._data += more
            if self._size == _HEAD_BYTES == len(self._data):
                try:
                    self._size = int(self._data, 16)
                except ValueError:
                    return b""
                if not _HEAD_BYTES < self._size <= MAX_REQUEST_BYTES:
                    return b""
        return bytes(self._data[_HEAD_BYTES:])


class WaitingVisitors:
    """The waiting visitors, at most ``most``, the longest waiting first."""

    def __init__(self, most: int, entropy: Callable[[int], bytes] = os.urandom) -> None:
        self._most = most
        # Unpredictable, or an attacker could foresee whom the lot spares.
        self._rng = Random(entropy(16))
        self._visitors: dict[socket.socket, WaitingVisitor] = {}

    def __len__(self) -> int:
        return len(self._visitors)

    @property
    def all(self) -> list[WaitingVisitor]:
        """All of them."""
        return [*self._visitors.values()]

    def admit(self, visitor: WaitingVisitor) -> WaitingVisitor | None:
        """Let a visitor wait; return the visitor that gives way to it, None if there was room."""
        gone = self.draw() if len(self) >= self._most else None
        self._visitors[visitor.connection] = visitor
        return gone

    def draw(self) -> WaitingVisitor | None:
        """Remove by lot a visitor of the most crowded address of the most crowded network; None if nobody waits."""
        waiting = self.all
        if not waiting:
            return None
        network = self._most_frequent(visitor.network for visitor in waiting)
        waiting = [visitor for visitor in waiting if visitor.network == network]
        address = self._most_frequent(visitor.address for visitor in waiting)
        drawn = self._rng.choice([visitor for visitor in waiting if visitor.address == address])
        self.leave(drawn)
        return drawn

    def wait_on(self, visitor: WaitingVisitor, until: float) -> None:
        """Let an active visitor wait on, as the newest one."""
        # Moved to the end: ``late`` relies on the order of the deadlines.
        if self._visitors.pop(visitor.connection, None) is not None:
            visitor.until = until
            self._visitors[visitor.connection] = visitor

    def leave(self, visitor: WaitingVisitor) -> None:
        """Remove a visitor that is served now, or has gone."""
        self._visitors.pop(visitor.connection, None)

    def late(self, now: float) -> list[WaitingVisitor]:
        """Remove and return the visitors that have waited too long."""
        late = []
        for visitor in self._visitors.values():
            if visitor.until > now:
                break
            late.append(visitor)
        for visitor in late:
            self.leave(visitor)
        return late

    @property
    def next_until(self) -> float | None:
        """The earliest deadline, None if nobody waits."""
        return next((visitor.until for visitor in self._visitors.values()), None)

    def close(self) -> None:
        """Close all connections."""
        for connection in self._visitors:
            with contextlib.suppress(OSError):
                connection.close()
        self._visitors.clear()

    def _most_frequent(self, names: Iterator[str]) -> str:
        """Return one of the most frequent names, by lot."""
        counts = Counter(names)
        most = max(counts.values())
        return self._rng.choice([name for name, count in counts.items() if count == most])
