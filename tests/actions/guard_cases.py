"""For every guard of every action an instance in which this guard is broken and, where possible, no other."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from catan_p2p.actions import (
    Action,
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
    ProposeTrade,
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
from catan_p2p.cards import NO_CARDS
from catan_p2p.constants import STANDARD, STANDARD_FOR_SIX, THESIS, Rules
from catan_p2p.state import Called, Drawn, State, TurnPhase
from tests.actions.cases import GuardCase
from tests.actions.talk_cases import TALK_GUARDS
from tests.positions import cards, position, set_up

# One village and one road of player 1's are placed: player 2 is next, in the first or in the second stage.
_FIRST = {"turn": 2, "villages": {1: (20,)}, "roads": {1: (23,)}}
_SECOND = {"stage": "PhaseTwo", "turn": 2, "villages": {1: (20,), 2: (15,)}, "roads": {1: (23,), 2: (16,)}}
# A road of player 1's without the village that a real game would have beside it.
_STRAY_ROAD = {1: (23, 64), 2: (16,)}

_BY_DICE = replace(THESIS, start_order="dice")

_JOINT = replace(THESIS, chance="joint")
_JOINT_STANDARD = replace(STANDARD, chance="joint")


def _drawing(what: Drawn, phase: TurnPhase, to: int = 0, victim: int = 0, **position_of: Any) -> State:
    """A draw of player 1's that player 2 has revealed their share for."""
    return position(phase="Drawing", call=Called(what, phase, to, victim), rules=_JOINT, **position_of)


_ROBBED = {"hands": {2: "1 Ore, 1 Wool"}}
_WITH_KNIGHT = {"available": {1: "1 Knight"}, **_ROBBED}
_PRICE = {"hands": {1: "1 Wool, 1 Grain, 1 Ore"}}
_CALL_FOR_KNIGHT = Call(1, "PlayKnight", 8, 2)

