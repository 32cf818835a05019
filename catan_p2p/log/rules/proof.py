"""A vote that goes by the proof of a lie proves one, and tells nothing of it that cannot be."""

from __future__ import annotations

from catan_p2p.game.actions import Vote
from catan_p2p.game.constants import Player
from catan_p2p.log.ballot import Round
from catan_p2p.log.candidate import Candidate
from catan_p2p.log.game import FormatError
from catan_p2p.log.ledger import Ledger
from catan_p2p.log.proof import Charge
from catan_p2p.log.verdict import Rejected


def problem(candidate: Candidate) -> Rejected | None:
    """Refuse a vote whose proof proves nothing, or something else than it says (``proof``)."""
    charge, vote, ledger = candidate.entry.charge, candidate.action, candidate.ledger
    if charge is None or not isinstance(vote, Vote):
        return None
    try:
        lie = ledger.read_lie(*charge.proof)
    except FormatError as error:
        return candidate.rejected("proof", str(error))
    base = candidate.parents[0]
    if (lie.round.base, lie.round.absent) != (base, vote.absent) or charge.commits != tuple(sorted(charge.commits)):
        return candidate.rejected("proof", f"it proves no lie of player {vote.absent} after {base[:10]}")
    if charge.holds is not None and charge.holds not in charge.commits:
        return candidate.rejected("proof", f"{charge.holds[:10]}, which it holds, is not in its proof")
    if charge.spent is not None and not _may_spend(ledger, lie.round, charge, vote.player):
        return candidate.rejected("proof", f"no shares up to number {charge.spent} can have been told there")
    return None


def _may_spend(ledger: Ledger, round: Round, charge: Charge, voter: Player) -> bool:
    is_joint = ledger.game.constants.rules.chance == "joint"
    return is_joint and charge.holds is not None and charge.spent == ledger.spent_by(round, voter)
