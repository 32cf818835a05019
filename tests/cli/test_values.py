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
from catan_p2p.sessions.saved_games import new_table_path
from tests.for_each import for_each
from tests.log.storage.repositories import played
from tests.typed import Typed


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
        ["watch", ".", "--size", "1x1"],
        ["watch", "git://127.0.0.1:1/x", "--speed", "-1"],
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
    "args", [["verify"], ["log"], ["status"], ["stats"], ["export"], ["peer"], ["report"]], ids=str
)
def test_a_url_is_no_folder_of_this_machine(args: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    told = refusal([*args, "git://127.0.0.1:9418/game"], capsys)
    assert "git://127.0.0.1:9418/game: expected a file or folder of this machine, not a URL" in told


PORTS = [
    ["host", "--listen", "{host}:{port}"],
    ["play", "--listen", "{host}:{port}"],
    ["peer", "{game}", "--listen", "{host}:{port}"],
    ["join", "URL", "--as", "Red", "--listen", "{host}:{port}"],
    ["lmu", "serve", "--out", "d", "--listen", "{host}:{port}"],
    ["lmu", "serve", "--out", "d", "--tcp", "{host}:{port}"],
    *(["host", "--relay", f"{protocol}://{{host}}:{{port}}/x"] for protocol in ("git", "ssh", "https", "http")),
    ["join", "git://{host}:{port}/x", "d", "--as", "Red"],
    ["watch", "git://{host}:{port}/x"],
    ["watch", "https://{host}:{port}/x"],
    ["peer", "{seat}", "--remote", "Blue=git://{host}:{port}/x"],
    ["peer", "{seat}", "--relay", "ssh://{host}:{port}/x"],
    ["simulate", "--executor", "dask", "--scheduler", "tcp://{host}:{port}"],
    ["tournament", "--policies", "builder,random", "--games", "2", "--scheduler", "tcp://{host}:{port}"],
]
"""Everywhere where a port may be named, but for servers of the LMU protocol."""


@pytest.mark.parametrize("args", PORTS, ids=" ".join)
def test_a_port_that_there_is_not_is_refused_and_named(
    args: list[str],
    game: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["new-game", str(tmp_path / "seat"), "--players", "2", "-q"]) == 0
    for port in ("99999", "65536"):
        filled = [arg.format(host="127.0.0.1", port=port, game=game, seat=tmp_path / "seat") for arg in args]
        told = refusal(filled, capsys)
        assert f"there is no port {port}, expected" in told and "to 65535" in told
        assert f"127.0.0.1:{port}" in told
    assert [path.name for path in tmp_path.iterdir()] == ["seat"]


@pytest.mark.parametrize(
    ("players", "told"),
    [("1", "expected 2 to 6"), ("7", "expected 2 to 6"), ("-3", "expected 2 to 6"), ("Red", "at least two")],
)
@pytest.mark.parametrize("verb", [["new-game", "d"], ["host", "--relay", "r"]], ids=lambda verb: verb[0])
def test_who_plays_is_a_number_or_colours_in_every_verb_that_begins_a_table(
    verb: list[str],
    players: str,
    told: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    assert told in refusal([*verb, "--players", players], capsys)
    assert values.seats("3") == ["Red", "Blue", "Green"]
    assert values.seats("blue, Red") == ["Blue", "Red"]


def test_a_new_game_takes_a_number_of_players(tmp_path: Path, typed: Typed) -> None:
    assert "Red begins an unsigned game of 3" in typed(0, "new-game", tmp_path / "seat", "--players", "3").err


@pytest.mark.parametrize(
    "args",
    [
        ["status", "{game}"],
        ["peer", "{game}"],
        ["turn", "{game}"],
        ["say", "{game}", "hello"],
        ["vote", "{game}"],
    ],
    ids=lambda args: args[0],
)
def test_a_game_that_nobody_plays_from_says_which_verbs_read_it(
    args: list[str], game: Path, capsys: pytest.CaptureFixture[str], typed: Typed
) -> None:
    told = refusal([arg.format(game=game) for arg in args], capsys)
    assert f"{game}: not a player's seat: none was taken by play, host, join or new-game" in told
    for verb in ("log", "verify"):
        assert verb in told
        typed(0, verb, game)


def test_a_folder_for_a_new_game_has_no_space_and_comes_after_those_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CATAN_P2P_HOME", str(tmp_path))
    made = []
    for _ in range(3):
        made.append(new_table_path())
        made[-1].mkdir(parents=True)
    assert len({*made}) == 3
    assert not any(character.isspace() for path in made for character in path.name)
    assert sorted(made) == made
    before = f"{made[0].name.partition('_')[0]} 23.59.59"
    assert sorted([before, made[0].name]) == [before, made[0].name], "a folder of an earlier version is older"


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


def test_colours_are_understood_in_any_case(tmp_path: Path, typed: Typed) -> None:
    red, blue = str(tmp_path / "red"), str(tmp_path / "blue")
    assert main(["new-game", red, "--players", "red,BLUE"]) == 0
    assert main(["join", red, blue, "--as", "blue"]) == 0
    typed(0, "peer", red, "--remote", f"blue={blue}", "--stop-after", "0")
    assert '"colour": "Blue"' in typed(0, "status", red, "--json").out


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


@pytest.mark.sampled(5)
@pytest.mark.long
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
