"""Chat: an append-only log of short signed messages for each player, beside the game and never part of it.

``refs/chat/<Colour>`` leads to a chain of commits of the empty tree, one per message, which name the game and their
number. A reader checks each as it checks actions, keeps the valid ones, and never lets them touch the game: a chat that
is wrong, too long or too fast is not heard any more, and play goes on. Every peer keeps everything that it has heard.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import NamedTuple

from catan_p2p.limits import MAX_A_MINUTE, MAX_LETTERS, MAX_MESSAGE_BYTES, MAX_MESSAGES
from catan_p2p.log.commit import Commit, Signature, decode_commit
from catan_p2p.log.game import FormatError, GameDefinition, Seat
from catan_p2p.log.reading import Read
from catan_p2p.log.refs import chat_ref
from catan_p2p.log.signing import is_signed_by
from catan_p2p.log.storage.objects import (
    ObjectDamaged,
    ObjectFalse,
    ObjectId,
    ObjectMissing,
    ObjectTooLarge,
    StoreError,
)
from catan_p2p.log.storage.store import GitStore
from catan_p2p.time_source import SYSTEM_TIME, TimeSource

MINUTE_S = 60
_MUTED_S = 10.0
"""How long a player's chat is ignored after something that was not a message."""
_AWAITED_S = 2.0
"""How long a message that has not arrived yet is left alone."""
_EMPTY_TREE = ObjectId("4b825dc642cb6eb9a060e54bf8d69288fbee4904")


class ChatMessage(NamedTuple):
    """A message: its player, its number among theirs (from 1), its time by their clock (s since 1970), and its text."""

    colour: str
    number: int
    time_s: int
    text: str
    commit: ObjectId


class NotHeard(Exception):
    """An invalid chat; the message says why."""


def check_text(text: str) -> str:
    """Return the text of a message, stripped of blanks; ``StoreError`` if it is not one."""
    text = text.strip()
    if not text or not text.isprintable():
        raise StoreError("a message must be one line of printable characters")
    if len(text) > MAX_LETTERS:
        raise StoreError(f"a message of {len(text)} characters: expected at most {MAX_LETTERS}")
    return text


def _words(text: str, root: ObjectId, number: int) -> str:
    return f"{text}\n\nGame: {root}\nMessage: {number}\n"


def message_commit(seat: Seat, root: ObjectId, text: str, number: int, before: ObjectId | None, time_s: int) -> Commit:
    """The commit of a message, without a signature."""
    author = Signature(seat.name, seat.email, time_s)
    return Commit(_EMPTY_TREE, () if before is None else (before,), author, author, _words(text, root, number))


def _parse(commit: ObjectId, data: bytes, seat: Seat, root: ObjectId) -> tuple[ChatMessage, ObjectId | None]:
    """Parse the message in a commit, and the id of the previous one; ``NotHeard`` says what is wrong."""
    if len(data) > MAX_MESSAGE_BYTES:
        raise NotHeard(f"{commit[:10]}: {len(data)} bytes, expected at most {MAX_MESSAGE_BYTES}")
    try:
        parts = decode_commit(data)
    except FormatError as error:
        raise NotHeard(f"{commit[:10]}: {error}") from None
    text, _, rest = parts.message.partition("\n\n")
    count = rest.rpartition("Message: ")[2].rstrip("\n")
    number = int(count) if count.isdecimal() and len(count) < 5 else 0
    before = parts.parents[0] if parts.parents else None
    # The message is built again and compared, so that nothing else fits into its commit.
    expected = message_commit(seat, root, text, number, before, parts.author.time_s)
    is_first = before is None
    if parts._replace(signature=None) != expected or not 1 <= number <= MAX_MESSAGES or (number == 1) != is_first:
        raise NotHeard(f"{commit[:10]}: not a message of {seat.colour} in this game")
    if seat.key is not None and not is_signed_by(parts, seat.key):
        raise NotHeard(f"{commit[:10]}: not signed by {seat.colour}")
    try:
        check_text(text)
    except StoreError as error:
        raise NotHeard(f"{commit[:10]}: {error}") from None
    return ChatMessage(seat.colour, number, parts.author.time_s, text, commit), before


