"""A flat game: moves made and taken back, chance, and random play."""

from __future__ import annotations

from collections.abc import Callable

from catan_p2p.game.flat import places
from catan_p2p.game.flat.making import MoveMaker
from catan_p2p.game.flat.tables import FlatTables, MoveScratch


class FlatGame(MoveMaker):
    """A flat state whose moves can be taken back, and which plays itself at random."""

    def __init__(self, tables: FlatTables, scratch: MoveScratch) -> None:
        super().__init__(tables, scratch)
        self._past: list[FlatGame] = []
        self._depth = 0

    def copy(self) -> FlatGame:
        """Another state that is equal for now. It lists its moves in the same place: let one thread use both."""
        other = FlatGame(self.t, self.scratch)
        other.set_to(self)
        return other

    def phase(self) -> int:
        """The phase of the turn, as ``places`` numbers them."""
        return self.v[places.TP]

    def push(self, move: int) -> None:
        """Make a move that ``pop`` takes back."""
        # States for taking back are kept and used again, since copying numbers is cheaper than making objects.
        if self._depth == len(self._past):
            self._past.append(FlatGame(self.t, self.scratch))
        self._past[self._depth].set_to(self)
        self.do(move)
        self._depth += 1

    def pop(self) -> None:
        """Take back the last move that was pushed; ``IndexError`` if there is none."""
        if self._depth == 0:
            raise IndexError("no move to take back")
        self._depth -= 1
        self.set_to(self._past[self._depth])

    def draw(self, move: int, bits: Callable[[int], int]) -> int:
        """The move with its outcome of chance drawn, as the mirror's ``draw`` does with the same generator.

        ``bits`` is the generator's ``getrandbits``.
        """
        v, t = self.v, self.t
        kind = move & 31
        if kind == places.ROLL_DICE or kind == places.ROLL_FOR_START:
            dice = 0
            # Sums that the rules leave out are rolled again, as the mirror does.
            while not t.sums[dice]:
                dice = 2 + below(6, bits)
                dice += below(6, bits)
            return (move & 255) | dice << places.A_AT
        if kind == places.BUY_DEV_CARD:
            return (move & 255) | self._any_of(v[places.STOCK], bits) << places.A_AT
        if kind == places.MOVE_BANDIT or kind == places.PLAY_KNIGHT:
            victim = move >> places.B_AT & 7
            if victim and v[places.RC + victim]:
                return (move & self._high(1) - 1) | self._high(self._any_of(v[places.RC + victim], bits))
        return move

    def _any_of(self, cards: int, bits: Callable[[int], int]) -> int:
        """The kind of a card drawn from some cards."""
        at = below(self.total(cards), bits)
        for kind in range(5):
            at -= cards >> 8 * kind & 127
            if at < 0:
                return kind
        return places.NO_CARD

    def play(self, bits: Callable[[int], int], most: int) -> int:
        """Play at most ``most`` uniformly random decisions, up to the end; return how many were made.

        It is the game that ``Random.choice`` among the mirror's ``decisions`` and the mirror's ``draw`` make with the
        same generator.
        """
        made = 0
        while made < most:
            player = self.awaited()
            if player == places.NOBODY:
                break
            number = self.list_moves(player)
            self.do(self.draw(self.move(below(number, bits)), bits))
            made += 1
        return made


def below(number: int, bits: Callable[[int], int]) -> int:
    """A number from 0 to ``number`` - 1, as ``random.Random`` draws it."""
    length = 0
    while number >> length:
        length += 1
    drawn = bits(length)
    # Numbers beyond the range are drawn again, so that all are equally likely.
    while drawn >= number:
        drawn = bits(length)
    return drawn
