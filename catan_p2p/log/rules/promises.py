"""Nobody accepts what they have voted to go on without, and nobody builds on it who has said so themselves."""

from __future__ import annotations

from collections.abc import Collection

from catan_p2p.game.actions import Action, Vote
from catan_p2p.game.actions.replies import CHARGES, is_reply
from catan_p2p.log import votes
from catan_p2p.log.ballot import Round
from catan_p2p.log.candidate import Candidate
from catan_p2p.log.ledger import Ledger
from catan_p2p.log.storage.objects import ObjectId
from catan_p2p.log.verdict import Rejected, broken_promise


def problem(candidate: Candidate) -> Rejected | None:
    """Refuse what breaks a promise: of the player who judges (``promised``), or of the one who acts (``vote``)."""
    action, ledger = candidate.action, candidate.ledger
    if isinstance(action, Vote) or not ledger.ballot.votes:
        return None
    if ledger.settling.binds(action.player, candidate.commit):
        return candidate.rejected("promised", f"a vote says that player {action.player} has lied")
    for round in ledger.ballot.rounds():
        if round.stage in CHARGES or ledger.settling.is_settled(round.base, round.absent):
            continue
        if _is_promised(round, action, ledger):
            return candidate.rejected("promised", f"a vote says to go on without player {action.player}")
        broken = _broken(round, action, ledger, candidate.merged)
        if broken is not None:
            return broken_promise(candidate.commit, broken)
    return None


def _is_promised(round: Round, action: Action, ledger: Ledger) -> bool:
    """Whether the player who judges has voted to go on without the action."""
    if round.absent != action.player or round.base != ledger.line.head or not ledger.ballot.binds(round):
        return False
    return (round.stage == "owes") == is_reply(action) and votes.excuser(ledger, round) != ledger.ballot.me


def _broken(round: Round, action: Action, ledger: Ledger, merged: Collection[ObjectId]) -> ObjectId | None:
    """The vote of the player who acts that the action contradicts, as it builds on what they said to go on without."""
    own = ledger.ballot.of(round).get(action.player)
    if own is None or is_reply(action) or ledger.line.answer_to(round) is None:
        return None
    if own.says == "no":
        is_shown = own.commit in merged or own.commit not in ledger.ballot.loose
        return None if is_shown else own.takes_back
    noes = [one for one in ledger.ballot.of(round).values() if one.says == "no" and one.commit in merged]
    is_free = noes or votes.is_testified(ledger, round, action.player) or votes.is_void(ledger, round, merged)
    return None if is_free else own.commit
