"""Two dictionaries: an immutable one from which a larger one is made without copying, and one of limited size."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice
from typing import TypeVar

from catan_p2p.limits import MAX_REMEMBERED

K = TypeVar("K")
V = TypeVar("V")


class PersistentMap(Mapping[K, V]):
    """An immutable map in the order in which its keys were added; a key keeps its first value.

    Maps that grew from one another share one dictionary, each seeing a prefix of it. Adding to the largest takes
    constant time; adding to a smaller one copies what it sees.
    """

    __slots__ = ("_shared", "count")

    def __init__(self, shared: dict[K, tuple[int, V]] | None = None, count: int = 0) -> None:
        self._shared = {} if shared is None else shared
        self.count = count
        """The number of keys."""

    def adding(self, key: K, value: V) -> PersistentMap[K, V]:
        """Return the map with this key added."""
        shared, count = self._shared, self.count
        # Another map has added to the shared dictionary meanwhile, in its own way.
        if len(shared) != count:
            shared = dict(islice(shared.items(), count))
        if key in shared:
            return self
        shared[key] = count, value
        return PersistentMap(shared, count + 1)

    # A key further back belongs to a larger map.
    def __contains__(self, key: object) -> bool:
        return key in self._shared and self._shared[key][0] < self.count

    def __getitem__(self, key: K) -> V:
        number, value = self._shared[key]
        if number >= self.count:
            raise KeyError(key)
        return value

    def __iter__(self) -> Iterator[K]:
        return islice(self._shared, self.count)

    def __len__(self) -> int:
        return self.count


class RecentItems(dict[K, V]):
    """A dictionary of the ``MAX_REMEMBERED`` items that were set last; the one set first is forgotten first."""

    def __setitem__(self, key: K, value: V) -> None:
        # A dictionary keeps the place of a key that is set again, so the key is removed first.
        self.pop(key, None)
        super().__setitem__(key, value)
        if len(self) > MAX_REMEMBERED:
            del self[next(iter(self))]
