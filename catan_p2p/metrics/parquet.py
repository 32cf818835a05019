"""Writes the tables as Parquet files for data frames (extra ``frames``); unlike CSV, they keep the types of columns."""

from dataclasses import asdict
from pathlib import Path
from typing import Any

import pyarrow
import pyarrow.parquet

from catan_p2p.log.storage import disk
from catan_p2p.metrics.collection import ACTIONS_FILE, GAMES_FILE
from catan_p2p.metrics.rows import ActionRow, GameRow, read_rows


def write_parquet(folder: Path) -> tuple[Path, Path]:
    """Write the tables of ``folder`` as Parquet beside them; ``StoreError`` if they cannot be read or written."""
    games = (_flat(row) for row in read_rows(folder / GAMES_FILE, GameRow))
    actions = (asdict(row) for row in read_rows(folder / ACTIONS_FILE, ActionRow))
    written = (folder / GAMES_FILE).with_suffix(".parquet"), (folder / ACTIONS_FILE).with_suffix(".parquet")
    for path, rows in zip(written, (games, actions), strict=True):
        with disk.written_whole(path) as beside:
            pyarrow.parquet.write_table(pyarrow.Table.from_pylist(list(rows)), beside)
    return written


def _flat(row: GameRow) -> dict[str, Any]:
    plain = asdict(row)
    return {**{name: value for name, value in plain.items() if name != "counts"}, **plain["counts"]}
