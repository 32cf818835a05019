"""Makes a player's repository, for a new game or for an existing one."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from catan_p2p.game.state import initial_state
from catan_p2p.log.game import GameDefinition
from catan_p2p.log.graph import CommitGraph
from catan_p2p.log.keys import Entropy, write_private_key
from catan_p2p.log.reading import Read, read_game, read_root, take_in
from catan_p2p.log.refs import HEADS, REMOTES, branch_at, branch_name, local_ref
from catan_p2p.log.root import root_commit
from catan_p2p.log.signing import allowed_signers, signer
from catan_p2p.log.storage import disk
from catan_p2p.log.storage.objects import ObjectId, StoreError
from catan_p2p.log.storage.store import Durability, GitStore
from catan_p2p.log.transport.opening import open_remote
from catan_p2p.log.transport.remote import BadFetch, NotThereYet, Remote, absolute_url
from catan_p2p.log.tree import Objects, first_tree
from catan_p2p.log.verdict import CommitRejected, LoggedStep
from catan_p2p.replication.head_note import HeadNote
from catan_p2p.sealing.group import need_library
from catan_p2p.tables.seat import (
    HEAD_NOTES,
    KEY_FILE,
    PRIVATE_FOLDER,
    SIGNERS_FILE,
    SeatSettings,
    check_key,
    check_vacant,
    data_folder,
    incoming_folder,
    write_settings,
)
from catan_p2p.tables.terms import ExpectedTerms, check_expected
from catan_p2p.time_source import SYSTEM_TIME, TimeSource

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey


def create_seat(
    path: Path,
    game: GameDefinition,
    settings: SeatSettings,
    key: Ed25519PrivateKey | None = None,
    *,
    nonce: str | None = None,
    time_s: int | None = None,
    time: TimeSource = SYSTEM_TIME,
    entropy: Entropy = os.urandom,
    said: Mapping[str, bytes] | None = None,
) -> None:
    """Begin a game: make the repository of its first player, with the root commit.

    ``said`` are commits of the empty tree that the repository should also hold, by ref.

    ``key`` is the first player's private key, if the game has keys. ``StoreError`` if it is another player's, or if the
    repository exists or cannot be made.
    """
    check_key(game, 1, key, str(path))
    with built(path, settings.durability) as store:
        nonce = entropy(16).hex() if nonce is None else nonce
        time_s = int(time.date_s()) if time_s is None else time_s
        sign = None if key is None else signer(key)
        root, _ = root_commit(game, nonce, time_s, store.add, sign)
        store.record(local_ref(game.branch(1)), root, None)
        if game.has_views:
            HeadNote(data_folder() / HEAD_NOTES, root, settings.colour).keep(root)
        for ref, data in (said or {}).items():
            store.add("tree", b"")
            store.record(ref, store.add("commit", data), None)
        furnish(store, game, 1, settings, key)
        explain_keys_to_git(store, path, game)


def join_game(
    url: str,
    path: Path,
    settings: SeatSettings,
    key: Ed25519PrivateKey | None = None,
    expected: ExpectedTerms | None = None,
    *,
    opener: Callable[[str, Path, Path], Remote] = open_remote,
) -> tuple[GameDefinition, ObjectId]:
    """Take the seat of ``settings.colour`` in the game at ``url``: make the player's own repository.

    A player who joins trusts this repository for which game it is and, in a game without keys, for its course so far,
    but for nothing later. ``opener`` opens it, in a process of its own unless the repository is our own work. Returns
    the game and its root commit. Raises ``StoreError``, also for another game than ``expected``, and ``MissingLibrary``
    if hands are hidden and the library for that is not installed.
    """
    with (
        built(path, settings.durability) as store,
        closing(opener(url, store.folder, incoming_folder(store))) as remote,
    ):
        try:
            graph, heads = _copy_game(remote, store, None if expected is None else expected.root)
        except BadFetch as error:
            raise StoreError(str(error)) from None
        game = graph.game
        player = game.player_of(settings.colour)
        if player is None:
            colours = ", ".join(seat.colour for seat in game.seats)
            raise StoreError(f"{url}: nobody plays {settings.colour} there, expected one of {colours}")
        if game.constants.rules.hands == "hidden":
            need_library()
        check_key(game, player, key, url)
        # A log beyond its root shows that somebody has played this seat already.
        own = {head for ref, head in heads.items() if ref.endswith(f"/{branch_name(game.branch(player))}")}
        check_expected(game, player, bool(own - {graph.root}), expected or ExpectedTerms(), url)
        store.record(local_ref(game.branch(player)), graph.head, None)
        if (reply := graph.replies.get(player)) is not None:
            branch = game.branch_for(graph.head, reply.action)
            store.record(local_ref(branch), reply.commit, None)
        # Over a relay everybody is found there; otherwise the repository joined from is its host's.
        if settings.relay is None and (host := _host(graph, remote)) not in (None, settings.colour):
            settings.remotes.setdefault(str(host), absolute_url(url))
        furnish(store, game, player, settings, key)
        explain_keys_to_git(store, path, game)
    return game, graph.root


def _host(graph: CommitGraph, remote: Remote) -> str | None:
    """The player whose repository a remote is: the only one whose log is a branch of it; None if unclear."""
    logs = {graph.game.branch(player): player for player in graph.game.constants.players}
    there = remote.heads([local_ref(branch) for branch in logs])
    hosts = [branch.colour for branch in logs if local_ref(branch) in there]
    return hosts[0] if len(hosts) == 1 else None


def _copy_game(remote: Remote, store: GitStore, root: ObjectId | None) -> tuple[CommitGraph, Mapping[str, ObjectId]]:
    """Validate the game in a repository, and add all of it to the store; nothing is recorded yet.

    Without ``root``, the game is the one that some branch leads to.
    """
    heads = {**remote.heads((), HEADS), **remote.heads((), REMOTES)}
    heads = {ref: head for ref, head in heads.items() if branch_at(ref) is not None}
    if not heads:
        raise StoreError(f"{remote.url}: not a game: it has no branch such as Red_0")
    remote.bring(heads)
    graph = read_root(root, remote.read) if root is not None else _game_at(heads.values(), remote.read)
    if isinstance(graph, CommitRejected) and graph.reason == "missing":
        raise NotThereYet(
            f"{remote.url}: what its branches lead to is missing so far; if a sync service is still copying the "
            "folder, try again when it is done"
        )
    if isinstance(graph, CommitRejected):
        raise StoreError(f"{remote.url}: {graph}")
    write_root(graph, remote.read, store)
    for head in heads.values():
        copy_commits(graph, head, remote.read, store)
    return graph, heads


def _game_at(heads: Iterable[ObjectId], read: Read) -> CommitGraph | CommitRejected:
    """The game of the first head that can be read: what others lead to may not have arrived yet."""
    graph: CommitGraph | CommitRejected | None = None
    for head in heads:
        graph = read_game(head, read)
        if isinstance(graph, CommitGraph) or graph.reason != "missing":
            break
    assert graph is not None
    return graph


def write_root(graph: CommitGraph, read: Read, store: GitStore) -> None:
    """Add the root commit of a graph to a store, with its files, which are made anew."""
    first_tree(graph.game, initial_state(graph.game.constants), store.add)
    store.add("commit", read(graph.root)[1])


def copy_commits(graph: CommitGraph, head: ObjectId, read: Read, store: GitStore) -> None:
    """Validate the history of a head and add it to graph and store, up to the first refused commit."""

    def keep(step: LoggedStep, made: Objects) -> None:
        for kind, data in made:
            store.add(kind, data)

    take_in(graph, head, read, keep)


@contextmanager
def built(path: Path, durability: Durability = "power") -> Iterator[GitStore]:
    """Make a repository that appears at ``path`` only if all goes well: it is made under another name and renamed."""
    beside = path.with_name(f".{path.name}.new")
    try:
        check_vacant(path)
        if beside.exists():
            shutil.rmtree(beside)
        disk.make_folder(beside.parent)
        with GitStore.create(beside, branch="game", durability=durability) as store:
            yield store
        # check_vacant allows an empty folder, and a folder cannot be renamed onto another one on Windows.
        if path.exists():
            path.rmdir()
        if durability == "power":
            disk.sync_tree(beside)
        beside.rename(path)
        if durability == "power":
            disk.sync_folder(path.parent)
    except OSError as error:
        raise StoreError(f"{path}: cannot make the repository: {error.strerror or error}") from error
    finally:
        shutil.rmtree(beside, ignore_errors=True)


def furnish(
    store: GitStore, game: GameDefinition, player: int, settings: SeatSettings, key: Ed25519PrivateKey | None
) -> None:
    """Write a seat's private files, and check the game out."""
    home = store.folder / PRIVATE_FOLDER
    if key is not None and game.seats[player - 1].key is not None:
        write_private_key(key, home / KEY_FILE)
    write_settings(store.folder, settings)
    store.check_out(local_ref(game.branch(player)))


def explain_keys_to_git(store: GitStore, path: Path, game: GameDefinition) -> None:
    """Configure a repository so that ``git verify-commit`` and ``git log --show-signature`` know the keys.

    ``path`` is the later place of the repository.
    """
    if all(seat.key is None for seat in game.seats):
        return
    place = Path(PRIVATE_FOLDER) / SIGNERS_FILE
    file = store.folder / place
    with disk.explained("write", file):
        file.write_text(allowed_signers(game), "utf-8")
        with store.repo.config_writer() as config:
            config.set_value("gpg", "format", "ssh")
            config.set_value('gpg "ssh"', "allowedSignersFile", str(path.absolute() / ".git" / place))
