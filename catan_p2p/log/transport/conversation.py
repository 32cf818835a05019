"""A conversation with a Git server in its own protocol, over any stream: it lists refs and fetches packs.

In version 2 the server lists only the refs that are asked for, and one conversation takes any number of requests. In
version 0 it lists all refs first, and a fetch ends the conversation. Wants, haves and ``done`` go out together, and the
answer is one pack. Everything is bounded and has a deadline. Format: gitprotocol-v2, gitprotocol-pack; over HTTP
gitremote-helpers (``stateless-connect``), where a packet ends every answer.

A Git process that answers several requests may show refs as they were at the first one. So a caller that keeps a
conversation needs a server that starts a process for each request.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

from catan_p2p.limits import (
    COSTLY_BYTES,
    MAX_FETCHED_PACK_BYTES,
    MAX_HAVES,
    MAX_LISTING_BYTES,
    MAX_PREFACE_LINES,
    MAX_WORDS_BYTES,
)
from catan_p2p.log.storage.objects import ObjectId
from catan_p2p.log.transport.ref_listing import DELIMITER, FLUSH, VERSION_2, ls_refs, packet, parse_ref
from catan_p2p.log.transport.remote import BadFetch, CostlyRemote, RemoteUnreachable
from catan_p2p.log.transport.streams import ServerStream
from catan_p2p.time_source import SYSTEM_TIME, TimeSource

DEADLINE_S = 60.0

_PACK_BAND, _ERROR_BAND = b"\1", b"\3"
_ELSEWHERE = b"packfile-uris\n"
_RESPONSE_END = b"0002"


class OtherProtocol(RemoteUnreachable):
    """The server does not speak the expected version of Git's protocol."""


class HungUp(RemoteUnreachable):
    """The server ended the conversation before it answered."""


