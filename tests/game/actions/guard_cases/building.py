"""Building and buying, in the own turn and between turns, and the end of the turn."""

from typing import Any

from catan_p2p.game.actions import BuildCity, BuildRoad, BuildVillage, BuyDevCard, EmptyBuild
from catan_p2p.game.constants import Rules, profile
from catan_p2p.game.state import State
from tests.game.actions.cases import GuardCase
from tests.positions import position

_ROAD = {"hands": {1: "1 Lumber, 1 Brick", 2: "1 Lumber, 1 Brick"}}
_VILLAGE = {
    "hands": {1: "1 Lumber, 1 Brick, 1 Wool, 1 Grain", 2: "1 Lumber, 1 Brick, 1 Wool, 1 Grain"},
    "roads": {1: (23, 21, 64)},
}
_CITY = {"hands": {1: "2 Grain, 3 Ore", 2: "2 Grain, 3 Ore"}}
_CARD = {"hands": {1: "1 Wool, 1 Grain, 1 Ore", 2: "1 Wool, 1 Grain, 1 Ore"}}


_NOT_THE_BUILDER = "the active player in the special building phase"


def _special(**given: Any) -> State:
    """Player 2 builds in player 1's special building phase."""
    return position(3, phase="SpecialBuilding", builder=2, rules=profile("brief", 6), **given)


BUILDING: tuple[GuardCase, ...] = (
    GuardCase("EB1 phase", position(phase="Trading"), EmptyBuild(1)),
    GuardCase("EB2 turn", position(), EmptyBuild(2)),
    GuardCase("EB2 turn", _special(), EmptyBuild(1), _NOT_THE_BUILDER),
    GuardCase("BR2 turn", _special(**_ROAD), BuildRoad(1, 22), _NOT_THE_BUILDER),
    GuardCase("BV2 turn", _special(villages={3: (54,)}, **_VILLAGE), BuildVillage(1, 11), _NOT_THE_BUILDER),
    GuardCase("BC2 turn", _special(**_CITY), BuildCity(1, 20), _NOT_THE_BUILDER),
    GuardCase(
        "BD2 turn", _special(**_CARD), BuyDevCard(1, "Knight"), "the active player in the special building phase"
    ),
    GuardCase("BR1 phase", position(phase="Trading", **_ROAD), BuildRoad(1, 22)),
    GuardCase("BR2 turn", position(turn=2, **_ROAD), BuildRoad(1, 22)),
    GuardCase("BR3 cost", position(hands={1: "1 Lumber, 4 Wool"}), BuildRoad(1, 22), "no brick"),
    GuardCase("BR3 cost", position(hands={1: "4 Wool, 1 Brick"}), BuildRoad(1, 22), "no lumber"),
    GuardCase("BR4 supply", position(rules=Rules(roads=2), **_ROAD), BuildRoad(1, 22)),
    GuardCase("BR5 free", position(**_ROAD), BuildRoad(1, 23), "an own road"),
    GuardCase("BR5 free", position(roads={2: (16, 57, 22)}, **_ROAD), BuildRoad(1, 22), "an adversary's road"),
    GuardCase("BR6 network", position(**_ROAD), BuildRoad(1, 1), "far off"),
    GuardCase("BR6 network", position(roads={2: (16, 57, 19)}, **_ROAD), BuildRoad(1, 8), "at an adversary's road"),
    GuardCase(
        "BR6 network",
        position(roads={1: (23, 21, 64)}, villages={2: (11, 36)}, **_ROAD),
        BuildRoad(1, 10),
        "through an adversary's village",
    ),
    GuardCase(
        "BR6 network",
        position(roads={1: (23, 21, 64)}, villages={2: (36,)}, cities={2: (11,)}, **_ROAD),
        BuildRoad(1, 10),
        "through an adversary's city",
    ),
    GuardCase("BR7 bandit", position(bandit=17, **_ROAD), BuildRoad(1, 22)),
    GuardCase("BV1 phase", position(phase="Trading", **_VILLAGE), BuildVillage(1, 11)),
    GuardCase("BV2 turn", position(turn=2, **_VILLAGE), BuildVillage(1, 11)),
    *(
        GuardCase(
            "BV3 cost",
            position(hands={1: _VILLAGE["hands"][1].replace(f"1 {lacking}", "9 Ore")}, roads=_VILLAGE["roads"]),
            BuildVillage(1, 11),
            f"no {lacking.lower()}",
        )
        for lacking in ("Lumber", "Brick", "Wool", "Grain")
    ),
    GuardCase("BV4 supply", position(rules=Rules(villages=2), **_VILLAGE), BuildVillage(1, 11)),
    GuardCase("BV5 free", position(**_VILLAGE), BuildVillage(1, 20), "an own village"),
    GuardCase("BV5 free", position(cities={2: (11,)}, **_VILLAGE), BuildVillage(1, 11), "an adversary's city"),
    GuardCase("BV6 distance", position(**_VILLAGE), BuildVillage(1, 19), "to an own village"),
    GuardCase("BV6 distance", position(villages={2: (8, 36)}, **_VILLAGE), BuildVillage(1, 11), "to an adversary"),
    GuardCase("BV7 network", position(**_VILLAGE), BuildVillage(1, 1), "no road"),
    GuardCase(
        "BV7 network", position(**{**_VILLAGE, "roads": {2: (16, 57, 1)}}), BuildVillage(1, 1), "an adversary's road"
    ),
    GuardCase("BV8 bandit", position(bandit=12, **_VILLAGE), BuildVillage(1, 11)),
    GuardCase("BC1 phase", position(phase="Trading", **_CITY), BuildCity(1, 20)),
    GuardCase("BC2 turn", position(turn=2, **_CITY), BuildCity(1, 20)),
    GuardCase("BC3 cost", position(hands={1: "1 Grain, 9 Ore"}), BuildCity(1, 20), "no grain"),
    GuardCase("BC3 cost", position(hands={1: "9 Grain, 2 Ore"}), BuildCity(1, 20), "no ore"),
    GuardCase("BC4 supply", position(rules=Rules(cities=0), **_CITY), BuildCity(1, 20)),
    GuardCase("BC5 village", position(**_CITY), BuildCity(1, 15), "an adversary's"),
    GuardCase("BC5 village", position(**_CITY), BuildCity(1, 1), "nobody's"),
    GuardCase("BC5 village", position(villages={1: (43,)}, cities={1: (20,)}, **_CITY), BuildCity(1, 20), "a city"),
    GuardCase("BC6 bandit", position(bandit=17, **_CITY), BuildCity(1, 20)),
    GuardCase("BD1 phase", position(phase="Trading", **_CARD), BuyDevCard(1, "Knight")),
    GuardCase("BD2 turn", position(turn=2, **_CARD), BuyDevCard(1, "Knight")),
    *(
        GuardCase(
            "BD3 cost",
            position(hands={1: _CARD["hands"][1].replace(f"1 {lacking}", "9 Brick")}),
            BuyDevCard(1, "Knight"),
            f"no {lacking.lower()}",
        )
        for lacking in ("Wool", "Grain", "Ore")
    ),
    GuardCase("BD4 stock", position(available={2: "2 Monopoly"}, **_CARD), BuyDevCard(1, "Monopoly")),
)
