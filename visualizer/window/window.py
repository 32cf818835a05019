"""The window of the viewer: handles mouse and keyboard, keeps time, and shows the current picture."""

from dataclasses import replace

import pygame

from ..control.control import CommandResult, ViewController, WindowRequest
from ..control.keys import press_key
from ..control.replay import ReplayFeed
from ..data.feed import FeedSource
from ..pictures.layout import layout
from ..pictures.panels.table import has_table
from ..pictures.picture import picture
from ..view import RecordingView
from .canvas import Canvas
from .frames import key_name, run_frames
from .screen import Screen


class ViewerWindow:
    """A viewer of one feed."""

    def __init__(
        self, feed: FeedSource, view: RecordingView, screen: Screen, scale: float = 1.0, fullscreen: bool = False
    ) -> None:
        self.replay = ReplayFeed(feed, view)
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
        """Let this many seconds pass."""
        self.replay.tick(seconds)

    def show(self) -> bool:
        """Draw the current picture; returns whether it has changed."""
        replay, canvas = self.replay, self.canvas
        measure = canvas.renderer.fonts.width
        scene = picture(replay.recording, replay.view, replay.situation, canvas.size, measure, canvas.text_scale)
        return canvas.draw(scene)

    # Events

    def handle(self, event: pygame.event.Event) -> None:
        """Handle one event."""
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

    def control(self) -> ViewController | None:
        """The controller of the shown recording, None while no game is shown."""
        recording, scene, canvas = self.replay.recording, self.canvas.scene, self.canvas
        if recording is None or scene is None:
            return None
        table = has_table(recording.constants.rules)
        parts = layout(*canvas.size, self.replay.view.tab, canvas.text_scale, table, self.has_seat)
        return ViewController(recording, self.replay.situation, scene, parts)

    def press(self, key: str) -> None:
        """Handle a key."""
        if (control := self.control()) is not None:
            self.take(press_key(control, self.replay.view, key))
        elif key in ("Q", "q", "Escape"):
            self.running = False

    def _mouse(self, event: pygame.event.Event, control: ViewController) -> None:
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

    def take(self, outcome: CommandResult) -> None:
        """Show the view of a result, and carry out its request."""
        self.replay.view = outcome.view
        if outcome.wish is not None:
            self._grant(outcome.wish)

    def _grant(self, wish: WindowRequest) -> None:
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
