"""A channel between two processes of one server, for values and the file descriptors of connections.

One process has started the other and both run the same program, so values may travel as pickles.
"""

import asyncio
import os
import pickle
import socket
import struct
import sys
from collections.abc import Callable, Sequence
from typing import Any

MAX_FILES = 16
"""The most file descriptors that go with a value; a table has at most six players."""
_HEAD = struct.Struct("<LB")
_READ_BYTES = 64 << 10


def can_hand_over() -> bool:
    """Whether this system can pass a connection to another process; Windows cannot."""
    return sys.platform != "win32"


class ProcessChannel:
    """One end. ``take`` gets each value that arrives, with its file descriptors; ``end`` is called at the end."""

    def __init__(
        self, connection: socket.socket, take: Callable[[Any, list[int]], None], end: Callable[[], None]
    ) -> None:
        self._socket = connection
        self._take = take
        self._end = end
        self._data = bytearray()
        self._files: list[int] = []
        # Values are sent on threads, and must not interleave.
        self._sending = asyncio.Lock()
        self._loop = asyncio.get_running_loop()
        self._is_open = True
        self._loop.add_reader(connection.fileno(), self._read)

    async def send(self, value: Any, files: Sequence[int] = ()) -> None:
        """Send a value and close its files in this process. If the other end has closed, the value is dropped."""
        payload = pickle.dumps(value)
        data = memoryview(_HEAD.pack(len(payload), len(files)) + payload)
        try:
            async with self._sending:
                if self._is_open:
                    await self._loop.run_in_executor(None, self._send, data, files)
        except OSError:
            pass  # _read sees the end as well, and calls ``end``
        finally:
            for file in files:
                os.close(file)

    def _send(self, data: memoryview, files: Sequence[int]) -> None:
        if sys.platform == "win32":
            raise NotImplementedError
        # Descriptors travel with the first byte, so the rest of a long value goes without them.
        sent = socket.send_fds(self._socket, [data], list(files)) if files else self._socket.send(data)
        if sent < len(data):
            self._socket.sendall(data[sent:])

    def _read(self) -> None:
        if sys.platform == "win32":
            raise NotImplementedError
        try:
            # The socket stays blocking for _send, which runs on a thread, so this call alone asks not to wait.
            data, files, _, _ = socket.recv_fds(self._socket, _READ_BYTES, MAX_FILES, socket.MSG_DONTWAIT)
        except BlockingIOError:
            return
        except OSError:
            data, files = b"", []
        self._data += data
        self._files += files
        while len(self._data) >= _HEAD.size:
            length, count = _HEAD.unpack_from(self._data)
            if len(self._data) < _HEAD.size + length:
                break
            value = pickle.loads(self._data[_HEAD.size : _HEAD.size + length])
            with_it, self._files = self._files[:count], self._files[count:]
            del self._data[: _HEAD.size + length]
            self._take(value, with_it)
        if not data:
            self.close()
            self._end()

    def close(self) -> None:
        """Close this end, and the files that arrived without their value."""
        if self._is_open:
            self._is_open = False
            self._loop.remove_reader(self._socket.fileno())
            self._socket.close()
            for file in self._files:
                os.close(file)
