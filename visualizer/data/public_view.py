"""Public views as recordings: games whose files do not say everything, shown as far as they are certain."""

from __future__ import annotations

from pathlib import Path

from catan_p2p.log.game import GameDefinition, Seat, default_name
from catan_p2p.log.refs import LogBranch, branch_name
from catan_p2p.notation import load_view
from catan_p2p.view.consequences import told

from .recording import PlayedStep
from .repository import READING_ERRORS, WatchedRepository

REMARK = "public view: hands as ranges"


class ViewReplica(WatchedRepository):
    """The repository of a public view: read again only if another one has replaced it."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self._game: GameDefinition | None = None
        self._folder: tuple[int, int] | None = None
        """Which folder was read."""

    @property
    def is_read(self) -> bool:
        """Whether there is a game to show."""
        return self._game is not None

    @property
    def game(self) -> GameDefinition:
        """The game, its seats in the order of play; only once something has been read."""
        assert self._game is not None
        return self._game

    def refresh(self) -> bool:
        """Read it, unless it has been read; returns whether anything has changed."""
        folder = _identity(self.path)
        if self._game is not None and folder in (None, self._folder):
            return False
        try:
            view = load_view(self.path)
        except READING_ERRORS as error:
            problem, self.problem = self.problem, str(error)
            return problem != self.problem
        seats = tuple(Seat(name, default_name(name, 0), None) for name in view.names)
        self._folder = folder
        self._game = GameDefinition(view.first.state.constants, 0, seats)
        self.commits = [PlayedStep(view.root, (), self._branch(1), None, view.first.known_state(), view.first)]
        for step in view.steps:
            before = self.commits[-1].commit
            event, after, branch = step.event, step.after, self._branch(step.event.player)
            events = told(event, step.before, after)
            found = PlayedStep(step.commit, (before,), branch, event, after.known_state(), after, events=events)
            self.commits.append(found)
        self.heads = {self._branch(player): self.commits[-1].commit for player in view.first.players}
        self.heads_of = {}
        self.problem, self.remark = None, REMARK
        return True

    def _branch(self, player: int) -> str:
        return branch_name(LogBranch(self.game.seats[player - 1].colour, 0))


def _identity(path: Path) -> tuple[int, int] | None:
    """Which folder is at a path, None if none is."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_ino, found.st_mtime_ns
