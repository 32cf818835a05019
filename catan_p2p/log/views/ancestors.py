"""Which commits lie before another one, where each has one predecessor.

Jump pointers as in skew-binary random access lists (Myers, 1983): a question takes logarithmic time.
"""

from __future__ import annotations

from typing import NamedTuple

from catan_p2p.log.storage.objects import ObjectId


class _JumpPlace(NamedTuple):
    depth: int
    before: ObjectId
    jump: ObjectId
    """A commit further back."""


class Ancestors:
    """A forest of commits that grows at its leaves; ``first`` is its root, at depth 0."""

    def __init__(self, first: ObjectId) -> None:
        self._places = {first: _JumpPlace(0, first, first)}

    def __contains__(self, commit: object) -> bool:
        return commit in self._places

    def add(self, commit: ObjectId, before: ObjectId) -> None:
        """Add a commit after the one before it."""
        near = self._places[before]
        far = self._places[near.jump]
        is_even = near.depth - far.depth == far.depth - self._places[far.jump].depth
        self._places[commit] = _JumpPlace(near.depth + 1, before, far.jump if is_even else before)

    def depth(self, commit: ObjectId) -> int:
        """How many commits lie before this one."""
        return self._places[commit].depth

    def before(self, commit: ObjectId) -> ObjectId:
        """The commit before this one; the first one itself."""
        return self._places[commit].before

    def at(self, commit: ObjectId, depth: int) -> ObjectId:
        """The commit at a depth before this one, or this one."""
        place = self._places[commit]
        while place.depth > depth:
            commit = place.jump if self._places[place.jump].depth >= depth else place.before
            place = self._places[commit]
        return commit

    def leads(self, commit: ObjectId, to: ObjectId) -> bool:
        """Whether ``to`` lies before a commit, or is this commit."""
        return self.at(commit, self._places[to].depth) == to

    def meeting(self, one: ObjectId, other: ObjectId) -> ObjectId:
        """The last commit before, or equal to, both."""
        depth = min(self.depth(one), self.depth(other))
        one, other = self.at(one, depth), self.at(other, depth)
        while one != other:
            near, far = self._places[one], self._places[other]
            # Commits of one depth jump equally far.
            one, other = (near.jump, far.jump) if near.jump != far.jump else (near.before, far.before)
        return one
