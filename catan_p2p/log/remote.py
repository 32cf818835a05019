"""Another peer's repository as this peer sees it: where its branches are, and commits read from it.

Nothing that a remote says is trusted. Its objects never get into the own repository as they are: the peer reads
commits, validates them, and writes what they lead to itself, because it knows every file that a valid action produces.
So a remote can send as much and as strange data as it likes; only reading it must be bounded, and that is done here.
"""

from __future__ import annotations

import contextlib
import os
import re
import subprocess
from collections.abc import Iterable, Mapping
from itertools import islice
from pathlib import Path
from typing import Protocol
from urllib.parse import unquote, urlsplit

from catan_p2p.log.graph import Reason
from catan_p2p.log.reading import TooLarge
from catan_p2p.log.storage.objects import KINDS, Damaged, ObjectId, ObjectKind, ObjectMissing, StoreError, object_id
from catan_p2p.log.storage.ref_files import RefFiles, is_ref_name

MAX_OBJECT_BYTES = 64 << 10
"""No object of a game is larger; a larger one is not read."""
MAX_LISTED = 10_000


class Unreachable(StoreError):
    """A remote repository that cannot be read now; the message says why."""


class BadFetch(StoreError):
    """A remote sent what Git refuses: too much of it, objects that are not well formed, or not all of them."""

    def __init__(self, message: str, reason: Reason) -> None:
        super().__init__(message)
        self.reason: Reason = reason


class Remote(Protocol):
    """Another peer's repository.

    ``fetches`` counts how often commits were brought from it, ``bytes_received`` what they took. ``negotiates`` says
    whether the own refs tell it what need not be sent.
    """

    url: str
    negotiates: bool
    fetches: int
    bytes_received: int

    def heads(self, refs: Iterable[str], folder: str | None = None) -> Mapping[str, ObjectId]:
        """Where these refs (full names) and all below ``folder`` are; those that do not exist are missing.

        Raises ``Unreachable``.
        """

    def bring(self, heads: Mapping[str, ObjectId], held: Iterable[ObjectId] = ()) -> None:
        """Make the history of these heads readable, up to commits that are held already.

        Raises ``Unreachable``, or ``BadFetch`` if it cannot be had.
        """

    def read(self, oid: ObjectId) -> tuple[ObjectKind, bytes]:
        """Kind and bytes of an object; ``ObjectMissing``, or ``Damaged`` if the bytes are not those of the id."""

    def rest(self) -> None:
        """End what need not stay open until the next look."""

    def close(self) -> None:
        """End what was begun for reading."""


def local_path(url: str) -> Path | None:
    """The folder that a URL of this machine names, None for any other URL."""
    if url.startswith("file://"):
        return Path(unquote(urlsplit(url).path))
    if "://" in url or re.match(r"[^/\\]{2,}:", url):
        return None
    return Path(url)


def absolute_url(url: str) -> str:
    """The same URL, as it reads from every folder."""
    path = local_path(url)
    return url if path is None or "://" in url else str(path.absolute())


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


class ObjectReader:
    """Reads objects of the folder ``objects`` with one ``git cat-file`` that runs in our repository, not in theirs.

    So no configuration of theirs is ever read.
    """

    def __init__(self, own: Path, objects: Path, alternates: Path | None = None) -> None:
        self._environment = os.environ | {
            "GIT_DIR": str(own),
            "GIT_OBJECT_DIRECTORY": str(objects),
            "GIT_ALTERNATE_OBJECT_DIRECTORIES": "" if alternates is None else quote_alternate(alternates),
        }
        self._process: subprocess.Popen[bytes] | None = None

    def read(self, oid: ObjectId) -> tuple[ObjectKind, bytes]:
        """Kind and bytes of an object of at most ``MAX_OBJECT_BYTES``."""
        try:
            kind, data = self._ask(oid)
        except OSError as error:
            self.close()
            raise Damaged(f"Git cannot read object {oid}: {error.strerror or error}") from None
        except Damaged:
            self.close()
            raise
        if object_id(kind, data) != oid:
            raise Damaged(f"object {oid} does not hold what its id promises")
        return kind, data

    def _ask(self, oid: ObjectId) -> tuple[ObjectKind, bytes]:
        if self._process is None:
            self._process = subprocess.Popen(
                ["git", "cat-file", "--batch"],
                env=self._environment,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
            )
        asked, answered = self._process.stdin, self._process.stdout
        assert asked is not None and answered is not None
        asked.write(f"{oid}\n".encode())
        asked.flush()
        head = answered.readline().decode("ascii", "replace").split()
        if head[1:] == ["missing"]:
            raise ObjectMissing(f"no object {oid}")
        if len(head) != 3 or head[0] != oid or head[1] not in KINDS:
            raise Damaged(f"Git cannot read object {oid}")
        size = int(head[2])
        if size > MAX_OBJECT_BYTES:
            raise TooLarge(f"object {oid} has {size} bytes, at most {MAX_OBJECT_BYTES} are read")
        data = answered.read(size + 1)
        if len(data) != size + 1:
            raise Damaged(f"Git cannot read all of object {oid}")
        return head[1], data[:-1]

    def close(self) -> None:
        """End the process; the next reading starts another."""
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            for pipe in (process.stdin, process.stdout):
                with contextlib.suppress(OSError):
                    if pipe is not None:
                        pipe.close()
            process.wait()


def quote_alternate(path: Path) -> str:
    """A path as an entry of ``GIT_ALTERNATE_OBJECT_DIRECTORIES``."""
    text = str(path)
    if text.startswith('"') or os.pathsep in text:
        text = '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
    return text


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


def open_remote(url: str, own: Path, incoming: Path) -> Remote:
    """The remote at a URL, for the repository whose Git folder is ``own``.

    ``incoming`` is a folder for what was fetched and is not validated yet.
    """
    path = local_path(url)
    if path is not None:
        return LocalRemote(url, path, own)
    from catan_p2p.log.git_protocol import GitProtocolRemote
    from catan_p2p.log.git_remote import GitRemote

    if url.startswith("git://"):
        return GitProtocolRemote(url)
    return GitRemote(url, own, incoming)
