"""A game as a sequence of steps: read from a repository or a file, or played in memory."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, overload

from catan_p2p import settings
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
from catan_p2p.notation.errors import NotExpressible
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
    """One action of a game, or one event of a public game.

    ``commit`` is its id in the repository, None without one. ``before`` and ``after`` are the states around it in the
    order of the steps: concurrent replies are applied one after the other, although the tree of each contains none of
    the others. The states of a public game have the cards that are certain; ``Game.position`` has bounds on the others.
    """

    commit: str | None
    action: Action | PlayerEvent
    before: State
    after: State


class ActionRecord(NamedTuple):
    """The actions of a game and its last state; the states between are computed only when ``steps`` is called."""

    actions: Sequence[Action]
    last: State

    def steps(self, first: State) -> Iterator[Step]:
        """The steps from the first state."""
        after = first
        for action in self.actions:
            before, after = after, effect(after, action)
            yield Step(None, action, before, after)


class PublicRecord(NamedTuple):
    """The data of a public game besides its steps."""

    view: FileView
    table: ViewContext
    """The context in which to read its events."""
    why: str
    """A sentence about what its source leaves out."""
    is_measured: bool = False
    """Whether it comes from a game's repository, whose commits can be measured."""

    def position(self, steps: int) -> PublicKnowledge:
        """The knowledge after this many events."""
        return self.view.steps[steps - 1].after if steps else self.view.first


