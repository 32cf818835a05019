"""The value of a position for a player: the chance to win the race, given the rolls that each player needs."""

from collections.abc import Mapping
from math import exp, log

from catan_p2p.game.cards import unpack
from catan_p2p.game.constants import Player
from catan_p2p.game.float_sums import added
from catan_p2p.game.state import State
from catan_p2p.players.strategist.outlook import prospect, rolls
from catan_p2p.players.strategist.tables import Vector, others_of
from catan_p2p.players.strategist.weights import StrategistWeights

Hands = Mapping[Player, Vector]
"""Expected hands that replace those in the state."""


def vector(cards: int) -> Vector:
    """Cards as a vector of floats."""
    a, b, c, d, e = unpack(cards)
    return (float(a), float(b), float(c), float(d), float(e))


class PositionJudge:
    """Values positions for one player. The others' times in the base position are cached, since most positions that a
    decision compares differ little from it."""

    def __init__(self, state: State, player: Player, weights: StrategistWeights) -> None:
        self.state, self.player, self.weights = state, player, weights
        self.others = others_of(state, player)
        self.seven = 1 - (5 / 6) ** len(state.present)
        """the probability of a seven before the player's next turn"""
        self._times: dict[Player, float] = {}

    def time(self, state: State, seat: Player, hand: Vector | None = None) -> float:
        """The rolls that a player needs in a state, including the risk that a seven halves a hand above the limit."""
        weights = self.weights
        hand = hand or vector(state.h[seat - 1].rc)
        ahead = prospect(state, seat, weights)
        time = rolls(ahead, hand, weights)
        held = added(hand)
        if held > state.constants.rules.hand_limit:
            a, b, c, d, e = hand
            half = rolls(ahead, (a / 2, b / 2, c / 2, d / 2, e / 2), weights)
            time += self.seven * max(0.0, half - time)
        return time

    def _time_now(self, seat: Player) -> float:
        if seat not in self._times:
            self._times[seat] = self.time(self.state, seat)
        return self._times[seat]

    def value(self, state: State, hands: Hands | None = None) -> float:
        """The approximate logarithm of the player's chance to win from a state; greater is better."""
        if state.points(self.player) >= state.constants.rules.points_to_win:
            return 0.0
        own = self.time(state, self.player, hands.get(self.player) if hands else None)
        now = self.state
        # Identity suffices, since an action keeps the objects that it does not change.
        same = state.s is now.s and state.r is now.r and state.lr == now.lr and state.la == now.la
        same = same and state.ba == now.ba
        behind = 0.0
        for seat in self.others:
            hand = hands.get(seat) if hands else None
            unchanged = same and hand is None and state.h[seat - 1].rc == now.h[seat - 1].rc
            its = self._time_now(seat) if unchanged else self.time(state, seat, hand)
            behind += exp(min(50.0, (own - its) / self.weights.luck))
        return -log(1.0 + behind)
