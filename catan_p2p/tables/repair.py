"""Repairs a seat's repository from what is left of it, and from the other players'.

A loss of power or a failing medium leaves empty files, files of zeros, and missing names. Files that only lead to the
game are made anew in place (``heal``). If something of the game itself is missing, a new repository is made
(``mend_seat``), and everything that was ever validated is carried over: a player who has accepted an action must never
accept another one in its place, however the repository was lost.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import zlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, suppress
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from catan_p2p.log.evidence import evidence_files, read_refusals
from catan_p2p.log.graph import CommitGraph
from catan_p2p.log.reading import Read, read_game
from catan_p2p.log.refs import HEADS, REMOTES, Branch, branch_at, local_ref, parse_branch, remote_ref
from catan_p2p.log.storage import disk
from catan_p2p.log.storage.git_program import own_environment
from catan_p2p.log.storage.objects import ObjectDamaged, ObjectId, ObjectKind, ObjectMissing, StoreError, object_id
from catan_p2p.log.storage.repository import CONFIG, config_text, has_config, has_head
from catan_p2p.log.storage.store import GitStore
from catan_p2p.log.transport.opening import open_remote
from catan_p2p.log.transport.remote import BadFetch, Remote, RemoteUnreachable
from catan_p2p.tables.computers import with_neighbours
from catan_p2p.tables.foreign_commits import is_foreign
from catan_p2p.tables.joining import built, copy_commits, explain_keys_to_git, furnish, write_root
from catan_p2p.tables.seat import PRIVATE_FOLDER, SETTINGS_FILE, SeatSettings, incoming_folder, read_seat_key
from catan_p2p.tables.waiting_folder import leave_room
from catan_p2p.time_source import SYSTEM_TIME, TimeSource

_STALE_S = 60.0
"""Git holds a lock for milliseconds; a lock of this age was left by a killed process."""
_UNPACK_S = 120.0


def heal(path: Path, time: TimeSource = SYSTEM_TIME) -> list[str]:
    """Remake unreadable files around the game after a loss of power, and remove stale locks; return what was done."""
    # An interruption between the two renames of ``_swap`` leaves the new repository under the other name.
    if not path.exists() and (_beside(path) / ".git" / PRIVATE_FOLDER / SETTINGS_FILE).is_file():
        with disk.explained("mend", path):
            _beside(path).rename(path)
            disk.sync_folder(path.parent)
    folder = next((one for one in (path / ".git", path) if (one / PRIVATE_FOLDER / SETTINGS_FILE).is_file()), None)
    if folder is None:
        return []
    leave_room(path)
    return heal_around(folder, time, is_bare=folder == path)


def heal_around(folder: Path, time: TimeSource = SYSTEM_TIME, *, is_bare: bool = False) -> list[str]:
    """Remake files in a repository's ``.git`` that only lead to the game; return what was done."""
    done = []
    with disk.explained("mend", folder):
        # Git does not take a folder without these for a repository.
        for name in ("objects/pack", "refs/heads"):
            if not (folder / name).is_dir():
                disk.make_folder(folder / name)
                done.append(f"{folder / name} was missing")
        if not has_config(folder):
            _replace(folder / "config", default_config(is_bare=is_bare))
            done.append("config was empty")
        if not has_head(folder):
            _replace(folder / "HEAD", f"ref: refs/heads/{_some_branch(folder)}\n".encode())
            done.append("HEAD was lost")
        # The index only describes the work tree: Git makes it anew.
        if (index := disk.read(folder / "index")) is not None and not _ends_with_its_checksum(index):
            disk.remove(folder / "index")
            done.append("the index was damaged")
        for lock in [*folder.glob("*.lock"), *(folder / "refs").rglob("*.lock")]:
            with suppress(FileNotFoundError):
                # Both directions, since the clock may have been set back.
                if abs(time.date_s() - lock.stat().st_mtime) > _STALE_S:
                    disk.remove(lock)
                    done.append(f"{lock.relative_to(folder)} was left by a process that is gone")
    return done


def _beside(path: Path) -> Path:
    """The temporary place of the repository that will replace the one at ``path``."""
    return path.with_name(f"{path.name}.mended")


def _replace(path: Path, content: bytes) -> None:
    beside = path.with_name(f"{path.name}.healed")
    disk.remove(beside)
    disk.create(beside, content, synced=True)
    disk.replace(beside, path)
    disk.sync_folder(path.parent)


