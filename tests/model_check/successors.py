"""What can follow a state: TLC's answer and the program's, successor for successor, in states of random games."""

from collections import Counter
from collections.abc import Iterator, Sequence
from random import Random
from typing import NamedTuple

from catan_p2p.game.actions import Action, Claim, ComeBack, EmptyBuild, EmptyTrade, Excuse
from catan_p2p.game.constants import Constants, Player
from catan_p2p.game.rules import (
    any_offer,
    apply,
    awaited,
    broken_guards,
    decisions,
    draw_or_call,
    enabled,
    initial_state,
)
from catan_p2p.game.state import NOTHING_HIDDEN, State
from catan_p2p.model_check.tlc import TlcProgram
from catan_p2p.model_check.trace import differences
from tests.model_check.given import Changes, Given, ask


class Disagreement(NamedTuple):
    """A state in which TLC and the program see other successors: those that only one of them has."""

    state: State
    only_tlc: tuple[Changes, ...]
    only_program: tuple[Changes, ...]


def compare_successors(states: Sequence[State], tlc: TlcProgram) -> list[Disagreement]:
    """Compare the successors of states of the same constants, with how many ways lead to each."""
    answers = ask(states[0].constants, [Given(state, "next") for state in states], tlc)
    found = []
    for state, steps in zip(states, answers.steps, strict=True):
        mine, theirs = successors(state), Counter(steps)
        if mine != theirs:
            found.append(Disagreement(state, tuple(theirs - mine), tuple(mine - theirs)))
    return found


def successors(state: State) -> Counter[Changes]:
    """What the program says can follow: for each successor how many actions lead there."""
    return Counter(
        frozenset(differences(state, apply(state, action)))
        for player in state.constants.players
        for action in enabled(state, player)
    )


def varied_states(constants: Constants, seed: int, number: int) -> list[State]:
    """About so many states of random games: as many of each phase, draw, and number of players who are away."""
    rng = Random(seed)
    kinds: dict[tuple[object, ...], list[State]] = {}
    for _ in range(6):
        for state in _game(constants, rng):
            kinds.setdefault((state.tp, state.phase, state.call.what, state.sup, sum(state.away)), []).append(state)
    each = -(-number // len(kinds))
    return [state for found in kinds.values() for state in rng.sample(found, min(each, len(found)))]


def _game(constants: Constants, rng: Random) -> Iterator[State]:
    """The states of a random game in which few leave, each at some time of their own, or two at once, and come back."""
    state = initial_state(constants)
    yield state
    for _ in range(1200):
        if state.tp == "top" and not awaited(state):
            return
        player, absent = rng.sample(constants.players, 2)
        action: Action = ComeBack(player, absent) if state.away[absent - 1] else Excuse(player, absent)
        if rng.random() < (0.5 if isinstance(action, ComeBack) else 0.95) or broken_guards(state, action):
            action = _action(state, rng.choice(awaited(state)), rng)
        state = apply(state, action)
        yield state


def _action(state: State, player: Player, rng: Random) -> Action:
    """What a player does next; where hands are hidden, anything that may be true, each kind of action as likely."""
    if state.hid is NOTHING_HIDDEN:
        return draw_or_call(state, any_offer(state, rng.choice(decisions(state, player)), rng), rng)
    kinds: dict[type, list[Action]] = {}
    for action in enabled(state, player):
        if not isinstance(action, Excuse | Claim):
            kinds.setdefault(type(action), []).append(action)
    most = [kind for kind in kinds if kind not in (EmptyTrade, EmptyBuild)] if rng.random() < 0.9 else []
    return rng.choice(kinds[rng.choice(most or [*kinds])])
