"""The store against Git itself: what is written can be read by any client, at any moment."""

import os
import re
import subprocess
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from catan_p2p.log.storage import disk, pack_store
from catan_p2p.log.storage.objects import (
    ObjectDamaged,
    ObjectId,
    ObjectMissing,
    ObjectTooLarge,
    RefMoved,
    StoreError,
    StoreLocked,
)
from catan_p2p.log.storage.store import GitStore
from tests.log.storage.chains import CONSTANT, act, add_commit, assert_whole, fsck, git
from tests.virtual_time import VirtualTime

MAIN = "refs/heads/main"
SIDE = "refs/heads/side"
RACE_OVER_A_REF = "|".join(
    (
        r"cannot lock ref .*(but expected|unable to resolve reference)",
        r"unable to parse object: refs/heads/passing_",
        r"bad object refs/heads/passing_",
        r"refs/heads/passing_\d+: invalid sha1 pointer 0{40}",
        r"unable to update .*info/refs: No such file",
    )
)
"""What Git says if a ref is moved while it packs it, or deleted between its being listed and its being read, whoever
does that; it gives up for this time, and no harm is done. Beside a plain ``git update-ref --stdin`` that makes and
deletes such refs, Git 2.39 says the same: ``fsck`` 110 times in 7,531 runs (the null pointer), ``log`` 117 times in
14,413 (the bad object)."""
GAVE_UP = r"failed to run (pack-refs|prune|repack|reflog)"
"""What Git says last if one of its own programs has said such a thing; on its own it is a failure."""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "repository"


@pytest.fixture
def store(path: Path) -> Iterator[GitStore]:
    with GitStore.create(path) as made:
        yield made


def test_the_number_of_moves_shown_tells_whether_a_ref_may_be_elsewhere(path: Path) -> None:
    """Whoever moves it: this writer, soon or at once, another one, or plain Git."""
    GitStore.create(path).close()
    clock = VirtualTime(1000.0)
    with GitStore.open(path, lag_s=100, time=clock) as store, GitStore.open(path, writer="another") as another:
        seen = [store.moves_shown]

        def assert_moved(moved: bool) -> None:
            assert (store.moves_shown != seen[-1]) == moved, seen
            seen.append(store.moves_shown)

        _, first = act(store, MAIN)
        assert_moved(False)
        store.publish()
        assert_moved(True)
        _, second = act(store, MAIN)
        store.publish()
        assert_moved(True)
        assert git(path, "rev-parse", MAIN).strip() == first, "the publication waits"
        store.publish(now=True)
        assert git(path, "rev-parse", MAIN).strip() == second
        seen.append(store.moves_shown)
        clock.now += 101
        assert_moved(False)
        act(another, SIDE)
        another.publish()
        assert_moved(False)
        clock.now += 101
        assert_moved(True)
        git(path, "update-ref", "-d", SIDE)
        clock.now += 101
        assert_moved(True)
        assert_moved(False)
        (path / ".git" / "refs" / "heads" / "broken").write_text("not an id\n")
        clock.now += 101
        assert store.moves_shown is None, "only a look can tell"
        with pytest.raises(ObjectDamaged):
            store.read_ref("refs/heads/broken")
        (path / ".git" / "refs" / "heads" / "broken").unlink()
    with GitStore.open(path) as store:
        assert store.moves_shown is None, "without a lag, a move is seen at once"


def test_with_a_lag_a_publication_at_once_leaves_nothing_to_show(path: Path) -> None:
    """What was recorded before it is older than what comes after, and is never shown again."""
    GitStore.create(path).close()
    with GitStore.open(path, lag_s=3600) as store:
        act(store, MAIN)
        _, aside = act(store, SIDE)
        store.publish(now=True)
        git(path, "update-ref", SIDE, MAIN)
        _, newest = act(store, MAIN)
        store.publish()
        assert store.list_refs() == {MAIN: newest, SIDE: git(path, "rev-parse", SIDE).strip()}
        assert store.list_refs()[SIDE] != aside


def test_with_a_lag_what_is_set_aside_is_shown_with_the_next_publication(path: Path) -> None:
    GitStore.create(path).close()
    kept = "refs/heads/kept"
    with GitStore.open(path) as store:
        _, first = act(store, MAIN)
        _, other = act(store, SIDE)
    git(path, "update-ref", MAIN, other)
    with GitStore.open(path, lag_s=3600, place_for=lambda ref, found: kept) as store:
        act(store, SIDE)
        store.publish(now=True)
        store.put_back(MAIN, other, first)
        assert kept not in store.list_refs()
        store.publish()
        assert (store.read_ref(kept), store.read_ref(MAIN)) == (other, first)


