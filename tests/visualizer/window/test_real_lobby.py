"""The lobby in a real window on a virtual display: typed, copied and pasted there, beside a lobby of the test's own."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from catan_p2p.log.keys import read_private_key, spell_public_key
from catan_p2p.sessions.messages import BeforeTable, LeadPeers, News, TableNews, TableOpened, TermsRead
from catan_p2p.sessions.saved_games import seats_here, tables_folder, waiting_tables
from catan_p2p.tables.invitation import Invitation, pin_of
from catan_p2p.tables.waiting_folder import room_folder
from tests.visualizer.play.front import Pinned
from tests.visualizer.play.person import settings
from tests.visualizer.play.x_display import lacking
from tests.visualizer.window.test_real_window import PATIENCE_S, SIZE, Display, ShownProgram, _wait
from visualizer.play.front_window import lobby_scene
from visualizer.play.lobby import Lobby
from visualizer.play.settings import write_settings
from visualizer.play.table import LocalTable
from visualizer.view import TargetId

pytestmark = pytest.mark.skipif(lacking() is not None, reason=lacking() or "")
TERMS = (
    "standard rules; all draw together; rolls come at once, and two neighbours who collude could foresee one; "
    "nobody sees another's hand; the others may go on without a player who is silent for 10 min; "
    "an offer may be to one player alone; at most 10 offers and 10 proposals a turn; map default"
)
_KEYS = {"Enter": "Return", "Ctrl+V": "ctrl+v"}


class Expected(Pinned):
    """The link and the clipboard of the test's own lobby, where the test says what comes of them."""

    def __init__(self) -> None:
        super().__init__()
        self.news: list[News] = []

    def __call__(self, order: BeforeTable) -> Expected:
        return self

    def take(self) -> list[News]:
        found, self.news = self.news, []
        return found

    def close(self) -> None:
        pass


class Program(ShownProgram):
    """The program in its window, and the lobby that it should show."""

    def __init__(self, display: Display, folder: Path) -> None:
        home = folder / "home"
        write_settings(home / "settings.json", settings())
        super().__init__(display, folder, "play")
        self.expected = Expected()
        self.lobby = Lobby(
            settings(), home / "unused.json", lambda path: LocalTable(LeadPeers(path), ()), self.expected, self.expected  # type: ignore[arg-type]
        )  # fmt: skip

    def shows(self) -> None:
        self.shows_scene(lobby_scene(self.lobby, SIZE, self.fonts.width))

    def press(self, *keys: str) -> None:
        """Press keys in the window, and in the lobby of the test."""
        for key in keys:
            self.display.do("key", _KEYS.get(key, key))
            self.lobby.press(key)
            self.lobby.tick()

    def type(self, text: str) -> None:
        self.display.do("type", text)
        self.lobby.type(text)

    def click(self, id: TargetId) -> None:
        """Click a line in the window, and in the lobby of the test."""
        self.click_in(lobby_scene(self.lobby, SIZE, self.fonts.width), id)
        self.lobby.obey(id)
        self.lobby.tick()


@pytest.fixture
def program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Program]:
    monkeypatch.setenv("CATAN_P2P_HOME", str(tmp_path / "home"))
    with closing(Display(tmp_path)) as display, closing(Program(display, tmp_path)) as program:
        yield program


def invitation_of_the_table() -> Invitation:
    """The invitation to the table that was opened, from what its host has kept."""
    ((path, agreed),) = waiting_tables()
    key = spell_public_key(read_private_key(room_folder(path) / "key"))
    return Invitation(agreed["relay"], agreed["number"], pin_of(key), bytes.fromhex(agreed["secret"]))


@pytest.mark.long
def test_a_table_is_opened_its_invitation_copied_and_a_game_begun(program: Program, tmp_path: Path) -> None:
    program.shows()
    program.press("o")
    program.shows()
    program.type(str(tmp_path / "friends.git"))
    program.press("Tab", "Tab", "Left", "Left")
    program.shows()
    program.click(("lobby", "open it"))
    program.shows()
    program.click(("lobby", "open it"))
    _wait(lambda: any("number" in agreed for _, agreed in waiting_tables()))
    invitation = invitation_of_the_table()
    new = TableNews(f"{tmp_path / 'friends.git'}: a new relay, since there is no such folder")
    program.expected.news += [new, TableOpened(str(invitation), f"Red, Blue: {TERMS}"), TableNews("Red waits for Blue")]
    program.lobby.tick()
    program.shows()
    program.press("c")
    program.shows()
    program.press("Escape", "j", "Ctrl+V")
    program.shows()
    program.press("Enter")
    program.expected.news.append(TermsRead(("Red", "Blue"), TERMS, ("Blue",)))
    program.lobby.tick()
    program.shows()
    program.press("Escape", "Escape")
    program.shows()
    program.click(("lobby", "computers"))
    program.shows()
    program.click(("lobby", "begin"))
    begun = tables_folder()
    _wait(lambda: any(not path.name.startswith(".") for path in begun.iterdir()))
    (table,) = (path for path in begun.iterdir() if not path.name.startswith("."))
    assert [seat.colour for seat in seats_here(table)] == ["Red", "Blue"]
    program.display.do("key", "q")
    assert program.process.wait(timeout=PATIENCE_S) == 0
