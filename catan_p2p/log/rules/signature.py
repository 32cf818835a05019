"""A commit is signed with its player's key where the game has keys, and not signed where it has none."""

from __future__ import annotations

from catan_p2p.log.authorship import unsigned
from catan_p2p.log.candidate import Candidate
from catan_p2p.log.verdict import Rejected


def problem(candidate: Candidate) -> Rejected | None:
    """Refuse a commit that its player has not signed (``signature``)."""
    ledger, player = candidate.ledger, candidate.action.player
    return unsigned(candidate.commit, candidate.parts, ledger.game, player, ledger.verify)
