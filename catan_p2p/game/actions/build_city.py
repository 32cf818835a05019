"""Building a city."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from catan_p2p.game.actions.parameters import Seat, SettlementPoint
from catan_p2p.game.actions.parts import COST_CITY, Action, is_in, pay, unmet, with_seat
from catan_p2p.game.actions.placement import bandit_allows
from catan_p2p.game.actions.turn import won
from catan_p2p.game.board import Points, numbers
from catan_p2p.game.cards import covers
from catan_p2p.game.constants import Player
from catan_p2p.game.state import BUILD_PHASES, PlacedSettlements, State


@dataclass(frozen=True, slots=True)
class BuildCity(Action):
    """Player ``player`` pays for a city that replaces their village on ``at``; the village returns to the supply.

    Mirrors ``BuildCity(p, sp)`` in spec/Catan.tla.
    """

    player: Seat
    at: SettlementPoint

    phases = BUILD_PHASES
    cost = COST_CITY
    piece = "city"


def broken(state: State, action: BuildCity) -> tuple[str, ...]:
    """Tags of the guards that do not hold."""
    player = action.player
    return unmet(
        state.tp in BUILD_PHASES or "BC1 phase",
        state.builder == player or "BC2 turn",
        covers(state.h[player - 1].rc, COST_CITY) or "BC3 cost",
        state.b[player - 1].city > 0 or "BC4 supply",
        is_in(state.s.villages[player - 1], action.at) or "BC5 village",
        bandit_allows(state, action.at) or "BC6 bandit",
    )


def effect(state: State, action: BuildCity) -> State:
    """The state after the action, whose guards must hold."""
    player, bit = action.player, 1 << action.at
    hands, bank = pay(state, player, COST_CITY)
    left = state.b[player - 1]
    after = state.heard._replace(
        h=hands,
        bnk=bank,
        s=PlacedSettlements(
            with_seat(state.s.villages, player, state.s.villages[player - 1] & ~bit),
            with_seat(state.s.cities, player, state.s.cities[player - 1] | bit),
        ),
        b=with_seat(state.b, player, left._replace(village=left.village + 1, city=left.city - 1)),
    )
    return won(after)


def instances(state: State, player: Player) -> Sequence[BuildCity]:
    """Every enabled instance, by settlement point."""
    if (
        state.tp not in BUILD_PHASES
        or (state.sb if state.tp == "SpecialBuilding" else state.ap) != player
        or not state.b[player - 1].city
        or not covers(state.h[player - 1].rc, COST_CITY)
    ):
        return ()
    points = state.s.villages[player - 1]
    if state.constants.rules.bandit_blocks_building:
        points &= ~state.constants.board.corners[state.ba]
    return _cities(player, points)


@lru_cache(maxsize=1 << 9)
def _cities(player: Player, points: Points) -> tuple[BuildCity, ...]:
    return tuple(BuildCity(player, at) for at in numbers(points))
