"""A remote that is a folder of this machine, or of one that is mounted here."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Mapping
from itertools import islice
from pathlib import Path

from catan_p2p.log.storage.objects import Damaged, ObjectId, ObjectKind, StoreError
from catan_p2p.log.storage.ref_files import RefFiles, is_ref_name
from catan_p2p.log.transport.object_reader import ObjectReader
from catan_p2p.log.transport.remote import Unreachable

MAX_LISTED = 10_000


def git_folder(path: Path) -> Path:
    """The Git folder of the repository at ``path``; ``Unreachable`` if there is none."""
    try:
        inside = path / ".git"
        if inside.is_file():
            pointer = inside.read_bytes()[:4096].decode("utf-8", "replace")
            return (path / pointer.removeprefix("gitdir:").strip()).resolve()
        for folder in (inside, path):
            if (folder / "HEAD").is_file() and (folder / "objects").is_dir():
                return folder.resolve()
    except OSError as error:
        raise Unreachable(f"{path}: {error.strerror or error}") from None
    raise Unreachable(f"{path}: not a Git repository")


class LocalRemote:
    """A repository in a folder of this machine, or of one that is mounted here.

    Its refs are read from their files, its commits from its packs: finding nothing new starts no process.
    """

    negotiates = False

    def __init__(self, url: str, path: Path, own: Path) -> None:
        self.url = url
        self.fetches = 0
        self.bytes_received = 0
        self._path = path
        self._own = own
        self._folder = path
        self._refs: RefFiles | None = None
        self._reader: ObjectReader | None = None

    def heads(self, refs: Iterable[str], folder: str | None = None) -> Mapping[str, ObjectId]:
        """Where the refs are, read from their files."""
        files = self._open()
        found: dict[str, ObjectId] = {}
        for ref in refs:
            with contextlib.suppress(StoreError):
                if (head := files.read(ref)) is not None:
                    found[ref] = head
        if not found and not (self._folder / "objects").is_dir():
            self._refs = None
            raise Unreachable(f"{self._path}: the repository is gone")
        if folder is not None:
            try:
                found |= files.list(folder)
            except Damaged:
                found |= self._list_readable(files, folder)
        return found

    def _list_readable(self, files: RefFiles, folder: str) -> dict[str, ObjectId]:
        """The refs of a folder that can be read: one that cannot must not hide the others."""
        found = {}
        for path in islice((self._folder / folder).rglob("*"), MAX_LISTED):
            ref = path.relative_to(self._folder).as_posix()
            with contextlib.suppress(StoreError):
                if is_ref_name(ref) and path.is_file() and (head := files.read(ref)) is not None:
                    found[ref] = head
        return found

    def bring(self, heads: Mapping[str, ObjectId], held: Iterable[ObjectId] = ()) -> None:
        """Nothing to do: objects are read where they are."""
        self.fetches += 1

    def read(self, oid: ObjectId) -> tuple[ObjectKind, bytes]:
        """Kind and bytes of an object of theirs."""
        self._open()
        assert self._reader is not None
        kind, data = self._reader.read(oid)
        self.bytes_received += len(data)
        return kind, data

    def rest(self) -> None:
        """Nothing to do: the reading process stays."""

    def close(self) -> None:
        """End the reading process."""
        if self._reader is not None:
            self._reader.close()
        self._refs = self._reader = None

    def _open(self) -> RefFiles:
        if self._refs is None:
            folder = git_folder(self._path)
            self._folder = folder
            self._refs = RefFiles(folder, patience_s=0.0)
            if self._reader is not None:
                self._reader.close()
            self._reader = ObjectReader(self._own, folder / "objects")
        return self._refs
