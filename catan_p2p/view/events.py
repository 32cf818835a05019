"""What happens in a game: one event for each fact, in the thesis's words.

An action of a game gives one event or several (observe.py), and so does a line of a notation. ``Consequence`` events
and derived fields, which no file contains, report what follows by the rules: the dice yield cards, a bonus card changes
hands. Players are seats from 1, in the order of seats of the file; 0 is nobody. Settlement points, road points and
tiles are numbers of the board (docs/reference/model.md). A field is None if its value is not said, or not to everybody.
Two events are equal if they say the same, wherever they were read.
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
    """A player as a file names them: its number of the seat, the name, and the colour in lower case."""

    seat: int
    name: str
    colour: str


@dataclass(frozen=True, slots=True)
class Event:
    """An event; ``line`` and ``column`` say where it was read in a file, 0 if it was not."""

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
    """A derived field: no file contains it, for it follows from the rules and the events before."""
    return field(default=default, compare=False, repr=False, metadata={"is_worked_out": True})


def written_fields(event: Event | type[Event]) -> tuple[Field[Any], ...]:
    """The fields of an event, or of a kind of events, that files contain, in order."""
    return tuple(one for one in fields(event) if not one.metadata.get("is_worked_out"))


def as_written(event: Event) -> Event | None:
    """The event without its derived fields; None if its kind is none of the ``EVENTS``."""
    worked_out = _WORKED_OUT.get(type(event))
    if not worked_out:
        return None if worked_out is None else event
    changes = {name: value for name, value in worked_out if getattr(event, name) != value}
    return replace(event, **changes) if changes else event


@dataclass(frozen=True, slots=True)
class GameStarted(Event):
    """The first event: who plays on which map. SGN names no players; then ``players`` is empty."""

    players: tuple[Participant, ...]
    map: Map
    started: datetime | None = None
    version: str | None = None
    """The version of the program that wrote a ``.catan`` file."""
    rules: str | None = None
    """The rules that the file names: a profile, and what differs from it."""
    headers: tuple[tuple[str, str], ...] = ()
    """What else the file says about the game, such as ``Event``, ``VillageSite`` or ``VotingRound``, by name."""


@dataclass(frozen=True, slots=True)
class PlayerEvent(Event):
    """Something that a player does."""

    player: Player


@dataclass(frozen=True, slots=True)
class BanditStands(PlayerEvent):
    """Where the bandit stands before the first village; ``player`` is the one who says so."""

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
    """A development card is bought; ``card`` is None if its kind is not said."""

    card: DevCard | None
    is_sealed: bool = _worked_out(default=False)
    """Whether only the buyer can know the card."""


@dataclass(frozen=True, slots=True)
class DiceRolled(PlayerEvent):
    """The sum of the dice, and both of them if they are known."""

    dice: int
    pair: tuple[int, int] | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class BanditMoved(PlayerEvent):
    """The bandit moves to a tile and a card is stolen.

    ``victim`` is 0 for nobody and None if nobody is named; ``card`` is ``none`` if nothing was stolen and None if the
    stolen card is not named.
    """

    to: int
    victim: Player | None
    card: Resource | Literal["none"] | None
    is_sealed: bool = _worked_out(default=False)
    """Whether only robber and victim can know the card."""


@dataclass(frozen=True, slots=True)
class CardsDiscarded(PlayerEvent):
    """The cards that a player gives up after a seven: named cards, and ``unseen`` others that nobody names."""

    cards: Cards
    unseen: int = 0


@dataclass(frozen=True, slots=True)
class BankTrade(PlayerEvent):
    """Cards given to the bank for others. One event may be several trades at one rate; None if the rate is not said."""

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
    """An offer to other players, which neither ``.catan`` nor SGN contains; a ``PlayerTrade`` may follow."""

    give: Cards
    receive: Cards
    asked: tuple[Player, ...] = _worked_out(default=())
    """The players asked; empty if that is not said."""


@dataclass(frozen=True, slots=True)
class TradeAnswered(PlayerEvent):
    """A player's answer to the offer before, which neither ``.catan`` nor SGN contains."""

    accepts: bool