_CHANCE = (
    GuardCase("PL1 phase", position(rules=_JOINT, due=(True, True)), Pledge(1)),
    GuardCase("PL2 due", position(phase="Pledging", rules=_JOINT, due=(False, True)), Pledge(1)),
    GuardCase("RV1 phase", position(rules=_JOINT, due=(True, True)), Reveal(1)),
    GuardCase("RV2 due", _drawing("RollDice", "DiceRoll", due=(False, True)), Reveal(1)),
    GuardCase("CA1 rule", position(phase="DiceRoll"), Call(1, "RollDice")),
    GuardCase("CA2 phase", position(rules=_JOINT), Call(1, "RollDice"), "for the dice"),
    GuardCase("CA2 phase", _drawing("RollDice", "DiceRoll", due=(False, True)), Call(1, "RollDice"), "twice"),
    GuardCase("CA2 phase", position(phase="DiceRoll", rules=_JOINT, **_WITH_KNIGHT), _CALL_FOR_KNIGHT, "for a knight"),
    GuardCase("CA2 phase", position(phase="Trading", rules=_JOINT, **_PRICE), Call(1, "BuyDevCard"), "for a card"),
    GuardCase("CA2 phase", position(rules=_JOINT, **_ROBBED), Call(1, "MoveBandit", 8, 2), "for the bandit"),
    GuardCase("CA3 stage", set_up(rules=_JOINT), Call(1, "RollForStart")),
    GuardCase("CA4 turn", position(phase="DiceRoll", rules=_JOINT), Call(2, "RollDice"), "of the dice"),
    GuardCase("CA4 turn", set_up(stage="Rolling", rules=_JOINT), Call(2, "RollForStart"), "of a roll for the start"),
    GuardCase(
        "CA4 turn",
        position(
            6,
            phase="SpecialBuilding",
            builder=3,
            rules=replace(STANDARD_FOR_SIX, chance="joint"),
            hands={1: "1 Wool, 1 Grain, 1 Ore", 3: "1 Wool, 1 Grain, 1 Ore"},
        ),
        Call(1, "BuyDevCard"),
        "of a card between two turns",
    ),
    GuardCase(
        "CA5 discards",
        position(phase="Discarding", rules=_JOINT, hands={2: "4 Ore, 4 Wool"}),
        Call(1, "MoveBandit", 8, 2),
    ),
    GuardCase("CA6 cost", position(rules=_JOINT), Call(1, "BuyDevCard")),
    GuardCase("CA7 available", position(rules=_JOINT, **_ROBBED), _CALL_FOR_KNIGHT),
    GuardCase(
        "CA8 limit",
        position(phase="TradingBuilding", rules=_JOINT_STANDARD, played=1, **_WITH_KNIGHT),
        _CALL_FOR_KNIGHT,
    ),
    GuardCase("CA9 plain", position(phase="DiceRoll", rules=_JOINT), Call(1, "RollDice", 8), "a tile"),
    GuardCase("CA9 plain", position(phase="DiceRoll", rules=_JOINT), Call(1, "RollDice", 0, 2), "a victim"),
    GuardCase("CA10 elsewhere", position(rules=_JOINT, bandit=8, **_WITH_KNIGHT), _CALL_FOR_KNIGHT),
    GuardCase(
        "CA11 land",
        position(rules=_JOINT, villages={2: (1, 36)}, **_WITH_KNIGHT),
        Call(1, "PlayKnight", 1, 2),
    ),
    GuardCase(
        "CA12 target",
        position(rules=_JOINT, **_WITH_KNIGHT),
        Call(1, "PlayKnight", 32, 0),
        "nobody has settled there",
        ("CA14 open",),
    ),
    GuardCase("CA13 victim", position(3, rules=_JOINT, **_WITH_KNIGHT), Call(1, "PlayKnight", 7, 2), "elsewhere"),
    GuardCase(
        "CA13 victim",
        position(rules=_JOINT, available={1: "1 Knight"}, hands={1: "1 Ore, 1 Wool"}),
        Call(1, "PlayKnight", 8, 1),
        "themselves",
    ),
    GuardCase(
        "CA14 open",
        position(rules=_JOINT, available={1: "1 Knight"}, hands={2: "3 Ore"}),
        _CALL_FOR_KNIGHT,
        "all alike",
    ),
    GuardCase("CA14 open", position(rules=_JOINT, available={1: "1 Knight"}), _CALL_FOR_KNIGHT, "an empty hand"),
    GuardCase(
        "CA14 open",
        position(rules=replace(_JOINT, dev_card_pool=cards("2 Knight")), **_PRICE),
        Call(1, "BuyDevCard"),
        "one type of card left",
    ),
    GuardCase(
        "CA14 open", position(phase="DiceRoll", rules=replace(_JOINT, dice=(4,))), Call(1, "RollDice"), "one sum"
    ),
    GuardCase("RS4 drawn", set_up(stage="Rolling", rules=_JOINT), RollForStart(1, 6)),
    GuardCase("RD4 drawn", position(phase="DiceRoll", rules=_JOINT), RollDice(1, 6), "no call"),
    GuardCase("RD4 drawn", _drawing("RollDice", "DiceRoll", due=(False, True)), RollDice(1, 6), "a share is due"),
    GuardCase(
        "RD4 drawn",
        _drawing("PlayKnight", "DiceRoll", 8, 2, **_WITH_KNIGHT),
        RollDice(1, 6),
        "something else was called for",
    ),
    GuardCase(
        "MB9 drawn", position(phase="MovingBandit", rules=_JOINT, **_ROBBED), MoveBandit(1, 8, 2, "Ore"), "no call"
    ),
    GuardCase(
        "MB9 drawn",
        _drawing("MoveBandit", "MovingBandit", 13, 2, **_ROBBED),
        MoveBandit(1, 8, 2, "Ore"),
        "another tile",
    ),
    GuardCase(
        "MB9 drawn",
        _drawing(
            "MoveBandit",
            "MovingBandit",
            8,
            2,
            players=3,
            hands={2: "1 Ore, 1 Wool", 3: "1 Ore, 1 Wool"},
            villages={3: (7, 54), 2: (15, 36)},
        ),
        MoveBandit(1, 8, 3, "Ore"),
        "another victim",
    ),
    GuardCase("BD5 drawn", position(rules=_JOINT, **_PRICE), BuyDevCard(1, "Knight")),
    GuardCase("PK10 drawn", position(rules=_JOINT, **_WITH_KNIGHT), PlayKnight(1, 8, 2, "Ore"), "no call"),
    GuardCase(
        "PK10 drawn",
        _drawing("BuyDevCard", "Building", available={1: "1 Knight"}, hands={2: "2 Ore"}),
        PlayKnight(1, 8, 2, "Ore"),
        "needs no draw, while another is under way",
    ),
)

