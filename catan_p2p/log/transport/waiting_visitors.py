"""Visitors of a server whom Git need not serve yet, and which of them gives way to the next.

They have not said yet what they want, or have been told the refs and have said nothing since. There is always room
for who comes: when there are too many, one is drawn by lot from those who wait in the most crowded address of the
most crowded network. Whoever says at once what they want waits for a moment only, so it is those who say nothing that
give way, however fast they come again.
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
    """The network of an address, as one user or provider has it: the first 24 bits of IPv4, 64 of IPv6."""
    try:
        found = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if isinstance(found, ipaddress.IPv6Address) and found.ipv4_mapped is not None:
        found = found.ipv4_mapped
    network = ipaddress.ip_network(f"{found}/{_NETWORK_BITS[found.version]}", strict=False)
    return str(network.network_address)


class WaitingVisitor:
    """A connection that Git does not serve yet; it may take until ``until``, by the server's clock."""

    def __init__(self, connection: socket.socket, address: str, until: float) -> None:
        self.connection = connection
        self.address = address
        self.network = network_of(address)
        self.until = until
        self._data = bytearray()
        self._size = _HEAD_BYTES
        self.untold: memoryview | None = None
        """What is left to be told of the refs; None before the visitor has asked."""

    def ask(self, listing: bytes) -> None:
        """The visitor wants to know where the refs are."""
        self.untold = memoryview(listing)
        self._data.clear()

    def tell(self) -> bool:
        """Tell more of the refs, without waiting; whether anything moved. ``OSError`` if the visitor has gone."""
        assert self.untold is not None
        try:
            count = self.connection.send(self.untold) if self.untold else 0
        except BlockingIOError:
            return False
        self.untold = self.untold[count:]
        return count > 0

    def read_answer(self) -> bytes | None:
        """What the visitor says to the refs, as soon as that is more than nothing (``0000``); None before.

        ``OSError`` if the visitor has gone, or wants nothing.
        """
        try:
            more = self.connection.recv(_HEAD_BYTES - len(self._data))
        except BlockingIOError:
            return None
        self._data += more
        if not more or self._data == b"0000":
            raise ConnectionResetError
        return bytes(self._data) if len(self._data) == _HEAD_BYTES else None

    def read(self) -> bytes | None:
        """The first line of Git's protocol once all of it has come, None before; empty if it is none.

        Reads no byte of what follows, and never waits. ``OSError`` if the visitor has gone.
        """
        while len(self._data) < self._size:
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
    """The visitors who wait, at most ``most``, in the order in which they have come."""

    def __init__(self, most: int, entropy: Callable[[int], bytes] = os.urandom) -> None:
        self._most = most
        self._rng = Random(entropy(16))
        self._visitors: dict[socket.socket, WaitingVisitor] = {}

    def __len__(self) -> int:
        return len(self._visitors)

    @property
    def all(self) -> list[WaitingVisitor]:
        """All of them."""
        return [*self._visitors.values()]

    def admit(self, visitor: WaitingVisitor) -> WaitingVisitor | None:
        """Let a visitor wait; who gives way for that, None if there was room."""
        gone = self.draw() if len(self) >= self._most else None
        self._visitors[visitor.connection] = visitor
        return gone

    def draw(self) -> WaitingVisitor | None:
        """Take one of the most crowded address of the most crowded network out, by lot; None if nobody waits."""
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
        """Let a visitor who does something wait on, as the last who has come."""
        if self._visitors.pop(visitor.connection, None) is not None:
            visitor.until = until
            self._visitors[visitor.connection] = visitor

    def leave(self, visitor: WaitingVisitor) -> None:
        """A visitor waits no more: it is served, or gone."""
        self._visitors.pop(visitor.connection, None)

    def late(self, now: float) -> list[WaitingVisitor]:
        """Take those out who have waited too long."""
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
        """Until when the first may wait, None if nobody waits."""
        return next((visitor.until for visitor in self._visitors.values()), None)

    def close(self) -> None:
        """Show all of them the door."""
        for connection in self._visitors:
            with contextlib.suppress(OSError):
                connection.close()
        self._visitors.clear()

    def _most_frequent(self, names: Iterator[str]) -> str:
        """One of the most frequent names, by lot."""
        counts = Counter(names)
        most = max(counts.values())
        return self._rng.choice([name for name, count in counts.items() if count == most])
