"""Excuses and claims, and games that go on without somebody."""

from dataclasses import replace

from catan_p2p.game.actions import Call, Claim, EmptyBuild, Excuse, OfferTrade, RollDice
from catan_p2p.game.board import FirstPlacement
from catan_p2p.game.constants import THESIS, Constants, profile
from catan_p2p.game.state import CalledDraw, initial_state
from tests.game.actions.cases import EffectCase
from tests.game.actions.givens import CALLED_FOR_DICE, CALLED_FOR_START
from tests.positions import ROADS, VILLAGES, cards, position, set_up

_LEAVING = replace(THESIS, leaving=True)
_LEAVING_STANDARD = replace(profile("brief", 6), leaving=True)
_LEAVING_JOINT = replace(_LEAVING_STANDARD, chance="joint", table_talk=True)
_LEAVING_AHEAD = replace(_LEAVING, chance="joint", chance_ahead=True)
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
            FirstPlacement(player, VILLAGES[player][0], ROADS[player][0], False),
            FirstPlacement(player, VILLAGES[player][1], ROADS[player][1], False),
        )
    ),
)
_OFFERED = {
    "phase": "Offering",
    "offer": ("1 Ore", "1 Wool"),
    "hands": {1: "1 Ore", 2: "1 Wool", 3: "1 Wool"},
    "rules": _LEAVING_STANDARD,
}
_WITHDRAWN = position(3, phase="DiceRoll", turn=2, hands=_OFFERED["hands"], rules=_LEAVING_STANDARD, **_FIRST_AWAY)
_FOR_WOOL = ("1 Ore", "1 Wool")
_COUNTED = {"rules": replace(_LEAVING_STANDARD, table_talk=True, offers_per_turn=2, proposals_per_turn=1)}
_TALKED = {"hands": {2: "1 Ore", 3: "1 Ore"}, "rules": _LEAVING_JOINT}
_BETWEEN = {"phase": "SpecialBuilding", "rules": _LEAVING_STANDARD}
_HAS_FIVE = {"unveiled": {2: "3 VictoryPoint"}, "rules": replace(_LEAVING_STANDARD, points_to_win=5)}
_OF_TWO = replace(_LEAVING, win_check="at_once", points_to_win=2)
_PAYS = {"hands": {2: "1 Wool, 1 Grain, 1 Ore"}, "rules": _LEAVING_JOINT}
_TWO_PAY = {"hands": {2: "1 Wool, 1 Grain, 1 Ore", 3: "1 Lumber, 1 Brick"}, "rules": _LEAVING_JOINT}
_CARD_CALLED = position(
    3, phase="Drawing", builder=2, call=CalledDraw("BuyDevCard", "SpecialBuilding", 0, 0), **_TWO_PAY
)
_ROUND_ONE = {"villages": {1: (20,), 2: (15,)}, "roads": {1: (23,), 2: (16,)}}
_ROUND_TWO = {"villages": {1: (20,), 2: (15,), 3: (10,)}, "roads": {1: (23,), 2: (16,), 3: (9,)}}
_BUT_FIRST = {
    "villages": {1: (20,), 2: (15, 36), 3: (10, 54)},
    "roads": {1: (23,), 2: (16, 57), 3: (9, 72)},
}

