"""A machine without Git: games of the library, and verbs that make no repository, work; every other says what lacks."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from catan_p2p.cli.main import main
from tests.notation import samples

MISSING = "Git is missing: there is no program git on the PATH; expected Git "


def python(folder: Path, *args: str) -> subprocess.CompletedProcess[str]:
    """Python where no program is on the PATH."""
    (folder / "nothing").mkdir(exist_ok=True)
    environment = {**os.environ, "PATH": str(folder / "nothing")}
    return subprocess.run([sys.executable, *args], cwd=folder, env=environment, capture_output=True, text=True)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a game in a file, and a player's repository."""
    assert main(["new-game", str(tmp_path / "seat"), "--players", "Red,Blue", "-q"]) == 0
    text = samples.written(samples.random_events(2, 3, 200), "sgn")
    (tmp_path / "game.sgn").write_text(text, encoding="utf-8")
    return tmp_path


@pytest.mark.sampled(3)
@pytest.mark.long
@pytest.mark.parametrize(
    "args",
    ["--help", "import game.sgn", "stats game.sgn", "map default", "new-key key", "check-spec --list", "peer --help"],
)
def test_what_makes_no_repository_needs_no_git(folder: Path, args: str) -> None:
    done = python(folder, "-m", "catan_p2p", *args.split())
    assert (done.returncode, "Git" in done.stderr) == (0, False), done.stderr


@pytest.mark.sampled(4)
@pytest.mark.long
@pytest.mark.parametrize(
    "args",
    [
        "import game.sgn -o out",
        "simulate --players 2 --out out",
        "new-game out --players Red,Blue",
        "host --relay relay",
        "verify seat",
        "log seat",
        "watch seat --snapshot out.png",
        "page seat -o out.html",
        "export seat --format sgn",
        "peer seat",
        "turn seat",
        "status seat",
        "metrics seat",
    ],
)
def test_what_needs_git_says_in_one_line_that_it_is_missing(folder: Path, args: str) -> None:
    done = python(folder, "-m", "catan_p2p", *args.split())
    assert (done.returncode, done.stdout) == (2, ""), done.stderr
    assert MISSING in done.stderr.splitlines()[-1]
    assert "Traceback" not in done.stderr


def test_the_library_plays_saves_and_loads_games_without_git(folder: Path) -> None:
    program = """
import catan_p2p
game = catan_p2p.play(players=3, rules="brief", seed=2)
game.save("again.catan")
assert catan_p2p.load("again.catan").winner == game.winner == "Red"
state = catan_p2p.new_game(players=2)
assert catan_p2p.legal_actions(state)
try:
    game.save("out")
except Exception as error:
    print(error)
"""
    done = python(folder, "-W", "error", "-c", program)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(MISSING)
