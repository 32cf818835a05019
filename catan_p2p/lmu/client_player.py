"""What a client's computer player sends, and when: one request at a time, offers and their answers, and refusals.

It does no I/O: messages of the server go in, messages to send come out.
"""

from collections import deque
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from catan_p2p import actions as a
from catan_p2p.game.secret_streams import stream_of
from catan_p2p.game.state import State
from catan_p2p.lmu import messages as m
from catan_p2p.lmu.client_lobby import ClientLobby
from catan_p2p.lmu.computer_player import ComputerPlayer
from catan_p2p.lmu.model import ClientModel
from catan_p2p.lmu.notifications import MessageNames
from catan_p2p.lmu.refusals import TurnRefusals
from catan_p2p.lmu.requests import messages_of
from catan_p2p.lmu.session import OpenOffer
from catan_p2p.lmu.words import OK, PROTOCOL, Status

Waits: TypeAlias = Literal["quiet", "again", "answer"]
"""Which timeout ends a wait: ``quiet_s``, ``again_s`` or ``answer_s`` of ``ClientSettings``."""

MAX_REFUSED = 30
"""After more refusals in a row than this, it pauses before it goes on."""
MAX_PAUSES = 12
"""After more pauses in a row than this without any progress, it gives up on the server."""
REPEATS = 3
"""How often it repeats an unanswered message of the game."""
MAX_OWN_OFFERS = 3
"""The most offers that it makes in one turn."""
MISLED = (ValueError, LookupError, ArithmeticError, TypeError, AssertionError)
"""The exceptions that a state may raise if the server's messages contradict the rules."""

_ONLY_ONCE = (m.BuyCard, m.BankTradeRequest, m.OfferTradeRequest, m.SendChat)
"""Messages that are not repeated without an answer, since a server may carry them out twice."""
_ASIDE = (m.AnswerTradeRequest, m.SendChat)
"""Messages that do not belong to the player's own turn."""
_BEFORE: tuple[Status, ...] = ("Spiel starten", "Wartet auf Spielbeginn")
_SET_UP: tuple[Status, ...] = ("Dorf bauen", "Straße bauen")
_CONCLUSIVE = (
    m.StatusUpdate,
    m.BuildingPlaced,
    m.TradeOfferedMessage,
    m.TradeAnsweredMessage,
    m.TradeCancelled,
    m.ChatReceived,
)
"""The last message that an action causes, or the last that matters."""


@dataclass(slots=True)
class _PendingMessage:
    """A message that the server has not answered yet, and its action."""

    message: m.ClientMessage
    action: a.Action | None = None
    times: int = 1
    """How often it was sent."""


