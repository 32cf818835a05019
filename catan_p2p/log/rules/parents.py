"""A commit has the parents that its action requires: the newest commit of the line, the replies to it, then votes."""

from __future__ import annotations

from catan_p2p.game.actions import Claim, Excuse, Vote
from catan_p2p.game.actions.replies import CHARGES, is_reply
from catan_p2p.log.ballot import Cast
from catan_p2p.log.candidate import Candidate
from catan_p2p.log.verdict import Reason, Rejected, broken_promise, fork


def problem(candidate: Candidate) -> Rejected | None:
    """Refuse a commit that cannot be where it is (``parents``, ``fork``, ``late``, ``overtaken``, ``excused``...)."""
    if isinstance(candidate.action, Vote):
        is_placed = _is_vote_placed(candidate, candidate.action, candidate.yes)
    else:
        is_placed = candidate.parents == (*candidate.before.parents, *candidate.merged)
    return None if is_placed else _misplaced(candidate)


def _is_vote_placed(candidate: Candidate, vote: Vote, yes: Cast | None) -> bool:
    """Whether a vote hangs on a commit of the line; a no may hang on the same player's yes instead."""
    if yes is not None:
        taken_back = Vote(yes.voter, yes.round.absent, "no")
        is_yes = yes.says == "yes" and yes.round.stage not in CHARGES
        return len(candidate.parents) == 1 and vote == taken_back and is_yes
    past = candidate.ledger.line.past_of(candidate.parents[0])
    return past is not None and candidate.parents in (candidate.parents[:1], past.before_turn_vote().parents)


def _misplaced(candidate: Candidate) -> Rejected:
    commit, parents, action, ledger = candidate.commit, candidate.parents, candidate.action, candidate.ledger
    first, following = parents[0], ledger.line.next.get(parents[0])
    if ledger.line.state.away[action.player - 1]:
        return candidate.rejected("excused", f"player {action.player} has been excused")
    if isinstance(action, Excuse | Claim) and (other := ledger.line.built_by(action, first)) is not None:
        return broken_promise(commit, other)
    if isinstance(action, Excuse) and (other := ledger.ballot.denial_of(action, first)) is not None:
        return broken_promise(commit, other)
    if is_reply(action) and following is not None:
        known = ledger.line.replies_to(first).get(action.player)
        reason: Reason = "overtaken" if known is None and following.is_optional else "late"
        return Rejected(reason, commit, f"play has already gone on in {following.commit[:10]}", other=known)
    if following is not None and following.player == action.player and not isinstance(action, Vote):
        return fork(commit, following.commit)
    return candidate.rejected(
        "parents", f"{type(action).__name__} cannot follow {', '.join(parent[:10] for parent in parents)}"
    )
