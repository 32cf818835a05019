"""The computer player ``beginner``."""

from collections.abc import Sequence
from random import Random

from catan_p2p.game.actions import Action
from catan_p2p.game.constants import Player
from catan_p2p.game.state import State
from catan_p2p.players.builder import BuilderPolicy
from catan_p2p.players.random_player import RandomPolicy


class BeginnerPolicy(BuilderPolicy):
    """Plays like ``builder``, but makes every third decision, on average, at random."""

    name = "beginner"

    def choose(self, state: State, player: Player, decisions: Sequence[Action], rng: Random) -> Action:
        """The builder's decision, or a random one."""
        if rng.random() < 2 / 3:
            return super().choose(state, player, decisions, rng)
        return RandomPolicy().choose(state, player, decisions, rng)
