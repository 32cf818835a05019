"""Settlers Game Notation 1.0: one JSON array ``[player, code, value]`` per line.

``read`` gives the events of a file of version 1.0 or 0.4; ``lines`` writes version 1.0, and ``schema`` is a JSON Schema
of its messages. The notation names stolen, bought and discarded cards, but not the ends of turns.
"""

import json
from importlib.resources import files
from typing import Any

from catan_p2p.notation.sgn.reader import SgnBodyReader, body_reader, read, read_start
from catan_p2p.notation.sgn.writer import lines, speller, start_lines


def schema() -> dict[str, Any]:
    """A JSON Schema (draft 2020-12) of one SGN 1.0 message, which is one line of a file."""
    text = files(__name__).joinpath("message.schema.json").read_text("utf-8")
    found: dict[str, Any] = json.loads(text)
    return found


__all__ = ["SgnBodyReader", "body_reader", "lines", "read", "read_start", "schema", "speller", "start_lines"]
