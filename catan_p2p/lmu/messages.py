"""Every message of the protocol as a typed value, after seed 002; ``message.schema.json`` says the same as a schema.

A message is a JSON object with one member, whose name is the kind of the message. ``read_message`` gives a value or
says what is wrong; ``write_message`` has one spelling for every value.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, Literal, TypeAlias

from catan_p2p.cards import Cards, DevCard, Resource
from catan_p2p.lmu.codec import (
    DEV_CARD,
    EDGE,
    FLAG,
    ID,
    PLACE,
    RESOURCE,
    RESOURCE_COUNTS,
    SOME_DEV_CARDS,
    SOME_RESOURCES,
    SPOT,
    TRADE_ID,
    Codec,
    Hidden,
    Json,
    Member,
    Place,
    Unreadable,
    many,
    record,
    text,
    whole,
    word,
    words,
)
from catan_p2p.lmu.words import BUILDING_KINDS, COLOUR_WORDS, STATUSES, TERRAIN_WORDS, WHARF_WORDS, BuildingKind, Status

MAX_NAME = 60
MAX_TILES = 400

Colour: TypeAlias = str
"""As in ``COLOUR_WORDS``: the colours of this project, which the protocol has in German."""

_COLOUR = word(COLOUR_WORDS)
_NAME = text(MAX_NAME)
_DIE = whole(1, 6)
_COUNT = whole(0, 635)

Id: TypeAlias = Annotated[int, Member("Spieler", ID)]
Partner: TypeAlias = Annotated[int, Member("Mitspieler", ID)]
TradeId: TypeAlias = Annotated[int, Member("Handel id", TRADE_ID)]
At: TypeAlias = Annotated[Place, Member("Ort", PLACE)]
Spot: TypeAlias = Annotated[tuple[Place, ...], Member("Ort", SPOT)]
Edge: TypeAlias = tuple[Place, ...]
Target: TypeAlias = Annotated[int, Member("Ziel", ID)]
Give: TypeAlias = Annotated[Cards, Member("Angebot", RESOURCE_COUNTS)]
Receive: TypeAlias = Annotated[Cards, Member("Nachfrage", RESOURCE_COUNTS)]
SomeCards: TypeAlias = Annotated[Cards | Hidden, Member("Rohstoffe", SOME_RESOURCES)]
Kind: TypeAlias = Annotated[BuildingKind, Member("Typ", words(BUILDING_KINDS))]


# Objects


@dataclass(frozen=True, slots=True)
class Field:
    """A tile; sea and desert have no number."""

    at: At
    terrain: Annotated[str, Member("Typ", word(TERRAIN_WORDS))]
    number: Annotated[int, Member("Zahl", whole(2, 12))] | None = None


@dataclass(frozen=True, slots=True)
class Building:
    """A road between two tiles, or a settlement between three."""

    owner: Annotated[int, Member("Eigentümer", ID)]
    kind: Kind
    at: Spot


@dataclass(frozen=True, slots=True)
class Harbour:
    """A wharf between two tiles."""

    at: Annotated[Edge, Member("Ort", EDGE)]
    type: Annotated[str, Member("Typ", word(WHARF_WORDS))]


@dataclass(frozen=True, slots=True)
class Chart:
    """The map, what is built on it, and the bandit."""

    fields: Annotated[tuple[Field, ...], Member("Felder", many(record(Field), 1, MAX_TILES))]
    buildings: Annotated[tuple[Building, ...], Member("Gebäude", many(record(Building), 0, MAX_TILES))]
    harbours: Annotated[tuple[Harbour, ...], Member("Häfen", many(record(Harbour), 0, MAX_TILES))]
    bandit: Annotated[Place, Member("Räuber", PLACE)]


@dataclass(frozen=True, slots=True)
class PlayerState:
    """A player as one viewer may see them; name and colour are missing until they are known."""

    id: Annotated[int, Member("id", ID)]
    status: Annotated[Status, Member("Status", words(STATUSES))]
    colour: Annotated[Colour, Member("Farbe", _COLOUR)] | None = None
    name: Annotated[str, Member("Name", _NAME)] | None = None
    points: Annotated[int, Member("Siegpunkte", _COUNT)] | None = None
    resources: SomeCards | None = None
    knights: Annotated[int, Member("Rittermacht", _COUNT)] | None = None
    dev_cards: Annotated[Cards | Hidden, Member("Entwicklungskarten", SOME_DEV_CARDS)] | None = None
    has_largest_army: Annotated[bool, Member("Größte Rittermacht", FLAG)] | None = None
    has_longest_road: Annotated[bool, Member("Längste Handelsstraße", FLAG)] | None = None


# From a client


@dataclass(frozen=True, slots=True)
class ClientHello:
    """Who the client is. Name and token bring a lost client back; that is an extension."""

    KEY: ClassVar[str] = "Hallo"
    version: Annotated[str, Member("Version", text())]
    name: Annotated[str, Member("Name", _NAME)] | None = None
    token: Annotated[str, Member("Token", text(100))] | None = None


@dataclass(frozen=True, slots=True)
class SendChat:
    """Say something to everybody."""

    KEY: ClassVar[str] = "Chatnachricht senden"
    text: Annotated[str, Member("Nachricht", text())]


@dataclass(frozen=True, slots=True)
class Introduce:
    """Choose name and colour."""

    KEY: ClassVar[str] = "Spieler"
    name: Annotated[str, Member("Name", _NAME)]
    colour: Annotated[Colour, Member("Farbe", _COLOUR)]


@dataclass(frozen=True, slots=True)
class Start:
    """Be ready to begin."""

    KEY: ClassVar[str] = "Spiel starten"


@dataclass(frozen=True, slots=True)
class Roll:
    """Roll the dice."""

    KEY: ClassVar[str] = "Würfeln"


@dataclass(frozen=True, slots=True)
class GiveUp:
    """The discard after a seven."""

    KEY: ClassVar[str] = "Karten abgeben"
    cards: Annotated[Cards, Member("Abgeben", RESOURCE_COUNTS)]


@dataclass(frozen=True, slots=True)
class MoveBandit:
    """Move the bandit after a seven, and rob."""

    KEY: ClassVar[str] = "Räuber versetzen"
    at: At
    victim: Target | None = None


@dataclass(frozen=True, slots=True)
class Build:
    """Build a road, a village or a city."""

    KEY: ClassVar[str] = "Bauen"
    kind: Kind
    at: Spot


@dataclass(frozen=True, slots=True)
class BuyCard:
    """Buy a development card."""

    KEY: ClassVar[str] = "Entwicklungskarte kaufen"


@dataclass(frozen=True, slots=True)
class PlayKnight:
    """Play a knight and move the bandit."""

    KEY: ClassVar[str] = "Ritter ausspielen"
    at: At
    victim: Target | None = None


@dataclass(frozen=True, slots=True)
class PlayRoadBuilding:
    """Play a road building card: up to two roads."""

    KEY: ClassVar[str] = "Straßenbaukarte ausspielen"
    first: Annotated[Edge, Member("Straße 1", EDGE)]
    second: Annotated[Edge, Member("Straße 2", EDGE)] | None = None


@dataclass(frozen=True, slots=True)
class PlayMonopoly:
    """Play a monopoly card."""

    KEY: ClassVar[str] = "Monopol"
    resource: Annotated[Resource, Member("Rohstoff", RESOURCE)]


@dataclass(frozen=True, slots=True)
class PlayYearOfPlenty:
    """Play a year of plenty card: two cards from the bank."""

    KEY: ClassVar[str] = "Erfindung"
    cards: Annotated[Cards, Member("Rohstoffe", RESOURCE_COUNTS)]


@dataclass(frozen=True, slots=True)
class BankTrade:
    """Trade with the bank, at wharfs or four to one."""

    KEY: ClassVar[str] = "Seehandel"
    give: Give
    receive: Receive


@dataclass(frozen=True, slots=True)
class OfferTrade:
    """Offer a trade to everybody."""

    KEY: ClassVar[str] = "Handel anbieten"
    give: Give
    receive: Receive


@dataclass(frozen=True, slots=True)
class AnswerTrade:
    """Accept or reject an offer."""

    KEY: ClassVar[str] = "Handel annehmen"
    trade: TradeId
    accepts: Annotated[bool, Member("Annehmen", FLAG)]


@dataclass(frozen=True, slots=True)
class ConcludeTrade:
    """Make the trade with one of those who accepted."""

    KEY: ClassVar[str] = "Handel abschließen"
    trade: TradeId
    partner: Partner


@dataclass(frozen=True, slots=True)
class CancelTrade:
    """Withdraw an offer, or having accepted one."""

    KEY: ClassVar[str] = "Handel abbrechen"
    trade: TradeId


@dataclass(frozen=True, slots=True)
class EndTurn:
    """End the turn, or the own special building phase."""

    KEY: ClassVar[str] = "Zug beenden"


# From the server


@dataclass(frozen=True, slots=True)
class ServerHello:
    """Who the server is, and which protocol it speaks."""

    KEY: ClassVar[str] = "Hallo"
    version: Annotated[str, Member("Version", text())]
    protocol: Annotated[str, Member("Protokoll", text())]


@dataclass(frozen=True, slots=True)
class Welcome:
    """The player's number; the token is an extension."""

    KEY: ClassVar[str] = "Willkommen"
    id: Annotated[int, Member("id", ID)]
    token: Annotated[str, Member("Token", text(100))] | None = None


