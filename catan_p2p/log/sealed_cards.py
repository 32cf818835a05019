"""Sealed cards as a log holds them: the proofs in each commit, and the origin of cards that nobody else sees.

The value never changes: ``after`` checks what a commit says about sealed cards, and returns the next value or what is
wrong. Each sealed card keeps how it was sealed, so that its holder can open it with their key alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple, TypeAlias, TypeVar

from catan_p2p.game.actions import (
    Action,
    BuyDevCard,
    Call,
    Claim,
    ComeBack,
    EmptyBuild,
    Excuse,
    MoveBandit,
    OpenAll,
    PlayKnight,
    Pledge,
    Reveal,
    Robbery,
    Shuffle,
    Surrender,
)
from catan_p2p.game.actions.absence import are_pieces_told, is_awaited, is_preparing, is_purchase_dropped
from catan_p2p.game.actions.drawing import ROBBERIES, is_shared
from catan_p2p.game.actions.surrender import wanted_of
from catan_p2p.game.cards import DEV_CARDS, RESOURCES, Cards, DevCard
from catan_p2p.game.chance import Nonce
from catan_p2p.game.constants import Constants, Player
from catan_p2p.game.hidden import disclosed, pile_of
from catan_p2p.game.state import State
from catan_p2p.log.commit import LogEntry
from catan_p2p.log.storage.objects import ObjectId
from catan_p2p.sealing.checked import once
from catan_p2p.sealing.deck import (
    KEY_MESSAGE_BYTES,
    SHARE_MESSAGE_BYTES,
    Deck,
    EncryptedCard,
    decrypted,
    new_deck,
    new_key,
    read_cover,
    read_key,
    read_share,
    read_strip,
    stripping_bytes,
)
from catan_p2p.sealing.group import BASE, ORDER, SIZE_BYTES, Point, ProofRefused, Scalar, minus, times, total
from catan_p2p.sealing.hands import ResealedHand, read_resealing
from catan_p2p.sealing.leaving import FEWEST_PLAYERS, KeyPieces, pieces_of, read_given, shown_piece
from catan_p2p.sealing.linear import LOG_PROOF_BYTES
from catan_p2p.sealing.shuffle import read_shuffle, shuffle_bytes
from catan_p2p.sealing.theft import (
    RobberChoice,
    VictimAnswer,
    accusation_problem,
    place_problem,
    read_answer,
    read_choice,
)
from catan_p2p.sealing.transcript import GAME_KEY_BYTES, ProofContext

TELLING = frozenset(
    {Pledge, OpenAll, Shuffle, Excuse, Claim, ComeBack, Call, Reveal, BuyDevCard, Surrender, MoveBandit, PlayKnight}
)
"""Actions that concern hidden cards in other ways than by opening some; see ``game.hidden.disclosed``."""


class SealedHand(NamedTuple):
    """How a player sealed a hand."""

    context: ProofContext
    what: ResealedHand
    cards: tuple[Point, ...]


class SealedChoice(NamedTuple):
    """A robber's choice, before anybody knows what it is."""

    context: ProofContext
    victim: Player
    size: int
    """How many cards the victim has."""
    choice: Point


class SealedTheft(NamedTuple):
    """The origin of a stolen card."""

    choosing: SealedChoice
    answered: ProofContext
    answer: VictimAnswer
    sealing: SealedHand
    """How the victim had sealed it."""


T = TypeVar("T")
Origin: TypeAlias = "SealedHand | SealedTheft"


class SealedCard(NamedTuple):
    """A sealed card in somebody's hand, and what its holder needs to open it."""

    point: Point
    origin: Origin
    number: int
    """The number of the card in its sealing; of a stolen card, its place."""


