"""The environment on the flat core and the one on the mirror: the same masks, observations, rewards and games."""

from random import Random
from typing import Any

import numpy as np
import pytest

from catan_p2p.env import CatanEnv
from catan_p2p.env.flat_table import FlatTable
from catan_p2p.env.table import Table
from catan_p2p.game.actions import BuildCity, EmptyBuild
from catan_p2p.game.rules import NotEnabled, broken_guards

pytestmark = pytest.mark.needs("env")

SETTINGS: list[dict[str, Any]] = [
    {"players": 2, "rules": "thesis"},
    {"players": 3, "rules": "brief", "map": "variable", "reward": "points"},
    {"players": 4, "rules": "standard", "max_turns": 40},
    {"players": 6, "rules": "brief", "map": "large-free", "max_turns": 60},
    {"players": 3, "opponents": ["random", "builder"]},
]


@pytest.mark.parametrize("settings", SETTINGS, ids=str)
def test_both_environments_are_the_same(settings: dict[str, Any], steps: int = 600) -> None:
    one, other = CatanEnv(**settings), CatanEnv(**settings)
    other.table = Table(one.table.players, one.table.rules, one.table.map, one.table.max_turns)  # type: ignore[assignment]
    other._random = set()
    rng, seed = Random(1), 0
    told = [env.reset(seed=seed) for env in (one, other)]
    flat = 0
    for _ in range(steps):
        assert np.array_equal(told[0][0], told[1][0])
        assert np.array_equal(told[0][-1]["action_mask"], told[1][-1]["action_mask"])
        assert one.table.legal == other.table.legal
        assert (one.seat, one.table.player, one.table.turns) == (other.seat, other.table.player, other.table.turns)
        assert one.table.state == other.table.state
        flat += one.table._flat is not None
        if len(told[0]) == 5 and (told[0][2] or told[0][3]):
            assert told[0][1:4] == told[1][1:4]
            seed += 1
            told = [env.reset(seed=seed) for env in (one, other)]
            continue
        action = rng.choice(one.table.legal)
        told = [env.step(action) for env in (one, other)]
        assert told[0][1:4] == told[1][1:4]
    assert flat == steps or "builder" in settings.get("opponents", "")


def test_what_is_not_legal_is_refused() -> None:
    table = FlatTable(2, "thesis")
    with pytest.raises(ValueError, match="is not legal for player 1"):
        table.step(1)
    for action in (EmptyBuild(1), BuildCity(2, 1)):
        assert broken_guards(table.state, action)
        with pytest.raises(NotEnabled):
            table.carry_out(action)


def test_a_watched_table_is_the_mirrors() -> None:
    table = FlatTable(2, "thesis")
    table.watching = (lambda before, action, after: None,)
    table.begin()
    assert table._flat is None
    assert not table.play_at_random(Random(1))
