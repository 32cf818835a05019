"""Building a road."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from catan_p2p.game.actions.parameters import RoadPoint, Seat
from catan_p2p.game.actions.parts import COST_ROAD, Action, pay, unmet, with_seat
from catan_p2p.game.actions.placement import bandit_allows_road, is_road_free, open_roads, reaches_own_network
from catan_p2p.game.actions.turn import won
from catan_p2p.game.board import Points, numbers
from catan_p2p.game.cards import covers
from catan_p2p.game.constants import Player
from catan_p2p.game.scoring import longest_road_holder
from catan_p2p.game.state import BUILD_PHASES, State


@dataclass(frozen=True, slots=True)
class BuildRoad(Action):
    """Player ``player`` pays for a road and places it on the free road point ``at``.

    Mirrors ``BuildRoad(p, rp)`` in spec/Catan.tla (thesis, action 8).
    """

    player: Seat
    at: RoadPoint

    phases = BUILD_PHASES
    cost = COST_ROAD
    piece = "road"


def broken(state: State, action: BuildRoad) -> tuple[str, ...]:
    """Tags of the guards that do not hold."""
    player = action.player
    return unmet(
        state.tp in BUILD_PHASES or "BR1 phase",
        state.builder == player or "BR2 turn",
        covers(state.h[player - 1].rc, COST_ROAD) or "BR3 cost",
        state.b[player - 1].road > 0 or "BR4 supply",
        is_road_free(state, action.at) or "BR5 free",
        reaches_own_network(state, player, action.at) or "BR6 network",
        bandit_allows_road(state, action.at) or "BR7 bandit",
    )


def effect(state: State, action: BuildRoad) -> State:
    """The state after the action, whose guards must hold."""
    hands, bank = pay(state, action.player, COST_ROAD)
    return won(with_roads(state.heard._replace(h=hands, bnk=bank), action.player, 1 << action.at))


def with_roads(state: State, player: Player, built: Points) -> State:
    """The state with these roads of the player's placed, and the longest road passed on if need be."""
    left = state.b[player - 1]
    after = state._replace(
        r=with_seat(state.r, player, state.r[player - 1] | built),
        b=with_seat(state.b, player, left._replace(road=left.road - built.bit_count())),
    )
    holder = longest_road_holder(after)
    return after if holder == state.lr else after._replace(lr=holder)


def instances(state: State, player: Player) -> Sequence[BuildRoad]:
    """Every enabled instance, by road point."""
    if (
        state.tp not in BUILD_PHASES
        or (state.sb if state.tp == "SpecialBuilding" else state.ap) != player
        or not state.b[player - 1].road
        or not covers(state.h[player - 1].rc, COST_ROAD)
    ):
        return ()
    return _roads(player, open_roads(state, player))


@lru_cache(maxsize=1 << 9)
def _roads(player: Player, points: Points) -> tuple[BuildRoad, ...]:
    return tuple(BuildRoad(player, at) for at in numbers(points))
