"""Which commits of players who have forked a peer leaves alone: they could sign any number of them.

Which commits are valid follows from ancestry alone; this decides only what is taken in and kept. One acceptance of each
proposed value is taken from everybody: whoever went on because of it may have nothing to sign that links to it.
"""

from __future__ import annotations

from catan_p2p.game.constants import Player
from catan_p2p.log.authorship import forgery
from catan_p2p.log.commit import Commit, decode_commit, parse_entry
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
    linked, found, others = set[ObjectId](), set[ObjectId](), set[ObjectId]()
    read = list[tuple[ObjectId, Commit, Player, bool]]()
    for commit, data in commits:
        try:
            parts = decode_commit(data)
            action = parse_entry(parts.message, valid.game.constants).action
        except FormatError:
            continue
        is_acceptance = isinstance(action, ViewMessage) and action.kind == "accept"
        read.append((commit, parts, action.player, is_acceptance))
        if valid.party_of.get(action.player) not in valid.forkers:
            others.add(commit)
    for commit, parts, player, is_acceptance in reversed(read):
        if player not in valid.party_of:
            continue
        is_taken = commit in others or commit in linked
        if not is_taken and is_acceptance:
            is_taken = _is_first(valid, parts.parents[0], player, linked | others)
        if is_taken and (commit in linked or forgery(commit, parts, valid.game, player, valid.verify) is None):
            linked.update(parts.parents)
        elif commit not in others:
            found.add(commit)
    return found


def _is_first(valid: ValidCommits, proposal: ObjectId, player: Player, taken: set[ObjectId]) -> bool:
    """Whether a proposal is taken, and no acceptance of its value by this player."""
    if (node := valid.nodes.get(proposal)) is None:
        return proposal in taken
    return isinstance(node, ProposalNode) and not valid.changes.has_accepted(node, valid.party_of[player])
