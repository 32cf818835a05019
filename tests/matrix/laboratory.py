"""One row of the matrix, played in the laboratory: the program's own peers, with simulated time, links and disks."""

import zlib
from pathlib import Path
from typing import NamedTuple

from catan_p2p.game.scoring import player_points
from catan_p2p.log.graph import CommitGraph
from catan_p2p.log.keys import write_private_key
from catan_p2p.log.verdict import LoggedStep
from catan_p2p.replication.core.commit_author import GaveUp
from catan_p2p.replication.replica import Replica
from catan_p2p.simulation.game import SimulationSettings
from catan_p2p.simulation.laboratory.distributions import US
from catan_p2p.simulation.laboratory.hosts import FOLDER, Host
from catan_p2p.simulation.laboratory.scene import PromiseBroken
from catan_p2p.tables.seat import KEY_FILE, PRIVATE_FOLDER, write_settings
from tests.matrix.factors import FACTORS, LIES, Row, map_of, rule_text
from tests.simulation.laboratory.leaving import Away, LeavingWorld

NETWORKS = {
    "folder": "city; transport = path; machine = quick",
    "git": "lan; machine = quick",
    "relay": "lan; overlay = star; machine = quick",
    "ring": "lan; overlay = ring; machine = quick",
}
WAYS = {"leaves": "killed", "stands still": "comes back"}
POLICIES = {"mixed": ("strategist:20ms", "random", "builder")}
COMMITS = {"opening": 1, "set-up": 6, "early": 25, "middle": 70}
"""From how many commits on it happens; ``late`` is as soon as somebody lacks one point."""
MOST_ACTIONS = 6000
STILL_US = 300 * US
"""So long nothing comes forward in a game that stands still: longer than anybody is absent."""


class Moment(NamedTuple):
    """Who does what, and when: as ``Away``, with the times of the matrix."""

    player: int
    way: str
    when: str
    owes: bool

    def is_now(self, graph: CommitGraph) -> bool:
        """Whether it is time."""
        if self.way == "nobody":
            return False
        if self.when == "late":
            constants = graph.game.constants
            most = max(player_points(graph.state, player) for player in constants.players)
            return most >= constants.rules.points_to_win - 1
        return Away(self.player, self.way, COMMITS[self.when], self.owes).is_now(graph)


class MatrixWorld(LeavingWorld):
    """The game of one row."""

    def __init__(self, row: Row) -> None:
        self.row = row
        settings = SimulationSettings(
            players=row.players,
            seed=seed_of(row),
            policies=POLICIES.get(row.policy, (row.policy,)),
            rules=rule_text(row),
            max_actions=MOST_ACTIONS,
            topology="network",
            signed=row.keys == "yes",
            map=map_of(row.map),
            network=NETWORKS[row.transport],
            chance=row.chance,
            hands=row.hands,
        )
        moment = Moment(
            1 if row.who == "first" else row.players,
            WAYS.get(row.event, row.event),
            row.when,
            owes=row.event in ("withholds", "replies twice"),
        )
        super().__init__(0, settings, moment)  # type: ignore[arg-type]
        self.still_us = STILL_US

    @property
    def has_happened(self) -> bool:
        """Whether the player has done what the row says: not if the game was over before."""
        return self._has_left

    def _leave(self, replica: Replica, act):  # type: ignore[no-untyped-def]
        if self.away.way != "crashes":
            return super()._leave(replica, act)
        self._has_left = True
        self.leaver.restart_after_us = 3 * US
        self.leaver.kill()
        return list[LoggedStep]()


def seed_of(row: Row) -> int:
    """The seed of a row's game: it goes with the row alone, not with its place among others."""
    return zlib.crc32(", ".join(map(str, row[: len(FACTORS)])).encode())


class Played(NamedTuple):
    """What came of a game: how it ended, what was found, and where the repositories are."""

    ending: str
    """``over``, ``stands still``, or why it did not end."""
    findings: tuple[str, ...]
    repositories: tuple[Path, ...]
    honest: frozenset[str]
    """The names of the repositories of those who were there and honest at the end."""
    has_happened: bool
    actions: int
    relay: Path | None = None


def play_simulated(row: Row, folder: Path) -> Played:
    """Play the game of a row, and leave every player's repository in ``folder``, as it is on their disk."""
    world = MatrixWorld(row)
    ending, findings = "over", []
    try:
        world.run()
        world.check()
    except PromiseBroken as error:
        ending = "stands still" if "stands still" in str(error) or "nothing happens" in str(error) else "broken"
        if ending == "broken" or not may_stand(world):
            findings.append(str(error))
    except GaveUp as error:
        ending = "gave up"
        findings.append(f"gave up: {error}")
    repositories = tuple(_write(host, folder / host.name) for host in world.hosts)
    honest = frozenset(host.name for host in world.there)
    graph = world.watcher.graph
    return Played(ending, tuple(findings), repositories, honest, world.has_happened, graph.action_count)


def may_stand(world: MatrixWorld) -> bool:
    """Whether docs/how-it-works/replication.md says that play may stand still: somebody is gone, or has lied."""
    return world.has_happened and world.row.may_stand_still and world.row.event in ("leaves", "withholds", *LIES)


def _write(host: Host, path: Path) -> Path:
    """A simulated repository as one that Git reads, with what a seat keeps beside it."""
    for name, data in host.disk.files(FOLDER).items():
        (path / ".git" / name).parent.mkdir(parents=True, exist_ok=True)
        (path / ".git" / name).write_bytes(data)
    for name in ("objects/pack", "refs/heads", PRIVATE_FOLDER):
        (path / ".git" / name).mkdir(parents=True, exist_ok=True)
    write_settings(path, host.seat.settings)
    if host.seat.key is not None:
        write_private_key(host.seat.key, path / ".git" / "catan-p2p" / KEY_FILE)
    return path
