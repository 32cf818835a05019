"""Importing a file: as a game that is replayed if the file says enough, otherwise as a public view.

``check`` reads the events once, or again to find the rules, and keeps none of them; ``view_steps`` and ``game_steps``
read them once more, to write them. So a file of any length is imported in constant memory. ``import_game`` does it all
for a sequence of events, and keeps everything.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain, pairwise
from typing import TypeAlias

from catan_p2p.game.board import MapError
from catan_p2p.game.constants import Constants, Player, UnsupportedRules
from catan_p2p.game.playable import check_playable
from catan_p2p.game.rule_names import rules_named
from catan_p2p.notation.errors import NotationError, NotationFinding, RulesBroken
from catan_p2p.notation.repair import ViewStep, begin, judged, likely_rules
from catan_p2p.notation.repository.from_game import TimedAction
from catan_p2p.notation.repository.replay import EventReplayer
from catan_p2p.notation.repository.view import (
    FileView,
    dated,
    left_open,
    started_s,
    tell_open,
    told_open,
    winner_of,
)
from catan_p2p.notation.tables import ViewFormat, begun, table_for
from catan_p2p.view.advance import ViewContext
from catan_p2p.view.events import Event, GameStarted, TurnEnded
from catan_p2p.view.knowledge import PublicKnowledge

Reread: TypeAlias = Callable[[], Iterable[Event]]
"""Returns the events of a file from its beginning, with players in the order of play; can be called repeatedly."""


@dataclass(frozen=True, slots=True)
class ImportVerdict:
    """The result of checking a file, without its events."""

    start: GameStarted
    format: ViewFormat
    rules: str
    """The rules by which it was judged, as ``rules_named`` reads them."""
    findings: tuple[NotationFinding, ...]
    """The findings of a lenient reader."""
    events: int
    """The number of events, without the start and without those that were taken back."""
    actions: int
    """The number of actions, 0 if it is not a game."""
    last: PublicKnowledge
    """The knowledge at the end."""
    open: dict[str, int]
    """How often the file leaves each kind of fact open."""
    has_clock: bool
    """Whether the file has the length of any turn."""
    constants: Constants | None
    """The constants of the game, None if it is only a view."""
    why_view: str | None
    """Why it is not a game; None if it is one."""
    table: ViewContext
    is_lenient: bool

    @property
    def names(self) -> tuple[str, ...]:
        """The players' colours in the order of play, as games of this project spell them."""
        return tuple(player.colour.capitalize() for player in self.start.players)

    @property
    def winner(self) -> Player | None:
        """The winner, None if the file does not show one."""
        return winner_of(self.last, self.format)


@dataclass(frozen=True, slots=True)
class ImportedGame:
    """An imported file: a view, and the actions of a game if the file says enough."""

    view: FileView
    constants: Constants | None
    played: tuple[TimedAction, ...]
    counts: tuple[int, ...]
    """How many actions each event of the view stands for, in order, and last how many end the game."""
    why_view: str | None
    """Why it is not a game, None if it is one."""
    has_clock: bool
    """Whether the file says how long any turn took."""


def check(
    reread: Reread,
    format: ViewFormat,
    rules: str | None,
    findings: list[NotationFinding] | None = None,
    *,
    checks_hands: bool = True,
) -> ImportVerdict:
    """Judge the events of a file and find out whether they can be replayed.

    The players must be numbered in the order of play. ``rules`` names a profile; without it, the one that the game
    breaks least often is used. ``RulesBroken`` at the first event that breaks the rules, unless ``findings`` is a list
    to collect them. Without ``checks_hands``, only what all at the table can see is judged.
    """
    return _checked(reread, format, rules, findings, checks_hands=checks_hands, keeps=False).verdict()


def import_game(
    events: Sequence[Event], format: ViewFormat, rules: str | None, findings: list[NotationFinding] | None = None
) -> ImportedGame:
    """Check the events and keep everything: the view, and the actions if it is a game."""
    passed = _checked(lambda: events, format, rules, findings, checks_hands=True, keeps=True)
    verdict = passed.verdict()
    view = FileView(verdict.start, format, verdict.rules, tuple(passed.steps), verdict.findings)
    played = passed.played if verdict.constants is not None else []
    clocked = played if verdict.has_clock else _ticking(played, started_s(verdict.start))
    counts = passed.counts if verdict.constants is not None else []
    return ImportedGame(view, verdict.constants, tuple(clocked), tuple(counts), verdict.why_view, verdict.has_clock)


def view_steps(verdict: ImportVerdict, reread: Reread) -> Iterator[ViewStep]:
    """The steps of a checked file's view."""
    _, events = begun(reread())
    on_finding = _overlook if verdict.is_lenient else None
    rules = rules_named(verdict.rules, len(verdict.start.players))
    return dated(verdict.start, judged(verdict.start, events, verdict.table, rules, on_finding))


def game_steps(verdict: ImportVerdict, reread: Reread) -> Iterator[TimedAction]:
    """The actions of a checked file's game, with the dates of its events; without dates, one second apart."""
    assert verdict.constants is not None, "a game, not a view"
    played = _played(EventReplayer(verdict.constants), view_steps(verdict, reread))
    return played if verdict.has_clock else _ticking(played, started_s(verdict.start))


def _played(replayer: EventReplayer, steps: Iterable[ViewStep]) -> Iterator[TimedAction]:
    step: ViewStep | None = None
    for step, later in _with_next(steps):
        yield from _actions_of(replayer, step, later)
    if step is not None:
        yield from _end_of(replayer, step)


def _overlook(finding: NotationFinding) -> None:
    """Drop a finding: the first pass has reported it."""


