"""What a peer prints while it plays: every action in words, which remotes cannot be reached, whom it waits for."""

import json
import sys
import time

from catan_p2p import durations
from catan_p2p.cli.output import emit, end_progress, say, show_progress, tell
from catan_p2p.game.scoring import player_points
from catan_p2p.game.state import State
from catan_p2p.log.evidence import RefusedCommit, refusal_in_words
from catan_p2p.log.verdict import LoggedStep
from catan_p2p.log.views.messages import ViewMessage
from catan_p2p.replication.chat import ChatMessage
from catan_p2p.replication.core.source import PLACE
from catan_p2p.replication.play import unheard, waiting_for
from catan_p2p.replication.prospects import Standing, back_in_words, is_left_out, left_out_in_words, newest_at
from catan_p2p.replication.replica import Replica
from catan_p2p.replication.voting import VotingDuty
from catan_p2p.safe_text import shown
from catan_p2p.sentences import listed
from catan_p2p.tables.foreign_commits import describe_displaced
from catan_p2p.view.events import ChangeSigned, Event
from catan_p2p.view.observe import observe
from catan_p2p.view.words import EventWording, in_words

_WORTH_TELLING = 4
"""A remote is reported after this many failures in a row."""
_TELL_EVERY_S = 0.5
"""The least time between two lines of progress, and before the peer says whose answers it needs to begin."""
_LONG_S = 10.0
"""Waiting this long without news is reported; the next report comes after twice that time, and so on."""


