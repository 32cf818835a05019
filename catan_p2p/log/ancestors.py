"""Which commits lie before another one, where each has one predecessor.

Jump pointers as in skew-binary random access lists (Myers, 1983): a question takes logarithmic time.
"""

from __future__ import annotations

from catan_p2p.log.storage.objects import ObjectId


class Ancestors:
    """A forest of commits that grows at its leaves; ``first`` is its root, at depth 0."""

    def __init__(self, first: ObjectId) -> None:
        self._places = {first: (0, first, first)}
        """By commit its depth, the commit before it, and one further back."""

    def __contains__(self, commit: object) -> bool:
        return commit in self._places

    def add(self, commit: ObjectId, before: ObjectId) -> None:
        """Add a commit after the one before it."""
        near, _, jump = self._places[before]
        far, _, further = self._places[jump]
        is_even = near - far == far - self._places[further][0]
        self._places[commit] = near + 1, before, further if is_even else before

    def pop(self, commit: ObjectId, default: None) -> None:
        """Forget a commit after which none is left, if it is here."""
        self._places.pop(commit, default)

    def depth(self, commit: ObjectId) -> int:
        """How many commits lie before this one."""
        return self._places[commit][0]

    def before(self, commit: ObjectId) -> ObjectId:
        """The commit before this one; the first one itself."""
        return self._places[commit][1]

    def at(self, commit: ObjectId, depth: int) -> ObjectId:
        """The commit at a depth before this one, or this one."""
        here, before, jump = self._places[commit]
        while here > depth:
            commit = jump if self._places[jump][0] >= depth else before
            here, before, jump = self._places[commit]
        return commit

    def leads(self, commit: ObjectId, to: ObjectId) -> bool:
        """Whether ``to`` lies before a commit, or is this commit."""
        return self.at(commit, self._places[to][0]) == to

    def meeting(self, one: ObjectId, other: ObjectId) -> ObjectId:
        """The last commit before, or equal to, both."""
        depth = min(self.depth(one), self.depth(other))
        one, other = self.at(one, depth), self.at(other, depth)
        while one != other:
            (_, before, jump), (_, other_before, other_jump) = self._places[one], self._places[other]
            # Commits of one depth jump equally far.
            one, other = (jump, other_jump) if jump != other_jump else (before, other_before)
        return one
