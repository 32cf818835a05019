"""Writes tables as CSV and as Parquet, row by row; unlike CSV, Parquet keeps the types of columns."""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib.util import find_spec
from itertools import islice
from pathlib import Path
from typing import Any

from catan_p2p.log.storage import disk

_AT_ONCE = 10_000
"""At most this many rows of a Parquet file are in memory."""


@contextmanager
def open_csv(path: Path, columns: Sequence[str]) -> Iterator[Callable[[Iterable[object]], None]]:
    """Open a CSV file; yields a function that writes the values of one row, None as an empty cell.

    The file appears when all rows are written. ``StoreError`` if it cannot be written.
    """
    with disk.written_whole(path) as beside, beside.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(columns)
        yield lambda row: writer.writerow(map(_spell, row))


def write_csv(path: Path, columns: Sequence[str], rows: Iterable[Iterable[object]]) -> None:
    """Write a whole CSV file, as ``open_csv`` does."""
    with open_csv(path, columns) as write:
        for row in rows:
            write(row)


def _spell(value: object) -> object:
    if value is None:
        return ""
    return f"{value:.7f}" if isinstance(value, float) else value


def has_parquet() -> bool:
    """Whether Parquet files can be written: the extra ``frames`` is installed."""
    return find_spec("pyarrow") is not None


def write_parquet(path: Path, kinds: Mapping[str, str], rows: Iterable[Iterable[object]]) -> None:
    """Write rows as a Parquet file; ``ImportError`` without pyarrow, ``StoreError`` if it cannot be written.

    ``kinds`` has the annotation of each column's values, such as ``int | None``, whether or not there are any.
    Numbers have 64 bits.
    """
    import pyarrow
    import pyarrow.parquet

    types = {"str": pyarrow.string(), "int": pyarrow.int64(), "float": pyarrow.float64(), "bool": pyarrow.bool_()}
    plain = {name: kind.partition(" ")[0] for name, kind in kinds.items()}
    schema = pyarrow.schema([(name, types[kind]) for name, kind in plain.items()])
    named = (dict(zip(plain, map(_typed, row, plain.values()), strict=True)) for row in rows)
    with disk.written_whole(path) as beside, pyarrow.parquet.ParquetWriter(beside, schema) as writer:
        while batch := list(islice(named, _AT_ONCE)):
            writer.write_table(pyarrow.Table.from_pylist(batch, schema))


def _typed(value: Any, kind: str) -> object:
    if value is None or kind not in ("str", "float"):
        return value
    return str(value) if kind == "str" else float(value)
