"""Following a neighbour: the server announces each move at once, with the new commits, over a connection that stays.

This module encodes and decodes without sockets. ``serve`` and the laboratory announce, ``follower`` and the laboratory
listen. Everything is said in packets, as in Git's own protocol (gitprotocol-common), on the same port::

    the follower    catan-p2p-follow 1, and the folders of refs to announce, a line each
    the server      a message: ref OID NAME, gone NAME, commit BYTES, in packets; a flush ends it

The first message says where all refs of these folders are, later ones which have moved. An empty message is a sign of
life, which the follower answers with a flush. Announcements are not trusted: refs are checked, and commits judged, as
if they had been fetched. What was not announced can be fetched.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

from catan_p2p.limits import (
    MAX_FOLLOWED_FOLDERS,
    MAX_KEPT_TOLD_BYTES,
    MAX_REFS_IN_FOLDER,
    MAX_REQUEST_BYTES,
    MAX_TOLD_A_SECOND_BYTES,
    MAX_TOLD_AT_ONCE_BYTES,
    MAX_TOLD_BYTES,
    MAX_TOLD_COMMITS,
    TOLD_COMMIT_BYTES,
)
from catan_p2p.log.storage.objects import (
    ObjectId,
    ObjectKind,
    ObjectMissing,
    StoreError,
    object_id,
    parents_of,
    parse_object_id,
)
from catan_p2p.log.storage.ref_files import is_ref_name
from catan_p2p.log.transport.ref_listing import FLUSH
from catan_p2p.log.transport.remote import RemoteUnreachable, chosen_heads, is_below

FOLLOW = b"catan-p2p-follow 1\n"
"""How a request to follow begins."""
SIGN_OF_LIFE_S = 4.0
"""How often a server sends a sign of life, if it has nothing else to say."""
SILENT_S = 12.0
"""A side that has sent nothing for this long counts as gone."""
_HEAD_BYTES = 4
_MOST_BYTES = 65520
"""The longest packet, including its length (gitprotocol-common)."""

Refs = Mapping[str, ObjectId]


def _packet(data: bytes) -> bytes:
    return b"%04x" % (len(data) + _HEAD_BYTES) + data


def follow_request(folders: Iterable[str]) -> bytes:
    """Encode a request to follow the refs in these folders (``is_below``)."""
    return _packet(FOLLOW + "".join(f"{folder}\n" for folder in folders).encode())


def parse_follow(said: bytes) -> tuple[str, ...] | None:
    """Return the folders that a request names; None if it is not such a request, or asks for too much."""
    if not said.startswith(FOLLOW) or len(said) > MAX_REQUEST_BYTES:
        return None
    folders = said.removeprefix(FOLLOW).decode("ascii", "replace").splitlines()
    if not 0 < len(folders) <= MAX_FOLLOWED_FOLDERS or any(not folder.startswith("refs/") for folder in folders):
        return None
    return tuple(folders)


class RefMoves(NamedTuple):
    """One announcement: where refs are now (None for deleted ones), and commits."""

    moves: Mapping[str, ObjectId | None]
    commits: Sequence[bytes] = ()

    def encode(self) -> bytes:
        """Its packets."""
        said = [
            _packet(f"ref {oid} {ref}".encode() if oid is not None else f"gone {ref}".encode())
            for ref, oid in self.moves.items()
        ]
        said += [_packet(b"commit " + data) for data in self.commits]
        return b"".join((*said, FLUSH))


class RefAnnouncer:
    """Makes the announcements of one repository: what has moved since the last look."""

    def __init__(self, list_refs: Callable[[], Refs], read: Callable[[ObjectId], tuple[ObjectKind, bytes]]) -> None:
        self._list_refs = list_refs
        self._read = read
        self._before: Refs = {}
        self._now: Refs = {}
        self._told: set[ObjectId] = set()
        """The commits that were new at the last look but one, whatever folders they were announced for."""
        self._new: set[ObjectId] = set()
        self._messages: dict[tuple[str, ...], bytes] = {}

    def look(self) -> bool:
        """Look at the repository; whether anything has moved. ``StoreError`` if it cannot be read."""
        # Names go out in ASCII, and Git allows others.
        now = {ref: oid for ref, oid in self._list_refs().items() if ref.isascii()}
        if now == self._now:
            return False
        # Followers of the same folders get the same message, so each one is encoded once per look.
        self._before, self._now, self._messages = self._now, now, {}
        self._told, self._new = self._new, set()
        return True

    def refs_in(self, folders: Sequence[str]) -> bytes:
        """Encode the first message for a follower of these folders: where all refs are, as of the last look."""
        found: dict[str, ObjectId | None] = {}
        for folder in folders:
            found |= chosen_heads(self._now.items(), (), folder)
        return RefMoves(found).encode()

    def moved_in(self, folders: tuple[str, ...]) -> bytes:
        """What has moved in these folders between the last two looks; empty if nothing has."""
        if folders not in self._messages:
            moves = {ref: self._now.get(ref) for ref in self._moved() if any(is_below(ref, one) for one in folders)}
            heads = [oid for oid in moves.values() if oid is not None]
            self._messages[folders] = RefMoves(moves, self._new_commits(heads)).encode() if moves else b""
        return self._messages[folders]

    def _moved(self) -> list[str]:
        return [ref for ref in sorted({*self._before, *self._now}) if self._before.get(ref) != self._now.get(ref)]

    def _new_commits(self, heads: Iterable[ObjectId]) -> list[bytes]:
        """Return the commits of these heads that were nowhere before, if they are few; followers fetch the others."""
        found: dict[ObjectId, bytes] = {}
        known, size = {*self._before.values()}, 0
        stack = [*heads]
        while stack:
            oid = stack.pop()
            if oid in found or oid in known or oid in self._told:
                continue
            try:
                kind, data = self._read(oid)
            except StoreError:
                continue
            size += len(data)
            # A commit that does not fit into a packet is left out, and fetched.
            if kind != "commit" or len(data) > _MOST_BYTES - 64:
                continue
            # Part of a history is useless to followers that lack the rest.
            if size > MAX_TOLD_BYTES or len(found) >= MAX_TOLD_COMMITS:
                return []
            found[oid] = data
            stack.extend(parents_of(data))
        self._new |= found.keys()
        return [*found.values()]


class FollowedRefs:
    """What a server has announced to a follower: where the refs of some folders are, and the newest commits.

    Raises ``RemoteUnreachable`` for anything that is malformed or too much.
    """

    def __init__(self, url: str, folders: Sequence[str]) -> None:
        self._url = url
        self.folders = tuple(folders)
        self.refs: dict[str, ObjectId] | None = None
        """Where the refs are; None before the first message."""
        self._moves: dict[str, ObjectId | None] = {}
        """The moves of the message that is being read."""
        self._objects: dict[ObjectId, bytes] = {}
        self._was_read: set[ObjectId] = set()
        self._bytes = 0
        self._signs = 0
        self._buffer = bytearray()
        self._is_empty = True
        """Whether the message that is being read has no packets yet."""

    def take(self, data: bytes) -> int:
        """Take in received bytes; return how many messages with something new ended in them."""
        self._buffer += data
        at = count = 0
        while len(self._buffer) - at >= _HEAD_BYTES:
            size = self._size_at(at)
            if size == 0:
                at += _HEAD_BYTES
                count += self._end_message()
                continue
            if len(self._buffer) - at < size:
                break
            self._hear(bytes(self._buffer[at + _HEAD_BYTES : at + size]))
            at += size
        # Removed once at the end: cutting the buffer after each packet would take quadratic time.
        del self._buffer[:at]
        return count

    def _size_at(self, at: int) -> int:
        try:
            size = int(self._buffer[at : at + _HEAD_BYTES], 16)
        except ValueError:
            # One is no valid size, so the check below refuses it.
            size = 1
        if size != 0 and not _HEAD_BYTES < size <= _MOST_BYTES:
            raise self._error("sends something other than moves of refs")
        return size

    def _hear(self, line: bytes) -> None:
        self._is_empty = False
        word, _, rest = line.partition(b" ")
        if word == b"commit":
            self._keep(rest)
            return
        oid: ObjectId | None = None
        try:
            name = rest.decode("ascii")
            if word == b"ref":
                first, _, name = name.partition(" ")
                oid = parse_object_id(first)
            elif word != b"gone":
                raise ValueError
        except ValueError:
            raise self._error(f"sends {shown_start(line)}, expected a move of a ref") from None
        if not is_ref_name(name) or not any(is_below(name, folder) for folder in self.folders):
            raise self._error(f"announces {name[:80]!r}, which is not followed")
        self._moves[name] = oid
        if len(self._moves) > MAX_REFS_IN_FOLDER:
            raise self._error(f"announces more than {MAX_REFS_IN_FOLDER} refs at once")

    def _keep(self, data: bytes) -> None:
        # Read commits are kept while there is room: a reader who needs another player's commits first reads them again.
        if self._is_full_with(data):
            self._forget_read()
        # Dropped announcements are only fetched later, so a simple bound is enough.
        if self._is_full_with(data):
            self._forget()
        oid = object_id("commit", data)
        if oid not in self._objects:
            self._objects[oid] = data
            self._bytes += len(data) + TOLD_COMMIT_BYTES

    def _is_full_with(self, data: bytes) -> bool:
        return self._bytes + len(data) + TOLD_COMMIT_BYTES > MAX_KEPT_TOLD_BYTES

    def _end_message(self) -> bool:
        is_empty, self._is_empty = self._is_empty, True
        # The first message may be empty: the folders may have no refs.
        if is_empty and self.refs is not None:
            self._signs += 1
            return False
        before, moves, self._moves = self.refs, self._moves, {}
        refs = self.refs = before if before is not None else {}
        is_new = before is None or any(refs.get(ref) != oid for ref, oid in moves.items())
        for ref, oid in moves.items():
            if oid is None:
                refs.pop(ref, None)
            else:
                refs[ref] = oid
        # After all moves, since one message may delete as many refs as it makes.
        if len(refs) > MAX_REFS_IN_FOLDER:
            raise self._error(f"has more than {MAX_REFS_IN_FOLDER} refs to follow")
        return is_new

    def _error(self, what: str) -> RemoteUnreachable:
        return RemoteUnreachable(f"{self._url}: {what}")

    # What was announced

    def covers(self, refs: Iterable[str], folder: str | None) -> bool:
        """Whether the server would have announced where these refs are, and all of a folder."""
        if self.refs is None or (folder is not None and folder not in self.folders):
            return False
        return all(any(is_below(ref, one) for one in self.folders) for ref in refs)

    def heads(self, refs: Iterable[str], folder: str | None) -> dict[str, ObjectId]:
        """Return where these refs are, and all of a folder."""
        return chosen_heads((self.refs or {}).items(), {*refs}, folder)

    def take_signs(self) -> int:
        """Return how many signs of life have come since the last call."""
        signs, self._signs = self._signs, 0
        return signs

    def leads(self, heads: Iterable[ObjectId], held: Iterable[ObjectId]) -> int | None:
        """Return the size of the commits that lead from ``held`` to these heads; None unless all were announced."""
        size, stack, done = 0, [*heads], {*held}
        while stack:
            oid = stack.pop()
            if oid in done:
                continue
            done.add(oid)
            data = self._objects.get(oid)
            if data is None:
                return None
            size += len(data)
            stack.extend(parents_of(data))
        return size

    def read(self, oid: ObjectId) -> tuple[ObjectKind, bytes]:
        """Return an announced commit; ``ObjectMissing`` if there is none."""
        if oid not in self._objects:
            raise ObjectMissing(f"no object {oid}")
        self._was_read.add(oid)
        return "commit", self._objects[oid]

    def _forget_read(self) -> None:
        for oid in self._was_read:
            if (data := self._objects.pop(oid, None)) is not None:
                self._bytes -= len(data) + TOLD_COMMIT_BYTES
        self._was_read = set()

    def _forget(self) -> None:
        """Forget all commits: there are too many."""
        self._objects, self._was_read, self._bytes = {}, set(), 0


_RETRY_S = 1.0
_RETRY_MAX_S = 60.0
"""The longest pause before a server that does not announce anything is asked again."""


class FollowPauses:
    """When to ask a server again that does not announce moves, or has stopped."""

    def __init__(self) -> None:
        self._at = 0.0
        self._pause_s = _RETRY_S

    def ended(self, now: float, *, was_telling: bool) -> None:
        """Note that a connection has ended; the pauses grow where nothing was announced."""
        self._pause_s = _RETRY_S if was_telling else min(2 * self._pause_s, _RETRY_MAX_S)
        self._at = now + self._pause_s

    def are_over(self, now: float) -> bool:
        """Whether it is time to try again."""
        return now >= self._at


class ListeningPace:
    """How fast a follower reads from a talkative server: at full speed for a while, then slowly."""

    def __init__(self, now: float) -> None:
        self._at = now
        self._left: float = MAX_TOLD_AT_ONCE_BYTES

    def pause_s(self, heard_bytes: int, now: float) -> float:
        """Return how many seconds to wait before reading more."""
        # A token bucket: unused time saves up, but not beyond what may come at once.
        more = (now - self._at) * MAX_TOLD_A_SECOND_BYTES
        self._left = min(MAX_TOLD_AT_ONCE_BYTES, self._left + more) - heard_bytes
        self._at = now
        return max(0.0, -self._left / MAX_TOLD_A_SECOND_BYTES)


def shown_start(line: bytes) -> str:
    """Return the first characters of what somebody sent, for a message."""
    return repr(line[:40].decode("ascii", "replace"))
