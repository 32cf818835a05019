"""Cases of table talk: offers of any size, proposals, counter-offers, and that whatever comes next ends them."""

from dataclasses import replace
from typing import Any

from catan_p2p.game import actions as a
from catan_p2p.game.constants import BRIEF
from catan_p2p.game.state import CalledDraw, State
from tests.game.actions.cases import EffectCase, GuardCase
from tests.game.actions.hidden_positions import hiding
from tests.positions import cards, position

TALK = replace(BRIEF, table_talk=True, offer_max=0)
"""The rule book's talk: no bound on offers."""
FEW_CARDS = replace(TALK, offer_max=2)
COUNTED = replace(TALK, offers_per_turn=2, proposals_per_turn=1)
"""The same with bounds of a turn."""
TO_ONE = replace(TALK, offers_to_one=True)
"""The same where an offer may be to one player alone."""
_TO_ONE_COUNTED = replace(COUNTED, offers_to_one=True)
_TO_ONE_BRIEF = replace(BRIEF, offers_to_one=True)
_TO_ONE_HIDDEN = replace(TO_ONE, chance="joint", hands="hidden")
_APART = replace(TALK, combined_trade_build=False)
_HIDDEN = replace(TALK, chance="joint", hands="hidden")
_TURN_END = replace(TALK, win_check="turn_end", points_to_win=3)
_HANDS = {1: "5 Ore", 2: "2 Wool, 1 Grain", 3: "1 Brick"}


def _talk(players: int = 3, phase: str = "TradingBuilding", **given: Any) -> State:
    return position(players, phase=phase, **{"hands": _HANDS, "rules": TALK, **given})


def _asking(*answers: Any, phase: str = "Offering", **given: Any) -> State:
    return _talk(phase=phase, answers=answers, **{"offer": ("5 Ore", "2 Wool"), **given})


def _proposal(player: int, give: str, receive: str) -> a.ProposeTrade:
    return a.ProposeTrade(player, cards(give), cards(receive))


def _to(partner: int, give: str, receive: str, player: int = 1) -> a.OfferTradeTo:
    return a.OfferTradeTo(player, partner, cards(give), cards(receive))


_SAID = {2: ("1 Wool", "1 Ore")}

_TALK_EFFECTS = (
    EffectCase(
        a.OfferTrade(1, cards("4 Ore"), cards("3 Lumber")),
        "everybody is asked for what nobody can pay, however much",
        _talk(proposals=_SAID),
        _asking("none", "asked", "asked", offer=("4 Ore", "3 Lumber")),
    ),
    EffectCase(
        a.AnswerTrade(3, "reject"),
        "who cannot pay rejects",
        _asking("none", "asked", "asked"),
        _asking("none", "asked", "reject"),
    ),
    EffectCase(
        _proposal(3, "1 Brick", "3 Ore, 1 Wool"),
        "a counter-offer is no acceptance",
        _asking("none", "reject", "asked", proposals={2: ("1 Wool", "1 Ore")}),
        _asking("none", "reject", "reject", proposals={2: ("1 Wool", "1 Ore"), 3: ("1 Brick", "3 Ore, 1 Wool")}),
    ),
    EffectCase(
        _proposal(2, "2 Wool, 1 Grain", "1 Ore"),
        "unasked",
        _talk(proposals={3: ("1 Brick", "1 Ore")}),
        _talk(proposals={2: ("2 Wool, 1 Grain", "1 Ore"), 3: ("1 Brick", "1 Ore")}),
    ),
    EffectCase(
        a.ConcludeTrade(1, 2),
        "with who has accepted, while somebody is silent",
        _asking("none", "accept", "asked"),
        _talk(hands={1: "2 Wool", 2: "5 Ore, 1 Grain", 3: "1 Brick"}),
    ),
    EffectCase(
        a.ConcludeTrade(1, 3),
        "a counter-offer, though somebody has accepted",
        _asking("none", "accept", "reject", proposals={3: ("1 Brick", "2 Ore")}),
        _talk(hands={1: "3 Ore, 1 Brick", 2: "2 Wool, 1 Grain", 3: "2 Ore"}),
    ),
    EffectCase(
        a.ConcludeTrade(1, 2),
        "a proposal that nobody asked for",
        _talk(phase="Trading", rules=_APART, proposals={2: ("1 Wool", "2 Ore"), 3: ("1 Brick", "1 Ore")}),
        _talk(phase="Trading", rules=_APART, hands={1: "3 Ore, 1 Wool", 2: "1 Wool, 1 Grain, 2 Ore", 3: "1 Brick"}),
        "offer ans",
    ),
    EffectCase(
        a.ConcludeTrade(1, 2),
        "with a card that was sealed",
        hiding(_talk(rules=_HIDDEN, hands={2: "1 Wool"}, proposals=_SAID), "1 Ore", sealed=(1, 0, 0)),
        hiding(_talk(rules=_HIDDEN, hands={1: "1 Wool", 2: "1 Ore"})),
        "offer ans",
    ),
    EffectCase(
        a.WithdrawTrade(1),
        "while somebody is silent",
        _asking("none", "reject", "asked", proposals=_SAID),
        _talk(),
    ),
)


