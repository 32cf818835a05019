"""Writing events as a ``.catan`` file of the current version, byte for byte like the reference writer."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from catan_p2p.game.cards import RESOURCES, Cards, total, unpack
from catan_p2p.notation.catanlog.header import header_lines
from catan_p2p.notation.catanlog.words import DEUCES, RATE_WORDS, RESOURCE_WORDS
from catan_p2p.notation.coordinates import STANDARD_PLACES as PLACES
from catan_p2p.notation.errors import NotExpressible
from catan_p2p.notation.lines import file_lines
from catan_p2p.notation.players import NOBODY
from catan_p2p.view import events as e


def lines(events: Iterable[e.Event]) -> Iterator[str]:
    """The lines of a ``.catan`` file, without their ends.

    The format has no words for these, which are left out: the bandit's starting place, offers and answers, discards,
    stolen cards, kinds of bought cards. ``NotExpressible`` for an event that it can neither express nor leave out.
    """
    return file_lines(events, "a .catan file begins with its players and its board", header_lines, speller)


def speller(start: e.GameStarted) -> Callable[[e.Event], tuple[str, ...]]:
    """A function that writes the line of an event in a game with this start, if it has one."""
    colours = ("", *(player.colour for player in start.players))
    from_file = start.version is not None

    def spell(event: e.Event) -> tuple[str, ...]:
        spelling = _SPELLINGS.get(type(event))
        if spelling is None or not isinstance(event, e.PlayerEvent):
            raise NotExpressible(f"{event} within a game")
        if from_file and isinstance(event, e.TurnEnded) and event.seconds is None:
            return (f"{colours[event.player]} ends turn",)  # the file that was read had no time either
        text = spelling(event, colours)
        return () if text is None else (f"{colours[event.player]} {text}",)

    return spell


def _items(cards: Cards) -> str:
    counted = zip(RESOURCES, unpack(cards), strict=True)
    return "[" + ", ".join(f"{n} {RESOURCE_WORDS[resource]}" for resource, n in counted if n) + "]"


def _rolled(event: e.DiceRolled, colours: tuple[str, ...]) -> str:
    return f"rolls {event.dice}{DEUCES if event.dice == 2 else ''}"


def _bandit_moved(event: e.BanditMoved, colours: tuple[str, ...]) -> str:
    victim = colours[event.victim] if event.victim else NOBODY
    return f"moves robber to {PLACES.tile_ids[event.to]}, steals from {victim}"


def _bank_trade(event: e.BankTrade, colours: tuple[str, ...]) -> str:
    rate = RATE_WORDS[event.rate or _rate_of(event)]
    return f"trades {_items(event.give)} to port {rate} for {_items(event.receive)}"


def _rate_of(event: e.BankTrade) -> e.Rate:
    """The rate of a trade that does not name one."""
    given, received = total(event.give), total(event.receive)
    if received and given == 4 * received:
        return e.FOUR_TO_ONE
    if received and given == 3 * received:
        return e.THREE_TO_ONE
    kinds = [resource for resource, n in zip(RESOURCES, unpack(event.give), strict=True) if n]
    if given == 2 * received and len(kinds) == 1:
        return kinds[0]
    raise NotExpressible(f"{event} names no port, and {given} for {received} are the rate of none")


def _player_trade(event: e.PlayerTrade, colours: tuple[str, ...]) -> str:
    return f"trades {_items(event.give)} to player {colours[event.other]} for {_items(event.receive)}"


def _road_building(event: e.RoadBuildingPlayed, colours: tuple[str, ...]) -> str:
    if event.first is None:
        raise NotExpressible(f"{event}: .catan has no road builder without a road")
    first = PLACES.edge_names[event.first]
    second = first if event.second is None else PLACES.edge_names[event.second]
    return f"plays road builder, builds at {first} and {second}"


def _year_of_plenty(event: e.YearOfPlentyPlayed, colours: tuple[str, ...]) -> str:
    if event.first is None or event.second is None:
        raise NotExpressible(f"{event}: .catan names both cards, but they are unknown")
    return f"plays year of plenty, takes {RESOURCE_WORDS[event.first]} and {RESOURCE_WORDS[event.second]}"


def _nothing(event: e.Event, colours: tuple[str, ...]) -> None:
    return None


_SPELLINGS: dict[type[e.Event], Callable[[Any, tuple[str, ...]], str | None]] = {
    e.BanditStands: _nothing,
    e.VillageBuilt: lambda event, _: f"buys settlement, builds at {PLACES.node_names[event.at]}",
    e.RoadBuilt: lambda event, _: f"buys road, builds at {PLACES.edge_names[event.at]}",
    e.CityBuilt: lambda event, _: f"buys city, builds at {PLACES.node_names[event.at]}",
    e.DevCardBought: lambda event, _: "buys dev card",
    e.DiceRolled: _rolled,
    e.BanditMoved: _bandit_moved,
    e.CardsDiscarded: _nothing,
    e.BankTrade: _bank_trade,
    e.PlayerTrade: _player_trade,
    e.TradeOffered: _nothing,
    e.TradeAnswered: _nothing,
    e.TradeProposed: _nothing,
    e.KnightPlayed: lambda event, _: "plays knight",
    e.RoadBuildingPlayed: _road_building,
    e.YearOfPlentyPlayed: _year_of_plenty,
    e.MonopolyPlayed: lambda event, _: f"plays monopoly on {RESOURCE_WORDS[event.resource]}",
    e.VictoryPointPlayed: lambda event, _: "plays victory point",
    e.TurnEnded: lambda event, _: f"ends turn after {event.seconds or 0}s",
    e.PlayerExcused: lambda event, colours: f"goes on without {colours[event.other]}",
    e.PlayerReturned: lambda event, colours: f"goes on with {colours[event.other]}",
    e.GameWon: lambda event, _: "wins",
}
"""The text of a line after the player; None for an event without a line."""
