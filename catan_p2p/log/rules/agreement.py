"""A player is excused only by the votes of all others, merged by the excuse or before."""

from __future__ import annotations

from catan_p2p.game.actions import Excuse
from catan_p2p.log import votes
from catan_p2p.log.candidate import Candidate
from catan_p2p.log.verdict import Rejected, broken_promise


def problem(candidate: Candidate) -> Rejected | None:
    """Refuse an excuse that not all have agreed on (``votes``), or whose player has said no to it (``vote``).

    One that shows a lie about sealed cards needs no votes: everybody has checked it.
    """
    action, ledger = candidate.action, candidate.ledger
    if (
        not isinstance(action, Excuse)
        or candidate.entry.seal is not None
        or votes.is_agreed(ledger, action, candidate.merged)
    ):
        return None
    denial = ledger.ballot.denial_of(action, ledger.line.head)
    if denial is not None:
        return broken_promise(candidate.commit, denial)
    return candidate.rejected("votes", "it merges not all others' votes for it")
