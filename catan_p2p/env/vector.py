"""Many games at once for one learner, in one process."""

from collections.abc import Callable
from functools import partial
from typing import Any, ClassVar

import gymnasium
import numpy as np
from gymnasium.vector import AutoresetMode
from gymnasium.vector.utils import batch_space

from catan_p2p.env.action_space import ACTION_COUNT, as_number
from catan_p2p.env.learner import CatanEnv


class CatanVectorEnv(gymnasium.vector.VectorEnv[Any, Any, Any]):  # type: ignore[misc]
    """``count`` games of ``make()``; a finished one begins anew with the next step, whose action is ignored.

    ``info["action_mask"]`` has a row for each game.
    """

    metadata: ClassVar[dict[str, Any]] = {"autoreset_mode": AutoresetMode.NEXT_STEP}

    def __init__(self, count: int, make: Callable[[], CatanEnv] = CatanEnv) -> None:
        if count < 1:
            raise ValueError(f"{count} games, expected at least 1")
        self.games = [make() for _ in range(count)]
        self.num_envs = count
        self.single_observation_space = self.games[0].observation_space
        self.single_action_space = self.games[0].action_space
        self.observation_space = batch_space(self.single_observation_space, count)
        self.action_space = batch_space(self.single_action_space, count)
        self._ended = [False] * count

    def reset(
        self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Begin all games anew; with a number as seed, game i gets that number plus i."""
        super().reset(seed=seed if isinstance(seed, int) else None)
        seeds = seed if isinstance(seed, list) else [None if seed is None else seed + i for i in range(self.num_envs)]
        self._ended = [False] * self.num_envs
        begun = [game.reset(seed=its) for game, its in zip(self.games, seeds, strict=True)]
        return np.stack([observed for observed, _ in begun]), _together([info for _, info in begun])

    def step(self, actions: Any) -> tuple[Any, Any, Any, Any, dict[str, Any]]:
        """One decision in each game."""
        made = [self._step(i, as_number(action)) for i, action in enumerate(actions)]
        observed, earned, over, cut_off, infos = zip(*made, strict=True)
        return (
            np.stack(observed),
            np.array(earned, np.float64),
            np.array(over, np.bool_),
            np.array(cut_off, np.bool_),
            _together(list(infos)),
        )

    def _step(self, i: int, action: int) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        if self._ended[i]:
            self._ended[i] = False
            observed, info = self.games[i].reset()
            return observed, 0.0, False, False, info
        made = self.games[i].step(action)
        self._ended[i] = made[2] or made[3]
        return made

    def close_extras(self, **kwargs: Any) -> None:
        """There is nothing to release."""


def _together(infos: list[dict[str, Any]]) -> dict[str, Any]:
    masks: Any = np.zeros((len(infos), ACTION_COUNT), np.int8)
    for row, info in zip(masks, infos, strict=True):
        row[:] = info["action_mask"]
    return {"action_mask": masks}


def make_vector(num_envs: int = 1, **settings: Any) -> CatanVectorEnv:
    """So many games of the same settings, as ``gymnasium.make_vec`` asks for them."""
    return CatanVectorEnv(num_envs, partial(CatanEnv, **settings))
