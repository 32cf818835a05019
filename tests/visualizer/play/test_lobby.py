"""The lobby: a window without a table, in which everything is reached by mouse and by keyboard."""

from dataclasses import replace
from pathlib import Path
from random import Random

import pygame
import pytest

from catan_p2p.game.board import MAPS
from catan_p2p.log.storage.store import GitStore
from catan_p2p.sessions.before_table import attend
from catan_p2p.sessions.messages import (
    ListGames,
    News,
    OpenTable,
    QuestionAsked,
    TableFailed,
    TableNews,
    TableOpened,
    TermsRead,
    UnfinishedGame,
)
from catan_p2p.sessions.new_table import NewTable, lay
from catan_p2p.sessions.saved_games import tables_folder
from catan_p2p.tables.seat import SeatSettings
from catan_p2p.tables.seat import write_settings as write_seat
from catan_p2p.tables.waiting_room import waiting_room
from tests.visualizer.play.front import INVITATION, SHOWN, WORDS, Front, new_lobby
from tests.visualizer.play.person import COLOURS, Hands
from visualizer.drawing.fonts import FontSet
from visualizer.pictures.scene import TextMeasure
from visualizer.pictures.shapes import Rect, Sprite, Text
from visualizer.play.front_window import lobby_scene
from visualizer.play.lobby import Lobby
from visualizer.play.new_game_options import NewGameOptions
from visualizer.play.table import LocalTable
from visualizer.window.clipboard import SystemClipboard

SIZES = ((1280, 800), (1024, 700), (640, 480))
pytestmark = pytest.mark.usefixtures("home")


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
        assert session.shown == f"start: go on {SHOWN['start']}"
        session.do("press Enter; frame")
        assert (session.table.sit.path, session.table.sit.new) == (left, None)


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
        session.do("use computers; use begin; frame; frame; frame")
        assert session.front.table is not None
        session.front.table.session.goes_to = "new"
        session.frame()
        assert session.shown == f"start: {SHOWN['start']}"
        session.do("use computers; use begin")
        for _ in range(4):
            session.memory.tell(TableFailed("the folder is gone"))
            session.frame()
        for _ in range(3):
            session.memory.tell(TableFailed("the folder is gone"))
            session.frame()
        assert session.screen.title == "failure"
        session.do("press Enter; frame")
        assert session.screen.title == "start"
        assert session.screen.notice == "the folder is gone"
        assert session.front.running


# Tables of people


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
        order = session.asked
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
        assert session.shown == f"start: go on games wait {SHOWN['start']}"
        session.use("games", hands)
        assert session.asked == ListGames()
        assert session.shown == f"games: {' '.join(f'game {n}' for n in range(1, 9))} more games back"
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
        assert session.shown == "games: game 1 game 2 game 3 game 4 more games back"
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
