"""For every action positions before and after it, with the components of the state that it changes."""

from __future__ import annotations

from typing import NamedTuple

from catan_p2p.actions import (
    Action,
    BuildCity,
    BuildRoad,
    BuildVillage,
    BuyDevCard,
    Discard,
    EmptyBuild,
    EmptyTrade,
    MoveBandit,
    PlayKnight,
    PlayMonopoly,
    PlayRoadBuilding,
    PlayYearOfPlenty,
    RollDice,
    SetupPhaseOne,
    SetupPhaseTwo,
    TradeFourToOne,
    TradeThreeToOne,
    TradeTwoToOne,
)
from catan_p2p.state import State
from tests.positions import cards, position, set_up


class EffectCase(NamedTuple):
    """An action that is enabled, and what it leads to."""

    action: Action
    what: str
    before: State
    after: State
    changed: str
    """Names of the components that are new objects afterwards; all others must be the same objects."""

    @property
    def name(self) -> str:
        """Action and what happens."""
        return f"{type(self.action).__name__}: {self.what}"


_FIRST_ROUND = (
    EffectCase(
        SetupPhaseOne(1, 20, 23),
        "the next player places",
        set_up(),
        set_up(turn=2, villages={1: (20,)}, roads={1: (23,)}),
        "su_ap s r b",
    ),
    EffectCase(
        SetupPhaseOne(2, 15, 16),
        "the last player begins the second round",
        set_up(turn=2, villages={1: (20,)}, roads={1: (23,)}),
        set_up(stage="PhaseTwo", turn=2, villages={1: (20,), 2: (15,)}, roads={1: (23,), 2: (16,)}),
        "sup s r b",
    ),
    EffectCase(
        SetupPhaseOne(2, 15, 16),
        "one of three players",
        set_up(3, turn=2, villages={1: (20,)}, roads={1: (23,)}),
        set_up(3, turn=3, villages={1: (20,), 2: (15,)}, roads={1: (23,), 2: (16,)}),
        "su_ap s r b",
    ),
)

_ONE_EACH = {"villages": {1: (20,), 2: (15,)}, "roads": {1: (23,), 2: (16,)}}
_ONE_OF_THREE = {"villages": {1: (20,), 2: (15,), 3: (10,)}, "roads": {1: (23,), 2: (16,), 3: (9,)}}
_LAST_LEFT = {"villages": {1: (20,), 2: (15, 36)}, "roads": {1: (23,), 2: (16, 57)}}
_SECOND_YIELD = {2: "1 Lumber, 1 Wool, 1 Grain"}

_SECOND_ROUND = (
    EffectCase(
        SetupPhaseTwo(2, 36, 57),
        "the second village earns one card of each tile",
        set_up(stage="PhaseTwo", turn=2, **_ONE_EACH),
        set_up(stage="PhaseTwo", turn=1, hands=_SECOND_YIELD, **_LAST_LEFT),
        "su_ap s r bnk h b",
    ),
    EffectCase(
        SetupPhaseTwo(3, 54, 72),
        "the order of play is reversed",
        set_up(3, stage="PhaseTwo", turn=3, **_ONE_OF_THREE),
        set_up(
            3,
            stage="PhaseTwo",
            turn=2,
            villages={**_ONE_OF_THREE["villages"], 3: (10, 54)},
            roads={**_ONE_OF_THREE["roads"], 3: (9, 72)},
            hands={3: "1 Wool"},
        ),
        "su_ap s r bnk h b",
    ),
    EffectCase(
        SetupPhaseTwo(2, 9, 8),
        "sea yields nothing",
        set_up(stage="PhaseTwo", turn=2, **_ONE_EACH),
        set_up(
            stage="PhaseTwo",
            turn=1,
            villages={1: (20,), 2: (15, 9)},
            roads={1: (23,), 2: (16, 8)},
            hands={2: "1 Grain"},
        ),
        "su_ap s r bnk h b",
    ),
    EffectCase(
        SetupPhaseTwo(1, 43, 64),
        "the first player ends the set-up",
        set_up(stage="PhaseTwo", turn=1, hands=_SECOND_YIELD, **_LAST_LEFT),
        position(phase="DiceRoll", hands={1: "1 Brick, 1 Grain, 1 Ore", **_SECOND_YIELD}),
        "tp s r bnk h b",
    ),
)

# Player 1 at the fields numbered 4, player 2 there and at the pasture numbered 4.
_ALL_AT_FOUR = {"villages": {1: (42, 20)}, "roads": {1: (56, 23)}}

