"""Computer players at a table of people: played by the host's machine, each a peer with a key and a log of its own.

Red hosts, with Green's repository beside Red's ---> relay <--- Blue joins
"""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Condition
from unittest.mock import Mock

import pytest

from catan_p2p.cli.main import main
from catan_p2p.game.constants import profile
from catan_p2p.game.new_game import new_constants
from catan_p2p.game.scoring import player_points
from catan_p2p.lmu.client import ClientSettings
from catan_p2p.lmu.seat_link import SeatLink
from catan_p2p.log.audit import audit
from catan_p2p.log.game import new_game
from catan_p2p.log.storage.objects import StoreError
from catan_p2p.players.policies import check_policy
from catan_p2p.sessions.computers import ComputersProcess, computers_played
from catan_p2p.sessions.messages import LeadPeers, LeaveTable, Order, SetPace, TableFailed
from catan_p2p.sessions.worker import lead
from catan_p2p.sessions.worker_client import WorkerLink
from catan_p2p.sessions.worker_process import start_process
from catan_p2p.tables import taking_seat
from catan_p2p.tables.computers import BadComputers, computer_seats, computers_in, with_neighbours
from catan_p2p.tables.invitation import Invitation
from catan_p2p.tables.records import BadRecord, TableTerms, parse_terms
from catan_p2p.tables.seat import SeatSettings, read_seat_key, read_settings
from catan_p2p.tables.status import read_status
from catan_p2p.tables.taking_seat import look_at_table, offered_words
from catan_p2p.tables.terms import computers_in_words
from catan_p2p.tables.waiting_folder import computers_folder, room_folder
from catan_p2p.tables.waiting_room import table_ref
from tests.replication.meeting import WaitingHost, host, join, leave_at, sit_and_leave
from tests.replication.relays import bare, flush
from tests.replication.tables import git, open_replica

COLOURS = ("Red", "Blue", "Green")
RULES = "standard; PointsToWin = 3; Leaving = yes; Patience = 600; Chance = joint"


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("1", {"Orange": "strategist"}),
        ("2=easy", {"Green": "beginner", "Orange": "beginner"}),
        ("blue", {"Blue": "strategist"}),
        ("Orange=good, Blue=strategist:9ms", {"Blue": "strategist:9ms", "Orange": "builder"}),
    ],
)
def test_a_number_fills_the_last_seats_and_colours_those_named(text: str, found: dict[str, str]) -> None:
    assert [*computers_in(text, ("Red", "Blue", "Green", "Orange"), check_policy).items()] == [*found.items()]


@pytest.mark.parametrize("text", ["3", "0", "-1", "Red", "White", "Blue,Blue", "2,Orange", "", "Blue,Green,Orange"])
def test_the_host_and_a_guest_keep_their_seats(text: str) -> None:
    with pytest.raises(BadComputers):
        computers_in(text, ("Red", "Blue", "Green", "Orange"), check_policy)


FIRST = "the computer player plays only while Red does: the game waits while that machine is away"
FORESEES = (
    "when all draw together, Red and the computer player count as one party, and could foresee a roll but not choose it"
)
CHOOSES_NOTHING = (
    "when all draw together, Red and the computer player count as one party, which cannot choose a result alone"
)


@pytest.mark.parametrize(
    ("colours", "rules", "words"),
    [
        (COLOURS, {}, []),
        (COLOURS, {"leaving": True}, ["Red's machine could go on without the only other person at any time"]),
        (
            COLOURS,
            {"hands": "hidden", "leaving": True},
            [
                "Red's machine knows the cards of the computer player, so Red could look at them",
                "Red's machine could open the development cards of the only other person, and go on without the only "
                "other person at any time",
            ],
        ),
        (("Red", "Green", "Blue", "White"), {"chance": "joint", "chance_ahead": True}, [FORESEES]),
        (("Red", "Blue", "Green", "White"), {"chance": "joint", "chance_ahead": True}, [CHOOSES_NOTHING]),
        (COLOURS, {"chance": "joint"}, [CHOOSES_NOTHING]),
    ],
)
def test_what_the_others_trust_the_host_with_is_said(
    colours: tuple[str, ...], rules: dict[str, object], words: list[str]
) -> None:
    agreed = replace(profile("standard", len(colours)), **rules)  # type: ignore[arg-type]
    told = computers_in_words({"Green": "beginner"}, colours, agreed)
    assert told == ["Green (easy) is a computer player on Red's machine", FIRST, *words]
    assert computers_in_words({}, colours, agreed) == []


