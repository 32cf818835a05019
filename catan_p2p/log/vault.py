"""Sealed cards as a log holds them: what is proven of each commit, and where the cards come from that nobody sees.

A vault never changes; ``after`` checks what a commit tells and gives the next one, or says what is wrong. With each
sealed card it keeps how the card was sealed, so that its holder can open it with their key alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import NamedTuple, TypeAlias, TypeVar

from catan_p2p.game.actions import (
    Action,
    BuyDevCard,
    Call,
    EmptyBuild,
    MoveBandit,
    OpenAll,
    PlayKnight,
    Pledge,
    Reveal,
    Shuffle,
    Surrender,
)
from catan_p2p.game.actions.drawing import ROBBERIES, is_shared
from catan_p2p.game.actions.surrender import wanted_of
from catan_p2p.game.cards import DEV_CARDS, RESOURCES, Cards
from catan_p2p.game.chance import Nonce
from catan_p2p.game.constants import Constants, Player
from catan_p2p.game.hidden import opens, pile_of, shows
from catan_p2p.game.state import State
from catan_p2p.log.commit import Entry
from catan_p2p.log.storage.objects import ObjectId
from catan_p2p.sealing.deck import (
    KEY_MESSAGE_BYTES,
    SHARE_MESSAGE_BYTES,
    Deck,
    decrypted,
    new_deck,
    new_key,
    read_key,
    read_share,
)
from catan_p2p.sealing.group import BASE, SIZE_BYTES, Point, Refused, Scalar, times, total
from catan_p2p.sealing.hands import Resealing, read_resealing
from catan_p2p.sealing.linear import LOG_PROOF_BYTES
from catan_p2p.sealing.shuffle import read_shuffle, shuffle_bytes
from catan_p2p.sealing.theft import Answer, place_problem, read_answer, read_choice
from catan_p2p.sealing.transcript import GAME_KEY_BYTES, Occasion


class Told(NamedTuple):
    """What a commit tells of cards that nobody else sees; see ``Entry``."""

    deck: int | None = None
    place: int | None = None
    seal: bytes | None = None


NOTHING_TOLD = Told()


class Sealing(NamedTuple):
    """How a player sealed a hand."""

    occasion: Occasion
    what: Resealing
    cards: tuple[Point, ...]


class Choosing(NamedTuple):
    """What a robber has chosen, before anybody knows what."""

    occasion: Occasion
    victim: Player
    size: int
    """How many cards the victim has."""
    choice: Point


class Theft(NamedTuple):
    """How a player came by a stolen card."""

    choosing: Choosing
    answered: Occasion
    answer: Answer


T = TypeVar("T")
Origin: TypeAlias = "Sealing | Theft"


class SealedCard(NamedTuple):
    """A sealed card in somebody's hand, and what its holder opens it by."""

    point: Point
    origin: Origin
    number: int
    """Which card of its sealing it is; of a stolen one, the place."""


class Hoard(NamedTuple):
    """What everybody knows of one player's hidden cards."""

    cards: tuple[SealedCard, ...] = ()
    key: Point = b""
    """The player's public key for the deck."""
    nonce: Nonce | None = None
    held: tuple[int, ...] = ()
    """Numbers of development cards that may be played, from 1."""
    bought: tuple[int, ...] = ()
    """Those that were bought this turn."""
    answered: tuple[Occasion, Answer] | None = None
    """What the player has answered as victim of the theft under way."""
    share: Point | None = None
    """The player's share of the decryption of the card that is being bought."""
    opened: bytes | None = None
    """The game key, once the player has told it after the end; see ``sealing.transcript.game_key``."""

    @property
    def points(self) -> tuple[Point, ...]:
        """The sealed cards."""
        return tuple(card.point for card in self.cards)


class _Wrong(Exception):
    """What is wrong with what a commit tells."""


class _Message:
    """The bytes that a commit tells, taken apart from the front."""

    def __init__(self, data: bytes) -> None:
        self._data = data

    def take(self, count: int) -> bytes:
        """The next bytes."""
        found, self._data = self._data[:count], self._data[count:]
        if len(found) != count:
            raise _Wrong(f"{count - len(found)} bytes of sealed cards and proofs are missing")
        return found

    def end(self) -> None:
        """Nothing must be left."""
        if self._data:
            raise _Wrong(f"{len(self._data)} bytes more of sealed cards and proofs than the action needs")


