"""The formats by name, and the detection of a file's format."""

import re
from types import ModuleType

from catan_p2p.notation import catanatron, catanlog, colonist, event_lines, sgn, soclog
from catan_p2p.notation.errors import NotationError
from catan_p2p.notation.lines import PeekedFile
from catan_p2p.notation.tables import FORMATS, Format, ViewFormat

NOTATIONS: dict[Format, ModuleType] = {
    "catan": catanlog,
    "sgn": sgn,
    "catanatron": catanatron,
    "colonist": colonist,
    "soclog": soclog,
}
"""The module of each format."""

WRITABLE: tuple[Format, ...] = tuple(format for format in FORMATS if hasattr(NOTATIONS[format], "lines"))
"""The formats that can also be written."""

NUMBERED_IN_ORDER_OF_PLAY: frozenset[Format] = frozenset({"sgn", "catanatron"})
"""Formats in which player 1 is the one who goes first."""

LINES: dict[ViewFormat, ModuleType] = {
    **{format: NOTATIONS[format] if hasattr(NOTATIONS[format], "body_reader") else event_lines for format in FORMATS},
    "lmu": event_lines,
    "hidden": event_lines,
}
"""The module whose lines a public view of each format keeps its events in."""

TITLES: dict[ViewFormat, str] = {
    "catan": ".catan",
    "sgn": "SGN",
    "catanatron": "catanatron",
    "colonist": "colonist.io",
    "soclog": "JSettlers",
    "lmu": "LMU protocol",
    "hidden": "hidden hands",
}

_SOCLOG = re.compile(
    r"SOC game event log|[0-9:.]*(all|ob|un|fo|[fp][0-9]|![p])[0-9\[\], ]*:SOC"
    r"|[^\n|]{0,200}?[0-9]{4}(:[0-9]{2}){5}:[0-9]{3}:[+-][0-9]{4}:[A-Z]"
)
_ENOUGH = 4096
_FOREIGN = {
    "\x1f\udc8b": "a file compressed with gzip",
    "PK\x03\x04": "a ZIP archive",
    "\udc89PNG": "a PNG picture",
    "<": "an HTML page or an XML document",
}
"""Files that are not games, by their first characters as read with ``surrogateescape``."""
_ARRAY = re.compile(r'\[(?!\s*"[^"]*"\s*,)')


def format_of(ahead: PeekedFile) -> Format:
    """The format of a file by its beginning; ``catan`` if it is none of the others.

    ``NotationError`` names what the file is, if it is a known kind that is not a game.
    """
    begins = ahead.peek(_ENOUGH)
    text = begins.lstrip()
    for beginning, what in _FOREIGN.items():
        if begins.startswith(beginning) or text.startswith(beginning):
            raise NotationError(f"{what}, expected a game as text", 1, 1)
    if _ARRAY.match(text):
        raise NotationError("a JSON array of other values, expected SGN with one message a line", 1, 1)
    if text.startswith("["):
        return "sgn"
    if text.startswith("{"):
        if '"eventHistory"' in text or '"data"' in text[:60] or '"playerUserStates"' in text:
            return "colonist"
        return "sgn" if '"aCode"' in text or '"DM"' in text else "catanatron"
    return "soclog" if _SOCLOG.match(text) else "catan"
