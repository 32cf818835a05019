"""``catan-p2p report``: one page of figures about games."""

import argparse
import webbrowser
from pathlib import Path
from typing import Any

from catan_p2p.cli import values
from catan_p2p.cli.metrics import add_games_options, measure, metrics_folder, tell_lacking
from catan_p2p.cli.output import WRONG_USAGE, emit, end_progress, say, show_progress, tell
from catan_p2p.extras import MissingExtra
from catan_p2p.log.folders import FoundGames, find_games
from catan_p2p.metrics.freshness import why_stale
from catan_p2p.metrics.groups import load_report_data
from catan_p2p.metrics.page import PICTURES, ReportSection, write_page, write_pages
from catan_p2p.metrics.sections.report import TITLE, sections
from catan_p2p.plot_style import COLOURS, check_matplotlib
from catan_p2p.study.folder import StudyFolder, is_study, open_study
from catan_p2p.study.page import label_groups, study_sections
from catan_p2p.study.playing import GAMES
from catan_p2p.study.tables import publish_tables

FOLDER = "report"


def add_parser(subparsers: Any) -> None:
    """Add the verb."""
    parser = subparsers.add_parser(
        "report",
        help="make a page of figures about games",
        description="Make one self-contained HTML page with plots and tables about games, beside the figures that the "
        "thesis publishes, or about a study; the same as Markdown, and every plot as SVG and PNG.",
        epilog="Measures the games first, as the verb metrics does, unless DIR/metrics has current "
        "measurements of all of them. Needs matplotlib. Exit code 1 if a game cannot be opened or "
        "is missing.",
    )
    add_games_options(parser, f"where the page goes (default: DIR/{FOLDER})")
    parser.add_argument(
        "--page",
        type=values.new_path,
        metavar="FILE.md",
        help="write only one Markdown file for documentation, its plots and details beside it in figures/",
    )
    parser.add_argument("--open", action="store_true", help="show the page in a browser")
    parser.set_defaults(func=run)


def run(args: argparse.Namespace) -> int:
    """Carry the verb out; returns the exit code."""
    if args.page is not None and (unused := "--out" if args.out else "--open" if args.open else None):
        say(f"catan-p2p report: {unused}: expected without --page, which writes no page for a browser")
        return WRONG_USAGE
    study = open_study(args.path) if is_study(args.path) else None
    found = FoundGames(()) if study else find_games(args.path)
    if not study and not found.games:
        return tell_lacking(found)
    try:
        check_matplotlib()
    except MissingExtra as error:
        say(f"catan-p2p report: {error}")
        return WRONG_USAGE
    if study is not None:
        title, told = _of_study(args, study)
        place = args.path / FOLDER
    else:
        folder = _measured(args, args.path, found)
        title, told = TITLE, sections(load_report_data(folder))
        place = folder.with_name(folder.name.replace("metrics", FOLDER))
    show_progress("drawing")
    if args.page is not None:
        pictures = write_page(title, told, args.page)
        if study is not None:
            publish_tables(study, f"{pictures / args.page.stem}-")
    page = args.page or write_pages(title, told, args.out or place)
    end_progress()
    emit(str(page))
    if args.open and not webbrowser.open(page.resolve().as_uri()):
        say(f"no browser could be started; the page is {page}")
    return tell_lacking(found)


def _of_study(args: argparse.Namespace, study: StudyFolder) -> tuple[str, list[ReportSection]]:
    """Title and sections of the page of a study, with the sections about its games if it keeps those of a few cells."""
    told = study_sections(study, f"{PICTURES}/{args.page.stem}-" if args.page else "")
    games = args.path / GAMES
    if study.plan.keep == "all" and len(study.plan.cells) <= len(COLOURS) and games.is_dir():
        found = find_games(games)
        if found.games:
            data = load_report_data(_measured(args, games, found))
            label_groups(data.groups, study.plan)
            told[-1:] = [*sections(data)[:-1], told[-1]]  # both lists end with a section on repeating: one is enough
    return study.plan.title, told


def _measured(args: argparse.Namespace, path: Path, found: FoundGames) -> Path:
    """The folder with the measurements of games; stale ones are measured again."""
    folder = metrics_folder(path)
    if (why := why_stale(folder, found.games, thorough=True)) is not None:
        tell(f"measuring: {why}")
        measure(found.games, folder, thorough=True, jobs=args.jobs)
    return folder
