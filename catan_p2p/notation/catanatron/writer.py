"""Writing events as catanatron's JSON: the board, and the list of actions."""

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from catan_p2p.game.board import THREE_TO_ONE, board_of
from catan_p2p.game.cards import RESOURCES, Cards, total, unpack
from catan_p2p.game.constants import Player
from catan_p2p.notation.catanatron.words import CARD_WORDS, COLOURS, LONG_DIRECTIONS, RESOURCE_WORDS, cube_of, places_of
from catan_p2p.notation.coordinates import EDGE_DIRECTIONS, axial_of, is_standard_island
from catan_p2p.notation.errors import NotExpressible
from catan_p2p.notation.players import has_chosen_name, spell_player
from catan_p2p.view import events as e
from catan_p2p.view.advance.trading import take_apart

_WORDS: dict[str, str] = {str(resource): word for resource, word in RESOURCE_WORDS.items()}


def lines(events: Iterable[e.Event]) -> Iterator[str]:
    """The lines of the document, without their ends: the board, then one action per line.

    ``NotExpressible`` for what catanatron's JSON cannot express.
    """
    stream = iter(events)
    start = next(stream, None)
    if not isinstance(start, e.GameStarted):
        raise NotExpressible("catanatron's JSON begins with its board")
    if not is_standard_island(board_of(start.map)):
        raise NotExpressible("catanatron has only the standard island of 19 land tiles")
    colours = _colours(start)
    yield "{"
    yield f'"colors":{_text(colours)},'
    if [player.colour.upper() for player in start.players] != colours or any(map(has_chosen_name, start.players)):
        yield f'"players":{_text([*map(spell_player, start.players)])},'
    yield f'"tiles":{_text(list(_tiles(start)))},'
    yield '"actions":['
    spell = _EventSpeller(colours)
    held: str | None = None
    for event in stream:
        if isinstance(event, e.PlayerEvent):
            for action in spell.take(event):
                if held is not None:
                    yield f"{held},"
                held = _text(action)
    if held is not None:
        yield held
    yield f'],"winning_color":{_text(spell.winner)}}}'


def _text(value: object) -> str:
    return json.dumps(value, separators=(",", ":"))


def _colours(start: e.GameStarted) -> list[str]:
    """The players' colours; catanatron has four, and a player with another one gets a free one."""
    if not 2 <= len(start.players) <= len(COLOURS):
        raise NotExpressible(f"catanatron has 2 to {len(COLOURS)} players, this game has {len(start.players)}")
    wanted = [player.colour.upper() for player in start.players]
    free = [colour for colour in COLOURS if colour not in wanted]
    return [colour if colour in COLOURS else free.pop(0) for colour in wanted]


def _tiles(start: e.GameStarted) -> Iterator[dict[str, Any]]:
    board = board_of(start.map)
    ports = {}
    for (one, other), type in board.wharf_tiles:
        sea, land = (one, other) if other in board.land else (other, one)
        (q, r), (to_q, to_r) = (axial_of(start.map.tiles[number - 1].at) for number in (sea, land))
        way = next(name for name, step in EDGE_DIRECTIONS.items() if (q + step[0], r + step[1]) == (to_q, to_r))
        if sea in ports:
            raise NotExpressible("catanatron has one port on a tile of the sea")
        ports[sea] = LONG_DIRECTIONS[way], None if type == THREE_TO_ONE else _WORDS[type]
    for number, tile in enumerate(start.map.tiles, 1):
        told: dict[str, Any]
        if number in ports:
            direction, resource = ports[number]
            told = {"type": "PORT", "direction": direction, "resource": resource}
        elif not tile.is_land:
            told = {"type": "WATER"}
        elif tile.resource is None:
            told = {"type": "DESERT"}
        else:
            told = {"type": "RESOURCE_TILE", "resource": RESOURCE_WORDS[tile.resource], "number": tile.number}
        yield {"coordinate": cube_of(axial_of(tile.at)), "tile": told}


class _EventSpeller:
    """Writes events as actions. catanatron has no ends of turns in the set-up."""

    def __init__(self, colours: list[str]) -> None:
        self._colours = ["", *colours]
        self._setup_left = 2 * len(colours)
        self._placed: Counter[Player] = Counter()
        self.winner: str | None = None

    def take(self, event: e.PlayerEvent) -> Iterator[list[Any]]:
        """The actions of an event."""
        colour = self._colours[event.player]
        if isinstance(event, e.TurnEnded) and self._setup_left > 0:
            self._setup_left -= 1
            self._placed[event.player] += 1
            return
        if isinstance(event, e.PlayerExcused) and self._setup_left > 0:
            self._setup_left -= 2 - self._placed[event.other]
        if isinstance(event, e.GameWon):
            self.winner = colour
            return
        spelling = _SPELLINGS.get(type(event))
        if spelling is None:
            raise NotExpressible(f"{event} within a game")
        for kind, value in spelling(event, self._colours):
            yield [colour, kind, value]


