"""The lobby: a window without a table, in which everything is reached by mouse and by keyboard."""

import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import ClassVar

import pygame
import pytest

from catan_p2p.game.board import MAPS
from catan_p2p.log.storage.store import GitStore
from catan_p2p.sessions.before_table import attend
from catan_p2p.sessions.messages import (
    AnswerQuestion,
    BeforeTable,
    FindTables,
    GameBegun,
    JoinTable,
    LeadPeers,
    ListGames,
    News,
    OpenTable,
    Order,
    PlayerArrived,
    QuestionAsked,
    ReadTerms,
    TableFailed,
    TableNews,
    TableOpened,
    TablesFound,
    TermsRead,
    UnfinishedGame,
)
from catan_p2p.sessions.new_table import NewTable, lay
from catan_p2p.sessions.saved_games import tables_folder
from catan_p2p.tables.invitation import parse_invitation
from catan_p2p.tables.seat import SeatSettings
from catan_p2p.tables.seat import write_settings as write_seat
from catan_p2p.tables.setup import at_one_screen
from catan_p2p.tables.waiting_room import waiting_room
from tests.positions import position
from tests.visualizer.play.memory import Memory, MemoryLink
from tests.visualizer.play.person import COLOURS, Hands, Session, settings
from visualizer.drawing.fonts import FontSet
from visualizer.pictures.scene import TextMeasure
from visualizer.pictures.shapes import Rect, Sprite, Text
from visualizer.play.front_window import FrontWindow, lobby_scene
from visualizer.play.lobby import Lobby
from visualizer.play.new_game_options import NewGameOptions
from visualizer.play.settings import read_settings
from visualizer.play.table import LocalTable
from visualizer.play.window import PlayWindow
from visualizer.window.clipboard import SystemClipboard
from visualizer.window.screen import open_screen

SIZES = ((1280, 800), (1024, 700), (640, 480))
SHOWN = {
    "start": "computers open join server name leave",
    "computers": "players people strength rules map colour begin back",
    "open": "meeting relay paste players computers rules map colour hands patience announced open it back",
    "join": "invitation paste look near back",
    "games": "back",
}
INVITATION = "/tmp/friends/table.git#catan-0-" + 42 * "x" + "g"
WORDS = "standard rules; all draw together; the others may go on without a player who is silent for 10 min; map default"
DIRECT = "git://192.0.2.1:9401/#direct-0-" + 42 * "x" + "g"
OFFERED = TermsRead(("Red", "Blue", "Green"), WORDS, ("Blue", "Green"))


@pytest.fixture(autouse=True)
def _home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CATAN_P2P_HOME", str(tmp_path / "home"))
    monkeypatch.setattr(People, "asked", [])


def new_lobby(path: Path) -> Lobby:
    return Lobby(
        settings(), path / "settings.json", lambda table: LocalTable(LeadPeers(table), ("Red",)), Pinned(), People
    )


class Pinned:
    """A clipboard of this process."""

    text = ""
    works = True

    def copy(self, text: str) -> bool:
        self.text = text if self.works else self.text
        return self.works

    def paste(self) -> str:
        return self.text


class People:
    """What waits for other people, as the lobby sees it: the test says what it tells."""

    asked: ClassVar[list[BeforeTable]] = []

    def __init__(self, order: BeforeTable) -> None:
        self.asked.append(order)
        self.news: list[News] = []
        self.given: list[Order] = []
        self.is_closed = threading.Event()

    def give(self, order: Order) -> None:
        self.given.append(order)

    def take(self) -> list[News]:
        found, self.news = self.news, []
        return found

    def close(self) -> None:
        self.is_closed.set()


