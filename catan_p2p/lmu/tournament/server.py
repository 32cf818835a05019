"""The server of a tournament: brings every client that gives its name to its next game, and keeps what happens.

A game begins once all of its entrants are ready, or those who are have waited long enough for the others. Clients come
anew for each game, and come back to one that is under way by their name, also after the server was killed.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import secrets
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import count
from typing import Any

from catan_p2p.game.scoring import points_of
from catan_p2p.lmu import messages as m
from catan_p2p.lmu.game import GitGame
from catan_p2p.lmu.hosting import Hosted, ServerSettings, understood
from catan_p2p.lmu.public_record import NothingRecorded, write_seen
from catan_p2p.lmu.requests import Refused
from catan_p2p.lmu.seats import Member, TableSettings
from catan_p2p.lmu.served import Outgoing
from catan_p2p.lmu.server import Server
from catan_p2p.lmu.table import NoSeat
from catan_p2p.lmu.tournament.entrants import Entrant, recognized, without_secret
from catan_p2p.lmu.tournament.record import PUBLIC, GameRecord, numbers_told, public_messages
from catan_p2p.lmu.tournament.schedule import OVER, VOID, WAITING, ScheduledGame
from catan_p2p.lmu.tournament.standing import Tournament
from catan_p2p.lmu.tournament.table import TournamentTable
from catan_p2p.lmu.words import OK
from catan_p2p.log.storage.objects import StoreError
from catan_p2p.notation.errors import NotationError

SPECTATOR = "Zuschauer"
"""Whoever chooses this name watches; a number behind it is the game's, otherwise it is the first under way."""
MAX_REFUSED = 20
"""After so many refused introductions a client is let go."""
MAX_PUBLIC = 200_000
SAVE_S = 2.0
LOOK_S = 0.25
CONTROL_FILE = "control"
MAX_COMMAND_CHARS = 200
MAX_DIGITS = 6


@dataclass(slots=True)
class _Public:
    """What everybody may know of one game, in order, with the time at which it was told."""

    told: list[tuple[float, str]] = field(default_factory=list)
    is_over: bool = False


