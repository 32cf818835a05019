"""The environments: the checkers of PettingZoo and Gymnasium, and what these do not look at."""

import copy
import importlib.util
import pickle
import re
import subprocess
import sys
import warnings
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from catan_p2p.env import ENVIRONMENT_ID, CatanAEC, CatanEnv
from catan_p2p.env.action_space import ACTION_COUNT, BLOCKS
from catan_p2p.env.observing import OBSERVATION_SIZE, SHAPES, SLICES, flat, observe, told
from catan_p2p.env.vector import CatanVectorEnv
from catan_p2p.game.cards import total, unpack
from catan_p2p.game.state import State
from catan_p2p.view.knowledge import known_of
from catan_p2p.view.sample import sample
from tests import sampled_states
from tests.env.mirrored import decisions
from tests.for_each import for_each
from tests.positions import veiled

pytestmark = pytest.mark.needs("env")

with warnings.catch_warnings():
    # PettingZoo's own checkers import a game of its own in a way that it has deprecated.
    warnings.simplefilter("ignore", DeprecationWarning)
    from pettingzoo.test import api_test, seed_test


def played() -> tuple[State, ...]:
    """The sampled states of games in which the environment, as an actor, draws."""
    return tuple(state for state in sampled_states.played() if state.constants.rules.chance == "actor")


SETTINGS: list[dict[str, Any]] = [
    {"players": 2, "rules": "thesis"},
    {"players": 4, "reward": "points"},
    {"players": 6, "map": "variable"},
]


@pytest.mark.parametrize("settings", SETTINGS, ids=lambda settings: str(settings["players"]))
def test_pettingzoo_finds_nothing(settings: dict[str, Any]) -> None:
    with warnings.catch_warnings():
        # It warns of every environment whose observations hold an action mask.
        warnings.filterwarnings("ignore", message=r"Observation", category=UserWarning)
        api_test(CatanAEC(**settings), num_cycles=150, verbose_progress=False)


def test_pettingzoo_finds_that_seeds_repeat() -> None:
    seed_test(lambda: CatanAEC(players=3), num_cycles=60)


@pytest.mark.parametrize("render_mode", ["ansi", "rgb_array"])
def test_gymnasium_finds_nothing(render_mode: str) -> None:
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message=r".*not having a spec.*", category=UserWarning)
        check_env(CatanEnv(opponents="builder", players=3, render_mode=render_mode))


def at_random(env: CatanEnv, seed: int, most: int = 4000) -> tuple[float, int]:
    """Play one game of uniformly chosen legal actions; the last reward, and how many actions it took."""
    rng = Random(seed)
    observed, info = env.reset(seed=seed)
    for count in range(1, most + 1):
        assert observed.shape == (OBSERVATION_SIZE,)
        legal = np.flatnonzero(info["action_mask"])
        observed, reward, over, cut_off, info = env.step(legal[int(rng.random() * len(legal))])
        assert "illegal" not in info
        if over or cut_off:
            return reward, count
    raise AssertionError("the game did not end")


@pytest.mark.parametrize("rules", ["thesis", "brief"])
def test_games_of_legal_actions_end(rules: str) -> None:
    rewards = [at_random(CatanEnv(rules=rules, players=players), seed=players)[0] for players in (2, 4)]
    assert set(rewards) <= {-1.0, 0.0, 1.0}


def test_an_illegal_action_ends_the_episode_and_is_told() -> None:
    env = CatanEnv()
    env.reset(seed=1)
    wrong = int(np.flatnonzero(~env.action_masks())[0])
    _, reward, over, _, info = env.step(wrong)
    assert (reward, over) == (-1.0, True)
    assert info["illegal"]
    agents = CatanAEC()
    agents.reset(seed=1)
    with pytest.raises(ValueError, match="is not legal for player 1"):
        agents.step(int(np.flatnonzero(agents.observe("player_1")["action_mask"] == 0)[0]))


@pytest.mark.parametrize("wrong", [-1, ACTION_COUNT, 1 << 80, 2.7, "x", "2", None, [2], float("nan")], ids=repr)
def test_what_is_no_number_of_an_action_is_a_value_error(wrong: Any) -> None:
    for env, action in ((CatanEnv(), wrong), (CatanAEC(), wrong), (CatanVectorEnv(1), [wrong])):
        env.reset(seed=1)
        with pytest.raises(ValueError, match=r"^(action .*: expected|player_1: expected an action)"):
            env.step(action)


def test_blocks_fill_the_numbers_without_gaps() -> None:
    assert [block.first for block in BLOCKS[1:]] == [block.first + block.size for block in BLOCKS[:-1]]
    for block in BLOCKS:
        for number in (block.first, block.first + block.size - 1):
            assert block.number(*block.parts(number)) == number
    assert sum(block.size for block in BLOCKS) == ACTION_COUNT


def test_nobody_observes_what_they_may_not_know() -> None:
    changed = 0
    for i, state in enumerate(played()):
        viewer = state.constants.players[i % state.constants.player_count]
        other = sample(veiled(state, viewer), Random(i))
        changed += other != state
        assert (flat(state, viewer) == flat(other, viewer)).all()
        assert told(state, viewer) == told(other, viewer)
        assert [*decisions(state, viewer)] == [*decisions(other, viewer)]
    assert changed > 100


