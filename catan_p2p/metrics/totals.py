"""The totals of the games of a run: sums, and mean and deviation of each figure."""

from __future__ import annotations

import statistics
from array import array
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from catan_p2p.metrics.rows import GameRow
from catan_p2p.simulation.game import SimulationSettings


@dataclass(frozen=True, slots=True)
class MeanSpread:
    """Mean and standard deviation (of the sample; 0 for a single value) of ``count`` values."""

    count: int
    mean: float
    deviation: float


def spread(values: Sequence[float]) -> MeanSpread:
    """Mean and standard deviation of some values, at least one."""
    return MeanSpread(len(values), statistics.fmean(values), statistics.stdev(values) if len(values) > 1 else 0.0)


FIGURES: dict[str, Callable[[GameRow], float | None]] = {
    "actions": lambda row: row.actions,
    "commits": lambda row: row.commits,
    "turns": lambda row: row.turns,
    "disk_bytes": lambda row: row.disk_bytes,
    "file_bytes": lambda row: row.file_bytes,
    "gc_disk_bytes": lambda row: row.gc_disk_bytes,
    "gc_file_bytes": lambda row: row.gc_file_bytes,
    "disk_bytes_per_commit": lambda row: row.disk_bytes / row.commits,
    "file_bytes_per_commit": lambda row: row.file_bytes / row.commits,
    "pack_bytes_per_commit": lambda row: row.pack_bytes / row.commits,
    "gc_file_bytes_per_commit": lambda row: _per(row.gc_file_bytes, row.commits),
    "gc_pack_bytes_per_commit": lambda row: _per(row.gc_pack_bytes, row.commits),
    "diff_bytes_per_action": lambda row: row.diff_bytes / row.actions,
    "empty_diff_share": lambda row: row.empty_diffs / row.actions,
    "changed_objects_per_action": lambda row: row.changed_object_count / row.actions,
    "pack_bytes_alone_per_action": lambda row: row.pack_bytes_alone / row.actions,
    "sent_bytes_per_action": lambda row: _per(row.sent_bytes, row.actions),
    "sent_bytes_per_hand_over": lambda row: _per(row.sent_bytes, row.hand_overs),
    "elapsed_s": lambda row: row.elapsed_s,
    "computing_s_per_action": lambda row: _per(row.computing_s, row.actions),
    "synchronizing_s_per_action": lambda row: _per(row.synchronizing_s, row.actions),
    "waiting_s_per_action": lambda row: _per(row.waiting_s, row.actions),
    "fetches": lambda row: row.fetches,
    "bytes_received": lambda row: row.bytes_received,
    "choose_s_per_action": lambda row: _per(row.choose_s, row.actions),
    "apply_s_per_action": lambda row: _per(row.apply_s, row.actions),
    "check_s_per_action": lambda row: _per(row.check_s, row.actions),
    "write_s_per_action": lambda row: _per(row.write_s, row.actions),
}
"""The figures that are summed up for every run, by their names in ``summary.json``."""


def _per(value: float | None, count: int | None) -> float | None:
    return value / count if value is not None and count else None


@dataclass(slots=True)
class RunTotals:
    """The totals of the games of one run; ``settings`` are the run's, None if they were not recorded.

    Games are added one at a time and not kept: each takes eight bytes for each figure.
    """

    settings: SimulationSettings | None
    games: int = 0
    actions: int = 0
    empty_diffs: int = 0
    without_winner: int = 0
    rejected: int = 0
    resumed: int = 0
    players: set[int] = field(default_factory=set)
    policies: set[str] = field(default_factory=set)
    rules: set[str] = field(default_factory=set)
    topology: set[str] = field(default_factory=set)
    seeds: set[int] = field(default_factory=set)
    values: dict[str, array[float]] = field(default_factory=lambda: {name: array("d") for name in FIGURES})
    """The values of each figure, from the games that have it."""
    counts: Counter[str] = field(default_factory=Counter)
    refusing: list[tuple[int, int]] = field(default_factory=list)
    """Games with refused commits: their numbers, and how many of their branches have refused commits."""

    def add(self, row: GameRow) -> None:
        """Add a game."""
        self.games += 1
        self.actions += row.actions
        self.empty_diffs += row.empty_diffs
        self.without_winner += not row.winner
        self.rejected += row.rejected
        self.resumed += bool(row.resumed)
        self.players.add(row.players)
        self.policies.add(row.policies)
        self.rules.add(row.rules)
        self.topology.add(row.topology)
        if row.seed is not None:
            self.seeds.add(row.seed)
        for name, figure in FIGURES.items():
            if (value := figure(row)) is not None:
                self.values[name].append(value)
        self.counts.update(row.counts)
        if row.rejected:
            self.refusing.append((row.game, row.rejected))

    def spread(self, name: str) -> MeanSpread | None:
        """Mean and deviation of one of ``FIGURES``; None if no game has it."""
        values = self.values[name]
        return spread(values) if values else None

    def as_json(self) -> dict[str, Any]:
        """The totals as they are in ``summary.json``."""
        found = {name: told for name in FIGURES if (told := self.spread(name)) is not None}
        return {
            "settings": self.settings and asdict(self.settings),
            "games": self.games,
            "players": sorted(self.players),
            "policies": sorted(self.policies),
            "rules": sorted(self.rules),
            "topology": sorted(self.topology),
            "seeds": sorted(self.seeds),
            "without_winner": self.without_winner,
            "rejected": self.rejected,
            "resumed": self.resumed,
            "actions": self.actions,
            "figures": {
                name: {"mean": told.mean, "deviation": told.deviation, "count": told.count}
                for name, told in found.items()
            },
            "counts": dict(self.counts),
        }
