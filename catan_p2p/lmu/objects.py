"""What messages are made of: places, cards, the map and what a viewer sees of a player, as typed values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, TypeAlias

from catan_p2p.game.cards import Cards, Resource
from catan_p2p.lmu.codec import (
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
    Hidden,
    Member,
    Place,
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

COLOUR = word(COLOUR_WORDS)
NAME = text(MAX_NAME)
DIE = whole(1, 6)
COUNT = whole(0, 635)

Edge: TypeAlias = tuple[Place, ...]

# The members that more than one message or object has: what the program calls them, and what the protocol does.
Id: TypeAlias = Annotated[int, Member("Spieler", ID)]
OwnId: TypeAlias = Annotated[int, Member("id", ID)]
Partner: TypeAlias = Annotated[int, Member("Mitspieler", ID)]
Target: TypeAlias = Annotated[int, Member("Ziel", ID)]
TradeId: TypeAlias = Annotated[int, Member("Handel id", TRADE_ID)]
Name: TypeAlias = Annotated[str, Member("Name", NAME)]
PlayerColour: TypeAlias = Annotated[Colour, Member("Farbe", COLOUR)]
At: TypeAlias = Annotated[Place, Member("Ort", PLACE)]
Spot: TypeAlias = Annotated[tuple[Place, ...], Member("Ort", SPOT)]
FirstRoad: TypeAlias = Annotated[Edge, Member("Straße 1", EDGE)]
SecondRoad: TypeAlias = Annotated[Edge, Member("Straße 2", EDGE)]
Kind: TypeAlias = Annotated[BuildingKind, Member("Typ", words(BUILDING_KINDS))]
OneResource: TypeAlias = Annotated[Resource, Member("Rohstoff", RESOURCE)]
SomeCards: TypeAlias = Annotated[Cards | Hidden, Member("Rohstoffe", SOME_RESOURCES)]
Give: TypeAlias = Annotated[Cards, Member("Angebot", RESOURCE_COUNTS)]
Receive: TypeAlias = Annotated[Cards, Member("Nachfrage", RESOURCE_COUNTS)]
Accepts: TypeAlias = Annotated[bool, Member("Annehmen", FLAG)]
Said: TypeAlias = Annotated[str, Member("Nachricht", text())]
Version: TypeAlias = Annotated[str, Member("Version", text())]
Token: TypeAlias = Annotated[str, Member("Token", text(100))]


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

    id: OwnId
    status: Annotated[Status, Member("Status", words(STATUSES))]
    colour: PlayerColour | None = None
    name: Name | None = None
    points: Annotated[int, Member("Siegpunkte", COUNT)] | None = None
    resources: SomeCards | None = None
    knights: Annotated[int, Member("Rittermacht", COUNT)] | None = None
    dev_cards: Annotated[Cards | Hidden, Member("Entwicklungskarten", SOME_DEV_CARDS)] | None = None
    has_largest_army: Annotated[bool, Member("Größte Rittermacht", FLAG)] | None = None
    has_longest_road: Annotated[bool, Member("Längste Handelsstraße", FLAG)] | None = None
