"""What carries a conversation in Git's protocol: a socket, or a program that connects elsewhere.

Every wait is bounded; a program's standard error is kept, to explain why it ended.
"""

from __future__ import annotations

import contextlib
import queue
import socket
import subprocess
import threading
from collections.abc import Mapping, Sequence
from typing import IO, Protocol, cast

from catan_p2p.log.transport.bounded import drain, end, start

_QUICK_ACK = getattr(socket, "TCP_QUICKACK", None)
_GOODBYE_S = 0.2
"""How long a program may take to end by itself once its input is closed."""
_PIECE_BYTES = 1 << 16
_PIECES = 4
"""How many pieces of a program's output wait to be read; then the program has to wait."""


class ServerStream(Protocol):
    """A connection to a server."""

    @property
    def complaint(self) -> str:
        """What the program that carries the stream printed on standard error."""

    def send(self, data: bytes, most_s: float) -> None:
        """Send bytes; ``TimeoutError`` or another ``OSError`` if that fails in time."""

    def receive(self, most_s: float) -> bytes:
        """Return some bytes that have come, none at the end; ``TimeoutError`` or another ``OSError``."""

    def close(self) -> None:
        """End it."""


class SocketStream:
    """A connection by TCP."""

    complaint = ""

    def __init__(self, host: str, port: int, connect_s: float) -> None:
        self._socket = socket.create_connection((host, port), connect_s)
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def send(self, data: bytes, most_s: float) -> None:
        """Send all."""
        self._socket.settimeout(most_s)
        self._socket.sendall(data)

    def receive(self, most_s: float) -> bytes:
        """What has come."""
        self._socket.settimeout(most_s)
        if _QUICK_ACK is not None:  # in version 2 daemons wait for it in the middle of an answer, 40 ms each
            self._socket.setsockopt(socket.IPPROTO_TCP, _QUICK_ACK, 1)
        return self._socket.recv(_PIECE_BYTES)

    def close(self) -> None:
        """Send a flush, so that the daemon does not wait for another request."""
        with contextlib.suppress(OSError):
            self._socket.sendall(b"0000")
        self._socket.close()


class ProgramStream:
    """What a program such as ``ssh`` carries, by its standard input and output."""

    def __init__(self, command: Sequence[str], environment: Mapping[str, str]) -> None:
        self._process = start(command, environment, is_told=True)
        self._pieces: queue.Queue[bytes] = queue.Queue(_PIECES)
        self._complaints: list[bytes] = []
        self._is_over = False
        stderr = cast(IO[bytes], self._process.stderr)
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._listener = threading.Thread(target=drain, args=(stderr, self._complaints), daemon=True)
        self._reader.start()
        self._listener.start()

    def _read(self) -> None:
        stream = cast(IO[bytes], self._process.stdout)
        data = b"-"
        # A read from a pipe has no timeout, so this thread reads, and ``receive`` waits for the queue.
        while data and not self._is_over:
            try:
                data = stream.read1(_PIECE_BYTES)  # type: ignore[attr-defined]
            except (OSError, ValueError):
                data = b""
            self._pieces.put(data)

    @property
    def code(self) -> int | None:
        """The exit code, None while the program runs."""
        return self._process.poll()

    @property
    def complaint(self) -> str:
        """Standard error of the program, once it has ended."""
        self._listener.join(1.0)
        return b"".join(self._complaints).decode("utf-8", "replace")

    def send(self, data: bytes, most_s: float) -> None:
        """Send all: requests are smaller than a pipe's buffer, so this does not block."""
        stdin = cast(IO[bytes], self._process.stdin)
        try:
            stdin.write(data)
            stdin.flush()
        except ValueError as error:
            raise OSError(str(error)) from None

    def receive(self, most_s: float) -> bytes:
        """What has come."""
        try:
            data = self._pieces.get(timeout=most_s)
        except queue.Empty:
            raise TimeoutError from None
        if not data:
            self._pieces.put(b"")  # the end stays the answer to later calls
        return data

    def close(self) -> None:
        """End the program, with everything it has started: over HTTP even a flush would be a request."""
        self._is_over = True
        with contextlib.suppress(OSError):
            cast(IO[bytes], self._process.stdin).close()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(_GOODBYE_S)
        end(self._process)
        # The reader may wait for room in the queue, so the queue is emptied until it has ended.
        while self._reader.is_alive():
            with contextlib.suppress(queue.Empty):
                self._pieces.get(timeout=0.05)
        cast(IO[bytes], self._process.stdout).close()
