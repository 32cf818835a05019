"""Ctrl-C in a terminal reaches all processes of a verb: whenever it comes, none of them prints a traceback."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(not hasattr(os, "killpg"), reason="a terminal's processes are a group only on POSIX"),
]
STUDY = """
title = "A study"
games = 40

[settings]
policy = "builder"

[factors]
players = [2, 3]
"""


@pytest.fixture
def run_folder(tmp_path: Path) -> Path:
    (tmp_path / "study.toml").write_text(STUDY)
    return tmp_path


@pytest.mark.parametrize(
    "words",
    [
        "simulate --games 40 --out out",
        "study study.toml --out out",
        "tournament --policies builder,builder --games 4000",
    ],
    ids=lambda words: str(words).split()[0],
)
@pytest.mark.parametrize("after_s", [0.0, 0.1, 0.3, 1.0])
def test_nothing_but_one_line_is_printed(run_folder: Path, words: str, after_s: float) -> None:
    with interrupts_allowed():
        verb = subprocess.Popen(
            [sys.executable, "-m", "catan_p2p", *words.split(), "--jobs", "2"],
            cwd=run_folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, start_new_session=True,
        )  # fmt: skip
    with verb:
        try:
            assert verb.stderr is not None
            assert "games" in verb.stderr.readline()  # it has begun, and now starts its processes
            time.sleep(after_s)
            os.killpg(verb.pid, signal.SIGINT)
            said = verb.communicate(timeout=60)[1]
        finally:
            with suppress(ProcessLookupError):
                os.killpg(verb.pid, signal.SIGKILL)
    assert verb.returncode == 130
    assert "Traceback" not in said
    assert said.splitlines()[-1].startswith("interrupted")


DELETES = """
import signal, time
from catan_p2p import interrupts

class Held:
    def __del__(self):
        signal.raise_signal(signal.SIGINT)
        time.sleep(0)

interrupts.repeat_lost()
try:
    Held()
    time.sleep(60)
except KeyboardInterrupt:
    print("interrupted")
"""


def test_an_interrupt_while_an_object_is_deleted_is_not_lost() -> None:
    with interrupts_allowed():
        ended = subprocess.run([sys.executable, "-c", DELETES], capture_output=True, text=True, timeout=50, check=False)
    assert (ended.stdout, ended.stderr) == ("interrupted\n", "")


@contextmanager
def interrupts_allowed() -> Iterator[None]:
    """Start processes that heed Ctrl-C meanwhile, also where tests run in the background of a script."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
