"""Measured games, read from their tables and grouped by run."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from catan_p2p.intervals import FROM_ZERO, MeanSpread, spread
from catan_p2p.log.refs import COLOURS
from catan_p2p.log.storage.objects import StoreError
from catan_p2p.metrics import collection
from catan_p2p.metrics.columns import figure_of, possible_values
from catan_p2p.metrics.latency import Latency, read_latencies
from catan_p2p.metrics.network import NetworkGame, read_networks
from catan_p2p.metrics.published import PUBLISHED, ThesisFigures
from catan_p2p.metrics.recorded import parse_settings
from catan_p2p.metrics.rows import GameRow, read_rows
from catan_p2p.metrics.totals import RunTotals
from catan_p2p.simulation.game import SimulationSettings


@dataclass(slots=True)
class RunGroup:
    """The games of one run. ``label`` distinguishes it from the other runs of the report.

    ``diffs`` counts actions by the bytes they changed, as ``git diff`` counts these. The rows of ``games`` are without
    counts, since there may be many; ``totals`` has their sums.
    """

    run: str
    label: str
    players: int
    totals: RunTotals
    games: list[GameRow] = field(default_factory=list)
    diffs: Counter[int] = field(default_factory=Counter)
    colours: dict[tuple[int, int], str] = field(default_factory=dict)
    """By game and seat, the colour of a player whose colour is not the usual one of the seat."""

    @property
    def published(self) -> ThesisFigures | None:
        """The thesis's figures for this number of players; None if these games are not like the thesis's.

        They are if players recorded as random played all of them to the end, by the thesis's rules, on its map and in
        one repository.
        """
        played, settings = self.totals.different, self.totals.settings
        policies = " ".join(["random"] * self.players)
        if [played["policies"], played["rules"], played["topology"]] != [{policies}, {"thesis"}, {"shared"}]:
            return None
        if self.totals.without_winner or (settings is not None and settings.map != SimulationSettings().map):
            return None
        return PUBLISHED.get(self.players)

    @property
    def diff_spread(self) -> MeanSpread:
        """The spread of the bytes that an action changed."""
        return spread(sorted(self.diffs.elements()))

    @property
    def changed_diff_spread(self) -> MeanSpread:
        """The same of the actions that changed something."""
        return spread([size for size in self.diffs.elements() if size])

    @property
    def empty_diff_share(self) -> float:
        """The share of actions that changed nothing."""
        return self.diffs[0] / self.diffs.total()

    def colour_of(self, game: int, seat: int) -> str:
        """The colour of a seat in one of its games."""
        return self.colours.get((game, seat), COLOURS[seat - 1])

    def values(self, figure: str | Callable[[GameRow], float | None]) -> list[float]:
        """A figure, or a column or one divided by another by its name, of every game that has it."""
        value_of = figure_of(figure) if isinstance(figure, str) else figure
        return [value for row in self.games if (value := value_of(row)) is not None]

    def spread(self, figure: str | Callable[[GameRow], float | None]) -> MeanSpread | None:
        """The spread of a figure over the games that have it; None if no game has it."""
        values = self.values(figure)
        return spread(values, possible_values(figure) if isinstance(figure, str) else FROM_ZERO) if values else None


@dataclass(frozen=True, slots=True)
class ReportData:
    """All that a report shows. ``foreign_latencies`` is the number of latencies measured on games not among these."""

    groups: tuple[RunGroup, ...]
    latencies: tuple[Latency, ...]
    foreign_latencies: int
    machine: dict[str, Any]
    networks: tuple[NetworkGame, ...] = ()
    """The games that were played over simulated links."""


def load_report_data(folder: Path) -> ReportData:
    """Read a folder of metrics; ``StoreError`` if files are missing, unreadable or do not agree with each other."""
    summary = collection.read_summary(folder)
    groups = _read_groups(folder, summary.get("runs", {}))
    rows = [row for group in groups for row in group.games]
    by_game = {(row.run, row.game): (group, row) for group in groups for row in group.games}
    recorded = read_networks(folder)
    # The commit that ended each game: those that open hidden cards come after it and change the head.
    ends = {(one.run, one.game, one.figures["head"]) for one in recorded}
    there: set[tuple[str, int, str]] = set()
    found: Counter[tuple[str, int]] = Counter()
    for action in collection.read_actions(folder):
        group, game = by_game.get((action.run, action.game), (None, None))
        if group is None or game is None:
            raise StoreError(f"{folder}: an action of game {action.game} of {action.run}, which is in no other table")
        found[game.run, game.game] += 1
        there |= ends & {(action.run, action.game, action.commit)}
        group.diffs[action.diff_bytes] += 1
        if action.colour != COLOURS[action.player - 1]:
            group.colours[action.game, action.player] = action.colour
    for row in rows:
        if (count := found[row.run, row.game]) != row.actions:
            told = f"{count} of the {row.actions} actions of game {row.game} of {row.run}"
            raise StoreError(f"{folder / collection.ACTIONS_FILE}: {told}; catan-p2p metrics writes it again")
    heads = {(row.run, row.game, row.head) for row in rows}
    kept = read_latencies(folder / collection.LATENCY_FILE)
    own = sorted((one for one in kept if (one.run, one.game, one.head) in heads), key=lambda one: one.players)
    networks = tuple(one for one in recorded if (one.run, one.game, one.figures["head"]) in there)
    return ReportData(tuple(groups), tuple(own), len(kept) - len(own), summary.get("machine", {}), networks)


def _read_groups(folder: Path, summaries: Mapping[str, Mapping[str, Any]]) -> list[RunGroup]:
    found: dict[tuple[int, str], RunGroup] = {}
    for row in read_rows(folder / collection.GAMES_FILE, GameRow):
        if (key := (row.players, row.run)) not in found:
            settings = parse_settings(summaries.get(row.run, {}).get("settings"))
            found[key] = RunGroup(row.run, f"{row.players} players", row.players, RunTotals(settings))
        group = found[key]
        group.totals.add(row)
        group.games.append(replace(row, counts={}))
    if not found:
        raise StoreError(f"{folder}: the tables have no game")
    runs = Counter(players for players, _ in found)
    for (players, run), group in found.items():
        if runs[players] > 1:
            group.label += f", {run}"
    return [found[key] for key in sorted(found)]
