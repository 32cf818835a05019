"""What cannot be read or written: one line that names it, exit code 2, or 1 where one game of several is lacking."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from catan_p2p.cli.main import main
from catan_p2p.simulation.game import SimulationSettings
from catan_p2p.simulation.run import begin_run, play_run
from catan_p2p.simulation.separate import create_seats
from tests.log.storage.repositories import copy_of
from tests.typed import Typed

pytestmark = [pytest.mark.long, pytest.mark.sampled(8)]

CAPABILITIES = "-dac_override,-dac_read_search"
FULL = Path("/dev/full")
needs_full = pytest.mark.skipif(not FULL.exists(), reason="needs /dev/full")


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of two short games."""
    out = tmp_path_factory.mktemp("runs") / "run"
    play_run(begin_run(out, SimulationSettings(players=2, games=2, seed=5, policies=("builder",))))
    return out


@pytest.fixture
def own(run: Path, tmp_path: Path) -> Iterator[Path]:
    """A copy of the run, whose rights a test may take away."""
    copy = copy_of(run, tmp_path / "own")
    yield copy
    for path in (copy, copy / "Catan_1"):
        path.chmod(0o755)


def program(*args: object, **options: object) -> subprocess.CompletedProcess[str]:
    """The program as a process that rights hold for, also if root runs the tests."""
    command = [sys.executable, "-m", "catan_p2p.cli.main", *map(str, args)]
    if os.geteuid() == 0:
        if shutil.which("setpriv") is None:
            pytest.skip("needs setpriv, or not to be root")
        command = ["setpriv", f"--bounding-set={CAPABILITIES}", f"--inh-caps={CAPABILITIES}", *command]
    given: dict[str, object] = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True} | options
    done: subprocess.CompletedProcess[str] = subprocess.run(command, **given)  # type: ignore[call-overload]
    return done


READING = [
    ["verify"],
    ["metrics", "--quick", "--out", "tables"],
    ["report"],
    ["log"],
    ["status"],
    ["stats"],
    ["export", "--format", "sgn"],
    ["import"],
    ["map"],
    ["watch", "--snapshot", "picture.png"],
    ["page", "-o", "game.html"],
    ["peer"],
    ["check-trace"],
    ["new-game", "--players", "Red,Blue"],
    ["join", "nowhere", "--as", "Red"],
]