class HiddenHand(NamedTuple):
    """What everybody knows of one player's hidden cards."""

    cards: tuple[SealedCard, ...] = ()
    key: Point = b""
    """The player's public key for the deck."""
    meeting: Point = b""
    """Where players may leave: the public key for exchanging pieces of keys with the others."""
    given: Mapping[Player, Point] = {}
    """The public pieces of others' keys for the deck that the player has given, by the owner of the key."""
    told: Mapping[Player, Scalar] = {}
    """The disclosed pieces of the player's own key, by the player who had given them and has left."""
    nonce: Nonce | None = None
    held: tuple[int, ...] = ()
    """Numbers of development cards that may be played, from 1."""
    bought: tuple[int, ...] = ()
    """Numbers of the cards that were bought this turn."""
    answered: tuple[ProofContext, VictimAnswer] | None = None
    """The player's answer as victim of the current theft."""
    share: Point | None = None
    """The player's share in decrypting the card that is being bought."""
    opened: bytes | None = None
    """The game key, once the player has told it after the end; see ``sealing.transcript.game_key``."""

    @property
    def points(self) -> tuple[Point, ...]:
        """The sealed cards."""
        return tuple(card.point for card in self.cards)


class _WrongContents(Exception):
    """A fault in what a commit says about sealed cards."""


class _CommitMessage:
    """The bytes in a commit about sealed cards, consumed from the front."""

    def __init__(self, data: bytes) -> None:
        self._data = data

    def take(self, count: int) -> bytes:
        """Take the next bytes."""
        found, self._data = self._data[:count], self._data[count:]
        if len(found) != count:
            raise _WrongContents(f"{count - len(found)} bytes of sealed cards and proofs are missing")
        return found

    def end(self) -> None:
        """Check that nothing is left."""
        if self._data:
            raise _WrongContents(f"{len(self._data)} bytes more of sealed cards and proofs than the action needs")