def test_two_of_them_and_a_host_with_a_name() -> None:
    told = computers_in_words({"Blue": "builder", "Green": "x:Y"}, COLOURS, profile("standard", 3), "Ada")
    assert told[0] == "Blue (good) and Green (x:Y) are computer players on Ada's machine"
    assert told[1].startswith("the computer players play only while Ada does")


TABLE = {"colours": COLOURS, "rules": RULES, "drawn": "variable", "computers": {"Green": "builder"}}
"""A table of Red's with a computer player."""


def opened_until(seat: Path, relay: str, words: str) -> tuple[Invitation, str]:
    """Red opens the table, and is interrupted as soon as this is told; the invitation, and what is said of it."""
    shown: list[tuple[Invitation, str]] = []
    with pytest.raises(KeyboardInterrupt):
        host(seat, relay, lambda *one: shown.append(one), leave_at(words), **TABLE)
    return shown[0]


@pytest.mark.long
def test_a_computer_player_takes_its_seat_at_once_and_keeps_it(tmp_path: Path) -> None:
    relay = str(bare(tmp_path / "relay"))
    invitation, words = opened_until(tmp_path / "Red", relay, "Green (computer) has come")
    assert "Green (good) is a computer player on Red's machine" in words
    key = (room_folder(tmp_path / "Red") / "Green.key").read_bytes()
    terms, free = look_at_table(invitation)
    assert (terms.computers, free) == ((("Green", "builder"),), ("Blue",))
    assert offered_words(terms) == words.partition(": ")[2]
    with pytest.raises(StoreError, match="a computer plays Green"):
        join(tmp_path / "x", invitation, "Green")
    assert not room_folder(tmp_path / "x").exists()
    with WaitingHost(tmp_path / "Red", relay, **TABLE):
        join(tmp_path / "Blue", invitation)
    seat = computers_folder(tmp_path / "Red") / "Green"
    assert computer_seats(tmp_path / "Red") == [seat]
    assert computer_seats(tmp_path / "Blue") == []
    assert key and read_seat_key(seat) is not None
    assert (read_settings(seat).policy, read_settings(seat).relay) == ("builder", relay)
    for path in (tmp_path / "Red", tmp_path / "Blue", seat):
        assert read_settings(path).computers == {"Green": "builder"}
        assert read_status(path).graph.game.called == {"Red": "Red", "Blue": "Blue", "Green": "Green (computer)"}
    assert len({read_settings(path).seed for path in (tmp_path / "Red", seat)}) == 2


