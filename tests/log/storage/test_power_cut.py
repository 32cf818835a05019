"""A durable store loses its power: what was shown is there afterwards, whatever the medium had not written yet."""

import os
import shutil
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from random import Random

import pytest

from catan_p2p.log.storage import pack_store, writer
from catan_p2p.log.storage.objects import NULL_ID, ObjectId, StoreError
from catan_p2p.log.storage.store import Durability, GitStore
from catan_p2p.tables.repair import heal_around
from tests.log.storage.chains import act, fsck, number_of
from tests.log.storage.power import Medium
from tests.log.storage.test_store_crash import assert_reached

pytestmark = pytest.mark.skipif(not hasattr(os, "pread") or sys.platform == "win32", reason="needs POSIX files")

Shown = dict[str, tuple[int, ObjectId] | None]
GOING = (0, NULL_ID)
"""A ref that is just being made or deleted: it may be there or not."""
RED, BLUE, PASSING = "refs/heads/Red_0", "refs/remotes/Blue/Blue_0", "refs/heads/passing"


@dataclass
class Cut:
    """A folder after a cut, and what others had seen by then."""

    path: Path
    when: str
    shown: Shown
    """Where each ref was, None if it was gone again."""


def scenario(path: Path, durability: Durability, tell: Callable[[Shown], None]) -> None:
    """Some turns: several records a publication, a temporary branch, two openings; told what is shown."""

    def show(store: GitStore, **at: tuple[int, ObjectId] | None) -> None:
        store.publish()
        tell({{"red": RED, "blue": BLUE, "passing": PASSING}[ref]: head for ref, head in at.items()})

    for _ in range(2):
        with GitStore.open(path, durability=durability) as store:
            for _ in range(4):
                act(store, RED)
                show(store, red=act(store, RED), blue=act(store, BLUE))
            passing = act(store, PASSING)
            tell({PASSING: GOING})
            show(store, passing=passing)
            store.delete_ref(PASSING, passing[1])
            tell({PASSING: GOING})
            show(store, red=act(store, RED), passing=None)
            show(store, blue=act(store, BLUE))
    with GitStore.open(path, durability=durability) as store:
        show(store, red=act(store, RED))
        store.fold()
        show(store, red=act(store, RED))


def cuts_of(folder: Path, durability: Durability, seed: int) -> list[Cut]:
    """Play the scenario once, with cuts before every sync and after everything that is shown."""
    path, rng = folder / "repository", Random(seed)
    GitStore.create(path, durability=durability).close()
    medium = Medium(path)
    shown: Shown = {}
    found: list[Cut] = []

    def cut(when: str) -> None:
        target = folder / f"cut_{len(found)}"
        medium.cut(target, rng)
        found.append(Cut(target, when, dict(shown)))

    def tell(news: Shown) -> None:
        shown.update(news)
        cut(f"after {news} was shown")

    try:
        with medium.followed(cut):
            scenario(path, durability, tell)
    finally:
        medium.close()
    return found


def assert_kept(cut: Cut) -> None:
    """What others had seen is there, or what came after it."""
    with GitStore.open(cut.path, durability="power") as store:
        refs = store.list_refs()
        for ref, at in cut.shown.items():
            if at is None:
                assert ref not in refs, cut.when
            elif at is not GOING:
                assert ref in refs, f"{cut.when}: {ref} is gone"
                assert number_of(store, refs[ref]) >= at[0], f"{cut.when}: {ref} went back"
                assert_reached(store, refs[ref], at)
    fsck(cut.path)


EMPTIED: dict[str, Callable[[Path], object]] = {
    "nothing": lambda folder: None,
    "config": lambda folder: (folder / "config").write_bytes(bytes(300)),
    "HEAD": lambda folder: (folder / "HEAD").write_bytes(b""),
    "refs": lambda folder: shutil.rmtree(folder / "refs"),
    "packs": lambda folder: [pack.write_bytes(b"") for pack in (folder / "objects" / "pack").glob("*.pack")],
}


@pytest.mark.parametrize("what", EMPTIED)
def test_a_reader_needs_no_writer_after_a_loss_of_power(tmp_path: Path, what: str) -> None:
    path = tmp_path / "repository"
    GitStore.create(path, durability="power").close()
    store = GitStore.open(path, durability="power")
    head = act(store, RED)
    store.publish()
    assert store._writer is not None
    store._writer.release()
    (path / ".git" / RED).write_bytes(b"")
    EMPTIED[what](path / ".git")
    with GitStore.open(path, writer=None) as reader:
        assert reader.list_refs() == {RED: head[1]}
        assert number_of(reader, head[1]) == head[0]
        heal_around(path / ".git")
        with GitStore.open(path, durability="power") as writer_store:  # and it follows who mends and goes on
            later = act(writer_store, RED)
            writer_store.publish()
            assert reader.list_refs() == {RED: later[1]}
            assert number_of(reader, later[1]) == later[0]


def test_a_reader_does_not_see_what_a_living_writer_has_not_shown(tmp_path: Path) -> None:
    path = tmp_path / "repository"
    GitStore.create(path, durability="power").close()
    with GitStore.open(path, durability="power") as store:
        shown = act(store, RED)
        store.publish()
        act(store, RED)
        with GitStore.open(path, writer=None) as reader:
            assert reader.list_refs() == {RED: shown[1]}


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fold and make checkpoints all the time."""
    monkeypatch.setattr(pack_store, "FOLD_AT", 3)
    monkeypatch.setattr(pack_store, "GRACE_S", 0.0)
    monkeypatch.setattr(writer, "CHECKPOINT_BYTES", 2500)


@pytest.mark.usefixtures("small")
def test_a_store_that_is_not_durable_loses_something(tmp_path: Path) -> None:
    lost = 0
    for cut in cuts_of(tmp_path, "process", seed=1):
        try:
            assert_kept(cut)
        except (AssertionError, StoreError):
            lost += 1
    assert lost > 3