class ReplicaNarration:
    """Reports what ``replica`` does: in words on standard error, and the progress as JSON on standard output."""

    def __init__(self, replica: Replica, colour: str, *, tells_steps: bool, tells_progress: bool) -> None:
        self._replica = replica
        self._called = replica.game.called
        self._colour, self._own = colour, self._called[colour]
        self._tells_progress = tells_progress
        self._names = replica.game.names
        self._telling = EventWording(self._names, replica.game.constants.board)
        self._trouble: dict[str, str | None] = {}
        self._awaited: set[str] = set()
        """Those of whom something was missing when they were told of last."""
        self._printed_at, self._printed = 0.0, 0
        self._displaced = 0
        self._begun, self._has_asked = time.monotonic(), False
        self._news_at, self._known, self._told_after_s = time.monotonic(), len(replica.graph), _LONG_S
        self._said, self._is_left_out = list[str](), False
        replica.tell_refusal = self._tell_refusal
        if tells_steps:
            replica.tell_step = self._tell_step
            if replica.chat is not None:
                replica.chat.tell = self._tell_message

    def begin(self) -> None:
        """Say where the game stands, and which players have no remote."""
        actions = self._replica.graph.action_count
        what = f"goes on after {actions} actions" if actions else "begins"
        tell(f"{self._own} {what}: {', '.join(self._names)}; waiting for {waiting_for(self._replica)}")
        reached = {neighbour.colour for neighbour in self._replica.neighbours}
        colours = [seat.colour for seat in self._replica.game.seats]
        lacking = [colour for colour in colours if colour != self._colour and colour not in reached]
        if lacking:
            whose = listed([self._called[colour] for colour in lacking])
            say(f"no remote of {whose}: give --remote {lacking[0]}=URL to hear of what they do")

    def __call__(self, voting: VotingDuty, what: str) -> None:
        """Called by ``play`` whenever it has polled the others or acted."""
        if self._tells_progress:
            self._print_progress()
        self._tell_displaced()
        self._tell_trouble()
        self._tell_unheard()
        self._tell_waiting(voting)
        points = ", ".join(f"{name} {self._points(player)}" for player, name in enumerate(self._names, 1))
        actions = self._replica.graph.action_count
        show_progress(f"{self._own}: {actions} actions, {points} | waiting for {waiting_for(self._replica)}")

    def _points(self, player: int) -> int:
        return player_points(self._replica.graph.state, player)

    def _tell_step(self, step: LoggedStep, before: State) -> None:
        who = self._names[step.action.player - 1]
        action = step.action
        if isinstance(action, ViewMessage):
            events: tuple[Event, ...] = (ChangeSigned(action.player, action.kind, action.waits),)
        else:
            events = observe(action, before, step.state, step.entry.shows)
        words = in_words(events, self._telling)
        end_progress()
        tell(f"{len(self._replica.graph):5} {step.commit[:10]} {who:{max(map(len, self._names))}} {words}")

    def _tell_message(self, message: ChatMessage) -> None:
        end_progress()
        tell(shown(f"{self._called[message.colour]} says: {message.text}"))

    def _tell_refusal(self, refusal: RefusedCommit) -> None:
        end_progress()
        say(refusal_in_words(refusal.as_json(), self._called))

    def _print_progress(self) -> None:
        now, actions = time.monotonic(), self._replica.graph.action_count
        if actions != self._printed and now - self._printed_at >= _TELL_EVERY_S:
            self._printed_at, self._printed = now, actions
            emit(json.dumps([actions, [self._points(player) for player in self._replica.game.constants.players]]))
            sys.stdout.flush()

    def _tell_displaced(self) -> None:
        displaced = self._replica.store.displaced
        for one in displaced[self._displaced :]:
            end_progress()
            say(describe_displaced(one))
        self._displaced = len(displaced)

    def _tell_trouble(self) -> None:
        relay = self._replica.relay
        for neighbour in self._replica.neighbours:
            # A relay that cannot be reached is reported once, not for each player who is read there.
            is_the_relays = relay is not None and neighbour.place == PLACE and relay.trouble is not None
            if not is_the_relays or neighbour.trouble is None:
                self._tell_change(neighbour.colour, neighbour.note, neighbour.failures, neighbour.is_waiting)
        if relay is not None:
            self._tell_change(PLACE, relay.trouble, relay.backoff.failures)

    def _tell_change(self, whose: str, now: str | None, failures: int, is_waiting: bool = False) -> None:
        if now != self._trouble.get(whose) and not 0 < failures < _WORTH_TELLING:
            self._trouble[whose] = now
            end_progress()
            again = "it has arrived" if whose in self._awaited else "reached again"
            say(shown(f"{self._called.get(whose, whose)}: {now or again}"))
            (self._awaited.add if is_waiting else self._awaited.discard)(whose)

    def _tell_unheard(self) -> None:
        # After a short while only: usually all answer at once.
        catch_up = self._replica.catch_up
        if self._has_asked or catch_up.is_over or time.monotonic() - self._begun < _TELL_EVERY_S:
            return
        self._has_asked = True
        end_progress()
        unheard = listed([self._called[colour] for colour in catch_up.unheard]) or "the others (no --remote is given)"
        say(
            f"before it acts, {self._own} must hear from {unheard} how far its own log is known there; "
            "if this repository is the newest for sure, --alone goes on without"
        )

    def _tell_waiting(self, voting: VotingDuty) -> None:
        replica, graph, now = self._replica, self._replica.graph, time.monotonic()
        was, self._is_left_out = self._is_left_out, is_left_out(graph, replica.player) and not graph.state.is_over
        if self._is_left_out != was and not graph.state.is_over:
            end_progress()
            if self._is_left_out:
                tell(left_out_in_words(graph, replica.player))
            else:
                tell(back_in_words(graph, replica.player, replica.store.read, is_news=True))
        if len(graph) != self._known:
            self._news_at, self._known, self._told_after_s, self._said = now, len(graph), _LONG_S, []
        if (passed_s := now - self._news_at) < _LONG_S:
            return
        standing = Standing(graph, replica.player, 0, voting.prospects())
        # Less time left is no change; no time left is one.
        steady = tuple(one._replace(left_s=float(one.left_s > 0)) for one in standing.prospects)
        before, self._said = self._said, standing._replace(prospects=steady).sentences()
        if passed_s >= self._told_after_s or before != self._said:
            end_progress()
            standing = standing._replace(since_s=newest_at(graph, replica.store.read))
            waiting = f"for {durations.passed(passed_s)} nothing new: {standing.waiting(unheard(replica))}"
            tell("\n".join((waiting, *(standing.sentences() if before != self._said else ()))))
            self._told_after_s = 2 * passed_s