_START = (
    GuardCase("RS1 phase", set_up(rules=_BY_DICE), RollForStart(1, 6)),
    GuardCase(
        "RS1 phase",
        set_up(stage="Rolling", rules=replace(_BY_DICE, dice=(6,)))._replace(tp="Pledging"),
        RollForStart(1, 6),
        "before the pledges",
    ),
    GuardCase("RS2 turn", set_up(stage="Rolling", rules=_BY_DICE), RollForStart(2, 6)),
    GuardCase("RS3 dice", set_up(stage="Rolling", rules=replace(_BY_DICE, dice=(6, 7, 8))), RollForStart(1, 9)),
)

_SETUP = (
    GuardCase("SO1 phase", set_up(**_FIRST)._replace(tp="Trading"), SetupPhaseOne(2, 43, 64)),
    GuardCase("SO2 stage", set_up(**_SECOND), SetupPhaseOne(2, 43, 64)),
    GuardCase("SO3 turn", set_up(**_FIRST), SetupPhaseOne(1, 43, 64)),
    GuardCase("SO4 free", set_up(**_FIRST), SetupPhaseOne(2, 20, 22)),
    GuardCase("SO5 distance", set_up(**_FIRST), SetupPhaseOne(2, 19, 21)),
    GuardCase("SO6 bandit", set_up(**_FIRST), SetupPhaseOne(2, 22, 25)),
    GuardCase("SO7 road_free", set_up(**{**_FIRST, "roads": _STRAY_ROAD}), SetupPhaseOne(2, 43, 64)),
    GuardCase("SO8 touch", set_up(**_FIRST), SetupPhaseOne(2, 43, 1)),
    # Whoever touches a road beside the bandit is beside the bandit: never broken alone.
    GuardCase("SO9 road_bandit", set_up(**_FIRST), SetupPhaseOne(2, 22, 26), also=("SO6 bandit",)),
    GuardCase("ST1 phase", set_up(**_SECOND)._replace(tp="Trading"), SetupPhaseTwo(2, 43, 64)),
    GuardCase("ST2 stage", set_up(**_FIRST), SetupPhaseTwo(2, 43, 64)),
    GuardCase("ST3 turn", set_up(**_SECOND), SetupPhaseTwo(1, 43, 64)),
    GuardCase("ST4 free", set_up(**_SECOND), SetupPhaseTwo(2, 20, 22), "an adversary's village"),
    GuardCase("ST4 free", set_up(**_SECOND), SetupPhaseTwo(2, 15, 17), "an own village"),
    GuardCase("ST5 distance", set_up(**_SECOND), SetupPhaseTwo(2, 19, 21), "to an adversary"),
    GuardCase("ST5 distance", set_up(**_SECOND), SetupPhaseTwo(2, 12, 12), "to an own village"),
    GuardCase("ST6 bandit", set_up(**_SECOND), SetupPhaseTwo(2, 22, 25)),
    GuardCase("ST7 road_free", set_up(**{**_SECOND, "roads": _STRAY_ROAD}), SetupPhaseTwo(2, 43, 64)),
    GuardCase("ST8 touch", set_up(**_SECOND), SetupPhaseTwo(2, 43, 1)),
    GuardCase("ST9 road_bandit", set_up(**_SECOND), SetupPhaseTwo(2, 22, 26), also=("ST6 bandit",)),
    GuardCase(
        "ST10 stock", set_up(**_SECOND, rules=Rules(resource_pool=cards("19 Ore, 19 Grain"))), SetupPhaseTwo(2, 43, 64)
    ),
)

_ROLL = position(phase="DiceRoll")
_HALVES = {1: "8 Wool", 2: "2 Ore, 7 Brick"}
_DISCARDING = position(phase="Discarding", hands=_HALVES)

