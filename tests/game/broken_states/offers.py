"""Offers, answers and proposals that nobody can have made."""

from dataclasses import replace
from functools import partial

from catan_p2p.game.cards import ONE
from catan_p2p.game.constants import BRIEF, NO_OWNER, Constants
from catan_p2p.game.state import NO_OFFER, NO_TILE, CalledDraw, Offer
from tests.game.broken_states.broken_state import BY_BOOK, PLAIN, ROW, BrokenState
from tests.positions import cards, position

_trading = partial(position, phase="TradingBuilding")
_offered = partial(position, phase="Offering", offer=("2 Ore", "1 Wool"))
_OFFERING = _offered(3, hands={1: "2 Ore", 2: "1 Wool", 3: "1 Wool"}, answers=("none", "asked", "accept"), rules=BRIEF)
_ONE_ASKED = _offered(
    3, hands={1: "5 Ore, 1 Wool, 1 Grain", 2: "5 Wool, 1 Brick"}, answers=("none", "asked", "none"), rules=BRIEF
)
_TALK = replace(BRIEF, table_talk=True, offer_max=2)
_TALKING = _trading(3, hands={1: "5 Ore", 2: "5 Wool, 1 Brick"}, proposals={2: ("2 Wool", "1 Ore")}, rules=_TALK)
_COUNTERED = _offered(
    3,
    hands={1: "5 Ore", 2: "5 Wool, 1 Brick"},
    answers=("none", "reject", "asked"),
    proposals={2: ("2 Wool", "1 Ore")},
    rules=_TALK,
)
_HELD = {1: "5 Ore", 2: "5 Wool, 1 Brick"}
_COUNTED = replace(BRIEF, table_talk=True, offers_per_turn=3, proposals_per_turn=1, leaving=True)
_MADE = _trading(
    4, hands={1: "5 Ore", 2: "5 Wool, 1 Brick"}, proposals={2: ("2 Wool", "1 Ore")}, made=(3, 1, 0, 0), rules=_COUNTED
)
_OFFERED = _offered(
    4,
    hands={1: "5 Ore", 2: "5 Wool, 1 Brick"},
    answers=("none", "asked", "asked", "asked"),
    made=(1, 0, 0, 0),
    rules=_COUNTED,
)
_FEWER = replace(_COUNTED, offers_per_turn=1, proposals_per_turn=2)
_TRADING = _trading(4, hands=_HELD, dice=7, made=(3, 0, 0, 0), rules=_COUNTED)
_BUYING = position(
    4,
    phase="Drawing",
    dice=7,
    hands={1: "1 Ore, 1 Wool, 1 Grain"},
    call=CalledDraw("BuyDevCard", "TradingBuilding", NO_TILE, NO_OWNER),
    due=(False, True, False, False),
    made=(1, 0, 0, 0),
    rules=replace(_COUNTED, chance="joint"),
)
_ROLLING_COUNTED = position(4, phase="DiceRoll", rules=_COUNTED)
_MOVING_COUNTED = position(4, phase="MovingBandit", rules=_COUNTED)
_NINE = {"villages": {1: (43,)}, "cities": {1: (20, 50, 9, 1)}}
_WON = position(phase="top", unveiled={1: "1 VictoryPoint"}, rules=BRIEF, **_NINE)
_EIGHT = {"villages": {1: (20, 43)}, "cities": {1: (50, 9, 1)}}


def _offer(give: str, receive: str) -> Offer:
    return Offer(cards(give), cards(receive))


OFFERS: tuple[BrokenState, ...] = (
    BrokenState("OfferIsCovered", "an offer while building", BY_BOOK, {"offer": _OFFERING.offer}),
    BrokenState("OfferIsCovered", "somebody is asked while building", PLAIN, {"ans": ("none", "asked")}),
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
    BrokenState("OfferIsCovered", "a proposal without talk", BY_BOOK, {"prop": (NO_OFFER, _offer("1 Wool", "1 Ore"))}),
    BrokenState("OfferIsCovered", "a proposal before the dice", _TALKING, {"tp": "DiceRoll", "dice": 0}),
    BrokenState(
        "OfferIsCovered",
        "the active player's proposal",
        _TALKING,
        {"prop": (_offer("1 Ore", "1 Wool"), NO_OFFER, NO_OFFER)},
    ),
    BrokenState("TurnOrder", "the bandit is moved after offers", _TRADING, {"tp": "MovingBandit"}),
    BrokenState(
        "TurnOrder",
        "the bandit's move is called for after offers",
        _BUYING,
        {"call": CalledDraw("MoveBandit", "MovingBandit", 8, 2)},
    ),
    BrokenState(
        "OfferIsCovered",
        "an offer made without a count",
        _TRADING._replace(made=(0, 0, 0, 0)),
        {"tp": "Offering", "offer": _OFFERED.offer, "ans": _OFFERED.ans},
    ),
    BrokenState(
        "OfferIsCovered",
        "a proposal made without a count",
        _TRADING,
        {"prop": (NO_OFFER, _offer("2 Wool", "1 Ore"), NO_OFFER, NO_OFFER)},
    ),
    BrokenState("OfferIsCovered", "who has made three offers is not at turn", _TRADING, {"ap": 2}),
    BrokenState("OfferIsCovered", "an offer that is not counted", _OFFERED, {"made": (0, 0, 0, 0)}),
    BrokenState("OfferIsCovered", "a proposal that is not counted", _MADE, {"made": (3, 0, 0, 0)}),
    BrokenState("OfferIsCovered", "two proposals in a turn", _MADE, {"made": (3, 1, 2, 0)}),
    BrokenState("TypeOK", "four offers in a turn", _MADE, {"made": (4, 1, 0, 0)}),
    BrokenState(
        "OfferIsCovered",
        "two offers in a turn",
        _OFFERED._replace(constants=Constants(_FEWER, player_count=4)),
        {"made": (2, 0, 0, 0)},
    ),
    BrokenState("TurnOrder", "offers made before the dice", _ROLLING_COUNTED, {"made": (1, 0, 0, 0)}),
    BrokenState("TurnOrder", "proposals made before the bandit is moved", _MOVING_COUNTED, {"made": (0, 1, 0, 0)}),
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
        _trading(rules=BRIEF, **_NINE),
        {"h": _WON.h, "bnk": _WON.bnk},
    ),
    BrokenState(
        "WinAtOnce",
        "with a city",
        _trading(unveiled={1: "1 VictoryPoint"}, villages={1: (43, 20)}, cities={1: (50, 9, 1)}, rules=BRIEF),
        {"s": _WON.s, "b": _WON.b},
    ),
    BrokenState(
        "WinAtOnce",
        "with the longest road, two sharing the most",
        _trading(
            villages=_EIGHT["villages"], cities=_EIGHT["cities"], roads={1: ROW, 2: (16, 14, 13, 9, 2, 57)}, rules=BRIEF
        ),
        {"lr": 1},
    ),
    BrokenState(
        "WinAtOnce",
        "with the largest army, two sharing the most",
        _trading(unveiled={1: "3 Knight", 2: "3 Knight"}, rules=BRIEF, **_EIGHT),
        {"la": 1},
    ),
)
