"""One numbering of all decisions of a player, the same for all rules, maps and numbers of players.

Two actions of the engine take several decisions, because all combinations would be too many: a discard is given up card
by card, and a road building card names its roads one after the other. Offers are of one or two cards of a kind for one
or two of another. Proposals, counter-offers and offers to one player have no numbers, so games are played without them.
"""

from __future__ import annotations

import operator
from collections.abc import Iterator
from typing import Any, NamedTuple

from catan_p2p import actions as act
from catan_p2p.game.actions import Action
from catan_p2p.game.cards import RESOURCES
from catan_p2p.game.flat import KIND_NUMBER, places
from catan_p2p.game.state import State

POINTS = places.SEEN_POINTS
"""Settlement points of the largest island."""
ROADS = places.SEEN_ROADS
LANDS = places.SEEN_LANDS
SEATS = places.SEEN_SEATS
ROADS_AT_POINT = 3
OFFERED = tuple(range(1, places.OFFERED + 1))
"""The possible numbers of cards of a kind in an offer, on each side."""


class NumberBlock(NamedTuple):
    """Consecutive numbers for one kind of decision: the first, and the number of values of each part."""

    name: str
    first: int
    shape: tuple[int, ...]

    @property
    def size(self) -> int:
        """The number of decisions in the block."""
        size = 1
        for extent in self.shape:
            size *= extent
        return size

    def number(self, *parts: int) -> int:
        """The number of a decision whose parts count from 0."""
        at = 0
        for part, extent in zip(parts, self.shape, strict=True):
            at = at * extent + part
        return self.first + at

    def parts(self, number: int) -> tuple[int, ...]:
        """The parts of a number in this block."""
        at, found = number - self.first, []
        for extent in reversed(self.shape):
            at, part = divmod(at, extent)
            found.append(part)
        return tuple(reversed(found))


_RESOURCE = len(RESOURCES)
_CODES: dict[str, tuple[tuple[int, ...], tuple[type[Action], ...]]] = {
    "roll": ((), (act.RollForStart, act.RollDice)),
    "end": ((), (act.EmptyBuild,)),
    "stop_trading": ((), (act.EmptyTrade,)),
    "settle": ((POINTS, ROADS_AT_POINT), (act.SetupPhaseOne, act.SetupPhaseTwo)),
    "road": ((ROADS,), (act.BuildRoad,)),
    "village": ((POINTS,), (act.BuildVillage,)),
    "city": ((POINTS,), (act.BuildCity,)),
    "buy_card": ((), (act.BuyDevCard,)),
    "bandit": ((LANDS, SEATS + 1), (act.MoveBandit,)),
    "knight": ((LANDS, SEATS + 1), (act.PlayKnight,)),
    "monopoly": ((_RESOURCE,), (act.PlayMonopoly,)),
    "year_of_plenty": ((_RESOURCE, _RESOURCE), (act.PlayYearOfPlenty,)),
    "road_building": ((ROADS,), (act.PlayRoadBuilding,)),
    "second_road": ((ROADS + 1,), ()),
    "discard": ((_RESOURCE,), (act.Discard,)),
    "four_to_one": ((_RESOURCE, _RESOURCE), (act.TradeFourToOne,)),
    "three_to_one": ((_RESOURCE, _RESOURCE), (act.TradeThreeToOne,)),
    "two_to_one": ((_RESOURCE, _RESOURCE), (act.TradeTwoToOne,)),
    "offer": ((_RESOURCE, len(OFFERED), _RESOURCE, len(OFFERED)), (act.OfferTrade,)),
    "answer": ((2,), (act.AnswerTrade,)),
    "conclude": ((SEATS,), (act.ConcludeTrade,)),
    "withdraw": ((), (act.WithdrawTrade,)),
}
"""For each block, in the order of their numbers: the number of values of each part, and the actions that it numbers."""


def _laid_out() -> Iterator[NumberBlock]:
    first = 0
    for name, (shape, _) in _CODES.items():
        block = NumberBlock(name, first, shape)
        yield block
        first += block.size


BLOCKS: tuple[NumberBlock, ...] = tuple(_laid_out())
BLOCK: dict[str, NumberBlock] = {block.name: block for block in BLOCKS}
ACTION_COUNT = BLOCKS[-1].first + BLOCKS[-1].size
"""The number of all decisions."""
_BLOCK_OF: tuple[NumberBlock, ...] = tuple(block for block in BLOCKS for _ in range(block.size))
BLOCK_OF_KIND: dict[type[Action], NumberBlock] = {
    kind: BLOCK[name] for name, (_, kinds) in _CODES.items() for kind in kinds
}


def _firsts() -> list[int]:
    found = [0] * 32
    for kind, block in BLOCK_OF_KIND.items():
        found[KIND_NUMBER[kind]] = block.first
    found[places.SECOND_ROAD] = BLOCK["second_road"].first
    return found


FIRSTS = _firsts()
"""The first number of each kind of move of the flat core, by the number of the kind."""


def block_of(number: int) -> NumberBlock:
    """The block of a number; ``ValueError`` if there is no such number."""
    return _BLOCK_OF[as_number(number)]


def as_number(action: Any) -> int:
    """The number of a decision that a learner names; ``ValueError`` if there is no such number."""
    try:
        number = operator.index(action)
    except TypeError:
        raise ValueError(f"action {action!r}: expected a whole number") from None
    if not 0 <= number < ACTION_COUNT:
        raise ValueError(f"action {number}: expected 0 to {ACTION_COUNT - 1}")
    return number


def tell(state: State, number: int) -> str:
    """A decision in words, such as ``village 12`` or ``offer 1 Wool for 2 Ore``."""
    block = block_of(number)
    parts = block.parts(number)
    return f"{block.name} {' '.join(map(str, parts))}".strip()
