"""A game of hidden hands as seen by somebody who can open some players' cards: the hands of those players are complete.

A player opens their own hand with their key; the hand of a player who has told the key after the end is open to
everybody. A card that does not open stays sealed, like those of players whose key is unknown. The rest of the state
stays public, so code that displays the result cannot show more than its reader may know.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from catan_p2p.game.actions import Action, Robbery
from catan_p2p.game.cards import NO_CARDS, ONE, Cards, DevCard, Resource
from catan_p2p.game.constants import Player
from catan_p2p.game.hidden import opened
from catan_p2p.game.state import NOTHING_HIDDEN, State
from catan_p2p.log.card_reader import CardReader, readers
from catan_p2p.log.sealed_cards import SealedCard, SealedCards


class KnownCards:
    """The cards that the keys of some players open: ``own`` reads those of players whose key is at hand."""

    def __init__(self, own: Mapping[Player, CardReader]) -> None:
        self._own = dict(own)
        self._told: dict[Player, CardReader] = {}
        self._opened: frozenset[Player] = frozenset()

    def hear(self, sealed_cards: SealedCards) -> bool:
        """Take over the keys that players have told after the end; return whether any of them is new."""
        opened = frozenset(
            seat for seat, hidden_hand in enumerate(sealed_cards.hidden_hands, 1) if hidden_hand.opened is not None
        )
        if opened <= self._opened:
            return False
        self._opened, self._told = opened, readers(sealed_cards)
        return True

    def state(self, state: State, sealed_cards: SealedCards) -> State:
        """Return the state with the known cards in the hands."""
        if state.hid is NOTHING_HIDDEN:
            return state
        for player in state.constants.players:
            hidden_hand = sealed_cards.of(player)
            cards = _added(self._card(card, sealed_cards, player) for card in hidden_hand.cards)
            bought, held = (
                _added(self._kind(player, sealed_cards, number) for number in numbers)
                for numbers in (hidden_hand.bought, hidden_hand.held)
            )
            state = opened(state, player, cards, bought, held)
        return state

    def _card(self, card: SealedCard, sealed_cards: SealedCards, *seats: Player) -> Resource | None:
        """Read a sealed card with any key that was told, or one at hand of these players; None if nothing opens it."""
        asked = (*self._told.values(), *(self._own[seat] for seat in seats if seat in self._own))
        return next((kind for reader in asked if (kind := reader.seen(card, sealed_cards)) is not None), None)

    def _kind(self, player: Player, sealed_cards: SealedCards, number: int) -> DevCard | None:
        reader = self._own.get(player) or self._told.get(player)
        return None if reader is None else reader.kind(sealed_cards, number)

    def hidden_by(self, action: Action, sealed_cards: SealedCards) -> Resource | DevCard | None:
        """Return the card that an action hides, None if there is none or it is unknown.

        ``sealed_cards`` are those after it.
        """
        if action.outcome != "sealed":
            return None
        hidden_hand = sealed_cards.of(action.player)
        if isinstance(action, Robbery):
            # Victim and robber both know a stolen card.
            return self._card(hidden_hand.cards[-1], sealed_cards, action.player, action.victim)
        return self._kind(action.player, sealed_cards, hidden_hand.bought[-1])

    def action(self, action: Action, sealed_cards: SealedCards) -> Action:
        """Return the action with the card that it hides, if that is known."""
        card = self.hidden_by(action, sealed_cards)
        return action if card is None else replace(action, card=card)  # type: ignore[type-var]


def _added(kinds: Iterable[Resource | DevCard | None]) -> Cards:
    """Add up the cards of these kinds; unknown ones do not count."""
    return sum((ONE[kind] for kind in kinds if kind is not None), NO_CARDS)
