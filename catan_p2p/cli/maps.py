"""Maps as arguments of the command line: a name, or a file."""

from __future__ import annotations

import argparse

from catan_p2p.game.board import MAPS, MAX_MAP_FILE_BYTES, MapError, format_map_file, parse_map_file
from catan_p2p.text_files import BadTextFile, read_text

MAP_HELP = f"{', '.join(MAPS)}, or a file as catan-p2p map writes it"


def add_map_option(parser: argparse.ArgumentParser) -> None:
    """Add ``--map`` to a verb that begins games."""
    parser.add_argument(
        "--map", metavar="NAME|FILE", help=f"{MAP_HELP} (default: default; large for five and six on standard rules)"
    )


def read_map(argument: str) -> str:
    """What settings say of a map: its name, or the canonical text of the file; ``MapError`` tells what is wrong."""
    if argument in MAPS:
        return argument
    try:
        text = read_text(argument, MAX_MAP_FILE_BYTES, f"no such map or file, the maps are {', '.join(MAPS)}")
    except BadTextFile as error:
        raise MapError(str(error)) from None
    return format_map_file(parse_map_file(text, argument))
