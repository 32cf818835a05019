"""A folder of this machine is asked only where something may have moved, and whatever moves there is seen."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from catan_p2p.log.storage.objects import ObjectId
from catan_p2p.log.storage.store import GitStore
from catan_p2p.log.transport.queries import AskHeads, PushMove
from catan_p2p.log.transport.shared_repository import SharedRepository, SharedView
from catan_p2p.log.transport.watched_refs import YOUNG_S, WatchedRefs
from catan_p2p.log.transport.worker_remote import WorkerRemote
from tests.log.transport.packs import with_a_large_pack
from tests.replication.relays import bare
from tests.replication.tables import git
from tests.virtual_time import VirtualTime

HEAD = "refs/heads/Red_0"
LATER_S = 100.0


pytestmark = pytest.mark.usefixtures("person")


@pytest.fixture
def theirs(tmp_path: Path) -> Path:
    """A repository with refs of every kind, all older than the clock below says."""
    path = bare(tmp_path / "theirs")
    commit = git(path, "commit-tree", git(path, "mktree"), "-m", "first")
    for ref in (HEAD, "refs/chat/Red", "refs/remotes/Blue/Blue_0"):
        git(path, "update-ref", ref, commit)
    return path


@pytest.fixture
def clock(theirs: Path) -> VirtualTime:
    clock = VirtualTime()
    clock.now = theirs.stat().st_mtime + LATER_S
    return clock


def watched(theirs: Path, tmp_path: Path, clock: VirtualTime) -> WatchedRefs:
    own = bare(tmp_path / "own")
    found = WatchedRefs(theirs, own, clock)
    assert found.may_have_moved
    found.note([HEAD, "refs/heads/Blue_0"])
    return found


def another(path: Path) -> str:
    return git(path, "commit-tree", git(path, "mktree"), "-m", "another")


def by_git(ref: str) -> Callable[[Path], object]:
    return lambda path: git(path, "update-ref", ref, another(path))


def by_a_peer(path: Path) -> None:
    with GitStore.open(path) as store:
        store.record(HEAD, ObjectId(another(path)), store.read_ref(HEAD))
        store.publish()


MOVES: dict[str, Callable[[Path], object]] = {
    "a branch": by_git(HEAD),
    "a new branch": by_git("refs/heads/Blue_0"),
    "a copy": by_git("refs/remotes/Blue/Blue_0"),
    "a copy of another player": by_git("refs/remotes/Green/Green_0"),
    "words": by_git("refs/chat/Red"),
    "the first words": by_git("refs/chat/Blue"),
    "a branch that goes": lambda path: git(path, "update-ref", "-d", HEAD),
    "refs that are packed": lambda path: git(path, "pack-refs", "--all"),
    "by a peer": by_a_peer,
    "in its file": lambda path: (path / HEAD).write_text(f"{another(path)}\n"),
    "a repository that is gone": lambda path: path.rename(path.with_name("gone")),
}


@pytest.mark.parametrize("name", MOVES)
def test_a_move_is_seen(theirs: Path, tmp_path: Path, clock: VirtualTime, name: str) -> None:
    refs = watched(theirs, tmp_path, clock)
    assert not refs.may_have_moved
    clock.sleep(LATER_S)
    assert not refs.may_have_moved, "nothing has moved, however long ago"
    MOVES[name](theirs)
    assert refs.may_have_moved
    refs.note([HEAD])
    assert not refs.may_have_moved


def test_the_first_copy_and_the_first_words_are_seen(tmp_path: Path) -> None:
    clock, path = VirtualTime(), bare(tmp_path / "theirs")
    clock.now = path.stat().st_mtime + LATER_S
    refs = watched(path, tmp_path, clock)
    for ref in ("refs/remotes/Blue/Blue_0", "refs/chat/Red", HEAD):
        assert not refs.may_have_moved
        git(path, "update-ref", ref, another(path))
        assert refs.may_have_moved, ref
        refs.note()


def set_times(path: Path, at_ns: int) -> None:
    for folder in (path, *(path / "refs").rglob("*"), path / "refs"):
        os.utime(folder, ns=(at_ns, at_ns))


@pytest.mark.parametrize(
    ("tick_ns", "young_s"), [(1, YOUNG_S), (4_000_000, YOUNG_S), (1_000_000_000, 2.1)], ids=["ns", "4 ms", "s"]
)
def test_two_moves_within_one_tick_are_not_taken_for_one(
    theirs: Path, tmp_path: Path, clock: VirtualTime, tick_ns: int, young_s: float
) -> None:
    moved_ns = 1_800_000_000_123_456_789 // tick_ns * tick_ns
    set_times(theirs, moved_ns)
    clock.now = moved_ns / 1e9 + 0.001
    refs = watched(theirs, tmp_path, clock)
    assert refs.may_have_moved, "a second move may leave the times as they are"
    clock.sleep(young_s / 2)
    refs.note()
    assert refs.may_have_moved
    clock.sleep(young_s)
    assert refs.may_have_moved, "nobody has looked since"
    refs.note()
    assert not refs.may_have_moved
    clock.sleep(LATER_S)
    assert not refs.may_have_moved


@pytest.mark.skipif(sys.platform == "win32", reason="Windows keeps no such time")
def test_a_program_that_copies_files_and_their_times_is_noticed(
    theirs: Path, tmp_path: Path, clock: VirtualTime
) -> None:
    file = theirs / HEAD
    file.write_text(f"{'1' * 40}\n")
    set_times(theirs, 1_700_000_000_000_000_000)
    refs = watched(theirs, tmp_path, clock)
    assert not refs.may_have_moved
    file.write_text(f"{'2' * 40}\n")
    set_times(theirs, 1_700_000_000_000_000_000)
    assert refs.may_have_moved


@pytest.mark.skipif(sys.platform == "win32", reason="needs links")
def test_a_folder_behind_a_link_is_not_watched(theirs: Path, tmp_path: Path, clock: VirtualTime) -> None:
    (theirs / "refs" / "heads").rename(tmp_path / "heads")
    (theirs / "refs" / "heads").symlink_to(tmp_path / "heads")
    assert watched(theirs, tmp_path, clock).may_have_moved
    (theirs / "refs" / "heads").unlink()
    (tmp_path / "heads").rename(theirs / "refs" / "heads")
    (theirs / "refs" / "remotes").rename(tmp_path / "remotes")
    (theirs / "refs" / "remotes").symlink_to(tmp_path / "remotes")
    refs = WatchedRefs(theirs, tmp_path / "own", clock)
    refs.note()
    assert refs.may_have_moved


def test_a_folder_of_another_device_is_not_watched(
    theirs: Path, tmp_path: Path, clock: VirtualTime, monkeypatch: pytest.MonkeyPatch
) -> None:
    places = (path for path in map(Path, ("/dev/shm", "/var/tmp")) if path.is_dir())
    other = next((path for path in places if path.stat().st_dev != tmp_path.stat().st_dev), None)
    if other is None:
        pytest.skip("needs two devices")
    refs = WatchedRefs(theirs, other, clock)
    refs.note()
    assert refs.may_have_moved
    monkeypatch.setattr(os, "lstat", lambda path: pytest.fail("nothing there is touched again"))
    refs.note()
    assert refs.may_have_moved


def test_more_copies_than_there_are_players_are_not_watched(theirs: Path, tmp_path: Path, clock: VirtualTime) -> None:
    for number in range(100):
        (theirs / "refs" / "remotes" / f"Player{number}").mkdir()
    assert watched(theirs, tmp_path, clock).may_have_moved


def test_a_remote_touches_nothing_before_a_process_has_looked(theirs: Path, tmp_path: Path) -> None:
    set_times(theirs, 1_700_000_000_000_000_001)
    remote = WorkerRemote(str(theirs), bare(tmp_path / "own"), tmp_path / "incoming")
    try:
        told = []
        for refs, folder in (((HEAD,), None), ((HEAD,), None), ((), "refs/heads/"), ((HEAD,), None)):
            remote.ask(AskHeads(refs, folder))
            told.append(remote.may_be_new)
            remote.answer()
            told.append(remote.may_be_new)
        assert told == [True, True, False, False, False, False, False, False]
        git(theirs, "update-ref", HEAD, another(theirs))
        remote.ask(AskHeads((), "refs/heads/"))
        remote.answer()
        assert remote.may_be_new, "nobody has asked for named refs since"
    finally:
        remote.close()


def test_a_remote_that_cannot_be_read_may_have_anything(theirs: Path, tmp_path: Path) -> None:
    set_times(theirs, 1_700_000_000_000_000_001)
    remote = WorkerRemote(str(theirs), bare(tmp_path / "own"), tmp_path / "incoming")
    try:
        for _ in range(2):
            remote.heads((HEAD,))
        assert not remote.may_be_new
        theirs.rename(tmp_path / "gone")
        with pytest.raises(Exception, match="the repository is gone"):
            remote.heads((HEAD,))
        assert remote.may_be_new
        (tmp_path / "gone").rename(theirs)
        assert remote.may_be_new, "it has not been listed since"
    finally:
        remote.close()


def test_each_view_of_a_relay_sees_for_itself_what_is_new(theirs: Path, tmp_path: Path) -> None:
    set_times(theirs, 1_700_000_000_000_000_001)
    shared = SharedRepository(WorkerRemote(str(theirs), bare(tmp_path / "own"), tmp_path / "incoming"))
    one, two = (SharedView(shared, lambda ref: ref) for _ in range(2))
    try:
        for view in (one, one, two):
            view.heads((HEAD,))
        assert not one.may_be_new
        assert not two.may_be_new
        git(theirs, "update-ref", HEAD, another(theirs))
        set_times(theirs, 1_700_000_001_000_000_001)
        assert one.may_be_new
        assert two.may_be_new
        one.heads((HEAD,))
        assert not one.may_be_new
        assert two.may_be_new, "only the other one has been told"
        two.heads((HEAD,))
        assert not one.may_be_new, "what the other one was told is what it knows"
        assert not two.may_be_new
    finally:
        shared.close()


def test_what_was_pushed_by_oneself_is_something_new(theirs: Path, tmp_path: Path) -> None:
    own, head = with_a_large_pack(tmp_path / "own", 1000)
    shared = SharedRepository(WorkerRemote(str(theirs), own, tmp_path / "incoming"))
    view = SharedView(shared, lambda ref: ref)
    try:
        for _ in range(2):
            view.heads((HEAD,))
        before = shared.version
        subprocess.run(["git", "-C", str(own), "update-ref", "refs/heads/Blue_0", head], check=True)
        assert shared.remote.push((PushMove("refs/heads/Blue_0", None, head),)) == {}  # type: ignore[attr-defined]
        assert view.may_be_new
        view.heads((HEAD,))
        assert shared.version == before + 1
    finally:
        shared.close()