def default_config(*, is_bare: bool) -> bytes:
    """The content of the file ``config`` of a new repository."""
    core = {("core", "repositoryformatversion"): "0", ("core", "bare"): str(is_bare).lower()}
    return config_text(core | CONFIG)


def _some_branch(folder: Path) -> str:
    names = sorted(file.name for file in (folder / HEADS).iterdir() if parse_branch(file.name) is not None)
    return names[-1] if names else "game"


def _ends_with_its_checksum(content: bytes) -> bool:
    return len(content) > 20 and hashlib.sha1(content[:-20]).digest() == content[-20:]


@dataclass(frozen=True, slots=True)
class _RepositoryRemains:
    """What is left of a repository: heads by ref, unreadable refs, and commits found anywhere in it."""

    heads: Mapping[str, ObjectId]
    broken: Sequence[str]
    commits: Mapping[ObjectId, bytes]

    @property
    def own(self) -> dict[str, ObjectId]:
        """The heads of the own branches."""
        return {ref: head for ref, head in self.heads.items() if ref.startswith(HEADS)}


def mend_seat(path: Path, settings: SeatSettings) -> Path:
    """Replace a damaged repository by a new one, made from what is left of it and from the other players'.

    Every file is made anew from the commits, so only commits must be found, here or elsewhere. What was accepted from
    others, what was refused and the evidence are carried over. Returns the new place of the damaged repository. Raises
    ``ObjectDamaged`` if a commit of a branch is found nowhere: then nobody can tell what this player has done or
    accepted.
    """
    key = read_seat_key(path)
    with ExitStack() as opened:
        old = opened.enter_context(_opened(path, settings))
        sources = [
            opened.enter_context(closing(open_remote(url, old.folder, incoming_folder(old) / f"mend-{place}")))
            for place, url in with_neighbours(path, settings).sources.items()
        ]
        found = _bring_all(sources, settings.relay)
        remains = _look_through(old)
        read = _reader(old.read, remains, sources)
        beside = _beside(path)
        shutil.rmtree(beside, ignore_errors=True)
        with built(beside, settings.durability) as new:
            graph = _copy_known(remains, found, settings.colour, read, new)
            player = graph.game.player_of(settings.colour)
            if player is None:
                raise StoreError(f"{path}: nobody plays {settings.colour} in this game")
            _record_known(path, graph, player, remains, new)
            _carry_over(old.folder / PRIVATE_FOLDER, new.folder / PRIVATE_FOLDER)
            furnish(new, graph.game, player, settings, key)
            explain_keys_to_git(new, path, graph.game)
    return _swap(path, beside)


def _opened(path: Path, settings: SeatSettings) -> GitStore:
    try:
        return GitStore.open(path, durability=settings.durability)
    # A writer repairs what it can; without one, reading shows at least what is left.
    except ObjectDamaged:
        return GitStore.open(path, writer=None)


def _bring_all(sources: Sequence[Remote], relay: str | None) -> list[tuple[Branch, ObjectId]]:
    """Make others' commits readable; return the heads of their copies of others' logs, and of everything at a relay."""
    found: list[tuple[Branch, ObjectId]] = []
    for source in sources:
        with suppress(RemoteUnreachable, BadFetch, ObjectDamaged, ObjectMissing):
            copies, heads = dict(source.heads((), REMOTES)), dict(source.heads((), HEADS))
            source.bring({**heads, **copies})
            if source.url == relay:
                copies |= heads
            found += [(branch, head) for ref, head in copies.items() if (branch := branch_at(ref)) is not None]
    return found


def _look_through(old: GitStore) -> _RepositoryRemains:
    broken: list[str] = []
    refs = old.list_refs(HEADS, broken) | old.list_refs(REMOTES, broken)
    refused = {line["commit"] for line in read_refusals(old.folder / PRIVATE_FOLDER)}
    # A refused commit that lies around must not come in by way of the repair.
    commits = {oid: data for oid, data in _salvaged(old.folder) if oid not in refused}
    heads = {ref: head for ref, head in refs.items() if branch_at(ref) is not None}
    return _RepositoryRemains(heads, [ref for ref in broken if branch_at(ref) is not None], commits)


