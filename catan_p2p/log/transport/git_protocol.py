"""A remote behind a ``git://`` URL, asked without starting a process: a look is one round trip, and so is a fetch.

Speaks version 2 of the protocol to Git's daemon, in which only those refs are told that are asked for, and version 0 to
a daemon that answers in that: then all refs are told first. Wants, haves and ``done`` go out together, and the answer
is one pack. Everything is bounded and has a deadline. Format: gitprotocol-v2, gitprotocol-pack.
"""

from __future__ import annotations

import contextlib
import hashlib
import socket
from collections.abc import Iterable, Iterator, Mapping
from urllib.parse import unquote, urlsplit

from catan_p2p.limits import (
    COSTLY_BYTES,
    MAX_FETCHED_PACK_BYTES,
    MAX_HAVES,
    MAX_LISTING_BYTES,
    MAX_PREFACE_LINES,
    MAX_WANTS,
)
from catan_p2p.log.storage.objects import Damaged, ObjectId, ObjectKind, ObjectMissing, StoreError
from catan_p2p.log.transport.ref_listing import DELIMITER, FLUSH, VERSION_2, ls_refs, packet, parse_ref, prefixes
from catan_p2p.log.transport.remote import BadFetch, Costly, Unreachable, chosen_heads, port_of
from catan_p2p.log.transport.their_pack import TooMuch, unpack
from catan_p2p.time_source import SYSTEM_TIME, TimeSource

DEFAULT_PORT = 9418
CONNECT_S = 5.0
DEADLINE_S = 60.0

_QUICK_ACK = getattr(socket, "TCP_QUICKACK", None)
_PACK_BAND, _ERROR_BAND = b"\1", b"\3"


