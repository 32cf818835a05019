"""The tables of games and of actions: their rows, and their CSV files."""

from __future__ import annotations

import csv
import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, TypeVar

from catan_p2p.game.actions import KIND_OF
from catan_p2p.game.cards import DEV_CARDS, RESOURCES
from catan_p2p.log.storage.objects import StoreError
from catan_p2p.metrics.tables import open_csv

DICE_SUMS = range(2, 13)
COSTS = ("choose_s", "apply_s", "check_s", "write_s")
"""What an action costs its own peer, by purpose."""


@dataclass(frozen=True, slots=True)
class ActionRow:
    """One action: who did what when, what it changed, and what it cost. A value that was not recorded is None.

    ``step`` counts the commits of a game from 1, ``turn`` its turns, 0 for the set-up. ``dice`` is the sum of a roll,
    ``gained`` the number of cards that the bank gave out for it. ``points`` are the acting player's after the action.
    For ``diff_bytes``, ``changed_object_count`` and ``pack_bytes`` see ``metrics.deltas.StorageDelta``. A game that
    was resumed has only the times of later actions. All times are those of the acting peer except ``sync_s``: the time
    of all other peers together to accept the action. If a synchronization brought several commits, each counts an equal
    share.
    """

    run: str
    game: int
    step: int
    commit: str
    parent_count: int
    player: int
    colour: str
    action: str
    parameters: str
    turn: int
    phase: str
    dice: int | None
    gained: int | None
    points: int
    diff_bytes: int
    changed_object_count: int
    pack_bytes: int
    choose_s: float | None
    apply_s: float | None
    check_s: float | None
    write_s: float | None
    sync_s: float | None


@dataclass(frozen=True, slots=True)
class GameRow:
    """One game. Sizes are in bytes, times in seconds; a value that was not measured or recorded is None.

    ``disk_bytes`` and the next three are the sizes of ``.git`` at the end (see ``metrics.storage.FolderSizes``), those
    with ``gc_`` the same after ``git gc`` of a copy. ``diff_bytes`` and ``pack_bytes_alone`` sum up the deltas of all
    commits, ``sent_bytes`` what Git sends to one peer for all ``hand_overs``. With separate repositories, sizes are
    those of the first player's; ``fetches`` and ``bytes_received`` are those of all peers together.
    If a game was ``resumed``, only its last part was recorded, so all times and counts of what peers did
    (``tries``, ``fetches``, ``bytes_received``, ``syncs``) are None. ``branches`` is a digest that tells whether the
    repository has changed since. ``closed`` names the players whose hidden cards are not open, and why; it is
    empty if all are open. ``counts`` become columns of their own.
    """

    run: str
    game: int
    seed: int | None
    players: int
    policies: str
    rules: str
    topology: str
    winner: str
    points: str
    actions: int
    commits: int
    turns: int
    rejected: int
    disk_bytes: int
    file_bytes: int
    pack_bytes: int
    index_bytes: int
    gc_disk_bytes: int | None
    gc_file_bytes: int | None
    gc_pack_bytes: int | None
    diff_bytes: int
    empty_diffs: int
    changed_object_count: int
    pack_bytes_alone: int
    hand_overs: int | None
    sent_bytes: int | None
    elapsed_s: float | None
    computing_s: float | None
    synchronizing_s: float | None
    waiting_s: float | None
    fetches: int | None
    bytes_received: int | None
    syncs: int | None
    syncs_with_news: int | None
    sync_with_news_s: float | None
    sync_without_news_s: float | None
    choose_s: float | None
    apply_s: float | None
    check_s: float | None
    write_s: float | None
    tries: int | None
    findings: int | None
    resumed: bool | None
    head: str
    branches: str
    closed: str = ""
    counts: Mapping[str, int] = field(default_factory=dict)
    """Actions by kind (``BuildRoad``), rolls by sum (``dice_7``), resource cards given out by the bank for rolls and
    the set-up (``gained_Wool``), development cards bought (``bought_Knight``, ``bought_sealed`` if nobody knows
    which); all of ``COUNTS``."""


COUNTS: tuple[str, ...] = (
    *(kind.name for kind in KIND_OF.values()),
    *(f"dice_{dice}" for dice in DICE_SUMS),
    *(f"gained_{resource}" for resource in RESOURCES),
    *(f"bought_{card}" for card in (*DEV_CARDS, "sealed")),
)

