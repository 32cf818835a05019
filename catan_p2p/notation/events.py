"""What happens in a game, as the notations tell it: one event for each fact, in the thesis's words.

Players are seats from 1, in the order of seats of the file; 0 is nobody. Settlement points, road points and tiles are
numbers of the board (docs/reference/model.md). Where a notation does not say something, the field is None. Two events
are equal if they say the same, wherever they were read.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from datetime import datetime
from typing import Literal, NamedTuple, TypeAlias

from catan_p2p.game.board import Map
from catan_p2p.game.cards import Cards, DevCard, Resource, describe
from catan_p2p.game.constants import Player

Rate: TypeAlias = str
"""Where a player trades with the bank: ``4:1`` (the bank itself), ``3:1``, or the resource of a two-to-one wharf."""

FOUR_TO_ONE: Rate = "4:1"
THREE_TO_ONE: Rate = "3:1"


class Participant(NamedTuple):
    """Who plays: the seat as the file numbers it, the name, and the colour in lower case."""

    seat: int
    name: str
    colour: str


@dataclass(frozen=True, slots=True)
class Event:
    """Something that a line tells; ``line`` and ``column`` say where it was read, 0 if it was not."""

    line: int = field(default=0, kw_only=True, compare=False, repr=False)
    column: int = field(default=0, kw_only=True, compare=False, repr=False)

    def __str__(self) -> str:
        """The event in a few words, such as ``player 1: DiceRolled, dice 8``."""
        told = []
        for found in fields(self):
            name, value = found.name, getattr(self, found.name)
            if found.repr and name != "player" and value is not None and value != found.default:
                is_cards = name in ("give", "receive", "cards") and type(value) is int
                told.append(f"{name} {describe(value) if is_cards else value}")
        who = f"player {self.player}: " if hasattr(self, "player") else ""
        return f"{who}{', '.join([type(self).__name__, *told])}"


@dataclass(frozen=True, slots=True)
class GameStarted(Event):
    """The first event: who plays on which map. SGN names no players, so there are none."""

    players: tuple[Participant, ...]
    map: Map
    started: datetime | None = None
    version: str | None = None
    """The version of the program that wrote a ``.catan`` file."""
    rules: str | None = None
    """The rules that the file names, as a profile with what differs from it."""
    headers: tuple[tuple[str, str], ...] = ()
    """What else is told about the game, such as ``Event``, ``Site`` or ``Round``, by name."""


@dataclass(frozen=True, slots=True)
class PlayerEvent(Event):
    """Something that a player does."""

    player: Player


@dataclass(frozen=True, slots=True)
class BanditStands(PlayerEvent):
    """Where the bandit stands before the first village; the player is whoever says so."""

    at: int


@dataclass(frozen=True, slots=True)
class VillageBuilt(PlayerEvent):
    """A village, in the set-up or bought."""

    at: int


@dataclass(frozen=True, slots=True)
class RoadBuilt(PlayerEvent):
    """A road, in the set-up or bought."""

    at: int


@dataclass(frozen=True, slots=True)
class CityBuilt(PlayerEvent):
    """A village that becomes a city."""

    at: int


@dataclass(frozen=True, slots=True)
class DevCardBought(PlayerEvent):
    """A development card; None if nobody says which."""

    card: DevCard | None


@dataclass(frozen=True, slots=True)
class DiceRolled(PlayerEvent):
    """The sum of the dice, and both of them where they are told."""

    dice: int
    pair: tuple[int, int] | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class BanditMoved(PlayerEvent):
    """The bandit moves to a tile and a card is stolen.

    ``victim`` is 0 for nobody and None if nobody is named; ``card`` is ``none`` if nothing was stolen and None if it
    is not said what.
    """

    to: int
    victim: Player | None
    card: Resource | Literal["none"] | None


@dataclass(frozen=True, slots=True)
class CardsDiscarded(PlayerEvent):
    """What a player gives up after a seven: cards that are named, and how many others nobody names."""

    cards: Cards
    unseen: int = 0


@dataclass(frozen=True, slots=True)
class BankTrade(PlayerEvent):
    """Cards given to the bank for others; one event may be several trades at one rate, None if it is not named."""

    give: Cards
    receive: Cards
    rate: Rate | None


@dataclass(frozen=True, slots=True)
class PlayerTrade(PlayerEvent):
    """Cards given to another player for others."""

    other: Player
    give: Cards
    receive: Cards


@dataclass(frozen=True, slots=True)
class TradeOffered(PlayerEvent):
    """An offer to all other players, which neither notation tells; a ``PlayerTrade`` may come of it."""

    give: Cards
    receive: Cards


@dataclass(frozen=True, slots=True)
class TradeAnswered(PlayerEvent):
    """A player's answer to the offer before, which neither notation tells."""

    accepts: bool


