"""The end of a turn, building between turns, and winning."""

from dataclasses import replace
from functools import partial

from catan_p2p.game.actions import BuildCity, BuildRoad, BuildVillage, BuyDevCard, EmptyBuild, PlayRoadBuilding
from catan_p2p.game.constants import BRIEF, profile
from tests.game.actions.cases import EffectCase
from tests.game.actions.givens import APART, EIGHT_POINTS, FIVE_ROADS, FOUR_ROADS, PAID, PAYS
from tests.positions import position

_won = partial(position, phase="top")
_between_turns = partial(position, phase="SpecialBuilding", builder=1)
_NINE_POINTS = {"villages": {1: (43,)}, "cities": {1: (20, 50, 9, 1)}}
_OTHERS_TEN_POINTS = {
    "villages": {1: (36,), 2: (43,)},
    "cities": {2: (20, 50, 9, 1)},
    "roads": {1: (57,), 2: (23, 64)},
    "unveiled": {2: "1 VictoryPoint"},
}

TURN_ENDS: tuple[EffectCase, ...] = (
    EffectCase(EmptyBuild(1), "the next player's turn", position(), position(phase="DiceRoll", turn=2)),
    EffectCase(EmptyBuild(4), "after the last the first", position(4, turn=4), position(4, phase="DiceRoll")),
    EffectCase(
        EmptyBuild(1),
        "cards bought become available",
        position(bought={1: "1 Knight, 1 Monopoly"}, available={1: "1 Knight"}),
        position(phase="DiceRoll", turn=2, available={1: "2 Knight, 1 Monopoly"}),
    ),
    EffectCase(
        EmptyBuild(1),
        "nine points do not win",
        position(**_NINE_POINTS),
        position(phase="DiceRoll", turn=2, **_NINE_POINTS),
    ),
    EffectCase(
        EmptyBuild(1),
        "ten points win",
        position(bought={1: "1 Knight"}, unveiled={1: "1 VictoryPoint"}, **_NINE_POINTS),
        _won(bought={1: "1 Knight"}, unveiled={1: "1 VictoryPoint"}, **_NINE_POINTS),
    ),
    EffectCase(
        EmptyBuild(1),
        "an adversary's ten points do not win",
        position(**_OTHERS_TEN_POINTS),
        position(phase="DiceRoll", turn=2, **_OTHERS_TEN_POINTS),
    ),
)

_TURN_ENDS_WITH_OTHERS = replace(profile("brief", 6), win_check="turn_end")
_NOBODY_PAYS = {"rules": profile("brief", 6), "hands": {1: "5 Ore"}}
_ALL_PAY = {
    "rules": profile("brief", 6),
    "hands": {1: "9 Lumber, 9 Brick", 3: "3 Ore, 2 Grain", 4: "1 Ore, 1 Wool, 1 Grain"},
}

