"""The common knowledge at a table after some events of a game: the board, the turn, and bounds of hidden cards."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import NamedTuple

from catan_p2p.game.cards import DEV_CARDS, RESOURCES, Cards, count, covers, pack, unpack
from catan_p2p.game.constants import NO_OWNER, Constants, Player, Rules
from catan_p2p.game.scoring import player_points
from catan_p2p.game.state import NOTHING_HIDDEN, PLAY_PHASES, Hand, State, initial_state
from catan_p2p.view.bounds import EMPTY, SHIFTS, HandBounds, anything, exactly, gain, holding, is_possible, within


class OpenFact(NamedTuple):
    """A number about a player that is not certain: ``low`` to ``high`` of ``what``."""

    player: Player
    """0 for the bank."""
    what: str
    """A resource, ``cards`` for all resource cards together, or ``unknown development cards``."""
    low: int
    high: int

    def __str__(self) -> str:
        return f"{self.what} {self.low}" if self.low == self.high else f"{self.what} {self.low} to {self.high}"


class PublicKnowledge(NamedTuple):
    """The public knowledge of a game. Tuples by seat are indexed by seat - 1."""

    state: State
    """Board, pieces, turn, and the development cards whose kinds are known; resource cards are in ``hands``."""
    hands: tuple[HandBounds, ...]
    bank: HandBounds
    """The bank's resource cards: exact until cards are discarded that nobody names."""
    unknown_new: tuple[int, ...]
    """Development cards of unknown kinds bought this turn."""
    unknown_old: tuple[int, ...]
    """Development cards of unknown kinds that could be played."""
    shown: tuple[int, ...]
    """Victory points that events have shown."""
    settling: int = 0
    """The village of the set-up that still needs its road, 0 for none."""
    is_placed: bool = False
    """Whether village and road of a set-up turn stand, and only its end is missing."""
    is_knight: bool = False
    """Whether a knight was played and the bandit has still to move."""
    plays: int = 0
    """Development cards played this turn."""
    due: tuple[int, ...] = ()
    """How many cards each player has still to discard, -1 if that is not known."""
    noticed_win: bool = False
    """Whether a breach has already said that the game should have ended."""
    special: int = -1
    """Between two turns with special building: how many seats after ``ended`` the last builder sits, 0 if nobody has
    built; -1 at any other time."""
    ended: Player = 0
    """Whose turn has ended last, with special building."""
    hides_points: bool = False
    """Whether victory points count only once they are shown, whatever the rules: so in games with hidden hands."""

    @property
    def rules(self) -> Rules:
        """The rules by which the game is judged."""
        return self.state.constants.rules

    @property
    def players(self) -> range:
        """The players in the order of play."""
        return self.state.constants.players

    def hand(self, player: Player) -> HandBounds:
        """The bounds of a player's resource cards."""
        return self.hands[player - 1]

    def unknown(self, player: Player) -> int:
        """How many development cards of unknown kinds a player holds."""
        return self.unknown_new[player - 1] + self.unknown_old[player - 1]

    def with_hand(self, player: Player, hand: HandBounds) -> PublicKnowledge:
        """The position with another hand."""
        return self._replace(hands=(*self.hands[: player - 1], hand, *self.hands[player:]))

    def tightened(self, players: Iterable[Player]) -> PublicKnowledge | None:
        """The position with the bounds of these hands and of the bank narrowed to what the others leave of the pool.

        None if the cards do not add up.
        """
        pool = self.rules.resource_pool
        hands, bank = list(self.hands), self.bank
        low, is_exact = bank.low, bank.low == bank.high
        if not covers(pool, bank.low):
            return None
        for hand in hands:
            if not covers(pool, hand.low):
                return None
            low += hand.low
            is_exact = is_exact and hand.low == hand.high
        if is_exact:
            return self if low == pool else None
        # Capped at the pool, the cards of six hands and the bank add up without a carry into the next field.
        high = _at_most(pool, bank.high) + sum(_at_most(pool, hand.high) for hand in hands)
        if low == high:
            return self if low == pool else None
        for player in players:
            hand = hands[player - 1]
            if hand.low != hand.high:
                own = _at_most(pool, hand.high)
                new = self._what_is_left(hand, low - hand.low, high - own)
                if new is None:
                    return None
                hands[player - 1] = new
                low, high = low - hand.low + new.low, high - own + new.high
        left = self._what_is_left(bank, low - bank.low, high - _at_most(pool, bank.high))
        return None if left is None else self._replace(hands=tuple(hands), bank=left)

    def _what_is_left(self, hand: HandBounds, others_low: Cards, others_high: Cards) -> HandBounds | None:
        """A hand narrowed to what the others leave, None if that is impossible.

        The others' cards are sums of packed cards: eight bits a resource, not seven.
        """
        pool = unpack(self.rules.resource_pool)
        floor = [max(0, n - (others_high >> shift & 0xFF)) for n, shift in zip(pool, SHIFTS, strict=True)]
        room = [n - (others_low >> shift & 0xFF) for n, shift in zip(pool, SHIFTS, strict=True)]
        left = within(hand, floor, room)
        return left if left is hand or is_possible(hand, floor, room) else None

    def with_open_hands(self) -> PublicKnowledge:
        """The position with unknown hands: any hand, and the bank, may hold any cards."""
        nothing_known = anything(self.rules.resource_pool)
        return self._replace(hands=(nothing_known,) * len(self.hands), bank=nothing_known)

    @property
    def unveils_victory_points(self) -> bool:
        """Whether victory points are unveiled when they are bought.

        They are under the thesis's rules (definition 7), where the end of a turn decides. Where a player wins at once,
        they may stay hidden.
        """
        return self.rules.win_check == "turn_end" and not self.hides_points

    def hidden_points(self, player: Player) -> tuple[int, int]:
        """How many victory points a player holds that are not unveiled, at least and at most."""
        known = sum(count(cards, "VictoryPoint") for cards in self.state.h[player - 1][1:3])
        return known, known + min(self.unknown(player), self.kinds_left("VictoryPoint"))

    def kinds_left(self, card: str) -> int:
        """How many development cards of a kind have not been seen, in a hand or when they were played."""
        out = sum(count(cards, card) for hand in self.state.h for cards in hand[1:])
        return max(0, count(self.rules.dev_card_pool, card) - out - count(self.state.dp, card))

    def points(self, player: Player) -> int:
        """The points that everybody at the table can see."""
        return player_points(self.state, player)

    def told_points(self, player: Player) -> int:
        """The points that the record tells: also those of victory points that it names and nobody has shown."""
        return self.points(player) + (0 if self.hides_points else self.hidden_points(player)[0])

    def winner(self) -> Player | None:
        """The winner: as an event said, or in a file without the end of the game, by points on the own turn."""
        state = self.state
        if state.tp == "top":
            return state.ap
        candidates = [state.ap] if state.tp in PLAY_PHASES else []
        if self.rules.win_check == "at_once":  # also as soon as the turn passes on
            candidates += [state.next_player(state.ap)] if candidates else [state.ap] * (state.tp == "DiceRoll")
        for player in candidates:
            hidden = 0 if self.unveils_victory_points else self.hidden_points(player)[0]
            if self.points(player) + hidden >= self.rules.points_to_win:
                return player
        return None

    def open_facts(self) -> Iterator[OpenFact]:
        """The numbers of the hands and the bank that are not certain."""
        for player in (*self.players, NO_OWNER):
            hand = self.hand(player) if player else self.bank
            if not hand.is_exact:
                yield OpenFact(player, "cards", hand.least, hand.most)
                for resource, low, high in zip(RESOURCES, unpack(hand.low), unpack(hand.high), strict=True):
                    if low != high:
                        yield OpenFact(player, resource, low, high)
            unknown = self.unknown(player) if player else 0
            if unknown:
                yield OpenFact(player, "unknown development cards", unknown, unknown)

    @property
    def is_open(self) -> bool:
        """Whether anything about the hands is not certain."""
        return any(self.unknown_new) or any(self.unknown_old) or not all(hand.is_exact for hand in self.hands)

    def known_state(self) -> State:
        """A state with the cards that are certain; all others are missing from it."""
        hands = tuple(
            Hand(bounds.low, hand.bc, hand.ac, hand.uc) for bounds, hand in zip(self.hands, self.state.h, strict=True)
        )
        bank = self.state.bnk
        played = self.plays if self.rules.dev_cards_per_turn else 0
        return self.state._replace(pd=played, h=hands, bnk=bank._replace(rc=self.bank.low, dc=self._dev_cards_left()))

    def _dev_cards_left(self) -> Cards:
        return pack(self.kinds_left(card) for card in DEV_CARDS)