@dataclass(frozen=True, slots=True)
class Reply:
    """``OK``, or why not. Its body is a bare text."""

    KEY: ClassVar[str] = "Serverantwort"
    text: str


@dataclass(frozen=True, slots=True)
class Failure:
    """An error that is not the answer to an action."""

    KEY: ClassVar[str] = "Fehler"
    text: Annotated[str, Member("Meldung", text())]


@dataclass(frozen=True, slots=True)
class Chat:
    """Without a sender it is the server's."""

    KEY: ClassVar[str] = "Chatnachricht"
    text: Annotated[str, Member("Nachricht", text())]
    sender: Annotated[int, Member("Absender", ID)] | None = None


@dataclass(frozen=True, slots=True)
class GameStarted:
    """The game begins on this map."""

    KEY: ClassVar[str] = "Spiel gestartet"
    chart: Annotated[Chart, Member("Karte", record(Chart))]


@dataclass(frozen=True, slots=True)
class StatusUpdate:
    """A player's state has changed."""

    KEY: ClassVar[str] = "Statusupdate"
    player: Annotated[PlayerState, Member("Spieler", record(PlayerState))]


@dataclass(frozen=True, slots=True)
class Rolled:
    """A roll of the dice."""

    KEY: ClassVar[str] = "Würfelwurf"
    player: Id
    dice: Annotated[tuple[int, int], Member("Wurf", many(_DIE, 2, 2))]


