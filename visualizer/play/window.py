"""The window in which people play: passes mouse and keyboard input to a session, and shows it."""

import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pygame

from catan_p2p.sessions.messages import LeadPeers
from catan_p2p.sessions.worker_client import WorkerLink

from ..control.replay import ReplayFeed
from ..data.feed import FeedSource
from ..view import RecordingView, TargetId
from ..window.frames import key_name, run_frames, wake
from ..window.screen import TITLE, Screen
from ..window.window import ViewerWindow
from .draft import SeatRequest
from .keyboard_observer import KeyboardObserver
from .menu import stepped
from .screen import ScreenDescription
from .session import ScreenSession
from .settings import WindowSettings
from .sound import SoundPlayer, sound_of
from .table import LocalTable, feed_of
from .table_view import FLASH_S, TableView
from .worker import TableWorker, WorkerLine

_ARROWS = {"Left": (-1, 0), "Right": (1, 0), "Up": (0, -1), "Down": (0, 1)}
_VIEWER_KEYS = frozenset({"Home", "End", "Page Up", "Page Down", "Left", "Right", "[", "]", "F11"})
# By key code: what Shift and a digit type depends on the layout of the keyboard.
_WITH_SHIFT = {pygame.K_TAB: "Tab"} | {getattr(pygame, f"K_{digit}"): str(digit) for digit in range(10)}
_SHIFTED = {"F1": "?"}


