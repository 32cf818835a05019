"""The window that opens with the lobby, and shows the tables chosen there."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import TYPE_CHECKING

import pygame

from catan_p2p.game.board import DEFAULT_MAP, board_of

from ..pictures.layout import text_size
from ..pictures.palette import SEA, WINDOW
from ..pictures.scene import Layer, Scene, TextMeasure
from ..pictures.shapes import Rect
from ..window.canvas import Canvas
from ..window.frames import key_name, run_frames
from ..window.screen import Screen
from .dialogs import list_dialog
from .keyboard_observer import KeyboardObserver
from .lobby import Lobby
from .screen import ScreenDescription, clickable
from .table import LocalTable

if TYPE_CHECKING:
    from .window import PlayWindow


class FrontWindow:
    """A window that shows the lobby, or the table that was chosen there.

    ``sit_down`` makes the window of a table; its second argument is whether the window fills the screen.
    """

    def __init__(
        self, lobby: Lobby, screen: Screen, sit_down: Callable[[LocalTable, bool], PlayWindow], fullscreen: bool = False
    ) -> None:
        self.lobby = lobby
        self.canvas = Canvas(screen, lobby.settings.scale)
        self.table: PlayWindow | None = None
        """The table shown in place of the lobby."""
        self.tables: list[LocalTable] = []
        """The tables that were shown so far."""
        self._sit_down, self._fullscreen = sit_down, fullscreen
        self._typist = KeyboardObserver()
        self._is_open = True
        self._has_island = False
        """Whether the island is drawn. The first frame shows the menu without it, as it takes as long as the rest."""

    @property
    def running(self) -> bool:
        """Whether the window is to stay open."""
        return self._is_open

    def start(self) -> None:
        """Nothing has to be started for the lobby."""

    def stop(self) -> None:
        """Leave the table, and close the window."""
        self.lobby.stop()
        if self.table is not None:
            self.table.leave()
        self.canvas.screen.close()

    def run(self) -> None:
        """Show the lobby and its tables until the window is closed."""
        run_frames(self)

    def show(self) -> bool:
        """Draw the current picture; returns whether it has changed."""
        if self.table is not None:
            return self.table.show()
        self.canvas.scale = self.lobby.settings.scale
        size, measure = self.canvas.size, self.canvas.renderer.fonts.width
        scene = lobby_scene(self.lobby, size, measure, self.canvas.scale, has_island=self._has_island)
        self._has_island = True
        return self.canvas.draw(scene)

    def describe(self) -> ScreenDescription:
        """What is on the screen, for scripts."""
        if self.table is not None:
            return self.table.describe()
        menu = self.lobby.menu
        found = tuple(clickable(self.canvas, item.name, item.id, self.lobby.keys_of(item)) for item in menu.items)
        return ScreenDescription(self.lobby.page, False, "", found, (), menu.problem, False)

    def handle(self, event: pygame.event.Event) -> None:
        """Handle one event."""
        if self.table is not None:
            self.table.handle(event)
        elif event.type == pygame.QUIT:
            self._is_open = False
        elif event.type == pygame.TEXTINPUT:
            self.lobby.type(self._typist.typed(event))
        elif event.type == pygame.KEYDOWN:
            self._typist.pressed(event, is_typing=self.lobby.is_typing)
            if (key := _key(event)) is not None:
                self._press(key)
        elif event.type == pygame.MOUSEMOTION:
            target = self.canvas.target_at(event.pos)
            self.lobby.point(target.id if target is not None else None)
        elif event.type == pygame.MOUSEBUTTONDOWN and event.button == 1:
            if (target := self.canvas.target_at(event.pos)) is not None and target.is_button:
                self.lobby.obey(target.id)

    def _press(self, key: str) -> None:
        if key == "F11":
            self._fullscreen = not self._fullscreen
            self.canvas.screen.set_fullscreen(self._fullscreen)
        else:
            self.lobby.press(key)

    def tick(self, seconds: float) -> None:
        """Let this many seconds pass."""
        if self.table is not None:
            self.table.tick(seconds)
            self._come_back(self.table)
            return
        self.lobby.tick()
        if isinstance(self.lobby.goes_to, LocalTable):
            self.tables.append(self.lobby.goes_to)
            self.table = self._sit_down(self.lobby.goes_to, self._fullscreen)
            self.table.start()
        elif self.lobby.goes_to == "away":
            self._is_open = False

    def _come_back(self, table: PlayWindow) -> None:
        """Show the lobby again if somebody wants another game, or if the table has failed."""
        if table.session.goes_to != "new" and not (table.session.failure and not table.running):
            self._is_open = table.running
            return
        table.leave()
        self._fullscreen, self.table = table.viewer.fullscreen, None
        # The table has drawn over the lobby: a new canvas draws all of it again, not only what has changed.
        self.canvas = Canvas(self.canvas.screen, self.canvas.scale)
        self.lobby.turn_to(notice=table.session.failure or "; ".join(table.session.worker.trouble))
        state = table.session.seat.state
        if state is not None and state.is_over:
            self.lobby.meet_again(self.tables[-1].sit.path, table.session.seat.player, state.constants.player_count)


def _key(event: pygame.event.Event) -> str | None:
    """The lobby's name of a key, None if it has none."""
    if event.key == pygame.K_v and event.mod & (pygame.KMOD_CTRL | pygame.KMOD_META):
        return "Ctrl+V"
    key = key_name(event)
    return "Shift+Tab" if key == "Tab" and event.mod & pygame.KMOD_SHIFT else key


def lobby_scene(
    lobby: Lobby, size: tuple[int, int], measure: TextMeasure, scale: float = 1.0, *, has_island: bool = True
) -> Scene:
    """The picture of the open page, in front of an island, or of the sea."""
    window = Rect(0, 0, *size)
    dialog = list_dialog(lobby.menu, lobby.focused, window, text_size(*size, scale), measure)
    ground = _island(window) if has_island else Layer("terrain", window, SEA, ())
    return Scene(size, WINDOW, (ground, dialog.layer), dialog.targets)


@lru_cache(maxsize=1)
def _island(window: Rect) -> Layer:
    from ..pictures.island.land import terrain_layer

    return terrain_layer(board_of(DEFAULT_MAP), window)