@dataclass(frozen=True, slots=True)
class Gained:
    """Cards that a player gets."""

    KEY: ClassVar[str] = "Ertrag"
    player: Id
    cards: SomeCards


@dataclass(frozen=True, slots=True)
class Paid:
    """Cards that a player pays or loses."""

    KEY: ClassVar[str] = "Kosten"
    player: Id
    cards: SomeCards


@dataclass(frozen=True, slots=True)
class BanditMoved:
    """The bandit was moved after a seven."""

    KEY: ClassVar[str] = "Räuber versetzt"
    player: Id
    at: At
    victim: Target | None = None


@dataclass(frozen=True, slots=True)
class Built:
    """Something was built; a city takes the place of its village."""

    KEY: ClassVar[str] = "Bauvorgang"
    building: Annotated[Building, Member("Gebäude", record(Building))]


@dataclass(frozen=True, slots=True)
class CardBought:
    """The card is None for everybody but the buyer."""

    KEY: ClassVar[str] = "Entwicklungskarte gekauft"
    player: Id
    card: Annotated[DevCard | None, Member("Entwicklungskarte", DEV_CARD)]


@dataclass(frozen=True, slots=True)
class KnightPlayed:
    """A knight was played."""

    KEY: ClassVar[str] = "Ritter ausspielen"
    player: Id
    at: At
    victim: Target | None = None


@dataclass(frozen=True, slots=True)
class RoadBuildingPlayed:
    """A road building card was played."""

    KEY: ClassVar[str] = "Straßenbaukarte ausspielen"
    player: Id
    first: Annotated[Edge, Member("Straße 1", EDGE)]
    second: Annotated[Edge, Member("Straße 2", EDGE)] | None = None


@dataclass(frozen=True, slots=True)
class MonopolyPlayed:
    """A monopoly card was played."""

    KEY: ClassVar[str] = "Monopol"
    player: Id
    resource: Annotated[Resource, Member("Rohstoff", RESOURCE)]


@dataclass(frozen=True, slots=True)
class YearOfPlentyPlayed:
    """A year of plenty card was played."""

    KEY: ClassVar[str] = "Erfindung"
    player: Id
    cards: SomeCards


