"""The words of a ``.catan`` file for resources, terrains and wharfs."""

from collections.abc import Iterable

from catan_p2p.game.board import THREE_TO_ONE as WHARF_THREE_TO_ONE
from catan_p2p.game.board import YIELD, Terrain, WharfType
from catan_p2p.game.cards import Resource
from catan_p2p.view.events import FOUR_TO_ONE, THREE_TO_ONE, Rate

RESOURCE_WORDS: dict[Resource, str] = {
    "Lumber": "wood",
    "Brick": "brick",
    "Wool": "sheep",
    "Grain": "wheat",
    "Ore": "ore",
}
RESOURCE_OF: dict[str, Resource] = {word: resource for resource, word in RESOURCE_WORDS.items()}

TERRAIN_WORDS: dict[Terrain, str] = {
    "desert": "desert",
    **{terrain: RESOURCE_WORDS[resource] for terrain, resource in YIELD.items()},
}
TERRAIN_OF: dict[str, Terrain] = {word: terrain for terrain, word in TERRAIN_WORDS.items()}

_RATES: dict[str, str] = {str(resource): word for resource, word in RESOURCE_WORDS.items()}
WHARF_WORDS: dict[WharfType, str] = {WHARF_THREE_TO_ONE: THREE_TO_ONE, **_RATES}
WHARF_OF: dict[str, WharfType] = {word: type for type, word in WHARF_WORDS.items()}

RATE_WORDS: dict[Rate, str] = {FOUR_TO_ONE: FOUR_TO_ONE, THREE_TO_ONE: THREE_TO_ONE, **_RATES}
"""The word for each rate of a trade with the bank."""
RATE_OF: dict[str, Rate] = {word: rate for rate, word in RATE_WORDS.items()}

NO_NUMBER = "None"
LAST_HEADER_LINE = "...CATAN!"
DEUCES = " ...DEUCES!"


def one_of(words: Iterable[str]) -> str:
    """The words as the expectation of an error message."""
    return "one of " + ", ".join(words)
