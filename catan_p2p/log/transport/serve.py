"""Serves a repository read-only over ``git://``.

One thread accepts connections, reads requests and sends the refs (``waiting_visitors``, ``told_refs``). Only a visitor
that then wants objects costs a thread and, while something moves, a Git process. Git's output is read as fast as it
comes, up to a bound, so that a slow reader does not occupy a process. The first thread also announces moves to
followers (``following``). No error of the system ends the serving.
"""

from __future__ import annotations

import contextlib
import errno
import ipaddress
import os
import re
import selectors
import socket
import subprocess
import threading
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Self, TypeAlias
from urllib.parse import urlsplit

from catan_p2p.limits import (
    MAX_CONNECTIONS_OF_ADDRESS,
    MAX_SERVED_CONNECTIONS,
    MAX_SERVING_PROCESSES,
    MAX_UNSERVED_CONNECTIONS,
)
from catan_p2p.log.storage.git_program import OWN_CONFIG_ONLY
from catan_p2p.log.storage.objects import ObjectId, StoreError
from catan_p2p.log.transport.followers import Follower, Followers
from catan_p2p.log.transport.following import RefAnnouncer, parse_follow
from catan_p2p.log.transport.git_protocol import DEFAULT_PORT
from catan_p2p.log.transport.remote import MAX_PORT, RemoteUnreachable, port_of
from catan_p2p.log.transport.served_connection import STALL_S, ServedConnection, start_on
from catan_p2p.log.transport.their_files import TheirRefs, git_folder, their_objects
from catan_p2p.log.transport.told_refs import ToldRefs
from catan_p2p.log.transport.waiting_visitors import WaitingVisitor, WaitingVisitors
from catan_p2p.log.transport.watched_refs import WatchedRefs
from catan_p2p.time_source import SYSTEM_TIME, TimeSource

FIRST_S = 5.0
"""How long a connection may take to make its request, and again to go on after the refs."""
WHOLE_S = 120.0
"""How long a connection may take in all."""

_BACKLOG = 1024
_ACCEPTED_AT_ONCE = 64
_PAUSE_S = 0.1
"""How long no connection is accepted after the system has refused one."""
_FLEETING = (errno.EAGAIN, errno.EWOULDBLOCK, errno.EINTR, errno.ECONNABORTED, errno.EPROTO, errno.EPERM)
"""Errors of ``accept`` when a visitor has left again, or when nobody has come."""

_PUBLICATIONS = 4096
"""How many notices of publications are read at once, at most."""
_HIDDEN = "refs/evidence"
"""Where older versions kept refs that are not shown to anybody."""
_REQUEST = re.compile(rb"git-upload-pack /?\0[^\n]*")
_KNOCK = b"catan-p2p-seat "
"""The beginning of a message to a host that waits for players."""
KNOCK_S = 5.0

Address: TypeAlias = tuple[str, int]
"""Host and port."""
_NUMBERS = re.compile(r"(0x[0-9a-f]+|[0-9]+)(\.(0x[0-9a-f]+|[0-9]+)){0,3}")
_NO_HOSTS = ("0.0.0.0", "::", "")
_SOMEWHERE: Address = ("192.0.2.1", 9)
"""An address that nobody has (RFC 5737): the route to it shows this machine's way out."""

Door = Callable[[bytes, str], None]
"""Called with a message to the host and the address that it came from; from any thread."""
Told = Callable[[str], None]
"""Called with what keeps the server from serving; from any thread."""


def parse_address(text: str) -> Address:
    """Host and port of ``HOST:PORT``, ``[HOST]:PORT`` or ``:PORT`` (this machine only); else ``ValueError``."""
    host, separator, port = text.rpartition(":")
    if not separator or not port.removeprefix("-").isdecimal():
        raise ValueError(f"{text!r}: expected HOST:PORT")
    if not 0 <= int(port) <= MAX_PORT:
        raise ValueError(f"{text!r}: there is no port {port}, expected 0 to {MAX_PORT}")
    return host.removeprefix("[").removesuffix("]") or "127.0.0.1", int(port)