@dataclass(frozen=True, slots=True)
class TradeProposed(PlayerEvent):
    """What another player proposes to the active one, which neither notation tells."""

    give: Cards
    receive: Cards


@dataclass(frozen=True, slots=True)
class KnightPlayed(PlayerEvent):
    """A knight; the move of the bandit is the next event."""


@dataclass(frozen=True, slots=True)
class RoadBuildingPlayed(PlayerEvent):
    """Up to two roads that cost nothing; None where only one was built, or none."""

    first: int | None
    second: int | None


@dataclass(frozen=True, slots=True)
class YearOfPlentyPlayed(PlayerEvent):
    """Two cards from the bank; None where nobody says which."""

    first: Resource | None
    second: Resource | None


@dataclass(frozen=True, slots=True)
class MonopolyPlayed(PlayerEvent):
    """All cards of one resource from everybody else."""

    resource: Resource


@dataclass(frozen=True, slots=True)
class VictoryPointPlayed(PlayerEvent):
    """A victory point card is shown."""


@dataclass(frozen=True, slots=True)
class TurnEnded(PlayerEvent):
    """The turn, or a placement of the set-up, is over; with its length if it was measured."""

    seconds: int | None


@dataclass(frozen=True, slots=True)
class PlayerExcused(PlayerEvent):
    """The player goes on without another one, whom all others have excused or who is the only other one left.

    In the second case the player has claimed the game, and wins it.
    """

    other: Player


@dataclass(frozen=True, slots=True)
class GameWon(PlayerEvent):
    """The end of the game."""


EVENTS: tuple[type[Event], ...] = (
    GameStarted,
    BanditStands,
    VillageBuilt,
    RoadBuilt,
    CityBuilt,
    DevCardBought,
    DiceRolled,
    BanditMoved,
    CardsDiscarded,
    BankTrade,
    PlayerTrade,
    TradeOffered,
    TradeAnswered,
    TradeProposed,
    KnightPlayed,
    RoadBuildingPlayed,
    YearOfPlentyPlayed,
    MonopolyPlayed,
    VictoryPointPlayed,
    TurnEnded,
    PlayerExcused,
    GameWon,
)
"""Every kind of event."""


PLAYER_FIELDS: dict[type[Event], tuple[str, ...]] = {
    type: tuple(field.name for field in fields(type) if field.name in ("player", "victim", "other"))
    for type in PlayerEvent.__subclasses__()
}
"""Which fields of an event are players."""


def players_in(event: Event) -> Iterator[Player]:
    """The players that an event names: who does it, and to whom."""
    for name in PLAYER_FIELDS.get(type(event), ()):
        if player := getattr(event, name):
            yield player


def renumbered(event: Event, numbers: Mapping[Player, Player]) -> Event:
    """The same event with other numbers for its players."""
    changes = {}
    for name in PLAYER_FIELDS.get(type(event), ()):
        player = getattr(event, name)
        if player and numbers.get(player, player) != player:
            changes[name] = numbers[player]
    return replace(event, **changes) if changes else event