@pytest.mark.long
def test_a_seat_that_a_guest_takes_is_freed_for_the_computer_player(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    relay = bare(tmp_path / "relay")
    invitation, _ = opened_until(tmp_path / "Red", str(relay), "Green (computer) has come")
    git(relay, "update-ref", "-d", table_ref(0, "Green"))
    assert look_at_table(invitation)[1] == ("Blue",), "nobody sits there yet, and it is no guest's"

    def without_computers(data: bytes) -> TableTerms | BadRecord:
        terms = parse_terms(data)
        return terms._replace(computers=()) if isinstance(terms, TableTerms) else terms

    with monkeypatch.context() as patch:
        patch.setattr(taking_seat, "parse_terms", without_computers)
        sit_and_leave(tmp_path / "x", invitation, "Green")
    theirs = git(relay, "rev-parse", table_ref(0, "Green"))
    opened_until(tmp_path / "Red", str(relay), "the seat is a computer player's")
    opened_until(tmp_path / "Red", str(relay), "Green (computer) has come")
    assert git(relay, "rev-parse", table_ref(0, "Green")) != theirs


def test_who_does_not_know_who_plays_what_is_no_seat_and_folders_may_move(tmp_path: Path) -> None:
    from catan_p2p.tables.joining import create_seat, join_game

    game = new_game(0, new_constants("thesis", COLOURS), COLOURS)
    red, green = tmp_path / "red", tmp_path / "red.computers" / "Green"
    computers = {"Green": "builder"}
    create_seat(red, game, SeatSettings("Red", 1, computers=computers))
    join_game(str(red), green, SeatSettings("Green", 2, policy="builder", computers=computers))
    red.rename(tmp_path / "moved")
    green.parent.rename(tmp_path / "moved.computers")
    red, green = tmp_path / "moved", tmp_path / "moved.computers" / "Green"
    assert with_neighbours(red, read_settings(red)).remotes == {"Green": str(green)}
    assert with_neighbours(green, read_settings(green)).remotes == {"Red": str(red)}
    assert computer_seats(red) == [green]


@pytest.mark.parametrize("field", ["Red=builder", "White=builder", "Green=", "Green", "Green=a Green=b"])
def test_terms_with_computers_that_cannot_be_are_no_terms(tmp_path: Path, field: str) -> None:
    from catan_p2p.tables.records import _computers_in

    assert isinstance(_computers_in(field, ("Blue", "Green")), BadRecord)
    assert _computers_in("", ("Blue",)) == ()
    assert TableTerms(COLOURS, "", "").computers == (), "what older programs have said"


# Playing


def program(*args: str | Path) -> list[str]:
    return [sys.executable, "-m", "catan_p2p", *map(str, args)]


def until(is_so: Callable[[], object]) -> None:
    """Wait until something is so, in vain for five minutes."""
    for _ in range(6000):
        if is_so():
            return
        time.sleep(0.05)
    raise AssertionError("it never was so")


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Path]:
    """A folder with ``Red``, ``Red.computers/Green`` and ``Blue`` at a relay that is a folder."""
    yield sat_down(tmp_path, RULES)


def sat_down(folder: Path, rules: str) -> Path:
    """The folder, once all have a seat."""
    with WaitingHost(folder / "Red", str(bare(folder / "relay")), **TABLE | {"rules": rules}) as invitation:
        join(folder / "Blue", invitation)
    return folder


