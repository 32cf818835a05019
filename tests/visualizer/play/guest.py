"""A person with a program of their own: ``python -m tests.visualizer.play.guest HANDS WORDS -- ARGUMENTS``.

Runs ``catan-p2p ARGUMENTS``; when a window opens, somebody sits there who knows nothing but the public description of
the screen, says WORDS, plays to the end, and stays until everybody's words were heard.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import cast

from catan_p2p.cli.main import main
from catan_p2p.sitting.places import data_folder
from tests.visualizer.play.person import Hands, Script, Session, settings
from visualizer.play.settings import write_settings
from visualizer.play.window import PlayWindow

PATIENCE_S = 1200.0
"""What comes from a relay comes late on a slow machine."""


def play(window: PlayWindow, hands: Hands, words: str) -> None:
    """Say something, and play to the end."""
    with Session(window, PATIENCE_S) as session:
        session.until(lambda seen: any(one.name == "say" for one in seen.clickables))
        session.use("say", hands)
        session.type(words)
        session.use("send", hands)
        session.use("close", hands)
        screen = Script(session, hands, seed=len(words)).play()
        assert screen.is_over, screen
        screen = session.until(lambda seen: len({colour for colour, _ in seen.said}) > 1)
        print(screen.title, screen.said, file=sys.stderr)


if __name__ == "__main__":
    end = sys.argv.index("--")
    hands, words = sys.argv[1:end]
    write_settings(Path(data_folder()) / "settings.json", settings())
    PlayWindow.run = lambda window: play(window, cast(Hands, hands), words)  # type: ignore[method-assign]
    sys.exit(main(sys.argv[end + 1 :]))
