"""A peer's life: look, act, wait, until the game is over and everybody knows."""

from __future__ import annotations

import errno
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from time import monotonic, perf_counter, sleep
from typing import TypeVar

from catan_p2p.constants import Player
from catan_p2p.log.graph import Step
from catan_p2p.log.refs import remote_ref
from catan_p2p.log.storage.objects import ObjectId, StoreError
from catan_p2p.replication.replica import Replica
from catan_p2p.rules import awaited

_PATIENCE_S = 0.1
"""So long the answers of remotes are waited for; what comes later is taken in when it has come."""
_FIRST_WAIT_S = 0.001
_PATIENCE = 0.1
"""The pause between two looks is this part of the time since there was something new."""
_EVERYBODY_EVERY_S = 0.1
"""How often those are looked at whose move is not awaited, at least."""
_LINGER_S = 3.0
"""How long a peer that serves stays after everybody has told it the end: others may not have heard of all yet."""
_FULL = (errno.ENOSPC, errno.EDQUOT)
_FULL_TO_GIT = "No space left on device"
_ROOM_S = 0.2
"""How often it is tried whether a full disk has room again."""
T = TypeVar("T")


@dataclass(slots=True)
class Pace:
    """How a peer waits: the longest pause between two looks, and how long it stays after the end.

    ``max_wait_s`` None chooses by the remotes: short for folders of this machine, up to a second otherwise.
    """

    max_wait_s: float | None = None
    stay_s: float = 60.0
    """How long a peer goes on looking after the end for those who do not seem to know of it."""
    serves: bool = False
    max_s: float | None = None
    """The whole time after which it stops, wherever the game is; None: never."""
    max_actions: int | None = None
    """So many actions after which it stops a game that is not over, and does not act any more; None: never."""


@dataclass(slots=True)
class PlayReport:
    """What a peer did, in seconds and bytes, since it was started."""

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
    computing_s: float
    synchronizing_s: float
    waiting_s: float
    elapsed_s: float


Told = Callable[[Replica, str], None]
"""Told what the peer does now, in a few words."""


def _nobody(commit: ObjectId) -> None:
    """Nobody is told."""


def play(
    replica: Replica,
    pace: Pace,
    told: Told | None = None,
    acknowledge: Callable[[ObjectId], None] = _nobody,
) -> PlayReport:
    """Play until the game is over and all neighbours are known to have seen the end, or have been waited for.

    ``acknowledge`` is told every own commit, once nothing can undo it any more. Raises ``StoreError`` if the repository
    cannot be written for another reason than a full disk, which is waited out,
    and ``GaveUp``. Whatever ends it, what was acknowledged stays so.
    """
    life = Life(replica, pace, told, acknowledge)
    while not life.is_done():
        if not life.turn():
            life.pause()
    return life.report()


Act = Callable[[Replica], Sequence[Step]]
"""How a seat acts when it is awaited: what it wrote, nothing if it has not decided yet."""


