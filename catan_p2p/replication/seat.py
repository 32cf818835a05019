"""A player's seat on disk: the repository, and beside the tracked files what is the player's own affair.

Everything private is in the folder ``catan-p2p`` inside the Git folder, which Git never sends to anybody: ``key``
(readable by its owner only), ``seat.json`` (colour, secret seed, remotes), ``allowed_signers``.
"""

from __future__ import annotations

import json
import os
import shutil
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from catan_p2p.actions.replies import REPLIES
from catan_p2p.chance import seed_secret
from catan_p2p.log.game import Game
from catan_p2p.log.graph import Graph
from catan_p2p.log.keys import Entropy, key_secret, read_private_key, spell_public_key, write_private_key
from catan_p2p.log.reading import Read, find_root, new_commits, read_root
from catan_p2p.log.refs import HEADS, REMOTES, branch_name, chat_ref, local_ref, parse_branch
from catan_p2p.log.root import root_commit
from catan_p2p.log.signing import allowed_signers, signer
from catan_p2p.log.storage import disk
from catan_p2p.log.storage.objects import Damaged, ObjectId, StoreError
from catan_p2p.log.storage.store import Durability, Store
from catan_p2p.log.transport.asking import Asked
from catan_p2p.log.transport.meeting import Meeting
from catan_p2p.log.transport.opening import open_remote
from catan_p2p.log.transport.remote import BadFetch, Remote, absolute_url
from catan_p2p.log.transport.their_files import git_folder
from catan_p2p.log.transport.worker_remote import WorkerRemote
from catan_p2p.log.tree import first_tree
from catan_p2p.log.verdict import Rejected
from catan_p2p.peer import Chooser, Clock, Randomness
from catan_p2p.replication.relay import PLACE, Relay
from catan_p2p.replication.replica import Replica
from catan_p2p.replication.soundness import check_objects
from catan_p2p.replication.terms import Expected, check_expected
from catan_p2p.state import initial_state
from catan_p2p.time_source import SYSTEM_TIME, TimeSource

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

PRIVATE_FOLDER = "catan-p2p"
SETTINGS_FILE = "seat.json"
KEY_FILE = "key"
SIGNERS_FILE = "allowed_signers"
INCOMING_FOLDER = "incoming"
CLOCKS = ("wall", "logical")


@dataclass(slots=True)
class SeatSettings:
    """What a peer must know to go on after a restart."""

    colour: str
    seed: int
    """Where the player's choices and chances come from; nobody else knows it."""
    clock: str = "wall"
    """``wall``: commits are dated with the time of day; ``logical``: with their place in the log."""
    policy: str | None = None
    remotes: dict[str, str] = field(default_factory=dict)
    """URL by colour."""
    relay: str | None = None
    """URL of a repository to which all players push their own branches."""
    durable: bool = True
    """Whether what is shown outlives a loss of power; a simulation can do without."""

    @property
    def sources(self) -> dict[str, str]:
        """The URL of every repository in which something of the game is, by whose it is."""
        return self.remotes if self.relay is None else self.remotes | {PLACE: self.relay}

    @property
    def durability(self) -> Durability:
        """The same as the store has it."""
        return "power" if self.durable else "process"


def private_folder(path: Path) -> Path:
    """The folder for what is private, of the repository at ``path``; ``StoreError`` if it is no repository."""
    return git_folder(path) / PRIVATE_FOLDER


def read_settings(path: Path) -> SeatSettings:
    """The settings of the seat at ``path``; ``StoreError`` if it is none."""
    file = private_folder(path) / SETTINGS_FILE
    try:
        raw = json.loads(file.read_text("utf-8"))
        settings = SeatSettings(**raw)
        if settings.clock not in CLOCKS or not isinstance(settings.seed, int):
            raise ValueError("not a clock, or not a seed")
        if not isinstance(settings.remotes, dict) or not isinstance(settings.colour, str):
            raise ValueError("not a colour, or not remotes")
    except FileNotFoundError:
        raise StoreError(f"{path}: nobody's seat: it was made by neither new-game nor join") from None
    except OSError as error:
        raise StoreError(f"{file}: cannot read: {error.strerror or error}") from error
    except (ValueError, TypeError) as error:
        raise StoreError(
            f"{file}: not the settings of a seat: {error}; "
            "take the seat again with: catan-p2p join URL NEW_DIR --as COLOUR"
        ) from None
    return settings


