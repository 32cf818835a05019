"""A remote behind a ``git://`` URL: followed where the server announces moves, and polled where it does not.

A thread listens to the announcements (``following``) and reports that there are some; it reads no more until they have
been looked at. What was not announced, or not completely, is fetched as usual.
"""

from __future__ import annotations

import contextlib
import socket
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from urllib.parse import urlsplit

from catan_p2p.log.storage.objects import ObjectId, ObjectKind, ObjectMissing
from catan_p2p.log.transport.following import SILENT_S, FollowedRefs, FollowPauses, ListeningPace, follow_request
from catan_p2p.log.transport.git_protocol import CONNECT_S, DEFAULT_PORT, GitProtocolRemote
from catan_p2p.log.transport.ref_listing import FLUSH
from catan_p2p.log.transport.remote import RemoteUnreachable, port_of
from catan_p2p.time_source import SYSTEM_TIME, TimeSource

_CHUNK = 1 << 16

IsTelling = Callable[[bool], None]
"""Called from any thread when something may be new, with whether the server announces later moves, too."""


class _FollowedConnection:
    """A connection over which a server announces moves, and the thread that listens."""

    def __init__(
        self, url: str, folders: Sequence[str], tell: Callable[[_FollowedConnection], None], time: TimeSource
    ) -> None:
        parts = urlsplit(url)
        self._url = url
        self._address = parts.hostname or "", port_of(url) or DEFAULT_PORT
        self._tell = tell
        self._time = time
        self.told = FollowedRefs(url, folders)
        self.lock = threading.Lock()
        self.seen = threading.Event()
        """Set once the last announcement has been looked at."""
        self.is_over = False
        self.is_seen_to = False
        """Whether the end of the connection was taken into account."""
        self._socket: socket.socket | None = None

    def start(self) -> None:
        """Begin to listen."""
        threading.Thread(target=self._listen, name=f"what {self._url} tells", daemon=True).start()

    def close(self) -> None:
        """Listen no more."""
        self.is_over = True
        self.seen.set()
        if self._socket is not None:
            with contextlib.suppress(OSError):
                # Wakes the thread from its read; closing the socket would not.
                self._socket.shutdown(socket.SHUT_RDWR)

    @property
    def is_telling(self) -> bool:
        """Whether the server has said where all refs are, and goes on announcing moves."""
        return self.told.refs is not None and not self.is_over

    def _listen(self) -> None:
        # A server that sends more than this worker may hold only loses its connection.
        with contextlib.suppress(OSError, RemoteUnreachable, MemoryError):
            self._hear_all()
        if not self.is_over:
            self.is_over = True
            self._tell(self)

    def _hear_all(self) -> None:
        with socket.create_connection(self._address, timeout=CONNECT_S) as connection:
            self._socket = connection
            # Answers to signs of life are four bytes each, and must not wait for more to send.
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            connection.sendall(follow_request(self.told.folders))
            connection.settimeout(SILENT_S)
            listening = ListeningPace(self._time.monotonic())
            while not self.is_over and (data := connection.recv(_CHUNK)):
                with self.lock:
                    count = self.told.take(data)
                connection.sendall(FLUSH * self.told.take_signs())
                if count:
                    # Cleared before telling, so that a look that comes at once is not missed.
                    self.seen.clear()
                    self._tell(self)
                    # No more is read until the peer has looked, so the server cannot fill the memory.
                    self.seen.wait(SILENT_S)
                if pause_s := listening.pause_s(len(data), self._time.monotonic()):
                    self._time.sleep(pause_s)


class FollowedRemote:
    """A repository that a peer or Git's daemon serves; ``tell`` is called when the server announces something."""

    is_kept = False
    negotiates = False

    def __init__(self, url: str, tell: IsTelling, time: TimeSource = SYSTEM_TIME) -> None:
        self.url = url
        self._plain = GitProtocolRemote(url, time)
        self._tell = tell
        self._time = time
        self._following: _FollowedConnection | None = None
        self._pauses = FollowPauses()
        self.fetches = 0
        self.bytes_received = 0

    def follow(self, folders: Sequence[str]) -> None:
        """Ask the server to announce moves in these folders; after a failure, only after a pause."""
        now, before = self._time.monotonic(), self._following
        if before is not None and not before.is_over:
            # The connection covers these folders already.
            if {*folders} <= {*before.told.folders}:
                return
            folders = tuple(dict.fromkeys((*before.told.folders, *folders)))
            before.close()
        elif before is not None and not before.is_seen_to:
            before.is_seen_to = True
            self._pauses.ended(now, was_telling=before.told.refs is not None)
        if self._pauses.are_over(now):
            self._following = _FollowedConnection(self.url, folders, self._heard, self._time)
            self._following.start()

    def _heard(self, following: _FollowedConnection) -> None:
        if following is self._following:
            self._tell(following.is_telling)

    def heads(self, refs: Iterable[str], folder: str | None = None) -> Mapping[str, ObjectId]:
        """Return where the refs are: as announced, if the server announces all of them."""
        refs = [*refs]
        following = self._following
        if following is not None and following.is_telling:
            with following.lock:
                following.seen.set()
                if following.told.covers(refs, folder):
                    return following.told.heads(refs, folder)
        return self._plain.heads(refs, folder)

    def bring(self, heads: Mapping[str, ObjectId], held: Iterable[ObjectId] = ()) -> None:
        """Make the history of these heads readable: from the announcements, else by a fetch."""
        held = [*held]
        following = self._following
        if following is not None:
            with following.lock:
                size = following.told.leads(heads.values(), held)
            if size is not None:
                self.fetches += 1
                self.bytes_received += size
                return
        before = self._plain.bytes_received
        try:
            self._plain.bring(heads, held)
            self.fetches += 1
        finally:
            self.bytes_received += self._plain.bytes_received - before

    def read(self, oid: ObjectId) -> tuple[ObjectKind, bytes]:
        """Kind and bytes of a commit that was announced, or of an object that was fetched."""
        if self._following is not None:
            with contextlib.suppress(ObjectMissing), self._following.lock:
                return self._following.told.read(oid)
        return self._plain.read(oid)

    def rest(self) -> None:
        """Forget what was fetched, and end a connection made for looking; the server is followed further."""
        self._plain.rest()

    def close(self) -> None:
        """End all connections."""
        self._plain.close()
        if self._following is not None:
            self._following.close()
            self._following = None
