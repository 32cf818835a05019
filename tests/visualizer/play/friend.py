"""A person with a window of their own and nothing else.

``python -m tests.visualizer.play.friend ROLE RELAY FOLDER PATIENCE_S ROUNDS`` runs ``catan-p2p play`` and plays by
what the window's description says. ``Red`` opens a table at RELAY in the lobby and leaves the invitation in FOLDER,
as a message to friends; others join with it. After a third of the ROUNDS, ``Blue`` closes the window and opens
another; after half of them ``Orange`` is killed. What friends tell one another is a file in FOLDER. Nobody is voted
on before saying good-bye, nobody wins before the last round, and nobody leaves before all have seen the end: no
machine is too slow for that.
"""

import os
import signal
import sys
import time
from pathlib import Path

from catan_p2p.cli.main import main
from catan_p2p.game.cards import count
from catan_p2p.game.state import State
from catan_p2p.tables.seat import data_folder
from tests.visualizer.play.person import Script, settings
from tests.visualizer.play.x_display import DisplaySession
from visualizer.data.recording import GameRecording
from visualizer.play import lobby, new_game_options
from visualizer.play.front_window import FrontWindow
from visualizer.play.screen import ScreenDescription
from visualizer.play.settings import write_settings

POINTS = 5
RULES = f"standard; PointsToWin = {POINTS}"
PATIENCE_S = 1200.0
STAY = ("Red", "Blue", "Green")
COLOURS = (*STAY, "Orange")
GOOD_BYE, CLOSED, SEEN = "good-bye", "has closed the window", "seen the end"
_VOTE = "without Orange"
_WINNING = ("road", "village", "city", "point", "card", "road building", "knight")
"""What brings points: buttons, and places on the island."""


class FriendSession(DisplaySession):
    """A window that begins in the lobby."""

    @property
    def recording(self) -> GameRecording | None:
        table = self.window.table  # type: ignore[attr-defined]
        return None if table is None else table.viewer.replay.recording

    @property
    def state(self) -> State | None:
        table = self.window.table  # type: ignore[attr-defined]
        return None if table is None else table.session.seat.state


class Friend(Script):
    """Votes to go on without Orange, once Orange has said good-bye."""

    voted_at = float("-inf")
    folder = Path()
    rounds = 0
    """Before the end of so many rounds they do not win."""

    @property
    def rounds_played(self) -> int:
        """How often they have ended their turn."""
        recording = self.session.recording
        ends = () if recording is None else recording.turn_ends
        return sum(bool(recording.turns[i]) and recording.steps[i].player == self.player for i in ends)  # type: ignore[union-attr]

    def _spares(self, name: str) -> bool:
        """Whether they do not do something now because it could bring them too near to the end."""
        recording, state = self.session.recording, self.session.state
        what = name.split()[0] if name[-1].isdigit() else name
        if recording is None or state is None or self.rounds_played >= self.rounds or what not in _WINNING:
            return False
        hand = state.h[self.player - 1]
        unseen = count(hand.ac + hand.bc, "VictoryPoint")
        return recording.points[-1][self.player - 1] + unseen >= POINTS - 2

    @property
    def player(self) -> int:
        return COLOURS.index(self.session.screen.seat) + 1

    def play_until(self, rounds: int) -> ScreenDescription:
        """Play until so many rounds are over, or the game is."""
        screen = self.session.screen
        while not screen.is_over and self.rounds_played < rounds:
            screen = self.session.until(lambda seen: self._can_do_something(seen) or self.rounds_played >= rounds)
            if self.rounds_played < rounds and not screen.is_over:
                self.step(screen)
        return self.session.screen

    def _may_vote(self, names: list[str]) -> bool:
        is_time = time.monotonic() > self.voted_at + 5  # a vote is on its way for a while
        return is_time and _VOTE in names and (self.folder / GOOD_BYE).exists()

    def _can_do_something(self, seen: ScreenDescription) -> bool:
        names = [one.name for one in seen.clickables]
        return self._may_vote(names) or "yes" in names or super()._can_do_something(seen)

    def chosen(self, names: list[str]) -> str:
        if "yes" not in names and self._may_vote(names):
            self.voted_at = time.monotonic()
            return _VOTE
        names = [name for name in names if not name.startswith("without ")]
        return super().chosen([name for name in names if not self._spares(name)])


def meet(session: FriendSession, window: FrontWindow, role: str, relay: str, folder: Path) -> None:
    """Open the table, or join it with the invitation."""
    message = folder / "invitation"
    if role == "Red":
        session.use("open", "mouse")
        session.type(relay)
        session.use("open it", "mouse")
        if session.screen.notice.startswith("There is no such folder."):
            session.use("open it", "mouse")
        session.until(lambda seen: any(one.name == "copy" for one in seen.clickables))
        beside = message.with_suffix(".new")
        beside.write_text(window.lobby._invited.invitation)
        beside.rename(message)
        return
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


def play(window: FrontWindow, role: str, relay: str, folder: Path, rounds: int) -> None:
    """Meet the others, or come back to them, and play to the end."""
    with FriendSession(window, PATIENCE_S) as session:  # type: ignore[arg-type]
        session.frame()
        if (folder / f"{role} {CLOSED}").exists():
            session.use("go on", "keys")
        else:
            meet(session, window, role, relay, folder)
        session.until(lambda _: window.table is not None)
        script = Friend(session, "keys" if role == "Blue" else "mouse", seed=len(role))
        script.most_offers, script.folder, script.rounds = 0, folder, rounds
        if role == "Orange":
            script.play_until(rounds // 2)
            (folder / GOOD_BYE).touch()
            os.kill(os.getpid(), signal.SIGKILL)
        if role == "Blue" and not (folder / f"Blue {CLOSED}").exists():
            script.play_until(rounds // 3)
            (folder / f"Blue {CLOSED}").touch()
            session.use("leave", "keys")
            session.until(lambda _: not window.running)
            return
        screen = script.play()
        assert screen.is_over, screen
        assert script.rounds_played >= rounds
        session.until(lambda _: session.state is not None and not any(session.state.due))  # all cards are opened
        (folder / f"{role} has {SEEN}").touch()
        session.until(lambda _: all((folder / f"{friend} has {SEEN}").exists() for friend in STAY))
        print(role, window.tables[0].sit.path)


if __name__ == "__main__":
    role, relay, folder, patience_s, rounds = sys.argv[1:]
    write_settings(Path(data_folder()) / "settings.json", settings())
    new_game_options.PATIENCES["a moment"] = int(patience_s)
    default = new_game_options.NewGameOptions(rules=RULES, patience="a moment")
    lobby.NewGameOptions = lambda: default  # type: ignore[assignment, misc]
    FrontWindow.run = lambda window: play(window, role, relay, Path(folder), int(rounds))  # type: ignore[method-assign]
    code = main(["play", "--size", "1100x720"])
    if role == "Blue" and code == 0 and not (Path(folder) / f"Blue has {SEEN}").exists():
        os.execv(sys.executable, [sys.executable, "-m", "tests.visualizer.play.friend", *sys.argv[1:]])
    sys.exit(code)
