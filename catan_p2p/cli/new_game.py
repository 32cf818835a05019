"""``catan-p2p new-game``: begin a game, as its first player."""

import argparse
from typing import Any

from catan_p2p.cli import host, table_options, values
from catan_p2p.cli.output import FINE, WRONG_USAGE, say, tell
from catan_p2p.game.board import DEFAULT_MAP_NAME, DRAWN_MAPS, MapError, read_map
from catan_p2p.game.constants import Constants, UnsupportedRules
from catan_p2p.game.new_game import drawn_map, new_constants
from catan_p2p.game.rule_names import changes_in
from catan_p2p.game.secret_streams import secret_seed
from catan_p2p.limits import MAX_KEY_FILE_BYTES
from catan_p2p.log.game import chosen_name_problem, new_game
from catan_p2p.log.keys import parse_public_key_file, read_private_key, spell_public_key
from catan_p2p.log.refs import COLOURS
from catan_p2p.log.storage.objects import StoreError
from catan_p2p.tables.joining import create_seat
from catan_p2p.tables.seat import SeatSettings
from catan_p2p.tables.setup import HANDS_AT_TABLES, at_table
from catan_p2p.text_files import BadTextFile, read_text


class UsageError(ValueError):
    """Arguments that do not go together; the message names them."""


def add_parser(subparsers: Any) -> None:
    """Add the verb."""
    parser = subparsers.add_parser(
        "new-game",
        help="begin a game, as its first player",
        description="Begin a game: make the repository of its first player in DIR. Its root commit fixes "
        "rules, map, players and their keys. The others join it.",
        epilog="Without keys the logs are unsigned: only the repository that holds a commit "
        "tells who wrote it. Make keys with catan-p2p new-key.",
    )
    parser.add_argument("path", type=values.seat_path, metavar="DIR", help="a folder for the first player's repository")
    parser.add_argument(
        "--players",
        required=True,
        metavar="N|COLOUR,...",
        help=f"{values.SEATS}: 2 to {len(COLOURS)} of {', '.join(COLOURS)}",
    )
    table_options.add_rules_option(parser, "standard with keys, thesis without")
    table_options.add_map_option(parser)
    table_options.add_chance_option(parser, "joint with keys, actor without")
    table_options.add_hands_option(parser, f"{HANDS_AT_TABLES} with keys, open without")
    table_options.add_leaving_options(parser, "yes with keys, no without")
    parser.add_argument("--seed", type=values.integer, metavar="S", help="the seed of a drawn map (default: random)")
    parser.add_argument(
        "--choose-map",
        action="store_true",
        help="draw the map alone, so that it is your choice, in a game in which all players draw the dice",
    )
    parser.add_argument(
        "--number", type=values.integer, default=0, metavar="N", help="the number of the game (default: 0)"
    )
    parser.add_argument(
        "--name",
        action="append",
        default=[],
        metavar="COLOUR=NAME",
        help="a player's name, in the log and for everybody (default: the colour); once for each player",
    )
    parser.add_argument("--key", type=values.path, metavar="FILE", help="the first player's private key")
    parser.add_argument(
        "--public-key",
        action="append",
        default=[],
        metavar="COLOUR=FILE",
        help="another player's public key; once for each player",
    )
    parser.set_defaults(func=run)


def run(args: argparse.Namespace) -> int:
    """Carry the verb out; returns the exit code."""
    try:
        colours = values.seats(args.players)
        if not 0 <= args.number < 10**9:
            raise UsageError(f"--number {args.number}: expected 0 to 999999999")
        constants = _constants(args, colours)
        key = None if args.key is None else read_private_key(args.key)
        keys = _public_keys(colours, args.public_key)
        if key is not None:
            keys[colours[0]] = spell_public_key(key)
        names = _names(colours, args.name)
        if keys and len(keys) != len(colours):
            lacking = ", ".join(colour for colour in colours if colour not in keys)
            raise UsageError(f"--key and --public-key: no key for {lacking}; a game has a key for everybody or nobody")
    except (ValueError, UnsupportedRules) as error:
        say(f"catan-p2p new-game: {table_options.with_help(error)}")
        return WRONG_USAGE
    game = new_game(args.number, constants, colours, keys, names)
    create_seat(args.path, game, SeatSettings(colours[0], secret_seed()), key)
    tell(f"{args.path}: {colours[0]} begins {'a signed' if keys else 'an unsigned'} game of {len(colours)}")
    tell(f"the others join with: catan-p2p join URL-OF-THIS-REPOSITORY THEIR-DIR --as {colours[1]}")
    return FINE


def _constants(args: argparse.Namespace, colours: list[str]) -> Constants:
    seed = secret_seed() if args.seed is None else args.seed
    try:
        chosen = read_map(args.map or DEFAULT_MAP_NAME)
        fair = bool(args.key or args.public_key)
        rules = args.rules or (host.PROFILE if fair else "thesis")
        agreed = at_table(rules, **table_options.asked_of_table(args), fair=fair, player_count=len(colours))
        if changes_in(agreed).get("Hands") == "hidden" and not fair:
            raise UsageError("--hands hidden: expected --key and --public-key: cards are sealed by their player's key")
        if changes_in(agreed).get("Leaving") == "yes" and not fair:
            raise UsageError("--leaving: expected --key and --public-key: such logs are signed")
        constants = new_constants(agreed, colours, chosen, seed, args.number, hands=None)
        table_options.check_library(constants)
    except MapError as error:
        raise UsageError(f"--map {error}") from None
    drawn = drawn_map(rules, len(colours), chosen)
    if drawn is None and (args.seed is not None or args.choose_map):
        option = "--choose-map" if args.seed is None else "--seed"
        raise UsageError(f"{option}: only the maps {', '.join(DRAWN_MAPS)} are drawn")
    if drawn is not None and constants.rules.chance == "joint" and not args.choose_map:
        raise UsageError(
            f"--map {drawn}: no player may choose the dice, but you alone would draw the map. Open the table with "
            "catan-p2p host, where all players draw it together, or add --choose-map, which the others will be told"
        )
    if args.seed is not None:
        tell(f"seed {seed}")
    return constants


def _by_colour(colours: list[str], given: list[str], option: str, what: str) -> dict[str, str]:
    """The values of a repeatable option ``COLOUR=what``, by colour."""
    found: dict[str, str] = {}
    for text in given:
        whose, separator, value = text.partition("=")
        colour = whose.strip().capitalize()
        if not separator or colour not in colours:
            raise UsageError(f"{option} {text}: expected COLOUR={what} of one of {', '.join(colours)}")
        if colour in found:
            raise UsageError(f"{option}: {colour} twice")
        found[colour] = value
    return found


def _names(colours: list[str], given: list[str]) -> dict[str, str]:
    names = _by_colour(colours, given, "--name", "NAME")
    for colour, name in names.items():
        others = [other for whose, other in names.items() if whose != colour]
        if (problem := chosen_name_problem(name, colour, others)) is not None:
            raise UsageError(f"--name {colour}={name}: {problem}")
    return names


def _public_keys(colours: list[str], given: list[str]) -> dict[str, str]:
    keys: dict[str, str] = {}
    for colour, file in _by_colour(colours, given, "--public-key", "FILE").items():
        try:
            content = read_text(file, MAX_KEY_FILE_BYTES, "no such file, expected a public key")
        except BadTextFile as error:
            raise StoreError(str(error)) from None
        keys[colour] = parse_public_key_file(content, file)
    return keys
