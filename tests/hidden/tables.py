"""A table of hidden hands on this machine: a repository for everybody, one of them a person's."""

from pathlib import Path

from catan_p2p.game.new_game import new_constants
from catan_p2p.log.game import new_game
from catan_p2p.log.transport.opening import open_client
from catan_p2p.sessions.messages import LeadPeers
from catan_p2p.tables.joining import create_seat, join_game
from catan_p2p.tables.seat import SeatSettings
from catan_p2p.tables.setup import at_table
from tests.visualizer.play.person import COLOURS
from visualizer.play.table import LocalTable


def hidden_table(
    path: Path, players: int, rules: str = "brief", map: str = "default", policy: str = "builder"
) -> LocalTable:
    """A table at which Red is a person, and everybody else a computer player."""
    colours = COLOURS[:players]
    agreed = at_table(rules, chance="joint", hands="hidden")
    game = new_game(0, new_constants(agreed, colours, map, 3, hands="hidden"), colours)
    for number, colour in enumerate(colours):
        remotes = {other: str(path / other) for other in colours if other != colour}
        seat = SeatSettings(colour, 1000 + number, "wall", None if colour == "Red" else "builder", remotes)
        if number:
            join_game(str(path / "Red"), path / colour, seat, opener=open_client)
        else:
            create_seat(path / colour, game, seat)
    return LocalTable(LeadPeers(path), ("Red",))
