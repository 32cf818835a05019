"""Turns a client's messages into actions of the specification, or a refusal in German; and actions into messages.

A refusal reveals only what the player may know: their own cards, the board, the bank.
"""

from collections.abc import Callable
from typing import Any

from catan_p2p import actions as a
from catan_p2p.game.actions.parameters import NO_ROAD
from catan_p2p.game.actions.robbery import stealable
from catan_p2p.game.actions.wharf_trade import BankTradeAction
from catan_p2p.game.board import Board, Points, numbers
from catan_p2p.game.cards import (
    DEV_CARDS,
    ONE,
    Cards,
    covers,
    each,
    kinds,
    multiples,
)
from catan_p2p.game.constants import NO_OWNER, Player
from catan_p2p.game.rules import NotEnabled, apply, broken_guards
from catan_p2p.game.state import State
from catan_p2p.lmu import messages as m
from catan_p2p.lmu.codec import TilePlace
from catan_p2p.lmu.notifications import MessageNames
from catan_p2p.view.advance.trading import SingleTrade, rates_of, take_apart


class RequestRefused(Exception):
    """A request that cannot be granted; the message is the text for the client."""


_WHY = {
    "phase": "Das ist jetzt nicht möglich",
    "turn": "Du bist nicht am Zug",
    "cost": "Dafür fehlen dir Rohstoffe",
    "hand": "So viele Karten hast du nicht",
    "supply": "Davon hast du keine mehr",
    "second_supply": "Du hast nur noch eine Straße",
    "free": "Der Ort ist belegt",
    "second_free": "Der zweite Ort ist belegt",
    "distance": "Zu nah an einem anderen Gebäude",
    "network": "Der Ort hat keine Verbindung zu deinen Straßen",
    "second_network": "Der zweite Ort hat keine Verbindung zu deinen Straßen",
    "touch": "Die Straße muss an das eben gebaute Dorf grenzen",
    "differ": "Zweimal das Gleiche",
    "single": "Eine zweite Straße ist möglich und muss genannt werden",
    "village": "Dort steht kein Dorf von dir",
    "stock": "Die Bank hat das nicht mehr",
    "bank": "Die Bank hat das nicht mehr",
    "available": "Du hast keine solche Karte, die du jetzt ausspielen darfst",
    "limit": "Nur eine Entwicklungskarte pro Zug",
    "amount": "Das ist nicht die Hälfte deiner Karten",
    "owes": "Du musst keine Karten abgeben",
    "discards": "Erst müssen alle ihre Karten abgeben",
    "elsewhere": "Der Räuber muss versetzt werden",
    "land": "Der Räuber bleibt auf dem Land",
    "victim": "Das Ziel hat dort kein Gebäude, oder es fehlt",
    "wharf": "Diesen Hafen hast du nicht",
    "give": "Ein Angebot hat mindestens eine Karte",
    "receive": "Eine Nachfrage hat mindestens eine Karte",
}
"""The text for the client, by the second word of a broken guard's tag; of several, the first one here counts."""


def check(state: State, action: a.Action) -> None:
    """Raise ``RequestRefused`` unless the action is enabled."""
    guards = broken_guards(state, action)
    if guards:
        raise RequestRefused(refusal(guards))


def refusal(guards: tuple[str, ...]) -> str:
    """The text for a client about broken guards."""
    words = {guard.partition(" ")[2] for guard in guards}
    return next((text for word, text in _WHY.items() if word in words), "Das ist nicht erlaubt")


def action_of(state: State, names: MessageNames, player: Player, message: m.ClientMessage) -> a.Action:
    """The action that a message of ``ACTIONS`` asks for; it may not be enabled.

    ``RequestRefused`` if there is no such place, player or card.
    """
    return ACTIONS[type(message)](state, names, player, message)


def settling(state: State, player: Player, village: int, road: int) -> a.Action:
    """The set-up action that places a village and a road."""
    return (a.SetupPhaseOne if state.sup == "PhaseOne" else a.SetupPhaseTwo)(player, village, road)


