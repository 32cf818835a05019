"""A commit is written by the player who acts, and signed with that player's key where the game has keys."""

from __future__ import annotations

from catan_p2p.log import authorship
from catan_p2p.log.candidate import Candidate
from catan_p2p.log.verdict import Rejected


def author(candidate: Candidate) -> Rejected | None:
    """Refuse a commit of another's (``author``)."""
    return authorship.foreign(candidate.commit, candidate.parts, candidate.ledger.game, candidate.action.player)


def signature(candidate: Candidate) -> Rejected | None:
    """Refuse a commit that its player has not signed, or has where the game has no keys (``signature``)."""
    ledger, player = candidate.ledger, candidate.action.player
    return authorship.unsigned(candidate.commit, candidate.parts, ledger.game, player, ledger.verify)
