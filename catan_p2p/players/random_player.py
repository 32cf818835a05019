"""The computer player ``random``."""

from collections.abc import Sequence
from random import Random

from catan_p2p.game.actions import Action
from catan_p2p.game.constants import Player
from catan_p2p.game.rules import any_offer
from catan_p2p.game.state import State


class RandomPolicy:
    """Chooses uniformly among all decisions, as the thesis's baseline does."""

    name = "random"

    def choose(self, state: State, player: Player, decisions: Sequence[Action], rng: Random) -> Action:
        """A random decision; a trade to offer or propose is drawn from all that are possible."""
        return any_offer(state, decisions[int(rng.random() * len(decisions))], rng)
