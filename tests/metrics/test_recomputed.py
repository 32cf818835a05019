"""Every column of the tables of ``metrics`` and ``study``, recomputed from plain Git by a script of its own."""

import csv
import subprocess
import sys
from pathlib import Path

import pytest

from catan_p2p.cli.main import main
from tests.metrics.recompute.comparing import TIMES
from tests.shared import ROOT, made_once

pytestmark = pytest.mark.long

_HIDDEN = ("--chance", "joint", "--hands", "hidden", "--seed", "2983448739")
"""A game in which a monopoly asks for sealed cards: a phase of its own."""

RUNS = {
    "two": ("--players", "2", "--games", "2", "--rules", "standard; PointsToWin = 5", "--seed", "77"),
    "four": ("--players", "4", "--rules", "brief; PointsToWin = 4", "--seed", "3"),
    "thesis": ("--players", "4", "--rules", "thesis; PointsToWin = 4", "--seed", "1"),
    "joint": ("--players", "3", "--rules", "standard; PointsToWin = 4", "--chance", "joint", "--seed", "2"),
    "hidden": ("--players", "2", "--rules", "standard; PointsToWin = 5", *_HIDDEN),
    "links of six": ("--players", "6", "--rules", "brief; PointsToWin = 3", "--topology", "network", "--seed", "1"),
    "links": ("--players", "3", "--rules", "thesis; PointsToWin = 3", "--topology", "network", "--seed", "1"),
}
STUDY = """
games = 2
keep = "all"
actions = true
measures = ["game", "seats", "counts", "storage", "deltas", "gc", "packs", "time"]
[settings]
policy = "builder"
[factors]
players = [2, 4]
rules = ["thesis; PointsToWin = 3", "standard; PointsToWin = 3"]
[baseline]
players = 2
"""
LINKS = """
keep = "all"
actions = true
measures = ["game", "storage", "deltas", "time", "network"]
[settings]
policy = "builder"
rules = "thesis; PointsToWin = 3"
topology = "network"
[factors]
players = [2, 3]
"""


STUDIES = {"study": STUDY, "links-study": LINKS}


@pytest.fixture
def measured(name: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A measured run or a study."""

    def play(folder: Path) -> None:
        run = str(folder / name)
        if name in RUNS:
            assert main(["simulate", *RUNS[name], "--policy", "builder", "--out", run]) == 0
            assert main(["metrics", run, *(["--quick"] if name == "four" else [])]) == 0
        else:
            (folder / "study.toml").write_text(STUDIES[name])
            assert main(["study", str(folder / "study.toml"), "--out", run]) == 0

    return made_once(tmp_path_factory, f"recomputed-{name}", play) / name


def recompute(*folders: Path) -> tuple[int, list[str]]:
    """The exit code of the script and the lines that it prints."""
    command = [sys.executable, "-m", "tests.metrics.recompute", *map(str, folders)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert not done.stderr, done.stderr
    return done.returncode, done.stdout.splitlines()


_SAMPLED = [pytest.param(name, marks=pytest.mark.sampled(3)) for name in (*RUNS, *STUDIES) if name != "two"]


@pytest.mark.parametrize("name", ["two", *_SAMPLED])
def test_every_column_is_what_git_and_the_rules_give(measured: Path, name: str) -> None:
    code, lines = recompute(measured)
    assert (code, lines[:-1]) == (0, [])
    assert int(lines[-1].split()[0]) > 500, "it compares something"


@pytest.mark.sampled(3)
@pytest.mark.parametrize(("name", "table"), [("four", "games.csv"), ("four", "actions.csv"), ("links", "network.csv")])
def test_a_wrong_cell_is_noticed_in_each_column_and_a_new_column_too(
    measured: Path, tmp_path: Path, table: str
) -> None:
    for file in measured.iterdir():
        (tmp_path / file.name).symlink_to(file)
    (tmp_path / "metrics").unlink()
    (tmp_path / "metrics").mkdir()
    for file in (measured / "metrics").iterdir():
        (tmp_path / "metrics" / file.name).write_bytes(file.read_bytes())
    path = tmp_path / "metrics" / table
    head, first, *rest = csv.reader(path.read_text().splitlines())
    known = ("game", "commit", "head", "actions" if table == "actions.csv" else "")  # they say what is compared
    wrong = [cell if column in known else f"9{cell}" for column, cell in zip(head, first, strict=True)]
    with path.open("w", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows(
            [[*head, "surprise"], [*wrong, "1"], *([*row, "1"] for row in rest)]
        )
    code, lines = recompute(tmp_path)
    assert code == 1
    noticed = {line.partition(": ")[0].rpartition(", ")[2] for line in lines}
    missed = {column for column in head if column not in known and not TIMES.fullmatch(column)} - noticed
    assert not missed
    assert any("column surprise is not known" in line for line in lines)


def test_the_script_imports_nothing_of_the_program() -> None:
    ours = "[name for name in sys.modules if name.startswith(('catan', 'visualizer'))]"
    check = f"import sys, tests.metrics.recompute.__main__; print({ours})"
    done = subprocess.run([sys.executable, "-c", check], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