@dataclass(frozen=True, slots=True)
class Vault:
    """All that the log tells of cards that only their holders see. It is a value."""

    root: ObjectId
    hoards: tuple[Hoard, ...]
    deck: Deck = ()
    shares: Mapping[int, Mapping[Player, Point]] = field(default_factory=dict)
    """By number of a card that was bought the shares of its decryption, by player."""
    choosing: Choosing | None = None

    def of(self, player: Player) -> Hoard:
        """What is known of a player's hidden cards."""
        return self.hoards[player - 1]

    @property
    def joint_key(self) -> Point:
        """The key for which the deck is sealed."""
        return total(hoard.key for hoard in self.hoards)

    @property
    def next_card(self) -> int:
        """The number of the card that is sold next, from 1."""
        return 1 + len(self.shares)

    def hearing(self, replies: Mapping[Player, Vault | None]) -> Vault:
        """The vault with what some replies have changed: each of them only what is its player's."""
        hoards = list(self.hoards)
        for player, told in replies.items():
            assert told is not None
            hoards[player - 1] = told.of(player)
        return replace(self, hoards=tuple(hoards))

    def _with(self, player: Player, hoard: Hoard) -> Vault:
        return replace(self, hoards=(*self.hoards[: player - 1], hoard, *self.hoards[player:]))

    def after(self, entry: Entry, before: State, base: ObjectId) -> Vault | Refused:
        """The vault after a commit whose first parent is ``base``, if all holds that it tells.

        The action is one that breaks no guard in the state ``before``.
        """
        occasion, message = Occasion(self.root, entry.action.player, base), _Message(entry.seal or b"")
        try:
            after = self._paid(entry.action, before, occasion, message)
            after = after._shown(entry, before, occasion, message)
            after = after._done(entry, before, occasion, message)
            message.end()
        except _Wrong as error:
            return Refused(str(error))
        return after._passed_on(entry.action)

    def _paid(self, action: Action, before: State, occasion: Occasion, message: _Message) -> Vault:
        """Cards that come into the open, and the others sealed anew."""
        what = paying(self.of(action.player).points, before, action)
        if what is None:
            return self
        cards = _held(read_resealing(occasion, what, message.take(what.message_bytes())))
        return self._with(action.player, self.of(action.player)._replace(cards=sealed(occasion, what, cards)))

    def _shown(self, entry: Entry, before: State, occasion: Occasion, message: _Message) -> Vault:
        """A development card that is played or shown."""
        card, player = shows(before, entry.action), entry.action.player
        if (card is None) != (entry.deck is None):
            raise _Wrong(
                "no card of the deck is shown" if entry.deck is None else "a card is shown that nobody asks for"
            )
        if card is None or entry.deck is None:
            return self
        hoard, number = self.of(player), entry.deck
        if number not in pile(hoard, entry.action):
            raise _Wrong(f"card {number} of the deck is none that the player may show")
        own = _held(read_share(occasion, self.deck[number - 1], hoard.key, message.take(SHARE_MESSAGE_BYTES)))
        kind = decrypted(self.deck[number - 1], (*self.shares[number].values(), own))
        if kind is None or DEV_CARDS[kind] != card:
            raise _Wrong(f"card {number} of the deck is no {card}")
        rest = hoard._replace(held=_without(hoard.held, number), bought=_without(hoard.bought, number))
        return self._with(player, rest)

    def _done(self, entry: Entry, before: State, occasion: Occasion, message: _Message) -> Vault:
        """What belongs to single actions."""
        action = entry.action
        if entry.place is not None and not (isinstance(action, MoveBandit | PlayKnight) and action.card == "sealed"):
            raise _Wrong("a place is told where nothing sealed is stolen")
        match action:
            case Pledge():
                key = _held(read_key(occasion, "deck", message.take(KEY_MESSAGE_BYTES)))
                return self._with(action.player, Hoard(key=key, nonce=entry.nonce))
            case OpenAll():
                return self._opened(action.player, message)
            case Shuffle():
                old = self.deck or new_deck(before.constants.rules.dev_card_pool, [hoard.key for hoard in self.hoards])
                data = message.take(shuffle_bytes(len(old)))
                return replace(self, deck=_held(read_shuffle(occasion, self.joint_key, old, data)))
            case Call() if action.what in ROBBERIES:
                count = before.hand_size(action.victim)
                choice = _held(read_choice(count, message.take(SIZE_BYTES)))
                return replace(self, choosing=Choosing(occasion, action.victim, count, choice))
            case Reveal() if not is_shared(before):
                return self._revealed(action, before, occasion, message)
            case BuyDevCard():
                return self._bought(action)
            case MoveBandit() | PlayKnight() if action.card == "sealed":
                return self._stolen(action, entry.place, occasion, message)
        return self

    def _opened(self, player: Player, message: _Message) -> Vault:
        """The key that the player's key for the deck was drawn with, and with it all that they have sealed."""
        hoard, key = self.of(player), message.take(GAME_KEY_BYTES)
        if times(deck_secret(self.root, player, hoard.nonce, key), BASE) != hoard.key:
            raise _Wrong("the key that is told is not the one of the pledge")
        return self._with(player, hoard._replace(opened=key))

    def _revealed(self, action: Reveal, before: State, occasion: Occasion, message: _Message) -> Vault:
        hoard = self.of(action.player)
        if before.call.victim != action.player:
            data = message.take(SHARE_MESSAGE_BYTES)
            share = _held(read_share(occasion, self.deck[self.next_card - 1], hoard.key, data))
            return self._with(action.player, hoard._replace(share=share))
        assert self.choosing is not None
        what = answering(hoard.points, before, action.player)
        answer = _held(read_answer(occasion, what, message.take(what.message_bytes() + SIZE_BYTES * (1 + what.left))))
        cards = sealed(occasion, what, answer.cards)
        return self._with(action.player, hoard._replace(cards=cards, answered=(occasion, answer)))

    def _bought(self, action: BuyDevCard) -> Vault:
        number, buyer = self.next_card, self.of(action.player)
        shares = {seat: hoard.share for seat, hoard in enumerate(self.hoards, 1) if hoard.share is not None}
        hoards = tuple(hoard._replace(share=None) for hoard in self.hoards)
        after = replace(self, hoards=hoards, shares={**self.shares, number: shares})
        return after._with(action.player, buyer._replace(bought=(*buyer.bought, number)))

    def _stolen(
        self, action: MoveBandit | PlayKnight, place: int | None, occasion: Occasion, message: _Message
    ) -> Vault:
        choosing, victim, robber = self.choosing, self.of(action.victim), self.of(action.player)
        assert choosing is not None and victim.answered is not None
        if place is None:
            raise _Wrong("the place of the stolen card is missing")
        proof = message.take(LOG_PROOF_BYTES)
        if (wrong := place_problem(occasion, choosing.choice, choosing.size, place, proof)) is not None:
            raise _Wrong(wrong)
        stolen = SealedCard(victim.cards[place].point, Theft(choosing, *victim.answered), place)
        rest = victim._replace(cards=(*victim.cards[:place], *victim.cards[place + 1 :]), answered=None)
        after = replace(self, choosing=None)._with(action.victim, rest)
        return after._with(action.player, robber._replace(cards=(*robber.cards, stolen)))

    def _passed_on(self, action: Action) -> Vault:
        """Cards that were bought may be played once their buyer has stopped building."""
        hoard = self.of(action.player)
        if not hoard.bought or not isinstance(action, EmptyBuild):
            return self
        return self._with(action.player, hoard._replace(held=(*hoard.held, *hoard.bought), bought=()))


