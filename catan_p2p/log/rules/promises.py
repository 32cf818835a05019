"""What votes bind: rules that refuse only votes, excuses and claims, until a vote is held or a lie is settled.

Players accept nothing that they have voted to go on without, and do not build on it. A player is excused only by the
votes of all others.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

from catan_p2p.game.actions import Action, Excuse, Vote
from catan_p2p.game.actions.replies import CHARGES, VoteStage, is_reply
from catan_p2p.game.constants import Player
from catan_p2p.log import votes
from catan_p2p.log.ballot import VotingRound
from catan_p2p.log.candidate import Candidate
from catan_p2p.log.game import FormatError
from catan_p2p.log.ledger import Ledger
from catan_p2p.log.storage.objects import ObjectId
from catan_p2p.log.verdict import CommitRejected, broken_promise, fork

if TYPE_CHECKING:
    from catan_p2p.log.proof import ProofCharge


def survivor(candidate: Candidate) -> CommitRejected | None:
    """Refuse, of two commits by which a player has lied, the one that did not survive the others' votes (``fork``)."""
    action = candidate.action
    if isinstance(action, Vote) or not candidate.ledger.settling.outcomes:
        return None
    stage: VoteStage = "lies" if is_reply(action) else "fork"
    kept = candidate.ledger.settling.rival(VotingRound(candidate.parents[0], stage, action.player), candidate.commit)
    return None if kept is None else fork(candidate.commit, kept)


def too_early(candidate: Candidate) -> CommitRejected | None:
    """Refuse an excuse by another than the excuser, or before all replies (``guard``)."""
    action = candidate.action
    if not isinstance(action, Excuse) or not (guards := votes.too_early(candidate.before.state, action)):
        return None
    return candidate.rejected("guard", f"{action} is not enabled: {', '.join(guards)}", guards)


def heard(candidate: Candidate) -> CommitRejected | None:
    """Refuse a vote on a turn without all replies that play waits for (``parents``).

    All other votes hang on one commit alone.
    """
    if not isinstance(candidate.action, Vote) or candidate.yes is not None:
        return None
    if candidate.parents == candidate.before.parents:
        return None
    return candidate.rejected("parents", "a vote on a turn needs all replies that play waits for as parents")


def agreement(candidate: Candidate) -> CommitRejected | None:
    """Refuse an excuse without the agreement of all (``votes``), or after its player's own no (``vote``).

    The excuse or an earlier commit merges the votes. An excuse that proves a lie about sealed cards needs none, because
    everybody has checked the proof.
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
    return candidate.rejected("votes", "it does not merge the votes of all other players for it")


def promised(candidate: Candidate) -> CommitRejected | None:
    """Refuse a broken promise: of the player who judges (``promised``), or of the player who acts (``vote``)."""
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


def _is_promised(round: VotingRound, action: Action, ledger: Ledger) -> bool:
    """Whether the judging player has voted to go on without the action."""
    if round.absent != action.player or round.base != ledger.line.head or not ledger.ballot.binds(round):
        return False
    return (round.stage == "owes") == is_reply(action) and votes.excuser(ledger, round) != ledger.ballot.me


def _broken(round: VotingRound, action: Action, ledger: Ledger, merged: Collection[ObjectId]) -> ObjectId | None:
    """The vote of the acting player that the action contradicts by building on what the vote gave up; None if none."""
    own = ledger.ballot.of(round).get(action.player)
    if own is None or is_reply(action) or ledger.line.answer_to(round) is None:
        return None
    if own.says == "no":
        is_shown = own.commit in merged or own.commit not in ledger.ballot.loose
        return None if is_shown else own.takes_back
    noes = [one for one in ledger.ballot.of(round).values() if one.says == "no" and one.commit in merged]
    is_free = noes or votes.is_testified(ledger, round, action.player) or votes.is_void(ledger, round, merged)
    return None if is_free else own.commit


def contradiction(candidate: Candidate) -> CommitRejected | None:
    """Refuse a vote that contradicts a commit of its player in the line (``vote``).

    The other half of ``promised``: there the vote came first.
    """
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


def _gone_on(vote: Vote, round: VotingRound, ledger: Ledger) -> ObjectId | None:
    """The commit by which the voter, who now takes their yes back, has already excused the player; None if none."""
    following = ledger.line.next.get(round.base)
    if ledger.line.answer_to(round) is not None or following is None or following.player != vote.player:
        return None
    return following.commit


def _built_on(vote: Vote, round: VotingRound, ledger: Ledger) -> ObjectId | None:
    """The commit by which the voter built on the action that they vote to go on without, if that binds them."""
    answer = ledger.line.answer_to(round)
    if answer is None or ledger.ballot.is_no_merged_by(round, answer) or votes.is_void(ledger, round, ()):
        return None
    for following in ledger.line.built_on(round):
        if following.player == vote.player:
            return following.commit
        if following.player != round.absent or ledger.ballot.is_no_merged_by(round, following.commit):
            return None
    return None


def _built_on_another(vote: Vote, round: VotingRound, charge: ProofCharge, ledger: Ledger) -> ObjectId | None:
    """The commit by which the voter built on another of the liar's commits than the one that they claim to hold."""
    following = ledger.line.next.get(round.base)
    if ledger.line.answer_to(round) in (None, charge.holds) or following is None or following.is_optional:
        return None
    return next((step.commit for step in ledger.line.built_on(round) if step.player == vote.player), None)


def proof(candidate: Candidate) -> CommitRejected | None:
    """Refuse a vote whose proof of a lie proves nothing, or something else than it claims (``proof``)."""
    charge, vote, ledger = candidate.entry.charge, candidate.action, candidate.ledger
    if charge is None or not isinstance(vote, Vote):
        return None
    try:
        lie = ledger.read_lie(*charge.proof)
    except FormatError as error:
        return candidate.rejected("proof", str(error))
    base = candidate.parents[0]
    # The order of the commits is fixed, so that one lie has one proof.
    if (lie.round.base, lie.round.absent) != (base, vote.absent) or charge.commits != tuple(sorted(charge.commits)):
        return candidate.rejected("proof", f"it proves no lie of player {vote.absent} after {base[:10]}")
    if charge.holds is not None and charge.holds not in charge.commits:
        return candidate.rejected("proof", f"Holds is {charge.holds[:10]}, which is not in its proof")
    if charge.spent is not None and not _may_spend(ledger, lie.round, charge, vote.player):
        return candidate.rejected("proof", f"no shares up to number {charge.spent} can have been told there")
    return None


def _may_spend(ledger: Ledger, round: VotingRound, charge: ProofCharge, voter: Player) -> bool:
    is_joint = ledger.game.constants.rules.chance == "joint"
    return is_joint and charge.holds is not None and charge.spent == ledger.spent_by(round, voter)
