"""Commits that are made to poison whoever keeps them: evidence is kept, and neither Git nor a restart minds it.

Red ---> Blue, Green        Red writes, Blue looks, and is started again
"""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from catan_p2p.cli.main import main
from catan_p2p.game.actions import EmptyTrade, RollDice
from catan_p2p.log import evidence
from catan_p2p.log.commit import Signature
from catan_p2p.log.evidence import EvidenceBox, RefusedCommit, list_evidence, read_evidence, read_refusals
from catan_p2p.log.storage.objects import ObjectDamaged, ObjectId, object_id
from catan_p2p.log.transport.serve import RepositoryServer
from catan_p2p.log.verdict import CommitRejected
from catan_p2p.tables.seat import private_folder
from catan_p2p.tables.status import read_status
from tests.replication.conftest import Deal
from tests.replication.tables import git, is_sound, open_replica, write_commit, write_object
from tests.replication.test_hostile import Forger

pytestmark = [pytest.mark.long, pytest.mark.sampled(5)]

Poison = Callable[[Forger], ObjectId]


def raw_tree(path: Path, *entries: tuple[str, str, ObjectId]) -> ObjectId:
    data = b"".join(f"{mode} {name}".encode() + b"\0" + bytes.fromhex(oid) for mode, name, oid in entries)
    return write_object(path, "tree", data)


def one_name_twice(red: Forger) -> ObjectId:
    blob = write_object(red.path, "blob", b"x")
    tree = raw_tree(red.path, ("100644", "a", blob), ("100644", "a", blob))
    return red.write(red.draft(RollDice(1, 8))._replace(tree=tree))


def file_and_folder_alike(red: Forger) -> ObjectId:
    blob = write_object(red.path, "blob", b"x")
    inner = raw_tree(red.path, ("100644", "b", blob))
    tree = raw_tree(red.path, ("100644", "a", blob), ("40000", "a", inner))
    return red.write(red.draft(RollDice(1, 8))._replace(tree=tree))


def strange_author(red: Forger) -> ObjectId:
    who = Signature("Bl>ue_0", "Bl>ue_0@catan-p2p.invalid", 1735690000)
    return write_commit(red.path, red.draft(RollDice(1, 8))._replace(author=who, committer=who))


def chain_of_junk(red: Forger) -> ObjectId:
    head, lines = red.graph.head, []
    for i in range(300):
        lines += ["commit refs/heads/junk", f"mark :{i + 1}", "committer > <> 1735690000 +0000", "data 1", "x"]
        lines += [f"from :{i}" if i else f"from {head}", ""]
    git(red.path, "fast-import", "--quiet", data="\n".join(lines).encode().replace(b"> <>", b"x <x@y.z>"))
    return ObjectId(git(red.path, "rev-parse", "junk"))


poisons = pytest.mark.parametrize("poison", [one_name_twice, file_and_folder_alike, strange_author, chain_of_junk])


@poisons
@pytest.mark.parametrize("position", ["roll", "roll-signed"])
def test_no_check_of_gits_sees_a_poisoned_commit(deal: Deal, position: str, poison: Poison) -> None:
    red = Forger(deal(position))
    red.publish(bad := poison(red))
    blue = red.path.parent / "Blue"
    for _ in range(2):
        with open_replica(blue) as replica:
            replica.synchronize()
            assert bad not in replica.graph
            before = replica.graph.head
    assert is_sound(blue)
    status = read_status(blue)
    assert [line["reason"] for line in status.refusals] != []
    assert len(status.evidence) == 1
    with open_replica(blue) as replica:
        assert replica.graph.head == before
    assert not list(blue.parent.glob("*.damaged-*"))


@poisons
def test_what_was_refused_is_served_to_nobody_not_even_by_its_id(deal: Deal, poison: Poison) -> None:
    red = Forger(deal("roll"))
    red.publish(bad := poison(red))
    blue = red.path.parent / "Blue"
    with open_replica(blue) as replica:
        replica.synchronize()
        replica.store.publish()
    (name,) = read_status(blue).evidence
    assert git(blue, "cat-file", "-t", name.partition("/")[2], check=False) == ""
    assert git(blue, "cat-file", "-t", bad, check=False) == ""
    with RepositoryServer(blue, "127.0.0.1", 0) as server:
        assert bad not in git(blue, "ls-remote", server.url)
        assert git(red.path, "fetch", server.url, bad, check=False) == ""
        fresh = blue.parent / "fresh"
        git(blue.parent, "init", "-q", str(fresh))
        git(fresh, "fetch", "-q", server.url, bad, check=False)
        assert git(fresh, "cat-file", "-t", bad, check=False) == ""


