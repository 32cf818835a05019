"""This program's own folder inside the Git folder, which Git ignores: one set of files for each writer's name."""

from __future__ import annotations

import re
from pathlib import Path

from catan_p2p.log.storage import disk
from catan_p2p.log.storage.medium import FileMedium
from catan_p2p.log.storage.objects import StoreError

FOLDER = "catan-p2p"
# The name becomes part of file names, on any system, and ends at the first dot.
_WRITER_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]*")


class WriterFolder:
    """The files of ``writer`` below the Git folder ``git_folder``; the constructor makes the folder.

    ``marker`` is a file that names its writer: linked under other names it marks packs and refs that are in use.
    """

    def __init__(self, git_folder: Path, writer: str, medium: FileMedium = disk) -> None:
        if not _WRITER_NAME.fullmatch(writer):
            raise StoreError(f"not the name of a writer: {writer!r}")
        self.folder = git_folder / FOLDER
        self.medium = medium
        self.writer = writer
        self._prefix = str(self.folder / writer)
        self.marker = self.file("mark")
        self.mark = f"catan-p2p {writer}\n".encode()
        with disk.explained("make the folder", self.folder):
            medium.make_folder(self.folder)

    def file(self, suffix: str) -> Path:
        """Return the path ``<writer>.<suffix>`` in this folder."""
        return Path(f"{self._prefix}.{suffix}")

    def files(self, prefix: str) -> list[Path]:
        """Return the files whose names begin with ``<writer>.<prefix>``."""
        start = f"{self.writer}.{prefix}"
        names = sorted(name for name, _ in self.medium.list_folder(self.folder))
        return [self.folder / name for name in names if name.startswith(start)]

    def make_marker(self) -> None:
        """Write the marker, unless it is there."""
        with disk.explained("write the marker", self.marker):
            if self.medium.read(self.marker) != self.mark:
                # Removed, not rewritten: it may have other names, whose content must not change.
                self.medium.remove(self.marker)
                self.medium.create(self.marker, self.mark)
