"""Who looks at whose repository: all at all, around a ring, or each at a few others drawn from the seed."""

from __future__ import annotations

from random import Random

from catan_p2p.simulation.laboratory.spec import Network


def reached(network: Network, count: int, rng: Random) -> list[list[int]]:
    """For each host, the others whose repositories it looks at."""
    if network.overlay == "ring":
        return [sorted({(i - 1) % count, (i + 1) % count} - {i}) for i in range(count)]
    if k := network.fanout:
        return _gossip(count, min(k, count - 1), rng)
    return [[j for j in range(count) if j != i] for i in range(count)]


def _gossip(count: int, k: int, rng: Random) -> list[list[int]]:
    """Each draws ``k`` others, and is looked at by them too; drawn again until nobody is left apart."""
    while True:
        near: list[set[int]] = [set() for _ in range(count)]
        for i in range(count):
            for j in rng.sample([j for j in range(count) if j != i], k):
                near[i].add(j)
                near[j].add(i)
        if _is_connected(near):
            return [sorted(others) for others in near]


def _is_connected(near: list[set[int]]) -> bool:
    seen, waiting = {0}, [0]
    while waiting:
        for j in sorted(near[waiting.pop()] - seen):
            seen.add(j)
            waiting.append(j)
    return len(seen) == len(near)
