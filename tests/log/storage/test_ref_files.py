"""Refs in files, beside Git moving the same refs."""

import os
import subprocess
import threading
import time
from pathlib import Path

import pytest

from catan_p2p.log.storage import disk
from catan_p2p.log.storage.objects import ObjectDamaged, ObjectId, RefMoved, StoreError
from catan_p2p.log.storage.ref_files import is_ref_name
from tests.for_each import for_each
from tests.log.storage.chains import git
from tests.log.storage.conftest import Refs

MAIN = "refs/heads/main"


def test_packed_and_loose_refs_are_listed_together_by_prefix(refs: Refs) -> None:
    expected = {}
    for at, oid in enumerate(refs.ids):
        ref = f"refs/{'remotes/Red' if at % 3 else 'heads'}/branch_{at}"
        refs.move((ref, None, oid))
        expected[ref] = oid
        if at == 5:
            git(refs.path, "pack-refs", "--all")
    moved = next(iter(expected))
    refs.move((moved, expected[moved], refs.ids[9]))
    expected[moved] = refs.ids[9]
    assert refs.files.list("refs/") == dict(sorted(expected.items()))
    for prefix in ("refs/heads/", "refs/remotes/Red/", "refs/remotes/Red/branch_1", "refs/none/"):
        assert refs.files.list(prefix) == {ref: oid for ref, oid in sorted(expected.items()) if ref.startswith(prefix)}


@pytest.mark.parametrize("prefix", ["", "ref", "refs", "heads/", "/", "refs/../", "../refs/"])
def test_nothing_but_refs_is_listed(refs: Refs, prefix: str) -> None:
    with pytest.raises(StoreError, match="not the beginning of a ref"):
        refs.files.list(prefix)


def test_a_ref_is_no_folder_of_refs(refs: Refs) -> None:
    refs.move((MAIN, None, refs.ids[0]))
    assert refs.files.list(f"{MAIN}/") == {}


def test_packing_refs_never_brings_a_deleted_one_back(refs: Refs) -> None:
    stop = threading.Event()

    def pack() -> None:
        while not stop.is_set():
            subprocess.run(["git", "-C", str(refs.path), "pack-refs", "--all"], capture_output=True)

    thread = threading.Thread(target=pack)
    thread.start()
    try:
        for at in range(150):
            ref, oid = f"refs/heads/passing_{at}", refs.ids[at % 10]
            refs.move((ref, None, oid))
            refs.move((ref, oid, None))
    finally:
        stop.set()
        thread.join()
    assert refs.files.list("refs/") == {}
    assert git(refs.path, "for-each-ref") == ""


def test_git_s_own_locks_are_respected_all_along(refs: Refs) -> None:
    # Git moves a ref one on, the store seven on, as fast as they can: every move has to start from the last one.
    # The store takes a ref at its new value as moved: Git does not come seven on between two looks at it.
    refs.move((MAIN, None, refs.ids[0]))
    moves = {"git": 0, "store": 0}
    stop = threading.Event()

    def move_by_git() -> None:
        while not stop.is_set():
            old = git(refs.path, "rev-parse", MAIN).strip()
            new = refs.ids[(refs.ids.index(ObjectId(old)) + 1) % 10]
            command = ["git", "-C", str(refs.path), "update-ref", MAIN, new, old]
            moves["git"] += not subprocess.run(command, capture_output=True).returncode

    thread = threading.Thread(target=move_by_git)
    thread.start()
    deadline = time.monotonic() + 240
    try:
        while moves["git"] < 5 and time.monotonic() < deadline:
            old = refs.files.read(MAIN)
            assert old is not None
            try:
                refs.move((MAIN, old, refs.ids[(refs.ids.index(old) + 7) % 10]))
                moves["store"] += 1
            except RefMoved:
                pass
            time.sleep(0.001)
    finally:
        stop.set()
        thread.join()
    end = refs.files.read(MAIN)
    assert end is not None
    assert refs.ids.index(end) == (moves["git"] + 7 * moves["store"]) % 10


