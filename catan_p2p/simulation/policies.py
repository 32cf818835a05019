"""How a simulated player decides. A policy is a small class with one method; anybody can add one to ``POLICIES``."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import Protocol

from catan_p2p.actions import Action, OfferTrade
from catan_p2p.actions.offer_trade import random_offer
from catan_p2p.constants import Player
from catan_p2p.simulation.builder import BuilderPolicy
from catan_p2p.state import State


class Policy(Protocol):
    """Chooses among what a player can decide.

    It is asked anew for every action and keeps nothing between two calls, so a game can be continued after a crash and
    comes out the same. All randomness is in ``rng``, seeded from the seed, the game and the position in the log.
    """

    def choose(self, state: State, player: Player, decisions: Sequence[Action], rng: Random) -> Action:
        """One of ``decisions``, which is never empty and in a fixed order; or, where it holds one offer, any other."""


class RandomPolicy:
    """Uniform over everything that can be decided: the thesis's baseline."""

    def choose(self, state: State, player: Player, decisions: Sequence[Action], rng: Random) -> Action:
        """A random one; if it is to offer a trade, any offer that can be made."""
        decision = decisions[int(rng.random() * len(decisions))]
        return random_offer(state, player, rng) if isinstance(decision, OfferTrade) else decision


POLICIES: dict[str, Callable[[], Policy]] = {"random": RandomPolicy, "builder": BuilderPolicy}
"""The policies by the name that the command line gives them."""
