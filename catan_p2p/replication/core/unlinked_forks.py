"""Which commits of players who have forked a peer leaves alone: they could sign any number of them.

Which commits are valid follows from ancestry alone; this decides only what is taken in and kept. One acceptance of each
proposed value is taken from everybody, with what it links to: whoever went on because of it may have nothing to sign
that links to it.
"""

from __future__ import annotations

from catan_p2p.log.authorship import forgery
from catan_p2p.log.commit import decode_commit, parse_entry
from catan_p2p.log.game import FormatError
from catan_p2p.log.reading import Commits
from catan_p2p.log.storage.objects import ObjectId
from catan_p2p.log.valid_commits import ValidCommits
from catan_p2p.log.views.messages import ViewMessage
from catan_p2p.log.views.nodes import ProposalNode


def unlinked_forks(valid: ValidCommits, commits: Commits) -> set[ObjectId]:
    """Of the commits that lead to a head, parents first: those by proven forkers to which nobody else links.

    Two commits that prove a fork are in the graph already.
    """
    linked, found = set[ObjectId](), set[ObjectId]()
    for commit, data in reversed(commits):
        try:
            parts = decode_commit(data)
            player = parse_entry(parts.message, valid.game.constants).action.player
        except FormatError:
            continue
        has_forked = valid.party_of.get(player) in valid.forkers
        if has_forked and commit not in linked and commit not in valid:
            found.add(commit)
        elif has_forked or (player in valid.party_of and not forgery(commit, parts, valid.game, player, valid.verify)):
            linked.update(parts.parents)
    return found


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
