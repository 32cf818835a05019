"""Which commits of players who have forked a peer leaves alone: they could sign any number of them.

Which commits are valid follows from ancestry alone; this decides only what is taken in and kept.
"""

from __future__ import annotations

from catan_p2p.log.authorship import forgery
from catan_p2p.log.commit import decode_commit, parse_entry
from catan_p2p.log.game import FormatError
from catan_p2p.log.reading import Commits
from catan_p2p.log.storage.objects import ObjectId
from catan_p2p.log.valid_commits import ValidCommits


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
        if has_forked and commit not in linked:
            found.add(commit)
        elif has_forked or (
            player in valid.party_of and forgery(commit, parts, valid.game, player, valid.verify) is None
        ):
            linked.update(parts.parents)
    return found