class SealedCards(NamedTuple):
    """Everything that the log says about cards that only their holders see, as an immutable value."""

    root: ObjectId
    hidden_hands: tuple[HiddenHand, ...]
    deck: Deck = ()
    shares: Mapping[int, Mapping[Player, Point]] = {}
    """By number of a bought card, the shares of its decryption by player."""
    choosing: SealedChoice | None = None
    is_left: bool = False
    """Whether players may leave: then the keys for the deck are split into pieces."""
    party: tuple[Player, ...] = ()
    """The players whose keys seal the deck, or did."""
    gone: frozenset[Player] = frozenset()
    """The players whose keys do not seal the rest of the deck: they have left, or are back and have not covered it."""
    kept: Deck = ()
    """While the rest is shuffled with the keys of who is back: the deck as it was before."""
    layers: frozenset[tuple[Player, Player]] = frozenset()
    """Pieces of leavers' keys that still seal the rest of the deck: giver and owner."""
    proven: frozenset[Player] = frozenset()
    """The players who were excused by a proof that they had lied about cards: they never come back."""

    def of(self, player: Player) -> HiddenHand:
        """The known part of a player's hidden cards."""
        return self.hidden_hands[player - 1]

    @property
    def joint_key(self) -> Point:
        """The public key for which the deck is sealed."""
        keys = (self.of(player).key for player in self.party if player not in self.gone)
        return total((*keys, *(self.of(giver).given[owner] for giver, owner in sorted(self.layers))))

    @property
    def meetings(self) -> dict[Player, Point]:
        """The players' keys for exchanging pieces, of all whose keys seal the deck."""
        return {player: self.of(player).meeting for player in self.party}

    @property
    def has_pieces(self) -> bool:
        """Whether the keys for the deck are split into pieces: with two players there is nothing to split."""
        return self.is_left and len(self.party) >= FEWEST_PLAYERS

    def is_pledged(self, player: Player, key: bytes) -> bool:
        """Whether this is the player's game key: the public key in the pledge follows from it, and so commits to it."""
        hidden_hand = self.of(player)
        secret = (meeting_secret if self.is_left else deck_secret)(self.root, player, hidden_hand.nonce, key)
        return times(secret, BASE) == (hidden_hand.meeting if self.is_left else hidden_hand.key)

    def deck_secret(self, player: Player, nonce: Nonce | None, key: bytes) -> Scalar:
        """Compute the secret half of a player's key for the deck from the player's game key ``key``."""
        if not self.has_pieces:
            return deck_secret(self.root, player, nonce, key)
        own = meeting_secret(self.root, player, nonce, key)
        return sum(pieces_of(self.root, player, own, self.meetings).values()) % ORDER

    def layers_of(self, giver: Player) -> list[Player]:
        """The players whose pieces a giver has yet to take off the rest of the deck."""
        return [owner for one, owner in sorted(self.layers) if one == giver]

    def untold(self, owner: Player, before: State) -> list[Player]:
        """The players who are away, having given a piece of a player's key that is to be disclosed now."""
        told = self.of(owner).told
        away = before.constants.players if are_pieces_told(before) else ()
        return [one for one in away if before.away[one - 1] and owner in self.of(one).given and one not in told]

    def opening_problem(self, seat: Player, shown: Cards, seal: bytes, base: ObjectId) -> ProofRefused | None:
        """Why a request after ``base`` does not open all sealed cards of a player as it says; None if it does."""
        what = ResealedHand(self.of(seat).points, paid=shown)
        if what.left:
            return ProofRefused(f"it opens {len(what.old) - what.left} of {len(what.old)} sealed cards")
        found = once(read_resealing, ProofContext(self.root, seat, base), what, seal)
        return found if isinstance(found, ProofRefused) else None

    def covers(self, player: Player, before: State) -> bool:
        """Whether a player who is back seals the rest of the deck with their own key before shuffling it."""
        return before.hid.deck == "back" and player in self.gone

    @property
    def rest(self) -> Deck:
        """The cards that are not sold, including the one that is being bought."""
        return self.deck[self.next_card - 1 :]

    def with_rest(self, rest: Deck) -> SealedCards:
        """Return the value with other cards in place of those that are not sold."""
        return self._replace(deck=(*self.deck[: self.next_card - 1], *rest))

    def unlike(self, owner: Player) -> bool:
        """Whether a player's key is not the sum of its pieces: then its owner, or the giver of one, has lied."""
        given = (self.of(giver).given[owner] for giver in self.party if giver != owner)
        return self.has_pieces and self.of(owner).key != total(given)

    def first_of_rest(self, before: State) -> int:
        """The index, from 0, of the first card to be shuffled anew: after the one that is being bought."""
        return self.next_card - (before.call.what != "BuyDevCard")

    @property
    def next_card(self) -> int:
        """The number of the card that is sold next, from 1."""
        return 1 + len(self.shares)

    def hearing(self, replies: Mapping[Player, SealedCards | None]) -> SealedCards:
        """Return the value after some replies, each of which changes only its player's part."""
        changed = {player: told for player, told in replies.items() if told is not self}
        if not changed:
            return self
        hidden_hands = list(self.hidden_hands)
        for player, told in changed.items():
            assert told is not None
            hidden_hands[player - 1] = told.of(player)
        return self._replace(hidden_hands=tuple(hidden_hands))

    def _with(self, player: Player, hidden_hand: HiddenHand) -> SealedCards:
        return self._replace(hidden_hands=(*self.hidden_hands[: player - 1], hidden_hand, *self.hidden_hands[player:]))

    def after(self, entry: LogEntry, before: State, base: ObjectId) -> SealedCards | ProofRefused:
        """Return the value after a commit with first parent ``base``, if everything in it is proven.

        The action breaks no guard in the state ``before``.
        """
        action = entry.action
        context, message = ProofContext(self.root, action.player, base), _CommitMessage(entry.seal or b"")
        what = disclosed(before, action).what
        after = self
        try:
            # The order of the parts in the message: see docs/how-it-works/sealing.md.
            if what.cards or type(action) in TELLING:
                after = after._paid(action, before, context, message)
            if what.card is not None or entry.deck is not None:
                after = after._shown(entry, what.card, context, message)
            if type(action) in TELLING or entry.place is not None:
                after = after._done(entry, before, context, message)
            message.end()
            if entry.seal == b"":
                raise _WrongContents("an empty proof, where the action needs none")
        except _WrongContents as error:
            return ProofRefused(str(error))
        return after._passed_on(action) if type(action) is EmptyBuild else after

    def _paid(self, action: Action, before: State, context: ProofContext, message: _CommitMessage) -> SealedCards:
        """Check cards that are opened, and the others, which are sealed anew."""
        what = paying(self.of(action.player), before, action)
        if what is None:
            return self
        cards = _held(once(read_resealing, context, what, message.take(what.message_bytes())))
        return self._with(action.player, self.of(action.player)._replace(cards=sealed(context, what, cards)))

    def _shown(
        self, entry: LogEntry, card: DevCard | None, context: ProofContext, message: _CommitMessage
    ) -> SealedCards:
        """Check a development card that is played or shown."""
        if card is None:
            raise _WrongContents("a card of the deck is shown where none is due")
        if entry.deck is None:
            raise _WrongContents("the card of the deck is not shown")
        player, number = entry.action.player, entry.deck
        hidden_hand = self.of(player)
        if number not in pile(hidden_hand, entry.action):
            raise _WrongContents(f"the player may not show card {number} of the deck")
        own = _held(
            once(read_share, context, self.deck[number - 1], hidden_hand.key, message.take(SHARE_MESSAGE_BYTES))
        )
        kind = once(decrypted, self.deck[number - 1], (*self.shares[number].values(), own))
        if kind is None or DEV_CARDS[kind] != card:
            raise _WrongContents(f"card {number} of the deck is no {card}")
        rest = hidden_hand._replace(
            held=_without(hidden_hand.held, number), bought=_without(hidden_hand.bought, number)
        )
        return self._with(player, rest)

    def _done(self, entry: LogEntry, before: State, context: ProofContext, message: _CommitMessage) -> SealedCards:
        """Check the parts that belong to single actions."""
        action = entry.action
        is_stolen = isinstance(action, Robbery) and action.card == "sealed"
        if entry.place is not None and not (is_stolen or isinstance(action, Excuse | Claim)):
            raise _WrongContents("the place of a stolen card is told, but no sealed card is stolen")
        match action:
            case Pledge():
                purpose = "meeting" if self.is_left else "deck"
                key = _held(once(read_key, context, purpose, message.take(KEY_MESSAGE_BYTES)))
                hidden_hand = HiddenHand(meeting=key) if self.is_left else HiddenHand(key=key)
                return self._with(action.player, hidden_hand._replace(nonce=entry.nonce))
            case OpenAll():
                return self._opened(action.player, message)
            case Shuffle():
                return self._shuffled(before, context, message)
            case Excuse() | Claim():
                is_accused = entry.seal is not None or entry.place is not None
                if is_accused or not (isinstance(action, Excuse) or is_awaited(before, action.absent)):
                    self._check_accusation(action, entry, before, context, message)
                proven = self.proven | {action.absent} if is_accused else self.proven
                return self._without(action.absent, before)._replace(proven=proven)
            case ComeBack():
                # The request, which the decision names, has opened them.
                return self._with(action.absent, self.of(action.absent)._replace(cards=()))
            case Call() if action.what in ROBBERIES:
                count = before.hand_size(action.victim)
                choice = _held(read_choice(count, message.take(SIZE_BYTES)))
                return self._replace(choosing=SealedChoice(context, action.victim, count, choice))
            case Reveal() if not is_shared(before):
                return self._revealed(action, before, context, message)
            case BuyDevCard():
                return self._bought(action)
            case MoveBandit() | PlayKnight() if action.card == "sealed":
                return self._stolen(action, entry.place, context, message)
        return self

    def _opened(self, player: Player, message: _CommitMessage) -> SealedCards:
        """Check the game key, with which the player's key for the deck was made, and so all cards that they sealed."""
        key = message.take(GAME_KEY_BYTES)
        if not self.is_pledged(player, key):
            raise _WrongContents("the key that is told does not match the pledge")
        return self._with(player, self.of(player)._replace(opened=key))

    def _shuffled(self, before: State, context: ProofContext, message: _CommitMessage) -> SealedCards:
        """Check a shuffle, or before it the player's key; leavers' pieces come off the rest first, or a key goes on."""
        player, stage = context.seat, before.hid.deck
        if stage == "keys":
            return self._given(context, message)
        if stage == "first":
            if self.unlike(player):
                raise _WrongContents("the player's key is not the sum of its pieces")
            old = self.deck or self.unshuffled(before)
            data = message.take(shuffle_bytes(len(old)))
            return self._replace(deck=_held(once(read_shuffle, context, self.joint_key, old, data)))
        after = self._replace(kept=self.kept or self.deck) if stage == "back" else self
        after = after._covered(before, context, message)._stripped(context, message)
        after = after._with_told(before, player, message)
        start = after.first_of_rest(before)
        sold, rest = after.deck[:start], after.deck[start:]
        if rest:
            message_bytes = shuffle_bytes(len(rest))
            rest = _held(once(read_shuffle, context, after.joint_key, rest, message.take(message_bytes)))
        is_last = before.hid.shuffles + 1 == len(before.present)
        return after._replace(deck=(*sold, *rest), kept=() if is_last else after.kept)

    def unshuffled(self, before: State) -> Deck:
        """The deck before the first shuffle."""
        return new_deck(before.constants.rules.dev_card_pool, [self.of(player).key for player in self.party])

    def _given(self, context: ProofContext, message: _CommitMessage) -> SealedCards:
        player = context.seat
        if not self.has_pieces:
            key = _held(once(read_key, context, "deck", message.take(KEY_MESSAGE_BYTES)))
            return self._with(player, self.of(player)._replace(key=key))
        data = message.take(len(self.party) * KEY_MESSAGE_BYTES)
        given = _held(once(_read_given, context, tuple(self.meetings.items()), data))
        return self._with(player, self.of(player)._replace(key=given.key, given=given.pieces))

    def _covered(self, before: State, context: ProofContext, message: _CommitMessage) -> SealedCards:
        """Check the rest of the deck with the key of a player who is back."""
        player, rest = context.seat, self.rest
        if not self.covers(player, before):
            return self
        data = message.take(stripping_bytes(len(rest)))
        rest = _held(once(read_cover, context, rest, self.of(player).key, data))
        return self.with_rest(rest)._replace(gone=self.gone - {player})

    def _stripped(self, context: ProofContext, message: _CommitMessage) -> SealedCards:
        """Check the rest of the deck without the player's pieces of leavers' keys, including the card being bought."""
        player, rest = context.seat, self.rest
        owners = self.layers_of(player)
        if not owners:
            return self
        point = total(self.of(player).given[owner] for owner in owners)
        rest = _held(once(read_strip, context, rest, point, message.take(stripping_bytes(len(rest)))))
        layers = frozenset(layer for layer in self.layers if layer[0] != player)
        return self.with_rest(rest)._replace(layers=layers)

    def _with_told(self, before: State, owner: Player, message: _CommitMessage) -> SealedCards:
        """Check the pieces of the player's key that leavers gave: disclosed, so that others can replace the player."""
        told = dict(self.of(owner).told)
        for giver in self.untold(owner, before):
            piece = int.from_bytes(message.take(SIZE_BYTES), "little")
            if not 0 < piece < ORDER or times(piece, BASE) != self.of(giver).given[owner]:
                raise _WrongContents(f"the piece of the key that is told is not the one that player {giver} gave")
            told[giver] = piece
        return self._with(owner, self.of(owner)._replace(told=told))

    def _without(self, absent: Player, before: State) -> SealedCards:
        """Return the value after a player has left: their sealed cards stay as they are, and out of play."""
        hidden_hands, shares, what = list(self.hidden_hands), self.shares, before.call.what
        resumed = before.resumed
        leaver = hidden_hands[absent - 1]._replace(answered=None, share=None)
        # As in the state (``absence.skipped``): with the end of their turn, bought cards count as held.
        if resumed.builder == absent:
            leaver = leaver._replace(held=(*leaver.held, *leaver.bought), bought=())
        is_buyer = what == "BuyDevCard" and resumed.caller == absent
        # The shares revealed so far may have shown them the card, so it leaves with them.
        if is_buyer:
            told = {
                seat: hidden_hand.share
                for seat, hidden_hand in enumerate(hidden_hands, 1)
                if hidden_hand.share is not None
            }
            shares = {**shares, self.next_card: told}
            leaver = leaver._replace(held=(*leaver.held, self.next_card))
        hidden_hands[absent - 1] = leaver
        if is_buyer or is_purchase_dropped(before, absent):
            hidden_hands = [hidden_hand._replace(share=None) for hidden_hand in hidden_hands]
        choosing = self.choosing
        if choosing is not None and absent in (choosing.victim, choosing.context.seat):
            hidden_hands[choosing.victim - 1] = hidden_hands[choosing.victim - 1]._replace(answered=None)
            choosing = None
        after = self._replace(hidden_hands=tuple(hidden_hands), shares=shares, choosing=choosing)
        if self.kept:
            keyless = frozenset(seat for seat, lacks in enumerate(before.hid.keyless, 1) if lacks)
            after = after._replace(deck=self.kept, kept=(), gone=keyless)
        is_sealed = absent not in after.gone
        after = after._replace(gone=after.gone | {absent})
        # The deck is not shuffled yet: the others begin it again without the leaver's key.
        if is_preparing(before):
            anew = tuple(hidden_hand._replace(key=b"", given={}) for hidden_hand in after.hidden_hands)
            party = tuple(player for player in self.party if player != absent)
            return after._replace(hidden_hands=anew, deck=(), party=party)
        return after._with_layers(absent) if is_sealed else after

    def _with_layers(self, absent: Player) -> SealedCards:
        """Note whose pieces of the leaver's key must come off the rest of the deck; disclosed ones come off at once."""
        told = self.of(absent).told
        givers = [giver for giver in self.party if absent in self.of(giver).given and giver not in told]
        piece = sum(told.values()) % ORDER
        rest = tuple(EncryptedCard(card.mask, minus(card.body, times(piece, card.mask))) for card in self.rest)
        layers = self.layers | {(giver, absent) for giver in givers}
        return self.with_rest(rest)._replace(layers=layers)

    def _check_accusation(
        self, action: Excuse | Claim, entry: LogEntry, before: State, context: ProofContext, message: _CommitMessage
    ) -> None:
        """Check the proof that a player has lied: in the answer to a theft, or in a piece of a key."""
        player, absent, choosing = action.player, action.absent, self.choosing
        answered = self.of(absent).answered
        if choosing is not None and answered is not None and entry.place is not None:
            hiding = int.from_bytes(message.take(SIZE_BYTES), "little")
            wrong = accusation_problem(answered[0], choosing.choice, answered[1], RobberChoice(entry.place, hiding))
        elif before.tp == "Shuffling" and before.hid.deck == "first" and self.has_pieces and entry.place is None:
            own, other = self.of(player).meeting, self.of(absent).meeting
            data = message.take(SHARE_MESSAGE_BYTES)
            piece = _held(once(shown_piece, context, own, other, data, player, absent))
            wrong = "the piece is correct" if piece == self.of(absent).given[player] else None
        else:
            wrong = "nothing that the player did can be a lie here"
        if wrong is not None:
            raise _WrongContents(f"player {absent} is accused, but {wrong}")

    def _revealed(self, action: Reveal, before: State, context: ProofContext, message: _CommitMessage) -> SealedCards:
        hidden_hand = self.of(action.player)
        if before.call.victim != action.player:
            data = message.take(SHARE_MESSAGE_BYTES)
            share = _held(once(read_share, context, self.deck[self.next_card - 1], hidden_hand.key, data))
            return self._with(action.player, hidden_hand._replace(share=share))
        assert self.choosing is not None
        what = answering(hidden_hand.points, before, action.player)
        data = message.take(what.message_bytes() + SIZE_BYTES * (1 + what.left))
        answer = _held(once(read_answer, context, what, data))
        cards = sealed(context, what, answer.cards)
        return self._with(action.player, hidden_hand._replace(cards=cards, answered=(context, answer)))

    def _bought(self, action: BuyDevCard) -> SealedCards:
        number, buyer = self.next_card, self.of(action.player)
        shares = {
            seat: hidden_hand.share
            for seat, hidden_hand in enumerate(self.hidden_hands, 1)
            if hidden_hand.share is not None
        }
        hidden_hands = tuple(hidden_hand._replace(share=None) for hidden_hand in self.hidden_hands)
        after = self._replace(hidden_hands=hidden_hands, shares={**self.shares, number: shares})
        return after._with(action.player, buyer._replace(bought=(*buyer.bought, number)))

    def _stolen(
        self, action: Robbery, place: int | None, context: ProofContext, message: _CommitMessage
    ) -> SealedCards:
        choosing, victim, robber = self.choosing, self.of(action.victim), self.of(action.player)
        assert choosing is not None and victim.answered is not None
        if place is None:
            raise _WrongContents("the place of the stolen card is missing")
        proof = message.take(LOG_PROOF_BYTES)
        if (wrong := once(place_problem, context, choosing.choice, choosing.size, place, proof)) is not None:
            raise _WrongContents(wrong)
        chosen = victim.cards[place]
        assert isinstance(chosen.origin, SealedHand), "the victim has just sealed the whole hand"
        stolen = SealedCard(chosen.point, SealedTheft(choosing, *victim.answered, chosen.origin), place)
        rest = victim._replace(cards=(*victim.cards[:place], *victim.cards[place + 1 :]), answered=None)
        after = self._replace(choosing=None)._with(action.victim, rest)
        return after._with(action.player, robber._replace(cards=(*robber.cards, stolen)))

    def _passed_on(self, action: Action) -> SealedCards:
        """Return the value after a turn's purchases: cards may be played once their buyer has stopped building."""
        hidden_hand = self.of(action.player)
        if not hidden_hand.bought:
            return self
        return self._with(action.player, hidden_hand._replace(held=(*hidden_hand.held, *hidden_hand.bought), bought=()))


