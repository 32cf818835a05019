"""The central baseline: the same game with one state in one process, without logs, peers and Git."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from time import perf_counter

from catan_p2p.game import invariants
from catan_p2p.game.actions import Action
from catan_p2p.game.actions.replies import is_reply
from catan_p2p.game.randomness import SeededRandomness
from catan_p2p.game.rules import apply, awaited, decisions, draw
from catan_p2p.game.state import State, initial_state
from catan_p2p.game.watching import watches
from catan_p2p.players.choosing import checked
from catan_p2p.players.policies import make_policy
from catan_p2p.simulation.game import RunawayGame, Settings, game_constants


@dataclass(frozen=True, slots=True)
class CentralGame:
    """A game that one server played: its actions in order, the last state, and the seconds it took."""

    actions: tuple[Action, ...]
    last: State
    elapsed_s: float


def play_central(number: int, settings: Settings) -> CentralGame:
    """Play game ``number`` of a simulation centrally: the same seed gives the same actions as on Git.

    Invariants are checked after every action, as peers do. ``RunawayGame`` beyond the cap on actions.
    """
    begin = perf_counter()
    randomness = SeededRandomness(settings.seed, number)
    state = initial_state(game_constants(number, settings))
    policies = {player: checked(make_policy(settings.policy_of(player))) for player in state.constants.players}
    watching = watches(policies.values())

    def decide(player: int, state: State, rng: Random) -> Action:
        return draw(state, policies[player].choose(state, player, decisions(state, player), rng), rng)

    actions: list[Action] = []
    height = 0
    while players := awaited(state):
        before = state
        for player in players:
            # Players who owe a reply do not see each other's.
            action = decide(player, before, randomness(height + 1, player))
            after = apply(state, action)
            invariants.check(after, state)
            for watch in watching:
                watch(state, action, after)
            state = after
            actions.append(action)
            if not is_reply(action):
                break
        height += 1
        if len(actions) > settings.max_actions:
            raise RunawayGame(f"game {number}, seed {settings.seed}: no winner after {len(actions)} actions")
    return CentralGame(tuple(actions), state, perf_counter() - begin)
