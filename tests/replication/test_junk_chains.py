"""A long chain of junk costs a peer the reading of it, and the judging of one commit: counted in calls, not in time."""

from __future__ import annotations

import pytest

from catan_p2p.log import commit as commits
from catan_p2p.log.commit import Commit
from catan_p2p.log.graph import Graph
from catan_p2p.log.storage.objects import ObjectId
from catan_p2p.log.tree import hash_only
from catan_p2p.log.verdict import Rejected, Step
from tests.log.storage.memory import LoggedGame
from tests.replication.test_hostile_votes import Table

LONG = 3000


def chain(table: LoggedGame, length: int) -> ObjectId:
    """Commits by nobody on the newest commit; the id of the last."""
    nobody = commits.Signature("Eve", "eve@example.org", 2000)
    head = table.graph.head
    for number in range(length):
        junk = Commit(hash_only("tree", b""), (head,), nobody, nobody, f"junk {number}\n\nAction: none\n")
        head = table.objects.add("commit", junk.encode())
    return head


def test_one_commit_of_a_chain_of_junk_is_judged(monkeypatch: pytest.MonkeyPatch) -> None:
    table = Table()
    head = chain(table, LONG)
    judged: list[ObjectId] = []
    decoded: list[str] = []
    check, take = Graph.check, commits._Header.__init__

    def counted_check(graph: Graph, commit: ObjectId, data: bytes) -> Step | Rejected:
        judged.append(commit)
        return check(graph, commit, data)

    def counted_header(header: commits._Header, text: str) -> None:
        decoded.append(text)
        take(header, text)

    monkeypatch.setattr(Graph, "check", counted_check)
    monkeypatch.setattr(commits._Header, "__init__", counted_header)
    bad = table.judged(head)
    assert bad is not None and bad.reason == "format"
    assert len(judged) == 1
    assert len(decoded) <= 2
