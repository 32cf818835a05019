"""Moves refs in a repository that is a folder of this machine, or one mounted here.

Git does not run in that repository, since it would carry out somebody else's configuration and hooks here. New commits
are packed in the own repository and written beside the other packs. Then each ref is moved as Git moves it, under a
lock, if it is still where it was seen.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import platform
from collections.abc import Mapping, Sequence
from pathlib import Path

from catan_p2p.limits import MAX_PUSH_OUTPUT_BYTES
from catan_p2p.log.storage import disk
from catan_p2p.log.storage.git_program import own_environment
from catan_p2p.log.storage.objects import ObjectDamaged, ObjectId
from catan_p2p.log.transport.bounded import run_bounded
from catan_p2p.log.transport.own_git import continues
from catan_p2p.log.transport.push_locks import PushLocks, pushing
from catan_p2p.log.transport.quarantine import Quarantine
from catan_p2p.log.transport.queries import PushMove
from catan_p2p.log.transport.remote import RemoteUnreachable
from catan_p2p.log.transport.their_files import TheirRefs, git_folder

_PRIVATE = "catan-p2p/incoming"
_PACK_FILES = (".pack", ".rev", ".idx")


def push_to_folder(path: Path, own: Path, moves: Sequence[PushMove]) -> Mapping[str, str]:
    """Move refs of theirs; return the refused moves with the reasons, by ref."""
    folder = git_folder(path)
    refs = TheirRefs(folder)
    refused = {}
    try:
        with pushing(own) as locks:
            wanted = [move.new for move in moves if move.new is not None]
            if wanted:
                # A whole pack repairs a repository that has lost objects, so nothing that its refs promise is left out.
                is_whole = any(move.is_whole for move in moves)
                _send(own, folder, wanted, [] if is_whole else [*refs.list("refs/").values()])
            for move in moves:
                if (why := _move(folder, refs, move, own, locks)) is not None:
                    refused[move.ref] = why
    except OSError as error:
        raise RemoteUnreachable(f"{path}: cannot write: {disk.reason(error)}") from None
    return refused


def _send(own: Path, folder: Path, wanted: Sequence[ObjectId], there: Sequence[ObjectId]) -> None:
    """Write a pack of theirs with the commits ``wanted`` and their history, except what ``there`` leads to."""
    mine = os.environ | own_environment(own) | {"LC_ALL": "C"}
    arguments = "".join(f"{oid}\n" for oid in wanted) + "".join(f"^{oid}\n" for oid in there)
    # Refs there may lead to commits that this repository does not have.
    listed = _run(["rev-list", "--objects", "--ignore-missing", "--stdin"], mine, arguments.encode())
    if not listed:
        return
    # One thread gives the same pack each time, and so the same name when the push is repeated.
    pack = _run(["-c", "pack.threads=1", "pack-objects", "--stdout", "-q"], mine, listed)
    packs = folder / "objects" / "pack"
    # A link in its place would have us write anywhere.
    if not _is_inside(packs, folder):
        raise RemoteUnreachable(f"{folder}: its folder of packs is outside the repository, where nothing is written")
    # Git would leave a part of the pack there if it were cut; so it is made here, and what is cut has a name.
    quarantine = Quarantine(own / _PRIVATE / Quarantine.new_name())
    try:
        quarantine.begin()
        _run(["index-pack", "--stdin"], mine | {"GIT_OBJECT_DIRECTORY": str(quarantine.objects)}, pack)
        _put(quarantine.objects / "pack", packs, own, replaces=not there)
    finally:
        quarantine.clear()


def _put(source: Path, packs: Path, own: Path, *, replaces: bool) -> None:
    """Copy a pack and its index to others: each appears whole, the index last, and nothing else is left.

    Files of the same names are left as they are, unless they may be damaged and are to be replaced.
    """
    seat = hashlib.sha1(f"{platform.node()} {own.resolve()}".encode()).hexdigest()[:16]
    beside = packs / f"tmp_pack_catan_{seat}"
    packs.mkdir(exist_ok=True)
    disk.remove(beside)  # of a push that was cut: no other seat uses this name
    try:
        # Git looks for indexes, so the pack must be there first.
        for file in sorted(source.iterdir(), key=lambda file: file.suffix == ".idx"):
            if file.suffix in _PACK_FILES and (replaces or not (packs / file.name).exists()):
                # Synced before the rename: the ref that comes next promises that the pack is whole.
                disk.create(beside, file.read_bytes(), read_only=True, synced=True)
                disk.replace(beside, packs / file.name)
        disk.sync_folder(packs)
    finally:
        disk.remove(beside)


def _run(arguments: list[str], environment: Mapping[str, str], told: bytes) -> bytes:
    code, out, complaint, _ = run_bounded(["git", *arguments], environment, MAX_PUSH_OUTPUT_BYTES, told)
    if code != 0:
        raise RemoteUnreachable(f"git {arguments[0]}: {(complaint.strip().splitlines() or [f'code {code}'])[-1]}")
    return out


def _move(folder: Path, refs: TheirRefs, move: PushMove, own: Path, locks: PushLocks) -> str | None:
    """Move a ref; return None if it has moved, else the reason."""
    path = folder / move.ref
    lock = path.with_name(f"{path.name}.lock")
    path.parent.mkdir(parents=True, exist_ok=True)
    # Checked after the folder was made, and before anything is written into it.
    if not _is_inside(path.parent, folder):
        return "its folder is outside the repository, where nothing is written"
    if (why := locks.take(lock, f"{move.new or move.old}\n".encode())) is not None:
        return why
    try:
        # A damaged ref is nowhere: moving it repairs it.
        with contextlib.suppress(ObjectDamaged):
            current = refs.read(move.ref)
            if current == move.new:
                return None
            if current != move.old:
                return f"it is at {current or 'nothing'}, expected {move.old or 'nothing'}"
        if move.new is None:
            path.unlink(missing_ok=True)
            # Rewriting their packed-refs is left to Git there, so a packed ref cannot be deleted from here.
            return "it is in packed-refs, which only Git there may change" if refs.read(move.ref) is not None else None
        if not move.is_forced and move.old is not None and not continues(own, move.old, move.new):
            return "it does not continue what is there"
        lock.replace(path)
        disk.sync_folder(path.parent)
        return None
    # After ``replace`` there is no lock any more; else it must not stay.
    finally:
        lock.unlink(missing_ok=True)


def _is_inside(path: Path, folder: Path) -> bool:
    """Whether a path is inside a folder, also after links are resolved."""
    return path.resolve().is_relative_to(folder.resolve())
