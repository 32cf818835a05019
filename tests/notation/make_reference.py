"""Makes data/reference.catan: the events of ``samples.every_token``, printed by the reference writer itself.

Run it in an environment of its own, with the packages catan and catanlog beside this project:

    python -m venv /tmp/reference && /tmp/reference/bin/pip install catan==0.4.3 catanlog==0.10.1 -e .
    /tmp/reference/bin/python -m tests.notation.make_reference > tests/notation/data/reference.catan

Places are handed over as hexgrid's numbers, from data/coordinates.tsv, and spelled by hexgrid.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import catanlog
import hexgrid
from catan.board import HexNumber, Port, PortType, Terrain
from catan.game import Player

from catan_p2p.game.board import DEFAULT_BOARD, DEFAULT_MAP
from catan_p2p.game.cards import RESOURCES, unpack
from catan_p2p.view import events as said
from tests.notation import samples

_WORDS = dict(zip(RESOURCES, ("wood", "brick", "sheep", "wheat", "ore"), strict=True))
_TERRAINS = {"forest": "wood", "hills": "brick", "pasture": "sheep", "fields": "wheat", "mountains": "ore"}
_COORDINATES = Path(__file__).with_name("data") / "coordinates.tsv"


class _Clock:
    """Stands in for the class datetime in catanlog: time passes when it is told to."""

    time = datetime(2016, 2, 15, 22, 45)

    @classmethod
    def now(cls) -> datetime:
        return cls.time


def _hexgrid_numbers() -> dict[tuple[str, tuple[int, ...]], str]:
    """Kind and tiles of a place, as the board numbers them, to hexgrid's number."""
    numbers = {}
    for line in _COORDINATES.read_text().splitlines()[1:]:
        kind, _, number, _, hecs = line.split("\t")
        tiles = [tuple(map(int, tile.split(","))) for tile in hecs.split(" ")] if hecs else []
        numbers[kind, tuple(sorted(DEFAULT_BOARD.tile_number[tile] for tile in tiles))] = number  # type: ignore[index]
    return numbers


_NUMBERS = _hexgrid_numbers()


def _node(at: int) -> str:
    return str(hexgrid.location(hexgrid.NODE, int(_NUMBERS["node", DEFAULT_BOARD.settlement_tiles[at]], 16)))


def _edge(at: int) -> str:
    return str(hexgrid.location(hexgrid.EDGE, int(_NUMBERS["edge", DEFAULT_BOARD.road_tiles[at]], 16)))


def _tile(at: int) -> str:
    number = int(_NUMBERS["tile", (at,)], 16)
    return str(hexgrid.location(hexgrid.TILE, hexgrid.tile_id_from_coord(number)))


def _items(cards: int) -> list[tuple[int, Terrain]]:
    return [(n, Terrain(_WORDS[name])) for name, n in zip(RESOURCES, unpack(cards), strict=True) if n]


def main() -> None:
    catanlog.datetime = type("fake", (), {"datetime": _Clock})
    log = catanlog.CatanLog(auto_flush=False)
    players = [Player(who.seat, who.name, who.colour) for who in samples.participants(4)]
    nobody = type("Nobody", (), {"color": "nobody"})()
    _begin(log, players)
    before = None
    for event in samples.every_token():
        who = players[event.player - 1]  # type: ignore[attr-defined]
        if isinstance(event, said.BanditMoved):
            _robber(log, who, event, [nobody, *players], isinstance(before, said.KnightPlayed))
        elif call := _CALLS.get(type(event)):
            call(log, who, event, [nobody, *players])
        before = event
    sys.stdout.write(log.dump())


def _begin(log: Any, players: list[Any]) -> None:
    by_id = {int(_tile(number)): tile for number, tile in enumerate(DEFAULT_MAP.tiles, 1) if tile.is_land}
    terrain = [Terrain(_TERRAINS.get(by_id[i].terrain, "desert")) for i in range(1, 20)]
    numbers = [HexNumber(by_id[i].number) for i in range(1, 20)]
    log.log_game_start(players[::-1], terrain, numbers, list(_ports())[::-1])


def _ports() -> Iterator[Port]:
    for pair, type in DEFAULT_BOARD.wharf_tiles:
        word = "3:1" if type == "ThreeToOne" else _WORDS[type]  # type: ignore[index]
        place = hexgrid.location(hexgrid.EDGE, int(_NUMBERS["edge", pair], 16))
        tile, direction = place.strip("()").split(" ")
        yield Port(int(tile), direction, PortType(word))


def _end(log: Any, who: Any, event: Any, _: Any) -> None:
    _Clock.time = log._latest_timestamp + timedelta(seconds=event.seconds)
    log.log_ends_turn(who)


def _robber(log: Any, who: Any, event: Any, everybody: Any, after_knight: bool) -> None:
    move = log.log_plays_knight if after_knight else log.log_robber
    move(who, _tile(event.to), everybody[event.victim])


def _bank_trade(log: Any, who: Any, event: Any, _: Any) -> None:
    port = Port(1, "NW", PortType(_WORDS.get(event.rate, event.rate)))
    log.log_trades_with_port(who, _items(event.give), port, _items(event.receive))


_CALLS: dict[type, Callable[[Any, Any, Any, list[Any]], None]] = {
    said.VillageBuilt: lambda log, who, event, _: log.log_buys_settlement(who, _node(event.at)),
    said.CityBuilt: lambda log, who, event, _: log.log_buys_city(who, _node(event.at)),
    said.RoadBuilt: lambda log, who, event, _: log.log_buys_road(who, _edge(event.at)),
    said.DiceRolled: lambda log, who, event, _: log.log_roll(who, event.dice),
    said.DevCardBought: lambda log, who, event, _: log.log_buys_dev_card(who),
    said.BankTrade: _bank_trade,
    said.PlayerTrade: lambda log, who, event, all_: log.log_trades_with_player(
        who, _items(event.give), all_[event.other], _items(event.receive)
    ),
    said.RoadBuildingPlayed: lambda log, who, event, _: log.log_plays_road_builder(
        who, _edge(event.first), _edge(event.second or event.first)
    ),
    said.YearOfPlentyPlayed: lambda log, who, event, _: log.log_plays_year_of_plenty(
        who, Terrain(_WORDS[event.first]), Terrain(_WORDS[event.second])
    ),
    said.MonopolyPlayed: lambda log, who, event, _: log.log_plays_monopoly(who, Terrain(_WORDS[event.resource])),
    said.VictoryPointPlayed: lambda log, who, event, _: log.log_plays_victory_point(who),
    said.TurnEnded: _end,
    said.GameWon: lambda log, who, event, _: log.log_player_wins(who),
}


if __name__ == "__main__":
    main()
