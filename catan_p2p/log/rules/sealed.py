"""Where hands are hidden, nobody pays, plays, shows or is robbed of a card that is not proven to be there."""

from __future__ import annotations

from catan_p2p.log.candidate import Candidate
from catan_p2p.log.verdict import Rejected
from catan_p2p.sealing.group import Refused


def problem(candidate: Candidate) -> Rejected | None:
    """Refuse sealed cards that are not proven, and what nobody asks for (``seal``)."""
    if candidate.ledger.line.vault is None:
        return None
    vault = candidate.vault
    return candidate.rejected("seal", vault.reason) if isinstance(vault, Refused) else None
