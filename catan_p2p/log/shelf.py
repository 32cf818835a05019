"""The packs one writer has put into a repository, and their folding into fewer.

Publishing puts one small pack beside the others; when ``FOLD_AT`` of a size have come together they are
folded into one, and the packs so replaced are removed one fold later, because a reader may be about to open
them. A list beside the journal names the writer's packs, so that a later process can go on folding them.
"""

from __future__ import annotations

import logging
import os
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from catan_p2p.log import disk
from catan_p2p.log.objects import Damaged, ObjectId, StoreError
from catan_p2p.log.pack import PackBuilder, PackReader, fold_packs

FOLD_AT = 16
_log = logging.getLogger(__name__)


class Shelf:
    """The packs of ``writer`` in the folder ``packs``; its own files are in the folder ``home``."""

    def __init__(self, packs: Path, home: Path, writer: str, *, durable: bool = False) -> None:
        self._packs = packs
        self._home = home
        self._durable = durable
        self._marker = f"catan-p2p {writer}\n".encode()
        self._temporary = home / f"{writer}.idx.tmp"
        self._list_path = home / f"{writer}.packs"
        self._levels: dict[str, int] = {}
        self._replaced: list[str] = []
        self._hints: dict[ObjectId, ObjectId] = {}
        with disk.explained("open the list of packs", self._list_path):
            self._list = disk.open_append(self._list_path)
            self._load()

    def put(self, builder: PackBuilder, level: int = 0) -> str:
        """Write a pack and its index; returns its name. Until :meth:`release` a repack leaves it alone."""
        name, pack, index = builder.build()
        pack_path, index_path, keep = (
            self._path(name, "pack"),
            self._path(name, "idx"),
            self._path(name, "keep"),
        )
        with disk.explained("write the pack", pack_path):
            self._packs.mkdir(parents=True, exist_ok=True)
            disk.remove(keep)
            disk.create(keep, self._marker)
            if disk.read(pack_path) != pack:
                disk.remove(pack_path)
                disk.create(pack_path, pack, read_only=True, synced=self._durable)
            if disk.read(index_path) != index:
                disk.remove(self._temporary)
                disk.create(self._temporary, index, read_only=True, synced=self._durable)
                disk.replace(self._temporary, index_path)
            if self._durable:
                disk.sync_folder(self._packs)
            if name not in self._levels:
                disk.append(self._list, f"{level} {name}\n".encode())
                self._levels[name] = level
        return name

    def release(self, name: str) -> None:
        """Let Git repack a pack: refs lead to its objects now."""
        keep = self._path(name, "keep")
        with disk.explained("release the pack", keep):
            disk.remove(keep)

    def hint(self, oid: ObjectId, base: ObjectId) -> None:
        """Remember that ``oid``, stored whole, is a version of ``base``: folding may make it a delta."""
        self._hints[oid] = base

    def is_due(self) -> bool:
        """Whether there are enough packs of a size to fold."""
        return self._due_level() is not None

    def fold_due(self) -> None:
        """Fold the packs of every size of which there are enough."""
        while (level := self._due_level()) is not None:
            self._fold([name for name, its in self._levels.items() if its == level], level + 1)

    def fold_all(self) -> None:
        """Fold all packs of this writer into one."""
        if len(self._levels) > 1 or self._hints:
            self._fold(list(self._levels), max(self._levels.values(), default=0) + 1)

    def sweep(self) -> None:
        """Remove the packs that folding has replaced."""
        left = []
        for name in self._replaced:
            try:
                for suffix in ("idx", "pack"):
                    disk.remove(self._path(name, suffix))
            except PermissionError:
                left.append(name)
            except OSError as error:
                raise StoreError(
                    f"{self._path(name, suffix)}: cannot remove: {disk.reason(error)}"
                ) from error
        if len(left) < len(self._replaced):
            self._replaced = left
            with disk.explained("rewrite the list of packs", self._list_path):
                self._rewrite_list()

    def clean(self) -> None:
        """Remove what a killed process of this writer left: temporary files, marks, packs without an
        index.
        """
        with disk.explained("clean up after a killed process", self._packs):
            disk.remove(self._temporary)
            for keep in self._packs.glob("pack-*.keep"):
                content = disk.read(keep)
                finished = keep.with_suffix(".idx").exists()
                if content == self._marker or (not content and not finished):
                    if not finished:
                        disk.remove(keep.with_suffix(".pack"))
                    disk.remove(keep)
        self.sweep()

    def close(self) -> None:
        """Close the list of packs."""
        if self._list >= 0:
            os.close(self._list)
            self._list = -1

    def _path(self, name: str, suffix: str) -> Path:
        return self._packs / f"pack-{name}.{suffix}"

    def _due_level(self) -> int | None:
        counts = Counter(self._levels.values())
        return min((level for level, count in counts.items() if count >= FOLD_AT), default=None)

    def _fold(self, names: Iterable[str], level: int) -> None:
        packs = {}
        for name in names:
            pack = self._read(name)
            if pack is None:
                del self._levels[name]
            else:
                packs[name] = pack
        if not packs:
            return
        folded = fold_packs(list(packs.values()), self._hints)
        new = self.put(folded, level)
        self.release(new)
        self.sweep()
        gone = [name for name in packs if name != new]
        with disk.explained("extend the list of packs", self._list_path):
            disk.append(self._list, "".join(f"- {name}\n" for name in gone).encode())
        for name in gone:
            del self._levels[name]
        self._replaced += gone
        for pack in packs.values():
            for oid in pack.oids():
                self._hints.pop(oid, None)

    def _read(self, name: str) -> PackReader | None:
        """Return a pack of ours, None if it is gone (somebody repacked) or damaged (left as it is, for git
        fsck).
        """
        path = self._path(name, "pack")
        with disk.explained("read the pack", path):
            pack, index = disk.read(path), disk.read(self._path(name, "idx"))
        if pack is None or index is None:
            return None
        try:
            return PackReader(pack, index)
        except Damaged as error:
            _log.warning("%s: not folded: %s", path, error)
            return None

    def _load(self) -> None:
        for line in (disk.read(self._list_path) or b"").decode("ascii", "replace").split("\n")[:-1]:
            level, _, name = line.partition(" ")
            if level == "-":
                self._levels.pop(name, None)
                self._replaced.append(name)
            elif level.isdecimal() and len(name) == 40:
                self._levels[name] = int(level)

    def _rewrite_list(self) -> None:
        lines = [f"{level} {name}\n" for name, level in self._levels.items()]
        lines += [f"- {name}\n" for name in self._replaced]
        new = self._list_path.with_suffix(".packs.tmp")
        disk.remove(new)
        disk.create(new, "".join(lines).encode())
        self.close()
        disk.replace(new, self._list_path)
        self._list = disk.open_append(self._list_path)
