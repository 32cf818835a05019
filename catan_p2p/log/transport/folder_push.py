"""Moving refs of a repository in a folder of this machine, or of one that is mounted here.

Git is not run in that repository: its configuration and its hooks are somebody else's, and would be carried out here.
What is to be there is packed in the own repository and written beside the other packs; then each ref is moved as Git
moves it, under a lock, if it is still where it was seen.
"""

from __future__ import annotations

import contextlib
import os
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

from catan_p2p.log.storage import disk
from catan_p2p.log.storage.objects import Damaged, ObjectId
from catan_p2p.log.transport.asking import PushMove
from catan_p2p.log.transport.git_remote import TIMEOUT_S, run_bounded
from catan_p2p.log.transport.remote import Unreachable
from catan_p2p.log.transport.their_files import TheirRefs, git_folder

MAX_PACK_BYTES = 32 << 20
MAX_LISTING_BYTES = 32 << 20


def push_to_folder(path: Path, own: Path, moves: Sequence[PushMove]) -> Mapping[str, str]:
    """Move refs of theirs; which moves were refused, and why, by ref."""
    folder = git_folder(path)
    refs = TheirRefs(folder)
    try:
        wanted = [move.new for move in moves if move.new is not None]
        if wanted:
            _send(own, folder, wanted, [*refs.list("refs/").values()])
        refused = {}
        for move in moves:
            if (why := _move(folder, refs, move, own)) is not None:
                refused[move.ref] = why
    except OSError as error:
        raise Unreachable(f"{path}: cannot write: {disk.reason(error)}") from None
    return refused


def _send(own: Path, folder: Path, wanted: Sequence[ObjectId], there: Sequence[ObjectId]) -> None:
    """Write what leads to some commits, and not to those that are there, as a pack of theirs."""
    mine = os.environ | {"GIT_DIR": str(own), "LC_ALL": "C"}
    arguments = "".join(f"{oid}\n" for oid in wanted) + "".join(f"^{oid}\n" for oid in there)
    listed = _run(["rev-list", "--objects", "--ignore-missing", "--stdin"], mine, arguments.encode())
    if not listed:
        return
    pack = _run(["-c", "pack.threads=1", "pack-objects", "--stdout", "-q"], mine, listed)
    objects = folder / "objects"
    if not _is_inside(objects / "pack", folder):
        raise Unreachable(f"{folder}: its packs are elsewhere")
    _run(["index-pack", "--stdin"], mine | {"GIT_OBJECT_DIRECTORY": str(objects)}, pack)


def _run(arguments: list[str], environment: Mapping[str, str], told: bytes) -> bytes:
    code, out, complaint = run_bounded(["git", *arguments], environment, MAX_LISTING_BYTES, told)
    if code != 0:
        raise Unreachable(f"git {arguments[0]}: {(complaint.strip().splitlines() or [f'code {code}'])[-1]}")
    return out


def _move(folder: Path, refs: TheirRefs, move: PushMove, own: Path) -> str | None:
    """Move a ref; None if it has moved, else why not."""
    path = folder / move.ref
    lock = path.with_name(f"{path.name}.lock")
    path.parent.mkdir(parents=True, exist_ok=True)
    if not _is_inside(path.parent, folder):
        return "its folder is elsewhere"
    try:
        descriptor = os.open(lock, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666)
    except FileExistsError:
        return "somebody else holds its lock"
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(f"{move.new or ''}\n".encode())
            file.flush()
            disk.sync(file.fileno())
        with contextlib.suppress(Damaged):
            current = refs.read(move.ref)
            if current == move.new:
                return None
            if current != move.old:
                return f"it is at {current or 'nothing'}, expected {move.old or 'nothing'}"
        if move.new is None:
            path.unlink(missing_ok=True)
            return "it is packed" if refs.read(move.ref) is not None else None
        if not move.is_forced and move.old is not None and not _continues(own, move.old, move.new):
            return "it does not continue what is there"
        lock.replace(path)
        disk.sync_folder(path.parent)
        return None
    finally:
        lock.unlink(missing_ok=True)


def _continues(own: Path, old: ObjectId, new: ObjectId) -> bool:
    done = subprocess.run(
        ["git", "merge-base", "--is-ancestor", old, new],
        env=os.environ | {"GIT_DIR": str(own)},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        timeout=TIMEOUT_S,
        check=False,
    )
    return done.returncode == 0


def _is_inside(path: Path, folder: Path) -> bool:
    """Whether a path leads to a place in a folder, and not by a link to another one."""
    return path.resolve().is_relative_to(folder.resolve())
