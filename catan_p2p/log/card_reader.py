"""Reads hidden cards with the game key of their player: the only way to read them, for players and for onlookers.

A player's own program has the key from the start; after the end every player tells theirs (``OpenAll``). A card that a
key does not open is unknown. This module blames nobody for that: the card may have been sealed with another key.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from catan_p2p.game.cards import DEV_CARDS, RESOURCES, DevCard, Resource
from catan_p2p.game.constants import Player
from catan_p2p.log.sealed_cards import SealedCard, SealedCards, SealedHand, SealedTheft, meeting_secret
from catan_p2p.log.storage.objects import ObjectId
from catan_p2p.sealing.cards import CardOpening, opened
from catan_p2p.sealing.deck import decrypted
from catan_p2p.sealing.group import ORDER, Point, Scalar, times
from catan_p2p.sealing.leaving import pieces_given
from catan_p2p.sealing.theft import choose, uncovered


class CardReader(Protocol):
    """Reads one player's hidden cards; None for cards that it cannot read."""

    def seen(self, card: SealedCard, sealed_cards: SealedCards) -> Resource | None:
        """Read a card that the player has sealed or stolen."""

    def kind(self, sealed_cards: SealedCards, number: int) -> DevCard | None:
        """Read a development card that the player has bought."""


def opening_of(card: SealedCard, player: Player, key: bytes) -> CardOpening | None:
    """Open a card that a player has sealed or stolen, with the player's game key; None if it does not open."""
    match card.origin:
        case SealedHand() as sealing if sealing.context.seat == player:
            return _opening_of_own(card.point, sealing, card.number, key)
        case SealedTheft(choosing, answered, answer, _) if choosing.context.seat == player:
            return uncovered(answered, answer, choose(choosing.context, choosing.victim, choosing.size, key))
        case SealedTheft(_, _, _, sealing) if sealing.context.seat == player:
            return _opening_of_own(card.point, sealing, card.number, key)
    return None


def _opening_of_own(point: Point, sealing: SealedHand, number: int, key: bytes) -> CardOpening | None:
    return opened(point, sealing.what.about(sealing.context, "seal").drawn(key, "blind", number))


def who_lied(card: SealedCard, key: bytes) -> Player:
    """Return who lied if the key of the player who sealed or stole a card does not open it: that player, or the victim.

    A robber whose choice follows from the key has received a false answer, so the victim has lied.
    """
    if isinstance(card.origin, SealedTheft):
        choosing = card.origin.choosing
        if choose(choosing.context, choosing.victim, choosing.size, key).point() == choosing.choice:
            return choosing.victim
        return choosing.context.seat
    return card.origin.context.seat


def development_card(sealed_cards: SealedCards, number: int, secret: Scalar) -> DevCard | None:
    """Decrypt a bought development card with the buyer's secret for the deck; None if that fails."""
    card = sealed_cards.deck[number - 1]
    found = decrypted(card, (*sealed_cards.shares[number].values(), times(secret, card.mask)))
    return None if found is None else DEV_CARDS[found]


class KeyReader:
    """Reads the cards of a player who has told their game key."""

    def __init__(self, root: ObjectId, player: Player, key: bytes) -> None:
        self._root, self.player, self.key = root, player, key
        self._kinds: dict[int, DevCard | None] = {}
        self._seen: dict[Point, Resource] = {}
        self._secret: Scalar | None = None

    def seen(self, card: SealedCard, sealed_cards: SealedCards) -> Resource | None:
        """Read a card that the player has sealed or stolen, None if it is neither, or does not open."""
        if card.point not in self._seen:
            found = opening_of(card, self.player, self.key)
            if found is None:
                return None
            self._seen[card.point] = RESOURCES[found.kind]
        return self._seen[card.point]

    def kind(self, sealed_cards: SealedCards, number: int) -> DevCard | None:
        """Read a development card that the player has bought."""
        if number not in self._kinds:
            if self._secret is None:
                self._secret = sealed_cards.deck_secret(self.player, sealed_cards.of(self.player).nonce, self.key)
            self._kinds[number] = development_card(sealed_cards, number, self._secret)
        return self._kinds[number]


class PiecesReader:
    """Reads the development cards of a player who has told no key: together, the keys of all others make up that key.

    Only where keys for the deck are shared out.
    """

    def __init__(self, secret: Scalar) -> None:
        self._secret = secret

    def seen(self, card: SealedCard, sealed_cards: SealedCards) -> Resource | None:
        """The others know nothing of resource cards."""
        return None

    def kind(self, sealed_cards: SealedCards, number: int) -> DevCard | None:
        """Read a development card that the player has bought."""
        return development_card(sealed_cards, number, self._secret)


def readers(sealed_cards: SealedCards) -> dict[Player, CardReader]:
    """Return a reader for each player whose cards the keys told after the end can read."""
    told = {
        seat: hidden_hand.opened
        for seat, hidden_hand in enumerate(sealed_cards.hidden_hands, 1)
        if hidden_hand.opened is not None
    }
    found: dict[Player, CardReader] = {seat: KeyReader(sealed_cards.root, seat, key) for seat, key in told.items()}
    if sealed_cards.has_pieces:
        for owner in sealed_cards.party:
            if owner not in found and all(giver in told for giver in sealed_cards.party if giver != owner):
                found[owner] = PiecesReader(_given_to(sealed_cards, owner, told))
    return found


def _given_to(sealed_cards: SealedCards, owner: Player, told: Mapping[Player, bytes]) -> Scalar:
    """Compute a player's secret for the deck, as the sum of the pieces that all others have given to it."""
    meetings, secret = sealed_cards.meetings, 0
    for giver in sealed_cards.party:
        if giver != owner:
            own = meeting_secret(sealed_cards.root, giver, sealed_cards.of(giver).nonce, told[giver])
            secret += pieces_given(sealed_cards.root, giver, own, meetings)[owner]
    return secret % ORDER
