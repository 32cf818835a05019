"""Policies: what they choose can be done, and a builder beats random players."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from catan_p2p.actions import ACTIONS
from catan_p2p.constants import Constants
from catan_p2p.rules import apply, awaited, decisions, draw, initial_state
from catan_p2p.simulation.policies import POLICIES, Policy
from catan_p2p.simulation.randomness import SeededRandomness
from catan_p2p.state import State


def play(policies: list[Policy], seed: int, seen: Counter[str] | None = None) -> tuple[State, int]:
    rng = Random(seed)
    state = initial_state(Constants(player_count=len(policies)))
    count = 0
    while awaited(state) and count < 20_000:
        player = awaited(state)[0]
        options = decisions(state, player)
        choice = policies[player - 1].choose(state, player, options, rng)
        assert choice in options
        if seen is not None:
            seen[type(choice).__name__] += 1
        state = apply(state, draw(state, choice, rng))
        count += 1
    return state, count


@pytest.mark.parametrize("name", sorted(POLICIES))
@pytest.mark.parametrize("players", [2, 3, 4])
def test_every_game_of_a_policy_ends(name: str, players: int) -> None:
    for seed in range(4):
        state, _ = play([POLICIES[name]() for _ in range(players)], seed)
        assert state.is_over


@pytest.mark.parametrize("name", sorted(POLICIES))
def test_a_policy_takes_every_action_sooner_or_later(name: str) -> None:
    seen: Counter[str] = Counter()
    seed = 0
    while len(seen) < len(ACTIONS) and seed < 60:
        play([POLICIES[name]() for _ in range(4)], seed, seen)
        seed += 1
    assert set(seen) == {kind.name for kind in ACTIONS}


@pytest.mark.parametrize("seat", [1, 2, 3])
def test_a_builder_beats_random_players(seat: int) -> None:
    policies = [POLICIES["random"](), POLICIES["random"](), POLICIES["random"]()]
    policies[seat - 1] = POLICIES["builder"]()
    assert sum(play(policies, seed)[0].ap == seat for seed in range(6)) >= 5


def test_builders_need_fewer_actions_than_random_players() -> None:
    lengths = {name: sum(play([make(), make()], seed)[1] for seed in range(5)) for name, make in POLICIES.items()}
    assert lengths["builder"] < lengths["random"] / 2


def test_randomness_depends_on_seed_game_height_and_player_only() -> None:
    def drawn(seed: int, game: int, height: int, player: int) -> float:
        return SeededRandomness(seed, game)(height, player).random()

    one = SeededRandomness(1, 2)
    one(9, 1).random()
    assert one(3, 1).random() == drawn(1, 2, 3, 1)
    assert len({drawn(1, 2, 3, 1), drawn(2, 2, 3, 1), drawn(1, 3, 3, 1), drawn(1, 2, 4, 1), drawn(1, 2, 3, 2)}) == 5
