"""Judging a whole game: strictly up to the first broken rule, or leniently to the end with undone lines left out.

People who type a game take lines back that stay in the file. The rules find such lines: an event may break the rules
where it stands but not at an earlier place of the last turns, where the same player did the same kind of thing or ended
the turn. Then everything in between was undone, and the later line counts. Files of programs have no such lines.
"""

from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple, TypeAlias

from catan_p2p.game.board import board_of
from catan_p2p.game.constants import PROFILES, Constants, Rules, profile
from catan_p2p.notation.errors import NotationError, NotationFinding, RulesBroken
from catan_p2p.view.advance import RuleBreach, ViewContext, advance
from catan_p2p.view.events import DiceRolled, Event, GameStarted, PlayerEvent, PlayerExcused, PlayerReturned, TurnEnded
from catan_p2p.view.knowledge import PublicKnowledge, first_knowledge

OnFinding: TypeAlias = Callable[[NotationFinding], None]

_MEMORY = 48
"""How many events back a line may undo others: a few turns."""


class ViewStep(NamedTuple):
    """An event with the knowledge before and after it, and its date in seconds since 1970, 0 until it has one."""

    event: PlayerEvent
    before: PublicKnowledge
    after: PublicKnowledge
    time_s: int = 0
    commit: str = ""
    """The id of its commit; empty if it was not read from a repository."""


def begin(start: GameStarted, rules: Rules, *, hides_points: bool = False) -> PublicKnowledge:
    """The knowledge before the first event of a game whose players are known."""
    first = first_knowledge(Constants(board=board_of(start.map), player_count=len(start.players)), rules)
    return first._replace(hides_points=hides_points)


def judged(
    start: GameStarted, events: Iterable[Event], table: ViewContext, rules: Rules, on_finding: OnFinding | None = None
) -> Iterator[ViewStep]:
    """Each event after the start, with the knowledge before and after it.

    The players must be numbered in the order of play. ``RulesBroken`` at the first event that breaks the rules. With
    ``on_finding``, every finding is passed to it instead, undone events are left out, and the game goes on.
    """
    known = begin(start, rules, hides_points=table.hides_points)
    return _strictly(known, events, table) if on_finding is None else _leniently(known, events, table, on_finding)


def forced(start: GameStarted, events: Iterable[Event], table: ViewContext, rules: Rules) -> Iterator[ViewStep]:
    """The same for events that were judged before: no event is reported or left out."""
    known = begin(start, rules, hides_points=table.hides_points)
    for event in events:
        event = _in_game(event)
        after = advance(table, known, event).known
        yield ViewStep(event, known, after)
        known = after


def _strictly(known: PublicKnowledge, events: Iterable[Event], table: ViewContext) -> Iterator[ViewStep]:
    for event in events:
        event = _in_game(event)
        after, breaches, _ = advance(table, known, event)
        if breaches:
            constant = next((problem.constant for problem in breaches if problem.constant), "")
            raise RulesBroken("; ".join(problem.text for problem in breaches), event.line, event.column, constant)
        yield ViewStep(event, known, after)
        known = after


def _leniently(
    known: PublicKnowledge, events: Iterable[Event], table: ViewContext, on_finding: OnFinding
) -> Iterator[ViewStep]:
    past: deque[ViewStep] = deque()
    for event in events:
        event = _in_game(event)
        after, breaches, doubt = advance(table, known, event)
        if table.is_typed and _is_misplaced(breaches) and (undone := _undone_by(event, past, table)):
            known = past[-undone].before
            for gone in [past.pop() for _ in range(undone)][::-1]:
                on_finding(_undone(gone.event, event))
            after, breaches, doubt = advance(table, known, event)
        for problem in breaches:
            on_finding(NotationFinding(event.line, event.column, "rules", problem.text))
        if doubt:
            on_finding(NotationFinding(event.line, event.column, "cards", doubt))
        # Steps are yielded _MEMORY events late, since a later line may undo them.
        past.append(ViewStep(event, known, after))
        known = after
        if len(past) > _MEMORY:
            yield past.popleft()
    yield from past


def _is_misplaced(breaches: tuple[RuleBreach, ...]) -> bool:
    """Whether an event is wrong at its place; missing cards do not show that, since they can have other causes."""
    return any(problem.kind not in ("cards", "hands") for problem in breaches)


def _undone_by(event: PlayerEvent, past: deque[ViewStep], table: ViewContext) -> int:
    """How many of the last events an event replaces, 0 for none.

    All of them belong to the same player, except for one roll of the next player.
    """
    for count, earlier in enumerate(reversed(past), 1):
        if earlier.event.player != event.player:
            if isinstance(earlier.event, DiceRolled) and count == 1:
                continue
            return 0
        is_alike = type(earlier.event) is type(event) or isinstance(earlier.event, TurnEnded)
        if is_alike and not _is_misplaced(advance(table, earlier.before, event).breaches):
            return count
    return 0


def _undone(gone: PlayerEvent, by: PlayerEvent) -> NotationFinding:
    return NotationFinding(gone.line, gone.column, "repair", f"left out: line {by.line} takes it back")


def _in_game(event: Event) -> PlayerEvent:
    if not isinstance(event, PlayerEvent):
        raise NotationError("a second game begins", event.line, event.column)
    return event


def likely_rules(start: GameStarted, events: Iterable[Event], table: ViewContext) -> str:
    """The profile whose rules a game breaks least often, in one pass; of equals, the table's usual one.

    If a player is excused, or comes back, the rules that allow it are added.
    """
    names = [table.usual_rules, *(name for name in PROFILES if name != table.usual_rules)]
    positions = {name: begin(start, profile(name, len(start.players))) for name in names}
    broken = dict.fromkeys(names, 0)
    is_left, returns = False, Counter[int]()
    for event in events:
        is_left |= isinstance(event, PlayerExcused)
        returns += Counter([event.other] if isinstance(event, PlayerReturned) else [])
        for name, known in positions.items():
            positions[name], breaches, _ = advance(table, known, event)
            broken[name] += bool(breaches)
    leaving = "; Leaving = yes" * (is_left or bool(returns)) + f"; Returns = {max(returns.values(), default=0)}" * bool(
        returns
    )
    return min(broken, key=lambda name: broken[name]) + leaving
