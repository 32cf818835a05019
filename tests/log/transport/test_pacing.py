"""Pauses: longer from failure to failure, and longer where it is quiet; always within their bounds."""

from pathlib import Path
from threading import Condition

import pytest
from hypothesis import given
from hypothesis import strategies as st

from catan_p2p.log.storage.objects import ObjectId
from catan_p2p.log.transport.opening import open_remote
from catan_p2p.log.transport.pacing import Backoff, quiet_pause_s
from catan_p2p.log.transport.queries import AskHeads
from catan_p2p.log.transport.remote import CostlyRemote, RemoteUnreachable
from catan_p2p.log.transport.shared_repository import SharedRepository
from catan_p2p.log.transport.worker_remote import HEADS_S, READ_S, WorkerEnded, WorkerRemote
from catan_p2p.tables.waiting_room import waiting_room
from tests.virtual_time import VirtualTime


def waits(error: Exception, count: int) -> list[float]:
    backoff = Backoff(time=VirtualTime())
    found = []
    for _ in range(count):
        backoff.failed(error)
        found.append(backoff.wait_s)
    return found


@pytest.mark.parametrize(
    ("error", "expected"),
    [
        (RemoteUnreachable("away"), [0.05, 0.1, 0.2, 0.4, 0.8, 1.6, 2.0, 2.0]),
        (WorkerEnded("hangs"), [0.05, 0.1, 0.2, 0.4, 0.8, 1.6, 3.2, 6.4, 12.8, 25.6, 30.0, 30.0]),
        (CostlyRemote("much for nothing"), [1.0, 2.0, 4.0, 8.0, 16.0, 30.0, 30.0]),
    ],
    ids=["failure", "ended", "costly"],
)
def test_the_pause_doubles_from_failure_to_failure(error: Exception, expected: list[float]) -> None:
    assert waits(error, len(expected)) == pytest.approx(expected)


def test_after_a_failure_it_is_left_alone_until_the_pause_is_over_and_after_success_it_is_not() -> None:
    clock = VirtualTime()
    backoff = Backoff(time=clock)
    assert backoff.is_over
    backoff.failed(RemoteUnreachable("away"))
    assert not backoff.is_over and backoff.trouble == "away" and backoff.failures == 1
    clock.sleep(0.05)
    assert backoff.is_over
    backoff.failed(RemoteUnreachable("away"))
    backoff.worked()
    assert backoff.is_over and backoff.trouble is None and backoff.failures == 0
    backoff.failed(RemoteUnreachable("away"))
    assert backoff.wait_s == pytest.approx(0.05)


@given(st.floats(0, 1e6), st.floats(0, 10), st.floats(0, 60))
def test_a_quiet_pause_is_a_tenth_of_the_quiet_time_within_its_bounds(quiet: float, least: float, more: float) -> None:
    pause = quiet_pause_s(quiet, least, least + more)
    assert least <= pause <= least + more
    assert pause == pytest.approx(quiet / 10) or pause in (least, least + more)


def test_who_reads_one_remote_alone_has_the_time_of_a_look_for_each_object(tmp_path: Path) -> None:
    """A busy machine takes longer than the two seconds after which a peer goes on with its other neighbours."""
    alone = open_remote("git://127.0.0.1/", tmp_path, tmp_path / "incoming")
    one_of_several = open_remote("git://127.0.0.1/", tmp_path, tmp_path / "incoming", Condition())
    with waiting_room(tmp_path / "Red", "git://127.0.0.1/", {}) as room:
        assert isinstance(alone, WorkerRemote) and isinstance(one_of_several, WorkerRemote)
        assert [alone.read_s, one_of_several.read_s, room.remote.read_s] == [HEADS_S, READ_S, HEADS_S]


class Listed:
    """Stands for a relay at which nothing moves: counts how often it is listed."""

    url, negotiates, is_folder, bytes_received, may_be_new = "ssh://relay/game", True, False, 0, True

    def __init__(self, is_kept: bool) -> None:
        self.is_kept, self.news, self.listings = is_kept, Condition(), 0

    def ask(self, request: AskHeads) -> None:
        self.listings += 1

    def answered(self) -> bool:
        return True

    def answer(self) -> dict[str, ObjectId]:
        return {}

    def rest(self) -> None:
        """Nothing is open."""


def listings(is_kept: bool, seconds: float) -> int:
    """How often a relay is listed in this time for somebody who asks every millisecond, since something was new."""
    time, remote = VirtualTime(), Listed(is_kept)
    shared = SharedRepository(remote, time=time)  # type: ignore[arg-type]
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        shared.post(AskHeads(("refs/heads/Red_0",)))
        shared.turn()
        time.sleep(0.001)
    return remote.listings


def test_a_relay_is_listed_often_after_a_move_where_a_listing_costs_a_round_trip() -> None:
    assert listings(is_kept=False, seconds=1.0) == 2
    assert 9 <= listings(is_kept=True, seconds=0.2) <= 11
    assert 20 <= listings(is_kept=True, seconds=1.0) <= 30
    seldom = [listings(is_kept, 200.0) - listings(is_kept, 100.0) for is_kept in (False, True)]
    assert seldom[0] == pytest.approx(20, abs=1)
    assert seldom[1] == pytest.approx(20, abs=1), "every five seconds, either way"
