"""One Git repository as the place of append-only logs: bytes, object ids and refs, nothing about games.

A writer adds objects and records, with the move of a ref, what they are for. ``record`` is one append to a
journal inside the Git folder: when it returns, the action outlives ``kill -9``. ``publish`` writes what was
recorded as one pack and moves the refs, as Git itself would; from then on every Git client sees it. Opening
a store replays its journal.

GitPython creates and configures repositories, reads objects and runs everything that is not done once an
action.
"""

from __future__ import annotations

import re
from collections import OrderedDict
from pathlib import Path
from types import TracebackType
from typing import Literal, Self, cast

import git
from git.exc import GitCommandError, InvalidGitRepositoryError, NoSuchPathError

from catan_p2p.log import disk
from catan_p2p.log.journal import Journal, Move, Record
from catan_p2p.log.lock import ProcessLock
from catan_p2p.log.objects import (
    Damaged,
    ObjectId,
    ObjectKind,
    ObjectMissing,
    RefMoved,
    StoreError,
    object_id,
    parse_object_id,
)
from catan_p2p.log.pack import PackBuilder, restore_entries
from catan_p2p.log.ref_files import RefFiles, check_ref_name
from catan_p2p.log.shelf import Shelf

Durability = Literal["process", "power"]

CONFIG = {
    ("gc", "auto"): "0",
    ("gc", "autoDetach"): "false",
    ("gc", "writeCommitGraph"): "false",
    ("maintenance", "auto"): "false",
    ("core", "logAllRefUpdates"): "false",
    ("core", "autocrlf"): "false",
    ("pack", "writeReverseIndex"): "false",
    ("repack", "writeBitmaps"): "false",
}
"""What a new repository is configured with: no collection behind our back, no reflogs, files as they are."""

_HOME = "catan-p2p"
_WRITER_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]*")
_PATIENCE_S = 10.0
_CACHE_BYTES = 2 << 20
_KNOWN_MAX = 200_000


