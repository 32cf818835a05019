"""Trades with the bank: several of them in one event, taken apart into single ones."""

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import NamedTuple

from catan_p2p.game.board import THREE_TO_ONE as THREE_TO_ONE_WHARF
from catan_p2p.game.board import Board, Points
from catan_p2p.game.cards import RESOURCES, Cards, Resource, unpack
from catan_p2p.view.events import FOUR_TO_ONE, THREE_TO_ONE, Rate

_MAX_CARDS = 95


class SingleTrade(NamedTuple):
    """Some cards of one resource for one card of another."""

    give: Resource
    cards: int
    receive: Resource


def rates_of(board: Board, settlements: Points, rate: Rate | None) -> dict[Resource, tuple[int, ...]]:
    """How many cards of each resource who has these settlements may give for one, the fewest first.

    If a rate is named, only what is traded at it.
    """
    found = {}
    for resource in RESOURCES:
        numbers = []
        if rate in (None, resource) and settlements & board.wharf_points[resource]:
            numbers.append(2)
        if rate in (None, THREE_TO_ONE) and settlements & board.wharf_points[THREE_TO_ONE_WHARF]:
            numbers.append(3)
        if rate in (None, FOUR_TO_ONE):
            numbers.append(4)
        found[resource] = tuple(numbers)
    return found


def take_apart(give: Cards, receive: Cards, rates: Mapping[Resource, tuple[int, ...]]) -> list[SingleTrade] | None:
    """Single trades that together give and receive these cards, at the first rates that can be; None if none can."""
    given, received = unpack(give), unpack(receive)
    wanted = [resource for resource, n in zip(RESOURCES, received, strict=True) for _ in range(n)]
    if not wanted or sum(given) > _MAX_CARDS or any(a and b for a, b in zip(given, received, strict=True)):
        return None
    offers = [(resource, n, rates[resource]) for resource, n in zip(RESOURCES, given, strict=True) if n]
    paid = _pay(tuple((n, numbers) for _, n, numbers in offers), len(wanted))
    if paid is None:
        return None
    singles = [(resource, cards) for (resource, _, _), numbers in zip(offers, paid, strict=True) for cards in numbers]
    return [SingleTrade(resource, cards, want) for (resource, cards), want in zip(singles, wanted, strict=True)]


@lru_cache(maxsize=1 << 10)
def _pay(offers: tuple[tuple[int, tuple[int, ...]], ...], units: int) -> tuple[tuple[int, ...], ...] | None:
    """For each offer the sizes of its single trades, so that there are so many in all."""
    if not offers:
        return () if units == 0 else None
    (cards, numbers), *rest = offers
    for sizes in _sums(cards, numbers):
        if len(sizes) <= units:
            others = _pay(tuple(rest), units - len(sizes))
            if others is not None:
                return (sizes, *others)
    return None


def _sums(total: int, numbers: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    if total == 0:
        yield ()
    elif numbers:
        first, *rest = numbers
        for n in range(total // first, -1, -1):
            for tail in _sums(total - n * first, tuple(rest)):
                yield (first,) * n + tail
