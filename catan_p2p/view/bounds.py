"""Lower and upper bounds of a hand that nobody has seen: of each resource, and of all its cards together.

If every card is known, the bounds are equal. They stay equal as long as only known cards come and go.
"""

from collections.abc import Sequence
from operator import le
from typing import NamedTuple

from catan_p2p.game.cards import (
    BORROW_BITS,
    FIELD_BITS,
    FIELD_MAX,
    NO_CARDS,
    RESOURCES,
    Cards,
    covers,
    pack,
    total,
    unpack,
)


class CardRange(NamedTuple):
    """A number of cards, known only to lie between two others."""

    low: int
    high: int

    @property
    def is_exact(self) -> bool:
        """Whether the number is known."""
        return self.low == self.high

    def more_than(self, earlier: "CardRange") -> int:
        """How many more cards than ``earlier``; 0 if either number is not known."""
        return self.low - earlier.low if self.is_exact and earlier.is_exact else 0

    def __str__(self) -> str:
        return str(self.low) if self.low == self.high else f"{self.low}-{self.high}"


class HandBounds(NamedTuple):
    """The bounds of one hand: of each resource, and of the number of all cards."""

    low: Cards
    high: Cards
    least: int
    most: int

    @property
    def is_exact(self) -> bool:
        """Whether every card is known."""
        return self.low == self.high

    @property
    def number(self) -> CardRange:
        """How many cards the hand has."""
        return CardRange(self.least, self.most)

    @property
    def kinds(self) -> tuple[CardRange, ...]:
        """How many cards of each resource the hand has."""
        return tuple(map(CardRange, unpack(self.low), unpack(self.high)))

    def could_pay(self, cost: Cards) -> bool:
        """Whether the hand can hold these cards."""
        return covers(self.high, cost) and (self.low == self.high or total(cost) <= self.most)


EMPTY = HandBounds(NO_CARDS, NO_CARDS, 0, 0)


def exactly(cards: Cards) -> HandBounds:
    """The bounds of a hand that is known."""
    n = total(cards)
    return HandBounds(cards, cards, n, n)


def anything(pool: Cards) -> HandBounds:
    """The bounds of a hand that may hold any cards of ``pool``."""
    return HandBounds(NO_CARDS, pool, 0, total(pool))


def gain(hand: HandBounds, cards: Cards) -> HandBounds:
    """The hand after gaining these cards."""
    n = total(cards)
    return HandBounds(_sum(hand.low, cards), _sum(hand.high, cards), hand.least + n, hand.most + n)


def may_gain(hand: HandBounds, cards: Cards) -> HandBounds:
    """The hand after gaining these cards, some of them, or none."""
    return hand._replace(high=_sum(hand.high, cards), most=hand.most + total(cards))


def _sum(cards: Cards, more: Cards) -> Cards:
    """The sum, each count capped at ``FIELD_MAX``: only a game that breaks the rules has more."""
    both = cards + more
    if both & BORROW_BITS:
        return pack(min(FIELD_MAX, a + b) for a, b in zip(unpack(cards), unpack(more), strict=True))
    return both


def pay(hand: HandBounds, cost: Cards) -> HandBounds:
    """The hand after paying ``cost``, which it must have held: that narrows the bounds of the other cards."""
    if hand.low == hand.high and covers(hand.low, cost):
        return exactly(hand.low - cost)
    n = total(cost)
    low = [max(0, have - paid) for have, paid in zip(unpack(hand.low), unpack(cost), strict=True)]
    high = [max(0, have - paid) for have, paid in zip(unpack(hand.high), unpack(cost), strict=True)]
    return _tight(low, high, max(0, hand.least - n), max(0, hand.most - n))


def lose_any(hand: HandBounds, fewest: int, most: int) -> HandBounds:
    """The hand after losing ``fewest`` to ``most`` cards that nobody names."""
    if most == 0:
        return hand
    low = [max(0, n - most) for n in unpack(hand.low)]
    left_least, left_most = max(0, hand.least - most), max(0, hand.most - fewest)
    high = [min(n, left_most) for n in unpack(hand.high)]
    return _tight(low, high, left_least, left_most)


