"""Games read from any source: repositories, public views, and files of every notation.

Lines of a file that begin with ``#`` are comments. Before a game such lines as ``# Event: Friday night`` are its
headers; a game ends where the heading of the next one begins.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from io import StringIO
from itertools import pairwise
from pathlib import Path

from catan_p2p.api.games import Game, Public, Step
from catan_p2p.game.state import initial_state
from catan_p2p.log.history import newest_replica
from catan_p2p.log.storage import disk
from catan_p2p.log.storage.objects import NotThere
from catan_p2p.notation.errors import Finding, NotationError
from catan_p2p.notation.formats import TITLES
from catan_p2p.notation.lines import MARK
from catan_p2p.notation.players import nameless
from catan_p2p.notation.repository.importing import Imported, import_game
from catan_p2p.notation.repository.view import View
from catan_p2p.notation.repository.view_files import is_view, load_view
from catan_p2p.notation.sources import as_text, is_repository, open_game_file, read_file
from catan_p2p.notation.tables import Format, table_for
from catan_p2p.notation.words import tell_open

_HEADER = re.compile(r"#\s*([A-Z][A-Za-z]*):\s*(.*)")
_HEADING = re.compile(r'catanlog v?0\.|\[\s*"[1-6]"\s*,\s*"DM"|SOC game event log')


def load(path: str | Path, format: Format | None = None, rules: str | None = None) -> Game:
    """The first game at a path: a repository, a public view, or a file of any format that can be read.

    A file is read leniently; what is wrong with it is in ``findings``. Without ``format`` its beginning decides.
    Without ``rules`` it is judged by those that it names, or else by the profile that it breaks least often. Raises
    ``FileNotFoundError`` if there is nothing, ``StoreError`` if a repository holds no game, or a file is a pipe, a
    device or larger than 256 MiB, and ``NotationError`` if not even the beginning can be read.

    >>> from catan_p2p import load, play
    >>> play(players=3, rules="brief", seed=2).save("game.catan")
    >>> game = load("game.catan")
    >>> game
    <Game of Red, Blue, Green: 262 events, 73 turns, Red has won>
    >>> position = game.position(41)
    >>> position.hands["Blue"], position.legal_moves()[0]
    (<6 cards, at least 1 Lumber, 4 Grain>, TradeFourToOne(player=2, give='Grain', receive='Lumber'))
    """
    return next(load_all(path, format, rules))


def load_all(path: str | Path, format: Format | None = None, rules: str | None = None) -> Iterator[Game]:
    """All games at a path, one after the other; see ``load``."""
    path = Path(path)
    if not path.exists():
        raise NotThere(f"{path}: no such file or folder")
    if is_repository(path):
        path = newest_replica(path)
        yield _of_view(load_view(path), path) if is_view(path) else Game.open(path)
        return
    with disk.explained("read", path), open_game_file(path) as file:
        texts = list(_games_in(as_text(file).read()))
    for text in texts:
        yield _of_text(text, format, rules)


def _of_text(text: str, format: Format | None, rules: str | None) -> Game:
    findings: list[Finding] = []

    def note(error: NotationError) -> None:
        findings.append(Finding(error.line, error.column, "format", error.reason))

    source = read_file(StringIO(text, newline="\n"), format, on_error=note)
    events = [source.start, *source.events]
    imported = import_game(events, source.format, rules, findings)
    headers, comments = _comments(text)
    if imported.constants is None:
        return _of_view(imported.view, None, headers, comments, imported.why_view or "")
    steps, state = [], initial_state(imported.constants)
    first = state
    for played in imported.played:
        steps.append(Step(None, played.action, state, played.state))
        state = played.state
    return Game(
        imported.view.names,
        first,
        steps,
        findings=[str(finding) for finding in imported.view.findings],
        names=_names(imported.view),
        headers={**_told(imported.view), **headers},
        comments=_placed(comments, _lines_of_actions(imported)),
        imported=imported,
    )


def _of_view(
    view: View,
    path: Path | None,
    headers: Mapping[str, str] | None = None,
    comments: Mapping[int, str] | None = None,
    why: str = "",
) -> Game:
    steps = [
        Step(step.commit or None, step.event, step.before.known_state(), step.after.known_state())
        for step in view.steps
    ]
    left = view.open_events()
    why = why or (f"it does not say {tell_open(left)}" if left else "it is a public view")
    return Game(
        view.names,
        view.first.known_state(),
        steps,
        path,
        [str(finding) for finding in view.findings],
        _names(view),
        {**_told(view), **(headers or {})},
        _placed(comments or {}, [step.event.line for step in view.steps]),
        Public(view, table_for(view.start, view.format)._replace(names=view.names), why),
    )


def _names(view: View) -> list[str]:
    """The players' names, the colours of those whom the file does not name."""
    called = zip(view.start.players, view.names, strict=True)
    return [colour if player.name in ("", nameless(player.seat)) else player.name for player, colour in called]


def _told(view: View) -> dict[str, str]:
    """What a file says about the game besides its lines of headers."""
    start = view.start
    return {
        "Format": TITLES[view.format],
        **({"Date": start.started.isoformat(" ", "seconds")} if start.started else {}),
        "Rules": view.rules,
        **dict(start.headers),
    }


def _lines_of_actions(imported: Imported) -> list[int]:
    """The line of each action of a game that was played again."""
    lines: list[int] = []
    for step, count in zip(imported.view.steps, imported.counts, strict=False):
        lines += [step.event.line] * count
    return lines + lines[-1:] * (len(imported.played) - len(lines))


def _placed(comments: Mapping[int, str], lines: Sequence[int]) -> dict[int, str]:
    """Comments by the number of steps that stand before them in the file; several at one place are put together."""
    placed: dict[int, list[str]] = {}
    for line, text in comments.items():
        placed.setdefault(sum(other < line for other in lines), []).append(text)
    return {at: "\n".join(texts) for at, texts in placed.items()}


def _games_in(text: str) -> Iterator[str]:
    """The text of each game in a file, with the comments before it."""
    lines = [line.removeprefix(MARK) for line in text.splitlines(keepends=True)]
    begins = []
    for start in (number for number, line in enumerate(lines) if _HEADING.match(line)):
        while start > 0 and lines[start - 1].startswith("#"):
            start -= 1
        begins.append(start)
    if not begins or begins[0] > 0:
        begins = [0, *begins[1:]]
    for begin, end in pairwise([*begins, len(lines)]):
        yield "".join(lines[begin:end])


def _comments(text: str) -> tuple[dict[str, str], dict[int, str]]:
    """The headers of a game, and its comments by line."""
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
