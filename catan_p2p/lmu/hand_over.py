"""The messages between a server and its worker processes."""

from collections.abc import Mapping
from typing import NamedTuple

from catan_p2p.lmu import messages as m
from catan_p2p.lmu.seats import TableMember
from catan_p2p.lmu.server_connection import HandedConnection
from catan_p2p.lmu.tournament.entrants import EntrantSecret


class BeginGame(NamedTuple):
    """Play a game; the file descriptors of the connections travel with it."""

    number: int
    members: list[TableMember]
    entrants: tuple[EntrantSecret, ...]
    """The entrants by seat in a tournament, otherwise empty."""
    connections: list[tuple[int, HandedConnection]]
    """The members' numbers, with their connections; in the order of the file descriptors."""


class GoOn(NamedTuple):
    """Resume a game whose worker or server process has ended."""

    number: int
    members: list[TableMember]
    """Empty if the server has ended: the worker then makes the members from the fields below."""
    entrants: tuple[EntrantSecret, ...] = ()
    ids: Mapping[str, int] = {}
    """The number of each player in earlier messages, by name."""
    used_s: Mapping[str, float] = {}
    """How long each player's decisions have taken, in seconds, by name."""


class BringBack(NamedTuple):
    """A player comes back to a game; the file descriptor of the connection travels with it."""

    number: int
    member: int
    connection: HandedConnection
    was: int | None = None
    """The number of a client that gave only a name, without a token: it gets the seat only if that is free."""
    arrival: tuple[TableMember, EntrantSecret, m.ChooseName] | None = None
    """In a tournament: the member, its entrant, and the message by which it introduced itself."""


class RemoveClient(NamedTuple):
    """Disconnect a player."""

    number: int
    name: str


class BreakOff(NamedTuple):
    """Stop playing a game."""

    number: int


class StandStill(NamedTuple):
    """Pause all games and clocks."""


class MoveAgain(NamedTuple):
    """Resume after a pause."""


class CloseGames(NamedTuple):
    """Close all games in order, and exit."""


Order = BeginGame | GoOn | BringBack | RemoveClient | BreakOff | StandStill | MoveAgain | CloseGames
"""The messages from a server to a worker."""


class WorkerAlive(NamedTuple):
    """A heartbeat: the worker does not hang."""


class LogNote(NamedTuple):
    """A line for the server's log; ``is_trouble`` marks a failure that should not happen."""

    text: str
    is_trouble: bool


class GameResumed(NamedTuple):
    """A game was resumed with these members; None if nothing of it is on disk."""

    number: int
    members: list[TableMember] | None


class SeatNow(NamedTuple):
    """The fields of ``TableMember`` that change during a game."""

    id: int
    is_there: bool
    is_computer: bool
    used_s: float


class TableSeats(NamedTuple):
    """The present state of a table's seats."""

    number: int
    seats: list[SeatNow]


class TableResult(NamedTuple):
    """How a game ended, or the position at which it was broken off."""

    is_over: bool
    winner: int
    """The winner's seat, from 0; only if ``is_over``."""
    points: tuple[int, ...]
    actions: int
    turns: int


class GameEnded(NamedTuple):
    """A game is over; the result is None if it never began."""

    number: int
    result: TableResult | None


class TableCleared(NamedTuple):
    """A table has let its clients go and is closed."""

    number: int


Report = WorkerAlive | LogNote | GameResumed | TableSeats | GameEnded | TableCleared
"""The messages from a worker to its server."""