@pytest.mark.long
def test_a_turn_of_the_host_lets_the_computer_player_take_its_turn(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table = sat_down(tmp_path, RULES.replace("standard", "thesis"))  # in which Green places third
    green = table / "Red.computers" / "Green"
    assert main(["turn", str(table / "Red")]) == 3
    assert read_status(green).standing.awaited == ("Blue",), "Green has pledged too"
    for _ in range(40):
        for colour in ("Blue", "Red"):
            main(["turn", str(table / colour)])
            if read_status(table / colour).standing.awaited == (colour,):
                with open_replica(table / colour, alone=True) as peer:
                    peer.act()
                    flush(peer)
        if player_points(read_status(green).graph.state, 3):
            break
    assert player_points(read_status(green).graph.state, 3), "nobody but the host's turns has built for Green"
    assert "Green (computer) is awaited" not in capsys.readouterr().out


@pytest.mark.long
def test_the_host_of_hidden_hands_can_open_the_computer_players_cards_and_nobody_elses(tmp_path: Path) -> None:
    """So both seats of the machine come back together."""
    table = sat_down(tmp_path, f"{RULES}; Hands = hidden; Returns = 3; SignedEnd = yes")
    found = {}
    for seat in ("Red", "Red.computers/Green", "Blue"):
        with open_replica(table / seat, alone=True) as replica:
            found[seat] = [*replica._cards_of_party]
    assert found == {"Red": [3], "Red.computers/Green": [], "Blue": []}


@pytest.mark.long
def test_a_host_that_is_killed_comes_back_with_its_computer_player(table: Path) -> None:
    """And no process of its is left over; the game ends as if nothing had been."""
    green = table / "Red.computers" / "Green"
    blue = subprocess.Popen(program("peer", table / "Blue", "--policy", "builder", "--quiet"))
    red = subprocess.Popen(program("peer", table / "Red", "--policy", "builder", "--quiet"))
    try:
        until(lambda: red.poll() is not None or read_status(green).graph.action_count >= 12)
        assert red.poll() is None
        red.send_signal(signal.SIGKILL if os.name == "posix" else signal.SIGTERM)
        red.wait()
        # At once: the process of the first host may still be about to leave.
        red = subprocess.Popen(program("peer", table / "Red", "--policy", "builder", "--quiet"))
        assert red.wait(300.0) == 0
        assert blue.wait(300.0) == 0
    finally:
        for process in (red, blue):
            process.kill()
    seen = [audit(path) for path in (table / "Red", table / "Blue", green)]
    assert all(one.is_fine and one.history is not None and one.history.last.is_over for one in seen)
    assert main(["peer", str(green), "--stop-after", "0", "--quiet"]) == 0, "nobody has its repository open any more"


@pytest.mark.long
def test_computer_players_at_the_hosts_own_address_are_found_there(tmp_path: Path) -> None:
    host = ["host", tmp_path / "red", "--listen", "127.0.0.1:0", "--players", "4", "--computers", "Blue=easy,Orange"]
    more = ["--hands", "open", "--rules", "standard; PointsToWin = 3", "--start", "peer", "--policy", "builder"]
    with subprocess.Popen(program(*host, *more, "--quiet"), stdout=subprocess.PIPE, text=True) as red:
        assert red.stdout is not None
        invitation = red.stdout.readline().strip()
        join = ["join", invitation, str(tmp_path / "green"), "--listen", "127.0.0.1:0", "--start", "peer"]
        assert main([*join, "--policy", "builder", "--quiet"]) == 0
        assert red.wait(300.0) == 0
    seats = [tmp_path / "red", tmp_path / "green", *computer_seats(tmp_path / "red")]
    assert [read_settings(path).colour for path in seats] == ["Red", "Green", "Blue", "Orange"]
    assert all(audit(path).is_fine for path in seats)
    assert len({audit(path).history.last for path in seats if audit(path).history}) == 1  # type: ignore[union-attr]
    remotes = read_settings(tmp_path / "green").remotes
    assert all(remotes[colour].startswith("git://127.0.0.1:") for colour in ("Red", "Blue", "Orange"))
    assert len({*remotes.values()}) == 3


@pytest.mark.long
def test_a_process_that_ends_is_started_again_as_its_host_is_told(table: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[str] = []
    starts = iter((start_process, Mock(side_effect=BlockingIOError), start_process))
    monkeypatch.setattr("catan_p2p.sessions.worker_client.start_process", lambda: next(starts)())
    with computers_played(table / "Red", tell=told.append) as process:
        assert process is not None
        first = process._link._process
        until(lambda: read_status(table / "Red.computers" / "Green").graph.action_count)  # it has pledged
        first.kill()
        until(lambda: process._link._process is not first and process._link.is_alive and not process.trouble)
        assert told == ["the computer players do not play: the process that plays the game has ended unexpectedly"]
        last = process._link._process
    assert last.poll() == 0, "it has left"


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_the_window_is_told_of_a_thread_that_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("catan_p2p.sessions.worker_client.receive", fails := Mock(side_effect=LookupError("a bug")))
    link = WorkerLink(LeaveTable(), process=Mock())
    link._reader.join()
    assert link.take() == [TableFailed("the process that plays the game has ended unexpectedly")]
    seat = SeatLink(ClientSettings("ws://127.0.0.1:1", "Ada"), connected=fails)
    seat._thread.join()
    assert seat.take() == [TableFailed("the program has failed: LookupError('a bug')")]


@pytest.mark.long
def test_the_window_tells_the_pace_and_hears_what_is_wrong(table: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    paces: list[float] = []
    monkeypatch.setattr(ComputersProcess, "set_pace", lambda process, pace_s: paces.append(pace_s))
    monkeypatch.setattr("catan_p2p.sessions.worker._TROUBLE_S", 0.0)
    (table / "Red.computers" / "Green" / ".git" / "HEAD").write_text("")
    (table / "Red.computers" / "Green" / ".git" / "catan-p2p" / "key").unlink()
    out, news, asked = BytesIO(), Condition(), 0

    class Orders(SimpleQueue[Order]):
        def get_nowait(self) -> Order:
            nonlocal asked
            asked += 1
            if asked == 1:
                return SetPace(0.25)
            if b"do not play" in out.getvalue():
                return LeaveTable()
            assert asked < 2000, "nothing was told"
            raise Empty

        def get(self, block: bool = True, timeout: float | None = None) -> Order:
            return self.get_nowait()

    lead(LeadPeers(table / "Red"), Orders(), out, news)
    assert paces == [0.25]