@pytest.mark.parametrize(
    ("verb", "below"),
    [(verb, "") for verb in READING] + [(verb, "/below") for verb in READING[::3]],
    ids=lambda given: given[0] if isinstance(given, list) else given,
)
def test_a_folder_that_may_not_be_read_is_one_line(verb: list[str], below: str, own: Path, tmp_path: Path) -> None:
    own.chmod(0)
    done = program(*verb, f"{own}{below}", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.count("\n") == 1
    assert str(own) in done.stderr and "Permission denied" in done.stderr


@pytest.mark.parametrize("verb", READING[:3], ids=lambda verb: verb[0])
def test_a_game_that_may_not_be_read_is_a_finding_and_the_others_count(
    verb: list[str], own: Path, tmp_path: Path
) -> None:
    (own / "Catan_1").chmod(0)
    done = program(*verb, own, cwd=tmp_path)
    assert done.returncode == 1
    assert f"{own}/Catan_1: cannot read: Permission denied" in done.stdout + done.stderr
    assert "Traceback" not in done.stderr
    if verb == ["verify"]:
        assert f"{own}/Catan_0: " in done.stdout and "commits in order" in done.stdout


@needs_full
@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize(
    "args",
    [
        ["verify", "{run}"],
        ["verify", "--json", "{run}"],
        ["log", "{run}/Catan_0"],
        ["stats", "{run}/Catan_0"],
        ["export", "{run}/Catan_0", "--format", "sgn"],
        ["map", "default"],
        ["metrics", "{run}", "--quick", "--out", "{tmp}"],
    ],
    ids=lambda args: " ".join(args[:2]),
)
def test_an_output_that_is_full_is_one_line(args: list[str], unbuffered: str, run: Path, tmp_path: Path) -> None:
    environment = os.environ | {"PYTHONUNBUFFERED": unbuffered}
    with FULL.open("w") as full:
        done = program(*(arg.format(run=run, tmp=tmp_path) for arg in args), stdout=full, env=environment)
    assert done.returncode == 2
    lines = [line for line in done.stderr.splitlines() if not line.startswith("tables are in")]
    assert lines == ["catan-p2p: standard output: cannot write: the disk is full"]


@needs_full
def test_help_that_cannot_be_written_is_one_line() -> None:
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    with FULL.open("w") as full:
        done = program("--help", stdout=full, env=environment)
    assert done.returncode == 2
    assert done.stderr == "catan-p2p: standard output: cannot write: the disk is full\n"


@needs_full
def test_a_failure_that_nobody_can_be_told_still_has_its_exit_code() -> None:
    with FULL.open("w") as full:
        assert program("verify", "/nowhere", stdout=full, stderr=full).returncode == 2


@pytest.mark.parametrize("args", [["verify", "{run}"], ["export", "{run}/Catan_0", "--format", "sgn"]])
def test_without_a_standard_output_the_exit_code_is_what_it_would_be(args: list[str], run: Path) -> None:
    command = [sys.executable, "-m", "catan_p2p.cli.main", *(arg.format(run=run) for arg in args)]
    done = subprocess.run(["sh", "-c", '"$@" >&-', "sh", *command], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize(
    "args",
    [
        ["map", "default", "-o", "{to}/x"],
        ["export", "{run}/Catan_0", "-o", "{to}/x.sgn"],
        ["stats", "{run}/Catan_0", "--plot", "{to}/x.png"],
        ["watch", "{run}/Catan_0", "--snapshot", "{to}/x.png"],
        ["page", "{run}/Catan_0", "-o", "{to}/x.html"],
        ["metrics", "{run}", "--quick", "--out", "{to}/x"],
        ["new-key", "{to}/x"],
        ["new-game", "{to}/x", "--players", "Red,Blue"],
        ["join", "{run}/Catan_0", "{to}/x", "--as", "Blue"],
        ["simulate", "--out", "{to}/x"],
    ],
    ids=lambda args: args[0],
)
def test_a_place_that_cannot_be_written_is_one_line(args: list[str], run: Path, tmp_path: Path) -> None:
    locked, file = tmp_path / "locked", tmp_path / "file"
    locked.mkdir(mode=0o555)
    file.write_text("")
    for to, why in ((locked, "Permission denied"), (file, ("Not a directory", "File exists"))):
        done = program(*(arg.format(run=run, to=to) for arg in args))
        assert done.returncode == 2
        assert done.stderr.count("\n") == 1
        assert str(to) in done.stderr and done.stderr.strip().endswith(why)
    assert not list(locked.iterdir())
    assert file.read_text() == ""


@pytest.mark.parametrize("name", ["plot", "plot.txt"])
def test_a_plot_of_no_known_kind_is_wrong_usage(
    name: str, run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["stats", str(run / "Catan_0"), "--plot", str(tmp_path / name)]) == 2
    assert capsys.readouterr().err.endswith(f"{name}: expected a file that ends in .png or .svg or .pdf\n")
    assert not list(tmp_path.iterdir())


def test_verify_audits_the_repositories_of_all_players(tmp_path: Path, typed: Typed) -> None:
    run = tmp_path / "run"
    for number in range(2):
        create_seats(run / f"Catan_{number}", number, SimulationSettings(players=2, seed=4, topology="separate"))
    for path in (tmp_path, run):
        seats = [line.partition(": ")[0] for line in typed(0, "verify", path).out.splitlines()]
        assert seats == [str(run / game / colour) for game in ("Catan_0", "Catan_1") for colour in ("Red", "Blue")]
    shutil.rmtree(run / "Catan_1" / "Blue" / ".git")
    assert f"{run}/Catan_1/Blue: not a Git repository\n" in typed(1, "verify", run).out


@pytest.mark.parametrize("verb", READING[:2], ids=lambda verb: verb[0])
def test_a_game_that_is_none_or_has_gone_is_a_finding(verb: list[str], run: Path, tmp_path: Path) -> None:
    for name, change, why in (
        ("no-git", lambda game: shutil.rmtree(game / ".git"), "not a Git repository"),
        ("gone", shutil.rmtree, "no such folder"),
        ("file", lambda game: (shutil.rmtree(game), game.write_text("")), "not a folder"),
        ("empty", lambda game: (shutil.rmtree(game / ".git" / "refs"), (game / ".git" / "refs").mkdir()), "not a "),
    ):
        copy = copy_of(run, tmp_path / name)
        change(copy / "Catan_0")
        if name == "empty" and verb != ["verify"]:
            continue
        done = program(*verb, copy, cwd=tmp_path)
        assert done.returncode == 1, name
        assert f"{copy}/Catan_0: {why}" in done.stdout + done.stderr


def test_a_game_that_is_lacking_is_told_in_json_too(own: Path, typed: Typed) -> None:
    shutil.rmtree(own / "Catan_0")
    verdicts = {Path(verdict["path"]).name: verdict for verdict in json.loads(typed(1, "verify", "--json", own).out)}
    assert verdicts["Catan_1"]["fine"]
    assert verdicts["Catan_0"] == {
        "path": str(own / "Catan_0"),
        "fine": False,
        "damage": "no such folder",
        "rejected": [],
    }
