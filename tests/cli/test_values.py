"""Arguments that make no sense are refused in one line; those that do in another spelling are understood."""

import argparse
import os
import subprocess
import sys
from pathlib import Path

import pytest

from catan_p2p.cli import values
from catan_p2p.cli.main import main
from catan_p2p.players.policies import POLICIES
from tests.for_each import for_each
from tests.log.storage.repositories import played


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return played(tmp_path_factory.mktemp("games"))


def refusal(args: list[str], capsys: pytest.CaptureFixture[str]) -> str:
    """What is said of arguments that are refused: the last line."""
    try:
        code = main(args)
    except SystemExit as ended:
        code = ended.code
    told = capsys.readouterr()
    assert (code, told.out) == (2, ""), args
    assert "Traceback" not in told.err
    return told.err.splitlines()[-1]


@pytest.mark.parametrize(
    "args",
    [
        ["verify", ""],
        ["log", ""],
        ["peer", ""],
        ["watch", ""],
        ["page", "", "-o", "game.html"],
        ["export", "", "--format", "sgn"],
        ["import", ""],
        ["metrics", ""],
        ["check-trace", ""],
        ["simulate", "--out", ""],
    ],
    ids=lambda args: args[0],
)
def test_an_empty_path_is_not_the_current_folder(args: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert "an empty path" in refusal(args, capsys)


@pytest.mark.parametrize(
    "args",
    [
        ["simulate", "--players", "-2"],
        ["simulate", "--games", "-1"],
        ["simulate", "--games", "0"],
        ["simulate", "--max-actions", "-1"],
        ["simulate", "--jobs", "-1"],
        ["metrics", ".", "--jobs", "-1"],
        ["report", ".", "--jobs", "0"],
        ["map", "variable", "--game", "-1"],
        ["new-game", "d", "--players", "Red,Blue", "--number", "-1"],
        ["peer", ".", "--stay", "-1"],
        ["peer", ".", "--stay", "nan"],
        ["peer", ".", "--stop-after", "-1"],
        ["peer", ".", "--max-actions", "0"],
        ["watch", ".", "--speed", "-1"],
        ["watch", ".", "--speed", "nan"],
        ["watch", ".", "--scale", "0"],
        ["watch", ".", "--scale", "inf"],
        ["import", "x", "--players", "-1"],
        ["tables", "--wait", "-1"],
        ["turn", ".", "--within", "nan"],
        ["lmu", "serve", "--out", "d", "--patience", "0"],
        ["lmu", "serve", "--out", "d", "--wait", "nan"],
        ["lmu", "serve", "--out", "d", "--games", "0"],
        ["lmu", "join", "ws://localhost/catan", "--name", "N", "--wait", "-1"],
        ["check-spec", "--games", "-1"],
        ["check-spec", "--workers", "0"],
    ],
    ids=" ".join,
)
def test_a_number_that_makes_no_sense_is_refused_with_what_was_expected(
    args: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    told = refusal(args, capsys)
    assert args[-1] in told and "expected" in told
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    "args",
    [
        ["host", "--listen", "nowhere"],
        ["join", "URL", "--as", "Red", "--listen", "nowhere"],
        ["peer", ".", "--listen", ":70000"],
        ["lmu", "serve", "--out", "d", "--tcp", "nowhere"],
        ["host", "--relay", "relay", "--map", "nothing"],
        ["tournament", "--policies", "builder,random", "--map", "nothing"],
        ["tournament", "--policies", "builder,random", "--plot", "x.pdf"],
    ],
    ids=" ".join,
)
def test_what_is_refused_is_named_with_its_option(
    args: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    told = refusal(args, capsys)
    assert args[-2] in told and args[-1] in told
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    "args",
    [
        ["simulate", "--out"],
        ["metrics", "{game}", "--out"],
        ["report", "{game}", "--out"],
        ["export", "{game}", "--out"],
        ["stats", "{game}", "--plot"],
        ["watch", "{game}", "--snapshot"],
        ["watch", "{game}", "--record"],
        ["import", "x.sgn", "--out"],
        ["map", "default", "--out"],
        ["new-key"],
        ["new-game", "--players", "Red,Blue"],
        ["join", "{game}", "--as", "Red"],
    ],
    ids=" ".join,
)
def test_nothing_is_written_into_a_game(args: list[str], game: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = sorted(game.rglob("*"))
    for place in ("x", "state/x", ".git/x"):
        told = refusal([*(arg.format(game=game) for arg in args), str(game / place)], capsys)
        assert f"inside the game {game}" in told
    assert sorted(game.rglob("*")) == before


def test_colours_are_understood_in_any_case(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    red, blue = str(tmp_path / "red"), str(tmp_path / "blue")
    assert main(["new-game", red, "--players", "red,BLUE"]) == 0
    assert main(["join", red, blue, "--as", "blue"]) == 0
    assert main(["peer", red, "--remote", f"blue={blue}", "--stop-after", "0"]) == 0
    capsys.readouterr()
    assert main(["status", red, "--json"]) == 0
    assert '"colour": "Blue"' in capsys.readouterr().out


@pytest.mark.parametrize(
    ("colour", "why"), [("Pink", "no colour"), ("Green", "nobody plays Green"), ("Red", "is this")]
)
def test_a_remote_of_nobody_is_refused_and_not_remembered(
    colour: str, why: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    red = tmp_path / "red"
    assert main(["new-game", str(red), "--players", "Red,Blue"]) == 0
    settings = (red / ".git/catan-p2p/seat.json").read_text()
    capsys.readouterr()
    assert why in refusal(["peer", str(red), "--remote", f"{colour}=../other", "--policy", "builder"], capsys)
    assert (red / ".git/catan-p2p/seat.json").read_text() == settings


@for_each("text", ["Pink", "", "Re d", "Red,Blue"])
def test_what_is_no_colour(text: str) -> None:
    with pytest.raises(argparse.ArgumentTypeError, match="no colour"):
        values.colour(text)


NAME = b"caf\xe9"
"""A folder's name that is no UTF-8 text, as older systems wrote them."""


@pytest.mark.parametrize("encoding", ["utf-8", "ascii"])
@pytest.mark.parametrize(
    "args",
    [
        ["verify", "{game}"],
        ["verify", "{game}/nowhere"],
        ["log", "{game}"],
        ["metrics", "{game}", "--quick"],
        ["export", "{game}", "--format", "sgn"],
        ["import", "{folder}/x.sgn"],
        ["simulate", "--policy", "builder", "--seed", "3", "--out", "{folder}/run"],
        ["new-game", "{folder}/red", "--players", "Red,Blue"],
        ["map", "{folder}/none.map"],
        ["stats", "{game}"],
    ],
    ids=" ".join,
)
def test_names_that_are_not_utf_8_and_terminals_that_are_ascii(
    args: list[str], encoding: str, game: Path, tmp_path: Path
) -> None:
    folder = tmp_path / os.fsdecode(NAME)
    try:
        folder.mkdir()
    except OSError as error:
        pytest.skip(f"this file system has no such names: {error}")
    (folder / "game").symlink_to(game)
    paths = {"game": folder / "game", "folder": folder}
    done = subprocess.run(
        [sys.executable, "-m", "catan_p2p", *(arg.format(**paths) for arg in args)],
        capture_output=True,
        cwd=tmp_path,
        env={**os.environ, "PYTHONIOENCODING": encoding},
    )
    assert b"Traceback" not in done.stderr, done.stderr.decode(errors="replace")
    assert done.returncode in (0, 2)
    if encoding == "utf-8" and args[0] == "verify":
        # A byte that is no text is spelled: printed raw it could begin a command to the terminal.
        assert os.fsdecode(NAME).encode("ascii", "backslashreplace") in done.stdout + done.stderr


def test_help_names_every_policy_of_ours() -> None:
    assert values.POLICY_NAMES.split(", ")[: len(POLICIES)] == list(POLICIES)


def test_an_empty_policy_is_not_the_one_that_is_taken_if_none_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert "policy ''" in refusal(["simulate", "--policy", ""], capsys)
