"""A host's repository as others see it: refs as last published, commits from the packs, and their sizes."""

from collections.abc import Container, Iterable, Mapping
from functools import lru_cache
from pathlib import Path
from typing import TypeAlias

from catan_p2p.log.commit import decode_commit
from catan_p2p.log.game import FormatError
from catan_p2p.log.reading import Read, entries_of
from catan_p2p.log.storage.memory import MemoryDisk
from catan_p2p.log.storage.objects import ObjectDamaged, ObjectId, ObjectKind, ObjectMissing, StoreError, parents_of
from catan_p2p.log.storage.pack_reader import PackReader
from catan_p2p.log.storage.ref_files import RefFiles

Objects: TypeAlias = dict[ObjectId, tuple[ObjectKind, bytes]]

LISTING_BYTES = 50
"""The bytes of a ref in a listing, besides its name."""
_MOST_COMMITS = 100_000
_ENTRY_BYTES = 12
_SHARE_LEFT: dict[ObjectKind, int] = {"commit": 60, "tree": 90, "blob": 60, "tag": 100}
"""The size of a game's deflated objects, in percent of the full size; see benchmarks/network.py."""


class CommitSizes:
    """The bytes that each commit adds to a pack. They do not depend on the sender, so all hosts share them."""

    def __init__(self) -> None:
        self._known: dict[ObjectId, int] = {}

    def of(self, commit: ObjectId, data: bytes, reader: PackReader) -> int:
        """The bytes of a commit with the trees and files that its first parent lacks."""
        size = self._known.get(commit)
        if size is None:
            size = self._known[commit] = self._measure(data, reader)
        return size

    def known(self, commit: ObjectId, data: bytes) -> int:
        """The same of a commit that was measured before; of other commits, the bytes of the commit object alone."""
        return self._known.get(commit, _weight("commit", data))

    def _measure(self, data: bytes, reader: PackReader) -> int:
        try:
            parts = decode_commit(data)
            old = decode_commit(reader.read(parts.parents[0])[1]).tree if parts.parents else None
            return _weight("commit", data) + _added(parts.tree, old, reader)
        except (FormatError, ObjectMissing, ObjectDamaged):
            return _weight("commit", data)


def _added(new: ObjectId, old: ObjectId | None, reader: PackReader) -> int:
    """The bytes of a tree and of everything below it that the tree ``old`` lacks."""
    if new == old:
        return 0
    kind, data = reader.read(new)
    size = _weight(kind, data)
    if kind != "tree":
        return size
    before = _entries(reader.read(old)[1]) if old is not None else {}
    for name, (_, oid) in _entries(data).items():
        size += _added(oid, before.get(name, ("", None))[1], reader)
    return size


@lru_cache(maxsize=1 << 10)
def _entries(tree: bytes) -> Mapping[str, tuple[str, ObjectId]]:
    return entries_of(tree)


def _weight(kind: ObjectKind, data: bytes) -> int:
    """The estimated bytes of an object in a pack. Deflating it would make games depend on the version of zlib."""
    return _ENTRY_BYTES + len(data) * _SHARE_LEFT[kind] // 100


class ServedDisk:
    """The repository on a disk, as a daemon or a reader of its files sees it."""

    def __init__(self, disk: MemoryDisk, folder: Path, sizes: CommitSizes) -> None:
        self._disk = disk
        self._folder = folder
        self._sizes = sizes
        self._changes = -1
        self.refs: dict[str, ObjectId] = {}
        self.version = 0
        """Increases whenever the refs change."""
        self.read_anew()

    def read_anew(self) -> None:
        """Forget what was read, because the disk was replaced or has lost something."""
        self.reader = PackReader(self._folder, self._disk)
        self._files = RefFiles(self._folder, lock_wait_s=0.0, medium=self._disk)
        self._changes = -1
        self.look()

    def look(self) -> bool:
        """Read the refs from the disk; returns whether they have changed."""
        if self._changes == self._disk.changes:  # spares reading the refs after every step of the host
            return False
        self._changes = self._disk.changes
        try:
            refs = self._files.list("refs/", broken=[])
        except StoreError:  # unreadable for now: the last refs stay
            return False
        if refs == self.refs:
            return False
        self.refs = refs
        self.version += 1
        return True

    def read(self, oid: ObjectId) -> tuple[ObjectKind, bytes]:
        """An object from the disk; ``ObjectMissing`` or ``ObjectDamaged`` if it cannot be read."""
        return self.reader.read(oid)

    def missing(self, heads: Iterable[ObjectId], held: Container[ObjectId]) -> Objects:
        """The commits that lead from ``held`` to these heads, as far as they exist."""
        return between(heads, held, self.read)

    def pack_bytes(self, commits: Mapping[ObjectId, tuple[ObjectKind, bytes]]) -> int:
        """The size of a pack of these commits."""
        return 32 + sum(self._sizes.of(oid, data, self.reader) for oid, (_, data) in commits.items())

    @property
    def listing_bytes(self) -> int:
        """The size of a listing of all refs."""
        return listing_bytes(self.refs)


def listing_bytes(refs: Iterable[str]) -> int:
    """The size of a listing of these refs."""
    names = [*refs]
    return 120 + LISTING_BYTES * len(names) + len("".join(names))


def is_whole(commits: Objects, head: ObjectId) -> bool:
    """Whether ``head`` is among these commits and no parent is missing."""
    return head in commits and all(parent in commits for _, data in commits.values() for parent in parents_of(data))


def between(heads: Iterable[ObjectId], held: Container[ObjectId], read: Read) -> Objects:
    """The commits that lead from ``held`` to these heads, as far as they can be read."""
    found: Objects = {}
    waiting = [head for head in heads if head not in held]
    while waiting and len(found) < _MOST_COMMITS:
        oid = waiting.pop()
        if oid in found:
            continue
        try:
            found[oid] = kind, data = read(oid)
            parents = decode_commit(data).parents if kind == "commit" else ()
        except (ObjectMissing, ObjectDamaged, FormatError):
            continue
        waiting += [parent for parent in parents if parent not in held]
    return found
