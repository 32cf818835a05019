"""Work that all replicas of one game in one process do once: judging each commit.

A verdict follows from what a commit links to: not from the player who judges, nor from the order in which commits came.
"""

from __future__ import annotations

from catan_p2p.log.dictionaries import RecentItems
from catan_p2p.log.judging import judge
from catan_p2p.log.storage.objects import ObjectId
from catan_p2p.log.tree import Put, SuccessorTree, hash_only
from catan_p2p.log.valid_commits import ValidCommits
from catan_p2p.log.verdict import CommitRejected
from catan_p2p.log.views.nodes import Node


class SharedWork:
    """The latest valid commits of a game, by id, for all graphs that begin with one ledger."""

    def __init__(self) -> None:
        self.nodes: RecentItems[ObjectId, Node] = RecentItems()

    def verdict(
        self,
        valid: ValidCommits,
        commit: ObjectId,
        data: bytes,
        put: Put = hash_only,
        successor: SuccessorTree | None = None,
    ) -> Node | CommitRejected:
        """Judge the bytes of a commit, as ``judge`` does, unless that was done and nothing is to be put."""
        node = self.nodes.get(commit)
        if node is not None and put is hash_only and valid.known >= {*node.link.parents}:
            return node
        found = judge(valid, commit, data, put, successor)
        if not isinstance(found, CommitRejected):
            self.nodes[commit] = found
        return found
