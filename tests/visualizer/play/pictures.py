"""The pictures of docs/guides that show the window of a player: ``python -m tests.visualizer.play.pictures FOLDER``."""

import os
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path

from catan_p2p.sessions.before_table import attend
from catan_p2p.sessions.messages import JoinTable, News, OpenTable, PlayerArrived, TableOpened
from catan_p2p.tables.invitation import parse_invitation
from tests.visualizer.play.front import People, new_lobby
from tests.visualizer.play.memory import memory_session
from tests.visualizer.play.person import PATIENCE_S
from tests.visualizer.play.test_dock import STATES
from visualizer.drawing.export import save_picture
from visualizer.drawing.fonts import FontSet
from visualizer.drawing.renderer import SceneRenderer
from visualizer.play.front_window import lobby_scene

_SIZE = (1280, 800)
_SETTLED = 180
"""After so many frames, the window no longer glows to say whose turn it is."""
_COLOURS = ("Red", "Blue", "Green", "Orange")
_SEATS = {
    "play": ("much to do", _SIZE, ()),
    "play-seven": ("a seven", _SIZE, ("1", "2")),
    "play-offer": ("an offer that two accept", _SIZE, ()),
    "play-small": ("three proposals", (800, 600), ()),
}
"""For each picture: the position, the size of the window, and the keys that are pressed first."""
_INVITATION = "/home/ada/Sync/catan.git#catan-0-kS7wjgwaBnUUaBxsj1ETWgxbI6FjSaS_f2NixnGyhK4"
"""In place of the real one, which is another each time."""


def draw_seats(out: Path, scratch: Path) -> None:
    """Draw the window at a table in memory, in each of these positions."""
    for name, (state, size, keys) in _SEATS.items():
        with memory_session(scratch / name, STATES[state], size=size)[0] as session:
            for key in keys:
                session.press(key)
            for _ in range(_SETTLED):
                session.frame()
            save_picture(session.surface, out / f"{name}.png")


def draw_lobby(out: Path, scratch: Path) -> None:
    """Draw the lobby of a host while two of three others have come, at a table that is really opened."""
    import pygame

    news: list[News] = []
    host = OpenTable(
        scratch / "red", str(scratch / "catan.git"), _COLOURS, "standard", "default", "Ada", False, "hidden", 600,
        (("Orange", "strategist"),),
    )  # fmt: skip
    threading.Thread(target=attend, args=(host, news.append, lambda: True), daemon=True).start()
    opened = _awaited(news, lambda one: isinstance(one, TableOpened))
    assert isinstance(opened, TableOpened)
    guest = JoinTable(scratch / "blue", parse_invitation(opened.invitation), "Blue", "Ben", None)
    threading.Thread(target=attend, args=(guest, lambda _: None, lambda: True), daemon=True).start()
    _awaited(news, lambda one: one == PlayerArrived("Blue"))
    lobby = new_lobby(scratch)
    lobby.press("o")
    lobby.type(_INVITATION.partition("#")[0])
    lobby.press("Enter")
    lobby.press("Enter")  # there is no such folder: it is to be made
    people = lobby._link
    assert isinstance(people, People)
    people.news += [TableOpened(_INVITATION, one.words) if one is opened else one for one in news]
    lobby.tick()
    fonts = FontSet()
    surface = pygame.Surface(_SIZE, 0, 32)
    SceneRenderer(fonts).draw(lobby_scene(lobby, _SIZE, fonts.width), surface)
    save_picture(surface, out / "play-lobby.png")


def _awaited(news: list[News], is_it: Callable[[News], bool]) -> News:
    """The first such news; ``AssertionError`` if it does not come in time."""
    end = time.monotonic() + PATIENCE_S
    while True:
        for one in news:
            if is_it(one):
                return one
        assert time.monotonic() < end, f"only {news}"
        time.sleep(0.05)


def main(words: list[str]) -> int:
    """Draw all of them."""
    os.environ["SDL_VIDEODRIVER"] = os.environ["SDL_AUDIODRIVER"] = "dummy"
    with tempfile.TemporaryDirectory(prefix="catan-p2p-") as temporary:
        os.environ["CATAN_P2P_HOME"] = temporary
        draw_seats(Path(words[0]), Path(temporary))
        draw_lobby(Path(words[0]), Path(temporary))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
