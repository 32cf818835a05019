"""The disk space of a repository, at the end of a game and after ``git gc``."""

import os
import shutil
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from catan_p2p.log.storage import disk
from catan_p2p.log.storage.objects import StoreError
from catan_p2p.log.storage.repository import GitCommandError, open_repository

_BLOCK_BYTES = 512
_CLUSTER_BYTES = 4096
"""The assumed block size if the system does not say how much a file occupies."""


@dataclass(frozen=True, slots=True)
class FolderSizes:
    """Sizes of a Git folder in bytes.

    ``disk_bytes`` is what ``du`` counts: the blocks of all files and folders. ``file_bytes`` is the sum of the files'
    lengths, ``pack_bytes`` that of the packs alone, ``index_bytes`` that of their indexes.
    """

    disk_bytes: int
    file_bytes: int
    pack_bytes: int
    index_bytes: int


def measure_storage(folder: Path) -> FolderSizes:
    """The sizes of a Git folder; ``StoreError`` if it cannot be read."""
    with disk.explained("measure", folder):
        entries = list(_entries(folder))
    files = [(path, found) for path, found in entries if not path.is_dir()]
    return FolderSizes(
        disk_bytes=sum(_occupied(found) for _, found in entries),
        file_bytes=sum(found.st_size for _, found in files),
        pack_bytes=sum(found.st_size for path, found in files if path.suffix == ".pack"),
        index_bytes=sum(found.st_size for path, found in files if path.suffix == ".idx"),
    )


def measure_after_gc(folder: Path) -> FolderSizes:
    """The same after ``git gc``, which runs on a copy and leaves the folder itself unchanged."""
    with tempfile.TemporaryDirectory(prefix="catan-p2p-gc-") as temporary:
        copy = Path(temporary) / ".git"
        try:
            shutil.copytree(folder, copy)
            with open_repository(copy) as repo:
                repo.git.gc("--quiet", "--prune=now")
        except (OSError, shutil.Error) as error:
            raise StoreError(f"{folder}: cannot copy: {error}") from error
        except GitCommandError as error:
            reason = str(error.stderr or error).strip().splitlines()
            raise StoreError(f"{folder}: git gc of a copy failed: {reason[-1] if reason else error}") from error
        return measure_storage(copy)


def _entries(folder: Path) -> Iterator[tuple[Path, os.stat_result]]:
    """Every file and folder, the top included; like ``du``, a file with several hard links counts once."""
    seen = set()
    for path in (folder, *folder.rglob("*")):
        found = path.lstat()
        identity = (found.st_dev, found.st_ino)
        if identity in seen and found.st_ino:  # 0 where files have no number
            continue
        seen.add(identity)
        yield path, found


def _occupied(found: os.stat_result) -> int:
    blocks = getattr(found, "st_blocks", None)
    if blocks is not None:
        return int(blocks) * _BLOCK_BYTES
    return -(-found.st_size // _CLUSTER_BYTES) * _CLUSTER_BYTES
