"""Visitors who say nothing, or no more than what they want, from many addresses of this machine.

They come again as soon as they are shown the door.
"""

import select
import socket
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Self

from catan_p2p.log.storage.objects import StoreError
from catan_p2p.log.transport.git_protocol import GitProtocolRemote
from catan_p2p.log.transport.serve import RepositoryServer

RED = "refs/heads/Red_0"
ASKS = b"0021git-upload-pack /\0host=there\0"


class Crowd:
    """So many connections to a server from 127.0.0.2 and the addresses after it, which say something first."""

    def __init__(self, server: RepositoryServer, addresses: int, count: int, says: bytes = b"") -> None:
        self._server = server
        self._says = says
        self._addresses = addresses
        self._next = 0
        self._open: list[socket.socket] = []
        self.add(count)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.leave()

    def add(self, count: int) -> None:
        """Let more come."""
        for _ in range(count):
            visitor = socket.socket()
            self._open.append(visitor)
            number = 2 + self._next % self._addresses
            self._next += 1
            visitor.bind((f"127.0.{number // 250}.{number % 250}", 0))
            visitor.settimeout(5.0)
            with suppress(OSError):
                visitor.connect((self._server.host, self._server.port))
                visitor.sendall(self._says)

    def refill(self) -> int:
        """Let those come again who were shown the door; how many these are."""
        poll = select.poll()
        for visitor in self._open:
            poll.register(visitor, select.POLLIN | select.POLLHUP)
        gone = {number for number, _ in poll.poll(0)}
        left = [visitor for visitor in self._open if visitor.fileno() in gone]
        for visitor in left:
            self._open.remove(visitor)
            visitor.close()
        self.add(len(left))
        return len(left)

    def leave(self) -> None:
        """Let all go."""
        for visitor in self._open:
            visitor.close()
        self._open.clear()


def is_served(server: RepositoryServer) -> bool:
    """Whether an honest visitor gets the whole game."""
    remote = GitProtocolRemote(server.url)
    try:
        heads = remote.heads([RED])
        remote.bring(heads)
        return remote.read(heads[RED])[0] == "commit"
    except StoreError:
        return False
    finally:
        remote.close()


def times_served(seat: Path, addresses: int, count: int, says: bytes, looks: int = 20) -> int:
    """How many of so many honest visitors a seat serves to whom a crowd comes again and again."""
    with RepositoryServer(seat, "127.0.0.1", 0) as server, Crowd(server, addresses, count, says) as crowd:
        served = 0
        for _ in range(looks):
            crowd.refill()
            served += is_served(server)
        return served