def free_port(host: str) -> int:
    """Return a free port of this machine; ``StoreError`` for a host that is not this machine's."""
    try:
        info = socket.getaddrinfo(host, 0, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[0]
        with socket.socket(info[0], info[1], info[2]) as probe:
            probe.bind(info[4])
            return int(probe.getsockname()[1])
    except OSError as error:
        raise StoreError(f"cannot listen on {host}:0: {error.strerror or error}") from error


class RepositoryServer:
    """Serves the repository at ``path`` on ``host:port`` until closed; port 0 takes a free one: see ``port``.

    Only this repository can be read, and nothing can be written. ``door`` is called with the messages to the
    host: one request of at most 4 KiB each. ``StoreError`` if the address is not available.
    """

    def __init__(
        self,
        path: Path,
        host: str,
        port: int,
        door: Door | None = None,
        time: TimeSource = SYSTEM_TIME,
        tell: Told | None = None,
    ) -> None:
        self._time = time
        self._door = door
        self._tell = tell
        self._trouble: int | None = None
        self._path = git_folder(path)
        self._closing = False
        self._lock = threading.Lock()
        self._open: dict[socket.socket, str] = {}
        """The served connections, with the address that each comes from."""
        self._unserved = WaitingVisitors(MAX_UNSERVED_CONNECTIONS)
        self._refs = ToldRefs(self._path, self._list_refs)
        self._selector = selectors.DefaultSelector()
        reader = their_objects(self._path, self._path / "objects")
        teller = RefAnnouncer(self._followed_refs, reader.read)
        self._watched = WatchedRefs(self._path, self._path)
        self._followers = Followers(teller, reader, self._dismiss, lambda: self._watched.may_have_moved)
        self._places = threading.BoundedSemaphore(MAX_SERVING_PROCESSES)
        try:
            info = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[0]
            self._socket = socket.socket(info[0], info[1], info[2])
            # A server that restarts need not wait for the connections of its predecessor to expire.
            self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            self._socket.bind(info[4])
            self._socket.listen(_BACKLOG)
            self._socket.setblocking(False)
            self._wake, self._woken = socket.socketpair()
            # One descriptor in reserve, for when the process has no others left (see ``_make_room``).
            self._spare = os.open(os.devnull, os.O_RDONLY)
        except OSError as error:
            raise StoreError(f"cannot listen on {host}:{port}: {error.strerror or error}") from error
        self.host = host
        self.port: int = self._socket.getsockname()[1]
        self._thread = threading.Thread(target=self._receive, name="serving", daemon=True)
        self._thread.start()

    @property
    def url(self) -> str:
        """The URL from which others fetch."""
        return f"git://{spell_address((self.host, self.port))}/"

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def published(self) -> None:
        """Note that something was published, so that followers learn of it at once. From any thread."""
        # A full socket needs no other byte: the thread has not yet woken up for the earlier ones.
        with contextlib.suppress(OSError):
            self._wake.send(b"x")

    def close(self) -> None:
        """Stop listening, and end the connections that are open."""
        if self._closing:
            return
        self._closing = True
        # Wakes the thread from its wait.
        with contextlib.suppress(OSError):
            self._wake.send(b"x")
        self._thread.join(5.0)
        self._socket.close()
        self._wake.close()
        self._woken.close()
        self._give_spare()
        with self._lock:
            visitors = [*self._open]
        for connection in visitors:
            with contextlib.suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)
        # The threads that serve visitors end by themselves, since their sockets are shut down.
        deadline = self._time.monotonic() + 5.0
        while self._open and self._time.monotonic() < deadline:
            threading.Event().wait(0.01)

    # One thread: who comes, and what they want

    def _receive(self) -> None:
        with self._selector as selector:
            selector.register(self._socket.fileno(), selectors.EVENT_READ, self._socket)
            selector.register(self._woken, selectors.EVENT_READ, self._woken)
            while not self._closing:
                for key, events in selector.select(self._left_s()):
                    match key.data:
                        case Follower() as follower:
                            self._go_on_with(follower, events)
                        case WaitingVisitor() as visitor:
                            self._hear(visitor)
                        case self._woken:
                            # All notices so far are answered by one look.
                            self._woken.recv(_PUBLICATIONS)
                            self._followers.look(self._time.monotonic())
                        case _:
                            self._accept()
                for visitor in self._unserved.late(self._time.monotonic()):
                    self._dismiss(visitor)
                self._followers.see_to(self._time.monotonic())
                # Announcements to any follower may have become due through the events of others.
                for follower in self._followers:
                    self._watch(follower)
            self._unserved.close()
            self._followers.close()

    def _left_s(self) -> float | None:
        """How many seconds pass before something is due by itself; None if nothing is."""
        times = [at for at in (self._unserved.next_until, self._followers.next_at) if at is not None]
        return max(0.0, min(times) - self._time.monotonic()) if times else None

    def _go_on_with(self, follower: Follower, events: int) -> None:
        if events & selectors.EVENT_READ:
            self._followers.hear(follower, self._time.monotonic())
        if events & selectors.EVENT_WRITE:
            self._followers.go_on(follower)

    def _watch(self, follower: Follower) -> None:
        """Watch a follower for writing only while data wait for it."""
        events = selectors.EVENT_READ | (selectors.EVENT_WRITE if follower.is_behind else 0)
        if self._selector.get_key(follower.connection).events != events:
            self._selector.modify(follower.connection, events, follower)

    def _accept(self) -> None:
        # Bounded, so that a flood of connections does not keep accepted ones from being served.
        for _ in range(_ACCEPTED_AT_ONCE):
            try:
                connection, address = self._socket.accept()
            except OSError as error:
                if error.errno not in _FLEETING and not self._closing:
                    self._make_room(error)
                return
            self._trouble = None
            connection.setblocking(False)
            visitor = WaitingVisitor(connection, str(address[0]), self._time.monotonic() + FIRST_S)
            # Newcomers are always let in; the lot decides which waiting visitor goes (``waiting_visitors``).
            if (gone := self._unserved.admit(visitor)) is not None:
                self._dismiss(gone)
            try:
                self._selector.register(connection, selectors.EVENT_READ, visitor)
            except OSError:
                self._dismiss(visitor)
                continue
            self._hear(visitor)

    def _make_room(self, error: OSError) -> None:
        """Go on when the system refuses a connection: dismiss a waiting visitor, or else the one at the door."""
        # Once for each kind of trouble, not for every connection that it refuses.
        if self._tell is not None and self._trouble != error.errno:
            self._tell(f"{self.url}: cannot accept a connection: {error.strerror or error}; the server keeps trying")
        self._trouble = error.errno
        if (gone := self._unserved.draw()) is not None:
            self._dismiss(gone)
        else:
            # Without a free descriptor the visitor could not even be accepted to be sent away.
            self._give_spare()
            with contextlib.suppress(OSError):
                self._socket.accept()[0].close()
        with contextlib.suppress(OSError):
            if self._spare < 0:
                self._spare = os.open(os.devnull, os.O_RDONLY)
        self._time.sleep(_PAUSE_S)

    def _give_spare(self) -> None:
        """Close the descriptor that is kept in reserve."""
        if self._spare >= 0:
            os.close(self._spare)
            self._spare = -1

    def _hear(self, visitor: WaitingVisitor) -> None:
        """Go on with a visitor: send it the refs if it asks for them, and serve it if it then wants objects."""
        try:
            said = visitor.read() if visitor.untold is None else self._listen(visitor)
            if said is not None and visitor.untold is None:
                if (folders := parse_follow(said)) is not None:
                    self._follow(visitor, folders)
                    return
                # The refs are sent here, without Git: most visitors only look, and find nothing new.
                if _REQUEST.fullmatch(said):
                    visitor.ask(self._refs.read())
                    said = self._listen(visitor)
        except OSError:
            self._dismiss(visitor)
            return
        if said is not None:
            self._serve(visitor, said)

    def _follow(self, visitor: WaitingVisitor, folders: tuple[str, ...]) -> None:
        """Announce moves to a visitor from now on."""
        self._unserved.leave(visitor)
        visitor.connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        follower = self._followers.admit(visitor, folders, self._time.monotonic())
        if follower is None:
            self._dismiss(visitor)
        # It may have gone already, while it was sent the refs.
        elif follower.connection.fileno() >= 0:
            self._selector.modify(follower.connection, selectors.EVENT_READ, follower)

    def _listen(self, visitor: WaitingVisitor) -> bytes | None:
        """Send a visitor more of the refs, and return its answer to them."""
        if visitor.tell():
            self._unserved.wait_on(visitor, self._time.monotonic() + FIRST_S)
        said = visitor.read_answer()
        if said is None:
            events = selectors.EVENT_READ | (selectors.EVENT_WRITE if visitor.untold else 0)
            with contextlib.suppress(KeyError):
                self._selector.modify(visitor.connection, events, visitor)
        return said

    def _serve(self, visitor: WaitingVisitor, said: bytes) -> None:
        self._unserved.leave(visitor)
        with contextlib.suppress(KeyError, ValueError):
            self._selector.unregister(visitor.connection)
        if not self._admit(visitor):
            visitor.connection.close()
            return
        try:
            threading.Thread(target=self._visit, args=(visitor, said), name="served", daemon=True).start()
        except RuntimeError:  # the system has no more threads
            self._dismiss(visitor)
            with self._lock:
                del self._open[visitor.connection]

    def _dismiss(self, visitor: WaitingVisitor) -> None:
        self._unserved.leave(visitor)
        self._followers.leave(visitor)
        with contextlib.suppress(KeyError, ValueError):
            self._selector.unregister(visitor.connection)
        with contextlib.suppress(OSError):
            visitor.connection.close()

    def _admit(self, visitor: WaitingVisitor) -> bool:
        """Whether there is room to serve one more visitor, and one more from this address."""
        with self._lock:
            served = Counter(self._open.values())
            if len(self._open) >= MAX_SERVED_CONNECTIONS or served[visitor.address] >= MAX_CONNECTIONS_OF_ADDRESS:
                return False
            self._open[visitor.connection] = visitor.address
            return True

    # A thread for each who is served

    def _visit(self, visitor: WaitingVisitor, said: bytes) -> None:
        until, connection = self._time.monotonic() + WHOLE_S, visitor.connection
        try:
            with connection, contextlib.suppress(OSError):
                connection.settimeout(FIRST_S)
                connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                if visitor.untold is not None:
                    # A visitor that waits for a process longer than this is sent away; it will ask again.
                    if self._places.acquire(timeout=STALL_S):
                        ServedConnection(connection, self._start, self._places.release, until, self._time, said).run()
                elif self._door is not None and said.startswith(_KNOCK):
                    self._door(said.removeprefix(_KNOCK), visitor.address)
                    connection.sendall(_line("ok"))
                else:
                    connection.sendall(_line("ERR no such repository"))
        finally:
            with self._lock:
                del self._open[connection]

    def _followed_refs(self) -> dict[str, ObjectId]:
        """The refs that are announced to anybody."""
        # Before reading them, so that a move during the reading is noticed at the next look.
        self._watched.note()
        refs = TheirRefs(self._path).list("refs/")
        return {ref: oid for ref, oid in refs.items() if not ref.startswith(f"{_HIDDEN}/")}

    def _start(self, stdio: socket.socket) -> subprocess.Popen[bytes]:
        return start_on(stdio, self._upload_pack(), _environment())

    def _list_refs(self) -> bytes:
        try:
            return subprocess.run(
                self._upload_pack("--advertise-refs"),
                env=_environment(),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                timeout=STALL_S,
                check=True,
            ).stdout
        except (subprocess.SubprocessError, RuntimeError) as error:
            raise OSError(f"git upload-pack: {error}") from None

    def _upload_pack(self, *options: str) -> list[str]:
        return [
            "git",
            *("-c", "uploadpack.allowFilter=false", "-c", f"uploadpack.hideRefs={_HIDDEN}"),
            # A ref may have moved since the visitor received the listing.
            *("-c", "uploadpack.allowReachableSHA1InWant=true"),
            # The repository may belong to another user, and serving only reads it.
            *("-c", f"safe.directory={self._path}"),
            *("upload-pack", "--strict", *options, str(self._path)),
        ]


