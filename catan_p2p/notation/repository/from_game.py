"""A game of this project as events: what its notations can tell of every action."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import NamedTuple

from catan_p2p.game import actions
from catan_p2p.game.constants import Constants
from catan_p2p.game.state import State, initial_state
from catan_p2p.log.history import GameHistory
from catan_p2p.notation.errors import NotExpressible
from catan_p2p.safe_text import shown_date
from catan_p2p.view import events as e
from catan_p2p.view.observe import done, won


class TimedAction(NamedTuple):
    """An action, the state after it, and when it was taken, in seconds since 1970 (0 if nobody knows)."""

    action: actions.Action
    state: State
    time_s: int = 0
    shows: tuple[int, int] | None = None
    """Of a roll: what either of the dice shows, None if nobody says."""


def events_of(
    constants: Constants,
    players: Sequence[e.Participant],
    steps: Iterable[TimedAction],
    started_s: int = 0,
    *,
    has_clock: bool = True,
) -> Iterator[e.Event]:
    """The events of a game that began at ``started_s``, each as soon as its action is there.

    Turn phases have no events: what is left of them is the end of a turn. What leads to a draw has none, nor have the
    rolls for the start: who begins is seen by who settles first. What lies on the board before the first action is told
    as if it had been placed in the set-up; who is excused while all roll for the start is told after that. Without a
    clock nobody knows how long a turn took.
    """
    start = e.GameStarted(tuple(players), constants.board.map, shown_date(started_s).replace(tzinfo=None))
    yield start
    # whoever begins, seat 1 says it
    first_seat = min(range(len(start.players)), key=lambda i: start.players[i].seat)
    yield e.BanditStands(first_seat + 1, constants.board.bandit_start)
    turn_began_s = started_s
    before = initial_state(constants)
    if constants.opening and before.sup != "Rolling":
        yield from _opening(before)
    early: list[e.Event] = []
    for step in steps:
        after = step.state
        seconds = step.time_s - turn_began_s if has_clock else None
        is_early = bool(constants.opening) and before.sup == "Rolling"
        for event in recorded(step.action, before, after, step.shows):
            told = e.TurnEnded(event.player, seconds) if isinstance(event, e.TurnEnded) else event
            if is_early:
                early.append(told)
            else:
                yield told
        if is_early and (after.sup != "Rolling" or after.is_over):
            yield from _opening(after)
            yield from early
        if isinstance(step.action, _ENDS_TURN):
            turn_began_s = step.time_s
        before = after


_ENDS_TURN = (actions.EmptyBuild, actions.SetupPhaseOne, actions.SetupPhaseTwo, actions.Excuse)


def _opening(state: State) -> Iterator[e.Event]:
    """The placements that lie on the board, in the order of a set-up: what a player earns from is their second."""
    opening, n = state.constants.opening, state.constants.player_count
    order = [(state.first + i - 1) % n + 1 for i in range(n)]
    for players, earns in ((order, False), (order[::-1], True)):
        for player in players:
            placed = [at for at in opening if at.player == player and at.earns == earns]
            if len(placed) != 1:
                raise NotExpressible(f"in the opening player {player} does not earn from one of two villages")
            yield e.VillageBuilt(player, placed[0].village)
            yield e.RoadBuilt(player, placed[0].road)
            yield e.TurnEnded(player, 0)


def recorded(
    action: actions.Action, before: State, after: State, pair: tuple[int, int] | None = None
) -> Iterator[e.Event]:
    """What files tell of one action, as they tell it; whoever knows fills in how long a turn took."""
    told = done(action, before, after, pair)
    told += won(before, after)
    for event in told:
        if (written := e.as_written(event)) is not None:
            yield written


class FileFacts(NamedTuple):
    """What the file said that a game was read from, and that nothing else in the game's repository tells."""

    numbers: tuple[int, ...] = ()
    """The numbers of the seats, none if they are the order of play."""
    version: str | None = None
    """The version of the program that wrote it, None if it is the one that is written."""
    microseconds: int = 0
    """What the second had in which it says that the game began."""


def events_of_history(history: GameHistory, started_s: int, facts: FileFacts | None = None) -> Iterator[e.Event]:
    """The events of a game repository whose root commit has this date."""
    facts = facts or FileFacts()
    players = participants(history, facts.numbers)
    steps = [TimedAction(logged.action, logged.state, logged.time_s, logged.entry.shows) for logged in history.actions]
    has_clock = is_clocked(history, started_s)
    for event in events_of(history.game.constants, players, steps, started_s, has_clock=has_clock):
        if isinstance(event, e.GameStarted) and event.started is not None:
            started = event.started.replace(microsecond=facts.microseconds)
            yield replace(event, started=started, version=facts.version)
        else:
            yield event


def participants(history: GameHistory, numbers: Sequence[int] = ()) -> list[e.Participant]:
    """The players of a game repository, whose seats have these numbers if any are given."""
    seats = history.game.seats
    return [
        e.Participant(number, seat.name, seat.colour.lower())
        for number, seat in zip(numbers or range(1, len(seats) + 1), seats, strict=True)
    ]


def is_clocked(history: GameHistory, started_s: int) -> bool:
    """Whether the dates of a game tell how long turns took.

    Those of simulated and imported games count actions, one a second.
    """
    dates_s = [started_s, *(logged.time_s for logged in history.actions)]
    return not all(0 <= after - before <= 1 for before, after in pairwise(dates_s))
