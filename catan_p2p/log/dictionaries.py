"""A dictionary of limited size."""

from __future__ import annotations

from typing import TypeVar

from catan_p2p.limits import MAX_REMEMBERED

K = TypeVar("K")
V = TypeVar("V")


class RecentItems(dict[K, V]):
    """A dictionary of the ``MAX_REMEMBERED`` items that were set last; the one set first is forgotten first."""

    def __setitem__(self, key: K, value: V) -> None:
        # A dictionary keeps the place of a key that is set again, so the key is removed first.
        if key in self:
            del self[key]
        dict.__setitem__(self, key, value)
        if len(self) > MAX_REMEMBERED:
            del self[next(iter(self))]
