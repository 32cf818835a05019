"""A player's own hidden cards: opens them with the player's key, and seals and proves what an action says about them.

Nothing is stored that the key and the log do not yield again: a player who has lost everything else can read their hand
from any copy of the log.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from random import Random
from types import MappingProxyType

from catan_p2p.game.actions import (
    Action,
    Call,
    Claim,
    CloseGame,
    Excuse,
    MoveBandit,
    OpenAll,
    PlayKnight,
    Pledge,
    Reveal,
    ShowPoint,
    Shuffle,
    SignEnd,
    Surrender,
)
from catan_p2p.game.actions.drawing import ROBBERIES, is_shared
from catan_p2p.game.actions.replies import may_reply, owes_reply
from catan_p2p.game.actions.show_point import Pile
from catan_p2p.game.cards import NO_CARDS, ONE, RESOURCES, Cards, DevCard, Resource, count, covers
from catan_p2p.game.chance import Nonce
from catan_p2p.game.constants import Player
from catan_p2p.game.hidden import DISCLOSING, disclosed, opened
from catan_p2p.game.rules import broken_guards, called_for, draw_or_call
from catan_p2p.game.state import State
from catan_p2p.log.card_reader import development_card, opening_of
from catan_p2p.log.commit import NOTHING_TOLD, SecretParts
from catan_p2p.log.line import ActionContext, GameLine
from catan_p2p.log.sealed_cards import (
    TELLING,
    SealedCard,
    SealedCards,
    SealedChoice,
    SealedTheft,
    answering,
    deck_secret,
    meeting_secret,
    paying,
    pile,
)
from catan_p2p.log.storage.objects import ObjectId
from catan_p2p.log.valid_commits import ValidCommits
from catan_p2p.log.views.messages import HandOpening
from catan_p2p.players.choosing import PolicyChooser, least, shown_decisions
from catan_p2p.replication.core.commit_author import GaveUp
from catan_p2p.sealing.cards import CardOpening
from catan_p2p.sealing.checked import note
from catan_p2p.sealing.deck import (
    Deck,
    EncryptedCard,
    cover,
    key_message,
    public_key,
    read_share,
    share_message,
    strip,
)
from catan_p2p.sealing.group import BASE, ORDER, SIZE_BYTES, Point, Scalar, minus, plus, times
from catan_p2p.sealing.hands import ResealedHand, counted, read_resealing, reseal
from catan_p2p.sealing.leaving import give, pieces_given, pieces_of, show_meeting
from catan_p2p.sealing.shuffle import read_shuffle, shuffle
from catan_p2p.sealing.theft import (
    RobberChoice,
    answer,
    choose,
    covering,
    place_problem,
    prove_place,
    read_answer,
    uncovered,
)
from catan_p2p.sealing.transcript import ProofContext, game_key
from catan_p2p.view.sample import sample


class VictimLied(GaveUp):
    """The victim of a theft has not revealed the chosen card; the message names the theft."""


class OwnCards:
    """One player's hidden cards in one game, opened with their private key; ``names`` are the players' names."""

    def __init__(self, root: ObjectId, player: Player, key: bytes, names: Sequence[str] = ()) -> None:
        self._root = root
        self._player = player
        self._names = names
        self._key_for: Callable[[Nonce | None], bytes] = lambda nonce: game_key(root, player, key, nonce or "")
        self._key: tuple[tuple[Nonce | None, Point], bytes] | None = None
        self._openings: dict[Point, CardOpening] = {}
        self._counted: tuple[tuple[SealedCard, ...], Cards] = (), NO_CARDS
        """The sealed cards that were counted last, and the result."""
        self._kinds: dict[int, DevCard] = {}
        self._deck: tuple[tuple[Nonce | None, tuple[Player, ...]], Scalar] | None = None

    def key(self, sealed_cards: SealedCards) -> bytes:
        """The player's game key, matching their pledge; older versions derived it without the nonce."""
        hidden_hand = sealed_cards.of(self._player)
        pledged = hidden_hand.nonce, hidden_hand.meeting or hidden_hand.key
        # A branch that survived may hold another pledge, and so another key.
        if self._key is None or self._key[0] != pledged:
            key = self._key_for(hidden_hand.nonce)
            self._key = pledged, key if sealed_cards.is_pledged(self._player, key) else self._key_for(None)
        return self._key[1]

    # What is there

    def openings(self, sealed_cards: SealedCards) -> tuple[CardOpening, ...]:
        """The openings of the player's sealed cards, in order."""
        return tuple(self._opening(card, sealed_cards) for card in sealed_cards.of(self._player).cards)

    def _opening(self, card: SealedCard, sealed_cards: SealedCards) -> CardOpening:
        found = self._opened(card, sealed_cards)
        if found is None:
            raise VictimLied(f"a card of {self._name(self._player)}, {self._how(card)}, does not open")
        return found

    def _name(self, player: Player) -> str:
        return self._names[player - 1] if self._names else f"player {player}"

    def _how(self, card: SealedCard) -> str:
        if isinstance(card.origin, SealedTheft):
            choosing = card.origin.choosing
            return f"stolen from {self._name(choosing.victim)} after {choosing.context.commit[:10]}"
        return f"sealed after {card.origin.context.commit[:10]}"

    def _opened(self, card: SealedCard, sealed_cards: SealedCards) -> CardOpening | None:
        known = self._openings.get(card.point)
        if known is None and (known := opening_of(card, self._player, self.key(sealed_cards))) is not None:
            self._openings[card.point] = known
        return known

    def seen(self, card: SealedCard, sealed_cards: SealedCards) -> Resource | None:
        """A card that the player has sealed or stolen, None if it is neither, or does not open."""
        found = self._opened(card, sealed_cards)
        return None if found is None else RESOURCES[found.kind]

    def cards(self, sealed_cards: SealedCards) -> Cards:
        """The player's sealed resource cards."""
        cards = sealed_cards.of(self._player).cards
        if self._counted[0] is not cards:
            self._counted = cards, counted(self.openings(sealed_cards))
        return self._counted[1]

    def development_cards(self, sealed_cards: SealedCards, numbers: tuple[int, ...]) -> Cards:
        """The player's hidden development cards with these numbers."""
        return sum((ONE[self.kind(sealed_cards, number)] for number in numbers), NO_CARDS)

    def kind(self, sealed_cards: SealedCards, number: int) -> DevCard:
        """The kind of a development card that the player has bought."""
        if number not in self._kinds:
            found = development_card(sealed_cards, number, self._deck_secret(sealed_cards))
            assert found is not None, "the shares were proven"
            self._kinds[number] = found
        return self._kinds[number]

    def _deck_secret(self, sealed_cards: SealedCards) -> Scalar:
        of = sealed_cards.of(self._player).nonce, sealed_cards.party
        if self._deck is None or self._deck[0] != of:
            self._deck = of, sealed_cards.deck_secret(self._player, of[0], self.key(sealed_cards))
        return self._deck[1]

    def _meeting_secret(self, sealed_cards: SealedCards) -> Scalar:
        return meeting_secret(self._root, self._player, sealed_cards.of(self._player).nonce, self.key(sealed_cards))

    # What is done

    def course(self, line: GameLine) -> Action | None:
        """This player's next action if nothing is to be decided; None if something is, or if shares are due."""
        state, sealed_cards = line.state, self._sealed_cards(line)
        if state.tp == "Shuffling":
            giver = self.false_giver(state, sealed_cards)
            return Shuffle(self._player) if giver is None else Excuse(self._player, giver)
        if state.tp == "Surrendering":
            return self.surrender(state, sealed_cards)
        if state.tp == "Signing":
            return SignEnd(self._player) if state.due[self._player - 1] else CloseGame(self._player)
        if state.is_over:
            return OpenAll(self._player)
        if state.tp == "Drawing" and not is_shared(state) and not owes_reply(state, self._player):
            what, _, to, victim = state.call
            assert what != "none"
            # The victim has lied, which the robber can prove: with two players left that is a claim.
            if what in ROBBERIES and state.constants.rules.leaving and self._uncovered(sealed_cards) is None:
                return (Excuse if len(state.present) > 2 else Claim)(self._player, victim)
            return called_for(state, Call(self._player, what, to, victim))
        return self.winning_point(state, sealed_cards)

    def choose(self, chooser: PolicyChooser, line: GameLine, rng: Random) -> Action:
        """Let a chooser decide by what this player knows, and draw its chance where that is left to the player."""
        state, sealed_cards = line.state, self._sealed_cards(line)
        view = self.view(state, sealed_cards, rng)
        possible = [one for one in shown_decisions(view, self._player) if self.can(state, sealed_cards, one, rng)]
        choice = chooser.choose(view, self._player, possible, rng)
        if not any(choice is one for one in possible) and not self.can(state, sealed_cards, choice, rng):
            # A policy may return an action that is not in the list, and the view may differ from the game.
            choice = least(self._player, possible, rng)
        return draw_or_call(state, choice, rng)

    def _sealed_cards(self, line: GameLine) -> SealedCards:
        """The sealed cards before this player's next action: a reply sees no other reply."""
        is_first = not line.replies or may_reply(line.state, self._player)
        sealed_cards = line.sealed_cards if is_first else line.hearing_all().sealed_cards
        assert sealed_cards is not None
        return sealed_cards

    def surrender(self, state: State, sealed_cards: SealedCards) -> Surrender:
        """What a monopoly takes of the player's sealed cards."""
        wanted = state.hid.wanted
        assert wanted != "none"
        return Surrender(self._player, ONE[wanted] * count(self.cards(sealed_cards), wanted))

    def winning_point(self, state: State, sealed_cards: SealedCards) -> ShowPoint | None:
        """Return the victory point to show now if the player wins with everything they hold; None otherwise."""
        hidden_hand = sealed_cards.of(self._player)
        if state.ap != self._player or not (hidden_hand.held or hidden_hand.bought):
            return None
        piles: tuple[tuple[Pile, tuple[int, ...]], ...] = (("held", hidden_hand.held), ("bought", hidden_hand.bought))
        points = {name: count(self.development_cards(sealed_cards, numbers), "VictoryPoint") for name, numbers in piles}
        missing = state.constants.rules.points_to_win - state.points(self._player)
        if not any(points.values()) or missing > sum(points.values()):
            return None
        show = ShowPoint(self._player, next(name for name, number in points.items() if number))
        return None if broken_guards(state, show) else show

    # What a policy sees

    def view(self, state: State, sealed_cards: SealedCards, rng: Random) -> State:
        """Return the game with open hands as this player may suppose it to be; see ``view.sample``."""
        hidden_hand = sealed_cards.of(self._player)
        bought, held = (
            self.development_cards(sealed_cards, numbers) for numbers in (hidden_hand.bought, hidden_hand.held)
        )
        return sample(opened(state, self._player, self.cards(sealed_cards), bought, held), rng)

    def can(self, state: State, sealed_cards: SealedCards, action: Action, rng: Random) -> bool:
        """Whether the player can do in the game what they can do in their view of it."""
        if action.drawn is None and type(action) not in DISCLOSING:
            return True  # it needs no card, and in all but cards the view is the game
        logged = draw_or_call(state, action, rng)
        is_called = logged is not action and isinstance(logged, Call)  # then it breaks no guard
        if not is_called and broken_guards(state, logged):
            return False
        cards = disclosed(state, logged).what.cards
        return not cards or covers(self.cards(sealed_cards), cards)

    def lacking(self, line: GameLine, action: Action) -> tuple[str, ...]:
        """The tags of the guards that keep a player from an action for want of its cards."""
        state, sealed_cards = line.state, self._sealed_cards(line)
        if not covers(state.h[self._player - 1].rc + self.cards(sealed_cards), action.needs(state)):
            return ("HI2 held",)
        if (card := disclosed(state, action).what.card) is None:
            return ()
        held = self.development_cards(sealed_cards, pile(sealed_cards.of(self._player), action))
        return () if count(held, card) else ("HI1 shown",)

    # What is told

    def told(self, prepared: ActionContext, action: Action, nonce: Nonce | None) -> SecretParts:
        """Return the part of an own action's commit about hidden cards; ``nonce`` is that of a pledge."""
        sealed_cards, before = prepared.sealed_cards, prepared.state
        assert sealed_cards is not None
        what = disclosed(before, action).what
        if not (what.cards or what.card or type(action) in TELLING):
            return NOTHING_TOLD
        context = ProofContext(self._root, self._player, prepared.parents[0])
        key = self._key_for(nonce) if isinstance(action, Pledge) else self.key(sealed_cards)
        parts, number, place = [], None, None
        hidden_hand = sealed_cards.of(self._player)
        if (paid := paying(hidden_hand, before, action)) is not None:
            message, new = reseal(context, paid, self.openings(sealed_cards), key)
            # The judge will read the message anyway: noting the result spares it the proofs.
            note(self._remembered(message, new), read_resealing, context, paid, message)
            parts.append(message)
        if what.card is not None:
            number = next(one for one in pile(hidden_hand, action) if self.kind(sealed_cards, one) == what.card)
            secret = self._deck_secret(sealed_cards)
            parts.append(_shared(context, sealed_cards.deck[number - 1], secret, key))
        match action:
            case Pledge():
                purpose, made = ("meeting", meeting_secret) if sealed_cards.is_left else ("deck", deck_secret)
                parts.append(key_message(context, purpose, made(self._root, self._player, nonce, key), key))
            case OpenAll():
                parts.append(key)
            case Shuffle():
                parts += self._shuffled(sealed_cards, before, context)
            case Excuse() | Claim():
                place, shown = self._accused(sealed_cards, before, action.absent, context)
                parts.append(shown)
            case Call() if action.what in ROBBERIES:
                parts.append(choose(context, action.victim, before.hand_size(action.victim), key).point())
            case Reveal() if not is_shared(before):
                parts.append(self._revealed(sealed_cards, before, context))
            case MoveBandit() | PlayKnight() if action.card == "sealed":
                place, proof = self._taken(sealed_cards, context)
                parts.append(proof)
        return SecretParts(number, place, b"".join(parts) or None) if parts else NOTHING_TOLD

    def _shuffled(self, sealed_cards: SealedCards, before: State, context: ProofContext) -> list[bytes]:
        """Return the parts of a shuffle: the own key for the deck, the whole deck, or its rest after a departure."""
        me, key, stage, meetings = self._player, self.key(sealed_cards), before.hid.deck, sealed_cards.meetings
        if stage == "keys" and not sealed_cards.has_pieces:
            return [key_message(context, "deck", self._deck_secret(sealed_cards), key)]
        if stage == "keys":
            return [give(context, self._meeting_secret(sealed_cards), meetings, key)]
        if stage == "first":
            return [
                _order_hidden(
                    context, sealed_cards.joint_key, sealed_cards.deck or sealed_cards.unshuffled(before), key
                )
            ]
        parts, joint, rest = list[bytes](), sealed_cards.joint_key, sealed_cards.rest
        if sealed_cards.covers(me, before):
            message, rest = cover(context, rest, self._deck_secret(sealed_cards), key)
            parts, joint = [message], plus(joint, sealed_cards.of(me).key)
        if owners := sealed_cards.layers_of(me):
            given = pieces_given(self._root, me, self._meeting_secret(sealed_cards), meetings)
            off = sum(given[owner] for owner in owners) % ORDER
            message, rest = strip(context, rest, off, key)
            parts, joint = [*parts, message], minus(joint, times(off, BASE))
        if untold := sealed_cards.untold(me, before):
            pieces = pieces_of(self._root, me, self._meeting_secret(sealed_cards), meetings)
            parts += [pieces[giver].to_bytes(SIZE_BYTES, "little") for giver in untold]
        rest = rest[before.call.what == "BuyDevCard" :]
        return [*parts, _order_hidden(context, joint, rest, key)] if rest else parts

    def opening(self, sealed_cards: SealedCards, base: ObjectId) -> HandOpening:
        """Open all sealed cards in a request to come back that continues ``base``."""
        shown, context = self.cards(sealed_cards), ProofContext(self._root, self._player, base)
        what = ResealedHand(sealed_cards.of(self._player).points, paid=shown)
        message, _ = reseal(context, what, self.openings(sealed_cards), self.key(sealed_cards))
        note((), read_resealing, context, what, message)
        return HandOpening(shown, message)

    def openings_of_party(
        self, valid: ValidCommits, others: Mapping[Player, OwnCards] = MappingProxyType({})
    ) -> tuple[HandOpening, ...]:
        """What the player's party opens that asks to come back at the newest commit of the line.

        ``others`` are the cards of its other seats, each of which has a key of its own.
        """
        node, party = valid.line_node(valid.newest), valid.party_of[self._player]
        sealed_cards = node.ledger.line.sealed_cards
        assert sealed_cards is not None
        seats = [seat for seat in valid.may_return(party, node.ledger) if sealed_cards.of(seat).cards]
        own = {**others, self._player: self}
        found = (own[seat].opening(sealed_cards, node.head) for seat in seats)
        return tuple(found)

    def false_giver(self, state: State, sealed_cards: SealedCards) -> Player | None:
        """The player who gave a false piece of the own key, once it must be the sum of all of them; None if nobody."""
        if state.hid.deck != "first" or not sealed_cards.unlike(self._player):
            return None
        pieces = pieces_of(self._root, self._player, self._meeting_secret(sealed_cards), sealed_cards.meetings)
        given = ((giver, sealed_cards.of(giver).given[self._player]) for giver in pieces)
        return next((giver for giver, point in given if point != times(pieces[giver], BASE)), None)

    def _accused(
        self, sealed_cards: SealedCards, before: State, absent: Player, context: ProofContext
    ) -> tuple[int | None, bytes]:
        """Return the proof that a player lied about sealed cards, if they did: a place and a secret, or a secret."""
        choosing = sealed_cards.choosing
        if choosing is not None and (choosing.context.seat, choosing.victim) == (self._player, absent):
            if sealed_cards.of(absent).answered is not None and self._uncovered(sealed_cards) is None:
                choice = self._own_choice(choosing, sealed_cards)
                return choice.place, choice.hiding.to_bytes(SIZE_BYTES, "little")
        if before.tp == "Shuffling" and self.false_giver(before, sealed_cards) == absent:
            secret = self._meeting_secret(sealed_cards)
            return None, show_meeting(context, secret, sealed_cards.of(absent).meeting, self.key(sealed_cards))
        return None, b""

    def _own_choice(self, choosing: SealedChoice, sealed_cards: SealedCards) -> RobberChoice:
        return choose(choosing.context, choosing.victim, choosing.size, self.key(sealed_cards))

    def _uncovered(self, sealed_cards: SealedCards) -> CardOpening | None:
        """The opening of the card that this robber chose, None if the victim has not revealed it."""
        choosing = sealed_cards.choosing
        assert choosing is not None
        answered = sealed_cards.of(choosing.victim).answered
        return None if answered is None else uncovered(*answered, self._own_choice(choosing, sealed_cards))

    def _revealed(self, sealed_cards: SealedCards, before: State, context: ProofContext) -> bytes:
        hidden_hand = sealed_cards.of(self._player)
        if before.call.victim != self._player:
            secret = self._deck_secret(sealed_cards)
            return _shared(context, sealed_cards.deck[sealed_cards.next_card - 1], secret, self.key(sealed_cards))
        assert sealed_cards.choosing is not None
        what = answering(hidden_hand.points, before, self._player)
        key = self.key(sealed_cards)
        message, new = answer(context, what, self.openings(sealed_cards), sealed_cards.choosing.choice, key)
        cards = self._remembered(message, new)
        note(covering(cards, message[what.message_bytes() :]), read_answer, context, what, message)
        return message

    def _taken(self, sealed_cards: SealedCards, context: ProofContext) -> tuple[int, bytes]:
        """Return the place of the stolen card, with the proof that it was chosen."""
        choice = self._choice(sealed_cards)
        proof = prove_place(context, choice, self.key(sealed_cards))
        assert sealed_cards.choosing is not None
        note(None, place_problem, context, choice.point(), sealed_cards.choosing.size, choice.place, proof)
        return choice.place, proof

    def _remembered(self, message: bytes, new: tuple[CardOpening, ...]) -> tuple[Point, ...]:
        """Remember the openings of the sealed cards that begin a message, to spare deriving them again."""
        points = tuple(message[at : at + SIZE_BYTES] for at in range(0, len(new) * SIZE_BYTES, SIZE_BYTES))
        self._openings.update(zip(points, new, strict=True))
        return points

    def _choice(self, sealed_cards: SealedCards) -> RobberChoice:
        """The choice in the current theft, once it is certain that the victim has revealed the card."""
        choosing = sealed_cards.choosing
        assert choosing is not None
        if self._uncovered(sealed_cards) is None:
            victim, commit = self._name(choosing.victim), choosing.context.commit[:10]
            raise VictimLied(f"{victim} has not revealed the card that was chosen in {commit}")
        return self._own_choice(choosing, sealed_cards)


def _order_hidden(context: ProofContext, joint: Point, old: Deck, key: bytes) -> bytes:
    """Make the message that shuffles a deck."""
    message, new = shuffle(context, joint, old, key)
    note(new, read_shuffle, context, joint, old, message)
    return message


def _shared(context: ProofContext, card: EncryptedCard, secret: Scalar, key: bytes) -> bytes:
    """Make the message with the player's share in decrypting a card."""
    message = share_message(context, card, secret, key)
    # The public key that this very secret has: whoever shares with another one has proven nothing about their own.
    note(message[:SIZE_BYTES], read_share, context, card, public_key(secret), message)
    return message
