"""``status``, ``stats``, ``turn`` and ``vote`` call players by the names that they chose, beside their colours."""

import json
from pathlib import Path

import pytest

from catan_p2p.cli.main import main
from catan_p2p.game.new_game import new_constants
from catan_p2p.log.game import new_game
from catan_p2p.tables.joining import create_seat, join_game
from catan_p2p.tables.seat import SeatSettings
from tests.seat_keys import KEYS, PUBLIC_KEYS
from tests.typed import Typed

COLOURS = ("Red", "Blue")


@pytest.fixture
def seat(tmp_path: Path) -> Path:
    """Red, who is called Ada, in a game that has begun."""
    game = new_game(0, new_constants("thesis", COLOURS), COLOURS, None, {"Red": "Ada"})
    create_seat(tmp_path / "red", game, SeatSettings("Red", 1))
    return tmp_path / "red"


def test_status_tells_names_and_colours(seat: Path, typed: Typed) -> None:
    told = typed(0, "status", seat).out
    assert told.startswith("Ada (Red) knows 0 actions") and "waiting for Ada (Red)" in told
    assert json.loads(typed(0, "status", seat, "--json").out)["names"] == {"Red": "Ada", "Blue": "Blue"}


def test_stats_tell_names_and_colours(seat: Path, typed: Typed) -> None:
    assert "Ada (Red) 0 Blue 0" in typed(0, "stats", seat).out.splitlines()[0]


def test_turn_tells_names_and_colours(seat: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["turn", str(seat)])
    assert capsys.readouterr().out == "Ada (Red) is awaited\n"


def test_vote_tells_names_and_colours(tmp_path: Path, typed: Typed) -> None:
    colours = ("Red", "Blue", "Green")
    constants = new_constants("thesis; Leaving = yes", colours)
    game = new_game(0, constants, colours, PUBLIC_KEYS, {"Red": "Ada"})
    create_seat(tmp_path / "red", game, SeatSettings("Red", 1), KEYS["Red"])
    join_game(str(tmp_path / "red"), tmp_path / "blue", SeatSettings("Blue", 1), KEYS["Blue"])
    assert "you have voted to go on without Ada (Red)" in typed(0, "vote", tmp_path / "blue").out