class Life:
    """A peer's life in turns, so that several can be led side by side; ``act`` decides, by default the chooser."""

    def __init__(
        self,
        replica: Replica,
        pace: Pace,
        told: Told | None = None,
        acknowledge: Callable[[ObjectId], None] = _nobody,
        act: Act | None = None,
    ) -> None:
        self._acknowledge = acknowledge
        self._act_now: Act = act or (lambda replica: replica.act(pace.max_actions))
        self._replica = replica
        self._pace = pace
        self._told = told
        self._begin = perf_counter()
        self._acted = 0
        self._computing_s = 0.0
        self._synchronizing_s = 0.0
        self._max_wait_s = pace.max_wait_s or (0.02 if all(n.remote.is_folder for n in replica.neighbours) else 1.0)
        self._wait_s = _FIRST_WAIT_S
        self._news_at = monotonic()
        self._everybody_at = 0.0
        self._over_since: float | None = None
        self._all_know_since: float | None = None

    def turn(self) -> bool:
        """Look, and act if that is awaited and decided; whether anything is new. A full disk is waited out."""
        try:
            moved = self._look() | self._act()
            if not moved:
                # What could not be published while the disk was full would wait for the next action otherwise.
                self._replica.store.publish()
        except StoreError as error:
            if not is_full(error):
                raise
            self._tell(f"waiting for room: {error}")
            self._wait_s = max(self._wait_s, 0.2)
            return False
        if moved:
            self._wait_s, self._news_at = _FIRST_WAIT_S, monotonic()
        return moved

    def pause(self) -> None:
        """Wait for news: the longer, the longer there were none."""
        self._replica.wait(self._wait_s)
        self._wait_s = min(max(_FIRST_WAIT_S, _PATIENCE * (monotonic() - self._news_at)), self._max_wait_s)

    def _look(self) -> bool:
        replica = self._replica
        everybody = monotonic() >= self._everybody_at or replica.graph.state.is_over
        begin = perf_counter()
        found = replica.synchronize(everybody, _PATIENCE_S)
        if everybody:
            self._tell("looked")
            self._everybody_at = monotonic() + max(_EVERYBODY_EVERY_S, self._max_wait_s)
        if found:
            if not replica.is_awaited:
                replica.store.publish()
            self._synchronizing_s += perf_counter() - begin
            self._tell(f"{found} new")
        return bool(found)

    def _act(self) -> bool:
        replica = self._replica
        if replica.graph.state.is_over:
            if self._over_since is None:
                self._over_since = monotonic()
                replica.fast_forward()
            return False
        if not replica.is_awaited:
            return False
        begin = perf_counter()
        steps = self._act_now(replica)
        self._computing_s += perf_counter() - begin
        self._acted += len(steps)
        if steps and self._acknowledge is not _nobody:
            replica.store.sync()
            for step in steps:
                self._acknowledge(step.commit)
        self._tell(f"acted {len(steps)}")
        return bool(steps)

    def _tell(self, what: str) -> None:
        if self._told is not None:
            self._told(self._replica, what)

    def is_done(self) -> bool:
        """Whether the game is over and everybody knows, or has been waited for; or the time is over."""
        now = monotonic()
        if self._pace.max_s is not None and perf_counter() - self._begin > self._pace.max_s:
            return True
        if self._over_since is None:
            return self._replica.is_capped(self._pace.max_actions) and not self._replica.graph.state.is_over
        if self._everybody_knows() and self._replica.has_pushed_all:
            if not self._pace.serves:
                return True
            if self._all_know_since is None:
                self._all_know_since = now
            return now - self._all_know_since >= _LINGER_S
        return now - self._over_since >= self._pace.stay_s

    def _everybody_knows(self) -> bool:
        return all(knows_head(self._replica, n.player) for n in self._replica.neighbours)

    @property
    def _elapsed_s(self) -> float:
        return perf_counter() - self._begin

    def report(self) -> PlayReport:
        """What was done; what is written is published."""
        replica = self._replica
        until = None if self._pace.max_s is None else monotonic() + max(0.0, self._pace.max_s - self._elapsed_s)
        once_there_is_room(replica.store.publish, lambda words: self._tell(words), until)
        if replica.relay is not None and not replica.relay.flush(replica.store, replica.graph):
            self._tell("left without having pushed all")
        elapsed_s = self._elapsed_s
        return PlayReport(
            head=replica.graph.head,
            is_over=replica.graph.state.is_over,
            everybody_knows=self._everybody_knows(),
            acted=self._acted,
            received=sum(sync.commits for sync in replica.syncs),
            fetches=sum(n.remote.fetches for n in replica.neighbours),
            bytes_received=sum(n.remote.bytes_received for n in replica.neighbours),
            looks=replica.looks,
            refusals=replica.refusals,
            findings=len(replica.findings),
            computing_s=self._computing_s,
            synchronizing_s=self._synchronizing_s,
            waiting_s=elapsed_s - self._computing_s - self._synchronizing_s,
            elapsed_s=elapsed_s,
        )


def knows_head(replica: Replica, player: Player) -> bool:
    """Whether another player's own log is known to be at the newest commit of the line."""
    branch = replica.game.branch(player)
    colour = replica.game.seats[player - 1].colour
    return replica.store.own_ref(remote_ref(colour, branch)) == replica.graph.head


def is_full(error: BaseException) -> bool:
    """Whether the disk, or the user's share of it, is full, as the system or Git has said."""
    cause = error.__cause__
    return (isinstance(cause, OSError) and cause.errno in _FULL) or _FULL_TO_GIT in str(error)


def once_there_is_room(do: Callable[[], T], tell: Callable[[str], None], until: float | None = None) -> T:
    """What ``do`` returns, tried again and again as long as the disk is full; not after ``until``, if that is given."""
    told = False
    while True:
        try:
            return do()
        except StoreError as error:
            if not is_full(error) or (until is not None and monotonic() >= until):
                raise
            if not told:
                tell(f"waiting for room: {error}")
                told = True
            sleep(_ROOM_S)


def waiting_for(replica: Replica) -> str:
    """Whose move is awaited, in words."""
    colours = [replica.game.seats[player - 1].colour for player in awaited(replica.graph.state)]
    return " and ".join(colours) if colours else "nobody"
