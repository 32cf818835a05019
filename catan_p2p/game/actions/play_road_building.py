"""Playing a road building card."""

from collections.abc import Sequence
from dataclasses import dataclass

from catan_p2p.game.actions import progress
from catan_p2p.game.actions.build_road import with_roads
from catan_p2p.game.actions.parameters import NO_ROAD, RoadPoint, Seat, SecondRoad
from catan_p2p.game.actions.parts import Action, unmet, with_seat
from catan_p2p.game.actions.placement import bandit_allows_road, is_road_free, open_roads, reaches_own_network
from catan_p2p.game.actions.turn import won
from catan_p2p.game.board import numbers
from catan_p2p.game.cards import ONE
from catan_p2p.game.constants import Player
from catan_p2p.game.state import PLAY_PHASES, State


@dataclass(frozen=True, slots=True)
class PlayRoadBuilding(Action):
    """Player ``player`` places roads on ``first`` and then on ``second`` without paying.

    ``second`` is 0 where the rules let a single road be placed and no second one can be.

    Mirrors ``PlayRoadBuilding(p, first, second)`` in spec/Catan.tla.
    """

    player: Seat
    first: RoadPoint
    second: SecondRoad

    phases = PLAY_PHASES | {"DiceRoll"}
    unveils = "RoadBuilding"
    piece = "road"


def broken(state: State, action: PlayRoadBuilding) -> tuple[str, ...]:
    """Tags of the guards that do not hold."""
    player, first, second = action.player, action.first, action.second
    single = second == NO_ROAD
    return unmet(
        progress.is_playing_phase(state) or "PR1 phase",
        state.ap == player or "PR2 turn",
        progress.has_available(state, player, "RoadBuilding") or "PR3 available",
        state.b[player - 1].road >= state.constants.rules.road_building_needs or "PR4 supply",
        is_road_free(state, first) or "PR5 free",
        reaches_own_network(state, player, first) or "PR6 network",
        bandit_allows_road(state, first) or "PR7 bandit",
        first != second or "PR8 differ",
        single or is_road_free(state, second) or "PR9 second_free",
        single or reaches_own_network(state, player, second, built=1 << first) or "PR10 second_network",
        single or bandit_allows_road(state, second) or "PR11 second_bandit",
        single or state.b[player - 1].road >= 2 or "PR12 second_supply",
        not single or is_only_road(state, player, first) or "PR13 single",
        progress.is_within_limit(state) or "PR14 limit",
    )


def is_only_road(state: State, player: Player, first: int) -> bool:
    """Whether no second road can follow the first, and the rules allow just one."""
    if state.constants.rules.road_building_needs != 1:
        return False
    return state.b[player - 1].road == 1 or not open_roads(state, player, built=1 << first)


def effect(state: State, action: PlayRoadBuilding) -> State:
    """The state after the action, whose guards must hold."""
    hand = progress.without_card(state.h[action.player - 1], "RoadBuilding")
    after = state.heard._replace(
        pd=progress.played_cards(state), dp=state.dp + ONE["RoadBuilding"], h=with_seat(state.h, action.player, hand)
    )
    built = 1 << action.first | (1 << action.second if action.second != NO_ROAD else 0)
    return won(with_roads(after, action.player, built))


def instances(state: State, player: Player) -> Sequence[PlayRoadBuilding]:
    """Every enabled instance, by the first, then the second road point."""
    rules, left = state.constants.rules, state.b[player - 1].road
    if not progress.may_play(state, player, "RoadBuilding") or left < rules.road_building_needs:
        return ()
    found = []
    for first in numbers(open_roads(state, player)):
        second = open_roads(state, player, built=1 << first) if left >= 2 else 0
        if second:
            found += [PlayRoadBuilding(player, first, point) for point in numbers(second)]
        elif rules.road_building_needs == 1:
            found.append(PlayRoadBuilding(player, first, NO_ROAD))
    return found
