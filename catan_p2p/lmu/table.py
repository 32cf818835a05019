"""A table of the server: its members, the messages to each, and the seats that the computer plays. It does no I/O.

The owner calls one method at a time, and afterwards delivers the messages of ``take_outbox``.
"""

import math
import secrets
import time
from collections.abc import Callable, Sequence
from random import Random

from catan_p2p.game.constants import Constants, Player
from catan_p2p.game.new_game import new_constants
from catan_p2p.game.secret_streams import seed_for, stream_of
from catan_p2p.lmu import messages as m
from catan_p2p.lmu.game import GitGame, TableGame
from catan_p2p.lmu.notifications import Notification, chart, names_of, player_state
from catan_p2p.lmu.requests import RequestRefused
from catan_p2p.lmu.seats import TableMember, TableSettings, distinct_name, folded, without_secret
from catan_p2p.lmu.session import MAX_OFFERS, GameSession
from catan_p2p.lmu.stand_in import StandIn
from catan_p2p.lmu.words import COLOUR_TAKEN, COLOUR_WORDS, OK, Status
from catan_p2p.log.game import chosen_name_problem

LAG_S = 2.0
"""How far the repository's branches may lag behind the game, and how much a power cut may lose. Fast programs play
several turns in that time, and one publication costs as much as the game's part of ten messages."""
MAX_REFUSED = 200
"""After this many refused messages in a row a client is disconnected."""
IDLE = "Zu lange nicht bereit"
"""The reason given to a client that is put out of the lobby."""
NOBODY: Player = 0
"""As a viewer: sees only what all may see."""
KICKED = "Vom Gastgeber getrennt"
"""The reason given to a client that the host has put out."""


class ColourTaken(Exception):
    """Another ready player has the colour. The one request that is answered with Fehler instead of Serverantwort."""


class NoSeatFree(Exception):
    """There is no seat for a client; the message is the text for the client."""


def rules_of(settings: TableSettings) -> str:
    """The rules of a table, as ``rules_named`` reads them."""
    points = "" if settings.points == 10 else f"; PointsToWin = {settings.points}"
    return f"brief; OfferMax = 0; OffersPerTurn = {MAX_OFFERS}{points}"


NewGame = Callable[[int, Constants, tuple[str, ...]], TableGame]


def _state_word(member: TableMember) -> str:
    """The state of a seat in a game, for the host's list."""
    return " (the computer plays)" if member.is_computer else "" if member.is_there else " (gone)"