def write_settings(path: Path, settings: SeatSettings) -> None:
    """Write the settings of the seat at ``path``, whole or not at all."""
    file = private_folder(path) / SETTINGS_FILE
    beside = file.with_suffix(".new")
    try:
        descriptor = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(descriptor, "w", encoding="utf-8") as out:
            json.dump(asdict(settings), out, indent=2)
            out.write("\n")
            out.flush()
            disk.sync(out.fileno())
        beside.replace(file)
        disk.sync_folder(file.parent)
    except OSError as error:
        raise StoreError(f"{file}: cannot write: {error.strerror or error}") from error


def read_seat_key(path: Path) -> Ed25519PrivateKey | None:
    """The private key of the seat at ``path``, None if it has none."""
    file = private_folder(path) / KEY_FILE
    return read_private_key(file) if file.exists() else None


def create_seat(
    path: Path,
    game: Game,
    settings: SeatSettings,
    key: Ed25519PrivateKey | None = None,
    *,
    nonce: str | None = None,
    time_s: int | None = None,
    time: TimeSource = SYSTEM_TIME,
    entropy: Entropy = os.urandom,
) -> None:
    """Begin a game: make the repository of its first player, with the root commit.

    ``key`` is the first player's private key, if the game has keys. ``StoreError`` if it is another's, or if the
    repository exists or cannot be made.
    """
    _check_key(game, 1, key, str(path))
    with built(path, settings.durability) as store:
        nonce = entropy(16).hex() if nonce is None else nonce
        time_s = int(time.date_s()) if time_s is None else time_s
        sign = None if key is None else signer(key)
        root, _ = root_commit(game, nonce, time_s, store.add, sign)
        store.record(local_ref(game.branch(1)), root, None)
        furnish(store, game, 1, settings, key)
    explain_keys_to_git(path, game)