_DICE = (
    GuardCase("RD1 phase", position(phase="Trading"), RollDice(1, 8)),
    GuardCase("RD2 turn", _ROLL, RollDice(2, 8)),
    GuardCase("RD3 dice", position(phase="DiceRoll", rules=Rules(dice=(6, 7, 8))), RollDice(1, 9)),
    GuardCase("DI1 phase", _DISCARDING._replace(tp="MovingBandit"), Discard(1, cards("4 Wool"))),
    GuardCase(
        "DI2 owes",
        position(phase="Discarding", hands={1: "8 Wool", 2: "7 Brick"}),
        Discard(2, NO_CARDS),
        "a small hand",
    ),
    GuardCase(
        "DI2 owes",
        position(phase="Discarding", hands={1: "8 Wool", 2: "5 Brick"}, limits=(4, 5)),
        Discard(2, NO_CARDS),
        "done already",
    ),
    GuardCase("DI3 amount", _DISCARDING, Discard(1, cards("3 Wool")), "too few"),
    GuardCase("DI3 amount", _DISCARDING, Discard(1, cards("5 Wool")), "too many"),
    GuardCase("DI4 hand", _DISCARDING, Discard(2, cards("3 Ore, 1 Brick"))),
)


def _robbery(numbers: str, kind: Any, phases: tuple[str, str], **given: Any) -> tuple[GuardCase, ...]:
    """The guards that MoveBandit and PlayKnight share; their tags differ in ``numbers`` only."""
    phase, other = phases
    coast = {"villages": {2: (7, 36)}, "roads": {2: (6, 57)}}
    tag = dict(zip(("elsewhere", "land", "target", "victim", "card"), numbers.split(), strict=True))

    def case(word: str, state: State, action: Action, why: str = "") -> GuardCase:
        return GuardCase(f"{tag[word]} {word}", state, action, why)

    ore = position(3, phase=phase, hands={2: "1 Ore"}, **given)
    return (
        case("elsewhere", position(phase=other, bandit=13, hands={2: "1 Ore"}, **given), kind(1, 13, 2, "Ore")),
        case("land", position(phase=other, hands={2: "1 Ore"}, **coast, **given), kind(1, 4, 2, "Ore")),
        case("target", ore, kind(1, 18, 0, "none"), "an own village only"),
        case("target", ore, kind(1, 21, 0, "none"), "nobody's tile"),
        case("victim", ore, kind(1, 13, 0, "none"), "nobody, though there is one"),
        case("victim", ore, kind(1, 12, 2, "Ore"), "an adversary elsewhere"),
        case(
            "victim",
            position(phase=phase, villages={1: (12, 43)}, hands={1: "1 Ore"}, **given),
            kind(1, 13, 1, "Ore"),
            "the player",
        ),
        case("card", ore, kind(1, 13, 2, "Wool"), "one the victim lacks"),
        case("card", ore, kind(1, 13, 2, "none"), "none, though there are some"),
        case("card", position(phase=phase, **given), kind(1, 13, 2, "Ore"), "one of an empty hand"),
    )


_KNIGHT = {"available": {1: "1 Knight", 2: "1 Knight"}}

_BANDIT = (
    GuardCase("MB1 phase", position(phase="Trading", hands={2: "1 Ore"}), MoveBandit(1, 13, 2, "Ore")),
    GuardCase("MB2 turn", position(phase="MovingBandit", hands={1: "1 Ore"}), MoveBandit(2, 18, 1, "Ore")),
    GuardCase(
        "MB3 discards",
        position(phase="Discarding", hands={1: "9 Wool", 2: "1 Ore"}),
        MoveBandit(1, 13, 2, "Ore"),
        "of the player",
    ),
    GuardCase(
        "MB3 discards", position(phase="Discarding", hands={2: "9 Ore"}), MoveBandit(1, 13, 2, "Ore"), "of others"
    ),
    *_robbery("MB4 MB5 MB6 MB7 MB8", MoveBandit, ("MovingBandit", "Discarding")),
    GuardCase("PK1 phase", position(phase="DiceRoll", hands={2: "1 Ore"}, **_KNIGHT), PlayKnight(1, 13, 2, "Ore")),
    GuardCase("PK2 turn", position(hands={1: "1 Ore"}, **_KNIGHT), PlayKnight(2, 18, 1, "Ore")),
    GuardCase("PK3 available", position(hands={2: "1 Ore"}), PlayKnight(1, 13, 2, "Ore"), "none"),
    GuardCase(
        "PK3 available",
        position(hands={2: "1 Ore"}, bought={1: "1 Knight"}, unveiled={1: "1 Knight"}),
        PlayKnight(1, 13, 2, "Ore"),
        "bought this turn",
    ),
    *_robbery("PK4 PK5 PK6 PK7 PK8", PlayKnight, ("Trading", "Building"), **_KNIGHT),
    *(
        GuardCase(
            "PK9 limit",
            position(phase=phase, played=1, hands={2: "1 Ore"}, rules=STANDARD, **_KNIGHT),
            PlayKnight(1, 13, 2, "Ore"),
            phase,
        )
        for phase in ("DiceRoll", "TradingBuilding")
    ),
)

