"""One full value of every message, with every member, and ways to make it wrong."""

import copy
import dataclasses
from collections.abc import Iterator
from typing import Any

from catan_p2p.game.cards import ONE
from catan_p2p.lmu import messages as m
from catan_p2p.lmu.codec import Hidden, Place

SOME = 2 * ONE["Ore"] + ONE["Lumber"]
EDGE = (Place(-2, 0), Place(-1, 0))
CORNER = (Place(-2, 2), Place(-1, 2), Place(-1, 1))
CHART = m.Chart(
    (m.Field(Place(-2, 2), "fields", 2), m.Field(Place(0, 0), "desert"), m.Field(Place(-3, 3), "sea")),
    (m.Building(42, "Straße", EDGE), m.Building(42, "Stadt", CORNER)),
    (m.Harbour(EDGE, "ThreeToOne"), m.Harbour(EDGE, "Wool")),
    Place(0, 0),
)
OWN = m.PlayerState(
    42, "Würfeln", "Orange", "Princess Leia Organa", 5, SOME, 2, 2 * ONE["Knight"] + ONE["VictoryPoint"], True, False
)
OTHER = m.PlayerState(13, "Warten", "White", "Ben", 5, Hidden(7), 0, Hidden(2), False, True)

CLIENT: tuple[Any, ...] = (
    m.ClientHello("AndroidClient 1.0 (sepgroup01)", "Leia", "token"),
    m.SendChat("Help me, Obi-Wan Kenobi.\nZweite Zeile"),
    m.Introduce("Princess Leia Organa", "Orange"),
    m.Start(),
    m.Roll(),
    m.GiveUp(SOME),
    m.MoveBandit(Place(0, 1), 13),
    m.Build("Dorf", CORNER),
    m.BuyCard(),
    m.PlayKnight(Place(0, 1), 13),
    m.PlayRoadBuilding(EDGE, (Place(-2, 1), Place(-1, 0))),
    m.PlayMonopoly("Lumber"),
    m.PlayYearOfPlenty(2 * ONE["Wool"]),
    m.BankTrade(4 * ONE["Grain"], ONE["Brick"]),
    m.OfferTrade(ONE["Grain"], ONE["Brick"]),
    m.AnswerTrade(0, True),
    m.ConcludeTrade(0, 2),
    m.CancelTrade(7),
    m.EndTurn(),
)
SERVER: tuple[Any, ...] = (
    m.ServerHello("catan_p2p 0.1.0", "1.0"),
    m.Welcome(42, "token"),
    m.Reply("OK"),
    m.Failure("Farbe bereits vergeben"),
    m.Chat("Help me, Obi-Wan Kenobi.", 42),
    m.GameStarted(CHART),
    m.StatusUpdate(OWN),
    m.StatusUpdate(OTHER),
    m.Rolled(42, (3, 4)),
    m.Gained(42, SOME),
    m.Paid(42, Hidden(1)),
    m.BanditMoved(42, Place(0, 1), 13),
    m.Built(m.Building(42, "Dorf", CORNER)),
    m.CardBought(42, "Knight"),
    m.KnightPlayed(42, Place(0, 1), 13),
    m.RoadBuildingPlayed(42, EDGE, (Place(-2, 1), Place(-1, 0))),
    m.MonopolyPlayed(42, "Lumber"),
    m.YearOfPlentyPlayed(42, SOME),
    m.TradeOffered(42, 0, ONE["Grain"], ONE["Brick"]),
    m.TradeAnswered(42, 0, False),
    m.TradeConcluded(1, 2),
    m.TradeCancelled(42, 0),
    m.LongestRoad(42),
    m.LargestArmy(42),
    m.GameOver("Spieler Princess Leia Organa hat das Spiel gewonnen.", 42),
)


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The path to every member and entry of a JSON value, at any depth."""
    steps = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for step, inner in steps:
        yield (*path, step)
        yield from places(inner, (*path, step))


def changed(value: Any, path: tuple[Any, ...], new: Any) -> Any:
    """A copy of a JSON value with another value at a path."""
    result = copy.deepcopy(value)
    at = result
    for step in path[:-1]:
        at = at[step]
    at[path[-1]] = new
    return result


def without(value: Any, path: tuple[Any, ...]) -> Any:
    """A copy of a JSON value that lacks what is at a path."""
    result = copy.deepcopy(value)
    at = result
    for step in path[:-1]:
        at = at[step]
    del at[path[-1]]
    return result


def all_none(message: Any) -> Any:
    """The message without any member that may be missing."""
    empty = {f.name: None for f in dataclasses.fields(message) if f.default is None}
    return dataclasses.replace(message, **empty)
