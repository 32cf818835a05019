"""Roads, villages and cities, and the longest road."""

from catan_p2p.game.actions import BuildCity, BuildRoad, BuildVillage, PlayRoadBuilding
from tests.game.actions.cases import EffectCase
from tests.game.actions.givens import FIVE_ROADS, FOUR_ROADS, PAID, PAYS
from tests.positions import position

# Player 2's row of five from point 15 by 12, 13, 10 and 4 to 1.
_ROW = (16, 14, 13, 9, 2, 57)

ROADS: tuple[EffectCase, ...] = (
    EffectCase(
        BuildRoad(1, 22),
        "lumber and brick for a road",
        position(**PAYS),
        position(roads={1: (23, 64, 22)}, **PAID),
    ),
    EffectCase(
        BuildRoad(1, 19),
        "the fifth road in a row brings the longest road",
        position(roads={1: FOUR_ROADS}, **PAYS),
        position(roads={1: FIVE_ROADS}, longest_road=1, **PAID),
    ),
    EffectCase(
        BuildRoad(1, 19),
        "a row as long as the holder's changes nothing",
        position(roads={1: FOUR_ROADS, 2: _ROW}, longest_road=2, **PAYS),
        position(roads={1: FIVE_ROADS, 2: _ROW}, longest_road=2, **PAID),
    ),
    EffectCase(
        BuildRoad(1, 22),
        "a longer row takes the longest road",
        position(roads={1: FIVE_ROADS, 2: _ROW}, longest_road=2, **PAYS),
        position(roads={1: (*FIVE_ROADS, 22), 2: _ROW}, longest_road=1, **PAID),
    ),
    EffectCase(
        BuildRoad(1, 35),
        "a row of six, past an own village, takes the longest road",
        position(roads={1: FIVE_ROADS, 2: _ROW}, longest_road=2, **PAYS),
        position(roads={1: (*FIVE_ROADS, 35), 2: _ROW}, longest_road=1, **PAID),
    ),
    EffectCase(
        PlayRoadBuilding(1, 22, 19),
        "two roads for nothing, the second at the end of the first",
        position(phase="Trading", available={1: "2 RoadBuilding"}),
        position(
            phase="Trading", roads={1: (23, 64, 22, 19)}, available={1: "1 RoadBuilding"}, discarded="1 RoadBuilding"
        ),
    ),
    EffectCase(
        PlayRoadBuilding(1, 8, 35),
        "they may bring the longest road",
        position(roads={1: (23, 21, 10, 64)}, available={1: "1 RoadBuilding"}),
        position(roads={1: (23, 21, 10, 64, 8, 35)}, longest_road=1, discarded="1 RoadBuilding"),
    ),
)

_VILLAGE_PRICE = {"hands": {1: "1 Lumber, 1 Brick, 1 Wool, 1 Grain, 1 Ore"}}
# Player 2's row of six passes point 10, where player 1 arrives: by a row of three or, with two more roads, of five.
_LONG_ROW = (*_ROW, 1)
_ARRIVING = (23, 21, 11, 64)
_ARRIVING_IN_FIVE = (*_ARRIVING, 22, 19)


def _village_at_10(what: str, roads: dict[int, tuple[int, ...]], holder: int, players: int = 2) -> EffectCase:
    """Player 1 builds where player 2, who holds the longest road, passes."""
    third = {3: (54, 48)}
    return EffectCase(
        BuildVillage(1, 10),
        what,
        position(players, villages=third, roads=roads, longest_road=2, **_VILLAGE_PRICE),
        position(players, villages={1: (20, 43, 10), **third}, roads=roads, longest_road=holder, **PAID),
    )


SETTLEMENTS: tuple[EffectCase, ...] = (
    EffectCase(
        BuildVillage(1, 11),
        "lumber, brick, wool and grain for a village",
        position(roads={1: (23, 21, 64)}, **_VILLAGE_PRICE),
        position(roads={1: (23, 21, 64)}, villages={1: (20, 43, 11)}, **PAID),
    ),
    _village_at_10(
        "it cuts the longest road, nobody has five now",
        {1: _ARRIVING, 2: _LONG_ROW},
        holder=0,
    ),
    _village_at_10(
        "it cuts the longest road and takes it over",
        {1: _ARRIVING_IN_FIVE, 2: _LONG_ROW},
        holder=1,
    ),
    _village_at_10(
        "it cuts the longest road, two others share the most: the card is set aside",
        {1: _ARRIVING_IN_FIVE, 2: _LONG_ROW, 3: (72, 70, 61, 59, 67)},
        holder=0,
        players=3,
    ),
    _village_at_10(
        "it cuts the longest road, but its holder still shares the most",
        {1: _ARRIVING_IN_FIVE, 2: (*_LONG_ROW, 27, 31)},
        holder=2,
    ),
    EffectCase(
        BuildCity(1, 20),
        "a city takes the place of a village, which goes back to the supply",
        position(hands={1: "3 Grain, 3 Ore"}),
        position(villages={1: (43,)}, cities={1: (20,)}, hands={1: "1 Grain"}),
    ),
)
