"""Trades with the bank, at wharfs, and between players."""

from functools import partial
from typing import Any

from catan_p2p.game import actions as a
from catan_p2p.game.constants import BRIEF
from catan_p2p.game.state import Answer, State
from tests.game.actions.cases import EffectCase
from tests.game.actions.givens import APART
from tests.positions import cards, position

_offering = partial(position, phase="Offering")
_AT_WHARFS = {"villages": {1: (17, 50)}, "roads": {1: (19, 66)}}

TRADES: tuple[EffectCase, ...] = (
    EffectCase(
        a.EmptyTrade(1), "building begins", position(phase="Trading", dice=5), position(phase="Building", dice=5)
    ),
    EffectCase(
        a.TradeFourToOne(2, "Ore", "Lumber"),
        "four for one",
        position(phase="Trading", turn=2, hands={1: "3 Ore", 2: "5 Ore, 1 Wool"}),
        position(phase="Trading", turn=2, hands={1: "3 Ore", 2: "1 Ore, 1 Wool, 1 Lumber"}),
    ),
    EffectCase(
        a.TradeThreeToOne(1, "Ore", "Lumber"),
        "three for one",
        position(3, phase="Trading", hands={1: "4 Ore"}, **_AT_WHARFS),
        position(3, phase="Trading", hands={1: "1 Ore, 1 Lumber"}, **_AT_WHARFS),
    ),
    EffectCase(
        a.TradeTwoToOne(1, "Lumber", "Ore"),
        "two for one",
        position(3, phase="Trading", hands={1: "4 Lumber"}, **_AT_WHARFS),
        position(3, phase="Trading", hands={1: "2 Lumber, 1 Ore"}, **_AT_WHARFS),
    ),
)

_TOWNS_AT_WHARFS = {"villages": {1: ()}, "cities": {1: (17, 50)}, "roads": {1: (19, 66)}}

TOWN_TRADES: tuple[EffectCase, ...] = (
    EffectCase(
        a.TradeThreeToOne(1, "Ore", "Lumber"),
        "a city has the wharf of the village that it was",
        position(phase="Trading", hands={1: "4 Ore"}, **_TOWNS_AT_WHARFS),
        position(phase="Trading", hands={1: "1 Ore, 1 Lumber"}, **_TOWNS_AT_WHARFS),
    ),
    EffectCase(
        a.TradeTwoToOne(1, "Lumber", "Ore"),
        "a city has the wharf for one type too",
        position(phase="Trading", hands={1: "4 Lumber"}, **_TOWNS_AT_WHARFS),
        position(phase="Trading", hands={1: "2 Lumber, 1 Ore"}, **_TOWNS_AT_WHARFS),
    ),
)

_BOTH_HANDS = {1: "2 Ore, 1 Grain", 2: "1 Wool, 1 Lumber", 3: "2 Wool", 4: "1 Brick"}


def _offered(*answers: Answer) -> State:
    """Player 1 offers two ore for a wool; players 2 and 3 could pay."""
    return _offering(4, hands=_BOTH_HANDS, offer=("2 Ore", "1 Wool"), answers=answers, rules=BRIEF)


def _not_offered(**given: Any) -> State:
    return position(4, **{"phase": "TradingBuilding", "hands": _BOTH_HANDS, "rules": BRIEF, **given})


_OWN_WOOL = {**_BOTH_HANDS, 1: "2 Ore, 1 Wool"}

DOMESTIC: tuple[EffectCase, ...] = (
    EffectCase(
        a.OfferTrade(1, cards("2 Ore"), cards("1 Wool")),
        "all who could pay are asked",
        _not_offered(),
        _offered("none", "asked", "asked", "none"),
    ),
    EffectCase(
        a.AnswerTrade(3, "accept"),
        "one accepts",
        _offered("none", "asked", "asked", "none"),
        _offered("none", "asked", "accept", "none"),
    ),
    EffectCase(
        a.AnswerTrade(2, "reject"),
        "one rejects",
        _offered("none", "asked", "accept", "none"),
        _offered("none", "reject", "accept", "none"),
    ),
    EffectCase(
        a.ConcludeTrade(1, 3),
        "the cards change hands with the one chosen",
        _offered("none", "accept", "accept", "none"),
        _not_offered(hands={1: "1 Grain, 1 Wool", 2: "1 Wool, 1 Lumber", 3: "1 Wool, 2 Ore", 4: "1 Brick"}),
    ),
    EffectCase(
        a.WithdrawTrade(1),
        "nothing changes hands",
        _offered("none", "accept", "reject", "none"),
        _not_offered(),
    ),
    EffectCase(
        a.OfferTrade(1, cards("2 Ore"), cards("1 Wool")),
        "who offers is not asked, though they could pay too",
        _not_offered(hands=_OWN_WOOL),
        _offering(
            4, hands=_OWN_WOOL, offer=("2 Ore", "1 Wool"), answers=("none", "asked", "asked", "none"), rules=BRIEF
        ),
    ),
    EffectCase(
        a.ConcludeTrade(1, 2),
        "with phases apart trading goes on",
        _offering(hands=_BOTH_HANDS, offer=("1 Ore", "1 Wool"), answers=("none", "accept"), rules=APART),
        position(phase="Trading", hands={1: "1 Ore, 1 Grain, 1 Wool", 2: "1 Lumber, 1 Ore"}, rules=APART),
    ),
    EffectCase(
        a.OfferTrade(1, cards("1 Ore"), cards("1 Wool")),
        "with phases apart",
        position(phase="Trading", hands=_BOTH_HANDS, rules=APART),
        _offering(hands=_BOTH_HANDS, offer=("1 Ore", "1 Wool"), answers=("none", "asked"), rules=APART),
    ),
    EffectCase(
        a.WithdrawTrade(1),
        "with phases apart trading goes on",
        _offering(hands=_BOTH_HANDS, offer=("1 Ore", "1 Wool"), answers=("none", "reject"), rules=APART),
        position(phase="Trading", hands=_BOTH_HANDS, rules=APART),
    ),
)
