"""Trades with the bank, at wharfs, and between players."""

from dataclasses import replace
from typing import Any

from catan_p2p.game import actions as a
from catan_p2p.game.constants import BRIEF
from catan_p2p.game.state import State
from tests.game.actions.cases import GuardCase
from tests.positions import cards, position

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


TRADES: tuple[GuardCase, ...] = (
    GuardCase("ET1 phase", position(phase="Building"), a.EmptyTrade(1)),
    GuardCase("ET2 turn", position(phase="Trading"), a.EmptyTrade(2)),
    *_trade("TF", a.TradeFourToOne, 4),
    *_trade("TT", a.TradeThreeToOne, 3),
    GuardCase(
        "TT6 wharf",
        position(phase="Trading", hands={1: "3 Lumber"}),
        a.TradeThreeToOne(1, "Lumber", "Ore"),
        "none at all",
    ),
    GuardCase(
        "TT6 wharf",
        position(phase="Trading", villages={1: (17, 43)}, roads={1: (19, 64)}, hands={1: "3 Lumber"}),
        a.TradeThreeToOne(1, "Lumber", "Ore"),
        "a wharf for one resource",
    ),
    *_trade("TW", a.TradeTwoToOne, 2),
    GuardCase(
        "TW6 wharf", position(phase="Trading", hands={1: "2 Wool"}, **_WHARFS), a.TradeTwoToOne(1, "Wool", "Ore")
    ),
    GuardCase(
        "TW6 wharf",
        position(phase="Trading", hands={1: "2 Ore"}, **_WHARFS),
        a.TradeTwoToOne(1, "Ore", "Lumber"),
        "of what is received",
    ),
)

_TWO_HANDS = {1: "2 Ore, 1 Wool", 2: "1 Brick, 1 Wool"}


def _offering(give: str, receive: str) -> a.OfferTrade:
    return a.OfferTrade(1, cards(give), cards(receive))


def _trading(players: int = 2, **given: Any) -> State:
    """The phase for trading and building of the rule book."""
    return position(players, **{"phase": "TradingBuilding", "hands": _TWO_HANDS, "rules": BRIEF, **given})


def _asking(*answers: Any, phase: str = "Offering") -> State:
    """Player 1 offers an ore for a wool to two who have one, or any other of the three does."""
    everybody = dict.fromkeys((1, 2, 3), "1 Wool, 1 Ore")
    return position(3, phase=phase, turn=1, hands=everybody, offer=("1 Ore", "1 Wool"), answers=answers, rules=BRIEF)


DOMESTIC: tuple[GuardCase, ...] = (
    GuardCase("OT1 rule", _trading(rules=replace(BRIEF, domestic_trade=False)), _offering("1 Ore", "1 Brick")),
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
    GuardCase(
        "OT9 limit",
        _trading(rules=replace(BRIEF, offers_per_turn=2), made=(2, 0)),
        _offering("1 Ore", "1 Brick"),
        "two offers made",
    ),
    GuardCase("AT1 phase", _asking("none", "asked", "asked", phase="TradingBuilding"), a.AnswerTrade(2, "accept")),
    GuardCase("AT2 asked", _asking("none", "accept", "asked"), a.AnswerTrade(2, "reject"), "answered already"),
    GuardCase("AT2 asked", _asking("none", "none", "asked"), a.AnswerTrade(2, "accept"), "cannot pay"),
    GuardCase("AT2 asked", _asking("none", "asked", "asked"), a.AnswerTrade(1, "accept"), "the active player"),
    GuardCase("CT1 phase", _asking("none", "accept", "accept", phase="TradingBuilding"), a.ConcludeTrade(1, 2)),
    GuardCase("CT2 turn", _asking("none", "accept", "accept"), a.ConcludeTrade(3, 2)),
    GuardCase("CT3 answers", _asking("none", "accept", "asked"), a.ConcludeTrade(1, 2)),
    GuardCase("CT4 accepted", _asking("none", "accept", "reject"), a.ConcludeTrade(1, 3), "rejected"),
    GuardCase("CT4 accepted", _asking("none", "accept", "none"), a.ConcludeTrade(1, 3), "not asked"),
    GuardCase("CT4 accepted", _asking("none", "accept", "accept"), a.ConcludeTrade(1, 1), "the player"),
    GuardCase("WT1 phase", _asking("none", "reject", "reject", phase="TradingBuilding"), a.WithdrawTrade(1)),
    GuardCase("WT2 turn", _asking("none", "reject", "reject"), a.WithdrawTrade(2)),
    GuardCase("WT3 answers", _asking("none", "reject", "asked"), a.WithdrawTrade(1)),
)
