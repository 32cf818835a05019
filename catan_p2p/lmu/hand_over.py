"""What a server and its worker processes tell each other."""

from collections.abc import Mapping
from typing import NamedTuple

from catan_p2p.lmu import messages as m
from catan_p2p.lmu.seats import Member
from catan_p2p.lmu.served import Handed
from catan_p2p.lmu.tournament.entrants import Entrant


class Begin(NamedTuple):
    """Play a game; with it come the files of the connections."""

    number: int
    members: list[Member]
    entrants: tuple[Entrant, ...]
    """Whose the seats are in a tournament."""
    connections: list[tuple[int, Handed]]
    """By the number of a member."""


class GoOn(NamedTuple):
    """Go on with a game whose worker, or whose server, has ended."""

    number: int
    members: list[Member]
    """Nobody where the server has ended: they are made of what follows."""
    entrants: tuple[Entrant, ...] = ()
    ids: Mapping[str, int] = {}
    """The numbers that players were told, by name."""
    used_s: Mapping[str, float] = {}
    """How long decisions took, by name."""


class BringBack(NamedTuple):
    """Somebody comes back to a game; with it comes the file of the connection."""

    number: int
    member: int
    connection: Handed
    was: int | None = None
    """The number of a client that has only said a name; the seat must be free then."""
    arrival: tuple[Member, Entrant, m.Introduce] | None = None
    """An entrant of a tournament, and how it has introduced itself."""


class Kick(NamedTuple):
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


class Close(NamedTuple):
    """Leave all games in order, and end."""


Order = Begin | GoOn | BringBack | Kick | BreakOff | StandStill | MoveAgain | Close
"""What a server tells a worker."""


class Alive(NamedTuple):
    """The worker does not hang."""


class Noted(NamedTuple):
    """Something for the server's own log; trouble must not happen."""

    text: str
    is_trouble: bool


class Opened(NamedTuple):
    """A game goes on with these members; None if nothing of it was kept."""

    number: int
    members: list[Member] | None


class SeatNow(NamedTuple):
    """What changes at a seat while a game is played: see ``Member``."""

    id: int
    is_there: bool
    is_computer: bool
    used_s: float


class Seats(NamedTuple):
    """Who is there at a table."""

    number: int
    seats: list[SeatNow]


class Result(NamedTuple):
    """How a game has ended, or where it was broken off."""

    is_over: bool
    winner: int
    """The seat, from 0."""
    points: tuple[int, ...]
    actions: int
    turns: int


class Ended(NamedTuple):
    """A game is over; without a result if it never began."""

    number: int
    result: Result | None


class Cleared(NamedTuple):
    """The table of a game is cleared."""

    number: int


Report = Alive | Noted | Opened | Seats | Ended | Cleared
"""What a worker tells its server."""