def _salvaged(folder: Path) -> Iterator[tuple[ObjectId, bytes]]:
    """Iterate over every commit that is readable in the packs and files of a repository, however damaged."""
    packs = [*(folder / "objects" / "pack").glob("*.pack"), *(folder / PRIVATE_FOLDER).glob("*torn-*.pack")]
    with TemporaryDirectory(prefix="mending-", dir=folder / PRIVATE_FOLDER) as scratch:
        # -r makes Git go on after damaged objects; what it writes goes into a scratch folder.
        environment = os.environ | own_environment(folder) | {"GIT_OBJECT_DIRECTORY": scratch}
        for pack in packs:
            with pack.open("rb") as wire, suppress(subprocess.TimeoutExpired):
                subprocess.run(
                    ["git", "unpack-objects", "-r", "-q"],
                    env=environment,
                    stdin=wire,
                    stdout=subprocess.DEVNULL,
                    stderr=subprocess.DEVNULL,
                    timeout=_UNPACK_S,
                    check=False,
                )
        for place in (Path(scratch), folder / "objects"):
            for file in place.glob("[0-9a-f][0-9a-f]/*"):
                with suppress(OSError, zlib.error):
                    header, _, data = zlib.decompress(file.read_bytes()).partition(b"\0")
                    oid = ObjectId(file.parent.name + file.name)
                    # The id is checked against the bytes, since anything here may be damaged.
                    if header.startswith(b"commit ") and object_id("commit", data) == oid:
                        yield oid, data


def _reader(own: Read, remains: _RepositoryRemains, sources: Sequence[Remote]) -> Read:
    """Return a reader that finds an object wherever it is intact: in the own repository, or in another player's."""

    def read(oid: ObjectId) -> tuple[ObjectKind, bytes]:
        if oid in remains.commits:
            return "commit", remains.commits[oid]
        for look in (own, *(source.read for source in sources)):
            with suppress(ObjectMissing, ObjectDamaged, RemoteUnreachable):
                kind, data = look(oid)
                if object_id(kind, data) == oid:
                    return kind, data
        raise ObjectMissing(f"no object {oid}")

    return read


def _copy_known(
    remains: _RepositoryRemains, found: Sequence[tuple[Branch, ObjectId]], colour: str, read: Read, store: GitStore
) -> CommitGraph:
    """Copy everything that was ever validated: first what the branches led to, so that nothing takes its place."""
    copies = [head for branch, head in found if branch.colour == colour]
    # Only then may others say what this player's own log was.
    own_is_lost = any(ref.startswith(HEADS) for ref in remains.broken) or not remains.own
    known = [*remains.own.values(), *remains.heads.values(), *(copies if own_is_lost else ()), *remains.commits]
    for head in known:
        graph = read_game(head, read)
        if isinstance(graph, CommitGraph):
            write_root(graph, read, store)
            for other in known:
                copy_commits(graph, other, read, store)
            return graph
    raise ObjectDamaged(
        f"{store.folder}: the beginning of the game can be read neither here nor elsewhere; "
        "take the seat again with: catan-p2p join URL NEW_DIR --as COLOUR"
    )


def _record_known(path: Path, graph: CommitGraph, player: int, remains: _RepositoryRemains, new: GitStore) -> None:
    """Set the branches to where they were, and the own log to everything else."""
    heads = {ref: head for ref, head in remains.heads.items() if not _is_foreign_head(remains, graph, head)}
    for ref, head in heads.items():
        if head not in graph:
            raise ObjectDamaged(
                f"{path}: {ref}: the commit {head} can be read neither here nor elsewhere; "
                "start again when another player who has it can be reached"
            )
        new.record(ref, head, None)
    own = local_ref(graph.game.branch(player))
    if own not in heads or remains.broken:
        new.record(own, graph.head, heads.get(own))
    for other, reply in graph.replies.items():
        branch = graph.game.branch_for(graph.head, reply.action)
        ref = local_ref(branch) if other == player else remote_ref(branch.colour, branch)
        if new.own_ref(ref) is None:
            new.record(ref, reply.commit, None)


def _is_foreign_head(remains: _RepositoryRemains, graph: CommitGraph, head: ObjectId) -> bool:
    """Whether another program put a commit there: it stays in the damaged repository."""
    return head in remains.commits and is_foreign(graph, head, remains.commits[head])


def _carry_over(old: Path, new: Path) -> None:
    """Copy the list of refusals and the evidence."""
    with disk.explained("carry over what was refused", new):
        for file in evidence_files(old):
            disk.make_folder((new / file).parent)
            shutil.copyfile(old / file, new / file)


def _swap(path: Path, beside: Path) -> Path:
    number = 1
    while (aside := path.with_name(f"{path.name}.damaged-{number}")).exists():
        number += 1
    with disk.explained("replace the repository", path):
        path.rename(aside)
        beside.rename(path)
        disk.sync_folder(path.parent)
    return aside