class LmuTable:
    """One table: first a lobby, then a game, then over."""

    def __init__(
        self,
        number: int,
        settings: TableSettings,
        new_game: NewGame | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.number = number
        self.settings = settings
        self.members: list[TableMember] = []
        self.play: GameSession | None = None
        self.is_over = False
        self.notes: list[str] = []
        """Lines for the server's log."""
        self._new_game = new_game or self._new_git_game
        self._time = clock
        self._stood_s = 0.0
        self._outbox: list[tuple[TableMember, m.ServerMessage]] = []
        self._stand_in: StandIn | None = None
        self._next_id = 1
        self._ready_since: float | None = None
        self._publish_at: float | None = None
        self._is_closed = False
        self.is_called = False
        """Whether the host has told the game to begin with those who are ready."""
        self.barred: dict[str, str] = {}
        """The names of players whom the host has put out, by ``folded`` name."""

    # The clock

    def _clock(self) -> float:
        return self._time() - self._stood_s

    def stand(self, stood_s: float) -> None:
        """Leave ``stood_s`` seconds out of the table's clock."""
        self._stood_s += stood_s

    # Coming and going

    @property
    def is_open(self) -> bool:
        """Whether a new client can have a seat."""
        return not self.has_begun and not self.is_over and len(self.members) < self.settings.players

    @property
    def has_begun(self) -> bool:
        """Whether the game has begun."""
        return self.play is not None

    def join(self, version: str) -> TableMember:
        """Seat a new client; ``NoSeatFree`` if the table is full or has begun."""
        if not self.is_open:
            raise NoSeatFree("Das Spiel läuft bereits" if self.has_begun else "Der Tisch ist voll")
        member = TableMember(self._next_id, version, "" if self.settings.strict else secrets.token_urlsafe(12))
        self._send(member, m.PlayerWelcome(member.id, member.token or None))
        self.seat(member)
        return member

    def seat(self, member: TableMember) -> None:
        """Seat a client that already has its number."""
        self._next_id = max(self._next_id, member.id + 1)
        self._ready_since = None
        member.deadline = self._clock() + self.settings.patience_s
        self.members.append(member)
        self._send_all(m.StatusUpdate(self._lobby_state(member)))
        for other in self.members:
            if other is not member:
                self._send(member, m.StatusUpdate(self._lobby_state(other)))

    def member_of(self, name: str) -> TableMember | None:
        """The member of that name, None if there is none."""
        return next((member for member in self.members if member.name == name), None)

    def seat_of(self, name: str, token: str) -> TableMember | None:
        """The member to whom name and token belong; None if there is none, or no game."""
        if not self.has_begun or self.is_over:
            return None
        name = self._plain(name)
        for member in self.members:
            is_named = name in (member.name, member.asked_name) and not self.is_barred(member.name)
            if member.token and secrets.compare_digest(member.token.encode(), token.encode()) and is_named:
                return member
        return None

    def come_back(self, member: TableMember, was: int | None = None) -> bool:
        """Let a client take its seat again; False if the game has ended.

        A client that gave only the name, and had the number ``was`` until now, does not get the token: the client that
        has it keeps the first claim to the seat.
        """
        if self.play is None or self.is_over:
            return False
        member.is_there, member.must_go = True, False
        if was is not None:
            self._forget_number(member, was)
        self._give_back(member)
        self._tell_everything(member, "" if was is not None else member.token)
        return True

    def _forget_number(self, member: TableMember, was: int) -> None:
        """Tell a client that its provisional number no longer exists."""
        gone = m.PlayerState(was, "Verbindung verloren", None, None, 0, 0, 0, 0, False, False)
        self._send(member, m.StatusUpdate(gone))

    def _tell_everything(self, member: TableMember, token: str) -> None:
        assert self.play is not None
        play = self.play
        self._send(member, m.PlayerWelcome(member.id, token or None))
        self._send(member, m.GameStartedMessage(chart(play.names, play.state)))
        member.deadline = self._clock() + self.settings.patience_s
        member.status = play.status(member.player)
        self._send_status(member)
        for other in self.members:
            if other is not member:
                self._send(member, m.StatusUpdate(self._state_of(other, member.player)))
        for offer in play.offers.values():
            self._send(member, m.TradeOfferedMessage(play.names.id(offer.player), offer.id, offer.give, offer.receive))

    def leave(self, member: TableMember) -> None:
        """A member's connection has ended: free the seat in the lobby; in a game, the computer takes over later."""
        member.is_there = False
        if self.is_over:
            return
        self.notes.append(f"{member.called}: connection lost")
        if self.play is None:
            self.members.remove(member)
            member.status = "Verbindung verloren"
            self._send_all(m.StatusUpdate(self._lobby_state(member)))
            self._ready_since = None
            self._begin_if_ready()
        elif not member.is_computer:
            member.status = "Verbindung verloren"
            self._send_status(member)
            member.deadline = self._clock() + (0.0 if self.is_barred(member.name) else self.settings.patience_s)

    def put_out(self, member: TableMember, why: str) -> None:
        """Remove a member from the lobby, and send them the reason."""
        self._send(member, m.ServerFailure(why))
        self.notes.append(f"{member.called}: {why}")
        self.leave(member)

    def kick(self, name: str) -> TableMember | None:
        """Put a player out until the host admits them; in a game the computer plays on. None if nobody has the name."""
        member = self.member_of(name)
        if member is None or not member.is_there:
            return None
        self.barred[folded(name)] = name
        if self.play is None:
            self.put_out(member, KICKED)
        else:
            self._send(member, m.ServerFailure(KICKED))
            member.must_go = True
        return member

    def is_barred(self, name: str | None) -> bool:
        """Whether the host has put out the player of that name."""
        return name is not None and folded(name) in self.barred

    # Messages

    def receive(self, member: TableMember, message: m.ClientMessage) -> None:
        """Carry out a member's message, and answer it after all messages that it causes."""
        try:
            self._take(member, message)
        except ColourTaken:
            self._send(member, m.ServerFailure(COLOUR_TAKEN))
        except RequestRefused as error:
            self.refuse(member, str(error))
        else:
            member.refused_in_a_row = 0
            self._send(member, m.RequestReply(OK))

    def answer(self, member: TableMember) -> None:
        """Send OK to a message that was handled elsewhere, such as the introduction that brought the member here."""
        self._send(member, m.RequestReply(OK))

    def refuse(self, member: TableMember, why: str) -> None:
        """Refuse a message; after ``MAX_REFUSED`` in a row the client must go."""
        member.refused_in_a_row += 1
        self._send(member, m.RequestReply(why))
        if member.refused_in_a_row >= MAX_REFUSED:
            member.must_go = True
            self.notes.append(f"{member.called}: {MAX_REFUSED} refused messages in a row, disconnected")

    def _take(self, member: TableMember, message: m.ClientMessage) -> None:
        if isinstance(message, m.SendChat):
            self._send_all(m.ChatReceived(message.text, member.id))
        elif isinstance(message, m.ReadyToStart):
            self._make_ready(member)
        elif isinstance(message, m.ClientHello):
            raise RequestRefused("Hallo wurde schon gesagt")
        elif self.play is None:
            self._introduce(member, message)
        else:
            self._act(member, message)

    def _introduce(self, member: TableMember, message: m.ClientMessage) -> None:
        if not isinstance(message, m.ChooseName):
            raise RequestRefused("Das Spiel hat noch nicht begonnen")
        if member.is_ready:
            raise RequestRefused("Du wartest schon auf den Spielbeginn")
        name = self._plain(message.name)
        if not name.strip():
            raise RequestRefused("Der Name fehlt")
        others = [other.name for other in self.members if other is not member and other.name is not None]
        if self.is_barred(name) or self.is_barred(distinct_name(name, others)):
            raise RequestRefused(KICKED)
        if message.colour not in self._colours:
            raise RequestRefused("Diese Farbe gibt es nur zu fünft und zu sechst")
        if member.name is None:  # later changes give no more time
            member.deadline = self._clock() + self.settings.patience_s
        member.asked_name, member.name = name, distinct_name(name, others)
        member.colour = message.colour
        self._send_all(m.StatusUpdate(self._lobby_state(member)))

    def _plain(self, name: str) -> str:
        """The name without the password behind it, if the server has one."""
        return name if self.settings.password is None else without_secret(name)

    @property
    def _colours(self) -> Sequence[str]:
        return list(COLOUR_WORDS)[: 4 if self.settings.players <= 4 else 6]

    def _make_ready(self, member: TableMember) -> None:
        if member.is_ready:
            return
        if member.name is None or member.colour is None:
            raise RequestRefused("Name und Farbe fehlen noch")
        if any(other.is_ready and other.colour == member.colour for other in self.members):
            raise ColourTaken
        member.is_ready = True
        # Long enough for a client that joins now to choose a name and then to become ready.
        member.deadline = self._clock() + 2 * self.settings.patience_s + self.settings.fill_after_s
        self._send_all(m.StatusUpdate(self._lobby_state(member)))
        self.notes.append(f"{member.called}: ready")
        self._begin_if_ready()

    # The game

    def _begin_if_ready(self) -> None:
        if not self.members or not all(member.is_ready for member in self.members):
            return
        if len(self.members) == self.settings.players:
            self._begin()
        elif self._may_begin:
            self._ready_since = self._clock()

    @property
    def _may_begin(self) -> bool:
        """Whether the ready members are enough to begin before every seat is taken."""
        ready = sum(member.is_ready for member in self.members)
        return ready > 0 and (self.settings.fill is not None or ready >= self.settings.least_players)

    def _begin_called(self) -> None:
        """Begin with those who are ready, as the host wants, if they are enough."""
        fewest = 1 if self.settings.fill is not None else 3 if self.settings.players <= 4 else 5
        ready = sum(member.is_ready for member in self.members)
        if ready < fewest:
            self.notes.append(f"cannot begin: {ready} ready, {fewest} needed")
            return
        for member in [one for one in self.members if not one.is_ready]:
            self.put_out(member, IDLE)
        self._fill()
        self._begin()

    def _fill(self) -> None:
        """Put computer players on the empty seats, if there are to be any."""
        while self.settings.fill is not None and len(self.members) < self.settings.players:
            taken = {member.colour for member in self.members}
            colour = next(colour for colour in self._colours if colour not in taken)
            name = distinct_name(f"Computer {self._next_id}", [one.name or "" for one in self.members])
            member = TableMember(
                self._next_id,
                "catan_p2p (KI)",
                name=name,
                colour=colour,
                is_ready=True,
                is_computer=True,
                is_there=False,
            )
            self._next_id += 1
            self.members.append(member)
            self._send_all(m.StatusUpdate(self._lobby_state(member)))

    def _begin(self) -> None:
        """Deal the seats and start the game."""
        self._deal_seats()
        for player, member in enumerate(self.members, 1):
            member.player = player
        settings = self.settings
        colours = tuple(member.colour or "" for member in self.members)
        map_seed = seed_for(settings.seed, "map")
        constants = new_constants(rules_of(settings), colours, settings.map_name, map_seed, self.number)
        play = self._set_up(self._new_game(self.number, constants, colours))
        self._send_all(m.GameStartedMessage(chart(play.names, play.state)))
        self._tell(play.begin())
        self._show_statuses()
        self.notes.append(f"begins with {', '.join(member.called for member in self.members)}")

    def _deal_seats(self) -> None:
        """Put the members into a random order of play."""
        stream_of(self.settings.seed, f"{self.number}/seats").shuffle(self.members)

    def _set_up(self, game: TableGame) -> GameSession:
        """Begin a session of this game for the members, whose seats are dealt."""
        settings = self.settings
        self.play = GameSession(game, names_of(game.state, [member.id for member in self.members]))

        def stream(player: Player) -> Random:
            return stream_of(settings.seed, f"{self.number}/{player}")

        self._stand_in = StandIn(
            self.play,
            self.members,
            self._do,
            self.notes.append,
            settings.fill or "builder",
            stream,
            settings.patience_s,
        )
        return self.play

    def _new_git_game(self, number: int, constants: Constants, colours: tuple[str, ...]) -> TableGame:
        path = self.settings.out / f"Catan_{number}"
        names: dict[str, str] = {}
        for colour, member in zip(colours, self.members, strict=True):
            if member.name and chosen_name_problem(member.name, colour, names.values()) is None:
                names[colour] = member.name
        return GitGame(path, number, self.settings.seed, constants, colours, lambda height: int(time.time()), names)

    def _act(self, member: TableMember, message: m.ClientMessage) -> None:
        if member.is_computer:
            self._give_back(member)
        if isinstance(message, m.AnswerTradeRequest | m.CancelTrade):
            member.lets_lapse = False
        self._do(member, message)
        member.timeouts = 0

    def _give_back(self, member: TableMember) -> None:
        """Give a seat back to its player, who was silent or gone and acts again."""
        member.is_computer, member.timeouts = False, 0
        self._await(member)
        if self._stand_in is not None:
            self._stand_in.forget(member.player)
        self.notes.append(f"{member.called}: plays again")

    def _do(self, member: TableMember, message: m.ClientMessage) -> None:
        """Carry out a message of a member, or one that the stand-in makes for them."""
        assert self.play is not None and self._stand_in is not None
        self._tell(self.play.take(member.player, message))
        now = self._clock()
        if self._publish_at is None:
            self._publish_at = now + LAG_S
        self._await(member)
        self._stand_in.look_at_offers(now)
        self._show_statuses()
        if self.play.is_over and not self.is_over:
            self._end()

    def _show_statuses(self) -> None:
        """Send every changed status: first of those who wait now, last of those whose move it is.

        This is the protocol's order for the end of a turn.
        """
        assert self.play is not None
        changed = []
        for member in self.members:
            status = self.play.status(member.player)
            if member.status == "Verbindung verloren" and status == "Warten":
                continue
            if status != member.status:
                member.status = status
                self._await(member)
                changed.append(member)
        for member in sorted(changed, key=lambda member: member.status != "Warten"):
            self._send_status(member)

    def _await(self, member: TableMember) -> None:
        """Set the deadline of a player's next decision."""
        member.deadline = self._clock() + self.settings.patience_s

    def _end(self) -> None:
        assert self.play is not None
        self.is_over = True
        winner = self.members[self.play.state.ap - 1]
        self._send_status(winner)
        self._send_all(m.GameOver(f"Spieler {winner.name} hat das Spiel gewonnen.", winner.id))
        self.notes.append(f"{winner.called} has won")

    def close(self) -> None:
        """Close the game, whether it is over or broken off. This takes longer than any other call."""
        self.is_over = True
        if self.play is not None and not self._is_closed:
            self._is_closed = True
            self.play.game.finish()

    # Without a message

    def step(self) -> bool:
        """Carry out one step whose time has come, without a message; returns whether there was one."""
        if self.is_over:
            return False
        now = self._clock()
        if self._stand_in is not None:
            if self.is_to_publish:
                self._publish_at = None
                self.play.game.publish()  # type: ignore[union-attr]
                return True
            return self._stand_in.step(now)
        return self._step_in_lobby(now)

    @property
    def is_to_publish(self) -> bool:
        """Whether the next step publishes the game, and may wait for the disk."""
        return self._publish_at is not None and self._clock() >= self._publish_at

    def _step_in_lobby(self, now: float) -> bool:
        if self.is_called:
            self.is_called = False
            self._begin_called()
            return True
        latest = self._begins_by()
        for member in self.members:
            if not member.is_ready and now >= min(member.deadline, latest):
                self.put_out(member, IDLE)
                return True
        if self._ready_since is None or now < min(self._ready_since + self.settings.fill_after_s, latest):
            return False
        self._fill()
        self._begin()
        return True

    def _begins_by(self) -> float:
        """When a table that may begin stops waiting for members who are not ready: a ready member's first deadline."""
        if not self._may_begin:
            return math.inf
        return min((member.deadline for member in self.members if member.is_ready), default=math.inf)

    def told(self) -> str:
        """A sentence about who is here, for the host."""
        if self.has_begun:
            return ", ".join(f"{member.called}{_state_word(member)}" for member in self.members)
        here = ", ".join(f"{member.called}{'' if member.is_ready else ' (not ready)'}" for member in self.members)
        return f"has not begun: {here or 'nobody'}"

    def wakes_at(self) -> float | None:
        """When ``step`` has something to do next, by the clock that the table was made with; None without a message."""
        if self.is_over:
            return None
        times = [self._lobby_wakes_at()] if self._stand_in is None else [self._stand_in.wakes_at(), self._publish_at]
        return min((when + self._stood_s for when in times if when is not None), default=None)

    def _lobby_wakes_at(self) -> float | None:
        lobby = [member.deadline for member in self.members if not member.is_ready]
        if self._ready_since is not None:
            lobby.append(self._ready_since + self.settings.fill_after_s)
        when = min(*lobby, self._begins_by(), math.inf)
        return None if when == math.inf else when

    # Sending

    def take_outbox(self) -> list[tuple[TableMember, m.ServerMessage]]:
        """Take all messages out of the outbox, in order, each with its receiver."""
        outbox, self._outbox = self._outbox, []
        return outbox

    def take_notes(self) -> list[str]:
        """Take all lines for the server's log."""
        notes = self.notes.copy()
        self.notes.clear()
        return notes

    def _send(self, member: TableMember, message: m.ServerMessage) -> None:
        if member.is_there:
            self._outbox.append((member, message))

    def _send_all(self, message: m.ServerMessage) -> None:
        for member in self.members:
            self._send(member, message)

    def _tell(self, told: list[Notification]) -> None:
        for one in told:
            for member in self.members:
                self._send(member, one.to(member.player))

    def _send_status(self, member: TableMember) -> None:
        """Send a member's state: all of it to the member, and one public version to all others."""
        own, others = (m.StatusUpdate(self._state_of(member, viewer)) for viewer in (member.player, NOBODY))
        for viewer in self.members:
            self._send(viewer, own if viewer is member else others)

    def _state_of(self, member: TableMember, viewer: Player) -> m.PlayerState:
        assert self.play is not None
        status = member.status or self.play.status(member.player)
        return player_state(self.play.state, member.player, member.person, status, viewer, is_over=self.play.is_over)

    def _lobby_state(self, member: TableMember) -> m.PlayerState:
        status: Status = member.status or ("Wartet auf Spielbeginn" if member.is_ready else "Spiel starten")
        return m.PlayerState(member.id, status, member.colour, member.name, 0, 0, 0, 0, False, False)
