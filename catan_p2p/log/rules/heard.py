"""A vote on a turn has heard all replies that play waits for; all other votes hang on one commit alone."""

from __future__ import annotations

from catan_p2p.game.actions import Vote
from catan_p2p.log.candidate import Candidate
from catan_p2p.log.verdict import Rejected


def problem(candidate: Candidate) -> Rejected | None:
    """Refuse a vote with fewer replies among its parents, or more (``parents``)."""
    if not isinstance(candidate.action, Vote) or candidate.yes is not None:
        return None
    if candidate.parents == candidate.before.parents:
        return None
    return candidate.rejected("parents", "a vote on a turn has all replies that play waits for as parents")
