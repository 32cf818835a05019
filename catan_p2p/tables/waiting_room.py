"""Where a player waits until all are at the table: the key, what was agreed, and a repository to push from.

The waiting room is a folder beside that of the later seat, ``.<name>.table``. It outlives an interruption, after which
the same verb goes on, and is removed once the seat is made.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Container, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from catan_p2p.log import keys
from catan_p2p.log.commit import Commit, Signature
from catan_p2p.log.dictionaries import RecentItems
from catan_p2p.log.game import GameDefinition
from catan_p2p.log.refs import HEADS
from catan_p2p.log.signing import signer
from catan_p2p.log.storage import disk
from catan_p2p.log.storage.objects import (
    ObjectDamaged,
    ObjectFalse,
    ObjectId,
    ObjectMissing,
    ObjectTooLarge,
    StoreError,
)
from catan_p2p.log.storage.store import GitStore
from catan_p2p.log.transport.pacing import Backoff
from catan_p2p.log.transport.quarantine import Quarantine, sweep
from catan_p2p.log.transport.queries import PushMove
from catan_p2p.log.transport.remote import BadFetch, NotThereYet, RemoteUnreachable
from catan_p2p.log.transport.serve import Address, free_port
from catan_p2p.log.transport.worker_remote import WorkerRemote
from catan_p2p.tables.records import BadRecord, parse_seat, why_not
from catan_p2p.tables.seat import check_vacant, write_private
from catan_p2p.tables.status import read_status
from catan_p2p.tables.waiting_folder import AGREED_FILE, KEY_FILE, leave_room, read_agreed, room_folder
from catan_p2p.time_source import SYSTEM_TIME, TimeSource

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

T = TypeVar("T")

Told = Callable[[str], None]
"""Called with what happens, a line each."""

TABLES = "refs/tables/"
BRANCH_TABLES = "refs/heads/tables/"
_REPOSITORY = "repository"
_AUTHOR = "table"
_FOLDER_S, _SERVER_S, _TELLING_S = 0.2, 2.0, 10.0
"""The pauses between two looks at the remote: a folder, a server, and a server that announces changes."""


def with_port(path: Path, address: Address) -> Address:
    """The address with a port for others: for port 0 the port that this seat had before, or a free one."""
    host, port = address
    if port == 0:
        kept = (read_agreed(path) or {}).get("port")
        port = kept if isinstance(kept, int) and kept > 0 else free_port(host)
    return host, port


def table_ref(number: int, name: str) -> str:
    """``refs/tables/0/terms``, or ``refs/tables/0/Blue`` for a record of a player."""
    return f"{TABLES}{number}/{name}"


def branch_of(ref: str) -> str:
    """``refs/heads/tables/0/terms``: the place of ``refs/tables/0/terms`` at a relay that takes only branches."""
    return BRANCH_TABLES + ref.removeprefix(TABLES)


class MayNotPush(RemoteUnreachable):
    """The remote can be read, but takes no push at all."""


class WaitingRoom:
    """What is kept until the game begins. ``agreed`` holds plain values, which ``keep`` writes."""

    def __init__(
        self,
        folder: Path,
        store: GitStore,
        key: Ed25519PrivateKey,
        agreed: dict[str, Any],
        url: str,
        time: TimeSource = SYSTEM_TIME,
        entropy: keys.Entropy = os.urandom,
    ) -> None:
        self.time = time
        self.entropy = entropy
        self.folder = folder
        self.store = store
        self.key = key
        self.agreed = agreed
        self.remote = WorkerRemote(url, store.folder, folder / "incoming")
        self.remote.read_s = self.remote.heads_s
        self._absent: dict[ObjectId, Backoff] = RecentItems()
        """When to ask again for records that have not arrived."""
        self._places: dict[str, str] = {}
        """Where each record was seen last, by its regular ref."""
        self.knock: Callable[[bytes], None] | None = None
        """How to say something where nothing can be pushed."""

    def keep(self, **agreed: Any) -> None:
        """Add these values to what was agreed, and write it."""
        self.agreed |= agreed
        write_private(self.folder / AGREED_FILE, json.dumps(self.agreed))

    def say(
        self,
        ref: str,
        kind: str,
        fields: Mapping[str, str],
        old: ObjectId | None = None,
        key: Ed25519PrivateKey | None = None,
    ) -> str | None:
        """Put a signed record at a ref of the remote, where ``old`` is; None if that worked, else why it was refused.

        It is signed with ``key``, by default the room's. Raises ``RemoteUnreachable``, and ``StoreError`` for a record
        that no reader takes.
        """
        time_s = int(self.time.date_s())
        author = Signature(_AUTHOR, f"{_AUTHOR}@catan-p2p.invalid", time_s)
        key = self.key if key is None else key
        fields = {**fields, "Key": keys.spell_public_key(key)}
        message = f"{kind}\n\n" + "".join(f"{name}: {value}\n" for name, value in fields.items())
        commit = signer(key)(Commit(self.store.add("tree", b""), (), author, author, message))
        # Checked before it is kept: a record that readers refuse could not be replaced by a good one.
        if (why := why_not(commit.encode(), kind)) is not None:
            raise StoreError(f"{ref}: no player would accept this record: {why}")
        oid, before = self.store.add("commit", commit.encode()), self.store.own_ref(ref)
        self.store.record(ref, oid, before)
        self.store.publish()
        if self.knock is not None:
            return self._knock(ref, commit.encode())
        try:
            why = self.push(ref, oid, old)
        except MayNotPush:
            if before is None:  # nobody can have read it
                self.store.delete_ref(ref, oid)
                self.store.publish()
            raise
        if why is None or old is not None or self.heads(ref):
            return why
        return why if self.push(branch_of(ref), oid) is not None else None

    def _knock(self, ref: str, data: bytes) -> str | None:
        assert self.knock is not None
        self.knock(json.dumps([ref, data.decode()]).encode())
        return None

    def repeat(self, ref: str) -> None:
        """Say the record of a ref at the door again: a host who has restarted may have forgotten it."""
        if self.knock is not None and (said := self.store.own_ref(ref)) is not None:
            self._knock(ref, self.store.read(said)[1])

    def admit(
        self, said: bytes, address: str, refs: Container[str], parse: Callable[[bytes], object | BadRecord] = parse_seat
    ) -> str | None:
        """Put a record that somebody has said at the door, such as the claim of a seat, where it belongs.

        Returns the ref; None if it is no such record, or if the ref has one already. The address is kept.
        """
        try:
            ref, text = json.loads(said)
            data = text.encode()
            if ref not in refs or self.store.read_ref(ref) is not None or isinstance(parse(data), BadRecord):
                return None
        except (ValueError, TypeError, AttributeError, RecursionError):
            return None
        self.keep(came={**self.agreed.get("came", {}), ref: address})
        self.store.add("tree", b"")
        self.store.record(ref, self.store.add("commit", data), None)
        self.store.publish()
        return str(ref)

    def free(self, ref: str, old: ObjectId) -> None:
        """Remove the record at a ref of the remote."""
        if self.store.read_ref(ref) == old:  # it was said at our door
            self.store.delete_ref(ref, old)
            self.store.publish()
        else:
            self.remote.push([PushMove(self._places.get(ref, ref), old, None)])

    def withdraw(self, ref: str) -> None:
        """Remove an own record from the remote."""
        if (there := self.heads(ref).get(ref)) is not None:
            self.remote.push([PushMove(self._places[ref], there, None)])

    def push(self, ref: str, new: ObjectId, old: ObjectId | None = None) -> str | None:
        """Move a ref of the remote; None if that worked, else why it was refused.

        ``MayNotPush``, ``RemoteUnreachable``.
        """
        move = PushMove(ref, old, new, is_forced=old is not None)
        try:
            return self.remote.push([move]).get(ref)
        # The second attempt below tells a refusal from an interruption.
        except RemoteUnreachable:
            self.remote.heads((ref,))  # what cannot be read either is only away
        try:
            return self.remote.push([move]).get(ref)
        except RemoteUnreachable as error:
            self.remote.heads((ref,))
            url = self.remote.url
            why = str(error).removeprefix(f"{url}: ")
            raise MayNotPush(
                f"{url}: can be read, but you may not push there: {why}; ask the owner of the relay to let players push"
            ) from None

    def heads(self, *refs: str) -> dict[str, ObjectId]:
        """Where these refs of the remote are, be it under their own names or as branches."""
        there = self.remote.heads((*refs, *(branch_of(ref) for ref in refs if ref.startswith(TABLES))))
        self.remote.follow((HEADS, TABLES))
        for ref in refs:
            self._places[ref] = branch_of(ref) if ref not in there and branch_of(ref) in there else ref
        return {ref: there[place] for ref in refs if (place := self._places[ref]) in there}

    def records(
        self, heads: Mapping[str, ObjectId], parse: Callable[[bytes], T | BadRecord]
    ) -> dict[str, T | BadRecord]:
        """What the records at these refs of the remote say; a bad record does not hide the others.

        Those that have not arrived yet are left out: a sync service may copy a ref before what it leads to.
        """
        found: dict[str, T | BadRecord] = {}
        for ref, head in heads.items():
            with suppress(NotThereYet):
                found[ref] = self.record(ref, head, parse)
        return found

    def record(self, ref: str, head: ObjectId, parse: Callable[[bytes], T | BadRecord]) -> T | BadRecord:
        """What the record at a ref of the remote says; ``NotThereYet`` if it has not arrived."""
        absent = self._absent.get(head) or Backoff(time=self.time)
        if absent.is_over:
            try:
                self.remote.bring({self._places.get(ref, ref): head})
                kind, data = self.remote.read(head)
                return parse(data) if kind == "commit" else BadRecord(f"a {kind} in the place of a record")
            except (ObjectFalse, ObjectTooLarge) as error:
                return BadRecord(str(error))
            except BadFetch as error:
                if error.reason != "missing":
                    return BadRecord(str(error))
                absent.failed(error)
            except (ObjectMissing, ObjectDamaged) as error:
                absent.failed(error)
            # Whoever names what never comes is asked less and less often.
            self._absent[head] = absent
        raise self.awaits(f"what {ref} leads to")

    def awaits(self, what: str) -> NotThereYet:
        """The error of something that has not arrived yet."""
        if self.remote.is_folder:
            return NotThereYet(f"{self.remote.url}: the folder is still being copied here: {what} is missing")
        return NotThereYet(f"{self.remote.url}: {what} is missing there so far")

    def pause(self) -> None:
        """Wait before the next look at the remote: if the remote announces changes, until one may have come."""
        if not self.remote.is_telling:
            self.time.sleep(_FOLDER_S if self.remote.is_folder else _SERVER_S)
            return
        with self.remote.news:
            self.remote.news.wait_for(lambda: self.remote.may_be_new, _TELLING_S)


def own_repository(path: Path) -> Path:
    """The repository of the waiting room of the seat at ``path``."""
    return room_folder(path) / _REPOSITORY


@contextmanager
def waiting_room(
    path: Path, url: str, agreed: Mapping[str, Any], key: Ed25519PrivateKey | None = None
) -> Iterator[WaitingRoom]:
    """The waiting room of the seat that will be at ``path``: an existing one, or a new one.

    Nobody else knows of a room in which nothing has been said yet. It is removed after an error, and never continued,
    so that a command with a mistake can be corrected.
    """
    folder = room_folder(path)
    _sweep_half_made(folder)
    # What is left of a room that was being left when its program was killed.
    if not _is_whole(folder):
        leave_room(path)
    check_vacant(path)
    if _is_whole(folder):
        with GitStore.open(folder / _REPOSITORY) as store:
            is_of_use = _has_said(store)
        if not is_of_use:
            leave_room(path)
    with disk.explained("make the waiting room", folder):
        if not _is_whole(folder):
            _make(folder, agreed, keys.new_private_key() if key is None else key)
    is_of_use = True
    try:
        with GitStore.open(folder / _REPOSITORY, durability="power") as store:
            sweep(folder / "incoming")
            kept = read_agreed(path)
            room = WaitingRoom(folder, store, keys.read_private_key(folder / KEY_FILE), kept or {}, url)
            try:
                yield room
            finally:
                room.remote.close()
                is_of_use = _has_said(store)
    except BaseException:
        if not is_of_use:
            leave_room(path)
        raise


def _make(folder: Path, agreed: Mapping[str, Any], key: Ed25519PrivateKey) -> None:
    """Make a waiting room beside its place, and move it there unless another program was faster."""
    beside = Quarantine(_half_made(folder) / Quarantine.new_name())
    beside.begin()
    try:
        made = beside.folder / "room"
        made.mkdir(mode=0o700)
        with GitStore.create(made / _REPOSITORY, work_tree=False, durability="power"):
            pass
        keys.write_private_key(key, made / KEY_FILE)
        # Synced before the rename, so that a loss of power leaves a whole room or none.
        disk.sync_tree(made)
        write_private(made / AGREED_FILE, json.dumps(dict(agreed)))
        try:
            made.rename(folder)
        except OSError:
            if not _is_whole(folder):
                raise
    finally:
        beside.clear()
        _sweep_half_made(folder)
    disk.sync_folder(folder.parent)


def _half_made(folder: Path) -> Path:
    """Where waiting rooms are made before they are moved to ``folder``."""
    return folder.with_name(f"{folder.name}.new")


def _sweep_half_made(folder: Path) -> None:
    """Remove what killed programs have left where waiting rooms are made; one that is being made stays."""
    sweep(_half_made(folder))
    with suppress(OSError):
        _half_made(folder).rmdir()


def _has_said(store: GitStore) -> bool:
    """Whether a room has said anything that others may have read: it keeps each record before it shows it."""
    return bool(store.list_refs(TABLES))


def _is_whole(folder: Path) -> bool:
    """Whether a waiting room is complete: neither half made nor half removed."""
    return (folder / AGREED_FILE).is_file() and (folder / KEY_FILE).is_file()


class TableLooks:
    """Looks at the remote with a pause between two; tells if it cannot be reached, and goes on trying."""

    def __init__(self, room: WaitingRoom, tell: Told) -> None:
        self._room, self._tell = room, tell
        self._is_first = True
        self._trouble: RemoteUnreachable | None = None

    def __enter__(self) -> None:
        if not self._is_first:
            self._room.pause()
        self._is_first = False

    def at_once(self) -> None:
        """Skip the pause before the next look, which is for something else."""
        self._is_first = True

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: object) -> bool:
        trouble = error if isinstance(error, RemoteUnreachable) else None
        if str(trouble) != str(self._trouble):
            was_waiting = isinstance(self._trouble, NotThereYet)
            self._tell(str(trouble or ("it has arrived" if was_waiting else "the table can be reached again")))
        self._trouble = trouble
        return trouble is not None


def patiently(wait: TableLooks, do: Callable[[], T]) -> T:
    """Call ``do`` until it reaches the remote, and return its result: a host who begins the game is briefly away."""
    wait.at_once()
    while True:
        with wait:
            return do()


def begun_game(path: Path, **agreed: object) -> tuple[GameDefinition, ObjectId] | None:
    """The game and root at ``path``, if by this agreement the seat was made just before an interruption."""
    kept = read_agreed(path)
    if kept is None or any(kept.get(name) != value for name, value in agreed.items()):
        return None
    if not path.is_dir() or not any(path.iterdir()):
        return None
    graph = read_status(path).graph
    return graph.game, graph.root


def check_role(room: WaitingRoom, path: Path, *, is_host: bool) -> None:
    """Raise ``StoreError`` if the room was made for another table, or for another role at it."""
    if room.agreed.get("host") != is_host or room.agreed.get("relay") != room.remote.url:
        raise StoreError(
            f"{path}: a player waits for another table there; choose another folder, or remove {room.folder}"
        )
