"""A person with a program of their own: ``python -m tests.visualizer.play.guest HANDS WORDS -- ARGUMENTS``.

Runs ``catan-p2p ARGUMENTS``; when a window opens, somebody sits there who knows nothing but the public description of
the screen, says WORDS, plays to the end, and stays until everybody's words were heard. Without WORDS nobody talks.
On an X display all events come through its server.
"""

import sys
from pathlib import Path
from typing import cast

import pygame

from catan_p2p.cli.main import main
from catan_p2p.tables.seat import data_folder
from tests.visualizer.play.person import Hands, Script, Session, settings
from tests.visualizer.play.x_display import DisplaySession
from visualizer.play.settings import write_settings
from visualizer.play.window import PlayWindow

PATIENCE_S = 1200.0
"""What comes from a relay comes late on a slow machine."""


def play(window: PlayWindow, hands: Hands, words: str) -> None:
    """Say something, and play to the end."""
    made = DisplaySession if pygame.display.get_driver() == "x11" else Session
    with made(window, PATIENCE_S) as session:
        if words:
            say(session, hands, words)
        screen = Script(session, hands, seed=len(words)).play()
        assert screen.is_over, screen
        if words:
            screen = session.until(lambda seen: len({colour for colour, _ in seen.said}) > 1)
        print(screen.title, screen.said, file=sys.stderr)


def say(session: Session, hands: Hands, words: str) -> None:
    """Type a line, and send it."""
    session.until(lambda seen: any(one.name == "say" for one in seen.clickables))
    session.use("say", hands)
    session.type(words)
    session.use("send", hands)
    session.use("close", hands)


if __name__ == "__main__":
    end = sys.argv.index("--")
    hands, words = sys.argv[1:end]
    write_settings(Path(data_folder()) / "settings.json", settings())
    PlayWindow.run = lambda window: play(window, cast(Hands, hands), words)  # type: ignore[method-assign]
    sys.exit(main(sys.argv[end + 1 :]))
