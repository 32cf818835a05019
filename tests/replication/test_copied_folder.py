"""Tables in a folder that a sync service copies, from the invitation to the end of the game.

Red ---> A/relay <--- copying service ---> B/relay <--- Blue
"""

import time
from pathlib import Path
from typing import Any

import pytest

from catan_p2p.log.storage.objects import StoreError
from catan_p2p.replication.play import LookPace, play
from catan_p2p.tables.invitation import Invitation
from catan_p2p.tables.status import read_status
from tests.replication.copying import CopyingService
from tests.replication.meeting import STUCK_S, WaitingHost, in_threads, join
from tests.replication.tables import open_replica

SEEDS = 20


def join_in_the_end(folder: Path, invitation: Invitation) -> None:
    """Take a seat, and try again as often as the program says so."""
    while True:
        try:
            join(folder / "Blue", invitation._replace(url=str(folder / "B" / "relay")))
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


def a_whole_table(folder: Path, seed: int) -> CopyingService:
    """Open a table, take the other seat, play to the end."""
    (folder / "A").mkdir()
    (folder / "B").mkdir()
    drawn, rules = "variable" if seed % 2 else None, "thesis; PointsToWin = 3"
    with CopyingService(folder / "A", folder / "B", seed) as service:
        with WaitingHost(folder / "Red", str(folder / "A" / "relay"), rules=rules, drawn=drawn) as invitation:
            join_in_the_end(folder, invitation)
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
