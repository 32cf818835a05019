"""Maps by name: fixed ones, and those that are drawn anew for every game."""

from random import Random

from catan_p2p.game.board.map_file import MAX_MAP_FILE_BYTES, format_map_file, parse_map_file
from catan_p2p.game.board.maps import DEFAULT_MAP, Map, MapError
from catan_p2p.text_files import BadTextFile, read_text

DEFAULT_MAP_NAME = "default"
BEGINNERS_MAP_NAME = "beginners"

DRAWN_MAPS = ("variable", "variable-free", "large", "large-free")
"""Names of the maps that differ from seed to seed."""

MAPS = (DEFAULT_MAP_NAME, BEGINNERS_MAP_NAME, *DRAWN_MAPS)
"""All names of maps. The beginners' map is the default one; what differs is its opening."""


def draw_map(chosen: str, rng: Random) -> Map:
    """The map of this name, drawn with ``rng``, or the map in the text of a map file, recognized by its lines.

    Raises ``MapError`` if the text is not a map; a text of one line is taken for a name.
    """
    if chosen in (DEFAULT_MAP_NAME, BEGINNERS_MAP_NAME):
        return DEFAULT_MAP
    if chosen in DRAWN_MAPS:
        from catan_p2p.game.board.variable import draw_island

        return draw_island(chosen, rng)
    if "\n" not in chosen:
        raise MapError(f"map {chosen!r}: expected one of {', '.join(MAPS)}, or the text of a map file")

    return parse_map_file(chosen, "map")


def read_map(argument: str) -> str:
    """What settings say of a map: its name, or the canonical text of the file; ``MapError`` tells what is wrong."""
    if argument in MAPS:
        return argument

    try:
        text = read_text(
            argument, MAX_MAP_FILE_BYTES, f"no such map or file, expected one of {', '.join(MAPS)}, or a map file"
        )
    except BadTextFile as error:
        raise MapError(str(error)) from None
    return format_map_file(parse_map_file(text, argument))
