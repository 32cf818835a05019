"""The central baseline: the same game with one state in one process, without logs, peers and Git."""

from dataclasses import dataclass
from time import perf_counter

from catan_p2p.game import invariants
from catan_p2p.game.actions import Action
from catan_p2p.game.randomness import SeededRandomness
from catan_p2p.game.state import State, initial_state
from catan_p2p.players.choosing import checked
from catan_p2p.players.moves import moves
from catan_p2p.players.policies import make_policy
from catan_p2p.simulation.game import RunawayGame, SimulationSettings, game_constants


@dataclass(frozen=True, slots=True)
class CentralGame:
    """A game that one server played: its actions in order, the last state, and the seconds it took."""

    actions: tuple[Action, ...]
    last: State
    elapsed_s: float


def play_central(number: int, settings: SimulationSettings) -> CentralGame:
    """Play game ``number`` of a simulation centrally; the same seed gives the same actions as on Git.

    Invariants are checked after every action, as peers do. Raises ``RunawayGame`` beyond the cap on actions.
    """
    begin = perf_counter()
    state = initial_state(game_constants(number, settings))
    policies = [checked(make_policy(settings.policy_of(player))) for player in state.constants.players]
    actions: list[Action] = []
    for before, action, after in moves(state, policies, SeededRandomness(settings.seed, number)):
        invariants.check(after, before)
        state = after
        actions.append(action)
        if len(actions) > settings.max_actions:
            raise RunawayGame(f"game {number}, seed {settings.seed}: no winner after {len(actions)} actions")
    return CentralGame(tuple(actions), state, perf_counter() - begin)
