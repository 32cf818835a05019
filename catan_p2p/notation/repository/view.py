"""A public view: a game as far as a file tells it, with what is open in it.

It is what becomes of a file that does not say enough to be played again, or that breaks the rules. ``import_game``
turns the events of a file into a game or a view.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC
from typing import NamedTuple

from catan_p2p.board import MapError
from catan_p2p.constants import Constants, Player, UnsupportedRules, profile
from catan_p2p.log.game import rules_named
from catan_p2p.notation.errors import Finding, NotationError, RulesBroken
from catan_p2p.notation.events import (
    BanditMoved,
    DevCardBought,
    DiceRolled,
    Event,
    GameStarted,
    PlayerEvent,
    TurnEnded,
    YearOfPlentyPlayed,
)
from catan_p2p.notation.referee import Table
from catan_p2p.notation.referee.position import Position
from catan_p2p.notation.referee.repair import Judged, begin, judged, likely_rules
from catan_p2p.notation.repository.from_game import Played
from catan_p2p.notation.repository.replay import Replayer
from catan_p2p.notation.tables import ViewFormat, table_for
from catan_p2p.notation.words import describe_event, tell_open
from catan_p2p.playable import check_playable

FIRST_DATE_S = 1735689600
"""Date of the first event of a game that names none: 2025-01-01, midnight UTC."""


_LATEST_S = 99_999_999_999
"""The last date that a commit of a view can have, in the year 5138."""


class ViewStep(NamedTuple):
    """One event with what is known before and after it, and its date in seconds since 1970."""

    event: PlayerEvent
    before: Position
    after: Position
    time_s: int
    commit: str = ""
    """The id of its commit, empty if it was not read from a repository."""


@dataclass(frozen=True, slots=True)
class View:
    """A game as its file tells it; ``findings`` are what a lenient reader objected to."""

    start: GameStarted
    format: ViewFormat
    rules: str
    """The profile by which it was judged, with what differs from it."""
    steps: tuple[ViewStep, ...]
    findings: tuple[Finding, ...]
    root: str = ""
    """The id of the commit before the first step, empty if the view was not read from a repository."""

    @property
    def names(self) -> tuple[str, ...]:
        """The players' colours by seat, as games of this project spell them."""
        return tuple(player.colour.capitalize() for player in self.start.players)

    @property
    def first(self) -> Position:
        """What is known before the first event."""
        return begin(self.start, rules_named(self.rules, len(self.start.players)))

    @property
    def last(self) -> Position:
        """What is known after the last event."""
        return self.steps[-1].after if self.steps else self.first

    @property
    def events(self) -> list[Event]:
        """All events, the start first."""
        return [self.start, *(step.event for step in self.steps)]

    @property
    def started_s(self) -> int:
        """When the game began, in seconds since 1970."""
        return started_s(self.start)

    @property
    def winner(self) -> Player | None:
        """Who has won, as far as can be seen: who is said to have, or who has the points on their turn."""
        return winner_of(self.last, self.format)

    def words(self, step: ViewStep) -> str:
        """A step in words, without the player's name."""
        return describe_event(step.event, step.before, step.after, self.names)

    def open_events(self) -> dict[str, int]:
        """How often the file leaves something open, by what it is."""
        counts = {"stolen cards": 0, "discards": 0, "development cards": 0, "years of plenty": 0}
        for step in self.steps:
            event = step.event
            if (
                isinstance(event, BanditMoved)
                and event.victim
                and event.card is None
                and step.before.hand(event.victim).most
            ):
                counts["stolen cards"] += 1
            elif isinstance(event, DevCardBought) and event.card is None:
                counts["development cards"] += 1
            elif isinstance(event, YearOfPlentyPlayed) and event.first is None:
                counts["years of plenty"] += 1
            elif isinstance(event, DiceRolled) and event.dice == 7 and self.format in ("catan", "lmu"):
                counts["discards"] += sum(
                    new.most < old.most for old, new in zip(step.before.hands, step.after.hands, strict=True)
                )
        return {what: n for what, n in counts.items() if n}


@dataclass(frozen=True, slots=True)
class Imported:
    """What a file has become: a view, and if its facts suffice the actions of a game."""

    view: View
    constants: Constants | None
    played: tuple[Played, ...]
    why_view: str | None
    """Why it is not a game, None if it is one."""


def winner_of(last: Position, format: ViewFormat) -> Player | None:
    """Who has won a game that ends like this; SGN does not say it, so there the points do."""
    return last.winner() if format == "sgn" or last.state.tp == "top" else None


