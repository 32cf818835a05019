"""A remote behind a ``git://`` URL, asked without starting a process: a look is one round trip, and so is a fetch.

Speaks version 0 of the protocol to Git's daemon: the refs are told first, then wants, haves and ``done`` go out
together, and the answer is one pack. Everything is bounded and has a deadline. Format: gitprotocol-pack,
gitformat-pack.
"""

from __future__ import annotations

import contextlib
import hashlib
import re
import socket
import zlib
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple, cast
from urllib.parse import unquote, urlsplit

from catan_p2p.log.storage.delta import apply_delta
from catan_p2p.log.storage.objects import (
    KINDS,
    Damaged,
    ObjectId,
    ObjectKind,
    ObjectMissing,
    StoreError,
    object_id,
    parse_object_id,
)
from catan_p2p.log.transport.remote import (
    COSTLY_BYTES,
    MAX_OBJECT_BYTES,
    BadFetch,
    Costly,
    Unreachable,
    chosen_heads,
)
from catan_p2p.time_source import SYSTEM_TIME, TimeSource

DEFAULT_PORT = 9418
CONNECT_S = 5.0
DEADLINE_S = 60.0
MAX_LISTING_BYTES = 8 << 20
MAX_PACK_BYTES = 64 << 20
MAX_INFLATED_BYTES = 256 << 20
MAX_OBJECTS = 200_000
"""Those of a game of thirty thousand actions."""
MAX_WANTS = 64
MAX_HAVES = 64

_OFS_DELTA = 6
_REF_DELTA = 7
_ZLIB_OVERHEAD = 1024
_MAX_SHIFT = 60
_REF = re.compile(r"refs/[\x21-\x7e]{1,200}")


class GitProtocolRemote:
    """A repository that a Git daemon serves."""

    negotiates = False

    def __init__(self, url: str, time: TimeSource = SYSTEM_TIME) -> None:
        self._time = time
        parts = urlsplit(url)
        try:
            self._host, self._port = parts.hostname or "", parts.port or DEFAULT_PORT
        except ValueError:
            raise StoreError(f"{url}: not a port") from None
        self._path = unquote(parts.path) or "/"
        if not self._host or "\0" in self._path:
            raise StoreError(f"{url}: expected git://HOST[:PORT]/PATH")
        self.url = url
        self.fetches = 0
        self.bytes_received = 0
        self._connection: _Connection | None = None
        self._listed: dict[str, ObjectId] = {}
        self._objects: dict[ObjectId, tuple[ObjectKind, bytes]] = {}

    def heads(self, refs: Iterable[str], folder: str | None = None) -> Mapping[str, ObjectId]:
        """Where the refs are; with a folder only, as the last look told."""
        refs = [*refs]
        if refs or not self._listed:
            self._look()
        return chosen_heads(self._listed.items(), {*refs}, folder)

    def bring(self, heads: Mapping[str, ObjectId], held: Iterable[ObjectId] = ()) -> None:
        """Fetch the history of these heads that does not lead to what is held."""
        if self._connection is None:
            self._look()
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
            self._objects = _unpack(pack)
        except _TooMuch as error:
            raise BadFetch(f"{self.url}: {error}", "size") from None
        except (Damaged, zlib.error, IndexError) as error:
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

    def _look(self) -> None:
        self.close()
        connection = _Connection(self.url, self._host, self._port, self._path, self._time)
        try:
            self._listed = connection.list_refs()
        except BaseException:
            connection.close()
            raise
        self._connection = connection


class _Connection:
    """One conversation with a daemon."""

    def __init__(self, url: str, host: str, port: int, path: str, time: TimeSource) -> None:
        self._url = url
        self._time = time
        self._deadline = time.monotonic() + DEADLINE_S
        self.told: set[ObjectId] = set()
        try:
            self._socket = socket.create_connection((host, port), CONNECT_S)
        except OSError as error:
            raise Unreachable(f"{url}: {error.strerror or error}") from None
        with self._explained():
            self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        name = f"{host}:{port}" if port != DEFAULT_PORT else host
        self._buffer = bytearray()
        self._send(_line(f"git-upload-pack {path}\0host={name}\0"))

    def list_refs(self) -> dict[str, ObjectId]:
        """All refs that are told, by name."""
        found: dict[str, ObjectId] = {}
        size = 0
        while (line := self._read_line()) is not None:
            size += len(line) + 4
            if size > MAX_LISTING_BYTES:
                raise Unreachable(f"{self._url}: lists more than {MAX_LISTING_BYTES} bytes of refs")
            if line.startswith(b"ERR "):
                raise Unreachable(f"{self._url}: {line[4:204].decode('utf-8', 'replace').strip()}")
            oid, _, ref = line.split(b"\0")[0].rstrip(b"\n").decode("utf-8", "replace").partition(" ")
            with contextlib.suppress(ValueError):
                if _REF.fullmatch(ref):
                    found[ref] = parse_object_id(oid)
        self.told = set(found.values())
        return found

    def fetch(self, wants: list[ObjectId], haves: list[ObjectId]) -> bytes:
        """The pack that leads from what is held to what is wanted."""
        request = [_line(f"want {oid}{' ofs-delta' if i == 0 else ''}\n") for i, oid in enumerate(wants)]
        request += [b"0000", *(_line(f"have {oid}\n") for oid in haves), _line("done\n")]
        self._send(b"".join(request))
        answer = self._read_line()
        if answer is None or not answer.startswith((b"ACK", b"NAK")):
            said = (answer or b"").removeprefix(b"ERR ")[:200].decode("utf-8", "replace").strip()
            raise Unreachable(f"{self._url}: refuses the fetch: {said}")
        # One acknowledgement is the rule; of commits that follow one another there can be several.
        for _ in range(2 * MAX_HAVES):
            if self._peek(4) not in (b"0031", b"0008"):
                break
            self._read_line()
        else:
            raise Unreachable(f"{self._url}: acknowledges without end")
        while len(self._buffer) <= MAX_PACK_BYTES:
            try:
                has_more = self._receive()
            except Unreachable as error:
                raise (Costly if len(self._buffer) >= COSTLY_BYTES else Unreachable)(str(error)) from None
            if not has_more:
                return bytes(self._buffer)
        raise BadFetch(f"{self._url}: sends more than {MAX_PACK_BYTES} bytes", "size")

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
        """The next line of the protocol, None for the end of a section."""
        head = self._take(4)
        try:
            size = int(head, 16)
        except ValueError:
            raise Unreachable(f"{self._url}: does not speak Git's protocol") from None
        if size == 0:
            return None
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


