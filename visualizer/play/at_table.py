"""A window at a table: begins, leaves and changes the game, and takes what the person's own peer tells."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from catan_p2p.game.actions import Action, ConcludeTrade, Vote
from catan_p2p.game.actions.replies import REPLIES
from catan_p2p.game.constants import NO_OWNER, Player
from catan_p2p.game.rules import awaited
from catan_p2p.game.state import NO_OFFER, State
from catan_p2p.limits import MAX_LETTERS
from catan_p2p.sessions.messages import (
    Do,
    Done,
    Failed,
    Hand,
    Heard,
    Moved,
    Refused,
    Say,
    Seated,
    SetPace,
    Sit,
    Trouble,
    Unsaid,
)
from catan_p2p.sessions.worker_client import Link

from ..data.feed import Feed
from ..view import TargetId, View
from ..window.screen import TITLE, Screen
from ..window.window import Window
from .choices import Moment
from .draft import NOTHING, Choice, Wish
from .moment import COURSE, keeps, moment
from .reasons import reasons
from .settings import Settings
from .sound import Bell
from .table import Table, feed_of
from .talk import Line, Said

FLASH_S = 1.6
SILENCE_S = 60.0
"""Since when nothing is new before the seat offers a vote."""
_RESTARTS = 3
_WORDS_KEPT = 200


class AtTable(Window):
    """The viewer on the person's own repository, and whose turn it is there.

    ``again`` makes the next table, ``unfinished`` is one that could be gone on with.
    """

    _done_action: Action | None = None
    """What is carried out, or was last."""
    _done_on: int | None = None
    """How long the recording was when it was said to be done."""

    def __init__(
        self,
        table: Table,
        screen: Screen,
        settings: Settings,
        settings_file: Path,
        again: Callable[[], Table],
        *,
        unfinished: Table | None = None,
        opens_hands: bool = False,
        link: Callable[[Sit, Callable[[], None]], Link] = Link,
        feed: Callable[[Table], Feed] | None = None,
        fullscreen: bool = False,
    ) -> None:
        self._feed = feed or feed_of
        super().__init__(self._feed(table), View(live=True), screen, settings.scale, fullscreen)
        self.settings = settings
        self._file = settings_file
        self._again = again
        self._make_link = link
        self._unfinished = unfinished
        self._opens_hands = opens_hands
        self._bell = Bell()
        self._begin_with(table)
        self.dialog: str = "unfinished" if unfinished is not None else ""

    def _begin_with(self, table: Table) -> None:
        self.table = table
        self.link: Link | None = None
        self.colour = table.people[0]
        """Whose seat is shown."""
        self.curtain = table.people[0] if len(table.people) > 1 else ""
        """Who is to sit down before anything is shown again."""
        self.draft = NOTHING
        self.focused: TargetId | None = None
        self.played: dict[str, str] = {}
        """The seats that a policy plays for its person."""
        self.trouble: tuple[str, ...] = ()
        self.heard: tuple[Said, ...] = ()
        """What players have said last."""
        self._seats_here = 0
        """How many seats are played here, 0 while that is not known."""
        self.line = Line("", MAX_LETTERS)
        """What is being typed to them."""
        self.notice = ""
        self.failure = ""
        self.address: str | None = None
        self._busy_after: int | None = None
        self._proposed_to: Player = NO_OWNER
        """Before whom a proposal of the person's lies."""
        self._proposed_at = 0
        self._since = time.time()
        self._flash_s = 0.0
        self._was_mine = False
        self._restarts = 0
        self._moment = Moment()
        self._moment_of: tuple[object, ...] = ()

    # Beginning and ending

    def start(self) -> None:
        """Begin to read, and to play."""
        self.feed.start()
        if self.dialog != "unfinished":
            self._sit_down()
        if self.settings.sound:  # now, for later it would hold up a frame
            self._bell.prepare()

    def _sit_down(self) -> None:
        self.link = self._make_link(replace(self.table.sit, pace_s=self.settings.pace_s), self.feed.look)

    def stop(self) -> None:
        """Stop playing, and close the window."""
        if self.link is not None:
            self.link.close()
        self.feed.stop()
        self.screen.close()

    def _change_table(self, table: Table) -> None:
        """Leave this table for another one."""
        if self.link is not None:
            self.link.close()
        self.feed.stop()
        self.recording = None
        self.view = View(live=True, tab=self.view.tab)
        self.feed = self._feed(table)
        self._begin_with(table)
        self.feed.start()
        self._sit_down()

    # What there is

    @property
    def player(self) -> Player:
        """The number of the seat that is shown."""
        assert self.recording is not None
        return next(seat.player for seat in self.recording.seats if seat.colour == self.colour)

    @property
    def state(self) -> State | None:
        """The newest state, None while there is no game yet."""
        return self.recording.steps[-1].state if self.recording is not None and self.recording.steps else None

    @property
    def is_now(self) -> bool:
        """Whether the newest step is shown."""
        return self.recording is not None and self.view.index == self.recording.last

    @property
    def moment(self) -> Moment:
        """What the person can do now."""
        state = self.state
        if state is None or self.recording is None:
            return Moment(title=self.failure or "The table is being laid")
        key = (state, self.player, self.draft, self.is_now, self.colour in self.played, self.curtain, self.is_silent)
        if key != self._moment_of:
            self._moment_of, self._moment = key, self._new_moment(state)
        return self._moment

    def _new_moment(self, state: State) -> Moment:
        assert self.recording is not None
        names = tuple(seat.colour for seat in self.recording.seats)
        found = moment(state, self.player, names, self.draft, self.is_silent)
        if not self.is_now:
            back = Choice(("do", "now"), "now", "Back to now", "End", Wish("now"), icon="last", is_main=True)
            return Moment(title="You look back in the game", hint="", choices=[back], is_mine=found.is_mine)
        if self.colour in self.played and not state.is_over:
            back = Choice(("do", "take back"), "take back", "I play again", "P", Wish("play for me"), is_main=True)
            return Moment(title=f"{found.title} - a computer plays for you", choices=[back], is_mine=False)
        return found

    @property
    def is_silent(self) -> bool:
        """Whether nothing has happened for so long that one may ask to go on without whoever is awaited."""
        agreed_s = 0 if self.state is None else self.state.constants.rules.patience
        return time.time() - self._since >= max(SILENCE_S, agreed_s)

    @property
    def is_busy(self) -> bool:
        """Whether an action of the person's is on its way into the log."""
        return self._busy_after is not None

    def _own_steps(self) -> int:
        """How many steps of the person's there are."""
        assert self.recording is not None
        return sum(1 for step in self.recording.steps if step.player == self.player and step.action is not None)

    @property
    def can_talk(self) -> bool:
        """Whether there is somebody elsewhere to talk to."""
        seats = 0 if self.recording is None else len(self.recording.seats)
        return self.table.sit.has_chat and 0 < self._seats_here < seats

    # News

    def tick(self, seconds: float) -> None:
        """Let so much time pass."""
        super().tick(seconds)
        self._veil()
        for news in self.link.take() if self.link is not None else ():
            match news:
                case Seated(seats, address):
                    self.address = address
                    self._seats_here = len(seats)
                case Moved(colour, _, since) if colour == self.colour:
                    self._since = min(time.time(), since)
                case Refused(colour, words, guards):
                    self._busy_after = None
                    ask = self._done_action
                    told = reasons(self.state, ask, guards) if guards and ask and self.state else []
                    self.notice = "; ".join(told) or words
                case Heard(colour, speaker, words) if colour == self.colour:
                    self.heard = (*self.heard[-_WORDS_KEPT + 1 :], Said(speaker, words, time.time()))
                case Unsaid(_, text, words):
                    self.line = Line(self.line.typed or text, MAX_LETTERS, words)
                    self.notice = words
                case Trouble(lines):
                    self.trouble = lines
                case Failed(words):
                    self._fail(words)
                case Done() if isinstance(self._done_action, Vote):
                    self._busy_after, self._done_action = None, None
                    self.notice = "You have voted to go on; the others are asked"
                case Done():
                    self._done_on = len(self.recording or ())
        self._follow()
        if self._flash_s > 0:
            self._flash_s = max(0.0, self._flash_s - seconds)

    def _veil(self) -> None:
        """Hide the hands of all but whoever sits here, unless they are to be open; after the game they are."""
        state = self.state
        if self.recording is not None and state is not None:
            shows = self._opens_hands or state.is_over
            hidden = frozenset() if shows else frozenset(state.constants.players) - {self.player}
            if hidden != self.recording.veiled:
                self.recording = self.recording.veil(hidden)

    def _fail(self, words: str) -> None:
        """The peers are gone: start them again, a few times."""
        self._busy_after = None
        if self.recording is not None and self._restarts < _RESTARTS:
            self._restarts += 1
            self.table.sit = replace(self.table.sit, new=None)
            self.notice = f"{words}; it is started again"
            self.heard = ()  # what was said is told again
            self._sit_down()
            for colour, policy in self.played.items():
                self._give(Hand(colour, policy))
            return
        self.failure = words
        self.dialog = "failure"

    def _follow(self) -> None:
        """Take account of the newest state: what was prepared, whose turn it is, who is to sit down."""
        state = self.state
        if state is None:
            return
        if self._busy_after is not None and (self._own_steps() > self._busy_after or self._is_overtaken(state)):
            self._busy_after = None
        if not keeps(state, self.player, self.draft):
            if self.draft.mode == "propose":
                self.notice = f"{self._name(self.draft.picks[0])} has gone on: nothing was proposed"
            self.draft, self.focused = NOTHING, None
        self._follow_proposal(state)
        self._change_seats(state)
        mine = self.moment.is_mine and not self.is_busy and not self.curtain
        if mine and not self._was_mine:
            self._call()
        elif not mine and self._was_mine:
            self.screen.set_title(TITLE)
        self._was_mine = mine

    def _is_overtaken(self, state: State) -> bool:
        """Whether a reply that was given is not in the game: who is on turn has not waited for it."""
        if self._done_on is None or type(self._done_action) not in REPLIES or not state.constants.rules.table_talk:
            return False
        return len(self.recording or ()) != self._done_on

    def _follow_proposal(self, state: State) -> None:
        """Tell the person when their proposal is gone without a trade."""
        assert self.recording is not None
        stands = state.prop[self.player - 1] != NO_OFFER
        if self._proposed_to and not stands:
            later = self.recording.steps[self._proposed_at :]
            if not any(isinstance(step.action, ConcludeTrade) and step.action.partner == self.player for step in later):
                self.notice = f"{self._name(self._proposed_to)} has gone on without your proposal"
        if stands and not self._proposed_to:
            self._proposed_at = len(self.recording)
        self._proposed_to = state.ap if stands else NO_OWNER

    def _name(self, player: Player) -> str:
        assert self.recording is not None
        return self.recording.colour(player)

    def _call(self) -> None:
        """It has become the person's turn."""
        self._flash_s = FLASH_S
        self.screen.set_title(f"Your turn - {TITLE}")
        if self.settings.sound:
            self._bell.ring()

    def _change_seats(self, state: State) -> None:
        """Where several people play, the one whose move it is comes to the screen."""
        if len(self.table.people) < 2 or state.is_over or state.tp in COURSE or self.is_busy or self.recording is None:
            return
        waiting = [self.recording.colour(player) for player in awaited(state)]
        here = [colour for colour in waiting if colour in self.table.people and colour not in self.played]
        if here and self.colour not in here:
            self.curtain = here[0]

    def _give(self, order: Do | Hand | Say | SetPace) -> None:
        if self.link is not None:
            self.link.give(order)
