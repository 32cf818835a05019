"""What comes into the open when a player acts in a game of hidden hands.

An action takes what its player's known cards lack from the sealed ones, and plays or shows a development card that
nobody else has seen. ``disclosed`` has the state with these cards known; in it the guards and the effect of the action
are those of open hands. Which cards they are follows from the action, so a commit need not say it; that they are held,
the commit proves (docs/how-it-works/sealing.md).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

from catan_p2p.game.actions import KIND_OF, Action, ActionKind, Call, Discard, OfferTrade, OfferTradeTo, ShowPoint
from catan_p2p.game.actions.discard import owed
from catan_p2p.game.actions.parts import lacking, unseen, with_hand, with_seat
from catan_p2p.game.actions.show_point import Pile
from catan_p2p.game.cards import (
    DEV_CARDS,
    NO_CARDS,
    ONE,
    Cards,
    DevCard,
    count,
    covers,
    pack,
    selections,
    total,
    unpack,
)
from catan_p2p.game.constants import Player
from catan_p2p.game.state import Hand, State

# Read off the classes of actions, so that a new one cannot be forgotten here.
DISCLOSING = frozenset(
    kind.cls for kind in KIND_OF.values() if kind.cls.cost or kind.cls.unveils or kind.cls.needs is not Action.needs
)
"""The actions that can bring something into the open; all others need neither resource nor development cards."""


def opens(state: State, action: Action) -> Cards:
    """The sealed cards that come into the open with an action: what its player's known cards lack."""
    cost = action.needs(state)
    return lacking(state.h[action.player - 1].rc, cost) if cost else NO_CARDS


def shows(state: State, action: Action) -> DevCard | None:
    """The development card that comes into the open with an action; a knight that was called for has done so before.

    So has one whose victim has left before the theft.
    """
    if isinstance(action, ShowPoint):
        return action.unveils
    if isinstance(action, Call):
        card: DevCard | None = "Knight" if action.what == "PlayKnight" else None
    else:
        # While a draw is under way the card was shown with its call.
        card = None if state.tp == "Drawing" else action.unveils
    return None if card is None or count(state.h[action.player - 1].ac, card) else card


class Disclosure(NamedTuple):
    """What comes into the open with an action."""

    player: Player
    cards: Cards
    """Sealed resource cards; see ``opens``."""
    card: DevCard | None
    """A development card; see ``shows``."""
    pile: Pile
    """The pile from which it comes."""


@cache
def _nothing(player: Player) -> Disclosure:
    return Disclosure(player, NO_CARDS, None, "held")


class DisclosedState(NamedTuple):
    """A state with a disclosure made, as far as there can be such cards; ``ShowPoint`` itself unveils its point."""

    what: Disclosure
    state: State


class _LatestDisclosure(NamedTuple):
    state: State
    action: Action
    found: DisclosedState


_LATEST: list[_LatestDisclosure | None] = [None]
"""What was asked for last, as the only element."""


def disclosed(state: State, action: Action) -> DisclosedState:
    """The state once an action has brought into the open what it needs.

    The guards, the effect and the proofs of an action ask for it in turn, and so do all ways to play one card, which
    disclose the same. So the latest result is kept; it stays true, because states and actions never change.
    """
    if type(action) not in DISCLOSING:
        return DisclosedState(_nothing(action.player), state)
    latest = _LATEST[0]
    # Identity before equality: most callers ask about the very same state.
    if latest is not None and latest.state is not state:
        latest = None
    if latest is not None and (latest.action is action or latest.action == action):
        return latest.found
    what = Disclosure(action.player, opens(state, action), shows(state, action), pile_of(action))
    found = latest.found if latest is not None and latest.found.what == what else _made(state, what)
    _LATEST[0] = _LatestDisclosure(state, action, found)
    return found


def _made(state: State, what: Disclosure) -> DisclosedState:
    known = _with_known(state, what.player, what.cards) if what.cards else state
    if what.card is None or what.card == "VictoryPoint":
        return DisclosedState(what, known)
    return DisclosedState(what, _with_played(known, what.player, what.card))