@pytest.mark.parametrize("how", ["check_out", "gc"])
def test_a_publication_does_not_lag_for_git(path: Path, how: str) -> None:
    GitStore.create(path).close()
    with GitStore.open(path, lag_s=100) as store:
        for _ in range(3):
            head = act(store, MAIN)
            store.publish()
        assert git(path, "rev-parse", MAIN).strip() != head[1]
        store.check_out(MAIN) if how == "check_out" else store.gc()
        assert_whole(path, {MAIN: head})
        assert store.read_ref(MAIN) == head[1]


def test_objects_of_every_kind_and_size_come_back(path: Path, store: GitStore) -> None:
    blobs = [b"", b"x", os.urandom(70_000), b"long " * 30_000, os.urandom(300)]
    blobs.append(blobs[2][:50_000] + b"change" + blobs[2][50_000:])
    ids = [store.add("blob", data) for data in blobs[:-1]]
    ids.append(store.add("blob", blobs[-1]))
    names = [f"{at}".encode() for at in range(len(ids))]
    tree = b"".join(b"100644 %b\0%b" % row for row in zip(names, map(bytes.fromhex, ids), strict=True))
    top = store.add("tree", tree)
    who = b"A <a@b> 1700000000 +0000"
    commit = store.add("commit", b"tree %b\nauthor %b\ncommitter %b\n\nall\n" % (top.encode(), who, who))
    tag = store.add("tag", b"object %b\ntype commit\ntag t\ntagger %b\n\nt\n" % (commit.encode(), who))
    store.record("refs/tags/t", tag, None)
    store.publish()
    fsck(path)
    with GitStore.open(path, writer=None) as reader:
        assert [reader.read(oid) for oid in ids] == [("blob", data) for data in blobs]
        assert [reader.read(oid)[0] for oid in (top, commit, tag)] == ["tree", "commit", "tag"]


def test_an_object_of_a_refused_record_that_git_may_have_collected_is_written_again(
    path: Path, store: GitStore
) -> None:
    _, commit = act(store, SIDE)
    store.publish()
    again = add_commit(store, 2, commit, author="side")
    with pytest.raises(RefMoved):
        store.record(SIDE, again, None)
    act(store, MAIN)
    store.publish()
    git(path, "gc", "--quiet", "--prune=now")
    heads = {SIDE: act(store, SIDE), MAIN: act(store, MAIN)}
    store.publish()
    assert_whole(path, heads)


def test_objects_added_but_not_recorded_are_not_lost_by_publishing(path: Path, store: GitStore) -> None:
    act(store, MAIN)
    _, first = act(store, MAIN)
    commit = add_commit(store, 3, first)
    store.publish()
    git(path, "gc", "--quiet", "--prune=now")
    store.record(MAIN, commit, first)
    store.publish()
    assert_whole(path, {MAIN: (3, commit)})


def test_folding_leaves_one_pack_with_every_object_once(path: Path, store: GitStore) -> None:
    for _ in range(60):
        head = act(store, MAIN)
        store.publish()
    store.fold()
    store.fold()
    store.close()
    (pack,) = (path / ".git/objects/pack").glob("*.pack")
    assert sorted(file.suffix for file in pack.parent.iterdir()) == [".idx", ".pack"]
    assert_whole(path, {MAIN: head})
    assert_strict(pack)
    chains = [line for line in git(path, "verify-pack", "-v", str(pack)).splitlines() if "chain length" in line]
    assert 20 < max(int(line.split()[3].rstrip(":")) for line in chains) <= 250


def test_even_a_single_pack_is_made_smaller_by_folding_once(path: Path, store: GitStore) -> None:
    for _ in range(30):
        head = act(store, MAIN)
    store.publish()
    before = size_bytes(path)
    store.fold()
    after = {file: file.stat().st_mtime_ns for file in path.rglob("*")}
    store.fold()
    assert {file: file.stat().st_mtime_ns for file in path.rglob("*")} == after
    store.close()
    assert size_bytes(path) < 0.7 * before
    assert_whole(path, {MAIN: head})


