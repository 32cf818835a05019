"""What who joins is told of the game, may ask for, and cannot do without saying so.

Without ``check_expected`` in ``join_game`` every refusal below turns into a seat.
"""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from catan_p2p.cli.main import main
from catan_p2p.game.constants import THESIS, Constants, Rules
from catan_p2p.game.new_game import new_constants
from catan_p2p.log.game import new_game
from catan_p2p.tables.invitation import parse_invitation
from catan_p2p.tables.joining import create_seat
from catan_p2p.tables.seat import SeatSettings
from catan_p2p.tables.terms import declined, terms_of
from tests.attacks.table import deal
from tests.replication.tables import make_seats
from tests.typed import Typed


def begun(folder: Path, rules: Rules = THESIS) -> Path:
    create_seat(folder / "red", new_game(0, Constants(rules)), SeatSettings("Red", 1))
    return folder / "red"


def test_join_and_status_name_profile_map_root_and_every_constant_that_deviates(tmp_path: Path, typed: Typed) -> None:
    red = begun(tmp_path, replace(THESIS, points_to_win=5, domestic_trade=True, offer_max=2))
    told = typed(0, "join", red, tmp_path / "blue", "--as", "Blue").err
    assert "thesis rules but DomesticTrade = yes, OfferMax = 2, PointsToWin = 5; map default" in told
    assert "Blue: no key" in told
    shown = typed(0, "status", tmp_path / "blue").out
    lines = [line for line in told.splitlines() if line.startswith(("thesis", "game ", "Red:", "Blue:"))]
    assert len(lines) == 4
    assert all(line in shown.splitlines() for line in lines)


@pytest.mark.parametrize(
    "order",
    ["URL DIR --as Blue", "URL --as Blue DIR", "--as Blue URL DIR", "URL --as Blue DIR --relay"],
)
def test_the_folder_may_stand_after_the_options(tmp_path: Path, order: str) -> None:
    places = {"URL": str(begun(tmp_path)), "DIR": str(tmp_path / "blue")}
    assert main(["join", *(places.get(word, word) for word in order.split())]) == 0
    assert (tmp_path / "blue").is_dir()


def test_the_fingerprints_of_the_keys_are_shown_to_compare(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    red, _ = make_seats(tmp_path, 2, signed=True)
    main(["status", str(red)])
    assert capsys.readouterr().out.count(": SHA256:") == 2


@pytest.mark.parametrize(
    ("asks", "complaint"),
    [
        (["--rules", "standard"], "not the standard rules"),
        (["--rules", "thesis"], "not the thesis rules: the game has PointsToWin = 5"),
        (["--map", "large"], "not the map large: map default"),
        (["--map", "beginners"], "not the map beginners"),
    ],
)
def test_a_game_that_is_not_the_one_expected_is_not_joined(
    tmp_path: Path, typed: Typed, asks: list[str], complaint: str
) -> None:
    red = begun(tmp_path, replace(THESIS, points_to_win=5))
    assert complaint in typed(2, "join", red, tmp_path / "blue", "--as", "Blue", *asks).err
    assert not (tmp_path / "blue").exists()


def test_the_game_expected_is_joined(tmp_path: Path) -> None:
    asks = ["--rules", "thesis", "--map", "default"]
    assert main(["join", str(begun(tmp_path)), str(tmp_path / "blue"), "--as", "Blue", *asks]) == 0


@pytest.mark.long
def test_a_seat_that_plays_already_is_not_taken_silently(tmp_path: Path, typed: Typed) -> None:
    folder = deal(tmp_path / "table")
    join = ["join", str(folder / "Red"), str(tmp_path / "green"), "--as", "Green"]
    assert "Green already plays" in typed(2, *join).err
    assert main([*join, "--again"]) == 0


def test_a_key_that_is_given_to_a_game_without_keys_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["new-key", str(tmp_path / "key")])
    key = str(tmp_path / "key")
    assert main(["join", str(begun(tmp_path)), str(tmp_path / "blue"), "--as", "Blue", "--key", key]) == 0
    assert "not used, this game has no keys" in capsys.readouterr().err


WHOLE = "https://git.example.org/friends/table.git#catan-0-" + "Ab_-" * 10 + "xyz"


@pytest.mark.parametrize("mangled", [WHOLE[:-1], WHOLE[:60], WHOLE + "w", WHOLE.replace("-0-", "-0 -"), WHOLE[:48]])
def test_an_invitation_that_was_cut_or_changed_is_called_that(mangled: str, typed: Typed) -> None:
    assert parse_invitation(WHOLE) is not None
    assert "an invitation that was cut or changed" in typed(2, "join", mangled, "--as", "Blue").err


@pytest.mark.parametrize(
    ("agreed", "lines"),
    [
        ({"chance": "joint", "hands": "hidden", "leaving": True, "patience": 600, "signed_end": True}, []),
        ({"chance": "joint", "leaving": True, "patience": 600}, ["hands are open"]),
        ({"chance": "actor", "leaving": True, "patience": 600}, ["each player draws alone", "hands are open"]),
        ({"chance": "joint", "hands": "hidden", "leaving": False}, ["nobody can go on"]),
        ({"chance": "actor", "leaving": False}, ["each player draws alone", "hands are open", "nobody can go on"]),
    ],
)
def test_what_a_table_has_declined_is_told(agreed: dict[str, Any], lines: list[str]) -> None:
    constants = new_constants("standard", ("Red", "Blue", "Green"))
    constants = replace(constants, rules=replace(constants.rules, **agreed))
    told = declined(terms_of(new_game(0, constants, ("Red", "Blue", "Green"))))
    assert [line.startswith(expected) for line, expected in zip(told, lines, strict=True)] == [True] * len(lines)


def test_a_folder_that_has_another_path_here_is_asked_for(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A sync service keeps copies where each user wants them."""
    invitation = WHOLE.replace(WHOLE.partition("#")[0], str(tmp_path / "Sync" / "catan.git"))
    assert main(["join", invitation, str(tmp_path / "seat"), "--start", "no"]) == 2
    assert "write the path of the copy before the # of the invitation" in capsys.readouterr().err
    assert not (tmp_path / "seat").exists()
