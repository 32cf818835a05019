"""The typed parts of messages: places, cards, the map, and a player as a viewer sees them."""

from dataclasses import dataclass
from typing import Annotated, TypeAlias

from catan_p2p.game.cards import Cards, Resource
from catan_p2p.lmu import codec as c
from catan_p2p.lmu.words import BUILDING_KINDS, COLOUR_WORDS, STATUSES, TERRAIN_WORDS, WHARF_WORDS, BuildingKind, Status

MAX_NAME = 60
MAX_TILES = 400

Colour: TypeAlias = str
"""A key of ``COLOUR_WORDS``: this project's name of a colour, which the protocol names in German."""

COLOUR = c.word(COLOUR_WORDS)
NAME = c.name(MAX_NAME)
DIE = c.whole(1, 6)
COUNT = c.whole(0, 635)

Edge: TypeAlias = tuple[c.TilePlace, ...]

# The members that more than one message or object has.
Id: TypeAlias = Annotated[int, c.JsonMember("Spieler", c.ID)]
OwnId: TypeAlias = Annotated[int, c.JsonMember("id", c.ID)]
Partner: TypeAlias = Annotated[int, c.JsonMember("Mitspieler", c.ID)]
Target: TypeAlias = Annotated[int, c.JsonMember("Ziel", c.ID)]
TradeId: TypeAlias = Annotated[int, c.JsonMember("Handel id", c.TRADE_ID)]
Name: TypeAlias = Annotated[str, c.JsonMember("Name", NAME)]
PlayerColour: TypeAlias = Annotated[Colour, c.JsonMember("Farbe", COLOUR)]
At: TypeAlias = Annotated[c.TilePlace, c.JsonMember("Ort", c.PLACE)]
Spot: TypeAlias = Annotated[tuple[c.TilePlace, ...], c.JsonMember("Ort", c.SPOT)]
FirstRoad: TypeAlias = Annotated[Edge, c.JsonMember("Straße 1", c.EDGE)]
SecondRoad: TypeAlias = Annotated[Edge, c.JsonMember("Straße 2", c.EDGE)]
Kind: TypeAlias = Annotated[BuildingKind, c.JsonMember("Typ", c.words(BUILDING_KINDS))]
OneResource: TypeAlias = Annotated[Resource, c.JsonMember("Rohstoff", c.RESOURCE)]
SomeCards: TypeAlias = Annotated[Cards | c.UnknownCards, c.JsonMember("Rohstoffe", c.SOME_RESOURCES)]
Give: TypeAlias = Annotated[Cards, c.JsonMember("Angebot", c.RESOURCE_COUNTS)]
Receive: TypeAlias = Annotated[Cards, c.JsonMember("Nachfrage", c.RESOURCE_COUNTS)]
Accepts: TypeAlias = Annotated[bool, c.JsonMember("Annehmen", c.FLAG)]
Said: TypeAlias = Annotated[str, c.JsonMember("Nachricht", c.text())]
Version: TypeAlias = Annotated[str, c.JsonMember("Version", c.text())]
Token: TypeAlias = Annotated[str, c.JsonMember("Token", c.text(100))]


@dataclass(frozen=True, slots=True)
class MapField:
    """A tile; sea and desert have no number."""

    at: At
    terrain: Annotated[str, c.JsonMember("Typ", c.word(TERRAIN_WORDS))]
    number: Annotated[int, c.JsonMember("Zahl", c.whole(2, 12))] | None = None


@dataclass(frozen=True, slots=True)
class MapBuilding:
    """A road between two tiles, or a settlement between three."""

    owner: Annotated[int, c.JsonMember("Eigentümer", c.ID)]
    kind: Kind
    at: Spot


@dataclass(frozen=True, slots=True)
class Harbour:
    """A wharf between two tiles."""

    at: Annotated[Edge, c.JsonMember("Ort", c.EDGE)]
    type: Annotated[str, c.JsonMember("Typ", c.word(WHARF_WORDS))]


@dataclass(frozen=True, slots=True)
class IslandChart:
    """The map, what is built on it, and the bandit."""

    fields: Annotated[tuple[MapField, ...], c.JsonMember("Felder", c.many(c.record(MapField), 1, MAX_TILES))]
    buildings: Annotated[tuple[MapBuilding, ...], c.JsonMember("Gebäude", c.many(c.record(MapBuilding), 0, MAX_TILES))]
    harbours: Annotated[tuple[Harbour, ...], c.JsonMember("Häfen", c.many(c.record(Harbour), 0, MAX_TILES))]
    bandit: Annotated[c.TilePlace, c.JsonMember("Räuber", c.PLACE)]


@dataclass(frozen=True, slots=True)
class PlayerState:
    """A player as one viewer may see them; name and colour are omitted until they are chosen."""

    id: OwnId
    status: Annotated[Status, c.JsonMember("Status", c.words(STATUSES))]
    colour: PlayerColour | None = None
    name: Name | None = None
    points: Annotated[int, c.JsonMember("Siegpunkte", COUNT)] | None = None
    resources: SomeCards | None = None
    knights: Annotated[int, c.JsonMember("Rittermacht", COUNT)] | None = None
    dev_cards: Annotated[Cards | c.UnknownCards, c.JsonMember("Entwicklungskarten", c.SOME_DEV_CARDS)] | None = None
    has_largest_army: Annotated[bool, c.JsonMember("Größte Rittermacht", c.FLAG)] | None = None
    has_longest_road: Annotated[bool, c.JsonMember("Längste Handelsstraße", c.FLAG)] | None = None