class Game(Sequence[Step]):
    """A game: its players, its first state, and its steps, of which it is a sequence."""

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
        """The path of its repository, None without one."""
        self.findings = tuple(findings)
        """The problems of the repository or file, one line each; empty if there are none."""
        self.names = tuple(names or colours)
        """The players' names by seat; colours for players without a name."""
        self.headers = dict(headers or {})
        """Facts about the game in a file, such as ``Date``, ``Event`` or ``Rules``."""
        self.comments = dict(comments or {})
        """The comments of a file, by the number of steps before them."""
        self.seed = seed
        """The seed with which ``play`` plays this game again; None for other games."""
        self._public = public
        self._imported = imported

    @classmethod
    def open(cls, path: str | Path) -> Game:
        """The game in the repository at ``path``, with every commit checked as a peer would check it.

        In a folder that holds the repositories of a game's players, the most advanced one is read. Raises
        ``FileNotFoundError`` if there is nothing at ``path``, ``StoreError`` if it holds no game, and ``BadRoot`` (a
        ``StoreError``) if its first commit does not begin a game.

        A game of hidden hands in which not every card is open is a public game: ``why_public`` names who left or did
        not open their cards.
        """
        settings.path("path", path)
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
        """Whether its source leaves cards open, so that its steps are events and hands have bounds."""
        return self._public is not None

    @property
    def why_public(self) -> str | None:
        """A sentence about what its source leaves out, None if it leaves nothing out."""
        return self._public.why if self._public else None

    def position(self, steps: int | None = None) -> Position:
        """The position after this many steps, by default all. Moves pushed to it do not change the game.

        Raises ``IndexError`` if the game has fewer steps.
        """
        if steps is None:
            steps = len(self)
        elif isinstance(steps, bool) or not hasattr(steps, "__index__"):
            raise TypeError(f"steps {steps!r}: expected a whole number of steps, 0 to {len(self)}")
        if not 0 <= steps <= len(self):
            raise IndexError(f"{steps} steps: the game has {len(self)}")
        if self._public is not None:
            return PublicPosition(self._public.position(steps), self._public.table, self.colours)
        if steps == len(self):
            return Position(self.last, self.colours)
        return Position(self.steps[steps - 1].after if steps else self.first, self.colours)

    def save(self, path: str | Path) -> None:
        """Write the game: by the suffix of the path as ``.catan``, SGN or catanatron (``.json``), else as a repository.

        The repository is a game without keys in which actors draw, or a public view if cards are open. Raises
        ``FileExistsError`` if the path exists, ``NotExpressible`` if the format cannot express the game, as a
        repository without keys one whose players may leave, and ``StoreError`` if it cannot be written.
        """
        settings.path("path", path)
        path = Path(path)
        if path.exists():
            raise FileExistsError(f"{path}: exists already; choose another path")
        format = format_by_ending(path)
        if format is not None:
            write_file(path, format, self._events(format))
        elif self._public is not None:
            write_view(path, self._public.view, _SAVED)
        elif self.constants.rules.leaving:
            raise NotExpressible(
                "where play may go on without a player, all logs are signed with the players' keys, which are not "
                "saved: save this game as a file (.catan, .sgn, .json), or copy the repository in which it was played"
            )
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
        """The events to write: those of the file that the game was read from, otherwise those of its actions."""
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
        """The actions of the same game without joint draws, whose shares a game without keys cannot have."""
        state = initial_state(replace(self.constants, rules=self.constants.rules.drawn_by_actors))
        steps = []
        for step in self._played():
            # Pledges, calls and shares exist only with joint draws.
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
        if isinstance(self._steps, ActionRecord):  # known without making all states
            return self._steps.last
        return self._steps[-1].after if self._steps else self.first

    @property
    def winner(self) -> str | None:
        """The winner's colour, None if the game is not over."""
        return self.position().winner

    @property
    def points(self) -> Mapping[str, int]:
        """Victory points by colour after the last step; of a public game those that the record tells."""
        return self.position().points

    @property
    def turns(self) -> int:
        """The number of turns after the set-up, counted by rolls of the dice."""
        record = self._steps
        actions = record.actions if isinstance(record, ActionRecord) else [step.action for step in record]
        return sum(isinstance(action, RollDice | DiceRolled) for action in actions)

    def words(self, step: Step) -> str:
        """A step in words, without the player's colour."""
        if isinstance(step.action, PlayerEvent):
            return self._public_words(step)
        return in_words(
            observe(step.action, step.before, step.after), EventWording(self.colours, step.before.constants.board)
        )

    def _public_words(self, step: Step) -> str:
        assert self._public is not None, "events are the steps of public games"
        # By identity: a game may have equal steps, and comparing states is slow.
        at = next(number for number, other in enumerate(self.steps) if other is step)
        return self._public.view.words(self._public.view.steps[at])

    def to_dataframe(self, table: frames.Table = "actions") -> pandas.DataFrame:
        """The game as a pandas data frame; raises ``MissingExtra`` if pandas is not installed.

        ``actions``: one row per step. ``hands``: one row for each step and player, with every card held after the step;
        of a public game the certain resource cards, and the most there can be in columns such as ``Ore_most``.
        ``deltas`` and ``timings``, of games in a repository only (``ValueError`` otherwise): what each commit changed
        and stores, in bytes, and what each action cost, in seconds, as ``catan-p2p metrics`` measures it.
        """
        is_measured = self.path is not None and (self._public is None or self._public.is_measured)
        return frame_of(self, table, is_measured=is_measured)

    def browse(self) -> Any:
        """A notebook widget with a slider over the steps; the game itself without ipywidgets."""
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
        """The step whose commit id begins with this text; ``KeyError`` unless exactly one does."""
        found = [step for step in self.steps if step.commit and commit and step.commit.startswith(commit)]
        if len(found) != 1:
            raise KeyError(f"{commit}: {len(found)} commit ids of this game begin with it")
        return found[0]


def public_of(view: FileView, why: str) -> PublicRecord:
    """The data of a public game; ``why`` says what its source leaves out."""
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
    """The players' names; colours for players whom the file does not name."""
    called = zip(view.start.players, view.names, strict=True)
    return [colour if player.name in ("", nameless(player.seat)) else player.name for player, colour in called]


def _steps(history: GameHistory) -> Iterator[Step]:
    """The steps of a history, with concurrent replies one after the other."""
    before = history.first
    for logged in history.actions:
        after = apply(before, logged.action) if is_reply(logged.action) else logged.state
        yield Step(logged.commit, logged.action, before, after)
        before = after
