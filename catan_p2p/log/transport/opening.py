"""Opens the right kind of remote for a URL, and checks whether everything that its refs lead to can be read there.

A disk may lose objects while the refs stay. To find out, the repository is read without any objects of our own, so that
none of them stands in for one that is missing there.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from catan_p2p.limits import MAX_LISTING_BYTES, MAX_QUARANTINED_BYTES
from catan_p2p.log.storage.git_program import NEW_REPOSITORY
from catan_p2p.log.storage.objects import ObjectId
from catan_p2p.log.transport.bounded import run_bounded
from catan_p2p.log.transport.git_command import git_command, git_environment, last_line
from catan_p2p.log.transport.git_remote import FETCH, FETCH_OPTIONS
from catan_p2p.log.transport.quarantine import Quarantine
from catan_p2p.log.transport.queries import AsyncRemote, PushMove
from catan_p2p.log.transport.remote import Remote, RemoteUnreachable, local_path
from catan_p2p.log.transport.their_files import git_folder, reading_theirs

_LOST = (
    "possible repository corruption on the remote side",
    "couldn't find remote ref",
    "not our ref",
    "did not send all necessary objects",
    "unresolved delta",
    "missing blob",
    "bad object",
)
"""What Git says when a server lacks objects that its refs lead to; for a broken connection it says something else."""


def readable_in_folder(path: Path, own: Path, heads: Mapping[str, ObjectId]) -> Mapping[str, ObjectId]:
    """The same for a folder, whose files are read by a Git that runs in our repository."""
    environment = reading_theirs(own, git_folder(path) / "objects") | {"LC_ALL": "C"}
    # A file that lists commits would stand in for the commits themselves.
    walk = ["git", "-c", "core.commitGraph=false", "rev-list", "--objects", "--quiet", "--stdin"]

    def are_there(*oids: ObjectId) -> bool:
        return run_bounded(walk, environment, 0, "".join(f"{oid}\n" for oid in oids).encode()).code == 0

    # One walk for all heads is the rule; only after a loss each head is walked by itself.
    if are_there(*heads.values()):
        return heads
    return {ref: head for ref, head in heads.items() if are_there(head)}


def readable_with_git(
    url: str, own: Path, incoming: Path, heads: Mapping[str, ObjectId], most_bytes: int
) -> Mapping[str, ObjectId]:
    """The same for any URL: everything is fetched into an empty repository, which is thrown away."""
    quarantine = Quarantine(incoming / "whole", most_bytes)
    quarantine.begin()
    empty = quarantine.objects / "empty.git"
    environment = git_environment(own)

    def run(arguments: list[str], folder: Path) -> tuple[int, str]:
        done = run_bounded(
            [*git_command(FETCH_OPTIONS), *arguments],
            environment | NEW_REPOSITORY | {"GIT_DIR": str(folder)},
            MAX_LISTING_BYTES,
            writes_too_much=lambda: quarantine.size > most_bytes,
        )
        if done.wrote_too_much:
            raise RemoteUnreachable(f"{url}: sends more than {most_bytes} bytes")
        return done.code, done.complaint

    try:
        code, complaint = run(["init", "--quiet", "--bare", str(empty)], empty)
        if code == 0:
            code, complaint = run([*FETCH, "--", url, *(f"+{ref}:{ref}" for ref in heads)], empty)
        if code == 0:
            return heads
        if any(words in complaint for words in _LOST):
            return {}
        raise RemoteUnreachable(f"{url}: {last_line(complaint) or f'git ended with code {code}'}")
    finally:
        quarantine.clear()


def open_client(
    url: str,
    own: Path,
    incoming: Path,
    most_bytes: int = MAX_QUARANTINED_BYTES,
    tell: Callable[[bool], None] | None = None,
) -> Remote:
    """Return what reads the repository at a URL, in this process, with all the risks.

    ``own`` is the Git folder of the repository to compare with. ``incoming`` is a folder for objects that were fetched
    and not yet validated, at most ``most_bytes`` on disk. ``tell`` is called for announcements of a followed server.
    """
    path = local_path(url)
    if path is not None:
        # Imported where they are needed: a worker starts sooner without the other kinds.
        from catan_p2p.log.transport.folder import LocalRemote

        return LocalRemote(url, path, own)
    if url.startswith("git://"):
        if tell is not None:
            from catan_p2p.log.transport.follower import FollowedRemote

            return FollowedRemote(url, tell)
        from catan_p2p.log.transport.git_protocol import GitProtocolRemote

        return GitProtocolRemote(url)
    from catan_p2p.log.transport.session_remote import SessionRemote

    return SessionRemote(url, own, incoming, most_bytes)


def push(remote: Remote, own: Path, moves: Sequence[PushMove]) -> Mapping[str, str]:
    """Move refs of the repository behind a remote; return the refused moves with the reasons, by ref.

    Raises ``RemoteUnreachable`` if nothing is known about any of them.
    """
    path = local_path(remote.url)
    if path is not None:
        from catan_p2p.log.transport.folder_push import push_to_folder

        return push_to_folder(path, own, moves)
    from catan_p2p.log.transport.git_push import push_with_git

    return push_with_git(remote.url, own, moves)


def readable(
    remote: Remote, own: Path, incoming: Path, heads: Mapping[str, ObjectId], most_bytes: int
) -> Mapping[str, ObjectId]:
    """Return those of these heads whose whole history can be read there without any objects of our own.

    Raises ``RemoteUnreachable`` if that cannot be found out.
    """
    path = local_path(remote.url)
    if path is not None:
        return readable_in_folder(path, own, heads)

    return readable_with_git(remote.url, own, incoming, heads, most_bytes)


def open_remote(url: str, own: Path, incoming: Path, news: threading.Condition | None = None) -> AsyncRemote:
    """Return the remote at a URL, read by a process of its own; ``news``, if shared, is notified of its answers.

    A caller with only one remote can wait longer: then reading an object may take as long as a look.
    """
    from catan_p2p.log.transport.worker_remote import WorkerRemote

    remote = WorkerRemote(url, own, incoming, news)
    if news is None:
        remote.read_s = remote.heads_s
    return remote
