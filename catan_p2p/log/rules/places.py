"""Whose a commit is, and where it may stand.

It is written by the acting player, and signed with that player's key if the game has keys. Its parents are the newest
commit of the line and the replies to it.
"""

from __future__ import annotations

from catan_p2p.game.actions.replies import is_reply
from catan_p2p.log import authorship
from catan_p2p.log.candidate import Candidate
from catan_p2p.log.verdict import CommitRejected, Reason, fork


def author(candidate: Candidate) -> CommitRejected | None:
    """Refuse a commit by another player (``author``)."""
    return authorship.foreign(candidate.commit, candidate.parts, candidate.ledger.game, candidate.action.player)


def signature(candidate: Candidate) -> CommitRejected | None:
    """Refuse a commit without its player's signature, or with one in a game without keys (``signature``)."""
    ledger, player = candidate.ledger, candidate.action.player
    return authorship.unsigned(candidate.commit, candidate.parts, ledger.game, player, ledger.verify)


def parents(candidate: Candidate) -> CommitRejected | None:
    """Refuse a commit in the wrong place (``parents``, ``fork``, ``late``, ``overtaken``)."""
    return None if candidate.parents == candidate.before.parents else _misplaced(candidate)


def _misplaced(candidate: Candidate) -> CommitRejected:
    commit, parents, action, ledger = candidate.commit, candidate.parents, candidate.action, candidate.ledger
    first, following = parents[0], ledger.line.next.get(parents[0])
    # The most specific reason first: several of them name a second commit as proof.
    if is_reply(action) and following is not None:
        known = ledger.line.replies_to(first).get(action.player)
        reason: Reason = "overtaken" if known is None and following.is_optional else "late"
        return CommitRejected(reason, commit, f"play has already gone on in {following.commit[:10]}", other=known)
    if following is not None and following.player == action.player:
        return fork(commit, following.commit)
    return candidate.rejected(
        "parents", f"{type(action).__name__} cannot follow {', '.join(parent[:10] for parent in parents)}"
    )


def once(candidate: Candidate) -> CommitRejected | None:
    """Refuse the second of two replies to a commit (``fork``)."""
    action = candidate.action
    known = candidate.ledger.line.replies.get(action.player) if is_reply(action) else None
    return None if known is None else fork(candidate.commit, known.commit)
