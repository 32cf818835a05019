"""For every part of every invariant a state in which it is broken, and the sound state from which it departs."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, NamedTuple

from catan_p2p.board import as_points
from catan_p2p.cards import ONE, pack
from catan_p2p.constants import STANDARD, STANDARD_FOR_SIX, THESIS, Constants
from catan_p2p.state import (
    NO_CALL,
    NO_OFFER,
    Bank,
    Buildings,
    Called,
    Hand,
    Offer,
    Settlements,
    State,
    initial_state,
)
from tests.positions import cards, position, set_up


class BrokenState(NamedTuple):
    """A sound state, and changes after which one invariant is the first that does not hold."""

    invariant: str
    what: str
    sound: State
    changes: dict[str, Any]

    @property
    def state(self) -> State:
        """The state in which the invariant is broken."""
        return self.sound._replace(**self.changes)

    @property
    def name(self) -> str:
        """Invariant and what breaks it."""
        return f"{self.invariant}: {self.what}"


_SOUND = position(
    hands={1: "2 Ore", 2: "1 Wool"},
    bought={1: "1 Knight"},
    available={2: "1 Monopoly"},
    unveiled={1: "1 VictoryPoint"},
    discarded="1 RoadBuilding",
)
_HAND, _OTHER_HAND = _SOUND.h


def _type(what: str, **changes: Any) -> BrokenState:
    return BrokenState("TypeOK", what, _SOUND, changes)


def _first_hand(**changes: int) -> tuple[Hand, ...]:
    return (_HAND._replace(**changes), _OTHER_HAND)


_TYPES = (
    _type("nobody's turn in the set-up", su_ap=0),
    _type("a third of two players in the set-up", su_ap=3),
    _type("nobody's turn", ap=0),
    _type("a third of two players", ap=3),
    _type("a longest road below nobody", lr=-1),
    _type("a longest road of a third of two players", lr=3),
    _type("a largest army below nobody", la=-1),
    _type("a largest army of a third of two players", la=3),
    _type("one limit for two players", lim=(0,)),
    _type("a limit below none", lim=(0, -1)),
    _type("a limit above all cards", lim=(96, 0)),
    _type("a third stage", sup="PhaseThree"),
    _type("an unknown phase", tp="Resting"),
    _type("a sum no dice show", dice=13),
    _type("the bandit before the first tile", ba=0),
    _type("the bandit behind the last tile", ba=38),
    _type("nobody begins", first=0),
    _type("a third of two players begins", first=3),
    _type("one roll for two players", rolls=(0,)),
    _type("a roll that no dice show", rolls=(0, 13)),
    _type("less than no card played", pd=-1),
    _type("a card counted where none are", pd=1),
    _type("a special builder below nobody", sb=-1),
    _type("a third of two players builds", sb=3),
    _type("less than no card offered", offer=Offer(-1, 0)),
    _type("less than no card wanted", offer=Offer(0, -1)),
    _type("cards offered where nobody offers", offer=Offer(cards("1 Ore"), 0)),
    _type("cards wanted where nobody offers", offer=Offer(0, cards("1 Ore"))),
    _type("one proposal for two players", prop=(NO_OFFER,)),
    _type("less than no card proposed", prop=(NO_OFFER, Offer(-1, 0))),
    _type("one answer for two players", ans=("none",)),
    _type("an unknown answer", ans=("none", "perhaps")),
    _type("one share for two players", due=(False,)),
    _type("a call for an unknown action", call=NO_CALL._replace(what="Rest")),
    _type("a call in an unknown phase", call=NO_CALL._replace(tp="Resting")),
    _type("a call for a tile below none", call=NO_CALL._replace(to=-1)),
    _type("a call for a victim below nobody", call=NO_CALL._replace(victim=-1)),
    _type("a third hand of two players", h=(*_SOUND.h, Hand(0, 0, 0, 0))),
    _type("one resource card too few in the bank", bnk=_SOUND.bnk._replace(rc=_SOUND.bnk.rc - 20 * ONE["Wool"])),
    _type("one development card too few in the bank", bnk=_SOUND.bnk._replace(dc=_SOUND.bnk.dc - 3 * ONE["Monopoly"])),
    _type("one resource card too few in a hand", h=_first_hand(rc=_HAND.rc - ONE["Lumber"])),
    _type("one bought card too few", h=_first_hand(bc=_HAND.bc - 2 * ONE["Knight"])),
    _type("one available card too few", h=_first_hand(ac=_HAND.ac - ONE["Knight"])),
    _type("one unveiled card too few", h=_first_hand(uc=_HAND.uc - 2 * ONE["VictoryPoint"])),
    _type("one played card too few", dp=_SOUND.dp - 2 * ONE["RoadBuilding"]),
    _type("a victory point among the bought cards", h=_first_hand(bc=cards("1 Knight, 1 VictoryPoint"))),
    _type("a victory point among the available cards", h=_first_hand(ac=cards("1 VictoryPoint"))),
    _type("a progress card among the unveiled cards", h=_first_hand(uc=cards("1 VictoryPoint, 1 Monopoly"))),
    _type("a knight in the discard pile", dp=cards("1 RoadBuilding, 1 Knight")),
    _type("a victory point in the discard pile", dp=cards("1 RoadBuilding, 1 VictoryPoint")),
    _type("more resource cards in the bank than there are", bnk=_SOUND.bnk._replace(rc=cards("20 Ore"))),
    _type("more development cards in the bank than there are", bnk=_SOUND.bnk._replace(dc=cards("3 Monopoly"))),
    _type("more cards in a hand than there are", h=_first_hand(rc=cards("20 Ore"))),
    _type("more bought cards than there are", h=_first_hand(bc=cards("15 Knight"))),
    _type("more available cards than there are", h=_first_hand(ac=cards("3 Monopoly"))),
    _type("more unveiled cards than there are", h=_first_hand(uc=cards("6 VictoryPoint"))),
    _type("more played cards than there are", dp=cards("3 RoadBuilding")),
    _type("more roads left than there are", b=(Buildings(16, 3, 4), _SOUND.b[1])),
    _type("more villages left than there are", b=(Buildings(13, 6, 4), _SOUND.b[1])),
    _type("more cities left than there are", b=(_SOUND.b[0], Buildings(13, 3, 5))),
    _type("one supply for two players", b=_SOUND.b[:1]),
    _type("a road too few", b=(Buildings(-1, 3, 4), _SOUND.b[1])),
    _type("a village too few", b=(_SOUND.b[0], Buildings(13, -1, 4))),
    _type("a city too few", b=(_SOUND.b[0], Buildings(13, 3, -1))),
    _type("villages of three of two players", s=Settlements((*_SOUND.s.villages, 0), _SOUND.s.cities)),
    _type("cities of three of two players", s=Settlements(_SOUND.s.villages, (*_SOUND.s.cities, 0))),
    _type("a village under a city", s=Settlements(_SOUND.s.villages, (as_points((20,)), 0))),
    _type("two villages on a point", s=Settlements((_SOUND.s.villages[0], _SOUND.s.villages[0]), _SOUND.s.cities)),
    _type("a village before the first point", s=Settlements((as_points((0, 20, 43)), 0), _SOUND.s.cities)),
    _type("a village behind the last point", s=Settlements((as_points((20, 55)), 0), _SOUND.s.cities)),
    _type("roads of three of two players", r=(*_SOUND.r, 0)),
    _type("two roads on a point", r=(_SOUND.r[0], _SOUND.r[0])),
    _type("a road before the first point", r=(_SOUND.r[0] | 1, _SOUND.r[1])),
    _type("a road behind the last point", r=(_SOUND.r[0] | 1 << 73, _SOUND.r[1])),
)


def _lost(invariant: str, what: str, **changes: Any) -> BrokenState:
    return BrokenState(invariant, what, _SOUND, changes)


_FEWER_ROADS = (Buildings(12, 3, 4), _SOUND.b[1])
_FEWER_VILLAGES = (Buildings(13, 2, 4), _SOUND.b[1])
_FEWER_CITIES = (_SOUND.b[0], Buildings(13, 3, 3))

_CONSERVATION = (
    _lost("ConservationOfResourceCards", "one lost by the bank", bnk=_SOUND.bnk._replace(rc=_SOUND.bnk.rc - 1)),
    _lost("ConservationOfResourceCards", "one more in a hand", h=_first_hand(rc=cards("3 Ore"))),
    _lost("ConservationOfResourceCards", "one became another", h=_first_hand(rc=cards("1 Ore, 1 Wool"))),
    _lost(
        "ConservationOfDevelopmentCards",
        "one lost by the bank",
        bnk=_SOUND.bnk._replace(dc=_SOUND.bnk.dc - ONE["VictoryPoint"]),
    ),
    _lost("ConservationOfDevelopmentCards", "one lost by the discard pile", dp=0),
    _lost("ConservationOfDevelopmentCards", "one bought is lost", h=_first_hand(bc=0)),
    _lost("ConservationOfDevelopmentCards", "one more available", h=_first_hand(ac=cards("1 Knight"))),
    _lost("ConservationOfDevelopmentCards", "one unveiled is lost", h=_first_hand(uc=0)),
    _lost("ConservationOfBuildings", "a road lost from the supply", b=_FEWER_ROADS),
    _lost("ConservationOfBuildings", "a village lost from the supply", b=_FEWER_VILLAGES),
    _lost("ConservationOfBuildings", "a city lost from the supply", b=_FEWER_CITIES),
    _lost("ConservationOfBuildings", "a road lost from the board", r=(as_points((23,)), _SOUND.r[1])),
    _lost(
        "ConservationOfBuildings",
        "a village more on the board",
        s=Settlements((as_points((20, 43, 1)), _SOUND.s.villages[1]), _SOUND.s.cities),
    ),
    _lost(
        "ConservationOfBuildings", "a city more on the board", s=Settlements(_SOUND.s.villages, (as_points((1,)), 0))
    ),
)


_HUNDREDS = pack([100] * 5)
_HUGE = position(3, rules=replace(THESIS, resource_pool=_HUNDREDS, dev_card_pool=_HUNDREDS))
# 356 of the first type and 99 of the second look like 100 and 100 if the counts are added in fields of eight bits.
_QUARTER = 89 * ONE["Lumber"]
_REST = pack((89, 99, 100, 100, 100))
_CARRIED = (
    BrokenState(
        "ConservationOfResourceCards",
        "as many cards more of a type as a field holds",
        _HUGE,
        {"h": tuple(hand._replace(rc=_QUARTER) for hand in _HUGE.h), "bnk": _HUGE.bnk._replace(rc=_REST)},
    ),
    BrokenState(
        "ConservationOfDevelopmentCards",
        "as many cards more of a type as a field holds",
        _HUGE,
        {
            "h": (*(hand._replace(ac=_QUARTER) for hand in _HUGE.h[:2]), _HUGE.h[2]),
            "dp": _QUARTER,
            "bnk": _HUGE.bnk._replace(dc=_REST),
        },
    ),
)


def _moved(*first: int) -> Settlements:
    """The settlements with player 1's villages elsewhere."""
    return Settlements((as_points(first), _SOUND.s.villages[1]), _SOUND.s.cities)