def test_small_packs_are_folded_as_they_come(path: Path, store: GitStore, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pack_store, "FOLD_AT", 4)
    monkeypatch.setattr(pack_store, "GRACE_S", 0.0)
    for number in range(1, 71):
        head = act(store, MAIN)
        store.publish()
        # up to three of each of the sizes 1, 4, 16, and as many as the last fold has replaced
        assert len(list((path / ".git/objects/pack").glob("*.pack"))) <= 9 + 4, number
        assert_readable(path, number)
    store.close()
    assert len(list((path / ".git/objects/pack").glob("*.pack"))) <= 9
    assert_whole(path, {MAIN: head})


def test_a_later_process_folds_what_earlier_ones_left(path: Path) -> None:
    GitStore.create(path).close()
    for _ in range(6):
        with GitStore.open(path) as store:
            act(store, MAIN)
            head = act(store, MAIN)
    assert len(list((path / ".git/objects/pack").glob("*.pack"))) == 6
    with GitStore.open(path) as store:
        store.fold()
    (pack,) = (path / ".git/objects/pack").glob("*.pack")
    assert_strict(pack)
    assert_whole(path, {MAIN: head})


def test_a_damaged_pack_is_left_as_it_is(path: Path, caplog: pytest.LogCaptureFixture) -> None:
    with GitStore.create(path) as store:
        act(store, MAIN)
    (pack,) = (path / ".git/objects/pack").glob("*.pack")
    pack.chmod(0o644)
    content = bytearray(pack.read_bytes())
    content[60] ^= 1
    pack.write_bytes(content)
    with GitStore.open(path) as store:
        commit = add_commit(store, 1, None, author="B")
        store.record(SIDE, commit, None)
        store.fold()
    assert f"{pack}: not folded into a larger pack" in caplog.text
    assert pack.read_bytes() == content


def test_a_finished_game_is_checked_out(path: Path, store: GitStore) -> None:
    act(store, MAIN)
    act(store, SIDE)
    act(store, SIDE)
    store.check_out(SIDE)
    assert git(path, "status", "--porcelain", "--branch") == "## side\n"
    assert (path / "x").read_bytes() == CONSTANT
    assert (path / "folder/counter").read_text().startswith("count 2\n")
    assert not (path / ".git/logs").exists()
    act(store, SIDE)
    store.check_out(SIDE)
    assert git(path, "status", "--porcelain", "--branch") == "## side\n"
    assert (path / "folder/counter").read_text().startswith("count 3\n")
    with pytest.raises(StoreError, match="refs/heads/none: no such branch"):
        store.check_out("refs/heads/none")


def test_a_bare_repository_has_a_head_and_no_files(path: Path) -> None:
    with GitStore.create(path, work_tree=False) as store:
        head = act(store, SIDE)
        store.check_out(SIDE)
    assert git(path, "symbolic-ref", "HEAD") == f"{SIDE}\n"
    assert_whole(path, {SIDE: head})
    assert (path / "catan-p2p").is_dir()


def test_collecting_makes_it_no_larger_and_writing_goes_on(path: Path, store: GitStore) -> None:
    for _ in range(30):
        act(store, MAIN)
        store.publish()
    before = size_bytes(path)
    store.gc()
    assert size_bytes(path) < before
    head = act(store, MAIN)
    store.fold()
    store.close()
    assert_whole(path, {MAIN: head})


def test_a_clone_has_everything(path: Path, store: GitStore, tmp_path: Path) -> None:
    for _ in range(10):
        head = act(store, MAIN)
        store.publish()
    store.check_out(MAIN)
    git(tmp_path, "clone", "--quiet", "--no-local", str(path), "clone")
    assert_whole(tmp_path / "clone", {"refs/remotes/origin/main": head})


# Reading


def test_reading_says_what_is_missing_too_large_or_damaged(path: Path) -> None:
    with GitStore.create(path) as store:
        act(store, MAIN)
        large = store.add("blob", b"x" * 100)
        store.record("refs/tags/large", large, None)
    absent = ObjectId("1" * 40)
    with GitStore.open(path, writer=None) as reader:
        with pytest.raises(ObjectMissing, match=f"no object {absent}"):
            reader.read(absent)
        with pytest.raises(ObjectMissing, match="no object 'HEAD'"):
            reader.read(ObjectId("HEAD"))
        with pytest.raises(ObjectTooLarge, match="has 100 bytes, expected at most 99"):
            reader.read(large, limit_bytes=99)
        assert reader.read(large, limit_bytes=100) == ("blob", b"x" * 100)
        with pytest.raises(ObjectTooLarge, match="has 100 bytes"):
            reader.read(large, limit_bytes=99)
        assert reader.read(reader.read_ref(MAIN) or absent)[0] == "commit"


