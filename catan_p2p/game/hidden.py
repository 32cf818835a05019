"""What comes into the open when a player acts in a game of hidden hands.

An action takes what its player's known cards lack from the sealed ones, and plays or shows a development card that
nobody else has seen. ``disclosure`` has the state with these cards known; in it the guards and the effect of the action
are those of open hands. Which cards they are follows from the action, so a commit need not say it; that they are held,
the commit proves (docs/how-it-works/sealing.md).
"""

from __future__ import annotations

from typing import NamedTuple

from catan_p2p.game.actions import (
    Action,
    AnswerTrade,
    BuildCity,
    BuildRoad,
    BuildVillage,
    BuyDevCard,
    Call,
    ConcludeTrade,
    Discard,
    OfferTrade,
    PlayKnight,
    PlayMonopoly,
    PlayRoadBuilding,
    PlayYearOfPlenty,
    ProposeTrade,
    ShowPoint,
    Surrender,
    TradeFourToOne,
    TradeThreeToOne,
    TradeTwoToOne,
)
from catan_p2p.game.actions.parts import (
    COST_CITY,
    COST_DEV_CARD,
    COST_ROAD,
    COST_VILLAGE,
    lacking,
    with_hand,
    with_seat,
)
from catan_p2p.game.actions.show_point import Pile
from catan_p2p.game.cards import NO_CARDS, ONE, Cards, DevCard, count, total
from catan_p2p.game.constants import Player
from catan_p2p.game.state import State

_COSTS: dict[type, Cards] = {
    BuildRoad: COST_ROAD,
    BuildVillage: COST_VILLAGE,
    BuildCity: COST_CITY,
    BuyDevCard: COST_DEV_CARD,
}
_RATES: dict[type, int] = {TradeFourToOne: 4, TradeThreeToOne: 3, TradeTwoToOne: 2}
_PLAYED: dict[type, DevCard] = {
    PlayMonopoly: "Monopoly",
    PlayYearOfPlenty: "YearOfPlenty",
    PlayRoadBuilding: "RoadBuilding",
    PlayKnight: "Knight",
}


def cost_of(state: State, action: Action) -> Cards:
    """The resource cards that a player must have for an action, or says to have by it."""
    match action:
        case Discard() | Surrender():
            return action.cards
        case OfferTrade() | ProposeTrade():
            return action.give
        case AnswerTrade():
            return state.offer.receive if action.answer == "accept" else NO_CARDS
        case ConcludeTrade():
            return state.terms(action.partner).give
        case Call():
            return COST_DEV_CARD if action.what == "BuyDevCard" else NO_CARDS
        case TradeFourToOne() | TradeThreeToOne() | TradeTwoToOne():
            return ONE[action.give] * _RATES[type(action)]
    return _COSTS.get(type(action), NO_CARDS)


def opens(state: State, action: Action) -> Cards:
    """The sealed cards that come into the open with an action: what its player's known cards lack."""
    cost = cost_of(state, action)
    return lacking(state.h[action.player - 1].rc, cost) if cost else NO_CARDS


def shows(state: State, action: Action) -> DevCard | None:
    """The development card that comes into the open with an action; a knight that was called for has done so before.

    So has one whose victim has left before the theft.
    """
    if isinstance(action, ShowPoint):
        return "VictoryPoint"
    if isinstance(action, Call):
        card: DevCard | None = "Knight" if action.what == "PlayKnight" else None
    else:
        card = None if state.tp == "Drawing" else _PLAYED.get(type(action))
    return None if card is None or count(state.h[action.player - 1].ac, card) else card


class Disclosure(NamedTuple):
    """What comes into the open with an action."""

    cards: Cards
    """Sealed resource cards; see ``opens``."""
    card: DevCard | None
    """A development card; see ``shows``."""
    known: State
    """The state with these cards in the open, as far as they can be there."""
    can_show: bool
    """Whether there is a card that can be the one to show, if one has to be shown."""


_LATEST: list[tuple[State, Action, Disclosure]] = []
"""The disclosure that was worked out last, with what it is of; empty at first."""


def disclosure(state: State, action: Action) -> Disclosure:
    """What comes into the open with an action.

    Guards, effect and proofs of one action all ask for it, one after the other, so the latest one is kept. States and
    actions never change, so what is kept stays right.
    """
    for of_state, of_action, found in _LATEST:
        if of_state is state and (of_action is action or of_action == action):
            return found
    found = _worked_out(state, action)
    _LATEST[:] = [(state, action, found)]
    return found


def _worked_out(state: State, action: Action) -> Disclosure:
    cards, card = opens(state, action), shows(state, action)
    known = _with_known(state, action.player, cards) if cards else state
    if card is None:
        return Disclosure(cards, card, known, can_show=True)
    shown = _with_shown(known, action, card)
    return Disclosure(cards, card, shown, can_show=shown is not known)


def _with_known(state: State, player: Player, cards: Cards) -> State:
    left = state.hid.sealed[player - 1] - total(cards)
    if left < 0:
        return state
    hands = with_hand(state, player, rc=state.h[player - 1].rc + cards)
    return state._replace(h=hands, hid=state.hid._replace(sealed=with_seat(state.hid.sealed, player, left)))


def pile_of(action: Action) -> Pile:
    """The pile from which an action shows a development card."""
    return action.pile if isinstance(action, ShowPoint) else "held"


def _with_shown(state: State, action: Action, card: DevCard) -> State:
    player, hidden = action.player, state.hid
    hand, pile = state.h[player - 1], pile_of(action)
    numbers = hidden.held if pile == "held" else hidden.bought
    if not (count(state.bnk.dc, card) and numbers[player - 1]):
        return state
    rest = with_seat(numbers, player, numbers[player - 1] - 1)
    hidden = hidden._replace(held=rest) if pile == "held" else hidden._replace(bought=rest)
    shown = hand._replace(uc=hand.uc + ONE[card]) if card == "VictoryPoint" else hand._replace(ac=hand.ac + ONE[card])
    bank = state.bnk._replace(dc=state.bnk.dc - ONE[card])
    return state._replace(h=with_seat(state.h, player, shown), bnk=bank, hid=hidden)