def _environment() -> dict[str, str]:
    # Git variables of the host's shell could lead Git to another repository.
    return {name: value for name, value in os.environ.items() if not name.startswith("GIT_")} | OWN_CONFIG_ONLY


def _line(text: str) -> bytes:
    data = text.encode()
    return b"%04x" % (len(data) + 4) + data


def knock(host: str, port: int, said: bytes, time: TimeSource = SYSTEM_TIME) -> bool:
    """Send a message to a host that waits for players; return whether it was accepted. Raises ``RemoteUnreachable``."""
    request = _KNOCK + said
    try:
        with socket.create_connection((host, port), timeout=KNOCK_S) as connection:
            connection.sendall(b"%04x" % (len(request) + 4) + request)
            return _answer(connection, time) == b"ok"
    except OSError as error:
        raise RemoteUnreachable(f"git://{host}:{port}/: {error.strerror or error}") from None


def _answer(connection: socket.socket, time: TimeSource) -> bytes:
    """Return the line of the answer, however slowly it comes, within ``KNOCK_S``."""
    until = time.monotonic() + KNOCK_S
    reader = WaitingVisitor(connection, "", until)
    while True:
        connection.settimeout(max(0.001, until - time.monotonic()))
        said = reader.read()
        if said is not None:
            return said


