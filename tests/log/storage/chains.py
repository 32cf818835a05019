"""A log of numbered commits for the tests of the store: what a repository must hold follows from a number alone.

Commit ``k`` of a ref holds a file that never changes, a counter and a folder of two files; its message is ``k``.
"""

import subprocess
from pathlib import Path

from catan_p2p.log.storage.objects import ObjectId
from catan_p2p.log.storage.store import GitStore

CONSTANT = b"the same in every commit, so that it is added again and again\n"


def git(path: Path, *arguments: str) -> str:
    """Run Git and return what it prints; the test fails with its words if it does."""
    done = subprocess.run(["git", "-C", str(path), *arguments], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, f"git {' '.join(arguments)}: {done.stdout}{done.stderr}"
    return done.stdout


def fsck(path: Path) -> None:
    """Have Git check the whole repository; it must be silent."""
    command = ["git", "-C", str(path), "fsck", "--strict", "--full", "--no-dangling", "--no-progress"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    said = [line for line in (done.stdout + done.stderr).splitlines() if not line.startswith("notice:")]
    assert done.returncode == 0 and not said, said


def add_commit(store: GitStore, number: int, parent: ObjectId | None, author: str = "A") -> ObjectId:
    """Add commit ``number`` and everything below it."""
    counter = store.add("blob", (f"count {number}\n" + "line\n" * 20).encode())
    parity = store.add("blob", f"parity {number % 2}\n".encode())
    constant = store.add("blob", CONSTANT)
    folder = _tree({"counter": counter, "parity": parity})
    top = b"40000 folder\0" + bytes.fromhex(store.add("tree", folder)) + _tree({"x": constant, "y": counter})
    tree = store.add("tree", top)
    lines = [f"tree {tree}"] + ([f"parent {parent}"] if parent else [])
    lines += [f"{role} {author} <a@b> {1_700_000_000 + number} +0000" for role in ("author", "committer")]
    return store.add("commit", ("\n".join(lines) + f"\n\n{number}\n").encode())


def number_of(store: GitStore, commit: ObjectId) -> int:
    """Return the number of a commit."""
    return int(store.read(commit)[1].rpartition(b"\n\n")[2])


def act(store: GitStore, ref: str) -> tuple[int, ObjectId]:
    """Record the next commit of ``ref``, which may be its first; return its number and id."""
    head = store.own_ref(ref)
    number = number_of(store, head) + 1 if head else 1
    commit = add_commit(store, number, head, author=ref.rpartition("/")[2])
    store.record(ref, commit, head)
    return number, commit


def assert_whole(path: Path, heads: dict[str, tuple[int, ObjectId]]) -> None:
    """Git finds nothing wrong, and every ref in ``heads`` has its commit ``number`` and all before it."""
    fsck(path)
    for ref, (number, commit) in heads.items():
        lines = git(path, "log", "--reverse", "--format=%H %s", ref).split("\n")[:-1]
        assert [line.split()[1] for line in lines] == [str(at) for at in range(1, len(lines) + 1)], ref
        assert lines[number - 1] == f"{commit} {number}", ref


def _tree(entries: dict[str, ObjectId]) -> bytes:
    return b"".join(b"100644 %b\0%b" % (name.encode(), bytes.fromhex(oid)) for name, oid in entries.items())
