"""Tables of people from the lobby, with the processes that wait for them and a real relay.

Red opens ---> relay <--- Blue and Green join

Without a relay, in one network:

Red opens <---> Blue and Green join <---> each other, once they have agreed to
"""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path

import pytest

from catan_p2p.sessions.messages import HandSeat, LeadPeers, PeersSeated
from catan_p2p.sessions.saved_games import seats_here, unfinished_tables, waiting_tables
from catan_p2p.sessions.worker_client import WorkerLink
from catan_p2p.tables import hosting
from catan_p2p.tables.computers import computer_seats
from catan_p2p.tables.seat import read_settings
from catan_p2p.tables.status import read_status
from tests.replication.git_servers import Conduct, http_backend, http_server
from tests.replication.meeting import invited
from tests.replication.relays import bare
from tests.visualizer.play.front import Pinned
from tests.visualizer.play.person import PATIENCE_S, settings
from visualizer.play import lobby
from visualizer.play.lobby import Lobby
from visualizer.play.table import LocalTable


class Person:
    """Somebody with a lobby and a home of their own."""

    def __init__(self, folder: Path, name: str, clipboard: Pinned, monkeypatch: pytest.MonkeyPatch) -> None:
        self._home, self._patch = folder / name, monkeypatch
        self.here = lobby.HERE
        with self.at_home():
            self.lobby = Lobby(
                settings(), self._home / "settings.json", lambda path: LocalTable(LeadPeers(path), ()), clipboard
            )

    @contextmanager
    def at_home(self) -> Iterator[None]:
        with self._patch.context() as patch:
            patch.setenv("CATAN_P2P_HOME", str(self._home))
            patch.setattr(lobby, "HERE", self.here)
            yield

    def press(self, *keys: str) -> None:
        with self.at_home():
            for key in keys:
                self.lobby.press(key)
                self.lobby.tick()

    def until(self, is_so: Callable[[Lobby], object]) -> None:
        end = time.monotonic() + PATIENCE_S
        with self.at_home():
            while not is_so(self.lobby):
                self.lobby.tick()
                assert time.monotonic() < end, (self.lobby.menu, self.lobby._told)
                time.sleep(0.02)

    @property
    def seat(self) -> Path:
        """Where the seat is that the lobby led to."""
        assert isinstance(self.lobby.goes_to, LocalTable)
        return self.lobby.goes_to.sit.path