_WOOL_OF_BOTH = {1: "5 Ore", 2: "2 Wool", 3: "1 Wool"}

_TO_ONE_EFFECTS = (
    EffectCase(
        _to(3, "4 Ore", "3 Lumber"),
        "one is asked for what they cannot pay, and the proposals are over",
        _talk(rules=TO_ONE, proposals=_SAID),
        _asking("none", "none", "asked", offer=("4 Ore", "3 Lumber"), rules=TO_ONE),
    ),
    EffectCase(
        _to(2, "1 Ore", "1 Wool"),
        "the last of two in a turn",
        _talk(rules=_TO_ONE_COUNTED, made=(1, 1, 0)),
        _asking("none", "asked", "none", offer=("1 Ore", "1 Wool"), rules=_TO_ONE_COUNTED, made=(2, 1, 0)),
    ),
    EffectCase(
        _to(2, "1 Ore", "1 Wool"),
        "not counted where only proposals are",
        _talk(rules=replace(TO_ONE, proposals_per_turn=1), made=(0, 1, 0)),
        _asking(
            "none", "asked", "none", offer=("1 Ore", "1 Wool"), rules=replace(TO_ONE, proposals_per_turn=1)
        )._replace(made=(0, 1, 0)),
    ),
    EffectCase(
        _to(3, "1 Ore", "1 Wool"),
        "another could pay, too",
        _talk(rules=_TO_ONE_BRIEF, hands=_WOOL_OF_BOTH),
        _asking("none", "none", "asked", offer=("1 Ore", "1 Wool"), rules=_TO_ONE_BRIEF, hands=_WOOL_OF_BOTH),
    ),
    EffectCase(
        _to(2, "2 Ore", "1 Wool"),
        "with a card that was sealed",
        hiding(_talk(rules=_TO_ONE_HIDDEN, hands={1: "1 Ore"}), "1 Ore", sealed=(1, 0, 0)),
        hiding(_asking("none", "asked", "none", offer=("2 Ore", "1 Wool"), rules=_TO_ONE_HIDDEN, hands={1: "2 Ore"})),
    ),
)

