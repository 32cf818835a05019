"""What ``catan-p2p vote`` says where nobody votes; ``tests/replication/test_views.py`` has the rest."""

from pathlib import Path

import pytest

from catan_p2p.cli.main import main
from tests.replication.tables import is_sound, make_seats
from tests.typed import Typed


def test_a_game_that_nobody_may_leave(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    make_seats(tmp_path, 2)
    assert main(["vote", str(tmp_path / "Blue")]) == 2
    assert "nobody may leave this game: it was not begun with new-game --leaving" in capsys.readouterr().err


def test_the_game_of_two_is_claimed(tmp_path: Path, typed: Typed) -> None:
    red, blue = make_seats(tmp_path, 2, 7, rules="thesis; Leaving = yes")
    assert "nobody else is awaited" in typed(2, "vote", red).err
    assert "you can claim the game without Red now: --claim does, and the game ends" in typed(2, "vote", blue).err
    assert f"you can claim the game without Red now: catan-p2p vote {blue} --claim" in typed(3, "turn", blue).err
    assert typed(0, "vote", blue, "--claim").out.startswith("Blue claims the game: ")
    assert "Blue has won" in typed(0, "status", blue).out
    assert is_sound(blue)
