"""Whose a commit is, and where it may stand.

It is written by the acting player, and signed with that player's key if the game has keys. Its parents are the newest
commit of the line, the replies to it, then votes, each once.
"""

from __future__ import annotations

from collections import Counter

from catan_p2p.game.actions import Claim, Excuse, Vote
from catan_p2p.game.actions.replies import CHARGES, is_reply
from catan_p2p.limits import MAX_MERGED_VOTES, MAX_MERGED_VOTES_OF_PLAYER
from catan_p2p.log import authorship, votes
from catan_p2p.log.ballot import CastVote
from catan_p2p.log.candidate import Candidate
from catan_p2p.log.verdict import CommitRejected, Reason, broken_promise, fork


def author(candidate: Candidate) -> CommitRejected | None:
    """Refuse a commit by another player (``author``)."""
    return authorship.foreign(candidate.commit, candidate.parts, candidate.ledger.game, candidate.action.player)


def signature(candidate: Candidate) -> CommitRejected | None:
    """Refuse a commit without its player's signature, or with one in a game without keys (``signature``)."""
    ledger, player = candidate.ledger, candidate.action.player
    return authorship.unsigned(candidate.commit, candidate.parts, ledger.game, player, ledger.verify)


def parents(candidate: Candidate) -> CommitRejected | None:
    """Refuse a commit in the wrong place (``parents``, ``fork``, ``late``, ``overtaken``, ``excused``...)."""
    if isinstance(candidate.action, Vote):
        is_placed = _is_vote_placed(candidate, candidate.action, candidate.yes)
    else:
        is_placed = candidate.parents == (*candidate.before.parents, *candidate.merged)
    return None if is_placed else _misplaced(candidate)


def _is_vote_placed(candidate: Candidate, vote: Vote, yes: CastVote | None) -> bool:
    """Whether a vote hangs on a commit of the line; a no may hang on the same player's yes instead."""
    if yes is not None:
        taken_back = Vote(yes.voter, yes.round.absent, "no")
        is_yes = yes.says == "yes" and yes.round.stage not in CHARGES
        return len(candidate.parents) == 1 and vote == taken_back and is_yes
    past = candidate.ledger.line.past_of(candidate.parents[0])
    return past is not None and candidate.parents in (candidate.parents[:1], past.before_turn_vote().parents)


def _misplaced(candidate: Candidate) -> CommitRejected:
    commit, parents, action, ledger = candidate.commit, candidate.parents, candidate.action, candidate.ledger
    first, following = parents[0], ledger.line.next.get(parents[0])
    # The most specific reason first: several of them name a second commit as proof.
    if ledger.line.state.away[action.player - 1]:
        return candidate.rejected("excused", f"player {action.player} has been excused")
    if isinstance(action, Excuse | Claim) and (other := ledger.line.built_by(action, first)) is not None:
        return broken_promise(commit, other)
    if isinstance(action, Excuse) and (other := ledger.ballot.denial_of(action, first)) is not None:
        return broken_promise(commit, other)
    if is_reply(action) and following is not None:
        known = ledger.line.replies_to(first).get(action.player)
        reason: Reason = "overtaken" if known is None and following.is_optional else "late"
        return CommitRejected(reason, commit, f"play has already gone on in {following.commit[:10]}", other=known)
    if following is not None and following.player == action.player and not isinstance(action, Vote):
        return fork(commit, following.commit)
    return candidate.rejected(
        "parents", f"{type(action).__name__} cannot follow {', '.join(parent[:10] for parent in parents)}"
    )


def room(candidate: Candidate) -> CommitRejected | None:
    """Refuse a commit that merges too many votes, by one player or in all (``parents``)."""
    merged = candidate.merged
    if not merged:
        return None
    if len(merged) > MAX_MERGED_VOTES:
        return candidate.rejected("parents", f"it merges {len(merged)} votes, at most {MAX_MERGED_VOTES} are allowed")
    count = Counter(candidate.ledger.ballot.loose[vote].voter for vote in merged)
    for player, number in count.items():
        if number > MAX_MERGED_VOTES_OF_PLAYER:
            most = f"at most {MAX_MERGED_VOTES_OF_PLAYER} are allowed"
            return candidate.rejected("parents", f"it merges {number} votes of player {player}, {most}")
    return None


def once(candidate: Candidate) -> CommitRejected | None:
    """Refuse the second of two replies to a commit, or of two votes on the same subject (``fork``).

    Only the player who would excuse may take back their own yes.
    """
    action, ledger = candidate.action, candidate.ledger
    if not isinstance(action, Vote):
        known = ledger.line.replies.get(action.player) if is_reply(action) else None
        return None if known is None else fork(candidate.commit, known.commit)
    last = ledger.ballot.of(candidate.round).get(action.player)
    if last is None or (last == candidate.yes and votes.excuser(ledger, candidate.round) == action.player):
        return None
    return fork(candidate.commit, last.commit)
