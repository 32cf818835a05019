"""Writing events as SGN 1.0, one JSON message per line."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import chain
from typing import Any

from catan_p2p.game.board import Board, Map, board_of
from catan_p2p.game.cards import ONE, Cards, count
from catan_p2p.notation.coordinates import axial_of, clockwise
from catan_p2p.notation.errors import NotExpressible
from catan_p2p.notation.lines import file_lines
from catan_p2p.notation.players import is_plain, spell_player
from catan_p2p.notation.sgn import words
from catan_p2p.view import events as e


def lines(events: Iterable[e.Event]) -> Iterator[str]:
    """The lines of an SGN file, without their ends.

    SGN has no words for these, which are left out: offers and answers, the ends of turns and of the game.
    ``NotExpressible`` for an event that it can neither express nor leave out, such as the theft of an unknown card.
    """
    stream = iter(events)
    held = list(_setup(stream))
    head = partial(_head, is_clear=_is_clear(held))
    return file_lines(chain(held, stream), "an SGN file begins with its map", head, speller)


def _setup(events: Iterator[e.Event]) -> Iterator[e.Event]:
    """The events up to the first roll of the dice."""
    for event in events:
        yield event
        if isinstance(event, e.DiceRolled):
            return


def _is_clear(setup: list[e.Event]) -> bool:
    """Whether the set-up shows who plays: all players settle, and then one settles a second time."""
    start = setup[0] if setup else None
    settled = [event.player for event in setup if isinstance(event, e.VillageBuilt)]
    return isinstance(start, e.GameStarted) and len(settled) > len({*settled}) == len(start.players)


def _head(start: e.GameStarted, *, is_clear: bool) -> Iterator[str]:
    """The map, and the players if a reader could not find them out."""
    yield from start_lines(start)
    if not is_clear or not all(map(is_plain, start.players)):
        for player in start.players:
            yield json.dumps([f"{player.seat}", "PA", spell_player(player)], separators=(",", ":"))


def start_lines(start: e.GameStarted) -> Iterator[str]:
    """The map, in one line."""
    yield _map(start.map, board_of(start.map))


def speller(start: e.GameStarted) -> Callable[[e.Event], tuple[str, ...]]:
    """A function that writes the lines of an event in a game with this start: none to three."""
    places = words.places_of(board_of(start.map))
    numbers = {number: player.seat for number, player in enumerate(start.players, 1) if player.seat != number}

    def spell(event: e.Event) -> tuple[str, ...]:
        spelling = _SPELLINGS.get(type(event))
        if spelling is None:
            raise NotExpressible(f"{event} within a game")
        return tuple(spelling(e.renumbered(event, numbers) if numbers else event, places))

    return spell


def _map(map: Map, board: Board) -> str:
    places = _checked_places(map, board)
    ordered = sorted(map.tiles, key=lambda tile: clockwise(axial_of(tile.at)))
    tiles = [
        {"tile": axial_of(tile.at), "tCode": words.TERRAIN_CODES[tile.terrain], "rNumber": tile.number}
        for tile in ordered
    ]
    by_place = {tile.at: tile for tile in map.tiles}
    # clockwise around the coast, by sea tile and then by the land beside it
    wharfs = sorted(
        map.wharfs,
        key=lambda wharf: [clockwise(axial_of(at)) for at in sorted(wharf.tiles, key=lambda at: by_place[at].is_land)],
    )
    harbours = []
    for wharf in wharfs:
        pair = tuple(sorted(board.tile_number[at] for at in wharf.tiles))
        path = json.loads(places.path_texts[board.road_tiles.index(pair)])
        harbours.append({"path": path, "hCode": words.HARBOUR_CODES[wharf.type]})
    return json.dumps(["1", "DM", {"tiles": tiles, "harbors": harbours}], separators=(",", ":"))


def _checked_places(map: Map, board: Board) -> words.SgnPlaces:
    if not words.MIN_TILES <= len(map.tiles) <= words.MAX_TILES or len(map.wharfs) < words.MIN_HARBOURS:
        raise NotExpressible(
            f"SGN maps have at least {words.MIN_TILES} tiles and {words.MIN_HARBOURS} harbors, "
            f"this one has {len(map.tiles)} and {len(map.wharfs)}"
        )
    for tile in map.tiles:
        if tile.is_land and any(at not in board.tile_number for at in tile.at.neighbours()):
            raise NotExpressible(f"the map has no sea beside the tile {list(axial_of(tile.at))}")
    return words.places_of(board)


def _resources(change: list[tuple[str, int]]) -> str:
    return "{" + ",".join(f'"{code}":{number}' for code, number in change if number) + "}"


def _change(give: Cards, receive: Cards) -> list[tuple[str, int]]:
    return [(code, count(receive, resource) - count(give, resource)) for resource, code in words.RESOURCE_CODES.items()]


def _transfer(player: int, code: str, other: int | str, change: list[tuple[str, int]]) -> str:
    opposite = [(resource, -number) for resource, number in change]
    return (
        f'["{player}","{code}",[{{"player":"{player}","resources":{_resources(change)}}},'
        f'{{"player":"{other}","resources":{_resources(opposite)}}}]]'
    )


def _bandit_moved(event: e.BanditMoved, places: words.SgnPlaces) -> Iterator[str]:
    yield f'["{event.player}","MR",{{"tile":{places.tile_texts[event.to]}}}]'
    if event.card is None:
        raise NotExpressible(f"{event}: SGN names every stolen card, but this one is unknown")
    if event.card != "none":
        if not event.victim:
            raise NotExpressible(f"{event}: SGN names every robbed player, but this one is unknown")
        yield _transfer(event.player, "ST", event.victim, _change(0, ONE[event.card]))


def _bank_trade(event: e.BankTrade, places: words.SgnPlaces) -> Iterator[str]:
    change = _change(event.give, event.receive)
    if all(number <= 0 for _, number in change):
        raise NotExpressible(f"{event}: SGN has no trade with the bank that brings nothing")
    yield _transfer(event.player, "TR", words.BANK, change)


def _player_trade(event: e.PlayerTrade, places: words.SgnPlaces) -> Iterator[str]:
    change = _change(event.give, event.receive)
    if not any(number for _, number in change):
        raise NotExpressible(f"{event}: SGN has no trade that changes nothing")
    yield _transfer(event.player, "TR", event.other, change)


def _discarded(event: e.CardsDiscarded, places: words.SgnPlaces) -> Iterator[str]:
    if event.unseen:
        raise NotExpressible(f"{event}: SGN names every discarded card, but these are unknown")
    if not event.cards:
        raise NotExpressible(f"{event}: SGN has no discard of nothing")
    yield _transfer(event.player, "TR", words.BANK, _change(event.cards, 0))


def _dev_card_bought(event: e.DevCardBought, places: words.SgnPlaces) -> Iterator[str]:
    if event.card is None:
        raise NotExpressible(f"{event}: SGN names every bought card, but this one is unknown")
    yield f'["{event.player}","BD",{{"cCode":"{words.CARD_CODES[event.card]}"}}]'


def _village(event: e.VillageBuilt, places: words.SgnPlaces) -> Iterator[str]:
    yield f'["{event.player}","BS",{{"intersection":{places.intersection_texts[event.at]}}}]'


def _city(event: e.CityBuilt, places: words.SgnPlaces) -> Iterator[str]:
    yield f'["{event.player}","BC",{{"intersection":{places.intersection_texts[event.at]}}}]'


def _road(player: int, at: int, places: words.SgnPlaces) -> str:
    return f'["{player}","BR",{{"path":{places.path_texts[at]}}}]'


def _play(player: int, code: str, *resources: str) -> str:
    named = ",".join(f'"{resource}"' for resource in resources)
    return f'["{player}","PD",{{"cCode":"{code}"' + (f',"rCodes":[{named}]' if named else "") + "}]"


def _road_building(event: e.RoadBuildingPlayed, places: words.SgnPlaces) -> Iterator[str]:
    yield _play(event.player, "RB")
    for at in (event.first, event.second):
        if at is not None:
            yield _road(event.player, at, places)


def _year_of_plenty(event: e.YearOfPlentyPlayed, places: words.SgnPlaces) -> Iterator[str]:
    if event.first is None or event.second is None:
        raise NotExpressible(f"{event}: SGN names both cards, but they are unknown")
    yield _play(event.player, "YP", words.RESOURCE_CODES[event.first], words.RESOURCE_CODES[event.second])


_SPELLINGS: dict[type[e.Event], Callable[[Any, words.SgnPlaces], Iterable[str]]] = {
    e.BanditStands: lambda event, places: (f'["{event.player}","MR",{{"tile":{places.tile_texts[event.at]}}}]',),
    e.VillageBuilt: _village,
    e.RoadBuilt: lambda event, places: (_road(event.player, event.at, places),),
    e.CityBuilt: _city,
    e.DevCardBought: _dev_card_bought,
    e.DiceRolled: lambda event, _: (f'["{event.player}","RD",{{"result":{event.dice}}}]',),
    e.BanditMoved: _bandit_moved,
    e.CardsDiscarded: _discarded,
    e.BankTrade: _bank_trade,
    e.PlayerTrade: _player_trade,
    e.TradeOffered: lambda event, _: (),
    e.TradeAnswered: lambda event, _: (),
    e.TradeProposed: lambda event, _: (),
    e.KnightPlayed: lambda event, _: (_play(event.player, "KN"),),
    e.RoadBuildingPlayed: _road_building,
    e.YearOfPlentyPlayed: _year_of_plenty,
    e.MonopolyPlayed: lambda event, _: (_play(event.player, "MO", words.RESOURCE_CODES[event.resource]),),
    e.VictoryPointPlayed: lambda event, _: (_play(event.player, "VP"),),
    e.TurnEnded: lambda event, _: (),
    e.PlayerExcused: lambda event, _: (f'["{event.player}","GO",{{"without":"{event.other}"}}]',),
    e.PlayerReturned: lambda event, _: (f'["{event.player}","CB",{{"with":"{event.other}"}}]',),
    e.GameWon: lambda event, _: (),
}
"""The messages of each event."""
