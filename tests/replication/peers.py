"""A table of peers in one process: they look, act and vote in turn, in time that passes only when a test says so.

What their stores are and how they reach one another is theirs: one repository for all, a repository each, a relay, or
disks in memory.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Generic, TypeVar

from catan_p2p.log.valid_commits import ValidCommits
from catan_p2p.log.verdict import LoggedStep
from catan_p2p.log.views.view import View
from catan_p2p.players.choosing import PolicyChooser
from catan_p2p.replication.peer import Peer
from catan_p2p.replication.replica import Replica
from catan_p2p.replication.voting import VotingDuty
from catan_p2p.time_source import TimeSource
from tests.replication.tables import open_replica
from tests.virtual_time import VirtualTime

PATIENCE_S = 60
STEP_S = 20.0
"""Less than what a peer takes for the sleep of its machine."""
_ANSWER_S = 60.0
"""No look has to wait as long on however busy a machine."""

Seated = TypeVar("Seated", bound=Peer)


class Killed(BaseException):
    """The peer's process is killed here."""


class PeerTable(Generic[Seated]):
    """Peers of one game, those who are ``there`` of whom take turns; the others do nothing."""

    def __init__(self, peers: Iterable[Seated], time: TimeSource | None = None) -> None:
        self.time = time or VirtualTime()
        self.peers: list[Seated] = []
        self.there: list[Seated] = []
        self.voting: dict[Peer, VotingDuty] = {}
        self._opened: dict[Replica, AbstractContextManager[Replica]] = {}
        for peer in peers:
            self.seat(peer)

    def seat(self, peer: Seated) -> None:
        """Another peer takes turns."""
        self.peers.append(peer)
        self.there.append(peer)
        if isinstance(peer, Replica):
            self.voting[peer] = VotingDuty(peer, self.time)

    def start(self: PeerTable[Replica], path: Path, chooser: PolicyChooser | None = None) -> Replica:
        """Start the program of a seat, which acts at once, and let it take turns."""
        opened = open_replica(path, alone=True, chooser=chooser)
        peer = opened.__enter__()
        self._opened[peer] = opened
        self.seat(peer)
        return peer

    def kill(self: PeerTable[Replica], peer: Replica) -> None:
        """End a program that was started as ``kill -9`` would: what is on the disk stays, nothing else happens."""
        writer, peer.store._writer = peer.store._writer, None
        assert writer is not None
        writer.release()
        for peers in (self.peers, self.there):
            peers.remove(peer)
        self._opened.pop(peer).__exit__(Killed, Killed(), None)

    def look(self, *peers: Seated) -> int:
        """Let some, or all who are there, look at all others, also at whom they would leave alone for a time.

        Returns how many commits that brought.
        """
        count = 0
        for peer in peers or self.there:
            if isinstance(peer, Replica):
                for one in peer.neighbours:
                    one.strays_at = one.backoff._next = 0.0
                count += peer.synchronize(answer_s=_ANSWER_S)
            else:
                count += peer.synchronize()
        return count

    def go_on(self, peer: Seated, patience_s: float | None = None, *, acts: bool = True) -> list[LoggedStep]:
        """Let a peer act and vote as far as it may, and publish that; what it signed about views.

        If it does not act, it replies nevertheless where the record of a change waits for that.
        """
        if peer.graph.state.is_over:
            peer.fast_forward()
        elif acts:
            peer.act()
        signed = self.voting[peer].go_on(patience_s) if peer in self.voting else []
        if not acts and is_changing(peer):
            peer.act()
        peer.store.publish()
        return signed

    def turn(self, peer: Seated, patience_s: float | None = None, *, acts: bool = True) -> list[LoggedStep]:
        """Let a peer look, and go on."""
        self.look(peer)
        return self.go_on(peer, patience_s, acts=acts)

    def round(self, patience_s: float | None = None, *, acts: bool = True, pause_s: float = 0.0) -> list[LoggedStep]:
        """A turn of everybody who is there; what they signed about views."""
        signed = [step for peer in [*self.there] for step in self.turn(peer, patience_s, acts=acts)]
        self.time.sleep(pause_s)
        return signed

    def play(
        self,
        until: Callable[[Seated], bool],
        patience_s: float | None = None,
        *,
        acts: bool = True,
        before_acting: bool = False,
    ) -> Seated:
        """Take turns until something holds for a peer after its turn, or before it acts; that peer.

        Time passes after a round in which nothing has come of anything.
        """
        for _ in range(2000):
            known = [len(peer.graph) for peer in self.peers]
            for peer in [*self.there]:
                self.look(peer)
                if before_acting and until(peer):
                    return peer
                self.go_on(peer, patience_s, acts=acts)
                if not before_acting and until(peer):
                    return peer
            if known == [len(peer.graph) for peer in self.peers]:
                self.time.sleep(STEP_S)
        raise AssertionError("it did not come to that")

    def finish(self, patience_s: float | None = None) -> None:
        """Play until everybody who is there knows the end."""
        self.play(lambda _: all(peer.graph.state.is_over for peer in self.there), patience_s)

    def pass_patience(self, rounds: int = 40) -> None:
        """All look at one another and do what is due in a change, until the view has changed."""
        before = self.view.number
        for _ in range(rounds):
            self.round(PATIENCE_S, acts=False)
            if self.view.number > before and not any(map(is_changing, self.there)):
                return
            self.time.sleep(STEP_S)
        raise AssertionError("the view has not changed")

    @property
    def view(self) -> View:
        """The newest view that anybody knows who is there."""
        return max((views_of(peer).view for peer in self.there), key=lambda view: view.number)


def views_of(peer: Peer) -> ValidCommits:
    assert peer.graph.game.has_views
    return peer.graph.valid


def is_changing(peer: Peer) -> bool:
    """Whether somebody has been left out whom the line does not yet record."""
    graph = views_of(peer)
    return bool(graph.pending(graph.line_node(graph.newest), graph.view))
