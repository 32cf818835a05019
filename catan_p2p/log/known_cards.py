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

    def hear(self, vault: SealedCards) -> bool:
        """Take over the keys that players have told after the end; return whether any of them is new."""
        opened = frozenset(seat for seat, hoard in enumerate(vault.hoards, 1) if hoard.opened is not None)
        if opened <= self._opened:
            return False
        self._opened, self._told = opened, readers(vault)
        return True

    def state(self, state: State, vault: SealedCards) -> State:
        """Return the state with the known cards in the hands."""
        if state.hid is NOTHING_HIDDEN:
            return state
        for player in state.constants.players:
            hoard = vault.of(player)
            cards = _added(self._card(card, vault, player) for card in hoard.cards)
            bought, held = (
                _added(self._kind(player, vault, number) for number in numbers)
                for numbers in (hoard.bought, hoard.held)
            )
            state = opened(state, player, cards, bought, held)
        return state

    def _card(self, card: SealedCard, vault: SealedCards, *seats: Player) -> Resource | None:
        """Read a sealed card with any key that was told, or one at hand of these players; None if nothing opens it."""
        asked = (*self._told.values(), *(self._own[seat] for seat in seats if seat in self._own))
        return next((kind for reader in asked if (kind := reader.seen(card, vault)) is not None), None)

    def _kind(self, player: Player, vault: SealedCards, number: int) -> DevCard | None:
        reader = self._own.get(player) or self._told.get(player)
        return None if reader is None else reader.kind(vault, number)

    def hidden_by(self, action: Action, vault: SealedCards) -> Resource | DevCard | None:
        """Return the card that an action hides, None if there is none or it is unknown; ``vault`` comes after it."""
        if action.outcome != "sealed":
            return None
        hoard = vault.of(action.player)
        if isinstance(action, Robbery):
            # Victim and robber both know a stolen card.
            return self._card(hoard.cards[-1], vault, action.player, action.victim)
        return self._kind(action.player, vault, hoard.bought[-1])

    def action(self, action: Action, vault: SealedCards) -> Action:
        """Return the action with the card that it hides, if that is known."""
        card = self.hidden_by(action, vault)
        return action if card is None else replace(action, card=card)  # type: ignore[type-var]


def _added(kinds: Iterable[Resource | DevCard | None]) -> Cards:
    """Add up the cards of these kinds; unknown ones do not count."""
    return sum((ONE[kind] for kind in kinds if kind is not None), NO_CARDS)
