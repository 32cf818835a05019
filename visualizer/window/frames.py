"""The frame loop of every window, and the names of keys."""

import threading
import time
from typing import Protocol

import pygame

FRAMES_A_SECOND = 60
_RESTS_AFTER_S = 0.5
"""A window rests after this time without an event and without pictures that change from frame to frame."""
_EVENTS_S, _REST_S = 0.1, 0.5
"""How often a resting window polls for events, which costs little, and how often it is drawn: it shows times late by at
most that. ``pygame.event.wait`` would poll a thousand times a second."""
_called = threading.Event()
"""Set by ``wake``; a process shows one window at a time."""
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


class ShownWindow(Protocol):
    """A window as the frame loop sees it."""

    @property
    def running(self) -> bool:
        """Whether it is to stay open."""

    def start(self) -> None:
        """Begin to read."""

    def stop(self) -> None:
        """Close it."""

    def handle(self, event: pygame.event.Event) -> None:
        """Handle one event."""

    def tick(self, seconds: float) -> None:
        """Let this many seconds pass."""

    def show(self) -> bool:
        """Draw the current picture; returns whether it has changed."""


def run_frames(window: ShownWindow) -> None:
    """Show a window until it is closed. While nothing moves on it, it waits for events and for ``wake``."""
    frames, quiet_s, changes = pygame.time.Clock(), 0.0, 0
    window.start()
    try:
        while window.running:
            events = _events(rests=quiet_s >= _RESTS_AFTER_S)
            for number, event in enumerate(events):
                if number and event.type == pygame.MOUSEBUTTONDOWN:
                    window.show()  # a click belongs to the picture as the events before it have changed it
                window.handle(event)
            is_called = _called.is_set()
            _called.clear()
            passed_s = frames.get_time() / 1000
            window.tick(passed_s)
            changes = changes + 1 if window.show() else 0
            quiet_s = 0.0 if events or is_called or changes > 1 else quiet_s + passed_s
            frames.tick(FRAMES_A_SECOND)
    finally:
        window.stop()


def _events(*, rests: bool) -> list[pygame.event.Event]:
    """The events since the last call; while the window rests, wait for one, or for ``wake``."""
    end = time.monotonic() + _REST_S
    events = pygame.event.get()
    while rests and not events and time.monotonic() < end and not _called.wait(_EVENTS_S):
        events = pygame.event.get()
    return events


def wake() -> None:
    """Let a resting window draw again; any thread may call this."""
    _called.set()


def key_name(event: pygame.event.Event) -> str | None:
    """A key as the table of commands spells it, None if it has no meaning there."""
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
