"""One Git repository as the place of append-only logs: bytes, object ids and refs, nothing about games.

A writer adds objects and records them together with the move of a ref that leads to them. ``record`` is one append to a
journal inside the Git folder: when it returns, the action outlives ``kill -9``. ``publish`` writes what was recorded as
one pack and moves the refs as Git itself would; from then on every Git client sees it. Opening replays the journal.

Git itself creates repositories, reads objects and does everything that does not happen once per action. GitPython is
available for anything else (``GitStore.repo``).
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, MutableSequence, Sequence
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Literal, Self

from catan_p2p.log.storage import disk, repository
from catan_p2p.log.storage.cat_file import own_objects
from catan_p2p.log.storage.medium import FileMedium
from catan_p2p.log.storage.objects import (
    DisplacedRef,
    ObjectCache,
    ObjectDamaged,
    ObjectId,
    ObjectKind,
    ObjectMissing,
    ObjectTooLarge,
    StoreError,
)
from catan_p2p.log.storage.pack_reader import PackReader
from catan_p2p.log.storage.ref_files import RefFiles
from catan_p2p.log.storage.writer import PlaceFor, StoreWriter
from catan_p2p.time_source import SYSTEM_TIME, TimeSource

if TYPE_CHECKING:
    from catan_p2p.log.storage.cat_file import CatFile
    from catan_p2p.log.storage.pack_reader import PackReader
    from catan_p2p.log.storage.repository import git
    from catan_p2p.log.storage.snapshot import ReadableRepository

Durability = Literal["process", "power"]

_LOCK_WAIT_S = 10.0
_CACHE_BYTES = 8 << 20


class GitStore:
    """An open repository: one thread of one process at a time, one process for a writer's name, any number of readers.

    ``folder`` is the Git folder, ``medium`` where it is.
    """

    def __init__(
        self,
        place: repository.RepositoryPlace | Path,
        writer: str | None,
        durability: Durability,
        lag_s: float = 0.0,
        time: TimeSource = SYSTEM_TIME,
        medium: FileMedium = disk,
        place_for: PlaceFor | None = None,
    ) -> None:
        self._readable: ReadableRepository | None = None
        self._repo: git.Repo | None = None
        self._place = None if isinstance(place, Path) else place
        self.folder = place if isinstance(place, Path) else place.folder
        self.medium = medium
        self._durable = durable = durability == "power"
        self._refs = RefFiles(self.folder, lock_wait_s=_LOCK_WAIT_S, time=time, medium=medium)
        self._cache = ObjectCache(_CACHE_BYTES)
        self._git_objects = self._object_reader()
        self._writer: StoreWriter | None = None
        if writer is not None:
            self._writer = StoreWriter(
                self.folder,
                writer,
                self._refs,
                self._cache,
                lambda ref, old: repository.delete_packed_ref(self._where_git_runs, ref, old),
                durable=durable,
                lag_s=lag_s,
                time=time,
                medium=medium,
                place_for=place_for,
            )

    def _object_reader(self) -> CatFile | PackReader:
        if self._place is not None:
            return own_objects(self.folder)

        return PackReader(self.folder, self.medium)

    @property
    def has_git(self) -> bool:
        """Whether Git can access the repository."""
        return self._place is not None

    @property
    def _where_git_runs(self) -> repository.RepositoryPlace:
        if self._place is None:
            raise StoreError(f"{self.folder}: Git cannot access this repository")
        return self._place

    @property
    def repo(self) -> git.Repo:
        """GitPython's view of the repository; ``StoreError`` if Git cannot access it."""
        if self._repo is None:
            place = self._where_git_runs
            self._repo = repository.open_repository(place.work_tree or place.git_folder)
        return self._repo

    @classmethod
    def create(
        cls,
        path: Path,
        *,
        work_tree: bool = True,
        branch: str = "main",
        durability: Durability = "process",
    ) -> GitStore:
        """Make a repository at ``path`` (missing, or an empty folder) and open it for writing.

        ``work_tree`` False makes a bare one. HEAD names ``branch`` until :meth:`check_out`.
        """
        place = repository.create_repository(path, work_tree=work_tree, branch=branch)
        try:
            return cls(place, "writer", durability)
        except StoreError:
            # The folder was missing or empty before, so nothing of the user's is lost.
            repository.empty(path)
            raise

    @classmethod
    def open(
        cls,
        path: Path,
        *,
        writer: str | None = "writer",
        durability: Durability = "process",
        lag_s: float = 0.0,
        time: TimeSource = SYSTEM_TIME,
        place_for: PlaceFor | None = None,
    ) -> GitStore:
        """Open the repository at ``path``; StoreError, with the reason, if it is none or cannot be used.

        A writer first finishes what a killed process of the same name had acknowledged. Each concurrent writer process
        needs a ``writer`` name of its own; None opens for reading only, and changes nothing: what a killed writer had
        acknowledged, or a loss of power has torn, is read from the journal (``snapshot``). With the durability
        "process" what is acknowledged outlives ``kill -9``; with "power" what is published, or was recorded before
        :meth:`sync`, also outlives a loss of power, and each publication costs one wait for the medium. For a lock of
        another Git process the store waits some seconds.

        ``lag_s`` is for writers that publish far more often than anybody outside looks. Other processes see a
        publication up to ``lag_s`` seconds later, one with new refs up to twice that, or with the next fold, checkout
        or closing. This store sees the moves of others as late.

        A ref that somebody else has moved meanwhile is ``RefMoved``, unless ``place_for(ref, found)`` names another ref
        that keeps the foreign value: then this writer's own move stands (``displaced``).
        """
        if writer is not None:
            return cls(repository.find_repository(path), writer, durability, lag_s, time, place_for=place_for)
        from catan_p2p.log.storage.snapshot import ReadableRepository

        readable = ReadableRepository(path)
        store = cls(readable.place, None, durability, lag_s, time)
        store._read_from(readable)
        return store

    @classmethod
    def within(
        cls,
        medium: FileMedium,
        folder: Path,
        *,
        writer: str | None = "writer",
        durability: Durability = "process",
        time: TimeSource = SYSTEM_TIME,
        place_for: PlaceFor | None = None,
    ) -> GitStore:
        """Open the Git folder ``folder`` on a medium that Git cannot access; otherwise like :meth:`open`.

        Everything works but what only Git does: collecting garbage, and a work tree.
        """
        return cls(folder, writer, durability, time=time, medium=medium, place_for=place_for)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close the store; if an error is on its way out, another one from closing does not take its place."""
        if error is None:
            self.close()
        # The error of the game is the one to report; closing often fails for the same reason.
        else:
            with contextlib.suppress(StoreError):
                self.close()

    def close(self) -> None:
        """Publish what is recorded, remove packs that folding has replaced, and let the next writer in.

        If publishing fails, the store is closed all the same: the journal keeps what was recorded for the next opening.
        """
        writer, self._writer = self._writer, None
        try:
            if writer is not None:
                writer.close()
        finally:
            self._close_reading()

    def _close_reading(self) -> None:
        self._git_objects.close()
        if self._repo is not None:
            self._repo.close()
            self._repo = None
        if self._readable is not None:
            self._readable.close()

    def _look_again(self) -> None:
        """Read the repository itself once a writer has opened it since the snapshot was made."""
        if self._readable is not None and self._readable.is_outdated:
            readable = type(self._readable)(self._readable.path)
            self._close_reading()
            self._read_from(readable)

    def _read_from(self, readable: ReadableRepository) -> None:
        self._readable, self._place, self.folder = readable, readable.place, readable.folder
        self._refs = RefFiles(readable.place.folder, lock_wait_s=_LOCK_WAIT_S, where=self.folder)
        self._git_objects = own_objects(readable.place.folder, self.folder)

    @property
    def replayed(self) -> int:
        """The number of records that opening found in a killed process's journal, and published."""
        return self._writer.replayed if self._writer else 0

    @property
    def set_aside(self) -> Path | None:
        """The file that holds damaged records of the journal, None if there were none."""
        return self._writer.set_aside if self._writer else None

    @property
    def displaced(self) -> Sequence[DisplacedRef]:
        """Values that somebody else had put at refs of this writer, set aside since opening."""
        return self._writer.displaced if self._writer else ()

    # Objects

    def add(self, kind: ObjectKind, data: bytes) -> ObjectId:
        """Take an object to be written with the next :meth:`record`, whose ref must lead to it; return its id.

        Adding an object again costs only its hash.
        """
        return self._writing().add(kind, data)

    def add_all(self, objects: Iterable[tuple[ObjectKind, bytes]]) -> None:
        """Take several objects."""
        add = self._writing().add
        for kind, data in objects:
            add(kind, data)

    def read(self, oid: ObjectId, limit_bytes: int | None = None) -> tuple[ObjectKind, bytes]:
        """Return kind and bytes of an object: one of this writer's, published or not, or any in the repository.

        ObjectMissing if there is none, ObjectTooLarge if it has more than ``limit_bytes``, ObjectDamaged if Git cannot
        read it or its content does not match its id.
        """
        found = self._writer.find(oid) if self._writer else None
        if found is None:
            found = self._cache.get(oid)
        if found is None:
            try:
                found = self._git_objects.read(oid, limit_bytes)
            except (ObjectMissing, ObjectDamaged):
                if self._writer is None:  # Git would never read more of a pack that somebody had half written
                    self._git_objects.close()
                raise
            self._cache.put({oid: found})
        elif limit_bytes is not None and len(found[1]) > limit_bytes:
            raise ObjectTooLarge(
                f"{self.folder}: object {oid} has {len(found[1])} bytes, expected at most {limit_bytes}"
            )
        return found

    # Refs

    def read_ref(self, ref: str) -> ObjectId | None:
        """Return where ``ref`` is published, None if there is no such ref; costs a few system calls."""
        if self._writer is None:
            self._look_again()
            return self._refs.read(ref)
        return self._writer.shown[ref] if ref in self._writer.shown else self._writer.seen(ref)

    @property
    def moves_shown(self) -> int | None:
        """A number that changes whenever :meth:`read_ref` may answer differently; None if only reading shows that."""
        return self._writer.moves_shown if self._writer else None

    def own_ref(self, ref: str) -> ObjectId | None:
        """Return where this writer has moved ``ref``, published or not; for other refs, where they are published."""
        return self._writer.head(ref) if self._writer else self.read_ref(ref)

    def list_refs(self, prefix: str = "refs/", broken: MutableSequence[str] | None = None) -> dict[str, ObjectId]:
        """Return all published refs whose names begin with ``prefix``, by name.

        A ref that holds no object id is added to ``broken``, or is ``ObjectDamaged`` if that is None, unless another
        program has left the file there.
        """
        self._look_again()
        found = self._refs.list(prefix, broken)
        if self._writer and self._writer.shown:
            shown = {ref: oid for ref, oid in self._writer.shown.items() if ref.startswith(prefix)}
            found = {ref: oid for ref, oid in sorted((found | shown).items()) if oid is not None}
        return found

    def stray_files(self) -> tuple[str, ...]:
        """The files among the refs that other programs have left there."""
        return self._refs.strays()

    def record(self, ref: str, new: ObjectId | None, old: ObjectId | None) -> None:
        """Acknowledge the move of ``ref`` from ``old`` to ``new``, with all objects added since the last record.

        None for ``old`` creates the ref, None for ``new`` deletes it. When this returns, the record outlives
        ``kill -9``; others see it after :meth:`publish`. RefMoved if the ref is not at ``old``. StoreError if the
        journal cannot be written: then nothing is recorded, and the same call may be repeated.
        """
        self._writing().record(ref, new, old)

    def put_back(self, ref: str, found: ObjectId, to: ObjectId | None) -> None:
        """Record that ``ref``, where somebody else has put ``found``, returns to ``to``; ``found`` is set aside.

        RefMoved if others may move that ref, or it is not at ``found``.
        """
        self._writing().put_back(ref, found, to)

    def delete_ref(self, ref: str, old: ObjectId) -> None:
        """Record that ``ref``, now at ``old``, is deleted; others see it after :meth:`publish`."""
        self.record(ref, None, old)

    def publish(self, *, now: bool = False) -> None:
        """Show everybody what was recorded: write one pack, then move the refs, if all of them are where expected.

        A store with a lag may leave that to a later publication, unless ``now``; until then only this store shows it.

        RefMoved if somebody else moved a ref of this writer, StoreLocked if another process keeps one locked,
        StoreError if the disk refuses; everything stays recorded then, and publishing may be tried again.
        """
        if now:
            self._writing().publish()
        else:
            self._writing().publish_soon()

    def tell_publications(self, told: Callable[[], None]) -> None:
        """Call ``told`` whenever refs have moved for everybody to see, before the housekeeping that follows."""
        self._writing().published = told

    def sync(self) -> None:
        """With durability "power", wait until everything that was recorded is on the medium, published or not."""
        self._writing().sync()

    def fold(self) -> None:
        """Publish, then fold all packs of this writer into one, the smallest it can make: for the end of a game.

        The packs so replaced stay until :meth:`close` or a later fold, for their readers.
        """
        self._writing().fold()

    # The work tree, and Git's own housekeeping

    def check_out(self, ref: str) -> None:
        """Publish, set HEAD to the branch ``ref`` (``refs/heads/...``), write its newest tree into the work tree."""
        self._writing().publish()
        branch = ref.removeprefix("refs/heads/")
        # HEAD must name a branch; with any other ref Git would detach it.
        if self.read_ref(ref) is None or branch == ref:
            raise StoreError(f"{ref}: no such branch")
        if not self.has_git:
            # Git cannot run here, so HEAD is written as Git would write it; there is no work tree.
            head, new = self.folder / "HEAD", self.folder / "HEAD.new"
            with disk.explained("write", head):
                self.medium.remove(new)
                self.medium.create(new, f"ref: {ref}\n".encode(), synced=self._durable)
                self.medium.replace(new, head)
                if self._durable:
                    self.medium.sync_folder(self.folder)
            return
        repository.check_out(self._where_git_runs, branch)
        if self._durable:
            with disk.explained("make HEAD durable", self.folder):
                disk.sync_file(self.folder / "HEAD")
                disk.sync_folder(self.folder)

    def gc(self) -> None:
        """Publish, then have Git collect the repository (``git gc``)."""
        self._writing().publish()
        repository.collect(self._where_git_runs)

    def _writing(self) -> StoreWriter:
        if self._writer is None:
            raise StoreError(f"{self.folder}: not open for writing")
        return self._writer
