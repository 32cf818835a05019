"""Processor time from the start of a verb until it does its work: ``python -m benchmarks.run start``.

For ``play``, until its lobby is on the screen.
"""

import os
import resource
import statistics
import subprocess
import sys
from importlib.util import find_spec

from benchmarks.rows import Row

_VERB = """
import atexit, sys
from catan_p2p.__main__ import run

atexit.register(lambda: print(len(sys.modules)))
sys.argv[0] = "catan-p2p"
run()
"""
_WINDOW = """
import os, sys
from visualizer.light_pygame import import_pygame

import_pygame()
import pygame
from catan_p2p.cli.main import main

def shown(parts):
    print(len(sys.modules), flush=True)
    os._exit(0)

pygame.display.update = shown
main(["play"])
"""
STARTS = {
    "`--version`": (_VERB, "--version"),
    "`simulate`": (_VERB, "simulate", "--help"),
    "`turn`": (_VERB, "turn", "--help"),
    "`play`, until its lobby is shown": (_WINDOW,),
}


def rows(*, quick: bool = False) -> list[Row]:
    """The processor time of each start, beside that of Python alone."""
    os.environ["SDL_VIDEODRIVER"] = os.environ["SDL_AUDIODRIVER"] = "dummy"
    times = 3 if quick else 9
    alone, _ = _start(times, "print(0)")
    found = []
    for what, (program, *arguments) in STARTS.items():
        if program is _WINDOW and find_spec("pygame") is None:
            continue
        spent, modules = _start(times, program, *arguments)
        found.append(Row(f"start of {what}", spent, "ms", "`python -c` alone", alone, note=f"{modules} modules"))
    return found


def _start(times: int, program: str, *arguments: str) -> tuple[float, int]:
    """The median of the processor time in milliseconds, and the number of modules, which is printed last."""
    spent, modules = [], 0
    for _ in range(times + 1):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        command = [sys.executable, "-c", program, *arguments]
        told = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        spent.append(1000 * (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime))
        modules = int(told.split()[-1])
    return statistics.median(spent[1:]), modules  # the first may have to compile
