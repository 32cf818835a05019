"""The same seeds give the same episodes as when these were recorded: observations, masks and rewards.

``python -m tests.env.test_recorded`` prints the digests anew, which only a stated change of the environments may need.
"""

from hashlib import sha256
from random import Random
from typing import Any

import numpy as np
import pytest

pytestmark = pytest.mark.needs("env")

STEPS = 240

RECORDED = {
    "thesis 2": "59ae12c016a9c2d2 e83fbadeb4c9d2e8 9cc5844c39e7a319",
    "thesis 3": "1640076eaac5ee00 c287fa1d5878ae9a 4bee3a66eba32483",
    "thesis 4": "dd42e0f3b52c3979 61716b3571fa4804 9c62f9d50b65d65c",
    "brief 2": "3b8e190cd307e239 6221523265dd94e3 de070e20eff72c19",
    "brief 3": "9d6a1eea421bcef0 2c26736a4083cc55 8c53ee460e25b363",
    "brief 4": "a0cb0ad276f3f339 b963deb773552f15 aede08cddb1d84ed",
    "brief 5": "46a2982fe5327956 aff965d22a38978b 8d5176087886344a",
    "brief 6": "4759e3b564e89ca6 e9855fb508b40852 d5c1b4e5e4741f7d",
    "standard 2": "f0efa85fb3c3cbb3 d0a21f102261d4bf 1acaed08b6d7934f",
    "standard 3": "f34a7923205fcf53 874f9e49ba0d95c1 c7fc6782a49633be",
    "standard 4": "17c208709aa2f7c0 9e7b47ee51d5affc 206023d219eee301",
    "standard 5": "94d8198344fadcfe 944821425af0e92d 60eddabaecdd7e2e",
    "standard 6": "7e79b3e0925fea78 eeaf5a19b8409bb9 08f1ddb58601b783",
    "points": "3eb4cee0ce23e478 e3388a39d63c47eb 588dc7c5764cb995",
    "variable": "e3015246e212738e bbc40c8b8e948ea1 6371cb93de893ac1",
    "large": "1b26d785e76fdd81 e5f7cbd922b7ed60 826ea0d7121b0274",
    "builder": "297fe8b07425599e 2c26736a4083cc55 b15cf59140b2a16f",
    "watched": "93ebf5d81564001b 326cd7f09739c965 8410c5b71a829707",
    "own rules": "78a86c92da51958d 65f4670fe6a288b0 3ace3330b46ca1ad",
}
"""For each of ``settings`` the digests of ``DIGESTS``."""


def settings() -> dict[str, dict[str, Any]]:
    """Every profile with every number of players, and what else changes a game."""
    found: dict[str, dict[str, Any]] = {}
    for rules in ("thesis", "brief", "standard"):
        for players in range(2, 5 if rules == "thesis" else 7):
            found[f"{rules} {players}"] = {"rules": rules, "players": players}
    found["points"] = {"players": 3, "reward": "points", "seat": 2, "max_turns": 30}
    found["variable"] = {"players": 4, "map": "variable", "max_turns": 12}
    found["large"] = {"players": 6, "map": "large-free", "max_turns": 25}
    found["builder"] = {"players": 3, "opponents": ["random", "builder"]}
    found["watched"] = {"players": 3, "opponents": ["random", "strategist"], "max_turns": 8}
    found["own rules"] = {
        "rules": "brief; OffersPerTurn = 1; SpecialBuilding = yes; RoadBuildingNeeds = 1",
        "players": 3,
    }
    return found


def _chosen(mask: Any, rng: Random) -> int:
    """A legal number: by turns any, and one that takes several decisions or says much, if there is one."""
    legal = np.flatnonzero(mask)
    return int(legal[int(rng.random() ** 0.5 * len(legal))]) if len(legal) else 0


def digest_of_one(settings: dict[str, Any]) -> str:
    """The digest of episodes of ``CatanEnv``."""
    from catan_p2p.env import CatanEnv

    env, rng, whole = CatanEnv(**settings), Random(1), sha256()
    observed, info = env.reset(seed=11)
    for _ in range(STEPS):
        whole.update(observed.tobytes() + info["action_mask"].tobytes() + bytes([info["seat"]]))
        observed, reward, over, cut_off, info = env.step(_chosen(info["action_mask"], rng))
        whole.update(repr((reward, over, cut_off)).encode())
        if over or cut_off:
            observed, info = env.reset()
    return whole.hexdigest()[:16]


def digest_of_all(settings: dict[str, Any]) -> str:
    """The digest of games of ``CatanAEC``, as every agent observes them."""
    from catan_p2p.env import CatanAEC

    kept = {key: value for key, value in settings.items() if key not in ("seat", "opponents")}
    env, rng, whole = CatanAEC(**kept), Random(1), sha256()
    env.reset(seed=11)
    for number in range(STEPS):
        if all(env.terminations.values()) or all(env.truncations.values()):
            env.reset()
        for agent in env.possible_agents if number % 4 == 0 else [env.agent_selection]:
            seen = env.observe(agent)
            whole.update(seen["observation"].tobytes() + seen["action_mask"].tobytes())
        env.step(_chosen(env.observe(env.agent_selection)["action_mask"], rng))
        whole.update(repr(sorted(env.rewards.items())).encode())
    return whole.hexdigest()[:16]


def digest_of_many(settings: dict[str, Any]) -> str:
    """The digest of the steps of ``CatanVectorEnv``."""
    from catan_p2p.env import CatanVectorEnv

    env, rng, whole = CatanVectorEnv(3, **settings), Random(1), sha256()
    observed, info = env.reset(seed=11)
    for _ in range(STEPS // 3):
        whole.update(observed.tobytes() + info["action_mask"].tobytes() + info["seat"].tobytes())
        observed, reward, over, cut_off, info = env.step([_chosen(mask, rng) for mask in info["action_mask"]])
        whole.update(reward.tobytes() + over.tobytes() + cut_off.tobytes())
    return whole.hexdigest()[:16]


DIGESTS = {"one": digest_of_one, "all": digest_of_all, "many": digest_of_many}


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.long if name == "watched" else ()) for name in settings()]
)
def test_episodes_are_those_that_were_recorded(name: str) -> None:
    its = settings()[name]
    found = " ".join(digest(its) for digest in DIGESTS.values())
    assert found == RECORDED[name], f"{[*DIGESTS]}: {found}"


if __name__ == "__main__":
    for name, its in settings().items():
        print(f'    "{name}": "{" ".join(digest(its) for digest in DIGESTS.values())}",')