def parse_host(url: str) -> Address:
    """Host and port of a ``git://`` URL; ``StoreError`` if it has none."""
    try:
        host = urlsplit(url).hostname or ""
    except ValueError:
        host = ""
    port = port_of(url) or DEFAULT_PORT
    if not host or not url.startswith("git://"):
        raise StoreError(f"{url}: expected git://HOST[:PORT]/")
    return host, port


def is_same_host(one: str, other: str) -> bool:
    """Whether two spellings name one address; host names are compared as text."""
    return _plain_host(one) == _plain_host(other)


def is_same_address(one: Address, other: Address) -> bool:
    """Whether two spellings name one host and port."""
    return one[1] == other[1] and is_same_host(one[0], other[0])


def leads_to(address: Address, listening: Address) -> bool:
    """Whether an address leads from this machine to what listens there; no name is looked up."""
    host, own = _plain_host(address[0]), _plain_host(listening[0])
    if address[1] != listening[1]:
        return False
    if own in _NO_HOSTS:
        return _is_this_machine(host)
    return host == own or host in _NO_HOSTS or (host == "localhost" and own in ("127.0.0.1", "::1"))


def _is_this_machine(host: str) -> bool:
    try:
        family = socket.AF_INET6 if ipaddress.ip_address(host).version == 6 else socket.AF_INET
        with socket.socket(family, socket.SOCK_DGRAM) as probe:
            # Only an address of this machine can be bound.
            probe.bind((host, 0))
    except (ValueError, OSError):
        return host == "localhost"
    return True


