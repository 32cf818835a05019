"""A game as a sequence of steps: read from a repository or a file, or played without one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, overload

from catan_p2p.api import frames
from catan_p2p.api.frames import frame_of
from catan_p2p.api.notebook import browse
from catan_p2p.api.positions import Position, PublicPosition
from catan_p2p.game.actions import Action, RollDice
from catan_p2p.game.actions.replies import is_reply
from catan_p2p.game.constants import Constants
from catan_p2p.game.markup import state_markup
from catan_p2p.game.rules import apply, effect
from catan_p2p.game.state import State, initial_state
from catan_p2p.log.history import GameHistory, newest_replica
from catan_p2p.log.opened_hands import read_as_open
from catan_p2p.log.storage.objects import NotThere
from catan_p2p.notation.players import nameless
from catan_p2p.notation.repository.from_game import TimedAction, events_of
from catan_p2p.notation.repository.game import game_started_s, write_game
from catan_p2p.notation.repository.importing import ImportedGame
from catan_p2p.notation.repository.view import FileView, started_s
from catan_p2p.notation.repository.view_files import write_view
from catan_p2p.notation.sources import known_view, read_repository
from catan_p2p.notation.tables import Format, table_for
from catan_p2p.notation.writing import format_by_ending, write_file
from catan_p2p.view.advance import ViewContext
from catan_p2p.view.events import DiceRolled, Event, GameStarted, Participant, PlayerEvent
from catan_p2p.view.knowledge import PublicKnowledge
from catan_p2p.view.observe import observe
from catan_p2p.view.words import EventWording, in_words

if TYPE_CHECKING:
    import pandas


_SAVED = "saved by the library"


class Step(NamedTuple):
    """One action of a game, or in a public game one event.

    ``commit`` is its id in the repository, None for a game without one. ``before`` is the state in which the action was
    decided and ``after`` the state that it produced, in the order of the steps. Concurrent replies are applied one
    after the other, although the tree of each contains none of the others. The states of a public game have the cards
    that are certain; ``Game.position`` has the bounds of the others.
    """

    commit: str | None
    action: Action | PlayerEvent
    before: State
    after: State


class ActionRecord(NamedTuple):
    """A game as the actions that it consists of, and the state that they lead to."""

    actions: Sequence[Action]
    last: State

    def steps(self, first: State) -> Iterator[Step]:
        """The steps from the first state on."""
        after = first
        for action in self.actions:
            before, after = after, effect(after, action)
            yield Step(None, action, before, after)


class PublicRecord(NamedTuple):
    """What a public game has besides its steps."""

    view: FileView
    table: ViewContext
    """How its events are to be understood."""
    why: str
    """What its source does not tell."""
    is_measured: bool = False
    """Whether its repository is that of a game, whose commits can be measured."""

    def position(self, steps: int) -> PublicKnowledge:
        """What is known after this many events."""
        return self.view.steps[steps - 1].after if steps else self.view.first


class Game(Sequence[Step]):
    """A game: who plays, how it began, and its steps in order. Iterating gives the steps."""

    def __init__(
        self,
        colours: Sequence[str],
        first: State,
        steps: Sequence[Step] | ActionRecord,
        path: Path | None = None,
        findings: Sequence[str] = (),
        names: Sequence[str] | None = None,
        headers: Mapping[str, str] | None = None,
        comments: Mapping[int, str] | None = None,
        public: PublicRecord | None = None,
        imported: ImportedGame | None = None,
        seed: int | None = None,
    ) -> None:
        self.colours = tuple(colours)
        """The players' colours by seat: player 1 is ``colours[0]``."""
        self.first = first
        """The state before the first action."""
        self._steps = steps if isinstance(steps, ActionRecord) else tuple(steps)
        self.path = path
        """Where its repository is, None if it has none."""
        self.findings = tuple(findings)
        """What is wrong with the repository or file, a line for each finding; empty if it is in order."""
        self.names = tuple(names or colours)
        """The players' names by seat, the colours of those who have none."""
        self.headers = dict(headers or {})
        """What is told about a game in a file, such as ``Date``, ``Event`` or ``Rules``."""
        self.comments = dict(comments or {})
        """Comments of a file: after how many steps each stands, and its text."""
        self.seed = seed
        """The seed of a game that ``play`` has played: given again, it plays the same one. None for other games."""
        self._public = public
        self._imported = imported

    @classmethod
    def open(cls, path: str | Path) -> Game:
        """The game in the repository at ``path``, with every commit checked as a peer would.

        In a folder that holds the repositories of a game's players, the most advanced one is read. Raises
        ``FileNotFoundError`` if there is nothing at ``path``, ``StoreError`` if it holds no game, and ``BadRoot`` (a
        ``StoreError``) if its first commit does not begin a game.

        A game of hidden hands in which not every card is open is a public game: ``why_public`` names who left or did
        not open their cards.
        """
        if not Path(path).exists():
            raise NotThere(f"{path}: no such folder")
        path = newest_replica(Path(path))
        with read_as_open(path) as found:
            history, started_s = found.history, game_started_s(found.store, found.history)
        findings = [str(rejected) for rejected in history.rejected]
        if found.closed is not None:
            public = public_of(known_view(history, started_s), found.closed)._replace(is_measured=True)
            return game_of_view(public, path, findings)
        colours = [seat.colour for seat in history.game.seats]
        return cls(colours, history.first, tuple(_steps(history)), path, findings, history.game.names)

    @property
    def steps(self) -> tuple[Step, ...]:
        """All steps in order."""
        if isinstance(self._steps, ActionRecord):
            self._steps = tuple(self._steps.steps(self.first))
        return self._steps

    @property
    def is_public(self) -> bool:
        """Whether its source does not tell every card, so that its steps are events and hands have bounds."""
        return self._public is not None

    @property
    def why_public(self) -> str | None:
        """What its source does not tell, None if it tells everything."""
        return self._public.why if self._public else None

    def position(self, steps: int | None = None) -> Position:
        """The position after this many steps, all by default; moves lead on from it without changing the game.

        Raises ``IndexError`` if the game has fewer steps.
        """
        steps = len(self) if steps is None else steps
        if not 0 <= steps <= len(self):
            raise IndexError(f"{steps} steps: the game has {len(self)}")
        if self._public is not None:
            return PublicPosition(self._public.position(steps), self._public.table, self.colours)
        if steps == len(self):
            return Position(self.last, self.colours)
        return Position(self.steps[steps - 1].after if steps else self.first, self.colours)

    def save(self, path: str | Path) -> None:
        """Write the game, by the ending of the path as ``.catan``, SGN or catanatron (``.json``), else as a repository.

        The repository is that of a game without keys whose actors draw, or a public view where cards are open. Raises
        ``FileExistsError`` if there is something at the path, ``NotExpressible`` if the format cannot say what the game
        needs, and ``StoreError`` if it cannot be written.
        """
        path = Path(path)
        if path.exists():
            raise FileExistsError(f"{path}: there is something already")
        format = format_by_ending(path)
        if format is not None:
            write_file(path, format, self._events(format))
        elif self._public is not None:
            write_view(path, self._public.view, _SAVED)
        else:
            steps = self._drawn_by_actors()
            write_game(path, self._start(), steps[0].state.constants if steps else self.constants, steps, _SAVED)

    def _start(self) -> GameStarted:
        if self._imported is not None:
            return self._imported.view.start
        start = next(events_of(self.constants, self._participants(), ()))
        assert isinstance(start, GameStarted)
        return start

    def _events(self, format: Format) -> list[Event]:
        """What there is to write: what the file said that the game is from, or all that its actions say."""
        if self._public is not None:
            return self._public.view.events
        if self.path is not None:
            source = read_repository(self.path)
            return [source.start, *source.events]
        if self._imported is not None and self._imported.view.format == format:
            return self._imported.view.events
        start, began_s = self._start(), started_s(self._start())
        has_clock = self._imported is not None and self._imported.has_clock
        _, *events = events_of(self.constants, start.players, self._played(), began_s, has_clock=has_clock)
        return [start, *events]

    def _participants(self) -> list[Participant]:
        seats = zip(self.constants.players, self.names, self.colours, strict=True)
        return [Participant(seat, name, colour.lower()) for seat, name, colour in seats]

    def _played(self) -> list[TimedAction]:
        if self._imported is not None:
            return list(self._imported.played)
        return [TimedAction(step.action, step.after) for step in self.steps if not isinstance(step.action, PlayerEvent)]

    def _drawn_by_actors(self) -> list[TimedAction]:
        """The actions of the same game if whoever acts draws: nobody has the shares of the others' draws."""
        state = initial_state(replace(self.constants, rules=self.constants.rules.drawn_by_actors))
        steps = []
        for step in self._played():
            if step.action.rule != "chance":
                state = apply(state, step.action)
                steps.append(step._replace(state=state))
        return steps

    @property
    def constants(self) -> Constants:
        """Rules, board and number of players."""
        return self.first.constants

    @property
    def last(self) -> State:
        """The state after all steps."""
        if isinstance(self._steps, ActionRecord):
            return self._steps.last
        return self._steps[-1].after if self._steps else self.first

    @property
    def winner(self) -> str | None:
        """The winner's colour, None if the game is not over."""
        return self.position().winner

    @property
    def points(self) -> Mapping[str, int]:
        """Victory points by colour, after the last step; of a public game those that everybody sees."""
        return self.position().points

    @property
    def turns(self) -> int:
        """How many turns began after the set-up, each with a roll of the dice, the winner's last turn included."""
        record = self._steps
        actions = record.actions if isinstance(record, ActionRecord) else [step.action for step in record]
        return sum(isinstance(action, RollDice | DiceRolled) for action in actions)

    def words(self, step: Step) -> str:
        """What a step did, in words, without the player's colour."""
        if isinstance(step.action, PlayerEvent):
            return self._public_words(step)
        return in_words(
            observe(step.action, step.before, step.after), EventWording(self.colours, step.before.constants.board)
        )

    def _public_words(self, step: Step) -> str:
        assert self._public is not None, "events are the steps of public games"
        at = next(number for number, other in enumerate(self.steps) if other is step)
        return self._public.view.words(self._public.view.steps[at])

    def to_dataframe(self, table: frames.Table = "actions") -> pandas.DataFrame:
        """The game as a pandas data frame; raises ``MissingExtra`` if pandas is not installed.

        ``actions``: one row a step. ``hands``: one row for each step and player, with every card held after the step;
        of a public game the resource cards that are certain, and in columns such as ``Ore_most`` how many there can be.
        ``deltas`` and ``timings``, of games in a repository only (``ValueError`` otherwise): what each commit changed
        and stores, in bytes, and what each action cost, in seconds, as ``catan-p2p metrics`` measures it.
        """
        is_measured = self.path is not None and (self._public is None or self._public.is_measured)
        return frame_of(self, table, is_measured=is_measured)

    def browse(self) -> Any:
        """The game with a slider over its steps in a notebook with ipywidgets; elsewhere the game itself."""
        return browse(self)

    def _repr_html_(self) -> str:
        return f"<p>{self!r}</p>{state_markup(self.last, self.colours)}"

    def __repr__(self) -> str:
        end = f"{self.winner} has won" if self.winner else "not over"
        steps = f"{len(self)} {'events' if self.is_public else 'actions'}"
        return f"<Game of {', '.join(self.colours)}: {steps}, {self.turns} turns, {end}>"

    def __len__(self) -> int:
        return len(self._steps.actions if isinstance(self._steps, ActionRecord) else self._steps)

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


def public_of(view: FileView, why: str) -> PublicRecord:
    """What a game has that is a public view; ``why`` says what its source does not tell."""
    return PublicRecord(view, table_for(view.start, view.format)._replace(names=view.names), why)


def game_of_view(
    public: PublicRecord,
    path: Path | None,
    findings: Sequence[str],
    headers: Mapping[str, str] | None = None,
    comments: Mapping[int, str] | None = None,
) -> Game:
    """The game of a public view."""
    view = public.view
    steps = [
        Step(step.commit or None, step.event, step.before.known_state(), step.after.known_state())
        for step in view.steps
    ]
    first = view.first.known_state()
    return Game(view.names, first, steps, path, findings, view_names(view), headers, comments, public)


def view_names(view: FileView) -> list[str]:
    """The players' names, the colours of those whom the file does not name."""
    called = zip(view.start.players, view.names, strict=True)
    return [colour if player.name in ("", nameless(player.seat)) else player.name for player, colour in called]


def _steps(history: GameHistory) -> Iterator[Step]:
    """The steps of a history, concurrent replies in a row."""
    before = history.first
    for logged in history.actions:
        after = apply(before, logged.action) if is_reply(logged.action) else logged.state
        yield Step(logged.commit, logged.action, before, after)
        before = after
