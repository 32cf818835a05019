"""A client's connection at the server, over WebSocket or plain TCP, in a form that another process can take over.

Outgoing messages wait in a bounded buffer, so that a client that does not read delays nobody else.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import socket
import time
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, Literal, Self

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
FLUSH_S = 2.0
"""How long a client may take to read its messages before its connection is handed over; after that it is cut."""
PING_S = 20.0
"""The interval of pings to a silent WebSocket client, and the time that it has to answer."""


def group_of(transport: asyncio.BaseTransport) -> str:
    """The address group of a connection: see ``address_group``."""
    peer = transport.get_extra_info("peername")
    return address_group(str(peer[0])) if isinstance(peer, tuple) and peer else ""


@dataclass(frozen=True, slots=True)
class HandedConnection:
    """The state of a connection that another process needs besides its file descriptor."""

    kind: Literal["tcp", "ws"]
    group: str
    objects: tuple[Any, ...]
    """Objects that were read and not yet handled."""
    splitter: JsonSplitter
    """Holds the beginning of the next object."""
    raw: bytes
    """The beginning of the next WebSocket frame."""


class ServedStream(TcpStream):
    """A plain TCP connection: one JSON object per line. ``group`` is its address group."""

    KIND: Literal["tcp", "ws"] = "tcp"

    def __init__(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, handed: HandedConnection | None = None
    ) -> None:
        super().__init__(reader, writer)
        self.group = group_of(writer.transport) if handed is None else handed.group
        self._splitter = JsonSplitter(frozenset(m.MESSAGES["client"])) if handed is None else handed.splitter
        self._pending: deque[Any] = deque(() if handed is None else handed.objects)
        # ``close`` of a WebSocket reads too, for the client's Close frame.
        self._read_lock = asyncio.Lock()
        self._waiting: asyncio.Task[Any] | None = None
        self._too_long: LineTooLong | None = None
        self._is_over = False
        """Whether the client has closed its side."""
        self.is_stopped = False
        connection = writer.get_extra_info("socket")
        if connection is not None:
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER_BYTES)

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> Any:
        """The next JSON object that comes in, or ``InvalidText``; ``LineTooLong`` if one has no end."""
        while not self.is_stopped:
            if self._pending:
                return self._pending.popleft()
            if self._too_long is not None:
                raise self._too_long
            if not await self._fill():
                break
        raise StopAsyncIteration

    async def _fill(self) -> bool:
        """Read more; False if the connection has ended, or reading was stopped."""
        async with self._read_lock:
            if self._is_over:
                return False
            self._waiting = asyncio.current_task()
            try:
                data = await self._reader.read(READ_BYTES)
            except OSError:
                data = b""
            except asyncio.CancelledError:
                # ``stop`` cancels the reader; uncancel() is 0 then. Another cancellation at the same time must go on.
                if not self.is_stopped or self._waiting is None or self._waiting.uncancel():
                    raise
                return False
            finally:
                self._waiting = None
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

    def put_back(self, one: Any) -> None:
        """Put an object back, to be read next, here or in the process that takes over."""
        self._pending.appendleft(one)

    @property
    def unsent_bytes(self) -> int:
        """How many bytes wait to be sent, without the system's buffer."""
        return self._writer.transport.get_write_buffer_size()

    def write(self, texts: list[str]) -> None:
        """Send some messages; dropped if the connection has ended."""
        if not self._writer.transport.is_closing():
            self._writer.write(self._encoded(texts))

    def stop(self) -> None:
        """Stop reading: a reader that waits for an object gets ``StopAsyncIteration``."""
        self.is_stopped = True
        if self._waiting is not None:
            self._waiting.cancel()

    async def hand_over(self) -> tuple[int, HandedConnection]:
        """Give up a stopped connection: a duplicate of its file descriptor, and its state.

        OSError if it has ended, TimeoutError if the client does not read its messages within ``FLUSH_S``.
        """
        transport: Any = self._writer.transport
        # With a limit of 0, drain() waits until everything is sent.
        transport.set_write_buffer_limits(0)
        async with asyncio.timeout(FLUSH_S):
            await self._writer.drain()
        self._take(await self._arrived())
        # A duplicate, since abort() closes the transport's own descriptor; the connection stays open.
        file = os.dup(self._writer.get_extra_info("socket").fileno())
        handed = HandedConnection(self.KIND, self.group, tuple(self._pending), self._splitter, self._left())
        transport.abort()
        return file, handed

    async def _arrived(self) -> bytes:
        """Pause reading from the socket, and return the bytes that asyncio has read ahead."""
        transport: Any = self._writer.transport
        found = b""
        while True:
            is_quiet = not transport.is_reading()
            if not is_quiet:
                transport.pause_reading()
            data = b""
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(0):
                    data = await self._reader.read(READ_BYTES)
            found += data
            if not data and (is_quiet or self._reader.at_eof()):
                return found

    def _left(self) -> bytes:
        return b""


