"""The window: takes what the mouse and the keyboard say, keeps time, and shows the picture of the moment."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pygame

from ..control.control import Control, Outcome, Wish
from ..control.keys import press_key
from ..data.feed import Feed, applied
from ..data.recording import Recording
from ..drawing.export import free_name, save_picture
from ..drawing.fonts import Fonts
from ..drawing.renderer import Renderer
from ..pictures.layout import GROWTH, SMALLEST, layout
from ..pictures.panels.table import has_table
from ..pictures.picture import picture
from ..pictures.scene import Scene
from ..view import Situation, View
from .clock import PlayClock
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


class Window:
    """The viewer at work on one feed."""

    def __init__(self, feed: Feed, view: View, screen: Screen, scale: float = 1.0, fullscreen: bool = False) -> None:
        self.feed = feed
        self.view = view
        self.recording: Recording | None = None
        self.situation = Situation(reading="the game")
        self.scale = scale
        self.fullscreen = fullscreen
        self.start_at: str | None = None
        """The commit to begin with, once it is there."""
        self.screen = screen
        self.renderer = Renderer(Fonts())
        self.clock = PlayClock()
        self.running = True
        self._canvas: pygame.Surface | None = None
        self._scene: Scene | None = None

    # Pictures

    @property
    def _logical_size(self) -> tuple[int, int]:
        """The size that is laid out: that of the window, or of the smallest picture with the window's shape."""
        w, h = self.screen.surface().get_size()
        factor = max(1.0, SMALLEST[0] / max(w, 1), SMALLEST[1] / max(h, 1))
        return round(w * factor), round(h * factor)

    @property
    def _text_scale(self) -> float:
        """How many times as large texts are laid out: as wished, and as dense as the screen's own pixels are."""
        dense = max(1.0, self.screen.surface().get_width() / max(1, self.screen.points()[0]))
        return self.scale * float(dense ** (1 - GROWTH))

    def show(self) -> None:
        """Draw the picture of the moment; only what has changed."""
        size, surface = self._logical_size, self.screen.surface()
        scene = self._compose(size)
        self._scene = scene
        if size == surface.get_size():
            self._canvas = None
            changed = self.renderer.draw(scene, surface)
        else:
            if self._canvas is None or self._canvas.get_size() != size:
                self._canvas = pygame.Surface(size, 0, 32)
            changed = self.renderer.draw(scene, self._canvas)
            if changed:
                pygame.transform.smoothscale(self._canvas, surface.get_size(), surface)
                changed = [surface.get_rect()]
        if changed:
            self.screen.present(changed)

    def _compose(self, size: tuple[int, int]) -> Scene:
        """The scene of the moment."""
        return picture(self.recording, self.view, self.situation, size, self.renderer.fonts.width, self._text_scale)

    def _point(self, position: tuple[int, int]) -> tuple[float, float]:
        """A place in the window as a place in the picture."""
        w, h = self.screen.points()
        lw, lh = self._logical_size
        return position[0] * lw / w, position[1] * lh / h

    # News from the feed

    def take_updates(self, timeout_s: float | None = None) -> None:
        """Bring the recording up to date."""
        for update in self.feed.take(timeout_s):
            shown = self._shown_commit()
            self.recording = applied(self.recording, update)
            self.situation = update.situation
            if self.recording is not None:
                self._keep_place(self.recording, shown)

    def _shown_commit(self) -> str | None:
        return self.recording.steps[self.view.index].commit if self.recording and self.recording.steps else None

    def _keep_place(self, recording: Recording, shown: str | None) -> None:
        """Stay at the same commit, where there still is one; a live view goes to the newest."""
        if self.start_at is not None:
            found = recording.find(self.start_at)
            if found:
                self.start_at = None
                self.view = replace(self.view, index=found[0], live=False)
                return
        if self.view.live:
            self.view = replace(self.view, index=recording.last, row_top=None, file_top=0)
        elif shown is not None:
            index = recording.row_of.get(shown, min(self.view.index, recording.last))
            self.view = replace(self.view, index=index)

    # Events

    def handle(self, event: pygame.event.Event) -> None:
        """Obey one event."""
        if event.type == pygame.QUIT:
            self.running = False
        elif event.type in (pygame.WINDOWSIZECHANGED, pygame.VIDEORESIZE):
            self.view = replace(self.view, pressed=False, pointed=None)
        elif event.type == pygame.KEYDOWN:
            key = key_name(event)
            if key is not None:
                self._key(key)
        elif self.recording is not None and self._scene is not None:
            self._mouse(event, self._control(self.recording, self._scene))

    def _control(self, recording: Recording, scene: Scene) -> Control:
        table = has_table(recording.constants.rules)
        parts = layout(*self._logical_size, self.view.tab, self._text_scale, table)
        return Control(recording, self.situation, scene, parts)

    def _key(self, key: str) -> None:
        if self.recording is None or self._scene is None:
            if key in ("Q", "q", "Escape"):
                self.running = False
            return
        self._take(press_key(self._control(self.recording, self._scene), self.view, key))

    def _mouse(self, event: pygame.event.Event, control: Control) -> None:
        if event.type == pygame.MOUSEMOTION:
            self.view = control.point(self.view, *self._point(event.pos))
        elif event.type == pygame.MOUSEBUTTONDOWN and event.button == 1:
            self._take(control.press(self.view, *self._point(event.pos)))
        elif event.type == pygame.MOUSEBUTTONUP and event.button == 1:
            self.view = control.release(self.view)
        elif event.type == pygame.MOUSEWHEEL and event.y:
            self.view = control.wheel(self.view, *self._point(pygame.mouse.get_pos()), event.y)
        elif event.type == pygame.WINDOWLEAVE and not self.view.pressed and self.view.pointer is not None:
            self.view = replace(self.view, pointed=None)

    def _take(self, outcome: Outcome) -> None:
        self.view = outcome.view
        if outcome.wish is not None:
            self._grant(outcome.wish)

    def _grant(self, wish: Wish) -> None:
        match wish.name:
            case "quit":
                self.running = False
            case "peer":
                self.feed.choose(wish.value)
            case "save":
                self.view = replace(self.view, notice=self._save())
            case "fullscreen":
                self.fullscreen = not self.fullscreen
                self.screen.set_fullscreen(self.fullscreen)

    def _save(self) -> str:
        path = free_name(Path.cwd(), "catan", ".png")
        try:
            save_picture(self._canvas or self.screen.surface(), path)
        except OSError as error:
            return f"{path}: cannot be written: {error.strerror or error}"
        return f"saved {path}"

    # Time

    def tick(self, seconds: float) -> None:
        """Let so much time pass: take news, play on."""
        self.take_updates()
        recording = self.recording
        if not self.view.playing or recording is None:
            self.clock.reset()
            return
        due = self.clock.actions(seconds, self.view.speed)
        if due:
            index = min(recording.last, self.view.index + due)
            at_end = index == recording.last and not self.situation.following
            self.view = replace(self.view, index=index, playing=not at_end, row_top=None, file_top=0)

    def run(self) -> None:
        """Show the game until the window is closed."""
        frames = pygame.time.Clock()
        self.start()
        try:
            while self.running:
                for event in pygame.event.get():
                    self.handle(event)
                self.tick(frames.get_time() / 1000)
                self.show()
                frames.tick(FRAMES_A_SECOND)
        finally:
            self.stop()

    def start(self) -> None:
        """Begin to read."""
        self.feed.start()

    def stop(self) -> None:
        """Stop reading, and close the window."""
        self.feed.stop()
        self.screen.close()


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