STANDARD_TURN_ENDS: tuple[EffectCase, ...] = (
    EffectCase(
        EmptyBuild(1),
        "the count of cards played begins anew",
        position(phase="TradingBuilding", played=1, rules=BRIEF),
        position(phase="DiceRoll", turn=2, rules=BRIEF),
    ),
    EffectCase(
        EmptyBuild(1),
        "ten points gained meanwhile win when the turn begins",
        position(phase="TradingBuilding", rules=BRIEF, **_OTHERS_TEN_POINTS),
        _won(dice=0, turn=2, rules=BRIEF, **_OTHERS_TEN_POINTS),
    ),
    EffectCase(
        EmptyBuild(1),
        "others can pay for anything, but only five or six players have a special building phase",
        position(phase="TradingBuilding", hands={2: "9 Ore, 9 Wool, 9 Grain"}, rules=BRIEF),
        position(phase="DiceRoll", turn=2, hands={2: "9 Ore, 9 Wool, 9 Grain"}, rules=BRIEF),
    ),
    EffectCase(
        EmptyBuild(2),
        "who can pay for a road only builds",
        position(4, phase="TradingBuilding", turn=2, rules=profile("brief", 6), hands={1: "1 Lumber, 1 Brick"}),
        _between_turns(4, turn=2, rules=profile("brief", 6), hands={1: "1 Lumber, 1 Brick"}),
    ),
    EffectCase(
        EmptyBuild(2),
        "who can pay for a card only builds",
        position(4, phase="TradingBuilding", turn=2, rules=profile("brief", 6), hands={1: "1 Ore, 1 Wool, 1 Grain"}),
        _between_turns(4, turn=2, rules=profile("brief", 6), hands={1: "1 Ore, 1 Wool, 1 Grain"}),
    ),
    EffectCase(
        BuildRoad(1, 45),
        "the active player's ten points do not win while others build",
        _between_turns(
            3, turn=2, rules=profile("brief", 6), **{**_OTHERS_TEN_POINTS, "hands": {1: "1 Lumber, 1 Brick"}}
        ),
        _between_turns(
            3, turn=2, rules=profile("brief", 6), **{**_OTHERS_TEN_POINTS, "roads": {1: (57, 45), 2: (23, 64)}}
        ),
    ),
    EffectCase(
        EmptyBuild(2),
        "a special builder's ten points do not end the game, though points are counted when a turn ends",
        position(3, phase="SpecialBuilding", builder=2, turn=3, rules=_TURN_ENDS_WITH_OTHERS, **_OTHERS_TEN_POINTS),
        position(3, phase="DiceRoll", turn=1, rules=_TURN_ENDS_WITH_OTHERS, **_OTHERS_TEN_POINTS),
    ),
    EffectCase(
        EmptyBuild(2),
        "the winner's turn ends, and nobody builds after it",
        position(
            3,
            phase="TradingBuilding",
            turn=2,
            rules=_TURN_ENDS_WITH_OTHERS,
            **{**_OTHERS_TEN_POINTS, "hands": {3: "1 Lumber, 1 Brick"}},
        ),
        _won(3, turn=2, rules=_TURN_ENDS_WITH_OTHERS, **{**_OTHERS_TEN_POINTS, "hands": {3: "1 Lumber, 1 Brick"}}),
    ),
    EffectCase(
        EmptyBuild(2),
        "nobody else can pay for anything: no special building phase",
        position(4, phase="TradingBuilding", turn=2, bought={2: "1 Knight"}, **{**_NOBODY_PAYS, "hands": {2: "9 Ore"}}),
        position(4, phase="DiceRoll", turn=3, available={2: "1 Knight"}, **{**_NOBODY_PAYS, "hands": {2: "9 Ore"}}),
    ),
    EffectCase(
        EmptyBuild(2),
        "the first after the player who can pay for anything builds",
        position(4, phase="TradingBuilding", turn=2, played=1, bought={2: "1 Knight"}, **_ALL_PAY),
        position(4, phase="SpecialBuilding", turn=2, played=1, builder=3, available={2: "1 Knight"}, **_ALL_PAY),
    ),
    EffectCase(
        EmptyBuild(3),
        "the next who can pay for anything follows, cards bought become available",
        position(4, phase="SpecialBuilding", turn=2, played=1, builder=3, bought={3: "1 Monopoly"}, **_ALL_PAY),
        position(4, phase="SpecialBuilding", turn=2, played=1, builder=4, available={3: "1 Monopoly"}, **_ALL_PAY),
    ),
    EffectCase(
        EmptyBuild(1),
        "the turn passes once the active player comes round",
        _between_turns(4, turn=2, played=1, **_ALL_PAY),
        position(4, phase="DiceRoll", turn=3, **_ALL_PAY),
    ),
    EffectCase(
        EmptyBuild(2),
        "ten points of a special builder do not win until their turn begins",
        position(3, phase="SpecialBuilding", builder=2, turn=3, rules=profile("brief", 6), **_OTHERS_TEN_POINTS),
        position(3, phase="DiceRoll", turn=1, rules=profile("brief", 6), **_OTHERS_TEN_POINTS),
    ),
)