@dataclass(frozen=True, slots=True)
class TradeProposed(PlayerEvent):
    """A proposal of another player to the active one, which neither ``.catan`` nor SGN contains."""

    give: Cards
    receive: Cards
    to: int | None = _worked_out(default=None)
    """The active player."""
    is_instead: bool = _worked_out(default=False)
    """Whether it is a counter-offer to the standing offer."""


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
    """Two cards from the bank; None if they are not said."""

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
    """The player goes on without another one, whom all others have excused, or who is the only other player left.

    In the second case the player claims the game, and wins it.
    """

    other: Player
    ends: Literal["", "play", "signing"] = _worked_out(default="")
    """Whether that ends the play, or the signing of a game that is over."""


@dataclass(frozen=True, slots=True)
class PlayerReturned(PlayerEvent):
    """The player goes on with another one again, who was left out; half of a hand above the limit is lost."""

    other: Player


@dataclass(frozen=True, slots=True)
class GameWon(PlayerEvent):
    """The end of the game."""

    points: int | None = _worked_out(default=None)
    """The winner's points, at least; None if nobody else was left to win against."""
    hidden: int = _worked_out(default=0)
    """How many of them nobody has seen."""


# Events that no file contains


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
    """A step of which onlookers learn only that it was taken."""

    what: Declaration


@dataclass(frozen=True, slots=True)
class StartRolled(PlayerEvent):
    """A roll for who begins, and both dice if they are known."""

    dice: int
    pair: tuple[int, int] | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class DiceCalled(PlayerEvent):
    """The player calls for a roll that all players draw together; ``is_start`` if it decides who begins."""

    is_start: bool


@dataclass(frozen=True, slots=True)
class CardCalled(PlayerEvent):
    """The player pays for a development card that all players draw together."""


@dataclass(frozen=True, slots=True)
class TheftCalled(PlayerEvent):
    """The player sends the bandit to a tile, by a knight or after a seven, to steal a card that is then drawn."""

    to: int
    victim: Player
    is_knight: bool


@dataclass(frozen=True, slots=True)
class Revealed(PlayerEvent):
    """A player's part in a draw: a share of it, the sealing of the robbed hand, or a key to the card."""

    part: Literal["share", "hand", "key"]


@dataclass(frozen=True, slots=True)
class CardsSurrendered(PlayerEvent):
    """The sealed cards that a monopoly takes from the player."""

    cards: Cards


@dataclass(frozen=True, slots=True)
class ChangeSigned(PlayerEvent):
    """What a player signs about a change of the view: a vote, a proposal, its acceptance, or a request.

    A vote names the ``others`` without whom its voter would go on.
    """

    kind: Literal["vote", "propose", "accept", "request"]
    others: tuple[Player, ...] = ()


# Consequences


@dataclass(frozen=True, slots=True)
class Consequence(Event):
    """A consequence of an event for a player, by the rules."""

    player: Player


@dataclass(frozen=True, slots=True)
class CardsGained(Consequence):
    """The player gains ``cards``, and perhaps more of them, up to ``at_most``."""

    cards: Cards
    at_most: Cards


@dataclass(frozen=True, slots=True)
class CardsUnpaid(Consequence):
    """Cards that a roll yields, and that the bank cannot pay; if not ``is_certain``, it may have paid them."""

    cards: Cards
    is_certain: bool


@dataclass(frozen=True, slots=True)
class DiscardOwed(Consequence):
    """How many cards a seven costs the player, at least and at most; ``is_told`` if the discard is its own event."""

    least: int
    most: int
    is_told: bool


@dataclass(frozen=True, slots=True)
class Next(Consequence):
    """The player is next: begins the first turn, rolls for the start again, or may build between two turns."""

    what: Literal["begins", "rolls again", "may build"]


@dataclass(frozen=True, slots=True)
class BonusMoved(Consequence):
    """A bonus card has a new holder; player 0 is nobody."""

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
    PlayerReturned,
    GameWon,
)
"""Every kind of event that a file or a public view can contain."""


PLAYER_FIELDS: dict[type[Event], tuple[str, ...]] = {
    type: tuple(field.name for field in fields(type) if field.name in ("player", "victim", "other"))
    for type in EVENTS
    if type is not GameStarted
}
"""Which fields of an event hold players."""


_WORKED_OUT: dict[type[Event], tuple[tuple[str, Any], ...]] = {
    type: tuple((one.name, one.default) for one in fields(type) if one.metadata.get("is_worked_out")) for type in EVENTS
}
"""The derived fields of each kind of event, with their defaults."""


def stranger_in(event: Event, known: Container[Player]) -> Player | None:
    """The first player that an event names who is not among those known; None if all are."""
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
