"""Our policies against catanatron's players, on our engine: seats rotated, equal dice, as in ``catan-p2p tournament``.

    python -m benchmarks.arena --players FOLDER --games 400 --seed 1 strategist value

``FOLDER`` is the folder of the players in catanatron's repository: see ``guests``. ``value`` and ``alphabeta`` are the
guests, every other name is a policy's. The line-up is the table; what won how often is printed with Wilson's interval.
catanatron goes through sets of words, whose order Python draws for each process: the hash seed is 0 where it is not
set, so that the same games are played each time.
"""

import argparse
import os
import subprocess
import sys
import time
from collections import Counter
from functools import partial
from importlib.metadata import version
from pathlib import Path

from benchmarks.guests import COMMIT, GUESTS, Guest, invite, strangers
from catan_p2p.intervals import wilson
from catan_p2p.players.policies import POLICIES
from catan_p2p.tournament.games import TournamentSetup, play_deal, whole_deals


def register(folder: Path) -> None:
    """Let the guests be named where policies are named."""
    invite(folder)
    for name in GUESTS:
        POLICIES[name] = partial(Guest, name)


def main(arguments: list[str]) -> int:
    """Play and print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.arena", description=__doc__)
    parser.add_argument("--players", type=Path, required=True)
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rules", default="brief")
    parser.add_argument("--first", type=int, default=0, help="number of the first game, to go on where one stopped")
    parser.add_argument("policies", nargs="+")
    chosen = parser.parse_args(arguments)
    if "PYTHONHASHSEED" not in os.environ:
        again = [sys.executable, "-m", "benchmarks.arena", *arguments]
        return subprocess.call(again, env={**os.environ, "PYTHONHASHSEED": "0"})
    register(chosen.players)
    others = strangers(chosen.players)
    told = f"except {', '.join(f'{name}.py' for name in others)}" if others else "all of them"
    print(f"catanatron {version('catanatron')}, players of {COMMIT[:7]} ({told})", flush=True)
    entry = TournamentSetup(tuple(chosen.policies), chosen.rules, seed=chosen.seed)
    won: Counter[str] = Counter()
    begin, played = time.process_time(), 0
    for number in range(chosen.first, chosen.first + whole_deals(chosen.games, chosen.policies)):
        outcome = play_deal(entry, number)
        won[outcome.winning_policy or "nobody"] += 1
        played += 1
        print(f"{number} {outcome.seats} {outcome.winning_policy} {outcome.turns} turns", file=sys.stderr, flush=True)
    for name in dict.fromkeys(chosen.policies):
        low, high = wilson(won[name], played)
        print(f"{name:12} {won[name]:4} of {played}  {won[name] / played:6.1%}  {low:.1%}..{high:.1%}")
    print(f"{(time.process_time() - begin) / played:.2f} s a game")
    if Guest.failed:
        print(f"guests did not decide {len(Guest.failed)} times: {Guest.failed[0]!r}", file=sys.stderr)
    return 1 if Guest.failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
