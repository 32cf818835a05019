"""Games written as files of the notations."""

from collections.abc import Iterable
from pathlib import Path

from catan_p2p.log.storage import disk
from catan_p2p.notation.events import Event
from catan_p2p.notation.formats import NOTATIONS, WRITABLE
from catan_p2p.notation.tables import Format

ENDINGS: dict[str, Format] = {".json" if format == "catanatron" else f".{format}": format for format in WRITABLE}
"""The format of a file by the ending of its name."""


def format_by_ending(path: Path) -> Format | None:
    """The format of a file to be written, by the ending of its name; None if that is none of a format's."""
    return ENDINGS.get(path.suffix)


def spelled(format: Format, events: Iterable[Event]) -> bytes:
    """The file of a game; ``Unsayable`` for an event that the format can neither say nor leave out."""
    return "".join(f"{line}\n" for line in NOTATIONS[format].lines(events)).encode("utf-8", "surrogateescape")


def write_file(path: Path, format: Format, events: Iterable[Event]) -> None:
    """Write the file of a game, all of it or nothing; ``Unsayable`` as ``spelled``, ``StoreError`` from the disk."""
    data = spelled(format, events)
    with disk.written_whole(path) as beside:
        beside.write_bytes(data)
