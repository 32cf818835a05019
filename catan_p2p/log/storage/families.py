"""Chooses the base of each object's delta when a whole log is packed as small as possible.

Objects that are versions of one thing are a family. A version is a row of parts (the ids in a tree, the lines of a file
or of a message), and its best base is the earlier version from which the fewest parts differ. The search does not
compare all versions: for every part of the row it looks at the last version that has this part in this place, and in a
short row it finds a version that differs in one part only by a hash. A long row of ids is compared with the last few.
"""

from __future__ import annotations

import math
from collections import deque
from typing import NamedTuple

from catan_p2p.log.storage.alike import RecentRows, Row, but_one, unlike
from catan_p2p.log.storage.objects import ObjectId

MAX_DEPTH = 240
"""The longest chain of deltas; a repository is configured to keep chains of up to 250, Git by itself goes to 50."""
_MAX_HEAD_DEPTH = 24
_SHORT = range(3, 7)
LONG = 7
"""Rows of this length or more are long ones."""
_RECENT = 16
_DEEP = 1 / 512
"""What a step of depth costs, in parts: of two equally good bases the one with the shorter chain is taken."""


class FamilyVersion(NamedTuple):
    """One object of a family, and how many deltas must be applied to read it."""

    oid: ObjectId
    data: bytes
    row: Row
    depth: int


new_version = tuple.__new__
"""``FamilyVersion(...)`` without the extra call of a named tuple's constructor."""


class VersionFamily:
    """Versions of one thing, in the order in which they came."""

    def __init__(self) -> None:
        self._latest: FamilyVersion | None = None
        self._last: list[dict[bytes, FamilyVersion]] = []
        self._but_one: dict[int, FamilyVersion] = {}
        self._heads: list[FamilyVersion] = []
        self._unindexed: list[FamilyVersion] = []

    def closest(self, row: Row) -> FamilyVersion | None:
        """Return the best base for an object with this row, None if there is none yet."""
        latest = self._latest
        if latest is None:
            return None
        best, least = None, math.inf
        if latest.depth < MAX_DEPTH:
            distance = unlike(row, latest.row)
            # No version can be closer by more than one part, so the search is not worth its time.
            if distance <= 1:
                return latest
            best, least = latest, distance + _DEEP * latest.depth
        else:
            # The versions since a shallow one need not be searched either if none can be closer than that one.
            head = self._closest_head(row)
            if unlike(row, head.row) <= 1:
                return head
        self._index()
        # In rows of one or two parts, versions that share a single part or none would match.
        if len(row) in _SHORT:
            for key in but_one(row):
                found = self._but_one.get(key)
                if found is not None and found.depth < MAX_DEPTH:
                    return found
        seen = {latest.oid}
        for known, part in zip(self._last, row, strict=False):
            found = known.get(part)
            if found is not None and found.depth < MAX_DEPTH and found.oid not in seen:
                seen.add(found.oid)
                cost = unlike(row, found.row) + _DEEP * found.depth
                if cost < least:
                    best, least = found, cost
        return best or self._closest_head(row)

    def _closest_head(self, row: Row) -> FamilyVersion:
        return min(self._heads, key=lambda head: unlike(row, head.row))

    def add(self, version: FamilyVersion) -> None:
        """Take in the next version."""
        self._follow(version)
        self._unindexed.append(version)

    def _follow(self, version: FamilyVersion) -> None:
        latest = self._latest
        # Heads are the shallow versions to which new chains fall back, once all others are as deep as allowed.
        if latest is None or (latest.depth - version.depth > MAX_DEPTH / 2 and version.depth <= _MAX_HEAD_DEPTH):
            self._heads.append(version)
        self._latest = version

    def _index(self) -> None:
        """Index the versions that came since the last search; families that are never searched need no index."""
        last, found = self._last, self._but_one
        for version in self._unindexed:
            row = version.row
            while len(last) < len(row):
                last.append({})
            for known, part in zip(last, row, strict=False):
                known[part] = version
            if len(row) in _SHORT:
                for key in but_one(row):
                    found[key] = version
        self._unindexed.clear()


class LongFamily(VersionFamily):
    """Versions with long rows, of which a part that a base has at another place costs next to nothing."""

    def __init__(self) -> None:
        super().__init__()
        self._recent = deque[FamilyVersion](maxlen=_RECENT)
        self._rows = RecentRows(_RECENT)

    def closest(self, row: Row) -> FamilyVersion | None:
        """Return the recent version that shares most parts; once that is too deep, start again from a shallow one."""
        latest = self._latest
        if latest is None:
            return None
        if latest.depth < MAX_DEPTH and unlike(row, latest.row) <= 1:
            return latest
        best = self._recent[self._rows.most_alike(row)]
        if best.depth < MAX_DEPTH:
            return best
        # The recent versions are all about as deep: without them, the next ones gather around the new chain.
        self._recent.clear()
        self._rows.clear()
        return self._closest_head(row)

    def add(self, version: FamilyVersion) -> None:
        """Take in the next version."""
        self._follow(version)
        self._recent.appendleft(version)
        self._rows.add(version.row, _DEEP * version.depth)
