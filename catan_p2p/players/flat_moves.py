"""Moves of players on the flat core; states of the mirror are made only for policies that need them."""

from collections.abc import Iterator, Sequence
from random import Random

from catan_p2p.game.actions.replies import owes_reply
from catan_p2p.game.constants import Constants, Player
from catan_p2p.game.flat import (
    PYTHON,
    CoreBuild,
    FlatGame,
    action_of,
    drawn_by,
    fastest,
    is_offer,
    move_of,
    places,
    state_of,
    why_not_covered,
)
from catan_p2p.game.move_watcher import watches
from catan_p2p.game.randomness import SeededRandomness
from catan_p2p.game.rules import any_offer, awaited
from catan_p2p.players.beginner import BeginnerPolicy
from catan_p2p.players.builder import BuilderPolicy
from catan_p2p.players.choosing import PolicyChooser, checked, decided
from catan_p2p.players.policies import Policy
from catan_p2p.players.random_player import RandomPolicy


def core_for(constants: Constants, policies: Sequence[Policy]) -> CoreBuild | None:
    """The flat core for a game of these policies; None if the mirror should play it.

    The core must cover the rules, and no policy may watch each move. Uncompiled, it is slower than the mirror as soon
    as a policy needs states.
    """
    if watches(policies) or why_not_covered(constants) is not None:
        return None
    core = fastest()
    return core if core is not PYTHON or all(type(policy) is RandomPolicy for policy in policies) else None


def choose_move(flat: FlatGame, constants: Constants, player: Player, chooser: PolicyChooser, rng: Random) -> int:
    """The move that a player chooses; ``chooser`` is a ``RandomPolicy``, or a policy with its choices checked."""
    listed = flat.list_moves(player)
    if isinstance(chooser, RandomPolicy):
        move = flat.move(int(rng.random() * listed))
        return move_of(any_offer(state_of(flat, constants), action_of(move), rng)) if is_offer(move) else move
    moves = [flat.move(at) for at in range(listed)]
    decisions = [action_of(move) for move in moves]
    choice = chooser.choose(state_of(flat, constants), player, decisions, rng)
    for move, decision in zip(moves, decisions, strict=True):
        if choice is decision:
            return move
    return move_of(choice)


_FORGETFUL = (RandomPolicy, BeginnerPolicy, BuilderPolicy)
"""Policies without memory: not asking them about a forced move without a draw changes nothing."""


def core_for_moves(constants: Constants, policies: Sequence[Policy]) -> CoreBuild | None:
    """The flat core that plays the same game as ``moves``, action by action; None if the mirror should play it."""
    return core_for(constants, policies) if all(type(policy) in _FORGETFUL for policy in policies) else None


def flat_moves(
    flat: FlatGame, constants: Constants, policies: Sequence[Policy], randomness: SeededRandomness
) -> Iterator[int]:
    """The actions of ``moves`` as moves of a flat game, each yielded after it is carried out."""
    choosers = [policy if isinstance(policy, RandomPolicy) else checked(policy) for policy in policies]
    # The height of the action's commit in the log, which seeds its random numbers: see ``moves``.
    height, replied = 0, False
    while player := flat.awaited():
        if flat.phase() in (places.DISCARDING, places.OFFERING):
            base = state_of(flat, constants)
            for player in awaited(base):
                replies = owes_reply(base, player)
                if not replies:
                    height += 1 + replied
                rng = randomness(height + replies, player)
                move = move_of(decided(base, player, choosers[player - 1], rng))
                flat.do(move)
                replied = replies
                yield move
            continue
        height += 1  # replies are followed by an action in their own phase
        listed = flat.list_moves(player)
        move = flat.move(0)
        if listed > 1 or drawn_by(move) is not None:
            rng = randomness(height, player)
            move = choose_move(flat, constants, player, choosers[player - 1], rng)
            move = flat.draw(move, rng.getrandbits)
        flat.do(move)
        yield move
