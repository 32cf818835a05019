"""A peer's main loop: look, act, wait, until the game is over and everybody knows."""

from __future__ import annotations

import errno
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from catan_p2p.game.constants import Player
from catan_p2p.game.rules import awaited
from catan_p2p.log.refs import remote_ref
from catan_p2p.log.storage.objects import ObjectDamaged, ObjectId, StoreError
from catan_p2p.log.transport.pacing import quiet_pause_s
from catan_p2p.log.verdict import LoggedStep
from catan_p2p.replication.coroutines import LookPause, Waiting, carried_out
from catan_p2p.replication.prospects import awaited_in, is_left_out
from catan_p2p.replication.replica import Replica
from catan_p2p.replication.voting import VotingDuty
from catan_p2p.sentences import listed
from catan_p2p.time_source import SYSTEM_TIME, TimeSource

_ANSWER_S = 0.1
"""How long to wait for answers of remotes; later ones are taken in when they come."""
_EVERYBODY_EVERY_S = 0.1
"""The longest time between looks at players whose move is not awaited."""
_FOLDER_S = 0.02
_LINGER_S = 3.0
"""How long a serving peer stays after everybody knows the end: others may not have fetched everything yet."""
_LEAST_LOOKS = 5.0
"""Nobody is voted on whose silence is shorter than this many looks at the others."""
_FULL = (errno.ENOSPC, errno.EDQUOT)
_REFUSES = (errno.EIO, errno.EROFS)
"""Errors of a disk that may accept writes again, once it is remounted or plugged in again."""
_FULL_TO_GIT = ("No space left on device", "Disk quota exceeded")
_REFUSES_TO_GIT = ("Input/output error", "Read-only file system")
_ROOM_S, _ROOM_MOST_S = 0.2, 2.0
"""How often to try whether a full disk has room again."""
T = TypeVar("T")


STAY_S = 150.0
"""How long a peer stays after the end: longer than twice the minute that a peer waits for a lost pack."""


@dataclass(slots=True)
class LookPace:
    """How a peer paces itself: the longest pause between two looks, and how long it stays after the end.

    With ``max_wait_s`` None the remotes decide: short for folders that must be looked at, else up to a second.
    """

    max_wait_s: float | None = None
    stay_s: float = STAY_S
    """How long a peer looks on after the end for players who do not seem to know of it."""
    serves: bool = False
    max_s: float | None = None
    """The total time after which it stops, wherever the game is; None: never."""
    patience_s: float | None = None
    """How long to wait for a player before a vote on going on without them, longer over slow links; None: for ever."""
    answers_s: float | None = None
    """How long an own offer waits for optional answers; None: half of the patience."""
    max_actions: int | None = None
    """The number of actions at which it stops a game that is not over, and does not act any more; None: never."""
    first_wait_s: float = 0.001
    """The shortest pause, after something new; see ``pacing.quiet_pause_s`` for the next ones."""


@dataclass(slots=True)
class PlayReport:
    """What a peer has done, in seconds and bytes, since its start."""

    head: ObjectId
    is_over: bool
    everybody_knows: bool
    acted: int
    received: int
    fetches: int
    bytes_received: int
    looks: int
    refusals: int
    findings: int
    mistakes: int
    computing_s: float
    synchronizing_s: float
    waiting_s: float
    elapsed_s: float


Told = Callable[[VotingDuty, str], None]
"""Called with the peer's current activity, in a few words."""


Thinking = Callable[[Replica], float]
"""Returns how long, in seconds, a player thinks about the next action."""


def _nobody(commit: ObjectId) -> None:
    """Ignore the commit."""


def _at_once(replica: Replica) -> float:
    """Return 0: a program need not think."""
    return 0.0


def play(
    replica: Replica,
    pace: LookPace,
    told: Told | None = None,
    acknowledge: Callable[[ObjectId], None] = _nobody,
) -> PlayReport:
    """Play until the game is over, and all neighbours are known to have seen the end or have had time to.

    ``acknowledge`` is called with every own commit once nothing can undo it any more. Raises ``GaveUp``, and
    ``StoreError`` if the repository cannot be written; a disk that only refuses for now (``may_pass``) is waited for.
    Whatever ends the game, acknowledged commits stay.
    """
    return carried_out(playing(replica, pace, told, acknowledge), replica.pause)


