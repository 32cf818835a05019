"""For every action positions before and after it, with the components of the state that it changes."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from catan_p2p.actions import (
    AnswerTrade,
    BuildCity,
    BuildRoad,
    BuildVillage,
    BuyDevCard,
    Call,
    Claim,
    ConcludeTrade,
    Discard,
    EmptyBuild,
    EmptyTrade,
    Excuse,
    MoveBandit,
    OfferTrade,
    PlayKnight,
    PlayMonopoly,
    PlayRoadBuilding,
    PlayYearOfPlenty,
    Pledge,
    Reveal,
    RollDice,
    RollForStart,
    SetupPhaseOne,
    SetupPhaseTwo,
    TradeFourToOne,
    TradeThreeToOne,
    TradeTwoToOne,
    Vote,
    WithdrawTrade,
)
from catan_p2p.board import Placement
from catan_p2p.constants import STANDARD, STANDARD_FOR_SIX, THESIS, Constants
from catan_p2p.state import NO_CALL, Answer, Called, State, initial_state
from tests.actions.cases import EffectCase
from tests.actions.openings import OPENED_BY_DICE
from tests.actions.talk_cases import TALK_EFFECTS
from tests.positions import ROADS, VILLAGES, cards, position, set_up

_BY_DICE = replace(THESIS, start_order="dice")
_APART = replace(STANDARD, combined_trade_build=False, dev_cards_per_turn=2, roads=3)
"""The phases kept apart, two cards a turn, few roads."""


def _rolling(*rolls: int, turn: int) -> State:
    return set_up(3, stage="Rolling", turn=turn, rolls=rolls, rules=_BY_DICE)


def _with_opening(state: State) -> State:
    return state._replace(constants=OPENED_BY_DICE)


_START = (
    EffectCase(
        RollForStart(1, 8), "the next one rolls", _rolling(0, 0, 0, turn=1), _rolling(8, 0, 0, turn=2), "su_ap rolls"
    ),
    EffectCase(
        RollForStart(3, 5),
        "the highest roll begins",
        _rolling(4, 9, 0, turn=3),
        set_up(3, turn=2, first=2, rules=_BY_DICE),
        "sup su_ap first rolls ap",
    ),
    EffectCase(
        RollForStart(3, 6),
        "who ties for the highest rolls again, the others are out",
        _rolling(6, 4, 0, turn=3),
        _rolling(0, 1, 0, turn=1),
        "su_ap rolls",
    ),
    EffectCase(
        RollForStart(1, 2),
        "who is out does not roll again",
        _rolling(0, 1, 0, turn=1),
        _rolling(2, 1, 0, turn=3),
        "su_ap rolls",
    ),
    EffectCase(
        RollForStart(2, 7),
        "after an opening the first turn begins",
        _with_opening(
            set_up(
                2,
                stage="Rolling",
                turn=2,
                rolls=(4, 0),
                rules=STANDARD,
                villages={1: (20, 43), 2: (15, 36)},
                roads={1: (23, 64), 2: (16, 57)},
            )
        ),
        _with_opening(position(phase="DiceRoll", first=2, turn=2, rules=STANDARD)),
        "sup first rolls ap tp",
    ),
)

_FIRST_ROUND = (
    EffectCase(
        SetupPhaseOne(1, 20, 23),
        "the last player clockwise begins the second round",
        set_up(turn=1, first=2, villages={2: (15,)}, roads={2: (16,)}, rules=_BY_DICE),
        set_up(
            stage="PhaseTwo",
            turn=1,
            first=2,
            villages={1: (20,), 2: (15,)},
            roads={1: (23,), 2: (16,)},
            rules=_BY_DICE,
        ),
        "sup s r b",
    ),
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

_AT_ONCE_WITH_ONE = replace(STANDARD, start_order="seat", points_to_win=1)
_ONE_EACH = {"villages": {1: (20,), 2: (15,)}, "roads": {1: (23,), 2: (16,)}}
_ONE_OF_THREE = {"villages": {1: (20,), 2: (15,), 3: (10,)}, "roads": {1: (23,), 2: (16,), 3: (9,)}}
_LAST_LEFT = {"villages": {1: (20,), 2: (15, 36)}, "roads": {1: (23,), 2: (16, 57)}}
_SECOND_YIELD = {2: "1 Lumber, 1 Wool, 1 Grain"}

_SECOND_ROUND = (
    EffectCase(
        SetupPhaseTwo(1, 43, 64),
        "counterclockwise the last seat follows the first",
        set_up(
            3,
            stage="PhaseTwo",
            turn=1,
            first=2,
            villages={1: (20,), 2: (15,), 3: (10,)},
            roads={1: (23,), 2: (16,), 3: (9,)},
            rules=_BY_DICE,
        ),
        set_up(
            3,
            stage="PhaseTwo",
            turn=3,
            first=2,
            villages={1: (20, 43), 2: (15,), 3: (10,)},
            roads={1: (23, 64), 2: (16,), 3: (9,)},
            hands={1: "1 Brick, 1 Grain, 1 Ore"},
            rules=_BY_DICE,
        ),
        "su_ap s r bnk h b",
    ),
    EffectCase(
        SetupPhaseTwo(2, 36, 57),
        "who began ends the set-up",
        set_up(
            stage="PhaseTwo",
            turn=2,
            first=2,
            villages={1: (20, 43), 2: (15,)},
            roads={1: (23, 64), 2: (16,)},
            rules=_BY_DICE,
        ),
        position(phase="DiceRoll", first=2, turn=2, hands={2: "1 Lumber, 1 Wool, 1 Grain"}, rules=_BY_DICE),
        "tp s r bnk h b",
    ),
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
        SetupPhaseTwo(2, 42, 56),
        "two tiles of a kind yield two cards",
        set_up(stage="PhaseTwo", turn=2, **_ONE_EACH),
        set_up(
            stage="PhaseTwo",
            turn=1,
            villages={1: (20,), 2: (15, 42)},
            roads={1: (23,), 2: (16, 56)},
            hands={2: "2 Grain, 1 Ore"},
        ),
        "su_ap s r bnk h b",
    ),
    EffectCase(
        SetupPhaseTwo(2, 36, 57),
        "nobody wins before the set-up is over",
        set_up(stage="PhaseTwo", turn=2, rules=_AT_ONCE_WITH_ONE, **_ONE_EACH),
        set_up(stage="PhaseTwo", turn=1, rules=_AT_ONCE_WITH_ONE, hands=_SECOND_YIELD, **_LAST_LEFT),
        "su_ap s r bnk h b",
    ),
    EffectCase(
        SetupPhaseTwo(1, 43, 64),
        "the second village wins at once, if so few points are enough",
        set_up(stage="PhaseTwo", turn=1, rules=_AT_ONCE_WITH_ONE, hands=_SECOND_YIELD, **_LAST_LEFT),
        position(phase="top", dice=0, rules=_AT_ONCE_WITH_ONE, hands={1: "1 Brick, 1 Grain, 1 Ore", **_SECOND_YIELD}),
        "tp s r bnk h b",
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
        RollDice(1, 2),
        "a two yields",
        position(phase="DiceRoll", villages={1: (20, 4)}, roads={1: (23, 3)}),
        position(phase="Trading", dice=2, villages={1: (20, 4)}, roads={1: (23, 3)}, hands={1: "1 Wool"}),
        "tp dice bnk h",
    ),
    EffectCase(
        RollDice(1, 12),
        "a twelve yields",
        position(phase="DiceRoll"),
        position(phase="Trading", dice=12, hands={1: "1 Grain"}),
        "tp dice bnk h",
    ),
    EffectCase(
        RollDice(1, 4),
        "the bank has exactly enough",
        position(phase="DiceRoll", hands={2: "17 Grain"}, **_ALL_AT_FOUR),
        position(phase="Trading", dice=4, hands={1: "1 Grain", 2: "18 Grain, 1 Wool"}, **_ALL_AT_FOUR),
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
        RollDice(1, 7),
        "seven, and only another's hand is too large",
        position(3, phase="DiceRoll", hands={1: "7 Wool", 3: "8 Grain"}),
        position(3, phase="Discarding", hands={1: "7 Wool", 3: "8 Grain"}, limits=(0, 0, 4)),
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

_PER_RESOURCE = {"phase": "DiceRoll", "rules": STANDARD}
_PAID_OUT = {"phase": "TradingBuilding", "dice": 4, "rules": STANDARD}
# Player 1's village and player 2's city at the fields numbered 4, player 2's village at the pasture numbered 4.
_CITY_AT_FOUR = {"villages": {1: (42, 20), 2: (15,)}, "cities": {2: (36,)}, "roads": {1: (56, 23)}}

_STANDARD_ROLLS = (
    EffectCase(
        RollDice(1, 8),
        "trading and building in one",
        position(phase="DiceRoll", played=1, rules=STANDARD),
        position(phase="TradingBuilding", dice=8, played=1, rules=STANDARD),
        "tp dice",
    ),
    EffectCase(
        RollDice(1, 4),
        "a resource that is short for several is paid to nobody, others are paid",
        position(hands={2: "18 Grain"}, **_PER_RESOURCE, **_ALL_AT_FOUR),
        position(hands={2: "18 Grain, 1 Wool"}, **_PAID_OUT, **_ALL_AT_FOUR),
        "tp dice bnk h",
    ),
    EffectCase(
        RollDice(1, 4),
        "a resource that is short for one player is paid as far as it goes",
        position(hands={1: "18 Grain"}, **_PER_RESOURCE, cities={2: (36,)}, villages={2: (15,)}),
        position(hands={1: "18 Grain", 2: "1 Wool, 1 Grain"}, **_PAID_OUT, cities={2: (36,)}, villages={2: (15,)}),
        "tp dice bnk h",
    ),
    EffectCase(
        RollDice(1, 4),
        "another resource is short, of this the bank has exactly enough",
        position(hands={1: "19 Wool", 2: "17 Grain"}, **_PER_RESOURCE, **_ALL_AT_FOUR),
        position(hands={1: "19 Wool, 1 Grain", 2: "18 Grain"}, **_PAID_OUT, **_ALL_AT_FOUR),
        "tp dice bnk h",
    ),
    EffectCase(
        RollDice(1, 4),
        "one player, and nothing is left",
        position(hands={1: "19 Grain, 19 Wool"}, **_PER_RESOURCE),
        position(hands={1: "19 Grain, 19 Wool"}, **_PAID_OUT),
        "tp dice",
    ),
)

# Player 2 has settled at tile 6 only.
_ONE_IN_A_CORNER = {"villages": {1: (20, 43, 54), 2: (1,)}, "roads": {2: (1,)}}

_EIGHT_POINTS = {"villages": {1: (20, 43)}, "cities": {1: (50, 9, 1)}}

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
        MoveBandit(1, 30, 0, "none"),
        "by the rule book the bandit may go where nobody is",
        position(phase="MovingBandit", hands={2: "1 Wool"}, rules=STANDARD),
        position(phase="TradingBuilding", dice=7, bandit=30, hands={2: "1 Wool"}, rules=STANDARD),
        "tp ba",
    ),
    EffectCase(
        PlayKnight(1, 13, 2, "Wool"),
        "a second card of two in a turn",
        position(phase="Trading", played=1, hands={2: "1 Wool"}, available={1: "1 Knight"}, rules=_APART),
        position(phase="Trading", played=2, bandit=13, hands={1: "1 Wool"}, unveiled={1: "1 Knight"}, rules=_APART),
        "pd ba h",
    ),
    EffectCase(
        PlayKnight(1, 13, 2, "Wool"),
        "before the dice the roll is still to come",
        position(phase="DiceRoll", hands={2: "1 Wool"}, available={1: "1 Knight"}, rules=STANDARD),
        position(phase="DiceRoll", played=1, bandit=13, hands={1: "1 Wool"}, unveiled={1: "1 Knight"}, rules=STANDARD),
        "pd ba h",
    ),
    EffectCase(
        PlayKnight(1, 13, 2, "Wool"),
        "the largest army wins, before the dice",
        position(
            phase="DiceRoll",
            hands={2: "1 Wool"},
            available={1: "1 Knight"},
            unveiled={1: "2 Knight"},
            rules=STANDARD,
            **_EIGHT_POINTS,
        ),
        position(
            phase="top",
            dice=0,
            played=1,
            bandit=13,
            hands={1: "1 Wool"},
            unveiled={1: "3 Knight"},
            largest_army=1,
            rules=STANDARD,
            **_EIGHT_POINTS,
        ),
        "tp pd ba la h",
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

_TOWNS_AT_WHARFS = {"villages": {1: ()}, "cities": {1: (17, 50)}, "roads": {1: (19, 66)}}

_TOWN_TRADES = (
    EffectCase(
        TradeThreeToOne(1, "Ore", "Lumber"),
        "a city has the wharf of the village that it was",
        position(phase="Trading", hands={1: "4 Ore"}, **_TOWNS_AT_WHARFS),
        position(phase="Trading", hands={1: "1 Ore, 1 Lumber"}, **_TOWNS_AT_WHARFS),
        "bnk h",
    ),
    EffectCase(
        TradeTwoToOne(1, "Lumber", "Ore"),
        "a city has the wharf for one type too",
        position(phase="Trading", hands={1: "4 Lumber"}, **_TOWNS_AT_WHARFS),
        position(phase="Trading", hands={1: "2 Lumber, 1 Ore"}, **_TOWNS_AT_WHARFS),
        "bnk h",
    ),
)

_BOTH_HANDS = {1: "2 Ore, 1 Grain", 2: "1 Wool, 1 Lumber", 3: "2 Wool", 4: "1 Brick"}


def _offered(*answers: Answer) -> State:
    """Player 1 offers two ore for a wool; players 2 and 3 could pay."""
    return position(4, phase="Offering", hands=_BOTH_HANDS, offer=("2 Ore", "1 Wool"), answers=answers, rules=STANDARD)


def _not_offered(**given: Any) -> State:
    return position(4, **{"phase": "TradingBuilding", "hands": _BOTH_HANDS, "rules": STANDARD, **given})


_OWN_WOOL = {**_BOTH_HANDS, 1: "2 Ore, 1 Wool"}

_DOMESTIC = (
    EffectCase(
        OfferTrade(1, cards("2 Ore"), cards("1 Wool")),
        "all who could pay are asked",
        _not_offered(),
        _offered("none", "asked", "asked", "none"),
        "tp offer ans",
    ),
    EffectCase(
        AnswerTrade(3, "accept"),
        "one accepts",
        _offered("none", "asked", "asked", "none"),
        _offered("none", "asked", "accept", "none"),
        "ans",
    ),
    EffectCase(
        AnswerTrade(2, "reject"),
        "one rejects",
        _offered("none", "asked", "accept", "none"),
        _offered("none", "reject", "accept", "none"),
        "ans",
    ),
    EffectCase(
        ConcludeTrade(1, 3),
        "the cards change hands with the one chosen",
        _offered("none", "accept", "accept", "none"),
        _not_offered(hands={1: "1 Grain, 1 Wool", 2: "1 Wool, 1 Lumber", 3: "1 Wool, 2 Ore", 4: "1 Brick"}),
        "tp offer ans h",
    ),
    EffectCase(
        WithdrawTrade(1),
        "nothing changes hands",
        _offered("none", "accept", "reject", "none"),
        _not_offered(),
        "tp offer ans",
    ),
    EffectCase(
        OfferTrade(1, cards("2 Ore"), cards("1 Wool")),
        "who offers is not asked, though they could pay too",
        _not_offered(hands=_OWN_WOOL),
        position(
            4,
            phase="Offering",
            hands=_OWN_WOOL,
            offer=("2 Ore", "1 Wool"),
            answers=("none", "asked", "asked", "none"),
            rules=STANDARD,
        ),
        "tp offer ans",
    ),
    EffectCase(
        ConcludeTrade(1, 2),
        "with phases apart trading goes on",
        position(
            phase="Offering", hands=_BOTH_HANDS, offer=("1 Ore", "1 Wool"), answers=("none", "accept"), rules=_APART
        ),
        position(phase="Trading", hands={1: "1 Ore, 1 Grain, 1 Wool", 2: "1 Lumber, 1 Ore"}, rules=_APART),
        "tp offer ans h",
    ),
    EffectCase(
        OfferTrade(1, cards("1 Ore"), cards("1 Wool")),
        "with phases apart",
        position(phase="Trading", hands=_BOTH_HANDS, rules=_APART),
        position(
            phase="Offering", hands=_BOTH_HANDS, offer=("1 Ore", "1 Wool"), answers=("none", "asked"), rules=_APART
        ),
        "tp offer ans",
    ),
    EffectCase(
        WithdrawTrade(1),
        "with phases apart trading goes on",
        position(
            phase="Offering", hands=_BOTH_HANDS, offer=("1 Ore", "1 Wool"), answers=("none", "reject"), rules=_APART
        ),
        position(phase="Trading", hands=_BOTH_HANDS, rules=_APART),
        "tp offer ans",
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

_TURN_ENDS_WITH_OTHERS = replace(STANDARD_FOR_SIX, win_check="turn_end")
_NOBODY_PAYS = {"rules": STANDARD_FOR_SIX, "hands": {1: "5 Ore"}}
_ALL_PAY = {
    "rules": STANDARD_FOR_SIX,
    "hands": {1: "9 Lumber, 9 Brick", 3: "3 Ore, 2 Grain", 4: "1 Ore, 1 Wool, 1 Grain"},
}

_STANDARD_TURN_ENDS = (
    EffectCase(
        EmptyBuild(1),
        "the count of cards played begins anew",
        position(phase="TradingBuilding", played=1, rules=STANDARD),
        position(phase="DiceRoll", turn=2, rules=STANDARD),
        "ap tp dice pd",
    ),
    EffectCase(
        EmptyBuild(1),
        "ten points gained meanwhile win when the turn begins",
        position(phase="TradingBuilding", rules=STANDARD, **_OTHERS_TEN_POINTS),
        position(phase="top", dice=0, turn=2, rules=STANDARD, **_OTHERS_TEN_POINTS),
        "ap tp dice",
    ),
    EffectCase(
        EmptyBuild(1),
        "others can pay for anything, but only five or six players have a special building phase",
        position(phase="TradingBuilding", hands={2: "9 Ore, 9 Wool, 9 Grain"}, rules=STANDARD),
        position(phase="DiceRoll", turn=2, hands={2: "9 Ore, 9 Wool, 9 Grain"}, rules=STANDARD),
        "ap tp dice",
    ),
    EffectCase(
        EmptyBuild(2),
        "who can pay for a road only builds",
        position(4, phase="TradingBuilding", turn=2, rules=STANDARD_FOR_SIX, hands={1: "1 Lumber, 1 Brick"}),
        position(4, phase="SpecialBuilding", turn=2, builder=1, rules=STANDARD_FOR_SIX, hands={1: "1 Lumber, 1 Brick"}),
        "tp sb",
    ),
    EffectCase(
        EmptyBuild(2),
        "who can pay for a card only builds",
        position(4, phase="TradingBuilding", turn=2, rules=STANDARD_FOR_SIX, hands={1: "1 Ore, 1 Wool, 1 Grain"}),
        position(
            4, phase="SpecialBuilding", turn=2, builder=1, rules=STANDARD_FOR_SIX, hands={1: "1 Ore, 1 Wool, 1 Grain"}
        ),
        "tp sb",
    ),
    EffectCase(
        BuildRoad(1, 45),
        "the active player's ten points do not win while others build",
        position(
            3,
            phase="SpecialBuilding",
            builder=1,
            turn=2,
            rules=STANDARD_FOR_SIX,
            **{**_OTHERS_TEN_POINTS, "hands": {1: "1 Lumber, 1 Brick"}},
        ),
        position(
            3,
            phase="SpecialBuilding",
            builder=1,
            turn=2,
            rules=STANDARD_FOR_SIX,
            **{**_OTHERS_TEN_POINTS, "roads": {1: (57, 45), 2: (23, 64)}},
        ),
        "r bnk h b",
    ),
    EffectCase(
        EmptyBuild(2),
        "a special builder's ten points do not end the game, though points are counted when a turn ends",
        position(3, phase="SpecialBuilding", builder=2, turn=3, rules=_TURN_ENDS_WITH_OTHERS, **_OTHERS_TEN_POINTS),
        position(3, phase="DiceRoll", turn=1, rules=_TURN_ENDS_WITH_OTHERS, **_OTHERS_TEN_POINTS),
        "ap tp dice sb",
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
        position(
            3,
            phase="top",
            turn=2,
            rules=_TURN_ENDS_WITH_OTHERS,
            **{**_OTHERS_TEN_POINTS, "hands": {3: "1 Lumber, 1 Brick"}},
        ),
        "tp",
    ),
    EffectCase(
        EmptyBuild(2),
        "nobody else can pay for anything: no special building phase",
        position(4, phase="TradingBuilding", turn=2, bought={2: "1 Knight"}, **{**_NOBODY_PAYS, "hands": {2: "9 Ore"}}),
        position(4, phase="DiceRoll", turn=3, available={2: "1 Knight"}, **{**_NOBODY_PAYS, "hands": {2: "9 Ore"}}),
        "ap tp dice h",
    ),
    EffectCase(
        EmptyBuild(2),
        "the first after the player who can pay for anything builds",
        position(4, phase="TradingBuilding", turn=2, played=1, bought={2: "1 Knight"}, **_ALL_PAY),
        position(4, phase="SpecialBuilding", turn=2, played=1, builder=3, available={2: "1 Knight"}, **_ALL_PAY),
        "tp sb h",
    ),
    EffectCase(
        EmptyBuild(3),
        "the next who can pay for anything follows, cards bought become available",
        position(4, phase="SpecialBuilding", turn=2, played=1, builder=3, bought={3: "1 Monopoly"}, **_ALL_PAY),
        position(4, phase="SpecialBuilding", turn=2, played=1, builder=4, available={3: "1 Monopoly"}, **_ALL_PAY),
        "sb h",
    ),
    EffectCase(
        EmptyBuild(1),
        "the turn passes once the active player comes round",
        position(4, phase="SpecialBuilding", turn=2, played=1, builder=1, **_ALL_PAY),
        position(4, phase="DiceRoll", turn=3, **_ALL_PAY),
        "ap tp dice pd sb",
    ),
    EffectCase(
        EmptyBuild(2),
        "ten points of a special builder do not win until their turn begins",
        position(3, phase="SpecialBuilding", builder=2, turn=3, rules=STANDARD_FOR_SIX, **_OTHERS_TEN_POINTS),
        position(3, phase="DiceRoll", turn=1, rules=STANDARD_FOR_SIX, **_OTHERS_TEN_POINTS),
        "ap tp dice sb",
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

_NINE = {"villages": {1: (43,)}, "cities": {1: (20, 50, 9, 1)}}
_NINE_LEFT = {
    "villages": {1: (20,)},
    "cities": {1: (43, 50, 9)},
    "unveiled": {1: "2 VictoryPoint"},
}
_TEN_WITH_CITY = {**_NINE_LEFT, "villages": {1: ()}, "cities": {1: (20, 43, 50, 9)}}
_NINE_FAR = {**_NINE, "villages": {**_NINE["villages"], 3: (54,)}, "roads": {3: (72,)}}
_SPECIAL_TEN = {"phase": "SpecialBuilding", "turn": 2, "builder": 1, "rules": STANDARD_FOR_SIX}

_WINS = (
    EffectCase(
        BuildRoad(1, 19),
        "the longest road wins at once",
        position(phase="TradingBuilding", roads={1: _FOUR_ROADS}, rules=STANDARD, **_EIGHT_POINTS, **_PAYS),
        position(
            phase="top",
            roads={1: _FIVE_ROADS},
            longest_road=1,
            rules=STANDARD,
            **_EIGHT_POINTS,
            **_PAID,
        ),
        "tp lr r bnk h b",
    ),
    EffectCase(
        PlayRoadBuilding(1, 22, 19),
        "two roads for nothing win at once, before the dice",
        position(
            phase="DiceRoll",
            roads={1: (23, 21, 10, 8, 64)},
            available={1: "1 RoadBuilding"},
            rules=STANDARD,
            **_EIGHT_POINTS,
        ),
        position(
            phase="top",
            dice=0,
            played=1,
            roads={1: (23, 21, 10, 8, 64, 22, 19)},
            discarded="1 RoadBuilding",
            longest_road=1,
            rules=STANDARD,
            **_EIGHT_POINTS,
        ),
        "tp pd dp lr r h b",
    ),
    EffectCase(
        BuildCity(1, 20),
        "a city wins at once",
        position(phase="TradingBuilding", hands={1: "2 Grain, 3 Ore"}, rules=STANDARD, **_NINE_LEFT),
        position(phase="top", rules=STANDARD, **_TEN_WITH_CITY),
        "tp s bnk h b",
    ),
    EffectCase(
        BuildCity(1, 20),
        "by the thesis's rules ten points do not win before the turn ends",
        position(hands={1: "2 Grain, 3 Ore"}, **_NINE_LEFT),
        position(**_TEN_WITH_CITY),
        "s bnk h b",
    ),
    EffectCase(
        BuildVillage(1, 11),
        "a village wins at once",
        position(
            phase="TradingBuilding",
            hands={1: "1 Lumber, 1 Brick, 1 Wool, 1 Grain"},
            roads={1: (23, 21, 64)},
            rules=STANDARD,
            **_NINE,
        ),
        position(phase="top", roads={1: (23, 21, 64)}, villages={1: (43, 11)}, cities=_NINE["cities"], rules=STANDARD),
        "tp s bnk h b",
    ),
    EffectCase(
        BuyDevCard(1, "VictoryPoint"),
        "a victory point wins at once",
        position(phase="TradingBuilding", hands={1: "1 Wool, 1 Grain, 1 Ore"}, rules=STANDARD, **_NINE),
        position(phase="top", unveiled={1: "1 VictoryPoint"}, rules=STANDARD, **_NINE),
        "tp bnk h",
    ),
    EffectCase(
        BuyDevCard(1, "VictoryPoint"),
        "a tenth point does not win in the special building phase",
        position(3, hands={1: "1 Wool, 1 Grain, 1 Ore"}, **_SPECIAL_TEN, **_NINE_FAR),
        position(3, unveiled={1: "1 VictoryPoint"}, **_SPECIAL_TEN, **_NINE_FAR),
        "bnk h",
    ),
    EffectCase(
        PlayRoadBuilding(1, 22, 0),
        "the last road alone",
        position(phase="Trading", available={1: "1 RoadBuilding"}, rules=_APART),
        position(phase="Trading", played=1, roads={1: (23, 64, 22)}, discarded="1 RoadBuilding", rules=_APART),
        "pd dp r h b",
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
        PlayMonopoly(1, "Ore"),
        "it is counted, where cards are",
        position(phase="Trading", hands={2: "2 Ore"}, available={1: "1 Monopoly"}, rules=_APART),
        position(phase="Trading", played=1, hands={1: "2 Ore"}, discarded="1 Monopoly", rules=_APART),
        "pd dp h",
    ),
    EffectCase(
        PlayYearOfPlenty(1, "Ore", "Wool"),
        "it is counted, where cards are",
        position(phase="Trading", available={1: "1 YearOfPlenty"}, rules=_APART),
        position(phase="Trading", played=1, hands={1: "1 Wool, 1 Ore"}, discarded="1 YearOfPlenty", rules=_APART),
        "pd dp bnk h",
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

_JOINT = replace(THESIS, chance="joint")
_JOINT_STANDARD = replace(STANDARD_FOR_SIX, chance="joint")
_ROBBED = {"hands": {2: "1 Ore, 1 Wool"}, "rules": _JOINT}
_KNIGHT = {"available": {1: "1 Knight"}, "hands": {2: "1 Ore, 1 Wool"}, "rules": _JOINT_STANDARD}
_CALLED_FOR_DICE = Called("RollDice", "DiceRoll", 0, 0)
_BEGUN = initial_state(Constants(_JOINT))
_BEGUN_WITH_DICE = initial_state(Constants(_JOINT_STANDARD, player_count=3))
_CALLED_FOR_START = {"tp": "Drawing", "call": Called("RollForStart", "bot", 0, 0)}
_OPENED_TOGETHER = Constants(replace(STANDARD, chance="joint"), opening=OPENED_BY_DICE.opening)
_BEGUN_WITH_TURN = initial_state(Constants(_JOINT, opening=OPENED_BY_DICE.opening))

_CHANCE = (
    EffectCase(Pledge(1), "the first of two", _BEGUN, _BEGUN._replace(due=(False, True)), "due"),
    EffectCase(
        Pledge(1),
        "the last of all, the set-up begins",
        _BEGUN._replace(due=(True, False)),
        _BEGUN._replace(due=(False, False), tp="bot"),
        "tp due",
    ),
    EffectCase(
        Pledge(2),
        "the last of all, the first turn begins",
        _BEGUN_WITH_TURN._replace(due=(False, True)),
        _BEGUN_WITH_TURN._replace(due=(False, False), tp="DiceRoll"),
        "tp due",
    ),
    EffectCase(
        Call(2, "RollDice"),
        "everybody but the caller owes a share",
        position(3, phase="DiceRoll", turn=2, rules=_JOINT),
        position(3, phase="Drawing", turn=2, call=_CALLED_FOR_DICE, due=(True, False, True), rules=_JOINT),
        "tp due call",
    ),
    EffectCase(
        Call(1, "BuyDevCard"),
        "a card while building",
        position(rules=_JOINT, **_CARD_PRICE),
        position(
            phase="Drawing",
            call=Called("BuyDevCard", "Building", 0, 0),
            due=(False, True),
            rules=_JOINT,
            **_CARD_PRICE,
        ),
        "tp due call",
    ),
    EffectCase(
        Call(2, "BuyDevCard"),
        "a card between two turns",
        position(phase="SpecialBuilding", builder=2, hands={2: "1 Wool, 1 Grain, 1 Ore"}, rules=_JOINT_STANDARD),
        position(
            phase="Drawing",
            builder=2,
            call=Called("BuyDevCard", "SpecialBuilding", 0, 0),
            due=(True, False),
            hands={2: "1 Wool, 1 Grain, 1 Ore"},
            rules=_JOINT_STANDARD,
        ),
        "tp due call",
    ),
    EffectCase(
        Call(1, "PlayKnight", 8, 2),
        "a knight before the dice",
        position(phase="DiceRoll", **_KNIGHT),
        position(phase="Drawing", call=Called("PlayKnight", "DiceRoll", 8, 2), due=(False, True), **_KNIGHT),
        "tp due call",
    ),
    EffectCase(
        Reveal(3),
        "the others still owe theirs",
        position(4, phase="Drawing", call=_CALLED_FOR_DICE, due=(False, True, True, True), rules=_JOINT),
        position(4, phase="Drawing", call=_CALLED_FOR_DICE, due=(False, True, False, True), rules=_JOINT),
        "due",
    ),
    EffectCase(
        Reveal(2),
        "the last: the phase is still that of the draw",
        position(phase="Drawing", call=_CALLED_FOR_DICE, due=(False, True), rules=_JOINT),
        position(phase="Drawing", call=_CALLED_FOR_DICE, rules=_JOINT),
        "due",
    ),
    EffectCase(
        RollForStart(1, 5),
        "drawn together, the next has to roll",
        _BEGUN_WITH_DICE._replace(tp="Drawing", call=Called("RollForStart", "bot", 0, 0), due=(False,) * 3),
        _BEGUN_WITH_DICE._replace(tp="bot", call=NO_CALL, due=(False,) * 3, rolls=(5, 0, 0), su_ap=2),
        "su_ap rolls tp call",
    ),
    EffectCase(
        RollForStart(3, 5),
        "drawn together, who ties rolls again",
        _BEGUN_WITH_DICE._replace(**_CALLED_FOR_START, due=(False,) * 3, rolls=(4, 5, 0), su_ap=3),
        _BEGUN_WITH_DICE._replace(tp="bot", due=(False,) * 3, rolls=(1, 0, 0), su_ap=2),
        "su_ap rolls tp call",
    ),
    EffectCase(
        RollForStart(3, 5),
        "drawn together, the highest roll begins",
        _BEGUN_WITH_DICE._replace(**_CALLED_FOR_START, due=(False,) * 3, rolls=(4, 9, 0), su_ap=3),
        set_up(3, turn=2, first=2, rules=_JOINT_STANDARD),
        "sup su_ap first rolls ap tp call",
    ),
    EffectCase(
        RollForStart(2, 7),
        "drawn together, after an opening the first turn begins",
        initial_state(_OPENED_TOGETHER)._replace(**_CALLED_FOR_START, due=(False, False), rolls=(4, 0), su_ap=2),
        initial_state(_OPENED_TOGETHER)._replace(
            sup="PhaseTwo", su_ap=2, first=2, ap=2, tp="DiceRoll", due=(False, False)
        ),
        "sup first rolls ap tp call",
    ),
    EffectCase(
        RollDice(1, 7),
        "a seven drawn together",
        position(phase="Drawing", call=_CALLED_FOR_DICE, rules=_JOINT),
        position(phase="MovingBandit", rules=_JOINT),
        "tp dice call",
    ),
    EffectCase(
        RollDice(1, 2),
        "any other sum drawn together",
        position(phase="Drawing", call=_CALLED_FOR_DICE, rules=_JOINT),
        position(phase="Trading", dice=2, rules=_JOINT),
        "tp dice call",
    ),
    EffectCase(
        MoveBandit(1, 8, 2, "Ore"),
        "a theft drawn together",
        position(phase="Drawing", call=Called("MoveBandit", "MovingBandit", 8, 2), **_ROBBED),
        position(phase="Trading", dice=7, bandit=8, hands={1: "1 Ore", 2: "1 Wool"}, rules=_JOINT),
        "tp ba call h",
    ),
    EffectCase(
        BuyDevCard(1, "Knight"),
        "a card drawn together",
        position(phase="Drawing", call=Called("BuyDevCard", "Building", 0, 0), rules=_JOINT, **_CARD_PRICE),
        position(bought={1: "1 Knight"}, hands={1: "1 Wool"}, rules=_JOINT),
        "tp call bnk h",
    ),
    EffectCase(
        PlayKnight(1, 8, 2, "Wool"),
        "a theft drawn together before the dice",
        position(phase="Drawing", call=Called("PlayKnight", "DiceRoll", 8, 2), **_KNIGHT),
        position(
            phase="DiceRoll",
            played=1,
            bandit=8,
            unveiled={1: "1 Knight"},
            hands={1: "1 Wool", 2: "1 Ore"},
            rules=_JOINT_STANDARD,
        ),
        "tp pd ba call h",
    ),
    EffectCase(
        MoveBandit(1, 8, 2, "Ore"),
        "one card to steal: nothing is drawn",
        position(phase="MovingBandit", hands={2: "1 Ore"}, rules=_JOINT),
        position(phase="Trading", dice=7, bandit=8, hands={1: "1 Ore"}, rules=_JOINT),
        "tp ba h",
    ),
)

_LEAVING = replace(THESIS, leaving=True)
_LEAVING_STANDARD = replace(STANDARD_FOR_SIX, leaving=True)
_LEAVING_JOINT = replace(_LEAVING_STANDARD, chance="joint")
_THIRD_AWAY = {"away": (False, False, True)}
_SECOND_AWAY = {"away": (False, True, False)}
_FIRST_AWAY = {"away": (True, False, False)}
_PLEDGED_BY_OTHERS = initial_state(Constants(replace(_LEAVING, chance="joint"), player_count=3))
_OPENED_TO_LEAVE = Constants(
    replace(_LEAVING, chance="joint"),
    player_count=3,
    opening=tuple(
        placement
        for player in (1, 2, 3)
        for placement in (
            Placement(player, VILLAGES[player][0], ROADS[player][0], False),
            Placement(player, VILLAGES[player][1], ROADS[player][1], False),
        )
    ),
)
_OFFERED = {
    "phase": "Offering",
    "offer": ("1 Ore", "1 Wool"),
    "hands": {1: "1 Ore", 2: "1 Wool", 3: "1 Wool"},
    "rules": _LEAVING_STANDARD,
}
_BETWEEN = {"phase": "SpecialBuilding", "rules": _LEAVING_STANDARD}
_ROUND_ONE = {"villages": {1: (20,), 2: (15,)}, "roads": {1: (23,), 2: (16,)}}
_ROUND_TWO = {"villages": {1: (20,), 2: (15,), 3: (10,)}, "roads": {1: (23,), 2: (16,), 3: (9,)}}
_BUT_FIRST = {
    "villages": {1: (20,), 2: (15, 36), 3: (10, 54)},
    "roads": {1: (23,), 2: (16, 57), 3: (9, 72)},
}

_ABSENCE = (
    EffectCase(
        Vote(2, 1, "yes"),
        "nothing changes",
        position(3, phase="DiceRoll", rules=_LEAVING),
        position(3, phase="DiceRoll", rules=_LEAVING),
        "",
    ),
    EffectCase(
        Excuse(2, 1),
        "the next turn begins",
        position(3, phase="DiceRoll", rules=_LEAVING),
        position(3, phase="DiceRoll", turn=2, rules=_LEAVING, **_FIRST_AWAY),
        "ap away",
    ),
    EffectCase(
        Excuse(3, 2),
        "what was bought can be played by nobody, the counters begin anew",
        position(3, phase="TradingBuilding", turn=2, played=1, bought={2: "1 Knight"}, rules=_LEAVING_STANDARD),
        position(3, phase="DiceRoll", turn=3, available={2: "1 Knight"}, rules=_LEAVING_STANDARD, **_SECOND_AWAY),
        "ap tp dice pd away h",
    ),
    EffectCase(
        Excuse(1, 3),
        "who is away already is skipped too",
        position(4, phase="Building", turn=3, rules=_LEAVING, away=(False, False, False, True)),
        position(4, phase="DiceRoll", turn=1, rules=_LEAVING, away=(False, False, True, True)),
        "ap tp dice away",
    ),
    EffectCase(
        Excuse(2, 1),
        "the next player has won when their turn begins",
        position(
            3,
            phase="TradingBuilding",
            unveiled={2: "3 VictoryPoint"},
            rules=replace(_LEAVING_STANDARD, points_to_win=5),
        ),
        position(
            3,
            phase="top",
            dice=0,
            turn=2,
            unveiled={2: "3 VictoryPoint"},
            rules=replace(_LEAVING_STANDARD, points_to_win=5),
            **_FIRST_AWAY,
        ),
        "ap tp dice away",
    ),
    EffectCase(
        Excuse(1, 2),
        "the first cards of a hand are taken, the turn stays",
        position(3, phase="Discarding", hands={2: "1 Lumber, 1 Brick, 1 Wool, 3 Grain, 3 Ore"}, rules=_LEAVING),
        position(3, phase="Discarding", hands={2: "2 Grain, 3 Ore"}, limits=(0, 5, 0), rules=_LEAVING, **_SECOND_AWAY),
        "away bnk h",
    ),
    EffectCase(
        Excuse(2, 1),
        "who rolled the seven takes nothing, and discards",
        position(3, phase="Discarding", hands={1: "8 Ore"}, rules=_LEAVING),
        position(3, phase="DiceRoll", turn=2, hands={1: "4 Ore"}, rules=_LEAVING, **_FIRST_AWAY),
        "ap tp dice lim away bnk h",
    ),
    EffectCase(
        Excuse(2, 1),
        "the bandit stays where it is",
        position(3, phase="MovingBandit", rules=_LEAVING),
        position(3, phase="DiceRoll", turn=2, rules=_LEAVING, **_FIRST_AWAY),
        "ap tp dice away",
    ),
    EffectCase(
        Excuse(1, 3),
        "who was asked rejects",
        position(3, answers=("none", "accept", "asked"), **_OFFERED),
        position(3, answers=("none", "accept", "reject"), **_OFFERED, **_THIRD_AWAY),
        "ans away",
    ),
    EffectCase(
        Excuse(2, 1),
        "the offer is withdrawn",
        position(3, answers=("none", "accept", "reject"), **_OFFERED),
        position(
            3,
            phase="DiceRoll",
            turn=2,
            hands=_OFFERED["hands"],
            rules=_LEAVING_STANDARD,
            **_FIRST_AWAY,
        ),
        "ap tp dice offer ans away",
    ),
    EffectCase(
        Excuse(1, 2),
        "a share is due no more",
        position(3, phase="Drawing", call=_CALLED_FOR_DICE, due=(False, True, False), rules=_LEAVING_JOINT),
        position(3, phase="Drawing", call=_CALLED_FOR_DICE, rules=_LEAVING_JOINT, **_SECOND_AWAY),
        "due away",
    ),
    EffectCase(
        Excuse(2, 1),
        "what was called for is not drawn",
        position(3, phase="Drawing", call=_CALLED_FOR_DICE, rules=_LEAVING_JOINT),
        position(3, phase="DiceRoll", turn=2, rules=_LEAVING_JOINT, **_FIRST_AWAY),
        "ap tp call away",
    ),
    EffectCase(
        Excuse(3, 2),
        "between two turns the next one builds",
        position(
            3,
            builder=2,
            bought={2: "1 Knight"},
            hands={3: "1 Lumber, 1 Brick"},
            **_BETWEEN,
        ),
        position(3, builder=3, available={2: "1 Knight"}, hands={3: "1 Lumber, 1 Brick"}, **_BETWEEN, **_SECOND_AWAY),
        "sb away h",
    ),
    EffectCase(
        Excuse(3, 2),
        "between two turns, what was called for is not drawn",
        position(
            3,
            phase="Drawing",
            builder=2,
            call=Called("BuyDevCard", "SpecialBuilding", 0, 0),
            hands={2: "1 Wool, 1 Grain, 1 Ore", 3: "1 Lumber, 1 Brick"},
            rules=_LEAVING_JOINT,
        ),
        position(
            3,
            phase="SpecialBuilding",
            builder=3,
            hands={2: "1 Wool, 1 Grain, 1 Ore", 3: "1 Lumber, 1 Brick"},
            rules=_LEAVING_JOINT,
            **_SECOND_AWAY,
        ),
        "tp sb call away",
    ),
    EffectCase(
        Excuse(3, 2),
        "between two turns nobody else builds",
        position(3, builder=2, **_BETWEEN),
        position(3, phase="DiceRoll", turn=3, rules=_LEAVING_STANDARD, **_SECOND_AWAY),
        "ap tp dice sb away",
    ),
    EffectCase(
        Excuse(1, 3),
        "the last pledge is due no more",
        _PLEDGED_BY_OTHERS._replace(due=(False, False, True)),
        _PLEDGED_BY_OTHERS._replace(due=(False,) * 3, tp="bot", **_THIRD_AWAY),
        "tp due away",
    ),
    EffectCase(
        Excuse(2, 1),
        "without a pledge of the first, the next begins",
        _PLEDGED_BY_OTHERS._replace(due=(True, False, False)),
        _PLEDGED_BY_OTHERS._replace(due=(False,) * 3, tp="bot", su_ap=2, first=2, ap=2, **_FIRST_AWAY),
        "su_ap first ap tp due away",
    ),
    EffectCase(
        Excuse(2, 1),
        "without a pledge of the first, the first turn is the next player's",
        initial_state(_OPENED_TO_LEAVE)._replace(due=(True, False, False)),
        initial_state(_OPENED_TO_LEAVE)._replace(
            due=(False,) * 3, tp="DiceRoll", su_ap=2, first=2, ap=2, **_FIRST_AWAY
        ),
        "su_ap first ap tp due away",
    ),
    EffectCase(
        Excuse(3, 2),
        "who does not roll for the start has lost it",
        set_up(3, stage="Rolling", turn=2, rolls=(4, 0, 0), rules=_LEAVING_STANDARD),
        set_up(3, stage="Rolling", turn=3, rolls=(4, 1, 0), rules=_LEAVING_STANDARD, **_SECOND_AWAY),
        "su_ap rolls away",
    ),
    EffectCase(
        Excuse(1, 3),
        "all others have rolled",
        set_up(3, stage="Rolling", turn=3, rolls=(4, 9, 0), rules=_LEAVING_STANDARD),
        set_up(3, turn=2, first=2, rules=_LEAVING_STANDARD, **_THIRD_AWAY),
        "sup su_ap first rolls ap away",
    ),
    EffectCase(
        Excuse(2, 1),
        "the call for a roll for the start is dropped",
        set_up(3, stage="Rolling", rules=_LEAVING_JOINT)._replace(**_CALLED_FOR_START),
        set_up(3, stage="Rolling", turn=2, rolls=(1, 0, 0), rules=_LEAVING_JOINT, **_FIRST_AWAY),
        "su_ap rolls tp call away",
    ),
    EffectCase(
        Excuse(1, 2),
        "another's call for a roll for the start stands",
        set_up(3, stage="Rolling", rules=_LEAVING_JOINT)._replace(**_CALLED_FOR_START, due=(False, True, False)),
        set_up(3, stage="Rolling", rolls=(0, 1, 0), rules=_LEAVING_JOINT, **_SECOND_AWAY)._replace(**_CALLED_FOR_START),
        "rolls due away",
    ),
    EffectCase(
        Excuse(2, 1),
        "the first leaves before the first village",
        set_up(3, rules=_LEAVING),
        set_up(3, turn=2, first=2, rules=_LEAVING, **_FIRST_AWAY),
        "su_ap first ap away",
    ),
    EffectCase(
        Excuse(3, 2),
        "in the first round the next one places",
        set_up(3, turn=2, rules=_LEAVING, villages={1: (20,)}, roads={1: (23,)}),
        set_up(3, turn=3, rules=_LEAVING, villages={1: (20,)}, roads={1: (23,)}, **_SECOND_AWAY),
        "su_ap away",
    ),
    EffectCase(
        Excuse(1, 3),
        "who was the last in the first round leaves",
        set_up(3, turn=3, rules=_LEAVING, **_ROUND_ONE),
        set_up(3, stage="PhaseTwo", turn=2, rules=_LEAVING, **_ROUND_ONE, **_THIRD_AWAY),
        "sup su_ap away",
    ),
    EffectCase(
        Excuse(1, 3),
        "in the second round the one before places",
        set_up(3, stage="PhaseTwo", turn=3, rules=_LEAVING, **_ROUND_TWO),
        set_up(3, stage="PhaseTwo", turn=2, rules=_LEAVING, **_ROUND_TWO, **_THIRD_AWAY),
        "su_ap away",
    ),
    EffectCase(
        Excuse(2, 1),
        "the first leaves before the last village, and the turns begin",
        set_up(3, stage="PhaseTwo", turn=1, rules=_LEAVING, **_BUT_FIRST),
        set_up(3, stage="PhaseTwo", turn=2, first=2, rules=_LEAVING, **_BUT_FIRST, **_FIRST_AWAY)._replace(
            tp="DiceRoll"
        ),
        "su_ap first ap tp away",
    ),
    EffectCase(
        Excuse(2, 1),
        "the first leaves before the last village, and the next has won",
        set_up(
            3, stage="PhaseTwo", turn=1, rules=replace(_LEAVING, win_check="at_once", points_to_win=2), **_BUT_FIRST
        ),
        set_up(
            3,
            stage="PhaseTwo",
            turn=2,
            first=2,
            rules=replace(_LEAVING, win_check="at_once", points_to_win=2),
            **_BUT_FIRST,
            **_FIRST_AWAY,
        )._replace(tp="top"),
        "su_ap first ap tp away",
    ),
    EffectCase(
        Excuse(2, 1),
        "who began has placed, and leaves while another places",
        set_up(3, turn=2, rules=_LEAVING, villages={1: (20,)}, roads={1: (23,)}),
        set_up(3, turn=2, first=2, rules=_LEAVING, villages={1: (20,)}, roads={1: (23,)}, **_FIRST_AWAY),
        "first ap away",
    ),
    EffectCase(
        Claim(1, 2),
        "the other has won",
        position(phase="Building", turn=2, rules=_LEAVING, bought={2: "1 Knight"}),
        position(phase="top", dice=0, rules=_LEAVING, available={2: "1 Knight"}, away=(False, True)),
        "ap tp dice away h",
    ),
    EffectCase(
        Claim(3, 2),
        "the last who is there has won, a card was called for",
        position(
            3,
            phase="Drawing",
            turn=2,
            call=Called("BuyDevCard", "TradingBuilding", 0, 0),
            hands={2: "1 Wool, 1 Grain, 1 Ore"},
            rules=_LEAVING_JOINT,
            **_FIRST_AWAY,
        ),
        position(
            3,
            phase="top",
            dice=0,
            turn=3,
            hands={2: "1 Wool, 1 Grain, 1 Ore"},
            rules=_LEAVING_JOINT,
            away=(True, True, False),
        ),
        "ap tp dice call away",
    ),
    EffectCase(
        OfferTrade(1, cards("1 Ore"), cards("1 Wool")),
        "who is away is not asked",
        position(3, **{**_OFFERED, "phase": "TradingBuilding", "offer": ("", "")}, **_THIRD_AWAY),
        position(3, answers=("none", "asked", "none"), **_OFFERED, **_THIRD_AWAY),
        "tp offer ans",
    ),
    EffectCase(
        Call(1, "RollDice"),
        "who is away owes no share",
        position(3, phase="DiceRoll", rules=_LEAVING_JOINT, **_THIRD_AWAY),
        position(
            3, phase="Drawing", call=_CALLED_FOR_DICE, due=(False, True, False), rules=_LEAVING_JOINT, **_THIRD_AWAY
        ),
        "tp due call",
    ),
    EffectCase(
        RollDice(1, 7),
        "a seven takes the first cards of who is away",
        position(3, phase="DiceRoll", hands={3: "3 Lumber, 3 Brick, 2 Ore"}, rules=_LEAVING, **_THIRD_AWAY),
        position(3, phase="MovingBandit", hands={3: "2 Brick, 2 Ore"}, rules=_LEAVING, **_THIRD_AWAY),
        "tp dice bnk h",
    ),
    EffectCase(
        RollDice(1, 7),
        "a seven takes the first cards of who is away, others choose",
        position(3, phase="DiceRoll", hands={2: "9 Ore", 3: "3 Wool, 5 Grain"}, rules=_LEAVING, **_THIRD_AWAY),
        position(
            3,
            phase="Discarding",
            hands={2: "9 Ore", 3: "4 Grain"},
            limits=(0, 5, 0),
            rules=_LEAVING,
            **_THIRD_AWAY,
        ),
        "tp dice lim bnk h",
    ),
    EffectCase(
        EmptyBuild(1),
        "who is away is skipped",
        position(3, rules=_LEAVING, **_SECOND_AWAY),
        position(3, phase="DiceRoll", turn=3, rules=_LEAVING, **_SECOND_AWAY),
        "ap tp dice",
    ),
    EffectCase(
        EmptyBuild(1),
        "who is away does not build between two turns",
        position(3, phase="TradingBuilding", hands={2: "1 Lumber, 1 Brick"}, rules=_LEAVING_STANDARD, **_SECOND_AWAY),
        position(3, phase="DiceRoll", turn=3, hands={2: "1 Lumber, 1 Brick"}, rules=_LEAVING_STANDARD, **_SECOND_AWAY),
        "ap tp dice",
    ),
)

EFFECT_CASES: tuple[EffectCase, ...] = (
    *_CHANCE,
    *_ABSENCE,
    *_START,
    *_FIRST_ROUND,
    *_SECOND_ROUND,
    *_ROLLS,
    *_STANDARD_ROLLS,
    *_BANDIT,
    *_TRADES,
    *_TOWN_TRADES,
    *_DOMESTIC,
    *_TURN_ENDS,
    *_STANDARD_TURN_ENDS,
    *_WINS,
    *_ROADS,
    *_SETTLEMENTS,
    *_CARDS,
    *TALK_EFFECTS,
)
"""At least one case for each action, and for each of the outcomes that docs/model.md tells apart."""
