"""A table of a tournament: its seats belong to entrants, and its game may be older than the server process."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from catan_p2p.game.scoring import points_of
from catan_p2p.lmu import messages as m
from catan_p2p.lmu.game import GitGame, TableGame
from catan_p2p.lmu.hand_over import TableResult
from catan_p2p.lmu.requests import RequestRefused
from catan_p2p.lmu.seats import TableMember, TableSettings
from catan_p2p.lmu.table import IDLE, LmuTable, NewGame
from catan_p2p.lmu.tournament.entrants import EntrantSecret, recognized
from catan_p2p.lmu.words import COLOUR_WORDS

AUDIENCE = 1 << 30
"""The member number of the spectators, which no player has."""


class TournamentTable(LmuTable):
    """A table for these entrants. If some stay absent, the game begins after a while and the computer plays theirs."""

    def __init__(
        self,
        number: int,
        settings: TableSettings,
        seats: Sequence[EntrantSecret],
        is_busy: Callable[[str], bool],
        new_id: Callable[[], int],
        clock: Callable[[], float],
        new_game: NewGame | None = None,
    ) -> None:
        super().__init__(number, replace(settings, players=len(seats)), new_game, clock)
        self.entrants = tuple(seats)
        self.audience = TableMember(AUDIENCE)
        self.may_begin: Callable[[], bool] = lambda: True
        """Whether one more game may begin; if so, this game takes the place."""
        self._is_busy = is_busy
        self._new_id = new_id
        self._waits_since: float | None = None

    @property
    def is_open(self) -> bool:
        """Always False: the server seats entrants by name."""
        return False

    def arrive(self, member: TableMember, entrant: EntrantSecret, message: m.ChooseName) -> TableMember:
        """Seat an entrant who has come or come back; returns the member of that seat."""
        there = self.member_of(entrant.name)
        if there is not None and self.play is not None:
            there.token, there.asked_name, there.version = member.token, message.name, member.version
            there.is_there, there.must_go = True, False
            if member.id:  # the client's provisional number
                self._forget_number(there, member.id)
            if self._left_s(there, self._clock()) > 0:
                self._give_back(there)
            self._tell_everything(there, there.token)
            return there
        if there is not None:
            self.members.remove(there)
        member.name, member.asked_name = entrant.name, message.name
        member.colour = message.colour if message.colour in self._colours else self._free_colour()
        member.deadline = self._clock() + self.settings.patience_s
        self.members.append(member)
        for other in self.members:
            self._send(member, m.StatusUpdate(self._lobby_state(other)))
            if other is not member:
                self._send(other, m.StatusUpdate(self._lobby_state(member)))
        return member

    def _introduce(self, member: TableMember, message: m.ClientMessage) -> None:
        """Let an entrant change the colour; the name is fixed."""
        if isinstance(message, m.ChooseName):
            entrant = recognized(message.name, self.entrants)
            if entrant is None or entrant.name != member.name:
                raise RequestRefused("Dein Name bleibt, wie er ist")
            said, message = message.name, m.ChooseName(entrant.name, message.colour)
            super()._introduce(member, message)
            member.name, member.asked_name = entrant.name, said
            return
        super()._introduce(member, message)

    def _free_colour(self) -> str:
        taken = {member.colour for member in self.members}
        return next(colour for colour in self._colours if colour not in taken)

    # The lobby

    def _begin_if_ready(self) -> None:
        """Do nothing: ``step`` decides when to begin."""

    @property
    def _people(self) -> list[EntrantSecret]:
        """The entrants whom the lobby waits for."""
        return [one for one in self.entrants if not one.is_computer and not self.is_barred(one.name)]

    def _missing(self) -> list[EntrantSecret]:
        ready = {member.name for member in self.members if member.is_ready}
        return [entrant for entrant in self._people if entrant.name not in ready]

    def _step_in_lobby(self, now: float) -> bool:
        for member in self.members:
            if not member.is_ready and now >= member.deadline:
                self.put_out(member, IDLE)
                return True
        missing = self._missing()
        if missing and len(missing) == len(self._people) and not self.is_called:
            self._waits_since = None
            return False
        if missing and not self.is_called:
            # An entrant who plays elsewhere is not late: the wait starts when that game is over.
            if any(self._is_busy(entrant.name) for entrant in missing):
                self._waits_since = None
                return False
            if self._waits_since is None:
                self._waits_since = now
            if now < self._waits_since + self.settings.fill_after_s:
                return False
        if not self.may_begin():
            return False
        self._begin()
        return True

    def _lobby_wakes_at(self) -> float | None:
        times = [member.deadline for member in self.members if not member.is_ready]
        if self._waits_since is not None:
            times.append(self._waits_since + self.settings.fill_after_s)
        return min(times, default=None)

    def _deal_seats(self) -> None:
        """Seat the entrants as scheduled, with a computer player for each who is absent."""
        there = {member.name: member for member in self.members if member.is_ready}
        for unready in [one for one in self.members if not one.is_ready]:
            self.put_out(unready, IDLE)
        seated: list[TableMember] = []
        for entrant in self.entrants:
            member = there.get(entrant.name)
            if member is None:
                member = TableMember(
                    self._new_id(),
                    "catan_p2p (KI)" if entrant.is_computer else "",
                    name=entrant.name,
                    colour=self._free_colour(),
                    is_ready=True,
                    is_computer=True,
                    is_there=False,
                )
                self.members.append(member)
                self._send_all(m.StatusUpdate(self._lobby_state(member)))
            seated.append(member)
        self.members[:] = seated
        for one in seated:
            if self.audience is not None:
                self._send(self.audience, m.StatusUpdate(self._lobby_state(one)))

    # After a restart

    def resume(
        self, game: TableGame, colours: Sequence[str], used_s: Mapping[str, float], ids: Mapping[str, int]
    ) -> None:
        """Resume a logged game: nobody is connected yet, and each has ``patience_s`` to come back.

        ``used_s`` is the time that decisions took and ``ids`` are the players' numbers in earlier messages, by name.
        """
        for player, (entrant, colour) in enumerate(zip(self.entrants, colours, strict=True), 1):
            self.members.append(
                TableMember(
                    ids.get(entrant.name) or self._new_id(),
                    name=entrant.name,
                    colour=colour,
                    is_ready=True,
                    is_computer=entrant.is_computer,
                    is_there=False,
                    player=player,
                    used_s=used_s.get(entrant.name, 0.0),
                )
            )
        self.go_on(game)

    def result(self) -> TableResult | None:
        """How the game ended, or the position where it was broken off; None if it never began."""
        if self.play is None:
            return None
        game = self.play.game
        actions, turns = game.length if isinstance(game, GitGame) else (0, 0)
        return TableResult(self.play.is_over, game.state.ap - 1, tuple(points_of(game.state)), actions, turns)

    def as_json(self) -> dict[str, Any]:
        """The details of the game for ``ScheduledGame``."""
        return {
            "versions": {member.name: member.version for member in self.members},
            "colours": {member.name: COLOUR_WORDS.get(member.colour or "", "") for member in self.members},
            "clock_s": {member.name: round(member.used_s, 1) for member in self.members},
        }