_ROW = (23, 21, 10, 8, 64, 19)
_LONGEST = position(roads={1: _ROW}, longest_road=1)
_FOUR = position(roads={1: _ROW[:-1]})
_ARMY = position(unveiled={1: "3 Knight", 2: "3 Knight"}, largest_army=1)


def _unveiled(knights: int, of: State = _SOUND) -> dict[str, Any]:
    """Player 2 has so many more knights, from the bank."""
    card = knights * ONE["Knight"]
    hand = of.h[1]._replace(uc=of.h[1].uc + card)
    return {"h": (of.h[0], hand), "bnk": Bank(of.bnk.rc, of.bnk.dc - card)}


_BOARD = (
    BrokenState("DistanceRule", "two neighbours of one player", _SOUND, {"s": _moved(20, 19)}),
    BrokenState("DistanceRule", "neighbours of two players", _SOUND, {"s": _moved(20, 12)}),
    BrokenState(
        "DistanceRule",
        "a city beside a village",
        position(cities={2: (1,)}, roads={2: (16, 57, 1)}),
        {"s": Settlements(_SOUND.s.villages, (0, as_points((12,))))},
    ),
    BrokenState("RoadsConnected", "a village is somewhere else", _SOUND, {"s": _moved(20, 50)}),
    BrokenState("RoadsConnected", "a road is somewhere else", _SOUND, {"r": (as_points((23, 1)), _SOUND.r[1])}),
    BrokenState(
        "RoadsConnected", "a road at an adversary's village", _SOUND, {"r": (as_points((23, 17)), _SOUND.r[1])}
    ),
    BrokenState("BanditOnLand", "the bandit at sea", _SOUND, {"ba": 1}),
    BrokenState("BonusHolders", "an army without knights", _SOUND, {"la": 1}),
    BrokenState("BonusHolders", "nobody leads the one army", _ARMY, {"la": 0, **_unveiled(1, _ARMY)}),
    BrokenState("BonusHolders", "another has more knights", _ARMY, _unveiled(1, _ARMY)),
    BrokenState("BonusHolders", "another has as many and leads", _SOUND, _unveiled(3)),
    BrokenState("BonusHolders", "a longest road without roads", _SOUND, {"lr": 2}),
    BrokenState("BonusHolders", "nobody has the one longest road", _LONGEST, {"lr": 0}),
    BrokenState(
        "BonusHolders",
        "a fifth road in a row and no card",
        _FOUR,
        {"r": (_LONGEST.r[0], _FOUR.r[1]), "b": _LONGEST.b},
    ),
    BrokenState(
        "BonusHolders",
        "the longest road is cut",
        position(roads={1: _ROW, 2: (11, 57)}, villages={2: (10, 36)}, longest_road=1),
        {"s": Settlements((_LONGEST.s.villages[0], as_points((11, 36))), _LONGEST.s.cities)},
    ),
)


