"""The German words of the protocol, and what the rest of the program calls the same things."""

import unicodedata
from functools import lru_cache
from typing import Literal, TypeAlias, get_args

from catan_p2p.game.board import THREE_TO_ONE, Terrain, WharfType
from catan_p2p.game.cards import DevCard, Resource

RESOURCE_WORDS: dict[Resource, str] = {
    "Lumber": "Holz",
    "Brick": "Lehm",
    "Wool": "Wolle",
    "Grain": "Getreide",
    "Ore": "Erz",
}
DEV_CARD_WORDS: dict[DevCard, str] = {
    "Knight": "Ritter",
    "RoadBuilding": "Straßenbau",
    "Monopoly": "Monopol",
    "YearOfPlenty": "Erfindung",
    "VictoryPoint": "Siegpunkt",
}
TERRAIN_WORDS: dict[Terrain, str] = {
    "fields": "Ackerland",
    "hills": "Hügelland",
    "pasture": "Weideland",
    "forest": "Wald",
    "mountains": "Gebirge",
    "desert": "Wüste",
    "sea": "Meer",
}
WHARF_WORDS: dict[WharfType, str] = {
    THREE_TO_ONE: "Hafen",
    **{resource: f"{word} Hafen" for resource, word in RESOURCE_WORDS.items()},
}

COLOUR_WORDS: dict[str, str] = {
    "Red": "Rot",
    "Orange": "Orange",
    "Blue": "Blau",
    "White": "Weiß",
    "Green": "Grün",
    "Brown": "Braun",
}
"""The German word for each colour; games for three or four use the first four."""

BuildingKind: TypeAlias = Literal["Straße", "Dorf", "Stadt"]
BUILDING_KINDS: tuple[BuildingKind, ...] = get_args(BuildingKind)

Status: TypeAlias = Literal[
    "Spiel starten",
    "Wartet auf Spielbeginn",
    "Dorf bauen",
    "Straße bauen",
    "Würfeln",
    "Karten wegen Räuber abgeben",
    "Räuber versetzen",
    "Handeln oder Bauen",
    "Bauen",
    "Warten",
    "Verbindung verloren",
]
STATUSES: tuple[Status, ...] = get_args(Status)

_PLAIN = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "Ä": "Ae", "Ö": "Oe", "Ü": "Ue", "ß": "ss"})
_LONGEST = 80
"""Words of the protocol are shorter, in characters; longer text is not cached."""


def plain(word: str) -> str:
    """A word without umlauts, as some programs write it: ``Wuerfeln``, ``Strasse``."""
    return word.translate(_PLAIN)


@lru_cache(maxsize=4096)
def _folded(word: str) -> str:
    return plain(unicodedata.normalize("NFC", word).casefold())


def folded(word: str) -> str:
    """A key that is equal for all spellings of a word: in any case, with or without umlauts."""
    return word if len(word) > _LONGEST else _folded(word)


UNKNOWN = "Unbekannt"
PROTOCOL = "1.0"
OK = "OK"
COLOUR_TAKEN = "Farbe bereits vergeben"
"""The only error whose text the protocol prescribes."""
