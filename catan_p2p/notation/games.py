"""Games in files as values to work with: headers, players, result, findings, and the line of play.

::

    game = notation.load("game.catan")
    follower = game.follower()
    for event in game.mainline():
        follower.push(event)
        print(event, follower.position.points(1))
    follower.pop()

Lines that begin with ``#`` are comments. Before a game such lines as ``# Event: Friday night`` are its headers; a game
ends where the heading of the next one begins.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from io import StringIO
from pathlib import Path

from catan_p2p.game.constants import Player
from catan_p2p.log.game import rules_named
from catan_p2p.log.storage import disk
from catan_p2p.log.storage.objects import NotThere
from catan_p2p.notation.errors import Finding, NotationError, RulesBroken
from catan_p2p.notation.events import GameStarted, Participant, PlayerEvent
from catan_p2p.notation.formats import TITLES
from catan_p2p.notation.referee import Table, judge
from catan_p2p.notation.referee.position import Position
from catan_p2p.notation.referee.repair import Judged, begin, judged, likely_rules
from catan_p2p.notation.repository.view import winner_of
from catan_p2p.notation.sources import Source, as_played, is_repository, open_text, read_file, read_repository
from catan_p2p.notation.tables import Format, ViewFormat, table_for
from catan_p2p.notation.words import describe_event

_HEADER = re.compile(r"#\s*([A-Z][A-Za-z]*):\s*(.*)")
_HEADING = re.compile(r'catanlog v?0\.|\[\s*"[1-6]"\s*,\s*"DM"|SOC game event log')
UNKNOWN = "*"
"""The result of a game that is not over."""


@dataclass(frozen=True, slots=True)
class NotedGame:
    """One game of a file or a repository; players are numbered in the order of play."""

    start: GameStarted
    events: tuple[PlayerEvent, ...]
    """What counts: lines that later ones take back are left out."""
    format: ViewFormat
    rules: str
    """By which it is judged: a profile, with what differs from it."""
    findings: tuple[Finding, ...] = ()
    """What is wrong, or was left out; none if the game is in order."""
    comments: dict[int, str] = field(default_factory=dict)
    """Comments by their line."""
    table: Table | None = field(default=None, repr=False)
    """How its events are to be understood; without it that follows from the format."""
    headers: dict[str, str] = field(default_factory=dict)
    """``Format``, ``Date``, ``Rules``, ``Result``, the players by their colours, and whatever else the file names."""

    @property
    def players(self) -> tuple[Participant, ...]:
        """Who plays, in the order of play."""
        return self.start.players

    @property
    def result(self) -> str:
        """The colour of who has won, ``*`` if nobody has."""
        return self.headers["Result"]

    def mainline(self) -> Iterator[PlayerEvent]:
        """The events in order."""
        return iter(self.events)

    def follower(self) -> Follower:
        """Somebody who follows the game from its beginning, event by event."""
        return Follower(self.start, self.format, self.rules, self.table)

    def __str__(self) -> str:
        """The game in words, an event a line, below its headers."""
        lines = [f"# {name}: {text}" for name, text in self.headers.items()]
        follower = self.follower()
        for event in self.events:
            follower.push(event, is_strict=False)
            lines.append(follower.words())
        return "\n".join(lines)


class Follower:
    """Follows a game: events are pushed, and popped again; ``position`` is what everybody knows at the moment."""

    def __init__(self, start: GameStarted, format: ViewFormat, rules: str, table: Table | None = None) -> None:
        self._table = table or table_for(start, format)
        self._first = begin(start, rules_named(rules, len(start.players)))
        self._steps: list[Judged] = []

    @property
    def position(self) -> Position:
        """The position after the events so far."""
        return self._steps[-1].after if self._steps else self._first

    @property
    def events(self) -> tuple[PlayerEvent, ...]:
        """The events so far."""
        return tuple(step.event for step in self._steps)

    def problems(self, event: PlayerEvent) -> tuple[str, ...]:
        """What would be wrong with an event now; nothing if the rules allow it."""
        return tuple(problem.text for problem in judge(self._table, self.position, event).problems)

    def push(self, event: PlayerEvent, *, is_strict: bool = True) -> None:
        """Go on by an event; ``RulesBroken`` if the rules do not allow it, unless that does not matter."""
        before = self.position
        after, problems, _ = judge(self._table, before, event)
        if problems and is_strict:
            raise RulesBroken("; ".join(problem.text for problem in problems), event.line, event.column)
        self._steps.append(Judged(event, before, after))

    def pop(self) -> PlayerEvent:
        """Take the last event back; ``IndexError`` if there is none."""
        return self._steps.pop().event

    def words(self) -> str:
        """The last event in words, with who did it; ``IndexError`` if there is none."""
        step = self._steps[-1]
        names = self._table.names
        return f"{self._table.name(step.event.player)} {describe_event(step.event, step.before, step.after, names)}"


def load(path: str | Path, format: Format | None = None, rules: str | None = None) -> NotedGame:
    """The first game at a path: a file of any format that can be read, a game repository or a public view.

    It is read leniently; what is wrong is in its ``findings``. ``NotationError`` if not even its beginning can be read,
    ``FileNotFoundError`` if there is no such file, ``StoreError`` if it cannot be opened.
    """
    return next(load_all(path, format, rules))


def load_all(path: str | Path, format: Format | None = None, rules: str | None = None) -> Iterator[NotedGame]:
    """All games at a path, one after the other."""
    path = Path(path)
    if not path.exists():
        raise NotThere(f"{path}: no such file or folder")
    if is_repository(path):
        source = as_played(read_repository(path))
        yield _game(source, rules or source.rules, [], {}, {})
        return
    with disk.explained("read", path), open_text(path) as handle:
        texts = list(_games_in(handle.read()))
    for text in texts:
        findings: list[Finding] = []

        def note(error: NotationError, findings: list[Finding] = findings) -> None:
            findings.append(Finding(error.line, error.column, "format", error.reason))

        source = read_file(StringIO(text, newline="\n"), format, on_error=note)
        source = source._replace(events=list(source.events))
        headers, comments = _comments(text)
        yield _game(source, rules, findings, headers, comments)


def _games_in(text: str) -> Iterator[str]:
    """The text of each game in a file, with the comments before it."""
    lines = text.splitlines(keepends=True)
    starts = [i for i, line in enumerate(lines) if _HEADING.match(line)]
    begins = []
    for start in starts:
        while start > 0 and lines[start - 1].startswith("#"):
            start -= 1
        begins.append(start)
    if not begins or begins[0] > 0:
        begins = [0, *begins[1:]]
    for begin_at, end in zip(begins, [*begins[1:], len(lines)], strict=True):
        yield "".join(lines[begin_at:end])


def _comments(text: str) -> tuple[dict[str, str], dict[int, str]]:
    headers, comments = {}, {}
    has_begun = False
    for number, line in enumerate(text.splitlines(), 1):
        if not line.startswith("#"):
            has_begun = True
            continue
        found = None if has_begun else _HEADER.fullmatch(line)
        if found:
            headers[found[1]] = found[2]
        else:
            comments[number] = line[1:].strip()
    return headers, comments


def _game(
    source: Source, rules: str | None, findings: list[Finding], headers: dict[str, str], comments: dict[int, str]
) -> NotedGame:
    start, events, table, format = source.start, list(source.events), source.table, source.format
    rules = rules or start.rules or likely_rules(start, events, table)
    constants = rules_named(rules, len(start.players))
    steps = list(judged(start, events, table, constants, findings.append))
    last = steps[-1].after if steps else begin(start, constants)
    winner: Player | None = winner_of(last, format)
    told = {
        "Format": TITLES[format],
        **({"Date": start.started.isoformat(" ", "seconds")} if start.started else {}),
        "Rules": rules,
        "Result": table.name(winner) if winner else UNKNOWN,
        **{player.colour.capitalize(): player.name for player in start.players},
        **dict(start.headers),
        **headers,
    }
    ordered = tuple(sorted(findings, key=lambda found: found[:2]))
    return NotedGame(start, tuple(step.event for step in steps), format, rules, ordered, comments, table, told)
