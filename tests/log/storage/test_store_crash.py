"""Nothing acknowledged is lost: not to ``kill -9``, not to a full disk, at no moment."""

import contextlib
import errno
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from catan_p2p.log.storage import pack_store
from catan_p2p.log.storage.objects import ObjectId, StoreError
from catan_p2p.log.storage.store import Durability, GitStore
from tests.log.storage.chains import act, fsck, git, number_of

pytestmark = pytest.mark.long

RED, BLUE, PASSING = "refs/heads/Red_0", "refs/heads/Blue_0", "refs/heads/passing"

Acknowledged = dict[str, tuple[int, ObjectId] | None]
"""Where each ref was when the last move of it was acknowledged, None if it was deleted."""


# A process killed at random moments


def test_killed_at_random_moments_it_loses_nothing(tmp_path: Path) -> None:
    campaign(tmp_path / "repository", kills=15, seed=1)


@pytest.mark.soak
def test_killed_hundreds_of_times_it_loses_nothing(tmp_path: Path) -> None:
    for seed in range(10):
        campaign(tmp_path / f"repository_{seed}", kills=60, seed=seed)


def campaign(path: Path, kills: int, seed: int) -> None:
    """Kill a victim again and again, in the same repository; after each kill everything must be there."""
    draw = random.Random(seed)
    GitStore.create(path).close()
    acknowledged: Acknowledged = {}
    for number in range(kills):
        command = [sys.executable, "-m", "tests.log.storage.victim", str(path), str(seed * 1000 + number)]
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as victim:
            assert victim.stdout is not None and victim.stderr is not None
            told = victim.stdout.readline()
            time.sleep(draw.expovariate(20))
            victim.kill()
            told += victim.stdout.read()
            assert not victim.stderr.read()
        assert victim.returncode == -signal.SIGKILL if os.name == "posix" else victim.returncode
        for line in told.splitlines():
            ref, *at = line.split()
            acknowledged[ref] = None if at == ["gone"] else (int(at[0]), ObjectId(at[1]))
        if draw.random() < 0.2:
            # it may find a lock of the killed process and give up, but not do any harm
            command = ["git", "-C", str(path), "gc", "--quiet", *draw.choice([(), ("--prune=now",)])]
            subprocess.run(command, capture_output=True, timeout=60)
        assert_kept(path, acknowledged)


def assert_kept(path: Path, acknowledged: Acknowledged) -> None:
    """Opening finds every acknowledged move, or a later one that was recorded and could not be told any more."""
    with GitStore.open(path) as store:
        refs = store.list_refs("refs/heads/")
        for ref, at in acknowledged.items():
            if at is None:
                assert ref not in refs
            elif ref in refs:
                assert number_of(store, refs[ref]) - at[0] in (0, 1), ref
                assert_reached(store, refs[ref], at)
            else:
                assert "passing" in ref  # deleted before that could be told
        assert store.set_aside is None
    fsck(path)
    names = [file.name for file in (path / ".git").rglob("*")]
    assert [name for name in names if name.endswith((".lock", ".keep", ".tmp", ".new"))] == ["writer.lock"]
    packs = {name.partition(".")[0]: name for name in names if name.startswith("pack-")}
    assert sum(name.startswith("pack-") for name in names) == 2 * len(packs)


def assert_reached(store: GitStore, head: ObjectId, at: tuple[int, ObjectId]) -> None:
    """The commit with a number is on the way from ``head`` to the first one, and nothing between is left out."""
    while (number := number_of(store, head)) > at[0]:
        head = ObjectId(store.read(head)[1].partition(b"parent ")[2][:40].decode())
        assert number_of(store, head) == number - 1
    assert head == at[1]


# Killed, or refused by the disk, at every single step


def scenario(path: Path, tell: Callable[[str, tuple[int, ObjectId] | None], None], durability: Durability) -> None:
    """Everything a store does that changes the disk, from opening to closing; each acknowledged move is told."""
    with GitStore.open(path, durability=durability) as store:
        for _ in range(3):
            tell(RED, act(store, RED))
            tell(BLUE, act(store, BLUE))
            store.publish()
        _, commit = at = act(store, PASSING)
        tell(PASSING, at)
        store.publish()
        tell(RED, act(store, RED))
        store.delete_ref(PASSING, commit)
        tell(PASSING, None)
        store.publish()
        tell(BLUE, act(store, BLUE))
        store.fold()
        tell(RED, act(store, RED))


STEPS = ("open", "write", "link", "ftruncate", "replace", "unlink", "rmdir", "mkdir", "fsync", "fdatasync", "utime")


class Steps:
    """Counts the system calls that change what is below ``path``, and does something else at one, or from then on."""

    def __init__(
        self, at: int, instead: Callable[[Callable[..., Any], tuple[Any, ...]], Any], *, on: bool = False
    ) -> None:
        self.count = 0
        self._at = at
        self._instead = instead
        self._on = on

    @contextlib.contextmanager
    def __call__(self, path: Path) -> Iterator[None]:
        real = {name: getattr(os, name) for name in STEPS if hasattr(os, name)}
        for name, call in real.items():
            setattr(os, name, self._counted(call, path))
        try:
            yield
        finally:
            for name, call in real.items():
                setattr(os, name, call)

    def _counted(self, call: Callable[..., Any], path: Path) -> Callable[..., Any]:
        def counted(*arguments: Any, **options: Any) -> Any:
            elsewhere = not isinstance(arguments[0], int) and path not in Path(arguments[0]).parents
            reading = call.__name__ == "open" and not arguments[1] & (os.O_CREAT | os.O_WRONLY | os.O_RDWR)
            if elsewhere or reading:
                return call(*arguments, **options)
            self.count += 1
            if self.count == self._at or (self._on and self.count > self._at):
                return self._instead(call, arguments)
            return call(*arguments, **options)

        return counted


