"""Many games at once are a vector of Gymnasium's: its names, its wrappers, its way to begin a game anew."""

import inspect
import warnings
from random import Random
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode, SyncVectorEnv, VectorEnv
from gymnasium.vector.utils import batch_space
from gymnasium.wrappers import vector as wrappers

from catan_p2p.env import ENVIRONMENT_ID, CatanEnv, CatanVectorEnv
from catan_p2p.env.action_space import ACTION_COUNT
from catan_p2p.env.observing import OBSERVATION_SIZE

pytestmark = pytest.mark.needs("env")

MODES = (AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP)


def legal(masks: Any, rng: Random) -> Any:
    """One legal action for each game; of a game that is over, any number."""
    listed = [np.flatnonzero(mask) for mask in masks]
    return np.array([its[int(rng.random() * len(its))] if len(its) else 0 for its in listed])


def same(one: Any, other: Any) -> bool:
    """Whether two results are the same, infos in infos among them."""
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(same(one[key], other[key]) for key in one)
    if isinstance(one, np.ndarray) and one.dtype != object:
        return one.dtype == other.dtype and bool(np.array_equal(one, other))
    if isinstance(one, list | tuple | np.ndarray):
        return len(one) == len(other) and all(same(a, b) for a, b in zip(one, other, strict=True))
    return bool(one == other)


def test_it_has_every_attribute_that_gymnasium_names() -> None:
    made = CatanVectorEnv(3, players=3, render_mode="ansi")
    assert {*VectorEnv.__annotations__} <= {*dir(made)}
    assert made.num_envs == 3 and len(made.envs) == 3
    single = CatanEnv(players=3)
    assert made.single_observation_space == single.observation_space
    assert made.single_action_space == single.action_space
    assert made.observation_space == batch_space(single.observation_space, 3)
    assert made.action_space == batch_space(single.action_space, 3)
    assert made.metadata == {**CatanEnv.metadata, "autoreset_mode": AutoresetMode.NEXT_STEP}
    assert made.render_mode == "ansi"
    made.reset(seed=1)
    frames = made.render()
    assert len(frames) == 3 and all(isinstance(frame, str) for frame in frames)
    assert [table.players for table in made.get_attr("table")] == [3, 3, 3]
    made.close()
    assert made.closed


def test_it_takes_the_arguments_that_gymnasium_names() -> None:
    for name in ("reset", "step", "render", "close"):
        own, theirs = (inspect.signature(getattr(kind, name)).parameters for kind in (CatanVectorEnv, SyncVectorEnv))
        assert [*own] == [*theirs], name
    assert CatanVectorEnv(num_envs=2, opponents="builder", players=4).num_envs == 2
    with pytest.raises(ValueError, match="num_envs 0: expected a whole number, 1 or more"):
        CatanVectorEnv(0)


@pytest.mark.parametrize("mode", MODES, ids=lambda mode: mode.name)
def test_it_plays_as_gymnasium_s_own_vector_of_single_games(mode: AutoresetMode) -> None:
    """Through the ends of games, by turns and by an illegal action, infos and final observations among the results."""
    ours = CatanVectorEnv(3, autoreset_mode=mode, players=2, max_turns=6)
    theirs = SyncVectorEnv([lambda: CatanEnv(players=2, max_turns=6)] * 3, autoreset_mode=mode)
    observed, info = theirs.reset(seed=7)
    assert same(ours.reset(seed=7), (observed, info))
    rng, keys, ended = Random(1), {*info}, 0
    for number in range(120):
        actions = legal(info["action_mask"], rng)
        if number == 40:
            actions[1] = np.flatnonzero(info["action_mask"][1] == 0)[0]
        made = theirs.step(actions)
        assert same(ours.step(actions), made)
        assert [env.is_over for env in ours.envs] == [env.is_over for env in theirs.envs]
        observed, rewards, over, cut_off, info = made
        assert observed.shape == (3, OBSERVATION_SIZE) and info["action_mask"].shape == (3, ACTION_COUNT)
        assert (rewards.dtype, over.dtype, cut_off.dtype) == (np.float64, np.bool_, np.bool_)
        keys |= {*info}
        ended += int((over | cut_off).sum())
    assert ended > 5
    assert {"action_mask", "_action_mask", "seat"} <= keys
    assert ("final_obs" in keys) == (mode == AutoresetMode.SAME_STEP)
    told = theirs.step(np.array([np.flatnonzero(mask == 0)[0] for mask in info["action_mask"]]))[4]
    assert "illegal" in (told["final_info"] if mode == AutoresetMode.SAME_STEP else told)


