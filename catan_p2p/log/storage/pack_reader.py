"""Reads objects from a writer's packs without Git: for a medium that Git cannot access."""

from __future__ import annotations

from pathlib import Path

from catan_p2p.log.storage import disk
from catan_p2p.log.storage.medium import FileMedium
from catan_p2p.log.storage.objects import ObjectDamaged, ObjectId, ObjectKind, ObjectMissing, ObjectTooLarge, object_id
from catan_p2p.log.storage.pack import parse_pack, unpack


class PackReader:
    """Objects of all packs below the Git folder ``folder``; each pack is read once, when it is new.

    A pack that cannot be read counts as empty, as for Git.
    """

    def __init__(self, folder: Path, medium: FileMedium) -> None:
        self._packs = folder / "objects" / "pack"
        self._medium = medium
        self._read: set[str] = set()
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
                if name not in self._read:
                    index = self._medium.read(path := f"{self._packs}/{name}")
                    pack = self._medium.read(path.removesuffix(".idx") + ".pack")
                    self._read.add(name)
                    self._take(pack, index)

    def _take(self, pack: bytes | None, index: bytes | None) -> None:
        if pack is None or index is None:
            return
        try:
            objects = unpack([parse_pack(pack, index)])
        except ObjectDamaged:
            return
        for oid, (kind, data) in objects.items():
            # The id comes from the index, and nobody has compared it with the object.
            if object_id(kind, data) == oid:
                self._objects.setdefault(oid, (kind, data))
