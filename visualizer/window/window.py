"""The window: takes what the mouse and the keyboard say, keeps time, and shows the picture of the moment."""

from dataclasses import replace
from typing import Protocol

import pygame

from ..control.control import Control, Outcome, Wish
from ..control.keys import press_key
from ..control.replay import Replay
from ..data.feed import Source
from ..pictures.layout import layout
from ..pictures.panels.table import has_table
from ..pictures.picture import picture
from ..view import View
from .canvas import Canvas
from .screen import Screen

FRAMES_A_SECOND = 60
_NAMES = {
    pygame.K_SPACE: "Space",
    pygame.K_RETURN: "Enter",
    pygame.K_KP_ENTER: "Enter",
    pygame.K_BACKSPACE: "Backspace",
    pygame.K_ESCAPE: "Escape",
    pygame.K_TAB: "Tab",
    pygame.K_LEFT: "Left",
    pygame.K_RIGHT: "Right",
    pygame.K_UP: "Up",
    pygame.K_DOWN: "Down",
    pygame.K_HOME: "Home",
    pygame.K_END: "End",
    pygame.K_PAGEUP: "Page Up",
    pygame.K_PAGEDOWN: "Page Down",
    pygame.K_F1: "F1",
    pygame.K_F11: "F11",
}


class Shown(Protocol):
    """A window as the loop of frames sees it."""

    @property
    def running(self) -> bool:
        """Whether it is to stay open."""

    def start(self) -> None:
        """Begin to read."""

    def stop(self) -> None:
        """Close it."""

    def handle(self, event: pygame.event.Event) -> None:
        """Obey one event."""

    def tick(self, seconds: float) -> None:
        """Let so much time pass."""

    def show(self) -> None:
        """Draw the picture of the moment."""


def run_frames(window: Shown) -> None:
    """Show a window until it is closed."""
    frames = pygame.time.Clock()
    window.start()
    try:
        while window.running:
            for event in pygame.event.get():
                window.handle(event)
            window.tick(frames.get_time() / 1000)
            window.show()
            frames.tick(FRAMES_A_SECOND)
    finally:
        window.stop()


class Window:
    """The viewer at work on one feed."""

    def __init__(self, feed: Source, view: View, screen: Screen, scale: float = 1.0, fullscreen: bool = False) -> None:
        self.replay = Replay(feed, view)
        self.canvas = Canvas(screen, scale)
        self.fullscreen = fullscreen
        self.has_seat = False
        """Whether somebody plays in it."""
        self.running = True

    def start(self) -> None:
        """Begin to read."""
        self.replay.feed.start()

    def stop(self) -> None:
        """Stop reading, and close the window."""
        self.replay.feed.stop()
        self.canvas.screen.close()

    def run(self) -> None:
        """Show the game until the window is closed."""
        run_frames(self)

    def tick(self, seconds: float) -> None:
        """Let so much time pass."""
        self.replay.tick(seconds)

    def show(self) -> None:
        """Draw the picture of the moment."""
        replay, canvas = self.replay, self.canvas
        measure = canvas.renderer.fonts.width
        canvas.draw(picture(replay.recording, replay.view, replay.situation, canvas.size, measure, canvas.text_scale))

    # Events

    def handle(self, event: pygame.event.Event) -> None:
        """Obey one event."""
        if event.type == pygame.QUIT:
            self.running = False
        elif event.type in (pygame.WINDOWSIZECHANGED, pygame.VIDEORESIZE):
            self.replay.view = replace(self.replay.view, pressed=False, pointed=None)
        elif event.type == pygame.KEYDOWN:
            key = key_name(event)
            if key is not None:
                self.press(key)
        elif (control := self.control()) is not None:
            self._mouse(event, control)

    def control(self) -> Control | None:
        """What commands work on, None while nothing is shown."""
        recording, scene, canvas = self.replay.recording, self.canvas.scene, self.canvas
        if recording is None or scene is None:
            return None
        table = has_table(recording.constants.rules)
        parts = layout(*canvas.size, self.replay.view.tab, canvas.text_scale, table, self.has_seat)
        return Control(recording, self.replay.situation, scene, parts)

    def press(self, key: str) -> None:
        """Obey a key."""
        if (control := self.control()) is not None:
            self.take(press_key(control, self.replay.view, key))
        elif key in ("Q", "q", "Escape"):
            self.running = False

    def _mouse(self, event: pygame.event.Event, control: Control) -> None:
        view, point = self.replay.view, self.canvas.point
        if event.type == pygame.MOUSEMOTION:
            self.replay.view = control.point(view, *point(event.pos))
        elif event.type == pygame.MOUSEBUTTONDOWN and event.button == 1:
            self.take(control.press(view, *point(event.pos)))
        elif event.type == pygame.MOUSEBUTTONUP and event.button == 1:
            self.replay.view = control.release(view)
        elif event.type == pygame.MOUSEWHEEL and event.y:
            self.replay.view = control.wheel(view, *point(pygame.mouse.get_pos()), event.y)
        elif event.type == pygame.WINDOWLEAVE and not view.pressed and view.pointer is not None:
            self.replay.view = replace(view, pointed=None)

    def take(self, outcome: Outcome) -> None:
        """Show another view, and grant what it wishes for."""
        self.replay.view = outcome.view
        if outcome.wish is not None:
            self._grant(outcome.wish)

    def _grant(self, wish: Wish) -> None:
        match wish.name:
            case "quit":
                self.running = False
            case "peer":
                self.replay.feed.choose(wish.value)
            case "save":
                self.replay.view = replace(self.replay.view, notice=self.canvas.save())
            case "fullscreen":
                self.fullscreen = not self.fullscreen
                self.canvas.screen.set_fullscreen(self.fullscreen)


def key_name(event: pygame.event.Event) -> str | None:
    """A key as the table of commands spells it, None if it is none that can be meant."""
    name = _NAMES.get(event.key)
    if event.mod & pygame.KMOD_CTRL and event.key in (pygame.K_7, pygame.K_KP7):
        return "Ctrl+7"
    if name is None:
        text = event.unicode
        return text if text and text.isprintable() and not event.mod & (pygame.KMOD_CTRL | pygame.KMOD_ALT) else None
    if event.mod & pygame.KMOD_CTRL and name in ("Left", "Right"):
        return f"Ctrl+{name}"
    if event.mod & pygame.KMOD_SHIFT and name in ("Left", "Right"):
        return f"Shift+{name}"
    return name
