"""A window with the lobby, where a test says what other people do."""

import threading
from collections.abc import Callable
from pathlib import Path
from types import FunctionType
from typing import ClassVar, Self

import pygame

from catan_p2p.sessions.messages import BeforeTable, LeadPeers, News, Order
from tests.positions import position
from tests.visualizer.play.memory import Memory, MemoryLink
from tests.visualizer.play.person import Hands, Session, settings
from visualizer.play.front_window import FrontWindow
from visualizer.play.lobby import Lobby
from visualizer.play.settings import WindowSettings, read_settings
from visualizer.play.table import LocalTable
from visualizer.play.window import PlayWindow
from visualizer.window.screen import open_screen

SHOWN = {
    "start": "computers open join server name leave",
    "computers": "players people strength rules map colour begin back",
    "open": "meeting relay paste players computers rules map colour hands patience announced open it back",
    "join": "invitation paste look near back",
    "games": "back",
}
INVITATION = "/tmp/friends/table.git#catan-0-" + 42 * "x" + "g"
WORDS = "standard rules; all draw together; the others may go on without a player who is silent for 10 min; map default"


def new_lobby(path: Path) -> Lobby:
    return Lobby(
        settings(), path / "settings.json", lambda table: LocalTable(LeadPeers(table), ("Red",)), Pinned(), People
    )


class Pinned:
    """A clipboard of this process."""

    works = True

    def __init__(self, text: str = "") -> None:
        self.text = text

    def copy(self, text: str) -> bool:
        self.text = text if self.works else self.text
        return self.works

    def paste(self) -> str:
        return self.text


class People:
    """What waits for other people, as the lobby sees it: the test says what it tells."""

    links: ClassVar[list[Self]] = []
    """All that were made in this test."""

    def __init__(self, order: BeforeTable) -> None:
        self.links.append(self)
        self.order = order
        self.news: list[News] = []
        self.given: list[Order] = []
        self._closed = threading.Event()

    @property
    def is_closed(self) -> bool:
        """Whether it is closed, within a minute."""
        return self._closed.wait(60)

    def give(self, order: Order) -> None:
        self.given.append(order)

    def take(self) -> list[News]:
        found, self.news = self.news, []
        return found

    def close(self) -> None:
        self._closed.set()


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
        link = self.lobby._link
        assert isinstance(link, People)
        link.news += news
        self.frame()

    @property
    def link(self) -> People:
        """What waited last for other people."""
        return People.links[-1]

    @property
    def asked(self) -> BeforeTable:
        """The last order to it."""
        return self.link.order

    @property
    def orders(self) -> list[BeforeTable]:
        """All orders, the last one last."""
        return [link.order for link in People.links]

    @property
    def table(self) -> LocalTable:
        """The only table at which the person sat down."""
        (table,) = self.sat_down
        return table

    @property
    def settings_on_disk(self) -> WindowSettings:
        return read_settings(self.file)

    @property
    def words(self) -> str:
        """The words of all lines."""
        return "\n".join(item.words for item in self.lobby.menu.items)

    def paste(self, text: str) -> None:
        """Press Ctrl+V, with this in the clipboard."""
        self.lobby._clipboard.copy(text)
        self.press("Ctrl+V")

    def point(self, name: str) -> None:
        """Move the mouse to the middle of a line."""
        x, y, w, h = self.find(name).area
        pos = (x + w // 2, y + h // 2)
        pygame.event.post(pygame.event.Event(pygame.MOUSEMOTION, pos=pos, rel=(0, 0), buttons=(0, 0, 0)))
        self.frame()

    def do(self, done: object, hands: Hands = "mouse") -> None:
        """Do each of the steps ``use``, ``press``, ``type``, ``paste``, ``point`` and ``frame``, separated by "; ".

        What is no text is a function to call, or news that come in one frame.
        """
        if isinstance(done, FunctionType):
            done(self)
        elif not isinstance(done, str):
            self.tell(*done if isinstance(done, list) else [done])
        else:
            for step in done.split("; ") if done else ():
                verb, *name = step.replace("{here}", str(self.file.parent)).split(" ", 1)
                if verb == "use":
                    self.use(name[0], hands)
                else:
                    getattr(self, verb)(*name)

    @property
    def shown(self) -> str:
        """The page, and what can be clicked there."""
        seen = self.screen
        return f"{seen.title}: {' '.join(one.name for one in seen.clickables)}"
