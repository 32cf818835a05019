"""A remote that is read in Git's own protocol without starting a process: a look takes one round trip, as does a fetch.

``git://`` is one such remote. Version 2 of the protocol is tried first, and version 0 if a daemon answers in that.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from typing import Protocol
from urllib.parse import unquote, urlsplit

from catan_p2p.limits import COSTLY_BYTES, MAX_HAVES, MAX_INFLATED_BYTES, MAX_OBJECT_BYTES, MAX_PACK_OBJECTS, MAX_WANTS
from catan_p2p.log.storage.delta import apply_delta
from catan_p2p.log.storage.objects import (
    ObjectDamaged,
    ObjectId,
    ObjectKind,
    ObjectMissing,
    ObjectTooLarge,
    StoreError,
    object_id,
)
from catan_p2p.log.storage.pack import KINDS_BY_CODE, wire_entries
from catan_p2p.log.transport.conversation import GitConversation, HungUp, OtherProtocol
from catan_p2p.log.transport.ref_listing import packet, prefixes
from catan_p2p.log.transport.remote import BadFetch, CostlyRemote, RemoteUnreachable, chosen_heads, port_of
from catan_p2p.log.transport.streams import SocketStream
from catan_p2p.time_source import SYSTEM_TIME, TimeSource


class TooMuch(Exception):
    """A pack holds more than any game does."""


def unpack(pack: bytes) -> dict[ObjectId, tuple[ObjectKind, bytes]]:
    """All objects of a pack that needs no others, by id; ``ObjectDamaged`` or ``TooMuch``."""
    if pack[:8] != b"PACK\0\0\0\2":
        raise ObjectDamaged("it is not a pack of version 2")
    found: dict[ObjectId, tuple[ObjectKind, bytes]] = {}
    at_place: dict[int | ObjectId, tuple[ObjectKind, bytes]] = {}
    size = 0
    count = int.from_bytes(pack[8:12], "big")
    # Checked before any entry is read: the count costs the sender nothing.
    if count > MAX_PACK_OBJECTS:
        raise TooMuch(f"sends {count} objects, at most {MAX_PACK_OBJECTS} are read")
    try:
        for start, code, place, data, _, _ in wire_entries(pack, 12, count, MAX_OBJECT_BYTES):
            if place is not None:
                base = at_place.get(place)
                if base is None:
                    raise ObjectDamaged("a delta comes before what it is based on")
                entry = base[0], apply_delta(base[1], data, MAX_OBJECT_BYTES)
            elif code in KINDS_BY_CODE:
                entry = KINDS_BY_CODE[code], data
            else:
                raise ObjectDamaged(f"an entry of the unknown kind {code}")
            # The sum is bounded, too: deltas make large objects out of small packs.
            size += len(entry[1])
            if size > MAX_INFLATED_BYTES:
                raise TooMuch(f"sends objects of more than {MAX_INFLATED_BYTES} bytes")
            # The id is computed and never taken from the sender.
            oid = object_id(*entry)
            found[oid] = at_place[start] = at_place[oid] = entry
    except ObjectTooLarge:
        raise TooMuch(f"sends an object of more than {MAX_OBJECT_BYTES} bytes") from None
    return found


DEFAULT_PORT = 9418
CONNECT_S = 5.0
KEPT_LOOK_S = 5.0
"""How long to wait for an answer in a conversation begun before; then another one is begun."""


class OpensConversation(Protocol):
    """Begins a conversation, and asks for refs in it."""

    def __call__(self, version: int | None, wanted: list[str]) -> GitConversation:
        """Return a conversation in which refs with these prefixes were asked for; ``version`` is known from before."""


class ProtocolRemote:
    """A repository behind a Git server, read in conversations that ``begin`` opens.

    With ``is_kept`` a conversation lasts from look to look; one that has ended meanwhile is begun anew.
    """

    negotiates = False

    def __init__(self, url: str, begin: OpensConversation, *, is_kept: bool) -> None:
        self.url = url
        self.fetches = 0
        self.bytes_received = 0
        self._begin = begin
        self._is_kept = is_kept
        self._conversation: GitConversation | None = None
        self._version: int | None = None
        """The protocol version that the server has spoken, None before it has."""
        self._listed: dict[str, ObjectId] = {}
        self._objects: dict[ObjectId, tuple[ObjectKind, bytes]] = {}

    def heads(self, refs: Iterable[str], folder: str | None = None) -> Mapping[str, ObjectId]:
        """Return where the refs are; for a folder alone, from the last look if that listed everything."""
        refs = [*refs]
        if self._version == 2 or refs or not self._listed:
            self._look(prefixes(refs, folder))
        return chosen_heads(self._listed.items(), {*refs}, folder)

    def bring(self, heads: Mapping[str, ObjectId], held: Iterable[ObjectId] = ()) -> None:
        """Fetch the history of these heads, except what ``held`` leads to."""
        haves = [*held][:MAX_HAVES]
        is_old = self._conversation is not None
        try:
            pack = self._fetch(heads, haves)
        # A kept conversation may have been closed by the server while it was idle: that is no failure of the server.
        except HungUp:
            if not is_old:
                raise
            pack = self._fetch(heads, haves)
        self.fetches += 1
        self.bytes_received += len(pack)
        # The checksum comes first: without it a cut pack looks like a malformed one, which is a graver fault.
        if len(pack) < 32 or hashlib.sha1(pack[:-20]).digest() != pack[-20:]:
            cut = CostlyRemote if len(pack) >= COSTLY_BYTES else RemoteUnreachable
            raise cut(f"{self.url}: ended in the middle of the pack")
        try:
            self._objects = unpack(pack)
        except TooMuch as error:
            raise BadFetch(f"{self.url}: {error}", "size") from None
        except ObjectDamaged as error:
            raise BadFetch(f"{self.url}: sends a pack that cannot be read: {error}", "format") from None

    def _fetch(self, heads: Mapping[str, ObjectId], haves: list[ObjectId]) -> bytes:
        """Fetch the pack that leads from ``haves`` to those of these heads that are still there."""
        # Servers may refuse a want that they have not listed.
        if self._conversation is None or not self._conversation.told.issuperset(heads.values()):
            self._look(prefixes(heads, None))
        conversation, self._conversation = self._conversation, None
        assert conversation is not None
        is_whole = False
        try:
            # Branches may have moved between the two looks, and one that is gone must not fail the others.
            wants = [head for head in dict.fromkeys(heads.values()) if head in conversation.told][:MAX_WANTS]
            if not wants:
                raise RemoteUnreachable(f"{self.url}: the branches moved meanwhile")
            conversation.renew()
            pack = conversation.fetch(wants, haves)
            is_whole = conversation.version == 2
        finally:
            # In version 0 a fetch ends the conversation, and after an error nobody knows where the stream stands.
            if is_whole:
                self._conversation = conversation
            else:
                conversation.close()
        return pack

    def read(self, oid: ObjectId) -> tuple[ObjectKind, bytes]:
        """Kind and bytes of an object that came with the last fetch."""
        found = self._objects.get(oid)
        if found is None:
            raise ObjectMissing(f"no object {oid}")
        return found

    @property
    def is_kept(self) -> bool:
        """Whether a conversation goes on."""
        return self._is_kept and self._conversation is not None

    def rest(self) -> None:
        """Forget what was fetched, and end the conversation unless it is kept."""
        if not self._is_kept:
            self.close()
        self._objects = {}

    def close(self) -> None:
        """End the conversation."""
        if self._conversation is not None:
            self._conversation.close()
            self._conversation = None

    def _look(self, wanted: list[str]) -> None:
        conversation, self._conversation = self._conversation, None
        if conversation is not None and conversation.version == 2:
            try:
                conversation.renew(KEPT_LOOK_S)
                conversation.ask_for_refs(wanted)
                self._listed = conversation.list_refs()
            except RemoteUnreachable:  # it may have been idle for too long
                conversation.close()
            else:
                self._conversation = conversation
                return
        elif conversation is not None:
            conversation.close()
        try:
            self._conversation = self._begun(wanted)
        # The daemon was replaced by one of another version, or a proxy answers now.
        except OtherProtocol:
            if self._version is None:
                raise
            self._version = None
            self._conversation = self._begun(wanted)

    def _begun(self, wanted: list[str]) -> GitConversation:
        conversation = self._begin(self._version, wanted)
        try:
            self._listed = conversation.list_refs()
        except BaseException:
            conversation.close()
            raise
        self._version = conversation.version
        return conversation


class GitProtocolRemote(ProtocolRemote):
    """A repository that a Git daemon serves."""

    def __init__(self, url: str, time: TimeSource = SYSTEM_TIME) -> None:
        super().__init__(url, self._call, is_kept=False)
        self._time = time
        parts = urlsplit(url)
        self._host, self._port = parts.hostname or "", port_of(url) or DEFAULT_PORT
        self._path = unquote(parts.path) or "/"
        if not self._host or "\0" in self._path:
            raise StoreError(f"{url}: expected git://HOST[:PORT]/PATH")

    def _call(self, version: int | None, wanted: list[str]) -> GitConversation:
        try:
            stream = SocketStream(self._host, self._port, CONNECT_S)
        except OSError as error:
            raise RemoteUnreachable(f"{self.url}: {error.strerror or error}") from None
        conversation = GitConversation(self.url, stream, self._time)
        # The name of the virtual host, without which some daemons refuse.
        name = f"{self._host}:{self._port}" if self._port != DEFAULT_PORT else self._host
        request = f"git-upload-pack {self._path}\0host={name}\0"
        try:
            conversation.begin(packet(request if version == 0 else f"{request}\0version=2\0"), version, wanted)
        except BaseException:
            conversation.close()
            raise
        return conversation
