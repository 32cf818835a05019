"""Values that no field can have: refused by every function of the library that takes an action or an event."""

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import fields, replace
from random import Random
from typing import Any

import pytest

import catan_p2p
from catan_p2p.api.choices import Undrawn
from catan_p2p.game.actions import KIND_OF, ActionKind, ParameterError
from catan_p2p.game.actions.parameters import PLAYER
from catan_p2p.game.flat import NotCovered, action_of, move_of
from catan_p2p.game.state import State, initial_state
from catan_p2p.notation import RulesBroken, table_for
from catan_p2p.notation.repair import begin
from catan_p2p.view import events as view_events
from catan_p2p.view.events import EVENTS, PlayerEvent, written_fields
from catan_p2p.view.observe import observe
from tests.for_each import for_each
from tests.notation import samples

ODD: tuple[Any, ...] = (
    *(-1, 0, 5, 7, 13, 99, 128, 1 << 40, -(1 << 40), 1 << 80),
    *(1.0, 2.5, float("nan"), True, None, b"1", object(), PLAYER),
    *("", "1", "ore", "Ore", "Knight", "sealed", "none", "nothing", "yes"),
    *((), (1, 2, 3), [1, 1, 1, 1, 1], [], {}, {"Ore": 1}, {1}),
)
"""Too large, too small, of another type, hands of a wrong length."""

KINDS: tuple[ActionKind, ...] = tuple(KIND_OF.values())
READING: dict[str, Callable[[State, Any], object]] = {
    "apply": lambda state, choice: catan_p2p.apply(state, choice),
    "apply with chance": lambda state, choice: catan_p2p.apply(state, choice, Random(1)),
    "broken_guards": lambda state, choice: catan_p2p.broken_guards(state, choice),
    "chance_outcomes": lambda state, choice: catan_p2p.chance_outcomes(state, choice),
    "draw": lambda state, choice: catan_p2p.draw(state, choice, Random(1)),
    "push": lambda state, choice: catan_p2p.Position(state).push(choice),
    "push with chance": lambda state, choice: catan_p2p.Position(state).push(choice, Random(1)),
    "push in public": lambda state, choice: public(state).push(choice, Random(1)),
    "push whatever it is": lambda state, choice: public(state).push(choice, Random(1), is_strict=False),
}
"""Every function of the library that takes a choice."""


def public(state: State) -> catan_p2p.PublicPosition:
    """A public position of a game with as many players, on the same map."""
    players = state.constants.player_count
    start = replace(samples.start(players), map=state.constants.board.map)
    colours = ("Red", "Blue", "Green", "Orange", "White", "Brown")[:players]
    return catan_p2p.PublicPosition(begin(start, state.constants.rules), table_for(start, "catan"), colours)


