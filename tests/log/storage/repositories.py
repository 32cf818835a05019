"""Real game repositories for tests, and damaged copies of them, made with Git's own plumbing."""

import shutil
import subprocess
from pathlib import Path

from catan_p2p.log.commit import Commit, decode_commit
from catan_p2p.log.storage.objects import ObjectId
from catan_p2p.simulation.game import Settings, play_game


def git(repository: Path, *args: str, data: bytes = b"") -> str:
    """What git prints; fails the test if it fails."""
    done = subprocess.run(["git", "-C", str(repository), *args], input=data, capture_output=True, check=True)
    return done.stdout.decode().strip()


def played(
    out: Path, players: int = 2, seed: int = 5, number: int = 0, policy: str = "builder", rules: str = "thesis"
) -> Path:
    """A finished game."""
    play_game(out, number, Settings(players=players, games=number + 1, seed=seed, policies=(policy,), rules=rules))
    return out / f"Catan_{number}"


def copy_of(repository: Path, to: Path) -> Path:
    """A copy that may be damaged."""
    shutil.copytree(repository, to)
    return to


def commit_at(repository: Path, revision: str) -> Commit:
    """The parts of a commit."""
    done = subprocess.run(
        ["git", "-C", str(repository), "cat-file", "commit", revision], capture_output=True, check=True
    )
    return decode_commit(done.stdout)


def write_commit(repository: Path, commit: Commit) -> ObjectId:
    """Write a commit as anybody could."""
    return ObjectId(git(repository, "hash-object", "-w", "-t", "commit", "--stdin", data=commit.encode()))


def main_line(repository: Path, branch: str) -> list[ObjectId]:
    """The commits along first parents, the root first."""
    return [ObjectId(line) for line in git(repository, "rev-list", "--first-parent", "--reverse", branch).split()]


def rewrite_from(repository: Path, branch: str, at: int, changed: Commit | None) -> ObjectId:
    """Replace the commit at a position of the main line, or leave it out, and put all later ones on top again."""
    line = main_line(repository, branch)
    head = line[at - 1]
    if changed is not None:
        head = write_commit(repository, changed)
    wrong = head
    for commit in line[at + 1 :]:
        parts = commit_at(repository, commit)
        head = write_commit(repository, parts._replace(parents=(head, *parts.parents[1:])))
        if changed is None and wrong == line[at - 1]:
            wrong = head
    for name in git(repository, "for-each-ref", "--format=%(refname)", "refs/heads/").split():
        git(repository, "update-ref", name, head)
    return wrong
