"""The specification's invariants and the program's: on damaged states each holds on both sides or on neither."""

from collections import Counter
from dataclasses import replace
from functools import lru_cache
from random import Random
from types import ModuleType
from typing import Any

import pytest

from catan_p2p.game import invariants
from catan_p2p.game.constants import BRIEF, THESIS, Constants, Rules, profile
from catan_p2p.game.invariants import INVARIANTS
from catan_p2p.game.state import NOTHING_HIDDEN, TURN_PHASES, State
from tests.damaged_states import damaged
from tests.game.broken_states import BROKEN_STATES
from tests.model_check.given import Given, ask
from tests.model_check.guard_mutations import quick_tlc
from tests.model_check.successors import varied_states
from tests.positions import random_game

pytestmark = [pytest.mark.long, pytest.mark.sampled(7)]

NAMES = [invariant.name for invariant in INVARIANTS]

NUMBER = 800
"""How many damaged states of each game: CI looks at thousands in all, the soak at many thousands."""

HIDDEN: dict[str, Any] = {"chance": "joint", "hands": "hidden"}
GAMES: dict[str, tuple[int, Rules]] = {
    "thesis": (2, THESIS),
    "brief": (3, BRIEF),
    "six players": (6, profile("brief", 6)),
    "drawing together": (3, replace(profile("brief", 6), chance="joint")),
    "shares ahead, leaving": (3, replace(BRIEF, chance="joint", chance_ahead=True, leaving=True)),
    "talking and leaving": (
        4,
        replace(BRIEF, table_talk=True, offers_per_turn=3, proposals_per_turn=1, leaving=True),
    ),
    "hidden": (3, replace(THESIS, **HIDDEN)),
    "hidden, leaving": (4, replace(BRIEF, leaving=True, signed_end=True, points_to_win=4, **HIDDEN)),
    "hidden, six, talking": (
        6,
        replace(profile("brief", 6), table_talk=True, leaving=True, signed_end=True, points_to_win=4, **HIDDEN),
    ),
}


def holding(state: State, module: ModuleType = invariants) -> frozenset[str]:
    """The names of the invariants that hold by the program; none where the types are wrong."""
    if not module.is_sound_pause(state):
        return frozenset()
    state = module.without_pause(state)
    if not module.INVARIANTS[0].holds(state):
        return frozenset()
    return frozenset(invariant.name for invariant in module.INVARIANTS if invariant.holds(state))


@lru_cache
def states_of(game: str, number: int, seed: int) -> dict[State, State]:
    """The states that are broken on purpose, if they are of this kind of game, and damaged ones; what each was."""
    players, rules = GAMES[game]
    constants = Constants(rules, player_count=players)
    played = varied_states(constants, seed, 80) if rules.hands == "hidden" else []
    for n in range(0 if rules.hands == "hidden" else 2):
        states = list(random_game(seed + n, players, rules=rules))
        for phase in TURN_PHASES:
            here = [state for state in states if state.tp == phase]
            played += Random(seed).sample(here, min(len(here), 9))
    broken = {case.state: case.sound for case in BROKEN_STATES if case.sound.constants == constants}
    return {state: sound for state, sound in broken.items() if _can_be_said(state)} | damaged(played, number, seed)


def _can_be_said(state: State) -> bool:
    """Whether a broken state can be written for TLC: tables of the right length, no negative counts, known words."""
    n = len(state.constants.players)
    tables = (
        state.lim,
        state.rolls,
        state.ans,
        state.prop,
        state.made,
        state.due,
        state.away,
        state.ahead,
        state.h,
        state.b,
        *state.s,
        state.r,
        *(() if state.hid is NOTHING_HIDDEN else (*state.hid[:3], state.hid.keyless)),
    )
    sides = [cards for offer in (state.offer, *state.prop) for cards in offer]
    cards = [state.bnk.rc, state.bnk.dc, state.dp, *sides, *(cards for hand in state.h for cards in hand)]
    last = state.constants.board
    places = (*state.s.villages, *state.s.cities)
    return (
        all(len(table) == n for table in tables)
        and all(number >= 0 for numbers in state.hid[:3] for number in numbers)
        and all(value >= 0 and value & 0x80_80_80_80_80 == 0 for value in cards)
        and not any(roads & 1 or roads >> last.road_count + 1 for roads in state.r)
        and not any(some & 1 or some >> last.settlement_count + 1 for some in places)
        and sum(some.bit_count() for some in places) == _union(places).bit_count()
        and sum(some.bit_count() for some in state.r) == _union(state.r).bit_count()
    )


def _union(sets: tuple[int, ...]) -> int:
    together = 0
    for one in sets:
        together |= one
    return together


def compare(game: str, number: int, seed: int) -> Counter[frozenset[str]]:
    """Ask both sides about so many states; how often which invariants held."""
    states = states_of(game, number, seed)
    given = [Given(state, like=sound) for state, sound in states.items()]
    answers = ask(given[0].state.constants, given, quick_tlc())
    for state, theirs in zip(states, answers.holding, strict=True):
        assert sorted(holding(state)) == sorted(theirs), state
    return Counter(map(frozenset, answers.holding))


@pytest.mark.needs("spec")
@pytest.mark.parametrize("game", GAMES)
def test_an_invariant_holds_on_both_sides_or_on_neither(game: str) -> None:
    seen = compare(game, NUMBER, seed=1)
    assert seen[frozenset(NAMES)] > 20


def test_every_invariant_is_broken_by_many_of_the_states_and_alone_by_some() -> None:
    held = [holding(state) for game in GAMES for state in states_of(game, NUMBER, seed=1)]
    broken = Counter(name for names in held for name in set(NAMES) - names)
    alone = Counter(name for names in held if len(names) == len(NAMES) - 1 for name in set(NAMES) - names)
    assert min(broken[name] for name in NAMES) > 300
    assert min(alone[name] for name in NAMES[1:]) > 0


@pytest.mark.soak
@pytest.mark.needs("spec")
@pytest.mark.parametrize("seed", range(2, 8))
@pytest.mark.parametrize("game", GAMES)
def test_an_invariant_holds_on_both_sides_or_on_neither_in_thousands_more(game: str, seed: int) -> None:
    compare(game, 3000, seed)
