"""What the parameters of actions range over, and how they are spelled in text."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Annotated, Any, Literal, TypeAlias

from catan_p2p.game import cards
from catan_p2p.game.constants import NO_OWNER, Constants
from catan_p2p.game.state import DRAWS, NO_TILE, Drawn


class ParameterError(ValueError):
    """A value that a parameter cannot have, or a text that spells no value; the message says what was expected."""


@dataclass(frozen=True, slots=True)
class Domain:
    """The values that a parameter can have in a game, and their canonical spelling."""

    what: str
    contains: Callable[[Constants, Any], bool]
    """Whether an object, of any type, is a value."""
    sample: Callable[[Constants, Random], Any]
    spell: Callable[[Any], str]
    parse: Callable[[str], Any]

    def read(self, text: str, constants: Constants) -> Any:
        """The value that a text spells; ``ParameterError`` unless it is spelled in the one canonical way."""
        try:
            value = self.parse(text)
        except (ValueError, KeyError):
            raise ParameterError(f"{text!r} is not {self.what}") from None
        if self.spell(value) != text or not self.contains(constants, value):
            raise ParameterError(f"{text!r} is not {self.what}")
        return value


def _numbers(
    what: str, last: Callable[[Constants], int], first: Callable[[Constants], int] = lambda constants: 1
) -> Domain:
    return Domain(
        what,
        contains=lambda constants, value: type(value) is int and first(constants) <= value <= last(constants),
        sample=lambda constants, rng: first(constants) + int(rng.random() * (last(constants) - first(constants) + 1)),
        spell=str,
        parse=int,
    )


def _names(what: str, names: Sequence[str]) -> Domain:
    return Domain(
        what,
        contains=lambda constants, value: isinstance(value, str) and value in names,
        sample=lambda constants, rng: names[int(rng.random() * len(names))],
        spell=str,
        parse=str,
    )


def _or_sealed(domain: Domain) -> Domain:
    """The same, and a card that only its holder sees where hands are hidden."""
    contains = domain.contains
    return replace(
        domain,
        contains=lambda constants, value: (
            contains(constants, value)
            or (isinstance(value, str) and value == "sealed" and constants.rules.hands == "hidden")
        ),
    )


def _parse_cards(text: str) -> int:
    counts = [0] * len(cards.RESOURCES)
    for part in text.split(", ") if text != "nothing" else []:
        number, name = part.split(" ")
        counts[cards.RESOURCES.index(name)] = int(number)
    return cards.pack(counts)


def _sample_cards(constants: Constants, rng: Random) -> int:
    return cards.pack(int(rng.random() * min(count + 1, 5)) for count in cards.unpack(constants.rules.resource_pool))


def _sample_offered(constants: Constants, rng: Random) -> int:
    return cards.pack(
        min(count, rng.choice((0, 0, 0, 0, 1, 2))) for count in cards.unpack(constants.rules.resource_pool)
    )


NO_ROAD = 0
"""Instead of a second road where only one can be placed."""

PLAYER = _numbers("a player", lambda constants: constants.player_count)
VICTIM = _numbers("a player or 0", lambda constants: constants.player_count, first=lambda constants: NO_OWNER)
SETTLEMENT_POINT = _numbers("a settlement point", lambda constants: constants.board.settlement_count)
ROAD_POINT = _numbers("a road point", lambda constants: constants.board.road_count)
TILE = _numbers("a tile", lambda constants: constants.board.tile_count)
DRAWN = _names("an action with an outcome of chance", DRAWS)
GOAL = _numbers("a tile or 0", lambda constants: constants.board.tile_count, first=lambda constants: NO_TILE)
SECOND_ROAD = _numbers(
    "a second road point",
    lambda constants: constants.board.road_count,
    first=lambda constants: NO_ROAD if constants.rules.road_building_needs == 1 else 1,
)
DICE = _numbers("a sum of two dice", lambda constants: 12, first=lambda constants: 2)
RESOURCE = _names("a resource", cards.RESOURCES)
STOLEN = _or_sealed(_names("a resource or none", (*cards.RESOURCES, "none")))
DEV_CARD = _or_sealed(_names("a development card", cards.DEV_CARDS))
CARDS = Domain(
    "a number of resource cards",
    contains=lambda constants, value: (
        type(value) is int and cards.is_valid(value) and cards.covers(constants.rules.resource_pool, value)
    ),
    sample=_sample_cards,
    spell=cards.describe,
    parse=_parse_cards,
)
OFFERED = replace(CARDS, sample=_sample_offered)
ANSWER = _names("an answer", ("accept", "reject"))
PILE = _names("a pile of development cards", ("held", "bought"))

Seat: TypeAlias = Annotated[int, PLAYER]
Victim: TypeAlias = Annotated[int, VICTIM]
"""A player, or 0 if nobody can be robbed."""
SettlementPoint: TypeAlias = Annotated[int, SETTLEMENT_POINT]
RoadPoint: TypeAlias = Annotated[int, ROAD_POINT]
SecondRoad: TypeAlias = Annotated[int, SECOND_ROAD]
"""A road point, or 0 for none where the rules let a single road be placed."""
TileNumber: TypeAlias = Annotated[int, TILE]
DrawnAction: TypeAlias = Annotated[Drawn, DRAWN]
Goal: TypeAlias = Annotated[int, GOAL]
"""A tile, or 0 for a draw that moves no bandit."""
DiceSum: TypeAlias = Annotated[int, DICE]
ResourceCard: TypeAlias = Annotated[cards.Resource, RESOURCE]
StolenCard: TypeAlias = Annotated[cards.Resource | Literal["none", "sealed"], STOLEN]
"""The resource card taken from the victim, or none; ``sealed`` where nobody else sees it."""
DevelopmentCard: TypeAlias = Annotated[cards.DevCard | Literal["sealed"], DEV_CARD]
"""A development card; ``sealed`` where nobody else sees it."""
ResourceCards: TypeAlias = Annotated[int, CARDS]
"""Resource cards by type, as ``cards.Cards``, no more of a type than the game has."""
OfferedCards: TypeAlias = Annotated[int, OFFERED]
"""The same, as one side of an offer."""
PileName: TypeAlias = Annotated[Literal["held", "bought"], PILE]
"""Development cards that may be played, or those bought this turn."""
Reply: TypeAlias = Annotated[Literal["accept", "reject"], ANSWER]