def started_s(start: GameStarted) -> int:
    """When a game began, in seconds since 1970; its time is taken as UTC."""
    return int(start.started.replace(tzinfo=UTC).timestamp()) if start.started else FIRST_DATE_S


def import_game(
    events: Sequence[Event],
    format: ViewFormat,
    rules: str | None,
    findings: list[Finding] | None = None,
    *,
    checks_hands: bool = True,
) -> Imported:
    """Judge the events of a file and play them again if that is possible.

    The players are numbered in the order of play. ``rules`` names a profile; without it the one that the game breaks
    least often is taken. ``RulesBroken`` at the first event that breaks the rules, unless ``findings`` takes them.
    Whoever checks no hands objects only to what everybody at the table sees.
    """
    start = events[0]
    if not isinstance(start, GameStarted):
        raise NotationError("a game begins with its map")
    table = table_for(start, format)._replace(checks_hands=checks_hands)
    rules = rules or start.rules
    if rules is None:
        rules, steps = _keeps_thesis(start, events[1:], table)
        if steps is not None:
            return _played_again(_view(start, format, "thesis", steps, findings))
    steps = _judge(start, events[1:], table, rules, findings)
    return _played_again(_view(start, format, rules, steps, findings))


def _view(
    start: GameStarted, format: ViewFormat, rules: str, steps: Sequence[Judged], findings: list[Finding] | None
) -> View:
    return View(start, format, rules, _dated(start, steps), tuple(sorted(findings or (), key=lambda found: found[:2])))


def _keeps_thesis(start: GameStarted, events: Sequence[Event], table: Table) -> tuple[str, Sequence[Judged] | None]:
    """The likely profile; a game that keeps the thesis's rules comes judged, and is not looked at twice."""
    try:
        return "thesis", list(judged(start, events, table, profile("thesis", len(start.players))))
    except RulesBroken:
        return likely_rules(start, events, table), None


def _judge(
    start: GameStarted, events: Sequence[Event], table: Table, rules: str, findings: list[Finding] | None
) -> Sequence[Judged]:
    on_finding = None if findings is None else findings.append
    try:
        return list(judged(start, events, table, rules_named(rules, len(start.players)), on_finding))
    except RulesBroken as error:
        raise RulesBroken(f"{error.reason} (by the {rules} rules)", error.line, error.column) from None


def _played_again(view: View) -> Imported:
    """The game, if the facts of a view suffice for one."""
    why = _why_view(view)
    if why is not None:
        return Imported(view, None, (), why)
    constants = view.first.state.constants
    try:
        check_playable(constants)
        played = tuple(_dated_actions(view, constants))
    except (NotationError, UnsupportedRules, MapError) as error:
        return Imported(view, None, (), str(error))
    return Imported(view, constants, played, None)


def _dated_actions(view: View, constants: Constants) -> Iterator[Played]:
    """The actions of a game, with the dates of its events; where no turn was measured, one a second."""
    replayer = Replayer(constants)
    has_clock = any(isinstance(step.event, TurnEnded) and step.event.seconds for step in view.steps)
    number = 0
    for step, later in zip(view.steps, (*view.steps[1:], None), strict=False):
        # a placement of the set-up is one action, as long as its turn
        is_placed = step.after.is_placed and later is not None and isinstance(later.event, TurnEnded)
        time_s = later.time_s if is_placed and later else step.time_s
        for played in replayer.play(step.event):
            number += 1
            yield played._replace(time_s=time_s if has_clock else view.started_s + number)
    for played in replayer.finish():
        number += 1
        yield played._replace(time_s=view.steps[-1].time_s if has_clock else view.started_s + number)


def _why_view(view: View) -> str | None:
    if any(finding.kind == "rules" for finding in view.findings):
        return "it breaks the rules"
    left_open = view.open_events()
    if left_open:
        return f"the file does not say {tell_open(left_open)}"
    return None


def _dated(start: GameStarted, steps: Iterable[Judged]) -> tuple[ViewStep, ...]:
    """Every event with a date: turns are as long as they say, and without that an event takes a second."""
    time_s = turn_began_s = started_s(start)
    dated = []
    for step in steps:
        if isinstance(step.event, TurnEnded) and step.event.seconds is not None:
            time_s = turn_began_s = min(max(time_s, turn_began_s + step.event.seconds), _LATEST_S)
        elif start.started is None:
            time_s += 1
        dated.append(ViewStep(step.event, step.before, step.after, time_s))
    return tuple(dated)
