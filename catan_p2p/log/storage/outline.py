"""The files that Git needs to take a folder for a repository; a loss of power may empty them."""

from __future__ import annotations

import re
from pathlib import Path

from catan_p2p.log.storage import disk

_HEAD = re.compile(rb"(ref: refs/heads/[^\0\n]+|[0-9a-f]{40})\s*")


def has_config(folder: Path) -> bool:
    """Whether a Git folder has a configuration that Git can read."""
    content = disk.read(folder / "config") or b""
    # Zeros are what a loss of power leaves where a file was lengthened and not yet written.
    return b"repositoryformatversion" in content and b"\0" not in content


def has_head(folder: Path) -> bool:
    """Whether a Git folder has a HEAD that Git can read."""
    return _HEAD.fullmatch(disk.read(folder / "HEAD") or b"") is not None


def is_whole(folder: Path) -> bool:
    """Whether Git takes the folder for a repository."""
    try:
        return all((folder / name).is_dir() for name in ("objects", "refs")) and has_config(folder) and has_head(folder)
    except OSError:
        return False
