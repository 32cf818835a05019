"""``catan-p2p study``: compare games that are played under the settings of a file."""

from __future__ import annotations

import argparse
import hashlib
import shlex
import shutil
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from catan_p2p.cli import output, values
from catan_p2p.cli.executor_options import add_executor_options, chosen_executor
from catan_p2p.intervals import has_library
from catan_p2p.log.storage.objects import StoreError
from catan_p2p.metrics.cells import spell_level
from catan_p2p.metrics.columns import COLUMNS, columns_page
from catan_p2p.metrics.tables import has_parquet
from catan_p2p.plot_style import spell_measured
from catan_p2p.sealing.group import MissingLibrary, need_library
from catan_p2p.simulation.findings import spell_finding
from catan_p2p.simulation.run import ClusterError, SettingsError
from catan_p2p.study.folder import Each, StudyFolder, begin_study, is_study, resume_study
from catan_p2p.study.plan import PlanError, StudyCell, StudyPlan, read_plan
from catan_p2p.study.playing import GameOutcome, GameRequest, play_study_game
from catan_p2p.study.tables import remove_pieces, write_tables

_TRIED_CELLS = 6
"""An estimate tries at most this many cells."""
_MOST_SHOWN = 6
"""At most this many measures are printed when a study is over."""


def add_parser(subparsers: Any) -> None:
    """Add the verb."""
    parser = subparsers.add_parser(
        "study",
        help="compare games that are played under different settings",
        description="Play the games of a study, measure each when it ends, and write tables: a row for each game, and "
        "the means of each cell, with intervals and differences from a baseline. A cell is a combination of settings. "
        "FILE.toml says which factors have which levels; see docs/guides/studies.md.",
        epilog="Writes games.csv, summary.csv, failures.csv and study.json into DIR, and Parquet files if the extra "
        "frames is installed; intervals need the extra report. catan-p2p report DIR makes a page with figures. Exit "
        "code 1 if a game failed or had findings.",
    )
    parser.add_argument(
        "file", nargs="?", type=values.path, metavar="FILE.toml", help="says what is played and measured"
    )
    parser.add_argument("--out", type=values.new_path, metavar="DIR", help="a folder for the study")
    parser.add_argument("--resume", action="store_true", help="go on with the study in DIR, if there is one")
    add_executor_options(parser)
    parser.add_argument(
        "--dry-run",
        action="store_true",
        help="print the cells, play a few games, and estimate what the study takes; nothing is kept",
    )
    parser.add_argument("--columns", action="store_true", help="print names, units and definitions of all columns")
    parser.add_argument("--json", action="store_true", help="print the means of the cells as JSON")
    parser.set_defaults(func=run)


def run(args: argparse.Namespace) -> int:
    """Carry the verb out; returns the exit code."""
    if args.columns:
        output.emit(columns_page().rstrip("\n"))
        return output.FINE
    try:
        _check(args)
        plan = read_plan(args.file)
        if any(cell.settings.hands == "hidden" for cell in plan.cells):
            need_library()
        if args.dry_run:
            return _try(plan, args.jobs or 1)
        with chosen_executor(args) as executor:
            return _play(args, plan, None if executor is None else executor.each)
    except (PlanError, SettingsError, ClusterError, MissingLibrary) as error:
        output.end_progress()
        output.say(f"catan-p2p study: {error}")
        return output.WRONG_USAGE


def _check(args: argparse.Namespace) -> None:
    """Raise ``PlanError`` for missing arguments."""
    if args.file is None:
        raise PlanError("expected FILE.toml, which says what is played and measured")
    if args.out is None and not args.dry_run:
        raise PlanError("--out DIR is missing: a folder for the study")


def _play(args: argparse.Namespace, plan: StudyPlan, each: Each | None) -> int:
    again = f"go on with: catan-p2p study {shlex.quote(str(args.file))} --out {shlex.quote(str(args.out))} --resume"
    study = _open(args, plan)
    cells, games = output.counted(len(plan.cells), "cell"), output.counted(study.games, "game")
    output.tell(f"{cells}, {games}{f', {study.ended} of them played' if study.ended else ''}, in {study.folder}")
    try:
        study.run(args.jobs or 1, each, _progress(study))
    except KeyboardInterrupt:
        output.end_progress()
        write_tables(study)
        output.say(f"interrupted; {again}")
        return output.INTERRUPTED
    except ClusterError as error:
        raise ClusterError(f"{error}; {again}") from error
    except StoreError as error:
        raise StoreError(f"{error}; {again}") from error
    output.end_progress()
    write_tables(study)
    remove_pieces(study)
    _show(study, as_json=args.json)
    return output.FINDING if study.failed or study.found else output.FINE


def _open(args: argparse.Namespace, plan: StudyPlan) -> StudyFolder:
    file = {"file": str(args.file), "file_sha256": hashlib.sha256(args.file.read_bytes()).hexdigest()}
    if args.resume and is_study(args.out):
        return resume_study(args.out, plan, file)
    return begin_study(args.out, plan, {**file, "command": shlex.join(["catan-p2p", *sys.argv[1:]])})


