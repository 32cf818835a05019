"""The messages between a server and its worker processes."""

from typing import NamedTuple

from catan_p2p.lmu.seats import TableMember
from catan_p2p.lmu.server_connection import HandedConnection


class BeginGame(NamedTuple):
    """Play a game; the file descriptors of the connections travel with it."""

    number: int
    members: list[TableMember]
    connections: list[tuple[int, HandedConnection]]
    """The members' numbers, with their connections; in the order of the file descriptors."""


class GoOn(NamedTuple):
    """Resume a game whose worker process has ended."""

    number: int
    members: list[TableMember]


class BringBack(NamedTuple):
    """A player comes back to a game; the file descriptor of the connection travels with it."""

    number: int
    member: int
    connection: HandedConnection
    was: int | None = None
    """The number of a client that gave only a name, without a token: it gets the seat only if that is free."""


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


class SeatNow(NamedTuple):
    """The fields of ``TableMember`` that change during a game."""

    id: int
    is_there: bool
    is_computer: bool


class TableSeats(NamedTuple):
    """The present state of a table's seats."""

    number: int
    seats: list[SeatNow]


class GameEnded(NamedTuple):
    """A game is over."""

    number: int


class TableCleared(NamedTuple):
    """A table has let its clients go and is closed."""

    number: int


Report = WorkerAlive | LogNote | TableSeats | GameEnded | TableCleared
"""The messages from a worker to its server."""
