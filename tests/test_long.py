"""Which tests ``make test`` leaves to ``make test-long``: none is lost between the two."""

import re
import subprocess
from pathlib import Path

import pytest

from tests.conftest import LONG
from tests.shared import made_once

ROOT = Path(__file__).parents[1]


def test_what_is_long_is_there() -> None:
    for entry in LONG:
        file, _, test = entry.partition("::")
        path = ROOT / "tests" / file
        assert path.is_dir() or f"def {test.partition('[')[0]}" in path.read_text(encoding="utf-8"), entry


def test_ci_runs_every_test_that_is_not_soak_once() -> None:
    ran = re.findall(r"^make (test\S*)$", (ROOT / ".ci" / "run").read_text(encoding="utf-8"), re.MULTILINE)
    chosen = []
    for target in ran:
        done = subprocess.run(["make", "-n", target], cwd=ROOT, capture_output=True, text=True, check=True)
        chosen += re.findall(r"-m pytest -m '(.*?)'(.*)", done.stdout)
    for is_long in (False, True):
        for is_soak in (False, True):
            names = {"long": is_long, "soak": is_soak}
            runs = [marks for marks, _ in chosen if eval(marks, {}, names)]
            assert len(runs) == (0 if is_soak else 1), names
    assert all("tests/" not in rest for _, rest in chosen)


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