@pytest.fixture(scope="module")
def scratch(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A folder in memory where there is one: thousands of files are made here."""
    memory = Path("/dev/shm")
    if not os.access(memory, os.W_OK):
        yield tmp_path_factory.mktemp("scratch")
        return
    with tempfile.TemporaryDirectory(dir=memory) as path:
        yield Path(path)


@pytest.fixture(scope="module")
def template(scratch: Path) -> Path:
    """A repository with a few publications, and a journal that has something to replay."""
    path = scratch / "template"
    with GitStore.create(path) as store:
        for _ in range(2):
            act(store, RED)
            store.publish()
    store = GitStore.open(path)
    act(store, RED)
    act(store, BLUE)
    left = (path / ".git/catan-p2p/writer.journal").read_bytes()
    store.close()
    for ref in (RED, BLUE):
        commit = git(path, "rev-parse", ref).strip()
        git(path, "update-ref", *((ref, f"{commit}^") if ref == RED else ("-d", ref)))
    git(path, "prune-packed")
    (path / ".git/catan-p2p/writer.journal").write_bytes(left)
    return path


@pytest.fixture
def small_folds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pack_store, "FOLD_AT", 3)
    monkeypatch.setattr(pack_store, "GRACE_S", 0.0)


def count_steps(template: Path, scratch: Path, durability: Durability) -> int:
    path = scratch / "counted"
    shutil.rmtree(path, ignore_errors=True)
    shutil.copytree(template, path)
    steps = Steps(0, lambda call, arguments: None)
    with steps(path):
        scenario(path, lambda ref, at: None, durability)
    return steps.count


EVERY = [pytest.param(7, id="every seventh"), pytest.param(1, id="every", marks=pytest.mark.soak)]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@pytest.mark.parametrize("durability", ["process", pytest.param("power", marks=pytest.mark.soak)])
@pytest.mark.parametrize("stride", EVERY)
@pytest.mark.usefixtures("small_folds")
def test_killed_before_or_within_a_step_it_loses_nothing(
    template: Path, scratch: Path, durability: Durability, stride: int
) -> None:
    total = count_steps(template, scratch, durability)
    assert total > 100
    for step in range(1, total + 1, stride):
        for half in (False, True):
            path = scratch / f"repository_{step}_{half}"
            shutil.copytree(template, path)
            assert_kept(path, killed_at(path, step, half, durability))
            shutil.rmtree(path)


def killed_at(path: Path, step: int, half: bool, durability: Durability) -> Acknowledged:
    """Play the scenario in a process that ends at one step, after half of a write if ``half``; return what it told."""
    reading, writing = os.pipe()
    real_write = os.write

    def die(call: Callable[..., Any], arguments: tuple[Any, ...]) -> None:
        try:
            if half and call is real_write:
                call(arguments[0], arguments[1][: len(arguments[1]) // 2])
            elif half:
                call(*arguments)
        finally:
            os._exit(9)

    def tell(ref: str, at: tuple[int, ObjectId] | None) -> None:
        real_write(writing, f"{ref} {at[0]} {at[1]}\n".encode() if at else f"{ref} gone\n".encode())

    child = os.fork()
    if not child:
        try:
            with Steps(step, die)(path):
                scenario(path, tell, durability)
            os._exit(0)
        finally:
            traceback.print_exc()
            os._exit(1)
    os.close(writing)
    with os.fdopen(reading) as told:
        lines = told.read().splitlines()
    _, status = os.waitpid(child, 0)
    acknowledged: Acknowledged = {}
    for line in lines:
        ref, *words = line.split()
        acknowledged[ref] = None if words == ["gone"] else (int(words[0]), ObjectId(words[1]))
    assert os.waitstatus_to_exitcode(status) == 9, step
    return acknowledged


@pytest.mark.parametrize("on", [False, True], ids=["once", "from then on"])
@pytest.mark.parametrize("stride", EVERY)
@pytest.mark.usefixtures("small_folds")
def test_refused_by_the_disk_at_a_step_it_says_so_and_loses_nothing(
    template: Path, scratch: Path, on: bool, stride: int
) -> None:
    def full(call: Callable[..., Any], arguments: tuple[Any, ...]) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    total = count_steps(template, scratch, "process")
    refused = 0
    for step in range(1, total + 1, stride):
        path = scratch / f"repository_{step}"
        shutil.copytree(template, path)
        acknowledged: Acknowledged = {}
        try:
            with Steps(step, full, on=on)(path):
                scenario(path, acknowledged.__setitem__, "process")
        except StoreError as error:
            refused += 1
            assert "\n" not in str(error)
            assert str(path) in str(error), error
            assert "the disk is full" in str(error)
        assert_kept(path, acknowledged)
        shutil.rmtree(path)
    assert refused > total / stride / 2


@pytest.mark.parametrize("stride", EVERY)
@pytest.mark.usefixtures("small_folds")
def test_once_the_disk_has_room_again_the_same_store_goes_on(template: Path, scratch: Path, stride: int) -> None:
    def full(call: Callable[..., Any], arguments: tuple[Any, ...]) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    for step in range(1, 60, stride):
        path = scratch / f"repository_{step}"
        shutil.copytree(template, path)
        with GitStore.open(path) as store:
            for _ in range(3):
                act(store, RED)
                store.publish()
            with Steps(step, full)(path):
                for _ in range(4):
                    with contextlib.suppress(StoreError):
                        act(store, RED)
                    with contextlib.suppress(StoreError):
                        store.publish()
            head = act(store, RED)
            store.publish()
            assert store.read_ref(RED) == head[1]
        assert_kept(path, {RED: head})
        shutil.rmtree(path)
