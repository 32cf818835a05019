"""Sources of games: files of all formats, game repositories and public views, all as events."""

import io
from collections.abc import Iterable
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import BinaryIO, NamedTuple, TextIO

from catan_p2p.game.board import board_of
from catan_p2p.game.constants import PROFILES, Constants, profile
from catan_p2p.game.rule_names import spell_rules
from catan_p2p.limits import MAX_GAME_FILE_BYTES
from catan_p2p.log.history import GameHistory, newest_replica
from catan_p2p.log.open_course import open_game
from catan_p2p.log.opened_hands import read_as_open
from catan_p2p.notation.coordinates import is_standard_island
from catan_p2p.notation.formats import NOTATIONS, format_of
from catan_p2p.notation.lines import OnError, PeekedFile
from catan_p2p.notation.repository.from_game import events_of_history
from catan_p2p.notation.repository.game import file_facts, game_started_s
from catan_p2p.notation.repository.known_game import known_game
from catan_p2p.notation.repository.view import FileView
from catan_p2p.notation.repository.view_files import is_view, load_view
from catan_p2p.notation.tables import Format, ViewFormat, begun, in_order_of_play, table_for
from catan_p2p.text_files import open_file
from catan_p2p.view.advance import ViewContext
from catan_p2p.view.events import Event, GameStarted


class EventSource(NamedTuple):
    """A game as events, and the context in which to read them."""

    start: GameStarted
    events: Iterable[Event]
    table: ViewContext
    format: ViewFormat
    rules: str | None
    """The profile of its rules, None if unknown."""
    refused: tuple[str, ...] = ()
    """Refused commits of the repository, which were left out."""
    view: FileView | None = None
    """What is known of a game of hidden hands, if not all cards are open."""
    closed: str | None = None
    """Why not all cards are open; None if they are."""


def is_repository(path: Path) -> bool:
    """Whether a path is a folder; a game in it can only be a repository."""
    return path.is_dir()


def read_repository(path: Path) -> EventSource:
    """The game or public view in a repository, its players by seat; ``StoreError`` if there is none.

    If every player has a repository, the most advanced one is read.
    """
    path = newest_replica(path)
    if is_view(path):
        view = load_view(path)
        return EventSource(view.start, view.events[1:], table_for(view.start, view.format), view.format, view.rules)
    with read_as_open(path) as found:
        history, started_s = found.history, game_started_s(found.store, found.history)
        facts = file_facts(found.store, history)
    if found.closed is not None:
        return _known(history, started_s, found.closed)
    start, events = begun(events_of_history(history, started_s, facts))
    # a log has the ends of turns, as .catan has, and the discards, as SGN has
    format: Format = "catan" if is_standard_island(board_of(start.map)) else "sgn"
    table = table_for(start, format)._replace(says_turn_ends=True, says_discards=True)
    return EventSource(
        start, events, table, "catan", _rules_of(history.game.constants), tuple(map(str, history.rejected))
    )


def _known(history: GameHistory, started_s: int, closed: str) -> EventSource:
    """A game of hidden hands in which not all cards are open."""
    view = known_view(history, started_s)
    table, refused = table_for(view.start, view.format), tuple(map(str, history.rejected))
    events = [step.event for step in view.steps]
    return EventSource(view.start, events, table, view.format, view.rules, refused, view, closed)


def known_view(history: GameHistory, started_s: int) -> FileView:
    """The known part of a game of hidden hands whose root commit has this date."""
    return known_game(history, started_s, _rules_of(open_game(history.game).constants))


def _rules_of(constants: Constants) -> str:
    """The rules of a game as a profile and what differs from it; rolling for the start is no difference."""
    rules, n = constants.rules, constants.player_count
    plain = rules.drawn_by_actors
    names = (name for name in PROFILES if replace(profile(name, n), start_order=rules.start_order) == plain)
    return next(names, None) or spell_rules(plain, n)


def as_played(source: EventSource) -> EventSource:
    """The same game with its players renumbered in the order of play."""
    start, events = begun(in_order_of_play(chain([source.start], source.events)))
    names = tuple(player.colour.capitalize() for player in start.players)
    return source._replace(start=start, events=events, table=source.table._replace(names=names))


def open_game_file(path: Path) -> BinaryIO:
    """A regular file of at most ``MAX_GAME_FILE_BYTES``, opened for reading; ``OSError`` if it is something else."""
    return open_file(path, MAX_GAME_FILE_BYTES)


def as_text(file: BinaryIO) -> TextIO:
    """The text of a file for ``read``: lines end with LF only, and invalid UTF-8 is an error of its line."""
    return io.TextIOWrapper(file, encoding="utf-8", errors="surrogateescape", newline="\n")


def read_file(
    handle: TextIO, format: Format | None, player_count: int | None = None, on_error: OnError | None = None
) -> EventSource:
    """The game in a file, with players numbered in the order of play; its events are read lazily."""
    ahead = PeekedFile(handle)
    format = format or format_of(ahead)
    start, events = begun(in_order_of_play(NOTATIONS[format].read(ahead, on_error), player_count, on_error))
    return EventSource(start, events, table_for(start, format), format, None)
