"""Reads objects from a writer's packs without Git: for a medium that Git cannot access."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from catan_p2p.log.storage import disk
from catan_p2p.log.storage.medium import FileMedium, FileStatus
from catan_p2p.log.storage.objects import ObjectDamaged, ObjectId, ObjectKind, ObjectMissing, ObjectTooLarge, object_id
from catan_p2p.log.storage.pack import parse_pack, unpack


class PackReader:
    """Objects of all packs below the Git folder ``folder``; each pack is read once, when it is new.

    A pack that cannot be read counts as empty, as for Git, until one of its files changes.
    """

    def __init__(self, folder: Path, medium: FileMedium) -> None:
        self._packs = folder / "objects" / "pack"
        self._medium = medium
        self._read: set[str] = set()
        self._torn: dict[str, tuple[FileStatus | None, ...]] = {}
        self._objects: dict[ObjectId, tuple[ObjectKind, bytes]] = {}

    def read(self, oid: ObjectId, limit_bytes: int | None = None) -> tuple[ObjectKind, bytes]:
        """Kind and bytes of an object.

        ObjectMissing if there is none, ObjectTooLarge if it has more than ``limit_bytes``, ObjectDamaged if it does not
        match its id.
        """
        if oid not in self._objects:
            self._look()
        found = self._objects.get(oid)
        if found is None:
            raise ObjectMissing(f"{self._packs}: no object {oid}")
        if limit_bytes is not None and len(found[1]) > limit_bytes:
            raise ObjectTooLarge(
                f"{self._packs}: object {oid} has {len(found[1])} bytes, expected at most {limit_bytes}"
            )
        return found

    def close(self) -> None:
        """Forget everything."""
        self._read.clear()
        self._torn.clear()
        self._objects.clear()

    def _look(self) -> None:
        """Read the packs that are new."""
        with disk.explained("read the packs", self._packs):
            try:
                # A pack without an index is still being written.
                names = sorted([name for name, _ in self._medium.list_folder(self._packs) if name.endswith(".idx")])
            except FileNotFoundError:
                return
            for name in names:
                paths = (path := f"{self._packs}/{name}"), path.removesuffix(".idx") + ".pack"
                if name in self._read or (name in self._torn and self._torn[name] == self._stamp(paths)):
                    continue
                index, pack = (self._medium.read(path) for path in paths)
                if self._take(pack, index):
                    self._read.add(name)
                else:
                    self._torn[name] = self._stamp(paths)

    def _stamp(self, paths: Iterable[str]) -> tuple[FileStatus | None, ...]:
        return tuple(self._medium.status(path) for path in paths)

    def _take(self, pack: bytes | None, index: bytes | None) -> bool:
        """Take in a pack; return whether it could be read."""
        if pack is None or index is None:
            return False
        try:
            objects = unpack([parse_pack(pack, index)])
        except ObjectDamaged:
            return False
        for oid, (kind, data) in objects.items():
            # The id comes from the index, and nobody has compared it with the object.
            if object_id(kind, data) == oid:
                self._objects.setdefault(oid, (kind, data))
        return True
