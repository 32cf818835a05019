"""``catan-p2p map`` and ``--map``: what they write can be played on, and what is wrong is told in one line."""

from pathlib import Path
from random import Random

import pytest

from catan_p2p.cli.main import main
from catan_p2p.game.board import DEFAULT_MAP, MAPS, draw_map
from catan_p2p.game.board.map_file import MAX_MAP_FILE_BYTES, parse_map_file
from catan_p2p.log.history import load_history
from catan_p2p.simulation.game import SimulationSettings, game_constants


def printed(capsys: pytest.CaptureFixture[str], *args: str) -> tuple[int, str, str]:
    """Exit code, output and talk of the program."""
    code = main(args)
    out, err = capsys.readouterr()
    return code, out, err


@pytest.mark.parametrize("name", MAPS)
def test_what_is_printed_is_a_map_file(capsys: pytest.CaptureFixture[str], name: str) -> None:
    seeded = ("--seed", "7") if name not in ("default", "beginners") else ()
    code, out, err = printed(capsys, "map", name, *seeded)
    assert (code, err) == (0, "seed 7\n" if seeded else "")
    assert parse_map_file(out, name) == draw_map(name, Random("7/0/map"))


def test_it_is_the_map_of_the_simulated_game(capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = printed(capsys, "map", "variable", "--seed", "7", "--game", "3")
    simulated = game_constants(3, SimulationSettings(seed=7, map="variable"))
    assert parse_map_file(out, "variable") == simulated.board.map


def test_the_beginners_map_tells_what_lies_on_it(capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = printed(capsys, "map", "beginners")
    assert "# Blue: village at settlement point 40, road at 55, first cards from here\n" in out
    assert parse_map_file(out, "beginners") == DEFAULT_MAP


def test_without_a_seed_one_is_drawn_and_told(capsys: pytest.CaptureFixture[str]) -> None:
    _, first, told = printed(capsys, "map", "variable")
    _, again, _ = printed(capsys, "map", "variable", "--seed", told.split()[1])
    assert first == again


def test_a_written_map_is_played_on(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "my.map"
    assert printed(capsys, "map", "large", "--seed", "1", "--out", str(file))[:2] == (0, "")
    args = ("simulate", "--map", str(file), "--seed", "2", "--policy", "builder", "--out", str(tmp_path / "run"))
    assert main(args) == 0
    written = parse_map_file(file.read_text("utf-8"), "my.map")
    assert load_history(tmp_path / "run" / "Catan_0").game.constants.board.map == written


@pytest.mark.parametrize("name", ["beginners", "variable", "large"])
def test_a_new_game_on_a_map(tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str) -> None:
    seeded = () if name == "beginners" else ("--seed", "5")
    args = ("new-game", str(tmp_path / "game"), "--players", "Blue,Green,Orange", "--map", name, *seeded)
    assert main(args) == 0
    constants = load_history(tmp_path / "game").game.constants
    assert constants.board.map == draw_map(name, Random("5/0/map"))
    assert len(constants.opening) == (6 if name == "beginners" else 0)


WRONG = (
    ("nofile.map", "nofile.map: no such map or file, expected one of default, beginners, "),
    (".", ".: cannot read: Is a directory"),
    ("a\0b", "cannot read"),
    ("bad.map", "bad.map, line 2: tile 0,0,1: terrain is 'lake', expected one of sea, desert, "),
    ("binary.map", "binary.map: not UTF-8 text: invalid start byte at byte 5"),
    ("long.map", f"long.map: cannot read: longer than {MAX_MAP_FILE_BYTES} bytes"),
)
VERBS = (("map",), ("simulate", "--map"), ("new-game", "game", "--players", "Red,Blue", "--map"))


@pytest.mark.parametrize(
    ("args", "complaint"),
    [
        *(((*verb, argument), complaint) for verb in VERBS for argument, complaint in WRONG),
        (("map", "default", "--seed", "1"), "--seed: only variable, variable-free, large, large-free are drawn"),
        (("new-game", "game", "--players", "Red,Blue", "--seed", "1"), "--seed: only the maps variable, "),
        (
            ("new-game", "game", "--players", "Red,Blue,Green,Orange,White", "--map", "beginners"),
            "--map beginners: for at most 4 players, not 5",
        ),
        (("map", "default", "--out", "nofolder/x"), "nofolder/x: cannot write: No such file or directory"),
    ],
)
def test_a_mistake_is_one_line_and_exit_code_2(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    args: tuple[str, ...],
    complaint: str,
) -> None:
    (tmp_path / "bad.map").write_text("tiles\n0,0,1,lake,-\n")
    (tmp_path / "binary.map").write_bytes(b"tiles\xff")
    (tmp_path / "long.map").write_bytes(b"#" * (MAX_MAP_FILE_BYTES + 1))
    monkeypatch.chdir(tmp_path)
    code, out, err = printed(capsys, *args)
    assert (code, out) == (2, "")
    assert complaint in err
    assert len(err.splitlines()) == 1
    assert not (tmp_path / "game").exists()
