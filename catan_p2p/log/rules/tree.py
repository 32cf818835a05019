"""A commit's tree is the one that its action produces, by object id."""

from __future__ import annotations

from catan_p2p.log.candidate import Candidate
from catan_p2p.log.verdict import Rejected


def problem(candidate: Candidate) -> Rejected | None:
    """Refuse another tree (``tree``)."""
    told, made = candidate.parts.tree, candidate.tree.root
    if told == made:
        return None
    return candidate.rejected("tree", f"its tree is {told[:10]}, the action produces {made[:10]}")