_LATER_COUNTS = (*(kind.name for kind in KIND_OF.values() if kind.cls.rule is not None), "bought_sealed")
_LATER_TEXTS = ("closed",)
"""The columns that older tables lack; their games had nothing of the kind."""


def _count(cells: Mapping[str, str], name: str) -> int:
    return 0 if name in _LATER_COUNTS and name not in cells else int(cells[name])


_Row = TypeVar("_Row", bound=ActionRow | GameRow)


def write_rows(path: Path, row_type: type[_Row], rows: Iterable[_Row]) -> None:
    """Write a table as CSV with a header and a row each, None as an empty cell; ``StoreError`` if that fails."""
    with open_table(path, row_type) as write:
        for row in rows:
            write(row)


@contextmanager
def open_table(path: Path, row_type: type[_Row]) -> Iterator[Callable[[_Row], None]]:
    """Open a table; yields a function that writes one row. The file appears when all rows are written.

    ``StoreError`` if it cannot be written.
    """
    with open_csv(path, tuple(kinds_of(row_type))) as write:
        yield lambda row: write(cells_of(row))


def kinds_of(row_type: type[Any]) -> dict[str, str]:
    """The columns of a table, in order, with the annotation of their values."""
    return _KINDS[row_type]


def _kinds(row_type: type[ActionRow | GameRow]) -> dict[str, str]:
    plain = {one.name: str(one.type) for one in fields(row_type) if one.name != "counts"}
    return plain | (dict.fromkeys(COUNTS, "int") if row_type is GameRow else {})


_KINDS = {row_type: _kinds(row_type) for row_type in (ActionRow, GameRow)}


def cells_of(row: ActionRow | GameRow) -> Iterator[object]:
    """The values of a row, in the order of its columns."""
    counts: Mapping[str, int] = getattr(row, "counts", {})
    return (counts[name] if name in counts else getattr(row, name) for name in kinds_of(type(row)))


def read_rows(path: Path, row_type: type[_Row]) -> Iterator[_Row]:
    """The rows of a table, read one at a time; ``StoreError`` with the line if the file is not such a table."""
    readers = {name: _READERS[kind] for name, kind in kinds_of(row_type).items() if name not in COUNTS}
    try:
        with path.open(encoding="utf-8", newline="") as file:
            for number, cells in enumerate(csv.DictReader(file), 2):  # line 1 is the header
                try:
                    values: dict[str, Any] = {name: _read(cells, name, read) for name, read in readers.items()}
                    if row_type is GameRow:
                        values["counts"] = {name: _count(cells, name) for name in COUNTS}
                        _check_game(values)
                except (KeyError, TypeError, ValueError) as error:
                    raise StoreError(f"{path}, line {number}: not a row of this table: {error}") from None
                yield row_type(**values)
    except OSError as error:
        raise StoreError(f"{path}: cannot read: {error.strerror or error}") from error
    except (UnicodeDecodeError, csv.Error) as error:
        raise StoreError(f"{path}: not a table: {error}") from None


def _read(cells: Mapping[str, str], name: str, read: Callable[[str], object]) -> object:
    try:
        return read(cells.get(name, "") if name in _LATER_TEXTS else cells[name])
    except (TypeError, ValueError) as error:
        raise ValueError(f"{name}: {error}") from None


def _check_game(values: Mapping[str, Any]) -> None:
    for name in ("players", "actions", "commits"):
        if values[name] < 1:
            raise ValueError(f"{name}: {values[name]}")
    if not all(points.isdecimal() for points in values["points"].split()):
        raise ValueError(f"points: {values['points']!r}")


def _duration(text: str) -> float:
    value = float(text)
    if not (math.isfinite(value) and value >= 0):
        raise ValueError(f"{text}, expected seconds")
    return value


def _truth(text: str) -> bool:
    return {"True": True, "False": False}[text]


_READERS: dict[str, Any] = {
    "str": str,
    "int": int,
    "int | None": lambda text: int(text) if text else None,
    "float | None": lambda text: _duration(text) if text else None,
    "bool | None": lambda text: _truth(text) if text else None,
}