def village_of_setup(state: State, names: MessageNames, player: Player, message: m.BuildRequest) -> int:
    """The settlement point of a set-up village; at least one road must be possible there."""
    at = settlement_at(names, message.at)
    roads = numbers(state.constants.board.roads_at[at])
    guards = [broken_guards(state, settling(state, player, at, road)) for road in roads]
    if all(guards):
        raise RequestRefused(refusal(guards[0]))
    return at


def _build(state: State, names: MessageNames, player: Player, message: m.BuildRequest) -> a.Action:
    """The action that builds a road, village or city and pays for it."""
    if message.kind == "Straße":
        return a.BuildRoad(player, road_at(names, message.at))
    at = settlement_at(names, message.at)
    return a.BuildVillage(player, at) if message.kind == "Dorf" else a.BuildCity(player, at)


def road_at(names: MessageNames, at: tuple[TilePlace, ...]) -> int:
    """The road point between two tiles."""
    found = names.places.road(at) if len(at) == 2 else None
    if found is None:
        raise RequestRefused("Dort gibt es keinen Platz für eine Straße")
    return found


def settlement_at(names: MessageNames, at: tuple[TilePlace, ...]) -> int:
    """The settlement point between three tiles."""
    found = names.places.settlement(at) if len(at) == 3 else None
    if found is None:
        raise RequestRefused("Dort gibt es keinen Platz für ein Dorf")
    return found


def _buy(state: State, names: MessageNames, player: Player, message: m.BuyCard) -> a.Action:
    """The purchase of a development card. The game draws the card later; here any card of the bank stands for it."""
    # A card that the bank has, since the guards look at it; with an empty bank any will do, and is refused.
    left = kinds(state.bnk.dc)
    return a.BuyDevCard(player, DEV_CARDS[left[0] if left else 0])


def _move_bandit(
    state: State, names: MessageNames, player: Player, message: m.MoveBanditRequest | m.PlayKnightRequest
) -> a.Action:
    """The bandit's move after a seven or by a knight. The game draws the stolen card later.

    The victim may be omitted if no neighbour of the tile has a card.
    """
    to = names.places.tile(message.at)
    if to is None:
        raise RequestRefused("Dieses Feld gibt es nicht")
    if message.victim is None:
        victim = _poor_neighbour(state, player, to)
    elif message.victim in names.ids:
        victim = names.ids.index(message.victim) + 1
    else:
        raise RequestRefused("Diesen Spieler gibt es nicht")
    kind = a.PlayKnight if isinstance(message, m.PlayKnightRequest) else a.MoveBandit
    return kind(player, to, victim, stealable(state, victim)[0])


def _poor_neighbour(state: State, player: Player, to: int) -> Player:
    corners = state.constants.board.corners[to]
    there = [other for other in state.constants.players if other != player and state.s.of(other) & corners]
    if there and all(not state.h[other - 1].rc for other in there):
        return there[0]
    return NO_OWNER


def _road_building(state: State, names: MessageNames, player: Player, message: m.PlayRoadBuildingRequest) -> a.Action:
    """One or two free roads."""
    second = NO_ROAD if message.second is None else road_at(names, message.second)
    return a.PlayRoadBuilding(player, road_at(names, message.first), second)


def _year_of_plenty(state: State, names: MessageNames, player: Player, message: m.PlayYearOfPlentyRequest) -> a.Action:
    """Two cards from the bank, of one kind or two."""
    wanted = [*each(message.cards)]
    if len(wanted) != 2:
        raise RequestRefused("Genau zwei Rohstoffe")
    return a.PlayYearOfPlenty(player, wanted[0], wanted[1])


ACTIONS: dict[type[m.ClientMessage], Callable[[State, MessageNames, Player, Any], a.Action]] = {
    m.RollRequest: lambda state, names, player, message: a.RollDice(player, 2),
    m.GiveUp: lambda state, names, player, message: a.Discard(player, message.cards),
    m.MoveBanditRequest: _move_bandit,
    m.BuildRequest: _build,
    m.BuyCard: _buy,
    m.PlayKnightRequest: _move_bandit,
    m.PlayRoadBuildingRequest: _road_building,
    m.PlayMonopolyRequest: lambda state, names, player, message: a.PlayMonopoly(player, message.resource),
    m.PlayYearOfPlentyRequest: _year_of_plenty,
    m.EndTurn: lambda state, names, player, message: a.EmptyBuild(player),
}
"""The action of each message that is one action. Its chance outcome is a placeholder; the game draws it later."""


