"""Follows a host over simulated links: the host announces moved refs at once, as ``log.transport.following`` does."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from catan_p2p.log.storage.objects import ObjectId, ObjectKind, ObjectMissing, StoreError
from catan_p2p.log.transport.following import SIGN_OF_LIFE_S, SILENT_S, FollowedRefs, RefAnnouncer, follow_request
from catan_p2p.log.transport.git_protocol import CONNECT_S
from catan_p2p.log.transport.ref_listing import FLUSH
from catan_p2p.log.transport.remote import RemoteUnreachable
from catan_p2p.simulation.laboratory.distributions import US
from catan_p2p.simulation.laboratory.scene import SimulatedRepository, VisitingHost

SYN_BYTES = 8
"""The size of a message that opens or ends a connection."""
CONNECT_US = int(CONNECT_S * US)
_SIGN_US = int(SIGN_OF_LIFE_S * US)
_SILENT_US = int(SILENT_S * US)


class VirtualFollowing:
    """A connection over which a host announces its refs to a follower, ``visitor``.

    ``tell`` is called when something new has come, and when the connection is over. As on any TCP connection, messages
    arrive in the order in which they were sent.
    """

    def __init__(
        self,
        url: str,
        folders: Sequence[str],
        visitor: VisitingHost,
        target: SimulatedRepository,
        tell: Callable[[VirtualFollowing], None],
    ) -> None:
        self.told = FollowedRefs(url, folders)
        self.is_over = False
        self._visitor, self._target, self._tell = visitor, target, tell
        self._world = visitor.world
        self._way = visitor.world.recording.way(visitor.name, target.name)
        self._heard_at = self._answered_at = self._world.now
        self._sent = self._taken = 0
        """How many messages were sent, and how many of them were delivered."""
        self._early: dict[int, bytes | None] = {}
        """Messages that have overtaken an earlier one, by number; None ends the connection."""
        self._teller = RefAnnouncer(self._refs, self._read)

    @property
    def is_telling(self) -> bool:
        """Whether the host has announced all its refs, and the connection is still open."""
        return self.told.refs is not None and not self.is_over

    # The follower's end

    def begin(self) -> None:
        """Connect, and send the request to follow."""
        visitor, target, cuts = self._visitor, self._target, self._world.cuts
        if cuts.blocks(visitor.name, target.name):
            visitor.later(1000 if cuts.refuses(visitor.name, target.name) else CONNECT_US, self._end)
            return
        request = len(follow_request(self.told.folders))

        def asked() -> None:
            self._there(request, self._accept)

        def reached() -> None:
            come = asked if target.is_up else self._end
            self._world.send(target, visitor, SYN_BYTES, come, self._end)

        self._there(SYN_BYTES, reached)
        self._watch()

    def close(self) -> None:
        """Close the connection at the follower's end."""
        self.is_over = True
        self._target.is_followed_no_more(self)

    def _end(self) -> None:
        if not self.is_over:
            self.close()
            self._tell(self)

    def _watch(self) -> None:
        """End the connection if the host has been silent for long; it has gone without saying so."""
        if self.is_over:
            return
        left_us = self._heard_at + _SILENT_US - self._world.now
        if left_us <= 0:
            self._end()
        else:
            self._visitor.later(left_us, self._watch)

    def _come(self, number: int, data: bytes | None) -> None:
        self._early[number] = data
        while not self.is_over and self._taken in self._early:
            said = self._early.pop(self._taken)
            self._taken += 1
            if said is None:
                self._end()
            else:
                self._hear(said)

    def _hear(self, data: bytes) -> None:
        self._heard_at = self._world.now
        try:
            is_new = self.told.take(data) > 0
        except RemoteUnreachable:
            self._end()
            return
        if signs := self.told.take_signs():
            self._there(len(FLUSH) * signs, self._answered)
        if is_new:
            self._way.told += 1
            self._way.told_bytes += len(data)
            self._tell(self)

    def _there(self, size: int, do: Callable[[], None]) -> None:
        visitor, target = self._visitor, self._target

        def come() -> None:
            if self.is_over:
                return
            if target.absent_us:
                target.later(target.absent_us, come)
            else:
                do()

        self._send(visitor, target, size, come)

    # The host's end

    def _accept(self) -> None:
        if not self._target.is_up:
            self._world.send(self._target, self._visitor, SYN_BYTES, self._end, self._end)
            return
        self._target.followers.append(self)
        self._answered_at = self._world.now
        try:
            self._teller.look()
        except StoreError:
            return
        self._say(self._teller.refs_in(self.told.folders))
        self._target.later(_SIGN_US, self._show_sign)

    def look(self) -> None:
        """Announce the refs that have moved on the host."""
        try:
            moved = self._teller.moved_in(self.told.folders) if self._teller.look() else b""
        except StoreError:
            return
        if moved:
            self._say(moved)

    def hang_up(self) -> None:
        """End the connection at the host's end: its process has ended, and its system closes the socket."""
        self._say(None)

    def _answered(self) -> None:
        self._answered_at = self._world.now

    def _show_sign(self) -> None:
        target = self._target
        if self.is_over or self not in target.followers:
            return
        if target.absent_us:
            target.later(target.absent_us, self._show_sign)
        elif self._world.now - self._answered_at >= _SILENT_US:
            target.is_followed_no_more(self)
            self.hang_up()
        else:
            if target.shown_to(self._visitor) is not None:
                self._say(FLUSH)
            self.look()
            target.later(_SIGN_US, self._show_sign)

    def _say(self, data: bytes | None) -> None:
        number = self._sent
        self._sent += 1
        size = SYN_BYTES if data is None else len(data)
        self._send(self._target, self._visitor, size, lambda: self._come(number, data))

    def _send(
        self, sender: SimulatedRepository, receiver: SimulatedRepository, size: int, come: Callable[[], None]
    ) -> None:
        """Send a message until it arrives or the connection is over: like TCP, send again what is lost."""
        if not self.is_over:
            self._world.send(sender, receiver, size, come, lambda: self._send(sender, receiver, size, come))

    def _refs(self) -> Mapping[str, ObjectId]:
        shown = self._target.shown_to(self._visitor)
        if shown is None:
            raise RemoteUnreachable("does not answer")
        return dict(shown.refs)

    def _read(self, oid: ObjectId) -> tuple[ObjectKind, bytes]:
        shown = self._target.shown_to(self._visitor)
        if shown is None:
            raise ObjectMissing(f"no object {oid}")
        return shown.read(oid)
