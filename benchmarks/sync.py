"""The cost of a hand-over between two repositories, against a bare ``git fetch`` of the same commits in the same run.

    python -m benchmarks.sync [--rounds N] [--json]

A finished game is handed over turn by turn (the commits that one player writes before another must act) to a second
repository: once by the peer, which fetches, validates and records every commit, and once by ``git fetch``, which only
copies. The cost of finding nothing new is measured too.
"""

from __future__ import annotations

import argparse
import json
import shutil
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from time import perf_counter

from catan_p2p.game.actions.replies import is_reply
from catan_p2p.game.randomness import SeededRandomness, logical_clock
from catan_p2p.log.history import load_history
from catan_p2p.log.storage.objects import ObjectId
from catan_p2p.log.transport.serve import RepositoryServer
from catan_p2p.players.policies import POLICIES
from catan_p2p.replication.replica import Replica
from catan_p2p.simulation.game import SimulationSettings, play_game
from catan_p2p.tables.joining import join_game
from catan_p2p.tables.opening import opened_seat
from catan_p2p.tables.seat import SeatSettings

RED = "refs/heads/Red_0"


def git(path: Path, *args: str) -> str:
    done = subprocess.run(["git", "-C", str(path), *args], capture_output=True, check=True)
    return done.stdout.decode().strip()


def turns(game: Path, count: int) -> list[ObjectId]:
    """The last commits of the first ``count`` hand-overs, after the root."""
    history = load_history(game)
    found = [history.root]
    for before, after in zip(history.actions, history.actions[1:], strict=False):
        if not is_reply(before.action) and not is_reply(after.action):
            if before.action.player != after.action.player:
                found.append(before.commit)
    return found[: count + 1]


def measured(action: Callable[[], object]) -> float:
    begin = perf_counter()
    action()
    return 1000 * (perf_counter() - begin)


def measure(folder: Path, transport: str, rounds: int) -> dict[str, float]:
    """Median milliseconds of a hand-over and of finding nothing, for the peer and for a bare ``git fetch``."""
    game = play_game(folder / "games", 0, SimulationSettings(players=2, seed=7)) and folder / "games" / "Catan_0"
    for branch in ("Blue_0",):
        git(game, "update-ref", "-d", f"refs/heads/{branch}")
    heads = turns(game, rounds)
    source = folder / "Red"
    shutil.copytree(game, source)
    git(source, "update-ref", RED, heads[0])
    settings = SeatSettings("Blue", 1, "logical")
    join_game(str(source), folder / "Blue", settings)
    bare = folder / "bare"
    subprocess.run(["git", "init", "-q", str(bare)], check=True)
    with RepositoryServer(source, "127.0.0.1", 0) as server:
        url = str(source) if transport == "path" else server.url
        settings.remotes = {"Red": url}
        git(bare, "fetch", "-q", url, f"{RED}:refs/remotes/Red/Red_0")
        with opened_seat(folder / "Blue", settings, POLICIES["random"](), SeededRandomness, logical_clock) as replica:
            # Blue's own actions are in the log already; in an unsigned game Blue would not take them from another peer.
            replica.core.held.is_signed = True
            return _compare(replica, source, server, bare, url, heads)


def _compare(
    replica: Replica, source: Path, server: RepositoryServer, bare: Path, url: str, heads: list[ObjectId]
) -> dict[str, float]:
    def fetch() -> None:
        git(bare, "fetch", "-q", url, f"{RED}:refs/remotes/Red/Red_0")

    def take() -> None:
        # A poll may begin just before the ref moves, or be notified while it runs: then poll again.
        until = perf_counter() + 10
        while not replica.synchronize() and perf_counter() < until:
            replica.wait(0.02)
        replica.store.publish()

    ours, theirs, ours_idle, theirs_idle = [], [], [], []
    for head in heads[1:]:
        git(source, "update-ref", RED, head)
        server.published()  # as the store of a peer calls it
        ours.append(measured(take))
        assert replica.graph.head == head, replica.neighbours
        theirs.append(measured(fetch))
        ours_idle.append(measured(replica.synchronize))
        theirs_idle.append(measured(fetch))
    return {
        "hand_overs": len(ours),
        "commits": len(replica.graph) - 1,
        "peer_ms": statistics.median(ours),
        "git_fetch_ms": statistics.median(theirs),
        "ratio": statistics.median(ours) / statistics.median(theirs),
        "peer_nothing_new_ms": statistics.median(ours_idle),
        "git_fetch_nothing_new_ms": statistics.median(theirs_idle),
        "ratio_nothing_new": statistics.median(ours_idle) / statistics.median(theirs_idle),
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=60, help="hand-overs of each kind (default: 60)")
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()
    found = {}
    for transport in ("path", "git"):
        with tempfile.TemporaryDirectory(prefix="catan-p2p-sync-") as folder:
            found[transport] = measure(Path(folder), transport, args.rounds)
    if args.json:
        print(json.dumps(found, indent=2))
        return 0
    print(f"{'transport':10} {'':14} {'peer, ms':>10} {'git fetch, ms':>14} {'ratio':>7}")
    for transport, row in found.items():
        print(f"{transport:10} {'hand-over':14} {row['peer_ms']:10.2f} {row['git_fetch_ms']:14.2f} {row['ratio']:7.3f}")
        print(
            f"{'':10} {'nothing new':14} {row['peer_nothing_new_ms']:10.3f} "
            f"{row['git_fetch_nothing_new_ms']:14.2f} {row['ratio_nothing_new']:7.3f}"
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
