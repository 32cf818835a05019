"""What happens in a game: one event for each fact, in the thesis's words.

An action of a game is one event or several (observe.py); so is a line of a notation. What comes of them by the rules is
told by consequences, and by fields that nobody writes down: the dice yield cards, a bonus card changes hands. Players
are seats from 1, in the order of seats of the file; 0 is nobody. Settlement points, road points and tiles are numbers
of the board (docs/reference/model.md). Where it is not said, or not for everybody, the field is None. Two events are
equal if they say the same, wherever they were read.
"""

from collections.abc import Container, Mapping
from dataclasses import Field, dataclass, field, fields, replace
from datetime import datetime
from typing import Any, Literal, NamedTuple, TypeAlias

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
                is_cards = name in ("give", "receive", "cards", "at_most") and type(value) is int
                told.append(f"{name} {describe(value) if is_cards else value}")
        who = f"player {self.player}: " if hasattr(self, "player") else ""
        return f"{who}{', '.join([type(self).__name__, *told])}"


def _worked_out(default: Any) -> Any:
    """A field that nobody writes down: it follows from the rules, and from what went before."""
    return field(default=default, compare=False, repr=False, metadata={"is_worked_out": True})


def written_fields(event: Event | type[Event]) -> tuple[Field[Any], ...]:
    """The fields of an event, or of a kind of events, that are written down, in order."""
    return tuple(one for one in fields(event) if not one.metadata.get("is_worked_out"))


def as_written(event: Event) -> Event | None:
    """The event without what nobody writes down; None if it is none of the ``EVENTS``."""
    worked_out = _WORKED_OUT.get(type(event))
    if not worked_out:
        return None if worked_out is None else event
    changes = {name: value for name, value in worked_out if getattr(event, name) != value}
    return replace(event, **changes) if changes else event


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
    """What else is told about the game, such as ``Event``, ``VillageSite`` or ``VotingRound``, by name."""


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
    is_setup: bool = _worked_out(default=False)


@dataclass(frozen=True, slots=True)
class RoadBuilt(PlayerEvent):
    """A road, in the set-up or bought."""

    at: int
    is_setup: bool = _worked_out(default=False)


@dataclass(frozen=True, slots=True)
class CityBuilt(PlayerEvent):
    """A village that becomes a city."""

    at: int


@dataclass(frozen=True, slots=True)
class DevCardBought(PlayerEvent):
    """A development card; None if nobody says which."""

    card: DevCard | None
    is_sealed: bool = _worked_out(default=False)
    """Whether only who bought it can know it."""


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
    is_sealed: bool = _worked_out(default=False)
    """Whether only robber and victim can know the card."""


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
    """An offer to other players, which neither notation tells; a ``PlayerTrade`` may come of it."""

    give: Cards
    receive: Cards
    asked: tuple[Player, ...] = _worked_out(default=())
    """Whom it is made to, none if nobody says."""


@dataclass(frozen=True, slots=True)
class TradeAnswered(PlayerEvent):
    """A player's answer to the offer before, which neither notation tells."""

    accepts: bool


@dataclass(frozen=True, slots=True)
class TradeProposed(PlayerEvent):
    """What another player proposes to the active one, which neither notation tells."""

    give: Cards
    receive: Cards
    to: int | None = _worked_out(default=None)
    """The active player."""
    is_instead: bool = _worked_out(default=False)
    """Whether it is put against an offer that stands."""


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
    ends: Literal["", "play", "signing"] = _worked_out(default="")
    """Whether that ends a game, or the signing of one that is over."""


@dataclass(frozen=True, slots=True)
class GameWon(PlayerEvent):
    """The end of the game."""

    points: int | None = _worked_out(default=None)
    """The winner's points, at least; None if nobody else was left to win against."""
    hidden: int = _worked_out(default=0)
    """How many of them nobody has seen."""


# What no file tells


Declaration: TypeAlias = Literal[
    "secrets pledged",
    "deck shuffled",
    "trading ended",
    "offer withdrawn",
    "special building ended",
    "end signed",
    "game closed",
    "cards opened",
]


@dataclass(frozen=True, slots=True)
class Declared(PlayerEvent):
    """A step that tells those who look on nothing but that it was taken."""

    what: Declaration