class Front(Session):
    """A window with a lobby, whose tables are in memory."""

    def __init__(self, path: Path, size: tuple[int, int] = (1280, 800)) -> None:
        self.memory = Memory(position(3, phase="DiceRoll"))
        self.file, self.sat_down = path / "settings.json", []
        screen = open_screen(size)

        def sit_down(table: LocalTable, fullscreen: bool) -> PlayWindow:
            self.sat_down.append(table)
            self.memory = Memory(position(3, phase="DiceRoll"))
            feed: Callable[[LocalTable], object] = lambda table: self.memory  # noqa: E731
            link: Callable[..., object] = lambda sit, woken: MemoryLink(self.memory)  # noqa: E731
            return PlayWindow(
                table, screen, settings(), self.file, lambda _: None, feed=feed, link=link, fullscreen=fullscreen  # type: ignore[arg-type]
            )  # fmt: skip

        self.lobby = new_lobby(path)
        self.front = FrontWindow(self.lobby, screen, sit_down)
        super().__init__(self.front)  # type: ignore[arg-type]
        self.frame()

    def tell(self, *news: News) -> None:
        """What waits for other people says this."""
        self.people.news += news
        self.frame()

    @property
    def people(self) -> People:
        """What waits for other people."""
        found = self.lobby._link
        assert isinstance(found, People)
        return found

    def paste(self, text: str) -> None:
        """Press Ctrl+V, with this in the clipboard."""
        self.lobby._clipboard.copy(text)
        pygame.event.post(pygame.event.Event(pygame.KEYDOWN, key=pygame.K_v, unicode="\x16", mod=pygame.KMOD_LCTRL))
        self.frame()

    def shown(self) -> str:
        """The page, and what can be clicked there."""
        seen = self.screen
        return f"{seen.title}: {' '.join(one.name for one in seen.clickables)}"


def test_the_island_is_drawn_after_what_can_be_chosen(tmp_path: Path) -> None:
    with Front(tmp_path) as session:
        first = session.front.canvas.scene
        assert first is not None
        ground, dialog = first.layers
        assert not ground.shapes and dialog.shapes
        session.frame()
        second = session.front.canvas.scene
        assert second is not None
        assert second.layers[0].shapes and second.layers[1] == dialog


@pytest.mark.parametrize("hands", ["mouse", "keys"])
def test_a_game_against_computers_is_chosen_line_by_line(tmp_path: Path, hands: Hands) -> None:
    with Front(tmp_path) as session:
        assert session.shown() == f"start: {SHOWN['start']}"
        session.use("computers", hands)
        assert session.shown() == f"computers: {SHOWN['computers']}"
        for name in ("people", "strength", "rules", "colour"):
            session.use(name, hands)
        session.use("begin", hands)
        for _ in range(4):
            session.frame()
        (table,) = session.sat_down
        assert table.people == ("Blue", "Red")
        colours = ("Blue", "Red", "Green", "Orange")
        rules = at_one_screen("brief", 4)
        assert "Hands = hidden" in rules
        assert table.sit.new == NewTable(colours, frozenset({"Blue", "Red"}), rules, "default", "strategist:20ms")
        assert table.sit.path.parent == tables_folder()
        assert session.screen.seat == "Blue"


def test_the_arrows_change_a_line_both_ways_and_escape_goes_back(tmp_path: Path) -> None:
    with Front(tmp_path) as session:
        session.use("computers", "keys")
        for key in ("Down", "Left", "Left", "Right"):
            session.press(key)
        assert session.lobby.options.players == 3
        for key in ("Down", "Down", "Down", "Down", "Enter", "Tab", "Shift+Tab", "Left"):
            session.press(key)
        assert session.lobby.options.map == "default"
        session.press("Escape")
        assert session.screen.title == "start"
        session.press("q")
        assert not session.front.running


def test_a_game_that_cannot_be_is_told_at_once_and_not_begun(tmp_path: Path) -> None:
    with Front(tmp_path) as session:
        session.use("computers")
        session.use("players")
        session.use("map")
        assert session.screen.notice == "There is no such game: beginners: for at most 4 players, not 5"
        session.use("begin")
        session.frame()
        assert not session.sat_down
        assert session.screen.title == "computers"
        session.use("map")
        assert not session.screen.notice


def test_every_game_that_the_lobby_accepts_can_be_laid(tmp_path: Path) -> None:
    rng = Random(3)
    lobby = new_lobby(tmp_path)
    laid = 0
    lobby.turn_to("computers")
    while laid < 2:
        for name in ("players", "people", "strength", "rules", "map", "colour"):
            for _ in range(rng.randrange(len(MAPS))):
                lobby.obey(("value", name))
        lobby.obey(("lobby", "begin"))
        if isinstance(lobby.goes_to, LocalTable):
            assert lobby.goes_to.sit.new is not None
            lay(tmp_path / f"table {laid}", lobby.goes_to.sit.new)
            laid += 1
        else:
            assert lobby.notice


