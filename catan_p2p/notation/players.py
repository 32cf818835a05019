"""Players in formats that do not name them: a JSON object with the colour, and the name if one was chosen."""

import re

from catan_p2p.log.refs import COLOURS
from catan_p2p.view.events import Participant

NOBODY = "nobody"
"""Stands for the victim of a bandit that robs nobody, so it cannot be a player's colour."""


def is_colour(text: str) -> bool:
    """Whether a text can name a player in a line: one printable word other than ``nobody``."""
    return text.isprintable() and bool(text) and " " not in text and text != NOBODY


def is_text(name: str) -> bool:
    """Whether a name can be written in UTF-8."""
    return not any("\ud800" <= letter <= "\udfff" for letter in name)


def nameless(seat: int) -> str:
    """The name of a seat's player if the file has none."""
    return f"Player {seat}"


def has_chosen_name(player: Participant) -> bool:
    """Whether the name is more than the player's colour or number."""
    plain = rf"{re.escape(player.colour)}(?:_\d+)?|{nameless(player.seat)}"
    return bool(player.name) and re.fullmatch(plain, player.name, re.IGNORECASE) is None


def is_plain(player: Participant) -> bool:
    """Whether a reader would assume this player anyway: the seat's usual colour and no chosen name."""
    return player.colour.capitalize() == COLOURS[player.seat - 1] and not has_chosen_name(player)


def spell_player(player: Participant) -> dict[str, str]:
    """The JSON object of a player."""
    name = {"name": player.name} if has_chosen_name(player) and is_text(player.name) else {}
    return {**name, "color": player.colour}


def parse_player(seat: int, value: object) -> Participant | None:
    """The player of a JSON object, None if it is not one."""
    if not isinstance(value, dict) or not {"color"} <= value.keys() <= {"name", "color"}:
        return None
    colour, name = value["color"], value.get("name")
    if not isinstance(colour, str) or not is_colour(colour) or not is_text(colour):
        return None
    if name is None:
        return Participant(seat, colour.capitalize(), colour)
    return Participant(seat, name, colour) if isinstance(name, str) and is_text(name) else None
