"""Joint games of replicas in repositories of their own, looked at in the middle of draws."""

from collections.abc import Callable, Sequence
from pathlib import Path

from catan_p2p.replication.replica import Replica
from tests.replication.tables import told_shares


def nobody_told_twice(paths: Sequence[Path]) -> bool:
    return all(len(commits) == 1 for commits in told_shares(paths).values())


def look(replica: Replica) -> None:
    """Look at all neighbours now; if nothing new is there, wait a moment for one that announces its moves."""
    for one in replica.neighbours:
        one.backoff._next = 0.0
    if not replica.synchronize():
        replica.wait(0.01)


def play_until_due(replicas: Sequence[Replica], is_due: Callable[[Replica], bool]) -> Replica:
    """All look and act in turn, until one of them has looked and is to do the thing next; it has not done it yet."""
    for _ in range(1000):
        for replica in replicas:
            look(replica)
            if is_due(replica):
                return replica
            replica.act()
    raise AssertionError("it did not come to that")


def go_on(replicas: Sequence[Replica], draws: int = 1) -> None:
    """All play until so many more draws were called for; nobody has a complaint of anybody."""
    wanted = max(replica.graph.known_shares.draws for replica in replicas) + draws
    for _ in range(1000):
        for replica in replicas:
            look(replica)
            replica.act()
        if all(replica.graph.known_shares.draws >= wanted for replica in replicas):
            break
    assert all(replica.graph.known_shares.draws >= wanted for replica in replicas)
    for replica in replicas:
        assert all(neighbour.rejected == {} for neighbour in replica.neighbours)