_WHARFS = {"villages": {1: (17, 50)}, "roads": {1: (19, 66)}}


def _trade(letters: str, kind: Any, rate: int) -> tuple[GuardCase, ...]:
    """The guards that the three trades share."""

    def trading(phase: str = "Trading", **given: Any) -> State:
        return position(phase=phase, **_WHARFS, **given)

    rich = {1: f"{rate} Lumber", 2: f"{rate} Lumber"}
    return (
        GuardCase(f"{letters}1 phase", trading("Building", hands=rich), kind(1, "Lumber", "Ore")),
        GuardCase(f"{letters}2 turn", trading(hands=rich, turn=2), kind(1, "Lumber", "Ore")),
        GuardCase(f"{letters}3 hand", trading(hands={1: f"{rate - 1} Lumber, 4 Wool"}), kind(1, "Lumber", "Ore")),
        GuardCase(f"{letters}4 bank", trading(hands={**rich, 2: "19 Ore"}), kind(1, "Lumber", "Ore")),
        GuardCase(f"{letters}5 differ", trading(hands=rich), kind(1, "Lumber", "Lumber")),
    )


_TRADES = (
    GuardCase("ET1 phase", position(phase="Building"), EmptyTrade(1)),
    GuardCase("ET2 turn", position(phase="Trading"), EmptyTrade(2)),
    *_trade("TF", TradeFourToOne, 4),
    *_trade("TT", TradeThreeToOne, 3),
    GuardCase(
        "TT6 wharf",
        position(phase="Trading", hands={1: "3 Lumber"}),
        TradeThreeToOne(1, "Lumber", "Ore"),
        "none at all",
    ),
    GuardCase(
        "TT6 wharf",
        position(phase="Trading", villages={1: (17, 43)}, roads={1: (19, 64)}, hands={1: "3 Lumber"}),
        TradeThreeToOne(1, "Lumber", "Ore"),
        "a wharf for one resource",
    ),
    *_trade("TW", TradeTwoToOne, 2),
    GuardCase("TW6 wharf", position(phase="Trading", hands={1: "2 Wool"}, **_WHARFS), TradeTwoToOne(1, "Wool", "Ore")),
    GuardCase(
        "TW6 wharf",
        position(phase="Trading", hands={1: "2 Ore"}, **_WHARFS),
        TradeTwoToOne(1, "Ore", "Lumber"),
        "of what is received",
    ),
)

_TWO_HANDS = {1: "2 Ore, 1 Wool", 2: "1 Brick, 1 Wool"}


def _offering(give: str, receive: str) -> OfferTrade:
    return OfferTrade(1, cards(give), cards(receive))


def _trading(players: int = 2, **given: Any) -> State:
    """The phase for trading and building of the rule book."""
    return position(players, **{"phase": "TradingBuilding", "hands": _TWO_HANDS, "rules": STANDARD, **given})


def _asking(*answers: Any, phase: str = "Offering", turn: int = 1) -> State:
    """Player 1 offers an ore for a wool to two who have one, or any other of the three does."""
    everybody = dict.fromkeys((1, 2, 3), "1 Wool, 1 Ore")
    return position(
        3, phase=phase, turn=turn, hands=everybody, offer=("1 Ore", "1 Wool"), answers=answers, rules=STANDARD
    )