def test_what_is_observed_is_what_is_known_at_the_table() -> None:
    vague = 0
    for i, state in enumerate(played()):
        viewer = state.constants.players[i % state.constants.player_count]
        known, seen = known_of(veiled(state, viewer)), observe(state, viewer)
        own = known.state.h[viewer - 1]
        for seat in known.players:
            row = seen["players"][(seat - viewer) % len(known.players)]
            hand, held, at = known.hand(seat), known.state.h[seat - 1], seat - 1
            assert hand.least == hand.most == row[1]
            assert total(held.bc) + known.unknown_new[at] == row[2]
            assert total(held.ac) + known.unknown_old[at] == row[3]
            assert (*unpack(held.uc), known.points(seat)) == (*row[4:10],)
            vague += not hand.is_exact
        assert known.bank.is_exact and unpack(known.bank.low) == (*seen["table"][:5],)
        assert total(known.state.bnk.dc) - sum(map(known.unknown, known.players)) == seen["table"][5]
        assert known.hand(viewer).is_exact
        assert (*unpack(known.hand(viewer).low), *unpack(own.bc), *unpack(own.ac)) == (*seen["hand"],)
    assert vague > 100


def test_observations_lie_within_their_space() -> None:
    assert {name: array.shape for name, array in observe(played()[0], 1).items()} == SHAPES
    assert SLICES["wharfs"].stop == OBSERVATION_SIZE
    space = CatanEnv().observation_space
    assert all(space.contains(flat(state, player)) for state in played()[::7] for player in state.constants.players)


def copied(env: Any) -> Any:
    """A copy as a search or another process makes it."""
    return pickle.loads(pickle.dumps(copy.deepcopy(env)))


def going_on(env: Any, seed: int, steps: int = 60) -> list[bytes]:
    """What random legal actions lead to, of any of the environments."""
    rng, found, masks = Random(seed), list[bytes](), None
    for _ in range(steps):
        if isinstance(env, CatanAEC):
            seen, _, over, cut_off, _ = env.last()
            if over or cut_off:
                env.reset()
                continue
            found.append(seen["observation"].tobytes())
            env.step(int(rng.choice(np.flatnonzero(seen["action_mask"]))))
            continue
        if masks is None:
            masks = np.stack([its.table.mask(its.seat) for its in getattr(env, "envs", [env])])
        actions = [int(rng.choice(np.flatnonzero(mask))) if mask.any() else 0 for mask in masks]
        observed, rewards, over, cut_off, info = env.step(actions if masks.shape[0] > 1 else actions[0])
        found.append(observed.tobytes() + np.asarray(rewards).tobytes())
        masks = np.atleast_2d(info["action_mask"])
        if masks.shape[0] == 1 and (over or cut_off):
            masks = np.atleast_2d(env.reset()[1]["action_mask"])
    return found


@for_each("make", [CatanEnv, CatanAEC, partial(CatanVectorEnv, 3), partial(CatanEnv, ["random", "strategist"], 3)])
def test_a_copy_goes_on_as_its_original(make: Any) -> None:
    env = make(max_turns=25)
    env.reset(seed=3)
    for number in range(3):
        going_on(env, number, 15)
        again = copied(env)
        assert going_on(again, number + 10) == going_on(env, number + 10)


@pytest.mark.parametrize("player", [0, 3, -1, 1000])
def test_who_does_not_play_observes_nothing(player: int) -> None:
    state = CatanEnv(players=2).table.state
    with pytest.raises(ValueError, match=f"player {player}: expected 1 to 2"):
        observe(state, player)


@pytest.mark.parametrize("make", [CatanEnv, CatanAEC])
def test_an_environment_without_a_seed_plays_another_game_each_time_and_tells_its_seed(make: Any) -> None:
    def islands(env: Any, seed: int | None) -> list[Any]:
        boards = []
        for its in (seed, None):
            env.reset(seed=its)
            boards.append(env.table.state.constants.board)
        return boards

    one, other = make(map="variable"), make(map="variable")
    drawn = islands(one, None)
    assert drawn != islands(other, None)
    assert one.np_random_seed != other.np_random_seed
    again = make(map="variable")
    assert islands(again, one.np_random_seed) == drawn, "the next game is the next of the same seed"
    assert again.np_random_seed == one.np_random_seed
    again.reset(seed=5)
    assert again.np_random_seed == 5


def test_the_example_learns(tmp_path: Path) -> None:
    """Of what it prefers, after a few games: building before ending the turn. Whether it wins takes a minute to say."""
    path = Path(__file__).parents[2] / "docs" / "examples" / "train_policy.py"
    spec = importlib.util.spec_from_file_location("train_policy", path)
    assert spec is not None and spec.loader is not None
    example = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(example)
    policy, games = example.train(600.0, most_games=12)
    assert games == 12
    preferred = dict(zip([block.name for block in BLOCKS], policy.of_kind, strict=True))
    assert preferred["village"] > preferred["end"]


@pytest.mark.soak
def test_the_example_beats_random_after_a_minute() -> None:
    path = Path(__file__).parents[2] / "docs" / "examples" / "train_policy.py"
    done = subprocess.run([sys.executable, str(path)], capture_output=True, text=True, check=True)
    won, of = map(int, re.findall(r"wins (\d+) of (\d+)", done.stdout)[0])
    assert won > 0.5 * of


def test_gymnasium_makes_it_by_its_id() -> None:
    made = gymnasium.make(f"catan_p2p.env:{ENVIRONMENT_ID}", opponents="builder", players=3, render_mode="ansi")
    own = CatanEnv(opponents="builder", players=3)
    observation, info = made.reset(seed=4)
    expected, expected_info = own.reset(seed=4)
    assert (observation == expected).all()
    assert (info["action_mask"] == expected_info["action_mask"]).all()
    assert isinstance(made.unwrapped, CatanEnv)
    made.close()
