"""The process that leads the peers of a table: ``python -m catan_p2p.sessions.worker``, started by a window.

It takes orders from standard input and tells news on what was standard output. All peers of one table take turns in its
one thread; each has its own repository and looks into those of the others, as peers on several machines do. It ends
when it is told to, or when the window is gone.
"""

import os
import signal
import sys
import time
from contextlib import ExitStack, suppress
from functools import partial
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Condition, Thread
from time import monotonic
from typing import BinaryIO

from catan_p2p.game.board import MapError
from catan_p2p.game.constants import UnsupportedRules
from catan_p2p.game.rules import awaited
from catan_p2p.game.secret_streams import seat_randomness
from catan_p2p.log.storage.objects import ObjectDamaged, ObjectId, StoreError
from catan_p2p.log.transport.queries import DirectRemote
from catan_p2p.log.transport.serve import RepositoryServer, parse_address
from catan_p2p.players.policies import UnknownPolicy
from catan_p2p.replication.core.commit_author import GaveUp
from catan_p2p.replication.play import is_full
from catan_p2p.sealing.group import MissingLibrary
from catan_p2p.sessions import messages as m
from catan_p2p.sessions.computers import ComputersProcess, computers_played
from catan_p2p.sessions.messages import receive as receive_order
from catan_p2p.sessions.messages import send as send_news
from catan_p2p.sessions.new_table import lay
from catan_p2p.sessions.saved_games import OVER_FILE, SeatHere, seats_here
from catan_p2p.sessions.seat_driver import Metronome, SeatControl, SeatDriver, opener_for
from catan_p2p.tables.chat_writing import say
from catan_p2p.tables.opening import opened_seat
from catan_p2p.tables.repair import heal, mend_seat
from catan_p2p.tables.seat import private_folder, read_settings

_QUIET_S = 1.0
"""Without news the peers look again after this time, and much sooner at those that cannot announce any."""
_ELSEWHERE_S = 0.02
_FLUSH_S = 3.0
"""How long to wait for a relay at the end; the next start pushes what it has not taken by then."""
_LONGER_S = 2
_TROUBLE_S = 2.0
"""Trouble that is over sooner is not told."""