def _bought(of: State, player: int) -> dict[str, Any]:
    """The player has bought a knight."""
    hands = tuple(
        hand._replace(bc=hand.bc + ONE["Knight"]) if seat == player else hand for seat, hand in enumerate(of.h, 1)
    )
    return {"h": hands, "bnk": Bank(of.bnk.rc, of.bnk.dc - ONE["Knight"])}


_PLAIN = position()
_DISCARDING = position(phase="Discarding", hands={1: "8 Ore"})
_ROLLING = position(phase="DiceRoll")
_SET_UP = set_up(turn=2, villages={1: (20,)}, roads={1: (23,)})
_SET_UP_TWO = set_up(stage="PhaseTwo", turn=2, villages={1: (20,), 2: (15,)}, roads={1: (23,), 2: (16,)})
_LAST_PLACED = {"s": _PLAIN.s, "r": _PLAIN.r, "b": _PLAIN.b}

_BY_DICE = replace(THESIS, start_order="dice")
_FOR_START = set_up(stage="Rolling", rules=_BY_DICE)
_BY_DICE_SET_UP = set_up(turn=2, villages={1: (20,)}, roads={1: (23,)}, rules=_BY_DICE)
_SET_UP_BY_BOOK = set_up(turn=2, villages={1: (20,)}, roads={1: (23,)}, rules=STANDARD)
_STANDARD = position(phase="TradingBuilding", rules=STANDARD)
_SPECIAL = position(3, phase="SpecialBuilding", builder=2, bought={2: "1 Knight"}, rules=STANDARD_FOR_SIX)
_SPECIAL_AGAIN = position(3, phase="SpecialBuilding", builder=2, rules=STANDARD_FOR_SIX)