def test_what_is_kept_can_be_shown_and_is_checked(deal: Deal, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    red = Forger(deal("roll"))
    red.publish(bad := red.write(red.draft(EmptyTrade(1), red.graph.state)))
    blue = red.path.parent / "Blue"
    with open_replica(blue) as replica:
        replica.synchronize()
    assert main(["status", str(blue), "--evidence", f"Red/{bad}"]) == 0
    assert object_id("commit", capfdbinary.readouterr().out) == bad
    command = [sys.executable, "-m", "catan_p2p.cli.main", "status", str(blue), "--evidence", f"Red/{bad}"]
    closed = subprocess.run(["sh", "-c", '"$@" >&-', "sh", *command], capture_output=True, check=False)
    assert (closed.returncode, closed.stderr) == (0, b"")
    file = private_folder(blue) / "evidence" / "Red" / bad
    file.write_bytes(file.read_bytes()[:-1] + b"?")
    with pytest.raises(ObjectDamaged):
        read_evidence(private_folder(blue), f"Red/{bad}")
    assert main(["status", str(blue), "--evidence", "../key"]) == 2


# Quotas


def commit_of(number: int) -> tuple[ObjectId, bytes]:
    data = b"commit %d" % number
    return object_id("commit", data), data


def box_of(folder: Path) -> tuple[EvidenceBox, Callable[..., None]]:
    box = EvidenceBox(folder)

    def refuse(number: int, reason: str, colour: str = "Red", seen_at: str = "Red", *, certain: bool = True) -> None:
        oid, data = commit_of(number)
        other, other_data = commit_of(number + 1_000_000)
        contradicts = reason == "fork"
        bad = CommitRejected(reason, oid, "x", other=other if contradicts else None)  # type: ignore[arg-type]
        refusal = RefusedCommit(colour, seen_at, f"refs/heads/{number}", bad, certain)
        box.keep(refusal, {oid: ("commit", data), other: ("commit", other_data)})

    return box, refuse


def test_junk_does_not_take_the_room_of_a_contradiction(tmp_path: Path) -> None:
    _, refuse = box_of(tmp_path)
    for number in range(400):
        refuse(number, "format")
    refuse(5000, "fork")
    kept = list_evidence(tmp_path)
    assert {f"Red/{commit_of(5000)[0]}", f"Red/{commit_of(1_005_000)[0]}"} <= kept.keys()
    assert read_refusals(tmp_path)[-1]["reason"] == "fork"
    assert len(kept) == evidence.MAX_EVIDENCE_COMMITS + 2
    assert len(read_refusals(tmp_path)) == evidence.MAX_REFUSAL_LINES + 1


def test_nobody_takes_the_room_of_another_player(tmp_path: Path) -> None:
    """Blue shows contradictions in Red's name, which is certain of nobody; then Red contradicts itself."""
    _, refuse = box_of(tmp_path)
    for number in range(400):
        refuse(number, "fork", "Red", "Blue", certain=False)
    refuse(5000, "fork", "Red", "Red")
    assert f"Red/{commit_of(5000)[0]}" in list_evidence(tmp_path)
    assert read_refusals(tmp_path)[-1]["certain"]


def test_quotas_outlive_a_restart(tmp_path: Path) -> None:
    for start in range(0, 400, 50):
        _, refuse = box_of(tmp_path)
        for number in range(start, start + 50):
            refuse(number, "guard")
    assert len(list_evidence(tmp_path)) == evidence.MAX_EVIDENCE_COMMITS
    assert len(read_refusals(tmp_path)) == evidence.MAX_REFUSAL_LINES


def test_a_refused_commit_takes_little_room(deal: Deal) -> None:
    """However large the files are that its tree leads to."""
    red = Forger(deal("roll"))
    blobs = [write_object(red.path, "blob", bytes([i]) * 60_000) for i in range(200)]
    tree = raw_tree(red.path, *((("100644", f"f{i:03}", blob)) for i, blob in enumerate(blobs)))
    red.publish(red.write(red.draft(RollDice(1, 8))._replace(tree=tree)))
    blue = red.path.parent / "Blue"

    def size() -> int:
        return sum(file.stat().st_size for file in blue.rglob("*") if file.is_file())

    before = size()
    with open_replica(blue) as replica:
        replica.synchronize()
    assert 0 < size() - before < 20_000


@pytest.mark.parametrize(
    "rubbish",
    [
        b"\xff\xfe\n",
        b"7\n",
        b'"word"\n',
        b"null\n",
        b"[1, 2]\n",
        b'{"colour": 3}\n',
        b"\0" * 512,
        b"[" * 100_000 + b"\n",
    ],
    ids=["not UTF-8", "number", "word", "null", "list", "half", "zeros", "deep"],
)
def test_lines_that_are_no_refusals_are_skipped(deal: Deal, rubbish: bytes) -> None:
    red = Forger(deal("roll"))
    file = private_folder(red.path.parent / "Blue") / "refusals.jsonl"
    file.write_bytes(rubbish)
    red.publish(bad := red.write(red.draft(EmptyTrade(1), red.graph.state)))
    with open_replica(red.path.parent / "Blue") as replica:
        replica.synchronize()
    assert [line["commit"] for line in read_status(red.path.parent / "Blue").refusals] == [bad]
