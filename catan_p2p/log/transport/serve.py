"""Serving a repository read-only to whoever asks over ``git://``.

A connection costs a thread until it has said what it wants, and a process of Git only while something moves on it. What
Git says is taken from it as fast as it comes, up to a bound, so that a slow reader keeps no process.
"""

from __future__ import annotations

import contextlib
import os
import re
import selectors
import signal
import socket
import subprocess
import threading
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Self, TypeAlias
from urllib.parse import urlsplit

from catan_p2p.log.storage.objects import StoreError
from catan_p2p.log.transport.git_protocol import DEFAULT_PORT
from catan_p2p.log.transport.remote import Unreachable
from catan_p2p.log.transport.their_files import git_folder
from catan_p2p.time_source import SYSTEM_TIME, TimeSource

MAX_CONNECTIONS = 128
"""Open connections in all."""
MAX_FROM_ADDRESS = 32
"""Open connections from one address."""
MAX_PROCESSES = 16
"""Processes of Git at the same time; who comes later waits for one to end."""
FIRST_S = 5.0
"""So long a connection may take until it has said what it wants."""
STALL_S = 10.0
"""So long nothing may move on a connection."""
WHOLE_S = 120.0
"""So long a connection may take in all."""
MAX_REQUEST_BYTES = 4096
MAX_HELD_BYTES = 8 << 20
"""So much of what Git says is held for a reader who is slower."""

_REQUEST = re.compile(rb"git-upload-pack /?\0[^\n]*")
_KNOCK = b"catan-p2p-seat "
"""What somebody begins with who wants to say something to who waits for guests."""
KNOCK_S = 5.0

Address: TypeAlias = tuple[str, int]
"""Host and port."""
_NO_HOSTS = ("0.0.0.0", "::", "")
_SOMEWHERE: Address = ("192.0.2.1", 9)
"""An address that nobody has (RFC 5737): the way to it is the way out."""

Door = Callable[[bytes], None]
"""Takes what somebody has said at the door; from any thread."""
_CHUNK = 1 << 16


def parse_address(text: str) -> Address:
    """Host and port of ``HOST:PORT``, ``[HOST]:PORT`` or ``:PORT`` (this machine only); else ``ValueError``."""
    host, separator, port = text.rpartition(":")
    if not separator or not port.isdecimal() or int(port) > 65535:
        raise ValueError(f"{text!r}: expected HOST:PORT")
    return host.removeprefix("[").removesuffix("]") or "127.0.0.1", int(port)


class Server:
    """Serves the repository at ``path`` on ``host:port`` until closed; port 0 takes a free one, which ``port`` tells.

    Nothing but this repository can be read, nothing at all be written. ``door`` is told what people say who knock: one
    request of at most 4 KiB each. ``StoreError`` if the address cannot be had.
    """

    def __init__(
        self, path: Path, host: str, port: int, door: Door | None = None, time: TimeSource = SYSTEM_TIME
    ) -> None:
        self._time = time
        self._door = door
        self._path = git_folder(path)
        self._closing = False
        self._lock = threading.Lock()
        self._open: dict[socket.socket, str] = {}
        """The connections, with the address each comes from."""
        self._places = threading.BoundedSemaphore(MAX_PROCESSES)
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
        with self._lock:
            visitors = [*self._open]
        for connection in visitors:
            with contextlib.suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)
        self._thread.join(5.0)
        deadline = self._time.monotonic() + 5.0
        while self._open and self._time.monotonic() < deadline:
            threading.Event().wait(0.01)

    def _accept(self) -> None:
        while not self._closing:
            try:
                connection, address = self._socket.accept()
            except OSError:
                return
            if self._admit(connection, str(address[0])):
                threading.Thread(target=self._visit, args=(connection,), name="served", daemon=True).start()
            else:
                connection.close()

    def _admit(self, connection: socket.socket, address: str) -> bool:
        """Whether there is room for one more, and for one more from there."""
        with self._lock:
            if len(self._open) >= MAX_CONNECTIONS or Counter(self._open.values())[address] >= MAX_FROM_ADDRESS:
                return False
            self._open[connection] = address
            return True

    def _visit(self, connection: socket.socket) -> None:
        until = self._time.monotonic() + WHOLE_S
        try:
            with connection, contextlib.suppress(OSError):
                connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                request = _read_request(connection, self._time)
                if self._door is not None and request.startswith(_KNOCK):
                    self._door(request.removeprefix(_KNOCK))
                    connection.sendall(_line("ok"))
                elif not _REQUEST.fullmatch(request):
                    connection.sendall(_line("ERR no such repository"))
                elif self._places.acquire(timeout=STALL_S):
                    _Served(connection, self._start, self._places.release, until, self._time).run()
        finally:
            with self._lock:
                del self._open[connection]

    def _start(self, stdio: socket.socket) -> subprocess.Popen[bytes]:
        command = [
            "git",
            *("-c", "uploadpack.allowFilter=false", "-c", "uploadpack.hideRefs=refs/evidence"),
            *("-c", f"safe.directory={self._path}"),
            *("upload-pack", "--strict", str(self._path)),
        ]
        return subprocess.Popen(
            command,
            stdin=stdio.fileno(),
            stdout=stdio.fileno(),
            stderr=subprocess.DEVNULL,
            start_new_session=True,
            env={name: value for name, value in os.environ.items() if not name.startswith("GIT_")},
        )