ABSENCE: tuple[EffectCase, ...] = (
    EffectCase(
        Excuse(2, 1),
        "the next turn begins",
        position(3, phase="DiceRoll", rules=_LEAVING),
        position(3, phase="DiceRoll", turn=2, rules=_LEAVING, **_FIRST_AWAY),
    ),
    EffectCase(
        Excuse(1, 3),
        "shares that were told ahead are for no roll any more",
        position(4, phase="DiceRoll", rules=_LEAVING_AHEAD, ahead=(True, True, True, True)),
        position(4, phase="DiceRoll", rules=_LEAVING_AHEAD, away=(False, False, True, False)),
    ),
    EffectCase(
        Excuse(3, 2),
        "what was bought can be played by nobody, the counters begin anew",
        position(3, phase="TradingBuilding", turn=2, played=1, bought={2: "1 Knight"}, rules=_LEAVING_STANDARD),
        position(3, phase="DiceRoll", turn=3, available={2: "1 Knight"}, rules=_LEAVING_STANDARD, **_SECOND_AWAY),
    ),
    EffectCase(
        Excuse(1, 3),
        "who is away already is skipped too",
        position(4, phase="Building", turn=3, rules=_LEAVING, away=(False, False, False, True)),
        position(4, phase="DiceRoll", turn=1, rules=_LEAVING, away=(False, False, True, True)),
    ),
    EffectCase(
        Excuse(2, 1),
        "the next player has won when their turn begins",
        position(3, phase="TradingBuilding", **_HAS_FIVE),
        position(3, phase="top", dice=0, turn=2, **_HAS_FIVE, **_FIRST_AWAY),
    ),
    EffectCase(
        Excuse(1, 2),
        "the first cards of a hand are taken, the turn stays",
        position(3, phase="Discarding", hands={2: "1 Lumber, 1 Brick, 1 Wool, 3 Grain, 3 Ore"}, rules=_LEAVING),
        position(3, phase="Discarding", hands={2: "2 Grain, 3 Ore"}, limits=(0, 5, 0), rules=_LEAVING, **_SECOND_AWAY),
    ),
    EffectCase(
        Excuse(2, 1),
        "who rolled the seven takes nothing, and discards",
        position(3, phase="Discarding", hands={1: "8 Ore"}, rules=_LEAVING),
        position(3, phase="DiceRoll", turn=2, hands={1: "4 Ore"}, rules=_LEAVING, **_FIRST_AWAY),
    ),
    EffectCase(
        Excuse(2, 1),
        "the bandit stays where it is",
        position(3, phase="MovingBandit", rules=_LEAVING),
        position(3, phase="DiceRoll", turn=2, rules=_LEAVING, **_FIRST_AWAY),
    ),
    EffectCase(
        Excuse(1, 3),
        "who was asked rejects",
        position(3, answers=("none", "accept", "asked"), **_OFFERED),
        position(3, answers=("none", "accept", "reject"), **_OFFERED, **_THIRD_AWAY),
    ),
    EffectCase(
        Excuse(1, 3),
        "who has accepted rejects",
        position(3, answers=("none", "reject", "accept"), **_OFFERED),
        position(3, answers=("none", "reject", "reject"), **_OFFERED, **_THIRD_AWAY),
    ),
    EffectCase(
        Excuse(2, 1),
        "the offer is withdrawn",
        position(3, answers=("none", "accept", "reject"), **_OFFERED),
        _WITHDRAWN,
    ),
    EffectCase(
        Excuse(1, 3),
        "their proposal is withdrawn, others' stand",
        position(3, phase="TradingBuilding", proposals={2: _FOR_WOOL, 3: _FOR_WOOL}, **_TALKED),
        position(3, phase="TradingBuilding", proposals={2: _FOR_WOOL}, **_TALKED, **_THIRD_AWAY),
    ),
    EffectCase(
        Excuse(2, 1),
        "proposals to who was at turn are over",
        position(3, phase="TradingBuilding", proposals={2: _FOR_WOOL, 3: _FOR_WOOL}, **_TALKED),
        position(3, phase="DiceRoll", turn=2, **_TALKED, **_FIRST_AWAY),
    ),
    EffectCase(
        Excuse(2, 1),
        "offers and proposals are counted anew, too",
        position(3, phase="TradingBuilding", made=(2, 0, 1), **_COUNTED),
        position(3, phase="DiceRoll", turn=2, **_COUNTED, **_FIRST_AWAY),
    ),
    EffectCase(
        Excuse(1, 2),
        "a share is due no more",
        position(3, phase="Drawing", call=CALLED_FOR_DICE, due=(False, True, False), rules=_LEAVING_JOINT),
        position(3, phase="Drawing", call=CALLED_FOR_DICE, rules=_LEAVING_JOINT, **_SECOND_AWAY),
    ),
    EffectCase(
        Excuse(3, 2),
        "others' shares are due still",
        position(4, phase="Drawing", call=CALLED_FOR_DICE, due=(False, True, True, True), rules=_LEAVING_JOINT),
        position(
            4,
            phase="Drawing",
            call=CALLED_FOR_DICE,
            due=(False, False, True, True),
            rules=_LEAVING_JOINT,
            away=(False, True, False, False),
        ),
    ),
    EffectCase(
        Excuse(2, 1),
        "others owe no shares of a roll that is not drawn",
        position(3, phase="Drawing", call=CALLED_FOR_DICE, due=(False, True, True), rules=_LEAVING_JOINT),
        position(3, phase="DiceRoll", turn=2, rules=_LEAVING_JOINT, **_FIRST_AWAY),
    ),
    EffectCase(
        Excuse(3, 2),
        "another has to discard still",
        position(4, phase="Discarding", hands={2: "8 Ore", 4: "9 Wool"}, rules=_LEAVING),
        position(
            4,
            phase="Discarding",
            hands={2: "4 Ore", 4: "9 Wool"},
            limits=(0, 4, 0, 5),
            rules=_LEAVING,
            away=(False, True, False, False),
        ),
    ),
    EffectCase(
        Excuse(2, 1),
        "another discards nothing once the turn is over",
        position(3, phase="Discarding", hands={3: "9 Wool"}, rules=_LEAVING),
        position(3, phase="DiceRoll", turn=2, hands={3: "9 Wool"}, rules=_LEAVING, **_FIRST_AWAY),
    ),
    EffectCase(
        Excuse(1, 3),
        "another is asked still",
        position(3, answers=("none", "asked", "asked"), **_OFFERED),
        position(3, answers=("none", "asked", "reject"), **_OFFERED, **_THIRD_AWAY),
    ),
    EffectCase(
        Excuse(2, 1),
        "nobody answers an offer that is withdrawn",
        position(3, answers=("none", "reject", "asked"), **_OFFERED),
        _WITHDRAWN,
    ),
    EffectCase(
        Excuse(2, 1),
        "what was called for is not drawn",
        position(3, phase="Drawing", call=CALLED_FOR_DICE, rules=_LEAVING_JOINT),
        position(3, phase="DiceRoll", turn=2, rules=_LEAVING_JOINT, **_FIRST_AWAY),
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
    ),
    EffectCase(
        Excuse(3, 2),
        "between two turns, what was called for is not drawn",
        _CARD_CALLED,
        position(3, phase="SpecialBuilding", builder=3, **_TWO_PAY, **_SECOND_AWAY),
    ),
    EffectCase(
        Excuse(3, 2),
        "between two turns, others owe no shares of what is not drawn",
        _CARD_CALLED._replace(due=(True, False, True)),
        position(3, phase="SpecialBuilding", builder=3, **_TWO_PAY, **_SECOND_AWAY),
    ),
    EffectCase(
        Excuse(3, 2),
        "between two turns nobody else builds",
        position(3, builder=2, **_BETWEEN),
        position(3, phase="DiceRoll", turn=3, rules=_LEAVING_STANDARD, **_SECOND_AWAY),
    ),
    EffectCase(
        Excuse(1, 3),
        "the last pledge is due no more",
        _PLEDGED_BY_OTHERS._replace(due=(False, False, True)),
        _PLEDGED_BY_OTHERS._replace(due=(False,) * 3, tp="bot", **_THIRD_AWAY),
    ),
    EffectCase(
        Excuse(3, 1),
        "another still has to pledge, before the next begins",
        _PLEDGED_BY_OTHERS._replace(due=(True, True, False)),
        _PLEDGED_BY_OTHERS._replace(due=(False, True, False), su_ap=2, first=2, ap=2, **_FIRST_AWAY),
    ),
    EffectCase(
        Excuse(2, 1),
        "without a pledge of the first, the next begins",
        _PLEDGED_BY_OTHERS._replace(due=(True, False, False)),
        _PLEDGED_BY_OTHERS._replace(due=(False,) * 3, tp="bot", su_ap=2, first=2, ap=2, **_FIRST_AWAY),
    ),
    EffectCase(
        Excuse(2, 1),
        "without a pledge of the first, the first turn is the next player's",
        initial_state(_OPENED_TO_LEAVE)._replace(due=(True, False, False)),
        initial_state(_OPENED_TO_LEAVE)._replace(
            due=(False,) * 3, tp="DiceRoll", su_ap=2, first=2, ap=2, **_FIRST_AWAY
        ),
    ),
    EffectCase(
        Excuse(3, 2),
        "who does not roll for the start has lost it",
        set_up(3, stage="Rolling", turn=2, rolls=(4, 0, 0), rules=_LEAVING_STANDARD),
        set_up(3, stage="Rolling", turn=3, rolls=(4, 1, 0), rules=_LEAVING_STANDARD, **_SECOND_AWAY),
    ),
    EffectCase(
        Excuse(1, 3),
        "all others have rolled",
        set_up(3, stage="Rolling", turn=3, rolls=(4, 9, 0), rules=_LEAVING_STANDARD),
        set_up(3, turn=2, first=2, rules=_LEAVING_STANDARD, **_THIRD_AWAY),
    ),
    EffectCase(
        Excuse(4, 3),
        "all others who are there have lost the roll for the start, and roll again",
        set_up(
            4, stage="Rolling", turn=3, rolls=(1, 1, 0, 1), rules=_LEAVING_STANDARD, away=(True, False, False, False)
        ),
        set_up(
            4, stage="Rolling", turn=2, rolls=(1, 0, 1, 0), rules=_LEAVING_STANDARD, away=(True, False, True, False)
        ),
    ),
    EffectCase(
        Excuse(2, 1),
        "the call for a roll for the start is dropped",
        set_up(3, stage="Rolling", rules=_LEAVING_JOINT)._replace(**CALLED_FOR_START),
        set_up(3, stage="Rolling", turn=2, rolls=(1, 0, 0), rules=_LEAVING_JOINT, **_FIRST_AWAY),
    ),
    EffectCase(
        Excuse(2, 1),
        "others owe no shares of a roll for the start that is not drawn",
        set_up(3, stage="Rolling", rules=_LEAVING_JOINT)._replace(**CALLED_FOR_START, due=(False, True, True)),
        set_up(3, stage="Rolling", turn=2, rolls=(1, 0, 0), rules=_LEAVING_JOINT, **_FIRST_AWAY),
    ),
    EffectCase(
        Excuse(1, 2),
        "another's call for a roll for the start stands",
        set_up(3, stage="Rolling", rules=_LEAVING_JOINT)._replace(**CALLED_FOR_START, due=(False, True, False)),
        set_up(3, stage="Rolling", rolls=(0, 1, 0), rules=_LEAVING_JOINT, **_SECOND_AWAY)._replace(**CALLED_FOR_START),
    ),
    EffectCase(
        Excuse(2, 1),
        "the first leaves before the first village",
        set_up(3, rules=_LEAVING),
        set_up(3, turn=2, first=2, rules=_LEAVING, **_FIRST_AWAY),
    ),
    EffectCase(
        Excuse(3, 2),
        "in the first round the next one places",
        set_up(3, turn=2, rules=_LEAVING, villages={1: (20,)}, roads={1: (23,)}),
        set_up(3, turn=3, rules=_LEAVING, villages={1: (20,)}, roads={1: (23,)}, **_SECOND_AWAY),
    ),
    EffectCase(
        Excuse(1, 3),
        "who was the last in the first round leaves",
        set_up(3, turn=3, rules=_LEAVING, **_ROUND_ONE),
        set_up(3, stage="PhaseTwo", turn=2, rules=_LEAVING, **_ROUND_ONE, **_THIRD_AWAY),
    ),
    EffectCase(
        Excuse(1, 3),
        "in the second round the one before places",
        set_up(3, stage="PhaseTwo", turn=3, rules=_LEAVING, **_ROUND_TWO),
        set_up(3, stage="PhaseTwo", turn=2, rules=_LEAVING, **_ROUND_TWO, **_THIRD_AWAY),
    ),
    EffectCase(
        Excuse(2, 1),
        "the first leaves before the last village, and the turns begin",
        set_up(3, stage="PhaseTwo", turn=1, rules=_LEAVING, **_BUT_FIRST),
        set_up(3, stage="PhaseTwo", turn=2, first=2, rules=_LEAVING, **_BUT_FIRST, **_FIRST_AWAY)._replace(
            tp="DiceRoll"
        ),
    ),
    EffectCase(
        Excuse(2, 1),
        "the first leaves before the last village, and the next has won",
        set_up(3, stage="PhaseTwo", turn=1, rules=_OF_TWO, **_BUT_FIRST),
        set_up(3, stage="PhaseTwo", turn=2, first=2, rules=_OF_TWO, **_BUT_FIRST, **_FIRST_AWAY)._replace(tp="top"),
    ),
    EffectCase(
        Excuse(2, 1),
        "who began has placed, and leaves while another places",
        set_up(3, turn=2, rules=_LEAVING, villages={1: (20,)}, roads={1: (23,)}),
        set_up(3, turn=2, first=2, rules=_LEAVING, villages={1: (20,)}, roads={1: (23,)}, **_FIRST_AWAY),
    ),
    EffectCase(
        Claim(1, 2),
        "the other has won",
        position(phase="Building", turn=2, rules=_LEAVING, bought={2: "1 Knight"}),
        position(phase="top", dice=0, rules=_LEAVING, available={2: "1 Knight"}, away=(False, True)),
    ),
    EffectCase(
        Claim(3, 2),
        "the last who is there has won, a card was called for",
        position(
            3, phase="Drawing", turn=2, call=CalledDraw("BuyDevCard", "TradingBuilding", 0, 0), **_PAYS, **_FIRST_AWAY
        ),
        position(3, phase="top", dice=0, turn=3, **_PAYS, away=(True, True, False)),
    ),
    EffectCase(
        OfferTrade(1, cards("1 Ore"), cards("1 Wool")),
        "who is away is not asked",
        position(3, **{**_OFFERED, "phase": "TradingBuilding", "offer": ("", "")}, **_THIRD_AWAY),
        position(3, answers=("none", "asked", "none"), **_OFFERED, **_THIRD_AWAY),
    ),
    EffectCase(
        Call(1, "RollDice"),
        "who is away owes no share",
        position(3, phase="DiceRoll", rules=_LEAVING_JOINT, **_THIRD_AWAY),
        position(
            3, phase="Drawing", call=CALLED_FOR_DICE, due=(False, True, False), rules=_LEAVING_JOINT, **_THIRD_AWAY
        ),
    ),
    EffectCase(
        RollDice(1, 7),
        "a seven takes the first cards of who is away",
        position(3, phase="DiceRoll", hands={3: "3 Lumber, 3 Brick, 2 Ore"}, rules=_LEAVING, **_THIRD_AWAY),
        position(3, phase="MovingBandit", hands={3: "2 Brick, 2 Ore"}, rules=_LEAVING, **_THIRD_AWAY),
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
    ),
    EffectCase(
        EmptyBuild(1),
        "who is away is skipped",
        position(3, rules=_LEAVING, **_SECOND_AWAY),
        position(3, phase="DiceRoll", turn=3, rules=_LEAVING, **_SECOND_AWAY),
    ),
    EffectCase(
        EmptyBuild(1),
        "who is away does not build between two turns",
        position(3, phase="TradingBuilding", hands={2: "1 Lumber, 1 Brick"}, rules=_LEAVING_STANDARD, **_SECOND_AWAY),
        position(3, phase="DiceRoll", turn=3, hands={2: "1 Lumber, 1 Brick"}, rules=_LEAVING_STANDARD, **_SECOND_AWAY),
    ),
)