def test_the_game_that_was_left_last_is_gone_on_with(tmp_path: Path) -> None:
    left = tables_folder() / "2026-11-24 02.31.05"
    lay(left, NewTable(("Red", "Blue"), frozenset({"Red"}), seed=1))
    with Front(tmp_path) as session:
        assert session.shown() == f"start: go on {SHOWN['start']}"
        session.press("Enter")
        session.frame()
        (table,) = session.sat_down
        assert (table.sit.path, table.sit.new) == (left, None)


@pytest.mark.parametrize(("player", "page"), [(1, "open"), (2, "join")])
def test_after_a_game_between_people_its_host_opens_the_next_one_there(tmp_path: Path, player: int, page: str) -> None:
    lobby = new_lobby(tmp_path)
    lobby.typed["join"] = INVITATION
    seat = tmp_path / "seat"
    with GitStore.create(seat):
        pass
    write_seat(seat, SeatSettings("Red", 1, relay="https://git.example.org/table.git"))
    lobby.meet_again(seat, player, 5)
    assert lobby.page == page
    assert (lobby.typed["open"], lobby.typed["join"]) == ("https://git.example.org/table.git", "")
    assert (lobby.options.players, lobby.options.map, lobby.options.computers) == (5, "large", 0)
    write_seat(seat, SeatSettings("Red", 1, listen="0.0.0.0:9401", computers={"Green": "builder"}))
    lobby.meet_again(seat, player, 3)
    assert (lobby.page, lobby.options.meeting, lobby.options.players) == (page, "in this network", 3)
    assert (lobby.options.computers, lobby.options.strength) == (1, "good")
    lobby.turn_to()
    lobby.meet_again(tmp_path / "a table of computers", player, 3)
    assert lobby.page == "start"


def test_another_game_and_a_table_that_fails_lead_back_to_the_lobby(tmp_path: Path) -> None:
    with Front(tmp_path) as session:
        session.use("computers")
        session.use("begin")
        for _ in range(3):
            session.frame()
        assert session.front.table is not None
        session.front.table.session.goes_to = "new"
        session.frame()
        assert session.shown() == f"start: {SHOWN['start']}"
        session.use("computers")
        session.use("begin")
        for _ in range(4):
            session.memory.tell(TableFailed("the folder is gone"))
            session.frame()
        for _ in range(3):
            session.memory.tell(TableFailed("the folder is gone"))
            session.frame()
        assert session.screen.title == "failure"
        session.press("Enter")
        session.frame()
        assert session.screen.title == "start"
        assert session.screen.notice == "the folder is gone"
        assert session.front.running


def test_leaving_the_table_closes_the_window(tmp_path: Path) -> None:
    with Front(tmp_path) as session:
        session.use("computers")
        session.use("begin")
        for _ in range(3):
            session.frame()
        session.press("q")
        session.frame()
        assert not session.front.running


# Tables of people


def test_joining_looks_at_the_table_and_takes_any_free_seat(tmp_path: Path) -> None:
    with Front(tmp_path) as session:
        session.press("j")
        session.type("j")
        session.paste(f" {INVITATION}\n")
        assert session.lobby.typed["join"] == INVITATION
        session.use("paste")
        assert session.lobby.typed["join"] == INVITATION
        session.press("Enter")
        invitation = parse_invitation(INVITATION)
        assert invitation is not None
        assert People.asked == [ReadTerms(invitation)]
        people = session.people
        session.tell(OFFERED, TableFailed("the process that plays the game has ended unexpectedly"))
        assert people.is_closed.wait(60)
        assert session.shown() == "seat: Blue Green back"
        assert "All draw together\nThe others may go on" in session.lobby.menu.told
        session.use("Green")
        asked = People.asked[-1]
        assert isinstance(asked, JoinTable)
        assert (asked.invitation, asked.colour, asked.path.parent) == (invitation, "Green", tables_folder())
        session.tell(TableNews("Green has a seat; waiting for Red to begin"))
        assert session.lobby.menu.told == "Green has a seat; waiting for Red to begin"
        session.tell(GameBegun(asked.path))
        session.frame()
        assert [table.sit for table in session.sat_down] == [LeadPeers(asked.path)]