_ORDER = (
    BrokenState("BoughtByActive", "bought by another than the special builder", _SPECIAL, {"sb": 3}),
    BrokenState("TurnOrder", "rolls for the start though seat 1 begins", set_up(), {"sup": "Rolling"}),
    BrokenState("TurnOrder", "known who begins before all have rolled", _FOR_START, {"first": 2, "ap": 2}),
    BrokenState("TurnOrder", "rolls for the start after the set-up", _PLAIN, {"rolls": (4, 0)}),
    BrokenState("TurnOrder", "seat 2 begins though seat 1 does", _PLAIN, {"first": 2, "su_ap": 2}),
    BrokenState(
        "TurnOrder",
        "a village placed before it is known who begins",
        _FOR_START,
        {"s": _BY_DICE_SET_UP.s, "r": _BY_DICE_SET_UP.r, "b": _BY_DICE_SET_UP.b},
    ),
    BrokenState("TurnOrder", "another rolls first", _FOR_START, {"su_ap": 2}),
    BrokenState("TurnOrder", "who has rolled rolls again", _FOR_START, {"rolls": (4, 0)}),
    BrokenState("TurnOrder", "another began the set-up", _BY_DICE_SET_UP, {"first": 2}),
    BrokenState("TurnOrder", "the set-up in the order of another", _BY_DICE_SET_UP, {"first": 2, "ap": 2}),
    BrokenState("TurnOrder", "a card played in the set-up", _SET_UP_BY_BOOK, {"pd": 1}),
    BrokenState("TurnOrder", "a special builder in the set-up", _SET_UP, {"sb": 2}),
    BrokenState("TurnOrder", "the end before the dice where the end of a turn decides", _ROLLING, {"tp": "top"}),
    BrokenState("TurnOrder", "the dice not rolled, by the rule book", _STANDARD, {"dice": 0}),
    BrokenState("TurnOrder", "a special builder at another time", _PLAIN, {"sb": 2}),
    BrokenState("TurnOrder", "nobody in the special building phase", _SPECIAL_AGAIN, {"sb": 0}),
    BrokenState("TurnOrder", "the active player in the special building phase", _SPECIAL_AGAIN, {"sb": 1}),
    BrokenState("TypeOK", "two cards played in a turn", _STANDARD, {"pd": 2}),
)

_OFFERING = position(
    3,
    phase="Offering",
    hands={1: "2 Ore", 2: "1 Wool", 3: "1 Wool"},
    offer=("2 Ore", "1 Wool"),
    answers=("none", "asked", "accept"),
    rules=STANDARD,
)
_ONE_ASKED = position(
    3,
    phase="Offering",
    hands={1: "5 Ore, 1 Wool, 1 Grain", 2: "5 Wool, 1 Brick"},
    offer=("2 Ore", "1 Wool"),
    answers=("none", "asked", "none"),
    rules=STANDARD,
)
_TALK = replace(STANDARD, table_talk=True, offer_max=2)
_TALKING = position(
    3,
    phase="TradingBuilding",
    hands={1: "5 Ore", 2: "5 Wool, 1 Brick"},
    proposals={2: ("2 Wool", "1 Ore")},
    rules=_TALK,
)
_COUNTERED = position(
    3,
    phase="Offering",
    hands={1: "5 Ore", 2: "5 Wool, 1 Brick"},
    offer=("2 Ore", "1 Wool"),
    answers=("none", "reject", "asked"),
    proposals={2: ("2 Wool", "1 Ore")},
    rules=_TALK,
)
_NINE = {"villages": {1: (43,)}, "cities": {1: (20, 50, 9, 1)}}
_WON = position(phase="top", unveiled={1: "1 VictoryPoint"}, rules=STANDARD, **_NINE)
_EIGHT = {"villages": {1: (20, 43)}, "cities": {1: (50, 9, 1)}}


def _offer(give: str, receive: str) -> Offer:
    return Offer(cards(give), cards(receive))


