"""A neighbour in a folder is looked at when something moves there, or for another reason, and not otherwise."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from catan_p2p.log.storage.objects import StoreError
from catan_p2p.replication.catch_up import CatchUp
from catan_p2p.replication.neighbour import Neighbour
from catan_p2p.replication.play import LookPace, PeerLife
from catan_p2p.replication.replica import Replica
from tests.replication.relays import bare, flush, seats_at
from tests.replication.tables import is_over, make_seats, opened, play_rounds

LONG_AGO_NS = 1_700_000_000_000_000_001


def calm(folder: Path) -> None:
    """Let everything in a folder have been there for long."""
    for path in (folder, *folder.rglob("*")):
        os.utime(path, ns=(LONG_AGO_NS, LONG_AGO_NS))


def quiet(replicas: list[Replica], folder: Path) -> None:
    """Let all see all there is, until nothing can be new."""
    for _ in range(2):
        for replica in replicas:
            replica.synchronize()
            replica.store.publish()
    calm(folder)
    for _ in range(2):
        for replica in replicas:
            replica.synchronize()
    assert not any(one.remote.may_be_new for replica in replicas for one in replica.neighbours)


@pytest.fixture
def table(tmp_path: Path) -> Iterator[list[Replica]]:
    with opened(make_seats(tmp_path, 3)) as replicas:
        play_rounds(replicas, lambda replica: len(replica.graph) > 5)
        quiet(replicas, tmp_path)
        yield replicas


def looks(replica: Replica) -> list[int]:
    return [neighbour.looks for neighbour in replica.neighbours]


def test_a_quiet_neighbour_is_not_looked_at(table: list[Replica]) -> None:
    before = [looks(replica) for replica in table]
    for replica in table:
        for everybody in (True, False):
            replica.synchronize(everybody)
    assert [looks(replica) for replica in table] == before


def test_a_move_is_seen_wherever_it_was_made(table: list[Replica]) -> None:
    actor = next(replica for replica in table if replica.is_awaited)
    steps = actor.act()
    actor.store.publish()
    assert steps
    for other in table:
        if other is not actor:
            before = {one.colour: one.looks for one in other.neighbours}
            other.synchronize(everybody=False)
            assert steps[-1].commit in other.graph
            looked = {one.colour for one in other.neighbours if one.looks > before[one.colour]}
            assert actor.game.seats[actor.player - 1].colour in looked


def _unheard(replica: Replica, one: Neighbour) -> None:
    replica.catch_up = CatchUp([one.colour])


def _set(name: str, value: object) -> Callable[[Replica, Neighbour], None]:
    return lambda replica, one: setattr(one, name, value)


def _forget_what_was_asked(replica: Replica, one: Neighbour) -> None:
    assert one.listed is not None
    one.listed = frozenset(), one.listed[1]


def _is_not_dealt_with(replica: Replica, one: Neighbour) -> None:
    assert one.listed is not None
    for ref in one.listed[1]:
        one.source.look_again(ref)


REASONS: dict[str, Callable[[Replica, Neighbour], None]] = {
    "somebody has said so": _set("hinted", True),
    "the last look has not come to its end": _set("listed", None),
    "more is known than at the last look": _set("known_count", 0),
    "a commit was withheld": lambda replica, one: setattr(one.source, "withheld", "a commit"),
    "it has not told what it holds of the own log": _unheard,
    "it was not looked at for long": _set("begun_at", -1e9),
    "something else is looked for": _forget_what_was_asked,
    "what was there is not dealt with": _is_not_dealt_with,
}


@pytest.mark.parametrize("name", REASONS)
def test_there_are_other_reasons_for_a_look(table: list[Replica], name: str) -> None:
    replica = table[0]
    one = replica.neighbours[0]
    before = one.looks
    REASONS[name](replica, one)
    replica.synchronize()
    assert one.looks > before
    before = one.looks
    replica.synchronize()
    assert one.looks == before


def test_what_moves_during_a_look_is_news(table: list[Replica], tmp_path: Path) -> None:
    replica = table[0]
    one = replica.neighbours[0]
    one.is_watched = False
    replica._begin_look(one, relayed=True)
    assert one.is_watched
    (tmp_path / one.colour / ".git" / "refs" / "heads" / "another.lock").touch()
    replica.synchronize()
    before = one.looks
    assert one.has_news
    replica.synchronize(everybody=False)
    assert one.looks > before


class Watched:
    """Stands for a remote at which something is new when it has been asked often enough."""

    def __init__(self, replica: Replica, after: int) -> None:
        remote = replica.neighbours[0].remote
        self.news, self.is_folder, self.after, self.asked = remote.news, True, after, 0
        self.close = remote.close

    @property
    def may_be_new(self) -> bool:
        self.asked += 1
        return self.asked > self.after


def test_a_wait_ends_when_something_may_be_new(table: list[Replica]) -> None:
    replica = table[0]
    one = replica.neighbours[0]
    one.remote = watched = Watched(replica, 5)  # type: ignore[assignment]
    replica.wait(5.0)
    assert watched.asked == 6


def test_a_neighbour_that_makes_trouble_ends_no_wait(table: list[Replica]) -> None:
    replica = table[0]
    one = replica.neighbours[0]
    one.remote = watched = Watched(replica, 0)  # type: ignore[assignment]
    one.backoff.failed(StoreError("trouble"))
    one.backoff._next += 1e9
    replica.wait(0.01)
    assert watched.asked == 0
    assert not any(other.has_news for other in replica.neighbours[1:])


def test_a_peer_pauses_longer_where_nothing_has_to_be_looked_at(table: list[Replica]) -> None:
    replica = table[0]
    life = PeerLife(replica, LookPace())
    assert life._max_wait_s == 1.0
    replica.neighbours[0].is_watched = False
    assert life._max_wait_s == 0.02
    assert PeerLife(replica, LookPace(max_wait_s=0.5))._max_wait_s == 0.5


def test_a_relay_in_a_folder_is_asked_when_something_moves(tmp_path: Path) -> None:
    relay = bare(tmp_path / "relay")
    with opened(seats_at(tmp_path / "seats", str(relay), 3)) as replicas:
        red, *others = replicas
        for _ in range(3):
            for replica in replicas:
                replica.synchronize()
                flush(replica)
        quiet(replicas, relay)
        before = [looks(replica) for replica in replicas], [replica.relay.meeting.looks for replica in replicas]  # type: ignore[union-attr]
        for replica in replicas:
            replica.synchronize()
        assert (
            [looks(replica) for replica in replicas],
            [replica.relay.meeting.looks for replica in replicas],  # type: ignore[union-attr]
        ) == before
        assert not is_over(red)
        steps = red.act()
        flush(red)
        for other in others:
            other.synchronize(everybody=False)
            assert steps[-1].commit in other.graph
