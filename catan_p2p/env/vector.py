"""Many games at once for one learner, in one process."""

from collections.abc import Sequence
from functools import partial
from typing import Any

import gymnasium
import numpy as np
from gymnasium.vector import AutoresetMode, SyncVectorEnv
from gymnasium.vector.utils import iterate

from catan_p2p import settings
from catan_p2p.env.action_space import ACTION_COUNT, as_number
from catan_p2p.env.learner import CatanEnv
from catan_p2p.env.observing import ObservedEpisode


class CatanVectorEnv(SyncVectorEnv):  # type: ignore[misc]
    """``num_envs`` games with the same settings, which are those of ``CatanEnv``, as Gymnasium's ``SyncVectorEnv``.

    By default a finished game begins anew at the next step, whose action is ignored. A policy object given as opponent
    plays in all games; if each game needs its own, give ``SyncVectorEnv`` functions that make one ``CatanEnv`` each.
    With ``copy=False``, each step returns the same array of observations, changed in place.
    """

    _autoreset_envs: Any

    def __init__(
        self,
        num_envs: int = 1,
        *,
        copy: bool = True,
        autoreset_mode: AutoresetMode = AutoresetMode.NEXT_STEP,
        **of_each: Any,
    ) -> None:
        num_envs, copy = settings.whole("num_envs", num_envs, 1), settings.flag("copy", copy)
        if not isinstance(autoreset_mode, AutoresetMode):
            raise TypeError(f"autoreset_mode {autoreset_mode!r}: expected an AutoresetMode")
        super().__init__([partial(CatanEnv, **of_each)] * num_envs, copy=copy, autoreset_mode=autoreset_mode)
        self._share_rows()

    def _share_rows(self) -> None:
        """Let each game write its observation directly into its row of the batch."""
        self._rows = [*self._observations]
        for env, row in zip(self.envs, self._rows, strict=True):
            env.viewpoint = ObservedEpisode(row)

    def __setstate__(self, kept: dict[str, Any]) -> None:
        self.__dict__.update(kept)
        self._share_rows()

    def step(self, actions: Any) -> tuple[Any, Any, Any, Any, dict[str, Any]]:
        """Carry out a decision in each game; the core steps all games at once if it decides for all opponents.

        ``ValueError`` unless there is one action for each game, ``ResetNeeded`` before the first ``reset``.
        """
        self._check_count(actions)
        if not all(env.is_alone for env in self.envs):
            made: tuple[Any, Any, Any, Any, dict[str, Any]] = super().step(actions)
            return made
        is_next = self.autoreset_mode == AutoresetMode.NEXT_STEP
        rests = self._autoreset_envs if is_next else np.zeros(self.num_envs, np.bool_)
        numbers = self._numbers(actions, rests)
        masks: Any = np.zeros((self.num_envs, ACTION_COUNT), np.int8)
        illegal = self.envs[0].table.core.episodes.step_all(
            [env.table.episode for env in self.envs],
            numbers,
            [env.viewpoint.writer(env.table.core, env.table.constants) for env in self.envs],
            rests.view(np.uint8),
            masks,
            self._rewards,
            self._terminations.view(np.uint8),
            self._truncations.view(np.uint8),
        )
        infos = self._begin_anew(rests, masks, {i: numbers[i] for i in illegal})
        self._env_obs = [*self._rows]
        everywhere: Any = np.ones(self.num_envs, np.bool_)
        infos |= {"action_mask": masks, "_action_mask": everywhere, "_seat": everywhere.copy()}
        infos["seat"] = np.array([env.seat for env in self.envs])
        self._autoreset_envs = np.logical_or(self._terminations, self._truncations)
        observed = self._observations.copy() if self.copy else self._observations
        return observed, self._rewards.copy(), self._terminations.copy(), self._truncations.copy(), infos

    def reset(self, *, seed: Any = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Begin a new game in each place; ``seed`` is the first one's, from which the others count on, or a list."""
        if isinstance(seed, list | tuple):
            each = settings.several("seed", seed, self.num_envs, "seeds, one for each game")
            seed = [None if one is None else settings.seed(one) for one in each]
        elif seed is not None:
            seed = settings.seed(seed)
        begun: tuple[Any, dict[str, Any]] = super().reset(seed=seed, options=options)
        return begun

    def _check_count(self, actions: Any) -> None:
        count = len(actions) if isinstance(actions, Sequence) or np.ndim(actions) else None
        if count != self.num_envs:
            told = repr(actions) if count is None else f"{count}"
            raise ValueError(f"actions: {told}, expected {self.num_envs}, one for each game")

    def _numbers(self, actions: Any, rests: Any) -> list[int]:
        """The number for each game, 0 for games that begin anew in this step."""
        found = []
        for env, action, rest in zip(self.envs, iterate(self.action_space, actions), rests, strict=True):
            if env.is_over and not rest:
                raise gymnasium.error.ResetNeeded("a game is over: call reset")
            found.append(0 if rest else as_number(action))
        return found

    def _begin_anew(self, rests: Any, masks: Any, illegal: dict[int, int]) -> dict[str, Any]:
        """Begin anew the games that ended in the last step, or in this one, by the mode; returns their infos."""
        infos: dict[str, Any] = {}
        for i in np.flatnonzero(rests).tolist():
            masks[i] = self.envs[i].reset()[1]["action_mask"]
            self._rewards[i], self._terminations[i], self._truncations[i] = 0.0, False, False
        for i in np.flatnonzero(self._terminations | self._truncations).tolist():
            env = self.envs[i]
            env.is_over = True
            info = env.info(illegal.get(i))
            if self.autoreset_mode == AutoresetMode.SAME_STEP:
                final = {"final_obs": self._rows[i].copy(), "final_info": info}
                infos = self._add_info(infos, final, i)
                masks[i] = env.reset()[1]["action_mask"]
            elif i in illegal:
                infos = self._add_info(infos, {"illegal": info["illegal"]}, i)
        return infos
