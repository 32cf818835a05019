"""Building a village."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from catan_p2p.game.actions.parameters import Seat, SettlementPoint
from catan_p2p.game.actions.parts import COST_VILLAGE, Action, is_in, pay, unmet, with_seat, with_village
from catan_p2p.game.actions.placement import (
    bandit_allows,
    has_distance,
    is_free,
    open_settlement_points,
    touched_settlement_points,
)
from catan_p2p.game.actions.turn import won
from catan_p2p.game.board import Points, numbers
from catan_p2p.game.cards import covers
from catan_p2p.game.constants import Player
from catan_p2p.game.scoring import longest_road_holder
from catan_p2p.game.state import BUILD_PHASES, State


@dataclass(frozen=True, slots=True)
class BuildVillage(Action):
    """Player ``player`` pays for a village and places it on ``at``, at the end of an own road.

    Mirrors ``BuildVillage(p, sp)`` in spec/Catan.tla.
    """

    player: Seat
    at: SettlementPoint

    phases = BUILD_PHASES
    cost = COST_VILLAGE
    piece = "village"


def broken(state: State, action: BuildVillage) -> tuple[str, ...]:
    """Tags of the guards that do not hold."""
    player = action.player
    return unmet(
        state.tp in BUILD_PHASES or "BV1 phase",
        state.builder == player or "BV2 turn",
        covers(state.h[player - 1].rc, COST_VILLAGE) or "BV3 cost",
        state.b[player - 1].village > 0 or "BV4 supply",
        is_free(state, action.at) or "BV5 free",
        has_distance(state, action.at) or "BV6 distance",
        is_in(touched_settlement_points(state, player), action.at) or "BV7 network",
        bandit_allows(state, action.at) or "BV8 bandit",
    )


def effect(state: State, action: BuildVillage) -> State:
    """The state after the action, whose guards must hold. The village may cut an adversary's longest road."""
    player = action.player
    hands, bank = pay(state, player, COST_VILLAGE)
    left = state.b[player - 1]
    after = state.heard._replace(
        h=hands,
        bnk=bank,
        s=with_village(state.s, player, action.at),
        b=with_seat(state.b, player, left._replace(village=left.village - 1)),
    )
    holder = longest_road_holder(after)
    return won(after if holder == state.lr else after._replace(lr=holder))


def instances(state: State, player: Player) -> Sequence[BuildVillage]:
    """Every enabled instance, by settlement point."""
    if (
        state.tp not in BUILD_PHASES
        or (state.sb if state.tp == "SpecialBuilding" else state.ap) != player
        or not state.b[player - 1].village
        or not covers(state.h[player - 1].rc, COST_VILLAGE)
    ):
        return ()
    return _villages(player, touched_settlement_points(state, player) & open_settlement_points(state))


@lru_cache(maxsize=1 << 9)
def _villages(player: Player, points: Points) -> tuple[BuildVillage, ...]:
    return tuple(BuildVillage(player, at) for at in numbers(points))
