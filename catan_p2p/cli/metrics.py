"""``catan-p2p metrics``: measure games from their repositories."""

import argparse
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from catan_p2p.cli import output, values
from catan_p2p.cli.public_view import is_view_at, measure_view
from catan_p2p.log.folders import FoundGames, GamePath, find_games, is_game
from catan_p2p.metrics.collection import (
    FOLDER,
    LATENCY_FILE,
    measure_games,
    read_summary,
    write_metrics,
    write_parquet_tables,
)
from catan_p2p.metrics.latency import Latency, measure_latencies, read_latencies, write_latencies
from catan_p2p.metrics.machine import describe_machine
from catan_p2p.metrics.rows import GameRow
from catan_p2p.metrics.tables import has_parquet
from catan_p2p.metrics.totals import RunTotals
from catan_p2p.plot_style import spell_spread, speller


def add_parser(subparsers: Any) -> None:
    """Add the verb."""
    parser = subparsers.add_parser(
        "metrics",
        help="measure games",
        description="Measure games from their repositories: storage, deltas, timings, statistics. Repositories are "
        "only read; git gc runs on a copy.",
        epilog=f"Writes games.csv, actions.csv and summary.json into DIR/{FOLDER}, and for games over simulated "
        "links network.csv and network.json. Exit code 1 if a game has refused commits, "
        "cannot be opened, or is missing.",
    )
    add_games_options(parser, f"where the tables go (default: DIR/{FOLDER})")
    parser.add_argument("--quick", action="store_true", help="leave out git gc and the packs of hand-overs")
    parser.add_argument(
        "--latency",
        action="store_true",
        help="also measure latencies with each run's first game, if its peers share a repository: of one server, and "
        f"of separate repositories over a path and git:// (about a minute a run); writes {LATENCY_FILE}",
    )
    parser.add_argument(
        "--format",
        choices=("csv", "parquet"),
        default="csv",
        help="parquet also writes games.parquet and actions.parquet beside the CSV files, for data frames "
        "(needs the extra frames; default: csv)",
    )
    parser.add_argument("--json", action="store_true", help="print the summary as JSON")
    parser.set_defaults(func=run)


def add_games_options(parser: argparse.ArgumentParser, out: str) -> None:
    """Add the options for the games to measure, the folder of the results (``out`` is its help), and the processes."""
    parser.add_argument(
        "path", type=values.path, metavar="DIR", help="a game, a run with games in it, or a folder with runs"
    )
    parser.add_argument("--out", type=values.new_path, metavar="FOLDER", help=out)
    parser.add_argument(
        "--jobs", type=values.count, default=1, metavar="J", help="processes to measure on (default: 1)"
    )


def run(args: argparse.Namespace) -> int:
    """Carry the verb out; returns the exit code."""
    if is_view_at(args.path):
        return measure_view(args.path, as_json=args.json)
    found = find_games(args.path)
    games = found.games
    if not games:
        return tell_lacking(found)
    if args.format == "parquet" and not has_parquet():  # before minutes of measuring
        output.say("catan-p2p metrics: --format parquet needs pyarrow: pip install 'catan-p2p[frames]'")
        return output.WRONG_USAGE
    folder = args.out or metrics_folder(args.path)
    runs = measure(games, folder, thorough=not args.quick, jobs=args.jobs)
    if args.latency:
        _measure_latencies(games, folder)
    if args.format == "parquet":
        for path in write_parquet_tables(folder):
            output.say(f"{path} written")
    latencies = read_latencies(folder / LATENCY_FILE) if args.latency else []
    if args.json:
        output.emit_json(read_summary(folder))
    else:
        output.emit(_by_run(runs))
        if latencies:
            output.emit(_latency_table(latencies))
    output.tell(f"tables are in {folder}")
    for run, totals in runs.items():
        for game, branches in totals.refusing:
            count = "1 branch" if branches == 1 else f"{branches} branches"
            output.say(f"finding: {run}, game {game}: {count} with refused commits")
    code = tell_lacking(found)
    return output.FINDING if any(totals.rejected for totals in runs.values()) else code


def tell_lacking(found: FoundGames) -> int:
    """Print which games are missing or cannot be opened; returns the exit code."""
    for lacking in found.lacking:
        output.say(f"finding: {lacking}")
    return output.FINDING if found.lacking else output.FINE


def metrics_folder(path: Path) -> Path:
    """The folder of the tables: inside a run, but beside a single game, which is a repository."""
    if not is_game(path):
        return path / FOLDER
    whole = path.resolve()
    return whole.with_name(f"{whole.name}.{FOLDER}")


def measure(games: Sequence[GamePath], folder: Path, *, thorough: bool, jobs: int) -> dict[str, RunTotals]:
    """Measure games and write the tables into ``folder``, with progress on standard error."""

    def measured(done: int, count: int, row: GameRow) -> None:
        output.show_progress(f"measured {done} of {count} games: {row.run}, game {row.game}")

    try:
        return write_metrics(folder, measure_games(games, thorough=thorough, jobs=jobs, measured=measured))
    finally:
        output.end_progress()


def _measure_latencies(games: Sequence[GamePath], folder: Path) -> None:
    firsts: dict[str, Path] = {}
    for game in games:
        if game.is_shared:
            firsts.setdefault(game.run, game.path)
    found: list[Latency] = []
    for run, path in firsts.items():
        output.show_progress(f"latencies of {run}, {path.name}")
        found += measure_latencies(path)
    output.end_progress()
    write_latencies(folder / LATENCY_FILE, found, describe_machine())


def _by_run(runs: Mapping[str, RunTotals]) -> str:
    head = (
        "run",
        "players",
        "games",
        "actions",
        "du .git kB",
        "B/commit",
        "after gc",
        "diff B/action",
        "empty",
        "sent B/action",
        "resumed",
        "elapsed s",
        "comp. ms",
        "sync. ms",
    )
    lines = [
        (
            run,
            " ".join(map(str, sorted(totals.different["players"]))),
            totals.games,
            _spell(totals, "actions", ".0f"),
            _spell(totals, "disk_bytes", ".0f", 1000),
            _spell(totals, "file_bytes_per_commit", ".0f"),
            _spell(totals, "gc_file_bytes_per_commit", ".0f"),
            _spell(totals, "diff_bytes_per_action", ".0f"),
            f"{totals.empty_diffs / totals.actions:.1%}",
            _spell(totals, "sent_bytes_per_action", ".0f"),
            totals.resumed,
            _spell(totals, "elapsed_s", ".2f"),
            _spell(totals, "computing_s_per_action", ".2f", 1 / 1000),
            _spell(totals, "synchronizing_s_per_action", ".2f", 1 / 1000),
        )
        for run, totals in runs.items()
    ]
    return output.table(head, lines)


def _spell(totals: RunTotals, figure: str, form: str, size: float = 1) -> str:
    """Mean and deviation of a figure in units of ``size``; a dash if no game has it."""
    found = totals.values.spread(figure)
    return "-" if found is None else spell_spread(found, speller(form, size=size))


def _latency_table(latencies: Sequence[Latency]) -> str:
    rows = [
        (
            one.players,
            one.setting,
            one.what,
            one.transport or "-",
            f"{1000 * one.delay_s:g}",
            one.count,
            f"{1000 * one.median_s:.3f}",
            f"{1000 * one.mean_s:.3f} ± {1000 * one.deviation_s:.3f}",
        )
        for one in latencies
    ]
    head = ("players", "setting", "what", "transport", "delay ms", "count", "median ms", "mean ms")
    return output.table(head, rows)