def test_games_that_are_over_can_be_begun_anew_by_hand() -> None:
    """In Gymnasium's third mode, where the caller names those to reset and the others keep their observations."""
    mode = AutoresetMode.DISABLED
    ours = CatanVectorEnv(3, autoreset_mode=mode, max_turns=4)
    theirs = SyncVectorEnv([lambda: CatanEnv(max_turns=4)] * 3, autoreset_mode=mode)
    made = theirs.reset(seed=7)
    assert same(ours.reset(seed=7), made)
    rng, ended, masks = Random(1), 0, made[1]["action_mask"].copy()
    for _ in range(150):
        actions = legal(masks, rng)
        made = theirs.step(actions)
        assert same(ours.step(actions), made)
        masks = made[4]["action_mask"].copy()
        over = made[2] | made[3]
        if over.any():
            begun = theirs.reset(options={"reset_mask": over.copy()})
            assert same(ours.reset(options={"reset_mask": over.copy()}), begun)
            masks[over] = begun[1]["action_mask"][over]
            ended += 1
    assert ended > 3


def test_a_vector_that_does_not_copy_returns_one_array() -> None:
    one, other = CatanVectorEnv(2, copy=False), CatanVectorEnv(2)
    kept, info = one.reset(seed=5)
    first, _ = other.reset(seed=5)
    rng, before = Random(1), first.copy()
    for _ in range(40):
        actions = legal(info["action_mask"], rng)
        observed, _, _, _, info = one.step(actions)
        expected = other.step(actions)[0]
        assert observed is kept and (observed == expected).all()
    assert (first == before).all() and not (kept == before).all()


def test_a_game_that_is_over_takes_no_action() -> None:
    games = CatanVectorEnv(2, autoreset_mode=AutoresetMode.NEXT_STEP)
    with pytest.raises(gymnasium.error.ResetNeeded):
        games.step([0, 0])


def test_a_vector_plays_its_games_as_they_would_be_played_alone() -> None:
    vector, alone = CatanVectorEnv(3), [CatanEnv() for _ in range(3)]
    observed, info = vector.reset(seed=7)
    for i, env in enumerate(alone):
        single, _ = env.reset(seed=7 + i)
        assert (observed[i] == single).all()
    for _ in range(50):
        actions = [int(np.flatnonzero(mask)[0]) for mask in info["action_mask"]]
        observed, rewards, over, _, info = vector.step(actions)
        for i, env in enumerate(alone):
            single, reward, done, _, _ = env.step(actions[i])
            assert (observed[i] == single).all()
            assert (rewards[i], over[i]) == (reward, done)


def test_every_game_of_a_vector_tells_its_seed() -> None:
    games = CatanVectorEnv(2, map="variable")
    games.reset()
    one, other = games.np_random_seed
    assert one != other
    again = CatanVectorEnv(2, map="variable")
    again.reset(seed=[one, other])
    assert [env.table.state for env in again.envs] == [env.table.state for env in games.envs]


def test_gymnasium_s_statistics_count_its_episodes() -> None:
    games = wrappers.RecordEpisodeStatistics(CatanVectorEnv(2, max_turns=4))
    _, info = games.reset(seed=3)
    rng, lengths, steps = Random(2), list[int](), [0, 0]
    told: list[int] = []
    for _ in range(150):
        _, _, over, cut_off, info = games.step(legal(info["action_mask"], rng))
        for i in range(2):
            steps[i] += 1
            if over[i] or cut_off[i]:
                lengths.append(steps[i])
                told.append(int(info["episode"]["l"][i]))
                steps[i] = -1  # the next step only begins anew
    assert len(told) > 3
    assert told == lengths


def test_gymnasium_s_wrappers_apply() -> None:
    games = wrappers.DictInfoToList(wrappers.ClipReward(CatanVectorEnv(2, reward="points"), -0.5, 0.5))
    observed, infos = games.reset(seed=1)
    assert [{*info} for info in infos] == [{"action_mask", "seat"}] * 2
    _, rewards, _, _, infos = games.step(legal([info["action_mask"] for info in infos], Random(1)))
    assert np.abs(rewards).max() <= 0.5
    assert observed.shape == (2, OBSERVATION_SIZE)


@pytest.mark.parametrize("mode", ["vector_entry_point", "sync", None])
def test_gymnasium_makes_many_games_by_the_same_id(mode: str | None) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        made = gymnasium.make_vec(f"catan_p2p.env:{ENVIRONMENT_ID}", num_envs=3, vectorization_mode=mode, players=3)
        assert isinstance(made.unwrapped, CatanVectorEnv) == (mode != "sync")
        assert made.spec.id == ENVIRONMENT_ID
        observations, info = made.reset(seed=4)
        expected, expected_info = CatanVectorEnv(3, players=3).reset(seed=4)
        assert (observations == expected).all()
        assert same(info, expected_info)
    assert [table.players for table in made.get_attr("table")] == [3, 3, 3]
    made.close()
