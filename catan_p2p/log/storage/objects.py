"""What a Git object is here: a kind, some bytes, and the id that follows from both.

The errors of the store are here too, so that every module below it can raise them::

    StoreError                  one clear line: which file or ref, what was expected, what was found
    ├── NotThere                there is no repository at that path
    ├── ObjectMissing           the repository has no object of that id
    ├── RefMoved                a ref is not where its writer left it
    ├── StoreLocked             another live process holds the journal or the ref
    └── ObjectDamaged           bytes on disk are not what was written
        ├── ObjectFalse         an object is whole, but its bytes have another id
        └── ObjectTooLarge      an object has more bytes than the reader allows, and was not read
"""

from __future__ import annotations

import hashlib
import re
from collections import OrderedDict
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Literal, NamedTuple, NewType, TypeAlias

ObjectId = NewType("ObjectId", str)
"""Forty lower-case hexadecimal digits: the SHA-1 of an object."""

ObjectKind: TypeAlias = Literal["commit", "tree", "blob", "tag"]

KINDS: tuple[ObjectKind, ...] = ("commit", "tree", "blob", "tag")
_HEADERS = {kind: kind.encode() + b" %d\0" for kind in KINDS}
NULL_ID = ObjectId("0" * 40)
_PER_OBJECT_BYTES = 300
"""What an object costs beside its own bytes: its id, a tuple, a place in the table."""
_HEX_ID = re.compile(r"[0-9a-f]{40}")


class StoreError(Exception):
    """The store could not do what was asked; the message is one line for the user."""


class NotThere(StoreError, FileNotFoundError):
    """What a caller of the library named is not there."""


class ObjectMissing(StoreError):
    """The repository does not hold the object asked for; ``why`` says so if only a part of it was cloned."""

    def __init__(self, words: str, why: str = "") -> None:
        super().__init__(words)
        self.why = why


class RefMoved(StoreError):
    """``ref`` is not at the object its writer expected but at ``found``, None if there is no such ref."""

    def __init__(self, ref: str, expected: ObjectId | None, found: ObjectId | None, told: str | None = None) -> None:
        super().__init__(f"{ref}: {told or _difference(expected, found)}")
        self.ref = ref
        self.found = found


def _difference(expected: ObjectId | None, found: ObjectId | None) -> str:
    return f"expected {expected or 'no such ref'}, found {found or 'none'}"


class DisplacedRef(NamedTuple):
    """What somebody else put where only this writer moves refs: ``found`` at ``ref``, now kept at ``kept_at``.

    Both are None if they deleted the ref. It is back where this writer moved it.
    """

    ref: str
    found: ObjectId | None
    kept_at: str | None


class StoreLocked(StoreError):
    """Another live process is writing where this one wants to."""


class ObjectDamaged(StoreError):
    """A pack, an index or a journal does not hold what its checksum promises."""


class ObjectFalse(ObjectDamaged):
    """An object is whole, but has another id than the one it stands under: nothing that is still to come mends that."""


class ObjectTooLarge(ObjectDamaged):
    """An object has more bytes than its reader allows; to the reader it is as good as damaged."""


def object_id(kind: ObjectKind, data: bytes) -> ObjectId:
    """Return the id Git gives to ``data`` as an object of ``kind``."""
    # Not ObjectId(...), which costs a call: this is called for every object of a log, most of them more than once.
    return hashlib.sha1(_HEADERS[kind] % len(data) + data).hexdigest()  # type: ignore[return-value]


@lru_cache(maxsize=1 << 11)
def small_object_id(kind: ObjectKind, data: bytes) -> ObjectId:
    """The same for the files and trees of a state, which are made, judged and stored, and so hashed several times."""
    return object_id(kind, data)


def parse_object_id(text: str) -> ObjectId:
    """Return ``text`` as an id; ValueError unless it is forty lower-case hexadecimal digits."""
    if not _HEX_ID.fullmatch(text):
        raise ValueError(f"not an object id: {text!r}")
    return ObjectId(text)


_PARENT = re.compile(rb"^parent ([0-9a-f]{40})$", re.MULTILINE)


def parents_of(commit: bytes) -> Iterable[ObjectId]:
    """The ids in the ``parent`` lines of a commit, which may be malformed otherwise."""
    # The message may have lines of this form, too.
    for parent in _PARENT.findall(commit.split(b"\n\n", 1)[0]):
        yield ObjectId(parent.decode())


class ObjectCache:
    """Objects just written or read, so that Git is not asked for them again.

    Kind and bytes, up to ``limit_bytes`` of memory; the least recently used go first."""

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
