"""States per second of TLC with the specification, beside the program's own engine on the same states."""

import os
import tempfile
import time
from pathlib import Path

from benchmarks.games import log_again, record_game
from benchmarks.rows import Row
from catan_p2p.model_check.models import FULL_GAME, MODELS, read_start
from catan_p2p.model_check.recording import read_recording
from catan_p2p.model_check.tlc import TlcProgram
from catan_p2p.model_check.trace import check_recording
from tests.model_check.exploration import explore

THESIS_STATES_PER_S = 110
"""States per second of random games with the thesis's own specification and its four invariants, measured before on one
core of a machine like CI's. (The thesis reports 550,000 a minute for a search, section 5.2.1.)"""
THESIS_INVARIANTS = 4
"""The number of the thesis's invariants, which are our first ones: TypeOK and the three conservation laws."""


def rows(*, quick: bool = False) -> list[Row]:
    """A small model explored completely, random games with one worker and on all cores, a recorded game checked."""
    tlc = TlcProgram.find()
    found = []
    for name in ("MCSeven",) if quick else ("MCSeven", "MCProgress"):
        model = next(model for model in MODELS if model.name == name)
        result = tlc.run(model.module_file, model.config, model.arguments())
        _, start = read_start(result.printed)
        begin = time.perf_counter()
        size, _ = explore(start)
        ours_s = time.perf_counter() - begin
        note = f"{result.distinct:,} distinct of {result.generated:,}; TLC with its start"
        value = size.generated / ours_s
        beside = result.generated / result.elapsed_s
        title = f"exploring the model {name} with the program's engine"
        found.append(Row(title, value, "states/s", "TLC, one worker", beside, note=note))
    games = 1 if quick else 20
    head, _, listed = FULL_GAME.config.partition("INVARIANTS")
    names = listed.split()
    for number, target in ((THESIS_INVARIANTS, ">= 70"), (len(names), "")):
        config = "\n    ".join((f"{head}INVARIANTS", *names[:number])) + "\n"
        result = tlc.run(FULL_GAME.module_file, config, FULL_GAME.arguments(seed=1, games=games))
        title = f"TLC, whole games at random, {number} invariants"
        rate = result.generated / result.elapsed_s
        note = f"{games} games, {result.generated:,} states, one worker, with its start"
        beside = "thesis's specification, measured before"
        found.append(Row(title, rate, "states/s", beside, THESIS_STATES_PER_S, target, note=note))
    cores = os.cpu_count() or 1
    result = tlc.run(FULL_GAME.module_file, FULL_GAME.config, FULL_GAME.arguments(seed=1, games=games), workers=cores)
    title = f"the same {len(names)} with check-spec --simulate: {cores} workers with seeds of their own"
    note = f"{cores * games} games, {result.generated:,} states, with its start"
    found.append(Row(title, result.generated / result.elapsed_s, "states/s", "one worker", rate, note=note))
    with tempfile.TemporaryDirectory(prefix="catan-p2p-bench-") as folder:
        found.append(_trace(Path(folder), tlc, 200 if quick else 1000))
    return found


def _trace(folder: Path, tlc: TlcProgram, actions: int) -> Row:
    """A recorded game of four players, read from its repository and checked as by ``check-trace``."""
    game, recorded = record_game(folder / "games", players=4, seed=1, actions=actions)
    log_again(folder / "game", game, recorded)
    begin = time.perf_counter()
    refusal = check_recording(read_recording(folder / "game"), tlc)
    elapsed_s = time.perf_counter() - begin
    assert refusal is None, refusal
    return Row(f"check-trace of a game of {actions:,} actions", elapsed_s, "s", target="<= 10")
