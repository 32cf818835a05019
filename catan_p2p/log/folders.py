"""Finds the games at a path: one game, the games of a run, or those of the runs in a folder."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import NamedTuple

from catan_p2p.log.refs import COLOURS
from catan_p2p.log.storage import disk
from catan_p2p.log.storage.objects import StoreError
from catan_p2p.log.storage.store import GitStore

RESULTS_FILE = "games.jsonl"
"""In the folder of a run: one line for each game that has ended."""
_GAME_FOLDER = re.compile(r"Catan_(0|[1-9][0-9]*)")


class GamePath(NamedTuple):
    """The folder of a game, with its name and that of its run, and its repositories: one, or one per player."""

    run: str
    folder: Path
    name: str
    repositories: tuple[Path, ...]

    @property
    def path(self) -> Path:
        """The repository; of separate ones, the first player's."""
        return self.repositories[0]

    @property
    def is_shared(self) -> bool:
        """Whether all players write to one repository."""
        return self.path == self.folder


class MissingRepository(NamedTuple):
    """A repository that should exist but does not, or that cannot be opened, and why."""

    path: Path
    why: str

    def __str__(self) -> str:
        return f"{self.path}: {self.why}"


class FoundGames(NamedTuple):
    """The games at a path, in order, and the missing repositories: at least one of the two is not empty."""

    games: tuple[GamePath, ...]
    lacking: tuple[MissingRepository, ...] = ()


def find_games(path: Path) -> FoundGames:
    """Find the games at ``path``: itself, the games in it, or the games of the runs in it; ``StoreError`` if none.

    A recorded run is expected to hold all games that have ended, and everything with a game's name to be one. A path
    that is a repository itself is not opened.
    """
    with disk.explained("read", path):
        if not path.is_dir():
            raise StoreError(f"{path}: {'not a folder' if path.exists() else 'no such folder'}")
        if is_repository(path):
            return FoundGames((_game(path, (path,)),))
        if _has_seats(path):
            return _look_into(path, 0)
        found = _games_of_run(path)
        if found is None:
            found = _games_of_runs(path)
    if found is None:
        raise StoreError(f"{path}: not a game, and it contains neither a game Catan_<n> nor a run with games")
    return found


def replicas_in(path: Path) -> tuple[Path, ...]:
    """Return the players' repositories in a folder, called ``Red`` or ``red``, by seat; none in a repository."""
    with disk.explained("read", path):
        if not path.is_dir() or is_repository(path):
            return ()
        return tuple(child for child in _seat_paths(path).values() if is_repository(child))


def is_game(path: Path) -> bool:
    """Whether there is one game at ``path``: its repository, or those of its players."""
    return path.is_dir() and (is_repository(path) or _has_seats(path))


def _games_of_runs(path: Path) -> FoundGames | None:
    """Find the games of the runs in a folder; an unreadable folder in it counts as missing, if there is any run."""
    games: list[GamePath] = []
    lacking: list[MissingRepository] = []
    has_runs = False
    for child in sorted(path.iterdir()):
        try:
            found = _games_of_run(child) if child.is_dir() else None
        except OSError as error:
            lacking.append(MissingRepository(child, f"cannot read: {disk.reason(error)}"))
            continue
        if found is not None:
            has_runs = True
            games += found.games
            lacking += found.lacking
    return FoundGames(tuple(games), tuple(lacking)) if has_runs else None


def _games_of_run(folder: Path) -> FoundGames | None:
    """Find the games of a run, None if the folder is not one."""
    players, lacking = _recorded(folder / RESULTS_FILE)
    names = {child.name for child in folder.iterdir() if _GAME_FOLDER.fullmatch(child.name)}
    names |= {f"Catan_{number}" for number in players}
    if not names:
        return None
    games: list[GamePath] = []
    for name in sorted(names, key=_by_number):
        found = _look_into(folder / name, players.get(_by_number(name)[0], 0))
        games += found.games
        lacking += found.lacking
    return FoundGames(tuple(games), tuple(lacking))


def _by_number(name: str) -> tuple[int, str]:
    return int(name.removeprefix("Catan_")), name


def _look_into(folder: Path, players: int) -> FoundGames:
    """Return the game in ``folder``: its repository, or those of its players, at least ``players`` of them."""
    try:
        named = {} if is_repository(folder) else _seat_paths(folder)
    except OSError as error:
        return FoundGames((), (MissingRepository(folder, f"cannot read: {disk.reason(error)}"),))
    expected = COLOURS[:players] if named else ()
    # Nothing is expected by colour in a game with one repository for all.
    seats = [named.get(colour, folder / colour) for colour in COLOURS if colour in named or colour in expected]
    trouble = {path: _trouble(path) for path in seats or [folder]}
    repositories = tuple(path for path, why in trouble.items() if why is None)
    lacking = tuple(MissingRepository(path, why) for path, why in trouble.items() if why is not None)
    return FoundGames((_game(folder, repositories),) if repositories else (), lacking)


def _game(folder: Path, repositories: tuple[Path, ...]) -> GamePath:
    whole = folder.resolve()
    return GamePath(whole.parent.name, folder, whole.name, repositories)


def is_repository(path: Path) -> bool:
    """Whether a path looks like a repository; ``OSError`` if that cannot be found out."""
    return _is_there(path / ".git") or _is_there(path / "HEAD")


def _has_seats(folder: Path) -> bool:
    """Whether a folder holds a player's repository, or something that could be one but cannot be read."""
    try:
        return any(map(is_repository, _seat_paths(folder).values()))
    except OSError:
        return True


def _seat_paths(folder: Path) -> dict[str, Path]:
    """Return the entries of a folder with a colour as their name, ``Red`` or ``red``, in the order of seats."""
    try:
        names = sorted((child.name for child in folder.iterdir()), reverse=True)
    except (FileNotFoundError, NotADirectoryError):
        return {}
    named = {name.capitalize(): folder / name for name in names}  # of Red and red the first
    return {colour: named[colour] for colour in COLOURS if colour in named}


def _is_there(path: Path) -> bool:
    """Whether there is anything at ``path``; ``OSError`` if that cannot be found out."""
    # lstat, since a link that leads nowhere is there, too.
    try:
        path.lstat()
    except (FileNotFoundError, NotADirectoryError):
        return False
    return True


def _trouble(path: Path) -> str | None:
    """Why the repository at ``path`` cannot be opened, None if it can."""
    try:
        GitStore.open(path, writer=None).close()
    except StoreError as error:
        return str(error).removeprefix(f"{path}: ")
    return None


def _recorded(path: Path) -> tuple[dict[int, int], list[MissingRepository]]:
    """Return the number of players of each recorded game, by its number, and the lines that record no game.

    An unfinished last line, left by a killed process, does not count.
    """
    try:
        lines = (disk.read(path) or b"").split(b"\n")[:-1]
    except OSError as error:
        return {}, [MissingRepository(path, f"cannot read: {disk.reason(error)}")]
    players: dict[int, int] = {}
    lacking = []
    for i, line in enumerate(lines, 1):
        try:
            result = json.loads(line)
            number, count = result["game"], result["players"]
            if type(number) is not int or type(count) is not int or number < 0:
                raise ValueError("not numbers")
            players[number] = count
        except (ValueError, KeyError, TypeError, RecursionError):
            lacking.append(
                MissingRepository(path, f"line {i}: not a game's result: {line[:80].decode('utf-8', 'replace')!r}")
            )
    return players, lacking
