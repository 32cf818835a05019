"""Who sits at a table, and how tables are set."""

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
SPECTATOR = "Zuschauer"
"""Whoever chooses this name watches; a number behind it is the game's, otherwise it is the first under way."""


@dataclass(frozen=True, slots=True)
class TableSettings:
    """How tables are set."""

    players: int = 4
    """How many seats there are."""
    fill: str | None = None
    """The policy of computer players on empty seats."""
    fill_after_s: float = 5.0
    """How long a table that may begin waits for more players once all who are there want to begin."""
    patience_s: float = PATIENCE_S
    seed: int = 0
    map: str = "variable"
    strict: bool = False
    out: Path = Path("games")
    least: int | None = None
    """So many players may begin without the others; None for as many as there are seats."""
    clock_s: float | None = None
    """How long all decisions of a player in one game may take together, before the computer plays; None for ever."""
    points: int = 10
    """How many points win."""
    password: str | None = None
    """What a client writes behind its name and a colon to be let in; None for nothing."""

    @property
    def least_players(self) -> int:
        """How many people there must be; without computer players."""
        return self.players if self.least is None else self.least

    @property
    def map_name(self) -> str:
        """The map: drawn anew for every table, and the large island for five and six, unless another is chosen."""
        return "large" if self.map == "variable" and self.players > 4 else self.map


@dataclass(slots=True, eq=False)
class TableMember:
    """Somebody at a table."""

    id: int
    version: str = ""
    token: str = ""
    name: str | None = None
    asked_name: str | None = None
    """What the client calls itself; ``name`` has a number behind it where that was taken."""
    colour: str | None = None
    is_ready: bool = False
    is_computer: bool = False
    """Whether the server decides for the seat: an empty one from the start, or one that was silent or lost."""
    is_there: bool = True
    """Whether somebody is connected, or the seat is a computer player's from the start."""
    player: Player = 0
    refused_in_a_row: int = 0
    timeouts: int = 0
    lets_lapse: bool = False
    """Whether the last offer was not answered in time."""
    deadline: float = 0.0
    """By the table's clock: until when a decision is waited for; in the lobby, until when somebody must be ready, or by
    when a table with computer players begins with whoever is."""
    status: Status | None = None
    """What was told last."""
    must_go: bool = False
    used_s: float = 0.0
    """How long this player's decisions have taken, all together."""
    asked_at: float | None = None
    """Since when a decision of this player is waited for, by the table's clock; None where none is."""

    @property
    def is_free(self) -> bool:
        """Whether nobody plays the seat: its player is gone, or was silent until the computer took over."""
        return self.is_computer or not self.is_there

    @property
    def person(self) -> SeatPerson:
        """Who it is, as messages say it."""
        return SeatPerson(self.id, self.name, self.colour)

    @property
    def called(self) -> str:
        """How the server's own log calls them."""
        return f"{self.colour or '?'} ({self.name or f'player {self.id}'})"


def distinct_name(name: str, others: Iterable[str]) -> str:
    """The name, with a number behind it where it could be taken for one of the others."""
    taken = {folded(other) for other in others}
    for number in count(2):
        if folded(name) not in taken:
            return name
        end = f" {number}"
        stem = name if number == 2 else name[: name.rindex(" ")]
        name = stem[: MAX_NAME - len(end)] + end
    raise AssertionError("there is always another number")


def is_spectator(name: str) -> bool:
    """Whether who calls themselves so wants to watch."""
    return name.split(" ")[0] == SPECTATOR


def without_secret(said: str) -> str:
    """What may be kept and shown of what a client calls itself, as ``Name:secret``."""
    return said.partition(":")[0].strip()


def folded(name: str) -> str:
    """A name as it looks, without upper case and spaces."""
    alike = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())
    return "".join(alike.split())
