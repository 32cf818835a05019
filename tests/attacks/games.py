"""Games that nobody can play, in the root commit that is joined or verified."""

from dataclasses import replace
from pathlib import Path
from typing import Any

from catan_p2p.cli.main import main
from catan_p2p.cli.output import FINDING, WRONG_USAGE
from catan_p2p.game.constants import THESIS, Constants
from catan_p2p.log.game import new_game
from catan_p2p.tables.joining import create_seat
from catan_p2p.tables.seat import SeatSettings
from tests.attacks.registry import attack

GAMES: dict[str, tuple[dict[str, Any], int]] = {
    "dice": ({"dice": (13,)}, 2),
    "pools": ({"resource_pool": 0, "dev_card_pool": 0}, 2),
    "negative": ({"roads": -3}, 2),
    "points": ({"points_to_win": 1000}, 2),
    "five": ({}, 5),
}


@attack(
    "roots with `Dice = 13`, empty pools, negative counts, a win out of reach, five by the thesis's rules",
    "refused, naming the constant",
    tries=2 * len(GAMES),
)
def unplayable_games(folder: Path) -> None:
    folder.mkdir()
    for name, (changes, players) in GAMES.items():
        game = new_game(0, Constants(replace(THESIS, **changes), player_count=players))
        create_seat(folder / name, game, SeatSettings("Red", 1))
        assert main(["join", str(folder / name), str(folder / f"{name}-joined"), "--as", "Blue"]) == WRONG_USAGE
        assert not (folder / f"{name}-joined").exists()
        assert main(["verify", str(folder / name)]) == FINDING