def test_without_links_locks_work_as_well(refs: Refs, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise OSError(95, "no links here")

    monkeypatch.setattr(os, "link", refuse)
    before = None
    for oid in [*refs.ids, None]:
        refs.move((MAIN, before, oid))
        assert refs.files.read(MAIN) == oid
        before = oid
    refs.assert_no_locks()
    refs.locks.make(refs.path / f"{MAIN}.lock", MAIN, refs.ids[3])
    with pytest.raises(FileExistsError):
        refs.locks.make(refs.path / f"{MAIN}.lock", MAIN, refs.ids[3])
    refs.files.remove_stale_locks({MAIN: [refs.ids[3]]}, refs.locks)
    refs.assert_no_locks()


# Names and contents


@for_each(
    "ref", [MAIN, "refs/remotes/Red/Blue_0", "refs/heads/Größe", "refs/heads/a.b-c_d", "refs/heads/a./b", "refs/x/y/z"]
)
def test_names_that_git_allows_are_names(ref: str) -> None:
    assert is_ref_name(ref)
    assert subprocess.run(["git", "check-ref-format", ref]).returncode == 0


@pytest.mark.parametrize(
    "ref",
    ["refs/heads/a..b", "refs/heads/.a", "refs/heads/a.lock", "refs/heads/a.lock/b", "refs/heads/a."]
    + [f"refs/heads/a{sign}b" for sign in " ~^:?*[\\\n\x7f\x01"]
    + ["refs/heads//a", "refs/heads/a/", "refs/heads/a@{b", "refs/heads/../../config", "HEAD/", "refs/"],
)
def test_names_that_git_refuses_are_refused(refs: Refs, ref: str) -> None:
    assert not is_ref_name(ref)
    assert subprocess.run(["git", "check-ref-format", ref]).returncode != 0
    for attempt in (lambda: refs.files.read(ref), lambda: refs.move((ref, None, refs.ids[0]))):
        with pytest.raises(StoreError, match="not the name of a ref"):
            attempt()


@pytest.mark.parametrize(
    "ref", ["config", "catan-p2p/writer.journal", "refs/main", "heads/main", "", "refs/heads/" + "x" * 300]
)
def test_only_refs_below_refs_are_moved(refs: Refs, ref: str) -> None:
    with pytest.raises(StoreError, match="not the name of a ref"):
        refs.move((ref, None, refs.ids[0]))


@pytest.mark.parametrize("content", [b"", b"garbage\n", b"1234\n", b"\xff" * 40, b"ref: refs/heads/main\n"])
def test_a_ref_that_holds_no_id_is_damage(refs: Refs, content: bytes) -> None:
    (refs.path / "refs/heads").mkdir(exist_ok=True)
    (refs.path / MAIN).write_bytes(content)
    with pytest.raises(ObjectDamaged, match="refs/heads/main"):
        refs.files.read(MAIN)


def test_lines_of_packed_refs_that_hold_no_id_are_damage(refs: Refs) -> None:
    (refs.path / "packed-refs").write_bytes(b"# pack-refs with: peeled\nnonsense refs/heads/main\n")
    with pytest.raises(ObjectDamaged, match="not a line of packed refs: 'nonsense refs/heads/main'"):
        refs.files.read(MAIN)


def test_a_ref_takes_the_place_of_an_empty_folder_and_of_nothing_else(refs: Refs) -> None:
    refs.move(("refs/heads/a/b/c", None, refs.ids[0]))
    with pytest.raises(StoreError, match="refs/heads/a: cannot move the ref"):
        refs.move(("refs/heads/a", None, refs.ids[1]))
    assert refs.files.list("refs/") == {"refs/heads/a/b/c": refs.ids[0]}
    refs.move(("refs/heads/a/b/c", refs.ids[0], None))
    refs.move(("refs/heads/a", None, refs.ids[1]))
    assert refs.files.list("refs/") == {"refs/heads/a": refs.ids[1]}
    with pytest.raises(StoreError, match=r"refs/heads/a/b.lock: cannot lock the ref"):
        refs.move(("refs/heads/a/b", None, refs.ids[1]))


def test_an_own_lock_that_could_not_be_removed_is_no_obstacle_later(
    refs: Refs, monkeypatch: pytest.MonkeyPatch
) -> None:
    refs = Refs(refs.path, refs.ids, lock_wait_s=0.1)
    one, two, three = refs.ids[:3]
    refs.move((MAIN, None, one))
    real = disk.remove

    def refuse(path: Path) -> None:
        if path.suffix == ".lock":
            raise OSError(5, "not now")
        real(path)

    with monkeypatch.context() as patch:
        patch.setattr(disk, "remove", refuse)
        with pytest.raises(RefMoved):
            refs.move((MAIN, two, three))
    assert (refs.path / f"{MAIN}.lock").exists()
    refs.move((MAIN, one, two))
    assert refs.files.read(MAIN) == two
    refs.assert_no_locks()
