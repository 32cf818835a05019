"""What ``make test`` leaves to ``make test-all``: nothing is lost between the two, and nothing in silence."""

import os
import re
import subprocess
import sys
from itertools import product
from pathlib import Path

import pytest

from tests.left_out import QUICK
from tests.shared import made_once

ROOT = Path(__file__).parents[1]
MARKS = ("soak", "long", "needs")


def chosen_by(target: str) -> list[tuple[str, str]]:
    """The marks by which a target of the Makefile chooses, and what else it gives to pytest."""
    done = subprocess.run(["make", "-n", target], cwd=ROOT, capture_output=True, text=True, check=True)
    return re.findall(r"-m pytest -m '(.*?)'(.*)", done.stdout)


def test_ci_runs_every_test_that_is_not_soak_once() -> None:
    ran = re.findall(r"^make (test\S*)$", (ROOT / ".ci" / "run").read_text(encoding="utf-8"), re.MULTILINE)
    chosen = [one for target in ran for one in chosen_by(target)]
    for bears in product((False, True), repeat=len(MARKS)):
        names = dict(zip(MARKS, bears, strict=True))
        runs = [marks for marks, _ in chosen if eval(marks, {}, names)]
        assert len(runs) == (0 if names["soak"] else 1), names
    assert all("tests/" not in rest for _, rest in chosen)


def test_make_test_leaves_out_what_bears_a_mark() -> None:
    assert [marks for marks, _ in chosen_by("test")] == [QUICK]


MARKED = """
import pytest

def test_quick():
    pass

@pytest.mark.long
def test_long():
    pass

@pytest.mark.needs("env")
@pytest.mark.parametrize("n", [1, 2])
def test_needs(n):
    pass

@pytest.mark.soak
@pytest.mark.long
def test_soak():
    pass
"""


@pytest.mark.long
@pytest.mark.parametrize("processes", [[], ["-n", "2"]], ids=["one process", "two"])
def test_the_last_line_says_what_is_left_out(tmp_path: Path, processes: list[str]) -> None:
    (tmp_path / "test_marked.py").write_text(MARKED)
    (tmp_path / "test_module.py").write_text(
        'import pytest\nimport nothing\npytestmark = pytest.mark.needs("frames")\n'
    )
    (tmp_path / "pytest.ini").write_text("[pytest]\nmarkers =\n    long\n    soak\n    needs\n")
    command = [sys.executable, "-m", "pytest", "-p", "tests.left_out", "-p", "no:cacheprovider", "-c", "pytest.ini"]
    run = subprocess.run(
        [*command, "-m", QUICK, *processes, str(tmp_path)],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    told = "left to make test-all: 1 long test, 2 tests that need the extra env, 1 file that needs the extra frames"
    assert told in run.stdout.splitlines()
    assert "1 passed" in run.stdout


def test_what_is_shared_is_made_once(tmp_path_factory: pytest.TempPathFactory) -> None:
    made = []

    def make(folder: Path) -> None:
        made.append(folder)
        (folder / "file").touch()

    first = made_once(tmp_path_factory, "shared-by-nobody", make)
    assert made_once(tmp_path_factory, "shared-by-nobody", make) == first
    assert (first / "file").exists()
    assert len(made) <= 1


def test_what_could_not_be_made_is_tried_again(tmp_path_factory: pytest.TempPathFactory) -> None:
    def fail(folder: Path) -> None:
        raise OSError(f"no room in {folder}")

    for _ in range(2):
        with pytest.raises(OSError, match="no room"):
            made_once(tmp_path_factory, "never-made", fail)