@pytest.mark.parametrize("hands", ["mouse", "keys"])
def test_a_table_in_this_network_asks_for_no_relay_and_is_announced_there(tmp_path: Path, hands: Hands) -> None:
    with Front(tmp_path) as session:
        session.use("open", hands)
        session.use("meeting", hands)
        assert session.shown() == f"open: {SHOWN['open'].replace(' relay paste', '')}"
        session.type("not typed anywhere")
        session.use("open it", hands)
        asked = People.asked[-1]
        assert isinstance(asked, OpenTable)
        assert (asked.place, asked.is_announced) == (("0.0.0.0", 0), True)
        session.tell(TableOpened(DIRECT, WORDS), TableNews("Red waits for Blue"))
        assert f"find yours. To others, send this line:\n{DIRECT}" in session.lobby.menu.told
        assert session.lobby.settings.relay == session.lobby.typed["open"] == ""
        session.press("Escape")
        session.use("open", hands)
        session.use("meeting", hands)
        assert session.lobby.options.announced == "no"


def test_a_guest_without_a_relay_is_found_here_and_asked_about_the_addresses_of_others(tmp_path: Path) -> None:
    with Front(tmp_path) as session:
        session.press("j")
        session.paste(DIRECT)
        session.use("look")
        session.tell(OFFERED)
        session.use("Green")
        asked = People.asked[-1]
        assert isinstance(asked, JoinTable)
        assert asked.listen == ("0.0.0.0", 0)
        for name, key in (("yes", "y"), ("no", "n")):
            session.tell(QuestionAsked("Blue gives the address git://192.0.2.1:9402/: use it?"))
            assert session.shown() == "waiting: yes no back"
            assert session.lobby.menu.told.endswith("use it?")
            session.press("Enter")  # nothing is agreed to by habit
            session.press(key)
            assert session.people.given.pop() == AnswerQuestion(name == "yes")
            assert session.shown() == "waiting: back"


def test_what_is_typed_while_the_window_starts_is_kept(tmp_path: Path) -> None:
    """The first picture takes half a second; whatever is typed until then comes in one frame."""
    with Front(tmp_path) as session:
        for letter in "ojj":
            code = pygame.key.key_code(letter)
            pygame.event.post(pygame.event.Event(pygame.KEYDOWN, key=code, unicode=letter, mod=0))
            pygame.event.post(pygame.event.Event(pygame.TEXTINPUT, text=letter))
        pygame.event.post(pygame.event.Event(pygame.TEXTINPUT, text="oo"))
        session.frame()
        assert session.lobby.page == "open"
        assert session.lobby.typed["open"] == "jjoo"


def test_the_key_that_opens_a_page_is_not_typed_there(tmp_path: Path) -> None:
    with Front(tmp_path) as session:
        pygame.event.post(pygame.event.Event(pygame.KEYDOWN, key=pygame.K_o, unicode="o", mod=0))
        pygame.event.post(pygame.event.Event(pygame.TEXTINPUT, text="o"))
        session.frame()
        session.type("/tmp")
        assert session.lobby.typed["open"] == "/tmp"


def test_the_lobby_promises_of_hidden_hands_what_the_documentation_does(tmp_path: Path) -> None:
    documented = " ".join(
        (Path(__file__).parents[3] / "docs/how-it-works/hidden.md").read_text(encoding="utf-8").split()
    )
    lobby = new_lobby(tmp_path)
    lobby.turn_to("open")
    assert lobby.options.hands == "hidden"
    lobby.point(("value", "hands"))
    assert lobby.menu.aside is not None
    promised = {
        "Until the end": "After the end everybody discloses a key that opens this game alone",
        "only robber and victim see what was stolen": "A victim always knows what was stolen.",
        "nobody else your development cards": "Nobody sees a development card before it is played.",
        "unless all others collude": "with `Leaving` and three or more players, all others but one",
    }
    for words, limit in promised.items():
        assert words in lobby.menu.aside.told
        assert limit in documented, f"the lobby still says: {words}"


def test_who_opens_a_table_in_a_folder_is_told_of_other_copies(tmp_path: Path) -> None:
    with Front(tmp_path) as session:
        session.use("open", "keys")
        session.type(str(tmp_path / "friends.git"))
        session.use("open it", "keys")
        session.use("open it", "keys")
        session.tell(TableOpened(INVITATION, WORDS))
        assert "that path replaces the part before the #." in session.lobby.menu.told


