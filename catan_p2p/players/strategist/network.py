"""The network of the strategist, learned by ``benchmarks/learning.py``: its weights, and what it says of a state."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache, lru_cache
from math import log
from pathlib import Path

from catan_p2p.game.actions import Action
from catan_p2p.game.constants import Constants, Player
from catan_p2p.game.flat import Flat, action_of, fastest, why_not_covered
from catan_p2p.game.flat.searching import Searcher
from catan_p2p.game.state import NO_CALL, NOTHING_HIDDEN, State
from catan_p2p.players.strategist.judge import Hands, Judge
from catan_p2p.players.strategist.weights import DEPTHS, Weights

FILE = Path(__file__).with_name("network.txt")
"""One weight a line, in 4096ths, in the order in which ``catan_p2p.game.flat.valuing`` takes them."""
PARTS = 4096
LEAST = 1e-9


@cache
def learned() -> tuple[float, ...]:
    """The weights that the program comes with."""
    return tuple(int(line) / PARTS for line in FILE.read_text("ascii").split())


@lru_cache(maxsize=64)
def opened(constants: Constants) -> Constants:
    """The same game with open hands and dice of whoever rolls: what the flat core plays."""
    return replace(constants, rules=replace(constants.rules, chance="actor", hands="open"))


def is_valued(constants: Constants) -> bool:
    """Whether the network values games with these constants; those on the largest maps it does not."""
    return why_not_covered(opened(constants)) is None


class Network:
    """What the network says of the states of one game, seen by one player."""

    def __init__(self, state: State, weights: Sequence[float], effort: int) -> None:
        self._constants = opened(state.constants)
        self.flat = self.flat_of(state)
        self.searcher: Searcher = fastest().searcher(self.flat, self._constants, weights)
        least = max(at for at in DEPTHS if at <= effort)
        self.searcher.depth, self.searcher.width = DEPTHS[least]

    def flat_of(self, state: State) -> Flat:
        """The state as the flat core has it."""
        open_state = state._replace(
            constants=self._constants, call=NO_CALL, due=(False,) * len(state.due), hid=NOTHING_HIDDEN
        )
        return fastest().flat_of(open_state)

    def best(self, player: Player) -> Action:
        """The decision that leads to the greatest chance to win; it makes no offers."""
        return action_of(self.searcher.choose(self.flat, player))

    def chance(self, state: State, player: Player) -> float:
        """The chance of a player to win, between 0 and 1."""
        return self.searcher.valuer.value(self.flat_of(state), player)


class LearnedJudge(Judge):
    """Values positions for one player as the network does."""

    def __init__(self, state: State, player: Player, weights: Weights, effort: int, network: Network) -> None:
        super().__init__(state, player, weights, effort)
        self._network = network

    def value(self, state: State, hands: Hands | None = None) -> float:
        """The logarithm of the player's chance to win; hands are those of the state."""
        return log(max(LEAST, self._network.chance(state, self.player)))
