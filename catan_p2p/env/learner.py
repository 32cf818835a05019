"""The game for one learner: Gymnasium's interface, with policies in the other seats."""

from collections.abc import Sequence
from random import Random
from typing import Any, ClassVar

import gymnasium
from gymnasium import spaces

from catan_p2p import settings
from catan_p2p.env.action_space import ACTION_COUNT, as_number, tell
from catan_p2p.env.aec import observation_space
from catan_p2p.env.observing import ObservedEpisode, told
from catan_p2p.env.rendering import RENDER_MODES, check_render_mode, rendered
from catan_p2p.env.table import EpisodeTable, Reward
from catan_p2p.game import rules as engine
from catan_p2p.game.move_watcher import watches
from catan_p2p.players.choosing import CheckedChooser, checked
from catan_p2p.players.policies import Policy, policy_of
from catan_p2p.players.random_player import RandomPolicy


class CatanEnv(gymnasium.Env[Any, Any]):  # type: ignore[misc]
    """One learner at ``seat`` (0: a random seat each game) against policies, given by name or as objects.

    ``info["action_mask"]`` and ``action_masks()`` say which actions are legal. An illegal one ends the episode as a
    loss and is named in ``info["illegal"]``. Raises ``TypeError`` for a setting of another type, ``ValueError`` for an
    impossible one.
    """

    metadata: ClassVar[dict[str, Any]] = {"render_modes": list(RENDER_MODES), "render_fps": 4}

    def __init__(
        self,
        opponents: str | Policy | Sequence[str | Policy] = "random",
        players: int = 2,
        rules: str = "brief",
        map: str = "default",
        reward: Reward = "win",
        seat: int = 0,
        max_turns: int = 500,
        render_mode: str | None = None,
    ) -> None:
        self.table = EpisodeTable(players, rules, map, max_turns, reward)
        given = _policies(opponents, self.table.players - 1)
        self._policies = _checked(given)
        self.table.watching = watches(self._policies)
        self._random = [] if self.table.watching else [type(policy) is RandomPolicy for policy in given]
        """For each opponent, whether the core draws its decisions; empty if a policy watches each move."""
        seat = settings.whole("seat", seat, 0, self.table.players)
        self._fixed_seat, self.seat = seat, seat or 1
        self.render_mode = check_render_mode(render_mode)
        self.observation_space = observation_space()
        self.action_space = spaces.Discrete(ACTION_COUNT)
        self._rng = Random(0)
        self._is_seeded = False
        self.is_over = True
        """Whether only ``reset`` is possible."""
        self.viewpoint = ObservedEpisode()
        """Holds the learner's observation."""

    def __setstate__(self, kept: dict[str, Any]) -> None:
        self.__dict__.update(kept)
        # A copy has a new episode, which knows neither the seats nor the random numbers.
        self._seat_all()

    @property
    def is_alone(self) -> bool:
        """Whether the core decides for all opponents."""
        return not self.table.watching and all(self._random)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Begin a new game: the first of ``seed``, or without one the next game of the last seed.

        If no seed was ever given, it is random; ``np_random_seed`` has it.
        """
        super().reset(seed=None if seed is None else settings.seed(seed))
        if seed is not None or not self._is_seeded:
            begun_with = self.np_random_seed
            self.table.seed(begun_with)
            self._rng = Random(f"{begun_with}/opponents")
            self._is_seeded = True
        self.table.begin()
        self.seat = self._fixed_seat or 1 + int(self._rng.random() * self.table.players)
        self.is_over = False
        self._seat_all()
        self._play_others()
        return self._observed(), self.info()

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Carry out a decision of the learner, then those of the opponents up to the learner's next one."""
        number = as_number(action)
        if self.is_over:
            raise gymnasium.error.ResetNeeded("the game is over: call reset")
        episode = self.table.episode
        before = episode.points(self.seat)
        if not self.table.decide(number):
            self.is_over = True
            return self._observed(), -1.0, True, False, self.info(illegal=number)
        self._play_others()
        over, cut_off = episode.is_over(), episode.is_cut_off()
        self.is_over = over or cut_off
        return self._observed(), episode.earned(self.seat, before), over, cut_off, self.info()

    def action_masks(self) -> Any:
        """For every action, whether it is legal now, as booleans."""
        return self.table.mask(self.seat).astype(bool)

    def told(self) -> dict[str, Any]:
        """What the learner may know as readable values."""
        return told(self.table.state, self.seat)

    def render(self) -> Any:
        """The board as text or pixels, by ``render_mode``; None without one."""
        return rendered(self.table.state, self.render_mode)

    def info(self, illegal: int | None = None) -> dict[str, Any]:
        """The info of ``reset`` and ``step``; ``illegal`` is the number of an illegal decision."""
        told = {"action_mask": self.table.mask(self.seat), "seat": self.seat}
        return told if illegal is None else {**told, "illegal": tell(self.table.state, illegal)}

    def _seat_all(self) -> None:
        """Tell the core the learner's seat, and the seats that it plays at random."""
        episode, players = self.table.episode, self.table.players
        episode.seat = self.seat
        episode.uniform, episode.other_bits = self._rng.random, self._rng.getrandbits
        seats = ((self.seat + place) % players + 1 for place, is_random in enumerate(self._random) if is_random)
        episode.random_seats = sum(1 << seat for seat in seats)

    def _play_others(self) -> None:
        table = self.table
        while player := table.episode.play_others():
            policy = self._policies[(player - self.seat) % table.players - 1]
            options = engine.decisions(table.state, player)
            table.carry_out(policy.choose(table.state, player, options, self._rng))

    def _observed(self) -> Any:
        return self.table.observed(self.seat, self.viewpoint).copy()


def _policies(given: str | Policy | Sequence[str | Policy], count: int) -> list[Policy]:
    several = list(given) if isinstance(given, Sequence) and not isinstance(given, str) else [given] * count
    if len(several) != count:
        raise ValueError(f"{len(several)} opponents, expected {count}")
    return [policy_of("opponents", policy) for policy in several]


def _checked(policies: Sequence[Policy]) -> list[CheckedChooser]:
    once = {id(policy): checked(policy) for policy in policies}  # A policy with several seats watches each move once.
    return [once[id(policy)] for policy in policies]
