"""One full value of every message, with every member, and ways to make it wrong."""

import copy
import dataclasses
from collections.abc import Iterator
from typing import Any

from catan_p2p.game.cards import ONE
from catan_p2p.lmu import messages as m
from catan_p2p.lmu.codec import TilePlace, UnknownCards

SOME = 2 * ONE["Ore"] + ONE["Lumber"]
EDGE = (TilePlace(-2, 0), TilePlace(-1, 0))
CORNER = (TilePlace(-2, 2), TilePlace(-1, 2), TilePlace(-1, 1))
CHART = m.IslandChart(
    (
        m.MapField(TilePlace(-2, 2), "fields", 2),
        m.MapField(TilePlace(0, 0), "desert"),
        m.MapField(TilePlace(-3, 3), "sea"),
    ),
    (m.MapBuilding(42, "Straße", EDGE), m.MapBuilding(42, "Stadt", CORNER)),
    (m.Harbour(EDGE, "ThreeToOne"), m.Harbour(EDGE, "Wool")),
    TilePlace(0, 0),
)
OWN = m.PlayerState(
    42, "Würfeln", "Orange", "Princess Leia Organa", 5, SOME, 2, 2 * ONE["Knight"] + ONE["VictoryPoint"], True, False
)
OTHER = m.PlayerState(13, "Warten", "White", "Ben", 5, UnknownCards(7), 0, UnknownCards(2), False, True)

CLIENT: tuple[Any, ...] = (
    m.ClientHello("AndroidClient 1.0 (sepgroup01)", "Leia", "token"),
    m.SendChat("Help me, Obi-Wan Kenobi.\nZweite Zeile"),
    m.ChooseName("Princess Leia Organa", "Orange"),
    m.ReadyToStart(),
    m.RollRequest(),
    m.GiveUp(SOME),
    m.MoveBanditRequest(TilePlace(0, 1), 13),
    m.BuildRequest("Dorf", CORNER),
    m.BuyCard(),
    m.PlayKnightRequest(TilePlace(0, 1), 13),
    m.PlayRoadBuildingRequest(EDGE, (TilePlace(-2, 1), TilePlace(-1, 0))),
    m.PlayMonopolyRequest("Lumber"),
    m.PlayYearOfPlentyRequest(2 * ONE["Wool"]),
    m.BankTradeRequest(4 * ONE["Grain"], ONE["Brick"]),
    m.OfferTradeRequest(ONE["Grain"], ONE["Brick"]),
    m.AnswerTradeRequest(0, True),
    m.ConcludeTradeRequest(0, 2),
    m.CancelTrade(7),
    m.EndTurn(),
)
SERVER: tuple[Any, ...] = (
    m.ServerHello("catan_p2p 0.1.0", "1.0"),
    m.PlayerWelcome(42, "token"),
    m.RequestReply("OK"),
    m.ServerFailure("Farbe bereits vergeben"),
    m.ChatReceived("Help me, Obi-Wan Kenobi.", 42),
    m.GameStartedMessage(CHART),
    m.StatusUpdate(OWN),
    m.StatusUpdate(OTHER),
    m.DiceThrown(42, (3, 4)),
    m.CardsReceived(42, SOME),
    m.CardsPaid(42, UnknownCards(1)),
    m.BanditMovedMessage(42, TilePlace(0, 1), 13),
    m.BuildingPlaced(m.MapBuilding(42, "Dorf", CORNER)),
    m.CardBought(42, "Knight"),
    m.KnightPlayedMessage(42, TilePlace(0, 1), 13),
    m.RoadBuildingPlayedMessage(42, EDGE, (TilePlace(-2, 1), TilePlace(-1, 0))),
    m.MonopolyPlayedMessage(42, "Lumber"),
    m.YearOfPlentyPlayedMessage(42, SOME),
    m.TradeOfferedMessage(42, 0, ONE["Grain"], ONE["Brick"]),
    m.TradeAnsweredMessage(42, 0, False),
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


def _copied(value: Any, path: tuple[Any, ...]) -> tuple[Any, Any]:
    """A copy of a JSON value, and what in it has the last step of a path."""
    at = result = copy.deepcopy(value)
    for step in path[:-1]:
        at = at[step]
    return result, at


def changed(value: Any, path: tuple[Any, ...], new: Any) -> Any:
    """A copy of a JSON value with another value at a path."""
    result, at = _copied(value, path)
    at[path[-1]] = new
    return result


def without(value: Any, path: tuple[Any, ...]) -> Any:
    """A copy of a JSON value that lacks what is at a path."""
    result, at = _copied(value, path)
    del at[path[-1]]
    return result


def all_none(message: Any) -> Any:
    """The message without any member that may be missing."""
    empty = {f.name: None for f in dataclasses.fields(message) if f.default is None}
    return dataclasses.replace(message, **empty)