class ServedWebSocket(ServedStream):
    """A WebSocket connection after its handshake: one JSON object per text frame."""

    KIND: Literal["tcp", "ws"] = "ws"

    def __init__(
        self,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        handed: HandedConnection | None = None,
        protocol: Protocol | None = None,
    ) -> None:
        super().__init__(reader, writer, handed)
        from websockets.frames import DATA_OPCODES, Frame, Opcode
        from websockets.protocol import Protocol, Side, State

        self._protocol = protocol or Protocol(Side.SERVER, max_size=MAX_FRAME_BYTES)
        self._raw = bytearray(b"" if handed is None else handed.raw)
        self._open = State.OPEN
        self._frame, self._text, self._data = Frame, Opcode.TEXT, DATA_OPCODES
        self._is_asked = False
        self._timer = asyncio.get_running_loop().call_later(PING_S, self._look_after)

    def _decoded(self, data: bytes) -> Iterator[Any]:
        self._is_asked = False
        self._raw += data
        # The library gets whole frames only: its parser's state cannot be handed to another process, these bytes can.
        end = _whole_frames(self._raw) if data else 0
        if end:
            self._protocol.receive_data(bytes(self._raw[:end]))
            del self._raw[:end]
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

    def _left(self) -> bytes:
        self._timer.cancel()
        return bytes(self._raw)

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


def _whole_frames(raw: bytearray) -> int:
    """The total length of the whole frames at the start of ``raw``.

    All of ``raw`` if a frame is too long, so that the library sees its header and refuses it.
    """
    at = 0
    while len(raw) - at >= 2:
        length, head = raw[at + 1] & 127, 2 + (4 if raw[at + 1] & 128 else 0)
        if length > 125:
            size = 2 if length == 126 else 8
            if len(raw) - at < 2 + size:
                break
            length, head = int.from_bytes(raw[at + 2 : at + 2 + size]), head + size
        if length > MAX_FRAME_BYTES:
            return len(raw)
        if len(raw) - at < head + length:
            break
        at += head + length
    return at


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
    return ServedWebSocket(reader, writer, protocol=protocol) if protocol.state is State.OPEN else None


async def taken_over(file: int, handed: HandedConnection) -> ServedStream:
    """The connection that another process has handed over."""
    reader, writer = await asyncio.open_connection(sock=socket.socket(fileno=file))
    return (ServedWebSocket if handed.kind == "ws" else ServedStream)(reader, writer, handed)


class OutgoingMessages:
    """The queue of messages to one client."""

    def __init__(self, wire: ServedStream, max_backlog_bytes: int = MAX_BACKLOG_BYTES) -> None:
        self.wire = wire
        self._max_bytes = max_backlog_bytes
        self._waiting: list[str] = []
        self._is_closing = False
        self.is_cut = False
        """Whether the connection was aborted, as for a client that does not read."""
        self.is_handed = False
        """Whether another process has taken the connection over."""
        self.idle = asyncio.Event()
        """Set once no task of this process reads from the client any more."""
        self.moved = asyncio.Event()
        """Set once the connection is handed over, or handing it over has failed."""
        self._loop = asyncio.get_running_loop()

    @property
    def has_room(self) -> bool:
        """Whether the backlog is small enough to send what can also wait."""
        return self.wire.unsent_bytes < self._max_bytes // 4

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

    async def hand_over(self) -> tuple[int, HandedConnection]:
        """Hand the connection to another process: see ``ServedStream.hand_over``."""
        self._flush()
        self.is_handed = self._is_closing = True
        try:
            return await self.wire.hand_over()
        except (OSError, TimeoutError):
            self.abort()
            raise

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
