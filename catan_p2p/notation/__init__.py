"""Games in the notations of other programs: catanlog's ``.catan`` and Settlers Game Notation (SGN).

Both are read as, and written from, one kind of events::

    with open("game.catan", encoding="utf-8", newline="\\n") as file:
        for event in notation.read(file):
            ...

``read`` and ``write`` are for text files of either format and stream: they hold a line at a time. ``judged`` and
``import_game`` know the rules; docs/notation.md explains how they fit together.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TextIO

from catan_p2p.notation import catanatron, catanlog, colonist, sgn, soclog
from catan_p2p.notation.errors import Finding, NotationError, NotUtf8, RulesBroken, Unsayable
from catan_p2p.notation.events import EVENTS, Event, GameStarted, Participant, PlayerEvent
from catan_p2p.notation.formats import NOTATIONS, WRITABLE, format_of
from catan_p2p.notation.games import Follower, NotedGame, load, load_all
from catan_p2p.notation.lines import Ahead, OnError
from catan_p2p.notation.place_names import PlaceNames, place_names
from catan_p2p.notation.referee.repair import Judged, judged, likely_rules
from catan_p2p.notation.repository.from_game import Played, events_of, events_of_history
from catan_p2p.notation.repository.game import write_game
from catan_p2p.notation.repository.importing import Imported, Verdict, check, game_steps, import_game, view_steps
from catan_p2p.notation.repository.replay import NotReplayable, replay
from catan_p2p.notation.repository.view import View, ViewStep
from catan_p2p.notation.repository.view_files import is_view, load_view, write_view
from catan_p2p.notation.tables import FORMATS, Format, in_order_of_play, table_for


def read(handle: TextIO, format: Format | None = None, on_error: OnError | None = None) -> Iterator[Event]:
    """The events of a game, one by one as its lines are read; ``NotationError`` names line and column.

    Without ``format`` the beginning of the file decides. With ``on_error`` errors after the header go there and
    reading goes on. Open the file with ``newline="\\n"``, and with ``errors="surrogateescape"`` if it may not be UTF-8.
    """
    ahead = Ahead(handle)
    format = format or format_of(ahead)
    events: Iterator[Event] = NOTATIONS[format].read(ahead, on_error)
    return events


def write(events: Iterable[Event], handle: TextIO, format: Format) -> None:
    """Write a game, line by line; ``Unsayable`` for an event that the format can neither say nor leave out.

    Open the file with ``newline="\\n"``.
    """
    if format not in WRITABLE:
        raise Unsayable(f"games of the format {format} are read only")
    for line in NOTATIONS[format].lines(events):
        handle.write(line + "\n")


__all__ = [
    "EVENTS",
    "FORMATS",
    "NOTATIONS",
    "WRITABLE",
    "Event",
    "Finding",
    "Follower",
    "Format",
    "GameStarted",
    "Imported",
    "Judged",
    "NotReplayable",
    "NotUtf8",
    "NotationError",
    "NotedGame",
    "Participant",
    "PlaceNames",
    "Played",
    "PlayerEvent",
    "RulesBroken",
    "Unsayable",
    "Verdict",
    "View",
    "ViewStep",
    "catanatron",
    "catanlog",
    "check",
    "colonist",
    "events_of",
    "events_of_history",
    "game_steps",
    "import_game",
    "in_order_of_play",
    "is_view",
    "judged",
    "likely_rules",
    "load",
    "load_all",
    "load_view",
    "place_names",
    "read",
    "replay",
    "sgn",
    "soclog",
    "table_for",
    "view_steps",
    "write",
    "write_game",
    "write_view",
]
