"""Opens the right kind of remote for a URL."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from catan_p2p.limits import MAX_QUARANTINED_BYTES
from catan_p2p.log.storage.objects import ObjectId
from catan_p2p.log.transport.queries import AsyncRemote, PushMove
from catan_p2p.log.transport.remote import Remote, local_path


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
        from catan_p2p.log.transport.readable import readable_in_folder

        return readable_in_folder(path, own, heads)
    from catan_p2p.log.transport.readable import readable_with_git

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