@pytest.mark.parametrize("hands", ["mouse", "keys"])
def test_opening_shows_the_invitation_and_who_has_come(tmp_path: Path, hands: Hands) -> None:
    with Front(tmp_path) as session:
        session.use("open", hands)
        session.type("https://git.example.org/table.git")
        session.use("players", hands)
        session.use("open it", hands)
        (asked,) = People.asked
        assert isinstance(asked, OpenTable)
        assert (asked.place, asked.rules, asked.map) == ("https://git.example.org/table.git", "standard", "default")
        assert asked.colours == ("Red", "Blue", "Green", "Orange", "White")
        session.tell(
            TableOpened(INVITATION, WORDS), TableNews("Red waits for Blue"), TableNews("Blue has come (2 of 2)")
        )
        assert INVITATION in session.lobby.menu.told
        assert "copy" not in session.lobby.menu.told
        assert session.lobby.menu.told.endswith("Red waits for Blue\nBlue has come (2 of 2)")
        session.use("copy", hands)
        assert session.lobby._clipboard.paste() == INVITATION
        session.tell(GameBegun(asked.path))
        session.frame()
        assert [table.sit for table in session.sat_down] == [LeadPeers(asked.path)]
        assert new_lobby(tmp_path).settings.relay == ""
        assert read_settings(tmp_path / "settings.json").relay == asked.place


WRONG = {
    "": "Paste the line",
    "hello": "This is not an invitation",
    INVITATION[:-1]: "The invitation was cut",
    f"{INVITATION}#": "The invitation was cut",
    f"{INVITATION}{INVITATION}": "The invitation was cut",
}


@pytest.mark.parametrize("text", WRONG)
def test_what_is_no_invitation_is_said_at_once_and_goes_with_the_next_letter(tmp_path: Path, text: str) -> None:
    with Front(tmp_path) as session:
        session.use("join")
        session.paste(text)
        session.use("look")
        assert session.screen.notice.startswith(WRONG[text]), session.screen.notice
        assert session.screen.title == "join"
        assert not People.asked
        session.use("invitation")
        session.type("x")
        assert not session.screen.notice


@pytest.mark.parametrize("relay", ["", "friends.git", "../friends"])
def test_no_relay_is_made_where_the_program_happens_to_be(tmp_path: Path, relay: str) -> None:
    with Front(tmp_path) as session:
        session.use("open")
        session.frame()
        session.type(relay)
        session.press("Enter")
        assert session.screen.notice.startswith("Type ")
        assert not People.asked


@pytest.mark.parametrize("hands", ["keys", "mouse"])
def test_a_folder_that_does_not_exist_is_made_only_when_asked_again(tmp_path: Path, hands: str) -> None:
    with Front(tmp_path) as session:
        session.use("open", hands)
        session.frame()
        session.type(str(tmp_path / "frends.git"))
        session.use("open it", hands)
        assert session.screen.notice == "There is no such folder. Do it again to make it a new relay."
        session.type("/other")
        session.use("open it", hands)
        assert session.screen.notice.startswith("There is no such folder.")
        assert not People.asked
        session.use("open it", hands)
        assert session.screen.title == "waiting" and People.asked
    People.asked.clear()


def test_a_table_that_cannot_be_reached_is_said_where_it_can_be_mended(tmp_path: Path) -> None:
    with Front(tmp_path) as session:
        session.use("join")
        session.paste(INVITATION)
        session.use("look")
        session.tell(TableFailed("no such host\x1b[2J"))
        assert (session.screen.title, session.screen.notice) == ("join", "No seat was taken: no such host\\x1b[2J")
        session.press("Escape")
        assert session.screen.title == "start"
        session.use("open")
        session.frame()
        session.type("https://nobody.invalid/")
        session.press("Enter")
        session.tell(TableFailed("no such host"))
        assert (session.screen.title, session.screen.notice) == ("open", "No table was opened: no such host")


def test_escape_ends_what_waits_and_leads_back(tmp_path: Path) -> None:
    with Front(tmp_path) as session:
        session.use("join")
        session.paste(INVITATION)
        session.use("look")
        looking = session.people
        session.press("Escape")
        assert looking.is_closed.wait(60)
        assert session.shown() == f"join: {SHOWN['join']}"
        session.use("look")
        session.tell(OFFERED)
        session.press("Escape")
        assert session.screen.title == "join"
        session.use("look")
        session.tell(replace(OFFERED, free=()))
        assert session.screen.notice == "Every seat at this table is taken."
        session.press("Escape")
        session.press("Escape")
        assert session.screen.title == "start"


def test_a_clipboard_that_does_not_work_is_told(tmp_path: Path) -> None:
    with Front(tmp_path) as session:
        session.use("open")
        session.frame()
        session.type("https://git.example.org/table.git")
        session.press("Enter")
        session.tell(TableOpened(INVITATION, WORDS))
        session.lobby._clipboard.works = False  # type: ignore[attr-defined]
        session.press("c")
        assert session.screen.notice == "The clipboard does not take the line: type it elsewhere."


