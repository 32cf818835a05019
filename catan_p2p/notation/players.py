"""Who plays, where a format has no place for it: a JSON object with the colour, and the name if one was chosen."""

import re

from catan_p2p.log.refs import COLOURS
from catan_p2p.view.events import Participant

NOBODY = "nobody"
"""What stands where nobody is robbed, and so no player's colour."""


def is_colour(text: str) -> bool:
    """Whether a text can stand for a player in a line: one printable word, and not ``nobody``."""
    return text.isprintable() and bool(text) and " " not in text and text != NOBODY


def is_text(name: str) -> bool:
    """Whether a name can be written in UTF-8."""
    return not any("\ud800" <= letter <= "\udfff" for letter in name)


def nameless(seat: int) -> str:
    """What the player of a seat is called where a file does not say."""
    return f"Player {seat}"


def has_chosen_name(player: Participant) -> bool:
    """Whether the name says more than the colour or the number of the player does."""
    plain = rf"{re.escape(player.colour)}(?:_\d+)?|{nameless(player.seat)}"
    return bool(player.name) and re.fullmatch(plain, player.name, re.IGNORECASE) is None


def is_plain(player: Participant) -> bool:
    """Whether a reader who is told nothing takes this player for the same one: the colour of the seat, and no name."""
    return player.colour.capitalize() == COLOURS[player.seat - 1] and not has_chosen_name(player)


def spell_player(player: Participant) -> dict[str, str]:
    """The object that tells of a player."""
    name = {"name": player.name} if has_chosen_name(player) and is_text(player.name) else {}
    return {**name, "color": player.colour}


def parse_player(seat: int, value: object) -> Participant | None:
    """The player of an object, None if it is none."""
    if not isinstance(value, dict) or not {"color"} <= value.keys() <= {"name", "color"}:
        return None
    colour, name = value["color"], value.get("name")
    if not isinstance(colour, str) or not is_colour(colour) or not is_text(colour):
        return None
    if name is None:
        return Participant(seat, colour.capitalize(), colour)
    return Participant(seat, name, colour) if isinstance(name, str) and is_text(name) else None