_ROLLS = (
    EffectCase(
        RollDice(1, 11),
        "a village earns one card",
        position(phase="DiceRoll"),
        position(phase="Trading", dice=11, hands={1: "1 Lumber"}),
        "tp dice bnk h",
    ),
    EffectCase(
        RollDice(1, 11),
        "a city earns two cards",
        position(phase="DiceRoll", villages={1: (43,)}, cities={1: (20,)}),
        position(phase="Trading", dice=11, villages={1: (43,)}, cities={1: (20,)}, hands={1: "2 Lumber"}),
        "tp dice bnk h",
    ),
    EffectCase(
        RollDice(2, 4),
        "everybody earns, at every tile with the number",
        position(phase="DiceRoll", turn=2, hands={1: "1 Ore", 2: "1 Wool"}, **_ALL_AT_FOUR),
        position(phase="Trading", turn=2, dice=4, hands={1: "1 Ore, 1 Grain", 2: "2 Wool, 1 Grain"}, **_ALL_AT_FOUR),
        "tp dice bnk h",
    ),
    EffectCase(
        RollDice(1, 11),
        "the bandit's tile yields nothing",
        position(phase="DiceRoll", bandit=18),
        position(phase="Trading", dice=11, bandit=18),
        "tp dice",
    ),
    EffectCase(
        RollDice(1, 8),
        "nobody has settled at the number",
        position(phase="DiceRoll"),
        position(phase="Trading", dice=8),
        "tp dice",
    ),
    EffectCase(
        RollDice(1, 4),
        "nobody gains anything if the bank is short of one resource",
        position(phase="DiceRoll", hands={2: "18 Grain"}, **_ALL_AT_FOUR),
        position(phase="Trading", dice=4, hands={2: "18 Grain"}, **_ALL_AT_FOUR),
        "tp dice",
    ),
    EffectCase(
        RollDice(1, 7),
        "seven, all hands are small",
        position(phase="DiceRoll", hands={1: "7 Wool", 2: "3 Ore, 4 Brick"}),
        position(phase="MovingBandit", hands={1: "7 Wool", 2: "3 Ore, 4 Brick"}),
        "tp dice",
    ),
    EffectCase(
        RollDice(1, 7),
        "seven, hands above seven cards keep half, rounded up",
        position(3, phase="DiceRoll", hands={1: "8 Wool", 2: "9 Ore, 6 Brick", 3: "7 Grain"}),
        position(3, phase="Discarding", hands={1: "8 Wool", 2: "9 Ore, 6 Brick", 3: "7 Grain"}, limits=(4, 8, 0)),
        "tp dice lim",
    ),
    EffectCase(
        Discard(2, cards("4 Ore, 3 Brick")),
        "half the hand goes to the bank",
        position(phase="Discarding", hands={1: "8 Wool", 2: "9 Ore, 6 Brick"}),
        position(phase="Discarding", hands={1: "8 Wool", 2: "5 Ore, 3 Brick"}, limits=(4, 8)),
        "bnk h",
    ),
)

# Player 2 has settled at tile 6 only.
_ONE_IN_A_CORNER = {"villages": {1: (20, 43, 54), 2: (1,)}, "roads": {2: (1,)}}

