"""The process that plays the computer players of a host's table, for as long as the host's own seat is played.

It is the process that leads the peers of any table, with the folder of the computer players as its table.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from threading import Event, Thread
from typing import TYPE_CHECKING

from catan_p2p.game.actions.replies import are_optional
from catan_p2p.log.commit import decode_commit
from catan_p2p.sessions.messages import Failed, Seated, SetPace, Sit
from catan_p2p.sessions.worker_client import Link
from catan_p2p.tables.computers import computer_seats
from catan_p2p.tables.seat import read_settings
from catan_p2p.tables.waiting_folder import computers_folder

if TYPE_CHECKING:
    from catan_p2p.replication.replica import Replica

_AGAIN_S, _LONGEST_S = 0.5, 30.0
"""How long to wait before a process that has ended is started again: at first, and at most."""


class ComputersProcess:
    """Plays the computer players whose repositories are in a folder; a process that ends is started again.

    One may end because its predecessor, whose host was killed, is still about to leave.
    """

    def __init__(self, sit: Sit, tell: Callable[[str], None]) -> None:
        self._sit, self._tell = sit, tell
        self._is_leaving = False
        self.trouble = ""
        """Why the computer players do not play, if they do not."""
        self._woken = Event()
        self._link = Link(sit, self._woken.set)
        self._thread = Thread(target=self._keep_alive, name="computer players", daemon=True)
        self._thread.start()

    def set_pace(self, pace_s: float) -> None:
        """Let the computer players wait so long after every action."""
        self._link.give(SetPace(pace_s))

    def close(self) -> None:
        """Let them publish what they have done, and leave."""
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
            if any(isinstance(one, Seated) for one in news):
                self.trouble, wait_s = "", _AGAIN_S
            failures = [one.words for one in news if isinstance(one, Failed)]
            if not failures or self._is_leaving:
                continue
            told, self.trouble = self.trouble, f"the computer players do not play: {failures[-1]}"
            if self.trouble != told:
                self._tell(self.trouble)
            self._link.close()
            self._woken.wait(wait_s)
            wait_s = min(2 * wait_s, _LONGEST_S)
            self._link = Link(self._sit, self._woken.set)


def _nobody(words: str) -> None:
    """Nobody is told."""


@contextmanager
def computers_played(
    path: Path, pace_s: float = 0.0, tell: Callable[[str], None] = _nobody, *, has_chat: bool = True
) -> Iterator[ComputersProcess | None]:
    """Have the computer players of the host's seat at ``path`` played, if it has any, for as long as this lasts."""
    if not computer_seats(path):
        yield None
        return
    process = ComputersProcess(Sit(computers_folder(path).absolute(), pace_s=pace_s, has_chat=has_chat), tell)
    try:
        yield process
    finally:
        process.close()


@contextmanager
def opened_computers(path: Path, *, has_chat: bool = True) -> Iterator[list[Replica]]:
    """The computer players of the host's seat at ``path``, for one visit of each."""
    # Imported here: whoever starts the process needs nothing of this.
    from catan_p2p.game.randomness import clock_named
    from catan_p2p.game.secret_streams import randomness_named
    from catan_p2p.players.policies import make_policy
    from catan_p2p.tables.opening import opened_seat
    from catan_p2p.tables.repair import heal

    with ExitStack() as opened:
        found = []
        for seat in computer_seats(path):
            heal(seat)
            settings = read_settings(seat)
            policy, clock = make_policy(settings.policy or "random"), clock_named(settings.clock)
            random = randomness_named(settings.clock)
            found.append(opened.enter_context(opened_seat(seat, settings, policy, random, clock, has_chat=has_chat)))
        yield found


def take_turns(computers: Sequence[Replica], most_s: float) -> bool:
    """Let each look at the others once, within so many seconds, and do what the game waits for; whether any acted."""
    from catan_p2p.replication.sync_once import visit

    acted = False
    for replica in computers:
        before = replica.graph.head
        visit(replica, most_s, replica.game.constants.rules.patience or None)
        while replica.catch_up.is_over and (replica.is_awaited or _has_waited(replica)):
            if not (replica.act() if replica.is_awaited else [replica.act_one()]):
                break
        replica.store.publish()
        if replica.relay is not None:
            replica.relay.flush(replica.store, replica.graph, most_s)
        acted |= replica.graph.head != before
    return acted


def _has_waited(replica: Replica) -> bool:
    """Whether an own offer has waited long enough for answers that nobody has to wait for."""
    from catan_p2p.sessions.seat_driver import ANSWERS_S

    state = replica.graph.state
    if state.tp != "Offering" or state.ap != replica.player or not are_optional(state):
        return False
    offered_s = decode_commit(replica.store.read(replica.graph.head)[1]).author.time_s
    return replica.time.date_s() - offered_s >= ANSWERS_S
