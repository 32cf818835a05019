"""A commit is written by the player who acts."""

from __future__ import annotations

from catan_p2p.log.authorship import foreign
from catan_p2p.log.candidate import Candidate
from catan_p2p.log.verdict import Rejected


def problem(candidate: Candidate) -> Rejected | None:
    """Refuse a commit of another's (``author``)."""
    return foreign(candidate.commit, candidate.parts, candidate.ledger.game, candidate.action.player)
