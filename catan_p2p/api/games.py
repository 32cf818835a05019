"""A game as a sequence of steps: read from a repository, or played without one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, overload

from catan_p2p.api.frames import Table, frame_of
from catan_p2p.api.notebook import browse
from catan_p2p.game.actions import Action, RollDice
from catan_p2p.game.actions.replies import is_reply
from catan_p2p.game.constants import Constants
from catan_p2p.game.rules import apply
from catan_p2p.game.state import State
from catan_p2p.game.words import describe_action
from catan_p2p.log.history import History, load_history, newest_replica
from catan_p2p.log.storage.objects import NotThere

if TYPE_CHECKING:
    import pandas


class Step(NamedTuple):
    """One action of a game.

    ``commit`` is its id in the repository, None for a game without one. ``before`` is the state in which the action was
    decided and ``after`` the state that it produced, in the order of the steps. Concurrent replies are applied one
    after the other, although the tree of each contains none of the others.
    """

    commit: str | None
    action: Action
    before: State
    after: State


class Game(Sequence[Step]):
    """A game: who plays, how it began, and its steps in order. Iterating gives the steps."""

    def __init__(
        self,
        colours: Sequence[str],
        first: State,
        steps: Sequence[Step],
        path: Path | None = None,
        findings: Sequence[str] = (),
    ) -> None:
        self.colours = tuple(colours)
        """The players' colours by seat: player 1 is ``colours[0]``."""
        self.first = first
        """The state before the first action."""
        self.steps = tuple(steps)
        self.path = path
        """Where its repository is, None if it has none."""
        self.findings = tuple(findings)
        """What is wrong with the repository, a line for each refused commit; empty if it is in order."""

    @classmethod
    def open(cls, path: str | Path) -> Game:
        """The game in the repository at ``path``, with every commit checked as a peer would.

        In a folder that holds the repositories of a game's players, the most advanced one is read. Raises
        ``FileNotFoundError`` if there is nothing at ``path``, ``StoreError`` if it holds no game, and ``BadRoot`` (a
        ``StoreError``) if its first commit does not begin a game.
        """
        if not Path(path).exists():
            raise NotThere(f"{path}: no such folder")
        path = newest_replica(Path(path))
        history = load_history(path)
        findings = [str(rejected) for rejected in history.rejected]
        colours = [seat.colour for seat in history.game.seats]
        return cls(colours, history.first, tuple(_steps(history)), path, findings)

    @property
    def constants(self) -> Constants:
        """Rules, board and number of players."""
        return self.first.constants

    @property
    def last(self) -> State:
        """The state after all steps."""
        return self.steps[-1].after if self.steps else self.first

    @property
    def winner(self) -> str | None:
        """The winner's colour, None if the game is not over."""
        return self.colours[self.last.winner - 1] if self.last.winner else None

    @property
    def points(self) -> Mapping[str, int]:
        """Victory points by colour, after the last step."""
        return {colour: self.last.points(seat) for seat, colour in enumerate(self.colours, 1)}

    @property
    def turns(self) -> int:
        """How many turns began after the set-up, each with a roll of the dice, the winner's last turn included."""
        return sum(isinstance(step.action, RollDice) for step in self.steps)

    def words(self, step: Step) -> str:
        """What a step did, in words, without the player's colour."""
        return describe_action(step.action, step.before, step.after, self.colours)

    def to_dataframe(self, table: Table = "actions") -> pandas.DataFrame:
        """The game as a pandas data frame; raises ``MissingExtra`` if pandas is not installed.

        ``actions``: one row a step. ``hands``: one row for each step and player, with every card held after the step.
        ``deltas`` and ``timings``, of games in a repository only (``ValueError`` otherwise): what each commit changed
        and stores, in bytes, and what each action cost, in seconds, as ``catan-p2p metrics`` measures it.
        """
        return frame_of(self, table)

    def browse(self) -> Any:
        """The game with a slider over its steps in a notebook with ipywidgets; elsewhere the game itself."""
        return browse(self)

    def _repr_html_(self) -> str:
        return f"<p>{self!r}</p>{self.last._repr_html_()}"

    def __repr__(self) -> str:
        end = f"{self.winner} has won" if self.winner else "not over"
        return f"<Game of {', '.join(self.colours)}: {len(self.steps)} actions, {self.turns} turns, {end}>"

    def __len__(self) -> int:
        return len(self.steps)

    @overload
    def __getitem__(self, index: int) -> Step: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Step, ...]: ...
    def __getitem__(self, index: Any) -> Any:
        return self.steps[index]

    def find(self, commit: str) -> Step:
        """The step whose commit id is, or begins with, this text; ``KeyError`` if none or several do."""
        found = [step for step in self.steps if step.commit and commit and step.commit.startswith(commit)]
        if len(found) != 1:
            raise KeyError(f"{commit}: {len(found)} commits of this game begin so")
        return found[0]


def _steps(history: History) -> Iterator[Step]:
    """The steps of a history, concurrent replies in a row."""
    before = history.first
    for logged in history.actions:
        after = apply(before, logged.action) if is_reply(logged.action) else logged.state
        yield Step(logged.commit, logged.action, before, after)
        before = after
