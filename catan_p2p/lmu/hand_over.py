"""What a server and its worker processes tell each other."""

from collections.abc import Mapping
from typing import NamedTuple

from catan_p2p.lmu import messages as m
from catan_p2p.lmu.seats import TableMember
from catan_p2p.lmu.server_connection import HandedConnection
from catan_p2p.lmu.tournament.entrants import EntrantSecret


class BeginGame(NamedTuple):
    """Play a game; with it come the files of the connections."""

    number: int
    members: list[TableMember]
    entrants: tuple[EntrantSecret, ...]
    """Whose the seats are in a tournament."""
    connections: list[tuple[int, HandedConnection]]
    """By the number of a member."""


class GoOn(NamedTuple):
    """Go on with a game whose worker, or whose server, has ended."""

    number: int
    members: list[TableMember]
    """Nobody where the server has ended: they are made of what follows."""
    entrants: tuple[EntrantSecret, ...] = ()
    ids: Mapping[str, int] = {}
    """The numbers that players were told, by name."""
    used_s: Mapping[str, float] = {}
    """How long decisions took, by name."""


class BringBack(NamedTuple):
    """Somebody comes back to a game; with it comes the file of the connection."""

    number: int
    member: int
    connection: HandedConnection
    was: int | None = None
    """The number of a client that has only said a name; the seat must be free then."""
    arrival: tuple[TableMember, EntrantSecret, m.ChooseName] | None = None
    """An entrant of a tournament, and how it has introduced itself."""


class RemoveClient(NamedTuple):
    """Put somebody out."""

    number: int
    name: str


class BreakOff(NamedTuple):
    """Play a game no further."""

    number: int


class StandStill(NamedTuple):
    """Let all games and clocks stand still."""


class MoveAgain(NamedTuple):
    """Go on after a pause."""


class CloseGames(NamedTuple):
    """Leave all games in order, and end."""


Order = BeginGame | GoOn | BringBack | RemoveClient | BreakOff | StandStill | MoveAgain | CloseGames
"""What a server tells a worker."""


class WorkerAlive(NamedTuple):
    """The worker does not hang."""


class LogNote(NamedTuple):
    """Something for the server's own log; trouble must not happen."""

    text: str
    is_trouble: bool


class GameResumed(NamedTuple):
    """A game goes on with these members; None if nothing of it was kept."""

    number: int
    members: list[TableMember] | None


class SeatNow(NamedTuple):
    """What changes at a seat while a game is played: see ``TableMember``."""

    id: int
    is_there: bool
    is_computer: bool
    used_s: float


class TableSeats(NamedTuple):
    """Who is there at a table."""

    number: int
    seats: list[SeatNow]


class TableResult(NamedTuple):
    """How a game has ended, or where it was broken off."""

    is_over: bool
    winner: int
    """The seat, from 0."""
    points: tuple[int, ...]
    actions: int
    turns: int


class GameEnded(NamedTuple):
    """A game is over; without a result if it never began."""

    number: int
    result: TableResult | None


class TableCleared(NamedTuple):
    """The table of a game is cleared."""

    number: int


Report = WorkerAlive | LogNote | GameResumed | TableSeats | GameEnded | TableCleared
"""What a worker tells its server."""