_DOMESTIC = (
    GuardCase("OT1 rule", _trading(rules=replace(STANDARD, domestic_trade=False)), _offering("1 Ore", "1 Brick")),
    *(
        GuardCase("OT2 phase", _trading(phase=phase), _offering("1 Ore", "1 Brick"), phase)
        for phase in ("DiceRoll", "Building", "Offering", "MovingBandit")
    ),
    GuardCase("OT3 turn", _trading(turn=2), _offering("1 Ore", "1 Brick")),
    GuardCase("OT4 give", _trading(), _offering("", "1 Brick"), "nothing"),
    GuardCase("OT4 give", _trading(hands={1: "5 Ore", 2: "1 Brick"}), _offering("5 Ore", "1 Brick"), "five cards"),
    GuardCase("OT5 receive", _trading(), _offering("1 Ore", ""), "nothing: a gift"),
    GuardCase("OT5 receive", _trading(hands={1: "1 Ore", 2: "5 Wool"}), _offering("1 Ore", "5 Wool"), "five cards"),
    GuardCase("OT6 differ", _trading(), _offering("1 Wool", "1 Wool"), "like for like"),
    GuardCase("OT6 differ", _trading(), _offering("1 Ore, 1 Wool", "1 Wool"), "like for like in part"),
    GuardCase("OT7 hand", _trading(), _offering("3 Ore", "1 Brick"), "not enough of it"),
    GuardCase("OT7 hand", _trading(), _offering("1 Grain", "1 Brick"), "none of it"),
    GuardCase("OT8 taker", _trading(), _offering("1 Ore", "2 Brick"), "nobody has as many"),
    GuardCase("OT8 taker", _trading(hands={1: "1 Ore, 1 Grain"}), _offering("1 Ore", "1 Grain"), "only the player"),
    GuardCase(
        "OT8 taker",
        _trading(3, hands={1: "1 Ore", 2: "1 Brick", 3: "1 Wool"}),
        _offering("1 Ore", "1 Brick, 1 Wool"),
        "only two together",
    ),
    GuardCase("AT1 phase", _asking("none", "asked", "asked", phase="TradingBuilding"), AnswerTrade(2, "accept")),
    GuardCase("AT2 asked", _asking("none", "accept", "asked"), AnswerTrade(2, "reject"), "answered already"),
    GuardCase("AT2 asked", _asking("none", "none", "asked"), AnswerTrade(2, "accept"), "cannot pay"),
    GuardCase("AT2 asked", _asking("none", "asked", "asked"), AnswerTrade(1, "accept"), "the active player"),
    GuardCase("CT1 phase", _asking("none", "accept", "accept", phase="TradingBuilding"), ConcludeTrade(1, 2)),
    GuardCase("CT2 turn", _asking("none", "accept", "accept"), ConcludeTrade(3, 2)),
    GuardCase("CT3 answers", _asking("none", "accept", "asked"), ConcludeTrade(1, 2)),
    GuardCase("CT4 accepted", _asking("none", "accept", "reject"), ConcludeTrade(1, 3), "rejected"),
    GuardCase("CT4 accepted", _asking("none", "accept", "none"), ConcludeTrade(1, 3), "not asked"),
    GuardCase("CT4 accepted", _asking("none", "accept", "accept"), ConcludeTrade(1, 1), "the player"),
    GuardCase("WT1 phase", _asking("none", "reject", "reject", phase="TradingBuilding"), WithdrawTrade(1)),
    GuardCase("WT2 turn", _asking("none", "reject", "reject"), WithdrawTrade(2)),
    GuardCase("WT3 answers", _asking("none", "reject", "asked"), WithdrawTrade(1)),
)

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
    return position(3, phase="SpecialBuilding", builder=2, rules=STANDARD_FOR_SIX, **given)


