"""Real peers over delayed links: a proxy in front of each ``--listen``, which holds every piece of data back.

A connection on the loopback interface is there at once, so the proxy holds its first piece back by a round trip more.
"""

from __future__ import annotations

import contextlib
import queue
import socket
import subprocess
import sys
import threading
import time
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType
from typing import Self

from catan_p2p.log.refs import COLOURS
from catan_p2p.simulation.game import Settings
from catan_p2p.simulation.separate import create_seats, free_ports

_START_S = 5.0
"""How long a peer may take to start."""


class DelayingProxy:
    """Forwards connections to ``port``, each piece ``one_way_s`` later than it came."""

    def __init__(self, port: int, one_way_s: float) -> None:
        self._target = port
        self._one_way_s = one_way_s
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.url = f"git://127.0.0.1:{self._socket.getsockname()[1]}/"
        threading.Thread(target=self._accept, daemon=True).start()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._socket.close()

    def _accept(self) -> None:
        while True:
            try:
                caller, _ = self._socket.accept()
            except OSError:
                return
            server = self._reach()
            if server is None:
                caller.close()
                continue
            for one in (caller, server):
                one.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            self._forward(caller, server, 3 * self._one_way_s)
            self._forward(server, caller, self._one_way_s)

    def _reach(self) -> socket.socket | None:
        """The peer behind the proxy. All start at once in virtual time, so one who is not there yet is waited for."""
        until = time.monotonic() + _START_S
        while True:
            try:
                return socket.create_connection(("127.0.0.1", self._target), 2.0)
            except OSError:
                if time.monotonic() > until:
                    return None
                time.sleep(0.01)

    def _forward(self, source: socket.socket, sink: socket.socket, first_s: float) -> None:
        pieces: queue.SimpleQueue[tuple[float, bytes]] = queue.SimpleQueue()

        def read() -> None:
            due = time.monotonic() + first_s if first_s > self._one_way_s else 0.0
            while True:
                data = b""
                with contextlib.suppress(OSError):
                    data = source.recv(1 << 16)
                pieces.put((max(due, time.monotonic() + self._one_way_s), data))
                if not data:
                    return

        def write() -> None:
            while True:
                due, data = pieces.get()
                time.sleep(max(0.0, due - time.monotonic()))
                try:
                    if data:
                        sink.sendall(data)
                    else:
                        sink.shutdown(socket.SHUT_WR)
                        return
                except OSError:
                    return

        threading.Thread(target=read, daemon=True).start()
        threading.Thread(target=write, daemon=True).start()


def play_delayed(folder: Path, settings: Settings, one_way_s: float) -> tuple[float, int]:
    """Play a game of real peers: seconds from the first acknowledged action to the last, and how many there were."""
    create_seats(folder, 0, settings)
    colours = COLOURS[: settings.players]
    ports = dict(zip(colours, free_ports(len(colours)), strict=True))
    told: list[float] = []
    with ExitStack() as opened:
        urls = {colour: opened.enter_context(DelayingProxy(port, one_way_s)).url for colour, port in ports.items()}
        peers = []
        for colour in colours:
            command = [sys.executable, "-m", "catan_p2p", "peer", str(folder / colour), "--tell-actions"]
            command += ["--listen", f"127.0.0.1:{ports[colour]}", "--stay", "10"]
            for other in colours:
                command += ["--remote", f"{other}={urls[other]}"] if other != colour else []
            peers.append(subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True))
        readers = [threading.Thread(target=_note, args=(peer, told)) for peer in peers]
        for reader in readers:
            reader.start()
        for peer, reader in zip(peers, readers, strict=True):
            peer.wait()
            reader.join()
    return max(told) - min(told), len(told)


def _note(peer: subprocess.Popen[str], told: list[float]) -> None:
    assert peer.stdout is not None
    for line in peer.stdout:
        if len(line.strip()) == 40:
            told.append(time.monotonic())
