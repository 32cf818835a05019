"""The lobby: a window without a table, in which everything is reached by mouse and by keyboard."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from catan_p2p.game.board import MAPS
from catan_p2p.sessions.messages import Failed, Sit
from catan_p2p.sessions.new_table import NewTable, lay
from catan_p2p.sessions.saved_games import tables_folder
from tests.positions import position
from tests.visualizer.play.memory import Memory, MemoryLink
from tests.visualizer.play.person import Hands, Session, settings
from visualizer.drawing.fonts import Fonts
from visualizer.pictures.scene import Measure
from visualizer.pictures.shapes import Rect, Text
from visualizer.play.front import FrontWindow, lobby_scene
from visualizer.play.lobby import Lobby
from visualizer.play.table import Table
from visualizer.play.window import PlayWindow
from visualizer.window.screen import open_screen

SIZES = ((1280, 800), (1024, 700), (640, 480))
SHOWN = {
    "start": "computers leave",
    "computers": "players policy rules map colour begin back",
}


@pytest.fixture(autouse=True)
def _home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CATAN_P2P_HOME", str(tmp_path / "home"))


def new_lobby(path: Path) -> Lobby:
    return Lobby(settings(), path / "settings.json", lambda table: Table(Sit(table), ("Red",)))


class Front(Session):
    """A window with a lobby, whose tables are in memory."""

    def __init__(self, path: Path, size: tuple[int, int] = (1280, 800)) -> None:
        self.memory = Memory(position(3, phase="DiceRoll"))
        self.file, self.sat_down = path / "settings.json", []
        screen = open_screen(size)

        def sit_down(table: Table, fullscreen: bool) -> PlayWindow:
            self.sat_down.append(table)
            self.memory = Memory(position(3, phase="DiceRoll"))
            feed: Callable[[Table], object] = lambda table: self.memory  # noqa: E731
            link: Callable[..., object] = lambda sit, woken: MemoryLink(self.memory)  # noqa: E731
            return PlayWindow(
                table, screen, settings(), self.file, None, feed=feed, link=link, fullscreen=fullscreen  # type: ignore[arg-type]
            )  # fmt: skip

        self.front = FrontWindow(new_lobby(path), screen, sit_down)
        super().__init__(self.front)  # type: ignore[arg-type]
        self.frame()

    def shown(self) -> str:
        """The page, and what can be clicked there."""
        seen = self.screen
        return f"{seen.title}: {' '.join(one.name for one in seen.clickables)}"


@pytest.mark.parametrize("hands", ["mouse", "keys"])
def test_a_game_against_computers_is_chosen_line_by_line(tmp_path: Path, hands: Hands) -> None:
    with Front(tmp_path) as session:
        assert session.shown() == f"start: {SHOWN['start']}"
        session.use("computers", hands)
        assert session.shown() == f"computers: {SHOWN['computers']}"
        for name in ("policy", "rules", "colour"):
            session.use(name, hands)
        session.use("begin", hands)
        for _ in range(4):
            session.frame()
        (table,) = session.sat_down
        assert table.people == ("Blue",)
        colours = ("Blue", "Red", "Green", "Orange")
        assert table.sit.new == NewTable(colours, frozenset({"Blue"}), "thesis", "default", "strategist")
        assert table.sit.path.parent == tables_folder()
        assert session.screen.seat == "Blue"


def test_the_arrows_change_a_line_both_ways_and_escape_goes_back(tmp_path: Path) -> None:
    with Front(tmp_path) as session:
        session.use("computers", "keys")
        for key in ("Down", "Left", "Left", "Right"):
            session.press(key)
        assert session.front.lobby.wishes.players == 3
        for key in ("Down", "Down", "Down", "Enter", "Tab", "Shift+Tab", "Left"):
            session.press(key)
        assert session.front.lobby.wishes.map == "default"
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
    lobby.open("computers")
    while laid < 2:
        for name in ("players", "policy", "rules", "map", "colour"):
            for _ in range(rng.randrange(len(MAPS))):
                lobby.obey(("value", name))
        lobby.obey(("lobby", "begin"))
        if isinstance(lobby.goes_to, Table):
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
            session.memory.tell(Failed("the folder is gone"))
            session.frame()
        for _ in range(3):
            session.memory.tell(Failed("the folder is gone"))
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


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("page", SHOWN)
def test_nothing_of_a_page_is_cut_or_outside(tmp_path: Path, page: str, size: tuple[int, int]) -> None:
    lobby, measure = new_lobby(tmp_path), Fonts(system=False).width
    lobby.open(page)
    check_page(lobby, size, measure)


def check_page(lobby: Lobby, size: tuple[int, int], measure: Measure) -> None:
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
