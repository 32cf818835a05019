"""A game of this project as events: what notations can express of every action."""

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
    """An action, the state after it, and its date in seconds since 1970, 0 if unknown."""

    action: actions.Action
    state: State
    time_s: int = 0
    shows: tuple[int, int] | None = None
    """The two dice of a roll, None if unknown."""


def events_of(
    constants: Constants,
    players: Sequence[e.Participant],
    steps: Iterable[TimedAction],
    started_s: int = 0,
    *,
    has_clock: bool = True,
) -> Iterator[e.Event]:
    """The events of a game that began at ``started_s``, lazily with its actions.

    Phases of a turn have no events except for the end of the turn. The actions that prepare a joint draw have none, nor
    have the rolls for the start: the first to settle is the one who begins. Pieces that are on the board at first are
    reported as if they had been placed in the set-up, and players who are excused during the rolls after that. Without
    ``has_clock``, turns have no length.
    """
    start = e.GameStarted(tuple(players), constants.board.map, shown_date(started_s).replace(tzinfo=None))
    yield start
    # an event needs a player; by convention this one is the lowest seat's
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
    """The given pieces in the order of a set-up: the village that a player earns from is their second one."""
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
    """The events of one action as files have them, without the length of a turn."""
    told = done(action, before, after, pair)
    told += won(before, after)
    for event in told:
        if (written := e.as_written(event)) is not None:
            yield written


class FileFacts(NamedTuple):
    """Facts of the file that a game was imported from which the repository cannot keep elsewhere."""

    numbers: tuple[int, ...] = ()
    """The file's seat numbers in the order of play; empty if they are that order."""
    version: str | None = None
    """The format version of the file, None if it is the one that is written."""
    microseconds: int = 0
    """The fraction of a second in the file's starting time, in microseconds."""


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
    """The players of a game repository, with these seat numbers if they are given."""
    seats = history.game.seats
    return [
        e.Participant(number, seat.name, seat.colour.lower())
        for number, seat in zip(numbers or range(1, len(seats) + 1), seats, strict=True)
    ]


def is_clocked(history: GameHistory, started_s: int) -> bool:
    """Whether the dates of a game are real times.

    In simulated games, and imported ones without times, they count actions, one second each.
    """
    dates_s = [started_s, *(logged.time_s for logged in history.actions)]
    return not all(0 <= after - before <= 1 for before, after in pairwise(dates_s))