def test_the_clipboard_of_the_system_keeps_what_is_copied(tmp_path: Path) -> None:
    with Front(tmp_path):
        assert SystemClipboard().copy("grün #1")
        assert SystemClipboard().paste() == "grün #1"


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("page", SHOWN)
def test_nothing_of_a_page_is_cut_or_outside(tmp_path: Path, page: str, size: tuple[int, int]) -> None:
    lobby, measure = new_lobby(tmp_path), FontSet(system=False).width
    lobby.turn_to(page)
    check_page(lobby, size, measure)


@pytest.mark.parametrize("size", SIZES)
def test_nothing_of_a_table_of_people_is_cut_or_outside(tmp_path: Path, size: tuple[int, int]) -> None:
    lobby, measure = new_lobby(tmp_path), FontSet(system=False).width
    lobby.turn_to("join", "No seat was taken: https://git.example.org/friends/table.git: unable to access " + 99 * "x")
    lobby.typed["join"] = "https://git.example.org/" + 200 * "x" + INVITATION
    check_page(lobby, size, measure)
    lobby.obey(("lobby", "look"))
    news: list[tuple[News, ...]] = [(), (TermsRead(COLOURS, WORDS, COLOURS[1:]),)]
    for told in news:
        lobby._link.news += told  # type: ignore[union-attr]
        lobby.tick()
        check_page(lobby, size, measure)
    lobby.obey(("seat", "Blue"))
    lobby._link.news.append(QuestionAsked(f"Green gives the address git://[{'f' * 39}]:65535/: use it?"))  # type: ignore[union-attr]
    lobby.tick()
    check_page(lobby, size, measure)
    lobby.turn_to("open")
    lobby.obey(("value", "meeting"))
    check_page(lobby, size, measure)
    lobby.obey(("value", "meeting"))
    lobby.typed["open"] = "/tmp/friends"
    lobby.obey(("lobby", "open it"))
    lines = [
        TableNews(f"Red waits for {' and '.join(COLOURS[1:])}"),
        *(TableNews(f"{c} has come (2 of 6)") for c in COLOURS[1:]),
    ]
    lobby._link.news += [TableOpened("https://git.example.org/" + 60 * "x" + INVITATION, WORDS), *lines]  # type: ignore[union-attr]
    lobby.tick()
    check_page(lobby, size, measure)


def check_page(lobby: Lobby, size: tuple[int, int], measure: TextMeasure) -> None:
    """Everything of a page lies in the window, no text is shortened, and no two lines lie on each other."""
    scene = lobby_scene(lobby, size, measure)
    (dialog,) = (layer for layer in scene.layers if layer.name == "dialog")
    texts = [shape for shape in dialog.shapes if isinstance(shape, Text)]
    assert not [text.text for text in texts if "…" in text.text]
    lines = [target.box for target in scene.targets if target.is_button]
    assert all(Rect(0, 0, *size).holds(line) for line in lines)
    assert not [line for i, line in enumerate(lines) for other in lines[:i] if line.overlaps(other)]
    for text in texts:
        width = measure(text.text, text.size, text.bold)
        assert 0 <= text.x - text.align * width <= text.x + (1 - text.align) * width <= size[0], text


def test_a_name_is_kept_and_goes_to_the_table(tmp_path: Path) -> None:
    with Front(tmp_path) as session:
        session.use("name", "keys")
        session.type(" Ada<")
        session.press("Enter")
        assert session.screen.title == "name"
        assert session.screen.notice
        session.press("Backspace")
        session.press("Enter")
        assert session.screen.title == "start"
        assert read_settings(session.file).name == "Ada"
        session.use("open", "keys")
        session.type("https://git.example.org/table.git")
        session.press("Enter")
        assert isinstance(People.asked[-1], OpenTable)
        assert (People.asked[-1].name, People.asked[-1].is_announced) == ("Ada", False)
        session.press("Escape")
        session.use("computers")
        session.use("begin")
        session.frame()
        assert session.sat_down[-1].sit.new is not None
        assert session.sat_down[-1].sit.new.names == (("Red", "Ada"),)