_OFFERS = (
    BrokenState("OfferIsCovered", "an offer while building", _STANDARD, {"offer": _OFFERING.offer}),
    BrokenState("OfferIsCovered", "somebody is asked while building", _PLAIN, {"ans": ("none", "asked")}),
    BrokenState("OfferIsCovered", "the offer stands after all", _OFFERING, {"tp": "TradingBuilding"}),
    BrokenState("OfferIsCovered", "no offer", _OFFERING, {"offer": NO_OFFER}),
    BrokenState(
        "OfferIsCovered", "more is offered than held", _OFFERING, {"offer": Offer(cards("3 Ore"), ONE["Wool"])}
    ),
    BrokenState("OfferIsCovered", "another's turn", _OFFERING, {"ap": 2}),
    BrokenState(
        "OfferIsCovered", "who accepts cannot pay", _OFFERING, {"offer": Offer(cards("2 Ore"), cards("2 Wool"))}
    ),
    BrokenState("OfferIsCovered", "who is asked cannot pay", _ONE_ASKED, {"ans": ("none", "asked", "asked")}),
    BrokenState(
        "OfferIsCovered", "the offerer is asked, and could pay", _ONE_ASKED, {"ans": ("asked", "asked", "none")}
    ),
    BrokenState("OfferIsCovered", "the offerer rejects", _ONE_ASKED, {"ans": ("reject", "asked", "none")}),
    BrokenState("OfferIsCovered", "a gift", _ONE_ASKED, {"offer": Offer(cards("1 Ore"), 0)}),
    BrokenState("OfferIsCovered", "a wish", _ONE_ASKED, {"offer": Offer(0, cards("1 Wool"))}),
    BrokenState(
        "OfferIsCovered", "five cards are offered", _ONE_ASKED, {"offer": Offer(cards("4 Ore, 1 Grain"), ONE["Wool"])}
    ),
    BrokenState(
        "OfferIsCovered", "five cards are wanted", _ONE_ASKED, {"offer": Offer(ONE["Ore"], cards("4 Wool, 1 Brick"))}
    ),
    BrokenState("TypeOK", "five of a type are offered", _ONE_ASKED, {"offer": Offer(cards("5 Ore"), ONE["Wool"])}),
    BrokenState("TypeOK", "five of a type are wanted", _ONE_ASKED, {"offer": Offer(ONE["Ore"], cards("5 Wool"))}),
    BrokenState(
        "OfferIsCovered",
        "who accepts while others are silent cannot pay",
        _COUNTERED,
        {"ans": ("none", "reject", "accept")},
    ),
    BrokenState(
        "OfferIsCovered", "a proposal without talk", _STANDARD, {"prop": (NO_OFFER, _offer("1 Wool", "1 Ore"))}
    ),
    BrokenState("OfferIsCovered", "a proposal before the dice", _TALKING, {"tp": "DiceRoll", "dice": 0}),
    BrokenState(
        "OfferIsCovered",
        "the active player's proposal",
        _TALKING,
        {"prop": (_offer("1 Ore", "1 Wool"), NO_OFFER, NO_OFFER)},
    ),
    BrokenState("OfferIsCovered", "a proposal of whose turn it is now", _TALKING, {"ap": 2}),
    *(
        BrokenState("OfferIsCovered", why, _TALKING, {"prop": (NO_OFFER, _offer(give, receive), NO_OFFER)})
        for why, give, receive in (
            ("a proposed gift", "1 Wool", ""),
            ("a proposed wish", "", "1 Ore"),
            ("three cards are proposed", "2 Wool, 1 Brick", "1 Ore"),
            ("three cards are wanted", "1 Wool", "2 Ore, 1 Grain"),
            ("like for like is proposed", "1 Wool", "1 Ore, 1 Wool"),
            ("more is proposed than held", "2 Brick", "1 Ore"),
        )
    ),
    BrokenState("OfferIsCovered", "who proposes accepts as well", _COUNTERED, {"ans": ("none", "accept", "asked")}),
    BrokenState("OfferIsCovered", "who proposes is still asked", _COUNTERED, {"ans": ("none", "asked", "asked")}),
    BrokenState(
        "OfferIsCovered",
        "the proposer's hand is another",
        _TALKING,
        {"h": (_TALKING.h[1], _TALKING.h[0], _TALKING.h[2])},
    ),
    BrokenState(
        "OfferIsCovered", "the hands are others", _OFFERING, {"h": (_OFFERING.h[1], _OFFERING.h[0], _OFFERING.h[2])}
    ),
    BrokenState("WinAtOnce", "the game goes on", _WON, {"tp": "TradingBuilding"}),
    BrokenState("WinAtOnce", "the winner's turn", _WON._replace(tp="TradingBuilding", ap=2), {"ap": 1}),
    BrokenState(
        "WinAtOnce",
        "with a victory point",
        position(phase="TradingBuilding", rules=STANDARD, **_NINE),
        {"h": _WON.h, "bnk": _WON.bnk},
    ),
    BrokenState(
        "WinAtOnce",
        "with a city",
        position(
            phase="TradingBuilding",
            unveiled={1: "1 VictoryPoint"},
            villages={1: (43, 20)},
            cities={1: (50, 9, 1)},
            rules=STANDARD,
        ),
        {"s": _WON.s, "b": _WON.b},
    ),
    BrokenState(
        "WinAtOnce",
        "with the longest road, two sharing the most",
        position(
            phase="TradingBuilding",
            villages=_EIGHT["villages"],
            cities=_EIGHT["cities"],
            roads={1: _ROW, 2: (16, 14, 13, 9, 2, 57)},
            rules=STANDARD,
        ),
        {"lr": 1},
    ),
    BrokenState(
        "WinAtOnce",
        "with the largest army, two sharing the most",
        position(phase="TradingBuilding", unveiled={1: "3 Knight", 2: "3 Knight"}, rules=STANDARD, **_EIGHT),
        {"la": 1},
    ),
)

