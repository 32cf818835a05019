"""Acts for seats without a player: for computer players at once, for silent and lost ones when their time is over."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from random import Random

from catan_p2p.game.constants import Player
from catan_p2p.lmu import messages as m
from catan_p2p.lmu.computer_player import ComputerPlayer
from catan_p2p.lmu.refusals import TurnRefusals
from catan_p2p.lmu.requests import RequestRefused, messages_of
from catan_p2p.lmu.seats import TableMember
from catan_p2p.lmu.session import MAX_OFFERS, GameSession, OpenOffer

MAX_TIMEOUTS = 3
"""After this many decisions in a row made for a silent player, the computer takes the seat over."""
ANSWER_SHARE = 0.25
"""The part of the patience during which an offer waits for answers."""
LAPSED_S = 1.0
"""The longest wait for a player who did not answer the last offer: some programs never answer."""


@dataclass(slots=True)
class _SeatAutomation:
    """The computer player of a seat, what was refused to it, and the number of its open offer, 0 for none."""

    computer: ComputerPlayer
    refusals: TurnRefusals = field(default_factory=TurnRefusals)
    offered: int = 0


class StandIn:
    """Acts for members who are absent, silent, or computer players.

    ``do`` carries out a message for a member, or raises ``RequestRefused``.
    """

    def __init__(
        self,
        play: GameSession,
        members: Sequence[TableMember],
        do: Callable[[TableMember, m.ClientMessage], None],
        note: Callable[[str], None],
        policy: str,
        stream: Callable[[Player], Random],
        patience_s: float,
    ) -> None:
        self._play = play
        self._members = members
        self._do = do
        self._note = note
        self._policy = policy
        self._stream = stream
        self._patience_s = patience_s
        self._automations: dict[Player, _SeatAutomation] = {}
        self._offered_at: dict[int, float] = {}

    def look_at_offers(self, now: float) -> None:
        """Start the clock of new offers, and forget those that are gone."""
        for trade in self._play.offers.keys() - self._offered_at.keys():
            self._offered_at[trade] = now
        for trade in self._offered_at.keys() - self._play.offers.keys():
            del self._offered_at[trade]

    def _answer_by(self, member: TableMember, offer: OpenOffer) -> float:
        """Until when an offer waits for a member's answer."""
        time_s = self._patience_s * ANSWER_SHARE
        return self._offered_at[offer.id] + (min(LAPSED_S, time_s) if member.lets_lapse else time_s)

    def _unanswered(self) -> Iterator[tuple[OpenOffer, TableMember]]:
        for offer in self._play.offers.values():
            for member in self._members:
                if member.player != offer.player and member.player not in offer.answers:
                    yield offer, member

    def forget(self, player: Player) -> None:
        """Drop the computer player of a seat that has a player again."""
        self._automations.pop(player, None)

    def wakes_at(self) -> float | None:
        """The next time at which ``step`` has something to do without a message; None for never."""
        times = [
            member.deadline
            for member in self._members
            if not member.is_computer and self._play.status(member.player) != "Warten"
        ]
        times += [self._answer_by(member, offer) for offer, member in self._unanswered()]
        return min(times, default=None)

    def step(self, now: float) -> bool:
        """Carry out one action whose time has come; returns whether there was one."""
        if self._answer_for_others(now):
            return True
        for member in self._members:
            if self._play.status(member.player) == "Warten":
                if member.player in self._automations:
                    self._automations[member.player].refusals.forget()
                continue
            if member.is_computer:
                if self._play_for(member):
                    return True
            elif now >= member.deadline:
                self._time_out(member)
                return True
        return False

    def _answer_for_others(self, now: float) -> bool:
        """Answer one offer: for a computer player, or with no for a silent one whose time is over."""
        for offer, member in self._unanswered():
            if member.is_computer or now >= self._answer_by(member, offer):
                accepts = member.is_computer and self._automation(member).computer.accepts(self._play.state, offer)
                member.lets_lapse = not member.is_computer
                self._do(member, m.AnswerTradeRequest(offer.id, accepts))
                return True
        return False

    def _automation(self, member: TableMember) -> _SeatAutomation:
        if member.player not in self._automations:
            computer = ComputerPlayer(self._policy, member.player, self._stream(member.player))
            self._automations[member.player] = _SeatAutomation(computer)
        return self._automations[member.player]

    def _play_for(self, member: TableMember) -> bool:
        """Make one move of a computer player; False while it waits for answers to its offer."""
        play, automation = self._play, self._automation(member)
        offer = play.offers.get(automation.offered)
        if offer is not None:
            # ``_answer_for_others`` answers for silent players, so this ends.
            if len(offer.answers) < len(self._members) - 1:
                return False
            automation.offered = 0
            partner = automation.computer.concludes_with(play.state, offer)
            if partner is None:
                self._do(member, m.CancelTrade(offer.id))
            else:
                self._do(member, m.ConcludeTradeRequest(offer.id, play.names.id(partner)))
            return True
        skipped = 1 if play.village else 0
        action = automation.computer.decide(
            play.state_for(member.player),
            lambda action: automation.refusals.allow(messages_of(play.names, action)[skipped:]),
            offers=play.offers_made < MAX_OFFERS,
            village=play.village,
        )
        before = set(play.offers)
        for message in [m.EndTurn()] if action is None else messages_of(play.names, action)[skipped:]:
            try:
                self._do(member, message)
            except RequestRefused:
                automation.refusals.note(message, is_owed=play.state.tp not in ("DiceRoll", "TradingBuilding"))
                return action is not None
        automation.refusals.forget_messages()
        automation.offered = next(iter(play.offers.keys() - before), 0)
        return True

    def _time_out(self, member: TableMember) -> None:
        """Make the smallest move that lets the game go on; after ``MAX_TIMEOUTS`` the computer takes the seat over."""
        member.timeouts += 1
        is_lost = not member.is_there
        status = self._play.status(member.player)
        self._note(f"{member.called}: {'lost' if is_lost else 'silent'} at {status}, played on")
        if is_lost or member.timeouts >= MAX_TIMEOUTS:
            member.is_computer = True
            self._note(f"{member.called}: from now on the computer plays")
        elif status == "Würfeln":
            self._do(member, m.RollRequest())
        elif status in ("Handeln oder Bauen", "Bauen"):
            self._do(member, m.EndTurn())
        else:
            self._play_for(member)
