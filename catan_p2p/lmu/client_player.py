"""What a client's computer player sends, and when: one question at a time, offers and their answers, and refusals.

It knows nothing of sockets: messages go in, messages come out.
"""

from collections import deque
from dataclasses import dataclass, replace
from typing import Literal

from catan_p2p import actions as a
from catan_p2p.game.secret_streams import stream_of
from catan_p2p.game.state import State
from catan_p2p.lmu import messages as m
from catan_p2p.lmu.computer_player import ComputerPlayer, messages_of
from catan_p2p.lmu.model import Model
from catan_p2p.lmu.session import OpenOffer
from catan_p2p.lmu.words import COLOUR_WORDS, OK, PROTOCOL

MAX_REFUSED = 30
"""After so many refusals in a row it waits until it is asked again."""
COLOUR_ROUNDS = 3
"""So often every colour is tried."""
MAX_OWN_OFFERS = 3
"""Offers that it makes in one turn."""
MISLED = (ValueError, LookupError, ArithmeticError, TypeError, AssertionError)
"""What may be raised about a state of which a server has told nonsense."""


_CONCLUSIVE = (m.StatusUpdate, m.Built, m.TradeOffered, m.TradeAnswered, m.TradeCancelled, m.Chat)
"""Messages after which nothing more comes of an action, or nothing that matters."""


@dataclass(slots=True)
class _Sent:
    """A message that the server has not answered yet, and the action that it belongs to."""

    message: m.ClientMessage
    action: a.Action | None = None