class TournamentServer(Server):
    """Hosts the games of a tournament until all are over, or it is closed."""

    def __init__(
        self,
        tournament: Tournament,
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
        self._records: dict[int, GameRecord] = {}
        self._public: dict[int, _Public] = {}
        self._stood_since: float | None = None
        self._tasks: list[asyncio.Task[None]] = []
        self._control_at = 0
        self._playing: set[int] = set()
        self._room_lock = threading.Lock()
        self._ratings = tournament.ratings()

    # From start to end

    async def begin(self) -> None:
        """Go on with the games that were under way, and take commands from now on."""
        self.tournament.out.mkdir(parents=True, exist_ok=True)
        if self.tournament.is_paused:
            self._stand_still()
        for game in self.tournament.games:
            if game.state == WAITING and self.tournament.folder(game).exists():
                await self._resume(game)
        control = self.tournament.out / CONTROL_FILE
        self._control_at = control.stat().st_size if control.exists() else 0
        self._save()
        self._tasks = [asyncio.ensure_future(self._look_after())]
        if self.tournament.is_over:
            self.done.set()
        for game in self.tournament.games:
            if game.state == WAITING and all(self.tournament.entrants[name].is_computer for name in game.seats):
                self._table_of(game)

    async def close(self) -> None:
        """Leave all games in order, so that the next start goes on with them."""
        for task in self._tasks:
            task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await task
        self._running.set()
        self._save()
        await super().close()
        for record in self._records.values():
            record.close()

    async def _resume(self, game: ScheduledGame) -> None:
        table = self._new_table(game)
        settings = self._table_settings
        path = self.tournament.folder(game)
        try:
            found = await self._work(
                lambda: GitGame.resumed(path, game.game, settings.seed, lambda height: int(time.time()))
            )
        except (StoreError, ValueError) as error:
            self.troubles.append(f"table {game.game}: cannot go on: {error}")
            self._note(self.troubles[-1])
            game.state = VOID
            return
        public = self._public[game.game]
        for text in public_messages(self._record_path(game.game)):
            public.told.append((float("-inf"), text))
        ids = numbers_told(text for _, text in public.told)
        self._ids = count(max([next(self._ids), *(id + 1 for id in ids.values())]))
        hosted = Hosted(table)
        self._playing.add(game.game)
        colours = [seat.colour for seat in found.game.seats]
        await self._work(lambda: table.resume(found, colours, game.details.get("clock_s", {}), ids))
        self._deliver(hosted)
        self._hosted.append(hosted)
        hosted.task = asyncio.ensure_future(self._run(hosted))

    def _now(self) -> float:
        """The clock of tables, which stands still while the tournament does."""
        now = time.monotonic() if self._stood_since is None else self._stood_since
        return now - self._stood_s

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
        table.may_begin = lambda: self._takes_room(game.game)
        self._records[game.game] = GameRecord(self._record_path(game.game))
        self._public[game.game] = _Public()
        return table

    def _record_path(self, number: int) -> Any:
        return self.tournament.out / "messages" / f"Catan_{number}.jsonl"

    def _table_of(self, game: ScheduledGame) -> Hosted:
        for hosted in self._hosted:
            if hosted.table.number == game.game:
                return hosted
        return self._host(self._new_table(game))

    def _takes_room(self, number: int) -> bool:
        """Whether a game may begin now; tables ask on several threads."""
        with self._room_lock:
            if len(self._playing) < self.settings.tables:
                self._playing.add(number)
            return number in self._playing

    def _is_busy(self, name: str, table: TournamentTable) -> bool:
        """Whether an entrant's client is playing at another table."""
        return any(
            hosted.table is not table
            and hosted.table.play is not None
            and any(member.name == name and member in hosted.clients for member in hosted.table.members)
            for hosted in self._hosted
        )

    # Clients

    async def _seat(
        self, hello: m.ClientHello, objects: Any, outgoing: Outgoing, group: str
    ) -> tuple[Hosted, Member] | None:
        """The seat of whom a client names; None once it has gone, is let go, or has watched."""
        seat = await self._had_seat(hello, outgoing) or await self._had_seat_before(hello, outgoing, group)
        if seat is not None:
            return seat
        token = "" if self._table_settings.strict else secrets.token_urlsafe(12)
        member = Member(next(self._ids), hello.version, token)
        alone = m.PlayerState(member.id, "Spiel starten", None, None, 0, 0, 0, 0, False, False)
        outgoing.send(m.write_message(m.Welcome(member.id, token or None)))
        outgoing.send(m.write_message(m.StatusUpdate(alone)))
        with contextlib.suppress(TimeoutError, StopAsyncIteration):
            async with asyncio.timeout(self._table_settings.patience_s):
                for _ in range(MAX_REFUSED):
                    message = understood(await anext(objects))
                    if not isinstance(message, m.Introduce):
                        why = message if isinstance(message, str) else "Erst Name und Farbe"
                        outgoing.send(m.write_message(m.Reply(why)))
                        continue
                    if without_secret(message.name).split(" ")[0] == SPECTATOR:
                        break
                    try:
                        return await self._arrived(member, message, outgoing, group)
                    except Refused as error:
                        outgoing.send(m.write_message(m.Reply(str(error))))
                    except NoSeat as error:
                        outgoing.send(m.write_message(m.Failure(str(error))))
                        return None
                else:
                    return None
            await self._watch(without_secret(message.name), objects, outgoing)
        return None

    async def _had_seat_before(
        self, hello: m.ClientHello, outgoing: Outgoing, group: str
    ) -> tuple[Hosted, Member] | None:
        """The seat of a client that comes back, with a token that only a server before this one knew."""
        if hello.name is None or hello.token is None or self._table_settings.strict:
            return None
        entrant = recognized(hello.name, [*self.tournament.entrants.values()])
        game = None if entrant is None else self.tournament.next_game(entrant.name)
        if game is None or game.game not in self._playing:
            return None
        member = Member(0, hello.version, hello.token)
        with contextlib.suppress(Refused, NoSeat):
            return await self._arrived(member, m.Introduce(hello.name, "Red"), outgoing, group)
        return None

    async def _arrived(
        self, member: Member, message: m.Introduce, outgoing: Outgoing, group: str
    ) -> tuple[Hosted, Member]:
        entrant = recognized(message.name, [*self.tournament.entrants.values()])
        if entrant is None:
            raise Refused("Dieser Name nimmt nicht teil, oder das Kennwort fehlt (Name:Kennwort)")
        while True:
            async with self._seating:
                game = self.tournament.next_game(entrant.name)
                if game is None:
                    raise NoSeat("Für dich ist das Turnier zu Ende")
                hosted = self._table_of(game)
                async with hosted.lock:
                    table = hosted.table
                    assert isinstance(table, TournamentTable)
                    if not table.is_over:
                        self._displace(table, entrant, hosted)
                        seated = table.arrive(member, entrant, message)
                        hosted.groups[seated] = group
                        self._heard(hosted, seated, m.as_json(message))
                        table.answer(seated)
                        self._connect(hosted, seated, outgoing)
                        return hosted, seated
            await asyncio.sleep(LOOK_S / 10)  # the game has just ended

    def _displace(self, table: TournamentTable, entrant: Entrant, hosted: Hosted) -> None:
        """Who has the secret has the seat; without one, whoever is there first keeps it."""
        there = table.member_of(entrant.name)
        if there is None or there not in hosted.clients:
            return
        if entrant.secret is None:
            raise Refused(f"{entrant.name} ist schon da")
        hosted.clients.pop(there).abort()

    # Watching

    async def _watch(self, name: str, objects: Any, outgoing: Outgoing) -> None:
        """Send somebody all that everybody may know of a game, so much later than it happens."""
        outgoing.send(m.write_message(m.Reply(OK)))
        reading = asyncio.ensure_future(self._refuse_all(objects, outgoing))
        try:
            public = None
            while public is None and not reading.done():
                public = self._watched(name.partition(" ")[2].strip())
                await asyncio.sleep(LOOK_S)
            at = 0
            while public is not None and not reading.done() and not outgoing.is_cut:
                due = time.monotonic() - (0.0 if public.is_over else self._delay_s)
                while at < len(public.told) and public.told[at][0] <= due and outgoing.has_room:
                    outgoing.send(public.told[at][1])
                    at += 1
                if public.is_over and at == len(public.told):
                    return
                await asyncio.sleep(LOOK_S)
        finally:
            reading.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await reading

    def _watched(self, number: str) -> _Public | None:
        if number.isdecimal() and len(number) <= MAX_DIGITS:
            return self._public.get(int(number))
        playing = [hosted.table.number for hosted in self._hosted if hosted.table.play is not None]
        return self._public[min(playing)] if playing else None

    async def _refuse_all(self, objects: Any, outgoing: Outgoing) -> None:
        refused = 0
        async for one in objects:
            message = understood(one)
            outgoing.send(m.write_message(m.Reply(OK if isinstance(message, m.Start) else "Du siehst nur zu")))
            refused += 1
            if refused >= MAX_REFUSED:
                return

    # Keeping

    def _heard(self, hosted: Hosted, member: Member, one: Any) -> None:
        self._records[hosted.table.number].heard(member.name or "", one)

    def _told(self, hosted: Hosted, member: Member, text: str) -> None:
        record, public = self._records[hosted.table.number], self._public[hosted.table.number]
        if member is not hosted.table.audience:
            record.told([member.name or ""], text)
            return
        record.told([PUBLIC], text)
        if len(public.told) < MAX_PUBLIC:
            public.told.append((time.monotonic(), text))

    def _deliver(self, hosted: Hosted) -> None:
        super()._deliver(hosted)
        self._records[hosted.table.number].flush()

    def _noted(self, hosted: Hosted, note: str) -> None:
        super()._noted(hosted, note)
        self._records[hosted.table.number].noted(note)

    def _ended(self, hosted: Hosted) -> None:
        table, game = hosted.table, self.tournament.games[hosted.table.number]
        self._playing.discard(game.game)
        assert isinstance(table, TournamentTable)
        if game.state == WAITING:
            game.details = table.as_json()
            game.state = OVER if table.play is not None and table.play.is_over else VOID
        if game.state == OVER and table.play is not None:
            state = table.play.state
            game.winner, game.points = game.seats[state.ap - 1], [*points_of(state)]
            if isinstance(table.play.game, GitGame):
                game.actions, game.turns = table.play.game.length

    async def _over(self, hosted: Hosted) -> None:
        game, public = self.tournament.games[hosted.table.number], self._public[hosted.table.number]
        public.is_over = True
        await self._work(lambda: self._keep_view(game.game, public))
        self._ratings = await self._work(self.tournament.ratings)
        self._save()
        for other in self._hosted:
            other.wake.set()
        if self.tournament.is_over:
            self.done.set()

    def _keep_view(self, number: int, public: _Public) -> None:
        """Write a finished game as those saw it who watched, for ``watch``."""
        path = self.tournament.out / "public" / f"Catan_{number}"
        if path.exists() or self.tournament.games[number].state != OVER:
            return
        try:
            heard = [m.read_message(json.loads(text), "server") for _, text in public.told]
            path.parent.mkdir(exist_ok=True)
            write_seen(path, heard, f"game {number} as spectators saw it")  # type: ignore[arg-type]
        except (NothingRecorded, NotationError, StoreError, ValueError) as error:
            self._note(f"table {number}: no public view: {error}")

    def _save(self) -> None:
        playing = {
            hosted.table.number: hosted.table.as_json()
            for hosted in self._hosted
            if isinstance(hosted.table, TournamentTable) and hosted.table.play is not None
        }
        try:
            self.tournament.save(playing, self._ratings)
        except StoreError as error:
            self.troubles.append(str(error))
            self._note(self.troubles[-1])

    # The organizer

    async def _look_after(self) -> None:
        saved = time.monotonic()
        while True:
            await asyncio.sleep(LOOK_S)
            for command in self._commands():
                await self.obey(command)
            if time.monotonic() >= saved + SAVE_S and any(hosted.table.play is not None for hosted in self._hosted):
                self._save()
                saved = time.monotonic()

    def _commands(self) -> list[str]:
        """The lines that were added to the control file since it was read last."""
        try:
            with (self.tournament.out / CONTROL_FILE).open("rb") as file:
                file.seek(self._control_at)
                data = file.read(MAX_COMMAND_CHARS * 100)
        except OSError:
            return []
        whole = data[: data.rfind(b"\n") + 1]
        self._control_at += len(whole)
        return [line.strip()[:MAX_COMMAND_CHARS] for line in whole.decode("utf-8", "replace").splitlines()]

    async def obey(self, command: str) -> None:
        """Do what the organizer says: see ``COMMANDS``."""
        verb, _, what = command.partition(" ")
        if verb == "pause":
            self.pause()
        elif verb == "resume":
            self.go_on()
        elif verb == "kick":
            kicked = [hosted for hosted in self._hosted if await self._kicked(hosted, what)]
            self._note(f"{what}: {'disconnected' if kicked else 'is not there'}")
        elif verb in ("begin", "skip") and what.isdecimal() and len(what) <= MAX_DIGITS:
            if int(what) < len(self.tournament.games):
                await self._begin_or_skip(verb, self.tournament.games[int(what)])
            else:
                self._note(f"control: {verb}: there is no game {what}")
        else:
            self._note(f"control: {command!r}: expected {', '.join(COMMANDS)}")

    def pause(self) -> None:
        """Let every table and every clock stand still; what clients send waits. A restart changes nothing about it."""
        if self._stood_since is None:
            self._stand_still()
            self.tournament.is_paused = True
            self._save()

    def _stand_still(self) -> None:
        self._stood_since = time.monotonic()
        self._running.clear()
        self._note("the tournament stands still")

    def go_on(self) -> None:
        """Go on after a pause."""
        if self._stood_since is not None:
            self._stood_s += time.monotonic() - self._stood_since
            self._stood_since = None
            self._running.set()
            self.tournament.is_paused = False
            self._save()
            self._note("the tournament goes on")
            for hosted in self._hosted:
                hosted.wake.set()

    async def _kicked(self, hosted: Hosted, name: str) -> bool:
        async with hosted.lock:
            table = hosted.table
            member = table.member_of(name) if isinstance(table, TournamentTable) else None
            outgoing = hosted.clients.get(member) if member is not None else None
            if member is None or outgoing is None or not table.kick(name):  # type: ignore[attr-defined]
                return False
            self._deliver(hosted)
            if member in hosted.clients:
                self._end(hosted.clients.pop(member))
                table.leave(member)
                self._deliver(hosted)
        hosted.wake.set()
        return True

    async def _begin_or_skip(self, verb: str, game: ScheduledGame) -> None:
        if game.state != WAITING:
            self._note(f"control: game {game.game} is {game.state}")
            return
        hosted = self._table_of(game)
        table = hosted.table
        assert isinstance(table, TournamentTable)
        async with hosted.lock:
            if verb == "begin":
                table.is_called = True
            else:
                game.state, table.is_over = VOID, True
                self._note(f"game {game.game} is skipped")
        hosted.wake.set()


COMMANDS = ("pause", "resume", "kick NAME", "begin GAME", "skip GAME")
"""What the organizer can say."""