def playing(
    replica: Replica,
    pace: LookPace,
    told: Told | None = None,
    acknowledge: Callable[[ObjectId], None] = _nobody,
    thinking: Thinking = _at_once,
) -> Waiting[PlayReport]:
    """The same, with its pauses left to the caller; before its moves it is ``thinking``."""
    life = PeerLife(replica, pace, told, acknowledge, thinking=thinking)
    while not life.is_done():
        if not (yield from life.turning()):
            yield from life.pausing()
    return (yield from life.reporting())


Act = Callable[[Replica], Sequence[LoggedStep]]
"""Acts for a seat that is awaited; returns the written commits, none if nothing is decided yet."""


class PeerLife:
    """A peer's main loop in turns, so that several can run side by side; ``act`` decides, by default the chooser."""

    def __init__(
        self,
        replica: Replica,
        pace: LookPace,
        told: Told | None = None,
        acknowledge: Callable[[ObjectId], None] = _nobody,
        act: Act | None = None,
        *,
        thinking: Thinking = _at_once,
    ) -> None:
        self._time = replica.time
        self._thinking = thinking
        self._thinks_until: float | None = None
        """Until when this player, whose move is awaited, thinks about it."""
        self._acknowledge = acknowledge
        self._act_now: Act = act or self._choose
        self._replica = replica
        self.voting = VotingDuty(replica, self._time)
        self.pace = pace
        self._told = told
        self._begin = self._time.monotonic()
        self._acted = 0
        self._computing_s = 0.0
        self._synchronizing_s = 0.0
        self._wait_s = pace.first_wait_s
        self._lacks_room = False
        self._news_at = self._time.monotonic()
        self._everybody_at = 0.0
        self._over_since = 0.0
        self._over_at: ObjectId | None = None
        """The commit at which the game has been over since ``_over_since``."""
        self._all_know_since: float | None = None

    def turn(self) -> bool:
        """Look, and act if awaited and decided; return whether anything is new. Wait for a disk that refuses."""
        return carried_out(self.turning(), self._replica.pause)

    def turning(self) -> Waiting[bool]:
        """The same, with its pauses left to the caller."""
        try:
            moved = yield from self._look()
            moved |= self._act()
            moved |= self._vote()
            if not moved:
                # What could not be published while the disk was full would wait for the next action otherwise.
                self._replica.store.publish()
        except StoreError as error:
            if not may_pass(error):
                raise
            self._tell(_waiting_words(error))
            self._wait_s = min(2 * self._wait_s, _ROOM_MOST_S) if self._lacks_room else _ROOM_S
            self._lacks_room = True
            return False
        self._lacks_room = False
        if moved:
            self._wait_s, self._news_at = self._first_wait_s, self._time.monotonic()
        return moved

    def pausing(self) -> Waiting[None]:
        """Wait for news: longer the longer there were none."""
        self.voting.pause_s = self._pause_s()
        # What others have answered makes no room: who waited for that would try again without a pause.
        yield LookPause(self.voting.pause_s, for_news=not self._lacks_room)
        if self._lacks_room:
            return
        since_s = self._time.monotonic() - self._news_at
        self._wait_s = quiet_pause_s(since_s, self._first_wait_s, self._max_wait_s)

    @property
    def _first_wait_s(self) -> float:
        """The shortest pause between two looks: the longest one where all others announce what they publish."""
        is_told = self._replica.relay is None and all(
            one.is_watched and one.remote.is_telling for one in self._replica.neighbours
        )
        return self._max_wait_s if is_told else self.pace.first_wait_s

    @property
    def _max_wait_s(self) -> float:
        """The longest pause between two looks: short if a folder must be looked at to see whether anything is new."""
        neighbours = self._replica.neighbours
        is_cheap = all(n.remote.is_folder for n in neighbours) and not all(n.is_watched for n in neighbours)
        return self.pace.max_wait_s or (_FOLDER_S if is_cheap else 1.0)

    def _pause_s(self) -> float:
        """How long to wait: no longer than this player thinks."""
        left_s = 0.0 if self._thinks_until is None else self._thinks_until - self._time.monotonic()
        return min(self._wait_s, left_s) if left_s > 0 else self._wait_s

    def _look(self) -> Waiting[bool]:
        replica = self._replica
        begin = self._time.monotonic()
        everybody = begin >= self._everybody_at or replica.graph.state.is_over
        found = yield from replica.synchronizing(everybody, _ANSWER_S)
        if everybody:
            self._tell("looked")
            self._everybody_at = self._time.monotonic() + max(_EVERYBODY_EVERY_S, self._max_wait_s)
        if found:
            if not replica.is_awaited:
                # A player who is awaited publishes with the own action instead, which saves a pack.
                replica.store.publish()
            self._synchronizing_s += self._time.monotonic() - begin
            self._tell(f"{found} new")
        return bool(found)

    def _act(self) -> bool:
        replica = self._replica
        if replica.graph.state.is_over:
            if not self._has_ended:
                replica.fast_forward()  # a full disk may refuse it, then it is tried again
                self._over_at, self._over_since = replica.graph.head, self._time.monotonic()
                self._all_know_since = None
            if not replica.is_awaited:
                return False
        if not (replica.is_awaited or self._is_unanswered()):
            self._thinks_until = None
            return False
        if self._thinks():
            return False
        begin = self._time.monotonic()
        steps = self._act_now(replica)
        self._computing_s += self._time.monotonic() - begin
        self._acted += len(steps)
        if steps and self._acknowledge is not _nobody:
            # Nothing is acknowledged that a loss of power could still undo.
            replica.store.sync()
            for step in steps:
                self._acknowledge(step.commit)
        self._tell(f"acted {len(steps)}")
        return bool(steps)

    @property
    def _has_ended(self) -> bool:
        """Whether the own log is where the game is over: the end may have been on a side that did not survive."""
        return self._over_at == self._replica.graph.head

    def _is_unanswered(self) -> bool:
        """Whether an own offer has waited long enough for optional answers.

        A player who waited for a silent one as long as the others do would count as silent, too.
        """
        replica, answers_s = self._replica, self.pace.answers_s
        state = replica.graph.state
        is_own = state.tp == "Offering" and replica.may_settle
        if not is_own or replica.is_awaited or not replica.catch_up.is_over:
            return False
        silent_s = self.voting.clock.silent_s
        patience_s = self._patience_s or self.voting.table_patience_s
        if patience_s and (silent_s >= patience_s / 2 or self.voting.is_late(patience_s)):
            return True
        return answers_s is not None and silent_s >= answers_s

    def _choose(self, replica: Replica) -> Sequence[LoggedStep]:
        """Let the chooser act."""
        return replica.act(self.pace.max_actions) if replica.is_awaited else [replica.act_one()]

    def _thinks(self) -> bool:
        """Whether this player, whose move is awaited, is still thinking."""
        if self._thinking is _at_once or not self._replica.catch_up.is_over:
            return False
        if self._thinks_until is None:
            self._thinks_until = self._time.monotonic() + self._thinking(self._replica)
        return self._time.monotonic() < self._thinks_until

    def _vote(self) -> bool:
        steps = self.voting.go_on(self._patience_s)
        self._acted += len(steps)
        for step in steps:
            self._tell(f"{type(step.action).__name__.lower()} {step.commit[:10]}")
        return bool(steps)

    @property
    def _patience_s(self) -> float | None:
        """The silence after which this peer votes, None: never."""
        patience_s = self.pace.patience_s
        return None if patience_s is None else max(patience_s, _LEAST_LOOKS * self._replica.longest_look_s)

    def _tell(self, what: str) -> None:
        if self._told is not None:
            self._told(self.voting, what)

    def is_done(self) -> bool:
        """Whether the game is closed and everybody knows, with hidden cards opened, or has had time to.

        Also true once the time is over.
        """
        now = self._time.monotonic()
        if self.pace.max_s is not None and now - self._begin > self.pace.max_s:
            return True
        if not self._has_ended:
            return self._replica.is_capped(self.pace.max_actions) and not self._replica.graph.state.is_over
        # The others may still need this peer's vote.
        if self._replica.graph.state.tp == "Signing" and not is_left_out(self._replica.graph, self._replica.player):
            return False
        is_opened = not awaited(self._replica.graph.state)
        if is_opened and self.everybody_knows() and self._replica.has_pushed_all:
            if not self.pace.serves:
                return True
            if not self._everybody_has_opened() and now - self._over_since < self.pace.stay_s:
                return False
            if self._all_know_since is None:
                self._all_know_since = now
            return now - self._all_know_since >= self._linger_s
        return now - self._over_since >= self.pace.stay_s

    @property
    def _linger_s(self) -> float:
        """How long to stay once everybody knows the end: players who were left behind may want to know it, too."""
        is_left = any(self._replica.graph.state.away)
        return max(_LINGER_S, _LEAST_LOOKS * self._replica.longest_look_s) if is_left else _LINGER_S

    def _everybody_has_opened(self) -> bool:
        """Whether all others have the opened cards, or are gone; players at a relay read them there."""
        return not self._replica.opens_cards or all(
            one.has_opened or one.trouble is not None or one.place != one.colour for one in self._replica.neighbours
        )

    def everybody_knows(self) -> bool:
        """Whether all others, except those left behind, are known to have the newest commit."""
        away = self._replica.graph.state.away
        return all(knows_head(self._replica, n.player) for n in self._replica.neighbours if not away[n.player - 1])

    @property
    def _elapsed_s(self) -> float:
        return self._time.monotonic() - self._begin

    def reporting(self) -> Waiting[PlayReport]:
        """Report what was done, after publishing what is written."""
        replica = self._replica
        self.voting.keep()
        now = self._time.monotonic()
        until = None if self.pace.max_s is None else now + max(0.0, self.pace.max_s - self._elapsed_s)
        yield from waiting_for_room(replica.store.publish, lambda words: self._tell(words), until, self._time)
        if replica.relay is not None and not (yield from replica.relay.flushing(replica.store, replica.graph)):
            self._tell("left before everything was pushed")
        elapsed_s = self._elapsed_s
        return PlayReport(
            head=replica.graph.head,
            is_over=replica.graph.state.is_over,
            everybody_knows=self.everybody_knows(),
            acted=self._acted,
            received=sum(sync.commits for sync in replica.syncs),
            fetches=sum(n.remote.fetches for n in replica.neighbours),
            bytes_received=sum(n.remote.bytes_received for n in replica.neighbours),
            looks=replica.looks,
            refusals=replica.refusals,
            findings=len(replica.findings),
            mistakes=replica.mistakes,
            computing_s=self._computing_s,
            synchronizing_s=self._synchronizing_s,
            waiting_s=elapsed_s - self._computing_s - self._synchronizing_s,
            elapsed_s=elapsed_s,
        )


