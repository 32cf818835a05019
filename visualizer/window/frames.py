"""The loop of frames that every window runs in, and keys as they are spelled."""

from typing import Protocol

import pygame

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
