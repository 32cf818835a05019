"""Programs from outside, such as Java and ffmpeg: each is tried before use, and the first that works is taken."""

import functools
import os
import shutil
import subprocess
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

TRIAL_S = 60.0
"""How long a program may take for its trial."""
COMPLAINT_CHARACTERS = 2000
"""How much of what a program prints is quoted."""


class NoneUsable(Exception):
    """No program can be used; the message says of each why not. It is empty if there was none to try."""


class ProgramTrial(NamedTuple):
    """What a program printed when it was tried, on both streams, and what is wrong with it, if anything."""

    printed: str
    fault: str | None


def on_path(name: str) -> Iterator[Path]:
    """Every program of that name in the folders of the PATH, in their order."""
    found = (shutil.which(name, path=folder) for folder in os.get_exec_path())
    return (Path(each) for each in dict.fromkeys(found) if each is not None)


@functools.cache
def tried(program: Path, *arguments: str) -> ProgramTrial:
    """Run a program once with these arguments; the result is remembered."""
    try:
        done = subprocess.run(
            [str(program), *arguments],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            check=False,
            encoding="utf-8",
            errors="replace",
            timeout=TRIAL_S,
        )
    except OSError as error:
        return ProgramTrial("", f"cannot run: {error.strerror or error}")
    except subprocess.TimeoutExpired:
        return ProgramTrial("", f"has not answered within {TRIAL_S:g} s")
    if done.returncode:
        return ProgramTrial(done.stdout, f"ended with exit code {done.returncode}: {complaint(done.stdout)}")
    return ProgramTrial(done.stdout, None)


def first_usable(programs: Iterable[Path], arguments: Sequence[str], fault_in: Callable[[str], str | None]) -> Path:
    """The first program that runs with these arguments and prints nothing in which ``fault_in`` finds a fault.

    ``NoneUsable`` if there is none.
    """
    faults = []
    for program in programs:
        trial = tried(program, *arguments)
        fault = trial.fault or fault_in(trial.printed)
        if fault is None:
            return program
        faults.append(f"{program}: {fault}")
    raise NoneUsable("; ".join(faults))


def complaint(printed: str) -> str:
    """All that a program printed, in one line; of very much, the beginning and the end."""
    line = " ".join(printed.split())
    half = COMPLAINT_CHARACTERS // 2
    return (line if len(line) <= 2 * half else f"{line[:half]} [...] {line[-half:]}") or "no reason given"
