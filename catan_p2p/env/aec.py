"""The game for several learners: PettingZoo's agent-environment cycle."""

from typing import Any, ClassVar

import numpy as np
from gymnasium import spaces
from gymnasium.error import ResetNeeded
from pettingzoo import AECEnv

from catan_p2p import settings
from catan_p2p.env.action_space import ACTION_COUNT, as_number
from catan_p2p.env.observing import OBSERVATION_SIZE, ObservedEpisode, told
from catan_p2p.env.rendering import RENDER_MODES, check_render_mode, rendered
from catan_p2p.env.table import EpisodeTable, Reward
from catan_p2p.game.constants import Player
from catan_p2p.game.randomness import random_seed

CARDS_MOST = 127.0


def observation_space() -> spaces.Box:
    """The space of every observation: ``OBSERVATION_SIZE`` numbers from 0 to 127."""
    return spaces.Box(0.0, CARDS_MOST, (OBSERVATION_SIZE,), np.float32)


class CatanAEC(AECEnv[str, Any, Any]):  # type: ignore[misc]
    """A game of 2 to 6 agents ``player_1``, ``player_2``, ..., each of which observes what that player may know.

    An observation is ``{"observation": flat array, "action_mask": array}``. ``rules`` and ``map`` are those of
    ``catan_p2p.new_game``; ``reward`` is ``win`` or ``points``. A game of more than ``max_turns`` turns is truncated.
    Raises ``TypeError`` for a setting of another type, and ``ValueError`` for an impossible one and for an action that
    is not legal.
    """

    metadata: ClassVar[dict[str, Any]] = {
        "name": "catan_v0",
        "render_modes": list(RENDER_MODES),
        "is_parallelizable": False,
        "render_fps": 4,
    }

    def __init__(
        self,
        players: int = 4,
        rules: str = "brief",
        map: str = "default",
        reward: Reward = "win",
        max_turns: int = 500,
        render_mode: str | None = None,
    ) -> None:
        super().__init__()
        self.table = EpisodeTable(players, rules, map, max_turns, reward)
        self.np_random_seed: int | None = None
        """The seed of the games so far, named as in Gymnasium; None before the first."""
        self.render_mode = check_render_mode(render_mode)
        self.possible_agents = [f"player_{player}" for player in range(1, self.table.players + 1)]
        self._seat = {agent: seat for seat, agent in enumerate(self.possible_agents, 1)}
        self._viewpoints = {agent: ObservedEpisode() for agent in self.possible_agents}
        self._observation_space = spaces.Dict(
            {"observation": observation_space(), "action_mask": spaces.Box(0, 1, (ACTION_COUNT,), np.int8)}
        )
        self._action_spaces = {agent: spaces.Discrete(ACTION_COUNT) for agent in self.possible_agents}

    def observation_space(self, agent: str) -> spaces.Dict:
        """The same space for every agent."""
        return self._observation_space

    def action_space(self, agent: str) -> spaces.Discrete:
        """All numbers of ``action_space``, the same for every agent."""
        return self._action_spaces[settings.word("agent", agent, self.possible_agents)]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a new game: the first of ``seed``, or without one the next game of the last seed.

        If no seed was ever given, it is random; ``np_random_seed`` has it.
        """
        if seed is not None or self.np_random_seed is None:
            self.np_random_seed = random_seed() if seed is None else settings.seed(seed)
            self.table.seed(self.np_random_seed)
        self.table.begin()
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.possible_agents[self.table.player - 1]

    def observe(self, agent: str) -> dict[str, Any]:
        """The observation and the action mask of an agent."""
        seat = self._seat_of(agent)
        self._check_begun()
        over = self.terminations.get(agent) or self.truncations.get(agent)
        mask = np.zeros(ACTION_COUNT, np.int8) if over else self.table.mask(seat)
        observed = self.table.observed(seat, self._viewpoints[agent]).copy()
        return {"observation": observed, "action_mask": mask}

    def told(self, agent: str) -> dict[str, Any]:
        """What an agent may know as readable values."""
        return told(self.table.state, self._seat_of(agent))

    def _seat_of(self, agent: str) -> Player:
        return self._seat[settings.word("agent", agent, self.possible_agents)]

    def _check_begun(self) -> None:
        if not hasattr(self, "agent_selection"):
            raise ResetNeeded("no game has begun: call reset")

    def step(self, action: int | None) -> None:
        """Carry out a decision of ``agent_selection``."""
        self._check_begun()
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if action is None:
            raise ValueError(f"{agent}: expected an action, since the game is not over")
        before = self.table.points
        self.table.step(as_number(action))
        self._cumulative_rewards[agent] = 0.0
        earned = self.table.rewards(before)
        self.rewards = {other: earned[self._seat[other] - 1] for other in self.agents}
        if self.table.is_over:
            self.terminations = dict.fromkeys(self.agents, True)
        elif self.table.is_cut_off:
            self.truncations = dict.fromkeys(self.agents, True)
        if self.table.player:
            self.agent_selection = self.possible_agents[self.table.player - 1]
        self._accumulate_rewards()

    def render(self) -> Any:
        """The board as text or pixels, by ``render_mode``; None without one."""
        return rendered(self.table.state, self.render_mode)

    def close(self) -> None:
        """Do nothing: there is nothing to release."""
