"""The process that plays the computer players of a host's table, for as long as the host's own seat is played.

It is the process that leads the peers of any table; its table is the folder of the computer players.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Event, Thread

from catan_p2p.sessions.messages import LeadPeers, PeersSeated, SetPace, TableFailed
from catan_p2p.sessions.worker_client import WorkerLink
from catan_p2p.tables.computers import computer_seats
from catan_p2p.tables.waiting_folder import computers_folder

_AGAIN_S, _LONGEST_S = 0.5, 30.0
"""How long to wait before a process that has ended is started again: the first time, and at most."""


class ComputersProcess:
    """Plays the computer players whose repositories are in a folder; a process that ends is started again.

    A process may end because its predecessor, whose host was killed, has not left yet and still holds the seats.
    """

    def __init__(self, order: LeadPeers, tell: Callable[[str], None]) -> None:
        self._order, self._tell = order, tell
        self._is_leaving = False
        self.trouble = ""
        """Why the computer players do not play, if they do not."""
        self._woken = Event()
        self._link = WorkerLink(order, self._woken.set)
        self._thread = Thread(target=self._keep_alive, name="computer players", daemon=True)
        self._thread.start()

    def set_pace(self, pace_s: float) -> None:
        """Set how long the computer players wait after every action."""
        self._link.give(SetPace(pace_s))

    def close(self) -> None:
        """Let the computer players publish what they have done, and wait until they have left."""
        self._is_leaving = True
        self._woken.set()
        self._thread.join()
        self._link.close()

    def _keep_alive(self) -> None:
        wait_s = _AGAIN_S
        while not self._is_leaving:
            self._woken.wait()
            self._woken.clear()
            news = self._link.take()
            # The next failure is a new trouble: the pause starts again from the shortest.
            if any(isinstance(one, PeersSeated) for one in news):
                self.trouble, wait_s = "", _AGAIN_S
            failures = [one.words for one in news if isinstance(one, TableFailed)]
            if not failures or self._is_leaving:
                continue
            # The same trouble at every new start is told only once.
            told, self.trouble = self.trouble, f"the computer players do not play: {failures[-1]}"
            if self.trouble != told:
                self._tell(self.trouble)
            self._link.close()
            while not self._is_leaving:
                self._woken.wait(wait_s)
                self._woken.clear()
                wait_s = min(2 * wait_s, _LONGEST_S)
                with suppress(OSError):  # a process that cannot be started now is tried again
                    self._link = WorkerLink(self._order, self._woken.set)
                    break


@contextmanager
def computers_played(
    path: Path, pace_s: float = 0.0, tell: Callable[[str], None] = lambda words: None, *, has_chat: bool = True
) -> Iterator[ComputersProcess | None]:
    """Play the computer players of the host's seat at ``path``, if it has any, while the context lasts."""
    if not computer_seats(path):
        yield None
        return
    process = ComputersProcess(LeadPeers(computers_folder(path).absolute(), pace_s=pace_s, has_chat=has_chat), tell)
    try:
        yield process
    finally:
        process.close()