def _at_most(pool: Cards, cards: Cards) -> Cards:
    """The cards, of each resource at most as many as the pool has."""
    return cards if covers(pool, cards) else pack(map(min, unpack(pool), unpack(cards)))


def known_of(state: State) -> PublicKnowledge:
    """The knowledge that a state gives: every card, and of sealed cards their number and what they can be."""
    hidden, nothing = state.hid, (0,) * len(state.h)
    new, old, hands = nothing, nothing, tuple(exactly(hand.rc) for hand in state.h)
    if hidden is not NOTHING_HIDDEN:
        new, old = hidden.bought, hidden.held
        unseen = state.constants.rules.resource_pool - state.bnk.rc - sum(hand.rc for hand in state.h)
        sealed = (holding(anything(unseen), number) for number in hidden.sealed)
        hands = tuple(gain(cards, hand.rc) for cards, hand in zip(sealed, state.h, strict=True))
    known = PublicKnowledge(state, hands, exactly(state.bnk.rc), new, old, nothing, plays=state.pd, due=nothing)
    return known._replace(hides_points=hidden is not NOTHING_HIDDEN)


def first_knowledge(constants: Constants, rules: Rules) -> PublicKnowledge:
    """The position before the first event of a game on the board of these constants, judged by these rules.

    No notation contains the rolls for the start: the player who begins is seat 1.
    """
    n = constants.player_count
    nothing = (0,) * n
    state = initial_state(Constants(replace(rules, start_order="seat"), constants.board, n))
    return PublicKnowledge(state, (EMPTY,) * n, exactly(rules.resource_pool), nothing, nothing, nothing, due=nothing)
