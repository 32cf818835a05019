"""The window's end of the line to the process that leads its peers."""

import subprocess
from collections.abc import Callable
from contextlib import suppress
from queue import Empty, SimpleQueue
from threading import Thread
from typing import BinaryIO, cast

from catan_p2p.frames import BadFrame
from catan_p2p.sessions.messages import BeforeTable, LeadPeers, LeaveTable, News, Order, TableFailed, receive, send
from catan_p2p.sessions.worker_process import start_process

_END_S = 10.0


class WorkerLink:
    """Starts a process or takes a ready one, gives it orders, and hands over its news; waits only in ``close``."""

    def __init__(
        self,
        first: LeadPeers | BeforeTable,
        woken: Callable[[], None] = lambda: None,
        process: subprocess.Popen[bytes] | None = None,
    ) -> None:
        self._news: SimpleQueue[News] = SimpleQueue()
        self._orders: SimpleQueue[Order | None] = SimpleQueue()
        self._woken = woken
        self._leaving = False
        self._process = process or start_process()
        self._orders.put(first)
        self._reader = Thread(target=self._read, name="the table", daemon=True)
        self._reader.start()
        Thread(target=self._write, name="the table", daemon=True).start()

    @property
    def is_alive(self) -> bool:
        """Whether the process is still running."""
        return self._process.poll() is None

    def give(self, order: Order) -> None:
        """Give an order, which another thread writes."""
        self._orders.put(order)

    def take(self) -> list[News]:
        """All news since the last call."""
        found = []
        with suppress(Empty):
            while True:
                found.append(self._news.get_nowait())
        return found

    def close(self) -> None:
        """Tell the process to leave, and wait until it has left; kill it if it takes too long."""
        self._leaving = True
        self._orders.put(LeaveTable())
        self._orders.put(None)
        try:
            self._process.wait(_END_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._reader.join(_END_S)

    def _write(self) -> None:
        stream = cast(BinaryIO, self._process.stdin)
        try:
            with suppress(OSError, ValueError):
                while (order := self._orders.get()) is not None:
                    send(stream, order)
        finally:  # the process ends without its orders, and the reader says so
            with suppress(OSError):
                stream.close()

    def _read(self) -> None:
        stream = cast(BinaryIO, self._process.stdout)
        try:
            with suppress(OSError, BadFrame, ValueError):
                while (news := receive(stream)) is not None:
                    # After a failure the process ends by itself, which is no second failure.
                    self._leaving |= isinstance(news, TableFailed)
                    self._news.put(news)  # type: ignore[arg-type]
                    self._woken()
        finally:
            with suppress(OSError):
                stream.close()
            # A process that was killed or has crashed says nothing itself.
            if not self._leaving:
                self._news.put(TableFailed("the process that plays the game has ended unexpectedly"))
                self._woken()
