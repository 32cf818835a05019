"""Reads a game in a thread of its own, so that the window never waits for Git, and reports what has changed.

Only this thread touches the repositories. The window takes ``FeedUpdate`` values out of a queue and applies them to its
own recording.
"""

import threading
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import NamedTuple, Protocol

from catan_p2p.log.game import GameDefinition
from catan_p2p.log.storage.objects import StoreError

from ..view import ShownRefusal, ViewSituation
from .recording import GameRecording, PlayedStep
from .repository import NoGame, WatchedRepository, empty_recording, find_replicas, replay

POLL_S = 0.1
"""How often a game that others write is read again."""
_TOLD_POLL_S = 2.0
"""How often where a worker process reports each change; the report could be lost if the process dies."""


class FeedUpdate(NamedTuple):
    """A change of the recording: keep ``kept`` steps, then add these. ``game`` is None while nothing can be shown."""

    game: GameDefinition | None
    kept: int
    commits: tuple[PlayedStep, ...]
    heads: dict[str, str]
    situation: ViewSituation


class NoSuchPeer(Exception):
    """A colour that does not play in the game; the message names those that do."""


class GameReader:
    """Reads a path and computes updates; ``peer`` is the colour whose replica is shown, None for all that is known.

    If ``people`` play here, only their repositories are read, one of them is shown, and public views are not opened.
    """

    def __init__(self, path: Path, peer: str | None, following: bool, people: Sequence[str] = ()) -> None:
        self.path = path
        self._people = people
        self.peer = peer
        self.situation = ViewSituation(source=str(path), following=following, reading=str(path))
        self._replicas: dict[str, WatchedRepository] = {}
        self._sent: list[PlayedStep] = []
        self._told: tuple[object, ...] | None = None

    def close(self) -> None:
        """Close the repositories."""
        for replica in self._replicas.values():
            replica.close()

    def refresh(self) -> FeedUpdate | None:
        """Read the repositories and return what has changed, None if nothing has.

        Raises ``NoSuchPeer`` if the colour does not play.
        """
        found = False
        if not self._replicas or self.situation.following:
            try:
                found = self._search()
            except (NoGame, OSError, StoreError) as error:
                if not any(replica.is_read for replica in self._replicas.values()):
                    self._forget()
                    return self._nothing(str(error))
        changed = [replica.refresh() for replica in self._replicas.values()]
        return self.update() if found or any(changed) or self._told is None else None

    def _search(self) -> bool:
        """Find the repositories; returns whether they are others than before.

        One that has been read stays when its folder vanishes, so that its game is still shown.
        """
        paths = find_replicas(self.path)
        if len(self._people) > 1:
            paths = {colour: path for colour, path in paths.items() if colour in self._people}
        before = dict(self._replicas)
        read = {name: replica for name, replica in before.items() if replica.is_read}
        if "" in paths and read and "" not in read:
            return False
        self._replicas = {
            name: before[name] if name in before and before[name].path == path else self._replica(path)
            for name, path in paths.items()
        } | read
        for name, replica in before.items():
            if self._replicas.get(name) is not replica:
                replica.close()
        return self._replicas != before

    def _replica(self, path: Path) -> WatchedRepository:
        if self._people:
            return WatchedRepository(path, is_played=True)
        # Imported here: players do not wait for the readers of all formats that can be watched.
        from catan_p2p.notation import is_view

        from .public_view import ViewReplica

        return ViewReplica(path) if is_view(path) else WatchedRepository(path)

    def _forget(self) -> None:
        self.close()
        self._replicas = {}

    def _nothing(self, why: str) -> FeedUpdate | None:
        waiting = f"{why}; waiting for it" if self.situation.following else None
        situation = replace(self.situation, problem=why, reading=waiting)
        return self._tell(FeedUpdate(None, 0, (), {}, situation))

    def update(self) -> FeedUpdate | None:
        """What has changed since the last update; None if nothing has."""
        known = [replica for replica in self._replicas.values() if replica.is_read]
        problems = "; ".join(replica.problem for replica in self._replicas.values() if replica.problem)
        if not known:
            return self._nothing(problems or f"{self.path}: not a game")
        game = known[0].game
        colours = tuple(seat.colour for seat in game.seats)
        if self.peer is not None and self.peer not in colours:
            raise NoSuchPeer(f"{self.peer} does not play in this game; {', '.join(colours)} do")
        fullest = max(known, key=lambda replica: len(replica.commits))
        shown, heads = self._shown(fullest)
        kept = 0
        for old, new in zip(self._sent, shown, strict=False):
            if (old.commit, old.state.hid) != (new.commit, new.state.hid):  # a card that was opened since is shown
                break
            kept += 1
        behind = tuple((colour, len(fullest.commits) - self._known_count(fullest, colour)) for colour in colours)
        situation = replace(
            self.situation,
            peers=() if len(self._people) > 1 else colours,
            peer=None if len(self._people) > 1 else self.peer,
            behind=() if len(self._people) > 1 else behind,
            problem=problems or None,
            reading=None,
            refused=self._refused(),
            remark=fullest.remark,
        )
        update = FeedUpdate(game, kept, tuple(shown[kept:]), heads, situation)
        self._sent = shown
        return self._tell(update)

    def _tell(self, update: FeedUpdate) -> FeedUpdate | None:
        told = (update.game is None, len(self._sent), tuple(update.heads.items()), update.situation)
        if told == self._told and not update.commits:
            return None
        self._told = told
        return update

    def _refused(self) -> tuple[ShownRefusal, ...]:
        own = self._own_replica(self.peer) if self.peer is not None else None
        replicas = [own] if own is not None else list(self._replicas.values())
        return tuple({refusal.commit: refusal for replica in replicas for refusal in replica.refused}.values())

    def _own_replica(self, colour: str) -> WatchedRepository | None:
        replica = self._replicas.get(colour)
        return replica if replica is not None and replica.is_read else None

    def _shown(self, fullest: WatchedRepository) -> tuple[list[PlayedStep], dict[str, str]]:
        if self.peer is None:
            return list(fullest.commits), dict(fullest.heads)
        own = self._own_replica(self.peer)
        if own is not None:
            return list(own.commits), dict(own.heads)
        known = fullest.known_to(self.peer)
        heads = {name: head for name, head in fullest.heads.items() if head in known}
        return replay(fullest.public, known), heads

    def _known_count(self, fullest: WatchedRepository, colour: str) -> int:
        own = self._own_replica(colour)
        if own is not None:
            return len(own.commits)
        known = fullest.known_to(colour)
        return sum(step.commit in known for step in fullest.commits)