class WorkerTable:
    """The peers of one table, and what the window was told of them."""

    def __init__(self, out: BinaryIO, pace_s: float, news: Condition) -> None:
        self.metronome = Metronome(pace_s)
        self.drivers: dict[str, SeatDriver] = {}
        self.news = news
        """Notified of orders, and of announcements and answers from elsewhere."""
        self._out = out
        self._told: dict[str, tuple[ObjectId, ...]] = {}
        self._since: dict[str, int] = {}
        """Since when the game waits, as last told."""
        self._paths: dict[str, Path] = {}
        self._unsaid: SimpleQueue[m.NotSaid] = SimpleQueue()
        self._away: dict[str, m.AwayPlayers] = {}
        """Who has been waited for too long by a seat here, as last told."""
        self._heard: dict[str, int] = {}
        """How many messages of the chat were told, by the seat that heard them."""
        self._trouble: tuple[str, ...] = ()
        self._troubled_at = monotonic()
        self._over: set[str] = set()
        self.computers: ComputersProcess | None = None
        """Plays the computer players of a table of people, if this seat is its host."""
        self.serves = False
        """Whether others fetch from here what was done here."""
        self._has_sent = True

    def tell(self, news: m.News) -> None:
        """Tell the window."""
        send_news(self._out, news)

    def open(self, opened: ExitStack, seats: tuple[SeatHere, ...], *, alone: bool, has_chat: bool) -> None:
        """Open all seats."""
        folders = frozenset(seat.path.absolute() for seat in seats)
        for seat in seats:
            heal(seat.path)
            settings = read_settings(seat.path)
            # The folder of a table may have been moved since it was laid.
            settings.remotes |= {other.colour: str(other.path.absolute()) for other in seats if other != seat}
            control = SeatControl(seat.policy)
            take = partial(
                opened_seat,
                seat.path,
                settings,
                control,
                seat_randomness,
                lambda height: int(time.time()),
                alone=alone,
                opener=opener_for(folders),
                news=self.news,
                has_chat=has_chat,
            )
            try:
                replica = opened.enter_context(take())
            except ObjectDamaged:
                mend_seat(seat.path, settings)
                replica = opened.enter_context(take())
            self._paths[seat.colour] = seat.path
            self.drivers[seat.colour] = SeatDriver(
                seat.colour, replica, control, self.metronome, is_person=seat.policy is None
            )

    def obey(self, order: m.Order) -> bool:
        """Obey an order; False if the order is to leave."""
        match order:
            case m.LeaveTable():
                return False
            case m.CarryOut(colour, action, deal):
                self.drivers[colour].decided.append((action, deal))
                self._carry_out()
            case m.HandSeat(colour, policy):
                self.drivers[colour].hand_to(policy)
            case m.SetPace(pace_s):
                self.metronome.pace_s = pace_s
                if self.computers is not None:
                    self.computers.set_pace(pace_s)
            case m.SayToAll(colour, text):
                # In a thread: the log of the words is checked as it is when another program says them.
                Thread(target=self._say, args=(colour, text), name="words", daemon=True).start()
        return True

    def _say(self, colour: str, text: str) -> None:
        try:
            say(self._paths[colour], text)
        except StoreError as error:
            self._unsaid.put(m.NotSaid(colour, text, str(error)))

    def _carry_out(self) -> None:
        """Carry out what people have decided, as soon as their peers may act."""
        for driver in self.drivers.values():
            while driver.decided and driver.replica.catch_up.is_over:
                if driver.replica.relay is not None:
                    self._tell_sent(False)
                self.tell(driver.carry_out(*driver.decided.pop(0)))

    def turns(self) -> bool:
        """Give every peer a turn; returns whether anything is new."""
        moved = [driver.life.turn() for driver in self.drivers.values()]
        # Before the decisions, which unset it again for a relay.
        self._tell_sent(all(map(self._is_sent, self.drivers.values())))
        self._carry_out()
        self.tell_news()
        return any(moved)

    def _is_sent(self, driver: SeatDriver) -> bool:
        """Whether nobody elsewhere still waits for something that only this table has."""
        state = driver.replica.graph.state
        # Without a relay, the end of the game reaches others only while this table serves it.
        if self.serves and state.is_over and (awaited(state) or not driver.life.everybody_knows()):
            return False
        return driver.replica.has_pushed_all

    def _tell_sent(self, is_all: bool) -> None:
        if is_all != self._has_sent:
            self._has_sent = is_all
            self.tell(m.MovesSent(is_all))

    def tell_news(self) -> None:
        """Tell everything that has changed since it was last told."""
        trouble: list[str] = []
        with suppress(Empty):
            while True:
                self.tell(self._unsaid.get_nowait())
        for colour, driver in self.drivers.items():
            newest = driver.newest
            # Once a start has heard the others, the wait before it counts too: the game has waited longer than told.
            if newest != self._told.get(colour) or driver.waits_since() < self._since[colour] - _LONGER_S:
                self._told[colour], self._since[colour] = newest, driver.newest_at()
                self.tell(m.GameMoved(colour, newest[-1], self._since[colour]))
                self._note_end(driver)
            if driver.is_person and (away := driver.away_players()) != self._away.get(colour, m.AwayPlayers(colour)):
                self._away[colour] = away
                self.tell(away)
            if driver.is_person and driver.replica.chat is not None:
                heard = self._heard.get(colour, 0)
                for message in driver.replica.chat.messages[heard:]:
                    self.tell(m.ChatHeard(colour, message.colour, message.text))
                self._heard[colour] = len(driver.replica.chat.messages)
            if driver.is_person:
                trouble += driver.trouble()
        if self.computers is not None and self.computers.trouble:
            trouble.append(self.computers.trouble)
        if not trouble:
            self._troubled_at = monotonic()
        lasting = tuple(trouble) if monotonic() - self._troubled_at >= _TROUBLE_S else ()
        if lasting != self._trouble:
            self._trouble = lasting
            self.tell(m.ConnectionTrouble(lasting))

    def level(self) -> None:
        """Let every peer take in what the others here have, so that none is behind when the table ends; nobody acts."""
        for _ in self.drivers:
            with suppress(StoreError):  # what a full disk does not take is fetched at the next start
                found = [driver.replica.synchronize(answer_s=0.0) for driver in self.drivers.values()]
                if not any(found):
                    break
        for driver in self.drivers.values():
            self._note_end(driver)

    def see_cards_opened(self) -> None:
        """After a game of hidden hands, wait a little for the cards that others still have to open."""
        until = monotonic() + _FLUSH_S
        states = [driver.replica.graph.state for driver in self.drivers.values()]
        while any(state.is_over and awaited(state) for state in states) and monotonic() < until:
            with suppress(StoreError):  # the next start fetches them
                moved = [driver.life.turn() for driver in self.drivers.values()]
                if not any(moved):
                    time.sleep(_ELSEWHERE_S)
            states = [driver.replica.graph.state for driver in self.drivers.values()]

    def _note_end(self, driver: SeatDriver) -> None:
        """Leave a finished game's repository: its log checked out, and a mark that says that the game is over."""
        store, replica = driver.replica.store, driver.replica
        if replica.graph.state.tp != "top" or driver.colour in self._over:
            return
        self._over.add(driver.colour)
        with suppress(StoreError, OSError):
            replica.fast_forward()
            store.fold()
            store.check_out(f"refs/heads/{driver.colour}_{replica.game.number}")
            (private_folder(store.folder) / OVER_FILE).touch()

    def wait(self, orders: SimpleQueue[m.Order]) -> None:
        """Wait for an order, or until the peers have to look again."""
        until = monotonic() + self._wait_s()
        neighbours = [one for driver in self.drivers.values() for one in driver.replica.neighbours]
        # Nobody notifies of a change in a folder of another program, so it is looked at often.
        pause_s = _ELSEWHERE_S if any(one.is_watched and one.remote.is_folder for one in neighbours) else _QUIET_S
        with self.news:
            while orders.empty() and not self._has_news() and (left_s := until - monotonic()) > 0:
                self.news.wait(min(pause_s, left_s))

    def _has_news(self) -> bool:
        return any(driver.replica.has_news for driver in self.drivers.values())

    def _wait_s(self) -> float:
        """How long to wait at most before the peers look again."""
        if any(driver.is_thinking for driver in self.drivers.values()):
            return min(_QUIET_S, self.metronome.wait_s)
        elsewhere = any(
            not (one.is_watched or isinstance(one.remote, DirectRemote))
            for driver in self.drivers.values()
            for one in driver.replica.neighbours
        )
        return _ELSEWHERE_S if elsewhere else _QUIET_S


