"""Every message that a server sends, as a typed value."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar, TypeAlias

from catan_p2p.game.cards import DevCard
from catan_p2p.lmu import objects as o
from catan_p2p.lmu.codec import DEV_CARD, ID, Member, many, record, text


@dataclass(frozen=True, slots=True)
class ServerHello:
    """Who the server is, and which protocol it speaks."""

    KEY: ClassVar[str] = "Hallo"
    version: o.Version
    protocol: Annotated[str, Member("Protokoll", text())]


@dataclass(frozen=True, slots=True)
class Welcome:
    """The player's number; the token is an extension."""

    KEY: ClassVar[str] = "Willkommen"
    id: o.OwnId
    token: o.Token | None = None


@dataclass(frozen=True, slots=True)
class Reply:
    """``OK``, or why not. Its body is a bare text."""

    KEY: ClassVar[str] = "Serverantwort"
    text: str


@dataclass(frozen=True, slots=True)
class Failure:
    """An error that is not the answer to an action."""

    KEY: ClassVar[str] = "Fehler"
    text: Annotated[str, Member("Meldung", text())]


@dataclass(frozen=True, slots=True)
class Chat:
    """Without a sender it is the server's."""

    KEY: ClassVar[str] = "Chatnachricht"
    text: o.Said
    sender: Annotated[int, Member("Absender", ID)] | None = None


@dataclass(frozen=True, slots=True)
class GameStarted:
    """The game begins on this map."""

    KEY: ClassVar[str] = "Spiel gestartet"
    chart: Annotated[o.Chart, Member("Karte", record(o.Chart))]


@dataclass(frozen=True, slots=True)
class StatusUpdate:
    """A player's state has changed."""

    KEY: ClassVar[str] = "Statusupdate"
    player: Annotated[o.PlayerState, Member("Spieler", record(o.PlayerState))]


@dataclass(frozen=True, slots=True)
class Rolled:
    """A roll of the dice."""

    KEY: ClassVar[str] = "Würfelwurf"
    player: o.Id
    dice: Annotated[tuple[int, int], Member("Wurf", many(o.DIE, 2, 2))]


@dataclass(frozen=True, slots=True)
class Gained:
    """Cards that a player gets."""

    KEY: ClassVar[str] = "Ertrag"
    player: o.Id
    cards: o.SomeCards


@dataclass(frozen=True, slots=True)
class Paid:
    """Cards that a player pays or loses."""

    KEY: ClassVar[str] = "Kosten"
    player: o.Id
    cards: o.SomeCards


@dataclass(frozen=True, slots=True)
class BanditMoved:
    """The bandit was moved after a seven."""

    KEY: ClassVar[str] = "Räuber versetzt"
    player: o.Id
    at: o.At
    victim: o.Target | None = None


@dataclass(frozen=True, slots=True)
class Built:
    """Something was built; a city takes the place of its village."""

    KEY: ClassVar[str] = "Bauvorgang"
    building: Annotated[o.Building, Member("Gebäude", record(o.Building))]


@dataclass(frozen=True, slots=True)
class CardBought:
    """The card is None for everybody but the buyer."""

    KEY: ClassVar[str] = "Entwicklungskarte gekauft"
    player: o.Id
    card: Annotated[DevCard | None, Member("Entwicklungskarte", DEV_CARD)]


@dataclass(frozen=True, slots=True)
class KnightPlayed:
    """A knight was played."""

    KEY: ClassVar[str] = "Ritter ausspielen"
    player: o.Id
    at: o.At
    victim: o.Target | None = None


@dataclass(frozen=True, slots=True)
class RoadBuildingPlayed:
    """A road building card was played."""

    KEY: ClassVar[str] = "Straßenbaukarte ausspielen"
    player: o.Id
    first: o.FirstRoad
    second: o.SecondRoad | None = None


@dataclass(frozen=True, slots=True)
class MonopolyPlayed:
    """A monopoly card was played."""

    KEY: ClassVar[str] = "Monopol"
    player: o.Id
    resource: o.OneResource


@dataclass(frozen=True, slots=True)
class YearOfPlentyPlayed:
    """A year of plenty card was played."""

    KEY: ClassVar[str] = "Erfindung"
    player: o.Id
    cards: o.SomeCards


@dataclass(frozen=True, slots=True)
class TradeOffered:
    """An offer, with the number by which it is called."""

    KEY: ClassVar[str] = "Handelsangebot"
    player: o.Id
    trade: o.TradeId
    give: o.Give
    receive: o.Receive


@dataclass(frozen=True, slots=True)
class TradeAnswered:
    """Somebody accepts an offer, or rejects it."""

    KEY: ClassVar[str] = "Handelsangebot angenommen"
    partner: o.Partner
    trade: o.TradeId
    accepts: o.Accepts


@dataclass(frozen=True, slots=True)
class TradeConcluded:
    """Two players have traded."""

    KEY: ClassVar[str] = "Handel ausgeführt"
    player: o.Id
    partner: o.Partner


@dataclass(frozen=True, slots=True)
class TradeCancelled:
    """An offer was withdrawn, or that somebody accepted it."""

    KEY: ClassVar[str] = "Handelsangebot abgebrochen"
    player: o.Id
    trade: o.TradeId


@dataclass(frozen=True, slots=True)
class LongestRoad:
    """Who has the longest road now; None for nobody."""

    KEY: ClassVar[str] = "Längste Handelsstraße"
    player: o.Id | None = None


@dataclass(frozen=True, slots=True)
class LargestArmy:
    """Who has the largest army now."""

    KEY: ClassVar[str] = "Größte Rittermacht"
    player: o.Id | None = None


@dataclass(frozen=True, slots=True)
class GameOver:
    """Somebody has won."""

    KEY: ClassVar[str] = "Spiel beendet"
    text: o.Said
    winner: Annotated[int, Member("Sieger", ID)]


ServerMessage: TypeAlias = (
    ServerHello
    | Welcome
    | Reply
    | Failure
    | Chat
    | GameStarted
    | StatusUpdate
    | Rolled
    | Gained
    | Paid
    | BanditMoved
    | Built
    | CardBought
    | KnightPlayed
    | RoadBuildingPlayed
    | MonopolyPlayed
    | YearOfPlentyPlayed
    | TradeOffered
    | TradeAnswered
    | TradeConcluded
    | TradeCancelled
    | LongestRoad
    | LargestArmy
    | GameOver
)