def _checked(
    reread: Reread,
    format: ViewFormat,
    rules: str | None,
    findings: list[NotationFinding] | None,
    *,
    checks_hands: bool,
    keeps: bool,
) -> _EventPass:
    start, events = begun(reread())
    table = table_for(start, format)._replace(checks_hands=checks_hands)
    rules = rules or start.rules
    if rules is None:
        # Most games keep the usual rules, so one pass will do; only others need a search for theirs.
        passed = _EventPass(start, format, table.usual_rules, table, keeps=keeps)
        try:
            passed.go(events, findings, is_strict=True)
            return passed
        except RulesBroken:
            rules = likely_rules(start, begun(reread())[1], table)
        events = begun(reread())[1]
    passed = _EventPass(start, format, rules, table, keeps=keeps)
    try:
        passed.go(events, findings, is_strict=findings is None)
    except RulesBroken as error:
        reason = f"{error.reason} (by the {rules} rules)"
        raise RulesBroken(reason, error.line, error.column, error.constant) from None
    return passed


class _EventPass:
    """One pass over the events of a file: counts, and if ``keeps`` the steps and actions."""

    def __init__(self, start: GameStarted, format: ViewFormat, rules: str, table: ViewContext, *, keeps: bool) -> None:
        self.steps: list[ViewStep] = []
        self.played: list[TimedAction] = []
        self.counts: list[int] = []
        self._start = start
        self._format: ViewFormat = format
        self._rules = rules
        self._table = table
        self._keeps = keeps
        self._events = self._actions = 0
        self._open: Counter[str] = Counter()
        self._has_clock = False
        self._last = begin(start, rules_named(rules, len(start.players)))
        self._constants = self._last.state.constants
        self._replayer: EventReplayer | None = EventReplayer(self._constants)
        self._why: str | None = None
        self._findings: list[NotationFinding] | None = None
        self._breaks_rules = False
        try:
            check_playable(self._constants)
        except (NotationError, UnsupportedRules, MapError) as error:
            self._give_up(str(error))
        if self._constants.rules.leaving:
            self._give_up("where play may go on without a player, all logs are signed, and a file has no signatures")

    def go(self, events: Iterable[Event], findings: list[NotationFinding] | None, *, is_strict: bool) -> None:
        """Judge all events, and replay them as long as no fact is open and no rule broken."""
        self._findings = findings
        rules = self._constants.rules
        steps = judged(self._start, events, self._table, rules, None if is_strict else self._note)
        step: ViewStep | None = None
        for step, later in _with_next(dated(self._start, steps)):
            self._events += 1
            self._last = step.after
            if left := left_open(step, self._format):
                self._open.update(left)
            self._has_clock |= isinstance(step.event, TurnEnded) and bool(step.event.seconds)
            if self._keeps:
                self.steps.append(step)
            self._play(partial(_actions_of, step=step, later=later))
        if step is not None:
            self._play(partial(_end_of, step=step))

    def verdict(self) -> ImportVerdict:
        """The result of the pass."""
        is_game = self._why is None and self._replayer is not None
        return ImportVerdict(
            start=self._start,
            format=self._format,
            rules=self._rules,
            # A line that was taken back is found only at the line that replaces it.
            findings=tuple(sorted(self._findings or (), key=lambda found: found[:2])),
            events=self._events,
            actions=self._actions if is_game else 0,
            last=self._last,
            open=told_open(self._open),
            has_clock=self._has_clock,
            constants=self._constants if is_game else None,
            why_view=self._why_view(),
            table=self._table,
            is_lenient=self._findings is not None,
        )

    def _note(self, finding: NotationFinding) -> None:
        assert self._findings is not None, "only a lenient pass notes findings"
        self._findings.append(finding)
        self._breaks_rules |= finding.kind == "rules"

    def _play(self, actions: Callable[[EventReplayer], Iterator[TimedAction]]) -> None:
        # From the first open fact or broken rule on, the file can only be a view.
        if self._replayer is None or self._open.total() or self._breaks_rules:
            self._replayer = None
            return
        try:
            played = list(actions(self._replayer))
        except (NotationError, UnsupportedRules, MapError) as error:
            self._give_up(str(error))
            return
        self._actions += len(played)
        if self._keeps:
            self.played += played
            self.counts.append(len(played))

    def _give_up(self, why: str) -> None:
        self._why, self._replayer = why, None

    def _why_view(self) -> str | None:
        if self._breaks_rules:
            return "it breaks the rules"
        left = told_open(self._open)
        return f"the file does not say {tell_open(left)}" if left else self._why


def _with_next(steps: Iterable[ViewStep]) -> Iterator[tuple[ViewStep, ViewStep | None]]:
    """Each step with the next one, None after the last."""
    return pairwise(chain(steps, (None,)))  # type: ignore[arg-type]


def _actions_of(replayer: EventReplayer, step: ViewStep, later: ViewStep | None) -> Iterator[TimedAction]:
    """The actions of a step, with its date; a placement of the set-up has the date at which its turn ends."""
    is_placed = step.after.is_placed and later is not None and isinstance(later.event, TurnEnded)
    replayer.time_s = later.time_s if is_placed and later else step.time_s
    return replayer.play(step.event)


def _end_of(replayer: EventReplayer, step: ViewStep) -> Iterator[TimedAction]:
    """The actions that end a game after its last step, if the file leaves them out."""
    replayer.time_s = step.time_s
    return replayer.finish()


def _ticking(played: Iterable[TimedAction], started_s: int) -> Iterator[TimedAction]:
    """The same actions, dated one second apart."""
    return (step._replace(time_s=started_s + number) for number, step in enumerate(played, 1))