class ClientPlayer:
    """Plays one seat. ``hear`` takes a message of the server and returns the messages to send."""

    def __init__(self, version: str, name: str, colour: str, policy: str, seed: int) -> None:
        self.model = ClientModel()
        self.token: str | None = None
        self.refusals: list[tuple[m.ClientMessage | None, str]] = []
        """The last 100 refusals: the message, None if unknown, and the server's text."""
        self.is_over = False
        self.failure: str | None = None
        """Why it cannot play; None if it can."""
        self.trouble = ""
        """A sentence about what keeps it from going on; empty if nothing does."""
        self.loses_messages = False
        """Whether the server has lost a message: each is then sent after a short pause."""
        self.lobby = ClientLobby(version, name, colour)
        self._policy = policy
        self._seed = seed
        self._computer: ComputerPlayer | None = None
        self._sent: deque[_PendingMessage] = deque()
        self._refusals = TurnRefusals()
        self._plan: list[m.ClientMessage] = []
        """Messages of the same action still to send: the road of the set-up."""
        self._offers_made = 0
        self._is_welcome = False
        """Whether Willkommen has come on this connection."""
        self._asked: Status = "Spiel starten"
        """The player's own status in the last update."""
        self._is_back = False
        """Whether the server has given back an earlier seat, so that name and colour need not be sent."""
        self._pauses = 0
        """Pauses in a row without progress, in the lobby or while stuck."""
        self._is_stuck = False
        """Whether the server has refused every possible move."""
        self._is_unclear = False
        """Whether the message that says whose turn it is was unreadable."""
        self._unanswered: set[type[m.ClientMessage]] = set()
        """Kinds of messages that the server carries out and does not answer."""
        self._is_done = False
        """Whether the effect of the oldest unanswered message has been seen."""
        self._unseen: m.ClientMessage | None = None
        """An accepted message whose effect has not been seen yet: some servers answer before they act."""

    @property
    def name(self) -> str:
        """The name that it asks for; the lobby changes it if it is taken."""
        return self.lobby.name

    @property
    def is_in_lobby(self) -> bool:
        """Whether the game has not begun, by what the server has said."""
        if not self._is_welcome:
            return True
        return self.model.board is None and not self._is_back and self.model.own.status in _BEFORE

    @property
    def waits(self) -> Waits | None:
        """Which timeout applies now; None to wait for the server without one."""
        if self._is_done or self._unseen is not None:
            return "quiet"
        if self.is_in_lobby:
            is_asked = not self._is_welcome or self.model.own.status == "Spiel starten"
            return ("answer" if self.lobby.is_ready else "again") if is_asked else None
        if self._is_unclear:
            return "answer"
        if self._is_stuck or self._may_repeat() or (self._sent and self.loses_messages):
            return "again"
        return "answer" if self._sent or self._own_offer() is not None else None

    def _may_repeat(self) -> bool:
        if not self._sent or isinstance(self._sent[0].message, _ONLY_ONCE):
            return False
        return self._sent[0].times <= REPEATS

    @property
    def pauses(self) -> int:
        """How often in a row a message had no effect; the wait grows with it."""
        return self._sent[0].times - 1 if self._sent and not self.is_in_lobby else self._pauses

    def begin_connection(self) -> None:
        """Forget unanswered messages: a new connection does not answer them."""
        self._sent.clear()
        self._is_done, self._unseen, self._is_unclear = False, None, False
        self._is_welcome = self._is_back = False
        self._came_on()

    def hear(self, message: m.ServerMessage) -> list[m.ClientMessage]:
        """Take a message of the server in; returns what to send."""
        self.model.hear(message)
        is_prompt = isinstance(message, m.StatusUpdate) and message.player.id == self.model.me
        if is_prompt:
            self._note_prompt()
        if not isinstance(message, m.ChatReceived):
            self._is_unclear = False
        if self._unseen is not None and self._shows(self._unseen, message):
            self._unseen = None
            return self._think()
        if self._sent and self._shows(self._sent[0].message, message):
            self._is_done = True
            # This server never answers this kind of message, so its effect is the answer.
            if type(self._sent[0].message) in self._unanswered and isinstance(message, _CONCLUSIVE):
                return self._answered(OK)
        match message:
            case m.ServerHello():
                if message.protocol != PROTOCOL:
                    self.failure = f"the server speaks protocol {message.protocol}, expected {PROTOCOL}"
                    self.is_over = True
                    return []
                return [self.lobby.greeting(self.token)]
            case m.PlayerWelcome():
                is_back = self.token is not None and message.token == self.token
                if self.token is not None and not is_back and self.model.board is not None:
                    self.failure, self.is_over = "the seat is lost: the server has given another one", True
                    return []
                self.begin_connection()
                self.token, self._is_back, self._is_welcome = message.token, is_back, True
                return [] if is_back else [self._send(self.lobby.introduction())]
            case m.RequestReply():
                return self._answered(message.text)
            case m.ServerFailure():
                return self._failed(message.text)
            case m.GameOver():
                self.is_over, self.failure = True, None
                if message.winner not in self.model.players:
                    self.failure = (
                        f"the server has ended the game without a winner: {message.text or 'it says no more'}"
                    )
                return []
            case m.GameStartedMessage():
                self.failure = None
                self._came_on()
                if self.model.board is None:
                    self.misread(m.GameStartedMessage, "a map without a place to build on")
            case m.TradeOfferedMessage() if message.player != self.model.me:
                return self._answer(self.model.offers[message.trade])
            case m.TradeAnsweredMessage() | m.TradeCancelled():
                return self._think()
        return self._think() if is_prompt else []

    def _shows(self, sent: m.ClientMessage, message: m.ServerMessage) -> bool:
        """Whether a message shows the effect of ``sent``; for most kinds the next own status does at the latest."""
        me = self.model.me
        match message:
            case m.StatusUpdate():
                told = message.player
                if isinstance(sent, m.ChooseName):
                    return told.id == me and told.colour == sent.colour
                if isinstance(sent, m.ReadyToStart):
                    return told.id == me and told.status != "Spiel starten"
                return told.id == me and not isinstance(sent, m.OfferTradeRequest | m.AnswerTradeRequest | m.SendChat)
            case m.GameStartedMessage():
                return isinstance(sent, m.ReadyToStart)
            case m.BuildingPlaced():
                is_free = self.model.own.status in ("Dorf bauen", "Straße bauen")  # a status follows
                return isinstance(sent, m.BuildRequest) and message.building.owner == me and not is_free
            case m.ChatReceived():
                return isinstance(sent, m.SendChat) and message.sender == me
            case m.TradeOfferedMessage():
                return isinstance(sent, m.OfferTradeRequest) and message.player == me
            case m.TradeAnsweredMessage():
                return isinstance(sent, m.AnswerTradeRequest) and message.partner == me
            case m.TradeCancelled():
                return isinstance(sent, m.CancelTrade) and message.player == me
            case m.CardsReceived() | m.CardBought() | m.TradeConcluded():
                return type(sent) in (m.BankTradeRequest, m.BuyCard, m.ConcludeTradeRequest) and message.player == me
            case (
                m.KnightPlayedMessage()
                | m.RoadBuildingPlayedMessage()
                | m.MonopolyPlayedMessage()
                | m.YearOfPlentyPlayedMessage()
            ):
                return sent.KEY == message.KEY and message.player == me
        return False

    def give_up_waiting(self) -> list[m.ClientMessage]:
        """The timeout has passed: a message whose effect was seen is accepted; others are repeated, at last refused."""
        if self._is_done and self._sent:
            self._unanswered.add(type(self._sent[0].message))
            return self._answered(OK)
        if self._unseen is not None:
            self._unseen = None
            return self._think()
        if self.is_in_lobby:
            return self._ask_again()
        if self._is_unclear:
            self.is_over, self.failure = True, self.trouble
            return []
        if self._is_stuck:
            return self._try_again()
        if self._may_repeat():
            return self._repeat(self._sent[0])
        if self._own_offer() is not None and not self._sent:
            return self._answer_for_others()
        for sent in self._sent:
            self._refusals.note(sent.message, is_owed=self._is_owed)
        self._sent.clear()
        return self._think()

    def misread(self, message: type[m.ServerMessage], why: str, player: int | None = None) -> None:
        """Note that a message which decides how the game goes on is unreadable.

        Without a map the client gives up at once, otherwise after ``answer_s`` unless a readable message comes. A
        message about another ``player`` does not matter; None is unknown.
        """
        if player is not None and player != self.model.me:
            return
        self.trouble = f"the server has sent an unreadable message: {why}"
        if message is m.GameStartedMessage:
            self.is_over, self.failure = True, self.trouble
        else:
            self._is_unclear = True

    def _repeat(self, sent: _PendingMessage) -> list[m.ClientMessage]:
        sent.times += 1
        self.trouble = f"the server does not answer {sent.message.KEY!r}: sent again"
        return [sent.message]

    def _ask_again(self) -> list[m.ClientMessage]:
        """Send once more what the server has not answered in the lobby."""
        missing = self.lobby.missing if self._is_welcome else m.ClientHello
        self.trouble = f"the server does not answer {missing.KEY!r}"
        self._pauses += 1
        if self._pauses > MAX_PAUSES:
            self.is_over, self.failure = True, self.trouble
            return []
        self.trouble += ": sent again"
        self._sent.clear()
        return [self._send(self.lobby.repeat())] if self._is_welcome else [self.lobby.greeting(self.token)]

    def _try_again(self) -> list[m.ClientMessage]:
        """After a pause, allow the refused messages once more that the turn cannot go on without."""
        self._pauses += 1
        if self._pauses > MAX_PAUSES:
            self.is_over, self.failure = True, self.trouble
            return []
        self._is_stuck = False
        self._refusals.forget_messages()
        return self._think()

    def _came_on(self) -> None:
        """Note progress: the server has reacted."""
        self._pauses, self.trouble, self._is_stuck = 0, "", False

    # Before the game

    def _failed(self, text: str) -> list[m.ClientMessage]:
        """Take Fehler, which some servers send in place of an answer."""
        if self._sent:
            return self._answered(text)
        self.failure = text
        return []

    def _answered_in_lobby(self, sent: m.ClientMessage, text: str) -> list[m.ClientMessage]:
        self.loses_messages |= self._pauses > 0
        self._pauses, self.trouble = 0, ""
        if text != OK:
            self.failure = text
        request = self.lobby.accept(sent) if text == OK else self.lobby.reject(text)
        if self.lobby.failure is not None:
            self.failure, self.is_over = self.lobby.failure, True
        return [] if request is None else [self._send(request)]

    # In the game

    def _send(self, message: m.ClientMessage, action: a.Action | None = None) -> m.ClientMessage:
        self._is_done, self._unseen = False, None
        self._sent.append(_PendingMessage(message, action))
        return message

    def _answered(self, text: str) -> list[m.ClientMessage]:
        sent = self._sent.popleft() if self._sent else None
        was_seen, self._is_done = self._is_done, False
        if self.model.board is None and sent is not None and isinstance(sent.message, m.ChooseName | m.ReadyToStart):
            return self._answered_in_lobby(sent.message, text)
        if text == OK:
            self.loses_messages |= sent is not None and sent.times > 1
            self._came_on()
            if sent is not None and not isinstance(sent.message, _ASIDE):
                self._refusals.forget_messages()
            if sent is not None and not was_seen:
                self._unseen = sent.message
                return []
        else:
            self.refusals.append((sent.message if sent else None, text))
            del self.refusals[:-100]
            self._plan.clear()
            if sent is not None and not isinstance(sent.message, _ASIDE):
                self._refusals.note(sent.message, is_owed=self._is_owed)
                self.trouble = f"the server refuses {sent.message.KEY!r}: {text}"
        return self._think()

    @property
    def _is_owed(self) -> bool:
        """Whether the set-up asks for a building, so that the turn cannot go on without it."""
        return self.model.own.status in _SET_UP

    def _note_prompt(self) -> None:
        """Take the player's own status. If it is the same again, refused messages stay refused."""
        told = self.model.own.status
        before, self._asked = self._asked, told
        if told == before:
            return
        self._came_on()
        if told in ("Würfeln", "Bauen", "Warten"):
            self._refusals.forget()
            self._offers_made = 0
        else:
            self._refusals.forget_messages()

    def _think(self) -> list[m.ClientMessage]:
        """The messages to send now: none unless the server waits for this seat and no request is pending."""
        if self._is_stuck or self._sent or self._unseen is not None or self.is_over:
            return []
        if self.model.own.status in (*_BEFORE, "Warten", "Verbindung verloren"):
            return []
        if self._refusals.in_a_row > MAX_REFUSED:
            self._is_stuck = True
            return []
        offer = self._own_offer()
        if offer is not None:
            return self._conclude(offer)
        if self.model.own.status == "Straße bauen" and self._plan:
            return [self._send(self._plan.pop())]
        state, names = self.model.state(), self.model.names()
        if state is None or names is None:
            self.trouble = f"the server asks for {self.model.own.status!r} but has sent no map or no players"
            self._is_unclear = True
            return []
        action = self._decide(state, names)
        if action is None:
            return self._plainest()
        messages = self._messages_for(names, action)
        self._plan = messages[1:]
        if isinstance(action, a.OfferTrade):
            self._offers_made += 1
        return [self._send(messages[0], action)]

    def _messages_for(self, names: MessageNames, action: a.Action, trade: int | None = None) -> list[m.ClientMessage]:
        """The messages of an action; in the set-up only the road, if the village stands already."""
        messages = messages_of(names, action, trade)
        return messages[1:] if self.model.own.status == "Straße bauen" else messages

    def _decide(self, state: State, names: MessageNames) -> a.Action | None:
        is_road = self.model.own.status == "Straße bauen"
        village = self.model.loose_village() if is_road else 0
        if village:
            state = without_village(state, self._seat(), village)
        try:
            return self._computer_player().decide(
                state,
                lambda action: self._refusals.allow(self._messages_for(names, action)),
                offers=self._offers_made < MAX_OWN_OFFERS,
                village=village,
            )
        except MISLED:
            return None

    def _plainest(self) -> list[m.ClientMessage]:
        """Without a decision: roll, or end the turn. If that was refused too, pause."""
        status = self.model.own.status
        ends = {"Würfeln": m.RollRequest(), "Handeln oder Bauen": m.EndTurn(), "Bauen": m.EndTurn()}
        if status not in ends or not self._refusals.allow([ends[status]]):
            self._is_stuck = True
            return []
        return [self._send(ends[status])]

    def _computer_player(self) -> ComputerPlayer:
        seat = self._seat()
        if self._computer is None or self._computer.player != seat:
            self._computer = ComputerPlayer(self._policy, seat, stream_of(self._seed, f"{seat}"))
        return self._computer

    def _seat(self) -> int:
        seats: list[int | None] = [*self.model.seats()]
        return seats.index(self.model.me) + 1

    # Offers

    def _own_offer(self) -> OpenOffer | None:
        return next((offer for offer in self.model.offers.values() if offer.player == self.model.me), None)

    def _seated(self, offer: OpenOffer) -> OpenOffer:
        """The offer with seats in place of player numbers."""
        seats = self.model.seats()
        answers = {seats.index(id) + 1: said for id, said in offer.answers.items() if id in seats}
        return replace(offer, player=seats.index(offer.player) + 1, answers=answers)

    def _answer(self, offer: OpenOffer) -> list[m.ClientMessage]:
        state = self.model.state()
        accepts = False
        if state is not None and offer.player in self.model.players:
            try:
                accepts = self._computer_player().accepts(state, self._seated(offer))
            except MISLED:
                accepts = False
        return [self._send(m.AnswerTradeRequest(offer.id, accepts))]

    def _answer_for_others(self) -> list[m.ClientMessage]:
        """Count those who have not answered the own offer in time as rejecting it."""
        offer = self._own_offer()
        assert offer is not None
        for id in self.model.players:
            offer.answers.setdefault(id, False)
        return self._think()

    def _conclude(self, offer: OpenOffer) -> list[m.ClientMessage]:
        """Conclude or withdraw the own offer once everybody has answered."""
        others = [id for id in self.model.players if id != self.model.me]
        if any(id not in offer.answers for id in others):
            return []
        state, partner = self.model.state(), None
        if state is not None:
            try:
                partner = self._computer_player().concludes_with(state, self._seated(offer))
            except MISLED:
                partner = None
        self.model.offers.pop(offer.id)
        if partner is None:
            return [self._send(m.CancelTrade(offer.id))]
        return [self._send(m.ConcludeTradeRequest(offer.id, self.model.seats()[partner - 1]))]


def without_village(state: State, player: int, village: int) -> State:
    """The state before the village that still needs a road, since set-up actions are a village with its road."""
    villages = list(state.s.villages)
    villages[player - 1] &= ~(1 << village)
    left = list(state.b)
    left[player - 1] = left[player - 1]._replace(village=left[player - 1].village + 1)
    return state._replace(s=state.s._replace(villages=tuple(villages)), b=tuple(left))
