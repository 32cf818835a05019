"""A seat at the table: the player's choices, their draft, and the action on its way into the log."""

from collections.abc import Callable
from dataclasses import replace

from catan_p2p.game.actions import Action
from catan_p2p.game.actions.replies import is_reply
from catan_p2p.game.constants import NO_OWNER, Player
from catan_p2p.game.state import NO_OFFER, State
from catan_p2p.sessions.messages import NO_DEAL, AgreedDeal, AwayPlayers, CarryOut, deal_in
from catan_p2p.view.events import PlayerTrade

from ..control.replay import ReplayFeed
from ..data.recording import GameRecording
from ..view import TargetId
from .choices import SeatMoment
from .declining import ASKED, DeclineRules
from .draft import NOTHING, ActionDraft, SeatChoice, SeatRequest
from .menu import spelled_key
from .moment import is_departure, keeps, moment
from .pending_action import PendingAction, held_moment
from .places import refusal_at
from .worker import TableWorker


class PlayerSeat:
    """The seat of the player with this colour."""

    def __init__(
        self,
        replay: ReplayFeed,
        worker: TableWorker,
        colour: str,
        declining: Callable[[str], DeclineRules] = lambda colour: ASKED,
    ) -> None:
        self.colour = colour
        self.draft = NOTHING
        self.focused: TargetId | None = None
        """The target that has the keyboard's focus."""
        self.done: Action | None = None
        """The action on its way into the log, or the last one that was."""
        self.done_on: int | None = None
        """The length of the recording when the worker reported that ``done`` is in the log."""
        self._replay, self._worker, self._declining = replay, worker, declining
        self._busy_after: int | None = None
        """How many steps the player had before the action on its way into the log; None if there is none."""
        self.held: PendingAction | None = None
        """An action that is not sent yet, and can be undone."""
        self._proposed_to: Player = NO_OWNER
        """The player who has a proposal of this one."""
        self._proposed_at = 0
        self._moment = SeatMoment()
        self._moment_of: tuple[object, ...] = ()

    # State

    @property
    def _recording(self) -> GameRecording:
        assert self._replay.recording is not None
        return self._replay.recording

    @property
    def player(self) -> Player:
        """The number of the seat."""
        return next(seat.player for seat in self._recording.seats if seat.colour == self.colour)

    @property
    def state(self) -> State | None:
        """The newest state, None until there is a game."""
        recording = self._replay.recording
        return recording.steps[-1].state if recording is not None and recording.steps else None

    @property
    def is_now(self) -> bool:
        """Whether the newest step is shown."""
        return self._replay.recording is not None and self._replay.view.index == self._replay.recording.last

    @property
    def is_busy(self) -> bool:
        """Whether an action of the player is on its way into the log."""
        return self._busy_after is not None

    @property
    def is_played(self) -> bool:
        """Whether a policy plays for the person now."""
        return self.colour in self._worker.played

    @property
    def away(self) -> AwayPlayers:
        """Who has been waited for too long, as the peer sees it that casts this player's vote."""
        return self._worker.away.get(self.colour) or AwayPlayers(self.colour)

    @property
    def moment(self) -> SeatMoment:
        """What the player can do now."""
        state = self.state
        if state is None:
            return SeatMoment(title="The table is being set up")
        if self.held is not None and self.is_now and not state.is_over:
            names = tuple(self._recording.name(seat.player) for seat in self._recording.seats)
            return held_moment(state, self.held, names, self._worker.clock())
        declining = self._declining(self.colour)
        # Choices take a while to find, and this is asked several times a frame.
        key = (state, self.player, self.draft, self.is_now, self.is_played, self.away.players, declining)
        if key != self._moment_of:
            self._moment_of, self._moment = key, self._new_moment(state)
        return self._moment

    def _new_moment(self, state: State) -> SeatMoment:
        seats = self._recording.seats
        names, colours = tuple(self._recording.name(seat.player) for seat in seats), tuple(s.colour for s in seats)
        talks = self._worker.table.has_proposals
        found = moment(
            state,
            self.player,
            names,
            self.draft,
            self.away.players,
            colours,
            has_proposals=talks,
            declining=self._declining(self.colour),
        )
        if not self.is_now:
            back = SeatChoice(("do", "now"), "now", "Back to now", "End", SeatRequest("now"), icon="last", is_main=True)
            return SeatMoment(title="This is an earlier step", hint="", choices=[back], is_mine=found.is_mine)
        if self.is_played and not state.is_over:
            back = SeatChoice(
                ("do", "take back"), "take back", "I play again", "P", SeatRequest("play for me"), is_main=True
            )
            title = f"{found.title} - a computer plays for you"
            if is_departure(self.draft.ask):
                return replace(found, is_mine=False)
            # Whether to go on without a silent player stays the person's own decision.
            choices = [back, *(choice for choice in found.choices if choice.name.startswith("without "))]
            return SeatMoment(title=title, choices=choices, is_mine=False)
        return found

    @property
    def reachable(self) -> list[SeatChoice]:
        """The choices that the keyboard's focus can reach, in the order of Tab."""
        return [choice for choice in self.moment.all() if choice.then is not None]

    def choice_of(self, key: str) -> SeatChoice | None:
        """The choice that a key makes."""
        choices = list(self.moment.all())
        if key in ("Enter", "Space"):
            if self.focused is not None:
                return next((choice for choice in choices if choice.id == self.focused), None)
            return next((choice for choice in choices if choice.is_main), None)
        return next((choice for choice in choices if choice.key == spelled_key(key)), None)

    def why_not_at(self, kind: str, number: int) -> str:
        """Why a place of the island cannot be chosen, if a place is being chosen; else empty."""
        if self.state is None or not self.moment.is_mine or not self.is_now:
            return ""
        return refusal_at(self.state, self.player, self.draft, kind, number)

    # Actions

    def prepare(self, choice: SeatChoice, draft: ActionDraft) -> None:
        """Go on with a draft. The focus stays in a row of resources, elsewhere it is reset."""
        stays = choice.id == self.focused and len(choice.id) == 3  # in a row: ("do", "give", "Ore")
        self.draft, self.focused = draft, self.focused if stays else None

    def carry_out(self, action: Action, deal: AgreedDeal) -> None:
        """Let the worker carry out an action."""
        if deal == NO_DEAL and self.state is not None:
            deal = deal_in(self.state, action)
        self._busy_after = self._own_steps()
        self.done, self.done_on = action, None
        self.draft, self.focused = NOTHING, None
        self._worker.give(CarryOut(self.colour, action, deal))

    def hold(self, action: Action, deal: AgreedDeal, seconds: float) -> None:
        """Hold an action back: it can be undone, and is sent after this many seconds."""
        if deal == NO_DEAL and self.state is not None:
            deal = deal_in(self.state, action)
        self.held = PendingAction(action, deal, self._worker.clock() + seconds)
        self.draft, self.focused = NOTHING, None

    def send_held(self, *, at_once: bool = False) -> str:
        """Send the held action when its time has come; returns why it can no longer be sent, or nothing."""
        held, state = self.held, self.state
        if held is None or state is None:
            return ""
        if not keeps(state, self.player, ActionDraft(ask=held.action, deal=held.deal)):
            self.held = None
            return "The game has gone on: your action no longer fits, and was not sent"
        if at_once or self._worker.clock() >= held.until:
            self.held = None
            self.carry_out(held.action, held.deal)
        return ""

    def _own_steps(self) -> int:
        """How many steps the player has made."""
        return sum(1 for step in self._recording.steps if step.player == self.player and step.action is not None)

    def end_waiting(self) -> None:
        """Note that no action is on its way into the log any more."""
        self._busy_after = None

    def follow(self, state: State) -> str:
        """Take account of the newest state; returns a notice for the person, or nothing."""
        notice = ""
        if self._busy_after is not None and (self._own_steps() > self._busy_after or self._is_overtaken(state)):
            self._busy_after = None
        if not keeps(state, self.player, self.draft, self.away.players):
            if self.draft.mode == "propose":
                notice = f"{self._recording.name(self.draft.picks[0])} has gone on: nothing was proposed"
            self.draft, self.focused = NOTHING, None
        return self._follow_proposal(state) or notice

    def _is_overtaken(self, state: State) -> bool:
        """Whether a reply is not part of the game, because the active player has gone on without waiting for it."""
        if self.done is None or self.done_on is None or not is_reply(self.done) or not state.constants.rules.table_talk:
            return False
        return len(self._recording) != self.done_on

    def _follow_proposal(self, state: State) -> str:
        """A notice if the player's proposal has gone without a trade, or nothing."""
        notice = ""
        stands = state.prop[self.player - 1] != NO_OFFER
        if self._proposed_to and not stands:
            later = self._recording.steps[self._proposed_at :]
            if not any(isinstance(step.event, PlayerTrade) and step.event.other == self.player for step in later):
                notice = f"{self._recording.name(self._proposed_to)} has gone on without your proposal"
        if stands and not self._proposed_to:
            self._proposed_at = len(self._recording)
        self._proposed_to = state.ap if stands else NO_OWNER
        return notice
