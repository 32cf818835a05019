"""Maps as arguments of the command line: a name, or a file."""

from __future__ import annotations

import argparse
from pathlib import Path

from catan_p2p.board import MAPS, MAX_MAP_FILE_BYTES, MapError, format_map_file, parse_map_file

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
    path = Path(argument)
    try:
        with path.open("rb") as file:
            data = file.read(MAX_MAP_FILE_BYTES + 1)
    except FileNotFoundError:
        raise MapError(f"{argument}: no such map or file, the maps are {', '.join(MAPS)}") from None
    except (OSError, ValueError) as error:
        raise MapError(f"{argument}: cannot read: {getattr(error, 'strerror', None) or error}") from None
    if len(data) > MAX_MAP_FILE_BYTES:
        raise MapError(f"{argument}: longer than {MAX_MAP_FILE_BYTES} bytes, no map needs that")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise MapError(f"{argument}: not UTF-8 text: {error.reason} at byte {error.start}") from None
    return format_map_file(parse_map_file(text, argument))