@pytest.mark.parametrize("hands", ["mouse", "keys"])
def test_tables_in_this_network_are_listed_and_looked_at(tmp_path: Path, hands: Hands) -> None:
    with Front(tmp_path) as session:
        session.use("join", hands)
        session.use("near", hands)
        assert People.asked[-1] == FindTables()
        assert session.shown() == "near: back"
        session.tell(TablesFound(()))
        assert "No table is announced" in session.lobby.menu.told
        session.tell(TablesFound(((INVITATION, f"Red, Blue: {WORDS}"), (INVITATION[:-1] + "h", "\x1b[31mBlue, Green"))))
        assert session.shown() == "near: table 1 table 2 back"
        assert "\x1b" not in session.lobby.menu.items[1].words
        session.use("table 1", hands)
        assert isinstance(People.asked[-1], ReadTerms)
        assert str(People.asked[-1].invitation) == INVITATION
        session.press("Escape")
        session.use("near", "keys")
        session.tell(TableFailed("zeroconf, which is not installed"))
        assert session.screen.title == "join"
        assert session.screen.notice == "Zeroconf, which is not installed."


def test_who_has_come_is_seen_while_one_waits(tmp_path: Path) -> None:
    with Front(tmp_path) as session:
        session.use("open", "keys")
        session.type("https://git.example.org/table.git")
        session.press("Enter")
        session.tell(TableOpened(INVITATION, WORDS), TableNews("Red waits for Blue, Green and Orange"))
        session.tell(TableNews("Green, Ada, has come (2 of 4)"), PlayerArrived("Green"), PlayerArrived("Blue"))
        assert session.lobby.menu.seats == (("Red", True), ("Blue", True), ("Green", True), ("Orange", False))


@pytest.mark.parametrize("page", ["computers", "open"])
def test_every_value_of_every_choice_is_explained(tmp_path: Path, page: str) -> None:
    """By a sentence, and the map by a picture of how the game begins on it."""
    lobby = new_lobby(tmp_path)
    lobby.turn_to(page)
    lobby.options = replace(lobby.options, computers=1)
    told: dict[str, set[str]] = {}
    for item in [item for item in lobby.menu.items if item.id[0] == "value"]:
        first = str(getattr(lobby.options, item.name))
        while True:
            lobby.obey(item.id)
            aside, note = lobby.menu.aside, getattr(lobby.options, item.name)
            assert aside is not None
            assert aside.title.endswith(f": {note}")
            told.setdefault(item.name, set()).add(f"{aside.told}")
            if str(note) == first:
                break
            assert (aside.begins is None) is bool(lobby.notice)
    assert not [name for name, words in told.items() if len(words) < 2 or min(map(len, words)) < 15]
    assert len(told["map"]) == len(MAPS)


def test_what_is_pointed_at_is_explained_by_mouse_and_by_keyboard(tmp_path: Path) -> None:
    with Front(tmp_path) as session:
        session.use("open")
        place = next(one.area for one in session.screen.clickables if one.name == "patience")
        middle = (int(place[0] + place[2] / 2), int(place[1] + place[3] / 2))
        pygame.event.post(pygame.event.Event(pygame.MOUSEMOTION, pos=middle, rel=(0, 0), buttons=(0, 0, 0)))
        session.frame()
        assert session.lobby.menu.aside is not None
        assert session.lobby.menu.aside.title == "Wait for a silent player: 10 minutes"
        session.press("Tab")
        session.press("Tab")
        assert session.lobby.menu.aside.title == "Players: 4"
        session.press("Shift+Tab")
        session.press("Shift+Tab")
        assert session.lobby.menu.aside.title == "The relay"


@pytest.mark.parametrize("hands", ["mouse", "keys"])
def test_patience_and_computers_are_chosen_and_go_to_the_table(tmp_path: Path, hands: Hands) -> None:
    with Front(tmp_path) as session:
        session.use("open", hands)
        session.type("https://git.example.org/table.git")
        for name in ("computers", "computers", "strength", "patience"):
            session.use(name, hands)
        session.use("open it", hands)
        (asked,) = People.asked
        assert isinstance(asked, OpenTable)
        assert asked.patience_s == 3600
        assert asked.computers == (("Green", "strategist:20ms"), ("Orange", "strategist:20ms"))


def test_a_guest_keeps_a_seat_however_many_computers_are_chosen() -> None:
    options = NewGameOptions(players=4)
    assert [(options := options.changed("computers", 1)).computers for _ in range(4)] == [1, 2, 0, 1]
    assert options.changed("computers", -1).changed("computers", -1).computers == 2
    assert replace(options, computers=2).changed("players", -1).computer_seats == ("Green",)
    assert replace(options, players=2, computers=0).changed("computers", 1).computers == 0


