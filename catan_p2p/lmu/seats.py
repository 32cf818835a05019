"""The members of a table, the settings of tables, and the comparison of names."""

import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import count
from pathlib import Path

from catan_p2p.game.constants import Player
from catan_p2p.lmu.notifications import SeatPerson
from catan_p2p.lmu.objects import MAX_NAME
from catan_p2p.lmu.words import Status

PATIENCE_S = 60.0


@dataclass(frozen=True, slots=True)
class TableSettings:
    """The settings of all tables of a server."""

    players: int = 4
    """The number of seats."""
    fill: str | None = None
    """The policy of computer players on empty seats."""
    fill_after_s: float = 5.0
    """How long a table waits for more players once all members are ready and are enough to begin."""
    patience_s: float = PATIENCE_S
    seed: int = 0
    map: str = "variable"
    strict: bool = False
    out: Path = Path("games")
    least: int | None = None
    """How many ready players are enough to begin; None for as many as there are seats."""
    points: int = 10
    """How many points win."""
    password: str | None = None
    """The password that a client writes behind its name and a colon; None for none."""

    @property
    def least_players(self) -> int:
        """How many people are needed to begin without computer players."""
        return self.players if self.least is None else self.least

    @property
    def map_name(self) -> str:
        """The map to play on: the large island instead of the variable one for five or six players."""
        return "large" if self.map == "variable" and self.players > 4 else self.map


@dataclass(slots=True, eq=False)
class TableMember:
    """A player at a table: a connected client, a computer player, or a seat that waits for its client."""

    id: int
    version: str = ""
    token: str = ""
    name: str | None = None
    asked_name: str | None = None
    """The name that the client asked for; ``name`` has a number appended if that was taken."""
    colour: str | None = None
    is_ready: bool = False
    is_computer: bool = False
    """Whether the server decides for the seat: empty from the start, or its client was silent or disconnected."""
    is_there: bool = True
    """Whether a client is connected."""
    player: Player = 0
    refused_in_a_row: int = 0
    timeouts: int = 0
    lets_lapse: bool = False
    """Whether the player did not answer the last offer in time."""
    deadline: float = 0.0
    """By the table's clock, the end of the time for a decision.

    In the lobby, the time by which the member must be ready; for a ready member, the time at which the table begins
    without those who are not.
    """
    status: Status | None = None
    """The status in the last update."""
    must_go: bool = False

    @property
    def is_free(self) -> bool:
        """Whether nobody plays the seat: its client is gone, or was silent until the computer took over."""
        return self.is_computer or not self.is_there

    @property
    def person(self) -> SeatPerson:
        """Number, name and colour, as messages have them."""
        return SeatPerson(self.id, self.name, self.colour)

    @property
    def called(self) -> str:
        """Colour and name for the server's log."""
        return f"{self.colour or '?'} ({self.name or f'player {self.id}'})"


def distinct_name(name: str, others: Iterable[str]) -> str:
    """The name, with a number appended if it looks like one of the others."""
    taken = {folded(other) for other in others}
    for number in count(2):
        if folded(name) not in taken:
            return name
        end = f" {number}"
        stem = name if number == 2 else name[: name.rindex(" ")]
        name = stem[: MAX_NAME - len(end)] + end
    raise AssertionError("there is always another number")


def without_secret(said: str) -> str:
    """The name in ``Name:secret``, which may be logged and shown."""
    return said.partition(":")[0].strip()


def folded(name: str) -> str:
    """A key that is equal for names that look alike: without case, spaces and compatibility variants."""
    alike = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())
    return "".join(alike.split())
