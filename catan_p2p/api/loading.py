"""Games read from any source: repositories, public views, and files of every notation.

Lines of a file that begin with ``#`` are comments. Before a game, lines such as ``# Event: Friday night`` are its
headers. A game ends where the heading of the next one begins.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from io import StringIO
from itertools import pairwise
from pathlib import Path

from catan_p2p import settings
from catan_p2p.api.games import Game, Step, game_of_view, public_of, view_names
from catan_p2p.game.state import initial_state
from catan_p2p.log.folders import MissingRepository, find_games
from catan_p2p.log.history import newest_of
from catan_p2p.log.storage import disk
from catan_p2p.log.storage.objects import NotThere, StoreError
from catan_p2p.notation.errors import NotationError, NotationFinding
from catan_p2p.notation.formats import TITLES
from catan_p2p.notation.lines import MARK
from catan_p2p.notation.repository.importing import ImportedGame, import_game
from catan_p2p.notation.repository.view import FileView, tell_open
from catan_p2p.notation.repository.view_files import is_view, load_view
from catan_p2p.notation.sources import as_text, open_game_file, read_file
from catan_p2p.notation.tables import FORMATS, Format

_HEADER = re.compile(r"#\s*([A-Z][A-Za-z]*):\s*(.*)")
_HEADING = re.compile(r'catanlog v?0\.|\[\s*"[1-6]"\s*,\s*"DM"|SOC game event log')


def load(path: str | Path, format: Format | None = None, rules: str | None = None) -> Game:
    """The first game at a path: a repository, a public view, a folder of games, or a file of any format.

    A file is read leniently; its problems are in ``findings``. Without ``format`` its beginning decides. Without
    ``rules`` it is judged by those that it names, otherwise by the profile that it breaks least often. Raises
    ``TypeError`` and ``ValueError`` for impossible arguments, ``FileNotFoundError`` if the path does not exist,
    ``StoreError`` if a folder holds no game, or a file is a pipe, a device or larger than 256 MiB, and
    ``NotationError`` if not even the beginning is readable. Each of the last three names the file.

    >>> from catan_p2p import load, play
    >>> play(players=3, rules="brief", seed=2).save("game.catan")
    >>> game = load("game.catan")
    >>> game
    <Game of Red, Blue, Green: 262 events, 73 turns, Red has won>
    >>> position = game.position(41)
    >>> position.hands["Blue"], position.legal_moves()[0]
    (<6 cards, at least 1 Lumber, 4 Grain>, TradeFourToOne(player=2, give='Grain', receive='Lumber'))
    """
    _check(path, format, rules)
    first = next(_sources(Path(path), format, rules))
    if isinstance(first, MissingRepository):
        raise StoreError(str(first))
    return first()


def load_all(path: str | Path, format: Format | None = None, rules: str | None = None) -> Iterator[Game]:
    """All games at a path, one after the other: of a file, of a run of ``simulate``, or of a folder of runs.

    See ``load``. If one of several games cannot be read, the others are still yielded, and its error is raised at the
    end.
    """
    _check(path, format, rules)
    return _all(Path(path), format, rules)


def _check(path: object, format: object, rules: object) -> None:
    settings.path("path", path)
    if format is not None:
        settings.word("format", format, FORMATS)
    if rules is not None:
        settings.rules(rules)


def _all(path: Path, format: Format | None, rules: str | None) -> Iterator[Game]:
    failed: list[StoreError | NotationError] = []
    for source in _sources(path, format, rules):
        try:
            if isinstance(source, MissingRepository):
                raise StoreError(str(source))
            game = source()
        except (StoreError, NotationError) as error:
            failed.append(error)
        else:
            yield game
    if len(failed) == 1:
        raise failed[0]
    if failed:
        raise StoreError("; ".join(map(str, failed)))


def _sources(path: Path, format: Format | None, rules: str | None) -> Iterator[Callable[[], Game] | MissingRepository]:
    """Missing repositories, then a function that reads each game at the path, in order."""
    if not path.exists():
        raise NotThere(f"{path}: no such file or folder")
    if path.is_dir():
        games, lacking = find_games(path)
        yield from lacking
        yield from (partial(_of_repository, game.repositories) for game in games)
        return
    with disk.explained("read", path), open_game_file(path) as file:
        texts = list(_games_in(as_text(file).read()))
    line = 0
    for text in texts:
        yield partial(_of_file, path, text, line, format, rules)
        line += text.count("\n")


def _of_repository(replicas: Sequence[Path]) -> Game:
    path = newest_of(replicas)
    return _of_view(load_view(path), path) if is_view(path) else Game.open(path)


def _of_file(path: Path, text: str, first_line: int, format: Format | None, rules: str | None) -> Game:
    """The game in a part of a file, before which the file has ``first_line`` lines."""
    try:
        return _of_text(text, first_line, format, rules)
    except NotationError as error:
        error.file = str(path)
        error.line += first_line * bool(error.line)
        raise


def _of_text(text: str, first_line: int, format: Format | None, rules: str | None) -> Game:
    findings: list[NotationFinding] = []

    def note(error: NotationError) -> None:
        findings.append(NotationFinding(error.line, error.column, "format", error.reason))

    source = read_file(StringIO(text, newline="\n"), format, on_error=note)
    events = [source.start, *source.events]
    imported = import_game(events, source.format, rules, findings)
    headers, comments = _comments(text)
    found = [_moved(finding, first_line) for finding in imported.view.findings]
    if imported.constants is None:
        return _of_view(imported.view, None, found, headers, comments, imported.why_view or "")
    steps, state = [], initial_state(imported.constants)
    first = state
    for played in imported.played:
        steps.append(Step(None, played.action, state, played.state))
        state = played.state
    return Game(
        imported.view.names,
        first,
        steps,
        findings=list(map(str, found)),
        names=view_names(imported.view),
        headers={**_told(imported.view), **headers},
        comments=_placed(comments, _lines_of_actions(imported)),
        imported=imported,
    )


def _moved(finding: NotationFinding, lines: int) -> NotationFinding:
    return finding._replace(line=finding.line + lines) if finding.line else finding


def _of_view(
    view: FileView,
    path: Path | None,
    findings: Sequence[NotationFinding] | None = None,
    headers: Mapping[str, str] | None = None,
    comments: Mapping[int, str] | None = None,
    why: str = "",
) -> Game:
    left = view.open_events()
    why = why or (f"it does not say {tell_open(left)}" if left else "it is a public view")
    return game_of_view(
        public_of(view, why),
        path,
        list(map(str, view.findings if findings is None else findings)),
        {**_told(view), **(headers or {})},
        _placed(comments or {}, [step.event.line for step in view.steps]),
    )


def _told(view: FileView) -> dict[str, str]:
    """The headers that follow from a file's game itself."""
    start = view.start
    return {
        "Format": TITLES[view.format],
        **({"Date": start.started.isoformat(" ", "seconds")} if start.started else {}),
        "Rules": view.rules,
        **dict(start.headers),
    }


def _lines_of_actions(imported: ImportedGame) -> list[int]:
    """The line of each action of a replayed game."""
    lines: list[int] = []
    for step, count in zip(imported.view.steps, imported.counts, strict=False):
        lines += [step.event.line] * count
    # Actions that only end the game belong to no event of the file; they get its last line.
    return lines + lines[-1:] * (len(imported.played) - len(lines))


def _placed(comments: Mapping[int, str], lines: Sequence[int]) -> dict[int, str]:
    """Comments by the number of steps before them; those with the same number are joined."""
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
