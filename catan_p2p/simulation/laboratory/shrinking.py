"""Finds a minimal set of faults with which a simulated game still fails, by delta debugging."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from catan_p2p.replication.core.commit_author import GaveUp
from catan_p2p.simulation.game import SimulationSettings
from catan_p2p.simulation.laboratory.scene import PromiseBroken
from catan_p2p.simulation.laboratory.spec import Network, parse_network, spell_network
from catan_p2p.simulation.laboratory.world import SimulatedWorld


def with_faults(network: Network, numbers: Sequence[int]) -> Network:
    """The same network with only these faults."""
    return replace(network, only=" ".join(map(str, numbers)) or "-")  # an empty text would mean all faults


def problem_of(number: int, settings: SimulationSettings) -> str | None:
    """Why a game fails, None if it does not."""
    try:
        SimulatedWorld(number, settings, parse_network(settings.network)).run()
    except (PromiseBroken, GaveUp) as error:
        return str(error)
    return None


def shrink(number: int, settings: SimulationSettings) -> SimulationSettings:
    """The settings with a minimal set of faults: the game fails with them, but not if any single one is left out."""
    network = parse_network(settings.network)
    numbers = network.chosen or tuple(range(1, network.faults + 1))

    def fails(some: Sequence[int]) -> bool:
        words = spell_network(with_faults(network, some))
        return problem_of(number, replace(settings, network=words)) is not None

    return replace(settings, network=spell_network(with_faults(network, smallest(list(numbers), fails))))


def faults_told(number: int, settings: SimulationSettings) -> list[str]:
    """The faults of a game in words, in the order in which they are drawn."""
    world = SimulatedWorld(number, settings, parse_network(settings.network))
    names = [host.name for host in world.hosts] + ["the relay"]
    return [fault.told(names) for fault in world.faults]


def smallest(items: list[int], fails: Callable[[Sequence[int]], bool]) -> list[int]:
    """A minimal part of ``items`` that still fails, by Zeller's ddmin: without any one of its items it does not."""
    if fails([]):
        return []
    parts = 2
    while len(items) > 1:
        size = -(-len(items) // parts)
        chunks = [items[i : i + size] for i in range(0, len(items), size)]
        for i in range(len(chunks)):
            left = [item for j, chunk in enumerate(chunks) if j != i for item in chunk]
            if left and fails(left):
                items, parts = left, max(parts - 1, 2)
                break
        else:
            if parts >= len(items):
                break
            parts = min(len(items), 2 * parts)
    return items