_COUNTED_EFFECTS = (
    EffectCase(
        a.OfferTrade(1, cards("4 Ore"), cards("3 Lumber")),
        "the last of two in a turn",
        _talk(rules=COUNTED, made=(1, 1, 0)),
        _asking("none", "asked", "asked", offer=("4 Ore", "3 Lumber"), rules=COUNTED, made=(2, 1, 0)),
    ),
    EffectCase(
        a.OfferTrade(1, cards("4 Ore"), cards("3 Lumber")),
        "not counted where only proposals are",
        _talk(rules=replace(TALK, proposals_per_turn=1), made=(0, 1, 0)),
        _asking(
            "none", "asked", "asked", offer=("4 Ore", "3 Lumber"), rules=replace(TALK, proposals_per_turn=1)
        )._replace(made=(0, 1, 0)),
    ),
    EffectCase(
        _proposal(2, "2 Wool, 1 Grain", "1 Ore"),
        "the only one in a turn",
        _talk(rules=COUNTED, made=(2, 0, 0)),
        _talk(rules=COUNTED, made=(2, 1, 0), proposals={2: ("2 Wool, 1 Grain", "1 Ore")}),
    ),
    EffectCase(
        _proposal(3, "1 Brick", "1 Ore"),
        "a counter-offer is counted",
        _asking("none", "reject", "asked", rules=COUNTED, made=(1, 0, 0)),
        _asking("none", "reject", "reject", rules=COUNTED, made=(1, 0, 1), proposals={3: ("1 Brick", "1 Ore")}),
    ),
    EffectCase(
        _proposal(2, "2 Wool, 1 Grain", "1 Ore"),
        "not counted where only offers are",
        _talk(rules=replace(TALK, offers_per_turn=1), made=(1, 0, 0)),
        _talk(rules=replace(TALK, offers_per_turn=1), made=(1, 0, 0), proposals={2: ("2 Wool, 1 Grain", "1 Ore")}),
    ),
    EffectCase(
        a.WithdrawTrade(1),
        "an offer that is withdrawn counts",
        _asking("none", "asked", "asked", rules=COUNTED, made=(1, 0, 0)),
        _talk(rules=COUNTED, made=(1, 0, 0)),
    ),
    EffectCase(
        a.EmptyBuild(1),
        "offers and proposals are counted anew",
        _talk(rules=COUNTED, made=(2, 0, 1)),
        _talk(rules=COUNTED, phase="DiceRoll", turn=2),
    ),
)


def _unheard(action: a.Action, before: dict[str, Any], after: dict[str, Any]) -> EffectCase:
    """Player 1 goes on after player 2's proposal of a Wool for an Ore."""
    first = _talk(**{"proposals": _SAID, **before, "hands": {2: "1 Wool", **before.get("hands", {})}})
    last = _talk(**{**after, "hands": {2: "1 Wool", **after.get("hands", {})}})
    return EffectCase(action, "the proposals are over", first, last)


_JOINT = replace(TALK, chance="joint")

_UNHEARD = (
    _unheard(a.EmptyTrade(1), {"phase": "Trading", "rules": _APART}, {"phase": "Building", "rules": _APART}),
    _unheard(a.TradeFourToOne(1, "Ore", "Grain"), {"hands": {1: "4 Ore"}}, {"hands": {1: "1 Grain"}}),
    _unheard(a.EmptyBuild(1), {}, {"phase": "DiceRoll", "turn": 2}),
    _unheard(
        a.EmptyBuild(1),
        {"rules": _TURN_END, "cities": {1: (24,)}, "roads": {1: (23, 64, 21)}},
        {"rules": _TURN_END, "cities": {1: (24,)}, "roads": {1: (23, 64, 21)}, "phase": "top", "dice": 8},
    )._replace(what="the proposals are over with the game"),
    _unheard(a.BuildRoad(1, 22), {"hands": {1: "1 Lumber, 1 Brick"}}, {"roads": {1: (23, 64, 22)}, "hands": {}}),
    _unheard(
        a.BuildVillage(1, 11),
        {"hands": {1: "1 Lumber, 1 Brick, 1 Wool, 1 Grain"}, "roads": {1: (23, 64, 21)}, "players": 2},
        {"villages": {1: (20, 43, 11)}, "roads": {1: (23, 64, 21)}, "players": 2},
    ),
    _unheard(
        a.BuildCity(1, 20),
        {"hands": {1: "2 Grain, 3 Ore"}},
        {"villages": {1: (43,)}, "cities": {1: (20,)}},
    ),
    _unheard(
        a.BuyDevCard(1, "Knight"),
        {"hands": {1: "1 Wool, 1 Grain, 1 Ore"}},
        {"bought": {1: "1 Knight"}},
    ),
    _unheard(
        a.Call(1, "BuyDevCard"),
        {"hands": {1: "1 Wool, 1 Grain, 1 Ore"}, "rules": _JOINT},
        {
            "hands": {1: "1 Wool, 1 Grain, 1 Ore"},
            "rules": _JOINT,
            "phase": "Drawing",
            "call": CalledDraw("BuyDevCard", "TradingBuilding", 0, 0),
            "due": (False, True, True),
        },
    ),
    _unheard(
        a.PlayMonopoly(1, "Grain"),
        {"available": {1: "1 Monopoly"}, "hands": {3: "2 Grain"}},
        {"discarded": "1 Monopoly", "hands": {1: "2 Grain"}, "played": 1},
    ),
    _unheard(
        a.PlayYearOfPlenty(1, "Grain", "Ore"),
        {"available": {1: "1 YearOfPlenty"}},
        {"discarded": "1 YearOfPlenty", "hands": {1: "1 Grain, 1 Ore"}, "played": 1},
    ),
    _unheard(
        a.PlayRoadBuilding(1, 22, 55),
        {"available": {1: "1 RoadBuilding"}},
        {"discarded": "1 RoadBuilding", "roads": {1: (23, 64, 22, 55)}, "played": 1},
    ),
    _unheard(
        a.PlayKnight(1, 8, 2, "Wool"),
        {"available": {1: "1 Knight"}},
        {"unveiled": {1: "1 Knight"}, "bandit": 8, "played": 1, "hands": {1: "1 Wool", 2: ""}},
    ),
)

