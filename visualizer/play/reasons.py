"""Why something cannot be done, in words made from the tags of broken guards."""

from collections.abc import Sequence

from catan_p2p.game.actions import Action, BankTradeAction, BuyDevCard, EmptyBuild, OfferTradeTo
from catan_p2p.game.actions.discard import owed
from catan_p2p.game.cards import RESOURCES, Cards, count
from catan_p2p.game.constants import Player
from catan_p2p.game.rules import broken_guards, call_of
from catan_p2p.game.state import State
from catan_p2p.sentences import listed
from catan_p2p.view.words import CARD_NAMES

from .draft import WhyNot, forms

_NO_CALL = (("CA14 open",), ("CA15 ahead",))
"""The broken guards of a call for an outcome that needs no draw; then the action itself is judged."""
_LEAST_TELLING = ("phase", "turn", "stage", "drawn", "rule")
"""Kinds of guards that are named last: the person can do nothing about them."""


def broken_by(state: State, action: Action) -> tuple[str, ...]:
    """The tags of the guards that forbid an action, however its outcome is drawn.

    In a game with hidden hands, ``state`` has all cards of the player (``log.known_cards``), so none of them would have
    to be shown first: ``HI1 shown`` is left out.
    """
    return tuple(tag for tag in _broken_by(state, action) if tag != "HI1 shown")


def _broken_by(state: State, action: Action) -> tuple[str, ...]:
    if state.constants.rules.chance == "joint" and action.drawn is not None:
        # A joint draw begins with a call, so a person can do what the guards of the call allow.
        broken = broken_guards(state, call_of(action))
        if broken not in _NO_CALL:
            return broken
    return broken_guards(state, action)


def reasons(state: State, action: Action, guards: Sequence[str] | None = None, most: int | None = None) -> str:
    """The words for broken guards, at most ``most``, those first that a person can change; empty if there are none."""
    broken = broken_by(state, action) if guards is None else guards
    telling = sorted(broken, key=lambda tag: tag.partition(" ")[2] in _LEAST_TELLING)
    said: list[str] = []
    for tag in telling:
        words = reason(state, action, tag)
        if words not in said:
            said.append(words)
    if not said:
        return ""
    return WhyNot("; ".join(said[:most]), *forms(said[0]))


def missing(hand: Cards, cost: Cards, what_for: str = "") -> WhyNot:
    """The cards of a cost that a hand lacks, such as ``1 Ore and 2 Grain are missing``."""
    lacks = [(count(cost, name) - count(hand, name), name) for name in RESOURCES]
    lacks = [(number, name) for number, name in lacks if number > 0]
    parts = [f"{number} {name}" for number, name in lacks]
    verb = "is" if [number for number, _ in lacks] == [1] else "are"
    in_short = (f"lacks {', '.join(parts)}{what_for}", f"lacks {', '.join(name for _, name in lacks)}")
    return WhyNot(f"{listed(parts)} {verb} missing{what_for}", *in_short)


def reason(state: State, action: Action, tag: str) -> str:
    """One broken guard in words."""
    kind = tag.partition(" ")[2]
    told = _OF_KIND.get(kind)
    if kind == "hand" and isinstance(action, BankTradeAction):
        return f"{action.rate} {action.give} are needed"
    if kind in ("cost", "hand"):
        return missing(state.h[action.player - 1].rc, action.needs(state))
    if kind == "phase":
        return _phase(state, action)
    if kind == "taker" and isinstance(action, OfferTradeTo):
        return "they could not pay that"
    if kind in ("supply", "second_supply"):
        return f"no {action.piece} is left"
    if kind == "available":
        return _available(state, action.player, action.unveils or "Knight")
    if kind == "asked" and state.ans[action.player - 1] != "none":
        return "you have answered already"
    if kind == "amount":
        return f"{owed(state, action.player)} cards must go"
    if kind in ("bank", "stock"):
        return "no development card is left" if isinstance(action, BuyDevCard) else "the bank has none left"
    if kind in ("give", "receive"):
        most = state.constants.rules.offer_max
        return f"1 to {most} cards on either side" if most else "at least 1 card on either side"
    return told or f"the rules do not allow it ({tag})"


_OF_KIND = {
    "turn": "it is not your turn",
    "free": "the place is taken",
    "second_free": "the place is taken",
    "road_free": "there is a road already",
    "distance": "too close to a village",
    "network": "no road of yours leads there",
    "second_network": "no road of yours leads there",
    "touch": "the road must touch the village",
    "village": "only a village of yours can become a city",
    "bandit": "the bandit stands beside it",
    "second_bandit": "the bandit stands beside it",
    "road_bandit": "the bandit stands beside it",
    "differ": "the same thing twice",
    "single": "two roads must be built, for there is room",
    "limit": "one development card a turn",
    "drawn": "everybody draws the outcome together first",
    "stage": "not at this stage of the set-up",
    "dice": "no such roll",
    "owes": "you need not discard anything",
    "discards": "first everybody must discard",
    "elsewhere": "the bandit must move",
    "land": "the bandit stays on land",
    "target": "the bandit may not go there now",
    "victim": "nobody to rob there, or not them",
    "card": "they do not have that card",
    "open": "nothing is left to chance there",
    "ahead": "the dice need no call",
    "plain": "the bandit does not move now",
    "rule": "not by the rules of this game",
    "resource": "the monopoly takes another resource",
    "taker": "nobody could pay that",
    "asked": "you are not asked",
    "answers": "not everybody has answered",
    "accepted": "they did not accept",
    "wharf": "you have no such wharf",
    "due": "the game does not wait for you",
    "other": "it is your own turn",
    "once": "your proposal stands already",
    "seat": "the others have gone on without this seat",
    "missed": "they have not missed a turn, or may not come back any more",
    "foreseen": "first the dice are rolled",
    "settled": "they have not placed both villages",
    "players": "a vote needs three players, a claim two",
    "awaited": "the game does not wait for them",
    "replies": "others still have to answer",
    "signed": "not everybody has signed the end",
    "shown": "you do not hold that card",
    "held": "you do not hold these cards",
}
"""The words for a broken guard by the word of its tag, unless ``reason`` has something more exact."""


def _phase(state: State, action: Action) -> str:
    if state.tp == "top":
        return "the game is over"
    if state.tp == "bot":
        return "after the set-up"
    if state.tp == "DiceRoll":
        return "after the dice"
    if state.tp in ("Discarding", "MovingBandit"):
        return "after the bandit has moved"
    if state.tp == "Offering":
        return "after the offer"
    if state.tp == "SpecialBuilding":
        return "between two turns you may only build and buy"
    if state.tp == "Trading" and (action.cost or isinstance(action, EmptyBuild)):
        return "after the trading"
    if state.tp == "Building":
        return "trading is over for this turn"
    return "not now"


def _available(state: State, player: Player, card: str) -> str:
    if count(state.h[player - 1].bc, card):
        return "bought this turn: from the next one on"
    return f"you have no {CARD_NAMES[card]}"