class PlayWindow:
    """A window with a seat: the viewer of the person's own repository, and their choices below.

    ``again`` makes the next table after one; if it returns None, the lobby takes over.
    """

    def __init__(
        self,
        table: LocalTable,
        screen: Screen,
        settings: WindowSettings,
        settings_file: Path,
        again: Callable[[LocalTable], LocalTable | None] = lambda table: table.again(),
        *,
        opens_hands: bool = False,
        link: Callable[[LeadPeers, Callable[[], None]], WorkerLine] = WorkerLink,
        feed: Callable[[LocalTable], FeedSource] = feed_of,
        fullscreen: bool = False,
    ) -> None:
        self._feed, self._link, self._again = feed, link, again
        self._settings, self._file, self._opens_hands = settings, settings_file, opens_hands
        self._sounds = SoundPlayer()
        self._was_on_turn = False
        self._typist = KeyboardObserver()
        self.viewer = ViewerWindow(feed(table), RecordingView(live=True), screen, settings.scale, fullscreen)
        self.viewer.has_seat = True
        self.session = self._session(table)
        self.table_view = TableView(self.session, self.viewer.canvas)

    def _session(self, table: LocalTable) -> ScreenSession:
        replay = self.viewer.replay

        def look() -> None:
            replay.feed.look()
            wake()

        worker = TableWorker(table, look, self._link, time.time)
        return ScreenSession(replay, worker, self._settings, self._file, opens_hands=self._opens_hands)

    @property
    def running(self) -> bool:
        """Whether the window is to stay open."""
        return self.viewer.running and self.session.goes_to != "away"

    def start(self) -> None:
        """Begin to read, and to play."""
        self.session.start()
        if self._settings.sound:  # now, since opening the sound card later would delay a frame
            self._sounds.prepare()

    def leave(self) -> None:
        """Stop playing; the window stays open."""
        self.session.stop()

    def stop(self) -> None:
        """Stop playing, and close the window."""
        self.leave()
        self.viewer.canvas.screen.close()

    def run(self) -> None:
        """Play until the window is closed."""
        run_frames(self)

    def show(self) -> bool:
        """Draw the current picture; returns whether it has changed."""
        self.viewer.canvas.scale = self._settings.scale
        return self.viewer.canvas.draw(self.table_view.scene())

    def describe(self) -> ScreenDescription:
        """What is on the screen, for scripts."""
        return self.table_view.describe()

    # Time

    def tick(self, seconds: float) -> None:
        """Let this many seconds pass."""
        if self.session.goes_to == "new" and (table := self._again(self.session.worker.table)) is not None:
            self._change_table(table)
        self.viewer.tick(seconds)
        self.session.tick()
        self._call()
        if (step := self.table_view.advance(seconds)) is not None:
            self._sound("end" if step.state.is_over else sound_of(step))

    def _change_table(self, table: LocalTable) -> None:
        """Leave this table for another one."""
        self.session.stop()
        self.viewer.replay = ReplayFeed(self._feed(table), RecordingView(live=True, tab=self.viewer.replay.view.tab))
        self.session = self._session(table)
        self.table_view = TableView(self.session, self.viewer.canvas)
        self.session.start()

    def _call(self) -> None:
        """Alert the person when their turn begins: by a flash, a sound, and the title of the window."""
        is_on_turn, screen = self.session.is_on_turn, self.viewer.canvas.screen
        if is_on_turn and not self._was_on_turn:
            self.table_view.flash_s = FLASH_S
            screen.set_title(f"Your turn - {TITLE}")
            self._sound("turn")
        elif not is_on_turn and self._was_on_turn:
            screen.set_title(TITLE)
        self._was_on_turn = is_on_turn

    def _sound(self, name: str) -> None:
        if self._settings.sound and name:
            self._sounds.play(name)

    # Events

    def handle(self, event: pygame.event.Event) -> None:
        """Handle one event."""
        if event.type == pygame.QUIT:
            self.session.leave()
        elif event.type == pygame.TEXTINPUT:
            self.session.type(self._typist.typed(event))
        elif event.type == pygame.KEYDOWN:
            self._typist.pressed(event, is_typing=self.session.is_typing)
            shifted = _WITH_SHIFT.get(event.key) if event.mod & pygame.KMOD_SHIFT else None
            if (key := f"Shift+{shifted}" if shifted else key_name(event)) is not None:
                self._press(_SHIFTED.get(key, key))
        elif not self._is_own_click(event):
            self.viewer.handle(event)

    def _press(self, key: str) -> None:
        """Handle a key."""
        session, seat, replay = self.session, self.session.seat, self.viewer.replay
        if session.is_covered:
            session.press(key)
            return
        if self.viewer.control() is None:
            self.viewer.press(key)
            return
        # First of all: while something is explained by keys, the arrows and Enter belong to that.
        if self._explain(key):
            return
        replay.view = replace(replay.view, pointed=None, pointer=None)
        if key in ("Tab", "Shift+Tab"):
            seat.focused = stepped([choice.id for choice in seat.reachable], seat.focused, 1 if key == "Tab" else -1)
        elif key in _ARROWS and self.table_view.move_focus(*_ARROWS[key]):
            pass
        elif (choice := seat.choice_of(key)) is not None:
            session.choose(choice)
        elif key in ("+", "=", "-"):
            session.resize(-1 if key == "-" else 1)
        elif tool := next((tool for tool in self.table_view.tools if tool.key == key.upper()), None):
            session.wish(SeatRequest(tool.name))
        elif key in _VIEWER_KEYS:
            self.viewer.press(key)

    def _explain(self, key: str) -> bool:
        """Handle a key of the explanations that replace pointing by mouse; False if it is another key."""
        view = self.viewer.replay.view
        explains = view.pointed is not None and view.pointer is None
        if key in ("F", "f"):
            self.viewer.press("E")
        elif explains and key in (*_ARROWS, "Escape"):
            self.viewer.press(key)
        elif explains and key == "Enter" and view.pointed is not None:
            self._click(view.pointed)
        else:
            return False
        return True

    def _is_own_click(self, event: pygame.event.Event) -> bool:
        """Handle a click on a target of the seat; False if the event is anything else."""
        if event.type != pygame.MOUSEBUTTONDOWN or event.button != 1:
            return False
        target = self.viewer.canvas.target_at(event.pos)
        return target is not None and self._click(target.id)

    def _click(self, target: TargetId) -> bool:
        """Carry out a click on a target; False if the viewer has to."""
        kind, session = target[0], self.session
        if kind in ("set", "begin", "curtain", "talk", "again"):
            session.obey(target)
        elif kind == "tool":
            session.wish(SeatRequest(str(target[1])))
        elif kind not in ("seat", "shade"):
            choice = next((choice for choice in session.seat.moment.all() if choice.id == target), None)
            if choice is not None:
                session.choose(choice)
            elif kind in ("point", "road", "tile"):
                session.notice = session.seat.why_not_at(str(kind), int(str(target[1])))
            else:
                return kind in ("player", "lane", "hand", "card", "points", "pieces", "bonus", "wharf", "goto")
        return True
