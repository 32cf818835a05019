"""One game as an environment sees it: whose decision it is, what a number does, and how players are rewarded."""

from collections.abc import Sequence
from random import Random
from typing import Any, Literal, TypeAlias

import numpy as np

from catan_p2p.env.action_space import ACTION_COUNT, NOTHING_BEGUN, Begun, action_of, legal_numbers, tell
from catan_p2p.game import rules
from catan_p2p.game.actions import Action, OfferTrade, RollDice
from catan_p2p.game.constants import Player
from catan_p2p.game.new_game import new_constants
from catan_p2p.game.scoring import points_of
from catan_p2p.game.state import State, initial_state
from catan_p2p.game.watching import Watch
from catan_p2p.log.refs import COLOURS

OFFERS_PER_TURN = 3
"""Offers that may be made in a turn; without a limit two players could haggle for ever."""


class Table:
    """A game in progress. ``state`` is the engine's; ``player`` whose decision it is, 0 once the game is over."""

    def __init__(self, players: int = 4, rules: str = "brief", map: str = "default", max_turns: int = 500) -> None:
        self.players, self.rules, self.map, self.max_turns = players, rules, map, max_turns
        self.watching: Sequence[Watch] = ()
        """Called with each action that was carried out."""
        self.seed(0)
        # Raises ValueError for invalid settings.
        self.begin()

    def seed(self, seed: int) -> None:
        """Seed everything that chance decides; the next game is the first of this seed."""
        self._rng = Random(seed)
        self._seed, self._number = seed, -1

    def begin(self) -> None:
        """Begin the next game, with a map of its own if the map is drawn."""
        self._number += 1
        colours = COLOURS[: self.players]
        constants = new_constants(self.rules, colours, self.map, self._seed, self._number)
        if constants.rules.chance == "joint":
            raise ValueError("Chance = joint: an environment has no log; expected Chance = actor")
        self.state: State = initial_state(constants)
        self.begun = NOTHING_BEGUN
        self.turns = 0
        self.offers = 0
        self.player: Player = rules.awaited(self.state)[0]
        self._legal: list[int] | None = None

    @property
    def is_over(self) -> bool:
        """Whether somebody has won."""
        return self.state.is_over

    @property
    def is_cut_off(self) -> bool:
        """Whether the game has lasted too long without a winner."""
        return self.turns >= self.max_turns and not self.state.is_over

    @property
    def legal(self) -> list[int]:
        """The numbers of what the player to decide can do; never empty before the end."""
        if self._legal is None:
            offers = self.offers < OFFERS_PER_TURN
            self._legal = legal_numbers(self.state, self.player, self.begun, offers) if self.player else []
        return self._legal

    def mask(self, player: Player) -> Any:
        """For every number, whether the player can choose it now, as ``int8``; all zero if it is not their decision."""
        mask: Any = np.zeros(ACTION_COUNT, np.int8)
        if player == self.player:
            mask[self.legal] = 1
        return mask

    def step(self, number: int) -> None:
        """Carry out a decision of the player to decide; ``ValueError`` if it is not legal."""
        if number not in self.legal:
            raise ValueError(f"action {number} ({tell(self.state, int(number))}) is not legal for player {self.player}")
        self._legal = None
        made = action_of(self.state, self.player, int(number), self.begun)
        if isinstance(made, Begun):
            self.begun = made
            return
        self.begun = NOTHING_BEGUN
        if isinstance(made, OfferTrade):
            self.offers += 1
            if rules.broken_guards(self.state, made):
                # Nobody can pay, so all decline, which changes nothing.
                return
        self.carry_out(made)

    def carry_out(self, choice: Action) -> None:
        """Carry out an action of the engine, its outcome of chance drawn anew; ``NotEnabled`` if it is not legal."""
        self._legal = None
        action = rules.draw(self.state, choice, self._rng)
        if isinstance(action, RollDice):
            self.turns += 1
            self.offers = 0
        before, self.state = self.state, rules.apply(self.state, action)
        for watch in self.watching:
            watch(before, action, self.state)
        waiting = rules.awaited(self.state)
        self.player = waiting[0] if waiting else 0


Reward: TypeAlias = Literal["win", "points"]


def rewards(reward: Reward, before: Sequence[int], state: State) -> list[float]:
    """The rewards by seat of a step.

    ``win``: 1 for who wins and -1 for all others at the end, else 0. ``points``: the same, and a tenth of the points
    that the step brought or took, of which ``before`` is what the players had before it.
    """
    found = [0.0] * len(before)
    if state.is_over:
        found = [1.0 if player == state.ap else -1.0 for player in state.constants.players]
    if reward == "points":
        found = [own + (now - had) / 10 for own, now, had in zip(found, points_of(state), before, strict=True)]
    return found