def states() -> Iterator[State]:
    """The set-up, the middle and the end of games; one of hidden hands; one in which all draw together."""
    for players, rules in ((2, "thesis"), (4, "standard"), (6, "brief"), (3, "standard; Chance = joint")):
        game = catan_p2p.play(players, rules, seed=4)
        for n in (0, 5, len(game) // 3, len(game) // 2):
            yield game.position(n).state
        yield game.last
    first = catan_p2p.new_game(3)
    hidden = replace(first.constants.rules, chance="joint", hands="hidden", leaving=True, signed_end=True)
    yield initial_state(replace(first.constants, rules=hidden))


STATES = tuple(states())


def choices(action: Any) -> Iterator[Any]:
    """The action, and the decision without its outcome if chance has a part in it."""
    yield action
    try:
        yield Undrawn(action)
    except ValueError as error:
        assert "chance has no part" in str(error)


def domains(kind: ActionKind) -> dict[str, Any]:
    return {"player": PLAYER, **kind.parameters}


@pytest.mark.long
@for_each("kind", KINDS, ids=lambda kind: kind.name)
@for_each("state", STATES[::3], ids=repr)
def test_a_value_that_no_field_can_have_is_refused(kind: ActionKind, state: State) -> None:
    action = kind.sample(state.constants, 1, Random(1))
    for name, domain in domains(kind).items():
        for value in ODD:
            if not domain.contains(state.constants, value):
                for choice in choices(replace(action, **{name: value})):  # type: ignore[type-var]
                    for read in READING.values():
                        with pytest.raises(ParameterError, match=f"{name} .* is not {domain.what}"):
                            read(state, choice)


@pytest.mark.long
@for_each("kind", KINDS, ids=lambda kind: kind.name)
def test_every_other_value_is_allowed_or_breaks_a_guard(kind: ActionKind) -> None:
    rng = Random(kind.name)
    for state in STATES:
        for _ in range(10):
            action = kind.sample(state.constants, rng.randint(1, state.constants.player_count), rng)
            for choice in choices(action):
                for read in READING.values():
                    with suppress(catan_p2p.NotEnabled, catan_p2p.ChanceUndecided, RulesBroken):
                        read(state, choice)


@for_each("choice", [None, "BuildRoad", 3, (), catan_p2p.actions.BuildRoad], ids=repr)
def test_what_is_no_action_is_a_type_error(choice: Any) -> None:
    for name, read in READING.items():
        with pytest.raises(TypeError, match="expected an action"):
            read(STATES[0], choice)
        assert name


def test_chance_has_no_part_in_building() -> None:
    with pytest.raises(ValueError, match="chance has no part in it"):
        Undrawn(catan_p2p.actions.BuildRoad(1, 5))


@for_each("player", [0, -1, 3, 9, 1.0, "Red", True], ids=repr)
def test_a_player_who_does_not_play_has_no_moves(player: Any) -> None:
    state = STATES[2]
    assert state.constants.player_count == 2
    for read in (catan_p2p.legal_actions, catan_p2p.legal_offers):
        with pytest.raises(ParameterError, match="expected 1 to 2"):
            read(state, player)
    for position in (catan_p2p.Position(state), public(state)):
        with pytest.raises(ParameterError, match="expected 1 to 2"):
            position.legal_moves(player)


EVENT_KINDS = [kind for kind in EVENTS if issubclass(kind, PlayerEvent)]
LIKELY: tuple[Any, ...] = (*range(-1, 14), 60, "Ore", "Wool", "Knight", "none", "4:1", "3:1", None, True, False, (3, 5))


@for_each("kind", EVENT_KINDS, ids=lambda kind: kind.__name__)
def test_an_event_that_cannot_be_is_a_problem_and_never_a_crash(kind: Any) -> None:
    rng = Random(kind.__name__)
    for number in range(400):
        state, is_odd = rng.choice(STATES), number % 4 == 0
        values = {field.name: rng.choice(ODD if is_odd else LIKELY) for field in fields(kind) if field.init}
        values |= {"line": 0, "column": 0}
        event = kind(**values)
        position = public(state)
        problems = position.problems(event)
        assert all(problems)
        assert problems or not is_odd
        if problems:
            with pytest.raises(RulesBroken):
                position.push(event)
        try:
            position.push(event, is_strict=False)
        except RulesBroken as error:
            assert "which cannot be" in str(error)


def played_events() -> Iterator[tuple[catan_p2p.PublicPosition, PlayerEvent]]:
    """Events of games, up to three of a kind, each with the public position in which it is no problem."""
    found: Counter[type] = Counter()
    for players, rules in ((2, "thesis"), (4, "standard"), (3, "brief")):
        game = catan_p2p.play(players, rules, seed=4)
        position = public(game.position(0).state)
        for number, step in enumerate(game.steps):
            before, after = game.position(number).state, game.position(number + 1).state
            for event in observe(step.action, before, after):
                if not isinstance(event, PlayerEvent) or type(event) not in EVENT_KINDS:
                    continue
                if found[type(event)] < 3 and not position.problems(event):
                    found[type(event)] += 1
                    yield position, event
                position.push(event, is_strict=False)


def test_one_value_that_cannot_be_is_a_problem() -> None:
    tried, passed, kinds = 0, 0, set[type]()
    for position, event in played_events():
        kinds.add(type(event))
        for field in written_fields(event):
            value = getattr(event, field.name)
            for odd in ODD if field.name not in ("line", "column") else ():
                if type(odd) is type(value) and odd == value:
                    continue
                tried += 1
                if not position.problems(replace(event, **{field.name: odd})):
                    passed += 1  # such as another place for the first village
                    assert None in (odd, value) or type(odd) is type(value), f"{event} with {field.name} = {odd!r}"
    unplayed = {kind.__name__ for kind in EVENT_KINDS} - {kind.__name__ for kind in kinds}
    # A file of this format implies discards; the others are of games with proposals or leaving, or of other formats.
    assert unplayed == {"BanditStands", "CardsDiscarded", "TradeProposed", "PlayerExcused", "PlayerReturned"}
    assert passed < tried / 20


DERIVED = [
    kind
    for kind in vars(view_events).values()
    if isinstance(kind, type) and issubclass(kind, PlayerEvent) and kind not in (PlayerEvent, *EVENTS)
]


@for_each("kind", DERIVED, ids=lambda kind: kind.__name__)
def test_an_event_that_no_record_has_is_a_problem(kind: Any) -> None:
    event = kind(**{field.name: 1 for field in fields(kind) if field.init})
    assert public(STATES[0]).problems(event) == ("it follows from what players do, so it is in no record of a game",)
    with pytest.raises(RulesBroken, match="in no record"):
        public(STATES[0]).push(event, is_strict=False)


@for_each("kind", KINDS, ids=lambda kind: kind.name)
def test_a_value_without_room_is_no_move_of_the_flat_core(kind: ActionKind) -> None:
    state = STATES[0]
    action = kind.sample(state.constants, 1, Random(1))
    try:
        move_of(action)
    except NotCovered:
        return
    for name in domains(kind):
        for value in ODD:
            changed: Any = replace(action, **{name: value})  # type: ignore[type-var]
            try:
                found = action_of(move_of(changed))
            except ValueError:
                continue
            assert found == changed
