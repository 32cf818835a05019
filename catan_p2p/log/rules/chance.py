"""Where all players draw together, a share leads back to the one before, and the outcome is what all shares make."""

from __future__ import annotations

from catan_p2p.log.candidate import Candidate
from catan_p2p.log.verdict import Rejected


def problem(candidate: Candidate) -> Rejected | None:
    """Refuse another share, outcome or number of a draw (``chance``)."""
    ledger = candidate.ledger
    if ledger.game.constants.rules.chance == "actor":
        return None
    spent = ledger.spent_in(candidate.commit, candidate.parents).get(candidate.action.player, 0)
    wrong = ledger.lottery.problem(candidate.entry, candidate.before.state, candidate.draw, spent)
    return None if wrong is None else candidate.rejected("chance", wrong)
