"""One client's connection, over WebSocket or plain TCP: pieces of text come in, lines of text go out.

What goes out waits in a bounded queue, so that a client that does not read holds up nobody but itself.
"""

from __future__ import annotations

import asyncio
import contextlib
import socket
import time
from collections import deque
from collections.abc import AsyncIterator
from typing import TYPE_CHECKING, Any, Protocol

from catan_p2p.lmu.admission import address_group
from catan_p2p.lmu.framing import Splitter

if TYPE_CHECKING:  # the package can be looked at without the library
    from websockets.asyncio.connection import Connection as WebSocket

MAX_BACKLOG_CHARS = 1 << 20
"""A client that has left so much unread is let go."""
READ_BYTES = 16 << 10
SEND_BUFFER_BYTES = 64 << 10
"""What the system may keep for a client that does not read."""
CLOSE_S = 5.0
"""How long a connection that is being closed may still take what it is sent."""


def _bound(transport: asyncio.BaseTransport) -> None:
    connection = transport.get_extra_info("socket")
    if connection is not None:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER_BYTES)


def group_of(transport: asyncio.BaseTransport) -> str:
    """Whose connections a connection is counted with."""
    peer = transport.get_extra_info("peername")
    return address_group(str(peer[0])) if isinstance(peer, tuple) and peer else ""


class Wire(Protocol):
    """How text comes in and goes out. ``group`` says whose connections it is counted with."""

    group: str

    def objects(self, splitter: Splitter) -> AsyncIterator[Any]:
        """The JSON objects that come in, or ``Rubbish``, until the connection ends."""

    async def write(self, texts: list[str]) -> None:
        """Send some messages; OSError if the connection has ended."""

    async def close(self) -> None:
        """End the connection in order."""

    def abort(self) -> None:
        """End the connection at once."""


class WebSocketWire:
    """One object a text frame."""

    def __init__(self, connection: WebSocket) -> None:
        from websockets.exceptions import ConnectionClosed

        self._socket = connection
        self._closed = ConnectionClosed
        self.group = group_of(connection.transport)
        _bound(connection.transport)

    async def objects(self, splitter: Splitter) -> AsyncIterator[Any]:
        """The objects of the frames that come in."""
        with contextlib.suppress(self._closed):
            async for frame in self._socket:
                pieces = splitter.feed_frame(frame) if isinstance(frame, str) else splitter.feed_bytes(frame)
                for one in pieces:
                    yield one

    async def write(self, texts: list[str]) -> None:
        """Send each message as a frame."""
        try:
            for text in texts:
                await self._socket.send(text)
        except self._closed as error:
            raise ConnectionError(str(error)) from error

    async def close(self) -> None:
        """Close with a handshake."""
        await self._socket.close()

    def abort(self) -> None:
        """Cut the connection."""
        self._socket.transport.abort()


class StreamWire:
    """One object a line."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer
        self.group = group_of(writer.transport)
        _bound(writer.transport)

    async def objects(self, splitter: Splitter) -> AsyncIterator[Any]:
        """The objects of the stream."""
        with contextlib.suppress(OSError):
            while data := await self._reader.read(READ_BYTES):
                for one in splitter.feed_bytes(data):
                    yield one

    async def write(self, texts: list[str]) -> None:
        """Send each message as a line."""
        self._writer.write("".join(f"{text}\n" for text in texts).encode())
        await self._writer.drain()

    async def close(self) -> None:
        """Close once everything is sent."""
        self._writer.close()
        with contextlib.suppress(OSError):
            await self._writer.wait_closed()

    def abort(self) -> None:
        """Cut the connection."""
        self._writer.transport.abort()


class Outgoing:
    """Messages on their way to one client."""

    def __init__(self, wire: Wire, max_backlog_chars: int = MAX_BACKLOG_CHARS) -> None:
        self._wire = wire
        self._max_chars = max_backlog_chars
        self._waiting: deque[str] = deque()
        self._chars = 0
        self._wake = asyncio.Event()
        self._is_closing = False
        self.is_cut = False
        """Whether the connection was cut because nobody read."""
        self._task = asyncio.ensure_future(self._write())

    @property
    def has_room(self) -> bool:
        """Whether so little waits to be sent that more may be queued without need."""
        return self._chars < self._max_chars // 4

    def send(self, text: str) -> None:
        """Queue a message."""
        if self._is_closing or self.is_cut:
            return
        self._waiting.append(text)
        self._chars += len(text)
        if self._chars > self._max_chars:
            self.is_cut = True
            self._wire.abort()
        self._wake.set()

    async def _write(self) -> None:
        with contextlib.suppress(OSError):
            while not self.is_cut:
                await self._wake.wait()
                self._wake.clear()
                texts, self._waiting = [*self._waiting], deque()
                if texts:
                    await self._wire.write(texts)
                    self._chars -= sum(map(len, texts))
                if self._is_closing and not self._waiting:
                    return

    async def close(self) -> None:
        """Send what is queued, for a while, and end the connection."""
        self._is_closing = True
        self._wake.set()
        done, _ = await asyncio.wait([self._task], timeout=CLOSE_S)
        with contextlib.suppress(TimeoutError, OSError):
            if done:
                await asyncio.wait_for(self._wire.close(), CLOSE_S)
        self._task.cancel()
        self._wire.abort()

    def abort(self) -> None:
        """End the connection at once."""
        self.is_cut = True
        self._task.cancel()
        self._wire.abort()


class Bucket:
    """So many a second, and so many at once after a rest."""

    def __init__(self, per_s: float, at_once: float) -> None:
        self._per_s = per_s
        self._most = at_once
        self._left = at_once
        self._at = time.monotonic()

    def wait_s(self) -> float:
        """Take one: how long it has to be waited for, 0.0 if not at all."""
        now = time.monotonic()
        self._left = min(self._most, self._left + (now - self._at) * self._per_s) - 1
        self._at = now
        return max(0.0, -self._left / self._per_s)

    def take(self) -> bool:
        """Take one if there is one."""
        if self.wait_s() > 0:
            self._left += 1
            return False
        return True