def lead(order: m.LeadPeers, orders: SimpleQueue[m.Order], out: BinaryIO, news: Condition) -> None:
    """Lead the peers of a table until the window leaves; ``news`` is notified of orders."""
    table = WorkerTable(out, order.pace_s, news)
    with ExitStack() as opened:
        if order.new is not None:
            lay(order.path, order.new)
        seats = seats_here(order.path)
        table.open(opened, seats, alone=order.alone, has_chat=order.has_chat)
        address = None
        for seat in seats:
            own = order.listen if seat == seats[0] else None
            if (listen := own or read_settings(seat.path).listen) is not None:
                server = opened.enter_context(RepositoryServer(seat.path, *parse_address(listen)))
                table.drivers[seat.colour].replica.store.tell_publications(server.published)
                address, table.serves = address or server.url, True
        table.tell(m.PeersSeated(tuple((seat.colour, seat.path, seat.policy) for seat in seats), address))
        table.tell_news()
        try:
            played = computers_played(seats[0].path, order.pace_s, has_chat=order.has_chat)
            table.computers = opened.enter_context(played)
            _go_round(table, orders)
            table.see_cards_opened()
            table.level()
        finally:
            unsent = []
            for driver in table.drivers.values():
                driver.life.voting.keep()
                with suppress(StoreError):  # the journal keeps it for the next start
                    driver.replica.store.publish()
                    relay, store, graph = driver.replica.relay, driver.replica.store, driver.replica.graph
                    if relay is not None and not relay.flush(store, graph, _FLUSH_S):
                        name = driver.replica.game.names[driver.replica.player - 1]
                        unsent.append(f"what {name} did last has not reached the relay; continue the game to send it")
            with suppress(OSError):  # the window may be gone
                table.tell(m.ConnectionTrouble(tuple(unsent)))


def _go_round(table: WorkerTable, orders: SimpleQueue[m.Order]) -> None:
    moved = True
    while True:
        try:
            while True:
                if not moved:
                    table.wait(orders)
                order = orders.get_nowait()
                moved = True
                if not table.obey(order):
                    return
                table.tell_news()
        except Empty:
            pass
        moved = table.turns()


def _listen(stream: BinaryIO, orders: SimpleQueue[m.Order], news: Condition) -> None:
    """Pass orders on; the end of the stream means that the window is gone, and is taken as an order to leave."""
    while True:
        order = receive_order(stream) or m.LeaveTable()
        with news:
            orders.put(order)  # type: ignore[arg-type]
            news.notify_all()
        if isinstance(order, m.LeaveTable):
            return


def _hear_answers(stream: BinaryIO, answers: SimpleQueue[bool]) -> None:
    """Pass answers on; any other order, or the end of the stream, ends this process."""
    while isinstance(order := receive_order(stream), m.AnswerQuestion):
        answers.put(order.is_yes)
    os._exit(0)


def main() -> None:
    """Lead the table that the first order names."""
    # The window decides when to leave: Ctrl-C in its terminal reaches this process too.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # What a library prints to standard output would get between the frames, so it goes to standard error.
    out = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    first = receive_order(sys.stdin.buffer)
    orders: SimpleQueue[m.Order] = SimpleQueue()
    try:
        if isinstance(first, m.BeforeTable):
            # What waits for others has nothing to finish: it ends as soon as the window leaves.
            answers: SimpleQueue[bool] = SimpleQueue()
            Thread(target=_hear_answers, args=(sys.stdin.buffer, answers), name="orders", daemon=True).start()
            # Imported here: a table with computer players is not to wait for it.
            from catan_p2p.sessions.before_table import attend

            attend(first, partial(send_news, out), answers.get)
        elif isinstance(first, m.LeadPeers):
            news = Condition()
            Thread(target=_listen, args=(sys.stdin.buffer, orders, news), name="orders", daemon=True).start()
            lead(first, orders, out, news)
    except (StoreError, MapError, UnsupportedRules, UnknownPolicy, GaveUp, ValueError, MissingLibrary) as error:
        full = isinstance(error, StoreError) and is_full(error)
        with suppress(OSError):
            send_news(out, m.TableFailed(f"no room left on the disk: {error}" if full else str(error)))
    except BrokenPipeError:  # the window is gone
        pass
    # The thread that listens may hold the lock of standard input: there is nothing left to wait for.
    with suppress(OSError):
        out.flush()
    os._exit(0)


if __name__ == "__main__":
    main()
