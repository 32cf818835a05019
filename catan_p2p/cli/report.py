"""``catan-p2p report``: one page of figures about games."""

import argparse
import webbrowser
from typing import Any

from catan_p2p.cli.metrics import add_games_options, measure, metrics_folder, tell_lacking
from catan_p2p.cli.output import WRONG_USAGE, emit, say, show_progress, tell
from catan_p2p.log.folders import find_games
from catan_p2p.metrics.freshness import why_stale
from catan_p2p.plot_style import MatplotlibMissing, check_matplotlib
from catan_p2p.report.writing import write_report

FOLDER = "report"


def add_parser(subparsers: Any) -> None:
    """Add the verb."""
    parser = subparsers.add_parser(
        "report",
        help="make a page of figures about games",
        description="Make one self-contained HTML page with plots and tables about games, beside the figures that the "
        "thesis publishes; the same as Markdown, and every plot as SVG and PNG.",
        epilog="Measures the games first, as the verb metrics does, unless DIR/metrics has current "
        "measurements of all of them. Needs matplotlib. Exit code 1 if a game cannot be opened or "
        "is missing.",
    )
    add_games_options(parser, f"where the page goes (default: DIR/{FOLDER})")
    parser.add_argument("--open", action="store_true", help="show the page in a browser")
    parser.set_defaults(func=run)


def run(args: argparse.Namespace) -> int:
    """Carry the verb out; returns the exit code."""
    found = find_games(args.path)
    games = found.games
    if not games:
        return tell_lacking(found)
    try:
        check_matplotlib()
    except MatplotlibMissing as error:
        say(f"catan-p2p report: {error}")
        return WRONG_USAGE
    folder = metrics_folder(args.path)
    if (why := why_stale(folder, games, thorough=True)) is not None:
        tell(f"measuring: {why}")
        measure(games, folder, thorough=True, jobs=args.jobs)
    show_progress("drawing")
    page = write_report(folder, args.out or folder.with_name(folder.name.replace("metrics", FOLDER)))
    emit(str(page))
    if args.open and not webbrowser.open(page.resolve().as_uri()):
        say(f"no browser could be started; the page is {page}")
    return tell_lacking(found)
