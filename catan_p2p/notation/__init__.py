"""Games in the notations of other programs: ``.catan``, SGN, catanatron, colonist.io and JSettlers.

Every format is read into the same events, and those that can be written are written from them::

    with open("game.catan", encoding="utf-8", newline="\\n") as file:
        for event in notation.read(file):
            ...

``read`` and ``write`` are for text files and hold one line at a time, except for formats that are one JSON document.
``judged`` and ``import_game`` check the rules; docs/reference/notation.md explains how they fit together.
"""

from collections.abc import Iterable, Iterator
from typing import TextIO

from catan_p2p.notation import catanatron as catanatron
from catan_p2p.notation import catanlog as catanlog
from catan_p2p.notation import colonist as colonist
from catan_p2p.notation import sgn as sgn
from catan_p2p.notation import soclog as soclog
from catan_p2p.notation.errors import NotationError as NotationError
from catan_p2p.notation.errors import NotationFinding as NotationFinding
from catan_p2p.notation.errors import NotExpressible as NotExpressible
from catan_p2p.notation.errors import NotUtf8 as NotUtf8
from catan_p2p.notation.errors import RulesBroken as RulesBroken
from catan_p2p.notation.formats import NOTATIONS as NOTATIONS
from catan_p2p.notation.formats import WRITABLE as WRITABLE
from catan_p2p.notation.formats import format_of
from catan_p2p.notation.lines import OnError, PeekedFile
from catan_p2p.notation.place_names import PlaceNames as PlaceNames
from catan_p2p.notation.place_names import place_names as place_names
from catan_p2p.notation.repair import ViewStep as ViewStep
from catan_p2p.notation.repair import judged as judged
from catan_p2p.notation.repair import likely_rules as likely_rules
from catan_p2p.notation.repository.from_game import TimedAction as TimedAction
from catan_p2p.notation.repository.from_game import events_of as events_of
from catan_p2p.notation.repository.from_game import events_of_history as events_of_history
from catan_p2p.notation.repository.game import write_game as write_game
from catan_p2p.notation.repository.importing import ImportedGame as ImportedGame
from catan_p2p.notation.repository.importing import ImportVerdict as ImportVerdict
from catan_p2p.notation.repository.importing import check as check
from catan_p2p.notation.repository.importing import game_steps as game_steps
from catan_p2p.notation.repository.importing import import_game as import_game
from catan_p2p.notation.repository.importing import view_steps as view_steps
from catan_p2p.notation.repository.replay import NotReplayable as NotReplayable
from catan_p2p.notation.repository.replay import replay as replay
from catan_p2p.notation.repository.view import FileView as FileView
from catan_p2p.notation.repository.view_files import is_view as is_view
from catan_p2p.notation.repository.view_files import load_view as load_view
from catan_p2p.notation.repository.view_files import write_view as write_view
from catan_p2p.notation.tables import FORMATS as FORMATS
from catan_p2p.notation.tables import Format as Format
from catan_p2p.notation.tables import in_order_of_play as in_order_of_play
from catan_p2p.notation.tables import table_for as table_for
from catan_p2p.notation.writing import lines_of
from catan_p2p.view.events import EVENTS as EVENTS
from catan_p2p.view.events import Event as Event
from catan_p2p.view.events import GameStarted as GameStarted
from catan_p2p.view.events import Participant as Participant
from catan_p2p.view.events import PlayerEvent as PlayerEvent


def read(handle: TextIO, format: Format | None = None, on_error: OnError | None = None) -> Iterator[Event]:
    """The events of a game, one by one as its lines are read; ``NotationError`` names line and column.

    Without ``format`` the beginning of the file decides. With ``on_error``, errors after the header are passed to it
    and reading goes on. Open the file with ``newline="\\n"``, and with ``errors="surrogateescape"`` if it may not be
    UTF-8.
    """
    ahead = PeekedFile(handle)
    format = format or format_of(ahead)
    events: Iterator[Event] = NOTATIONS[format].read(ahead, on_error)
    return events


def write(events: Iterable[Event], handle: TextIO, format: Format) -> None:
    """Write a game, line by line; ``NotExpressible`` for an event that the format can neither express nor leave out.

    Open the file with ``newline="\\n"``.
    """
    if format not in WRITABLE:
        raise NotExpressible(f"games of the format {format} are read only")
    for line in lines_of(format, events):
        handle.write(line + "\n")