class GitProtocolRemote:
    """A repository that a Git daemon serves."""

    negotiates = False

    def __init__(self, url: str, time: TimeSource = SYSTEM_TIME) -> None:
        self._time = time
        parts = urlsplit(url)
        self._host, self._port = parts.hostname or "", port_of(url) or DEFAULT_PORT
        self._path = unquote(parts.path) or "/"
        if not self._host or "\0" in self._path:
            raise StoreError(f"{url}: expected git://HOST[:PORT]/PATH")
        self.url = url
        self.fetches = 0
        self.bytes_received = 0
        self._connection: _Connection | None = None
        self._version: int | None = None
        """The version that the daemon has spoken, None before it has."""
        self._listed: dict[str, ObjectId] = {}
        self._objects: dict[ObjectId, tuple[ObjectKind, bytes]] = {}

    def heads(self, refs: Iterable[str], folder: str | None = None) -> Mapping[str, ObjectId]:
        """Where the refs are; with a folder only, as the last look told, if that has told all."""
        refs = [*refs]
        if self._version == 2 or refs or not self._listed:
            self._look(prefixes(refs, folder))
        return chosen_heads(self._listed.items(), {*refs}, folder)

    def bring(self, heads: Mapping[str, ObjectId], held: Iterable[ObjectId] = ()) -> None:
        """Fetch the history of these heads that does not lead to what is held."""
        if self._connection is None:
            self._look(prefixes(heads, None))
        connection, self._connection = self._connection, None
        assert connection is not None
        wants = [head for head in dict.fromkeys(heads.values()) if head in connection.told][:MAX_WANTS]
        if not wants:
            connection.close()
            raise Unreachable(f"{self.url}: the branches moved meanwhile")
        try:
            pack = connection.fetch(wants, [*held][:MAX_HAVES])
        finally:
            connection.close()
        self.fetches += 1
        self.bytes_received += len(pack)
        if len(pack) < 32 or hashlib.sha1(pack[:-20]).digest() != pack[-20:]:
            cut = Costly if len(pack) >= COSTLY_BYTES else Unreachable
            raise cut(f"{self.url}: ended in the middle of the pack")
        try:
            self._objects = unpack(pack)
        except TooMuch as error:
            raise BadFetch(f"{self.url}: {error}", "size") from None
        except Damaged as error:
            raise BadFetch(f"{self.url}: sends a pack that cannot be read: {error}", "format") from None

    def read(self, oid: ObjectId) -> tuple[ObjectKind, bytes]:
        """Kind and bytes of an object that came with the last fetch."""
        found = self._objects.get(oid)
        if found is None:
            raise ObjectMissing(f"no object {oid}")
        return found

    def rest(self) -> None:
        """End the connection, and forget what was fetched."""
        self.close()
        self._objects = {}

    def close(self) -> None:
        """End the connection."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def _look(self, wanted: list[str]) -> None:
        connection, self._connection = self._connection, None
        if connection is not None and connection.version == 2:
            try:
                connection.ask_for_refs(wanted)
                self._listed = connection.list_refs()
            except Unreachable:  # it may have been idle for too long
                connection.close()
            else:
                self._connection = connection
                return
        elif connection is not None:
            connection.close()
        try:
            self._connection = self._connect(wanted)
        except _OtherVersion:
            self._version = None
            self._connection = self._connect(wanted)

    def _connect(self, wanted: list[str]) -> _Connection:
        connection = _Connection(self.url, self._host, self._port, self._path, self._time)
        try:
            connection.begin(self._version, wanted)
            self._listed = connection.list_refs()
        except BaseException:
            connection.close()
            raise
        self._version = connection.version
        return connection


class _OtherVersion(Unreachable):
    """A daemon that speaks another version of the protocol than it did."""


class _Connection:
    """One conversation with a daemon."""

    def __init__(self, url: str, host: str, port: int, path: str, time: TimeSource) -> None:
        self._url = url
        self._time = time
        self._deadline = time.monotonic() + DEADLINE_S
        self.version = 0
        self.told: set[ObjectId] = set()
        self._first: bytes | None = None
        """The first line of a listing in version 0, which has told the version."""
        try:
            self._socket = socket.create_connection((host, port), CONNECT_S)
        except OSError as error:
            raise Unreachable(f"{url}: {error.strerror or error}") from None
        with self._explained():
            self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        name = f"{host}:{port}" if port != DEFAULT_PORT else host
        self._request = f"git-upload-pack {path}\0host={name}\0"
        self._buffer = bytearray()

    def begin(self, version: int | None, wanted: list[str]) -> None:
        """Ask for the refs with these prefixes; at once, if the version is known that the daemon speaks."""
        request = packet(self._request if version == 0 else f"{self._request}\0version=2\0")
        self._send(request + (ls_refs(wanted) if version == 2 else b""))
        self._first = self._read_line()
        self.version = 2 if self._first is not None and self._first.startswith(VERSION_2) else 0
        if self.version == 2:
            for _ in range(MAX_PREFACE_LINES):  # what the daemon can do
                if self._read_line() is None:
                    break
        if version is None and self.version == 2:
            self.ask_for_refs(wanted)
        elif version == 2 and self.version == 0:
            raise _OtherVersion(f"{self._url}: speaks another version of Git's protocol than before")

    def ask_for_refs(self, wanted: list[str]) -> None:
        """Ask for the refs with these prefixes, in version 2."""
        self._send(ls_refs(wanted))

    def list_refs(self) -> dict[str, ObjectId]:
        """The refs that are told, by name: in version 0 all that there are."""
        found: dict[str, ObjectId] = {}
        size = 0
        line = self._read_line() if self.version == 2 else self._first
        while line is not None:
            size += len(line) + 4
            if size > MAX_LISTING_BYTES:
                raise Unreachable(f"{self._url}: lists more than {MAX_LISTING_BYTES} bytes of refs")
            if line.startswith(b"ERR "):
                raise Unreachable(f"{self._url}: {line[4:204].decode('utf-8', 'replace').strip()}")
            if (listed := parse_ref(line)) is not None:
                found[listed[0]] = listed[1]
            line = self._read_line()
        self.told |= {*found.values()}
        return found

    def fetch(self, wants: list[ObjectId], haves: list[ObjectId]) -> bytes:
        """The pack that leads from what is held to what is wanted."""
        return self._fetch_2(wants, haves) if self.version == 2 else self._fetch_0(wants, haves)

    def _fetch_2(self, wants: list[ObjectId], haves: list[ObjectId]) -> bytes:
        arguments = ["no-progress", "ofs-delta", *(f"want {oid}" for oid in wants), *(f"have {oid}" for oid in haves)]
        lines = [packet(f"{word}\n") for word in (*arguments, "done")]
        self._send(b"".join((packet("command=fetch\n"), DELIMITER, *lines, FLUSH)))
        for _ in range(MAX_PREFACE_LINES):
            answer = self._read_line()
            if answer == b"packfile\n":
                break
            if answer is None or answer.startswith(b"ERR "):
                raise self._refusal(answer)
        else:
            raise Unreachable(f"{self._url}: does not speak Git's protocol")
        pack, size = bytearray(), 0
        try:
            while (part := self._read_line()) is not None:
                size += len(part) + 4
                if size > MAX_FETCHED_PACK_BYTES:
                    raise BadFetch(f"{self._url}: sends more than {MAX_FETCHED_PACK_BYTES} bytes", "size")
                if part[:1] == _PACK_BAND:
                    pack += part[1:]
                elif part[:1] == _ERROR_BAND:
                    raise self._refusal(part[1:])
        except Unreachable as error:
            raise (Costly if size >= COSTLY_BYTES else Unreachable)(str(error)) from None
        return bytes(pack)

    def _refusal(self, said: bytes | None) -> Unreachable:
        words = (said or b"").removeprefix(b"ERR ")[:200].decode("utf-8", "replace").strip()
        return Unreachable(f"{self._url}: refuses the fetch: {words}")

    def _fetch_0(self, wants: list[ObjectId], haves: list[ObjectId]) -> bytes:
        request = [packet(f"want {oid}{' ofs-delta' if i == 0 else ''}\n") for i, oid in enumerate(wants)]
        request += [FLUSH, *(packet(f"have {oid}\n") for oid in haves), packet("done\n")]
        self._send(b"".join(request))
        answer = self._read_line()
        if answer is None or not answer.startswith((b"ACK", b"NAK")):
            raise self._refusal(answer)
        # One acknowledgement is the rule; of commits that follow one another there can be several.
        for _ in range(2 * MAX_HAVES):
            if self._peek(4) not in (b"0031", b"0008"):
                break
            self._read_line()
        else:
            raise Unreachable(f"{self._url}: acknowledges without end")
        while len(self._buffer) <= MAX_FETCHED_PACK_BYTES:
            try:
                has_more = self._receive()
            except Unreachable as error:
                raise (Costly if len(self._buffer) >= COSTLY_BYTES else Unreachable)(str(error)) from None
            if not has_more:
                return bytes(self._buffer)
        raise BadFetch(f"{self._url}: sends more than {MAX_FETCHED_PACK_BYTES} bytes", "size")

    def close(self) -> None:
        """Say good-bye, so that the daemon does not wait."""
        with contextlib.suppress(OSError):
            self._socket.sendall(b"0000")
        self._socket.close()

    def _send(self, data: bytes) -> None:
        with self._explained():
            self._socket.settimeout(self._left_s())
            self._socket.sendall(data)

    def _receive(self) -> bool:
        """Read what has come; False if the other side has ended."""
        with self._explained():
            self._socket.settimeout(self._left_s())
            if _QUICK_ACK is not None:  # in version 2 daemons wait for it in the middle of an answer, 40 ms each
                self._socket.setsockopt(socket.IPPROTO_TCP, _QUICK_ACK, 1)
            data = self._socket.recv(1 << 16)
        self._buffer += data
        return bool(data)

    def _left_s(self) -> float:
        """How much of the time is left; ``TimeoutError`` if none is, however busily the other side talks."""
        left_s = self._deadline - self._time.monotonic()
        if left_s <= 0:
            raise TimeoutError
        return left_s

    def _read_line(self) -> bytes | None:
        """The next line of the protocol, None for the end of an answer; nothing for that of a section of one."""
        head = self._take(4)
        try:
            size = int(head, 16)
        except ValueError:
            raise Unreachable(f"{self._url}: does not speak Git's protocol") from None
        if size == 0:
            return None
        if size == 1 and self.version == 2:
            return b""
        if size < 4:
            raise Unreachable(f"{self._url}: does not speak Git's protocol")
        return self._take(size - 4)

    def _peek(self, size: int) -> bytes:
        while len(self._buffer) < size:
            if not self._receive():
                raise Unreachable(f"{self._url}: ended the connection")
        return bytes(self._buffer[:size])

    def _take(self, size: int) -> bytes:
        self._peek(size)
        data = bytes(self._buffer[:size])
        del self._buffer[:size]
        return data

    @contextlib.contextmanager
    def _explained(self) -> Iterator[None]:
        try:
            yield
        except TimeoutError:
            raise Unreachable(f"{self._url}: does not answer") from None
        except OSError as error:
            raise Unreachable(f"{self._url}: {error.strerror or error}") from None
