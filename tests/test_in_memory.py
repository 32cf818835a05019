"""Where the tests have their files."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests import in_memory
from tests.shared import ROOT


def test_files_are_where_somebody_says_and_in_memory_only_where_there_is_room(tmp_path: Path) -> None:
    assert not in_memory.has_room(tmp_path), "this is no memory of its own"
    assert Path(os.environ.get("TMPDIR", "/")).resolve() in tmp_path.resolve().parents


@pytest.mark.skipif(not in_memory.has_room(in_memory.PLACE), reason="there is no room in memory")
@pytest.mark.parametrize(("chosen", "code"), [("turn_by_date", 0), ("no_such_test", 5)])
def test_the_memory_is_given_back_after_a_run_in_which_all_is_well(chosen: str, code: int) -> None:
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("TMPDIR", "PYTEST"))}
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "tests/test_cases.py", "-k", chosen]
    with subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.DEVNULL) as run:
        assert run.wait() == code
    left = in_memory.PLACE / f"{in_memory.NAME}{run.pid}"
    assert left.exists() == bool(code)
    if code:
        left.rmdir()
