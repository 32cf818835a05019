"""``catan-p2p tournament`` with catanatron's players among the policies, on our engine.

    python -m benchmarks.arena --players FOLDER --policies strategist,value --games 400 --seed 1

``FOLDER`` is the folder of the players in catanatron's repository: see ``guests``. ``value`` and ``alphabeta`` are the
guests, every other name is a policy's. catanatron goes through sets of words, whose order Python draws for each
process: all games are played in this one, and the hash seed is 0 where it is not set, so that the same games are played
each time.
"""

import argparse
import os
import subprocess
import sys
from functools import partial
from importlib.metadata import version
from pathlib import Path

from benchmarks.guests import COMMIT, GUESTS, Guest, invite, strangers
from catan_p2p.cli.main import main as program
from catan_p2p.players.policies import POLICIES


def main(arguments: list[str]) -> int:
    """Play and print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.arena", description=__doc__)
    parser.add_argument("--players", type=Path, required=True)
    chosen, rest = parser.parse_known_args(arguments)
    if "PYTHONHASHSEED" not in os.environ:
        again = [sys.executable, "-m", "benchmarks.arena", *arguments]
        return subprocess.call(again, env={**os.environ, "PYTHONHASHSEED": "0"})
    invite(chosen.players)
    POLICIES.update({name: partial(Guest, name) for name in GUESTS})
    others = strangers(chosen.players)
    told = f"except {', '.join(f'{name}.py' for name in others)}" if others else "all of them"
    print(f"catanatron {version('catanatron')}, players of {COMMIT[:7]} ({told})", flush=True)
    code = program(["tournament", *rest, "--jobs", "1"])
    if Guest.failed:
        print(f"guests did not decide {len(Guest.failed)} times: {Guest.failed[0]!r}", file=sys.stderr)
    return code or bool(Guest.failed)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