class _Served:
    """One connection that is served: what Git says goes to the visitor, and what the visitor says to Git."""

    def __init__(
        self,
        visitor: socket.socket,
        start: Callable[[socket.socket], subprocess.Popen[bytes]],
        leave: Callable[[], None],
        until: float,
        time: TimeSource,
    ) -> None:
        self._time = time
        self._visitor = visitor
        self._start = start
        self._leave: Callable[[], None] | None = leave
        self._until = until
        self._process: subprocess.Popen[bytes] | None = None
        self._held = bytearray()
        self._asked = bytearray()

    def run(self) -> None:
        """Serve until both have said all, or nothing moves, or the time is over."""
        ours, theirs = socket.socketpair()
        try:
            with theirs:
                self._process = self._start(theirs)
            self._visitor.setblocking(False)
            ours.setblocking(False)
            self._relay(ours)
        finally:
            ours.close()
            self._end()

    def _end(self) -> None:
        """End the process of Git and give up its place; once is enough."""
        if self._process is not None:
            if self._process.poll() is None:
                with contextlib.suppress(OSError):
                    os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()
            self._process = None
        if self._leave is not None:
            self._leave()
            self._leave = None

    def _relay(self, git: socket.socket) -> None:
        said_all = False
        with selectors.DefaultSelector() as selector:
            while not (said_all and not self._held):
                wanted: dict[socket.socket, int] = {}
                if not said_all and len(self._held) < MAX_HELD_BYTES:
                    wanted[git] = selectors.EVENT_READ
                if self._asked:
                    wanted[git] = wanted.get(git, 0) | selectors.EVENT_WRITE
                elif not said_all:
                    wanted[self._visitor] = selectors.EVENT_READ
                if self._held:
                    wanted[self._visitor] = wanted.get(self._visitor, 0) | selectors.EVENT_WRITE
                _watch(selector, wanted)
                ready = selector.select(min(STALL_S, self._until - self._time.monotonic()))
                if not ready or self._time.monotonic() > self._until:
                    return
                for key, events in ready:
                    if key.fileobj is git:
                        said_all = not self._with_git(git, events)
                        if said_all:
                            self._end()
                    elif not self._with_visitor(events):
                        return

    def _with_git(self, git: socket.socket, events: int) -> bool:
        """Read from Git and write to it; False once it has said all."""
        if events & selectors.EVENT_WRITE and self._asked:
            with contextlib.suppress(OSError):
                del self._asked[: git.send(self._asked)]
        if events & selectors.EVENT_READ:
            data = git.recv(_CHUNK)
            self._held += data
            return bool(data)
        return True

    def _with_visitor(self, events: int) -> bool:
        """Write to the visitor and read from it; False once it has gone."""
        if events & selectors.EVENT_WRITE and self._held:
            del self._held[: self._visitor.send(self._held[:_CHUNK])]
        if events & selectors.EVENT_READ:
            data = self._visitor.recv(_CHUNK)
            self._asked += data
            return bool(data)
        return True


def _watch(selector: selectors.BaseSelector, wanted: dict[socket.socket, int]) -> None:
    """Let a selector watch these sockets and no others."""
    for key in [*selector.get_map().values()]:
        if key.fileobj not in wanted:
            selector.unregister(key.fileobj)
    for stream, events in wanted.items():
        try:
            selector.modify(stream, events)
        except KeyError:
            selector.register(stream, events)


def _read_request(connection: socket.socket, time: TimeSource) -> bytes:
    """The first line of the protocol, however slowly it comes: all of it within ``FIRST_S``."""
    until = time.monotonic() + FIRST_S
    data = bytearray()
    size = 4
    while len(data) < size:
        left_s = until - time.monotonic()
        if left_s <= 0:
            raise TimeoutError
        connection.settimeout(left_s)
        more = connection.recv(size - len(data))
        if not more:
            raise ConnectionResetError
        data += more
        if size == 4 and len(data) == 4:
            try:
                size = int(data, 16)
            except ValueError:
                return b""
            if not 4 < size <= MAX_REQUEST_BYTES:
                return b""
    return bytes(data[4:])


def _line(text: str) -> bytes:
    data = text.encode()
    return b"%04x" % (len(data) + 4) + data


def knock(host: str, port: int, said: bytes, time: TimeSource = SYSTEM_TIME) -> bool:
    """Say something at somebody's door: whether it was heard. Raises ``Unreachable``."""
    request = _KNOCK + said
    try:
        with socket.create_connection((host, port), timeout=KNOCK_S) as connection:
            connection.sendall(b"%04x" % (len(request) + 4) + request)
            return _read_request(connection, time) == b"ok"
    except OSError as error:
        raise Unreachable(f"git://{host}:{port}/: {error.strerror or error}") from None


def parse_host(url: str) -> Address:
    """Host and port of a ``git://`` URL; ``StoreError`` if it has none."""
    try:
        parts = urlsplit(url)
        host, port = parts.hostname or "", parts.port or DEFAULT_PORT
    except ValueError:
        host, port = "", 0
    if not host or not url.startswith("git://"):
        raise StoreError(f"{url}: expected git://HOST[:PORT]/")
    return host, port


def spelled_address(address: Address, towards: Address = _SOMEWHERE) -> str:
    """``HOST:PORT`` as others reach it: for all addresses of this machine, the one that leads towards somebody."""
    host, port = address
    if host in _NO_HOSTS:
        with contextlib.suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
            probe.connect(towards)  # nothing is sent
            host = str(probe.getsockname()[0])
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
