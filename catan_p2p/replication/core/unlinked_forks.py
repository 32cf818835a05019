"""Which commits of players who have forked a peer leaves alone: they could sign any number of them.

Which commits are valid follows from ancestry alone; this decides only what is taken in and kept: what a valid commit of
somebody else links to, together with that commit, and one acceptance of each proposed value, with what it links to:
whoever went on because of it may have nothing to sign that links to it.
"""

from __future__ import annotations

from catan_p2p.log.commit import decode_commit, parse_entry
from catan_p2p.log.storage.objects import ObjectId, parents_of
from catan_p2p.log.valid_commits import ValidCommits
from catan_p2p.log.views.messages import ViewMessage
from catan_p2p.log.views.nodes import ProposalNode


def needed_for(commit: ObjectId, left: dict[ObjectId, bytes]) -> list[ObjectId]:
    """Of the commits that are ``left``, parents first: one, and those that lead to it."""
    needed = {commit}
    for one, data in reversed(left.items()):
        if one in needed:
            needed.update(parents_of(data))
    return [one for one in left if one in needed]


def may_decide(valid: ValidCommits, data: bytes) -> bool:
    """Whether a forker's commit may be their first acceptance of a value that somebody else has seen.

    Of values that only forkers link to there could be any number.
    """
    parts = decode_commit(data)
    action = parse_entry(parts.message, valid.game.constants).action
    proposal = valid.nodes.get(parts.parents[0]) if parts.parents else None
    if not isinstance(action, ViewMessage) or action.kind != "accept" or not isinstance(proposal, ProposalNode):
        return False
    ends = [end for player, end in valid.chain_ends.items() if valid.party_of[player] not in valid.forkers]
    is_seen = any(valid.leads(end, proposal.link.commit) for end in ends)
    return is_seen and not valid.changes.has_accepted(proposal, action.player)
