"""Whole games without a log, on the flat core or on the mirror, which play the same games.

On the flat core, a state of the mirror is computed only when a policy needs one.
"""

from collections.abc import Sequence
from typing import NamedTuple

from catan_p2p.game import rules as engine
from catan_p2p.game.actions import RollDice
from catan_p2p.game.constants import Constants
from catan_p2p.game.flat import (
    CoreBuild,
    drawn_by,
    state_of,
)
from catan_p2p.game.move_watcher import watches
from catan_p2p.game.randomness import CountedRandomness
from catan_p2p.game.state import State, initial_state
from catan_p2p.players.choosing import CheckedChooser, checked, decided
from catan_p2p.players.flat_moves import choose_move, core_for
from catan_p2p.players.policies import Policy
from catan_p2p.players.random_player import RandomPolicy

_ROLL = RollDice.__name__


class PlayedOut(NamedTuple):
    """A game played to its end, or to the cap on actions: its last state, and its numbers of actions and turns."""

    last: State
    actions: int
    turns: int


def play_out(constants: Constants, policies: Sequence[Policy], randomness: CountedRandomness, most: int) -> PlayedOut:
    """Play a game with policies by seat, for ``most`` actions at most; an illegal choice loses the decision."""
    core = core_for(constants, policies)
    if core is None:
        return on_the_mirror(constants, policies, randomness, most)
    return on_the_flat_core(core, constants, policies, randomness, most)


def on_the_mirror(
    constants: Constants, policies: Sequence[Policy], randomness: CountedRandomness, most: int
) -> PlayedOut:
    """The game on the mirror."""
    choosers = _checked(policies)
    watching = watches(choosers)
    state, actions, turns = initial_state(constants), 0, 0
    while not state.is_over and actions < most:
        player = engine.awaited(state)[0]
        rng = randomness.choice(actions, player)
        before, action = state, decided(state, player, choosers[player - 1], rng, randomness.luck)
        state = engine.apply(before, action)
        for watch in watching:
            watch(before, action, state)
        actions += 1
        turns += isinstance(action, RollDice)
    return PlayedOut(state, actions, turns)


def on_the_flat_core(
    core: CoreBuild, constants: Constants, policies: Sequence[Policy], randomness: CountedRandomness, most: int
) -> PlayedOut:
    """The game on a flat core."""
    # Not isinstance: a class derived from RandomPolicy may choose differently.
    choosers = [
        one if type(one) is RandomPolicy else check for one, check in zip(policies, _checked(policies), strict=True)
    ]
    flat, actions, turns = core.begin(constants), 0, 0
    while actions < most and (player := flat.awaited()):
        listed = flat.list_moves(player)
        move = flat.move(0)
        if listed > 1:
            move = choose_move(flat, constants, player, choosers[player - 1], randomness.choice(actions, player))
        drawn = drawn_by(move)
        if drawn is not None:
            move = flat.draw(move, randomness.luck(drawn).getrandbits)
            turns += drawn == _ROLL
        flat.do(move)
        actions += 1
    return PlayedOut(state_of(flat, constants), actions, turns)


def _checked(policies: Sequence[Policy]) -> list[CheckedChooser]:
    """The policies with their choices checked, each once."""
    made = {id(policy): checked(policy) for policy in policies}
    return [made[id(policy)] for policy in policies]
