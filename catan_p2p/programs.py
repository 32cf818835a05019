"""External programs such as Java and ffmpeg: each is tried before use, and the first that works is chosen."""

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
"""At most this much of a program's output is quoted."""


class NoneUsable(Exception):
    """No program can be used. The message gives the reason for each program; it is empty if there was none to try."""


class ProgramTrial(NamedTuple):
    """The output of a program on trial, of both streams, and what is wrong with the program; None if nothing is."""

    printed: str
    fault: str | None


def on_path(name: str) -> Iterator[Path]:
    """Every program of this name in the folders of PATH, in order, each once."""
    found = (shutil.which(name, path=folder) for folder in os.get_exec_path())
    return (Path(each) for each in dict.fromkeys(found) if each is not None)


@functools.cache
def tried(program: Path, *arguments: str) -> ProgramTrial:
    """Run a program with these arguments, at most once in this process; the result is remembered."""
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
    """The first program that runs with these arguments and whose output has no fault, as ``fault_in`` finds them.

    ``fault_in`` returns the fault in a text, or None. Raises ``NoneUsable`` if no program qualifies.
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
    """A program's output on one line; of a long output, only the beginning and the end."""
    line = " ".join(printed.split())
    half = COMPLAINT_CHARACTERS // 2
    return (line if len(line) <= 2 * half else f"{line[:half]} [...] {line[-half:]}") or "no reason given"