_JOINT = replace(THESIS, chance="joint")
_PLEDGING = initial_state(Constants(_JOINT))
_FIRST_PLACED = set_up(turn=2, villages={1: (20,)}, roads={1: (23,)}, rules=_JOINT)
_TO_ROB = position(
    3,
    phase="Drawing",
    call=Called("MoveBandit", "MovingBandit", 8, 2),
    due=(False, True, True),
    villages={2: (15, 36)},
    roads={2: (57,)},
    hands={2: "1 Ore, 1 Wool"},
    rules=_JOINT,
)
_TO_BUY = position(
    6,
    phase="Drawing",
    builder=3,
    call=Called("BuyDevCard", "SpecialBuilding", 0, 0),
    due=(True, True, False, True, True, True),
    rules=replace(STANDARD_FOR_SIX, chance="joint", dev_card_pool=cards("1 Monopoly, 1 Knight")),
)
_TO_START = set_up(3, stage="Rolling", rules=replace(_JOINT, start_order="dice"))._replace(
    tp="Drawing", call=Called("RollForStart", "bot", 0, 0), due=(False, True, True)
)
_SECOND_TO_START = _TO_START._replace(su_ap=2, rolls=(5, 0, 0), due=(True, False, True))
_AT_SEA = position(
    phase="Drawing",
    call=Called("MoveBandit", "MovingBandit", 6, 2),
    due=(False, True),
    villages={2: (1, 36)},
    roads={2: (57,)},
    hands={2: "1 Ore, 1 Wool"},
    rules=_JOINT,
)
_BOUGHT_BEFORE = position(
    phase="Drawing", call=Called("BuyDevCard", "Building", 0, 0), bought={1: "1 Knight"}, dice=7, rules=_JOINT
)
_TEN_BETWEEN_TURNS = position(
    phase="Drawing",
    turn=1,
    builder=2,
    call=Called("BuyDevCard", "SpecialBuilding", 0, 0),
    villages={1: (43, 20)},
    cities={1: (50, 9, 1, 54)},
    rules=replace(STANDARD, chance="joint", special_building=True),
)


def _called(sound: State, **changes: Any) -> dict[str, Any]:
    return {"call": sound.call._replace(**changes)}


_DRAWS = (
    BrokenState("SharesAreDue", "pledges where the actor draws", set_up(), {"tp": "Pledging", "due": (True, True)}),
    BrokenState("SharesAreDue", "pledging, and nobody owes a pledge", set_up(), {"tp": "Pledging"}),
    BrokenState("SharesAreDue", "everybody has pledged", _PLEDGING, {"due": (False, False)}),
    BrokenState("SharesAreDue", "a call before the pledges", _PLEDGING, {"call": NO_CALL._replace(what="RollDice")}),
    BrokenState(
        "SharesAreDue",
        "a village before the pledges",
        _PLEDGING,
        {name: getattr(_FIRST_PLACED, name) for name in ("s", "r", "b", "su_ap")},
    ),
    BrokenState("SharesAreDue", "a share while building", _PLAIN, {"due": (False, True)}),
    BrokenState("SharesAreDue", "a call while building", _PLAIN, {"call": _TO_ROB.call}),
    BrokenState("SharesAreDue", "the draw is over, its call stands", _TO_ROB, {"tp": "MovingBandit"}),
    BrokenState(
        "SharesAreDue",
        "a draw where the actor draws",
        position(phase="DiceRoll"),
        {"tp": "Drawing", "call": Called("RollDice", "DiceRoll", 0, 0)},
    ),
    BrokenState("SharesAreDue", "called for in another phase", _TO_ROB, _called(_TO_ROB, tp="Trading")),
    BrokenState("SharesAreDue", "the caller has not revealed", _TO_ROB, {"due": (True, True, True)}),
    BrokenState("SharesAreDue", "another has called", _TO_ROB, {"ap": 3}),
    BrokenState("SharesAreDue", "another has called between two turns", _TO_BUY, {"sb": 4}),
    BrokenState("SharesAreDue", "another has called for the start", _TO_START, {"su_ap": 2, "rolls": (5, 0, 0)}),
    BrokenState(
        "SharesAreDue",
        "another has called, in another stage",
        _SECOND_TO_START,
        {
            "call": Called("RollDice", "DiceRoll", 0, 0),
            **{
                name: getattr(position(3, first=2), name)
                for name in ("sup", "first", "rolls", "s", "r", "b", "bnk", "h")
            },
        },
    ),
    BrokenState("SharesAreDue", "a call while pledging", _TO_START, {"tp": "Pledging"}),
    BrokenState("SharesAreDue", "the victim has called", _TO_ROB._replace(due=(False,) * 3), {"ap": 2}),
    BrokenState("SharesAreDue", "nothing can be stolen", _TO_ROB, {"h": (_TO_ROB.h[1], _TO_ROB.h[0], _TO_ROB.h[2])}),
    BrokenState(
        "SharesAreDue",
        "one type of card left",
        _TO_BUY,
        {"bnk": _TO_BUY.bnk._replace(dc=cards("1 Knight")), "dp": cards("1 Monopoly")},
    ),
    BrokenState("SharesAreDue", "the bandit is there", _TO_ROB, {"ba": 8}),
    BrokenState("SharesAreDue", "the bandit goes to sea", _AT_SEA, _called(_AT_SEA, to=1)),
    BrokenState("SharesAreDue", "the victim is elsewhere", _TO_ROB, _called(_TO_ROB, to=7)),
    BrokenState(
        "SharesAreDue",
        "the victim has moved",
        _TO_ROB,
        {"s": _TO_ROB.s._replace(villages=(_TO_ROB.s.villages[0], as_points((1, 36)), _TO_ROB.s.villages[2]))},
    ),
    BrokenState(
        "BoughtByActive", "called for by the bandit", _BOUGHT_BEFORE, _called(_BOUGHT_BEFORE, tp="MovingBandit")
    ),
    BrokenState("TurnOrder", "called for before the dice", _TO_ROB, _called(_TO_ROB, tp="DiceRoll")),
    BrokenState(
        "WinAtOnce",
        "called for in their turn",
        _TEN_BETWEEN_TURNS,
        {**_called(_TEN_BETWEEN_TURNS, tp="TradingBuilding"), "sb": 0},
    ),
)