def knows_head(replica: Replica, player: Player) -> bool:
    """Whether another player's own log is known to be at the newest commit of the line; with views, to lead to it."""
    branch, graph = replica.game.branch(player), replica.graph
    colour = replica.game.seats[player - 1].colour
    known = replica.store.own_ref(remote_ref(colour, branch))
    if known == graph.head or known is None or not graph.game.has_views:
        return known == graph.head
    return known in graph and graph.valid.leads(known, graph.head)


def is_full(error: BaseException) -> bool:
    """Whether the disk, or the user's quota, is full, according to the system or Git."""
    return _says(error, _FULL, _FULL_TO_GIT)


def may_pass(error: BaseException) -> bool:
    """Whether a disk that refuses writes may accept them later: it is full, read-only, or failing.

    Data that cannot be read do not recover: the next start repairs them.
    """
    if isinstance(error, ObjectDamaged):
        return False
    return is_full(error) or _says(error, _REFUSES, _REFUSES_TO_GIT)


def _says(error: BaseException, numbers: Sequence[int], words: Sequence[str]) -> bool:
    cause = error.__cause__
    return (isinstance(cause, OSError) and cause.errno in numbers) or any(word in str(error) for word in words)


def _waiting_words(error: StoreError) -> str:
    return f"waiting for {'free space' if is_full(error) else 'the disk'}: {error}"