def rob(victim: HandBounds, thief: HandBounds) -> tuple[HandBounds, HandBounds]:
    """Both hands after the thief has taken a card that nobody names; nothing if the victim has none."""
    kinds = [i for i, n in enumerate(unpack(victim.high)) if n]
    if not kinds:
        return victim, thief
    is_certain = victim.least > 0
    # If the victim can hold one resource only, everybody knows which card was taken.
    if len(kinds) == 1:
        card = 1 << FIELD_BITS * kinds[0]
        return (pay(victim, card), gain(thief, card)) if is_certain else (lose_any(victim, 0, 1), may_gain(thief, card))
    high = [n + (i in kinds) for i, n in enumerate(unpack(thief.high))]
    robbed = _tight(list(unpack(thief.low)), high, thief.least + is_certain, thief.most + 1)
    return lose_any(victim, 1 if is_certain else 0, 1), robbed


def take_all(hand: HandBounds, kind: int) -> tuple[HandBounds, int, int]:
    """The hand without any card of a resource, and how many of them it had, at least and at most."""
    low, high = list(unpack(hand.low)), list(unpack(hand.high))
    fewest, most = low[kind], min(high[kind], hand.most)
    low[kind] = high[kind] = 0
    return _tight(low, high, max(0, hand.least - most), max(0, hand.most - fewest)), fewest, most


def gain_between(hand: HandBounds, kind: int, fewest: int, most: int) -> HandBounds:
    """The hand after gaining ``fewest`` to ``most`` cards of one resource."""
    card = 1 << FIELD_BITS * kind
    gained = gain(hand, card * fewest)
    return may_gain(gained, card * (most - fewest)) if most > fewest else gained


def may_lose(hand: HandBounds, cards: Cards) -> HandBounds:
    """The hand after losing these cards, some of them, or none."""
    low = [max(0, have - lost) for have, lost in zip(unpack(hand.low), unpack(cards), strict=True)]
    return _tight(low, list(unpack(hand.high)), max(0, hand.least - total(cards)), hand.most)


def gain_any(hand: HandBounds, of: HandBounds, fewest: int, most: int) -> HandBounds:
    """The hand after gaining ``fewest`` to ``most`` cards that nobody names, out of a hand with the bounds ``of``."""
    high = [have + min(n, most) for have, n in zip(unpack(hand.high), unpack(of.high), strict=True)]
    return _tight(list(unpack(hand.low)), high, hand.least + fewest, hand.most + most)


def within(hand: HandBounds, floor: Sequence[int], room: Sequence[int]) -> HandBounds:
    """The hand narrowed to at least ``floor`` and at most ``room`` cards of each resource."""
    low, high = unpack(hand.low), unpack(hand.high)
    if all(map(le, floor, low)) and all(map(le, high, room)):
        return hand
    new_high = [min(n, limit) for n, limit in zip(high, room, strict=True)]
    # In a record that contradicts itself, a floor can lie above the room; the result must still be a range.
    new_low = [max(n, min(limit, most)) for n, limit, most in zip(low, floor, new_high, strict=True)]
    return _tight(new_low, new_high, hand.least, hand.most)


def holding(hand: HandBounds, number: int) -> HandBounds:
    """The hand narrowed to ``number`` cards in all; unchanged if it cannot have that many."""
    low, high = list(unpack(hand.low)), list(unpack(hand.high))
    return _tight(low, high, number, number) if sum(low) <= number <= sum(high) else hand


def is_possible(hand: HandBounds, floor: Sequence[int], room: Sequence[int]) -> bool:
    """Whether some hand within these bounds has at least ``floor`` and at most ``room`` cards of each resource."""
    low = [max(n, limit) for n, limit in zip(unpack(hand.low), floor, strict=True)]
    high = [min(n, limit) for n, limit in zip(unpack(hand.high), room, strict=True)]
    return all(map(le, low, high)) and sum(low) <= hand.most and sum(high) >= hand.least


def _tight(low: list[int], high: list[int], least: int, most: int) -> HandBounds:
    """Bounds that agree with each other: each one narrowed to what the others leave."""
    high = [b if a <= b else a for a, b in zip(low, high, strict=True)]
    fewest, utmost = sum(low), sum(high)
    least = max(least, fewest)
    most = max(least, min(most, utmost))
    # A resource has at most ``spare`` cards more than its lower bound, and at most ``-missing`` fewer than its upper.
    spare, missing = most - fewest, least - utmost
    packed_low = packed_high = 0
    fewest = utmost = 0
    for shift, a, b in zip(SHIFTS, low, high, strict=True):
        top = min(b, a + spare, FIELD_MAX)
        bottom = max(a, b + missing) if missing + b > a else a
        top = max(top, bottom)
        packed_low |= bottom << shift
        packed_high |= top << shift
        fewest += bottom
        utmost += top
    return HandBounds(packed_low, packed_high, max(least, fewest), min(most, utmost))


SHIFTS = tuple(FIELD_BITS * i for i in range(len(RESOURCES)))
