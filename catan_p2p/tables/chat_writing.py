"""Writes a player's chat messages into the own repository, whether or not a peer plays there now."""

from pathlib import Path

from catan_p2p.limits import MAX_A_MINUTE, MAX_MESSAGES
from catan_p2p.log.refs import chat_ref
from catan_p2p.log.signing import signer
from catan_p2p.log.storage.objects import StoreError, StoreLocked
from catan_p2p.log.storage.store import Durability, GitStore
from catan_p2p.replication import chat
from catan_p2p.tables.seat import read_seat_key, read_settings
from catan_p2p.tables.status import read_status
from catan_p2p.time_source import SYSTEM_TIME, TimeSource

_WRITER = "chat"
_TRIES, _RETRY_S = 50, 0.1


def say(path: Path, text: str, time_s: int | None = None, time: TimeSource = SYSTEM_TIME) -> chat.ChatMessage:
    """Say something to all players, as the player of the seat at ``path``.

    The message is in the repository when this returns; a peer that plays over a relay pushes it. ``StoreError`` if it
    is too long, or follows too many others too soon.
    """
    text = chat.check_text(text)
    settings, key = read_settings(path), read_seat_key(path)
    graph = read_status(path).graph
    seat = graph.game.seats[(graph.game.player_of(settings.colour) or 1) - 1]
    sign = None if key is None or seat.key is None else signer(key)
    now = int(time.date_s()) if time_s is None else time_s
    with _opened(path, settings.durability, time) as store:
        ref = chat_ref(settings.colour, graph.game.number)
        head = store.own_ref(ref)
        try:
            said = [] if head is None else chat.read_messages(head, None, seat, graph.root, store.read)
        except chat.NotHeard as error:
            raise StoreError(f"{path}: {ref}: {error}") from None
        if len(said) >= MAX_MESSAGES:
            raise StoreError(f"{settings.colour} has sent {MAX_MESSAGES} messages, and the others ignore any more")
        # The bound is the one that readers apply, so that no message is silently ignored.
        if sum(now - chat.MINUTE_S < message.time_s for message in said) >= MAX_A_MINUTE:
            raise StoreError(f"at most {MAX_A_MINUTE} messages can be sent in a minute; wait a little")
        commit = chat.message_commit(seat, graph.root, text, len(said) + 1, head, now)
        store.add("tree", b"")
        oid = store.add("commit", (commit if sign is None else sign(commit)).encode())
        store.record(ref, oid, head)
    return chat.ChatMessage(settings.colour, len(said) + 1, now, text, oid)


def _opened(path: Path, durability: Durability, time: TimeSource) -> GitStore:
    """Open the repository with a writer of its own, beside the peer's."""
    # Another message may be in progress, which takes only a moment.
    for _ in range(_TRIES):
        try:
            return GitStore.open(path, writer=_WRITER, durability=durability)
        except StoreLocked:
            time.sleep(_RETRY_S)
    raise StoreLocked(f"{path}: another process is sending a message there; try again")


def read_chat(path: Path) -> list[chat.ChatMessage]:
    """Return all messages that the seat at ``path`` knows, by the clocks of their writers."""
    graph = read_status(path).graph
    with GitStore.open(path, writer=None) as store:
        return chat.ChatLog(store, graph.game, graph.root).messages
