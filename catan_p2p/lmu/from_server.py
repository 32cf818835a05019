"""Every message that a server sends, as a typed value."""

from typing import Annotated

from catan_p2p.game.cards import DevCard
from catan_p2p.lmu import objects as o
from catan_p2p.lmu.codec import DEV_CARD, ID, JsonMember, LmuMessage, many, record, text


class ServerMessage(LmuMessage):
    """A message of a server."""


class ServerHello(ServerMessage, key="Hallo"):
    """The server introduces itself, with the protocol that it speaks."""

    version: o.Version
    protocol: Annotated[str, JsonMember("Protokoll", text())]


class PlayerWelcome(ServerMessage, key="Willkommen"):
    """The player's number. The token, which brings a lost client back, is an extension."""

    id: o.OwnId
    token: o.Token | None = None


class RequestReply(ServerMessage, key="Serverantwort"):
    """``OK``, or why the request is refused. Its body is a bare string, not an object."""

    text: str


class ServerFailure(ServerMessage, key="Fehler"):
    """An error that is not the answer to an action."""

    text: Annotated[str, JsonMember("Meldung", text())]


class ChatReceived(ServerMessage, key="Chatnachricht"):
    """A chat message; without a sender it comes from the server."""

    text: o.Said
    sender: Annotated[int, JsonMember("Absender", ID)] | None = None


class GameStartedMessage(ServerMessage, key="Spiel gestartet"):
    """The game begins on this map."""

    chart: Annotated[o.IslandChart, JsonMember("Karte", record(o.IslandChart))]


class StatusUpdate(ServerMessage, key="Statusupdate"):
    """A player's state has changed."""

    player: Annotated[o.PlayerState, JsonMember("Spieler", record(o.PlayerState))]


class DiceThrown(ServerMessage, key="Würfelwurf"):
    """A roll of the dice."""

    player: o.Id
    dice: Annotated[tuple[int, int], JsonMember("Wurf", many(o.DIE, 2, 2))]


class CardsReceived(ServerMessage, key="Ertrag"):
    """Cards that a player gets."""

    player: o.Id
    cards: o.SomeCards


class CardsPaid(ServerMessage, key="Kosten"):
    """Cards that a player pays or loses."""

    player: o.Id
    cards: o.SomeCards


class BanditMovedMessage(ServerMessage, key="Räuber versetzt"):
    """The bandit was moved after a seven."""

    player: o.Id
    at: o.At
    victim: o.Target | None = None


class BuildingPlaced(ServerMessage, key="Bauvorgang"):
    """Something was built; a city takes the place of its village."""

    building: Annotated[o.MapBuilding, JsonMember("Gebäude", record(o.MapBuilding))]


class CardBought(ServerMessage, key="Entwicklungskarte gekauft"):
    """The card is None for everybody but the buyer."""

    player: o.Id
    card: Annotated[DevCard | None, JsonMember("Entwicklungskarte", DEV_CARD)]


class KnightPlayedMessage(ServerMessage, key="Ritter ausspielen"):
    """A knight was played."""

    player: o.Id
    at: o.At
    victim: o.Target | None = None


class RoadBuildingPlayedMessage(ServerMessage, key="Straßenbaukarte ausspielen"):
    """A road building card was played."""

    player: o.Id
    first: o.FirstRoad
    second: o.SecondRoad | None = None


class MonopolyPlayedMessage(ServerMessage, key="Monopol"):
    """A monopoly card was played."""

    player: o.Id
    resource: o.OneResource


class YearOfPlentyPlayedMessage(ServerMessage, key="Erfindung"):
    """A year of plenty card was played."""

    player: o.Id
    cards: o.SomeCards


class TradeOfferedMessage(ServerMessage, key="Handelsangebot"):
    """An offer, with the number that answers refer to."""

    player: o.Id
    trade: o.TradeId
    give: o.Give
    receive: o.Receive


class TradeAnsweredMessage(ServerMessage, key="Handelsangebot angenommen"):
    """A player accepts or rejects an offer."""

    partner: o.Partner
    trade: o.TradeId
    accepts: o.Accepts


class TradeConcluded(ServerMessage, key="Handel ausgeführt"):
    """Two players have traded."""

    player: o.Id
    partner: o.Partner


class TradeCancelled(ServerMessage, key="Handelsangebot abgebrochen"):
    """An offer, or the acceptance of one, was withdrawn."""

    player: o.Id
    trade: o.TradeId


class LongestRoad(ServerMessage, key="Längste Handelsstraße"):
    """Who has the longest road from now on; None for nobody."""

    player: o.Id | None = None


class LargestArmy(ServerMessage, key="Größte Rittermacht"):
    """Who has the largest army from now on."""

    player: o.Id | None = None


class GameOver(ServerMessage, key="Spiel beendet"):
    """The game has ended; ``winner`` is None if the server does not say who won."""

    text: o.Said
    winner: Annotated[int | None, JsonMember("Sieger", ID)]
