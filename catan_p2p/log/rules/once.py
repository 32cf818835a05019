"""A player replies to a commit once, and votes once on the same: only a yes of one's own may be taken back."""

from __future__ import annotations

from catan_p2p.game.actions import Vote
from catan_p2p.game.actions.replies import is_reply
from catan_p2p.log import votes
from catan_p2p.log.candidate import Candidate
from catan_p2p.log.verdict import Rejected, fork


def problem(candidate: Candidate) -> Rejected | None:
    """Refuse the second of two replies or votes (``fork``)."""
    action, ledger = candidate.action, candidate.ledger
    if not isinstance(action, Vote):
        known = ledger.line.replies.get(action.player) if is_reply(action) else None
        return None if known is None else fork(candidate.commit, known.commit)
    last = ledger.ballot.of(candidate.round).get(action.player)
    if last is None or (last == candidate.yes and votes.excuser(ledger, candidate.round) == action.player):
        return None
    return fork(candidate.commit, last.commit)
