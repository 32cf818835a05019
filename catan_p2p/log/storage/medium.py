"""The place of a store's files: the disk of this machine, or one that a simulation makes.

The module ``disk`` is a medium, the one that everything uses unless it is given another.
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple, Protocol, TypeAlias

AnyPath: TypeAlias = Path | str
"""A str where each publication makes paths: making a Path costs as much as a system call."""


class FileStatus(NamedTuple):
    """Distinguishes a file from another one, and its contents from later ones."""

    identity: tuple[int, int]
    """The same for all names of a file."""
    names: int
    """How many names it has."""
    stamp: tuple[int, int]
    """Changes whenever the contents change."""


class FileMedium(Protocol):
    """File operations, as the functions of ``disk`` have them; OSError where one fails."""

    @property
    def KEEPS_OUT(self) -> bool:
        """Whether other processes can get at it, so that a writer must keep a second one out."""

    def make_folder(self, path: Path) -> None:
        """Make a folder, and those above it, if it is not there."""

    def open_append(self, path: AnyPath) -> int:
        """Open a file for appending, made if need be; returns the descriptor."""

    def append(self, descriptor: int, data: bytes) -> None:
        """Write all of ``data`` at the end of a file."""

    def truncate(self, descriptor: int, size: int) -> None:
        """Cut an open file to ``size`` bytes."""

    def close(self, descriptor: int) -> None:
        """Close an open file."""

    def sync(self, descriptor: int) -> None:
        """Wait until an open file's data are on the medium."""

    def sync_folder(self, path: AnyPath) -> None:
        """Wait until a folder's names are on the medium."""

    def sync_file(self, path: AnyPath) -> None:
        """Wait until what a file holds is on the medium, if there is such a file."""

    def create(self, path: AnyPath, data: bytes, *, read_only: bool = False, synced: bool = False) -> None:
        """Make a new file with ``data``; FileExistsError if there is one already."""

    def rewrite(self, path: AnyPath, data: bytes) -> bool:
        """Make ``data`` the content of a file, unless it has a second name; whether it was done."""

    def link(self, source: AnyPath, target: AnyPath) -> None:
        """Make ``target``, which must not exist, a second name of ``source``."""

    def read(self, path: AnyPath) -> bytes | None:
        """What a file holds, None if there is no such file."""

    def replace(self, source: AnyPath, target: AnyPath) -> None:
        """Give ``source`` the name ``target`` in one step."""

    def remove(self, path: AnyPath) -> None:
        """Remove a file if it is there."""

    def exists(self, path: AnyPath) -> bool:
        """Whether there is a file or a folder."""

    def is_folder(self, path: AnyPath) -> bool:
        """Whether there is a folder."""

    def list_folder(self, path: AnyPath) -> list[tuple[str, bool]]:
        """What a folder holds: each name, and whether it is a folder."""

    def status(self, path: AnyPath) -> FileStatus | None:
        """The status of a file, None if there is no such file."""

    def remove_empty_folders(self, top: AnyPath) -> None:
        """Remove a folder and those below, as far as they are empty."""