@pytest.fixture
def people(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[list[Person]]:
    clipboard = Pinned()
    found = [Person(tmp_path, name, clipboard, monkeypatch) for name in ("red", "blue", "green")]
    yield found
    for person in found:
        if (link := person.lobby._link) is not None:
            link.close()


def told(words: str) -> Callable[[Lobby], bool]:
    return lambda lobby: words in lobby.menu.told


def open_table(red: Person, relay: str) -> None:
    red.press("o")
    red.lobby.type(relay)
    red.press("Tab", "Tab", "Left", "Up", "Up", "Enter")
    if red.lobby.notice.startswith("There is no such folder."):
        red.press("Enter")


@pytest.mark.sampled(5, together=True)
@pytest.mark.long
def test_three_people_come_to_one_game_and_one_leaves_meanwhile(tmp_path: Path, people: list[Person]) -> None:
    red, blue, green = people
    open_table(red, str(tmp_path / "friends.git"))
    red.until(told("Red waits for Blue and Green"))
    red.press("c")
    for guest in (blue, green):
        guest.press("j", "Ctrl+V", "Enter")
        guest.until(lambda lobby: lobby.page == "seat")
    assert [item.name for item in green.lobby.menu.items] == ["Blue", "Green", "back"]
    blue.press("1")
    blue.until(told("Blue has a seat"))
    green.press("1")
    green.until(lambda lobby: lobby.notice)
    assert green.lobby.page == "join"
    assert green.lobby.notice.endswith("the seat of Blue is taken")
    red.until(told("Blue has come (2 of 3)"))
    for person in (red, blue):
        person.press("Escape")
        assert [item.name for item in person.lobby.menu.items][:1] == ["wait"]
    # The same invitation leads Blue back to Blue's own seat; Red is led back from the first page.
    blue.press("j", "Enter")
    blue.until(told("Blue has a seat"))
    red.press("w")
    green.press("Enter")
    green.until(lambda lobby: lobby.page == "seat")
    green.press("1")
    for person, colour in zip(people, ("Red", "Blue", "Green"), strict=True):
        person.until(lambda lobby: lobby.goes_to)
        with person.at_home():
            assert not waiting_tables()
            assert next(unfinished_tables()) == person.seat
            assert [(seat.colour, seat.policy) for seat in seats_here(person.seat)] == [(colour, None)]
    rules = read_status(green.seat).graph.game.constants.rules
    assert (rules.chance, rules.hands, rules.leaving, rules.patience) == ("joint", "hidden", True, 600)
    assert rules.offers_per_turn == 10
    assert len({read_status(person.seat).graph.root for person in people}) == 1


@pytest.mark.sampled(5, together=True)
@pytest.mark.long
def test_people_in_one_network_meet_without_a_relay_leave_come_back_and_play(
    people: list[Person], monkeypatch: pytest.MonkeyPatch
) -> None:
    red, blue, green = people
    for person, host in zip(people, ("127.0.0.1", "127.0.0.1", "127.0.0.2"), strict=True):
        person.here = (host, 0)
    red.press("o")
    red.lobby.obey(("value", "meeting"))
    red.lobby.options = replace(red.lobby.options, players=3, hands="open", announced="no")
    red.press("Enter")
    red.until(told("Red waits for Blue and Green"))
    red.press("c")
    line = red.lobby._clipboard.paste()
    assert line.startswith("git://127.0.0.1:") and not line.startswith("git://127.0.0.1:0/")
    for guest, key in ((blue, "1"), (green, "1")):
        guest.press("j", "Ctrl+V", "Enter")
        guest.until(lambda lobby: lobby.page == "seat")
        guest.press(key)
        guest.until(told("has a seat"))
        if guest is blue:  # everybody leaves, and comes back to the same address
            red.until(told("Blue has come (2 of 3)"))
            for person in (red, blue):
                person.press("Escape")
            red.press("w")
            red.until(told("Red waits for Blue and Green"))
            red.press("c")
            assert red.lobby._clipboard.paste() == line
            blue.press("w")  # not before Red listens again: Blue would be told that nobody does, and asked what to do
            blue.until(told("has a seat"))
    links = []
    try:
        # Each sits down at once, as the window does: from then on Red's seat tells the guests that the game has begun.
        for person, colour in ((red, "Red"), (blue, "Blue"), (green, "Green")):
            if person is not green:  # Blue is where Red is, Green is elsewhere
                person.until(lambda lobby: lobby.menu.title == "A question")
                assert "Green gives the address git://127.0.0.2:" in person.lobby.menu.told
                person.press("y")
            person.until(lambda lobby: lobby.goes_to)
            links.append(WorkerLink(LeadPeers(person.seat)))
            links[-1].give(HandSeat(colour, "builder"))
        end = time.monotonic() + PATIENCE_S
        while any(read_status(person.seat).graph.action_count < 4 for person in people):
            assert time.monotonic() < end, [link.take() for link in links]
            time.sleep(0.1)
    finally:
        for link in links:
            link.close()
    for link, person, others in zip(links, people, ("Blue Green", "Red Green", "Red Blue"), strict=True):
        seat = read_settings(person.seat)
        assert sorted(seat.remotes) == sorted(others.split())
        (seated,) = (news for news in link.take() if isinstance(news, PeersSeated))
        assert seated.address == f"git://{seat.listen}/"


@pytest.mark.sampled(5, together=True)
@pytest.mark.long
@pytest.mark.skipif(find_spec("zeroconf") is None, reason="needs zeroconf")
def test_a_table_in_this_network_is_found_joined_and_played_with_a_computer(people: list[Person]) -> None:
    """From two windows, without a line that is sent: Red announces the table, Blue finds it."""
    red, blue, _ = people
    for person in (red, blue):
        person.here = ("127.0.0.1", 0)
    red.press("o")
    red.lobby.obey(("value", "meeting"))
    assert red.lobby.options.announced == "yes"
    red.lobby.options = replace(red.lobby.options, players=3, computers=1, hands="open")
    red.press("Enter")
    red.until(told("Red waits for Blue"))
    red.until(told("Green (computer) has come (2 of 3)"))
    assert red.lobby.menu.seats == (("Red", True), ("Blue", False), ("Green", True))
    invitation = red.lobby._invited.invitation
    blue.press("j", "Escape", "j", "Tab", "Tab", "Tab", "Enter")
    assert blue.lobby.page == "near"
    blue.until(lambda lobby: ("table", invitation) in [item.id for item in lobby.menu.items])
    (item,) = (item for item in blue.lobby.menu.items if item.id == ("table", invitation))
    assert item.words == "Red, Blue, Green: standard rules; map default; 1 computer"
    with blue.at_home():
        blue.lobby.obey(item.id)
    blue.until(lambda lobby: lobby.page == "seat")
    assert [item.name for item in blue.lobby.menu.items] == ["Blue", "back"]
    assert "Green (strong) is a computer player on Red's machine" in blue.lobby.menu.told
    blue.press("1")
    blue.until(told("Blue has a seat"))
    links = []
    try:
        for person, colour in ((red, "Red"), (blue, "Blue")):
            person.until(lambda lobby: lobby.goes_to)
            links.append(WorkerLink(LeadPeers(person.seat)))
            links[-1].give(HandSeat(colour, "builder"))
        (green,) = computer_seats(red.seat)
        end = time.monotonic() + PATIENCE_S
        while any(read_status(path).graph.action_count < 20 for path in (red.seat, blue.seat, green)):
            assert time.monotonic() < end, [link.take() for link in links]
            time.sleep(0.1)
    finally:
        for link in links:
            link.close()
    assert computer_seats(blue.seat) == []


@pytest.mark.sampled(5, together=True)
@pytest.mark.long
def test_whoever_cannot_be_reached_is_named_and_nothing_is_left_of_it(tmp_path: Path, people: list[Person]) -> None:
    red, blue, _ = people
    open_table(red, "https://127.0.0.1:1/table.git")
    red.until(lambda lobby: lobby.page == "open")
    assert red.lobby.notice.startswith("No table was opened: https://127.0.0.1:1/table.git: unable to access")
    bare(tmp_path / "empty.git")
    blue.lobby._clipboard.copy(f"{tmp_path / 'empty.git'}#catan-0-{42 * 'x'}g")
    blue.press("j", "Ctrl+V", "Enter")
    blue.until(lambda lobby: lobby.page == "join")
    why = "there is no table for this invitation; if a sync service is still copying the folder, "
    why += "try again when it is done"
    assert blue.lobby.notice == f"No seat was taken: {tmp_path / 'empty.git'}: {why}"
    for person in (red, blue):
        with person.at_home():
            assert not waiting_tables()


@pytest.mark.sampled(5, together=True)
@pytest.mark.long
@pytest.mark.parametrize("at", [-2, -40], ids=["secret", "host's key"])
def test_a_mistyped_invitation_is_told_before_a_seat_is_taken(tmp_path: Path, people: list[Person], at: int) -> None:
    red, blue, _ = people
    open_table(red, str(tmp_path / "friends.git"))
    red.until(told("Red waits for Blue and Green"))
    red.press("c")
    line = red.lobby._clipboard.paste()
    other = "B" if line[at] != "B" else "C"
    blue.lobby._clipboard.copy(f"{line[:at]}{other}{line[at:][1:]}")
    blue.press("j", "Ctrl+V", "Enter")
    blue.until(lambda lobby: lobby.page == "join")
    assert blue.lobby.notice.startswith("No seat was taken: ")
    assert blue.lobby.notice.endswith("copy the whole line that the host has sent")
    with blue.at_home():
        assert not waiting_tables()


@pytest.mark.sampled(5, together=True)
@pytest.mark.long
@pytest.mark.parametrize(
    ("name", "value", "why"),
    [
        ("FORMAT", "2", "its game has version 2 of the log format, this program reads 1"),
        ("spell_rules", lambda rules, players: "standard; Weather = bad", "Weather: no such rule"),
        ("spell_rules", lambda rules, players: "seafarers", "seafarers: no such rules"),
    ],
    ids=["format", "constant", "profile"],
)
def test_another_version_is_told_before_a_seat_is_taken(
    tmp_path: Path, people: list[Person], monkeypatch: pytest.MonkeyPatch, name: str, value: object, why: str
) -> None:
    monkeypatch.setattr(hosting, name, value)
    invitation = invited(tmp_path / "host", str(tmp_path / "friends.git"), rules="standard")
    people[1].lobby._clipboard.copy(str(invitation))
    blue = people[1]
    blue.press("j", "Ctrl+V", "Enter")
    blue.until(lambda lobby: lobby.page == "join")
    assert "the table was opened by another version of catan-p2p: " + why in blue.lobby.notice
    assert blue.lobby.notice.endswith("all players need the same one")
    with blue.at_home():
        assert not waiting_tables()


@pytest.mark.sampled(5, together=True)
@pytest.mark.long
@pytest.mark.skipif(http_backend() is None, reason="needs git http-backend")
def test_a_relay_that_may_only_be_read_is_told_of_at_both_sides(tmp_path: Path, people: list[Person]) -> None:
    red, blue, _ = people
    relay = tmp_path / "friends.git"
    open_table(red, str(relay))
    red.until(told("Red waits for Blue and Green"))
    red.press("c")
    with http_server(tmp_path, Conduct(takes_pushes=False)) as root:
        url = f"{root}/friends.git"
        blue.lobby._clipboard.copy(red.lobby._clipboard.paste().replace(str(relay), url))
        blue.press("j", "Ctrl+V", "Enter")
        blue.until(lambda lobby: lobby.page == "seat")
        blue.press("1")
        blue.until(lambda lobby: lobby.page == "join")
        assert blue.lobby.notice.startswith(f"No seat was taken: {url}: can be read, but you may not push there: ")
        blue.press("Escape")
        open_table(blue, url)
        blue.until(lambda lobby: lobby.page == "open")
        assert blue.lobby.notice.startswith(f"No table was opened: {url}: can be read, but you may not push there: ")
    with blue.at_home():
        assert not waiting_tables()


@pytest.mark.sampled(5, together=True)
@pytest.mark.long
def test_a_table_whose_relay_is_gone_can_be_forgotten(tmp_path: Path, people: list[Person]) -> None:
    red, blue, _ = people
    relay = tmp_path / "friends.git"
    open_table(red, str(relay))
    red.until(told("Red waits for Blue and Green"))
    red.press("c")
    blue.press("j", "Ctrl+V", "Enter")
    blue.until(lambda lobby: lobby.page == "seat")
    blue.press("1")
    blue.until(told("Blue has a seat"))
    blue.press("Escape")
    relay.rename(tmp_path / "away.git")
    blue.press("w")
    blue.until(lambda lobby: lobby.notice)
    assert str(relay) in blue.lobby.notice
    blue.press("Escape")
    assert [item.name for item in blue.lobby.menu.items][:1] == ["wait"]
    blue.press("w")
    blue.until(lambda lobby: lobby.notice)
    blue.press("x")
    assert [item.name for item in blue.lobby.menu.items][:1] == ["computers"]


def test_the_process_that_waits_ends_by_itself_when_the_person_goes_back(tmp_path: Path, people: list[Person]) -> None:
    red, _, _ = people
    open_table(red, str(tmp_path / "friends.git"))
    red.until(told("Red waits for Blue and Green"))
    link = red.lobby._link
    assert link is not None
    link.close()
    assert link._process.returncode == 0  # what has to be killed says another number
