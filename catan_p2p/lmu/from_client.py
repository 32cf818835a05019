"""Every message that a client sends, as a typed value."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar, TypeAlias

from catan_p2p.game.cards import Cards
from catan_p2p.lmu import objects as o
from catan_p2p.lmu.codec import RESOURCE_COUNTS, Member


@dataclass(frozen=True, slots=True)
class ClientHello:
    """Who the client is. Name and token bring a lost client back; that is an extension."""

    KEY: ClassVar[str] = "Hallo"
    version: o.Version
    name: o.Name | None = None
    token: o.Token | None = None


@dataclass(frozen=True, slots=True)
class SendChat:
    """Say something to everybody."""

    KEY: ClassVar[str] = "Chatnachricht senden"
    text: o.Said


@dataclass(frozen=True, slots=True)
class Introduce:
    """Choose name and colour."""

    KEY: ClassVar[str] = "Spieler"
    name: o.Name
    colour: o.PlayerColour


@dataclass(frozen=True, slots=True)
class Start:
    """Be ready to begin."""

    KEY: ClassVar[str] = "Spiel starten"


@dataclass(frozen=True, slots=True)
class Roll:
    """Roll the dice."""

    KEY: ClassVar[str] = "Würfeln"


@dataclass(frozen=True, slots=True)
class GiveUp:
    """The discard after a seven."""

    KEY: ClassVar[str] = "Karten abgeben"
    cards: Annotated[Cards, Member("Abgeben", RESOURCE_COUNTS)]


@dataclass(frozen=True, slots=True)
class MoveBandit:
    """Move the bandit after a seven, and rob."""

    KEY: ClassVar[str] = "Räuber versetzen"
    at: o.At
    victim: o.Target | None = None


@dataclass(frozen=True, slots=True)
class Build:
    """Build a road, a village or a city."""

    KEY: ClassVar[str] = "Bauen"
    kind: o.Kind
    at: o.Spot


@dataclass(frozen=True, slots=True)
class BuyCard:
    """Buy a development card."""

    KEY: ClassVar[str] = "Entwicklungskarte kaufen"


@dataclass(frozen=True, slots=True)
class PlayKnight:
    """Play a knight and move the bandit."""

    KEY: ClassVar[str] = "Ritter ausspielen"
    at: o.At
    victim: o.Target | None = None


@dataclass(frozen=True, slots=True)
class PlayRoadBuilding:
    """Play a road building card: up to two roads."""

    KEY: ClassVar[str] = "Straßenbaukarte ausspielen"
    first: o.FirstRoad
    second: o.SecondRoad | None = None


@dataclass(frozen=True, slots=True)
class PlayMonopoly:
    """Play a monopoly card."""

    KEY: ClassVar[str] = "Monopol"
    resource: o.OneResource


@dataclass(frozen=True, slots=True)
class PlayYearOfPlenty:
    """Play a year of plenty card: two cards from the bank."""

    KEY: ClassVar[str] = "Erfindung"
    cards: Annotated[Cards, Member("Rohstoffe", RESOURCE_COUNTS)]


@dataclass(frozen=True, slots=True)
class BankTrade:
    """Trade with the bank, at wharfs or four to one."""

    KEY: ClassVar[str] = "Seehandel"
    give: o.Give
    receive: o.Receive


@dataclass(frozen=True, slots=True)
class OfferTrade:
    """Offer a trade to everybody."""

    KEY: ClassVar[str] = "Handel anbieten"
    give: o.Give
    receive: o.Receive


@dataclass(frozen=True, slots=True)
class AnswerTrade:
    """Accept or reject an offer."""

    KEY: ClassVar[str] = "Handel annehmen"
    trade: o.TradeId
    accepts: o.Accepts


@dataclass(frozen=True, slots=True)
class ConcludeTrade:
    """Make the trade with one of those who accepted."""

    KEY: ClassVar[str] = "Handel abschließen"
    trade: o.TradeId
    partner: o.Partner


@dataclass(frozen=True, slots=True)
class CancelTrade:
    """Withdraw an offer, or having accepted one."""

    KEY: ClassVar[str] = "Handel abbrechen"
    trade: o.TradeId


@dataclass(frozen=True, slots=True)
class EndTurn:
    """End the turn, or the own special building phase."""

    KEY: ClassVar[str] = "Zug beenden"


ClientMessage: TypeAlias = (
    ClientHello
    | SendChat
    | Introduce
    | Start
    | Roll
    | GiveUp
    | MoveBandit
    | Build
    | BuyCard
    | PlayKnight
    | PlayRoadBuilding
    | PlayMonopoly
    | PlayYearOfPlenty
    | BankTrade
    | OfferTrade
    | AnswerTrade
    | ConcludeTrade
    | CancelTrade
    | EndTurn
)