@dataclass(frozen=True, slots=True)
class TradeOffered:
    """An offer, with the number by which it is called."""

    KEY: ClassVar[str] = "Handelsangebot"
    player: Id
    trade: TradeId
    give: Give
    receive: Receive


@dataclass(frozen=True, slots=True)
class TradeAnswered:
    """Somebody accepts an offer, or rejects it."""

    KEY: ClassVar[str] = "Handelsangebot angenommen"
    partner: Partner
    trade: TradeId
    accepts: Annotated[bool, Member("Annehmen", FLAG)]


@dataclass(frozen=True, slots=True)
class TradeConcluded:
    """Two players have traded."""

    KEY: ClassVar[str] = "Handel ausgeführt"
    player: Id
    partner: Partner


@dataclass(frozen=True, slots=True)
class TradeCancelled:
    """An offer was withdrawn, or that somebody accepted it."""

    KEY: ClassVar[str] = "Handelsangebot abgebrochen"
    player: Id
    trade: TradeId


@dataclass(frozen=True, slots=True)
class LongestRoad:
    """Who has the longest road now; None for nobody."""

    KEY: ClassVar[str] = "Längste Handelsstraße"
    player: Id | None = None


@dataclass(frozen=True, slots=True)
class LargestArmy:
    """Who has the largest army now."""

    KEY: ClassVar[str] = "Größte Rittermacht"
    player: Id | None = None


@dataclass(frozen=True, slots=True)
class GameOver:
    """Somebody has won."""

    KEY: ClassVar[str] = "Spiel beendet"
    text: Annotated[str, Member("Nachricht", text())]
    winner: Annotated[int, Member("Sieger", ID)]


ClientMessage: TypeAlias = (
    ClientHello
    | SendChat
    | Introduce
    | Start
    | Roll
    | GiveUp
    | MoveBandit
    | Build
    | BuyCard
    | PlayKnight
    | PlayRoadBuilding
    | PlayMonopoly
    | PlayYearOfPlenty
    | BankTrade
    | OfferTrade
    | AnswerTrade
    | ConcludeTrade
    | CancelTrade
    | EndTurn
)
ServerMessage: TypeAlias = (
    ServerHello
    | Welcome
    | Reply
    | Failure
    | Chat
    | GameStarted
    | StatusUpdate
    | Rolled
    | Gained
    | Paid
    | BanditMoved
    | Built
    | CardBought
    | KnightPlayed
    | RoadBuildingPlayed
    | MonopolyPlayed
    | YearOfPlentyPlayed
    | TradeOffered
    | TradeAnswered
    | TradeConcluded
    | TradeCancelled
    | LongestRoad
    | LargestArmy
    | GameOver
)
Message: TypeAlias = ClientMessage | ServerMessage
Side: TypeAlias = Literal["client", "server"]

MESSAGES: dict[Side, dict[str, type[Any]]] = {
    "client": {cls.KEY: cls for cls in ClientMessage.__args__},
    "server": {cls.KEY: cls for cls in ServerMessage.__args__},
}
"""By the side that sends it and its name, every message."""

_REPLY = text(4 * 1000)


def read_message(value: Json, side: Side) -> Message:
    """The message that a parsed JSON value is, as that side sends it; ``Unreadable`` says what is wrong."""
    if not isinstance(value, dict) or len(value) != 1:
        raise Unreadable("ein Objekt mit genau einer Nachricht erwartet")
    [(key, body)] = value.items()
    cls = MESSAGES[side].get(key)
    if cls is None:
        raise Unreadable(f"{key[:60]!r}: unbekannte Nachricht")
    try:
        if cls is Reply:
            return Reply(_REPLY.read(body))
        message: Message = record(cls).read(body)
    except Unreadable as error:
        raise Unreadable(f"{key}: {error}") from None
    return message


def as_json(message: Message) -> Json:
    """A message as a JSON value."""
    body = message.text if isinstance(message, Reply) else _codec(type(message)).write(message)
    return {message.KEY: body}


def write_message(message: Message) -> str:
    """The one spelling of a message: UTF-8 text in one line, without spaces."""
    return json.dumps(as_json(message), ensure_ascii=False, separators=(",", ":"))


def _codec(cls: type[Any]) -> Codec:
    return _CODECS[cls]


_CODECS: dict[type[Any], Codec] = {cls: record(cls) for side in MESSAGES.values() for cls in side.values()}
