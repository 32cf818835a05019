"""A virtual X display, and hands whose events come through its server: what a real mouse and a real keyboard do.

Needs Xvfb and xdotool.
"""

import os
import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cached_property

import pygame

from tests.visualizer.play.person import PATIENCE_S, Session
from visualizer.play.window import PlayWindow

PROGRAMS = ("Xvfb", "xdotool")
_NAMES = {
    "Enter": "Return",
    "Space": "space",
    "Backspace": "BackSpace",
    "+": "plus",
    "-": "minus",
    "?": "question",
}


def lacking() -> str | None:
    """What is missing for a display of our own, None if nothing is."""
    missing = [name for name in PROGRAMS if shutil.which(name) is None]
    return f"needs {', '.join(missing)}" if missing else None


@contextmanager
def virtual_display(width: int = 1400, height: int = 900) -> Iterator[dict[str, str]]:
    """Run an X server that draws into memory; what the environment of its programs must say."""
    read, write = os.pipe()
    command = ["Xvfb", "-displayfd", str(write), "-screen", "0", f"{width}x{height}x24", "-nolisten", "tcp"]
    with subprocess.Popen(command, pass_fds=(write,), stderr=subprocess.DEVNULL) as server:
        os.close(write)
        try:
            with os.fdopen(read) as told:
                number = told.readline().strip()
            yield {"DISPLAY": f":{number}", "SDL_VIDEODRIVER": "x11", "SDL_AUDIODRIVER": "dummy"}
        finally:
            server.terminate()


class DisplaySession(Session):
    """A window on an X display; every event comes from the server."""

    def __init__(self, window: PlayWindow, patience_s: float = PATIENCE_S) -> None:
        super().__init__(window, patience_s)
        self._seen: set[int] = set()
        """What kinds of events have come since the last was asked for."""

    def frame(self) -> None:
        for event in pygame.event.get():
            self._seen.add(event.type)
            self.window.handle(event)
        self.window.tick(1 / 60)
        self.window.show()

    def _do(self, *command: str, until: int) -> None:
        """Have the server send events, and go on until the last of them was handled."""
        self._seen.clear()
        subprocess.run(["xdotool", *command], check=True, stdout=subprocess.DEVNULL)
        end = time.monotonic() + self.patience_s
        while until not in self._seen:
            assert time.monotonic() < end, f"never came: {command}"
            self.frame()
            time.sleep(0.002)

    @cached_property
    def _window(self) -> str:
        return str(pygame.display.get_wm_info()["window"])  # once: pygame 2.6.1 falls over it after some calls

    def press(self, key: str) -> None:
        shift = "shift+" if key.startswith("Shift+") else ""
        name = key.removeprefix("Shift+")
        name = _NAMES.get(name, name if len(name) > 1 else name.lower())
        self._do("windowfocus", self._window, "key", f"{shift}{name}", until=pygame.KEYUP)

    def type(self, text: str) -> None:
        self._do("windowfocus", self._window, "type", text, until=pygame.KEYUP)

    def click_at(self, x: int, y: int) -> None:
        self._do("mousemove", "--window", self._window, str(x), str(y), "click", "1", until=pygame.MOUSEBUTTONUP)