def test_one_can_wait_again_at_a_table_of_five_whatever_is_chosen_for_the_next(tmp_path: Path) -> None:
    colours = ("Red", "Blue", "Green", "Orange", "White")
    agreed = {"host": True, "relay": "/relay", "colours": [*colours]}
    with waiting_room(tables_folder() / "2026-11-30_11.00.00", "unused", agreed):
        pass
    with Front(tmp_path) as session:
        session.lobby.options = NewGameOptions(rules="thesis", map="beginners")
        session.use("wait")
        order = People.asked[-1]
        assert isinstance(order, OpenTable)
        assert not NewGameOptions(players=len(order.colours), rules=order.rules, map=order.map).problem()


GAMES = [f"2026-11-{day:02}_10.00.00" for day in range(1, 12)]


@pytest.mark.parametrize("hands", ["mouse", "keys"])
def test_all_games_are_listed_with_names_and_whose_turn_it_is(tmp_path: Path, hands: Hands) -> None:
    for name in GAMES:
        lay(tables_folder() / name, NewTable(("Red", "Blue"), frozenset({"Red"})))
    lay(tables_folder() / f"{GAMES[3]}.computers", NewTable(("Red", "Blue"), frozenset({"Red"})))
    with waiting_room(tables_folder() / "2026-11-30_11.00.00", "unused", {"host": True, "colours": ["Red", "Blue"]}):
        pass
    with Front(tmp_path) as session:
        assert session.shown() == f"start: go on games wait {SHOWN['start']}"
        session.use("games", hands)
        assert People.asked[-1] == ListGames()
        assert session.shown() == f"games: {' '.join(f'game {n}' for n in range(1, 9))} more games back"
        newest, second, third, *_ = session.lobby.menu.items
        assert (newest.words, newest.note) == ("2026-11-30, 11:00: a table of Red and Blue", "waits for players")
        assert (second.words, second.note) == ("2026-11-11, 10:00", "")
        path, other = tables_folder() / GAMES[-1], tables_folder() / GAMES[-2]
        session.tell(
            UnfinishedGame(path, ("Ada (Blue)", "2 computers"), ("Ada (Blue)",), False),
            UnfinishedGame(other, ("a computer",), ("Red", "Blue"), True),
        )
        newest, second, third, *_ = session.lobby.menu.items
        assert second.words == "2026-11-11, 10:00, with Ada (Blue) and 2 computers"
        assert (second.note, third.note) == ("waits for Ada (Blue)", "your turn")
        assert third.words == "2026-11-10, 10:00, with a computer"
        session.use("more games", hands)
        assert session.shown() == "games: game 1 game 2 game 3 game 4 more games back"
        assert session.lobby.menu.items[4].note == "page 2 of 2"
        session.use("game 4", hands)
        for _ in range(3):
            session.frame()
        assert [table.sit.path for table in session.sat_down] == [tables_folder() / GAMES[0]]
        assert session.lobby._link is None, "nothing reads the other games any more"


def test_a_game_is_read_as_whose_turn_it_is() -> None:
    lay(
        tables_folder() / GAMES[0],
        NewTable(
            ("Red", "Blue", "Green"), frozenset({"Red", "Green"}), "thesis", names=(("Red", "Ada"), ("Green", "Bo"))
        ),
    )
    lay(tables_folder() / GAMES[1], NewTable(("Blue", "Red"), frozenset({"Red"}), "thesis"))
    told: list[News] = []
    attend(ListGames(), told.append, lambda: False)
    assert told == [
        UnfinishedGame(tables_folder() / GAMES[1], ("a computer",), ("Blue",), False),
        UnfinishedGame(tables_folder() / GAMES[0], ("Bo (Green)", "a computer"), ("Ada (Red)",), True),
    ]


def test_the_picture_has_everybodys_colour() -> None:
    lobby = new_lobby(Path("unused"))
    lobby.turn_to("computers")
    lobby.options = replace(lobby.options, colour="White", map="beginners", players=3)
    scene = lobby_scene(lobby, (1280, 800), FontSet(system=False).width)
    sprites = [shape.name for layer in scene.layers for shape in layer.shapes if isinstance(shape, Sprite)]
    assert {key[1] for key in sprites if key[0] == "village"} == {"White", "Red", "Blue"}
