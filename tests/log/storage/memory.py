"""Objects in memory, and a repository that shows them: for tests of what stands above the store."""

from collections.abc import Callable, Iterable, Mapping

from catan_p2p.log.storage.objects import ObjectId, ObjectKind, ObjectMissing, object_id
from catan_p2p.log.transport.remote import chosen_heads


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


class MemoryRemote:
    """Another player's repository, as it is shown: refs by name, and all commits that there are."""

    negotiates = False

    def __init__(self, url: str, refs: Callable[[], Mapping[str, ObjectId]], objects: Objects) -> None:
        self.url = url
        self.fetches = self.bytes_received = 0
        self.read = objects.read
        self._refs = refs

    def heads(self, refs: Iterable[str], folder: str | None = None) -> Mapping[str, ObjectId]:
        return chosen_heads(self._refs().items(), frozenset(refs), folder)

    def bring(self, heads: Mapping[str, ObjectId], held: Iterable[ObjectId] = ()) -> None:
        self.fetches += 1

    def rest(self) -> None: ...

    def close(self) -> None: ...
