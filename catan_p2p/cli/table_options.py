"""Options that verbs share: rules, map and chance of a new game."""

import argparse
from typing import Any

from catan_p2p.cli import values
from catan_p2p.game.board import MAPS, MapError
from catan_p2p.game.constants import CHANCES, HANDS, PROFILES, Constants, UnsupportedRules
from catan_p2p.sealing.group import MissingLibrary, need_library


def add_rules_option(parser: argparse.ArgumentParser, default: str) -> None:
    """Add ``--rules`` to a verb."""
    parser.add_argument(
        "--rules",
        metavar="RULES|FILE",
        type=read_rules,
        help=f"{', '.join(PROFILES)}, or one of these with changes ('standard; HandLimit = 9'), or a file of them "
        f"('Profile = standard', and a line for each change; see docs/reference/notation.md) (default: {default})",
    )


_CHOSEN = (UnsupportedRules, MapError)


def with_help(error: Exception) -> str:
    """A sentence about the fault in the chosen rules or map, and about what could be chosen instead."""
    # An error of settings is raised while one of rules or maps is handled, which is then its context.
    helps = next((found.helps for found in (error, error.__context__) if isinstance(found, _CHOSEN)), "")
    return f"{error}; what helps: {helps}" if helps else str(error)


def add_window_options(parser: argparse.ArgumentParser) -> None:
    """Add ``--size``, ``--scale`` and ``--fullscreen`` to a verb that opens a window to play in."""
    parser.add_argument("--size", metavar="WxH", help="size of the window (default: most of the screen)")
    parser.add_argument(
        "--scale", type=values.number, metavar="F", help="scale text by this factor (default: as last time)"
    )
    parser.add_argument("--fullscreen", action="store_true", help="fill the screen")


def add_hands_option(parser: argparse.ArgumentParser, default: str = "open") -> None:
    """Add ``--hands``; ``default`` is what the help calls the default."""
    parser.add_argument(
        "--hands",
        metavar="WHO",
        choices=HANDS,
        help="who sees a player's cards: everybody (open), or only that player (hidden; then all draw together) "
        f"(default: {default})",
    )


def add_leaving_options(parser: argparse.ArgumentParser, default: str) -> None:
    """Add ``--leaving`` and ``--patience``, which go into the rules of the root, to a verb that begins a game.

    ``default`` is what the help calls the default of ``--leaving``.
    """
    parser.add_argument(
        "--leaving",
        action=argparse.BooleanOptionalAction,
        help=f"whether the others may vote to go on without a silent player (default: {default})",
    )
    parser.add_argument(
        "--patience",
        type=_whole_seconds,
        metavar="TIME",
        help="with --leaving, how long every program waits for a silent player before it votes, such as "
        "5m (default: 10m)",
    )


def asked_of_table(args: argparse.Namespace) -> dict[str, Any]:
    """The options of a verb that begins a table, as keywords for ``at_table``."""
    return {"chance": args.chance, "hands": args.hands, "leaving": args.leaving, "patience_s": args.patience}


def check_library(constants: Constants) -> None:
    """Raise ``MissingLibrary`` if hands are hidden and the library for that is missing; it says how to do without."""
    if constants.rules.hands == "hidden":
        try:
            need_library()
        except MissingLibrary as error:
            raise MissingLibrary(f"{error}; --hands open does without") from None


def add_name_option(parser: argparse.ArgumentParser) -> None:
    """Add ``--name``, the name of a person at a table."""
    parser.add_argument(
        "--name",
        type=_name,
        metavar="NAME",
        help="your name, in the log and for everybody (default: your colour)",
    )


def add_listen_option(parser: argparse.ArgumentParser) -> None:
    """Add ``--listen``, where a player's repository is served to the others."""
    parser.add_argument(
        "--listen",
        type=values.address,
        metavar="HOST:PORT",
        help="serve your repository read-only at git://HOST:PORT/ "
        "(default: at a table without a relay, the address that the others were told)",
    )


def _name(text: str) -> str:
    from catan_p2p.log.game import name_problem

    if (problem := name_problem(text)) is not None:
        raise argparse.ArgumentTypeError(problem)
    return text


def _whole_seconds(text: str) -> int:
    seconds = values.duration(text)
    if seconds != int(seconds):
        raise argparse.ArgumentTypeError(f"{text}: expected whole seconds")
    return int(seconds)


def read_rules(argument: str) -> str:
    """The rules that an argument names, on one line; ``ArgumentTypeError`` says what is wrong."""
    # Imported here: play starts its second process before it loads the actions of the game.
    from catan_p2p.game import rule_names

    try:
        return rule_names.read_rules(argument)
    except UnsupportedRules as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def add_chance_option(parser: argparse.ArgumentParser, default: str = "actor") -> None:
    """Add ``--chance``; ``default`` is what the help calls the default."""
    parser.add_argument(
        "--chance",
        choices=CHANCES,
        help="who draws dice and cards: the acting player, or all players together, so that nobody can "
        f"cheat (default: {default})",
    )


MAP_HELP = f"{', '.join(MAPS)}, or a file as catan-p2p map writes it"


def add_map_option(parser: argparse.ArgumentParser) -> None:
    """Add ``--map`` to a verb that begins games."""
    parser.add_argument(
        "--map",
        metavar="NAME|FILE",
        help=f"{MAP_HELP} (default: default; large for five and six on brief and standard rules)",
    )
