"""Refs in Git's file format: one file each below ``refs/``, or a line in ``packed-refs``.

Reading takes a few system calls and sees the moves of other processes. Moving follows Git's own protocol: create
``<ref>.lock``, which only one process can, compare the old value under the lock, and rename the lock file to the ref.
Format: gitrepository-layout, git-pack-refs.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Callable, Collection, Iterable, Mapping, MutableSequence, Sequence
from functools import lru_cache, partial
from itertools import takewhile
from pathlib import Path

from catan_p2p.log.storage import disk
from catan_p2p.log.storage.journal import RefMove
from catan_p2p.log.storage.medium import FileMedium, FileStatus
from catan_p2p.log.storage.objects import ObjectDamaged, ObjectId, RefMoved, StoreError, StoreLocked, parse_object_id
from catan_p2p.log.storage.ref_locks import RefLocks
from catan_p2p.time_source import SYSTEM_TIME, TimeSource

# The rules of git-check-ref-format; a name that ends in .lock would be taken for the lock of another ref.
_FORBIDDEN = re.compile(r"[\x00-\x20\x7f~^:?*\[\\]|\.\.|@\{|//|/\.|\.lock(/|$)|\.$|/$")
# As in Git, so that refs that name each other end.
_SYMBOLIC_DEPTH = 5
_OURS = re.compile(r"[A-Za-z0-9_/]+")
"""What the names of this program's refs are made of."""
_RETRY_S = 0.002
_PATHS_MAX = 1024


@lru_cache(maxsize=1 << 12)
def is_ref_name(ref: str) -> bool:
    """Whether ``ref`` begins with ``refs/`` and is a name that Git allows for a ref."""
    # File names have at most 255 bytes on most systems, and ``.lock`` comes on top.
    return ref.startswith("refs/") and ref.count("/") > 1 and not _FORBIDDEN.search(ref) and len(ref.encode()) <= 240


def is_stray(name: str) -> bool:
    """Whether a file below ``refs/`` is one that systems and sync services leave, such as ``desktop.ini``.

    Names of this program's refs have no dot, and the locks of refs come and go.
    """
    return not name.endswith(".lock") and ("." in name or not is_ref_name(name))


def _may_be_junk(name: str) -> bool:
    """Whether a file that holds no id may be anything: a stray one, or ``Red_0-LAPTOP``, a copy that conflicts."""
    return is_stray(name) or not _OURS.fullmatch(name)


def check_ref_name(ref: str) -> str:
    """Return ``ref``; StoreError unless it is the name of a ref."""
    if not is_ref_name(ref):
        raise StoreError(f"not the name of a ref: {ref!r}")
    return ref


def follow(
    ref: str, folder: Path, loose: Callable[[str], bytes | None], packed: Callable[[], Mapping[str, ObjectId]]
) -> ObjectId | None:
    """Return where ``ref`` leads in the Git folder ``folder``, None if there is no such ref.

    ObjectDamaged if it holds no id.

    ``loose`` reads the file of a ref, None if there is none; then ``packed`` is asked.
    """
    for _ in range(_SYMBOLIC_DEPTH):
        content = loose(ref)
        if content is None:
            return packed().get(ref)
        if not content.startswith(b"ref: "):
            return _parse(folder, ref, content)
        ref = content[5:].decode("utf-8", "replace").strip()
    raise ObjectDamaged(f"{folder / ref}: a symbolic ref that leads nowhere")


def parse_packed(content: bytes) -> tuple[dict[str, ObjectId], str | None]:
    """Return the refs of ``packed-refs``, and the first line of it that is none."""
    packed, bad = {}, None
    for line in content.decode("utf-8", "replace").split("\n"):
        # A line with ^ is the object of the annotated tag above it.
        if line and line[0] not in "#^":
            oid, _, ref = line.partition(" ")
            try:
                packed[ref] = parse_object_id(oid)
            except ValueError:
                bad = bad or line
    return packed, bad


def _parse(folder: Path, ref: str, content: bytes) -> ObjectId:
    try:
        return parse_object_id(content.decode("ascii").strip())
    except ValueError:
        raise ObjectDamaged(f"{folder / ref}: a ref that holds no object id") from None