def messages_of(names: MessageNames, action: Any, trade: int | None = None) -> list[m.ClientMessage]:
    """The messages that ask for an action: two for a set-up action, else one; ``trade`` is the open offer's number."""
    places = names.places
    match action:
        case a.SetupPhaseOne(_, at, road) | a.SetupPhaseTwo(_, at, road):
            return [m.BuildRequest("Dorf", places.settlements[at]), m.BuildRequest("Straße", places.roads[road])]
        case a.RollDice():
            return [m.RollRequest()]
        case a.Discard(_, cards):
            return [m.GiveUp(cards)]
        case a.MoveBandit(_, to, victim) | a.PlayKnight(_, to, victim):
            kind = m.PlayKnightRequest if isinstance(action, a.PlayKnight) else m.MoveBanditRequest
            return [kind(places.tiles[to], names.id(victim) if victim != NO_OWNER else None)]
        case a.OfferTrade(_, give, receive):
            return [m.OfferTradeRequest(give, receive)]
        case a.AnswerTrade(_, answer) if trade is not None:
            return [m.AnswerTradeRequest(trade, answer == "accept")]
        case a.ConcludeTrade(_, partner) if trade is not None:
            return [m.ConcludeTradeRequest(trade, names.id(partner))]
        case a.WithdrawTrade() if trade is not None:
            return [m.CancelTrade(trade)]
        case BankTradeAction():
            return [m.BankTradeRequest(multiples(action.give, action.rate), ONE[action.receive])]
        case a.BuildRoad(_, at):
            return [m.BuildRequest("Straße", places.roads[at])]
        case a.BuildVillage(_, at):
            return [m.BuildRequest("Dorf", places.settlements[at])]
        case a.BuildCity(_, at):
            return [m.BuildRequest("Stadt", places.settlements[at])]
        case a.BuyDevCard():
            return [m.BuyCard()]
        case a.PlayMonopoly(_, resource):
            return [m.PlayMonopolyRequest(resource)]
        case a.PlayYearOfPlenty(_, first, second):
            return [m.PlayYearOfPlentyRequest(ONE[first] + ONE[second])]
        case a.PlayRoadBuilding(_, first, second):
            return [m.PlayRoadBuildingRequest(*(places.roads[at] for at in (first, second) if at))]
        case a.EmptyBuild():
            return [m.EndTurn()]
    raise ValueError(f"{action} has no message")


def bank_trade(state: State, player: Player, message: m.BankTradeRequest) -> list[a.Action]:
    """The actions of a trade with the bank: one per received card, at the player's rates; 4:1 is always allowed."""
    give, receive = message.give, message.receive
    if not give or not receive:
        raise RequestRefused("Angebot oder Nachfrage fehlt")
    if set(kinds(give)) & set(kinds(receive)):
        raise RequestRefused("Angebot und Nachfrage haben einen Rohstoff gemeinsam")
    if not covers(state.h[player - 1].rc, give):
        raise RequestRefused(_WHY["hand"])
    if not covers(state.bnk.rc, receive):
        raise RequestRefused(_WHY["bank"])
    found = lots(state.constants.board, state.s.of(player), give, receive)
    if found is None:
        raise RequestRefused("Dieser Tausch passt zu keinem deiner Häfen")
    trades: list[a.Action] = [_TRADES[rate](player, given, received) for given, rate, received in found]
    try:
        # A dry run on the immutable state: either all lots are possible or nothing is carried out.
        for trade in trades:
            state = apply(state, trade)
    except NotEnabled as error:
        raise RequestRefused(refusal(error.guards)) from None
    return trades


_TRADES = {kind.rate: kind for kind in (a.TradeFourToOne, a.TradeThreeToOne, a.TradeTwoToOne)}


def lots(board: Board, settlements: Points, give: Cards, receive: Cards) -> list[SingleTrade] | None:
    """A bank trade split into lots of 4, 3 or 2 cards for one, as these settlements allow; None if it cannot be."""
    rates = rates_of(board, settlements, None)
    return take_apart(give, receive, {resource: numbers[::-1] for resource, numbers in rates.items()})
