"""Which kind of remote a URL is."""

from __future__ import annotations

from pathlib import Path

from catan_p2p.log.transport.folder import LocalRemote
from catan_p2p.log.transport.git_protocol import GitProtocolRemote
from catan_p2p.log.transport.git_remote import GitRemote
from catan_p2p.log.transport.remote import Remote, local_path


def open_remote(url: str, own: Path, incoming: Path) -> Remote:
    """The remote at a URL, for the repository whose Git folder is ``own``.

    ``incoming`` is a folder for what was fetched and is not validated yet.
    """
    path = local_path(url)
    if path is not None:
        return LocalRemote(url, path, own)
    if url.startswith("git://"):
        return GitProtocolRemote(url)
    return GitRemote(url, own, incoming)