_BANDIT = (
    EffectCase(
        MoveBandit(1, 13, 2, "Wool"),
        "a card is stolen",
        position(phase="MovingBandit", hands={1: "1 Wool", 2: "2 Wool, 1 Ore"}),
        position(phase="Trading", dice=7, bandit=13, hands={1: "2 Wool", 2: "1 Wool, 1 Ore"}),
        "tp ba h",
    ),
    EffectCase(
        MoveBandit(2, 18, 1, "Wool"),
        "once all have discarded the limits are gone",
        position(phase="Discarding", turn=2, hands={1: "5 Wool", 2: "7 Ore"}, limits=(5, 0)),
        position(phase="Trading", dice=7, turn=2, bandit=18, hands={1: "4 Wool", 2: "7 Ore, 1 Wool"}),
        "tp ba lim h",
    ),
    EffectCase(
        MoveBandit(1, 13, 2, "none"),
        "the victim has nothing",
        position(phase="MovingBandit", hands={1: "1 Wool"}),
        position(phase="Trading", dice=7, bandit=13, hands={1: "1 Wool"}),
        "tp ba",
    ),
    EffectCase(
        MoveBandit(1, 19, 0, "none"),
        "no other tile has a victim, back to the desert",
        position(phase="MovingBandit", bandit=6, hands={2: "1 Wool"}, **_ONE_IN_A_CORNER),
        position(phase="Trading", dice=7, bandit=19, hands={2: "1 Wool"}, **_ONE_IN_A_CORNER),
        "tp ba",
    ),
    EffectCase(
        PlayKnight(1, 13, 2, "Wool"),
        "a card is stolen",
        position(phase="Trading", hands={2: "2 Wool, 1 Ore"}, available={1: "2 Knight"}),
        position(
            phase="Trading",
            bandit=13,
            hands={1: "1 Wool", 2: "1 Wool, 1 Ore"},
            available={1: "1 Knight"},
            unveiled={1: "1 Knight"},
        ),
        "ba h",
    ),
    EffectCase(
        PlayKnight(1, 13, 2, "none"),
        "the victim has nothing, while building",
        position(available={1: "1 Knight"}, unveiled={1: "1 Knight"}),
        position(bandit=13, unveiled={1: "2 Knight"}),
        "ba h",
    ),
    EffectCase(
        PlayKnight(2, 18, 1, "none"),
        "the third knight brings the largest army",
        position(turn=2, available={2: "1 Knight"}, unveiled={1: "2 Knight", 2: "2 Knight, 1 VictoryPoint"}),
        position(turn=2, bandit=18, unveiled={1: "2 Knight", 2: "3 Knight, 1 VictoryPoint"}, largest_army=2),
        "ba la h",
    ),
    EffectCase(
        PlayKnight(1, 13, 2, "none"),
        "as many knights as the holder change nothing",
        position(available={1: "1 Knight"}, unveiled={1: "2 Knight", 2: "3 Knight"}, largest_army=2),
        position(bandit=13, unveiled={1: "3 Knight", 2: "3 Knight"}, largest_army=2),
        "ba h",
    ),
    EffectCase(
        PlayKnight(1, 13, 2, "none"),
        "one knight more takes the largest army",
        position(available={1: "1 Knight"}, unveiled={1: "3 Knight", 2: "3 Knight"}, largest_army=2),
        position(bandit=13, unveiled={1: "4 Knight", 2: "3 Knight"}, largest_army=1),
        "ba la h",
    ),
)

_AT_WHARFS = {"villages": {1: (17, 50)}, "roads": {1: (19, 66)}}

_TRADES = (
    EffectCase(
        EmptyTrade(1), "building begins", position(phase="Trading", dice=5), position(phase="Building", dice=5), "tp"
    ),
    EffectCase(
        TradeFourToOne(2, "Ore", "Lumber"),
        "four for one",
        position(phase="Trading", turn=2, hands={1: "3 Ore", 2: "5 Ore, 1 Wool"}),
        position(phase="Trading", turn=2, hands={1: "3 Ore", 2: "1 Ore, 1 Wool, 1 Lumber"}),
        "bnk h",
    ),
    EffectCase(
        TradeThreeToOne(1, "Ore", "Lumber"),
        "three for one",
        position(phase="Trading", hands={1: "4 Ore"}, **_AT_WHARFS),
        position(phase="Trading", hands={1: "1 Ore, 1 Lumber"}, **_AT_WHARFS),
        "bnk h",
    ),
    EffectCase(
        TradeTwoToOne(1, "Lumber", "Ore"),
        "two for one",
        position(phase="Trading", hands={1: "4 Lumber"}, **_AT_WHARFS),
        position(phase="Trading", hands={1: "2 Lumber, 1 Ore"}, **_AT_WHARFS),
        "bnk h",
    ),
)

_NINE_POINTS = {"villages": {1: (43,)}, "cities": {1: (20, 50, 9, 1)}}
_OTHERS_TEN_POINTS = {
    "villages": {1: (36,), 2: (43,)},
    "cities": {2: (20, 50, 9, 1)},
    "roads": {1: (57,), 2: (23, 64)},
    "unveiled": {2: "1 VictoryPoint"},
}

