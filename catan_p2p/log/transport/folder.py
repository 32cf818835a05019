"""A remote that is a folder of this machine, or of one that is mounted here."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Mapping
from pathlib import Path

from catan_p2p.limits import MAX_OBJECT_BYTES
from catan_p2p.log.storage.cat_file import CatFile
from catan_p2p.log.storage.objects import ObjectDamaged, ObjectId, ObjectKind, StoreError
from catan_p2p.log.transport.remote import RemoteUnreachable, chosen_heads
from catan_p2p.log.transport.their_files import TheirRefs, git_folder, their_objects


class LocalRemote:
    """A repository in a folder of this machine, or of one that is mounted here.

    Its refs are read from their files, its commits from its packs: finding nothing new starts no process.
    """

    is_kept = False
    negotiates = False

    def __init__(self, url: str, path: Path, own: Path) -> None:
        self.url = url
        self.fetches = 0
        self.bytes_received = 0
        self._path = path
        self._own = own
        self._folder = path
        self._refs: TheirRefs | None = None
        self._reader: CatFile | None = None
        self._has_missed = False
        """Whether an object could not be read: what Git has seen of half a pack it would never read again."""

    def heads(self, refs: Iterable[str], folder: str | None = None) -> Mapping[str, ObjectId]:
        """Return where the refs are, read from their files."""
        files = self._open()
        found: dict[str, ObjectId] = {}
        for ref in refs:
            # One damaged ref of theirs must not hide the others.
            with contextlib.suppress(ObjectDamaged):
                if (head := files.read(ref)) is not None:
                    found[ref] = head
        # An empty folder may be a repository that was deleted, or a disk that is not mounted.
        if not found and not (self._folder / "objects").is_dir():
            self._refs = None
            raise RemoteUnreachable(f"{self._path}: the repository is gone")
        if folder is not None:
            found |= chosen_heads(files.list(folder).items(), (), folder)
        return found

    def bring(self, heads: Mapping[str, ObjectId], held: Iterable[ObjectId] = ()) -> None:
        """Count a fetch; objects are read where they are, by a new Git if something was not readable before."""
        self.fetches += 1
        if self._has_missed and self._reader is not None:
            self._reader.close()
        self._has_missed = False

    def read(self, oid: ObjectId) -> tuple[ObjectKind, bytes]:
        """Kind and bytes of an object of theirs."""
        self._open()
        assert self._reader is not None
        try:
            kind, data = self._reader.read(oid, MAX_OBJECT_BYTES)
        except StoreError:
            self._has_missed = True
            raise
        self.bytes_received += len(data)
        return kind, data

    def rest(self) -> None:
        """Do nothing: the reading process stays."""

    def close(self) -> None:
        """End the reading process."""
        if self._reader is not None:
            self._reader.close()
        self._refs = self._reader = None

    def _open(self) -> TheirRefs:
        if self._refs is None:
            folder = git_folder(self._path)
            self._folder = folder
            self._refs = TheirRefs(folder)
            if self._reader is not None:
                self._reader.close()
            self._reader = their_objects(self._own, folder / "objects")
        return self._refs
