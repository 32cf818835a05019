"""The verbs as their users meet them: output, exit codes, and one clear line for what goes wrong."""

import json
import resource
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

from catan_p2p.cli.main import VERBS, main
from tests.log.storage.repositories import copy_of, git, played
from tests.typed import Typed


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return played(tmp_path_factory.mktemp("games"))


class Ran(NamedTuple):
    """What came of the program."""

    returncode: int
    stdout: str
    stderr: str


def run(capsys: pytest.CaptureFixture[str], *args: str) -> Ran:
    """The program in this process."""
    capsys.readouterr()
    try:
        code = main(args)
    except SystemExit as ended:  # of argparse
        assert isinstance(ended.code, int)
        code = ended.code
    return Ran(code, *capsys.readouterr())


def one_line(error: str) -> str:
    """Standard error without a traceback: its last line."""
    assert "Traceback" not in error
    return error.strip().splitlines()[-1]


@pytest.mark.parametrize("verb", [verb.replace("_", "-").strip("-") for verb in VERBS])
def test_every_verb_has_help(verb: str, typed: Typed) -> None:
    assert f"catan-p2p {verb}" in typed(0, verb, "--help").out


def test_simulate_plays_prints_a_table_and_echoes_the_seed(tmp_path: Path, typed: Typed) -> None:
    out = tmp_path / "out"
    told = typed(0, "simulate", "--games", "2", "--policy", "builder", "--seed", "3", "--out", out)
    assert "seed 3" in told.err
    head, *rows = told.out.splitlines()
    assert head.split()[:6] == ["game", "winner", "points", "actions", "rounds", "commits"]
    assert [row.split()[0] for row in rows[:2]] == ["0", "1"]
    assert "tries out of turn, all refused" in rows[2]
    assert (out / "Catan_1" / ".git").is_dir()


def test_simulate_plays_a_standard_game_of_six_and_verify_accepts_it(tmp_path: Path, typed: Typed) -> None:
    out = tmp_path / "out"
    args = ["--rules", "standard", "--players", "6", "--policy", "builder", "--seed", "3", "--out", str(out)]
    told = typed(0, "simulate", *args)
    assert "seed 3, 1 game of 6 players" in told.err
    assert told.out.splitlines()[-1].startswith("1 game, ")
    assert "commits in order" in typed(0, "verify", out).out
    assert "for the start" in typed(0, "log", out / "Catan_0").out.splitlines()[0]


def test_new_game_begins_a_standard_game_of_five(tmp_path: Path, typed: Typed) -> None:
    red = tmp_path / "red"
    colours = "Red,Blue,Green,White,Brown"
    assert main(["new-game", str(red), "--rules", "standard", "--players", colours, "--seed", "1"]) == 0
    assert "1 commit in order" in typed(0, "verify", red).out
    rules = git(red, "show", "HEAD:rules").splitlines()
    assert {"SpecialBuilding = yes", "TableTalk = yes", "ResourcePool = 24 24 24 24 24"} <= set(rules)
    assert len(git(red, "show", "HEAD:map/tiles").splitlines()) > 37, "the island for five and six players"


@pytest.mark.long
def test_a_simulation_with_separate_peers_tells_of_no_tries(tmp_path: Path, typed: Typed) -> None:
    args = ["--policy", "builder", "--seed", "5", "--topology", "separate", "--out", str(tmp_path / "out")]
    assert "tries" not in typed(0, "simulate", *args).out


