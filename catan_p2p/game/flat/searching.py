"""The move of a seat that leads to the greatest chance to win, as a network values what follows."""

from __future__ import annotations

from catan_p2p.game.flat import places
from catan_p2p.game.flat.game import FlatGame
from catan_p2p.game.flat.planning import nothing
from catan_p2p.game.flat.tables import zeros
from catan_p2p.game.flat.valuing import SeatScorer


class MoveSearch:
    """Decides for seats of one game."""

    def __init__(self, valuer: SeatScorer, flat: FlatGame) -> None:
        self.valuer = valuer
        self.after = flat.copy()
        self.further = flat.copy()
        self.moves = zeros(places.MOVES)
        self.values = nothing(places.MOVES)
        self.count = 0
        self.seen = zeros(places.MOVES)
        self.positions = 0
        self.depth = 1
        self.width = 8
        self.inner: MoveSearch | None = None
        self.kept = nothing(8)

    def choose(self, flat: FlatGame, seat: int) -> int:
        """The best move of a seat, which must have one; a move with an outcome of chance has any of them."""
        number = flat.list_moves(seat)
        if number == 1:
            return flat.move(0)
        kind = flat.move(0) & 31
        if kind == places.DISCARD:
            return self._discard(flat, seat)
        return self.moves[self.best(flat, seat, number, self.depth)]

    def best(self, flat: FlatGame, seat: int, number: int, depth: int) -> int:
        """Which of the moves listed last is the best, with up to ``depth`` moves of the same turn."""
        self.rate(flat, seat, number)
        tp = flat.v[places.TP]
        if depth > 1 and (tp == places.TRADING_BUILDING or tp == places.TRADING or tp == places.BUILDING):
            self._look_further(flat, seat, depth)
        best = 0
        for i in range(1, self.count):
            if self.values[i] > self.values[best]:
                best = i
        return best

    def _look_further(self, flat: FlatGame, seat: int, depth: int) -> int:
        """Value the most promising moves by what can follow them in the same turn."""
        if self.inner is None:
            self.inner = MoveSearch(self.valuer, flat)
        inner, child = self.inner, self.further
        for _ in range(self.width):
            chosen, highest = -1, -1.0
            for i in range(self.count):
                kind = self.moves[i] & 31
                if (
                    (
                        (kind >= places.EMPTY_TRADE and kind <= places.TRADE_TWO)
                        or (kind >= places.BUILD_ROAD and kind <= places.BUILD_CITY)
                        or (kind >= places.PLAY_MONOPOLY and kind <= places.PLAY_ROADS)
                    )
                    and self.values[i] > highest
                    and not self.seen[i]
                ):
                    chosen, highest = i, self.values[i]
            if chosen < 0:
                break
            self.seen[chosen] = 1
            child.set_to(flat)
            child.do(self.moves[chosen])
            if child.v[places.TP] == places.TOP:
                break
            inner.width = self.width
            number = child.list_moves(seat)
            found = inner.best(child, seat, number, depth - 1)
            # Only upwards: stopping after the move remains possible.
            if inner.values[found] > highest:
                self.values[chosen] = inner.values[found]
        for i in range(self.count):
            self.seen[i] = 0
        return 0

    def rate(self, flat: FlatGame, seat: int, number: int) -> None:
        """Write the values of the moves listed last into ``values``; moves far below the best get too low a value."""
        self.count = number
        for i in range(number):
            self.moves[i] = flat.scratch.moves[i]
            self.values[i] = -1.0
        self.after.set_to(flat)
        self._end(self.after)
        self.valuer.take_in(self.after, seat)
        self.positions += flat.t.players
        i = 0
        while i < number:
            kind = self.moves[i] & 31
            last = i + 1
            if (
                kind == places.PLAY_KNIGHT
                or kind == places.MOVE_BANDIT
                or kind == places.PLAY_ROADS
                or kind == places.SETUP_PHASE_ONE
                or kind == places.SETUP_PHASE_TWO
            ):
                while last < number and (self.moves[last] & 31) == kind:
                    last += 1
            # Trades depend on others' answers, which this search cannot value.
            if kind == places.OFFER_TRADE or kind == places.PROPOSE_TRADE or kind == places.CONCLUDE_TRADE:
                pass
            elif kind == places.PLAY_KNIGHT or kind == places.MOVE_BANDIT:
                self._rate_robberies(flat, seat, i, last)
            elif kind == places.PLAY_ROADS or kind == places.SETUP_PHASE_ONE or kind == places.SETUP_PHASE_TWO:
                self._rate_pairs(flat, seat, i, last)
            else:
                self.values[i] = self.value_of(flat, seat, self.moves[i])
            i = last

    def value_of(self, flat: FlatGame, seat: int, move: int) -> float:
        """The chance to win after a move and the end of the turn.

        The scores after the end of the turn without it have been taken in, and are kept.
        """
        kind = move & 31
        if kind == places.ROLL_DICE or kind == places.ROLL_FOR_START:
            return self.valuer.chance(flat, seat)
        if kind == places.BUY_DEV_CARD:
            return self._bought(flat, seat, move)
        if kind == places.PLAY_KNIGHT or kind == places.MOVE_BANDIT:
            return self._robbed(flat, seat, move)
        self.after.set_to(flat)
        self.after.do(move)
        self._end(self.after)
        return self._changed(flat, seat, move)

    def _end(self, after: FlatGame) -> None:
        """End the turn where that is possible, so that all compared states are at the same moment of the game."""
        for _ in range(8):
            tp = after.v[places.TP]
            if not (
                tp == places.TRADING
                or tp == places.BUILDING
                or tp == places.TRADING_BUILDING
                or tp == places.SPECIAL_BUILDING
            ):
                return
            after.do(places.EMPTY_BUILD | after.builder() << places.PLAYER_AT)

    def _changed(self, flat: FlatGame, seat: int, move: int) -> float:
        """The value of the state after a move; only the seats that the move may concern are scored anew.

        They are the player, and all seats where a village is built, a monopoly played or a bonus changes hands. A road
        also concerns those who could build it next, the bandit those at its old tile and at its new one.
        """
        after, valuer, t = self.after, self.valuer, flat.t
        kind, at = move & 31, move >> places.A_AT & places.PART
        is_all = (
            kind <= places.SETUP_PHASE_TWO
            or kind == places.BUILD_VILLAGE
            or kind == places.PLAY_MONOPOLY
            or after.v[places.LR] != flat.v[places.LR]
            or after.v[places.LA] != flat.v[places.LA]
        )
        value = 0.0
        for other in range(1, t.players + 1):
            # Scores are exchanged for this state only, since the next move starts from the same ones.
            self.kept[other] = valuer.scores[other]
            if after.v[places.AWAY + other]:
                continue
            is_new = is_all or other == seat
            if not is_new and (kind == places.BUILD_ROAD or kind == places.PLAY_ROADS):
                flat.look_around(other)
                is_new = bool(flat.s[places.REACH_OPEN + other] & t.bit[at])
            elif not is_new and (kind == places.MOVE_BANDIT or kind == places.PLAY_KNIGHT):
                tiles = t.corners[at] | t.corners[flat.v[places.BA]]
                is_new = bool(flat.own(other) & tiles) or other == (move >> places.B_AT & 7)
            if is_new:
                valuer.scores[other] = valuer.score(after, other, seat)
                self.positions += 1
        value = valuer.chance(after, seat)
        for other in range(1, t.players + 1):
            valuer.scores[other] = self.kept[other]
        return value

    def _bought(self, flat: FlatGame, seat: int, move: int) -> float:
        """What a development card is worth, each of those in the bank being equally likely."""
        stock = flat.v[places.STOCK]
        total = value = 0.0
        for k in range(5):
            cards = stock >> 8 * k & 127
            if cards:
                self.after.set_to(flat)
                self.after.do((move & 255) | k << places.A_AT)
                self._end(self.after)
                value += cards * self._changed(flat, seat, move)
                total += cards
        return value / total

    def _robbed(self, flat: FlatGame, seat: int, move: int) -> float:
        """What a robbery is worth, each card of the victim being equally likely to be stolen."""
        victim = move >> places.B_AT & 7
        hand = flat.v[places.RC + victim]
        bare = move & flat._high(1) - 1
        total = value = 0.0
        for k in range(6):
            cards = 1.0 if k == 5 else 1.0 * (hand >> 8 * k & 127)
            if k == 5 and victim and hand:
                break
            if k < 5 and not (victim and cards > 0.0):
                continue
            self.after.set_to(flat)
            self.after.do(bare | flat._high(k))
            self._end(self.after)
            value += cards * self._changed(flat, seat, move)
            total += cards
        return value / total

    def _rate_robberies(self, flat: FlatGame, seat: int, first: int, last: int) -> None:
        """Value where the bandit goes; then, for the best tiles, what the stolen card changes."""
        for i in range(first, last):
            self.after.set_to(flat)
            self.after.do((self.moves[i] & flat._high(1) - 1) | flat._high(5))
            self._end(self.after)
            # Minus two: still comparable with one another, but below every move that was valued closely.
            self.values[i] = self._changed(flat, seat, self.moves[i]) - 2.0
        for _ in range(places.CLOSELY):
            best = -1
            for i in range(first, last):
                if self.values[i] < 0.0 and (best < 0 or self.values[i] > self.values[best]):
                    best = i
            if best < 0:
                return
            self.values[best] = self.value_of(flat, seat, self.moves[best])

    def _rate_pairs(self, flat: FlatGame, seat: int, first: int, last: int) -> None:
        """Value one move for each first part; then all moves with the best first parts."""
        before = -1
        for i in range(first, last):
            part = self.moves[i] >> places.A_AT & places.PART
            if part != before:
                before = part
                self.values[i] = self.value_of(flat, seat, self.moves[i]) - 2.0
            else:
                # Below all that are valued so far, until its first part turns out well.
                self.values[i] = -3.0
        for _ in range(places.CLOSELY):
            best = -1
            for i in range(first, last):
                if -2.5 < self.values[i] < 0.0 and (best < 0 or self.values[i] > self.values[best]):
                    best = i
            if best < 0:
                return
            part = self.moves[best] >> places.A_AT & places.PART
            self.values[best] += 2.0
            for i in range(best + 1, last):
                if (self.moves[i] >> places.A_AT & places.PART) != part:
                    break
                self.values[i] = self.value_of(flat, seat, self.moves[i])

    def _discard(self, flat: FlatGame, seat: int) -> int:
        """Give up one card after the other, each time the one whose loss costs least."""
        self.valuer.take_in(flat, seat)
        after = self.further
        after.set_to(flat)
        due = flat.owed(seat)
        given = 0
        for _ in range(due):
            best, value = -1, -1.0
            for k in range(5):
                if after.v[places.RC + seat] >> 8 * k & 127:
                    self.after.set_to(after)
                    self.after.v[places.RC + seat] -= flat.t.one[k]
                    found = self.valuer.value_alone(self.after, seat)
                    self.positions += 1
                    if found > value:
                        best, value = k, found
            after.v[places.RC + seat] -= flat.t.one[best]
            given += flat.t.one[best]
        return places.DISCARD | flat.head | given << places.A_AT
