"""Play a covering array and print what was run and what it found: ``python -m tests.matrix --strength 2``."""

import argparse
import sys
from collections import Counter
from pathlib import Path

from tests.matrix.factors import Row, rows
from tests.matrix.playing import Result, run_rows


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="python -m tests.matrix",
        description="Play whole games over all pairs or triples of what a game can be, and run every verb on what "
        "comes out. Exit code 1 if anything was found.",
    )
    parser.add_argument("--strength", type=int, choices=(2, 3), default=2, help="pairs or triples (default: 2)")
    parser.add_argument("--real", action="store_true", help="games of real processes instead of simulated ones")
    parser.add_argument("--rows", metavar="A:B", default=":", help="only these rows, from 0 (default: all)")
    parser.add_argument("--jobs", type=int, default=1, help="processes (default: 1)")
    parser.add_argument("--keep", type=Path, metavar="DIR", help="keep the repositories of rows that find something")
    parser.add_argument("--list", action="store_true", help="only print the rows")
    args = parser.parse_args()
    first, _, last = args.rows.partition(":")
    chosen = [*enumerate(rows(args.strength, real=args.real))][int(first or 0) : int(last) if last else None]
    print(_line("row", *Row._fields, "ending", "happened", "actions", "verbs", "CPU s", "found"))
    if args.list:
        for number, row in chosen:
            print(_line(number, *row))
        return 0
    totals: Counter[str] = Counter()
    for result in run_rows(chosen, args.jobs, args.keep):
        _show(result)
        totals.update(rows=1, found=len(result.findings), actions=result.actions, verbs=result.verbs)
        totals[result.ending] += 1
        totals["happened"] += result.has_happened
    print(", ".join(f"{name} {count}" for name, count in totals.items()), file=sys.stderr)
    return 1 if totals["found"] else 0


def _show(result: Result) -> None:
    happened = "yes" if result.has_happened else "no"
    end = (result.ending, happened, result.actions, result.verbs, f"{result.cpu_s:.1f}", len(result.findings))
    print(_line(result.number, *result.row, *end), flush=True)
    for finding in result.findings:
        print(f"    row {result.number}: {finding}", file=sys.stderr, flush=True)


def _line(*cells: object) -> str:
    return "| " + " | ".join(map(str, cells)) + " |"


if __name__ == "__main__":
    sys.exit(main())
