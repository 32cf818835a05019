"""The seats of a simulated game: the players, their repositories before the first action, and who polls whom."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

from catan_p2p.game.randomness import FIRST_DATE_S, SeededRandomness
from catan_p2p.log.game import GameDefinition
from catan_p2p.log.refs import COLOURS, local_ref
from catan_p2p.log.root import root_commit
from catan_p2p.log.signing import signer
from catan_p2p.log.storage.memory import MemoryDisk
from catan_p2p.log.storage.objects import ObjectId, ObjectKind
from catan_p2p.log.storage.store import GitStore
from catan_p2p.log.tree import keeper
from catan_p2p.players.choosing import CheckedChooser, checked
from catan_p2p.players.policies import make_policy
from catan_p2p.replication.peer import Randomness
from catan_p2p.replication.play import LookPace, Thinking
from catan_p2p.replication.replica import Replica
from catan_p2p.simulation.game import SimulationSettings
from catan_p2p.simulation.laboratory.distributions import US, Distribution, parse_distribution
from catan_p2p.simulation.laboratory.spec import Network
from catan_p2p.simulation.separate import seated_game
from catan_p2p.tables.repair import default_config
from catan_p2p.tables.seat import SeatSettings

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

RELAY_URL = "git://relay.invalid/"
HOOKS_WAIT_S = 30.0
"""The pause between two looks of a peer that hooks tell of news."""
FAR_WAIT_S = 1.0
"""The longest pause between two looks at neighbours that are not folders."""


@dataclass(frozen=True, slots=True)
class SimulatedPlayer:
    """One player: the settings of the peer, the key, and how the player decides and waits."""

    player: int
    settings: SeatSettings
    key: Ed25519PrivateKey | None
    chooser: CheckedChooser
    randomness: Callable[[int, int], Randomness]
    pace: LookPace
    thinking: Thinking
    log: str
    """The ref of the player's log."""
    objects: dict[ObjectId, tuple[ObjectKind, bytes]]
    root: ObjectId

    def write(self, disk: MemoryDisk, folder: Path) -> None:
        """Make the repository as ``join`` leaves it: with the root commit, at which the player's own log begins."""
        # Two folders must exist although they are empty: a file is put into each and removed.
        for name, content in (
            ("HEAD", f"ref: {self.log}\n".encode()),
            ("config", default_config(is_bare=True)),
            ("objects/pack/.keep-folder", b""),
            ("refs/heads/.keep-folder", b""),
        ):
            disk.put(folder / name, content)
        for name in ("objects/pack/.keep-folder", "refs/heads/.keep-folder"):
            disk.remove(folder / name)
        with GitStore.within(disk, folder, durability="power") as store:
            for kind, data in self.objects.values():
                store.add(kind, data)
            store.record(self.log, self.root, None)
        disk.sync_all()


class ThinkingTime:
    """The time that one player thinks: drawn anew for each move, from a random stream of the player's own."""

    def __init__(self, distribution: Distribution, rng: Random) -> None:
        self._distribution = distribution
        self._rng = rng

    def __call__(self, replica: Replica) -> float:
        """The next time, in seconds."""
        return self._distribution.draw(self._rng) / US


def pace_of(network: Network, max_actions: int) -> LookPace:
    """The pauses of a peer on this network."""
    # The pauses that ``replication.play`` chooses for such neighbours: folders are cheap to look at.
    pace = LookPace(
        max_wait_s=0.02 if network.transport == "path" and network.overlay != "star" else FAR_WAIT_S,
        serves=network.transport == "git",
        max_actions=max_actions,
    )
    if network.period_us:
        return replace(pace, first_wait_s=network.period_us / US, max_wait_s=network.period_us / US)
    if network.looks == "hooks":
        return replace(pace, first_wait_s=HOOKS_WAIT_S, max_wait_s=HOOKS_WAIT_S)
    return pace


def make_seats(
    number: int, settings: SimulationSettings, network: Network
) -> tuple[GameDefinition, list[SimulatedPlayer]]:
    """The seats of a game of a simulation."""
    colours = COLOURS[: settings.players]
    game, keys = seated_game(number, settings, is_signed=network.needs_signatures)
    objects: dict[ObjectId, tuple[ObjectKind, bytes]] = {}
    put = keeper(objects)
    sign = signer(keys[colours[0]]) if keys else None
    root, _ = root_commit(game, f"seed {settings.seed}", FIRST_DATE_S, put, sign)
    near = reached(network, len(colours), Random(f"{settings.seed}/{number}/overlay"))
    thinking = parse_distribution(network.thinking)
    pace = pace_of(network, settings.max_actions)
    seats = []
    for i, colour in enumerate(colours):
        relay = RELAY_URL if network.overlay == "star" else None
        remotes = {} if relay else {colours[j]: f"git://{colours[j].lower()}.invalid/" for j in near[i]}
        seats.append(
            SimulatedPlayer(
                player=i + 1,
                settings=SeatSettings(colour, settings.seed, "wall", settings.policy_of(i + 1), remotes, relay=relay),
                key=keys.get(colour),
                chooser=checked(make_policy(settings.policy_of(i + 1))),
                randomness=SeededRandomness,
                pace=pace,
                thinking=ThinkingTime(thinking, Random(f"{settings.seed}/{number}/thinking {colour}")),
                log=local_ref(game.branch(i + 1)),
                objects=objects,
                root=root,
            )
        )
    return game, seats


def reached(network: Network, count: int, rng: Random) -> list[list[int]]:
    """For each host, the numbers of the hosts whose repositories it polls."""
    if network.overlay == "ring":
        return [sorted({(i - 1) % count, (i + 1) % count} - {i}) for i in range(count)]
    if k := network.fanout:
        return _gossip(count, min(k, count - 1), rng)
    return [[j for j in range(count) if j != i] for i in range(count)]


def _gossip(count: int, k: int, rng: Random) -> list[list[int]]:
    """Each host draws ``k`` others; both then poll each other. Drawn again until all hosts are connected."""
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