_TURN_ENDS = (
    EffectCase(EmptyBuild(1), "the next player's turn", position(), position(phase="DiceRoll", turn=2), "ap tp dice"),
    EffectCase(
        EmptyBuild(4), "after the last the first", position(4, turn=4), position(4, phase="DiceRoll"), "ap tp dice"
    ),
    EffectCase(
        EmptyBuild(1),
        "cards bought become available",
        position(bought={1: "1 Knight, 1 Monopoly"}, available={1: "1 Knight"}),
        position(phase="DiceRoll", turn=2, available={1: "2 Knight, 1 Monopoly"}),
        "ap tp dice h",
    ),
    EffectCase(
        EmptyBuild(1),
        "nine points do not win",
        position(**_NINE_POINTS),
        position(phase="DiceRoll", turn=2, **_NINE_POINTS),
        "ap tp dice",
    ),
    EffectCase(
        EmptyBuild(1),
        "ten points win",
        position(bought={1: "1 Knight"}, unveiled={1: "1 VictoryPoint"}, **_NINE_POINTS),
        position(phase="top", bought={1: "1 Knight"}, unveiled={1: "1 VictoryPoint"}, **_NINE_POINTS),
        "tp",
    ),
    EffectCase(
        EmptyBuild(1),
        "an adversary's ten points do not win",
        position(**_OTHERS_TEN_POINTS),
        position(phase="DiceRoll", turn=2, **_OTHERS_TEN_POINTS),
        "ap tp dice",
    ),
)

# Player 1's roads around tile 11: a row of five from point 9 by 8, 11, 19 to 20 with the last one, 19, at point 17.
_FOUR_ROADS = (23, 21, 10, 8, 64)
_FIVE_ROADS = (*_FOUR_ROADS, 19)
# Player 2's row of five from point 15 by 12, 13, 10 and 4 to 1.
_ROW = (16, 14, 13, 9, 2, 57)
_PAYS = {"hands": {1: "1 Lumber, 1 Brick, 1 Ore"}}
_PAID = {"hands": {1: "1 Ore"}}

_ROADS = (
    EffectCase(
        BuildRoad(1, 22),
        "lumber and brick for a road",
        position(**_PAYS),
        position(roads={1: (23, 64, 22)}, **_PAID),
        "r bnk h b",
    ),
    EffectCase(
        BuildRoad(1, 19),
        "the fifth road in a row brings the longest road",
        position(roads={1: _FOUR_ROADS}, **_PAYS),
        position(roads={1: _FIVE_ROADS}, longest_road=1, **_PAID),
        "lr r bnk h b",
    ),
    EffectCase(
        BuildRoad(1, 19),
        "a row as long as the holder's changes nothing",
        position(roads={1: _FOUR_ROADS, 2: _ROW}, longest_road=2, **_PAYS),
        position(roads={1: _FIVE_ROADS, 2: _ROW}, longest_road=2, **_PAID),
        "r bnk h b",
    ),
    EffectCase(
        BuildRoad(1, 22),
        "a longer row takes the longest road",
        position(roads={1: _FIVE_ROADS, 2: _ROW}, longest_road=2, **_PAYS),
        position(roads={1: (*_FIVE_ROADS, 22), 2: _ROW}, longest_road=1, **_PAID),
        "lr r bnk h b",
    ),
    EffectCase(
        PlayRoadBuilding(1, 22, 19),
        "two roads for nothing, the second at the end of the first",
        position(phase="Trading", available={1: "2 RoadBuilding"}),
        position(
            phase="Trading", roads={1: (23, 64, 22, 19)}, available={1: "1 RoadBuilding"}, discarded="1 RoadBuilding"
        ),
        "dp r h b",
    ),
    EffectCase(
        PlayRoadBuilding(1, 8, 35),
        "they may bring the longest road",
        position(roads={1: (23, 21, 10, 64)}, available={1: "1 RoadBuilding"}),
        position(roads={1: (23, 21, 10, 64, 8, 35)}, longest_road=1, discarded="1 RoadBuilding"),
        "dp lr r h b",
    ),
)

_VILLAGE_PRICE = {"hands": {1: "1 Lumber, 1 Brick, 1 Wool, 1 Grain, 1 Ore"}}
# Player 2's row of six passes point 10, where player 1 arrives: by a row of three or, with two more roads, of five.
_LONG_ROW = (*_ROW, 1)
_ARRIVING = (23, 21, 11, 64)
_ARRIVING_IN_FIVE = (*_ARRIVING, 22, 19)


def _village_at_10(
    what: str, roads: dict[int, tuple[int, ...]], holder: int, changed: str, players: int = 2
) -> EffectCase:
    """Player 1 builds where player 2, who holds the longest road, passes."""
    third = {3: (54, 48)}
    return EffectCase(
        BuildVillage(1, 10),
        what,
        position(players, villages=third, roads=roads, longest_road=2, **_VILLAGE_PRICE),
        position(players, villages={1: (20, 43, 10), **third}, roads=roads, longest_road=holder, **_PAID),
        changed,
    )