def test_a_loose_object_with_another_s_name_is_not_believed(path: Path, store: GitStore) -> None:
    (path / "file").write_bytes(b"one")
    one = git(path, "hash-object", "-w", "file").strip()
    (path / "file").write_bytes(b"two")
    two = git(path, "hash-object", "-w", "file").strip()
    names = [path / ".git/objects" / oid[:2] / oid[2:] for oid in (one, two)]
    names[1].unlink()
    names[0].rename(names[1])
    with pytest.raises(ObjectDamaged, match=f"object {two}"):
        store.read(ObjectId(two))


def test_of_a_damaged_object_it_is_told_what_git_says(path: Path, store: GitStore) -> None:
    (path / "file").write_bytes(os.urandom(3000))
    one = git(path, "hash-object", "-w", "file").strip()
    loose = path / ".git/objects" / one[:2] / one[2:]
    content = loose.read_bytes()
    loose.chmod(0o600)
    loose.write_bytes(content[:600])
    with pytest.raises(ObjectDamaged, match=f"Git cannot read object {one}: fatal: "):
        store.read(ObjectId(one))


def test_replacement_refs_change_nothing(path: Path, store: GitStore) -> None:
    _, first = act(store, MAIN)
    _, second = act(store, MAIN)
    store.publish()
    git(path, "replace", second, first)
    with GitStore.open(path, writer=None) as reader:
        assert reader.read(second) == store.read(second) != store.read(first)


# Refusals


def test_what_is_no_repository_is_refused_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    (tmp_path / "broken" / ".git").mkdir(parents=True)
    for name in ("absent", "file", "broken", "."):
        with pytest.raises(StoreError) as refusal:
            GitStore.open(tmp_path / name)
        assert "\n" not in str(refusal.value)
        assert str(tmp_path / name) in str(refusal.value)


def test_another_format_of_repository_is_refused(path: Path, tmp_path: Path) -> None:
    git(tmp_path, "init", "--quiet", "--object-format=sha256", "sha256")
    with pytest.raises(StoreError, match="ids of objects are sha256"):
        GitStore.open(tmp_path / "sha256")