def _with_known(state: State, player: Player, cards: Cards) -> State:
    left = state.hid.sealed[player - 1] - total(cards)
    # Cards that cannot be there leave the state as it is, and then a guard of the action fails.
    if left < 0 or not covers(unseen(state), cards):
        return state
    hands = with_hand(state, player, rc=state.h[player - 1].rc + cards)
    return state._replace(h=hands, hid=state.hid._replace(sealed=with_seat(state.hid.sealed, player, left)))


def opened(state: State, player: Player, cards: Cards, bought: Cards, held: Cards) -> State:
    """The state for somebody who knows these hidden cards of a player: they are in the hand, and the bank lacks them.

    Development cards that nobody has shown are among those that were bought or can be played, points included.
    """
    hand, hidden, seat = state.h[player - 1], state.hid, player - 1
    return state._replace(
        h=with_hand(state, player, rc=hand.rc + cards, bc=hand.bc + bought, ac=hand.ac + held),
        bnk=state.bnk._replace(dc=state.bnk.dc - bought - held),
        hid=hidden._replace(
            sealed=with_seat(hidden.sealed, player, hidden.sealed[seat] - total(cards)),
            bought=with_seat(hidden.bought, player, hidden.bought[seat] - total(bought)),
            held=with_seat(hidden.held, player, hidden.held[seat] - total(held)),
        ),
    )


def pile_of(action: Action) -> Pile:
    """The pile from which an action shows a development card."""
    return action.pile if isinstance(action, ShowPoint) else "held"


def _with_played(state: State, player: Player, card: DevCard) -> State:
    hand, hidden = state.h[player - 1], state.hid
    if not (count(state.bnk.dc, card) and hidden.held[player - 1]):
        return state
    held = with_seat(hidden.held, player, hidden.held[player - 1] - 1)
    hands = with_seat(state.h, player, hand._replace(ac=hand.ac + ONE[card]))
    bank = state.bnk._replace(dc=state.bnk.dc - ONE[card])
    return state._replace(h=hands, bnk=bank, hid=hidden._replace(held=held))


def possible_instances(kind: ActionKind, state: State, player: Player) -> Sequence[Action]:
    """Every instance of a kind that may be enabled, whatever the sealed cards are, and some others.

    They are those of a state in which the player holds all that their sealed cards can be; an offer without table talk
    asks for what others may hold.
    """
    most = _at_most(state, player)
    if any(state.lim):
        if kind.cls is not Discard:
            return kind.instances(state, player)
        due = owed(state, player) if state.tp == "Discarding" else 0
        return [Discard(player, cards) for cards in selections(most.h[player - 1].rc, due)] if due else ()
    if kind.cls is OfferTrade or kind.cls is OfferTradeTo:
        pool = unpack(state.constants.rules.resource_pool)
        others = (_with_any(hand, sealed, pool) for hand, sealed in zip(most.h, state.hid.sealed, strict=True))
        most = most._replace(h=with_seat(tuple(others), player, most.h[player - 1]))
    return kind.instances(most, player)


def _with_any(hand: Hand, sealed: int, pool: Sequence[int]) -> Hand:
    """A hand as others may ask for it: they go by the number of sealed cards alone, as ``could_pay`` does."""
    # Up to the pool, so that no count overflows its field.
    return hand._replace(rc=pack(min(known + sealed, most) for known, most in zip(unpack(hand.rc), pool, strict=True)))


def _at_most(state: State, player: Player) -> State:
    """The state in which a player holds, beside what is known, all that each of their cards can be by itself."""
    hand, hidden, seat = state.h[player - 1], state.hid, player - 1
    sealed = pack(min(hidden.sealed[seat], number) for number in unpack(unseen(state)))
    played = (card for card in DEV_CARDS if card != "VictoryPoint" and hidden.held[seat] and count(state.bnk.dc, card))
    held = sum(ONE[card] for card in played)
    return state._replace(h=with_seat(state.h, player, hand._replace(rc=hand.rc + sealed, ac=hand.ac + held)))
