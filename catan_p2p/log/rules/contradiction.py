"""Nobody votes against what their own commits of the line say: the other half of what ``promises`` forbids."""

from __future__ import annotations

from catan_p2p.game.actions import Vote
from catan_p2p.log import votes
from catan_p2p.log.ballot import Round
from catan_p2p.log.candidate import Candidate
from catan_p2p.log.ledger import Ledger
from catan_p2p.log.proof import Charge
from catan_p2p.log.storage.objects import ObjectId
from catan_p2p.log.verdict import Rejected, broken_promise


def problem(candidate: Candidate) -> Rejected | None:
    """Refuse a vote whose player has a commit of the line that says otherwise (``vote``)."""
    vote, ledger, charge = candidate.action, candidate.ledger, candidate.entry.charge
    if not isinstance(vote, Vote):
        return None
    if candidate.yes is not None:
        other = _gone_on(vote, candidate.round, ledger)
    elif charge is not None:
        other = _built_on_another(vote, candidate.round, charge, ledger)
    else:
        other = _built_on(vote, candidate.round, ledger) if vote.says == "yes" else None
    return None if other is None else broken_promise(candidate.commit, other)


def _gone_on(vote: Vote, round: Round, ledger: Ledger) -> ObjectId | None:
    """Where the voter has excused the player already, on whom they take their yes back."""
    following = ledger.line.next.get(round.base)
    if ledger.line.answer_to(round) is not None or following is None or following.player != vote.player:
        return None
    return following.commit


def _built_on(vote: Vote, round: Round, ledger: Ledger) -> ObjectId | None:
    """Where the voter has built on the action that they vote to go on without, if that binds them: see ``promises``."""
    answer = ledger.line.answer_to(round)
    if answer is None or ledger.ballot.is_no_merged_by(round, answer) or votes.is_void(ledger, round, ()):
        return None
    for following in ledger.line.built_on(round):
        if following.player == vote.player:
            return following.commit
        if following.player != round.absent or ledger.ballot.is_no_merged_by(round, following.commit):
            return None
    return None


def _built_on_another(vote: Vote, round: Round, charge: Charge, ledger: Ledger) -> ObjectId | None:
    """Where the voter has built on another of the liar's commits than the one that they say to hold."""
    following = ledger.line.next.get(round.base)
    if ledger.line.answer_to(round) in (None, charge.holds) or following is None or following.is_optional:
        return None
    return next((step.commit for step in ledger.line.built_on(round) if step.player == vote.player), None)