def read_messages(head: ObjectId, known: ObjectId | None, seat: Seat, root: ObjectId, read: Read) -> list[ChatMessage]:
    """Read the messages after a known one up to a head, oldest first; ``NotHeard`` if they do not lead there."""
    found: list[ChatMessage] = []
    at: ObjectId | None = head
    while at is not None and at != known:
        try:
            kind, data = read(at)
        except (ObjectFalse, ObjectTooLarge) as error:
            raise NotHeard(f"{at[:10]}: {error}") from None
        if kind != "commit" or len(found) >= MAX_MESSAGES:
            raise NotHeard(f"{at[:10]}: not a message")
        message, before = _parse(at, data, seat, root)
        if found and found[-1].number != message.number + 1:
            raise NotHeard(f"{at[:10]}: message {message.number} is followed by message {found[-1].number}")
        found.append(message)
        at = before
    # A chain that does not reach the known message has replaced it.
    if at != known:
        raise NotHeard(f"{head[:10]}: {seat.colour} has replaced earlier messages")
    return found[::-1]


class ChatLog:
    """The messages that a peer has heard, in this order in ``messages``."""

    def __init__(self, store: GitStore, game: GameDefinition, root: ObjectId, time: TimeSource = SYSTEM_TIME) -> None:
        self._time = time
        self.messages: list[ChatMessage] = []
        self.tell: Callable[[ChatMessage], None] = lambda message: None
        """Called with every new message."""
        self.muted: dict[str, str] = {}
        """Players whose last entry was not a valid message, with what is wrong."""
        self._store = store
        self._game = game
        self._root = root
        self._heads: dict[str, ObjectId] = {}
        self._mute_until: dict[str, float] = {}
        self._taken: dict[str, deque[float]] = {seat.colour: deque() for seat in game.seats}
        for seat in game.seats:
            self.take_own(seat.colour)
        self.messages.sort(key=lambda message: message.time_s)

    def ref(self, colour: str) -> str:
        """The ref of a player's messages."""
        return chat_ref(colour, self._game.number)

    def take_own(self, colour: str) -> None:
        """Take in a player's messages from the own repository: heard earlier, or written by another process."""
        head = self._store.read_ref(self.ref(colour))
        if head is not None and head != self._heads.get(colour):
            self._hear(colour, head, self._store.read)

    def is_fresh(self, colour: str, head: ObjectId) -> bool:
        """Whether a head at a remote is worth fetching now."""
        is_known = any(message.commit == head for message in self.messages)
        return not is_known and self._time.monotonic() >= self._mute_until.get(colour, 0.0) and self._room(colour) > 0

    def refuse(self, colour: str, why: str) -> None:
        """Note something that is not a message: the player's chat is ignored for a while."""
        self.muted[colour] = why
        self._mute_until[colour] = self._time.monotonic() + _MUTED_S

    def held(self, colour: str) -> tuple[ObjectId, ...]:
        """The newest known message."""
        return (self._heads[colour],) if colour in self._heads else ()

    def take(self, colour: str, head: ObjectId, read: Read) -> None:
        """Take in what a remote shows, at a limited rate, and keep it beside the game."""
        before = self._heads.get(colour)
        new = self._hear(colour, head, read, most=self._room(colour))
        for message in new:
            self._store.add("tree", b"")
            self._store.add("commit", read(message.commit)[1])
            self._taken[colour].append(self._time.monotonic())
        if new:
            ref = self.ref(colour)
            self._store.record(ref, new[-1].commit, before)
            for message in new:
                self.tell(message)

    def _room(self, colour: str) -> int:
        """How many more messages of a player may be taken in now."""
        taken = self._taken[colour]
        while taken and self._time.monotonic() - taken[0] > MINUTE_S:
            taken.popleft()
        return MAX_A_MINUTE - len(taken)

    def _hear(self, colour: str, head: ObjectId, read: Read, most: int | None = None) -> list[ChatMessage]:
        seat = self._game.seats[(self._game.player_of(colour) or 1) - 1]
        try:
            # Only as many as there is room for now: the next look takes in the rest.
            new = read_messages(head, self._heads.get(colour), seat, self._root, read)[:most]
        except NotHeard as error:
            self.refuse(colour, str(error))
            return []
        except (ObjectMissing, ObjectDamaged):  # it has not arrived yet
            self._mute_until[colour] = self._time.monotonic() + _AWAITED_S
            return []
        if new:
            self.muted.pop(colour, None)
            self._heads[colour] = new[-1].commit
            self.messages += new
        return new
