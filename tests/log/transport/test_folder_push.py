"""A push to a folder leaves nothing of itself there, whatever cuts it."""

import errno
import os
import shutil
import signal
import sys
from pathlib import Path

import pytest

from catan_p2p.log.storage import disk
from catan_p2p.log.storage.objects import ObjectId
from catan_p2p.log.transport.folder_push import push_to_folder
from catan_p2p.log.transport.push_locks import pushing
from catan_p2p.log.transport.queries import PushMove
from catan_p2p.log.transport.remote import RemoteUnreachable
from tests.log.transport.packs import REF, with_a_large_pack
from tests.replication.relays import bare
from tests.replication.tables import git


def files(relay: Path) -> set[str]:
    return {file.suffix for file in (relay / "objects" / "pack").iterdir()}


def test_nothing_is_left_of_a_push_that_is_cut(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    own, head = with_a_large_pack(tmp_path / "own", 1 << 20)
    relay, moves = bare(tmp_path / "relay"), [PushMove(REF, None, head)]

    def broken(path: Path, data: bytes, **_: object) -> None:
        raise OSError(errno.EIO, "broken")

    with monkeypatch.context() as patch:
        patch.setattr(disk, "create", broken)
        with pytest.raises(RemoteUnreachable, match="broken"):
            push_to_folder(relay, own, moves)
    assert files(relay) == set()
    assert not list((own / "catan-p2p" / "incoming").iterdir())
    assert push_to_folder(relay, own, moves) == {}
    assert {".pack", ".idx"} <= files(relay) <= {".pack", ".idx", ".rev"}
    assert git(relay, "rev-parse", REF) == head
    assert git(relay, "fsck", "--no-dangling") == ""


def test_what_a_killed_push_has_left_is_removed_by_the_next_and_nothing_of_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own, head = with_a_large_pack(tmp_path / "own", 1 << 20)
    relay, moves = bare(tmp_path / "relay"), [PushMove(REF, None, head)]
    packs = relay / "objects" / "pack"

    def killed(path: Path, data: bytes, **_: object) -> None:
        path.write_bytes(data[:1000])
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(disk, "create", killed)
        patch.setattr(disk, "remove", lambda path: None)
        with pytest.raises(KeyboardInterrupt):
            push_to_folder(relay, own, moves)
    (left,) = packs.iterdir()
    assert left.name.startswith("tmp_pack_catan_")
    anothers = packs / f"tmp_pack_catan_{'0' * 16}"
    anothers.write_bytes(b"of another seat")
    assert push_to_folder(relay, own, moves) == {}
    assert not left.exists()
    assert anothers.exists()


def test_two_pushes_of_a_seat_do_not_meet(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    own, head = with_a_large_pack(tmp_path / "own", 1 << 10)
    relay = bare(tmp_path / "relay")
    monkeypatch.setattr("catan_p2p.log.storage.lock._DYING_S", 0.0)
    with pushing(own), pytest.raises(RemoteUnreachable, match="already pushing"):
        push_to_folder(relay, own, [PushMove(REF, None, head)])


def killed_push(relay: Path, own: Path, moves: list[PushMove], at: int) -> bool:
    """Push in a process that is killed at the call ``at`` of those that change files; whether it got as far."""
    from tests.cli.kills import Counter, ended

    child = os.fork()
    if child:
        return ended(child) == -signal.SIGKILL
    try:
        os.setpgid(0, 0)
        Counter(at).install()
        push_to_folder(relay, own, moves)
    finally:
        os._exit(0)


def successor(path: Path, head: ObjectId) -> ObjectId:
    tree = git(path, "rev-parse", f"{head}^{{tree}}")
    return ObjectId(git(path, "-c", "user.name=R", "-c", "user.email=r", "commit-tree", tree, "-p", head, "-m", "next"))


forks = pytest.mark.skipif(sys.platform == "win32", reason="processes are forked")


@pytest.mark.sampled(5, together=True)
@pytest.mark.long
@forks
@pytest.mark.parametrize("has_links", [True, False])
def test_a_lock_that_a_killed_push_of_this_seat_has_left_is_removed_at_once_by_the_next(
    tmp_path: Path, has_links: bool
) -> None:
    own, head = with_a_large_pack(tmp_path / "own", 1 << 10)
    after = successor(own, head)
    relay = bare(tmp_path / "relay")
    assert push_to_folder(relay, own, [PushMove(REF, None, head)]) == {}
    seen = 0
    with pytest.MonkeyPatch.context() as patch:
        if not has_links:
            patch.setattr(os, "link", _no_links)
        for new in (after, None):  # a ref moves, and a ref goes
            moves, at = [PushMove(REF, head, new)], 0
            while killed_push(relay, own, moves, at := at + 1):
                seen += (relay / f"{REF}.lock").exists()
                refused = push_to_folder(relay, own, moves)
                if refused and not has_links:  # killed between the lock and its record
                    assert "another push of this seat, or one that was interrupted, has held its lock" in refused[REF]
                    os.utime(relay / f"{REF}.lock", (0, 0))
                    refused = push_to_folder(relay, own, moves)
                assert refused == {}, at
                assert not [*(relay / "refs" / "heads").glob("*.lock*")], at
                assert not [*(relay / "refs" / "heads").glob(".*")], at
                git(relay, "update-ref", REF, head)
            git(relay, "update-ref", REF, head)
    assert seen >= 3


def _no_links(*_: object, **__: object) -> None:
    raise OSError(errno.EPERM, "no links here")


@pytest.mark.sampled(5, together=True)
@pytest.mark.long
@forks
def test_a_lock_of_another_living_copy_of_the_seat_is_not_removed(tmp_path: Path) -> None:
    own, head = with_a_large_pack(tmp_path / "own", 1 << 10)
    relay = bare(tmp_path / "relay")
    moves, at = [PushMove(REF, None, head)], 0
    while not (relay / f"{REF}.lock").exists():
        assert killed_push(relay, own, moves, at := at + 1)
    copy = shutil.copytree(own, tmp_path / "copy")
    refused = push_to_folder(relay, copy, moves)
    assert "another push of this seat, or one that was interrupted, has held its lock" in refused[REF]
    assert (relay / f"{REF}.lock").exists()
    assert push_to_folder(relay, own, moves) == {}


def test_a_lock_that_took_the_place_of_the_own_one_is_not_removed(tmp_path: Path) -> None:
    own, head = with_a_large_pack(tmp_path / "own", 1 << 10)
    relay = bare(tmp_path / "relay")
    lock = relay / f"{REF}.lock"
    with pushing(own) as locks:
        assert locks.take(lock, f"{head}\n".encode()) is None
    theirs = lock.with_name("theirs")
    theirs.write_bytes(lock.read_bytes())
    theirs.replace(lock)
    assert REF in push_to_folder(relay, own, [PushMove(REF, None, head)])
    assert lock.exists()
