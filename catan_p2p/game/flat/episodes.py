"""Flat games as environments for learners play them: decisions by number, and others who decide at random."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from catan_p2p.game.flat import places
from catan_p2p.game.flat.game import FlatGame, below
from catan_p2p.game.flat.observing import ObservationBuffer, check_room
from catan_p2p.game.flat.tables import FlatTables, MoveScratch, zeros

OFFERS_OF_KIND = 16
"""The offers of one kind of card, of which one or two are given."""


class FlatEpisode(FlatGame):
    """A flat game whose decisions have the numbers of ``catan_p2p.env.action_space``.

    A discard is named card by card, and of two free roads the first before the second: until then the move is begun.
    ``firsts`` has the first number of each kind of move.
    """

    def __init__(self, tables: FlatTables, scratch: MoveScratch, firsts: Sequence[int], offers_most: int) -> None:
        super().__init__(tables, scratch)
        check_room(tables)
        self.firsts = list(firsts)
        self.offers_most = offers_most
        self.bits: Any = None
        """The ``getrandbits`` of what draws the outcomes of chance."""
        self.uniform: Any = None
        """The ``random`` of what decides for others, and its ``getrandbits``."""
        self.other_bits: Any = None
        self.player = 0
        """Who has to decide; nobody once the game is over."""
        self.turns = self.offers = self.changes = 0
        self.last = 0
        """The move that was made last, with its outcome of chance."""
        self.most_turns = 0
        self.seat = 0
        """The learner's seat."""
        self.random_seats = 0
        """The seats whose decisions are drawn, as a set of bits."""
        self.by_points = False
        self.given_up = 0
        self.first_road = 0
        self.found = -1
        """How many decisions are listed; -1 if they are not."""
        self.choice_numbers = zeros(places.CHOICES)
        self.choice_moves = zeros(places.CHOICES)
        self.with_kinds = zeros(32)
        self.offer_numbers = zeros(5 * OFFERS_OF_KIND)
        """The offers of each kind of card: first those of one card, then those of two, with their cards in a move."""
        self.offer_sides = zeros(5 * OFFERS_OF_KIND)
        self._number_offers()

    def _number_offers(self) -> None:
        t, most = self.t, places.OFFERED
        at = 0
        for give in range(5):
            for amount in range(1, most + 1):
                for receive in range(5):
                    for wanted in range(1, most + 1):
                        if receive != give:
                            number = ((give * most + amount - 1) * 5 + receive) * most + wanted - 1
                            self.offer_numbers[at] = self.firsts[places.OFFER_TRADE] + number
                            sides = amount * t.one[give] + (wanted + 128) * t.one[receive]
                            self.offer_sides[at] = sides << places.A_AT
                            at += 1

    def begin(self, numbers: Sequence[int], sets: Sequence[int], bits: Callable[[int], int]) -> None:
        """Begin a game from a state."""
        self.load(numbers, sets)
        self.bits = bits
        self.turns = self.offers = 0
        self.given_up = self.first_road = 0
        self.found = -1
        self.changes += 1
        self.player = self.awaited()

    # ----------------------------------------------------------------------------------------------------- decisions

    def legal(self) -> list[int]:
        """The numbers of what the player to decide can do; empty after the end."""
        self._list()
        return [self.choice_numbers[i] for i in range(self.found)]

    def mark(self, mask: Any) -> None:
        """Write a 1 for each legal number into a mask of zeros."""
        self._list()
        for i in range(self.found):
            mask[self.choice_numbers[i]] = 1

    def decide(self, number: int) -> bool:
        """Carry out a decision of the player to decide; False, and nothing happens, if it is not legal."""
        self._list()
        at = 0
        while at < self.found and self.choice_numbers[at] != number:
            at += 1
        if at == self.found:
            return False
        move = self.choice_moves[at]
        kind = move & 31
        if kind == places.DISCARD:
            self.given_up += move >> places.A_AT
            if self.total(self.given_up) < self.owed(self.player):
                self.found = -1
                return True
            move = places.DISCARD | self.player << places.PLAYER_AT | self.given_up << places.A_AT
        elif kind == places.PLAY_ROADS and not self.first_road:
            self.first_road = move >> places.A_AT & places.PART
            self.found = -1
            return True
        elif kind == places.OFFER_TRADE:
            self.offers += 1
            if not self._is_heard(move):
                self.found = -1  # Nobody can pay, so all decline, which changes nothing.
                return True
        self.carry_out(move)
        return True

    def carry_out(self, move: int) -> None:
        """Make a move that the rules allow, its outcome of chance drawn anew."""
        self.given_up = self.first_road = 0
        self.found = -1
        if move & 31 == places.ROLL_DICE:
            self.turns += 1
            self.offers = 0
        self.last = self.draw(move, self.bits)
        self.do(self.last)
        self.changes += 1
        self.player = self.awaited()

    def is_over(self) -> bool:
        """Whether somebody has won."""
        return self.player == places.NOBODY

    def is_cut_off(self) -> bool:
        """Whether the game has lasted too long without a winner."""
        return self.turns >= self.most_turns and self.player != places.NOBODY

    def earned(self, seat: int, before: int) -> float:
        """The reward of a seat for a step before which it had so many points."""
        reward = 0.0
        if self.player == places.NOBODY:
            reward = 1.0 if self.v[places.AP] == seat else -1.0
        if self.by_points:
            reward += (self.points(seat) - before) / 10.0
        return reward

    def _list(self) -> None:
        """Work out the legal decisions, unless they are known."""
        if self.found >= 0:
            return
        self.found = 0
        if self.player == places.NOBODY:
            return
        listed = self.list_moves(self.player)
        if self.first_road:
            for i in range(listed):
                move = self.scratch.moves[i]
                if move & 31 == places.PLAY_ROADS and move >> places.A_AT & places.PART == self.first_road:
                    number = self.firsts[places.SECOND_ROAD] + (move >> places.B_AT & places.PART)
                    self._add_choice(number, move)
            return
        if self.discards:
            left = self.v[places.RC + self.player] - self.given_up
            for kind in range(5):
                if left >> 8 * kind & 127:
                    move = places.DISCARD | self.t.one[kind] << places.A_AT
                    self._add_choice(self.firsts[places.DISCARD] + kind, move)
            return
        for i in range(listed):
            move = self.scratch.moves[i]
            if move & 31 != places.OFFER_TRADE and move & 31 != places.PROPOSE_TRADE:
                number = self._number(move)
                # A road building card is listed once for each second road as well.
                if not self.found or self.choice_numbers[self.found - 1] != number:
                    self._add_choice(number, move)
        if self.offers < self.offers_most and self._may_offer():
            self._add_offers()

    def _add_choice(self, number: int, move: int) -> None:
        self.choice_numbers[self.found] = number
        self.choice_moves[self.found] = move
        self.found += 1

    def _may_offer(self) -> bool:
        """Whether the player is trading, by rules with trades between players."""
        v = self.v
        is_trading = v[places.TP] == places.TRADING or v[places.TP] == places.TRADING_BUILDING
        return bool(self.t.domestic) and is_trading and v[places.AP] == self.player

    def _add_offers(self) -> None:
        """Every offer of one or two cards of a kind for one or two of another that the player can pay for."""
        head = places.OFFER_TRADE | self.player << places.PLAYER_AT
        for give in range(5):
            held = self.v[places.RC + self.player] >> 8 * give & 127
            first = OFFERS_OF_KIND * give
            ways = OFFERS_OF_KIND // places.OFFERED * (held if held < places.OFFERED else places.OFFERED)
            for i in range(first, first + ways):
                self.choice_numbers[self.found] = self.offer_numbers[i]
                self.choice_moves[self.found] = head | self.offer_sides[i]
                self.found += 1

    def _number(self, move: int) -> int:
        """The number of a move that is no discard and no offer."""
        kind = move & 31
        a, b = move >> places.A_AT & places.PART, move >> places.B_AT & places.PART
        at = self.firsts[kind]
        if kind == places.SETUP_PHASE_ONE or kind == places.SETUP_PHASE_TWO:
            at += 3 * (a - 1)
            for i in range(4 * a, 4 * a + 3):
                if self.t.meeting[i] == b:
                    at += i - 4 * a
            return at
        if kind == places.MOVE_BANDIT or kind == places.PLAY_KNIGHT:
            return at + (places.SEEN_SEATS + 1) * (self.t.land_row[a] - 1) + b
        if kind == places.PLAY_YEAR or places.TRADE_FOUR <= kind <= places.TRADE_TWO:
            return at + 5 * a + b
        if kind == places.PLAY_MONOPOLY:
            return at + a
        if kind == places.ANSWER_TRADE:
            return at + (1 if a == places.REJECT else 0)
        if places.BUILD_ROAD <= kind <= places.BUILD_CITY or kind == places.PLAY_ROADS or kind == places.CONCLUDE_TRADE:
            return at + a - 1
        return at

    def _is_heard(self, move: int) -> bool:
        """Whether the rules allow an offer that the player can pay for."""
        v, t = self.v, self.t
        give = receive = 0
        for kind in range(5):
            cards = (move >> places.A_AT) >> 8 * kind
            if cards & 128:
                receive += (cards & 127) * t.one[kind]
            else:
                give += (cards & 127) * t.one[kind]
        if self.total(give) > t.side_most or self.total(receive) > t.side_most:
            return False
        if t.offers and v[places.MADE + self.player] >= t.offers:
            return False
        return bool(t.talk) or self._is_held(receive)

    # -------------------------------------------------------------------------------------------------------- others

    def play_others(self) -> int:
        """Decide at random for the other seats until the learner has to decide.

        Return the seat that has to decide before the learner and is not drawn at random, or nobody. Decisions are those
        of the policy ``random`` with the same generator.
        """
        while self.player != places.NOBODY and self.player != self.seat and self.turns < self.most_turns:
            if not self.random_seats >> self.player & 1:
                return self.player
            self._play_at_random()
        return places.NOBODY

    def _play_at_random(self) -> None:
        listed = self.list_moves(self.player)
        move = self.move(int(self.uniform() * listed))
        if move & 31 == places.OFFER_TRADE or move & 31 == places.PROPOSE_TRADE:
            move = (move & 255) | self._any_sides() << places.A_AT
        self.carry_out(move)

    def _any_sides(self) -> int:
        """An offer drawn from all that the mirror lists: by the cards given, then by the cards wanted."""
        t = self.t
        hand, box = self.v[places.RC + self.player], self._all_wanted()
        for i in range(32):
            self.with_kinds[i] = 0
        receive = self._next_part(0, box, t.listed_most)
        while receive:
            if t.talk or self._is_held(receive):
                self.with_kinds[self._kinds(receive)] += 1
            receive = self._next_part(receive, box, t.listed_most)
        # How many can be wanted that are of these kinds alone.
        for kind in range(5):
            for i in range(32):
                if i >> kind & 1:
                    self.with_kinds[i] += self.with_kinds[i ^ 1 << kind]
        ways = 0
        give = self._next_part(0, hand, t.listed_most)
        while give:
            ways += self.with_kinds[31 ^ self._kinds(give)]
            give = self._next_part(give, hand, t.listed_most)
        index = below(ways, self.other_bits)
        give = self._next_part(0, hand, t.listed_most)
        while index >= self.with_kinds[31 ^ self._kinds(give)]:
            index -= self.with_kinds[31 ^ self._kinds(give)]
            give = self._next_part(give, hand, t.listed_most)
        receive = 0
        while index >= 0:
            receive = self._next_part(receive, box, t.listed_most)
            if not self._kinds(receive) & self._kinds(give) and (t.talk or self._is_held(receive)):
                index -= 1
        for kind in range(5):
            if receive >> 8 * kind & 127:
                give |= (receive >> 8 * kind & 127 | 128) * t.one[kind]
        return give

    def _all_wanted(self) -> int:
        """Of each kind the most that anybody else holds, or with table talk that there can be."""
        t = self.t
        if t.talk:
            return t.pool
        box = 0
        for kind in range(5):
            most = 0
            for other in range(1, t.players + 1):
                if other != self.player and not self.v[places.AWAY + other]:
                    held = self.v[places.RC + other] >> 8 * kind & 127
                    if held > most:
                        most = held
            box += most * t.one[kind]
        return box

    def _is_held(self, cards: int) -> bool:
        """Whether another player holds these cards."""
        for other in range(1, self.t.players + 1):
            if other != self.player and not self.v[places.AWAY + other]:
                if self.covers(self.v[places.RC + other], cards):
                    return True
        return False

    def _kinds(self, cards: int) -> int:
        """The kinds of some cards, as a set of bits."""
        kinds = 0
        for kind in range(5):
            if cards >> 8 * kind & 127:
                kinds |= 1 << kind
        return kinds

    def _next_part(self, part: int, whole: int, most: int) -> int:
        """The next selection of at most ``most`` cards of ``whole``, in the order of counts; none after the last."""
        taken = self.total(part)
        for kind in range(4, -1, -1):
            has = part >> 8 * kind & 127
            if taken < most and has < (whole >> 8 * kind & 127):
                return part + self.t.one[kind]
            part -= has * self.t.one[kind]
            taken -= has
        return 0


def step_all(
    episodes: list[FlatEpisode],
    numbers: list[int],
    observations: list[ObservationBuffer],
    rests: Any,
    masks: Any,
    rewards: Any,
    over: Any,
    cut_off: Any,
) -> list[int]:
    """Decide in each game that does not rest, play the others, and write what came of it into the buffers.

    The games in which the number was not legal: they end there, as a loss.
    """
    illegal: list[int] = []
    for i in range(len(episodes)):
        if rests[i]:
            continue
        episode, observation = episodes[i], observations[i]
        before = episode.points(episode.seat)
        if episode.decide(numbers[i]):
            episode.play_others()
            rewards[i] = episode.earned(episode.seat, before)
            over[i] = episode.is_over()
            cut_off[i] = episode.is_cut_off()
            observation.write(episode, episode.seat, episode.given_up)
        else:
            illegal.append(i)
            rewards[i] = -1.0
            over[i] = True
            cut_off[i] = False
        if episode.player == episode.seat:
            episode.mark(masks[i])
    return illegal
