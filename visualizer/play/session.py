"""A session at one table: the choices of the people at this screen, and the news of their worker.

Nothing here draws or uses pygame. ``table_view`` shows a session, ``window`` turns input into calls of it.
"""

from dataclasses import replace
from pathlib import Path

from catan_p2p.game.actions import AnswerTrade, Claim, Excuse
from catan_p2p.game.rules import awaited
from catan_p2p.game.state import State
from catan_p2p.sessions.messages import (
    ActionDone,
    ActionRefused,
    CarryOut,
    News,
    NotSaid,
    PeersSeated,
    SayToAll,
    SetPace,
    TableFailed,
    deal_in,
)

from ..control.replay import ReplayFeed
from ..view import TargetId
from .declining import DeclineRules, OfferDecliner
from .draft import NOTHING, ActionDraft, SeatChoice, SeatRequest
from .hints import HINTS
from .menu import Menu, meant, menu_of, stepped
from .moment import COURSE
from .pending_action import can_wait
from .reasons import reasons
from .seat import PlayerSeat
from .settings import WindowSettings, write_settings
from .worker import TableWorker

_STAND_IN = "strategist"


class ScreenSession:
    """The seats of the people who play at this screen, one of which is shown."""

    def __init__(
        self,
        replay: ReplayFeed,
        worker: TableWorker,
        settings: WindowSettings,
        settings_file: Path,
        *,
        opens_hands: bool = False,
    ) -> None:
        self.replay, self.worker, self.settings = replay, worker, settings
        self._file = settings_file
        self._opens_hands = opens_hands
        people = worker.table.people
        self.decliner = OfferDecliner(worker.clock)
        self.seat = self._seat_of(people[0])
        self.curtain = people[0] if len(people) > 1 else ""
        """The colour of the person who has to sit down before a hand is shown again; empty if nobody has to."""
        self.dialog = ""
        self.notice = ""
        self.failure = ""
        self.goes_to = ""
        """Where the person wants to go from here: to a ``new`` table, or ``away``; empty to stay."""
        self._leaves_to = ""
        """Where the person goes from here as soon as what was done has been sent; empty to stay."""
        self._has_ended = False
        """Whether the end of the game has been shown."""

    def _seat_of(self, colour: str) -> PlayerSeat:
        return PlayerSeat(self.replay, self.worker, colour, self._declining)

    def _show_cards(self) -> None:
        """Show the game as the person who sits here knows it, if several people take turns."""
        if len(self.worker.table.people) > 1:
            self.replay.feed.choose(self.seat.colour)

    def _declining(self, colour: str) -> DeclineRules:
        """The rules by which offers are declined for the player of this colour."""
        return self.decliner.of(colour, unpayable=self.settings.declines)

    def start(self) -> None:
        """Begin to read, and to play."""
        self.replay.feed.start()
        self.worker.start(self.settings.pace_s)

    def stop(self) -> None:
        """Leave the table."""
        self.worker.stop()
        self.replay.feed.stop()

    def leave(self, to: str = "away") -> None:
        """Go ``away`` or to a ``new`` table, once all actions are sent; a second call goes at once."""
        self.seat.send_held(at_once=True)
        if self._is_sent or self._leaves_to or self.failure:
            self.goes_to = to
            return
        self._leaves_to = to
        # A policy that plays for a person would make more actions to send.
        for colour in [*self.worker.played]:
            self.worker.hand(colour, None)
        self._open("leaving")

    @property
    def _is_sent(self) -> bool:
        return self.worker.has_sent and not (self.seat.is_busy and self._has_others)

    @property
    def _has_others(self) -> bool:
        """Whether other players are elsewhere."""
        seats = 0 if self.replay.recording is None else len(self.replay.recording.seats)
        return 0 < self.worker.seats_here < seats

    @property
    def can_talk(self) -> bool:
        """Whether there is a chat, and somebody elsewhere to talk to."""
        return self.worker.table.sit.has_chat and self._has_others

    @property
    def is_on_turn(self) -> bool:
        """Whether the game waits for the person who sits here."""
        return self.seat.state is not None and self.seat.moment.is_mine and not self.seat.is_busy and not self.curtain

    # Choices

    def choose(self, choice: SeatChoice) -> None:
        """Make a choice."""
        if self.seat.is_busy:
            return
        self.notice = ""
        self.replay.view = replace(self.replay.view, notice=None)
        then, deal = choice.then, self.seat.draft.deal
        if then is None:
            self.notice = choice.refusal
            return
        self._learn(self.seat.moment.hint)
        if isinstance(then, SeatRequest):
            self.wish(then)
            return
        if isinstance(then, ActionDraft):
            if then.ask is None or self.settings.asks:
                self.seat.prepare(choice, then)
                return
            deal, then = then.deal, then.ask
        if self.settings.undo_s and can_wait(then):
            self.seat.hold(then, deal, self.settings.undo_s)
        else:
            self.seat.carry_out(then, deal)

    def _learn(self, hint: str) -> None:
        """Note that a hint has been followed, so that it is not shown again."""
        if hint in HINTS and hint not in self.settings.seen_hints:
            self.settings.seen_hints += (hint,)
            write_settings(self._file, self.settings)

    def wish(self, wish: SeatRequest) -> None:
        """Carry out a request that is no action of the game."""
        match wish.name:
            case "now" if self.replay.recording is not None:
                last = self.replay.recording.last
                self.replay.view = replace(self.replay.view, index=last, live=True, row_top=None)
            case "undo":
                self.seat.held = None
            case "send now":
                self.notice = self.seat.send_held(at_once=True)
            case "play for me":
                self.seat.send_held(at_once=True)
                self.worker.hand(self.seat.colour, None if self.seat.is_played else _STAND_IN)
                self.seat.draft = NOTHING
            case "settings" | "keys" | "rules" | "history":
                self._open(wish.name)
            case "log":
                view = self.replay.view
                self.replay.view = replace(view, tab="players" if view.tab == "log" else "log")
            case "say" if self.can_talk:
                self._open("talk")
            case "decline turn" | "decline":
                self.decliner.change(self.seat.colour, wish.name.removeprefix("decline "), int(wish.value))
            case "leave":
                self.leave()
            case "new_game":
                self.leave("new")

    def resize(self, by: int) -> None:
        """Make texts larger or smaller by this many steps."""
        self.settings.resize(by)
        write_settings(self._file, self.settings)

    # Dialogs

    def _open(self, dialog: str) -> None:
        self.dialog, self.seat.focused = dialog, None

    @property
    def is_covered(self) -> bool:
        """Whether a dialog or the curtain lies over the table."""
        return bool(self.dialog or self.shown_curtain)

    @property
    def shown_curtain(self) -> str:
        """The ``curtain``, once there is a hand to hide."""
        return self.curtain if self.seat.state is not None else ""

    @property
    def menu(self) -> Menu:
        """The menu of the open dialog."""
        state, recording = self.seat.state, self.replay.recording
        is_over = state is not None and recording is not None and state.is_over
        winner = recording.name(state.ap) if is_over and recording and state else ""
        return menu_of(self.dialog, self.settings, self.failure, self.shown_curtain, winner)

    @property
    def is_typing(self) -> bool:
        """Whether typed letters go to the line of the chat."""
        return self.dialog == "talk"

    def type(self, text: str) -> None:
        """Add a text to the line of the chat."""
        if self.is_typing:
            self.worker.talk.type(text)

    def press(self, key: str) -> None:
        """Handle a key while a dialog is open; the letters of a message come to ``type``."""
        if self.dialog == "talk":
            if key == "Backspace":
                self.worker.talk.erase()
            if key not in ("Enter", "Escape", "Tab", "Shift+Tab"):
                return
        items, seat = self.menu.items, self.seat
        if key in ("Tab", "Down", "Shift+Tab", "Up"):
            seat.focused = stepped([item.id for item in items], seat.focused, 1 if key in ("Tab", "Down") else -1)
        elif (item := meant(items, seat.focused, key)) is not None:
            self.obey(item.id)
        elif key == "Escape" and self.dialog in ("settings", "keys", "rules", "history"):
            self._open("")

    def obey(self, target: TargetId) -> None:
        """Carry out a line of a dialog."""
        match target:
            case ("set" | "talk", "close"):
                self._leaves_to = ""
                self._open("")
            case ("talk", "send"):
                if text := self.worker.talk.send():
                    self.worker.give(SayToAll(self.seat.colour, text))
            case ("set", str(name)):
                self.settings.change(name)
                write_settings(self._file, self.settings)
                if name == "pace":
                    self.worker.give(SetPace(self.settings.pace_s))
            case ("again",):
                self.leave("new")
            case ("begin", "leave"):
                self.leave(self._leaves_to or "away")
            case ("curtain", str(colour)):
                self.seat, self.curtain = self._seat_of(colour), ""
                self._show_cards()

    # News

    def tick(self) -> None:
        """Handle the news of the worker, and take account of the newest state."""
        for news in self.worker.news(self.seat.colour):
            self._hear(news)
        self._veil()
        if self.seat.state is not None:
            self.notice = self.seat.send_held() or self.seat.follow(self.seat.state) or self.notice
            self._decline(self.seat.state)
            self._change_seats(self.seat.state)
            if self.seat.state.is_over:
                self._end()
        if self._leaves_to and self._is_sent:
            self.goes_to = self._leaves_to

    def _decline(self, state: State) -> None:
        """Decline offers for the people here who want that, but not for one who is making a counter-offer."""
        recording, seat = self.replay.recording, self.seat
        assert recording is not None
        self.decliner.follow(state)
        # Without players elsewhere, nobody learns from a quick decline.
        is_alone = self.worker.seats_here >= len(recording.seats)
        for player, colour in ((one.player, one.colour) for one in recording.seats):
            if colour not in self.worker.table.people or colour in self.worker.played:
                continue
            if colour == seat.colour and (seat.is_busy or seat.held or seat.draft.mode == "propose"):
                continue
            if self.decliner.decline(state, player, colour, self._declining(colour), at_once=is_alone):
                reject = AnswerTrade(player, "reject")
                self.worker.give(CarryOut(colour, reject, deal_in(state, reject)))

    def _end(self) -> None:
        """After the game, stop playing for the person, and show the history once."""
        if self.seat.is_played:
            self.worker.hand(self.seat.colour, None)
        if not self._has_ended:
            self._has_ended = True
            if not self.dialog:
                self._open("history")

    def _veil(self) -> None:
        """Hide the hands of all but the person who sits here, unless they are to be open; after the game they are."""
        recording, state = self.replay.recording, self.seat.state
        if recording is not None and state is not None:
            shows = self.worker.table.knows_all and (self._opens_hands or state.is_over)
            seen = set() if self.curtain else {self.seat.player}
            hidden = frozenset() if shows else frozenset(state.constants.players) - seen
            if hidden != recording.veiled:
                self.replay.recording = recording.veil(hidden)

    def _hear(self, news: News) -> None:
        seat = self.seat
        match news:
            # An LMU server may give the person another colour than the one asked for.
            case PeersSeated(((colour, _, _),)) if (colour,) != self.worker.table.people:
                self.worker.table.people = (colour,)
                self.seat = self._seat_of(colour)
            case ActionRefused(colour) | ActionDone(colour) if self.decliner.is_answer(colour):
                pass  # nobody has clicked, so there is nothing to say
            case ActionRefused(_, words, guards):
                seat.end_waiting()
                told = reasons(seat.state, seat.done, guards) if guards and seat.done and seat.state else ""
                self.notice = told or words
            case NotSaid(_, _, words):
                self.notice = words
            case TableFailed(words):
                seat.end_waiting()
                if self.replay.recording is not None and self.worker.restart(self.settings.pace_s):
                    self.notice = f"{words}; it is started again"
                else:
                    self.failure, self.dialog = words, "failure"
            case ActionDone() if isinstance(seat.done, Excuse | Claim):
                seat.end_waiting()
                seat.done, self.notice = None, ""
            case ActionDone():
                seat.done_on = len(self.replay.recording or ())

    def _change_seats(self, state: State) -> None:
        """If several people play here, call the next one to the screen when the game waits for them."""
        people, recording = self.worker.table.people, self.replay.recording
        if len(people) < 2 or state.is_over or state.tp in COURSE or self.seat.is_busy or recording is None:
            return
        waiting = [recording.colour(player) for player in awaited(state)]
        numbers = {one.colour: one.player for one in recording.seats}
        here = [
            colour
            for colour in waiting
            if colour in people
            and colour not in self.worker.played
            and not self._declining(colour).covers(state, numbers[colour])
        ]
        if here and self.seat.colour not in here:
            self.curtain = here[0]