_SETTLEMENTS = (
    EffectCase(
        BuildVillage(1, 11),
        "lumber, brick, wool and grain for a village",
        position(roads={1: (23, 21, 64)}, **_VILLAGE_PRICE),
        position(roads={1: (23, 21, 64)}, villages={1: (20, 43, 11)}, **_PAID),
        "s bnk h b",
    ),
    _village_at_10(
        "it cuts the longest road, nobody has five now",
        {1: _ARRIVING, 2: _LONG_ROW},
        holder=0,
        changed="lr s bnk h b",
    ),
    _village_at_10(
        "it cuts the longest road and takes it over",
        {1: _ARRIVING_IN_FIVE, 2: _LONG_ROW},
        holder=1,
        changed="lr s bnk h b",
    ),
    _village_at_10(
        "it cuts the longest road, two others share the most: the card is set aside",
        {1: _ARRIVING_IN_FIVE, 2: _LONG_ROW, 3: (72, 70, 61, 59, 67)},
        holder=0,
        changed="lr s bnk h b",
        players=3,
    ),
    _village_at_10(
        "it cuts the longest road, but its holder still shares the most",
        {1: _ARRIVING_IN_FIVE, 2: (*_LONG_ROW, 27, 31)},
        holder=2,
        changed="s bnk h b",
    ),
    EffectCase(
        BuildCity(1, 20),
        "a city takes the place of a village, which goes back to the supply",
        position(hands={1: "3 Grain, 3 Ore"}),
        position(villages={1: (43,)}, cities={1: (20,)}, hands={1: "1 Grain"}),
        "s bnk h b",
    ),
)

_CARD_PRICE = {"hands": {1: "2 Wool, 1 Grain, 1 Ore"}}

_CARDS = (
    *(
        EffectCase(
            BuyDevCard(1, card),
            f"{card} is bought, not yet available",
            position(available={1: f"1 {card}"}, **_CARD_PRICE),
            position(available={1: f"1 {card}"}, bought={1: f"1 {card}"}, hands={1: "1 Wool"}),
            "bnk h",
        )
        for card in ("Monopoly", "YearOfPlenty", "RoadBuilding", "Knight")
    ),
    EffectCase(
        BuyDevCard(1, "VictoryPoint"),
        "a victory point is unveiled at once",
        position(unveiled={1: "1 VictoryPoint"}, **_CARD_PRICE),
        position(unveiled={1: "2 VictoryPoint"}, hands={1: "1 Wool"}),
        "bnk h",
    ),
    EffectCase(
        PlayMonopoly(2, "Ore"),
        "all cards of a resource, from everybody",
        position(
            4, turn=2, hands={1: "2 Ore, 1 Wool", 2: "1 Ore", 3: "4 Ore", 4: "5 Wool"}, available={2: "1 Monopoly"}
        ),
        position(4, turn=2, hands={1: "1 Wool", 2: "7 Ore", 4: "5 Wool"}, discarded="1 Monopoly"),
        "dp h",
    ),
    EffectCase(
        PlayMonopoly(1, "Ore"),
        "nobody has any",
        position(phase="Trading", available={1: "2 Monopoly"}, discarded="1 YearOfPlenty"),
        position(phase="Trading", available={1: "1 Monopoly"}, discarded="1 Monopoly, 1 YearOfPlenty"),
        "dp h",
    ),
    EffectCase(
        PlayYearOfPlenty(1, "Ore", "Wool"),
        "two cards from the bank",
        position(hands={1: "1 Wool"}, available={1: "1 YearOfPlenty"}),
        position(hands={1: "2 Wool, 1 Ore"}, discarded="1 YearOfPlenty"),
        "dp bnk h",
    ),
    EffectCase(
        PlayYearOfPlenty(1, "Ore", "Ore"),
        "the last two of a kind",
        position(phase="Trading", hands={2: "17 Ore"}, available={1: "1 YearOfPlenty"}),
        position(phase="Trading", hands={1: "2 Ore", 2: "17 Ore"}, discarded="1 YearOfPlenty"),
        "dp bnk h",
    ),
)

EFFECT_CASES: tuple[EffectCase, ...] = (
    *_FIRST_ROUND,
    *_SECOND_ROUND,
    *_ROLLS,
    *_BANDIT,
    *_TRADES,
    *_TURN_ENDS,
    *_ROADS,
    *_SETTLEMENTS,
    *_CARDS,
)
"""At least one case for each action, and for each of the outcomes that docs/model.md tells apart."""
