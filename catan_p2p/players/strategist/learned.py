"""The value function of ``strategist`` with a time budget: a network trained by ``benchmarks/learning.py``."""

from collections.abc import Sequence
from dataclasses import replace
from functools import cache, lru_cache
from math import log
from pathlib import Path

from catan_p2p.game import actions
from catan_p2p.game.constants import Constants, Player
from catan_p2p.game.flat import FlatGame, NotCovered, action_of, fastest
from catan_p2p.game.flat.searching import MoveSearch
from catan_p2p.game.state import State, WayBack
from catan_p2p.players.strategist.judge import Hands, PositionJudge
from catan_p2p.players.strategist.weights import SEARCHES, StrategistWeights

FILE = Path(__file__).with_name("learned.txt")
"""The weights in units of 1/4096, in the order that ``catan_p2p.game.flat.valuing`` expects."""
PARTS = 4096
LEAST = 1e-9


@cache
def weights() -> tuple[float, ...]:
    """The weights of the network."""
    return tuple(int(one) / PARTS for one in FILE.read_text("ascii").split())


@lru_cache(maxsize=64)
def without_draws(constants: Constants) -> Constants:
    """The constants with ``Chance = actor`` and no returns, since the flat core has neither joint draws nor those."""
    return replace(constants, rules=replace(constants.rules.drawn_by_actors, returns=0))


class LearnedValue:
    """The network and its search for the games of one policy."""

    def __init__(self, budget_ms: int) -> None:
        self.search = SEARCHES[max(at for at in SEARCHES if at <= budget_ms)]
        self._searcher: MoveSearch | None = None
        self._constants: Constants | None = None
        """The constants of the game that the searcher is for."""

    def covers(self, state: State) -> bool:
        """Whether the network values this state. It does not on maps of more than 126 points or tiles."""
        try:
            self.flat_of(state)
        except NotCovered:
            return False
        return True

    def flat_of(self, state: State) -> FlatGame:
        """The state on the flat core; ``NotCovered`` if the core cannot represent it."""
        ret = (WayBack(0, False),) * len(state.ret)
        return fastest().flat_of(state._replace(constants=without_draws(state.constants), ret=ret))

    def best(self, state: State, player: Player, decisions: Sequence[actions.Action]) -> actions.Action | None:
        """The best decision that the search finds; None if it is not in ``decisions``. The search makes no offers."""
        flat = self.flat_of(state)
        if not flat.list_moves(player):
            return None
        move = self._search(state, flat).choose(flat, player)
        return as_decided(action_of(move), decisions)

    def chance(self, state: State, player: Player) -> float:
        """The probability that a player wins, between 0 and 1."""
        flat = self.flat_of(state)
        return self._search(state, flat).valuer.value(flat, player)

    def _search(self, state: State, flat: FlatGame) -> MoveSearch:
        if self._searcher is None or self._constants is not state.constants:
            self._constants = state.constants
            self._searcher = fastest().searcher(flat, without_draws(state.constants), weights())
            self._searcher.depth, self._searcher.width = self.search
        return self._searcher


class LearnedJudge(PositionJudge):
    """Values positions for one player by the network."""

    def __init__(self, state: State, player: Player, weights: StrategistWeights, learned: LearnedValue) -> None:
        super().__init__(state, player, weights)
        self._learned = learned

    def value(self, state: State, hands: Hands | None = None) -> float:
        """The logarithm of the player's chance to win, by the hands of the state; ``hands`` is ignored."""
        return log(max(LEAST, self._learned.chance(state, self.player)))


def as_decided(action: actions.Action, decisions: Sequence[actions.Action]) -> actions.Action | None:
    """The member of ``decisions`` that is the same decision, whatever its chance outcome; None if there is none."""
    if isinstance(action, actions.Discard):
        return action if isinstance(decisions[0], actions.Discard) else None
    wanted = action.decision
    return next((one for one in decisions if one.decision == wanted), None)