def first_vault(root: ObjectId, constants: Constants) -> Vault | None:
    """The vault of a game that begins; None where hands are open."""
    if constants.rules.hands == "open":
        return None
    return Vault(root, (Hoard(),) * constants.player_count)


def deck_secret(root: ObjectId, player: Player, nonce: Nonce | None, key: bytes) -> Scalar:
    """The secret half of a player's key for the deck."""
    return new_key(Occasion(root, player, root), "deck", nonce or "", key)


def paying(held: tuple[Point, ...], before: State, action: Action) -> Resealing | None:
    """How sealed cards come into the open with an action; None if none do."""
    if isinstance(action, Surrender):
        cards: Cards = wanted_of(before, action.cards)
        return Resealing(held, paid=cards, without=RESOURCES.index(before.hid.wanted))
    paid = opens(before, action)
    return Resealing(held, paid=paid) if paid else None


def answering(held: tuple[Point, ...], before: State, victim: Player) -> Resealing:
    """How the victim of a theft seals the whole hand."""
    return Resealing(held, added=before.h[victim - 1].rc)


def pile(hoard: Hoard, action: Action) -> tuple[int, ...]:
    """The numbers of the cards from which an action shows one."""
    return hoard.held if pile_of(action) == "held" else hoard.bought


def sealed(occasion: Occasion, what: Resealing, cards: tuple[Point, ...]) -> tuple[SealedCard, ...]:
    """The cards of a sealing."""
    origin = Sealing(occasion, what, cards)
    return tuple(SealedCard(point, origin, number) for number, point in enumerate(cards))


def _without(numbers: tuple[int, ...], number: int) -> tuple[int, ...]:
    return tuple(one for one in numbers if one != number)


def _held(found: T | Refused) -> T:
    if isinstance(found, Refused):
        raise _Wrong(found.reason)
    return found
