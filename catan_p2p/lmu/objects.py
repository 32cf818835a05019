"""What messages are made of: places, cards, the map and what a viewer sees of a player, as typed values."""

from dataclasses import dataclass
from typing import Annotated, TypeAlias

from catan_p2p.game.cards import Cards, Resource
from catan_p2p.lmu import codec as c
from catan_p2p.lmu.words import BUILDING_KINDS, COLOUR_WORDS, STATUSES, TERRAIN_WORDS, WHARF_WORDS, BuildingKind, Status

MAX_NAME = 60
MAX_TILES = 400

Colour: TypeAlias = str
"""As in ``COLOUR_WORDS``: the colours of this project, which the protocol has in German."""

COLOUR = c.word(COLOUR_WORDS)
NAME = c.name(MAX_NAME)
DIE = c.whole(1, 6)
COUNT = c.whole(0, 635)

Edge: TypeAlias = tuple[c.Place, ...]

# The members that more than one message or object has: what the program calls them, and what the protocol does.
Id: TypeAlias = Annotated[int, c.Member("Spieler", c.ID)]
OwnId: TypeAlias = Annotated[int, c.Member("id", c.ID)]
Partner: TypeAlias = Annotated[int, c.Member("Mitspieler", c.ID)]
Target: TypeAlias = Annotated[int, c.Member("Ziel", c.ID)]
TradeId: TypeAlias = Annotated[int, c.Member("Handel id", c.TRADE_ID)]
Name: TypeAlias = Annotated[str, c.Member("Name", NAME)]
PlayerColour: TypeAlias = Annotated[Colour, c.Member("Farbe", COLOUR)]
At: TypeAlias = Annotated[c.Place, c.Member("Ort", c.PLACE)]
Spot: TypeAlias = Annotated[tuple[c.Place, ...], c.Member("Ort", c.SPOT)]
FirstRoad: TypeAlias = Annotated[Edge, c.Member("Straße 1", c.EDGE)]
SecondRoad: TypeAlias = Annotated[Edge, c.Member("Straße 2", c.EDGE)]
Kind: TypeAlias = Annotated[BuildingKind, c.Member("Typ", c.words(BUILDING_KINDS))]
OneResource: TypeAlias = Annotated[Resource, c.Member("Rohstoff", c.RESOURCE)]
SomeCards: TypeAlias = Annotated[Cards | c.Hidden, c.Member("Rohstoffe", c.SOME_RESOURCES)]
Give: TypeAlias = Annotated[Cards, c.Member("Angebot", c.RESOURCE_COUNTS)]
Receive: TypeAlias = Annotated[Cards, c.Member("Nachfrage", c.RESOURCE_COUNTS)]
Accepts: TypeAlias = Annotated[bool, c.Member("Annehmen", c.FLAG)]
Said: TypeAlias = Annotated[str, c.Member("Nachricht", c.text())]
Version: TypeAlias = Annotated[str, c.Member("Version", c.text())]
Token: TypeAlias = Annotated[str, c.Member("Token", c.text(100))]


@dataclass(frozen=True, slots=True)
class Field:
    """A tile; sea and desert have no number."""

    at: At
    terrain: Annotated[str, c.Member("Typ", c.word(TERRAIN_WORDS))]
    number: Annotated[int, c.Member("Zahl", c.whole(2, 12))] | None = None


@dataclass(frozen=True, slots=True)
class Building:
    """A road between two tiles, or a settlement between three."""

    owner: Annotated[int, c.Member("Eigentümer", c.ID)]
    kind: Kind
    at: Spot


@dataclass(frozen=True, slots=True)
class Harbour:
    """A wharf between two tiles."""

    at: Annotated[Edge, c.Member("Ort", c.EDGE)]
    type: Annotated[str, c.Member("Typ", c.word(WHARF_WORDS))]


@dataclass(frozen=True, slots=True)
class Chart:
    """The map, what is built on it, and the bandit."""

    fields: Annotated[tuple[Field, ...], c.Member("Felder", c.many(c.record(Field), 1, MAX_TILES))]
    buildings: Annotated[tuple[Building, ...], c.Member("Gebäude", c.many(c.record(Building), 0, MAX_TILES))]
    harbours: Annotated[tuple[Harbour, ...], c.Member("Häfen", c.many(c.record(Harbour), 0, MAX_TILES))]
    bandit: Annotated[c.Place, c.Member("Räuber", c.PLACE)]


@dataclass(frozen=True, slots=True)
class PlayerState:
    """A player as one viewer may see them; name and colour are missing until they are known."""

    id: OwnId
    status: Annotated[Status, c.Member("Status", c.words(STATUSES))]
    colour: PlayerColour | None = None
    name: Name | None = None
    points: Annotated[int, c.Member("Siegpunkte", COUNT)] | None = None
    resources: SomeCards | None = None
    knights: Annotated[int, c.Member("Rittermacht", COUNT)] | None = None
    dev_cards: Annotated[Cards | c.Hidden, c.Member("Entwicklungskarten", c.SOME_DEV_CARDS)] | None = None
    has_largest_army: Annotated[bool, c.Member("Größte Rittermacht", c.FLAG)] | None = None
    has_longest_road: Annotated[bool, c.Member("Längste Handelsstraße", c.FLAG)] | None = None
