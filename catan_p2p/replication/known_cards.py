"""A game of hidden hands as somebody knows it who can open some players' cards: those players' hands are whole.

A player knows their own hand by their key; who has told theirs after the end is open to everybody. The rest of the
state stays what everybody sees, so whoever shows it cannot show more than its reader may know.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from catan_p2p.game.actions import Action, BuyDevCard, MoveBandit, PlayKnight
from catan_p2p.game.actions.parameters import DevelopmentCard
from catan_p2p.game.actions.parts import with_seat
from catan_p2p.game.constants import Player
from catan_p2p.game.state import NOTHING_HIDDEN, Bank, State
from catan_p2p.log.storage.objects import ObjectId
from catan_p2p.log.vault import Vault
from catan_p2p.replication.own_cards import OwnCards


class KnownCards:
    """The cards that the keys of some players open."""

    def __init__(self, root: ObjectId, own: Mapping[Player, OwnCards]) -> None:
        self._root = root
        self._own = dict(own)

    @property
    def players(self) -> frozenset[Player]:
        """Whose cards are known."""
        return frozenset(self._own)

    def hear(self, vault: Vault) -> bool:
        """Take the keys that players have told after the end; whether any is new."""
        told = {seat: hoard.opened for seat, hoard in enumerate(vault.hoards, 1) if seat not in self._own}
        new = {seat: OwnCards.opened_by(self._root, seat, key) for seat, key in told.items() if key is not None}
        self._own |= new
        return bool(new)

    def state(self, state: State, vault: Vault) -> State:
        """The state with the known hands whole: nothing of theirs is sealed, and the bank lacks their cards.

        Development cards that nobody has shown are among those that were bought or can be played, points included.
        """
        if state.hid is NOTHING_HIDDEN:
            return state
        hidden, hands, bank = state.hid, state.h, state.bnk
        for player, own in self._own.items():
            hoard, hand = vault.of(player), hands[player - 1]
            bought, held = (own.development_cards(vault, numbers) for numbers in (hoard.bought, hoard.held))
            changed = hand._replace(rc=hand.rc + own.cards(vault), bc=hand.bc + bought, ac=hand.ac + held)
            hands = with_seat(hands, player, changed)
            bank = Bank(bank.rc, bank.dc - bought - held)
            hidden = hidden._replace(
                sealed=with_seat(hidden.sealed, player, 0),
                bought=with_seat(hidden.bought, player, 0),
                held=with_seat(hidden.held, player, 0),
            )
        return state._replace(h=hands, bnk=bank, hid=hidden)

    def bought(self, action: BuyDevCard, vault: Vault) -> DevelopmentCard:
        """The card that was bought, ``sealed`` if that is not known."""
        own = self._own.get(action.player)
        return action.card if own is None else own.kind(vault, vault.of(action.player).bought[-1])

    def action(self, action: Action, vault: Vault) -> Action:
        """The action with the card that it hides, if that is known; ``vault`` is what follows from it."""
        match action:
            case BuyDevCard():
                return replace(action, card=self.bought(action, vault))
            case MoveBandit(player, _, victim, "sealed") | PlayKnight(player, _, victim, "sealed"):
                card = vault.of(player).cards[-1]
                seen = [own.seen(card, vault) for seat in (player, victim) if (own := self._own.get(seat)) is not None]
                return replace(action, card=next((kind for kind in seen if kind is not None), "sealed"))
        return action