_BUILDING = (
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


def _play(letters: str, card: str, limit: str, kind: Any, *parameters: Any) -> tuple[GuardCase, ...]:
    """The first three guards of a progress card."""
    both = {"available": {1: f"1 {card}", 2: f"1 {card}"}}
    return (
        *(
            GuardCase(f"{letters}1 phase", position(phase=phase, **both), kind(1, *parameters), phase)
            for phase in ("DiceRoll", "Discarding", "MovingBandit", "top")
        ),
        *(
            GuardCase(
                f"{letters}1 phase",
                position(phase=phase, rules=STANDARD, **both),
                kind(1, *parameters),
                f"{phase} by the rule book",
            )
            for phase in ("Discarding", "MovingBandit", "Offering", "SpecialBuilding", "top")
        ),
        GuardCase(f"{letters}2 turn", position(turn=2, **both), kind(1, *parameters)),
        GuardCase(f"{letters}3 available", position(available={2: f"1 {card}"}), kind(1, *parameters), "none"),
        GuardCase(f"{letters}3 available", position(bought={1: f"1 {card}"}), kind(1, *parameters), "bought this turn"),
        *_limit(limit, kind(1, *parameters), **both),
    )


def _limit(tag: str, action: Action, **given: Any) -> tuple[GuardCase, ...]:
    """One card a turn, before or after the dice."""
    return tuple(
        GuardCase(f"{tag} limit", position(phase=phase, played=1, rules=STANDARD, **given), action, phase)
        for phase in ("DiceRoll", "TradingBuilding")
    )


_TWO_ROADS = {"available": {1: "1 RoadBuilding"}}
_SINGLE = replace(THESIS, road_building_needs=1)

_PROGRESS = (
    *_play("PM", "Monopoly", "PM4", PlayMonopoly, "Ore"),
    *_play("PY", "YearOfPlenty", "PY5", PlayYearOfPlenty, "Ore", "Wool"),
    *(
        GuardCase(
            "PY4 stock",
            position(hands={2: hand}, available={1: "1 YearOfPlenty"}),
            PlayYearOfPlenty(1, *wanted),
            why,
        )
        for hand, wanted, why in (
            ("19 Ore", ("Ore", "Wool"), "none of the first"),
            ("19 Ore", ("Wool", "Ore"), "none of the second"),
            ("18 Ore", ("Ore", "Ore"), "one for two"),
        )
    ),
    *_play("PR", "RoadBuilding", "PR14", PlayRoadBuilding, 22, 55),
    GuardCase(
        "PR4 supply",
        position(rules=Rules(roads=3), **_TWO_ROADS),
        PlayRoadBuilding(1, 22, 55),
        also=("PR12 second_supply",),
    ),
    GuardCase("PR5 free", position(**_TWO_ROADS), PlayRoadBuilding(1, 23, 55), "an own road"),
    GuardCase(
        "PR5 free", position(roads={2: (16, 57, 22)}, **_TWO_ROADS), PlayRoadBuilding(1, 22, 55), "an adversary's road"
    ),
    GuardCase("PR6 network", position(**_TWO_ROADS), PlayRoadBuilding(1, 1, 55), "far off"),
    GuardCase("PR6 network", position(**_TWO_ROADS), PlayRoadBuilding(1, 19, 22), "in the wrong order"),
    GuardCase("PR7 bandit", position(bandit=17, **_TWO_ROADS), PlayRoadBuilding(1, 22, 55)),
    GuardCase("PR8 differ", position(**_TWO_ROADS), PlayRoadBuilding(1, 22, 22)),
    GuardCase("PR9 second_free", position(**_TWO_ROADS), PlayRoadBuilding(1, 55, 23), "an own road"),
    GuardCase(
        "PR9 second_free",
        position(roads={2: (16, 57, 22)}, **_TWO_ROADS),
        PlayRoadBuilding(1, 55, 22),
        "an adversary's road",
    ),
    GuardCase("PR10 second_network", position(**_TWO_ROADS), PlayRoadBuilding(1, 55, 1), "far off"),
    GuardCase(
        "PR10 second_network",
        position(roads={1: (23, 64)}, villages={2: (11, 36)}, **_TWO_ROADS),
        PlayRoadBuilding(1, 21, 10),
        "through an adversary's village",
    ),
    GuardCase("PR11 second_bandit", position(bandit=17, **_TWO_ROADS), PlayRoadBuilding(1, 55, 22)),
    GuardCase(
        "PR4 supply",
        position(rules=replace(_SINGLE, roads=2), **_TWO_ROADS),
        PlayRoadBuilding(1, 22, 0),
        "none at all",
        also=("PR13 single",),
    ),
    GuardCase(
        "PR12 second_supply", position(rules=replace(_SINGLE, roads=3), **_TWO_ROADS), PlayRoadBuilding(1, 22, 55)
    ),
    GuardCase(
        "PR13 single", position(rules=_SINGLE, **_TWO_ROADS), PlayRoadBuilding(1, 22, 0), "there is room for two"
    ),
    GuardCase("PR13 single", position(**_TWO_ROADS), PlayRoadBuilding(1, 22, 0), "by the thesis's rules"),
)

_LEAVING = replace(THESIS, leaving=True)
_SECOND_AWAY = {"away": (False, True, False), "rules": _LEAVING}

_ABSENCE = (
    GuardCase("VO1 rule", position(3), Vote(2, 1, "yes")),
    GuardCase("VO2 phase", position(3, phase="top", rules=_LEAVING), Vote(2, 1, "yes")),
    GuardCase("VO3 seat", position(4, rules=_LEAVING, away=(False, True, False, False)), Vote(2, 1, "no")),
    GuardCase("VO4 other", position(3, rules=_LEAVING), Vote(1, 1, "yes")),
    GuardCase("VO5 players", position(rules=_LEAVING), Vote(2, 1, "yes"), "two play"),
    GuardCase("VO5 players", position(3, **_SECOND_AWAY), Vote(3, 1, "yes"), "two are left"),
    GuardCase("VO6 awaited", position(3, rules=_LEAVING), Vote(1, 2, "yes"), "their turn comes later"),
    GuardCase(
        "VO6 awaited",
        position(3, phase="Discarding", hands={2: "8 Ore"}, rules=_LEAVING),
        Vote(3, 1, "yes"),
        "another still has to discard",
    ),
    GuardCase(
        "VO6 awaited",
        position(3, phase="Discarding", hands={2: "8 Ore"}, rules=_LEAVING),
        Vote(1, 3, "yes"),
        "another still has to discard, they have not",
    ),
    GuardCase(
        "PT10 seat",
        position(
            3,
            phase="TradingBuilding",
            hands={2: "1 Wool"},
            rules=replace(STANDARD, table_talk=True, leaving=True),
            away=(False, True, False),
        ),
        ProposeTrade(2, cards("1 Wool"), cards("1 Ore")),
    ),
    GuardCase("EX1 rule", position(3), Excuse(2, 1)),
    GuardCase("EX2 phase", position(3, phase="top", rules=_LEAVING), Excuse(2, 1)),
    GuardCase("EX3 seat", position(4, rules=_LEAVING, away=(False, True, False, False)), Excuse(1, 2)),
    GuardCase("EX4 players", position(rules=_LEAVING), Excuse(2, 1), "two play"),
    GuardCase("EX4 players", position(3, **_SECOND_AWAY), Excuse(3, 1), "two are left"),
    GuardCase(
        "EX5 replies",
        position(3, phase="Discarding", hands={2: "8 Ore", 3: "8 Wool"}, rules=_LEAVING),
        Excuse(1, 2),
        "a discard",
    ),
    GuardCase(
        "EX5 replies",
        position(
            3,
            phase="Offering",
            answers=("none", "asked", "asked"),
            offer=("1 Ore", "1 Wool"),
            hands={1: "1 Ore", 2: "1 Wool", 3: "1 Wool"},
            rules=replace(STANDARD, leaving=True),
        ),
        Excuse(1, 2),
        "an answer",
    ),
    GuardCase(
        "EX5 replies",
        position(
            3,
            phase="Drawing",
            call=Called("RollDice", "DiceRoll", 0, 0),
            due=(False, True, True),
            rules=replace(_JOINT, leaving=True),
        ),
        Excuse(1, 2),
        "a share",
    ),
    GuardCase("EX6 turn", position(3, rules=_LEAVING), Excuse(3, 1), "not the next"),
    GuardCase("EX6 turn", position(3, rules=_LEAVING), Excuse(1, 1), "themselves"),
    GuardCase(
        "EX6 turn",
        position(3, phase="Discarding", hands={2: "8 Ore"}, rules=_LEAVING),
        Excuse(3, 2),
        "another's turn",
    ),
    GuardCase("CL1 rule", position(), Claim(2, 1)),
    GuardCase("CL2 phase", position(phase="top", rules=_LEAVING), Claim(2, 1)),
    GuardCase("CL3 players", position(3, rules=_LEAVING), Claim(2, 1), "three play"),
    GuardCase("CL3 players", position(rules=_LEAVING), Claim(1, 1), "themselves"),
    GuardCase("CL3 players", position(3, **_SECOND_AWAY), Claim(2, 1), "by one who is away"),
    GuardCase("CL4 awaited", position(rules=_LEAVING), Claim(1, 2)),
    GuardCase(
        "CL5 replies",
        position(phase="Discarding", hands={1: "8 Ore", 2: "8 Wool"}, rules=_LEAVING),
        Claim(1, 2),
    ),
)

GUARD_CASES: tuple[GuardCase, ...] = (
    *_CHANCE,
    *_ABSENCE,
    *_START,
    *_SETUP,
    *_DICE,
    *_BANDIT,
    *_TRADES,
    *_DOMESTIC,
    *_BUILDING,
    *_PROGRESS,
    *TALK_GUARDS,
)
"""At least one case for each guard of each action."""
