"""A store in memory: for tests of what stands above the store."""

from catan_p2p.log.storage.objects import ObjectId, ObjectKind, ObjectMissing, object_id


class Objects:
    """Objects by id."""

    def __init__(self) -> None:
        self.kept: dict[ObjectId, tuple[ObjectKind, bytes]] = {}

    def add(self, kind: ObjectKind, data: bytes, base: ObjectId | None = None) -> ObjectId:
        oid = object_id(kind, data)
        self.kept[oid] = kind, data
        return oid

    def read(self, oid: ObjectId) -> tuple[ObjectKind, bytes]:
        if oid not in self.kept:
            raise ObjectMissing(f"no object {oid}")
        return self.kept[oid]
