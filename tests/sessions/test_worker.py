"""The process that leads the peers of a table: what it leaves behind when the window leaves."""

import time
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Condition

import pytest

from catan_p2p.log.audit import audit
from catan_p2p.log.storage.store import GitStore
from catan_p2p.sessions.messages import (
    ConnectionTrouble,
    GameMoved,
    LeadPeers,
    LeaveTable,
    MovesSent,
    News,
    Order,
    receive,
)
from catan_p2p.sessions.new_table import NewTable
from catan_p2p.sessions.saved_games import is_over
from catan_p2p.sessions.worker import WorkerTable, lead
from catan_p2p.tables.seat import read_settings, write_settings
from tests.log.storage.chains import git
from tests.replication.relays import bare, seats_at
from tests.replication.tables import make_seats, opened, play_rounds

COLOURS = ("Red", "Blue", "Green")


class LeavesAtTheEnd(SimpleQueue[Order]):
    """Orders of somebody who leaves as soon as one seat knows that the game is over, and gives no other."""

    def __init__(self, table: Path) -> None:
        super().__init__()
        self.table = table
        self.knew = 0

    def get_nowait(self) -> Order:
        self.knew = sum(is_over(self.table / colour) for colour in COLOURS)
        if not self.knew:
            raise Empty
        return LeaveTable()

    def get(self, block: bool = True, timeout: float | None = None) -> Order:
        return self.get_nowait()


class LeavesAfter(SimpleQueue[Order]):
    """Orders of somebody who leaves when something is so, and has been for some turns of the peers; or gives up."""

    def __init__(self, is_so: Callable[[], bool]) -> None:
        super().__init__()
        self._is_so, self._turns, self._asked = is_so, 0, 0

    def get_nowait(self) -> Order:
        self._turns += self._is_so()
        self._asked += 1
        if self._turns < 20 and self._asked < 2000:
            raise Empty
        return LeaveTable()

    def empty(self) -> bool:
        time.sleep(0.02)
        return False


def left(path: Path, seed: int) -> list[bool]:
    """Of each seat, whether it knows the end of a game that was left at the end."""
    new = NewTable(COLOURS, frozenset(), rules="brief; PointsToWin = 3", policy="builder", seed=seed)
    orders = LeavesAtTheEnd(path)
    lead(LeadPeers(path, new), orders, BytesIO(), Condition())
    assert orders.knew < len(COLOURS), "all knew the end before"
    verdicts = [audit(path / colour) for colour in COLOURS]
    assert all(one.is_fine for one in verdicts)
    knows = [one.history is not None and one.history.last.is_over for one in verdicts]
    assert knows == [is_over(path / colour) for colour in COLOURS]
    return knows


@pytest.mark.parametrize("seed", [1, 2])
def test_no_seat_is_left_behind_by_who_leaves_at_the_end(tmp_path: Path, seed: int) -> None:
    assert all(left(tmp_path / "table", seed))


def test_seats_that_take_in_nothing_are_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(WorkerTable, "level", lambda table: None)
    assert not all(left(tmp_path / "table", seed=1))


@pytest.mark.long
def test_a_game_is_over_once_its_end_is_signed(tmp_path: Path) -> None:
    rules = "thesis; Leaving = yes; PointsToWin = 3"
    paths, marked = make_seats(tmp_path, 3, 7, rules=rules, chance="joint", hands="hidden"), []
    for until in (lambda replica: replica.graph.state.is_over, lambda replica: replica.graph.state.tp == "top"):
        with opened(paths) as replicas:
            play_rounds(replicas, until)
            first = next(path for path, replica in zip(paths, replicas, strict=True) if until(replica))
        lead(LeadPeers(first), LeavesAfter(lambda: True), BytesIO(), Condition())
        marked.append(is_over(first))
    assert marked == [False, True]


def test_what_a_person_is_told_of_is_shown_by_the_repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A window reads a game again when it is told of a move: what is published later it would show later."""
    shown: list[bool] = []

    def tell(table: WorkerTable, news: News) -> None:
        if isinstance(news, GameMoved) and news.colour == "Blue":
            shown.append(news.commit in git(tmp_path / "table" / "Blue", "for-each-ref", "--format=%(objectname)"))

    monkeypatch.setattr(WorkerTable, "tell", tell)
    new = NewTable(COLOURS, frozenset({"Blue"}), rules="brief", policy="builder", seed=1)
    lead(LeadPeers(tmp_path / "table", new), LeavesAfter(lambda: len(shown) > 1), BytesIO(), Condition())
    assert len(shown) > 1
    assert all(shown)


def begun_by_red(path: Path, is_there: bool) -> Path:
    """A seat that has begun the game, which nobody has pushed yet; the relay may be gone."""
    relay = bare(path / "relay")
    red, _ = seats_at(path, str(relay))
    if not is_there:
        relay.rename(path / "elsewhere")
    return red


@pytest.mark.parametrize("is_there", [True, False])
def test_who_leaves_before_all_is_at_the_relay_is_told(
    tmp_path: Path, is_there: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    red = begun_by_red(tmp_path, is_there)
    orders, out = SimpleQueue[Order](), BytesIO()
    orders.put(LeaveTable())
    if not is_there:
        monkeypatch.setattr("catan_p2p.sessions.worker._FLUSH_S", 0.1)
    lead(LeadPeers(red), orders, out, Condition())
    out.seek(0)
    told = [news.lines for news in iter(lambda: receive(out), None) if isinstance(news, ConnectionTrouble)]
    unsent = "what Red did last has not reached the relay; continue the game to send it"
    assert told[-1] == (() if is_there else (unsent,))


def told_at_last(sit: LeadPeers, is_there: bool, monkeypatch: pytest.MonkeyPatch) -> bool:
    """Whether all is sent as far as was told in the end: all is, where nothing was told."""
    monkeypatch.setattr("catan_p2p.sessions.worker._FLUSH_S", 0.1)
    out = BytesIO()

    def heard() -> bool:
        sent = BytesIO(out.getvalue())
        return [True, *(news.is_all for news in iter(lambda: receive(sent), None) if isinstance(news, MovesSent))][-1]

    lead(sit, LeavesAfter(lambda: heard() is is_there), out, Condition())
    return heard()


@pytest.mark.long
@pytest.mark.parametrize("is_there", [True, False])
def test_it_is_told_whether_the_relay_has_everything(
    tmp_path: Path, is_there: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert told_at_last(LeadPeers(begun_by_red(tmp_path, is_there)), is_there, monkeypatch) is is_there


@pytest.mark.long
@pytest.mark.parametrize("is_there", [True, False])
def test_who_serves_is_told_whether_the_others_have_seen_the_end(
    tmp_path: Path, is_there: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = tmp_path / "table"
    left(table, seed=1)
    settings = read_settings(table / "Red")
    settings.remotes = {one: str(table / one) if is_there else "git://127.0.0.1:1/" for one in COLOURS[1:]}
    settings.listen = "127.0.0.1:0"
    write_settings(table / "Red", settings)
    with GitStore.open(table / "Red") as store:  # as if nobody had told Red yet that they know the end
        for ref, head in store.list_refs("refs/remotes/Blue/").items():
            store.delete_ref(ref, head)
        store.publish()
    assert told_at_last(LeadPeers(table / "Red"), is_there, monkeypatch) is is_there
