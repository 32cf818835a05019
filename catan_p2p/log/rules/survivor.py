"""Of two commits by which a player has lied, only the one that the others' votes let survive is accepted."""

from __future__ import annotations

from catan_p2p.game.actions import Vote
from catan_p2p.game.actions.replies import VoteStage, is_reply
from catan_p2p.log.ballot import Round
from catan_p2p.log.candidate import Candidate
from catan_p2p.log.verdict import Rejected, fork


def problem(candidate: Candidate) -> Rejected | None:
    """Refuse the commit that has not survived (``fork``)."""
    action = candidate.action
    if isinstance(action, Vote) or not candidate.ledger.settling.outcomes:
        return None
    stage: VoteStage = "lies" if is_reply(action) else "fork"
    kept = candidate.ledger.settling.rival(Round(candidate.parents[0], stage, action.player), candidate.commit)
    return None if kept is None else fork(candidate.commit, kept)
