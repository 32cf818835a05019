"""One game in an environment: whose decision it is, what a number does, and what a player observes."""

from collections.abc import Sequence
from random import Random
from typing import Any, Literal, TypeAlias, get_args

import numpy as np

from catan_p2p import settings
from catan_p2p.env.action_space import ACTION_COUNT, FIRSTS, tell
from catan_p2p.env.observing import ObservedEpisode
from catan_p2p.game import flat, rules
from catan_p2p.game.actions import Action
from catan_p2p.game.constants import Constants, Player
from catan_p2p.game.move_watcher import Watch
from catan_p2p.game.new_game import new_constants
from catan_p2p.game.state import State
from catan_p2p.log.refs import COLOURS

OFFERS_PER_TURN = 3
"""The most offers in a turn; without a limit, a turn of offers might never end."""

Reward: TypeAlias = Literal["win", "points"]
"""``win``: at the end 1 for the winner and -1 for all others, otherwise 0. ``points``: the same plus a tenth of the
points gained or lost in the step."""


class EpisodeTable:
    """A running game, played by the flat core's ``episode``. The mirror's state is computed only when it is needed."""

    def __init__(
        self,
        players: int = 4,
        rules: str = "brief",
        map: str = "default",
        max_turns: int = 500,
        reward: Reward = "win",
    ) -> None:
        self.players, self.max_turns = settings.players(players), settings.whole("max_turns", max_turns, 1)
        self.rules, self.map = settings.rules(rules), settings.map_name(map)
        settings.word("reward", reward, get_args(Reward))
        self.reward: Reward = reward
        self.watching: Sequence[Watch] = ()
        """Called after each action."""
        self.core = flat.fastest()
        """The compiled core, or the same in Python."""
        self._constants: Constants | None = None
        self.seed(0)
        # Raises ValueError for invalid settings.
        self.begin()

    def seed(self, seed: int) -> None:
        """Seed all chance; the next game is the first of this seed."""
        self._rng = Random(seed)
        self._seed, self._number = seed, -1

    def begin(self) -> None:
        """Begin the next game, with a new map if maps are random."""
        self._number += 1
        constants = new_constants(self.rules, COLOURS[: self.players], self.map, self._seed, self._number)
        if constants is not self._constants:
            if constants.rules.chance == "joint":
                raise ValueError("Chance = joint: an environment has no log; expected Chance = actor")
            self._episode_of(constants)
        self.episode.begin(*flat.beginning(constants), self._rng.getrandbits)
        self._state: State | None = None
        self._state_at = -1

    def _episode_of(self, constants: Constants) -> None:
        self._constants = constants
        self.episode = self.core.episode(constants, FIRSTS, OFFERS_PER_TURN)
        self.episode.most_turns = self.max_turns
        self.episode.by_points = self.reward == "points"

    def __getstate__(self) -> dict[str, Any]:
        """The state of a copy, with the core's own state as numbers."""
        episode = self.episode
        kept = {name: value for name, value in self.__dict__.items() if name not in ("core", "episode")}
        kept["_numbers"] = episode.numbers(), episode.sets()
        kept["_begun"] = {name: getattr(episode, name) for name in ("turns", "offers", "given_up", "first_road")}
        return kept

    def __setstate__(self, kept: dict[str, Any]) -> None:
        (numbers, sets), begun = kept.pop("_numbers"), kept.pop("_begun")
        self.__dict__.update(kept)
        self.core = flat.fastest()
        self._episode_of(self.constants)
        self.episode.begin(numbers, sets, self._rng.getrandbits)
        for name, value in begun.items():
            setattr(self.episode, name, value)
        self._state = None

    @property
    def constants(self) -> Constants:
        """The rules and the board of the game."""
        assert self._constants is not None
        return self._constants

    @property
    def state(self) -> State:
        """The mirror's state."""
        if self._state is None or self._state_at != self.episode.changes:
            self._state, self._state_at = flat.state_of(self.episode, self.constants), self.episode.changes
        return self._state

    @property
    def player(self) -> Player:
        """The player who decides; 0 once the game is over."""
        return self.episode.player

    @property
    def turns(self) -> int:
        """The number of turns that have begun."""
        return self.episode.turns

    @property
    def is_over(self) -> bool:
        """Whether a player has won."""
        return self.episode.is_over()

    @property
    def is_cut_off(self) -> bool:
        """Whether the game has reached ``max_turns`` without a winner."""
        return self.episode.is_cut_off()

    @property
    def legal(self) -> list[int]:
        """The numbers of the legal decisions; never empty before the end."""
        return self.episode.legal()

    @property
    def points(self) -> list[int]:
        """The victory points of all players."""
        return [self.episode.points(player) for player in range(1, self.players + 1)]

    def rewards(self, before: Sequence[int]) -> list[float]:
        """The rewards of a step by seat, given the players' points before it."""
        return [self.episode.earned(player, had) for player, had in enumerate(before, 1)]

    def mask(self, player: Player) -> Any:
        """For every number, whether it is legal for the player now, as ``int8``; all zero if another player decides."""
        mask: Any = np.zeros(ACTION_COUNT, np.int8)
        if player == self.episode.player:
            self.episode.mark(mask)
        return mask

    def observed(self, player: Player, at: ObservedEpisode) -> Any:
        """What a player observes: the array of the viewpoint, brought up to date."""
        episode = self.episode
        given_up = episode.given_up if player == episode.player else 0
        at.writer(self.core, self.constants).write(episode, player, given_up)
        return at.array

    def decide(self, number: int) -> bool:
        """Carry out a decision of ``player``; False, and nothing changes, if it is illegal."""
        if not self.watching:
            return self.episode.decide(number)
        before, changes = self.state, self.episode.changes
        is_legal = self.episode.decide(number)
        if self.episode.changes != changes:
            self._tell(before)
        return is_legal

    def step(self, number: int) -> None:
        """Carry out a decision of ``player``; ``ValueError`` if it is illegal."""
        if not self.decide(number):
            raise ValueError(f"action {number} ({tell(self.state, number)}) is not legal for player {self.player}")

    def carry_out(self, choice: Action) -> None:
        """Carry out an action of the engine, with its chance outcome drawn anew; ``NotEnabled`` if it is illegal."""
        before = self.state
        broken = rules.broken_guards(before, choice)
        if broken:
            raise rules.NotEnabled(choice, broken)
        self.episode.carry_out(flat.move_of(choice))
        self._tell(before)

    def _tell(self, before: State) -> None:
        for watch in self.watching:
            watch(before, flat.action_of(self.episode.last), self.state)
