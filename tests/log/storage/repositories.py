"""Real game repositories for tests, and damaged copies of them, made with Git's own plumbing."""

import shutil
import subprocess
import zlib
from collections.abc import Sequence
from pathlib import Path

from catan_p2p.log.commit import Commit, decode_commit
from catan_p2p.log.storage.objects import ObjectId, object_id
from catan_p2p.simulation.game import SimulationSettings, play_game


def git(repository: Path, *args: str, data: bytes = b"") -> str:
    """What git prints; fails the test if it fails."""
    done = subprocess.run(["git", "-C", str(repository), *args], input=data, capture_output=True, check=True)
    return done.stdout.decode().strip()


def played(
    out: Path, players: int = 2, seed: int = 5, number: int = 0, policy: str = "builder", rules: str = "thesis"
) -> Path:
    """A finished game."""
    play_game(
        out, number, SimulationSettings(players=players, games=number + 1, seed=seed, policies=(policy,), rules=rules)
    )
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


def commits_at(repository: Path, oids: Sequence[ObjectId]) -> list[Commit]:
    """The parts of many commits, from one Git."""
    command = ["git", "-C", str(repository), "cat-file", "--batch"]
    told = subprocess.run(command, input="\n".join(oids).encode(), capture_output=True, check=True).stdout
    found, at = [], 0
    while at < len(told):
        end = told.index(b"\n", at)
        size = int(told[at:end].split(b" ")[2])
        found.append(decode_commit(told[end + 1 : end + 1 + size]))
        at = end + size + 2
    return found


def write_commit(repository: Path, commit: Commit) -> ObjectId:
    """Write a commit as anybody could: a loose object."""
    data = commit.encode()
    oid = object_id("commit", data)
    file = repository / ".git" / "objects" / oid[:2] / oid[2:]
    if not file.exists():
        file.parent.mkdir(exist_ok=True)
        file.write_bytes(zlib.compress(b"commit %d\0%b" % (len(data), data), 1))
    return oid


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
    for parts in commits_at(repository, line[at + 1 :]):
        head = write_commit(repository, parts._replace(parents=(head, *parts.parents[1:])))
        if changed is None and wrong == line[at - 1]:
            wrong = head
    names = git(repository, "for-each-ref", "--format=%(refname)", "refs/heads/").split()
    git(repository, "update-ref", "--stdin", data="".join(f"update {name} {head}\n" for name in names).encode())
    return wrong