def applied(recording: GameRecording | None, update: FeedUpdate) -> GameRecording | None:
    """The recording with an update applied; None while there is none."""
    if update.game is None:
        return recording
    if recording is None:
        recording = empty_recording(update.game)
    if update.kept < len(recording):
        # A new object: pictures are cached by recording and index, and would show the steps that are replaced.
        recording = recording.veil(recording.veiled)
        recording.truncate(update.kept)
    for commit in update.commits:
        recording.append(commit)
    recording.heads = update.heads
    return recording


def read_whole(path: Path, peer: str | None = None) -> tuple[GameRecording, ViewSituation]:
    """A game, read once, as ``peer`` knows it, or all of it; ``NoGame`` if there is none at the path."""
    find_replicas(path)
    reader = GameReader(path, peer, following=False)
    try:
        update = reader.refresh()
    finally:
        reader.close()
    recording = applied(None, update) if update is not None else None
    if recording is None or update is None or not recording.steps:
        raise NoGame(update.situation.problem if update and update.situation.problem else f"{path}: not a game")
    return recording, update.situation


class FeedSource(Protocol):
    """The source of a window's game and of its changes."""

    def start(self) -> None:
        """Begin to read."""

    def stop(self) -> None:
        """Stop reading."""

    def choose(self, peer: str | None) -> None:
        """Show the game as this player knows it."""

    def look(self) -> None:
        """Read the game again at once."""

    def take(self, timeout_s: float | None = None) -> list[FeedUpdate]:
        """All updates so far; with a timeout it waits for the first one."""


class GameFeed:
    """A ``GameReader`` in a thread of its own: ``take`` returns its updates, ``choose`` sets whose replica it shows.

    ``woken`` is called after each update. With ``people``, who play here, their session calls ``look`` after changes.
    """

    def __init__(
        self,
        path: Path,
        peer: str | None = None,
        following: bool = False,
        people: Sequence[str] = (),
        woken: Callable[[], None] = lambda: None,
    ) -> None:
        self._reader = GameReader(path, peer, following, people)
        self._following, self._woken = following, woken
        self._poll_s = None if not following else _TOLD_POLL_S if people else POLL_S
        self._updates: SimpleQueue[FeedUpdate] = SimpleQueue()
        self._orders: SimpleQueue[tuple[str, str | None]] = SimpleQueue()
        self._thread = threading.Thread(target=self._run, name="game reader", daemon=True)

    def start(self) -> None:
        """Begin to read."""
        self._thread.start()

    def stop(self) -> None:
        """Stop reading and wait until the thread has ended."""
        self._orders.put(("stop", None))
        self._thread.join(timeout=5)

    def choose(self, peer: str | None) -> None:
        """Show the game as this player knows it."""
        self._orders.put(("peer", peer))

    def look(self) -> None:
        """Read the game again at once, because it is said to have changed."""
        self._orders.put(("look", None))

    def take(self, timeout_s: float | None = None) -> list[FeedUpdate]:
        """All updates so far; with a timeout it waits for the first one."""
        found = []
        try:
            if timeout_s is not None:
                found.append(self._updates.get(timeout=timeout_s))
            while True:
                found.append(self._updates.get_nowait())
        except Empty:
            return found

    def _run(self) -> None:
        try:
            self._send(self._reader.refresh())
            while self._wait():
                if self._following:
                    self._send(self._reader.refresh())
        except NoSuchPeer as error:
            self._end_with(str(error))
        except Exception as error:
            self._end_with(f"a mistake of the program, the game is read no further: {type(error).__name__}: {error}")
            raise
        finally:
            self._reader.close()

    def _wait(self) -> bool:
        """Wait for an order, or until it is time to read again; False when told to stop."""
        try:
            order, peer = self._orders.get(timeout=self._poll_s)
        except Empty:
            return True
        if order == "stop":
            return False
        if order == "look":
            return True
        self._reader.peer = peer
        self._send(self._reader.update())
        return True

    def _end_with(self, problem: str) -> None:
        self._send(FeedUpdate(None, 0, (), {}, replace(self._reader.situation, problem=problem, reading=None)))

    def _send(self, update: FeedUpdate | None) -> None:
        if update is not None:
            self._updates.put(update)
            self._woken()