class Store:
    """An open repository. One thread of one process at a time; one writer process per writer name; any
    number of readers.

    ``repo`` is GitPython's view of it. ``replayed`` counts the records that a killed process had
    acknowledged and not published, and which opening has published; ``set_aside`` is the file with damaged
    journal records, if there were any.
    """

    def __init__(self, repo: git.Repo, writer: str | None, durability: Durability, patience_s: float) -> None:
        self.repo = repo
        self.folder = Path(repo.common_dir).absolute()
        self.replayed = 0
        self.set_aside: Path | None = None
        self._refs = RefFiles(self.folder, patience_s=patience_s, durable=durability == "power")
        self._builder = PackBuilder()
        self._recorded_count = 0
        self._objects: dict[ObjectId, tuple[ObjectKind, bytes]] = {}
        self._known: set[ObjectId] = set()
        self._cache = _Cache(_CACHE_BYTES)
        self._moves: dict[str, Move] = {}
        self._heads: dict[str, ObjectId | None] = {}
        self._lock: ProcessLock | None = None
        self._journal: Journal | None = None
        self._shelf: Shelf | None = None
        if writer is not None:
            try:
                self._open_for_writing(writer, durable=durability == "power")
            except BaseException:
                self._release()
                raise

    @classmethod
    def create(
        cls,
        path: Path,
        *,
        work_tree: bool = True,
        branch: str = "main",
        writer: str = "writer",
        durability: Durability = "process",
        patience_s: float = _PATIENCE_S,
    ) -> Store:
        """Make a repository at ``path`` (missing, or an empty folder) and open it for writing.

        ``work_tree`` False makes a bare one. ``branch`` is what HEAD names until :meth:`check_out`.
        """
        if path.exists() and (not path.is_dir() or any(path.iterdir())):
            raise StoreError(f"{path}: already exists and is not an empty folder")
        with disk.explained("make the repository", path):
            path.mkdir(parents=True, exist_ok=True)
        try:
            repo = git.Repo.init(
                path,
                bare=not work_tree,
                initial_branch=branch,
                object_format="sha1",
                env={"GIT_TEMPLATE_DIR": "", "GIT_DEFAULT_REF_FORMAT": "files"},
            )
            with repo.config_writer() as config:
                for (section, option), value in CONFIG.items():
                    config.set_value(section, option, value)
        except (GitCommandError, OSError) as error:
            raise StoreError(f"{path}: cannot make a repository: {_one_line(error)}") from error
        return cls(repo, writer, durability, patience_s)

    @classmethod
    def open(
        cls,
        path: Path,
        *,
        writer: str | None = "writer",
        durability: Durability = "process",
        patience_s: float = _PATIENCE_S,
    ) -> Store:
        """Open the repository at ``path``; StoreError, with the reason, if it is none or cannot be used.

        A writer first finishes what a killed process of the same name had acknowledged. Each concurrent
        writer process needs a ``writer`` name of its own; None opens for reading only, and changes nothing.
        """
        try:
            repo = git.Repo(path, expand_vars=False)
        except NoSuchPathError:
            raise StoreError(f"{path}: no such folder") from None
        except InvalidGitRepositoryError:
            raise StoreError(f"{path}: not a Git repository") from None
        except OSError as error:
            raise StoreError(f"{path}: cannot open: {disk.reason(error)}") from error
        return cls(repo, writer, durability, patience_s)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Publish what is recorded, remove packs that folding has replaced, and let the next writer in."""
        try:
            if self._shelf is not None:
                self.publish()
                self._shelf.sweep()
        finally:
            self._release()

    # Objects

    def add(self, kind: ObjectKind, data: bytes, base: ObjectId | None = None) -> ObjectId:
        """Take an object to be written with the next :meth:`record`, from whose ref it must be reachable;
        return its id.

        ``base`` may name an older version of it (the tree or the file of the same path in the parent
        commit, the parent commit itself), against which it may be stored as a delta. Whether or not it is,
        only size and speed depend on it. An object that was added or published before costs its hash.
        """
        oid = object_id(kind, data)
        if oid in self._known:
            return oid
        shelf = self._writing()[1]
        old = self._objects[base][1] if base in self._objects else b""
        if not self._builder.add(oid, kind, data, base, old) and base is not None:
            shelf.hint(oid, base)
        self._objects[oid] = kind, data
        self._known.add(oid)
        return oid

    def read(self, oid: ObjectId) -> tuple[ObjectKind, bytes]:
        """Return kind and bytes of an object: one of this writer's, published or not, or any in the
        repository.

        ObjectMissing if there is none; Damaged if Git cannot read it.
        """
        found = self._objects.get(oid) or self._cache.get(oid)
        if found is None:
            found = self._read_from_git(oid)
            self._cache.put(oid, found)
        return found

    # Refs

    def read_ref(self, ref: str) -> ObjectId | None:
        """Return where everybody sees ``ref`` now, None if there is no such ref; costs a few system calls."""
        return self._refs.read(ref)

    def own_ref(self, ref: str) -> ObjectId | None:
        """Return where this writer has moved ``ref``, published or not; of other refs, where everybody sees
        them.
        """
        return self._heads[ref] if ref in self._heads else self._refs.read(ref)

    def list_refs(self, prefix: str = "refs/") -> dict[str, ObjectId]:
        """Return all refs that everybody sees and whose names begin with ``prefix``, by name."""
        return self._refs.list(prefix)

    def record(self, ref: str, new: ObjectId | None, old: ObjectId | None) -> None:
        """Acknowledge the move of ``ref`` from ``old`` to ``new``, with all objects added since the last
        record.

        None for ``old`` makes the ref, None for ``new`` deletes it. When this returns, the record outlives
        ``kill -9``, and with durability "power" the loss of power; others see it after :meth:`publish`.
        RefMoved if the ref is not at ``old``; StoreError if the journal cannot be written: nothing is
        recorded then, and the same call may be repeated.
        """
        journal = self._writing()[0]
        current = self.own_ref(check_ref_name(ref))
        if current != old:
            raise RefMoved(f"{ref}: expected {old or 'no such ref'}, found {current or 'none'}")
        count = len(self._builder) - self._recorded_count
        move = Move(ref, old, new)
        journal.append(Record(move, count, self._builder.entries_since(self._recorded_count)))
        self._recorded_count += count
        self._heads[ref] = new
        earlier = self._moves.get(ref)
        self._moves[ref] = Move(ref, earlier.old, new) if earlier else move

    def delete_ref(self, ref: str, old: ObjectId) -> None:
        """Record that ``ref``, now at ``old``, is deleted; others see it after :meth:`publish`."""
        self.record(ref, None, old)

    def publish(self) -> None:
        """Show everybody what was recorded: write one pack, then move the refs, all or none, each if it is
        where expected.

        RefMoved if somebody else moved a ref of this writer, StoreLocked if another process keeps one
        locked, StoreError if the disk refuses; everything stays recorded then, and publishing may be tried
        again.
        """
        journal, shelf = self._writing()
        if not self._moves:
            return
        name = shelf.put(self._builder) if len(self._builder) else None
        moves = [move for move in self._moves.values() if move.old != move.new]
        self._refs.move(moves, self._delete_packed_ref)
        self._published(any(move.new is None for move in moves))
        journal.reset()
        if name is not None:
            shelf.release(name)
            if shelf.is_due():
                shelf.fold_due()

    def fold(self) -> None:
        """Publish, then fold all packs of this writer into one, the smallest it can make: for the end of a
        game.

        The packs so replaced stay until the next fold or :meth:`close`, for those who are reading them.
        """
        self.publish()
        self._writing()[1].fold_all()

    # The work tree, and Git's own housekeeping

    def check_out(self, ref: str) -> None:
        """Publish, set HEAD to the branch ``ref`` (``refs/heads/...``) and write its newest tree into the
        work tree.
        """
        self.publish()
        branch = ref.removeprefix("refs/heads/")
        if self.read_ref(ref) is None or branch == ref:
            raise StoreError(f"{ref}: no such branch")
        try:
            if self.repo.bare:
                self.repo.git.symbolic_ref("HEAD", ref)
            else:
                self.repo.git.checkout("--force", "--quiet", branch, "--")
        except GitCommandError as error:
            raise StoreError(f"{self.folder}: cannot check out {branch}: {_one_line(error)}") from error

    def gc(self) -> None:
        """Publish, then have Git collect the repository (``git gc``)."""
        self.publish()
        try:
            self.repo.git.gc("--quiet")
        except GitCommandError as error:
            raise StoreError(f"{self.folder}: git gc failed: {_one_line(error)}") from error

    def _open_for_writing(self, writer: str, *, durable: bool) -> None:
        if not _WRITER_NAME.fullmatch(writer):
            raise StoreError(f"not the name of a writer: {writer!r}")
        home = self.folder / _HOME
        with disk.explained("make the folder", home):
            home.mkdir(exist_ok=True)
        self._lock = ProcessLock(home / f"{writer}.lock", f"writing as {writer} here")
        self._journal = Journal(home / f"{writer}.journal", durable=durable)
        self._shelf = Shelf(self.folder / "objects" / "pack", home, writer, durable=durable)
        self._replay(self._journal.found.records)
        self._shelf.clean()
        self.set_aside = self._journal.found.set_aside

    def _replay(self, records: tuple[Record, ...]) -> None:
        self._objects = restore_entries(((record.entries, record.count) for record in records), self._builder)
        self._recorded_count = len(self._builder)
        trails: dict[str, list[ObjectId | None]] = {}
        for move in (record.move for record in records):
            trails.setdefault(move.ref, [move.old]).append(move.new)
        for ref, trail in trails.items():
            self._refs.remove_stale_lock(ref, trail)
            current = self._refs.read(ref)
            if current not in trail:
                raise RefMoved(
                    f"{ref}: the journal moves it to {trail[-1]}, but somebody moved it to {current}"
                )
            self._moves[ref] = Move(ref, current, trail[-1])
            self._heads[ref] = trail[-1]
        self.replayed = len(records)
        self.publish()

    def _published(self, deleted: bool) -> None:
        for oid, found in self._objects.items():
            self._cache.put(oid, found)
        self._builder = PackBuilder()
        self._recorded_count = 0
        self._objects = {}
        self._moves = {}
        if deleted or len(self._known) > _KNOWN_MAX:
            # what only a deleted ref led to may be collected by Git any time
            self._known = set()

    def _delete_packed_ref(self, ref: str, old: ObjectId) -> None:
        try:
            self.repo.git.update_ref("-d", ref, old)
        except GitCommandError as error:
            raise StoreError(f"{ref}: cannot delete: {_one_line(error)}") from error

    def _read_from_git(self, oid: ObjectId) -> tuple[ObjectKind, bytes]:
        try:
            _, kind, _, data = self.repo.git.get_object_data(parse_object_id(oid))
        except ValueError as error:
            if "missing" in str(error) or "not an object id" in str(error):
                raise ObjectMissing(f"{self.folder}: no object {oid}") from None
            self.repo.git.clear_cache()
            raise Damaged(f"{self.folder}: Git cannot read object {oid}: {_one_line(error)}") from error
        except (GitCommandError, OSError) as error:
            self.repo.git.clear_cache()
            raise Damaged(f"{self.folder}: Git cannot read object {oid}: {_one_line(error)}") from error
        return cast(ObjectKind, kind), data

    def _writing(self) -> tuple[Journal, Shelf]:
        if self._journal is None or self._shelf is None:
            raise StoreError(f"{self.folder}: not open for writing")
        return self._journal, self._shelf

    def _release(self) -> None:
        for part in (self._journal, self._shelf):
            if part is not None:
                part.close()
        if self._lock is not None:
            self._lock.release()
        self._journal = self._shelf = self._lock = None
        self.repo.close()


class _Cache:
    """The objects last put in or asked for, up to ``limit`` bytes."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._size = 0
        self._objects: OrderedDict[ObjectId, tuple[ObjectKind, bytes]] = OrderedDict()

    def get(self, oid: ObjectId) -> tuple[ObjectKind, bytes] | None:
        found = self._objects.get(oid)
        if found is not None:
            self._objects.move_to_end(oid)
        return found

    def put(self, oid: ObjectId, found: tuple[ObjectKind, bytes]) -> None:
        if oid in self._objects:
            return
        self._objects[oid] = found
        self._size += len(found[1])
        while self._size > self._limit:
            self._size -= len(self._objects.popitem(last=False)[1][1])


def _one_line(error: Exception) -> str:
    text = str(getattr(error, "stderr", "") or error)
    return re.sub(r"\s+", " ", text.replace("stderr:", "")).strip(" '")