_NINE = {"villages": {1: (43,)}, "cities": {1: (20, 50, 9, 1)}}
_NINE_LEFT = {
    "villages": {1: (20,)},
    "cities": {1: (43, 50, 9)},
    "unveiled": {1: "2 VictoryPoint"},
}
_TEN_WITH_CITY = {**_NINE_LEFT, "villages": {1: ()}, "cities": {1: (20, 43, 50, 9)}}
_NINE_FAR = {**_NINE, "villages": {**_NINE["villages"], 3: (54,)}, "roads": {3: (72,)}}
_SPECIAL_TEN = {"phase": "SpecialBuilding", "turn": 2, "builder": 1, "rules": profile("brief", 6)}

WINS: tuple[EffectCase, ...] = (
    EffectCase(
        BuildRoad(1, 19),
        "the longest road wins at once",
        position(phase="TradingBuilding", roads={1: FOUR_ROADS}, rules=BRIEF, **EIGHT_POINTS, **PAYS),
        _won(roads={1: FIVE_ROADS}, longest_road=1, rules=BRIEF, **EIGHT_POINTS, **PAID),
    ),
    EffectCase(
        PlayRoadBuilding(1, 22, 19),
        "two roads for nothing win at once, before the dice",
        position(
            phase="DiceRoll",
            roads={1: (23, 21, 10, 8, 64)},
            available={1: "1 RoadBuilding"},
            rules=BRIEF,
            **EIGHT_POINTS,
        ),
        _won(
            dice=0,
            played=1,
            roads={1: (23, 21, 10, 8, 64, 22, 19)},
            discarded="1 RoadBuilding",
            longest_road=1,
            rules=BRIEF,
            **EIGHT_POINTS,
        ),
    ),
    EffectCase(
        BuildCity(1, 20),
        "a city wins at once",
        position(phase="TradingBuilding", hands={1: "2 Grain, 3 Ore"}, rules=BRIEF, **_NINE_LEFT),
        _won(rules=BRIEF, **_TEN_WITH_CITY),
    ),
    EffectCase(
        BuildCity(1, 20),
        "by the thesis's rules ten points do not win before the turn ends",
        position(hands={1: "2 Grain, 3 Ore"}, **_NINE_LEFT),
        position(**_TEN_WITH_CITY),
    ),
    EffectCase(
        BuildVillage(1, 11),
        "a village wins at once",
        position(
            phase="TradingBuilding",
            hands={1: "1 Lumber, 1 Brick, 1 Wool, 1 Grain"},
            roads={1: (23, 21, 64)},
            rules=BRIEF,
            **_NINE,
        ),
        _won(roads={1: (23, 21, 64)}, villages={1: (43, 11)}, cities=_NINE["cities"], rules=BRIEF),
    ),
    EffectCase(
        BuyDevCard(1, "VictoryPoint"),
        "a victory point wins at once",
        position(phase="TradingBuilding", hands={1: "1 Wool, 1 Grain, 1 Ore"}, rules=BRIEF, **_NINE),
        _won(unveiled={1: "1 VictoryPoint"}, rules=BRIEF, **_NINE),
    ),
    EffectCase(
        BuyDevCard(1, "VictoryPoint"),
        "a tenth point does not win in the special building phase",
        position(3, hands={1: "1 Wool, 1 Grain, 1 Ore"}, **_SPECIAL_TEN, **_NINE_FAR),
        position(3, unveiled={1: "1 VictoryPoint"}, **_SPECIAL_TEN, **_NINE_FAR),
    ),
    EffectCase(
        PlayRoadBuilding(1, 22, 0),
        "the last road alone",
        position(phase="Trading", available={1: "1 RoadBuilding"}, rules=APART),
        position(phase="Trading", played=1, roads={1: (23, 64, 22)}, discarded="1 RoadBuilding", rules=APART),
    ),
)
