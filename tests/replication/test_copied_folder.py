"""Tables in a folder that a sync service copies, from the invitation to the end of the game.

Red ---> A/relay <--- copying service ---> B/relay <--- Blue
"""

import time
from pathlib import Path
from queue import Queue
from threading import Thread
from typing import Any

import pytest

from catan_p2p.game.new_game import new_constants
from catan_p2p.log.storage.objects import StoreError
from catan_p2p.replication.play import LookPace, play
from catan_p2p.tables.hosting import open_table
from catan_p2p.tables.invitation import Invitation
from catan_p2p.tables.status import read_status
from catan_p2p.tables.taking_seat import take_seat
from catan_p2p.tables.terms import ExpectedTerms
from tests.replication.copying import CopyingService
from tests.replication.tables import open_replica

SEEDS = 20
STUCK_S = 300.0
"""Longer than any of these games takes, even where many tests run at once."""


def host(folder: Path, invited: "Queue[Invitation]", drawn: str | None) -> None:
    constants = new_constants("thesis; PointsToWin = 3", ("Red", "Blue"))
    open_table(
        folder / "Red",
        str(folder / "A" / "relay"),
        constants,
        ("Red", "Blue"),
        None,
        print,
        lambda invitation, words: invited.put(invitation),
        drawn=drawn,
    )


def join(folder: Path, invitation: Invitation) -> None:
    """Take a seat, and try again as often as the program says so."""
    invitation = invitation._replace(url=str(folder / "B" / "relay"))
    while True:
        try:
            take_seat(folder / "Blue", invitation, "Blue", None, ExpectedTerms(), print)
            return
        except StoreError as error:
            if "sync service" not in str(error):
                raise
            time.sleep(0.1)


def to_the_end(seat: Path) -> Any:
    with open_replica(seat) as replica:
        report = play(replica, LookPace(stay_s=STUCK_S))
        assert all(not one.rejected for one in replica.neighbours)
        return report


def in_threads(*jobs: Any) -> list[Any]:
    """Do these things side by side; what came of each. It is an error if one is stuck."""
    results: Queue[tuple[int, Any]] = Queue()

    def work(number: int, job: Any) -> None:
        try:
            results.put((number, job()))
        except BaseException as error:  # noqa: BLE001 - raised below
            results.put((number, error))

    for number, job in enumerate(jobs):
        Thread(target=work, args=(number, job), daemon=True).start()
    found = dict(results.get(timeout=STUCK_S) for _ in jobs)
    for one in found.values():
        if isinstance(one, BaseException):
            raise one
    return [found[number] for number in range(len(jobs))]


def a_whole_table(folder: Path, seed: int) -> CopyingService:
    """Open a table, take the other seat, play to the end."""
    (folder / "A").mkdir()
    (folder / "B").mkdir()
    invited: Queue[Invitation] = Queue()
    drawn = "variable" if seed % 2 else None
    with CopyingService(folder / "A", folder / "B", seed) as service:
        in_threads(lambda: host(folder, invited, drawn), lambda: join(folder, invited.get(timeout=STUCK_S)))
        one, other = in_threads(*(lambda seat=seat: to_the_end(folder / seat) for seat in ("Red", "Blue")))
    assert one.is_over
    assert one.head == other.head
    assert one.refusals == other.refusals == 0
    for seat in ("Red", "Blue"):
        assert read_status(folder / seat).refusals == ()
    return service


@pytest.mark.long
@pytest.mark.sampled(10)
@pytest.mark.parametrize("seed", range(SEEDS))
def test_a_table_is_opened_joined_and_played_to_its_end(tmp_path: Path, seed: int) -> None:
    service = a_whole_table(tmp_path, seed)
    assert service.halves > 0


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(SEEDS, 10 * SEEDS))
def test_many_tables_are_opened_joined_and_played_to_their_ends(tmp_path: Path, seed: int) -> None:
    a_whole_table(tmp_path, seed)