def _rolled(event: e.DiceRolled, _: list[str]) -> Iterator[tuple[str, Any]]:
    # if only the sum is known, write the most uneven pair
    pair = event.pair or (max(1, event.dice - 6), min(6, event.dice - 1))
    yield "ROLL", list(pair)


def _moved(event: e.BanditMoved, colours: list[str]) -> Iterator[tuple[str, Any]]:
    at = next(list(cube) for cube, tile in places_of().tiles.items() if tile == event.to)
    if not event.victim or event.card == "none":
        yield "MOVE_ROBBER", [at, None, None]
        return
    if event.card is None:
        raise NotExpressible("catanatron names every stolen card, but this one is unknown")
    yield "MOVE_ROBBER", [at, colours[event.victim], RESOURCE_WORDS[event.card]]


def _listed(cards: Cards) -> list[str]:
    return [RESOURCE_WORDS[resource] for resource, n in zip(RESOURCES, unpack(cards), strict=True) for _ in range(n)]


def _discarded(event: e.CardsDiscarded, _: list[str]) -> Iterator[tuple[str, Any]]:
    if event.unseen:
        raise NotExpressible("catanatron names every discarded card, but these are unknown")
    yield "DISCARD", _listed(event.cards)


def _bank(event: e.BankTrade, _: list[str]) -> Iterator[tuple[str, Any]]:
    singles = take_apart(event.give, event.receive, dict.fromkeys(RESOURCES, (2, 3, 4)))
    if singles is None:
        raise NotExpressible(f"{event}: no trades at a rate of two, three or four")
    for single in singles:
        given: list[str | None] = [RESOURCE_WORDS[single.give]] * single.cards
        yield "MARITIME_TRADE", [*given, *[None] * (4 - single.cards), RESOURCE_WORDS[single.receive]]


def _bought(event: e.DevCardBought, _: list[str]) -> Iterator[tuple[str, Any]]:
    if event.card is None:
        raise NotExpressible("catanatron names every bought card, but this one is unknown")
    yield "BUY_DEVELOPMENT_CARD", CARD_WORDS[event.card]


def _traded(event: e.PlayerTrade, colours: list[str]) -> Iterator[tuple[str, Any]]:
    if total(event.give) == 0 or total(event.receive) == 0:
        raise NotExpressible(f"{event}: a trade in which somebody gives nothing")
    yield "CONFIRM_TRADE", [*unpack(event.give), *unpack(event.receive), colours[event.other]]


def _roads(event: e.RoadBuildingPlayed, _: list[str]) -> Iterator[tuple[str, Any]]:
    yield "PLAY_ROAD_BUILDING", None
    for at in (event.first, event.second):
        if at is not None:
            yield "BUILD_ROAD", list(places_of().edge_of[at])


def _one(name: str, value: Callable[[Any], Any]) -> Callable[[Any, list[str]], Iterator[tuple[str, Any]]]:
    return lambda event, _: iter([(name, value(event))])


_SPELLINGS: dict[type[e.PlayerEvent], Callable[[Any, list[str]], Iterator[tuple[str, Any]]]] = {
    e.BanditStands: lambda event, _: iter(()),
    e.VillageBuilt: _one("BUILD_SETTLEMENT", lambda event: places_of().node_of[event.at]),
    e.RoadBuilt: _one("BUILD_ROAD", lambda event: list(places_of().edge_of[event.at])),
    e.CityBuilt: _one("BUILD_CITY", lambda event: places_of().node_of[event.at]),
    e.DevCardBought: _bought,
    e.DiceRolled: _rolled,
    e.BanditMoved: _moved,
    e.CardsDiscarded: _discarded,
    e.BankTrade: _bank,
    e.PlayerTrade: _traded,
    e.TradeOffered: lambda event, _: iter(()),
    e.TradeAnswered: lambda event, _: iter(()),
    e.TradeProposed: lambda event, _: iter(()),
    e.KnightPlayed: _one("PLAY_KNIGHT_CARD", lambda event: None),
    e.RoadBuildingPlayed: _roads,
    e.YearOfPlentyPlayed: _one(
        "PLAY_YEAR_OF_PLENTY", lambda event: [RESOURCE_WORDS[event.first], RESOURCE_WORDS[event.second]]
    ),
    e.MonopolyPlayed: _one("PLAY_MONOPOLY", lambda event: RESOURCE_WORDS[event.resource]),
    e.VictoryPointPlayed: lambda event, _: iter(()),
    e.TurnEnded: _one("END_TURN", lambda event: None),
    e.PlayerExcused: lambda event, colours: iter([("GO_ON_WITHOUT", colours[event.other])]),
    e.PlayerReturned: lambda event, colours: iter([("GO_ON_WITH", colours[event.other])]),
}