_TURNS = (
    BrokenState("BoughtByActive", "bought by another", _PLAIN, _bought(_PLAIN, 2)),
    BrokenState("BoughtByActive", "the turn has passed", _SOUND, {"ap": 2}),
    BrokenState("BoughtByActive", "before the dice are rolled", _SOUND, {"tp": "DiceRoll", "dice": 0}),
    BrokenState("BoughtByActive", "while moving the bandit", _SOUND, {"tp": "MovingBandit", "dice": 7}),
    BrokenState("TurnOrder", "player 1 again in the set-up", _SET_UP, {"su_ap": 1}),
    BrokenState("TurnOrder", "the second stage begins too soon", _SET_UP, {"sup": "PhaseTwo"}),
    BrokenState("TurnOrder", "the first stage goes on too long", _SET_UP_TWO, {"sup": "PhaseOne"}),
    BrokenState("TurnOrder", "the second stage in the order of the first", _SET_UP_TWO, {"su_ap": 1}),
    BrokenState("TurnOrder", "a village placed, the turn not passed", _SET_UP_TWO, _LAST_PLACED),
    BrokenState(
        "TurnOrder",
        "all placed, still in the set-up",
        set_up(stage="PhaseTwo", turn=1, villages={1: (20,), 2: (15, 36)}, roads={1: (23,), 2: (16, 57)}),
        {**_LAST_PLACED, "su_ap": 1},
    ),
    BrokenState("TurnOrder", "another's turn of the game in the set-up", _SET_UP, {"ap": 2}),
    BrokenState("TurnOrder", "dice in the set-up", _SET_UP, {"dice": 8}),
    BrokenState("TurnOrder", "a limit in the set-up", _SET_UP, {"lim": (4, 0)}),
    BrokenState("TurnOrder", "the dice are rolled before all have placed", _SET_UP_TWO, {"tp": "DiceRoll", "su_ap": 1}),
    BrokenState("TurnOrder", "the first stage after the set-up", _PLAIN, {"sup": "PhaseOne"}),
    BrokenState("TurnOrder", "player 2's set-up after the set-up", _PLAIN, {"su_ap": 2}),
    BrokenState("TurnOrder", "dice before the roll", _ROLLING, {"dice": 8}),
    BrokenState("TurnOrder", "no dice after the roll", _PLAIN, {"dice": 0}),
    BrokenState("TurnOrder", "the bandit moves without a seven", position(phase="MovingBandit"), {"dice": 8}),
    BrokenState("TurnOrder", "discards without a seven", _DISCARDING, {"dice": 8}),
    BrokenState("TurnOrder", "a limit after the discards", _DISCARDING, {"tp": "Trading"}),
    BrokenState("TurnOrder", "discards without a limit", _DISCARDING, {"lim": (0, 0)}),
)

_LEAVING = replace(THESIS, leaving=True)
_LEAVING_BY_DICE = replace(_LEAVING, start_order="dice")
_LEAVING_FOR_SIX = replace(STANDARD_FOR_SIX, leaving=True)
_DISCARDING_WITHOUT = position(
    3,
    phase="Discarding",
    hands={2: "4 Ore", 3: "8 Ore"},
    limits=(0, 0, 4),
    rules=_LEAVING,
    away=(False, True, False),
)
_SECOND_AWAY = position(3, rules=_LEAVING, away=(False, True, False))
_PLACING_WITHOUT = set_up(
    3, turn=3, villages={1: (20,)}, roads={1: (23,)}, rules=_LEAVING_BY_DICE, away=(False, True, False)
)
_PLACING_AGAIN_WITHOUT = set_up(
    3,
    stage="PhaseTwo",
    turn=1,
    villages={1: (20,), 3: (10, 54)},
    roads={1: (23,), 3: (9, 72)},
    rules=_LEAVING_BY_DICE,
    away=(False, True, False),
)

