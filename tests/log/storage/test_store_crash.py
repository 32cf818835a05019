"""Nothing acknowledged is lost to ``kill -9`` of a real process; ``test_machine`` ends one at every change."""

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from catan_p2p.log.storage.objects import ObjectId
from catan_p2p.log.storage.store import GitStore
from tests.log.storage.chains import fsck, number_of

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
