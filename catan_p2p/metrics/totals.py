"""The totals of the games of a run: sums, and mean and deviation of each figure."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict, dataclass, field
from typing import Any

from catan_p2p.metrics.cells import GameValues
from catan_p2p.metrics.columns import figure_of
from catan_p2p.metrics.rows import GameRow
from catan_p2p.simulation.game import SimulationSettings

FIGURES = (
    *("actions", "commits", "turns", "disk_bytes", "file_bytes", "gc_disk_bytes", "gc_file_bytes"),
    *("disk_bytes_per_commit", "file_bytes_per_commit", "pack_bytes_per_commit", "gc_file_bytes_per_commit"),
    *("gc_pack_bytes_per_commit", "diff_bytes_per_action", "empty_diff_share", "changed_objects_per_action"),
    *("pack_bytes_alone_per_action", "sent_bytes_per_action", "sent_bytes_per_hand_over", "elapsed_s"),
    *("computing_s_per_action", "synchronizing_s_per_action", "waiting_s_per_action", "fetches", "bytes_received"),
    *("choose_s_per_action", "apply_s_per_action", "check_s_per_action", "write_s_per_action"),
)
"""The columns that are summed up for every run, by their names in ``summary.json``."""


_DIFFERENT = {"players": "players", "policies": "policies", "rules": "rules", "topology": "topology", "seed": "seeds"}
"""The columns of which ``summary.json`` lists the values, with the names there."""


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
    different: dict[str, set[Any]] = field(default_factory=lambda: {name: set() for name in _DIFFERENT})
    """The values of some columns that occur."""
    values: GameValues = field(default_factory=lambda: GameValues(FIGURES))
    """The values of each figure, from the games that have it."""
    counts: Counter[str] = field(default_factory=Counter)
    refusing: list[tuple[int, int]] = field(default_factory=list)
    """Games with refused commits: their numbers, and how many of their branches have refused commits."""

    def add(self, row: GameRow) -> None:
        """Add a game."""
        self.values.add(self.games, {name: figure_of(name)(row) for name in FIGURES})
        self.games += 1
        self.actions += row.actions
        self.empty_diffs += row.empty_diffs
        self.without_winner += not row.winner
        self.rejected += row.rejected
        self.resumed += bool(row.resumed)
        for name, found in self.different.items():
            if (value := getattr(row, name)) is not None:
                found.add(value)
        self.counts.update(row.counts)
        if row.rejected:
            self.refusing.append((row.game, row.rejected))

    def as_json(self) -> dict[str, Any]:
        """The totals as they are in ``summary.json``."""
        found = {name: told for name in FIGURES if (told := self.values.spread(name)) is not None}
        return {
            "settings": self.settings and asdict(self.settings),
            "games": self.games,
            **{_DIFFERENT[name]: sorted(found) for name, found in self.different.items()},
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
