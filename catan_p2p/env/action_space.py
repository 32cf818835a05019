"""One numbering of all decisions of a player, the same for all rules, maps and numbers of players.

Two actions of the engine take several decisions, because all combinations would be too many: a discard is given up card
by card, and a road building card names its roads one after the other. Offers are of one or two cards of a kind for one
or two of another. Proposals, counter-offers and offers to one player have no numbers, so games are played without them.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from catan_p2p import actions as act
from catan_p2p.game.actions import KIND_OF, Action, play_road_building
from catan_p2p.game.actions.discard import owed
from catan_p2p.game.actions.parameters import NO_ROAD
from catan_p2p.game.actions.robbery import stealable
from catan_p2p.game.board import Board, numbers
from catan_p2p.game.cards import RESOURCES, kinds, multiples, total, unpack
from catan_p2p.game.constants import Player
from catan_p2p.game.flat import KIND_NUMBER, places
from catan_p2p.game.rules import decisions
from catan_p2p.game.state import TRADE_PHASES, State

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


class PartialAction(NamedTuple):
    """The decisions so far of an action that takes several."""

    given_up: int = 0
    """The cards to discard, packed."""
    first_road: int = NO_ROAD
    """The first road of a road building card."""


NOTHING_BEGUN = PartialAction()


@lru_cache(maxsize=64)
def land_index(board: Board) -> dict[int, int]:
    """The index of each land tile among the land tiles, by tile number."""
    return {tile: i for i, tile in enumerate(board.land)}


@lru_cache(maxsize=64)
def _roads_at(board: Board) -> tuple[tuple[int, ...], ...]:
    return tuple(tuple(numbers(roads)) for roads in board.roads_at)


class _BlockCode(NamedTuple):
    """The code of a block: how its decisions are numbered."""

    shape: tuple[int, ...]
    """The number of values of each part."""
    kinds: tuple[type[Action], ...] = ()
    """The actions that the block numbers."""
    parts: Callable[[State, Any], tuple[int, ...]] = lambda state, action: ()
    """The parts of an action, from 0."""
    make: Callable[[State, Player, Sequence[int]], Action] | None = None
    """The action of these parts; None if one action takes several decisions."""


def _only(kind: type[Any]) -> _BlockCode:
    return _BlockCode((), (kind,), make=lambda state, player, parts: kind(player))


def _drawn(*kinds: type[Action]) -> _BlockCode:
    def make(state: State, player: Player, parts: Sequence[int]) -> Action:
        return next(one for kind in kinds for one in KIND_OF[kind].decisions(state, player))

    return _BlockCode((), kinds, make=make)


def _at(kind: type[Any], places: int) -> _BlockCode:
    return _BlockCode(
        (places,),
        (kind,),
        lambda state, action: (action.at - 1,),
        lambda state, player, parts: kind(player, parts[0] + 1),
    )


def _robbery(kind: type[Any]) -> _BlockCode:
    def make(state: State, player: Player, parts: Sequence[int]) -> Action:
        robbery: Action = kind(player, state.constants.board.land[parts[0]], parts[1], stealable(state, parts[1])[0])
        return robbery

    return _BlockCode(
        (LANDS, SEATS + 1),
        (kind,),
        lambda state, action: (land_index(state.constants.board)[action.to], action.victim),
        make,
    )


def _resources(kind: type[Any], *fields: str) -> _BlockCode:
    return _BlockCode(
        (len(RESOURCES),) * len(fields),
        (kind,),
        lambda state, action: tuple(RESOURCES.index(getattr(action, field)) for field in fields),
        lambda state, player, parts: kind(player, *(RESOURCES[part] for part in parts)),
    )


def _placed(state: State, action: Any) -> tuple[int, ...]:
    return action.at - 1, _roads_at(state.constants.board)[action.at].index(action.road)


def _place(state: State, player: Player, parts: Sequence[int]) -> Action:
    cls = act.SetupPhaseOne if state.sup == "PhaseOne" else act.SetupPhaseTwo
    at = parts[0] + 1
    return cls(player, at, _roads_at(state.constants.board)[at][parts[1]])


def _offer(state: State, player: Player, parts: Sequence[int]) -> Action:
    give, amount, receive, wanted = parts
    return act.OfferTrade(
        player, multiples(RESOURCES[give], OFFERED[amount]), multiples(RESOURCES[receive], OFFERED[wanted])
    )


_CODES: dict[str, _BlockCode] = {
    "roll": _drawn(act.RollForStart, act.RollDice),
    "end": _only(act.EmptyBuild),
    "stop_trading": _only(act.EmptyTrade),
    "settle": _BlockCode((POINTS, ROADS_AT_POINT), (act.SetupPhaseOne, act.SetupPhaseTwo), _placed, _place),
    "road": _at(act.BuildRoad, ROADS),
    "village": _at(act.BuildVillage, POINTS),
    "city": _at(act.BuildCity, POINTS),
    "buy_card": _drawn(act.BuyDevCard),
    "bandit": _robbery(act.MoveBandit),
    "knight": _robbery(act.PlayKnight),
    "monopoly": _resources(act.PlayMonopoly, "resource"),
    "year_of_plenty": _resources(act.PlayYearOfPlenty, "first", "second"),
    "road_building": _BlockCode((ROADS,), (act.PlayRoadBuilding,), lambda state, action: (action.first - 1,)),
    "second_road": _BlockCode((ROADS + 1,)),
    "discard": _BlockCode((len(RESOURCES),)),
    "four_to_one": _resources(act.TradeFourToOne, "give", "receive"),
    "three_to_one": _resources(act.TradeThreeToOne, "give", "receive"),
    "two_to_one": _resources(act.TradeTwoToOne, "give", "receive"),
    "offer": _BlockCode((5, len(OFFERED), 5, len(OFFERED)), make=_offer),
    "answer": _BlockCode(
        (2,),
        (act.AnswerTrade,),
        lambda state, action: (int(action.answer == "reject"),),
        lambda state, player, parts: act.AnswerTrade(player, "reject" if parts[0] else "accept"),
    ),
    "conclude": _BlockCode(
        (SEATS,),
        (act.ConcludeTrade,),
        lambda state, action: (action.partner - 1,),
        lambda state, player, parts: act.ConcludeTrade(player, parts[0] + 1),
    ),
    "withdraw": _only(act.WithdrawTrade),
}
"""The code of each block, by name, in the order of their numbers."""


def _laid_out() -> Iterator[NumberBlock]:
    first = 0
    for name, code in _CODES.items():
        block = NumberBlock(name, first, code.shape)
        yield block
        first += block.size


BLOCKS: tuple[NumberBlock, ...] = tuple(_laid_out())
BLOCK: dict[str, NumberBlock] = {block.name: block for block in BLOCKS}
ACTION_COUNT = BLOCKS[-1].first + BLOCKS[-1].size
"""The number of all decisions."""
_BLOCK_OF: tuple[NumberBlock, ...] = tuple(block for block in BLOCKS for _ in range(block.size))
_NUMBERED: dict[type, tuple[NumberBlock, _BlockCode]] = {
    kind: (BLOCK[name], code) for name, code in _CODES.items() for kind in code.kinds
}


def _firsts() -> list[int]:
    found = [0] * 32
    for kind, (block, _) in _NUMBERED.items():
        found[KIND_NUMBER[kind]] = block.first
    for number, name in (
        (places.DISCARD, "discard"),
        (places.OFFER_TRADE, "offer"),
        (places.SECOND_ROAD, "second_road"),
    ):
        found[number] = BLOCK[name].first
    return found


FIRSTS = _firsts()
"""The first number of each kind of move of the flat core, by the number of the kind."""


def legal_numbers(state: State, player: Player, begun: PartialAction = NOTHING_BEGUN, offers: bool = True) -> list[int]:
    """The numbers of the player's legal decisions; empty if the game does not wait for them.

    Offers depend on the player's own hand alone, so that their legality reveals no other hand; an offer that nobody can
    pay is declined by all.
    """
    if begun.first_road != NO_ROAD:
        return _second_roads(state, player, begun.first_road)
    found: list[int] = []
    if state.tp == "Discarding" and owed(state, player) > 0:
        left = state.h[player - 1].rc - begun.given_up
        return [BLOCK["discard"].number(kind) for kind in kinds(left)]
    for action in decisions(state, player):
        if not isinstance(action, act.OfferTrade | act.OfferTradeTo | act.ProposeTrade):
            number = number_of(state, action)
            # A road building card is listed once for each second road as well.
            if not found or found[-1] != number:
                found.append(number)
    if offers and state.constants.rules.domestic_trade and state.tp in TRADE_PHASES and state.ap == player:
        found += offer_numbers(state.h[player - 1].rc)
    return found


@lru_cache(maxsize=1 << 9)
def offer_numbers(hand: int) -> list[int]:
    """The numbers of the offers that a hand can pay for."""
    block = BLOCK["offer"]
    return [
        block.number(give, amount, receive, wanted)
        for give, held in enumerate(unpack(hand))
        for amount, cards in enumerate(OFFERED)
        if held >= cards
        for receive in range(5)
        if receive != give
        for wanted in range(len(OFFERED))
    ]


def _second_roads(state: State, player: Player, first: int) -> list[int]:
    block = BLOCK["second_road"]
    plays = play_road_building.instances(state, player)
    return [block.number(play.second) for play in plays if play.first == first]


def number_of(state: State, action: Action) -> int:
    """The number of a decision; for an action that takes several decisions, of the first one."""
    block, code = _NUMBERED[type(action)]
    return block.number(*code.parts(state, action))


def block_of(number: int) -> NumberBlock:
    """The block of a number; ``ValueError`` if there is no such number."""
    return _BLOCK_OF[as_number(number)]


def action_of(
    state: State, player: Player, number: int, begun: PartialAction = NOTHING_BEGUN
) -> Action | PartialAction:
    """The engine's action for a decision, or the decisions so far if the action needs more.

    A chance outcome is arbitrary and drawn later. The number must be legal.
    """
    block = block_of(number)
    parts = block.parts(number)
    if block.name == "discard":
        given_up = begun.given_up + multiples(RESOURCES[parts[0]], 1)
        if total(given_up) < owed(state, player):
            return PartialAction(given_up=given_up)
        return act.Discard(player, given_up)
    if block.name == "road_building":
        return PartialAction(first_road=parts[0] + 1)
    if block.name == "second_road":
        return act.PlayRoadBuilding(player, begun.first_road, parts[0])
    make = _CODES[block.name].make
    assert make is not None
    return make(state, player, parts)


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
