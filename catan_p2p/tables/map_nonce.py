"""The numbers from which players draw a map: their commitments, and the nonce and the map that they make.

The hashed text consists of ASCII lines, see docs/guides/maps.md. ``map_drawing`` says who publishes what when.
"""

import hmac
import re
from collections.abc import Mapping, Sequence
from hashlib import sha256
from random import Random

from catan_p2p.game.board import DRAWN_MAPS, Map, draw_map

NUMBER_BYTES = 32
_LABEL = "catan-p2p map 1"
_NUMBER = re.compile(rf"[0-9a-f]{{{2 * NUMBER_BYTES}}}")
_NONCE = re.compile(r"map [0-9a-f]{64}")


def commitment(game: int, colour: str, number: str) -> str:
    """The commitment of a player to a number, which reveals nothing about it."""
    return sha256(f"{_LABEL}\n{game}\n{colour}\n{number}\n".encode()).hexdigest()


def is_commitment(text: str) -> bool:
    """Whether a text is a commitment, in its only spelling."""
    return _NUMBER.fullmatch(text) is not None


def opens(game: int, colour: str, number: str, committed: str) -> bool:
    """Whether a number is the one that a player has committed to."""
    if _NUMBER.fullmatch(number) is None or not is_commitment(committed):
        return False
    return hmac.compare_digest(commitment(game, colour, number), committed)


def nonce_of_map(game: int, numbers: Mapping[str, str], colours: Sequence[str]) -> str:
    """The nonce of the root: made from all numbers, in the order of seats."""
    lines = "".join(f"{colour} {numbers[colour]}\n" for colour in colours)
    return "map " + sha256(f"{_LABEL}\n{game}\n{lines}".encode()).hexdigest()


def map_of_nonce(name: str, nonce: str) -> Map:
    """The map of this name that a root's nonce makes."""
    return draw_map(name, Random(nonce))


def is_made_by(map: Map, nonce: str) -> bool:
    """Whether a map follows from a root's nonce: it was drawn at a table, or its host made it look so."""
    return _NONCE.fullmatch(nonce) is not None and any(map_of_nonce(name, nonce) == map for name in DRAWN_MAPS)
