"""What has gone wrong once, each as it was found."""

import shutil
from contextlib import suppress
from pathlib import Path

import pytest

from catan_p2p.log.storage import disk
from catan_p2p.log.storage.journal import Journal
from catan_p2p.log.storage.objects import StoreError
from catan_p2p.log.storage.store import GitStore
from tests.log.storage.chains import act, fsck, git
from tests.log.storage.conftest import Refs
from tests.log.storage.test_journal import RECORDS
from tests.log.storage.troubled_disk import FOLDER, Trouble, TroubledDisk
from tests.virtual_time import VirtualTime

MAIN, SIDE = "refs/heads/main", "refs/heads/side"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "made"


def test_refs_that_are_new_wait_twice_the_lag_unless_they_are_deleted_before(path: Path) -> None:
    GitStore.create(path).close()
    clock = VirtualTime(1000.0)
    with GitStore.open(path, lag_s=100, time=clock) as store, GitStore.open(path, writer=None) as reader:
        _, first = act(store, MAIN)
        store.publish()
        _, second = act(store, MAIN)
        _, passing = act(store, SIDE)
        clock.now += 101
        store.publish()
        assert reader.list_refs() == {MAIN: first}
        clock.now += 100
        store.publish()
        assert reader.list_refs() == {MAIN: second, SIDE: passing}
        _, third = act(store, MAIN)
        clock.now += 101
        store.publish()
        assert reader.list_refs() == {MAIN: third, SIDE: passing}, "no ref is new any more"
        store.delete_ref(SIDE, passing)
        store.publish(now=True)
        _, fourth = act(store, MAIN)
        _, passing = act(store, SIDE)
        store.delete_ref(SIDE, passing)
        clock.now += 101
        store.publish()
        assert reader.list_refs() == {MAIN: fourth}, "a ref that is gone again is none to wait for"


def test_a_full_disk_leaves_head_as_it_is() -> None:
    """Also on a medium without Git."""
    disk = TroubledDisk(lambda: None)
    with GitStore.within(disk, FOLDER) as store:
        act(store, MAIN)
        act(store, SIDE)
        store.check_out(SIDE)
        for at in (1, 2, 3):
            disk.trouble = Trouble("full", at)
            with pytest.raises(StoreError, match="/game/HEAD: cannot write: the disk is full"):
                store.check_out(MAIN)
            assert disk.read(FOLDER / "HEAD") == f"ref: {SIDE}\n".encode(), at
        store.check_out(MAIN)
    assert disk.read(FOLDER / "HEAD") == f"ref: {MAIN}\n".encode()


def test_what_a_full_disk_has_let_move_moves_on() -> None:
    """A publication fails when one of two refs is where it should be; that one is recorded again before the next."""
    moved = 0
    for at in range(1, 40):
        disk = TroubledDisk(lambda: None)
        with GitStore.within(disk, FOLDER) as store, GitStore.within(disk, FOLDER, writer=None) as reader:
            before = {MAIN: act(store, MAIN)[1], SIDE: act(store, SIDE)[1]}
            store.publish()
            act(store, MAIN)
            act(store, SIDE)
            disk.trouble = Trouble("full", at)
            with suppress(StoreError):
                store.publish()
            disk.trouble = None
            moved += len({*reader.list_refs().items()} - {*before.items()}) == 1
            now = {MAIN: act(store, MAIN)[1], SIDE: act(store, SIDE)[1]}
            store.publish()
            assert reader.list_refs() == now, at
    assert moved


def test_a_torn_ref_with_an_older_line_in_packed_refs_is_where_the_journal_says(path: Path) -> None:
    with GitStore.create(path, durability="power") as store:
        act(store, MAIN)
    git(path, "pack-refs", "--all")
    with GitStore.open(path, durability="power") as store:
        act(store, MAIN)
    store = GitStore.open(path, durability="power")
    head = act(store, MAIN)
    store.publish()
    assert store._writer is not None
    store._writer.release()
    store._close_reading()
    (path / ".git" / MAIN).write_bytes(b"")
    with GitStore.open(path, writer=None) as reader:
        assert reader.list_refs() == {MAIN: head[1]}
    with GitStore.open(path, durability="power") as store:
        assert store.list_refs() == {MAIN: head[1]}
    fsck(path)


def test_a_closed_journal_is_not_written(path: Path) -> None:
    """Its writer may have given the lock back."""
    journal = Journal(path)
    journal.append(RECORDS[0])
    journal.close()
    before = path.read_bytes()
    with pytest.raises(StoreError, match="cannot write the action"):
        journal.append(RECORDS[1])
    assert path.read_bytes() == before


def test_a_file_that_could_not_be_opened_again_is_opened_by_the_next_record(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    journal = Journal(path, durable=True)
    journal.append(RECORDS[0])
    with monkeypatch.context() as patch:
        patch.setattr(disk, "open_append", lambda path: (_ for _ in ()).throw(OSError(24, "Too many open files")))
        with pytest.raises(StoreError, match="Too many open files"):
            journal.reset()
    journal.append(RECORDS[1])
    journal.close()
    assert [*Journal(path).found.records] == [RECORDS[1]]


def test_zeros_in_the_place_of_a_lock_of_this_writer_are_removed(refs: Refs) -> None:
    """A loss of power leaves them, or half of what was written."""
    for content in (bytes(41), refs.ids[0][:7].encode() + bytes(34), bytes(17), refs.home.mark[:5] + bytes(12)):
        (refs.path / f"{MAIN}.lock").write_bytes(content)
        (refs.path / "packed-refs.lock").write_bytes(bytes(17))
        refs.files.remove_stale_locks({MAIN: [None, refs.ids[0]]}, refs.locks)
        refs.assert_no_locks()


def test_a_ref_that_is_gone_with_its_folder_is_made_durable_too(refs: Refs) -> None:
    ref = "refs/remotes/Green/main"
    refs.move((ref, None, refs.ids[0]))
    refs.move((ref, refs.ids[0], None))
    shutil.rmtree(refs.path / "refs" / "remotes", ignore_errors=True)
    refs.files.sync([ref])
    assert git(refs.path, "for-each-ref") == ""
