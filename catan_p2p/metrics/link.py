"""A link with delay on this machine: a TCP proxy on the loopback interface that forwards data after a delay."""

import contextlib
import queue
import socket
import threading
import time
from typing import Self

_CHUNK_BYTES = 1 << 16


class DelayingProxy:
    """Forwards connections from a free port of 127.0.0.1 to another port, delaying every byte by ``delay_s`` both ways.

    When a connection opens, its first bytes wait for another round trip, as for TCP's handshake. ``received_bytes``
    counts the bytes from the other port so far. If no program listens there, the proxy tries again for ``patience_s``.
    """

    def __init__(self, port: int, delay_s: float, *, patience_s: float = 0.0) -> None:
        self._target = ("127.0.0.1", port)
        self._delay_s = delay_s
        self._patience_s = patience_s
        self._lock = threading.Lock()
        self._open: list[socket.socket] = []
        self._closed = False
        self.received_bytes = 0
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]
        self._thread = threading.Thread(target=self._accept, daemon=True)
        self._thread.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Stop listening and cut every connection."""
        with self._lock:
            self._closed = True
            connections = list(self._open)
        for each in (self._listener, *connections):
            with contextlib.suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)  # close alone would not wake a thread that waits in accept or recv
            each.close()
        self._thread.join()

    def _accept(self) -> None:
        while True:
            try:
                near, _ = self._listener.accept()
            except OSError:
                return
            far = self._reach()
            if far is None:
                near.close()
                continue
            with self._lock:
                if self._closed:
                    near.close()
                    far.close()
                    return
                self._open += [near, far]
            for end in (near, far):
                end.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            established = time.monotonic() + 2 * self._delay_s
            ways = threading.Semaphore(1)  # the direction that ends second finds it taken, and closes the connection
            self._pump(near, far, established, ways, counted=False)
            self._pump(far, near, established, ways, counted=True)

    def _reach(self) -> socket.socket | None:
        until = time.monotonic() + self._patience_s
        while True:
            try:
                return socket.create_connection(self._target)
            except OSError:
                if self._closed or time.monotonic() >= until:
                    return None
                time.sleep(0.01)

    def _end(self, *ends: socket.socket) -> None:
        """Close both ends of a connection that is over."""
        with self._lock:
            self._open = [one for one in self._open if one not in ends]
        for end in ends:
            end.close()

    def _pump(
        self,
        source: socket.socket,
        sink: socket.socket,
        established: float,
        ways: threading.Semaphore,
        *,
        counted: bool,
    ) -> None:
        # Two threads, so that receiving does not wait for the delay of what came before.
        under_way: queue.SimpleQueue[tuple[float, bytes]] = queue.SimpleQueue()

        def receive() -> None:
            data = b"-"
            while data:
                try:
                    data = source.recv(_CHUNK_BYTES)
                except OSError:
                    data = b""
                if counted:
                    with self._lock:
                        self.received_bytes += len(data)
                under_way.put((max(time.monotonic(), established) + self._delay_s, data))

        def send() -> None:
            data = b"-"
            while data:
                due, data = under_way.get()
                time.sleep(max(0.0, due - time.monotonic()))
                try:
                    if data:
                        sink.sendall(data)
                    else:
                        sink.shutdown(socket.SHUT_WR)
                except OSError:  # the receiver has gone, so the sender must stop
                    with contextlib.suppress(OSError):
                        source.shutdown(socket.SHUT_RDWR)
            if not ways.acquire(blocking=False):
                self._end(source, sink)

        for work in (receive, send):
            threading.Thread(target=work, daemon=True).start()
