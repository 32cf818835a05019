"""What got slower than the quick results that were last kept on the same machine.

One file a machine, results/quick/<processor>-<cores>-python-<version>.json: quick results, each with its day. A row is
compared by its ratio if it has one, since both were measured in one run, and else by its value.
"""

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.rows import Row, spell

TIME, SIZE = 1.5, 1.05
"""How many times worse is told of: what takes time differs from run to run, on a machine of one's own by a third."""

_SIZES = ("B", "kB/table", "MB", "")


@dataclass(frozen=True, slots=True)
class Slower:
    """A row that got worse: how it was, how it is, and how many times worse that is."""

    name: str
    what: str
    was: str
    now: str
    times: float

    def __str__(self) -> str:
        return f"{self.name}: {self.what}: {self.was} became {self.now}, {self.times:.2f} times worse"


def worse(name: str, before: Iterable[Row], now: Iterable[Row]) -> list[Slower]:
    """What got worse in one benchmark, the worst first; rows of one of the two runs only are not compared."""
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
    """Where the quick results of a machine are kept: by processor, cores and minor version of Python."""
    python = ".".join(str(machine["python"]).split(".")[:2])
    name = f"{machine['processor']} {machine['cores']} cores python {python}"
    return results / "quick" / f"{re.sub(r'[^a-z0-9.]+', '-', name.lower()).strip('-')}.json"


def keep(path: Path, machine: Mapping[str, object], name: str, result: Mapping[str, Any]) -> None:
    """Keep the quick result of one benchmark in place of the one before."""
    path.parent.mkdir(parents=True, exist_ok=True)
    kept = kept_at(path)
    kept[name] = {"date": machine["date"], "catan_p2p": machine["catan_p2p"], "load": result["load"]}
    kept[name]["rows"] = result["rows"]
    path.write_text(json.dumps(kept, indent=1, sort_keys=True) + "\n", encoding="utf-8")


def kept_at(path: Path) -> dict[str, dict[str, Any]]:
    """What was last kept on a machine, by benchmark; empty if nothing was."""
    try:
        found: dict[str, dict[str, Any]] = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    return found
