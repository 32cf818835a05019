"""How many states a second TLC generates from the specification, beside the program's own engine on the same states."""

from __future__ import annotations

import re
import time

from benchmarks.rows import Row
from catan_p2p.model_check.exploration import explore
from catan_p2p.model_check.models import FULL_GAME, model_named, read_start
from catan_p2p.model_check.tlc import Tlc

THESIS_STATES_PER_S = 550_000 / 60
"""What the thesis publishes for its own specification (section 5.2.1), on its own machine."""


def rows(*, quick: bool = False) -> list[Row]:
    """A small model explored whole with one worker, and whole games at random."""
    tlc = Tlc.find()
    found = []
    for name in ("MCSeven",) if quick else ("MCSeven", "MCProgress"):
        model = model_named(name)
        assert model is not None
        result = tlc.run(model.module_file, model.config_file, model.arguments())
        _, start = read_start(result.printed)
        begin = time.perf_counter()
        size = explore(start)
        ours_s = time.perf_counter() - begin
        note = f"{result.distinct:,} distinct of {result.generated:,}; TLC with its start"
        value = size.generated / ours_s
        beside = result.generated / result.elapsed_s
        title = f"exploring the model {name} with the program's engine"
        found.append(Row(title, value, "states/s", "TLC, one worker", beside, note=note))
    games = 1 if quick else 3
    result = tlc.run(FULL_GAME.module_file, FULL_GAME.config_file, FULL_GAME.arguments(seed=1, games=games))
    generated = max(_simulated(message.text) for message in result.messages)
    found.append(
        Row(
            "TLC, whole games at random", generated / result.elapsed_s, "states/s", "thesis, published",
            THESIS_STATES_PER_S, note=f"{games} games, {generated:,} states, all invariants, one worker",
        )
    )  # fmt: skip
    return found


def _simulated(text: str) -> int:
    """How many states a message of a simulation says it has generated, 0 if it says nothing of it."""
    count = re.search(r"([\d,]+) states generated", text)
    return int(count[1].replace(",", "")) if count else 0