class GitConversation:
    """One conversation.

    With ``is_stateless`` a packet ends every answer. ``before_each`` precedes each request.
    """

    def __init__(
        self,
        url: str,
        stream: ServerStream,
        time: TimeSource = SYSTEM_TIME,
        *,
        is_stateless: bool = False,
        before_each: bytes = b"",
    ) -> None:
        self._url = url
        self._stream = stream
        self._time = time
        self._deadline = time.monotonic() + DEADLINE_S
        self._is_stateless = is_stateless
        self._before_each = before_each
        self._has_received = False
        self.version = 0
        self.told: set[ObjectId] = set()
        """The objects that the refs of the last listing lead to."""
        self._first: bytes | None = None
        """The first line of a listing in version 0, read to find the version."""
        self._buffer = bytearray()

    def renew(self, most_s: float | None = None) -> None:
        """Give the next request this much time; by default, as much as a whole conversation."""
        self._deadline = self._time.monotonic() + (DEADLINE_S if most_s is None else most_s)
        self._has_received = False

    def begin(self, opening: bytes, version: int | None, wanted: list[str]) -> None:
        """Ask for the refs with these prefixes: at once, if the server's version is known."""
        # A known version saves a round trip: the request need not wait for the server's capabilities.
        self._send(opening + (ls_refs(wanted) if version == 2 else b""))
        self._first = self._read_line()
        self.version = 2 if self._first is not None and self._first.startswith(VERSION_2) else 0
        if self.version == 2:
            for _ in range(MAX_PREFACE_LINES):  # what the server can do
                if self._read_line() is None:
                    break
        if version is None and self.version == 2:
            self.ask_for_refs(wanted)
        elif version == 2 and self.version == 0:
            raise OtherProtocol(f"{self._url}: speaks another version of Git's protocol than before")

    def begin_in_version_2(self, wanted: list[str]) -> None:
        """Ask for the refs with these prefixes, of a server that sends no capabilities, and wait for its answer."""
        self.version = 2
        self.ask_for_refs(wanted)
        # A server without a shell or version 2 fails before its first packet, and the caller then asks another way.
        self._peek(4)

    def exchange_words(self, words: bytes) -> bytes:
        """Exchange one line before the packets begin; return the answer without its line break."""
        self._send(words)
        while b"\n" not in self._buffer:
            if len(self._buffer) > MAX_WORDS_BYTES or not self._receive():
                raise HungUp(f"{self._url}: ended the connection")
        line, _, rest = bytes(self._buffer).partition(b"\n")
        self._buffer[:] = rest
        return line

    def ask_for_refs(self, wanted: list[str]) -> None:
        """Ask for the refs with these prefixes; only in version 2."""
        self._send(self._before_each + ls_refs(wanted))

    def list_refs(self) -> dict[str, ObjectId]:
        """Return the listed refs, by name; in version 0 all refs that there are."""
        found: dict[str, ObjectId] = {}
        size = 0
        line = self._read_line() if self.version == 2 else self._first
        while line is not None:
            size += len(line) + 4
            if size > MAX_LISTING_BYTES:
                raise RemoteUnreachable(f"{self._url}: lists more than {MAX_LISTING_BYTES} bytes of refs")
            if line.startswith(b"ERR "):
                raise RemoteUnreachable(f"{self._url}: {line[4:204].decode('utf-8', 'replace').strip()}")
            if (listed := parse_ref(line)) is not None:
                found[listed[0]] = listed[1]
            line = self._read_line()
        self._end_answer()
        self.told = {*found.values()}
        return found

    def fetch(self, wants: list[ObjectId], haves: list[ObjectId]) -> bytes:
        """Fetch the pack that leads from ``haves`` to ``wants``."""
        return self._fetch_2(wants, haves) if self.version == 2 else self._fetch_0(wants, haves)

    def _fetch_2(self, wants: list[ObjectId], haves: list[ObjectId]) -> bytes:
        # Without negotiation: ``done`` at once costs one round trip, and few objects come twice.
        arguments = ["no-progress", "ofs-delta", *(f"want {oid}" for oid in wants), *(f"have {oid}" for oid in haves)]
        lines = [packet(f"{word}\n") for word in (*arguments, "done")]
        self._send(b"".join((self._before_each, packet("command=fetch\n"), DELIMITER, *lines, FLUSH)))
        for _ in range(MAX_PREFACE_LINES):
            answer = self._read_line()
            if answer == b"packfile\n":
                break
            # Following it would let a server make this machine send requests to any host.
            if answer == _ELSEWHERE:
                raise RemoteUnreachable(f"{self._url}: the server names another URL, which is not fetched")
            if answer is None or answer.startswith(b"ERR "):
                raise self._refusal(answer)
        else:
            raise RemoteUnreachable(f"{self._url}: does not speak Git's protocol")
        pack, size = bytearray(), 0
        try:
            while (part := self._read_line()) is not None:
                size += len(part) + 4
                # Counted with their heads, so that packets of nothing but progress come to an end, too.
                if size > MAX_FETCHED_PACK_BYTES:
                    raise BadFetch(f"{self._url}: sends more than {MAX_FETCHED_PACK_BYTES} bytes", "size")
                if part[:1] == _PACK_BAND:
                    pack += part[1:]
                elif part[:1] == _ERROR_BAND:
                    raise self._refusal(part[1:])
        except RemoteUnreachable as error:
            # A server that cuts a long answer again and again must not be asked as often as one that fails at once.
            raise (CostlyRemote if size >= COSTLY_BYTES else type(error))(str(error)) from None
        self._end_answer()
        return bytes(pack)

    def _end_answer(self) -> None:
        """Read the packet that ends an answer over HTTP."""
        if self._is_stateless and self._take(4) != _RESPONSE_END:
            raise RemoteUnreachable(f"{self._url}: does not speak Git's protocol")

    def _refusal(self, said: bytes | None) -> RemoteUnreachable:
        words = (said or b"").removeprefix(b"ERR ")[:200].decode("utf-8", "replace").strip()
        return RemoteUnreachable(f"{self._url}: refuses the fetch: {words}")

    def _fetch_0(self, wants: list[ObjectId], haves: list[ObjectId]) -> bytes:
        request = [packet(f"want {oid}{' ofs-delta' if i == 0 else ''}\n") for i, oid in enumerate(wants)]
        request += [FLUSH, *(packet(f"have {oid}\n") for oid in haves), packet("done\n")]
        self._send(b"".join(request))
        answer = self._read_line()
        if answer is None or not answer.startswith((b"ACK", b"NAK")):
            raise self._refusal(answer)
        # One acknowledgement is the rule; of commits that follow one another there can be several.
        for _ in range(2 * MAX_HAVES):
            # The lengths of an ACK line and of a NAK line.
            if self._peek(4) not in (b"0031", b"0008"):
                break
            self._read_line()
        else:
            raise RemoteUnreachable(f"{self._url}: sends acknowledgements without end")
        # In version 0 without side bands the pack is the rest of the stream.
        while len(self._buffer) <= MAX_FETCHED_PACK_BYTES:
            try:
                has_more = self._receive()
            except RemoteUnreachable as error:
                raise (CostlyRemote if len(self._buffer) >= COSTLY_BYTES else RemoteUnreachable)(str(error)) from None
            if not has_more:
                return bytes(self._buffer)
        raise BadFetch(f"{self._url}: sends more than {MAX_FETCHED_PACK_BYTES} bytes", "size")

    def close(self) -> None:
        """End it."""
        self._stream.close()

    def _send(self, data: bytes) -> None:
        with self._explained():
            self._stream.send(data, self._left_s())

    def _receive(self) -> bool:
        """Read what has come; False if the other side has closed."""
        with self._explained():
            data = self._stream.receive(self._left_s())
        self._buffer += data
        self._has_received |= bool(data)
        return bool(data)

    def _left_s(self) -> float:
        """Return how many seconds are left; ``TimeoutError`` if none are, however busily the other side talks."""
        left_s = self._deadline - self._time.monotonic()
        if left_s <= 0:
            raise TimeoutError
        return left_s

    def _read_line(self) -> bytes | None:
        """Return the next line of the protocol, None at the end of an answer, empty at the end of a section."""
        head = self._take(4)
        try:
            size = int(head, 16)
        except ValueError:
            raise OtherProtocol(f"{self._url}: does not speak Git's protocol") from None
        if size == 0:
            return None
        if size == 1 and self.version == 2:
            return b""
        if size < 4:
            raise RemoteUnreachable(f"{self._url}: does not speak Git's protocol")
        return self._take(size - 4)

    def _peek(self, size: int) -> bytes:
        while len(self._buffer) < size:
            if not self._receive():
                # A caller may try again on a fresh connection only if nothing of the answer was lost.
                raise (RemoteUnreachable if self._has_received else HungUp)(f"{self._url}: ended the connection")
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
            raise RemoteUnreachable(f"{self._url}: does not answer") from None
        except OSError as error:
            raise (RemoteUnreachable if self._has_received else HungUp)(
                f"{self._url}: {error.strerror or error}"
            ) from None
