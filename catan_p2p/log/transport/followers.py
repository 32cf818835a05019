"""The followers of a server: what waits to be sent to each, and how many there may be."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from catan_p2p.limits import MAX_FOLLOWERS, MAX_FOLLOWERS_OF_ADDRESS, MAX_UNTOLD_BYTES
from catan_p2p.log.storage.cat_file import CatFile
from catan_p2p.log.storage.objects import StoreError
from catan_p2p.log.transport.following import SIGN_OF_LIFE_S, SILENT_S, RefAnnouncer
from catan_p2p.log.transport.ref_listing import FLUSH
from catan_p2p.log.transport.waiting_visitors import WaitingVisitor, WaitingVisitors

LOOK_S = 1.0
"""How often the repository is checked without a publication of ours: another program may write to it."""
_READ_BYTES = 4096


class Follower(WaitingVisitor):
    """A connection over which moves are announced as they happen."""

    def __init__(self, visitor: WaitingVisitor, folders: tuple[str, ...], now: float) -> None:
        super().__init__(visitor.connection, visitor.address, now + SILENT_S)
        self.folders = folders
        self._waiting = bytearray()
        self._unanswered = 0
        """Signs of life that were not answered yet."""

    @property
    def is_behind(self) -> bool:
        """Whether something waits to be sent."""
        return bool(self._waiting)

    def say(self, data: bytes) -> None:
        """Send data as soon as the follower takes it; ``OSError`` if too much waits, or the follower has gone."""
        self._waiting += data
        # Sent first: only what the system does not take counts as waiting.
        self.go_on()
        if len(self._waiting) > MAX_UNTOLD_BYTES:
            raise ConnectionAbortedError

    def show_sign(self) -> None:
        """Send a sign of life, as ``say`` does."""
        self._unanswered += 1
        self.say(FLUSH)

    def go_on(self) -> None:
        """Send as much as the follower takes now."""
        try:
            while self._waiting:
                del self._waiting[: self.connection.send(self._waiting)]
        except BlockingIOError:
            pass

    def hear(self) -> None:
        """Read the follower's answers to signs of life. ``OSError`` if it has gone, or says something else."""
        try:
            data = self.connection.recv(_READ_BYTES)
        except BlockingIOError:
            return
        self._data += data
        # Answers may arrive in pieces, so the rest of one is kept.
        count, rest = divmod(len(self._data), len(FLUSH))
        self._unanswered -= count
        # An unrequested answer would keep a follower alive that reads nothing.
        if not data or self._data.strip(b"0") or self._unanswered < 0:
            raise ConnectionResetError
        del self._data[: len(self._data) - rest]


class Followers:
    """The followers of one repository; those that must go because of what happens here are given to ``dismiss``.

    ``may_have_moved`` returns, at next to no cost, whether a look at the repository may find something new.
    """

    def __init__(
        self,
        announcer: RefAnnouncer,
        reader: CatFile,
        dismiss: Callable[[WaitingVisitor], None],
        may_have_moved: Callable[[], bool],
    ) -> None:
        self._may_have_moved = may_have_moved
        self._announcer = announcer
        self._reader = reader
        self._dismiss = dismiss
        self._here = WaitingVisitors(MAX_FOLLOWERS)
        self._looked_at = 0.0
        self._sign_at = 0.0
        """When the next sign of life is due to all, at once: a server that waits then wakes up once for all of them."""

    def __len__(self) -> int:
        return len(self._here)

    def __iter__(self) -> Iterator[Follower]:
        return (visitor for visitor in self._here.all if isinstance(visitor, Follower))

    def admit(self, visitor: WaitingVisitor, folders: tuple[str, ...], now: float) -> Follower | None:
        """Let a visitor follow, and send it where the refs are; None if there are too many from its address."""
        if sum(one.address == visitor.address for one in self) >= MAX_FOLLOWERS_OF_ADDRESS:
            return None
        # Looked at now, so that the first message and the next announcements fit together.
        self.look(now)
        if not self._here:
            self._sign_at = now + SIGN_OF_LIFE_S
        follower = Follower(visitor, folders, now)
        if (gone := self._here.admit(follower)) is not None:
            self._dismiss(gone)
        self._say(follower, self._announcer.refs_in(folders))
        return follower

    def leave(self, visitor: WaitingVisitor) -> None:
        """Remove a follower."""
        self._here.leave(visitor)
        # Nobody needs the process that reads commits any more.
        if not self._here:
            self._reader.close()

    def look(self, now: float) -> None:
        """Look at the repository, and announce what has moved to all followers."""
        self._looked_at = now
        try:
            if not self._announcer.look():
                return
        except StoreError:
            return
        for follower in [*self]:
            if moved := self._announcer.moved_in(follower.folders):
                self._say(follower, moved)

    def hear(self, follower: Follower, now: float) -> None:
        """Read what a follower sends."""
        try:
            follower.hear()
        except OSError:
            self._dismiss(follower)
        else:
            self._here.wait_on(follower, now + SILENT_S)

    def go_on(self, follower: Follower) -> None:
        """Go on sending to a follower that takes more."""
        self._try(follower, follower.go_on)

    def see_to(self, now: float) -> None:
        """Send signs of life where they are due, and dismiss followers that do not answer."""
        for visitor in self._here.late(now):
            self._dismiss(visitor)
        if now >= self._sign_at:
            self._sign_at = now + SIGN_OF_LIFE_S
            # A copy of the list, since failures remove followers from it.
            for follower in [*self]:
                self._try(follower, follower.show_sign)
        if self._here and now - self._looked_at >= LOOK_S:
            self._looked_at = now
            if self._may_have_moved():
                self.look(now)

    @property
    def next_at(self) -> float | None:
        """When ``see_to`` next has something to do, None without followers."""
        times = [one.until for one in self]
        return min(*times, self._sign_at, self._looked_at + LOOK_S) if times else None

    def close(self) -> None:
        """Close all connections."""
        self._here.close()
        self._reader.close()

    def _say(self, follower: Follower, data: bytes) -> None:
        self._try(follower, partial(follower.say, data))

    def _try(self, follower: Follower, do: Callable[[], None]) -> None:
        try:
            do()
        except OSError:
            self._dismiss(follower)
