"""Real peers over delayed links: a proxy in front of each ``--listen`` delays all data.

python -m benchmarks.delayed [MS] [--players N ...]     how long a turn takes, by players, hands and chance
"""

import argparse
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Sequence
from contextlib import ExitStack
from itertools import pairwise
from pathlib import Path
from statistics import median
from typing import NamedTuple

from catan_p2p.game.actions import EmptyBuild
from catan_p2p.log.commit import decode_commit, parse_entry
from catan_p2p.log.refs import COLOURS
from catan_p2p.log.storage.objects import ObjectId
from catan_p2p.log.storage.store import GitStore
from catan_p2p.metrics.link import DelayingProxy
from catan_p2p.simulation.game import SimulationSettings
from catan_p2p.simulation.separate import create_seats, free_ports
from catan_p2p.tables.status import read_status

_START_S = 5.0
"""How long peers may take to start; the measurement begins when all are there, as in virtual time."""
_RULES = "brief; PointsToWin = 4"


class Acknowledged(NamedTuple):
    """An action that its author has reported as final: the commit, and the time of the report by a monotonic clock."""

    commit: ObjectId
    at_s: float


def play_delayed(folder: Path, settings: SimulationSettings, one_way_s: float) -> list[Acknowledged]:
    """Play a game of real peers; returns all acknowledged actions in the order of their reports."""
    create_seats(folder, 0, settings)
    colours = COLOURS[: settings.players]
    ports = dict(zip(colours, free_ports(len(colours)), strict=True))
    with ExitStack() as opened:
        proxies = {
            colour: opened.enter_context(DelayingProxy(port, one_way_s, patience_s=_START_S))
            for colour, port in ports.items()
        }
        commands = []
        for colour in colours:
            command = [str(folder / colour), "--listen", f"127.0.0.1:{ports[colour]}"]
            for other in colours:
                command += ["--remote", f"{other}=git://127.0.0.1:{proxies[other].port}/"] if other != colour else []
            commands.append(command)
        return acknowledged_by(commands)


def acknowledged_by(peers: Sequence[Sequence[str]]) -> list[Acknowledged]:
    """Run a ``peer`` with each of these options until all have ended; returns what they acknowledge, in order."""
    command = [sys.executable, "-m", "catan_p2p", "peer", "--tell-actions", "--stay", "10"]
    told: list[Acknowledged] = []
    processes = [
        subprocess.Popen([*command, *options], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        for options in peers
    ]
    readers = [threading.Thread(target=_note, args=(process, told)) for process in processes]
    for reader in readers:
        reader.start()
    for process, reader in zip(processes, readers, strict=True):
        process.wait()
        reader.join()
    return sorted(told, key=lambda one: one.at_s)


def _note(peer: subprocess.Popen[str], told: list[Acknowledged]) -> None:
    assert peer.stdout is not None
    for line in peer.stdout:
        if len(line.strip()) == 40:
            told.append(Acknowledged(ObjectId(line.strip()), time.monotonic()))


def turn_times_s(folder: Path, told: list[Acknowledged]) -> list[float]:
    """Seconds from the end of each turn to the end of the next, by their authors' reports."""
    constants = read_status(folder / COLOURS[0]).graph.game.constants
    with GitStore.open(folder / COLOURS[0], writer=None) as store:
        ends = [
            one.at_s
            for one in told
            if isinstance(parse_entry(decode_commit(store.read(one.commit)[1]).message, constants).action, EmptyBuild)
        ]
    return [after - before for before, after in pairwise(ends)]


def show_turns(one_way_ms: int, player_counts: list[int]) -> None:
    """Print how long a turn takes, in seconds and in delays, for each kind of hands and chance."""
    print("players  hands   chance              turns  median s  delays")
    for players in player_counts:
        for hands, chance, more in (
            ("open", "actor", ""),
            ("open", "joint", ""),
            ("open", "joint", "; ChanceAhead = yes"),
            ("hidden", "joint", ""),
            ("hidden", "joint", "; ChanceAhead = yes"),
        ):
            settings = SimulationSettings(
                players, 1, 3, ("builder",), _RULES + more, topology="separate", signed=True, chance=chance, hands=hands
            )
            with tempfile.TemporaryDirectory(prefix="catan-p2p-bench-") as temporary:
                folder = Path(temporary)
                times = turn_times_s(folder, play_delayed(folder, settings, one_way_ms / 1000))
            name = "joint, shares ahead" if more else chance
            print(
                f"{players:>7}  {hands:<6}  {name:<19} {len(times):>5}  {median(times):>8.2f}  "
                f"{1000 * median(times) / one_way_ms:>6.2f}",
                flush=True,
            )


def main(words: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.delayed", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("delay", nargs="?", type=int, default=200, metavar="MS", help="one way (default: 200)")
    parser.add_argument("--players", nargs="+", type=int, default=[2, 3, 4], metavar="N", help="default: 2 3 4")
    args = parser.parse_args(words)
    show_turns(args.delay, args.players)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