@dataclass(frozen=True, slots=True)
class StartRolled(PlayerEvent):
    """A roll for who begins, and both dice where they are told."""

    dice: int
    pair: tuple[int, int] | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class DiceCalled(PlayerEvent):
    """The player calls for a roll that all draw together, ``is_start`` for who begins."""

    is_start: bool


@dataclass(frozen=True, slots=True)
class CardCalled(PlayerEvent):
    """The player pays for a development card that all draw together."""


@dataclass(frozen=True, slots=True)
class TheftCalled(PlayerEvent):
    """The player sends the bandit to a tile, to steal from a player a card that is drawn; by a knight or by a seven."""

    to: int
    victim: Player
    is_knight: bool


@dataclass(frozen=True, slots=True)
class Revealed(PlayerEvent):
    """A player's part in a draw: a share of it, the hand sealed of which a card is stolen, or a key to a card."""

    part: Literal["share", "hand", "key"]


@dataclass(frozen=True, slots=True)
class CardsSurrendered(PlayerEvent):
    """What a monopoly takes of the sealed cards of a player."""

    cards: Cards


@dataclass(frozen=True, slots=True)
class VoteCast(PlayerEvent):
    """What a player says to going on without another one."""

    other: Player
    says: Literal["yes", "no"]


# What comes of it


@dataclass(frozen=True, slots=True)
class Consequence(Event):
    """What comes of an event by the rules, to a player."""

    player: Player


@dataclass(frozen=True, slots=True)
class CardsGained(Consequence):
    """Cards that the player gains: certainly these, and perhaps more."""

    cards: Cards
    at_most: Cards


@dataclass(frozen=True, slots=True)
class CardsUnpaid(Consequence):
    """Cards that a roll yields and that the bank cannot pay, or perhaps not."""

    cards: Cards
    is_certain: bool


@dataclass(frozen=True, slots=True)
class DiscardOwed(Consequence):
    """So many cards a seven costs the player, at least and at most; ``is_told`` if the discard is an event itself."""

    least: int
    most: int
    is_told: bool


@dataclass(frozen=True, slots=True)
class Next(Consequence):
    """What comes next is the player's: the first turn, another roll for the start, or building between two turns."""

    what: Literal["begins", "rolls again", "may build"]


@dataclass(frozen=True, slots=True)
class BonusMoved(Consequence):
    """A bonus card has another holder now; player 0 is nobody."""

    bonus: Literal["longest road", "largest army"]


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
"""Every kind of event that a file or a public view can tell."""


PLAYER_FIELDS: dict[type[Event], tuple[str, ...]] = {
    type: tuple(field.name for field in fields(type) if field.name in ("player", "victim", "other"))
    for type in EVENTS
    if type is not GameStarted
}
"""Which fields of an event are players."""


_WORKED_OUT: dict[type[Event], tuple[tuple[str, Any], ...]] = {
    type: tuple((one.name, one.default) for one in fields(type) if one.metadata.get("is_worked_out")) for type in EVENTS
}
"""Which fields of an event nobody writes down, and what they are without."""


def stranger_in(event: Event, known: Container[Player]) -> Player | None:
    """A player whom an event names, who does it or to whom, and who is none of those known; None if all are."""
    for name in PLAYER_FIELDS.get(type(event), ()):
        player: Player = getattr(event, name)
        if player and player not in known:
            return player
    return None


Piece: TypeAlias = Literal["road", "village", "city", "bandit"]


def put_down(event: Event) -> tuple[tuple[Piece, int], ...]:
    """The pieces that an event puts on the board, and where: on a point, a road, or a tile."""
    match event:
        case VillageBuilt(at=at):
            return (("village", at),)
        case CityBuilt(at=at):
            return (("city", at),)
        case RoadBuilt(at=at):
            return (("road", at),)
        case RoadBuildingPlayed(first=first, second=second):
            return tuple(("road", road) for road in (first, second) if road is not None)
        case BanditMoved(to=at) | BanditStands(at=at):
            return (("bandit", at),)
    return ()


def renumbered(event: Event, numbers: Mapping[Player, Player]) -> Event:
    """The same event with other numbers for its players."""
    changes = {}
    for name in PLAYER_FIELDS.get(type(event), ()):
        player = getattr(event, name)
        if player and numbers.get(player, player) != player:
            changes[name] = numbers[player]
    return replace(event, **changes) if changes else event
