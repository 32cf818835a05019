"""Whole games without a log: on the flat core if it covers the rules and nobody watches each move, else on the mirror.

Both play the same games. The flat core works out a state of the mirror only where a policy has to choose by one.
"""

from collections.abc import Sequence
from random import Random
from typing import NamedTuple

from catan_p2p.game import rules as engine
from catan_p2p.game.actions import RollDice
from catan_p2p.game.constants import Constants, Player
from catan_p2p.game.flat import (
    Flat,
    action_of,
    drawn_by,
    fastest,
    move_of,
    state_of,
    why_not_covered,
)
from catan_p2p.game.randomness import CountedRandomness
from catan_p2p.game.state import State, initial_state
from catan_p2p.game.watching import watches
from catan_p2p.players.choosing import CheckedChooser, checked, decided
from catan_p2p.players.policies import Policy, RandomPolicy

_ROLL = RollDice.__name__


class PlayedOut(NamedTuple):
    """A game that was played to its end, or to the most actions: its last state, and how much was done."""

    last: State
    actions: int
    turns: int


def play_out(constants: Constants, policies: Sequence[Policy], randomness: CountedRandomness, most: int) -> PlayedOut:
    """Let policies, in order of seats, play at most so many actions; a choice that is not legal is lost."""
    on = _on_the_mirror if watches(policies) or why_not_covered(constants) else _on_the_flat_core
    return on(constants, policies, randomness, most)


def _on_the_mirror(
    constants: Constants, policies: Sequence[Policy], randomness: CountedRandomness, most: int
) -> PlayedOut:
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


def _on_the_flat_core(
    constants: Constants, policies: Sequence[Policy], randomness: CountedRandomness, most: int
) -> PlayedOut:
    # A class derived from ``RandomPolicy`` chooses otherwise.
    choosers = [
        one if type(one) is RandomPolicy else check for one, check in zip(policies, _checked(policies), strict=True)
    ]
    flat, actions, turns = fastest().begin(constants), 0, 0
    while actions < most and (player := flat.awaited()):
        listed = flat.list_moves(player)
        move = flat.move(0)
        if listed > 1:
            chooser, rng = choosers[player - 1], randomness.choice(actions, player)
            if isinstance(chooser, RandomPolicy):
                move = chooser.choose_move(flat, constants, listed, rng)
            else:
                move = _chosen(flat, constants, player, chooser, rng)
        drawn = drawn_by(move)
        if drawn is not None:
            move = flat.draw(move, randomness.luck(drawn).getrandbits)
            turns += drawn == _ROLL
        flat.do(move)
        actions += 1
    return PlayedOut(state_of(flat, constants), actions, turns)


def _chosen(flat: Flat, constants: Constants, player: Player, chooser: CheckedChooser, rng: Random) -> int:
    """The move that a policy chooses by the mirror's state, where it has a choice."""
    moves = [flat.move(at) for at in range(flat.list_moves(player))]
    decisions = [action_of(move) for move in moves]
    choice = chooser.choose(state_of(flat, constants), player, decisions, rng)
    for move, decision in zip(moves, decisions, strict=True):
        if choice is decision:
            return move
    return move_of(choice)


def _checked(policies: Sequence[Policy]) -> list[CheckedChooser]:
    """The policies with their choices checked, each once."""
    made = {id(policy): checked(policy) for policy in policies}
    return [made[id(policy)] for policy in policies]
