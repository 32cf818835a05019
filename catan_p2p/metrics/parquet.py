"""Writes the tables as Parquet files for data frames (extra ``frames``); unlike CSV, they keep the types of columns."""

from dataclasses import asdict, fields
from pathlib import Path
from typing import Any

import pyarrow
import pyarrow.parquet

from catan_p2p.log.storage import disk
from catan_p2p.metrics.collection import ACTIONS_FILE, GAMES_FILE
from catan_p2p.metrics.rows import COUNTS, ActionRow, GameRow, read_rows


def type_of(kind: str) -> Any:
    """The type of a column whose values are annotated so, such as ``int | None``, whether or not there are any."""
    kinds = {"str": pyarrow.string(), "int": pyarrow.int64(), "float": pyarrow.float64(), "bool": pyarrow.bool_()}
    return kinds[kind.partition(" ")[0]]


def write_parquet(folder: Path) -> tuple[Path, Path]:
    """Write the tables of ``folder`` as Parquet beside them; ``StoreError`` if they cannot be read or written."""
    written = []
    for name, row_type, counts in ((GAMES_FILE, GameRow, COUNTS), (ACTIONS_FILE, ActionRow, ())):
        plain = [(one.name, type_of(str(one.type))) for one in fields(row_type) if one.name != "counts"]
        schema = pyarrow.schema([*plain, *((count, pyarrow.int64()) for count in counts)])
        rows = [_flat(row) for row in read_rows(folder / name, row_type)]
        written.append((folder / name).with_suffix(".parquet"))
        with disk.written_whole(written[-1]) as beside:
            pyarrow.parquet.write_table(pyarrow.Table.from_pylist(rows, schema), beside)
    return written[0], written[1]


def _flat(row: GameRow | ActionRow) -> dict[str, Any]:
    plain = asdict(row)
    return {**{name: value for name, value in plain.items() if name != "counts"}, **plain.get("counts", {})}