_AWAY = (
    BrokenState("AwayAreSkipped", "away where nobody may leave", position(3), {"away": (False, True, False)}),
    BrokenState("AwayAreSkipped", "the turn is of one who is away", _SECOND_AWAY, {"ap": 2}),
    BrokenState(
        "AwayAreSkipped",
        "one who is away has won",
        position(3, phase="top", rules=_LEAVING, away=(False, True, False)),
        {"ap": 2},
    ),
    BrokenState(
        "AwayAreSkipped",
        "a discard is awaited of one who is away",
        position(3, phase="Discarding", hands={2: "8 Ore", 3: "8 Wool"}, rules=_LEAVING),
        {"away": (False, True, False)},
    ),
    BrokenState("AwayAreSkipped", "one plays on alone", _SECOND_AWAY, {"away": (False, True, True)}),
    BrokenState(
        "AwayAreSkipped",
        "the game is claimed by one who is away",
        position(3, phase="top", dice=0, rules=_LEAVING, away=(False, True, True)),
        {"ap": 2},
    ),
    BrokenState(
        "AwayAreSkipped",
        "who rolls for the start is away",
        set_up(3, stage="Rolling", rolls=(0, 1, 0), rules=_LEAVING_BY_DICE, away=(False, True, False)),
        {"away": (True, True, False)},
    ),
    BrokenState(
        "AwayAreSkipped",
        "who is away builds between two turns",
        position(3, phase="SpecialBuilding", builder=3, rules=_LEAVING_FOR_SIX, away=(False, True, False)),
        {"sb": 2},
    ),
    BrokenState(
        "AwayAreSkipped",
        "a share is awaited of one who is away",
        position(
            3,
            phase="Drawing",
            call=Called("RollDice", "DiceRoll", 0, 0),
            due=(False, False, True),
            rules=replace(_LEAVING, chance="joint"),
            away=(False, True, False),
        ),
        {"due": (False, True, True)},
    ),
    BrokenState("AwayAreSkipped", "who is away has a limit", _DISCARDING_WITHOUT, {"lim": (0, 3, 4)}),
    BrokenState(
        "AwayAreSkipped",
        "who is away holds too much",
        _DISCARDING_WITHOUT._replace(lim=(0, 4, 4)),
        {"h": (_DISCARDING_WITHOUT.h[0], _DISCARDING_WITHOUT.h[2], _DISCARDING_WITHOUT.h[1])},
    ),
    BrokenState(
        "AwayAreSkipped",
        "who is away is asked",
        position(
            3,
            phase="Offering",
            offer=("1 Ore", "1 Wool"),
            answers=("none", "reject", "asked"),
            hands={1: "1 Ore", 2: "1 Wool", 3: "1 Wool"},
            rules=replace(STANDARD, leaving=True),
            away=(False, True, False),
        ),
        {"ans": ("none", "asked", "asked")},
    ),
    BrokenState(
        "AwayAreSkipped",
        "who begins is away",
        set_up(3, turn=3, first=3, rules=_LEAVING_BY_DICE, away=(False, True, False)),
        {"first": 2, "ap": 2},
    ),
    BrokenState(
        "AwayAreSkipped",
        "a player has not placed the first village",
        _PLACING_WITHOUT,
        {"first": 3, "ap": 3, "su_ap": 1},
    ),
    BrokenState("AwayAreSkipped", "the second stage begins too early", _PLACING_WITHOUT, {"sup": "PhaseTwo"}),
    BrokenState("AwayAreSkipped", "a player places a third village", _PLACING_AGAIN_WITHOUT, {"su_ap": 3}),
    BrokenState(
        "AwayAreSkipped",
        "the turns begin too early",
        _PLACING_AGAIN_WITHOUT,
        {"tp": "DiceRoll"},
    ),
    _type("seats for three", away=(False, False, False)),
    BrokenState(
        "TurnOrder",
        "another than the first begins, who is there",
        position(3, first=2, turn=2, rules=_LEAVING, away=(True, False, False)),
        {"away": (False, False, False)},
    ),
    BrokenState(
        "TurnOrder",
        "won without dice by one of three",
        position(3, phase="top", dice=0, rules=_LEAVING, away=(False, True, True)),
        {"away": (False, False, False)},
    ),
    BrokenState(
        "TurnOrder",
        "claimed in the set-up, with another's turn to roll for the start",
        set_up(3, stage="Rolling", rules=_LEAVING_BY_DICE, away=(False, True, True))._replace(tp="top"),
        {"su_ap": 2},
    ),
)

BROKEN_STATES: tuple[BrokenState, ...] = (
    *_AWAY,
    *_TYPES,
    *_DRAWS,
    *_CONSERVATION,
    *_CARRIED,
    *_BOARD,
    *_TURNS,
    *_ORDER,
    *_OFFERS,
)
"""At least one state for each operand of each part of each invariant; tests/test_invariants.py holds it to that."""
