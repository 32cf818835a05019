"""The server of a tournament: seats each client at its entrant's next game, and records the results.

A game begins once all its entrants are ready, or once those who are ready have waited long enough. Clients connect anew
for each game, and come back to a running one by their name, even after the server was killed.
"""

from __future__ import annotations

import asyncio
import contextlib
import functools
import json
import math
import threading
import time
from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import Any

from catan_p2p.lmu import messages as m
from catan_p2p.lmu.control import TOURNAMENT_COMMANDS, ControlFile
from catan_p2p.lmu.game import GitGame
from catan_p2p.lmu.hand_over import BreakOff, TableResult
from catan_p2p.lmu.hosting import HostedTable, ServerSettings, understood
from catan_p2p.lmu.public_record import NothingRecorded, replace_seen
from catan_p2p.lmu.requests import RequestRefused
from catan_p2p.lmu.seats import TableMember, TableSettings, folded, is_spectator, without_secret
from catan_p2p.lmu.server import LOOK_S, LmuServer, Seat
from catan_p2p.lmu.server_connection import OutgoingMessages
from catan_p2p.lmu.table import KICKED, NoSeatFree
from catan_p2p.lmu.tournament.entrants import EntrantSecret, recognized
from catan_p2p.lmu.tournament.record import GameRecords, PublicTail, numbers_told, public_messages
from catan_p2p.lmu.tournament.schedule import OVER, VOID, ScheduledGame
from catan_p2p.lmu.tournament.standing import LmuTournament
from catan_p2p.lmu.tournament.table import TournamentTable
from catan_p2p.lmu.words import OK
from catan_p2p.lmu.workers import ServerWorkers
from catan_p2p.log.storage.objects import StoreError
from catan_p2p.notation.errors import NotationError

MAX_REFUSED = 20
"""After this many messages a spectator is disconnected."""
SAVE_S = 2.0
VIEW_S = 5.0
"""The shortest interval between two updates of the views of running games in ``public``."""
VIEW_SHARE = 20
"""Updating views takes at most one part in this many of the time."""
MAX_DIGITS = 6


def _unfinished(view: Path) -> Path:
    """The marker file of a view that is not the last one of its game."""
    return view.with_name(f".{view.name}.unfinished")


