"""``catan-p2p play``: play in a window. pygame is imported only when the verb runs."""

import argparse
import importlib
import os
from importlib.util import find_spec
from typing import Any

from catan_p2p.cli import values
from catan_p2p.cli.output import WRONG_USAGE, say
from catan_p2p.cli.table_options import (
    add_chance_option,
    add_hands_option,
    add_listen_option,
    add_map_option,
    add_name_option,
    add_rules_option,
    add_window_options,
    check_library,
    with_help,
)
from catan_p2p.game.board import DEFAULT_MAP_NAME, MapError, read_map
from catan_p2p.game.constants import UnsupportedRules
from catan_p2p.sessions.worker_process import dismiss, start_process

_DESCRIPTION = """\
Sit down at a table: a window opens, and you play. Without DIR and without
options of a new game, choose in the window: go on with the game that you left
last, play against computers, open a table for other people, or join one. With
options of a new game, that game begins at once. With DIR you take your seat in
an existing game: in a folder that play has made, or in a player's repository,
made by new-game or join.
"""
_EXAMPLES = """\
examples:
  catan-p2p play
  catan-p2p play --players 3 --map variable --hot-seat Red,Blue
  catan-p2p play games/mine
"""


def add_parser(subparsers: Any) -> None:
    """Add the verb."""
    parser = subparsers.add_parser(
        "play",
        help="play with computer players or with friends",
        description=_DESCRIPTION,
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("path", nargs="?", type=values.folder, metavar="DIR", help="an existing game")
    new = parser.add_argument_group("a new game")
    new.add_argument("--players", type=values.player_count, metavar="N", help="2 to 6 players (default: 4)")
    add_rules_option(new, "standard")
    add_map_option(new)
    add_chance_option(new, "joint; actor with --seed or --open")
    add_hands_option(new, "hidden; open with --open or --seed")
    new.add_argument(
        "--policy", type=values.policy, metavar="NAME", help="who decides for computer players (default: strategist)"
    )
    new.add_argument(
        "--seed", type=values.integer, metavar="S", help="the seed of map, dice and computer players' choices"
    )
    new.add_argument(
        "--hot-seat",
        type=_colours,
        metavar="COLOUR,...",
        help="several people at this screen; a curtain hides the hands between their turns (default: you are Red)",
    )
    add_name_option(new)
    new.add_argument("--out", type=values.new_path, metavar="FOLDER", help="a folder for the game")
    parser.add_argument("--open", action="store_true", help="show everybody's hands")
    add_listen_option(parser)
    parser.add_argument(
        "--alone", action="store_true", help="act before the others have sent what they hold of your log"
    )
    parser.add_argument("--no-chat", action="store_true", help="ignore chat")
    parser.add_argument(
        "--pace", type=values.seconds, metavar="S", help="seconds that computer players take for an action"
    )
    add_window_options(parser)
    parser.set_defaults(func=run)


def _colours(text: str) -> list[str]:
    found = [values.colour(part) for part in text.split(",")]
    if len(set(found)) != len(found):
        raise argparse.ArgumentTypeError(f"{text}: expected different colours")
    return found


_NEW = ("players", "rules", "map", "chance", "hands", "policy", "seed", "hot_seat", "name", "out")


def run(args: argparse.Namespace) -> int:
    """Carry the verb out; returns the exit code."""
    os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
    if find_spec("pygame") is None:
        say("catan-p2p play: needs pygame: pip install 'catan-p2p[play]'")
        return WRONG_USAGE
    package = "catan_p2p.visualizer" if find_spec("catan_p2p.visualizer") else "visualizer"
    # This process and that of the peers start side by side, so nothing above takes long to import.
    process = start_process()
    try:
        problem = _prepare(args)
        if problem is not None:
            say(f"catan-p2p play: {problem}")
            return WRONG_USAGE
        importlib.import_module(f"{package}.light_pygame").import_pygame()
        return int(importlib.import_module(f"{package}.play.main").play(args, process))
    finally:
        dismiss(process)


def _prepare(args: argparse.Namespace) -> str | None:
    """Fill in the missing options; returns what is wrong with the others, None if nothing is."""
    given = [name for name in _NEW if getattr(args, name) is not None]
    args.is_plain = not given and args.path is None
    if args.path is not None and given:
        return f"--{given[0].replace('_', '-')}: is for a new game, not for {args.path}"
    # Five or six people at the screen need more seats than the usual four.
    players = args.players or (max(2, len(args.hot_seat)) if args.hot_seat and len(args.hot_seat) > 4 else 4)
    if not 2 <= players <= 6:
        return f"--players {players}: expected 2 to 6"
    args.players = players
    args.policy = args.policy or "strategist"
    try:
        args.map = DEFAULT_MAP_NAME if args.map is None else read_map(args.map)
        return _complete_rules(args) if given else None
    except MapError as error:
        return f"--map {with_help(error)}"
    except UnsupportedRules as error:
        return f"--rules: {with_help(error)}"


def _complete_rules(args: argparse.Namespace) -> str | None:
    """Fill in the rules of a new game; returns which library is missing for them, None if none is.

    ``MapError`` and ``UnsupportedRules`` as ``new_constants`` raises them.
    """
    from catan_p2p.game.new_game import new_constants
    from catan_p2p.game.rule_names import changes_in
    from catan_p2p.log.refs import COLOURS
    from catan_p2p.sealing.group import MissingLibrary
    from catan_p2p.tables.setup import at_one_screen

    rules, hands = args.rules or "standard", args.hands
    # Shares of draws and sealed cards come from secrets: a game that can be repeated has neither.
    is_repeatable = args.seed is not None and args.chance is None
    if hands is None and "Hands" not in changes_in(rules) and (args.open or is_repeatable):
        hands = "open"
    args.rules = at_one_screen(rules, args.players, chance=args.chance, hands=hands)
    try:
        check_library(new_constants(args.rules, COLOURS[: args.players], args.map, args.seed or 0, hands=None))
    except MissingLibrary as error:
        return str(error)
    return None
