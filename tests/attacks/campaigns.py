"""What was tried before there was this table: rows that run those tests and campaigns."""

import subprocess
import sys
from pathlib import Path

from tests.attacks.registry import attack

ROOT = Path(__file__).parents[2]


def _passes(*arguments: str) -> None:
    done = subprocess.run([sys.executable, "-m", *arguments], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]


@attack("forged commits, logs and replies, over folders, `git://` and `git fetch`", "refused", is_long=True)
def forged_logs(folder: Path) -> None:
    _passes("pytest", "-q", "-p", "no:cacheprovider", "tests/replication/test_hostile.py")


@attack("signed logs and packs changed at random", "refused", is_long=True)
def mutants(folder: Path) -> None:
    _passes("pytest", "-q", "-p", "no:cacheprovider", "-m", "soak", "tests/replication/test_mutants.py")


@attack("two games of peers under `kill -9`, cuts, full disks, damage", "one commit, nothing lost", is_long=True)
def faults(folder: Path) -> None:
    _passes("tests.replication.campaign", "--games", "2", "--seed", "1")
