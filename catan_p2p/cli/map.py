"""``catan-p2p map``: show a map, or write it to a file that can be changed and played on."""

import argparse
from typing import Any

from catan_p2p.cli import values
from catan_p2p.cli.output import FINE, WRONG_USAGE, emit, say, tell
from catan_p2p.cli.table_options import MAP_HELP
from catan_p2p.game.board import BEGINNERS_MAP_NAME, DRAWN_MAPS, Map, MapError, Opening, draw_map, read_map
from catan_p2p.game.board.drawing import draw
from catan_p2p.game.board.map_file import format_map_file
from catan_p2p.game.board.openings import beginners_opening
from catan_p2p.game.randomness import SeededRandomness
from catan_p2p.game.secret_streams import secret_seed
from catan_p2p.log.refs import COLOURS
from catan_p2p.log.storage import disk


def add_parser(subparsers: Any) -> None:
    """Add the verb."""
    parser = subparsers.add_parser(
        "map",
        help="show a map, or write it as a file to play on",
        description="Print a map in the form that --map FILE reads, below a drawing of it.",
        epilog="The same seed and game give the map that simulate --map NAME --seed S plays on.",
    )
    parser.add_argument("map", metavar="NAME|FILE", help=MAP_HELP)
    parser.add_argument("--seed", type=values.integer, metavar="S", help="the seed of a drawn map (default: random)")
    parser.add_argument("--game", type=values.whole, default=0, metavar="N", help="the number of the game (default: 0)")
    parser.add_argument(
        "-o", "--out", type=values.new_path, metavar="FILE", help="where to write it (default: standard output)"
    )
    parser.set_defaults(func=run)


def run(args: argparse.Namespace) -> int:
    """Carry the verb out; returns the exit code."""
    try:
        chosen = read_map(args.map)
        if args.seed is not None and chosen not in DRAWN_MAPS:
            raise MapError(f"--seed: only {', '.join(DRAWN_MAPS)} are drawn")
    except MapError as error:
        say(f"catan-p2p map: {error}")
        return WRONG_USAGE
    seed = secret_seed() if args.seed is None else args.seed
    drawn = draw_map(chosen, SeededRandomness(seed, args.game).stream("map"))
    title = args.map
    if chosen in DRAWN_MAPS:
        title = f"{chosen}, seed {seed}, game {args.game}"
        tell(f"seed {seed}")
    opening = beginners_opening(COLOURS[:4]) if chosen == BEGINNERS_MAP_NAME else ()
    text = format_map_file(drawn, f"{title}\n\n{draw(drawn)}{_tell(opening, drawn)}")
    if args.out is None:
        emit(text.rstrip("\n"))
        return FINE
    with disk.explained("write", args.out):
        args.out.write_text(text, encoding="utf-8", newline="\n")
    return FINE


def _tell(opening: Opening, map: Map) -> str:
    """The pieces on the board before the first action, a line each. They are a comment: a map file has only the map."""
    lines = [
        f"{COLOURS[one.player - 1]}: village at settlement point {one.village}, road at {one.road}"
        f"{', first cards from here' if one.earns else ''}"
        for one in opening
    ]
    return "".join(f"{line}\n" for line in ("", *lines)) if lines else ""
