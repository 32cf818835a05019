"""A table of three players, of whom one attacks: the others must go on, in bounded time and memory."""

import os
import shutil
from functools import cache
from pathlib import Path
from tempfile import mkdtemp
from time import monotonic

from catan_p2p.limits import MAX_WORKER_MEMORY_BYTES
from catan_p2p.log.transport.worker_remote import WorkerRemote
from catan_p2p.replication.neighbour import Neighbour
from catan_p2p.replication.replica import Replica
from tests.replication.tables import copied_table, make_seats, neighbour, open_replica, opened, play_rounds, use_remote

BOUND_S = 2.0
"""So long an attacked peer waits for an answer in these attacks; in earnest it is longer."""
SLOW = "takes too long"
ENOUGH_S = 240.0
"""After so long an attack counts as one that hangs, on however busy a machine."""


def _is_reds_roll(replica: Replica) -> bool:
    state = replica.graph.state
    return state.tp == "DiceRoll" and state.ap == 1 and len(replica.graph) > 13


@cache
def _played() -> Path:
    """A game of three in which Red is to roll."""
    folder = Path(mkdtemp(prefix="catan-p2p-attacks-"))
    import atexit

    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    with opened(make_seats(folder, 3)) as replicas:
        play_rounds(replicas, _is_reds_roll)
        for replica in replicas:
            replica.synchronize()
            replica.store.publish()
    return folder


def deal(folder: Path) -> Path:
    """A copy of that game."""
    return copied_table(_played(), folder)


def play_goes_on(folder: Path, url: str, *, hears: str | None = None) -> Neighbour:
    """Let Blue look at Green, who attacks at ``url``, and at Red, who acts: Blue takes in what Red does meanwhile.

    Afterwards the look at Green has ended, in trouble that says ``hears``, or with nothing new if that is None.
    """
    use_remote(folder / "Blue", "Green", url)
    with open_replica(folder / "Blue") as blue, open_replica(folder / "Red", alone=True) as red:
        green = neighbour(blue, "Green")
        assert isinstance(green.remote, WorkerRemote)
        if hears == SLOW:
            green.remote.heads_s = green.remote.commits_s = BOUND_S
        red.act()
        red.store.publish()
        assert red.graph.head not in blue.graph
        begin = monotonic()
        while blue.graph.head != red.graph.head:
            blue.synchronize(answer_s=0.05)
            assert monotonic() < begin + ENOUGH_S, f"Red is not heard: {neighbour(blue, 'Red').trouble}"
        while green.look is not None or not green.looks:
            blue.synchronize(answer_s=0.05)
            assert monotonic() < begin + ENOUGH_S, "Green is still being looked at"
        if hears is None:
            assert green.trouble is None, green.trouble
        else:
            assert hears in (green.trouble or ""), green.trouble
        assert blue.graph.head == red.graph.head
        _check_memory()
        return green


def _check_memory() -> None:
    """No process of this one has taken more than it may."""
    if os.name == "posix":
        import resource

        peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024
        assert peak < MAX_WORKER_MEMORY_BYTES + (64 << 20), f"{peak >> 20} MiB"