def test_simulate_prints_json_on_request(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["simulate", "--policy", "builder", "--seed", "3", "--json", "--out", str(tmp_path / "out")]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["settings"]["seed"] == 3
    assert told["findings"] == []
    assert told["games"][0]["winner"] in ("Red", "Blue")


def test_an_interrupted_simulation_is_resumed(tmp_path: Path, capsys: pytest.CaptureFixture[str], typed: Typed) -> None:
    out = str(tmp_path / "out")
    assert main(["simulate", "--policy", "builder", "--seed", "3", "--out", out]) == 0
    (tmp_path / "out" / "games.jsonl").unlink()
    capsys.readouterr()
    assert "wins after" in typed(0, "simulate", "--resume", out).err
    assert "--seed cannot be changed" in typed(2, "simulate", "--resume", out, "--seed", "4").err


def test_a_runaway_game_is_a_finding(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["simulate", "--max-actions", "40", "--seed", "3", "--out", str(tmp_path / "out")]) == 1
    assert "no winner after" in capsys.readouterr().err


def test_a_repository_that_is_no_game_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    git(tmp_path, "init", "--quiet")
    for verb in ("verify", "log"):
        done = run(capsys, verb, str(tmp_path))
        assert done.returncode == 2
        assert "not a game: it has no branch such as Red_0" in one_line(done.stderr)


def test_a_repository_that_git_cannot_read_is_told(
    game: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    copy = copy_of(game, tmp_path / "copy")
    for pack in (copy / ".git/objects/pack").glob("*.pack"):
        pack.chmod(0o644)
        pack.write_bytes(b"PACK" + b"\0" * 200)
    done = run(capsys, "verify", str(copy))
    assert done.returncode in (1, 2)
    one_line(done.stderr + done.stdout)


def test_an_output_folder_that_is_a_file_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "file").write_text("")
    done = run(capsys, "simulate", "--out", str(tmp_path / "file"))
    assert done.returncode == 2
    assert "file: cannot write" in one_line(done.stderr)


@pytest.mark.long
def test_a_full_disk_is_told_nothing_is_lost_and_the_game_goes_on_later(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    args = ["simulate", "--policy", "builder", "--seed", "3"]

    def limit() -> None:
        # The whole game is one file of some 100 kB at the end; how it grows before that depends on who runs when.
        resource.setrlimit(resource.RLIMIT_FSIZE, (30_000, 30_000))

    command = [sys.executable, "-m", "catan_p2p.cli.main", *args, "--out", str(out)]
    done = subprocess.run(command, capture_output=True, text=True, preexec_fn=limit)
    assert done.returncode == 2
    assert "File too large" in one_line(done.stderr)
    done = run(capsys, "simulate", "--resume", str(out))
    assert done.returncode == 0, done.stderr
    whole = run(capsys, *args, "--json", "--out", str(tmp_path / "whole"))
    assert json.loads(whole.stdout)["games"][0]["head"] == git(out / "Catan_0", "rev-parse", "Red_0")


def test_verify_accepts_a_game_and_a_folder_of_games(game: Path, typed: Typed) -> None:
    assert "commits in order" in typed(0, "verify", game).out
    (verdict,) = json.loads(typed(0, "verify", "--json", game.parent).out)
    assert verdict["fine"]
    assert verdict["winner"] in ("Red", "Blue")
    assert sum(verdict["actions"].values()) == verdict["commits"] - 1


def test_verify_names_the_first_bad_commit_and_the_reason(game: Path, tmp_path: Path, typed: Typed) -> None:
    copy = copy_of(game, tmp_path / "copy")
    tree = git(copy, "rev-parse", "Red_0~9^{tree}")
    environment = ["-c", "user.name=Red_0", "-c", "user.email=Red_0@catan-p2p.invalid"]
    message = git(copy, "log", "-1", "--format=%B", "Red_0") + "\n"
    bad = git(copy, *environment, "commit-tree", tree, "-p", "Red_0~1", "-F", "-", data=message.encode())
    git(copy, "update-ref", "refs/heads/Red_0", bad)
    told = typed(1, "verify", copy).out
    assert bad[:10] in told
    assert "rejected" in told


def test_log_tells_the_game_in_words(game: Path, typed: Typed) -> None:
    lines = typed(0, "log", game).out.splitlines()
    assert "settles on point" in lines[0]
    assert "wins with" in lines[-1]
    told = [json.loads(line) for line in typed(0, "log", "--json", game).out.splitlines()]
    assert len(told) == len(lines)
    assert told[0]["Action"] == "setup_phase_one"
    assert told[-1]["commit"] == git(game, "rev-parse", "Red_0")


def test_output_into_a_closed_pipe_ends_quietly(game: Path) -> None:
    command = f"{sys.executable} -m catan_p2p.cli.main log {game} | head -1"
    done = subprocess.run(command, shell=True, capture_output=True, text=True)
    assert done.stderr == ""
    assert len(done.stdout.splitlines()) == 1
