"""What a server and its worker processes tell each other."""

from __future__ import annotations

from typing import NamedTuple

from catan_p2p.lmu import messages as m
from catan_p2p.lmu.seats import Member
from catan_p2p.lmu.served import Handed


class Begin(NamedTuple):
    """Play a game; with it come the files of the connections."""

    number: int
    members: list[Member]
    connections: list[tuple[int, Handed]]
    """By the number of a member."""


class GoOn(NamedTuple):
    """Go on with a game whose worker has ended."""

    number: int
    members: list[Member]


class BringBack(NamedTuple):
    """Somebody comes back to a game; with it comes the file of the connection."""

    number: int
    member: int
    hello: m.ClientHello
    connection: Handed


class Close(NamedTuple):
    """Leave all games in order, and end."""


class Noted(NamedTuple):
    """Something for the server's own log; trouble must not happen."""

    text: str
    is_trouble: bool


class Ended(NamedTuple):
    """A game is over."""

    number: int


class Cleared(NamedTuple):
    """The table of a game is cleared."""

    number: int
