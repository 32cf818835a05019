"""Where the games that people play are stored, and who sits at a table.

A table is a folder with a repository for each player who plays on this machine, named after the player's colour, like
the folder of a simulation with separate repositories. A seat with a policy in its settings is a computer player's; the
others are people's. A single repository, made by ``new-game`` or ``join``, is a table at which one person sits here and
all others sit elsewhere.
"""

from collections.abc import Iterator
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple

from catan_p2p.log.refs import COLOURS
from catan_p2p.log.storage.objects import StoreError
from catan_p2p.tables.seat import NO_SEAT, data_folder, private_folder, read_settings
from catan_p2p.tables.waiting_folder import is_computers_folder, read_agreed, room_folder

OVER_FILE = "over"
"""Lies in a player's private folder once the game is over; a game without it can be continued."""


class SeatHere(NamedTuple):
    """A seat that is played on this machine."""

    colour: str
    path: Path
    policy: str | None
    """None for a person."""


def tables_folder() -> Path:
    """The folder for games that begin without a given place."""
    return data_folder() / "tables"


def new_table_path() -> Path:
    """A folder for a new game, which does not exist yet: named after the time, without spaces, since people type it."""
    name = datetime.now().astimezone().strftime("%Y-%m-%d_%H.%M.%S")
    # Two games may begin within a second.
    paths = (tables_folder() / (f"{name}_{number}" if number else name) for number in range(100))
    return next(path for path in paths if not path.exists() and not room_folder(path).exists())


def waiting_tables() -> list[tuple[Path, dict[str, Any]]]:
    """The tables where the person waits for a game to begin, the newest first, and what was agreed there."""
    found = []
    # Names are times, so their order is that of the games.
    for room in sorted(tables_folder().glob(".*.table"), reverse=True):
        path = room.with_name(room.name[1:].removesuffix(".table"))
        with suppress(StoreError):
            if (agreed := read_agreed(path)) is not None:
                found.append((path, agreed))
    return found


def seats_here(path: Path) -> tuple[SeatHere, ...]:
    """The seats that are played from this machine, in the order of colours; ``StoreError`` if there are none."""
    if not path.is_dir():
        raise StoreError(f"{path}: no such folder")
    if _is_seat(path):
        # A person's own repository: the person who opens it plays it, even after a computer player has.
        return (SeatHere(read_settings(path).colour, path, None),)
    names = {child.name.capitalize(): child for child in path.iterdir() if child.is_dir() and _is_seat(child)}
    found = [(colour, names[colour]) for colour in COLOURS if colour in names]
    if not found:
        raise StoreError(f"{path}: no seat to play here: {NO_SEAT}")
    return tuple(SeatHere(colour, seat, read_settings(seat).policy) for colour, seat in found)


def _is_seat(path: Path) -> bool:
    try:
        return (private_folder(path) / "seat.json").is_file()
    except (OSError, StoreError):
        return False


def is_over(path: Path) -> bool:
    """Whether the game at a table is known to be over."""
    return any((private_folder(seat.path) / OVER_FILE).exists() for seat in seats_here(path))


def unfinished_tables() -> Iterator[Path]:
    """The games that began without a given place and are not over, the newest first."""
    folder = tables_folder()
    for path in sorted(folder.iterdir(), reverse=True) if folder.is_dir() else ():
        if path.name.startswith(".") or is_computers_folder(path) or ".damaged-" in path.name:
            continue
        with suppress(OSError, StoreError):
            if not is_over(path):
                yield path
