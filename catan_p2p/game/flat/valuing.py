"""How likely each seat is to win a flat game, by a small network over what a player may know.

Each seat has a score, from numbers that describe its position; the chance to win is the softmax of all scores. So one
network serves for two to six players. The arithmetic is addition, multiplication and division in a fixed order: the
result is the same in Python and compiled, on every machine.
"""

from __future__ import annotations

from collections.abc import Sequence

from catan_p2p.game.flat import places
from catan_p2p.game.flat.describing import SeatDescriber
from catan_p2p.game.flat.game import FlatGame
from catan_p2p.game.flat.planning import nothing
from catan_p2p.game.flat.tables import FlatTables


class SeatScorer(SeatDescriber):
    """Scores seats of states of one game."""

    def __init__(self, tables: FlatTables, weights: Sequence[float]) -> None:
        """``ValueError`` unless there are ``places.WEIGHTS`` weights: see ``w``."""
        super().__init__(tables)
        if len(weights) != places.WEIGHTS:
            raise ValueError(f"{len(weights)} weights: expected {places.WEIGHTS}")
        self.w = list(weights)
        """For each input its weights to all hidden numbers, then these numbers' biases, then their own weights."""
        self.before = nothing(1024)
        """The inputs of each seat that ``hidden`` belongs to: only those that change are added up anew."""
        self.hidden = nothing(8 * places.HIDDEN)
        for i in range(8 * places.HIDDEN):
            self.hidden[i] = self.w[places.HIDDEN * places.INPUTS + i % places.HIDDEN]
        self.scores = nothing(8)

    def score(self, flat: FlatGame, seat: int, viewer: int) -> float:
        """How well a seat stands; what counts is the difference to the others."""
        self.see(flat, seat, viewer)
        old, sums = 128 * seat, places.HIDDEN * seat
        for i in range(places.INPUTS):
            # Only changed inputs are added up: moves of one turn change few of them. Sums in 4096ths stay exact.
            change = self.x[i] - self.before[old + i]
            if change != 0.0:
                self.before[old + i] = self.x[i]
                at = places.HIDDEN * i
                for j in range(places.HIDDEN):
                    self.hidden[sums + j] += change * self.w[at + j]
        total = 0.0
        at = places.HIDDEN * (places.INPUTS + 1)
        for j in range(places.HIDDEN):
            # The activation: negative hidden numbers count as zero.
            if self.hidden[sums + j] > 0.0:
                total += self.hidden[sums + j] * self.w[at + j]
        return total

    def take_in(self, flat: FlatGame, viewer: int) -> None:
        """Score all seats of a state, for ``chance`` and ``chance_with``."""
        for seat in range(1, self.t.players + 1):
            if not flat.v[places.AWAY + seat]:
                self.scores[seat] = self.score(flat, seat, viewer)

    def chance(self, flat: FlatGame, seat: int) -> float:
        """The chance to win of a seat by the scores taken in."""
        v, t = flat.v, self.t
        if v[places.TP] == places.TOP:
            return 1.0 if v[places.AP] == seat else 0.0
        if not t.at_once and v[places.AP] == seat and v[places.TP] >= places.TRADING and flat.points(seat) >= t.goal:
            return 1.0
        behind = 1.0
        for other in range(1, t.players + 1):
            if other != seat and not v[places.AWAY + other]:
                behind += exponential(self.scores[other] - self.scores[seat])
        return 1.0 / behind

    def value(self, flat: FlatGame, seat: int) -> float:
        """The chance of a seat to win as the player there sees it."""
        self.take_in(flat, seat)
        return self.chance(flat, seat)

    def value_alone(self, flat: FlatGame, seat: int) -> float:
        """The same if nothing but this seat has changed since the others were scored."""
        self.scores[seat] = self.score(flat, seat, seat)
        return self.chance(flat, seat)


def exponential(x: float) -> float:
    """About e to the power of a number from -30 to 30, the same on every machine."""
    if x > 30.0:
        x = 30.0
    elif x < -30.0:
        x = -30.0
    # (1 + x/1024)^1024 by ten squarings: only operations that every machine rounds alike.
    y = 1.0 + x / 1024.0
    for _ in range(10):
        y = y * y
    return y
