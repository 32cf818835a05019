"""A proxy on the loopback interface that can be cut, stalled and slowed down: one for each direction of fetching."""

import contextlib
import socket
import threading
import time
from types import TracebackType
from typing import Literal, Self

Mode = Literal["open", "cut", "stalled", "slow"]
SLOW_S = 0.02


class CutProxy:
    """Forwards connections to ``port``; ``mode`` can change at any time and holds for open connections as well.

    ``open`` forwards, ``cut`` closes and refuses, ``stalled`` holds everything back, ``slow`` waits before every piece.
    """

    def __init__(self, port: int) -> None:
        self._target = port
        self.mode: Mode = "open"
        self._closing = False
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._socket.getsockname()[1]
        self.url = f"git://127.0.0.1:{self.port}/"
        self._open: set[socket.socket] = set()
        self._threads: list[threading.Thread] = []
        self._start(self._accept)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._closing = True
        for one in [self._socket, *self._open]:
            with contextlib.suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)
            one.close()
        for thread in self._threads:
            thread.join(5.0)

    def set(self, mode: Mode) -> None:
        """Change what happens from now on."""
        self.mode = mode
        if mode == "cut":
            for one in list(self._open):
                with contextlib.suppress(OSError):
                    one.shutdown(socket.SHUT_RDWR)

    def _start(self, target: object, *args: object) -> None:
        self._threads = [thread for thread in self._threads if thread.is_alive()]
        thread = threading.Thread(target=target, args=args, daemon=True)  # type: ignore[arg-type]
        self._threads.append(thread)
        thread.start()

    def _accept(self) -> None:
        while not self._closing:
            try:
                caller, _ = self._socket.accept()
            except OSError:
                return
            if self.mode == "cut":
                caller.close()
                continue
            try:
                server = socket.create_connection(("127.0.0.1", self._target), 2.0)
            except OSError:
                caller.close()
                continue
            self._open |= {caller, server}
            self._start(self._forward, caller, server)
            self._start(self._forward, server, caller)

    def _forward(self, source: socket.socket, sink: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while data := source.recv(1 << 14):
                while self.mode == "stalled" and not self._closing:
                    time.sleep(0.01)
                if self.mode == "slow":
                    time.sleep(SLOW_S)
                sink.sendall(data)
        with contextlib.suppress(OSError):
            sink.shutdown(socket.SHUT_WR)
        with contextlib.suppress(OSError):
            source.shutdown(socket.SHUT_RD)
        self._open.discard(source)
        if sink not in self._open:
            source.close()
            sink.close()
