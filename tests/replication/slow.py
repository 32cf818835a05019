"""A policy of games that do not end while somebody's process starts."""

import time
from collections.abc import Sequence
from random import Random

from catan_p2p.game.actions import Action
from catan_p2p.game.constants import Player
from catan_p2p.game.state import State
from catan_p2p.players.builder import BuilderPolicy

_THINKING_S = 0.1


class Slow(BuilderPolicy):
    """A builder who thinks for a while."""

    def choose(self, state: State, player: Player, decisions: Sequence[Action], rng: Random) -> Action:
        time.sleep(_THINKING_S)
        return super().choose(state, player, decisions, rng)
