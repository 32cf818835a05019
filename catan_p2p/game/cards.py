"""Cards and their counts: five kinds packed into one integer.

A ``Cards`` value holds five counts (0..127), eight bits each, the first kind in the lowest bits. Adding and subtracting
two values adds and subtracts the counts, so a hand, a cost, a trade and a pool all have the same type. The eighth bit
of each field is never set in a valid value; it shows a borrow. Resource cards (order of ``RESOURCES``) and development
cards (order of ``DEV_CARDS``) are packed alike.
"""

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Literal, TypeAlias, get_args

Resource: TypeAlias = Literal["Lumber", "Brick", "Wool", "Grain", "Ore"]
"""Resource card types: ``RCT`` of the specification."""

DevCard: TypeAlias = Literal["Monopoly", "YearOfPlenty", "RoadBuilding", "Knight", "VictoryPoint"]
"""Development card types: ``DCT`` of the specification; the first three are the progress cards, ``PCT``."""

Cards: TypeAlias = int

RESOURCES: tuple[Resource, ...] = get_args(Resource)
DEV_CARDS: tuple[DevCard, ...] = get_args(DevCard)
PROGRESS_CARDS: tuple[DevCard, ...] = DEV_CARDS[:3]

FIELD_BITS = 8
# A count needs the lowest seven bits; the eighth stays free for a borrow.
FIELD_MAX = 0x7F
NO_CARDS: Cards = 0
BORROW_BITS = 0x80_80_80_80_80
_ONES = 0x01_01_01_01_01
_TOTAL_SHIFT = FIELD_BITS * 4

SHIFT: Mapping[str, int] = {
    **{kind: FIELD_BITS * i for i, kind in enumerate(RESOURCES)},
    **{kind: FIELD_BITS * i for i, kind in enumerate(DEV_CARDS)},
}
"""Where the count of a resource or development card type starts, in bits."""

ONE: Mapping[str, Cards] = {kind: 1 << shift for kind, shift in SHIFT.items()}
"""One card of each resource or development card type."""


def pack(counts: Iterable[int]) -> Cards:
    """Cards from the counts of the five types in order; ``ValueError`` if they are not five, each 0..127."""
    values = tuple(counts)
    if len(values) != len(RESOURCES):
        raise ValueError(f"{len(values)} counts given, expected {len(RESOURCES)}")
    cards = 0
    for i, count in enumerate(values):
        if not 0 <= count <= FIELD_MAX:
            raise ValueError(f"a count of {count} cards, expected 0..{FIELD_MAX}")
        cards |= count << (FIELD_BITS * i)
    return cards


@lru_cache(maxsize=1 << 11)
def unpack(cards: Cards) -> tuple[int, int, int, int, int]:
    """The five counts, in the order of the types."""
    return (
        cards & FIELD_MAX,
        cards >> 8 & FIELD_MAX,
        cards >> 16 & FIELD_MAX,
        cards >> 24 & FIELD_MAX,
        cards >> 32 & FIELD_MAX,
    )


def count(cards: Cards, kind: str) -> int:
    """How many cards of one resource or development card type there are."""
    return cards >> SHIFT[kind] & FIELD_MAX


def total(cards: Cards) -> int:
    """How many cards there are in all; correct up to 255."""
    # Multiplying by ones adds all five fields up in the fifth.
    return (cards * _ONES) >> _TOTAL_SHIFT & 0xFF


def covers(cards: Cards, cost: Cards) -> bool:
    """Whether there are at least as many cards of every type as in ``cost``."""
    # Each field borrows from its own eighth bit only, and a bit that is gone shows a type that is short.
    return (cards | BORROW_BITS) - cost & BORROW_BITS == BORROW_BITS


def is_valid(cards: Cards) -> bool:
    """Whether the value is five counts of 0..127: no borrow, and nothing above the fifth field."""
    return cards >= 0 and cards & BORROW_BITS == 0 and cards >> FIELD_BITS * 5 == 0


def multiples(kind: str, amount: int) -> Cards:
    """``amount`` cards of one type."""
    return ONE[kind] * amount


@lru_cache(maxsize=1 << 11)
def kinds(cards: Cards, at_least: int = 1) -> tuple[int, ...]:
    """Indices (0..4) of the types with at least this many cards, ascending."""
    return tuple(i for i, n in enumerate(unpack(cards)) if n >= at_least)


def each(cards: Cards) -> Iterator[Resource]:
    """The resource of every card, in the order of resources."""
    for resource, n in zip(RESOURCES, unpack(cards), strict=True):
        yield from (resource for _ in range(n))


@lru_cache(maxsize=256)
def selections(cards: Cards, amount: int) -> tuple[Cards, ...]:
    """Every way to take exactly ``amount`` of these cards, ordered by the counts, first type first."""
    counts = unpack(cards)
    rest = [sum(counts[i:]) for i in range(6)]
    found: list[tuple[Cards, int]] = [(0, amount)]
    for i, held in enumerate(counts):
        shift = FIELD_BITS * i
        found = [
            # At least what later types cannot cover, so no branch ends without a solution.
            (taken | n << shift, owed - n)
            for taken, owed in found
            for n in range(max(0, owed - rest[i + 1]), min(held, owed) + 1)
        ]
    return tuple(taken for taken, owed in found if owed == 0)


def describe(cards: Cards, names: tuple[str, ...] = RESOURCES) -> str:
    """In words, such as ``2 Grain, 3 Ore``; ``nothing`` if there are none."""
    return ", ".join(f"{n} {name}" for n, name in zip(unpack(cards), names, strict=True) if n) or "nothing"


def bracketed(value: object) -> str:
    """Cards for a ``repr``, such as ``<2 Grain>``; what is no number of cards as it is."""
    return f"<{describe(value)}>" if type(value) is int and is_valid(value) else repr(value)


class CardCounts(Mapping[str, int]):
    """How many cards of each type, as a mapping from all five names; printed as what it is: ``2 Grain, 3 Ore``.

    >>> CardCounts(pack((0, 0, 0, 2, 3)))
    2 Grain, 3 Ore
    """

    __slots__ = ("_names", "cards")

    def __init__(self, cards: Cards, names: tuple[str, ...] = RESOURCES) -> None:
        self.cards = cards
        """The packed value."""
        self._names = names

    def __getitem__(self, name: str) -> int:
        if name not in self._names:
            raise KeyError(name)
        return count(self.cards, name)

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)

    @property
    def total(self) -> int:
        """How many cards there are in all."""
        return total(self.cards)

    def __hash__(self) -> int:
        return hash((self.cards, self._names))

    def __repr__(self) -> str:
        return describe(self.cards, self._names)
