"""The rows of benchmarks: a value, what it is compared with, and its target."""

import operator
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass

_HOLDS = {"<=": operator.le, ">=": operator.ge, "<": operator.lt, ">": operator.gt}


@dataclass(frozen=True, slots=True)
class Row:
    """One measured value.

    ``beside`` names what was measured in the same run for comparison, ``other`` is its value in the same unit, and
    ``ratio`` is the value divided by ``other``. ``target`` is a condition such as ``<= 3``, on the ratio if there is
    one, otherwise on the value.
    """

    what: str
    value: float
    unit: str
    beside: str = ""
    other: float | None = None
    target: str = ""
    note: str = ""

    @property
    def ratio(self) -> float | None:
        """The value divided by ``other``, None without one."""
        return None if self.other is None else self.value / self.other

    @property
    def is_met(self) -> bool | None:
        """Whether the target holds, None if there is none."""
        if not self.target:
            return None
        sign, limit = self.target.split()
        measured = self.value if self.ratio is None else self.ratio
        return bool(_HOLDS[sign](measured, float(limit.replace(",", ""))))

    def as_json(self) -> dict[str, object]:
        """The row as a JSON object."""
        return {
            "what": self.what,
            "value": self.value,
            "unit": self.unit,
            "beside": self.beside,
            "other": self.other,
            "ratio": self.ratio,
            "target": self.target,
            "is_met": self.is_met,
            "note": self.note,
        }


HEAD = ("what", "value", "beside", "ratio", "target")


def cells(row: Row) -> tuple[str, ...]:
    """The cells of a row in a table."""
    met = {None: "", True: f"{row.target} met", False: f"{row.target} MISSED"}[row.is_met]
    return (
        row.what + (f" ({row.note})" if row.note else ""),
        f"{spell(row.value)} {row.unit}",
        "" if row.other is None else f"{row.beside}: {spell(row.other)}",
        "" if row.ratio is None else spell(row.ratio),
        met,
    )


def spell(value: float) -> str:
    """A value with three digits, or with all digits before the point."""
    if value == 0 or abs(value) >= 100:
        return f"{value:,.0f}"
    return f"{value:.3g}"


def print_rows(rows: Callable[..., Iterable[Row]]) -> int:
    """Print the rows of a benchmark, quick ones if ``--quick`` is given; returns the exit code."""
    print(as_text(rows(quick="--quick" in sys.argv)))
    return 0


def as_text(rows: Iterable[Row]) -> str:
    """A table for a terminal."""
    lines = [HEAD, *map(cells, rows)]
    widths = [max(len(line[column]) for line in lines) for column in range(len(HEAD))]
    right = {1, 3}
    return "\n".join(
        "  ".join(
            cell.rjust(width) if column in right else cell.ljust(width)
            for column, (cell, width) in enumerate(zip(line, widths, strict=True))
        ).rstrip()
        for line in lines
    )


def as_markdown(rows: Iterable[Row]) -> str:
    """A table in Markdown."""
    lines = [HEAD, ("---", "---:", "---", "---:", "---"), *map(cells, rows)]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)
