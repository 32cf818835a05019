"""Rows that got slower than the quick results last kept on the same machine.

Each machine has one file, results/quick/<processor>-<cores>-cores-python-<version>.json. A row is compared by its ratio
if it has one, because both numbers come from the same run, otherwise by its value.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from benchmarks.rows import Row, spell

TIME, SIZE = 1.5, 1.05
"""A row is reported if its time or its size has grown by more than this factor. Times vary from run to run."""

_SIZES = ("B", "kB/table", "MB", "")


@dataclass(frozen=True, slots=True)
class Slower:
    """A row that got worse: the old and the new figure, and the factor."""

    name: str
    what: str
    was: str
    now: str
    times: float

    def __str__(self) -> str:
        return f"{self.name}: {self.what}: {self.was} became {self.now}, {self.times:.2f} times worse"


def worse(name: str, before: Iterable[Row], now: Iterable[Row]) -> list[Slower]:
    """The rows of one benchmark that got worse, the worst first. Rows that only one of the runs has are ignored."""
    known = {(row.what, row.beside): row for row in before}
    found = []
    for row in now:
        was = known.get((row.what, row.beside))
        if was is None or was.unit != row.unit:
            continue
        old, new = _figure(was), _figure(row)
        if min(old, new) <= 0:
            continue
        times = old / new if row.unit.endswith("/s") else new / old
        if times > (SIZE if row.unit in _SIZES else TIME):
            unit = f" {row.unit}" if row.ratio is None else f" times {row.beside}"
            found.append(Slower(name, row.what, spell(old) + unit, spell(new) + unit, times))
    return sorted(found, key=lambda one: -one.times)


def _figure(row: Row) -> float:
    return row.value if row.ratio is None else row.ratio


def path_of(machine: Mapping[str, object], results: Path) -> Path:
    """The file of a machine's quick results, named by processor, cores and minor version of Python."""
    python = ".".join(str(machine["python"]).split(".")[:2])
    name = f"{machine['processor']} {machine['cores']} cores python {python}"
    return results / "quick" / f"{re.sub(r'[^a-z0-9.]+', '-', name.lower()).strip('-')}.json"
