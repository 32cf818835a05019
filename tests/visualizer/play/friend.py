"""A person with a window of their own and nothing else: ``python -m tests.visualizer.play.friend ROLE RELAY FOLDER``.

Runs ``catan-p2p play`` and plays by what the window's description says. ``Red`` opens a table at RELAY in the lobby and
leaves the invitation in FOLDER, as a message to friends; others join with it. ``Orange`` leaves for good in the middle.
What friends tell one another is a file in FOLDER. Nobody is voted on before saying good-bye, and nobody leaves before
all have seen the end: no machine is too slow for that.
"""

import sys
import time
from pathlib import Path

from catan_p2p.cli.main import main
from catan_p2p.sessions.saved_games import data_folder
from tests.visualizer.play.person import Script, settings
from tests.visualizer.play.x_display import DisplaySession
from visualizer.data.recording import Recording
from visualizer.play import lobby, seat, wishes
from visualizer.play.front import FrontWindow
from visualizer.play.screen import Description
from visualizer.play.settings import write_settings

RULES = "standard; PointsToWin = 3; Leaving = yes; Patience = {}"
PATIENCE_S = 1200.0
STAY = ("Red", "Blue", "Green")
GOOD_BYE, SEEN = "good-bye", "seen the end"
_VOTE = "without Orange"
CHOICES = 8
"""After so many choices Orange leaves: in the set-up or the first turn."""


class FriendSession(DisplaySession):
    """A window that begins in the lobby."""

    @property
    def recording(self) -> Recording | None:
        table = self.window.table  # type: ignore[attr-defined]
        return None if table is None else table.viewer.replay.recording


class Friend(Script):
    """Votes to go on without Orange, once Orange has said good-bye."""

    voted_at = float("-inf")
    folder = Path()

    def _may_vote(self, names: list[str]) -> bool:
        is_time = time.monotonic() > self.voted_at + 5  # a vote is on its way for a while
        return is_time and _VOTE in names and (self.folder / GOOD_BYE).exists()

    def _can_do_something(self, seen: Description) -> bool:
        names = [one.name for one in seen.clickables]
        return self._may_vote(names) or "yes" in names or super()._can_do_something(seen)

    def chosen(self, names: list[str]) -> str:
        if "yes" not in names and self._may_vote(names):
            self.voted_at = time.monotonic()
            return _VOTE
        return super().chosen([name for name in names if not name.startswith("without ")])


def play(window: FrontWindow, role: str, relay: str, folder: Path) -> None:
    """Meet the others, and play to the end."""
    with FriendSession(window, PATIENCE_S) as session:  # type: ignore[arg-type]
        session.frame()
        message = folder / "invitation"
        if role == "Red":
            session.use("open", "mouse")
            session.type(relay)
            session.use("open it", "mouse")
            session.until(lambda seen: any(one.name == "copy" for one in seen.clickables))
            beside = message.with_suffix(".new")
            beside.write_text(window.lobby._invited.invitation)
            beside.rename(message)
        else:
            end = time.monotonic() + PATIENCE_S
            while not message.exists():
                assert time.monotonic() < end
                session.frame()
                time.sleep(0.05)
            session.use("join", "keys")
            session.type(message.read_text())
            session.use("look", "keys")
            session.until(lambda seen: seen.title == "seat")
            session.use(role, "mouse")
        session.until(lambda _: window.table is not None)
        script = Friend(session, "keys" if role == "Blue" else "mouse", seed=len(role))
        script.most_offers, script.folder = 0, folder
        screen = script.play(CHOICES if role == "Orange" else 100_000)
        assert screen.is_over == (role != "Orange"), screen
        if role == "Orange":
            (folder / GOOD_BYE).touch()
        else:
            (folder / f"{role} has {SEEN}").touch()
            session.until(lambda _: all((folder / f"{friend} has {SEEN}").exists() for friend in STAY))
        print(role, window.tables[0].sit.path)


if __name__ == "__main__":
    role, relay, folder, patience_s = sys.argv[1:]
    write_settings(Path(data_folder()) / "settings.json", settings())
    default = wishes.Wishes(rules=RULES.format(patience_s))
    lobby.Wishes = lambda: default  # type: ignore[assignment, misc]
    seat.SILENCE_S = float(patience_s)  # type: ignore[misc]
    FrontWindow.run = lambda window: play(window, role, relay, Path(folder))  # type: ignore[method-assign]
    sys.exit(main(["play", "--size", "1100x720"]))