class RefFiles:
    """The refs of the repository whose common Git folder is ``folder``.

    A lock held by somebody else is waited for up to ``lock_wait_s`` seconds.
    """

    def __init__(
        self,
        folder: Path,
        *,
        lock_wait_s: float,
        time: TimeSource = SYSTEM_TIME,
        medium: FileMedium = disk,
        where: Path | None = None,
    ) -> None:
        self._folder = folder
        self._top = str(folder)
        self._where = where or folder
        """The folder that messages name."""
        self._time = time
        self._medium = medium
        self._lock_wait_s = lock_wait_s
        self._packed_path = folder / "packed-refs"
        self._packed_lock = folder / "packed-refs.lock"
        self._packed_stamp: FileStatus | None = None
        self._packed: dict[str, ObjectId] = {}
        self._paths: dict[str, tuple[Path, Path]] = {}
        self._left: set[Path] = set()

    def read(self, ref: str) -> ObjectId | None:
        """Return where ``ref`` is, None if there is no such ref; follows symbolic refs such as HEAD."""
        return follow(ref, self._where, self._read_loose, self._packed_refs)

    def list(self, prefix: str, broken: MutableSequence[str] | None = None) -> dict[str, ObjectId]:
        """Return all refs whose names begin with ``prefix`` (at least ``refs/``), in the order of their names.

        A ref that holds no object id is added to ``broken``, or is ``ObjectDamaged`` if that is None, unless another
        program has left the file there.
        """
        found = {}
        # Loose refs first: a line in packed-refs is older than the file of the same ref.
        for ref in self._loose_refs(prefix):
            try:
                oid = self.read(ref)
            except ObjectDamaged:
                if broken is not None:
                    broken.append(ref)
                elif not _may_be_junk(ref):
                    raise
                continue
            if oid is not None:
                found[ref] = oid
        for ref, oid in self._packed_refs().items():
            if ref.startswith(prefix):
                found.setdefault(ref, oid)
        return dict(sorted(found.items()))

    def strays(self) -> tuple[str, ...]:
        """The files below ``refs/`` that other programs have left there."""
        broken: list[str] = []
        self.list("refs/", broken)
        return tuple(sorted({*filter(is_stray, self._names_below("refs")), *filter(_may_be_junk, broken)}))

    def move(self, moves: Sequence[RefMove], locks: RefLocks, delete_packed: Callable[[str, ObjectId], None]) -> None:
        """Carry out all moves or none: RefMoved if a ref is elsewhere than expected, StoreLocked if a lock stays.

        A ref that is already at its new value counts as moved. If a ref to be deleted has a line in packed-refs,
        ``delete_packed(ref, old)`` deletes it.
        """
        held: set[Path] = set()
        try:
            # All refs are locked and compared before the first moves, so a failure leaves all of them in place.
            for move in moves:
                lock = self._lock_path(check_ref_name(move.ref))
                self._make(lock, partial(locks.make, lock, move.ref, move.new))
                held.add(lock)
                current = self.read(move.ref)
                # The new value is no conflict: an earlier attempt may have failed after moving this ref.
                if current not in (move.old, move.new):
                    raise RefMoved(move.ref, move.old, current)
            if any(move.new is None for move in moves):
                # or somebody who is packing refs now would bring the ref back
                self._make(self._packed_lock, partial(locks.mark, self._packed_lock))
                held.add(self._packed_lock)
            packed = [move for move in moves if move.new is None and move.ref in self._packed_refs()]
            for move in moves:
                if move not in packed:
                    self._finish(move, held)
        finally:
            self._unlock(held)
        # Git deletes these itself and takes its own locks, so ours must be gone by then.
        for move in packed:
            if move.old is not None:
                for lock in (self._packed_lock, self._lock_path(move.ref)):
                    self._remove_left(lock)
                try:
                    delete_packed(move.ref, move.old)
                except StoreError:
                    if self.read(move.ref) is not None:  # or the Git that a killed process had begun was faster
                        raise

    def remove_stale_locks(self, trails: Mapping[str, Collection[ObjectId | None]], locks: RefLocks) -> None:
        """Remove the locks that a killed process of this writer left; there are few refs, so all are checked.

        ``trails`` maps the refs that it may have been moving to the ids along their way. A lock is this writer's if it
        is one of its files under another name, or holds one of the ids or, without hard links, the beginning of one.
        """
        locks_there = [self._folder / name for name in self._names_below("refs") if name.endswith(".lock")]
        for path in [self._packed_lock, *locks_there]:
            with disk.explained("remove the stale lock", path):
                if locks.is_own(path):
                    self._medium.remove(path)
        for ref, trail in trails.items():
            path = self._lock_path(ref)
            contents = [f"{oid}\n".encode() for oid in trail if oid is not None]
            with disk.explained("remove the stale lock", path):
                found = self._medium.read(path)
                # A loss of power may leave zeros in the place of what was written.
                if found and any(content.startswith(found.rstrip(b"\0")) for content in contents):
                    self._medium.remove(path)

    def sync(self, refs: Iterable[str]) -> None:
        """Wait until these refs, or that there are none, are on the medium."""
        folders: set[Path] = set()
        for ref in refs:
            path = self._path(ref)
            with disk.explained("make the ref durable", path):
                self._medium.sync_file(path)
            # A ref in new folders needs their names durable, too, up to the Git folder.
            folders.update(takewhile(lambda folder: folder != self._folder, path.parents))
        # The longer paths first: a folder's content before its name.
        for folder in sorted(folders, reverse=True):
            with disk.explained("make the refs durable", folder), contextlib.suppress(FileNotFoundError):
                self._medium.sync_folder(folder)

    def remove_unreadable(self, ref: str) -> bool:
        """Remove the file of a ref if it holds no object id, as a loss of power may leave it; return whether it did."""
        path = self._path(ref)
        with disk.explained("remove the damaged ref", path):
            try:
                content = self._medium.read(path)
            except IsADirectoryError:
                return False
            if content is None or content.startswith(b"ref: "):
                # A symbolic ref holds no id either, and is no damage.
                return False
            try:
                _parse(self._folder, ref, content)
            except ObjectDamaged:
                self._medium.remove(path)
                return True
        return False

    def _unlock(self, held: set[Path]) -> None:
        """Remove locks; those that cannot be removed are remembered, for the next time they are in the way."""
        self._left |= held
        for lock in held:
            with contextlib.suppress(OSError):
                self._medium.remove(lock)
                self._left.discard(lock)

    def _remove_left(self, lock: Path) -> None:
        """Remove a lock of ours that could not be removed earlier, so that nobody waits for it."""
        if lock in self._left:
            with disk.explained("remove the lock", lock):
                self._medium.remove(lock)
            self._left.discard(lock)

    def _make(self, lock: Path, make: Callable[[], None]) -> None:
        """Create a lock, waiting for another holder."""
        deadline = self._time.monotonic() + self._lock_wait_s
        with disk.explained("lock the ref", lock):
            self._remove_left(lock)
            while True:
                try:
                    make()
                    return
                except FileExistsError:
                    if self._time.monotonic() >= deadline:
                        raise StoreLocked(
                            f"{lock}: another process has held this lock for {self._lock_wait_s:g} s; "
                            "remove the file if no git process is running"
                        ) from None
                    self._time.sleep(_RETRY_S)
                except FileNotFoundError:
                    # Git removes folders of refs when they are empty
                    if self._medium.is_folder(lock.parent) and self._time.monotonic() >= deadline:
                        raise
                    self._medium.make_folder(lock.parent)

    def _finish(self, move: RefMove, held: set[Path]) -> None:
        path, lock = self._ref_paths(move.ref)
        with disk.explained("move the ref", path):
            if move.new is None:
                self._medium.remove(path)
            else:
                try:
                    self._medium.replace(lock, path)
                # An empty folder is in the way where refs below this name were deleted.
                except IsADirectoryError:
                    self._medium.remove_empty_folders(path)
                    self._medium.replace(lock, path)
                held.remove(lock)  # it is the ref now; who locks the ref next makes another

    def _loose_refs(self, prefix: str) -> Sequence[str]:
        folder = prefix.rpartition("/")[0]
        if folder.split("/")[0] != "refs" or ".." in prefix:
            raise StoreError(f"not the beginning of a ref: {prefix!r}")
        return [ref for ref in self._names_below(folder) if ref.startswith(prefix) and is_ref_name(ref)]

    def _names_below(self, top: str) -> Sequence[str]:
        """The files below a folder, by their names from the Git folder."""
        names, folders = list[str](), [top]
        while folders:
            folder = folders.pop()
            try:
                # A folder listing does not lock anything: what vanishes in between is simply gone.
                entries = self._medium.list_folder(f"{self._top}/{folder}")
            except (FileNotFoundError, NotADirectoryError):
                continue
            except OSError as error:
                raise StoreError(f"{self._folder / folder}: cannot read: {disk.reason(error)}") from error
            for name, is_folder in entries:
                (folders if is_folder else names).append(f"{folder}/{name}")
        return names

    def _path(self, ref: str) -> Path:
        return self._ref_paths(ref)[0]

    def _lock_path(self, ref: str) -> Path:
        return self._ref_paths(ref)[1]

    def _ref_paths(self, ref: str) -> tuple[Path, Path]:
        if ref not in self._paths:
            if len(self._paths) >= _PATHS_MAX:
                self._paths.clear()
            self._paths[ref] = self._folder / ref, self._folder / f"{ref}.lock"
        return self._paths[ref]

    def _read_loose(self, ref: str) -> bytes | None:
        path = f"{self._top}/{ref if ref == 'HEAD' else check_ref_name(ref)}"
        with disk.explained("read the ref", path):
            try:
                return self._medium.read(path)
            # Refs below this name make it a folder, not a ref.
            except IsADirectoryError:
                return None

    def _packed_refs(self) -> Mapping[str, ObjectId]:
        with disk.explained("read the refs", self._packed_path):
            # Reading packed-refs anew for every ref would cost more than the stat; Git, too, compares its stamp.
            stamp = self._medium.status(self._packed_path)
            if stamp is None:
                self._packed_stamp, self._packed = None, {}
                return self._packed
            if stamp != self._packed_stamp:
                packed, bad = parse_packed(self._medium.read(self._packed_path) or b"")
                if bad is not None:
                    raise ObjectDamaged(f"{self._packed_path}: not a line of packed refs: {bad!r}")
                self._packed, self._packed_stamp = packed, stamp
        return self._packed
