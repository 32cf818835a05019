"""The worker process of a table, as a session sees it: orders to it, and its latest news."""

import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Protocol

from catan_p2p.sessions.messages import (
    AwayPlayers,
    CarryOut,
    ChatHeard,
    ConnectionTrouble,
    GameMoved,
    HandSeat,
    LeadPeers,
    MovesSent,
    News,
    NotSaid,
    Order,
    PeersSeated,
    SayToAll,
    SetPace,
)
from catan_p2p.sessions.worker_client import WorkerLink

from .conversation import ChatPanel, HeardMessage
from .table import LocalTable


class WorkerLine(Protocol):
    """The connection to a worker process, or to what stands for it."""

    def give(self, order: Order) -> None:
        """Give an order."""

    def take(self) -> list[News]:
        """All news since the last call."""

    def close(self) -> None:
        """Leave the table, and wait until that is done."""


class TableWorker:
    """A worker process for one table, started again if it fails. ``clock`` returns seconds since 1970."""

    def __init__(
        self,
        table: LocalTable,
        look: Callable[[], None],
        link: Callable[[LeadPeers, Callable[[], None]], WorkerLine] = WorkerLink,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self.table = table
        self.clock = clock
        self.link: WorkerLine | None = None
        self.talk = ChatPanel()
        self.played: dict[str, str] = {}
        """The colours of people for whom a policy plays now, and its name."""
        self.trouble: tuple[str, ...] = ()
        """Problems with other players, in lines."""
        self.has_sent = True
        """Whether everything done here has reached the others."""
        self.seats_here = 0
        """How many seats are played here, 0 while that is not known."""
        self.since = clock()
        """When the game began to wait, in seconds since 1970."""
        self.away: dict[str, AwayPlayers] = {}
        """By colour of a seat here, who has been waited for too long."""
        self._look, self._make_link = look, link
        self._restarts = 0

    def start(self, pace_s: float) -> None:
        """Start the process."""
        self.has_sent, self.away = True, {}
        self.link = self._make_link(replace(self.table.sit, pace_s=pace_s), self._look)

    def restart(self, pace_s: float) -> bool:
        """Start again after a failure; False if that was tried often enough."""
        if self._restarts == self.table.restarts:
            return False
        self._restarts += 1
        self.table.sit = replace(self.table.sit, new=None)  # the game has been created: it is continued
        self.talk.heard = ()  # a new process reports the whole chat again
        self.start(pace_s)
        for colour, policy in self.played.items():
            self.give(HandSeat(colour, policy))
        return True

    def stop(self) -> None:
        """Stop the process; ``trouble`` is its last report of problems."""
        if self.link is not None:
            self.link.close()
            told = [news.lines for news in self.link.take() if isinstance(news, ConnectionTrouble)]
            self.trouble = told[-1] if told else ()

    def give(self, order: CarryOut | HandSeat | SayToAll | SetPace) -> None:
        """Give an order."""
        if self.link is not None:
            self.link.give(order)

    def hand(self, colour: str, policy: str | None) -> None:
        """Let a policy play a seat, or with None its person again."""
        self.played.pop(colour, None)
        if policy is not None:
            self.played[colour] = policy
        self.give(HandSeat(colour, policy))

    def news(self, colour: str) -> Iterator[News]:
        """The news since the last call; what concerns the player of ``colour`` is kept here first."""
        for news in self.link.take() if self.link is not None else ():
            match news:
                case PeersSeated(seats):
                    self.seats_here = len(seats)
                case GameMoved(mover, _, since) if mover == colour:
                    self.since = min(self.clock(), since)
                case AwayPlayers(voter):
                    self.away[voter] = news
                case ChatHeard(hearer, speaker, words) if hearer == colour:
                    self.talk.hear(HeardMessage(speaker, words, self.clock()))
                case NotSaid(_, text, words):
                    self.talk.put_back(text, words)
                case MovesSent(is_all):
                    self.has_sent = is_all
                case ConnectionTrouble(lines):
                    self.trouble = lines
            yield news
