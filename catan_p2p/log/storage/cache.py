"""An LRU cache of objects, so that an object just written or read is not asked of Git again."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping

from catan_p2p.log.storage.objects import ObjectId, ObjectKind

_PER_OBJECT_BYTES = 300
"""What an object costs beside its own bytes: its id, a tuple, a place in the table."""


class ObjectCache:
    """Kind and bytes of objects, up to ``limit_bytes`` of memory; the least recently used go first."""

    def __init__(self, limit_bytes: int) -> None:
        self._limit_bytes = limit_bytes
        self._size_bytes = 0
        self._objects: OrderedDict[ObjectId, tuple[ObjectKind, bytes]] = OrderedDict()

    def get(self, oid: ObjectId) -> tuple[ObjectKind, bytes] | None:
        """Return an object, None if it is not here."""
        found = self._objects.get(oid)
        if found is not None:
            self._objects.move_to_end(oid)
        return found

    def put(self, objects: Mapping[ObjectId, tuple[ObjectKind, bytes]]) -> None:
        """Keep these objects, and drop the least recently used ones beyond the limit."""
        for oid, found in objects.items():
            if oid not in self._objects:
                self._objects[oid] = found
                self._size_bytes += len(found[1]) + _PER_OBJECT_BYTES
        while self._size_bytes > self._limit_bytes:
            _, (_, data) = self._objects.popitem(last=False)
            self._size_bytes -= len(data) + _PER_OBJECT_BYTES