def first_sealed_cards(root: ObjectId, constants: Constants) -> SealedCards:
    """The value at the beginning of a game with hidden hands."""
    hidden_hands = (HiddenHand(),) * constants.player_count
    return SealedCards(root, hidden_hands, is_left=constants.rules.leaving, party=tuple(constants.players))


def meeting_secret(root: ObjectId, player: Player, nonce: Nonce | None, key: bytes) -> Scalar:
    """Compute the secret half of a player's key for exchanging pieces."""
    return new_key(ProofContext(root, player, root), "meeting", nonce or "", key)


def deck_secret(root: ObjectId, player: Player, nonce: Nonce | None, key: bytes) -> Scalar:
    """Compute the secret half of a player's key for the deck, where nobody else has pieces of it."""
    return new_key(ProofContext(root, player, root), "deck", nonce or "", key)


def paying(hidden_hand: HiddenHand, before: State, action: Action) -> ResealedHand | None:
    """How an action opens sealed cards; None if it opens none."""
    if isinstance(action, Surrender):
        cards: Cards = wanted_of(before, action.cards)
        return ResealedHand(hidden_hand.points, paid=cards, without=RESOURCES.index(before.hid.wanted))
    paid = disclosed(before, action).what.cards
    return ResealedHand(hidden_hand.points, paid=paid) if paid else None


def answering(held: tuple[Point, ...], before: State, victim: Player) -> ResealedHand:
    """How the victim of a theft reseals the whole hand."""
    return ResealedHand(held, added=before.h[victim - 1].rc)


def pile(hidden_hand: HiddenHand, action: Action) -> tuple[int, ...]:
    """The numbers of the cards of which an action shows one."""
    return hidden_hand.held if pile_of(action) == "held" else hidden_hand.bought


def sealed(context: ProofContext, what: ResealedHand, cards: tuple[Point, ...]) -> tuple[SealedCard, ...]:
    """Return the cards of a sealing."""
    origin = SealedHand(context, what, cards)
    return tuple(SealedCard(point, origin, number) for number, point in enumerate(cards))


def _without(numbers: tuple[int, ...], number: int) -> tuple[int, ...]:
    return tuple(one for one in numbers if one != number)


def _read_given(
    context: ProofContext, meetings: tuple[tuple[Player, Point], ...], message: bytes
) -> KeyPieces | ProofRefused:
    return read_given(context, dict(meetings), message)


def _held(found: T | ProofRefused) -> T:
    if isinstance(found, ProofRefused):
        raise _WrongContents(found.reason)
    return found
