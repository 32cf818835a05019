"""Every message that a client sends, as a typed value."""

from typing import Annotated

from catan_p2p.game.cards import Cards
from catan_p2p.lmu import objects as o
from catan_p2p.lmu.codec import RESOURCE_COUNTS, JsonMember, LmuMessage


class ClientMessage(LmuMessage):
    """A message of a client."""


class ClientHello(ClientMessage, key="Hallo"):
    """The client introduces itself. With name and token a client gets its seat back; that is an extension."""

    version: o.Version
    name: o.Name | None = None
    token: o.Token | None = None


class SendChat(ClientMessage, key="Chatnachricht senden"):
    """Say something to everybody."""

    text: o.Said


class ChooseName(ClientMessage, key="Spieler"):
    """Choose name and colour."""

    name: o.Name
    colour: o.PlayerColour


class ReadyToStart(ClientMessage, key="Spiel starten"):
    """Be ready to begin."""


class RollRequest(ClientMessage, key="Würfeln"):
    """Roll the dice."""


class GiveUp(ClientMessage, key="Karten abgeben"):
    """The discard after a seven."""

    cards: Annotated[Cards, JsonMember("Abgeben", RESOURCE_COUNTS)]


class MoveBanditRequest(ClientMessage, key="Räuber versetzen"):
    """Move the bandit after a seven, and rob."""

    at: o.At
    victim: o.Target | None = None


class BuildRequest(ClientMessage, key="Bauen"):
    """Build a road, a village or a city."""

    kind: o.Kind
    at: o.Spot


class BuyCard(ClientMessage, key="Entwicklungskarte kaufen"):
    """Buy a development card."""


class PlayKnightRequest(ClientMessage, key="Ritter ausspielen"):
    """Play a knight and move the bandit."""

    at: o.At
    victim: o.Target | None = None


class PlayRoadBuildingRequest(ClientMessage, key="Straßenbaukarte ausspielen"):
    """Play a road building card: up to two roads."""

    first: o.FirstRoad
    second: o.SecondRoad | None = None


class PlayMonopolyRequest(ClientMessage, key="Monopol"):
    """Play a monopoly card."""

    resource: o.OneResource


class PlayYearOfPlentyRequest(ClientMessage, key="Erfindung"):
    """Play a year of plenty card: two cards from the bank."""

    cards: Annotated[Cards, JsonMember("Rohstoffe", RESOURCE_COUNTS)]


class BankTradeRequest(ClientMessage, key="Seehandel"):
    """Trade with the bank, at wharfs or four to one."""

    give: o.Give
    receive: o.Receive


class OfferTradeRequest(ClientMessage, key="Handel anbieten"):
    """Offer a trade to everybody."""

    give: o.Give
    receive: o.Receive


class AnswerTradeRequest(ClientMessage, key="Handel annehmen"):
    """Accept or reject an offer."""

    trade: o.TradeId
    accepts: o.Accepts


class ConcludeTradeRequest(ClientMessage, key="Handel abschließen"):
    """Make the trade with one of those who accepted."""

    trade: o.TradeId
    partner: o.Partner


class CancelTrade(ClientMessage, key="Handel abbrechen"):
    """Withdraw an offer, or one's acceptance of another player's offer."""

    trade: o.TradeId


class EndTurn(ClientMessage, key="Zug beenden"):
    """End the turn, or one's special building phase."""
