"""Where to begin: the two villages of the set-up and their roads."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from catan_p2p.actions import SetupPhaseOne, SetupPhaseTwo
from catan_p2p.actions.parts import with_seat, with_village
from catan_p2p.actions.placement import open_settlement_points
from catan_p2p.board import Board, numbers
from catan_p2p.constants import Player
from catan_p2p.simulation.strategist.judge import Judge, vector
from catan_p2p.simulation.strategist.tables import NO_WHARF, Vector, income, plus, point_yields, wharfs
from catan_p2p.state import State

Placement = SetupPhaseOne | SetupPhaseTwo
CLOSELY = 8
"""So many points are looked at closely, by the rolls that a win from there would take."""
_WORTH: Vector = (1.0, 1.0, 0.9, 1.15, 1.15)
"""How much a card of each resource is worth at the beginning."""


def place(judge: Judge, state: State, decisions: Sequence[Placement], rng: Random) -> Placement:
    """The placement from which a win takes the fewest rolls."""
    player = decisions[0].player
    held = state.s.villages[player - 1]
    points = sorted({one.at for one in decisions}, key=lambda at: -promise(state.constants.board, held, at))
    found: list[tuple[float, Placement]] = []
    for at in points[: CLOSELY * judge.effort]:
        here = [one for one in decisions if one.at == at]
        value = 36 * promise(state.constants.board, held, at) - judge.weights.outset * _time(
            judge, state, player, at, here[0]
        )
        found.append((value, _with_best_road(judge, state, player, here)))
    most = max(value for value, _ in found)
    return rng.choice([one for value, one in found if value >= most - 1e-9])


def promise(board: Board, held: int, at: int) -> float:
    """A quick measure of a point beside those held: what it yields, new resources above all, and its wharf."""
    yields = point_yields(board, 0, 1.0)[at]
    have = income(board, 0, 1.0, held, 0)
    value = 0.0
    for worth, new, old in zip(_WORTH, yields, have, strict=True):
        value += worth * new * (1.0 if old else 1.3)
    return value + (0.02 if wharfs(board)[at] != NO_WHARF else 0.0)


def _time(judge: Judge, state: State, player: Player, at: int, decision: Placement) -> float:
    after = _placed(state, player, at, decision.road)
    if isinstance(decision, SetupPhaseTwo):
        earned = vector(state.constants.board.first_yield[at])
        return judge.time(after, player, plus(vector(state.h[player - 1].rc), earned))
    return min(judge.time(_placed(after, player, second, 0), player) for second in _seconds(after, player))


def _seconds(state: State, player: Player) -> list[int]:
    """The points that the player may hope to get next, once the others have had theirs."""
    board = state.constants.board
    free = open_settlement_points(state)
    wanted = sorted(numbers(free), key=lambda at: -promise(board, 0, at))
    taken = 0
    seat = (player - state.first) % state.constants.player_count
    for _ in range(2 * (state.constants.player_count - 1 - seat)):
        at = next((at for at in wanted if free >> at & 1), None)
        if at is None:
            break
        free &= ~(1 << at | board.adjacent_settlements[at])
        taken |= 1 << at
    held = state.s.villages[player - 1]
    left = sorted(numbers(free), key=lambda at: -promise(board, held, at))[:3]
    return left or list(numbers(open_settlement_points(state))[:1])


def _placed(state: State, player: Player, at: int, road: int) -> State:
    left = state.b[player - 1]
    after = state._replace(
        s=with_village(state.s, player, at),
        b=with_seat(state.b, player, left._replace(village=left.village - 1, road=left.road - (road > 0))),
    )
    return after._replace(r=with_seat(state.r, player, state.r[player - 1] | 1 << road)) if road else after


def _with_best_road(judge: Judge, state: State, player: Player, options: Sequence[Placement]) -> Placement:
    """The road towards the best point that is two roads away."""
    board = state.constants.board
    free = open_settlement_points(_placed(state, player, options[0].at, 0))
    held = state.s.villages[player - 1] | 1 << options[0].at

    def outlook(placement: Placement) -> float:
        ends = board.end_points[placement.road] & ~(1 << placement.at)
        near = [
            promise(board, held, point)
            for end in numbers(ends)
            for point in numbers(board.adjacent_settlements[end] & free)
        ]
        near.sort(reverse=True)
        return sum((value / (1 << i) for i, value in enumerate(near)), 0.0)

    return max(options, key=outlook)