def join_game(
    url: str,
    path: Path,
    settings: SeatSettings,
    key: Ed25519PrivateKey | None = None,
    expected: Expected | None = None,
) -> tuple[Game, ObjectId]:
    """Take the seat of ``settings.colour`` in the game at ``url``: make the player's own repository.

    Who joins trusts this one repository for which game it is and, in a game without keys, for what was played so far;
    nothing after that. Returns the game and its root commit. Raises ``StoreError``, also for another game than
    ``expected``.
    """
    with (
        built(path, settings.durability) as store,
        closing(open_remote(url, store.folder, incoming_folder(store))) as remote,
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
        _check_key(game, player, key, url)
        own = {head for ref, head in heads.items() if ref.endswith(f"/{branch_name(game.branch(player))}")}
        check_expected(game, player, bool(own - {graph.root}), expected or Expected(), url)
        store.record(local_ref(game.branch(player)), graph.head, None)
        if (reply := graph.replies.get(player)) is not None:
            branch = game.reply_branch(graph.head, REPLIES[type(reply.action)], player)
            store.record(local_ref(branch), reply.commit, None)
        if settings.relay is None and (host := _host(graph, remote)) not in (None, settings.colour):
            settings.remotes.setdefault(str(host), absolute_url(url))
        furnish(store, game, player, settings, key)
    explain_keys_to_git(path, game)
    return game, graph.root


def _host(graph: Graph, remote: Remote) -> str | None:
    """Whose repository a remote is: the only player whose log is a branch of it."""
    logs = {graph.game.branch(player): player for player in graph.game.constants.players}
    there = remote.heads([local_ref(branch) for branch in logs])
    hosts = [branch.colour for branch in logs if local_ref(branch) in there]
    return hosts[0] if len(hosts) == 1 else None


def incoming_folder(store: Store) -> Path:
    """Where remotes put what they have fetched and nobody has validated."""
    return store.folder / PRIVATE_FOLDER / INCOMING_FOLDER


def _copy_game(remote: Remote, store: Store, root: ObjectId | None) -> tuple[Graph, Mapping[str, ObjectId]]:
    """Validate the game that a repository holds, and add all of it to the store; nothing is recorded yet.

    Without ``root``, the game is the one that some branch leads to.
    """
    heads = {**remote.heads((), HEADS), **remote.heads((), REMOTES)}
    heads = {ref: head for ref, head in heads.items() if parse_branch(ref.rpartition("/")[2]) is not None}
    if not heads:
        raise StoreError(f"{remote.url}: not a game: it has no branch such as Red_0")
    remote.bring(heads)
    found = find_root(next(iter(heads.values())), remote.read) if root is None else root
    graph = found if isinstance(found, Rejected) else read_root(found, remote.read)
    if isinstance(graph, Rejected):
        raise StoreError(f"{remote.url}: {graph}")
    write_root(graph, remote.read, store)
    for head in heads.values():
        copy_commits(graph, head, remote.read, store)
    return graph, heads


def write_root(graph: Graph, read: Read, store: Store) -> None:
    """Add the root commit of a graph to a store, with its files made anew."""
    first_tree(graph.game, initial_state(graph.game.constants), store.add)
    store.add("commit", read(graph.root)[1])


def copy_commits(graph: Graph, head: ObjectId, read: Read, store: Store) -> None:
    """Validate what leads to a head and add it to graph and store, up to the first commit that is refused."""
    commits = new_commits(head, graph, read)
    for commit, data in [] if isinstance(commits, Rejected) else commits:
        step = graph.check(commit, data)
        if isinstance(step, Rejected):
            return
        graph.check(commit, data, store.add)
        store.add("commit", data)
        graph.add(step)


@contextmanager
def built(path: Path, durability: Durability = "power") -> Iterator[Store]:
    """A new repository that appears at ``path`` when all has gone well: it is made beside and renamed."""
    beside = path.with_name(f".{path.name}.new")
    try:
        if path.exists() and (not path.is_dir() or any(path.iterdir())):
            raise StoreError(f"{path}: already exists and is not an empty folder")
        if beside.exists():
            shutil.rmtree(beside)
        disk.make_folder(beside.parent)
        with Store.create(beside, branch="game", durability=durability) as store:
            yield store
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


def _check_key(game: Game, player: int, key: Ed25519PrivateKey | None, where: str) -> None:
    seat = game.seats[player - 1]
    if seat.key is not None and (key is None or spell_public_key(key) != seat.key):
        problem = "no private key was given" if key is None else "the private key is not theirs"
        raise StoreError(f"{where}: {seat.colour} has a key in this game: {problem}")


def furnish(store: Store, game: Game, player: int, settings: SeatSettings, key: Ed25519PrivateKey | None) -> None:
    """Write a seat's private files, and check the game out."""
    home = store.folder / PRIVATE_FOLDER
    if key is not None and game.seats[player - 1].key is not None:
        write_private_key(key, home / KEY_FILE)
    write_settings(store.folder, settings)
    store.check_out(local_ref(game.branch(player)))


def explain_keys_to_git(path: Path, game: Game) -> None:
    """Configure the repository so that ``git verify-commit`` and ``git log --show-signature`` know the keys."""
    if all(seat.key is None for seat in game.seats):
        return
    file = private_folder(path) / SIGNERS_FILE
    with Store.open(path, writer=None) as store:
        try:
            file.write_text(allowed_signers(game), "utf-8")
            with store.repo.config_writer() as config:
                config.set_value("gpg", "format", "ssh")
                config.set_value('gpg "ssh"', "allowedSignersFile", str(file.absolute()))
            for changed in (file, store.folder / "config"):
                disk.sync_file(changed)
            disk.sync_folder(store.folder)
        except OSError as error:
            raise StoreError(f"{file}: cannot write: {error.strerror or error}") from error


Opener = Callable[[str, Path, Path, threading.Condition], Asked]
"""Makes the remote at a URL from the own Git folder, one for what is fetched, and what its answers notify."""


@contextmanager
def opened_seat(
    path: Path,
    settings: SeatSettings,
    chooser: Chooser,
    randomness: Callable[[int, int], Randomness],
    clock: Clock,
    *,
    alone: bool = False,
    opener: Opener = open_remote,
    has_chat: bool = True,
    time: TimeSource = SYSTEM_TIME,
) -> Iterator[Replica]:
    """The replica of the seat at ``path``, with what the repository holds taken in.

    ``randomness`` makes the generators from the seat's seed and the game's number, ``opener`` the remotes. With
    ``alone`` it acts before it has heard what others hold of its own log: only for who knows that nothing newer is
    anywhere. Without ``has_chat`` it hears nothing of what the players say, and passes nothing on. Raises ``Damaged``
    for a repository that lacks objects of the game or holds damaged ones.
    """
    key = read_seat_key(path)
    with Store.open(path, durability=settings.durability, time=time) as store:
        news = threading.Condition()

        def reach(colour: str, url: str) -> Asked:
            return opener(url, store.folder, incoming_folder(store) / colour, news)

        def meet(url: str, game: Game, player: int) -> Relay:
            return _open_relay(url, store, game, player, news, time, has_chat=has_chat)

        replica = seated_replica(
            store,
            settings,
            key,
            chooser,
            randomness,
            clock,
            reach,
            meet,
            has_chat=has_chat,
            alone=alone,
            time=time,
        )
        try:
            yield replica
        finally:
            replica.close()


def _open_relay(
    url: str,
    store: Store,
    game: Game,
    player: int,
    news: threading.Condition,
    time: TimeSource,
    *,
    has_chat: bool,
) -> Relay:
    if any(seat.key is None for seat in game.seats):
        raise StoreError(
            f"{url}: no relay for a game without keys: whoever may push there could write in anybody's name; "
            "begin one with: catan-p2p host --relay URL"
        )
    remote = WorkerRemote(url, store.folder, incoming_folder(store) / PLACE, news, time)
    words = [chat_ref(seat.colour, game.number) for seat in game.seats] if has_chat else []
    return Relay(Meeting(remote, words, time), game, player, time, has_chat=has_chat)


def seated_replica(
    store: Store,
    settings: SeatSettings,
    key: Ed25519PrivateKey | None,
    chooser: Chooser,
    randomness: Callable[[int, int], Randomness],
    clock: Clock,
    reach: Callable[[str, str], Asked],
    meet: Callable[[str, Game, int], Relay],
    *,
    has_chat: bool = True,
    alone: bool = False,
    time: TimeSource = SYSTEM_TIME,
) -> Replica:
    """The replica over an open store, with what that holds taken in; ``reach`` opens the remotes.

    ``meet`` opens the relay, where there is one. Raises what ``opened_seat`` does.
    """
    dirt = check_objects(store)
    graph = _open_graph(store, key)
    player = graph.game.player_of(settings.colour)
    if player is None:
        raise StoreError(f"{store.folder}: nobody plays {settings.colour} in this game")
    _check_key(graph.game, player, key, str(store.folder))
    remotes = {colour: reach(colour, url) for colour, url in settings.remotes.items()}
    random = randomness(settings.seed, graph.game.number)
    secret = seed_secret(settings.seed) if key is None else key_secret(key)
    relay = None if settings.relay is None else meet(settings.relay, graph.game, player)
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
        time=time,
    )
    replica.dirt = dirt
    try:
        replica.resume()
    except BaseException:
        replica.close()
        raise
    return replica


def _open_graph(store: Store, key: Ed25519PrivateKey | None) -> Graph:
    found = store.list_refs(HEADS, broken=[])
    heads = {ref: head for ref, head in found.items() if parse_branch(ref.removeprefix(HEADS))}
    if not heads:
        raise Damaged(f"{store.folder}: not a game, or its log is lost: it has no branch such as Red_0")
    root = find_root(next(iter(heads.values())), store.read)
    graph = root if isinstance(root, Rejected) else read_root(root, store.read, None if key is None else signer(key))
    if isinstance(graph, Rejected):
        raise Damaged(f"{store.folder}: {graph}")
    return graph
