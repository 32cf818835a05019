"""One numbering of everything that a player can decide, the same for all rules, maps and numbers of players.

A number stands for a decision as a player makes it. Three actions of the engine consist of several decisions, because
all their combinations would be too many: a discard is given up card by card, and of a road building card the first road
is named before the second. Offers are of one or two cards of a kind for one or two of another. Proposals and
counter-offers have no numbers, so games with table talk are played without them here.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from typing import Any, NamedTuple, cast

from catan_p2p import actions as act
from catan_p2p.game.actions import KIND_OF, Action, play_road_building
from catan_p2p.game.actions.discard import owed
from catan_p2p.game.actions.parameters import NO_ROAD
from catan_p2p.game.actions.robbery import stealable
from catan_p2p.game.board import Board, numbers
from catan_p2p.game.cards import RESOURCES, kinds, multiples, total, unpack
from catan_p2p.game.constants import Player
from catan_p2p.game.rules import decisions
from catan_p2p.game.state import TRADE_PHASES, State

POINTS = 80
"""Settlement points of the largest island."""
ROADS = 109
LANDS = 30
SEATS = 6
ROADS_AT_POINT = 3
OFFERED = (1, 2)
"""How many cards of a kind are offered and wanted."""


class Block(NamedTuple):
    """Consecutive numbers for one kind of decision: the first, and how many values each of its parts has."""

    name: str
    first: int
    shape: tuple[int, ...]

    @property
    def size(self) -> int:
        """How many numbers the block has."""
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


def _laid_out() -> Iterator[Block]:
    first = 0
    for name, shape in (
        ("roll", ()),
        ("end", ()),
        ("stop_trading", ()),
        ("settle", (POINTS, ROADS_AT_POINT)),
        ("road", (ROADS,)),
        ("village", (POINTS,)),
        ("city", (POINTS,)),
        ("buy_card", ()),
        ("bandit", (LANDS, SEATS + 1)),
        ("knight", (LANDS, SEATS + 1)),
        ("monopoly", (5,)),
        ("year_of_plenty", (5, 5)),
        ("road_building", (ROADS,)),
        ("second_road", (ROADS + 1,)),
        ("discard", (5,)),
        ("four_to_one", (5, 5)),
        ("three_to_one", (5, 5)),
        ("two_to_one", (5, 5)),
        ("offer", (5, len(OFFERED), 5, len(OFFERED))),
        ("answer", (2,)),
        ("conclude", (SEATS,)),
        ("withdraw", ()),
    ):
        block = Block(name, first, cast(tuple[int, ...], shape))
        yield block
        first += block.size


BLOCKS: tuple[Block, ...] = tuple(_laid_out())
BLOCK: dict[str, Block] = {block.name: block for block in BLOCKS}
ACTION_COUNT = BLOCKS[-1].first + BLOCKS[-1].size
"""How many numbers there are in all."""
_BLOCK_OF: tuple[Block, ...] = tuple(block for block in BLOCKS for _ in range(block.size))


class Begun(NamedTuple):
    """What a player has named so far of an action that takes several decisions."""

    given_up: int = 0
    """The cards to discard, packed."""
    first_road: int = NO_ROAD
    """The first road of a road building card."""


NOTHING_BEGUN = Begun()


@lru_cache(maxsize=64)
def land_index(board: Board) -> dict[int, int]:
    """The place of each land tile among the land tiles, by its number."""
    return {tile: i for i, tile in enumerate(board.land)}


@lru_cache(maxsize=64)
def _roads_at(board: Board) -> tuple[tuple[int, ...], ...]:
    return tuple(tuple(numbers(roads)) for roads in board.roads_at)


def legal_numbers(state: State, player: Player, begun: Begun = NOTHING_BEGUN, offers: bool = True) -> list[int]:
    """The numbers of what the player can decide; empty if the game does not wait for them.

    Offers depend on the player's own hand alone, so an offer that nobody can pay may be made; everybody declines it.
    """
    if begun.first_road != NO_ROAD:
        return _second_roads(state, player, begun.first_road)
    found: list[int] = []
    if state.tp == "Discarding" and owed(state, player) > 0:
        left = state.h[player - 1].rc - begun.given_up
        return [BLOCK["discard"].number(kind) for kind in kinds(left)]
    for action in decisions(state, player):
        if not isinstance(action, act.OfferTrade | act.ProposeTrade):
            number = _NUMBER[type(action)](state, action)
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
    return _NUMBER[type(action)](state, action)


def _settle(state: State, action: Any) -> int:
    return BLOCK["settle"].number(action.at - 1, _roads_at(state.constants.board)[action.at].index(action.road))


def _trade(name: str) -> Callable[[State, Any], int]:
    block, index = BLOCK[name], {resource: i for i, resource in enumerate(RESOURCES)}
    return lambda state, action: block.number(index[action.give], index[action.receive])


def _to(name: str) -> Callable[[State, Any], int]:
    block = BLOCK[name]
    return lambda state, action: block.number(land_index(state.constants.board)[action.to], action.victim)


def _at(name: str) -> Callable[[State, Any], int]:
    first = BLOCK[name].first - 1
    return lambda state, action: first + action.at


def _only(name: str) -> Callable[[State, Any], int]:
    first = BLOCK[name].first
    return lambda state, action: first


def _resource(*names: str) -> Callable[[Any], tuple[int, ...]]:
    return lambda action: tuple(RESOURCES.index(getattr(action, name)) for name in names)


_OF_PLENTY = _resource("first", "second")
_OF_MONOPOLY = _resource("resource")

_NUMBER: dict[type, Callable[[State, Any], int]] = {
    act.RollForStart: _only("roll"),
    act.RollDice: _only("roll"),
    act.SetupPhaseOne: _settle,
    act.SetupPhaseTwo: _settle,
    act.EmptyTrade: _only("stop_trading"),
    act.EmptyBuild: _only("end"),
    act.BuildRoad: _at("road"),
    act.BuildVillage: _at("village"),
    act.BuildCity: _at("city"),
    act.BuyDevCard: _only("buy_card"),
    act.MoveBandit: _to("bandit"),
    act.PlayKnight: _to("knight"),
    act.PlayMonopoly: lambda state, action: BLOCK["monopoly"].number(*_OF_MONOPOLY(action)),
    act.PlayYearOfPlenty: lambda state, action: BLOCK["year_of_plenty"].number(*_OF_PLENTY(action)),
    act.PlayRoadBuilding: lambda state, action: BLOCK["road_building"].number(action.first - 1),
    act.TradeFourToOne: _trade("four_to_one"),
    act.TradeThreeToOne: _trade("three_to_one"),
    act.TradeTwoToOne: _trade("two_to_one"),
    act.AnswerTrade: lambda state, action: BLOCK["answer"].number(int(action.answer == "reject")),
    act.ConcludeTrade: lambda state, action: BLOCK["conclude"].number(action.partner - 1),
    act.WithdrawTrade: _only("withdraw"),
}


def block_of(number: int) -> Block:
    """The block of a number; ``ValueError`` if there is no such number."""
    if not 0 <= number < ACTION_COUNT:
        raise ValueError(f"action {number}: expected 0 to {ACTION_COUNT - 1}")
    return _BLOCK_OF[number]


def action_of(state: State, player: Player, number: int, begun: Begun = NOTHING_BEGUN) -> Action | Begun:
    """The engine's action for a decision, or what has been named so far if more is needed.

    Where chance decides, the action has an arbitrary outcome, which is drawn later. The number must be a legal one.
    """
    block = block_of(number)
    parts = block.parts(number)
    if block.name == "discard":
        given_up = begun.given_up + multiples(RESOURCES[parts[0]], 1)
        if total(given_up) < owed(state, player):
            return Begun(given_up=given_up)
        return act.Discard(player, given_up)
    if block.name == "road_building":
        return Begun(first_road=parts[0] + 1)
    if block.name == "second_road":
        return act.PlayRoadBuilding(player, begun.first_road, parts[0])
    return _MAKE[block.name](state, player, parts)


def _robbery(name: str) -> Callable[[State, Player, Sequence[int]], Action]:
    cls: Callable[..., Action] = act.MoveBandit if name == "bandit" else act.PlayKnight

    def make(state: State, player: Player, parts: Sequence[int]) -> Action:
        to, victim = state.constants.board.land[parts[0]], parts[1]
        return cls(player, to, victim, stealable(state, victim)[0])

    return make


def _roll(state: State, player: Player, parts: Sequence[int]) -> Action:
    cls = act.RollForStart if state.tp == "bot" else act.RollDice
    return KIND_OF[cls].decisions(state, player)[0]


def _place(state: State, player: Player, parts: Sequence[int]) -> Action:
    cls = act.SetupPhaseOne if state.sup == "PhaseOne" else act.SetupPhaseTwo
    at = parts[0] + 1
    return cls(player, at, _roads_at(state.constants.board)[at][parts[1]])


def _exchange(cls: Callable[[Player, Any, Any], Action]) -> Callable[[State, Player, Sequence[int]], Action]:
    return lambda state, player, parts: cls(player, RESOURCES[parts[0]], RESOURCES[parts[1]])


def _offer(state: State, player: Player, parts: Sequence[int]) -> Action:
    give, amount, receive, wanted = parts
    return act.OfferTrade(
        player, multiples(RESOURCES[give], OFFERED[amount]), multiples(RESOURCES[receive], OFFERED[wanted])
    )


_MAKE: dict[str, Callable[[State, Player, Sequence[int]], Action]] = {
    "roll": _roll,
    "end": lambda state, player, parts: act.EmptyBuild(player),
    "stop_trading": lambda state, player, parts: act.EmptyTrade(player),
    "settle": _place,
    "road": lambda state, player, parts: act.BuildRoad(player, parts[0] + 1),
    "village": lambda state, player, parts: act.BuildVillage(player, parts[0] + 1),
    "city": lambda state, player, parts: act.BuildCity(player, parts[0] + 1),
    "buy_card": lambda state, player, parts: KIND_OF[act.BuyDevCard].decisions(state, player)[0],
    "bandit": _robbery("bandit"),
    "knight": _robbery("knight"),
    "monopoly": lambda state, player, parts: act.PlayMonopoly(player, RESOURCES[parts[0]]),
    "year_of_plenty": lambda state, player, parts: act.PlayYearOfPlenty(
        player, RESOURCES[parts[0]], RESOURCES[parts[1]]
    ),
    "four_to_one": _exchange(act.TradeFourToOne),
    "three_to_one": _exchange(act.TradeThreeToOne),
    "two_to_one": _exchange(act.TradeTwoToOne),
    "offer": _offer,
    "answer": lambda state, player, parts: act.AnswerTrade(player, "reject" if parts[0] else "accept"),
    "conclude": lambda state, player, parts: act.ConcludeTrade(player, parts[0] + 1),
    "withdraw": lambda state, player, parts: act.WithdrawTrade(player),
}


def as_number(action: Any) -> int:
    """The number of a decision that a learner names; ``ValueError`` if it is no whole number."""
    try:
        return operator.index(action)
    except TypeError:
        raise ValueError(f"action {action!r}: expected a whole number") from None


def tell(state: State, number: int) -> str:
    """A decision in words, such as ``village 12`` or ``offer 1 Wool for 2 Ore``."""
    block = block_of(number)
    parts = block.parts(number)
    return f"{block.name} {' '.join(map(str, parts))}".strip()
