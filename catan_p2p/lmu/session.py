"""A running game behind the protocol: what each message of a player does, and whose move it is.

The protocol and the specification differ in three places. A set-up action is two messages. The protocol has several
offers at a time and the game one, so offers stay in the session until one is concluded. In games for five and six, all
are asked for special building, even those who can pay for nothing, because that would reveal their hands.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from catan_p2p import actions as a
from catan_p2p.game.actions.parts import with_village
from catan_p2p.game.actions.replies import owes_reply
from catan_p2p.game.cards import covers, kinds
from catan_p2p.game.constants import Player
from catan_p2p.game.state import State
from catan_p2p.lmu import messages as m
from catan_p2p.lmu import requests
from catan_p2p.lmu.game import TableGame
from catan_p2p.lmu.notifications import MessageNames, Notification, bank_trade, settlement, tell
from catan_p2p.lmu.requests import RequestRefused
from catan_p2p.lmu.words import Status

MAX_OFFERS = 20
"""The most offers in one turn."""


@dataclass(slots=True)
class OpenOffer:
    """An offer of the active player, and the answers so far: True to accept."""

    id: int
    player: Player
    give: int
    receive: int
    answers: dict[Player, bool] = field(default_factory=dict)


class GameSession:
    """A game from its first roll to its end; ``take`` carries out a player's request."""

    def __init__(self, game: TableGame, names: MessageNames) -> None:
        self.game = game
        self.names = names
        self.village = 0
        """In the set-up, the village that still needs its road; 0 for none."""
        self.special: list[Player] = []
        """In games for five and six, the players who may still build before the next turn; the first one may now."""
        self.offers: dict[int, OpenOffer] = {}
        self._next_offer = 1
        self.offers_made = 0
        """The number of offers in this turn."""

    @property
    def state(self) -> State:
        """The state of the game, with the village that needs a road."""
        state = self.game.state
        if self.village:
            return state._replace(s=with_village(state.s, state.su_ap, self.village))
        return state

    def state_for(self, player: Player) -> State:
        """The state in which ``player`` decides: in special building their own phase, even if the game skips it."""
        state = self.game.state
        if self.special and not self._is_special_builder(player):
            return state._replace(tp="SpecialBuilding", sb=player)
        return state

    @property
    def is_over(self) -> bool:
        """Whether the game is over and all may know it, which is not before special building has ended."""
        return self.game.state.is_over and not self.special

    def status(self, player: Player) -> Status:
        """The protocol's status of a player: what the game waits for from them."""
        state = self.game.state
        if self.special:
            return "Bauen" if self.special[0] == player else "Warten"
        if state.is_over:
            return "Warten"
        if state.tp == "bot":
            building: Status = "Straße bauen" if self.village else "Dorf bauen"
            return building if state.su_ap == player else "Warten"
        if state.tp == "Discarding":
            if owes_reply(state, player):
                return "Karten wegen Räuber abgeben"
            if any(owes_reply(state, other) for other in state.constants.players):
                return "Warten"
        return _STATUS[state.tp] if state.ap == player else "Warten"

    def begin(self) -> list[Notification]:
        """Roll for the start, which the server does for all players; returns the messages."""
        told: list[Notification] = []
        while self.game.state.sup == "Rolling":
            told += self._do(a.RollForStart(self.game.state.su_ap, 2))
        return told

    def take(self, player: Player, message: m.ClientMessage) -> list[Notification]:
        """Carry out a player's request; returns the messages. After ``RequestRefused`` nothing has changed."""
        taker = _TAKERS.get(type(message))
        if taker is None:
            raise RequestRefused("Das Spiel läuft schon")
        if self.is_over:
            raise RequestRefused("Das Spiel ist beendet")
        if self.special and not isinstance(message, m.BuildRequest | m.BuyCard | m.EndTurn):
            raise RequestRefused("Das ist jetzt nicht möglich")
        if self.special and player != self.special[0]:
            raise RequestRefused("Du bist nicht am Zug")
        if self.special and not isinstance(message, m.EndTurn) and not self._is_special_builder(player):
            raise RequestRefused(
                "Dafür fehlen dir Rohstoffe"
            )  # the game has skipped their phase: they cannot pay for anything
        return taker(self, player, message)

    def _do(self, action: a.Action) -> list[Notification]:
        requests.check(self.game.state, action)
        return tell(self.names, *self.game.carry_out(action))

    # Turn

    def _act(self, player: Player, message: m.ClientMessage) -> list[Notification]:
        return self._do(requests.action_of(self.game.state, self.names, player, message))

    def _end_turn(self, player: Player, message: m.EndTurn) -> list[Notification]:
        if self.special:
            if self._is_special_builder(player):
                self._act(player, message)
            del self.special[0]
            return []
        self._act(player, message)
        self.offers.clear()
        self.offers_made = 0
        state = self.game.state
        if state.constants.rules.special_building and not (state.is_over and state.ap == player):
            n = state.constants.player_count
            self.special = [(player + i) % n + 1 for i in range(n - 1)]
        return []

    def _is_special_builder(self, player: Player) -> bool:
        return self.game.state.tp == "SpecialBuilding" and self.game.state.sb == player

    # Building

    def _build(self, player: Player, message: m.BuildRequest) -> list[Notification]:
        state = self.game.state
        if state.tp != "bot":
            return self._act(player, message)
        if state.su_ap != player:
            raise RequestRefused("Du bist nicht am Zug")
        if message.kind == "Dorf" and not self.village:
            self.village = requests.village_of_setup(state, self.names, player, message)
            return [Notification(m.BuildingPlaced(settlement(self.names, player, "Dorf", self.village)))]
        if message.kind == "Straße" and self.village:
            road = requests.road_at(self.names, message.at)
            told = self._do(requests.settling(state, player, self.village, road))
            self.village = 0
            return told
        raise RequestRefused("Erst ein Dorf, dann eine Straße daran")

    # Trading

    def _bank_trade(self, player: Player, message: m.BankTradeRequest) -> list[Notification]:
        self._may_trade(player)
        # ``requests.bank_trade`` has tried all of them, so none can fail after another was logged.
        for trade in requests.bank_trade(self.game.state, player, message):
            self.game.carry_out(trade)
        return bank_trade(self.names, player, message.give, message.receive)

    def _may_trade(self, player: Player) -> None:
        state = self.game.state
        if state.tp != "TradingBuilding":
            raise RequestRefused("Das ist jetzt nicht möglich")
        if state.ap != player:
            raise RequestRefused("Du bist nicht am Zug")

    def _offer(self, player: Player, message: m.OfferTradeRequest) -> list[Notification]:
        self._may_trade(player)
        state = self.game.state
        if not message.give or not message.receive:
            raise RequestRefused("Angebot und Nachfrage haben mindestens eine Karte, verschenkt wird nichts")
        if not covers(state.constants.rules.resource_pool, message.receive):
            raise RequestRefused("So viele Karten gibt es nicht")
        if set(kinds(message.give)) & set(kinds(message.receive)):
            raise RequestRefused("Angebot und Nachfrage haben einen Rohstoff gemeinsam")
        if not covers(state.h[player - 1].rc, message.give):
            raise RequestRefused("So viele Karten hast du nicht")
        if self.offers_made >= MAX_OFFERS:
            raise RequestRefused(f"Mehr als {MAX_OFFERS} Angebote in einem Zug")
        offer = OpenOffer(self._next_offer, player, message.give, message.receive)
        self._next_offer += 1
        self.offers_made += 1
        self.offers[offer.id] = offer
        return [Notification(m.TradeOfferedMessage(self.names.id(player), offer.id, offer.give, offer.receive))]

    def _answer(self, player: Player, message: m.AnswerTradeRequest) -> list[Notification]:
        offer = self._open(message.trade)
        if offer.player == player:
            raise RequestRefused("Das ist dein eigenes Angebot")
        if message.accepts and not covers(self.game.state.h[player - 1].rc, offer.receive):
            raise RequestRefused("So viele Karten hast du nicht")
        offer.answers[player] = message.accepts
        return [Notification(m.TradeAnsweredMessage(self.names.id(player), offer.id, message.accepts))]

    def _open(self, trade: int) -> OpenOffer:
        if trade not in self.offers:
            raise RequestRefused("Dieses Angebot gibt es nicht, oder nicht mehr")
        return self.offers[trade]

    def _conclude(self, player: Player, message: m.ConcludeTradeRequest) -> list[Notification]:
        offer = self._open(message.trade)
        if offer.player != player:
            raise RequestRefused("Das ist nicht dein Angebot")
        if message.partner not in self.names.ids:
            raise RequestRefused("Diesen Spieler gibt es nicht")
        partner = self.names.ids.index(message.partner) + 1
        state = self.game.state
        if not offer.answers.get(partner):
            raise RequestRefused("Dieser Spieler hat das Angebot nicht angenommen")
        if not covers(state.h[player - 1].rc, offer.give) or not covers(state.h[partner - 1].rc, offer.receive):
            raise RequestRefused("Die Karten dafür sind nicht mehr da")
        # The game sees the whole trade at once: offer, all answers (no answer is no), and the conclusion.
        self._do(a.OfferTrade(player, offer.give, offer.receive))
        for other in state.constants.players:
            if owes_reply(self.game.state, other):
                self._do(a.AnswerTrade(other, "accept" if offer.answers.get(other) else "reject"))
        del self.offers[offer.id]
        return self._do(a.ConcludeTrade(player, partner))

    def _cancel(self, player: Player, message: m.CancelTrade) -> list[Notification]:
        offer, id = self._open(message.trade), self.names.id(player)
        told = [Notification(m.TradeCancelled(id, offer.id))]
        if offer.player == player:
            del self.offers[offer.id]
        else:
            # Some programs decline with Handel abbrechen, and some proposers wait for an answer from everybody.
            if player not in offer.answers:
                told.insert(0, Notification(m.TradeAnsweredMessage(id, offer.id, accepts=False)))
            offer.answers[player] = False
        return told


_STATUS: dict[str, Status] = {
    "DiceRoll": "Würfeln",
    "Discarding": "Räuber versetzen",
    "MovingBandit": "Räuber versetzen",
    "TradingBuilding": "Handeln oder Bauen",
    "Offering": "Handeln oder Bauen",
}

_TAKERS: dict[type, Callable[[GameSession, Player, Any], list[Notification]]] = {
    **dict.fromkeys(requests.ACTIONS, GameSession._act),
    m.BuildRequest: GameSession._build,
    m.BankTradeRequest: GameSession._bank_trade,
    m.OfferTradeRequest: GameSession._offer,
    m.AnswerTradeRequest: GameSession._answer,
    m.ConcludeTradeRequest: GameSession._conclude,
    m.CancelTrade: GameSession._cancel,
    m.EndTurn: GameSession._end_turn,
}
"""The method that carries out each kind of message."""
