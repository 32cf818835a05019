"""Where villages and roads may be placed: conditions that the set-up and the building actions share."""

from functools import lru_cache

from catan_p2p.game.actions.parts import is_in
from catan_p2p.game.board import Board, Points, numbers, reach
from catan_p2p.game.constants import Player
from catan_p2p.game.state import State, roads_taken, taken


def has_distance(state: State, at: int) -> bool:
    """Distance rule: no settlement on an adjacent settlement point (rule book, "Distance Rule")."""
    return not state.constants.board.adjacent_settlements[at] & taken(state.s)


def is_free(state: State, at: int) -> bool:
    """Whether nobody's settlement stands on a settlement point."""
    return not is_in(taken(state.s), at)


def is_road_free(state: State, at: int) -> bool:
    """Whether nobody's road lies on a road point."""
    return not is_in(roads_taken(state.r), at)


def bandit_allows(state: State, at: int) -> bool:
    """Whether the bandit permits a settlement here; under the thesis's rules not beside its tile."""
    return not (state.constants.rules.bandit_blocks_building and is_in(state.constants.board.corners[state.ba], at))


def bandit_allows_road(state: State, at: int) -> bool:
    """Whether the bandit permits a road here; under the thesis's rules not beside its tile."""
    return not (state.constants.rules.bandit_blocks_building and is_in(state.constants.board.edges[state.ba], at))


def reaches_own_network(state: State, player: Player, at: int, built: Points = 0) -> bool:
    """Whether a road here continues the player's network, including their roads in ``built``."""
    _, road_points = reach(state.constants.board, state.r[player - 1] | built, state.s.of(player), state.others(player))
    return is_in(road_points, at)


def open_roads(state: State, player: Player, built: Points = 0) -> Points:
    """All road points where the player may build a road, counting their roads in ``built`` too."""
    board = state.constants.board
    _, road_points = reach(board, state.r[player - 1] | built, state.s.of(player), state.others(player))
    shut = roads_taken(state.r) | built
    if state.constants.rules.bandit_blocks_building:
        shut |= board.edges[state.ba]
    return road_points & ~shut


def open_settlement_points(state: State) -> Points:
    """All settlement points that are free, respect the distance rule and are not blocked by the bandit."""
    board = state.constants.board
    shut = _crowded(board, taken(state.s))
    if state.constants.rules.bandit_blocks_building:
        shut |= board.corners[state.ba]
    return _all_settlement_points(board) & ~shut


def touched_settlement_points(state: State, player: Player) -> Points:
    """All settlement points where one of the player's roads ends."""
    points, _ = reach(state.constants.board, state.r[player - 1], state.s.of(player), state.others(player))
    return points


@lru_cache(maxsize=1 << 9)
def _crowded(board: Board, settled: Points) -> Points:
    crowded = settled
    for point in numbers(settled):
        crowded |= board.adjacent_settlements[point]
    return crowded


@lru_cache(maxsize=64)
def _all_settlement_points(board: Board) -> Points:
    return (1 << board.settlement_count + 1) - 2