def once_there_is_room(
    do: Callable[[], T], tell: Callable[[str], None], until: float | None = None, time: TimeSource = SYSTEM_TIME
) -> T:
    """Return what ``do`` returns, retrying while the disk refuses (``may_pass``), but not after ``until``."""
    return carried_out(waiting_for_room(do, tell, until, time), lambda wait: time.sleep(wait.most_s))


def waiting_for_room(
    do: Callable[[], T],
    tell: Callable[[str], None],
    until: float | None,
    time: TimeSource,
) -> Waiting[T]:
    """The same, with its pauses left to the caller."""
    told = False
    while True:
        try:
            return do()
        except StoreError as error:
            if not may_pass(error) or (until is not None and time.monotonic() >= until):
                raise
            if not told:
                tell(_waiting_words(error))
                told = True
            yield LookPause(_ROOM_S, for_news=False)


def waiting_for(replica: Replica) -> str:
    """The players whose move is awaited, in words."""
    called = [*replica.game.called.values()]
    return listed([called[player - 1] for player in awaited_in(replica.graph)]) or "nobody"


def unheard(replica: Replica) -> str:
    """A remark about awaited players whose log was never seen; empty if there are none."""
    names = [
        name
        for player, (colour, name) in enumerate(replica.game.called.items(), 1)
        if player in awaited_in(replica.graph)
        and player != replica.player
        and replica.store.read_ref(remote_ref(colour, replica.game.branch(player))) is None
    ]
    return f" (no commit of {listed(names)} was ever seen here)" if names else ""
