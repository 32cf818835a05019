"""A copy of a game's repository for spectators: fetched again and again, and never written by us.

Nothing is validated here: the reader of the copy judges every commit, as in any repository.
"""

from __future__ import annotations

import threading
from pathlib import Path

from catan_p2p.limits import MAX_LISTING_BYTES, MAX_QUARANTINED_BYTES
from catan_p2p.log.storage.repository import create_repository
from catan_p2p.log.transport.bounded import run_bounded
from catan_p2p.log.transport.git_command import git_command, git_environment, last_line
from catan_p2p.log.transport.git_remote import FETCH, FETCH_OPTIONS
from catan_p2p.log.transport.pacing import Backoff
from catan_p2p.log.transport.quarantine import bytes_in
from catan_p2p.log.transport.remote import RemoteUnreachable

PAUSE_S = 1.0
"""The time between two looks."""
_MOST_PAUSE_S = 15.0
_REFS = ("heads", "remotes")


class BranchMirror:
    """The branches of a repository that Git reaches by a URL, in a folder of their own."""

    def __init__(self, url: str, folder: Path, most_bytes: int = MAX_QUARANTINED_BYTES) -> None:
        self.url = url
        self.folder = folder
        self.most_bytes = most_bytes
        self._closed = threading.Event()
        create_repository(folder, work_tree=False, branch="none")
        self._thread: threading.Thread | None = None

    def fetch(self) -> None:
        """Fetch what is new; ``RemoteUnreachable`` if that fails, or would take more than ``most_bytes``."""
        try:
            self._git([*FETCH, "--prune", "--", self.url, *(f"+refs/{kind}/*:refs/{kind}/*" for kind in _REFS)])
        except RemoteUnreachable:
            # Git never removes what a fetch leaves that was cut.
            for left in (self.folder / "objects" / "pack").glob("tmp_*"):
                left.unlink(missing_ok=True)
            raise

    def follow(self) -> None:
        """Fetch until this is closed; after a failure, try again after ever longer pauses."""
        self._thread = threading.Thread(target=self._fetch_on, name=f"copy of {self.url}", daemon=True)
        self._thread.start()

    def _fetch_on(self) -> None:
        backoff = Backoff(most_s=_MOST_PAUSE_S)
        while not self._closed.wait(max(PAUSE_S, backoff.wait_s)):
            try:
                self.fetch()
                backoff.worked()
            except RemoteUnreachable as error:
                backoff.failed(error)

    def close(self) -> None:
        """Stop fetching, and end a fetch that is running; the folder stays."""
        self._closed.set()
        if self._thread is not None:
            self._thread.join()

    def _git(self, arguments: list[str]) -> None:
        done = run_bounded(
            [*git_command(FETCH_OPTIONS), *arguments],
            git_environment(self.folder),
            MAX_LISTING_BYTES,
            # A closed window ends a running fetch the same way as one that is too large.
            writes_too_much=lambda: self._closed.is_set() or bytes_in(self.folder) > self.most_bytes,
        )
        if done.wrote_too_much:
            raise RemoteUnreachable(f"{self.url}: sends more than {self.most_bytes} bytes")
        if done.code != 0:
            raise RemoteUnreachable(f"{self.url}: {last_line(done.complaint) or f'git ended with code {done.code}'}")
