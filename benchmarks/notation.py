"""A game of a thousand actions in SGN and ``.catan``: written, read, judged and replayed, beside the engine alone.

Run by itself it prints the rows: ``python -m benchmarks.notation``.
"""

from __future__ import annotations

import json
import statistics
import time
from collections.abc import Callable
from io import StringIO
from random import Random

from benchmarks.rows import Row, as_text
from catan_p2p import notation
from catan_p2p.game.constants import Constants
from catan_p2p.game.rules import apply, awaited, decisions, draw
from catan_p2p.game.state import initial_state
from catan_p2p.notation import Format, Participant, TimedAction, events_of, import_game, in_order_of_play, read

ACTIONS = 1000
_COLOURS = ("red", "blue", "green", "orange")


def rows(*, quick: bool = False) -> list[Row]:
    """Milliseconds for a game of four."""
    constants, played = random_game(seed=5)
    players = [Participant(seat, f"player{seat}", colour) for seat, colour in enumerate(_COLOURS, 1)]
    repeats = 5 if quick else 15
    actions = [step.action for step in played]
    found = []
    for format in ("sgn", "catan"):

        def write(format: Format = format) -> str:
            handle = StringIO()
            notation.write(events_of(constants, players, played), handle, format)
            return handle.getvalue()

        text = write()

        def come_back(format: Format = format, text: str = text) -> object:
            return import_game(list(in_order_of_play(read(StringIO(text), format), 4)), format, None)

        def parse(text: str = text) -> object:
            return [json.loads(line) if line[0] == "[" else line.split(" ") for line in text.splitlines()]

        names = {"sgn": "SGN", "catan": ".catan"}
        wrote, came, parsed, engine = _alternating(
            [write, come_back, parse, lambda: _play(constants, actions)], repeats
        )
        title = f"{ACTIONS} actions, {names[format]}"
        ends = "read, judged and played again" if format == "sgn" else "read and judged"
        found += [
            Row(f"{title}, written", wrote, "ms", target="<= 12"),
            Row(f"{title}, {ends}", came, "ms", target="<= 60"),
            Row(f"{title}, {ends}", came, "ms", "its lines only split or parsed", parsed),
            Row(f"{title}, {ends}", came, "ms", "the engine alone", engine),
        ]
    return found


def random_game(seed: int) -> tuple[Constants, list[TimedAction]]:
    """The first actions of a game of four random players."""
    rng = Random(seed)
    constants = Constants(player_count=4)
    state, played = initial_state(constants), list[TimedAction]()
    while len(played) < ACTIONS and state.tp != "top":
        action = draw(state, rng.choice(decisions(state, awaited(state)[0])), rng)
        state = apply(state, action)
        played.append(TimedAction(action, state, len(played)))
    if len(played) < ACTIONS:
        raise AssertionError(f"seed {seed} gives a game of {len(played)} actions, choose another")
    return constants, played


def _play(constants: Constants, actions: list[object]) -> object:
    state = initial_state(constants)
    for action in actions:
        state = apply(state, action)  # type: ignore[arg-type]
    return state


def _alternating(jobs: list[Callable[[], object]], repeats: int) -> list[float]:
    """Median milliseconds of jobs that run alternately, so that other load on the machine affects all of them."""
    times: list[list[float]] = [[] for _ in jobs]
    for _ in range(repeats):
        for job, taken in zip(jobs, times, strict=True):
            begin = time.perf_counter()
            job()
            taken.append(1000 * (time.perf_counter() - begin))
    return [statistics.median(taken) for taken in times]


if __name__ == "__main__":
    print(as_text(rows()))
