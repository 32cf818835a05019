"""The first village and road of each player, in the order of play."""

from collections.abc import Sequence
from dataclasses import dataclass

from catan_p2p.game.actions.parameters import RoadPoint, Seat, SettlementPoint
from catan_p2p.game.actions.parts import Action, is_in, unmet, with_seat, with_village
from catan_p2p.game.actions.placement import (
    bandit_allows,
    bandit_allows_road,
    has_distance,
    is_free,
    is_road_free,
    open_settlement_points,
)
from catan_p2p.game.board import numbers
from catan_p2p.game.constants import Player
from catan_p2p.game.state import State, roads_taken


@dataclass(frozen=True, slots=True)
class SetupPhaseOne(Action):
    """Player ``player`` places their first village on ``at`` and a road on ``road`` beside it.

    Mirrors ``SetupPhaseOne(p, sp, rp)`` in spec/Catan.tla (thesis, action 1).
    """

    player: Seat
    at: SettlementPoint
    road: RoadPoint

    phases = ("bot",)


def broken(state: State, action: SetupPhaseOne) -> tuple[str, ...]:
    """Tags of the guards that do not hold."""
    return unmet(
        state.tp == "bot" or "SO1 phase",
        state.sup == "PhaseOne" or "SO2 stage",
        state.su_ap == action.player or "SO3 turn",
        is_free(state, action.at) or "SO4 free",
        has_distance(state, action.at) or "SO5 distance",
        bandit_allows(state, action.at) or "SO6 bandit",
        is_road_free(state, action.road) or "SO7 road_free",
        is_in(state.constants.board.roads_at[action.at], action.road) or "SO8 touch",
        bandit_allows_road(state, action.road) or "SO9 road_bandit",
    )


def effect(state: State, action: SetupPhaseOne) -> State:
    """The state after the action, whose guards must hold."""
    player = action.player
    left = state.b[player - 1]
    next_player = state.next_player(player)
    last = next_player == state.first
    return state._replace(
        sup="PhaseTwo" if last else "PhaseOne",
        su_ap=player if last else next_player,
        s=with_village(state.s, player, action.at),
        r=with_seat(state.r, player, state.r[player - 1] | 1 << action.road),
        b=with_seat(state.b, player, left._replace(road=left.road - 1, village=left.village - 1)),
    )


def instances(state: State, player: Player) -> Sequence[SetupPhaseOne]:
    """Every enabled instance, by settlement point, then road point."""
    if state.tp != "bot" or state.sup != "PhaseOne" or state.su_ap != player:
        return ()
    return [SetupPhaseOne(player, at, road) for at, road in placements(state)]


def placements(state: State) -> list[tuple[int, int]]:
    """Every pair of a settlement point and a road point where the set-up allows a village with its road."""
    board = state.constants.board
    shut = roads_taken(state.r)
    if state.constants.rules.bandit_blocks_building:
        shut |= board.edges[state.ba]
    return [(at, road) for at in numbers(open_settlement_points(state)) for road in numbers(board.roads_at[at] & ~shut)]
