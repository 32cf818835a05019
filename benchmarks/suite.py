"""All benchmarks by name, each a function that returns rows; for modules without one, the rows are made here."""

from __future__ import annotations

import importlib
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from benchmarks.rows import Row

Benchmark = Callable[[bool], list[Row]]
"""Takes whether to run quickly."""


class Unavailable(Exception):
    """The benchmark cannot run here; the message says what is missing."""


def _own(module: str) -> Benchmark:
    def run(quick: bool) -> list[Row]:
        found: list[Row] = _module(module).rows(quick=quick)
        return found

    return run


def _module(name: str) -> Any:
    try:
        return importlib.import_module(f"benchmarks.{name}")
    except ModuleNotFoundError as error:
        raise Unavailable(f"{error.name} is missing") from None


def _engine(quick: bool) -> list[Row]:
    module = _module("engine")
    try:
        importlib.import_module("catanatron")
    except ImportError:
        raise Unavailable("catanatron is missing: pip install 'catan-p2p[bench]'") from None
    found = []
    for players in (2, 4):
        one = module.compare(players, 3 if quick else 7, 0.3 if quick else 0.7, 1)
        note = f"ratios {one.ratio_min:.2f} to {one.ratio_max:.2f}"
        title = f"random play without Git, invariants on, {players} players"
        found.append(Row(title, one.actions_per_s, "actions/s", "catanatron, ticks", one.ticks_per_s, ">= 1", note))
    return found


def _log_floor(quick: bool) -> list[Row]:
    module = _module("log_floor")
    actions = list(module.SyntheticGame(0).actions(300 if quick else 1000))
    with tempfile.TemporaryDirectory(prefix="catan-p2p-bench-") as temporary:
        one = module.compare(actions, Path(temporary), 3 if quick else 5)
    total_ms = one.store_ms + one.fold_ms
    title = "storing a synthetic action"
    return [
        Row(title, total_ms, "ms", "hash, deflate, append", one.floor_plain_ms),
        Row(f"{title}, deflating alike", total_ms, "ms", "the same with the store's deflate", one.floor_ms),
    ]


def _sync(quick: bool) -> list[Row]:
    module = _module("sync")
    found = []
    for transport in ("path", "git"):
        with tempfile.TemporaryDirectory(prefix="catan-p2p-bench-") as temporary:
            one = module.measure(Path(temporary), transport, 15 if quick else 60)
        link = "a path" if transport == "path" else "git://"
        target = "<= 0.3" if transport == "path" else ""
        note = f"{one['hand_overs']} hand-overs, {one['commits']} commits"
        theirs = "git fetch"
        found += [
            Row(f"hand-over over {link}", one["peer_ms"], "ms", theirs, one["git_fetch_ms"], target, note),
            Row(f"nothing new over {link}", one["peer_nothing_new_ms"], "ms", theirs, one["git_fetch_nothing_new_ms"]),
        ]
    return found


def _tlc(quick: bool) -> list[Row]:
    module = _module("tlc")
    from catan_p2p.model_check.tlc import TlcError

    try:
        found: list[Row] = module.rows(quick=quick)
    except TlcError as error:
        raise Unavailable(str(error)) from None
    return found


SUITE: dict[str, Benchmark] = {
    "start": _own("start"),
    "engine": _engine,
    "flat": _own("flat"),
    "environment": _own("environment"),
    "log_floor": _log_floor,
    "logged": _own("logged"),
    "size": _own("size"),
    "overhead": _own("overhead"),
    "memory": _own("memory"),
    "measuring": _own("measuring"),
    "sync": _sync,
    "durability": _own("durability"),
    "chance": _own("chance"),
    "hidden": _own("hidden"),
    "leaving": _own("leaving"),
    "sealing": _own("sealing"),
    "tlc": _tlc,
    "notation": _own("notation"),
    "viewer": _own("viewer"),
    "growth": _own("growth"),
    "lmu": _own("lmu"),
}
"""In the order in which they run."""
