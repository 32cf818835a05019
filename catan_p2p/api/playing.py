"""Games played without Git, with the same decisions as ``catan-p2p simulate``."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice

from catan_p2p import settings
from catan_p2p.api.choices import first_state
from catan_p2p.api.games import ActionRecord, Game, Step
from catan_p2p.game.flat import CoreBuild, action_of, state_of
from catan_p2p.game.randomness import SeededRandomness, random_seed
from catan_p2p.game.state import State
from catan_p2p.log.refs import COLOURS
from catan_p2p.players.choosing import checked
from catan_p2p.players.flat_moves import core_for_moves, flat_moves
from catan_p2p.players.moves import moves
from catan_p2p.players.policies import Policy, policy_of


class NoWinner(RuntimeError):
    """A game that had no winner within the cap on actions."""


def play(
    players: int = 4,
    rules: str = "standard",
    policies: str | Policy | Sequence[str | Policy] = "builder",
    seed: int | None = None,
    map: str = "default",
    max_actions: int = 20_000,
    number: int = 0,
) -> Game:
    """Play one game without Git.

    ``policies`` is the name of a policy, a policy, or one of these for each seat. With names, the game equals game
    ``number`` of ``catan-p2p simulate --seed SEED`` with the same settings, action by action. Without a seed, a random
    one is used; ``Game.seed`` has it. Raises ``TypeError`` for a setting of another type, ``ValueError`` for an
    impossible one, and ``NoWinner`` after ``max_actions``. A policy that raises, or makes an illegal choice, loses that
    decision; the first mistake of each kind is logged.

    >>> play(players=4, rules="thesis", seed=1)
    <Game of Red, Blue, Green, Orange: 308 actions, 71 turns, Green has won>
    """
    seed = random_seed() if seed is None else settings.seed(seed)
    first = first_state(players, rules, map, seed, number)
    max_actions = settings.whole("max_actions", max_actions, 1)
    choosers = _choosers(policies, players)
    core, randomness = core_for_moves(first.constants, choosers), SeededRandomness(seed, number)
    steps: list[Step] | ActionRecord | None
    if core is None:
        steps = _on_the_mirror(first, choosers, randomness, max_actions)
    else:
        steps = _on_the_flat_core(core, first, choosers, randomness, max_actions)
    if steps is None:
        raise NoWinner(f"seed {seed}: no winner after {max_actions} actions")
    return Game(COLOURS[:players], first, steps, seed=seed)


def _on_the_mirror(
    first: State, policies: Sequence[Policy], randomness: SeededRandomness, most: int
) -> list[Step] | None:
    """The steps of a game; None if it has more than ``most``."""
    checking = {id(policy): checked(policy) for policy in policies}
    steps: list[Step] = []
    for before, action, after in moves(first, [checking[id(policy)] for policy in policies], randomness):
        if len(steps) >= most:
            return None
        steps.append(Step(None, action, before, after))
    return steps


def _on_the_flat_core(
    core: CoreBuild, first: State, policies: Sequence[Policy], randomness: SeededRandomness, most: int
) -> ActionRecord | None:
    """The same game as actions, whose states are computed when they are asked for."""
    flat = core.flat_of(first)
    made = list(islice(flat_moves(flat, first.constants, policies, randomness), most))
    if flat.awaited():
        return None
    return ActionRecord([action_of(move) for move in made], state_of(flat, first.constants))


def _choosers(policies: str | Policy | Sequence[str | Policy], players: int) -> list[Policy]:
    given = list(policies) if isinstance(policies, Sequence) and not isinstance(policies, str) else [policies]
    if len(given) not in (1, players):
        raise ValueError(f"{len(given)} policies for {players} players: expected 1 or {players}")
    made = [policy_of("policies", policy) for policy in given]
    return made if len(made) == players else made * players
