"""A client's connection at the server, over WebSocket or plain TCP.

Outgoing messages wait in a bounded buffer, so that a client that does not read delays nobody else.
"""

from __future__ import annotations

import asyncio
import contextlib
import socket
import time
from collections import deque
from collections.abc import Iterator
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, Self

from catan_p2p.lmu import messages as m
from catan_p2p.lmu.admission import address_group
from catan_p2p.lmu.connection import READ_BYTES, TcpStream
from catan_p2p.lmu.framing import MAX_OBJECT_CHARS, JsonSplitter, LineTooLong

if TYPE_CHECKING:  # websockets is an optional dependency
    from websockets.protocol import Protocol

MAX_BACKLOG_BYTES = 1 << 20
"""A client that has left more than this unread is disconnected."""
MAX_FRAME_BYTES = 4 * MAX_OBJECT_CHARS
MAX_REQUEST_BYTES = 16 << 10
SEND_BUFFER_BYTES = 64 << 10
"""The system's send buffer for each client."""
CLOSE_S = 5.0
"""How long closing a connection may wait for the client to read."""
PING_S = 20.0
"""The interval of pings to a silent WebSocket client, and the time that it has to answer."""


def group_of(transport: asyncio.BaseTransport) -> str:
    """The address group of a connection: see ``address_group``."""
    peer = transport.get_extra_info("peername")
    return address_group(str(peer[0])) if isinstance(peer, tuple) and peer else ""


class ServedStream(TcpStream):
    """A plain TCP connection: one JSON object per line. ``group`` is its address group."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        super().__init__(reader, writer)
        self.group = group_of(writer.transport)
        self._splitter = JsonSplitter(frozenset(m.MESSAGES["client"]))
        self._pending: deque[Any] = deque()
        # ``close`` of a WebSocket reads too, for the client's Close frame.
        self._read_lock = asyncio.Lock()
        self._too_long: LineTooLong | None = None
        self._is_over = False
        """Whether the client has closed its side."""
        connection = writer.get_extra_info("socket")
        if connection is not None:
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER_BYTES)

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> Any:
        """The next JSON object that comes in, or ``InvalidText``; ``LineTooLong`` if one has no end."""
        while True:
            if self._pending:
                return self._pending.popleft()
            if self._too_long is not None:
                raise self._too_long
            if not await self._fill():
                break
        raise StopAsyncIteration

    async def _fill(self) -> bool:
        """Read more; False if the connection has ended."""
        async with self._read_lock:
            if self._is_over:
                return False
            try:
                data = await self._reader.read(READ_BYTES)
            except OSError:
                data = b""
            self._is_over = not data
            self._take(data)
            return True

    def _take(self, data: bytes) -> None:
        try:
            self._pending.extend(self._decoded(data))
        except LineTooLong as error:
            self._too_long = error

    def _decoded(self, data: bytes) -> Iterator[Any]:
        return self._splitter.feed_bytes(data)

    def _encoded(self, texts: list[str]) -> bytes:
        return "".join(f"{text}\n" for text in texts).encode()

    @property
    def unsent_bytes(self) -> int:
        """How many bytes wait to be sent, without the system's buffer."""
        return self._writer.transport.get_write_buffer_size()

    def write(self, texts: list[str]) -> None:
        """Send some messages; dropped if the connection has ended."""
        if not self._writer.transport.is_closing():
            self._writer.write(self._encoded(texts))


