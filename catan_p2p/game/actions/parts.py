"""What several actions have in common: facts, unmet guards, and changes to one seat of a component."""

from collections.abc import Collection
from dataclasses import replace
from typing import Any, ClassVar, Literal, Protocol, TypeAlias, TypeVar, cast

from catan_p2p.game.board import Points
from catan_p2p.game.cards import NO_CARDS, ONE, Cards, DevCard, covers, pack, total, unpack
from catan_p2p.game.constants import Player
from catan_p2p.game.state import NOTHING_HIDDEN, Bank, Hand, PlacedSettlements, State

T = TypeVar("T")

COST_ROAD: Cards = ONE["Lumber"] + ONE["Brick"]
COST_VILLAGE: Cards = ONE["Lumber"] + ONE["Brick"] + ONE["Wool"] + ONE["Grain"]
COST_CITY: Cards = 2 * ONE["Grain"] + 3 * ONE["Ore"]
COST_DEV_CARD: Cards = ONE["Wool"] + ONE["Grain"] + ONE["Ore"]
COSTS: tuple[Cards, ...] = (COST_ROAD, COST_VILLAGE, COST_CITY, COST_DEV_CARD)

Piece: TypeAlias = Literal["road", "village", "city"]
ReplyKind: TypeAlias = Literal["loss", "answer", "proposal", "pledge", "chance", "end", "opening"]


class Action:
    """An instance of an action: an immutable value that says who does what.

    Its fields are the specification's parameters. Its class attributes are facts about every instance, so that code
    that handles all actions need not tell them apart.
    """

    __slots__ = ()

    player: Player
    """The player who acts."""
    phases: ClassVar[Collection[str]]
    """The phases in which some rules allow it."""
    rule: ClassVar[Literal["chance", "offers_to_one", "table_talk", "leaving", "returns", "hands"] | None] = None
    """The constant of ``Rules`` that enables the action and was introduced with it; None for the original actions."""
    reply: ClassVar[ReplyKind | None] = None
    """The word for a reply in the name of its temporary branch, None if it is no reply; see ``replies``."""
    drawn: ClassVar[Literal["dice", "card"] | None] = None
    """The field that chance decides."""
    is_pass: ClassVar[bool] = False
    """Whether it does nothing but end a phase, a turn or an offer."""
    cost: ClassVar[Cards] = NO_CARDS
    """The price of a piece or a development card."""
    piece: ClassVar[Piece | None] = None
    """The kind of piece that it places after the set-up."""
    unveils: ClassVar[DevCard | None] = None
    """The development card that it plays or shows."""

    @property
    def outcome(self) -> int | str | None:
        """The outcome that chance has decided, None for an action without chance."""
        return None if self.drawn is None else getattr(self, self.drawn)

    @property
    def decision(self) -> object:
        """The action without its outcome: equal for all outcomes of chance."""
        return self if self.drawn is None else replace(cast(Any, self), **{self.drawn: None})

    def needs(self, state: State) -> Cards:
        """The resource cards that the player must hold to take the action in a state."""
        return self.cost


def unmet(*guards: bool | str) -> tuple[str, ...]:
    """The tags of the guards that do not hold; each guard is given as ``condition or tag``."""
    # Most calls find every guard fulfilled, and need no list.
    for guard in guards:
        if guard is not True and guard is not False:
            return tuple([one for one in guards if one is not True and one is not False])
    return ()


def with_seat(values: tuple[T, ...], player: Player, value: T) -> tuple[T, ...]:
    """The same values with another one for this player."""
    return (*values[: player - 1], value, *values[player:])


def with_hand(state: State, player: Player, **changes: Cards) -> tuple[Hand, ...]:
    """All hands, with changes to the player's."""
    return with_seat(state.h, player, state.h[player - 1]._replace(**changes))


def pay(state: State, player: Player, cost: Cards) -> tuple[tuple[Hand, ...], Bank]:
    """All hands and the bank after the player has paid resource cards to the bank."""
    hand = state.h[player - 1]
    bank = state.bnk
    # Built by position, since _replace of a named tuple takes longer, and paying is frequent.
    return (
        with_seat(state.h, player, Hand(hand.rc - cost, hand.bc, hand.ac, hand.uc)),
        Bank(bank.rc + cost, bank.dc),
    )


def could_pay(state: State, player: Player, cost: Cards) -> bool:
    """Whether a player can pay, as far as everybody knows: sealed cards may be of any kind."""
    hand = state.h[player - 1].rc
    if state.hid is NOTHING_HIDDEN or covers(hand, cost):
        return covers(hand, cost)
    return total(lacking(hand, cost)) <= state.hid.sealed[player - 1]


def unseen(state: State) -> Cards:
    """The resource cards that are sealed, all players together: ``Unseen`` of the specification."""
    return state.constants.rules.resource_pool - state.bnk.rc - sum(hand.rc for hand in state.h)


def sealed_by(state: State, player: Player) -> int:
    """How many resource cards a player has sealed."""
    return 0 if state.hid is NOTHING_HIDDEN else state.hid.sealed[player - 1]


def lacking(hand: Cards, cost: Cards) -> Cards:
    """The part of a cost that a hand lacks."""
    if covers(hand, cost):
        return NO_CARDS
    return pack(max(0, need - have) for have, need in zip(unpack(hand), unpack(cost), strict=True))


def with_village(s: PlacedSettlements, player: Player, at: int) -> PlacedSettlements:
    """All settlements, with a new village of the player's."""
    return PlacedSettlements(with_seat(s.villages, player, s.villages[player - 1] | 1 << at), s.cities)


def is_beside_bandit(state: State, at: int) -> bool:
    """Whether the bandit's tile touches a settlement point."""
    return bool(state.constants.board.corners[state.ba] >> at & 1)


def is_road_beside_bandit(state: State, at: int) -> bool:
    """Whether the bandit's tile touches a road point."""
    return bool(state.constants.board.edges[state.ba] >> at & 1)


def is_in(points: Points, number: int) -> bool:
    """Whether a set of points has this number."""
    return bool(points >> number & 1)


class NumberSource(Protocol):
    """A source of numbers: a ``random.Random``, or the numbers made from the shares of all players."""

    def randrange(self, stop: int, /) -> int:
        """A number from 0 to ``stop`` - 1, uniform."""

    def randint(self, first: int, last: int, /) -> int:
        """A number from ``first`` to ``last``, uniform."""
