"""Lays a table: makes the repositories of everybody who plays a new game on this machine."""

import shutil
from dataclasses import dataclass
from pathlib import Path

from catan_p2p.game.new_game import new_constants
from catan_p2p.game.secret_streams import secret_seed
from catan_p2p.log.game import chosen_name_problem, new_game
from catan_p2p.log.storage.objects import StoreError
from catan_p2p.log.transport.opening import open_client
from catan_p2p.tables.seat import SeatSettings
from catan_p2p.tables.setup import at_table


@dataclass(frozen=True, slots=True)
class NewTable:
    """A game to begin: who plays, in the order of seats, and what policy plays for the others."""

    colours: tuple[str, ...]
    people: frozenset[str]
    rules: str = "standard"
    map: str = "default"
    """A name, or the text of a map file."""
    policy: str = "strategist"
    """Who decides for the computer players."""
    seed: int | None = None
    """Where the map, the chances and the computer players' choices come from; None for secret seeds."""
    chance: str = "actor"
    """Who draws, unless the rules say that all draw together."""
    names: tuple[tuple[str, str], ...] = ()
    """What players are called, by colour; other players are called by their colour."""


def lay(path: Path, table: NewTable) -> None:
    """Make the repositories ``path/<Colour>``, which appear together.

    A person's own log is kept durably. The computer players' need not be: the others at the table know it. Raises
    ``StoreError``, ``MapError`` or ``UnsupportedRules``.
    """
    # Only the peers' process makes tables: the window, which names them, opens without this, in 20 ms less.
    from catan_p2p.tables.joining import create_seat, join_game

    if path.exists() and (not path.is_dir() or any(path.iterdir())):
        raise StoreError(f"{path}: already exists and is not an empty folder")
    map_seed = secret_seed() if table.seed is None else table.seed
    for colour, name in table.names:
        if problem := chosen_name_problem(name, colour, [other for whose, other in table.names if whose != colour]):
            raise StoreError(problem)
    constants = new_constants(at_table(table.rules), table.colours, table.map, map_seed, 0, table.chance, None)
    game = new_game(0, constants, table.colours, names=dict(table.names))
    # Made beside and renamed: an interruption leaves no table with only some of its seats.
    beside = path.with_name(f".{path.name}.new")
    try:
        shutil.rmtree(beside, ignore_errors=True)
        beside.mkdir(parents=True)
        for colour in table.colours:
            seed = secret_seed() if table.seed is None else table.seed
            is_person = colour in table.people
            # The final places: the folders are renamed only once all are made.
            remotes = {other: str((path / other).absolute()) for other in table.colours if other != colour}
            seat = SeatSettings(colour, seed, "wall", None if is_person else table.policy, remotes, durable=is_person)
            if colour == table.colours[0]:
                create_seat(beside / colour, game, seat)
            else:
                # Read in this process: it has made that repository.
                join_game(str(beside / table.colours[0]), beside / colour, seat, opener=open_client)
        # Windows cannot rename a folder onto an existing one, even if that is empty.
        if path.exists():
            path.rmdir()
        beside.rename(path)
    except OSError as error:
        raise StoreError(f"{path}: cannot make the folder: {error.strerror or error}") from error
    finally:
        shutil.rmtree(beside, ignore_errors=True)