class ServedWebSocket(ServedStream):
    """A WebSocket connection after its handshake: one JSON object per text frame."""

    def __init__(
        self,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        protocol: Protocol,
    ) -> None:
        super().__init__(reader, writer)
        from websockets.frames import DATA_OPCODES, Frame, Opcode
        from websockets.protocol import State

        self._protocol = protocol
        self._open = State.OPEN
        self._frame, self._text, self._data = Frame, Opcode.TEXT, DATA_OPCODES
        self._is_asked = False
        self._timer = asyncio.get_running_loop().call_later(PING_S, self._look_after)

    def _decoded(self, data: bytes) -> Iterator[Any]:
        self._is_asked = False
        if data:
            self._protocol.receive_data(data)
        self._flush()
        for frame in self._protocol.events_received():
            assert isinstance(frame, self._frame)
            if frame.opcode is self._text and frame.fin:
                yield from self._splitter.feed_frame(bytes(frame.data).decode("utf-8", "replace"))
            elif frame.opcode in self._data:
                yield from self._splitter.feed_bytes(bytes(frame.data))
        self._is_over = self._is_over or self._protocol.state is not self._open

    def _flush(self) -> None:
        data = b"".join(self._protocol.data_to_send())
        if data and not self._writer.transport.is_closing():
            self._writer.write(data)

    def _encoded(self, texts: list[str]) -> bytes:
        if self._protocol.state is not self._open:
            return b""
        for text in texts:
            self._protocol.send_text(text.encode())
        return b"".join(self._protocol.data_to_send())

    def _look_after(self) -> None:
        """Ping a silent client; abort the connection if it has not answered the last ping."""
        if self._is_asked:
            self.abort()
        elif self._protocol.state is self._open and not self._is_over:
            self._is_asked = True
            self._protocol.send_ping(b"")
            self._flush()
            self._timer = asyncio.get_running_loop().call_later(PING_S, self._look_after)

    async def close(self) -> None:
        """Close with a closing handshake."""
        self._timer.cancel()
        if self._protocol.state is self._open:
            self._protocol.send_close(1000)
            self._flush()
        while self._protocol.close_rcvd is None and await self._read_on():
            pass
        await super().close()

    async def _read_on(self) -> bool:
        """Read what the client sends after the server's Close frame; False at the end."""
        if self._reader.at_eof() or self._writer.transport.is_closing():
            return False
        self._is_over = False
        self._pending.clear()
        return await self._fill() and not self._reader.at_eof()

    def abort(self) -> None:
        """Cut the connection."""
        self._timer.cancel()
        super().abort()


async def shake_hands(
    reader: asyncio.StreamReader, writer: asyncio.StreamWriter, endpoint: str, version: str
) -> ServedWebSocket | None:
    """Answer a WebSocket handshake; None if it fails, or asks for another path than ``endpoint``."""
    from websockets.http11 import Request
    from websockets.protocol import State
    from websockets.server import ServerProtocol

    protocol = ServerProtocol(max_size=MAX_FRAME_BYTES)
    try:
        request = await reader.readuntil(b"\r\n\r\n")
    except (asyncio.IncompleteReadError, asyncio.LimitOverrunError, OSError):
        return None
    protocol.receive_data(request)
    for event in protocol.events_received():
        if isinstance(event, Request):
            response = protocol.accept(event)
            if event.path.partition("?")[0] != endpoint:
                response = protocol.reject(HTTPStatus.NOT_FOUND, f"the game is at {endpoint}\n")
            response.headers["Server"] = version
            protocol.send_response(response)
    writer.write(b"".join(protocol.data_to_send()))
    return ServedWebSocket(reader, writer, protocol) if protocol.state is State.OPEN else None


class OutgoingMessages:
    """The queue of messages to one client."""

    def __init__(self, wire: ServedStream, max_backlog_bytes: int = MAX_BACKLOG_BYTES) -> None:
        self.wire = wire
        self._max_bytes = max_backlog_bytes
        self._waiting: list[str] = []
        self._is_closing = False
        self.is_cut = False
        """Whether the connection was aborted, as for a client that does not read."""
        self._loop = asyncio.get_running_loop()

    def send(self, text: str) -> None:
        """Queue a message; those of one loop iteration are written together."""
        if self._is_closing or self.is_cut:
            return
        if not self._waiting:
            self._loop.call_soon(self._flush)
        self._waiting.append(text)

    def _flush(self) -> None:
        texts, self._waiting = self._waiting, []
        if texts and not self.is_cut:
            self.wire.write(texts)
            if self.wire.unsent_bytes > self._max_bytes:
                self.abort()

    async def close(self) -> None:
        """Send what is queued, within ``CLOSE_S``, and close the connection."""
        self._flush()
        self._is_closing = True
        with contextlib.suppress(TimeoutError, OSError):
            await asyncio.wait_for(self.wire.close(), CLOSE_S)
        self.wire.abort()

    def abort(self) -> None:
        """Cut the connection at once."""
        self.is_cut = True
        self.wire.abort()


class TokenBucket:
    """A rate limit: ``per_s`` on average, and up to ``at_once`` in a burst."""

    def __init__(self, per_s: float, at_once: float) -> None:
        self._per_s = per_s
        self._most = at_once
        self._left = at_once
        self._at = time.monotonic()

    def wait_s(self) -> float:
        """Take a token, also in advance: how many seconds to wait until it is due, 0.0 for none."""
        now = time.monotonic()
        self._left = min(self._most, self._left + (now - self._at) * self._per_s) - 1
        self._at = now
        return max(0.0, -self._left / self._per_s)

    def take(self) -> bool:
        """Take a token if there is one; whether there was."""
        if self.wait_s() > 0:
            self._left += 1
            return False
        return True
