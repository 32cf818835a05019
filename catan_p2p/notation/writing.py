"""Writing games as files of the notations."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import chain
from pathlib import Path

from catan_p2p.log.storage import disk
from catan_p2p.notation.formats import NOTATIONS, NUMBERED_IN_ORDER_OF_PLAY, WRITABLE
from catan_p2p.notation.tables import Format, begun, in_order_of_play
from catan_p2p.view.events import BanditStands, CardsDiscarded, Event

ENDINGS: dict[str, Format] = {".json" if format == "catanatron" else f".{format}": format for format in WRITABLE}
"""The format of a file by the suffix of its name."""


def format_by_ending(path: Path) -> Format | None:
    """The format to write a file in, by the suffix of its name; None if no format has it."""
    return ENDINGS.get(path.suffix)


def lines_of(format: Format, events: Iterable[Event]) -> Iterator[str]:
    """The lines of a file; ``NotExpressible`` for an event that the format can neither express nor leave out."""
    if format in NUMBERED_IN_ORDER_OF_PLAY:
        events = numbered_in_order_of_play(events)
    lines: Iterator[str] = NOTATIONS[format].lines(events)
    return lines


def numbered_in_order_of_play(events: Iterable[Event]) -> Iterator[Event]:
    """The same events with the first to settle as player 1; unchanged if the start names no players.

    Discards after one seven are sorted by the new numbers, as a repository of the same game would yield them.
    """
    start, events = begun(events)
    if not start.players:
        yield from chain([start], events)
        return
    ordered, stream = begun(in_order_of_play(chain([start], events)))
    players = tuple(player._replace(seat=seat) for seat, player in enumerate(ordered.players, 1))
    yield replace(ordered, players=players)
    is_new = ordered.players != start.players
    discards: list[CardsDiscarded] = []
    for event in stream:
        if is_new and isinstance(event, CardsDiscarded):
            discards.append(event)
            continue
        yield from sorted(discards, key=lambda discard: discard.player)
        discards.clear()
        yield replace(event, player=1) if isinstance(event, BanditStands) else event
    yield from sorted(discards, key=lambda discard: discard.player)


def spelled(format: Format, events: Iterable[Event]) -> bytes:
    """The bytes of a game's file; ``NotExpressible`` as for ``lines_of``."""
    return "".join(f"{line}\n" for line in lines_of(format, events)).encode("utf-8", "surrogateescape")


def write_file(path: Path, format: Format, events: Iterable[Event]) -> None:
    """Write a game's file atomically; ``NotExpressible`` as for ``lines_of``, ``StoreError`` if the disk fails."""
    data = spelled(format, events)
    with disk.written_whole(path) as beside:
        beside.write_bytes(data)
