"""The set-up of the strategist: its two villages and their roads."""

from collections.abc import Sequence
from random import Random

from catan_p2p.game.actions import SetupPhaseOne, SetupPhaseTwo
from catan_p2p.game.actions.parts import with_seat, with_village
from catan_p2p.game.actions.placement import open_settlement_points
from catan_p2p.game.board import Board, numbers
from catan_p2p.game.constants import Player
from catan_p2p.game.float_sums import added
from catan_p2p.game.state import State
from catan_p2p.players.strategist.judge import PositionJudge, vector
from catan_p2p.players.strategist.tables import income, plus, point_yields
from catan_p2p.players.strategist.weights import FIRST_WORTH, NEW_RESOURCE, POINTS_JUDGED, ROAD_PROMISE, SECOND_POINTS

Placement = SetupPhaseOne | SetupPhaseTwo


def place(judge: PositionJudge, state: State, decisions: Sequence[Placement], rng: Random) -> Placement:
    """The placement with the best value: its yield and its road's outlook, less the rolls to a win."""
    player, board = decisions[0].player, state.constants.board
    is_first, held = isinstance(decisions[0], SetupPhaseOne), state.s.villages[player - 1]
    points = sorted({one.at for one in decisions}, key=lambda at: -promise(board, held, at))
    found: list[tuple[float, Placement]] = []
    for at in points[:POINTS_JUDGED]:
        yields = 36 * promise(board, held, at)
        seconds = _seconds(_placed(state, player, at, 0), player) if is_first else ()
        for one in decisions:
            if one.at == at:
                time = _time(judge, state, one, seconds)
                found.append((yields + ROAD_PROMISE * _outlook(state, one) - judge.weights.outset * time, one))
    most = max(value for value, _ in found)
    return rng.choice([one for value, one in found if value >= most - 1e-9])


def promise(board: Board, held: int, at: int) -> float:
    """A quick value of a point besides those already held: its cards per roll, with a bonus for new resources."""
    yields = point_yields(board, 0, 1.0)[at]
    have = income(board, 0, 1.0, held, 0)
    value = 0.0
    for worth, new, old in zip(FIRST_WORTH, yields, have, strict=True):
        value += worth * new * (1.0 if old else NEW_RESOURCE)
    return value


def _time(judge: PositionJudge, state: State, one: Placement, seconds: Sequence[int] = ()) -> float:
    """The expected rolls to a win; after the first village, with the best of ``seconds`` as the second one."""
    player, first_yield = one.player, state.constants.board.first_yield
    after = _placed(state, player, one.at, one.road)
    if not seconds:
        return judge.time(after, player, plus(vector(state.h[player - 1].rc), vector(first_yield[one.at])))
    return min(judge.time(_placed(after, player, second, 0), player, vector(first_yield[second])) for second in seconds)


def _seconds(state: State, player: Player) -> list[int]:
    """The best points for the player's second village that are left once the others have taken theirs."""
    board, free = state.constants.board, open_settlement_points(state)
    seats = state.constants.player_count
    turns = ((state.first - 1 + turn) % seats for turn in range((player - state.first) % seats + 1, seats))
    later = [seat for seat in turns if not state.away[seat]]
    held = list(state.s.villages)
    for seat in [*later, *reversed(later)]:
        at = max(numbers(free), key=lambda at: promise(board, held[seat], at), default=None)
        if at is None:
            break
        held[seat] |= 1 << at
        free &= ~(1 << at | board.adjacent_settlements[at])
    own = held[player - 1]
    left = sorted(numbers(free), key=lambda at: -promise(board, own, at))[:SECOND_POINTS]
    return left or list(numbers(open_settlement_points(state))[:1])


def _placed(state: State, player: Player, at: int, road: int) -> State:
    left = state.b[player - 1]
    after = state._replace(
        s=with_village(state.s, player, at),
        b=with_seat(state.b, player, left._replace(village=left.village - 1, road=left.road - (road > 0))),
    )
    return after._replace(r=with_seat(state.r, player, state.r[player - 1] | 1 << road)) if road else after


def _outlook(state: State, one: Placement) -> float:
    """The sum of the values of free points beyond the placement's road: the best, half of the next, and so on."""
    board = state.constants.board
    free = open_settlement_points(_placed(state, one.player, one.at, 0))
    held = state.s.villages[one.player - 1] | 1 << one.at
    ends = board.end_points[one.road] & ~(1 << one.at)
    near = [
        36 * promise(board, held, point)
        for end in numbers(ends)
        for point in numbers(board.adjacent_settlements[end] & free)
    ]
    near.sort(reverse=True)
    return added(value / (1 << i) for i, value in enumerate(near))
