"""Reading files of somebody else's repository: regular files only, and never more of them than is expected."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path

from catan_p2p.limits import MAX_LISTED_ENTRIES, MAX_PACKED_REFS_BYTES, MAX_REF_FILE_BYTES, MAX_REF_FOLDER_DEPTH
from catan_p2p.log.storage.objects import Damaged, ObjectId, StoreError, parse_object_id
from catan_p2p.log.storage.ref_files import is_ref_name
from catan_p2p.log.transport.remote import Unreachable, is_below

_SYMBOLIC_DEPTH = 5


def read_start(path: Path, most: int) -> bytes | None:
    """The first bytes of a regular file, None if there is no such file; ``Damaged`` if it is something else.

    A pipe without a writer is not waited for, a device not read.
    """
    try:
        descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    except (FileNotFoundError, NotADirectoryError, IsADirectoryError):
        return None
    except (OSError, ValueError) as error:
        raise Damaged(f"{path}: cannot read: {getattr(error, 'strerror', None) or error}") from None
    try:
        mode = os.fstat(descriptor).st_mode
        if stat.S_ISDIR(mode):
            return None
        if not stat.S_ISREG(mode):
            raise Damaged(f"{path}: not a regular file")
        return os.read(descriptor, most)
    except OSError as error:
        raise Damaged(f"{path}: cannot read: {error.strerror or error}") from None
    finally:
        os.close(descriptor)


def git_folder(path: Path) -> Path:
    """The Git folder of the repository at ``path``; ``Unreachable`` if there is none."""
    try:
        inside = path / ".git"
        if inside.is_file():
            pointer = (read_start(inside, 4096) or b"").decode("utf-8", "replace")
            folder = (path / pointer.removeprefix("gitdir:").strip()).resolve()
            if (folder / "objects").is_dir():
                return folder
        else:
            for folder in (inside, path):
                if (folder / "HEAD").is_file() and (folder / "objects").is_dir():
                    return folder.resolve()
    except (OSError, ValueError, RuntimeError, Damaged) as error:
        raise Unreachable(f"{path}: {getattr(error, 'strerror', None) or error}") from None
    raise Unreachable(f"{path}: not a Git repository")


class TheirRefs:
    """The refs in somebody else's Git folder, read from their files."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._packed_path = folder / "packed-refs"
        self._packed_stamp: tuple[int, int, int] | None = None
        self._packed: Mapping[str, ObjectId] = {}

    def read(self, ref: str) -> ObjectId | None:
        """Where a ref is, None if there is no such ref; ``Damaged`` if it holds no id."""
        for _ in range(_SYMBOLIC_DEPTH):
            if not is_ref_name(ref):
                raise Damaged(f"{self._folder}: a ref that leads to {ref[:80]!r}")
            content = read_start(self._folder / ref, MAX_REF_FILE_BYTES)
            if content is None:
                return self._packed_refs().get(ref)
            text = content.decode("utf-8", "replace").strip()
            if not text.startswith("ref: "):
                try:
                    return parse_object_id(text)
                except ValueError:
                    raise Damaged(f"{self._folder / ref}: a ref that holds no object id") from None
            ref = text[5:].strip()
        raise Damaged(f"{self._folder / ref}: a symbolic ref that leads nowhere")

    def list(self, prefix: str) -> dict[str, ObjectId]:
        """The refs below a folder (``is_below``) that can be read: one that cannot hides no other."""
        found = {ref: oid for ref, oid in self._packed_refs().items() if is_below(ref, prefix)}
        for ref in self._names(prefix.partition("*")[0].rstrip("/")):
            with suppress(StoreError):
                if not is_below(ref, prefix):
                    continue
                if (head := self.read(ref)) is not None:
                    found[ref] = head
        return dict(sorted(found.items()))

    def _names(self, top: str) -> Iterator[str]:
        folders, left = [(top, 0)], MAX_LISTED_ENTRIES
        while folders:
            folder, depth = folders.pop()
            with suppress(OSError), os.scandir(self._folder / folder) as entries:
                for entry in entries:
                    left -= 1
                    if left < 0:
                        return
                    name = f"{folder}/{entry.name}"
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
            raise Unreachable(f"{self._packed_path}: {error.strerror or error}") from None
        stamp = (status.st_mtime_ns, status.st_size, status.st_ino)
        if stamp != self._packed_stamp:
            try:
                content = read_start(self._packed_path, MAX_PACKED_REFS_BYTES) or b""
            except Damaged as error:
                raise Unreachable(str(error)) from None
            self._packed, self._packed_stamp = _parse_packed(content), stamp
        return self._packed


def _parse_packed(content: bytes) -> dict[str, ObjectId]:
    """The refs of ``packed-refs``; lines that are none are passed over."""
    packed = {}
    for line in content.decode("utf-8", "replace").split("\n"):
        oid, _, ref = line.partition(" ")
        with suppress(ValueError):
            if line[:1] not in ("", "#", "^") and is_ref_name(ref):
                packed[ref] = parse_object_id(oid)
    return packed