def _line(text: str) -> bytes:
    data = text.encode()
    return b"%04x" % (len(data) + 4) + data


# Packs


class _TooMuch(Exception):
    """A pack that holds more than any game."""


class _Part(NamedTuple):
    """An entry of a pack: an object, or a delta with the place or the id of what it is based on."""

    kind: ObjectKind | None
    base: int | ObjectId
    data: bytes


def _unpack(pack: bytes) -> dict[ObjectId, tuple[ObjectKind, bytes]]:
    """All objects of a pack that needs no others, by id; ``Damaged`` or ``_TooMuch``."""
    if pack[:8] != b"PACK\0\0\0\2":
        raise Damaged("it is not a pack of version 2")
    found: dict[ObjectId, tuple[ObjectKind, bytes]] = {}
    at_place: dict[int | ObjectId, tuple[ObjectKind, bytes]] = {}
    at, size = 12, 0
    count = int.from_bytes(pack[8:12], "big")
    if count > MAX_OBJECTS:
        raise _TooMuch(f"sends {count} objects, at most {MAX_OBJECTS} are read")
    for _ in range(count):
        part, end = _read_part(pack, at)
        if part.kind is not None:
            entry = part.kind, part.data
        else:
            base = at_place.get(part.base)
            if base is None:
                raise Damaged("a delta comes before what it is based on")
            if _delta_result_bytes(part.data) > MAX_OBJECT_BYTES:
                raise _TooMuch(f"sends an object of more than {MAX_OBJECT_BYTES} bytes")
            entry = base[0], apply_delta(base[1], part.data)
        size += len(entry[1])
        if size > MAX_INFLATED_BYTES:
            raise _TooMuch(f"sends objects of more than {MAX_INFLATED_BYTES} bytes")
        oid = object_id(*entry)
        found[oid] = at_place[at] = at_place[oid] = entry
        at = end
    return found


def _read_part(pack: bytes, start: int) -> tuple[_Part, int]:
    """The entry that begins at ``start``, and where the next begins."""
    at = start + 1
    byte = pack[start]
    code, size, shift = byte >> 4 & 7, byte & 15, 4
    while byte & 0x80:
        if shift > _MAX_SHIFT:
            raise Damaged("a size without end")
        byte = pack[at]
        size |= (byte & 0x7F) << shift
        at, shift = at + 1, shift + 7
    if size > MAX_OBJECT_BYTES:
        raise _TooMuch(f"sends an object of {size} bytes, at most {MAX_OBJECT_BYTES} are read")
    kind, base = None, cast("int | ObjectId", 0)
    if code == _OFS_DELTA:
        distance, at = _read_distance(pack, at)
        base = start - distance
    elif code == _REF_DELTA:
        base, at = ObjectId(pack[at : at + 20].hex()), at + 20
    elif 1 <= code <= len(KINDS):
        kind = KINDS[code - 1]
    else:
        raise Damaged(f"an entry of kind {code}")
    stream = zlib.decompressobj()
    window = pack[at : at + size + (size >> 9) + _ZLIB_OVERHEAD]
    data = stream.decompress(window, size + 1)
    if len(data) != size or not stream.eof:
        raise Damaged("an entry is not as long as it says")
    return _Part(kind, base, data), at + len(window) - len(stream.unused_data)


def _read_distance(pack: bytes, at: int) -> tuple[int, int]:
    byte = pack[at]
    distance = byte & 0x7F
    while byte & 0x80:
        if distance > len(pack):
            raise Damaged("a distance beyond the beginning")
        at += 1
        byte = pack[at]
        distance = (distance + 1) << 7 | byte & 0x7F
    return distance, at + 1


def _delta_result_bytes(delta: bytes) -> int:
    """How many bytes the instructions of a delta make, whatever its heading promises."""
    at = 0
    for _ in range(2):
        while delta[at] & 0x80:
            at += 1
        at += 1
    total = 0
    while at < len(delta):
        op = delta[at]
        at += 1
        if not op & 0x80:
            total += op
            at += op
            continue
        at += (op & 0x0F).bit_count()
        size = 0
        for bit in range(3):
            if op & 0x10 << bit:
                size |= delta[at] << 8 * bit
                at += 1
        total += size or 0x10000
    return total