def test_a_folder_with_something_in_it_is_not_made_a_repository(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    for name in ("", "file"):
        with pytest.raises(StoreError, match="already exists and is not an empty folder"):
            GitStore.create(tmp_path / name)
    assert [file.name for file in tmp_path.iterdir()] == ["file"]


def test_nothing_is_left_of_a_repository_that_could_not_be_made(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise OSError(28, "full")

    with monkeypatch.context() as patch:
        patch.setattr(disk, "create", refuse)
        with pytest.raises(StoreError, match=r"writer.mark: cannot write the marker: the disk is full"):
            GitStore.create(path)
    with monkeypatch.context() as patch, pytest.raises(StoreError, match="cannot make a repository: "):
        patch.setenv("PATH", "")
        GitStore.create(path)
    assert list(path.iterdir()) == []
    GitStore.create(path).close()


def test_two_writers_of_one_name_exclude_each_other(path: Path, store: GitStore) -> None:
    with pytest.raises(StoreLocked, match=rf"process {os.getpid()} is already writing as writer here"):
        GitStore.open(path)
    store.close()
    GitStore.open(path).close()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_child_that_a_killed_writer_was_starting_delays_the_next_one_only(path: Path) -> None:
    # The writer dies; a child of it, not yet another program, still has the lock open for half a second.
    GitStore.create(path).close()
    writer = os.fork()
    if not writer:
        GitStore.open(path)
        if os.fork():
            os._exit(9)
        time.sleep(0.5)
        os._exit(0)
    os.waitpid(writer, 0)
    with GitStore.open(path) as store:
        head = act(store, MAIN)
    assert_whole(path, {MAIN: head})


def test_a_reader_writes_nothing(path: Path) -> None:
    with GitStore.create(path) as store:
        _, commit = act(store, MAIN)
    before = {file: file.stat().st_mtime_ns for file in path.rglob("*")}
    with GitStore.open(path, writer=None) as reader:
        reader.read(commit)
        for attempt in (
            lambda: reader.add("blob", b"x"),
            lambda: reader.record(MAIN, commit, commit),
            lambda: reader.publish(),
            lambda: reader.fold(),
        ):
            with pytest.raises(StoreError, match="not open for writing"):
                attempt()
    assert {file: file.stat().st_mtime_ns for file in path.rglob("*")} == before


@pytest.mark.parametrize("writer", ["", "a/b", "..", ".x", "a.b", "a b"])
def test_a_writer_s_name_is_a_plain_word(path: Path, store: GitStore, writer: str) -> None:
    with pytest.raises(StoreError, match="not the name of a writer"):
        GitStore.open(path, writer=writer)


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="permissions do not bind root")
def test_a_folder_that_cannot_be_written_is_refused_in_one_line(path: Path) -> None:
    GitStore.create(path).close()
    (path / ".git/catan-p2p").chmod(0o500)
    try:
        with pytest.raises(StoreError, match=r"catan-p2p/Red.lock: cannot open the lock: Permission denied"):
            GitStore.open(path, writer="Red")
    finally:
        (path / ".git/catan-p2p").chmod(0o700)


# Others at work in the same repository


@pytest.mark.parametrize(
    "command",
    [
        ("log", "--all", "--format=%H", "-p"),
        ("fsck", "--strict", "--full", "--no-dangling"),
        ("gc", "--quiet"),
        ("repack", "-a", "-d", "-q"),
        ("pack-refs", "--all", "--prune"),
        ("gc", "--quiet", "--prune=now"),
    ],
    ids=" ".join,
)
def test_git_works_beside_a_writer(
    path: Path, store: GitStore, monkeypatch: pytest.MonkeyPatch, command: tuple[str, ...]
) -> None:
    monkeypatch.setattr(pack_store, "FOLD_AT", 4)
    heads = {MAIN: act(store, MAIN)}
    store.publish()
    said: list[str] = []
    runs = threading.Semaphore(0)
    stop = threading.Event()

    def work() -> None:
        while not stop.is_set():
            done = subprocess.run(["git", "-C", str(path), *command], capture_output=True, text=True, timeout=60)
            words = [line for line in done.stderr.splitlines() if not re.search(RACE_OVER_A_REF, line)]
            raced = len(words) < len(done.stderr.splitlines())
            if any(not re.search(GAVE_UP, line) for line in words) or (done.returncode and not raced):
                said.append(done.stdout + done.stderr)
            runs.release()

    thread = threading.Thread(target=work)
    thread.start()
    try:
        ended, number = 0, 0
        while (ended < 6 or number <= 6) and not said:
            number += 1
            heads[MAIN] = act(store, MAIN)
            if number % 5 == 0:
                passing = f"refs/heads/passing_{number}"
                _, commit = act(store, passing)
            store.publish()
            if number % 5 == 0:
                store.delete_ref(passing, commit)
            if number % 40 == 0:
                store.fold()
            ended += runs.acquire(blocking=False)
    finally:
        stop.set()
        thread.join()
    assert not said
    store.close()
    assert_whole(path, heads)
    assert number > 6


def test_everything_reads_on_after_an_outside_gc(path: Path, store: GitStore) -> None:
    commits = []
    for _ in range(10):
        commits.append(act(store, MAIN)[1])
        store.publish()
    with GitStore.open(path, writer=None) as reader:
        reader.read(commits[0])
        git(path, "gc", "--quiet", "--prune=now")
        assert [reader.read(commit)[0] for commit in commits] == ["commit"] * 10
        assert reader.read_ref(MAIN) == commits[-1]
        commits.append(act(store, MAIN)[1])
        store.publish()
        assert reader.read_ref(MAIN) == commits[-1]
        assert reader.read(commits[-1])[0] == "commit"


def assert_readable(path: Path, number: int) -> None:
    with GitStore.open(path, writer=None) as reader:
        head = reader.read_ref(MAIN)
        assert head is not None
        assert reader.read(head)[1].endswith(b"\n\n%d\n" % number)


def assert_strict(pack: Path) -> None:
    content = pack.read_bytes()
    done = subprocess.run(
        ["git", "index-pack", "--strict", "--stdin", "--fix-thin"],
        input=content,
        capture_output=True,
        cwd=pack.parents[2],
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    assert pack.with_suffix(".idx").read_bytes()[-40:-20] == content[-20:]


def size_bytes(path: Path) -> int:
    return sum(file.stat().st_size for file in (path / ".git").rglob("*") if file.is_file())
