"""A table in memory: a real window whose game begins at any position, without Git and without processes."""

from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

from catan_p2p.game.actions import Action, Excuse
from catan_p2p.game.actions.replies import is_reply
from catan_p2p.game.rules import NotEnabled, apply, draw_or_call
from catan_p2p.game.state import State
from catan_p2p.log.game import new_game
from catan_p2p.sessions.messages import ActionDone, ActionRefused, CarryOut, LeadPeers
from tests.visualizer.play.person import COLOURS, Session, settings
from visualizer.data.feed import FeedUpdate
from visualizer.data.recording import PlayedStep
from visualizer.drawing.fonts import FontSet
from visualizer.drawing.renderer import SceneRenderer
from visualizer.play.settings import WindowSettings
from visualizer.play.table import LocalTable
from visualizer.play.window import PlayWindow
from visualizer.view import ViewSituation
from visualizer.window.screen import open_screen


class Memory:
    """The game at the table: a feed and a link at once."""

    def __init__(self, state: State) -> None:
        self.state = state
        self.done: list[Action] = []
        """What was carried out, as it was decided on."""
        self.orders: list[object] = []
        self._news: list[object] = []
        self._game = new_game(0, state.constants, COLOURS[: state.constants.player_count])
        self._commits = [PlayedStep("0" * 40, (), "Red_0", None, state)]
        self._updates = [FeedUpdate(self._game, 0, tuple(self._commits), {}, ViewSituation(following=True))]

    def carry_out(self, action: Action) -> None:
        """Anybody does something."""
        made = draw_or_call(self.state, action, Random(1))
        self.state = apply(self.state, made)
        commit = f"{len(self._commits):040x}"
        branch = f"{COLOURS[action.player - 1]}_0" + ("_answer" if is_reply(action) else "")
        self._commits.append(PlayedStep(commit, (self._commits[-1].commit,), branch, made, self.state))
        kept = len(self._commits) - 1
        self._updates.append(FeedUpdate(self._game, kept, (self._commits[-1],), {}, ViewSituation(following=True)))

    # As a feed

    def start(self) -> None:
        pass

    def stop(self) -> None:
        pass

    def look(self) -> None:
        pass

    def choose(self, peer: str | None) -> None:
        pass

    def take(self, timeout_s: float | None = None) -> list[FeedUpdate] | list[object]:  # type: ignore[override]
        """A feed's updates; a link's news have no timeout, and are taken by ``news``."""
        found, self._updates = self._updates, []
        return found

    # As a link

    def give(self, order: object) -> None:
        self.orders.append(order)
        if isinstance(order, CarryOut):
            try:
                if not isinstance(order.action, Excuse):  # a vote, which changes nothing by itself
                    self.carry_out(order.action)
            except NotEnabled as error:
                self._news.append(ActionRefused(order.colour, "the rules do not allow it", error.guards))
                return
            self.done.append(order.action)
            self._news.append(ActionDone(order.colour))

    def tell(self, news: object) -> None:
        """Let the link tell something."""
        self._news.append(news)

    def news(self) -> list[object]:
        found, self._news = self._news, []
        return found


class MemoryLink:
    """The link's side of a table in memory."""

    def __init__(self, memory: Memory) -> None:
        self._memory = memory
        self.give = memory.give
        self.take = memory.news

    def close(self) -> None:
        pass


_RENDERER = SceneRenderer(FontSet())
"""What one window has drawn need not be drawn again by the next."""


def memory_session(
    path: Path,
    state: State,
    people: tuple[str, ...] = ("Red",),
    size: tuple[int, int] = (800, 600),
    options: WindowSettings | None = None,
    opens_hands: bool = False,
) -> tuple[Session, Memory]:
    """A window at a table in memory."""
    memory = Memory(state)
    table = LocalTable(LeadPeers(path / "table"), people)
    feed: Callable[[LocalTable], Any] = lambda table: memory  # noqa: E731
    link: Callable[..., Any] = lambda sit, woken: MemoryLink(memory)  # noqa: E731
    window = PlayWindow(
        table, open_screen(size), options or settings(), path / "settings.json", lambda _: table,
        opens_hands=opens_hands, feed=feed, link=link,
    )  # fmt: skip
    window.viewer.canvas.renderer = _RENDERER
    session = Session(window)
    for _ in range(3):
        session.frame()
    return session, memory
