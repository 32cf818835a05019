"""Reads files of somebody else's repository: only regular files, and never more than expected of them."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path

from catan_p2p.limits import MAX_LISTED_ENTRIES, MAX_PACKED_REFS_BYTES, MAX_REF_FILE_BYTES, MAX_REF_FOLDER_DEPTH
from catan_p2p.log.storage.cat_file import CatFile
from catan_p2p.log.storage.git_program import own_environment
from catan_p2p.log.storage.objects import ObjectDamaged, ObjectId, StoreError
from catan_p2p.log.storage.ref_files import follow, is_ref_name, parse_packed
from catan_p2p.log.transport.remote import NotThereYet, RemoteUnreachable, is_below

_PARTS = ("HEAD", "objects", "refs", "packed-refs")
"""By these a repository is known of which a sync service has copied only a part."""


def read_start(path: Path, most: int) -> bytes | None:
    """Return the first bytes of a regular file, None if it does not exist; ``ObjectDamaged`` if it is something else.

    It does not wait for a pipe without a writer, and does not read devices.
    """
    try:
        descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    except (FileNotFoundError, NotADirectoryError, IsADirectoryError):
        return None
    except (OSError, ValueError) as error:
        raise ObjectDamaged(f"{path}: cannot read: {getattr(error, 'strerror', None) or error}") from None
    try:
        # Checked on the open file: the name may lead to another one by now.
        mode = os.fstat(descriptor).st_mode
        if stat.S_ISDIR(mode):
            return None
        if not stat.S_ISREG(mode):
            raise ObjectDamaged(f"{path}: not a regular file")
        return os.read(descriptor, most)
    except OSError as error:
        raise ObjectDamaged(f"{path}: cannot read: {error.strerror or error}") from None
    finally:
        os.close(descriptor)


def git_folder(path: Path) -> Path:
    """The Git folder of the repository at ``path``; ``RemoteUnreachable`` if there is none."""
    try:
        inside = path / ".git"
        # In a linked work tree or a submodule, .git is a file that names the Git folder.
        if inside.is_file():
            pointer = (read_start(inside, 4096) or b"").decode("utf-8", "replace")
            folder = (path / pointer.removeprefix("gitdir:").strip()).resolve()
            if (folder / "objects").is_dir():
                return folder
        else:
            for folder in (inside, path):
                if (folder / "HEAD").is_file() and (folder / "objects").is_dir():
                    return folder.resolve()
            if any((path / name).exists() for name in _PARTS):
                raise NotThereYet(f"{path}: only a part of a Git repository; is it still being copied?")
    except (OSError, ValueError, RuntimeError, ObjectDamaged) as error:
        raise RemoteUnreachable(f"{path}: {getattr(error, 'strerror', None) or error}") from None
    raise RemoteUnreachable(f"{path}: not a Git repository")


def their_objects(own: Path, objects: Path, alternates: Path | None = None) -> CatFile:
    """The objects in the folder ``objects``, read by a Git that runs in our repository, not in theirs.

    So their configuration is never read.
    """
    return CatFile(reading_theirs(own, objects, alternates))


def reading_theirs(own: Path, objects: Path, alternates: Path | None = None) -> dict[str, str]:
    """The environment of a Git that runs in our repository and reads the objects in another folder."""
    theirs = {
        "GIT_OBJECT_DIRECTORY": str(objects),
        "GIT_ALTERNATE_OBJECT_DIRECTORIES": "" if alternates is None else quote_alternate(alternates),
    }
    return os.environ | own_environment(own) | theirs


def quote_alternate(path: Path) -> str:
    """A path as an entry of ``GIT_ALTERNATE_OBJECT_DIRECTORIES``."""
    text = str(path)
    if text.startswith('"') or os.pathsep in text:
        # Git separates entries by this character, and takes a quoted entry as one.
        text = '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
    return text


class TheirRefs:
    """The refs in somebody else's Git folder, read from their files."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._packed_path = folder / "packed-refs"
        self._packed_stamp: tuple[int, ...] | None = None
        self._packed: Mapping[str, ObjectId] = {}

    def read(self, ref: str) -> ObjectId | None:
        """Where a ref is, None if there is no such ref; ``ObjectDamaged`` if it holds no id."""
        return follow(ref, self._folder, self._read_loose, self._packed_refs)

    def list(self, prefix: str) -> dict[str, ObjectId]:
        """Return the refs below a folder (``is_below``) that can be read: an unreadable one hides no others."""
        found = {ref: oid for ref, oid in self._packed_refs().items() if is_below(ref, prefix)}
        for ref in self._names(prefix.partition("*")[0].rstrip("/")):
            with suppress(StoreError):
                if not is_below(ref, prefix):
                    continue
                if (head := self.read(ref)) is not None:
                    found[ref] = head
        return dict(sorted(found.items()))

    def _read_loose(self, ref: str) -> bytes | None:
        # A symbolic ref of theirs could name any file.
        if not is_ref_name(ref):
            raise ObjectDamaged(f"{self._folder}: a symbolic ref leads to {ref[:80]!r}, which is not the name of a ref")
        return read_start(self._folder / ref, MAX_REF_FILE_BYTES)

    def _names(self, top: str) -> Iterator[str]:
        folders, left = [(top, 0)], MAX_LISTED_ENTRIES
        while folders:
            folder, depth = folders.pop()
            with suppress(OSError), os.scandir(self._folder / folder) as entries:
                for entry in entries:
                    # Counted over all folders, so that a tree of many small ones comes to an end, too.
                    left -= 1
                    if left < 0:
                        return
                    name = f"{folder}/{entry.name}"
                    # A link to a folder above would never end.
                    if entry.is_dir(follow_symlinks=False):
                        if depth < MAX_REF_FOLDER_DEPTH:
                            folders.append((name, depth + 1))
                    elif is_ref_name(name):
                        yield name

    def _packed_refs(self) -> Mapping[str, ObjectId]:
        try:
            status = self._packed_path.stat()
        except FileNotFoundError:
            self._packed_stamp, self._packed = None, {}
            return self._packed
        except OSError as error:
            raise RemoteUnreachable(f"{self._packed_path}: {error.strerror or error}") from None
        # A program that copies files sets their times back; not the one of the change itself.
        stamp = (status.st_mtime_ns, status.st_ctime_ns, status.st_size, status.st_ino)
        if stamp != self._packed_stamp:
            try:
                content = read_start(self._packed_path, MAX_PACKED_REFS_BYTES) or b""
            except ObjectDamaged as error:
                raise RemoteUnreachable(str(error)) from None
            packed, _ = parse_packed(content)
            self._packed = {ref: oid for ref, oid in packed.items() if is_ref_name(ref)}
            self._packed_stamp = stamp
        return self._packed
