"""A client's connection to a server, over WebSocket or plain TCP."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from typing import TYPE_CHECKING, Any, Protocol

from catan_p2p.lmu.framing import JsonSplitter

if TYPE_CHECKING:  # websockets is an optional dependency
    from websockets.asyncio.connection import Connection as WebSocket

READ_BYTES = 16 << 10


class ClientWire(Protocol):
    """A connection as the client uses it, whatever carries it."""

    def objects(self, splitter: JsonSplitter) -> AsyncIterator[Any]:
        """The JSON objects that arrive, or ``InvalidText`` in place of one, until the connection ends."""

    async def write(self, texts: list[str]) -> None:
        """Send some messages; OSError if the connection has ended."""

    async def close(self) -> None:
        """End the connection in order."""

    def abort(self) -> None:
        """End the connection at once."""


class WebSocketWire:
    """A WebSocket: one JSON object per text frame."""

    def __init__(self, connection: WebSocket) -> None:
        from websockets.exceptions import ConnectionClosed

        self._socket = connection
        self._closed = ConnectionClosed

    async def objects(self, splitter: JsonSplitter) -> AsyncIterator[Any]:
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


class WholeReader(asyncio.StreamReader):
    """A reader that still returns what arrived before the connection broke.

    A server may reset the connection right after its last message, and asyncio would raise instead of returning it.
    """

    def set_exception(self, exc: BaseException) -> None:
        """Treat a broken connection as the end of the stream."""
        self.feed_eof()


async def open_stream(host: str, port: int) -> StreamWire:
    """Connect to a server over plain TCP; OSError if that fails."""
    loop = asyncio.get_running_loop()
    reader = WholeReader(loop=loop)
    protocol = asyncio.StreamReaderProtocol(reader, loop=loop)
    transport, _ = await loop.create_connection(lambda: protocol, host, port)
    return StreamWire(reader, asyncio.StreamWriter(transport, protocol, reader, loop))


class TcpStream:
    """An asyncio stream, of a client or a server."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer

    async def close(self) -> None:
        """Close the connection once everything is sent."""
        self._writer.close()
        with contextlib.suppress(OSError):
            await self._writer.wait_closed()

    def abort(self) -> None:
        """Cut the connection."""
        self._writer.transport.abort()


class StreamWire(TcpStream):
    """Plain TCP: one JSON object per line."""

    async def objects(self, splitter: JsonSplitter) -> AsyncIterator[Any]:
        """The objects of the stream."""
        with contextlib.suppress(OSError):
            while data := await self._reader.read(READ_BYTES):
                for one in splitter.feed_bytes(data):
                    yield one

    async def write(self, texts: list[str]) -> None:
        """Send each message as a line."""
        self._writer.write("".join(f"{text}\n" for text in texts).encode())
        await self._writer.drain()
