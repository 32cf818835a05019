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
    linked, found = set[ObjectId](), set[ObjectId]()
    acceptances = list[tuple[ObjectId, Player, Commit]]()
    for commit, data in reversed(commits):
        try:
            parts = decode_commit(data)
            action = parse_entry(parts.message, valid.game.constants).action
        except FormatError:
            continue
        player = action.player
        has_forked = valid.party_of.get(player) in valid.forkers
        if has_forked and commit not in linked and commit not in valid:
            found.add(commit)
            if isinstance(action, ViewMessage) and action.kind == "accept":
                acceptances.append((commit, player, parts))
        elif has_forked or _is_signed(valid, commit, parts, player):
            linked.update(parts.parents)
    brought = {commit for commit, _ in commits}
    return found - {
        commit
        for commit, player, parts in acceptances
        # Nothing else is kept for the sake of an acceptance, which may turn out to be none.
        if found.isdisjoint(parts.parents)
        and _is_first(valid, player, parts, brought)
        and _is_signed(valid, commit, parts, player)
    }


def _is_signed(valid: ValidCommits, commit: ObjectId, parts: Commit, player: Player) -> bool:
    return player in valid.party_of and forgery(commit, parts, valid.game, player, valid.verify) is None


def _is_first(valid: ValidCommits, player: Player, acceptance: Commit, brought: set[ObjectId]) -> bool:
    """Whether what is accepted is held, or comes with it, and no acceptance of that value by the same party is held."""
    if not acceptance.parents:
        return False
    proposal = acceptance.parents[0]
    if (node := valid.nodes.get(proposal)) is None:
        return proposal in brought
    return isinstance(node, ProposalNode) and not valid.changes.has_accepted(node, valid.party_of[player])
