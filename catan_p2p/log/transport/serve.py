"""Serving a repository read-only: Git's own daemon, started for each connection, so that it never outlives the peer.

``git daemon --inetd`` speaks over a socket that somebody else has accepted. That leaves accepting to us: the peer knows
its port before anybody connects, bounds the number of connections, and nothing is left behind when it is killed.
"""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import subprocess
import threading
from pathlib import Path
from types import TracebackType
from typing import Self

from catan_p2p.log.storage.objects import StoreError
from catan_p2p.log.transport.their_files import git_folder

MAX_CONNECTIONS = 32
_TIMEOUT_S = 60
_INIT_TIMEOUT_S = 10


def parse_address(text: str) -> tuple[str, int]:
    """Host and port of ``HOST:PORT``, ``[HOST]:PORT`` or ``:PORT`` (this machine only); else ``ValueError``."""
    host, separator, port = text.rpartition(":")
    if not separator or not port.isdecimal() or int(port) > 65535:
        raise ValueError(f"{text!r}: expected HOST:PORT")
    return host.removeprefix("[").removesuffix("]") or "127.0.0.1", int(port)


class Server:
    """Serves the repository at ``path`` on ``host:port`` until closed; port 0 takes a free one, which ``port`` tells.

    Nothing but this repository can be read, nothing at all be written. ``StoreError`` if the address cannot be had.
    """

    def __init__(self, path: Path, host: str, port: int) -> None:
        self._path = git_folder(path)
        self._children: list[subprocess.Popen[bytes]] = []
        self._closing = False
        try:
            info = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[0]
            self._socket = socket.socket(info[0], info[1], info[2])
            self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            self._socket.bind(info[4])
            self._socket.listen(MAX_CONNECTIONS)
        except OSError as error:
            raise StoreError(f"cannot listen on {host}:{port}: {error.strerror or error}") from error
        self.host = host
        self.port: int = self._socket.getsockname()[1]
        self._thread = threading.Thread(target=self._accept, name="serving", daemon=True)
        self._thread.start()

    @property
    def url(self) -> str:
        """What others fetch from."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"git://{host}:{self.port}/"

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Stop listening, and end the connections that are open."""
        self._closing = True
        with contextlib.suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()
        self._thread.join(5.0)
        for child in self._children:
            if child.poll() is None:
                with contextlib.suppress(OSError):
                    os.killpg(child.pid, signal.SIGTERM)
            child.wait()

    def _accept(self) -> None:
        while not self._closing:
            try:
                connection, _ = self._socket.accept()
            except OSError:
                return
            with connection:
                self._children = [child for child in self._children if child.poll() is None]
                if len(self._children) < MAX_CONNECTIONS:
                    with contextlib.suppress(OSError):
                        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                        self._children.append(self._start(connection))

    def _start(self, connection: socket.socket) -> subprocess.Popen[bytes]:
        command = [
            "git",
            *("-c", "uploadpack.allowFilter=false", "-c", "uploadpack.hideRefs=refs/evidence"),
            *("-c", f"safe.directory={self._path}"),
            "daemon",
            "--inetd",
            "--export-all",
            f"--base-path={self._path}",
            f"--timeout={_TIMEOUT_S}",
            f"--init-timeout={_INIT_TIMEOUT_S}",
            "--disable=receive-pack",
            "--forbid-override=receive-pack",
            "--disable=upload-archive",
            "--forbid-override=upload-archive",
            "--forbid-override=upload-pack",
            "--no-informative-errors",
            str(self._path),
        ]
        return subprocess.Popen(
            command,
            stdin=connection.fileno(),
            stdout=connection.fileno(),
            stderr=subprocess.DEVNULL,
            start_new_session=True,
            env={name: value for name, value in os.environ.items() if not name.startswith("GIT_")},
        )
