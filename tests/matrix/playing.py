"""A row from its game to what was found: played, every verb run on what came out, and one line about it."""

import shutil
import tempfile
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import NamedTuple

from tests.campaigns import collect_seldom
from tests.matrix.factors import Row, rule_text
from tests.matrix.laboratory import play_simulated
from tests.matrix.processes import play_real
from tests.matrix.verbs import examine_all, examine_relay


class Result(NamedTuple):
    """What came of one row."""

    number: int
    row: Row
    ending: str
    has_happened: bool
    actions: int
    verbs: int
    cpu_s: float
    findings: tuple[str, ...]


def run_row(numbered: tuple[int, Row], keep: Path | None = None) -> Result:
    """Play a row and examine its repositories. They stay in ``keep`` if that is given and anything was found."""
    number, row = numbered
    begin = time.process_time()
    folder = Path(tempfile.mkdtemp(prefix="catan-p2p-matrix-"))
    try:
        played = (play_simulated if row.place == "laboratory" else play_real)(row, folder)
        is_over = played.ending == "over"
        examined = examine_all(played.repositories, played.honest, rule_text(row), is_over)
        if played.relay is not None:
            examine_relay(played.relay, examined, is_over)
        findings = (*played.findings, *examined.findings)
        if keep is not None and findings:
            shutil.copytree(folder, keep / f"row-{number}")
    finally:
        shutil.rmtree(folder)
    cpu_s = time.process_time() - begin
    return Result(number, row, played.ending, played.has_happened, played.actions, examined.verbs, cpu_s, findings)


def run_rows(numbered: Sequence[tuple[int, Row]], jobs: int, keep: Path | None = None) -> Iterator[Result]:
    """The results of rows, in order."""
    if jobs == 1:
        yield from map(partial(run_row, keep=keep), numbered)
        return
    with ProcessPoolExecutor(jobs, get_context("spawn"), collect_seldom) as pool:
        yield from pool.map(partial(run_row, keep=keep), numbered)