def _plain_host(host: str) -> str:
    host = host.lower().removesuffix(".")
    try:
        found = ipaddress.ip_address(host)
    except ValueError:
        if not _NUMBERS.fullmatch(host):
            return host
        try:
            # Old spellings of IPv4 addresses, which every resolver still accepts.
            return socket.inet_ntoa(socket.inet_aton(host))  # 127.1, 0x7f000001
        except OSError:
            return host
    return str(getattr(found, "ipv4_mapped", None) or found)


def spell_address(address: Address) -> str:
    """Spell an address as ``HOST:PORT``, or ``[HOST]:PORT``: the inverse of ``parse_address``."""
    host, port = address
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


def reached_at(address: Address, towards: Address = _SOMEWHERE) -> str:
    """Spell an address as others reach it: for all addresses of this machine, the one with a route to ``towards``.

    ``StoreError`` if this machine has no address that leads there.
    """
    host, port = address
    if host in _NO_HOSTS:
        try:
            # Connecting a datagram socket only chooses a route.
            with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
                probe.connect(towards)  # nothing is sent
                host = str(probe.getsockname()[0])
        except OSError as error:
            raise StoreError(
                f"{host}:{port}: this machine has no address in a network: {error.strerror or error}"
            ) from error
    return spell_address((host, port))
