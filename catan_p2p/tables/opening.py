"""Opens a player's repository: the replica, with its remotes and its relay."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from catan_p2p.game.chance import NONCE_BYTES, Nonce
from catan_p2p.game.constants import Player
from catan_p2p.log.game import GameDefinition
from catan_p2p.log.graph import CommitGraph
from catan_p2p.log.history import BadRoot
from catan_p2p.log.keys import Entropy
from catan_p2p.log.reading import read_game
from catan_p2p.log.refs import HEADS, REMOTES, branch_at, chat_branch_ref, chat_ref, foreign_ref, local_ref
from catan_p2p.log.signing import signer
from catan_p2p.log.storage.objects import ObjectDamaged, ObjectId, StoreError
from catan_p2p.log.storage.store import GitStore
from catan_p2p.log.transport.opening import open_remote
from catan_p2p.log.transport.quarantine import sweep
from catan_p2p.log.transport.queries import AsyncRemote
from catan_p2p.log.transport.shared_repository import SharedRepository
from catan_p2p.log.transport.worker_remote import WorkerRemote
from catan_p2p.players.choosing import PolicyChooser
from catan_p2p.replication.core.source import PLACE
from catan_p2p.replication.head_note import HeadNote
from catan_p2p.replication.peer import Clock, Randomness
from catan_p2p.replication.relay import SeatRelay
from catan_p2p.replication.replica import Replica
from catan_p2p.sealing.group import need_library
from catan_p2p.tables.completeness import check_objects
from catan_p2p.tables.computers import computer_seats, with_neighbours
from catan_p2p.tables.foreign_commits import put_branches_back
from catan_p2p.tables.seat import (
    HEAD_NOTES,
    SeatSettings,
    check_key,
    data_folder,
    incoming_folder,
    read_seat_key,
    read_secret,
    read_settings,
    secret_of,
)
from catan_p2p.time_source import SYSTEM_TIME, TimeSource

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey


Opener = Callable[[str, Path, Path, threading.Condition], AsyncRemote]
"""Opens the remote at a URL, given the own Git folder, a folder for fetched objects, and what answers notify."""


@contextmanager
def opened_seat(
    path: Path,
    settings: SeatSettings,
    chooser: PolicyChooser,
    randomness: Callable[[int, int], Randomness],
    clock: Clock,
    *,
    alone: bool = False,
    opener: Opener = open_remote,
    has_chat: bool = True,
    time: TimeSource = SYSTEM_TIME,
    entropy: Entropy = os.urandom,
    news: threading.Condition | None = None,
) -> Iterator[Replica]:
    """The replica of the seat at ``path``, with everything in the repository taken in.

    ``randomness`` makes the generators from the seat's seed and the game's number, ``opener`` the remotes. With
    ``alone`` it acts before it knows what others hold of its own log: only for users who are sure that nothing newer
    exists. Without ``has_chat`` it neither reads nor passes on the players' chat. If commits carry the time of day,
    ``entropy`` makes a pledge's nonce; a simulated game can be repeated. ``news`` is notified of announcements and
    answers, if others wait for them, too. Raises ``ObjectDamaged`` if the repository lacks objects of the game or
    holds damaged ones, ``MissingLibrary`` if hands are hidden and the library for that is not installed.
    """
    key, settings = read_seat_key(path), with_neighbours(path, settings)

    def new_nonce() -> Nonce:
        return entropy(NONCE_BYTES).hex()

    with GitStore.open(path, durability=settings.durability, time=time, place_for=foreign_ref) as store:
        # What a killed process has fetched is of no use, and takes room.
        sweep(incoming_folder(store))
        told = news or threading.Condition()

        def open_neighbour(colour: str, url: str) -> AsyncRemote:
            return opener(url, store.folder, incoming_folder(store) / colour, told)

        def open_relay(url: str, game: GameDefinition, player: int) -> SeatRelay:
            return _open_relay(url, store, game, player, told, time, has_chat=has_chat)

        replica = seated_replica(
            store,
            settings,
            key,
            chooser,
            randomness,
            clock,
            open_neighbour,
            open_relay,
            has_chat=has_chat,
            alone=alone,
            time=time,
            notes=data_folder() / HEAD_NOTES,
            # Without a key, the secret is the seat's seed, which is a new one with every joining.
            new_nonce=new_nonce if key is not None and settings.clock == "wall" else None,
        )
        if replica.game.constants.rules.hands == "hidden":
            replica.hold_secrets(_secrets_of_party(path.absolute(), replica.game))
        try:
            yield replica
        finally:
            replica.close()


def _secrets_of_party(path: Path, game: GameDefinition) -> Mapping[Player, bytes]:
    """The secrets of the computer players of the seat at ``path``, by player, as far as they can be read."""
    found = dict[Player, bytes]()
    for folder in computer_seats(path):
        player = game.player_of(read_settings(folder).colour)
        with suppress(StoreError):  # their own process says what is wrong with a key
            if player is not None:
                found[player] = read_secret(folder)
    return found


def _open_relay(
    url: str,
    store: GitStore,
    game: GameDefinition,
    player: int,
    news: threading.Condition,
    time: TimeSource,
    *,
    has_chat: bool,
) -> SeatRelay:
    if any(seat.key is None for seat in game.seats):
        raise StoreError(
            f"{url}: no relay for a game without keys: anyone who can push there could act in any player's name; "
            "begin a game with keys: catan-p2p host --relay URL"
        )
    remote = WorkerRemote(url, store.folder, incoming_folder(store) / PLACE, news, time)
    places = (chat_ref, chat_branch_ref) if has_chat else ()
    words = [place(seat.colour, game.number) for seat in game.seats for place in places]
    named = [*words, *(local_ref(game.branch(one)) for one in game.constants.players)]
    # Named refs are listed in any case; of the folder, a crowded relay may show only a part.
    shared = SharedRepository(remote, named, time, f"{HEADS}*_{game.number}")
    return SeatRelay(shared, game, player, time, has_chat=has_chat)


def seated_replica(
    store: GitStore,
    settings: SeatSettings,
    key: Ed25519PrivateKey | None,
    chooser: PolicyChooser,
    randomness: Callable[[int, int], Randomness],
    clock: Clock,
    open_neighbour: Callable[[str, str], AsyncRemote],
    open_relay: Callable[[str, GameDefinition, int], SeatRelay],
    *,
    has_chat: bool = True,
    alone: bool = False,
    time: TimeSource = SYSTEM_TIME,
    new_nonce: Callable[[], Nonce] | None = None,
    notes: Path | None = None,
) -> Replica:
    """Return the replica for an open store, with everything in it taken in; ``open_neighbour`` opens the remotes.

    ``open_relay`` opens the relay, if there is one; ``notes`` is the folder of this machine's ``HeadNote``. Raises the
    errors of ``opened_seat``.
    """
    dirt = check_objects(store)
    graph = _open_graph(store, key)
    player = graph.game.player_of(settings.colour)
    if player is None:
        raise StoreError(f"{store.folder}: nobody plays {settings.colour} in this game")
    check_key(graph.game, player, key, str(store.folder))
    # Before the replica resumes, which could not go on from a foreign commit.
    put_branches_back(store, graph, player)
    if graph.game.constants.rules.hands == "hidden":
        need_library()
    remotes = {colour: open_neighbour(colour, url) for colour, url in settings.remotes.items()}
    random = randomness(settings.seed, graph.game.number)
    secret = secret_of(settings, key)
    relay = None if settings.relay is None else open_relay(settings.relay, graph.game, player)
    replica = Replica(
        store,
        graph,
        player,
        chooser,
        random,
        clock,
        remotes,
        relay=relay,
        has_chat=has_chat,
        alone=alone,
        secret=secret,
        new_nonce=new_nonce,
        time=time,
        note=None if notes is None else HeadNote(notes, graph.root, settings.colour, store.medium),
    )
    replica.dirt = dirt
    try:
        replica.resume()
    except BaseException:
        replica.close()
        raise
    return replica


def _open_graph(store: GitStore, key: Ed25519PrivateKey | None) -> CommitGraph:
    def heads(folder: str) -> list[ObjectId]:
        found = store.list_refs(folder, broken=[])
        return [head for ref, head in found.items() if branch_at(ref) is not None]

    own = heads(HEADS)
    if not own:
        raise ObjectDamaged(f"{store.folder}: not a game, or its log is lost: it has no branch such as Red_0")
    # Another program may have put something at an own branch that does not lead to the game.
    for head in (*own, *heads(REMOTES)):
        graph = read_game(head, store.read, None if key is None else signer(key))
        if isinstance(graph, CommitGraph):
            return graph
        if graph.reason == "version":  # nothing is damaged
            raise BadRoot(str(store.folder), graph)
    raise ObjectDamaged(f"{store.folder}: {graph}")
