"""What waiting costs: a peer that awaits a move in a folder or over ``git://``, and peers whose players think.

Processor time of a peer and all processes that it starts, and of it that of the thread that serves the others, from two
runs of different lengths, so that its start does not count. A core that sleeps between two wake-ups makes each of them
cost more, most of all on a virtual machine, and how often it sleeps depends on what else runs there. So everything is
measured twice: as the machine is, and with a spinning process of the lowest priority on each core, which keeps it
awake.

python -m benchmarks.idle [--seconds S]     milliseconds of processor time a second
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import NamedTuple

from catan_p2p.log.refs import COLOURS
from catan_p2p.simulation.game import SimulationSettings
from catan_p2p.simulation.separate import create_seats, free_ports

_START_S = 15
"""How long a peer may take until it does nothing but what it does all the time."""
_THINKING_S = 8.0
_SERVING = "nanoseconds of serving:"
_THINKER = f"""
import sys, threading
from catan_p2p.cli import main, peer
from catan_p2p.replication.coroutines import carried_out
from catan_p2p.replication.play import play as play_at_once, playing

def play(replica, pace, *told):
    report = carried_out(playing(replica, pace, *told, thinking=lambda seat: {_THINKING_S}), replica.pause)
    for thread in threading.enumerate():
        if thread.name == "serving":
            with open(f"/proc/self/task/{{thread.native_id}}/schedstat") as spent_ns:
                print("{_SERVING}", spent_ns.read().split()[0], flush=True)
    return report

assert peer.play is play_at_once
peer.play = play
sys.exit(main.main(sys.argv[1:]))
"""
"""The verb ``peer`` for a player who thinks before each move; the program itself has no reason to."""


_SPINNER = """
import os
os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
while True:
    pass
"""
"""A process that any other one displaces."""


@contextmanager
def awake_cores() -> Iterator[None]:
    """Keep every core busy, without taking time from any other process."""
    spinning = [subprocess.Popen([sys.executable, "-c", _SPINNER]) for _ in range(os.cpu_count() or 1)]
    try:
        yield
    finally:
        for process in spinning:
            process.kill()
            process.wait()


class SpentTime(NamedTuple):
    """Processor time of a peer in seconds, with all processes that it started, and the part of its server in it."""

    all_s: float
    serving_s: float

    def a_second_since(self, before: SpentTime, seconds: float) -> SpentTime:
        """What was spent a second, in so many seconds that one more run was longer than another."""
        return SpentTime((self.all_s - before.all_s) / seconds, (self.serving_s - before.serving_s) / seconds)


def spent(peers: Sequence[Sequence[str]], seconds: float) -> SpentTime:
    """The processor time of ``peer`` with each of these options, for so many seconds, in the mean."""
    command = [sys.executable, "-c", _THINKER, "peer", "--policy", "builder", "--stop-after", str(seconds), "--quiet"]
    before_s = _children_s()
    processes = [subprocess.Popen([*command, *options], stdout=subprocess.PIPE, text=True) for options in peers]
    said = [process.communicate()[0] for process in processes]
    if failed := [process for process in processes if process.returncode]:
        raise AssertionError(f"{len(failed)} of {len(processes)} peers failed")
    serving_ns = sum(int(line.split()[-1]) for one in said for line in one.splitlines() if line.startswith(_SERVING))
    return SpentTime((_children_s() - before_s) / len(processes), serving_ns / 1e9 / len(processes))


def _children_s() -> float:
    """The processor time of all processes that were started here and have ended, and of those that they started."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def waiting_at_folder(folder: Path) -> list[list[str]]:
    """The second of two players, who reads the first one's repository in a folder; the first one does nothing."""
    create_seats(folder, 0, _settings(2))
    return [[str(folder / COLOURS[1]), "--remote", f"{COLOURS[0]}={folder / COLOURS[0]}"]]


def thinking_directly(folder: Path) -> list[list[str]]:
    """Four players who serve one another over ``git://``, and think before each move."""
    create_seats(folder, 0, _settings(4))
    ports = dict(zip(COLOURS, free_ports(4), strict=False))
    return [
        [
            *(str(folder / colour), "--listen", f"127.0.0.1:{port}"),
            *(f"--remote={other}=git://127.0.0.1:{ports[other]}/" for other in ports if other != colour),
        ]
        for colour, port in ports.items()
    ]


def _settings(players: int) -> SimulationSettings:
    return SimulationSettings(players, 1, 3, ("builder",), "brief", topology="separate", signed=True)


TABLES = {
    "a peer that waits at a folder": waiting_at_folder,
    f"a peer of four who think for {_THINKING_S:.0f} s, direct": thinking_directly,
}


def show_costs(seconds: float) -> None:
    """Print what each kind of waiting costs, on cores as they are and on cores that are kept awake."""
    print(f"{'milliseconds of processor time a second':<44} as it is  serving  cores awake  serving")
    for what, table in TABLES.items():
        costs: list[float] = []
        for is_awake in (False, True):
            runs = []
            for long_s in (_START_S, _START_S + seconds):
                with tempfile.TemporaryDirectory(prefix="catan-p2p-bench-") as temporary, ExitStack() as opened:
                    peers = table(Path(temporary))
                    if is_awake:
                        opened.enter_context(awake_cores())
                    runs.append(spent(peers, long_s))
            costs += runs[1].a_second_since(runs[0], seconds)
        whole, serving, awake, serving_awake = [1e3 * cost for cost in costs]
        print(f"{what:<44} {whole:>8.2f}  {serving:>7.2f}  {awake:>11.2f}  {serving_awake:>7.2f}", flush=True)


def main(words: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.idle", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--seconds", type=float, default=60.0, metavar="S", help="after the start (default: 60)")
    show_costs(parser.parse_args(words).seconds)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
