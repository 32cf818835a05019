"""Playing a road building card."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from catan_p2p.actions.build_road import with_roads
from catan_p2p.actions.parameters import RoadPoint, Seat
from catan_p2p.actions.parts import unmet, with_seat
from catan_p2p.actions.placement import bandit_allows_road, is_road_free, open_roads, reaches_own_network
from catan_p2p.actions.progress import has_available, is_playing_phase, may_play, without_card
from catan_p2p.board import numbers
from catan_p2p.cards import ONE
from catan_p2p.constants import Player
from catan_p2p.state import State


@dataclass(frozen=True, slots=True)
class PlayRoadBuilding:
    """Player ``player`` places roads on ``first`` and then on ``second`` without paying.

    Mirrors ``PlayRoadBuilding(p, first, second)`` in spec/Catan.tla.
    """

    player: Seat
    first: RoadPoint
    second: RoadPoint


def broken(state: State, action: PlayRoadBuilding) -> tuple[str, ...]:
    """Tags of the guards that do not hold."""
    player, first, second = action.player, action.first, action.second
    return unmet(
        is_playing_phase(state) or "PR1 phase",
        state.ap == player or "PR2 turn",
        has_available(state, player, "RoadBuilding") or "PR3 available",
        state.b[player - 1].road >= state.constants.rules.road_building_needs or "PR4 supply",
        is_road_free(state, first) or "PR5 free",
        reaches_own_network(state, player, first) or "PR6 network",
        bandit_allows_road(state, first) or "PR7 bandit",
        first != second or "PR8 differ",
        is_road_free(state, second) or "PR9 second_free",
        reaches_own_network(state, player, second, built=1 << first) or "PR10 second_network",
        bandit_allows_road(state, second) or "PR11 second_bandit",
    )


def effect(state: State, action: PlayRoadBuilding) -> State:
    """The state after; no guard is broken."""
    hand = without_card(state.h[action.player - 1], "RoadBuilding")
    after = state._replace(dp=state.dp + ONE["RoadBuilding"], h=with_seat(state.h, action.player, hand))
    return with_roads(after, action.player, 1 << action.first | 1 << action.second)


def instances(state: State, player: Player) -> Sequence[PlayRoadBuilding]:
    """Every enabled instance, by the first, then the second road point."""
    if (
        not may_play(state, player, "RoadBuilding")
        or state.b[player - 1].road < state.constants.rules.road_building_needs
    ):
        return ()
    return [
        PlayRoadBuilding(player, first, second)
        for first in numbers(open_roads(state, player))
        for second in numbers(open_roads(state, player, built=1 << first))
    ]
