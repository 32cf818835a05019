"""A dictionary that forgets: what was met longest ago makes room for what is new."""

from __future__ import annotations

from typing import TypeVar

from catan_p2p.limits import MAX_REMEMBERED

K = TypeVar("K")
V = TypeVar("V")


class RecentItems(dict[K, V]):
    """A dictionary of the ``MAX_REMEMBERED`` items that were set last: it forgets the one that was set first."""

    def __setitem__(self, key: K, value: V) -> None:
        self.pop(key, None)
        super().__setitem__(key, value)
        if len(self) > MAX_REMEMBERED:
            del self[next(iter(self))]