class TournamentServer(LmuServer):
    """Hosts the games of a tournament until all are over or it is closed."""

    def __init__(
        self,
        tournament: LmuTournament,
        settings: ServerSettings,
        table_settings: TableSettings,
        note: Callable[[str], None] = lambda text: None,
        delay_s: float = 60.0,
    ) -> None:
        super().__init__(settings, table_settings, note)
        self.linger_s = settings.linger_s
        self.tournament = tournament
        self._delay_s = delay_s
        self._ids = count(1)
        self._kept = GameRecords(tournament.out / "messages")
        self._records = self._kept
        if settings.workers:
            self._workers = ServerWorkers(settings, table_settings, self, tournament.out / "messages")
        self._opening: dict[int, asyncio.Future[bool]] = {}
        self._saved_at = 0.0
        self._playing: set[int] = set()
        self._room_lock = threading.Lock()
        self._view_lock = threading.Lock()
        self._shown: dict[int, int] = {}
        """The number of messages in each game's public view."""
        self._showing: asyncio.Task[None] | None = None
        self._ratings = tournament.ratings()

    # From start to end

    async def begin(self) -> None:
        """Resume the games that were running, and start to take commands."""
        self.tournament.out.mkdir(parents=True, exist_ok=True)
        self._control = ControlFile(self.tournament.out)
        if self.tournament.is_paused:
            self._stand_still()
            self._note("all games are paused")
        for game in self.tournament.games:
            if game.is_open and self.tournament.folder(game).exists():
                await self._resume(game)
        await super().begin()
        await self._work(self._finish_views)
        self._showing = asyncio.ensure_future(self._show_games())
        self._save()
        if self.tournament.is_over:
            self.done.set()
        for game in self.tournament.games:
            if game.is_open and all(self.tournament.entrants[name].is_computer for name in game.seats):
                self._table_of(game)

    async def close(self) -> None:
        """Close all games in order; the next start resumes them."""
        if self._control is None:  # another server uses the folder, whose files must stay
            await super().close()
            return
        self._save()
        if self._showing is not None:
            self._showing.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._showing
        await super().close()
        await asyncio.to_thread(self._finish_views)
        self._ratings = self.tournament.ratings()
        self._save()

    async def _resume(self, game: ScheduledGame) -> None:
        """Resume a game, here or in a worker."""
        used_s = game.details.get("clock_s", {})
        told = numbers_told(public_messages(self._kept.path(game.game)))
        # Players keep the numbers that their clients know; new numbers must differ from those.
        self._ids = count(max([next(self._ids), *(id + 1 for id in told.values())]))
        ids = {name: told.get(name) or next(self._ids) for name in game.seats}
        table = self._new_table(game)
        hosted = HostedTable(table)
        if self._workers is not None:
            table.is_handed = True
            self._playing.add(game.game)
            self._hosted.append(hosted)
            opening = self._opening[game.game] = asyncio.get_running_loop().create_future()
            await self._workers.go_on(hosted, ids, used_s)
            await opening
            return
        self._playing.add(game.game)
        self._hosted.append(hosted)
        with self._trouble_of(hosted):
            await self._work(lambda: self._go_on_with(table, ids, used_s))
        self._deliver(hosted)
        hosted.task = asyncio.ensure_future(self._run(hosted))

    def _go_on_with(self, table: TournamentTable, ids: dict[str, int], used_s: dict[str, float]) -> None:
        path, seed = self._table_settings.out / f"Catan_{table.number}", self._table_settings.seed
        game = GitGame.resumed(path, table.number, seed, lambda height: int(time.time()))
        table.resume(game, [seat.colour for seat in game.game.seats], used_s, ids)

    def opened_elsewhere(self, hosted: HostedTable, members: list[TableMember] | None) -> None:
        """A worker goes on with a game; if nothing was kept of it, it is still to begin."""
        if members is None:
            self._hosted.remove(hosted)
            self._playing.discard(hosted.table.number)
        elif not hosted.table.members:
            hosted.table.members = members
        opening = self._opening.pop(hosted.table.number, None)
        if opening is not None:
            opening.set_result(members is not None)

    # Tables

    def _new_table(self, game: ScheduledGame) -> TournamentTable:
        seats = [self.tournament.entrants[name] for name in game.seats]
        table = TournamentTable(
            game.game,
            self._table_settings,
            seats,
            lambda name: self._is_busy(name, table),
            lambda: next(self._ids),
            self._now,
        )
        table.barred = self.barred
        table.may_begin = lambda: self._takes_room(game.game)
        table.is_played_elsewhere = self._workers is not None
        return table

    def _table_of(self, game: ScheduledGame) -> HostedTable:
        for hosted in self._hosted:
            if hosted.table.number == game.game:
                return hosted
        return self._host(self._new_table(game))

    def _takes_room(self, number: int) -> bool:
        """Whether a game may begin now, and take one of the places if so. Called from several threads."""
        with self._room_lock:
            if len(self._playing) < self.settings.tables:
                self._playing.add(number)
            return number in self._playing

    def _is_busy(self, name: str, table: TournamentTable) -> bool:
        """Whether an entrant is connected and playing at another table."""
        return any(
            hosted.table is not table
            and hosted.table.has_begun
            and any(member.name == name and member.is_there for member in hosted.table.members)
            for hosted in self._hosted
        )

    # Clients

    async def _seat(self, hello: m.ClientHello, objects: Any, outgoing: OutgoingMessages, group: str) -> Seat | None:
        """The seat of a client's entrant; None if it gets none in this process."""
        seat = await self._had_seat(hello, outgoing)
        if seat is None and not outgoing.is_handed:
            seat = await self._had_seat_before(hello, outgoing, group)
        if seat is not None or outgoing.is_handed:
            return seat

        async def arrive(member: TableMember, message: m.ChooseName) -> Seat | None:
            if is_spectator(without_secret(message.name)):
                await self._watch(without_secret(message.name), objects, outgoing)
                return None
            return await self._arrived(member, message, outgoing, group)

        return await self._introduced(hello, objects, outgoing, arrive)

    async def _had_seat_before(self, hello: m.ClientHello, outgoing: OutgoingMessages, group: str) -> Seat | None:
        """The seat of a client whose token only an earlier server process knew: its name and secret must do."""
        if hello.name is None or hello.token is None or self._table_settings.strict:
            return None
        entrant = recognized(hello.name, [*self.tournament.entrants.values()])
        game = None if entrant is None else self.tournament.next_game(entrant.name)
        if game is None or game.game not in self._playing:
            return None
        member = TableMember(0, hello.version, hello.token)
        with contextlib.suppress(RequestRefused, NoSeatFree):
            return await self._arrived(member, m.ChooseName(hello.name, "Red"), outgoing, group)
        return None

    async def _arrived(
        self, member: TableMember, message: m.ChooseName, outgoing: OutgoingMessages, group: str
    ) -> Seat | None:
        entrant = recognized(message.name, [*self.tournament.entrants.values()])
        if entrant is None:
            raise RequestRefused("Dieser Name nimmt nicht teil, oder das Kennwort fehlt (Name:Kennwort)")
        if folded(entrant.name) in self.barred:
            raise NoSeatFree(KICKED)
        while True:
            async with self._seating:
                game = self.tournament.next_game(entrant.name)
                if game is None:
                    raise NoSeatFree("Für dich ist das Turnier zu Ende")
                hosted = self._table_of(game)
                async with hosted.lock:
                    table = hosted.table
                    assert isinstance(table, TournamentTable)
                    if not table.is_over:
                        self._displace(table, entrant, hosted)
                        if table.is_handed:
                            seat = table.member_of(entrant.name)
                            assert seat is not None
                            seat.token, seat.asked_name, seat.version = member.token, message.name, member.version
                            await self._send_back(hosted, seat, outgoing, arrival=(member, entrant, message))
                            return None
                        seated = table.arrive(member, entrant, message)
                        hosted.groups[seated] = group
                        self._heard(hosted, seated, m.as_json(message))
                        table.answer(seated)
                        self._connect(hosted, seated, outgoing)
                        return hosted, seated
            await asyncio.sleep(LOOK_S / 10)  # the game has just ended; its result is about to be recorded

    def _displace(self, table: TournamentTable, entrant: EntrantSecret, hosted: HostedTable) -> None:
        """Disconnect the entrant's earlier client. Without a secret that client keeps the seat: ``RequestRefused``."""
        there = table.member_of(entrant.name)
        if there is None or there.is_free or not there.is_there:
            return
        if entrant.secret is None:
            raise RequestRefused(f"{entrant.name} ist schon da")
        if there in hosted.clients:
            hosted.clients.pop(there).abort()

    # Watching

    async def _watch(self, name: str, objects: Any, outgoing: OutgoingMessages) -> None:
        """Send a spectator the public messages of a game, with the tournament's delay."""
        outgoing.send(m.write_message(m.RequestReply(OK)))
        reading = asyncio.ensure_future(self._refuse_all(objects, outgoing))
        try:
            number = None
            while number is None and not reading.done():
                number = self._watched(name.partition(" ")[2].strip())
                await asyncio.sleep(LOOK_S)
            if number is None:
                return
            tail, waiting = PublicTail(self._kept.path(number)), list[str]()
            while not reading.done() and not outgoing.is_cut:
                is_over = not self.tournament.games[number].is_open
                while outgoing.has_room and (waiting or (waiting := await self._told_by(tail, is_over=is_over))):
                    outgoing.send(waiting.pop(0))
                if is_over and not waiting and tail.is_at_end:
                    return
                await asyncio.sleep(LOOK_S)
        finally:
            reading.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await reading

    async def _told_by(self, tail: PublicTail, *, is_over: bool) -> list[str]:
        """Some of the public messages that are older than the delay; all of them once the game is over."""
        until = time.time() + 1 if is_over else time.time() - self._delay_s
        return await self._work(lambda: tail.read(until))

    def _watched(self, number: str) -> int | None:
        """The game of that number, or the first running one; None if it has not begun."""
        if number.isdecimal() and len(number) <= MAX_DIGITS:
            return int(number) if self._kept.path(int(number)).exists() else None
        playing = [hosted.table.number for hosted in self._hosted if hosted.table.has_begun]
        return min(playing, default=None)

    async def _refuse_all(self, objects: Any, outgoing: OutgoingMessages) -> None:
        refused = 0
        async for one in objects:
            message = understood(one)
            outgoing.send(
                m.write_message(m.RequestReply(OK if isinstance(message, m.ReadyToStart) else "Du siehst nur zu"))
            )
            refused += 1
            if refused >= MAX_REFUSED:
                return

    # Keeping

    async def _hand_over(self, hosted: HostedTable) -> None:
        self._kept.close(hosted.table.number)  # the worker writes it from now on
        await super()._hand_over(hosted)

    def _ended(self, hosted: HostedTable) -> None:
        assert isinstance(hosted.table, TournamentTable)
        self._take_result(hosted, hosted.table.result())

    def _take_result(self, hosted: HostedTable, result: TableResult | None) -> None:
        table, game = hosted.table, self.tournament.games[hosted.table.number]
        self._playing.discard(game.game)
        assert isinstance(table, TournamentTable)
        if not game.is_open:
            return
        game.details = table.as_json()
        if result is None or not result.is_over:
            game.state = VOID
            return
        game.state, game.winner, game.points = OVER, game.seats[result.winner], [*result.points]
        game.actions, game.turns = result.actions, result.turns

    async def _over(self, hosted: HostedTable) -> None:
        game = self.tournament.games[hosted.table.number]
        self._kept.close(game.game)
        if game.state == OVER:
            await self._work(lambda: self._keep_view(game.game))
        self._ratings = await self._work(self.tournament.ratings)
        self._save()
        for other in self._hosted:
            other.wake.set()
        if self.tournament.is_over:
            self.done.set()

    def ended_elsewhere(self, hosted: HostedTable, result: TableResult | None) -> None:
        """A worker's game is over: take its result, and let the next game begin."""
        super().ended_elsewhere(hosted, result)
        self._take_result(hosted, result)
        for other in self._hosted:
            other.wake.set()

    def cleared_elsewhere(self, hosted: HostedTable) -> None:
        """A worker's game is closed: save its result."""
        super().cleared_elsewhere(hosted)
        self._keep_result(hosted)

    def give_up(self, hosted: HostedTable) -> None:
        """Give up a game whose worker processes keep ending; it counts as void."""
        super().give_up(hosted)
        self._take_result(hosted, None)
        self._keep_result(hosted)

    def _keep_result(self, hosted: HostedTable) -> None:
        keeping = asyncio.ensure_future(self._over(hosted))
        self._closing.add(keeping)
        keeping.add_done_callback(self._closing.discard)

    async def _show_games(self) -> None:
        """Update the views of running games one by one, with the same delay as for spectators."""
        while True:
            await asyncio.sleep(VIEW_S)
            for number in sorted(self._playing):
                if self.tournament.games[number].is_open:
                    began = time.monotonic()
                    await self._work(functools.partial(self._keep_view, number, time.time() - self._delay_s))
                    await asyncio.sleep(VIEW_SHARE * (time.monotonic() - began))

    def _finish_views(self) -> None:
        """Write the final views that an earlier server process did not finish."""
        for game in self.tournament.games:
            path = self._view_path(game.game)
            if game.state == OVER and (not path.exists() or _unfinished(path).exists()):
                self._keep_view(game.game)

    def _view_path(self, number: int) -> Path:
        return self.tournament.out / "public" / f"Catan_{number}"

    def _keep_view(self, number: int, until: float = math.inf) -> None:
        """Write a game's public view of the messages sent by ``until``, for the ``watch`` verb."""
        path = self._view_path(number)
        is_over = until == math.inf
        with self._view_lock:
            texts = [*public_messages(self._kept.path(number), until)]
            has_begun = any(text.startswith('{"Spiel gestartet"') for text in texts)
            if not is_over and (not has_begun or len(texts) == self._shown.get(number)):
                return
            try:
                heard = [m.read_message(json.loads(text), "server") for text in texts]
                path.parent.mkdir(exist_ok=True)
                # The marker stays until the final view is written, so that a restarted server knows whether it must.
                _unfinished(path).touch()
                replace_seen(path, heard, f"game {number} as spectators saw it")  # type: ignore[arg-type]
                if is_over:
                    _unfinished(path).unlink()
                self._shown[number] = len(texts)
            except (NothingRecorded, NotationError, StoreError, OSError, ValueError) as error:
                self._note(f"table {number}: no public view: {error}")

    def _save(self) -> None:
        playing = {
            hosted.table.number: hosted.table.as_json()
            for hosted in self._hosted
            if isinstance(hosted.table, TournamentTable) and hosted.table.has_begun
        }
        try:
            self.tournament.save(playing, self._ratings)
        except StoreError as error:
            self.troubles.append(str(error))
            self._note(self.troubles[-1])

    # The host

    commands = TOURNAMENT_COMMANDS

    def _look_after_games(self) -> None:
        if time.monotonic() >= self._saved_at + SAVE_S and any(hosted.table.has_begun for hosted in self._hosted):
            self._save()
            self._saved_at = time.monotonic()

    async def pause(self, what: str = "") -> None:
        """Pause all tables and clocks; messages of clients wait. A restart does not end the pause."""
        await super().pause()
        self._keep_pause()

    async def go_on(self, what: str = "") -> None:
        """Resume after a pause."""
        await super().go_on()
        self._keep_pause()

    def _keep_pause(self) -> None:
        if self.tournament.is_paused != self.stands_still:
            self.tournament.is_paused = self.stands_still
            self._save()

    async def _obey_about(self, verb: str, number: int) -> None:
        """Begin a game with those who are ready, or skip it."""
        if number >= len(self.tournament.games):
            self._note(f"control: {verb}: there is no game {number}")
            return
        game = self.tournament.games[number]
        if not game.is_open:
            self._note(f"control: game {number} is {game.state}")
            return
        hosted = self._table_of(game)
        if verb == "begin":
            await super()._obey_about(verb, number)
            return
        async with hosted.lock:
            game.state = VOID
            if hosted.table.is_handed and self._workers is not None:
                await self._workers.tell(hosted, BreakOff(number))
            else:
                hosted.table.is_over = True
        self._note(f"game {number} is skipped")
        hosted.wake.set()