TALK_EFFECTS: tuple[EffectCase, ...] = (*_TALK_EFFECTS, *_TO_ONE_EFFECTS, *_COUNTED_EFFECTS, *_UNHEARD)

TALK_GUARDS: tuple[GuardCase, ...] = (
    GuardCase("OO1 rule", _talk(), _to(2, "1 Ore", "1 Wool")),
    *(
        GuardCase("OO2 phase", _talk(phase=phase, rules=TO_ONE), _to(2, "1 Ore", "1 Wool"), phase)
        for phase in ("DiceRoll", "MovingBandit")
    ),
    GuardCase(
        "OO2 phase",
        _asking("none", "asked", "asked", rules=TO_ONE, offer=("1 Ore", "1 Wool")),
        _to(2, "1 Ore", "1 Wool"),
        "Offering",
    ),
    GuardCase("OO3 turn", _talk(rules=TO_ONE), _to(1, "1 Wool", "1 Ore", player=2)),
    GuardCase("OO4 other", _talk(rules=TO_ONE), _to(1, "1 Ore", "1 Wool")),
    GuardCase(
        "OO5 seat",
        _talk(rules=replace(TO_ONE, leaving=True), away=(False, True, False)),
        _to(2, "1 Ore", "1 Wool"),
    ),
    GuardCase("OO6 give", _talk(rules=TO_ONE), _to(2, "", "1 Wool"), "nothing"),
    GuardCase("OO6 give", _talk(rules=_TO_ONE_BRIEF), _to(2, "5 Ore", "1 Wool"), "five cards"),
    GuardCase("OO7 receive", _talk(rules=TO_ONE), _to(2, "1 Ore", ""), "nothing"),
    GuardCase(
        "OO7 receive",
        _talk(rules=_TO_ONE_BRIEF, hands={1: "1 Ore", 2: "5 Wool"}),
        _to(2, "1 Ore", "5 Wool"),
        "five cards",
    ),
    GuardCase("OO8 differ", _talk(rules=TO_ONE), _to(2, "1 Ore", "1 Ore, 1 Wool")),
    GuardCase("OO9 hand", _talk(rules=TO_ONE), _to(2, "6 Ore", "1 Wool"), "too few"),
    GuardCase("OO9 hand", _talk(rules=TO_ONE), _to(2, "1 Grain", "1 Wool"), "none of it"),
    GuardCase("OO10 taker", _talk(rules=_TO_ONE_BRIEF), _to(3, "1 Ore", "1 Wool"), "another could"),
    GuardCase("OO11 limit", _talk(rules=_TO_ONE_COUNTED, made=(2, 0, 0)), _to(2, "1 Ore", "1 Wool")),
    GuardCase("OT4 give", _talk(), a.OfferTrade(1, cards(""), cards("1 Wool")), "nothing, where there is no bound"),
    GuardCase("OT5 receive", _talk(), a.OfferTrade(1, cards("1 Ore"), cards("")), "nothing, where there is no bound"),
    GuardCase("AT3 hand", _asking("none", "asked", "asked"), a.AnswerTrade(3, "accept")),
    GuardCase(
        "AT3 hand", _asking("none", "asked", "asked", offer=("5 Ore", "3 Wool")), a.AnswerTrade(2, "accept"), "few"
    ),
    GuardCase("PT1 rule", _talk(rules=BRIEF), _proposal(2, "1 Wool", "1 Ore"), also=("PT2 phase",)),
    *(
        GuardCase("PT2 phase", _talk(phase=phase), _proposal(2, "1 Wool", "1 Ore"), phase)
        for phase in ("DiceRoll", "MovingBandit", "top")
    ),
    GuardCase("PT2 phase", _talk(phase="Building", rules=_APART), _proposal(2, "1 Wool", "1 Ore"), "Building"),
    GuardCase("PT3 other", _talk(), _proposal(1, "1 Ore", "1 Wool")),
    GuardCase("PT4 give", _talk(), _proposal(2, "", "1 Ore"), "nothing"),
    GuardCase("PT4 give", _talk(rules=FEW_CARDS), _proposal(2, "2 Wool, 1 Grain", "1 Ore"), "too many"),
    GuardCase("PT5 receive", _talk(), _proposal(2, "1 Wool", ""), "nothing"),
    GuardCase("PT5 receive", _talk(rules=FEW_CARDS), _proposal(2, "1 Wool", "3 Ore"), "too many"),
    GuardCase("PT6 differ", _talk(), _proposal(2, "1 Wool", "1 Wool, 1 Ore")),
    GuardCase("PT7 hand", _talk(), _proposal(2, "3 Wool", "1 Ore"), "too few"),
    GuardCase("PT7 hand", _talk(), _proposal(3, "1 Lumber", "1 Ore"), "none of it"),
    GuardCase("PT8 once", _talk(proposals=_SAID), _proposal(2, "1 Grain", "1 Ore")),
    GuardCase("PT9 asked", _asking("none", "accept", "asked"), _proposal(2, "1 Wool", "1 Ore"), "accepted"),
    GuardCase("PT9 asked", _asking("none", "reject", "asked"), _proposal(2, "1 Wool", "1 Ore"), "rejected"),
    GuardCase("OT9 limit", _talk(rules=COUNTED, made=(2, 0, 0)), a.OfferTrade(1, cards("1 Ore"), cards("1 Wool"))),
    GuardCase("PT11 limit", _talk(rules=COUNTED, made=(0, 1, 0)), _proposal(2, "1 Wool", "1 Ore"), "unasked"),
    GuardCase(
        "PT11 limit",
        _asking("none", "asked", "asked", rules=COUNTED, made=(1, 1, 0)),
        _proposal(2, "1 Wool", "1 Ore"),
        "a counter-offer",
    ),
    GuardCase(
        "CT1 phase",
        _talk(phase="Building", rules=_APART, proposals=_SAID),
        a.ConcludeTrade(1, 2),
        "a proposal in another phase",
    ),
    GuardCase("CT2 turn", _talk(proposals={2: ("1 Wool", "1 Brick")}), a.ConcludeTrade(3, 2), "a proposal to another"),
    GuardCase("CT4 accepted", _talk(proposals=_SAID), a.ConcludeTrade(1, 3), "no proposal"),
    GuardCase("CT4 accepted", _asking("none", "accept", "asked"), a.ConcludeTrade(1, 3), "silent"),
    GuardCase("CT5 hand", _talk(proposals={2: ("1 Wool", "6 Ore")}), a.ConcludeTrade(1, 2), "more than there is"),
    GuardCase(
        "CT5 hand",
        _asking("none", "reject", "asked", proposals={2: ("1 Wool", "1 Lumber")}),
        a.ConcludeTrade(1, 2),
        "a counter-offer",
    ),
)
