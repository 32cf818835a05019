"""Real peers at a relay on this machine: in a folder, behind HTTP or behind ``ssh``.

python -m benchmarks.relays [folder|http|ssh ...]     how long a turn takes, by the kind of relay
"""

import argparse
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median, quantiles

from benchmarks.delayed import Acknowledged, acknowledged_by, turn_times_s
from catan_p2p.log.refs import COLOURS
from catan_p2p.simulation.game import SimulationSettings
from catan_p2p.simulation.separate import create_seats

KINDS = ("folder", "http", "ssh")
_RULES = "brief; PointsToWin = 7"


@contextmanager
def relay_at(folder: Path, kind: str) -> Iterator[str]:
    """The URL of an empty relay, whose server runs inside the ``with``."""
    from tests.replication.git_servers import Conduct, http_server, ssh_server
    from tests.replication.relays import bare

    relay = bare(folder / "relay")
    if kind == "folder":
        yield str(relay)
    elif kind == "http":
        subprocess.run(["git", "-C", str(relay), "config", "http.receivepack", "true"], check=True)
        with http_server(folder, Conduct()) as url:
            yield f"{url}/relay"
    else:
        with ssh_server(folder / "server") as server, tempfile.TemporaryDirectory(prefix="catan-") as short:
            shared = f"-o ControlMaster=auto -o ControlPath={short}/%C -o ControlPersist=5"
            os.environ["GIT_SSH_COMMAND"] = f"{server.command} {shared}"
            yield server.url(relay)
            del os.environ["GIT_SSH_COMMAND"]


def play_at_relay(folder: Path, settings: SimulationSettings, url: str) -> list[Acknowledged]:
    """Play a game of real peers; returns all acknowledged actions in the order of their reports."""
    create_seats(folder, 0, settings)
    colours = COLOURS[: settings.players]
    return acknowledged_by([[str(folder / colour), "--relay", url] for colour in colours])


def show_turns(kinds: list[str]) -> None:
    """Print how long a turn of two players with joint draws takes."""
    print("relay   turns  median s  95 % s")
    for kind in kinds:
        settings = SimulationSettings(2, 1, 3, ("builder",), _RULES, topology="separate", signed=True, chance="joint")
        with tempfile.TemporaryDirectory(prefix="catan-p2p-bench-") as temporary:
            folder = Path(temporary)
            with relay_at(folder, kind) as url:
                times = turn_times_s(folder, play_at_relay(folder, settings, url))
        print(f"{kind:<6}  {len(times):>5}  {median(times):>8.2f}  {quantiles(times, n=20)[-1]:>6.2f}", flush=True)


def main(words: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.relays", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("kinds", nargs="*", metavar="KIND", help=f"{', '.join(KINDS)} (default: all)")
    args = parser.parse_args(words)
    if strange := [kind for kind in args.kinds if kind not in KINDS]:
        parser.error(f"no relay of the kind {strange[0]}, expected {', '.join(KINDS)}")
    show_turns(args.kinds or [*KINDS])
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
