"""A commit merges no more votes than there is room for, of one player and in all."""

from __future__ import annotations

from collections import Counter

from catan_p2p.limits import MAX_MERGED_VOTES, MAX_MERGED_VOTES_OF_PLAYER
from catan_p2p.log.candidate import Candidate
from catan_p2p.log.verdict import Rejected


def problem(candidate: Candidate) -> Rejected | None:
    """Refuse a commit that merges more (``parents``)."""
    merged = candidate.merged
    if not merged:
        return None
    if len(merged) > MAX_MERGED_VOTES:
        return candidate.rejected("parents", f"it merges {len(merged)} votes, at most {MAX_MERGED_VOTES} are allowed")
    count = Counter(candidate.ledger.ballot.loose[vote].voter for vote in merged)
    for player, votes in count.items():
        if votes > MAX_MERGED_VOTES_OF_PLAYER:
            most = f"at most {MAX_MERGED_VOTES_OF_PLAYER} are allowed"
            return candidate.rejected("parents", f"it merges {votes} votes of player {player}, {most}")
    return None