def _progress(study: StudyFolder) -> Any:
    begun, before = time.monotonic(), study.ended

    def told(outcome: GameOutcome, ended: int, failed: int) -> None:
        if outcome.failed:
            output.end_progress()
            output.say(_failed(study.plan, outcome))
        for finding in () if outcome.failed else outcome.findings:
            output.end_progress()
            output.say(f"finding in cell {outcome.cell}, game {outcome.game}: {spell_finding(finding)}")
        left = (time.monotonic() - begun) / (ended - before) * (study.games - ended)
        output.show_progress(
            f"{ended} of {study.games} games{f', {failed} failed' if failed else ''}, about {_spell_time(left)} left"
        )

    return told


def _failed(plan: StudyPlan, outcome: GameOutcome) -> str:
    again = plan.cells[outcome.cell - 1].command(outcome.game)
    return f"cell {outcome.cell}, game {outcome.game} failed: {outcome.why}; again with: {again}"


def _spell_time(seconds: float) -> str:
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"


def _show(study: StudyFolder, *, as_json: bool) -> None:
    plan = study.plan
    names = plan.shown[:_MOST_SHOWN]
    if as_json:
        cells = [
            {
                "cell": one.cell.number,
                "levels": dict(one.cell.levels),
                "measure": one.measure,
                "unit": COLUMNS[one.measure].unit,
                "games": one.games.count,
                "mean": one.games.mean,
                "interval": one.games.interval and list(one.games.interval),
            }
            for one in study.summaries(plan.shown)
        ]
        output.emit_json({"out": str(study.folder), "games": study.ended, "failed": study.failed, "cells": cells})
        return
    factors = [name for name, levels in plan.factors.items() if len(levels) > 1]
    by_cell: dict[int, dict[str, float]] = {}
    for one in study.summaries(names):
        by_cell.setdefault(one.cell.number, {})[one.measure] = one.games.mean
    there = [name for name in names if any(name in means for means in by_cell.values())]
    rows = [
        (
            cell.number,
            *(spell_level(cell.levels[name]) for name in factors),
            *(_spell_mean(by_cell.get(cell.number, {}).get(name), COLUMNS[name].unit) for name in there),
        )
        for cell in plan.cells
    ]
    output.emit(output.table(("cell", *(name.removeprefix("network.") for name in factors), *there), rows))
    failed = f", {output.counted(study.failed, 'game')} failed" if study.failed else ""
    failed += f", {output.counted(study.found, 'game')} had findings" if study.found else ""
    output.tell(f"means of {output.counted(study.ended - study.failed, 'game')}{failed}; tables are in {study.folder}")
    if not has_library():
        output.tell("no intervals: they need scipy: pip install 'catan-p2p[report]'")
    if not has_parquet():
        output.tell("no Parquet files: they need pyarrow: pip install 'catan-p2p[frames]'")


def _spell_mean(value: float | None, unit: str) -> str:
    return "-" if value is None else spell_measured(value, unit)


def _tried(cells: Sequence[StudyCell]) -> list[StudyCell]:
    """A few cells at equal distances over a study, the first and the last among them."""
    count = min(_TRIED_CELLS, len(cells))
    return [cells[at * (len(cells) - 1) // max(1, count - 1)] for at in range(count)]


def _try(plan: StudyPlan, jobs: int) -> int:
    """Print the cells, and an estimate of time and space from the first game of some of them."""
    head = ("cell", *(name.removeprefix("network.") for name in plan.factors))
    rows = [(cell.number, *(spell_level(cell.levels[name]) for name in plan.factors)) for cell in plan.cells]
    output.emit(output.table(head, rows))
    games = plan.games * len(plan.cells)
    tried = _tried(plan.cells)
    spent_s = kept_bytes = 0.0
    with tempfile.TemporaryDirectory(prefix="catan-p2p-") as temporary:
        # Without a folder of the study, games come back as archives, whose size is measured.
        asked = GameRequest(Path(temporary) / "none", plan.digest, plan.columns, "all", plan.actions)
        for count, cell in enumerate(tried, 1):
            output.show_progress(f"trying game 0 of cell {cell.number}, {count} of {len(tried)}")
            begun = time.monotonic()
            outcome = play_study_game(cell.number, cell.name, 0, cell.settings, asked)
            spent_s += time.monotonic() - begun
            kept_bytes += len(outcome.kept) * (plan.keep == "all") + len(outcome.actions) + 8 * len(plan.columns)
            if outcome.failed:
                output.end_progress()
                output.say(_failed(plan, outcome))
    output.end_progress()
    seconds, size = spent_s / len(tried) * games / jobs, kept_bytes / len(tried) * games
    output.emit(
        f"{output.counted(len(plan.cells), 'cell')}, {output.counted(games, 'game')}; about {_spell_time(seconds)} on "
        f"{output.counted(jobs, 'process') if jobs == 1 else f'{jobs} processes'} and {size / 1e6:.1f} MB, from "
        f"{output.counted(len(tried), 'game')}; {shutil.disk_usage(Path.cwd()).free / 1e9:.0f} GB are free here"
    )
    return output.FINE
