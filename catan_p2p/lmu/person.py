"""A person's seat at a server: turns their decisions into messages; a policy decides only while the person lets it.

Like ``ClientPlayer`` it does no I/O.
"""

from collections.abc import Callable

from catan_p2p import actions as a
from catan_p2p.lmu import messages as m
from catan_p2p.lmu.client_player import ClientPlayer, Waits
from catan_p2p.lmu.kept_seats import KeptSeat
from catan_p2p.lmu.seat_record import SeatRecord
from catan_p2p.lmu.words import OK
from catan_p2p.sessions.messages import NO_DEAL, ActionDone, ActionRefused, AgreedDeal, ChatHeard, News, deal_in

MAX_WAITING = 8
"""How many messages may wait for the server's answer before chat is dropped."""


class PersonPlayer(ClientPlayer):
    """Plays what a person decides. ``tell`` is called with the results of decisions and with chat."""

    def __init__(
        self, version: str, name: str, colour: str, policy: str, seed: int, tell: Callable[[News], None]
    ) -> None:
        super().__init__(version, name, colour, policy, seed)
        self.record = SeatRecord(self.model)
        self._tell = tell
        self._is_played = False
        """Whether a policy plays for the person now."""

        self.seat_colour = ""
        """The colour under which the seat is shown, once the game has begun."""

    @property
    def colour(self) -> str:
        """The colour of the seat; until the server has confirmed one, the colour that is asked for."""
        return self.seat_colour or self.model.own.colour or self.lobby.colours[0]

    @property
    def waits(self) -> Waits | None:
        """As for a computer player, but without a timeout for the answers to a person's offer."""
        found = super().waits
        is_offered = not self._sent and not self._is_unclear and self._own_offer() is not None
        return None if found == "answer" and is_offered and not self._is_played else found

    def hear(self, message: m.ServerMessage) -> list[m.ClientMessage]:
        """Take a message in; returns what to send."""
        is_other = isinstance(message, m.PlayerWelcome) and self.token is not None and message.token != self.token
        if is_other and not self.record.has_begun:
            self.record.expect_seats(())  # another game than the one that the kept seat belongs to
        self.record.expect(message)
        sends = super().hear(message)
        self.record.take(message)
        if isinstance(message, m.ChatReceived):
            speaker = self.record.colour_of(message.sender)
            self._tell(ChatHeard(self.colour, speaker, message.text if speaker else f"the server says: {message.text}"))
        return sends

    def give_up_waiting(self) -> list[m.ClientMessage]:
        """The timeout has passed: let the person decide again."""
        is_silent = bool(self._sent) and not self._is_done
        sends = super().give_up_waiting()
        if self.record.has_begun and not self._sent:
            self._tell(ActionRefused(self.colour, "the server does not answer" if is_silent else ""))
        return sends

    def come_back_with(self, seat: KeptSeat) -> None:
        """Ask for the seat that an earlier run of the program had."""
        self.token = seat.token
        self.record.expect_seats(seat.order)

    # What the person wants

    def hand_to(self, policy: str | None) -> list[m.ClientMessage]:
        """Let a policy decide, or the person if it is None; returns what to send."""
        self._is_played, self._computer = policy is not None, None
        if policy is not None:
            self._policy = policy
        self._refusals.forget()
        return self._think()

    def say(self, text: str) -> list[m.ClientMessage]:
        """Send a chat message; dropped while ``MAX_WAITING`` messages wait for an answer."""
        return [self._send(m.SendChat(text))] if len(self._sent) < MAX_WAITING else []

    def decide(self, action: a.Action, deal: AgreedDeal = NO_DEAL) -> list[m.ClientMessage]:
        """The messages of the person's decision; if it is impossible, none, and ``tell`` is called with the reason."""
        problem = self._problem(action, deal)
        messages = [] if problem else self._messages(action)
        if not messages:
            self._tell(ActionRefused(self.colour, problem or "this server does not support that"))
            return []
        self._plan = messages[1:]
        return [self._send(messages[0], action)]

    def _problem(self, action: a.Action, deal: AgreedDeal) -> str:
        steps = self.record.steps
        if self.is_over:
            return "the game is over"
        if self._is_played or not steps or action.player != self._seat():
            return "a computer plays for you now"
        if any(sent.action is not None for sent in self._sent) or self._unseen is not None:
            return "the server has not answered yet"
        if deal not in (NO_DEAL, deal_in(steps[-1].state, action)):
            # The person agreed to the offer on the screen; another one may have taken its place since.
            return "the trade has changed since you chose it"
        loose = self.model.loose_village() if self.model.own.status == "Straße bauen" else 0
        if loose and getattr(action, "at", loose) != loose:
            return "your village is already placed: choose it again, then a road"
        return ""

    def _messages(self, action: a.Action) -> list[m.ClientMessage]:
        names, offer = self.model.names(), self.record.current_offer
        try:
            return [] if names is None else self._messages_for(names, action, None if offer is None else offer.id)
        except (ValueError, LookupError):
            return []

    # What became of it

    def _answered(self, text: str) -> list[m.ClientMessage]:
        sent = self._sent[0] if self._sent else None
        sends = super()._answered(text)
        if sent is None or not self.record.has_begun or self._is_played or isinstance(sent.message, m.SendChat):
            return sends
        if text != OK:
            self._plan.clear()
            self._tell(ActionRefused(self.colour, f"the server says: {text}"))
        elif sent.action is not None:
            if (
                isinstance(sent.message, m.AnswerTradeRequest)
                and sent.message.trade in self.model.offers
                and self.model.me
            ):
                self.model.offers[sent.message.trade].answers.setdefault(self.model.me, sent.message.accepts)
            self._tell(ActionDone(self.colour))
        return sends

    def _answer(self, offer: object) -> list[m.ClientMessage]:
        return super()._answer(offer) if self._is_played else []  # type: ignore[arg-type]

    def _think(self) -> list[m.ClientMessage]:
        if self._is_played:
            return super()._think()
        if self._plan and not self._sent and self._unseen is None and self.model.own.status == "Straße bauen":
            return [self._send(self._plan.pop())]
        return []
