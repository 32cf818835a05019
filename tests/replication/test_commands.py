"""The verbs new-key, new-game, join, peer and status, and simulations with separate peers, as their users run them."""

import json
import shutil
import signal
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from catan_p2p.cli.main import main
from catan_p2p.simulation.separate import free_ports
from tests.replication.tables import git, make_seats

pytestmark = [pytest.mark.long, pytest.mark.sampled(6, together=True)]


def catan_p2p(*args: str | Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "catan_p2p.cli.main", *map(str, args)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def start(*args: str | Path) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "catan_p2p.cli.main", *map(str, args)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


@pytest.fixture
def signed_game(tmp_path: Path) -> list[Path]:
    """Red's and Blue's seats, made with the verbs."""
    for name in ("red", "blue"):
        assert main(["new-key", str(tmp_path / f"{name}.key")]) == 0
    public = tmp_path / "blue.key.pub"
    red, blue = tmp_path / "red", tmp_path / "blue"
    key = str(tmp_path / "red.key")
    args = ["new-game", str(red), "--players", "Red,Blue", "--key", key, "--public-key", f"Blue={public}"]
    args += ["--rules", "standard; PointsToWin = 5"]
    assert main(args) == 0
    assert main(["join", str(red), str(blue), "--as", "Blue", "--key", str(tmp_path / "blue.key")]) == 0
    return [red, blue]


def test_a_signed_game_over_git_daemons_from_the_first_key_to_the_end(signed_game: list[Path]) -> None:
    red, blue = signed_game
    red_port, blue_port = free_ports(2)
    common = ("--policy", "builder", "--json")
    one = start("peer", red, "--listen", f":{red_port}", "--remote", f"Blue=git://127.0.0.1:{blue_port}/", *common)
    two = start("peer", blue, "--listen", f":{blue_port}", "--remote", f"Red=git://127.0.0.1:{red_port}/", *common)
    reports = []
    for process in (one, two):
        out, complaints = process.communicate(timeout=240)
        assert process.returncode == 0, complaints
        reports.append(json.loads(out))
    assert reports[0]["head"] == reports[1]["head"]
    assert reports[0]["winner"] in ("Red", "Blue")
    assert all(report["everybody_knows"] and report["fetches"] for report in reports)
    for path in signed_game:
        assert main(["verify", str(path)]) == 0
        assert main(["status", str(path)]) == 0
        assert (path / "state" / "game" / "turn_phase").read_text() == "top\n", "the newest state is checked out"


@pytest.mark.skipif(shutil.which("ssh-keygen") is None, reason="git verify-commit needs ssh-keygen")
def test_plain_git_accepts_the_signatures_and_only_those_of_the_players(signed_game: list[Path]) -> None:
    red, blue = signed_game
    for path in signed_game:
        for commit in git(path, "rev-list", "--all").split():
            git(path, "verify-commit", commit)
    forged = git(red, "cat-file", "commit", "HEAD").replace("Red_0 <Red_0@", "Blue_0 <Blue_0@")
    bad = git(red, "hash-object", "-w", "-t", "commit", "--stdin", data=f"{forged}\n".encode())
    done = subprocess.run(["git", "-C", str(red), "verify-commit", bad], capture_output=True, check=False)
    assert done.returncode != 0
    assert stat.S_IMODE((blue / ".git" / "catan-p2p" / "key").stat().st_mode) == 0o600


def test_ctrl_c_leaves_a_state_that_goes_on(tmp_path: Path) -> None:
    paths = make_seats(tmp_path, 2)
    first = start("peer", paths[0], "--tell-actions")
    second = start("peer", paths[1], "--tell-actions")
    for process in (first, second):
        assert process.stdout is not None
        assert len(process.stdout.readline().strip()) == 40
    for process in (first, second):
        process.send_signal(signal.SIGINT)
    codes = {process.wait(timeout=240) for process in (first, second)}
    said = [process.communicate()[1] for process in (first, second)]
    assert codes <= {0, 130}, said
    first, second = start("peer", paths[0]), start("peer", paths[1])
    for process in (first, second):
        out, complaints = process.communicate(timeout=120)
        assert process.returncode == 0, complaints
        assert "has won" in out


@pytest.mark.parametrize(("transport", "sign"), [("path", False), ("path", True), ("git", False)])
def test_a_simulation_with_separate_peers_reports_what_they_did(tmp_path: Path, transport: str, sign: bool) -> None:
    args = ["simulate", "--players", "2", "--seed", "5", "--policy", "builder", "--out", tmp_path / "out", "--json"]
    args += ["--topology", "separate", "--transport", transport, *["--sign"] * sign]
    done = catan_p2p(*args)
    assert done.returncode == 0, done.stderr
    (game,) = json.loads(done.stdout)["games"]
    assert game["fetches"] > 50
    assert game["bytes_received"] > 10_000
    assert 0 < game["computing_s"] < game["elapsed_s"]
    assert game["waiting_s"] > 0
    assert game["head"] == git(tmp_path / "out" / "Catan_0" / "Blue", "rev-parse", "Blue_0")


@pytest.mark.parametrize(("rules", "transport"), [("thesis", "path"), ("brief", "git")])
def test_separate_peers_and_shared_ones_play_the_same_game(tmp_path: Path, rules: str, transport: str) -> None:
    heads = []
    for how in (["shared"], ["separate", "--transport", transport]):
        args = [
            "simulate",
            "--players",
            "3",
            "--seed",
            "5",
            "--policy",
            "builder",
            "--rules",
            f"{rules}; PointsToWin = 5",
            "--topology",
            *how,
        ]
        done = catan_p2p(*args, "--out", tmp_path / how[0], "--json")
        assert done.returncode == 0, done.stderr
        heads.append(json.loads(done.stdout)["games"][0]["head"])
    assert heads[0] == heads[1]


@pytest.mark.parametrize(
    ("args", "complaint"),
    [
        (["new-game", "{dir}/x", "--players", "Red"], "expected at least two"),
        (["new-game", "{dir}/x", "--players", "Red,Pink"], "'Pink' is no colour"),
        (["new-game", "{dir}/x", "--players", "Red,Red"], "--players Red,Red: expected different colours"),
        (["new-game", "{dir}/x", "--players", "Red,Blue", "--key", "{dir}/none"], "cannot read the key"),
        (["new-game", "{dir}", "--players", "Red,Blue"], "already exists and is not an empty folder"),
        (["join", "{dir}/nowhere", "{dir}/x", "--as", "Blue"], "not a Git repository"),
        (["join", "git://127.0.0.1:1/", "{dir}/x", "--as", "Blue"], "git://127.0.0.1:1/: Connection refused"),
        (["join", "{dir}/Red", "{dir}/x", "--as", "White"], "nobody plays White there"),
        (["peer", "{dir}/nowhere"], "not a Git repository"),
        (["peer", "{dir}/Red", "--remote", "Blue"], "expected COLOUR=URL"),
        (["peer", "{dir}/Red", "--remote", "Red=x"], "Red is this player"),
        (["status", "{dir}"], "not a Git repository"),
        (["simulate", "--transport", "git", "--out", "{dir}/s"], "--transport git: needs --topology separate"),
        (["simulate", "--sign", "--out", "{dir}/s"], "--sign: needs --topology separate or network"),
    ],
)
def test_wrong_usage_gets_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], args: list[str], complaint: str
) -> None:
    make_seats(tmp_path, 2)
    code = main([arg.format(dir=tmp_path) for arg in args])
    told = capsys.readouterr().err.strip()
    assert code == 2
    assert complaint in told
    assert "\n" not in told
    assert not (tmp_path / "x").exists()


def test_an_address_to_listen_at_that_is_none_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    make_seats(tmp_path, 2)
    with pytest.raises(SystemExit) as ended:
        main(["peer", str(tmp_path / "Red"), "--listen", "somewhere"])
    assert ended.value.code == 2
    assert "--listen: 'somewhere': expected HOST:PORT" in capsys.readouterr().err.splitlines()[-1]


def test_a_peer_needs_the_key_of_its_seat(
    signed_game: list[Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    red = signed_game[0]
    assert main(["join", str(red), str(tmp_path / "x"), "--as", "Blue"]) == 2
    assert "no private key was given" in capsys.readouterr().err
    assert main(["join", str(red), str(tmp_path / "x"), "--as", "Blue", "--key", str(tmp_path / "red.key")]) == 2
    assert "the private key does not match it" in capsys.readouterr().err
    assert not (tmp_path / "x").exists()