class ClientPlayer:
    """Plays one seat. ``hear`` takes a message of the server and gives what is to be sent."""

    def __init__(self, version: str, name: str, colour: str, policy: str, seed: int) -> None:
        self.model = Model()
        self.name = name
        self.token: str | None = None
        self.refusals: list[tuple[m.ClientMessage | None, str]] = []
        """What was refused, and why."""
        self.is_over = False
        self.failure: str | None = None
        """Why it cannot play, if it cannot."""
        self._version = version
        self._colours = deque([colour, *(other for other in COLOUR_WORDS if other != colour)])
        self._colours_refused = 0
        self._policy = policy
        self._seed = seed
        self._computer: ComputerPlayer | None = None
        self._sent: deque[_Sent] = deque()
        self._refused: set[a.Action] = set()
        self._plan: list[m.ClientMessage] = []
        """The road of the set-up, once the village stands."""
        self._offers_made = 0
        self._refused_in_a_row = 0
        self._unanswered: set[type[m.ClientMessage]] = set()
        """Kinds of messages that the server carries out and does not answer."""
        self._is_done = False
        """Whether what the server owes an answer to has been seen to happen."""
        self._unseen: m.ClientMessage | None = None
        """What the server has said yes to and not carried out as far as was seen: some answer first."""

    @property
    def waits(self) -> Literal["quiet", "answer"] | None:
        """What it waits for: only that nothing more comes, or an answer of the server or to its offer; None if not."""
        if self._is_done or self._unseen is not None:
            return "quiet"
        return "answer" if self._sent or self._own_offer() is not None else None

    def hear(self, message: m.ServerMessage) -> list[m.ClientMessage]:
        """Take a message in; what to send now."""
        self.model.hear(message)
        is_prompt = isinstance(message, m.StatusUpdate) and message.player.id == self.model.me
        if is_prompt:
            self._note_prompt()
        if self._unseen is not None and self._shows(self._unseen, message):
            self._unseen = None
            return self._think()
        if self._sent and self._shows(self._sent[0].message, message):
            self._is_done = True
            if type(self._sent[0].message) in self._unanswered and isinstance(message, _CONCLUSIVE):
                return self._answered(OK)
        match message:
            case m.ServerHello():
                if message.protocol != PROTOCOL:
                    self.failure, self.is_over = f"the server speaks {message.protocol}, not {PROTOCOL}", True
                    return []
                return [m.ClientHello(self._version, self.name if self.token else None, self.token)]
            case m.Welcome():
                is_back = self.token is not None and message.token == self.token
                if self.token is not None and not is_back and self.model.board is not None:
                    self.failure, self.is_over = "the seat is lost: the server has given another one", True
                    return []
                self.token = message.token
                self._sent.clear()
                self._is_done, self._unseen = False, None
                return [] if is_back else self._introduce()
            case m.Reply():
                return self._answered(message.text)
            case m.Failure():
                return self._failed(message.text)
            case m.GameOver():
                self.is_over = True
                return []
            case m.GameStarted():
                self.failure = None
            case m.TradeOffered() if message.player != self.model.me:
                return self._answer(self.model.offers[message.trade])
            case m.TradeAnswered() | m.TradeCancelled():
                return self._think()
        return self._think() if is_prompt else []

    def _shows(self, sent: m.ClientMessage, message: m.ServerMessage) -> bool:
        """Whether a message shows that what was sent has been done: the next own status does, if nothing else."""
        me = self.model.me
        match message:
            case m.StatusUpdate():
                told = message.player
                if isinstance(sent, m.Introduce):
                    return told.id == me and told.colour == sent.colour
                if isinstance(sent, m.Start):
                    return told.id == me and told.status != "Spiel starten"
                return told.id == me and not isinstance(sent, m.OfferTrade | m.AnswerTrade | m.SendChat)
            case m.GameStarted():
                return isinstance(sent, m.Start)
            case m.Built():
                is_free = self.model.own.status in ("Dorf bauen", "Straße bauen")  # a status follows
                return isinstance(sent, m.Build) and message.building.owner == me and not is_free
            case m.Chat():
                return isinstance(sent, m.SendChat) and message.sender == me
            case m.TradeOffered():
                return isinstance(sent, m.OfferTrade) and message.player == me
            case m.TradeAnswered():
                return isinstance(sent, m.AnswerTrade) and message.partner == me
            case m.TradeCancelled():
                return isinstance(sent, m.CancelTrade) and message.player == me
            case m.Gained() | m.CardBought() | m.TradeConcluded():
                return type(sent) in (m.BankTrade, m.BuyCard, m.ConcludeTrade) and message.player == me
            case m.KnightPlayed() | m.RoadBuildingPlayed() | m.MonopolyPlayed() | m.YearOfPlentyPlayed():
                return sent.KEY == message.KEY and message.player == me
        return False

    def give_up_waiting(self) -> list[m.ClientMessage]:
        """No answer came: go on as if what was seen to happen had been answered, and all else refused."""
        if self._is_done and self._sent:
            self._unanswered.add(type(self._sent[0].message))
            return self._answered(OK)
        if self._unseen is not None:
            self._unseen = None
            return self._think()
        self._refused.update(sent.action for sent in self._sent if sent.action is not None)
        is_introduced = bool(self._sent) and isinstance(self._sent[0].message, m.Introduce)
        self._sent.clear()
        if is_introduced and self.model.board is None:
            return [self._send(m.Start())]
        offer = self._own_offer()
        if offer is not None:
            for id in self.model.players:
                offer.answers.setdefault(id, False)
        return self._think()

    # Before the game

    def _introduce(self) -> list[m.ClientMessage]:
        """Name and colour, once they are accepted the start: some servers refuse a colour at once, others then."""
        return [self._send(m.Introduce(self.name, self._colours[0]))]

    def _failed(self, text: str) -> list[m.ClientMessage]:
        """An error, some servers send it in place of an answer."""
        if self._sent:
            return self._answered(text)
        self.failure = text
        return []

    def _other_colour(self, why: str) -> list[m.ClientMessage]:
        """Introduce the player with another colour than the one that was refused."""
        self.failure = why
        self._colours_refused += 1
        self._colours.rotate(-1)
        if self._colours_refused < COLOUR_ROUNDS * len(self._colours):  # one may be free again by now
            return self._introduce()
        self.failure, self.is_over = f"no colour is free: {why}", True
        return []

    # In the game

    def _send(self, message: m.ClientMessage, action: a.Action | None = None) -> m.ClientMessage:
        self._is_done, self._unseen = False, None
        self._sent.append(_Sent(message, action))
        return message

    def _answered(self, text: str) -> list[m.ClientMessage]:
        sent = self._sent.popleft() if self._sent else None
        was_seen, self._is_done = self._is_done, False
        if self.model.board is None and sent is not None and isinstance(sent.message, m.Introduce | m.Start):
            if text != OK:
                return self._other_colour(text)
            return [self._send(m.Start())] if isinstance(sent.message, m.Introduce) else []
        if text == OK:
            self._refused_in_a_row = 0
            if sent is not None and sent.action is not None:
                self._refused.clear()
            if sent is not None and not was_seen:
                self._unseen = sent.message
                return []
        else:
            self.refusals.append((sent.message if sent else None, text))
            self._refused_in_a_row += 1
            del self.refusals[:-100]
            self._plan.clear()
            if sent is not None and sent.action is not None:
                self._refused.add(sent.action)
        return self._think()

    def _note_prompt(self) -> None:
        self._refused_in_a_row = 0
        if self.model.own.status in ("Würfeln", "Bauen"):
            self._offers_made = 0

    def _think(self) -> list[m.ClientMessage]:
        """What to do now, if anything is asked of the seat and nothing is underway."""
        if self._refused_in_a_row > MAX_REFUSED or self._sent or self._unseen is not None or self.is_over:
            return []
        if self.model.own.status in ("Warten", "Spiel starten"):
            return []
        offer = self._own_offer()
        if offer is not None:
            return self._conclude(offer)
        if self.model.own.status == "Straße bauen" and self._plan:
            return [self._send(self._plan.pop())]
        state, names = self.model.state(), self.model.names()
        if state is None or names is None:
            return []
        action = self._decide(state)
        if action is None:
            return self._plainest()
        messages = messages_of(names, action)
        if self.model.own.status == "Straße bauen":
            messages = messages[1:]
        self._plan = messages[1:]
        if isinstance(action, a.OfferTrade):
            self._offers_made += 1
        return [self._send(messages[0], action)]

    def _decide(self, state: State) -> a.Action | None:
        is_road = self.model.own.status == "Straße bauen"
        village = self.model.loose_village() if is_road else 0
        if village:
            state = without_village(state, self._seat(), village)
        try:
            offers = self._offers_made < MAX_OWN_OFFERS
            return self._automaton().decide(state, self._refused, offers=offers, village=village)
        except MISLED:
            return None

    def _plainest(self) -> list[m.ClientMessage]:
        """Where nothing can be decided: roll, or end the turn."""
        status = self.model.own.status
        if status == "Würfeln":
            return [self._send(m.Roll(), a.RollDice(self._seat(), 2))]
        if status in ("Handeln oder Bauen", "Bauen"):
            return [self._send(m.EndTurn(), a.EmptyBuild(self._seat()))]
        return []

    def _automaton(self) -> ComputerPlayer:
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
        """The offer with seats in place of numbers."""
        seats = self.model.seats()
        answers = {seats.index(id) + 1: said for id, said in offer.answers.items() if id in seats}
        return replace(offer, player=seats.index(offer.player) + 1, answers=answers)

    def _answer(self, offer: OpenOffer) -> list[m.ClientMessage]:
        state = self.model.state()
        accepts = False
        if state is not None and offer.player in self.model.players:
            try:
                accepts = self._automaton().accepts(state, self._seated(offer))
            except MISLED:
                accepts = False
        return [self._send(m.AnswerTrade(offer.id, accepts))]

    def _conclude(self, offer: OpenOffer) -> list[m.ClientMessage]:
        """Conclude or withdraw the own offer, once everybody has answered."""
        others = [id for id in self.model.players if id != self.model.me]
        if any(id not in offer.answers for id in others):
            return []
        state, partner = self.model.state(), None
        if state is not None:
            try:
                partner = self._automaton().concludes_with(state, self._seated(offer))
            except MISLED:
                partner = None
        self.model.offers.pop(offer.id)
        if partner is None:
            return [self._send(m.CancelTrade(offer.id))]
        return [self._send(m.ConcludeTrade(offer.id, self.model.seats()[partner - 1]))]


def without_village(state: State, player: int, village: int) -> State:
    """The set-up's state before the village that still needs a road."""
    villages = list(state.s.villages)
    villages[player - 1] &= ~(1 << village)
    left = list(state.b)
    left[player - 1] = left[player - 1]._replace(village=left[player - 1].village + 1)
    return state._replace(s=state.s._replace(villages=tuple(villages)), b=tuple(left))
