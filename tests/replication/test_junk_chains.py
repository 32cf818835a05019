"""A long chain of junk costs a peer the reading of it, and the judging of one commit: counted in calls, not in time."""

from pathlib import Path
from unittest.mock import patch

import pytest

from catan_p2p.game.actions import RollDice
from catan_p2p.log import commit as commits
from catan_p2p.log import reading
from catan_p2p.log.commit import Commit
from catan_p2p.log.graph import CommitGraph
from catan_p2p.log.storage.objects import ObjectId
from catan_p2p.log.tree import Put, hash_only
from catan_p2p.log.verdict import FOR_GOOD, CommitRejected, LoggedStep
from catan_p2p.replication.core.events import CommitsBrought, HeadHeard
from catan_p2p.tables.status import read_status
from tests.log.table import LogTable
from tests.replication.conftest import Deal
from tests.replication.tables import neighbour, write_commit
from tests.replication.test_hostile import Forger, looking

LONG = 3000


def chain(table: LogTable, length: int) -> ObjectId:
    """Commits by nobody on the newest commit; the id of the last."""
    nobody = commits.Signature("Eve", "eve@example.org", 2000)
    head = table.graph.head
    for number in range(length):
        junk = Commit(hash_only("tree", b""), (head,), nobody, nobody, f"junk {number}\n\nAction: none\n")
        head = table.objects.add("commit", junk.encode())
    return head


def test_one_commit_of_a_chain_of_junk_is_judged(monkeypatch: pytest.MonkeyPatch) -> None:
    table = LogTable(3)
    head = chain(table, LONG)
    judged: list[ObjectId] = []
    decoded: list[str] = []
    check, take = CommitGraph.check, commits._CommitHeader.__init__

    def counted_check(graph: CommitGraph, commit: ObjectId, data: bytes, put: Put) -> LoggedStep | CommitRejected:
        judged.append(commit)
        return check(graph, commit, data, put)

    def counted_header(header: commits._CommitHeader, text: str) -> None:
        decoded.append(text)
        take(header, text)

    monkeypatch.setattr(CommitGraph, "check", counted_check)
    monkeypatch.setattr(commits._CommitHeader, "__init__", counted_header)
    bad = reading.take_in(table.graph, head, table.objects.read)
    assert bad is not None and bad.reason == "format"
    assert len(judged) == 1
    assert len(decoded) <= 2


LOOKS = 8


def start_of(reason: str, red: Forger) -> ObjectId:
    """A commit on the newest one, in Red's repository, that is refused for this reason."""
    draft = red.draft(RollDice(1, 8))
    match reason:
        case "format":
            return write_commit(red.path, draft._replace(message="junk\n"))
        case "author":
            author = commits.Signature("Blue_0", "Blue_0@catan-p2p.invalid", 1735690000)
            return red.write(draft._replace(author=author, committer=author))
        case "signature":
            return write_commit(red.path, draft)
        case "tree":
            return red.write(draft._replace(tree=red.draft(RollDice(1, 9)).tree))
        case _:
            return write_commit(red.path, draft._replace(parents=()))


def grow(folder: Path, reason: str, transport: str) -> None:
    """Each look finds one commit more on what was refused for this reason, and reads that one only."""
    red, blue_path = Forger(folder), folder / "Blue"
    start = head = start_of(reason, red)
    with (
        looking(blue_path, transport) as blue,
        patch.object(CommitGraph, "check", autospec=True, side_effect=CommitGraph.check) as judged,
        patch.object(reading, "_read_commit", side_effect=reading._read_commit) as read,
    ):
        for number in range(LOOKS):
            red.publish(head)
            if neighbour(blue, "Red").remote.is_telling:
                blue.wait(5)
            blue.synchronize()
            assert [bad.commit for bad in neighbour(blue, "Red").rejected.values()] == [start]
            assert neighbour(blue, "Red").source.seen["refs/heads/Red_0"] == head
            nobody = commits.Signature("Eve", "eve@example.org", 2000 + number)
            head = write_commit(red.path, Commit(hash_only("tree", b""), (head,), nobody, nobody, "more\n"))
    assert [call.args[1] for call in judged.call_args_list] == [start]
    assert read.call_count == LOOKS
    assert [(line["reason"], line["commit"]) for line in read_status(blue_path).refusals] == [(reason, start)]


@pytest.mark.sampled(8)
@pytest.mark.long
@pytest.mark.parametrize("transport", ["path", "git", "fetch"])
@pytest.mark.parametrize("reason", FOR_GOOD)
def test_of_junk_that_grows_from_look_to_look_one_commit_is_judged_in_all(
    reason: str, transport: str, deal: Deal
) -> None:
    grow(deal("roll-signed"), reason, transport)


def test_what_a_repository_spoils_is_read_again_elsewhere(deal: Deal) -> None:
    """Only what was judged is refused for good: a fetch that brings nonsense says nothing of the commit it names."""
    red = Forger(deal("roll-signed"))
    red.publish(good := red.write(red.draft(RollDice(1, 8))))
    with looking(red.path.parent / "Blue") as blue:
        liar = neighbour(blue, "Red")
        blue.feed(
            HeadHeard("Red", "refs/heads/Red_0", good, CommitsBrought(CommitRejected("format", good, "nonsense")))
        )
        liar.source.look_again("refs/heads/Red_0")
        blue.synchronize()
        assert blue.graph.head == good
