"""What can follow a state: TLC's answer and the program's, state for state, along recorded games."""

from __future__ import annotations

import re
import tempfile
from collections import Counter
from collections.abc import Collection
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

from catan_p2p.game.rules import apply, enabled, initial_state
from catan_p2p.game.state import State
from catan_p2p.model_check.recording import Recording
from catan_p2p.model_check.states import parse_first_value
from catan_p2p.model_check.tlc import Tlc, TlcError
from catan_p2p.model_check.trace import constants_config, differences, trace_module

Changes: TypeAlias = frozenset[tuple[Any, ...]]
"""The components that a step changes, as ``trace.differences`` tells them."""

_NEXT = re.compile(r'"next",\s+')


class Disagreement(NamedTuple):
    """A state in which TLC and the program see other successors: those that only one of them has."""

    entry: int
    only_tlc: tuple[Changes, ...]
    only_program: tuple[Changes, ...]


def compare_successors(recording: Recording, sample: Collection[int], tlc: Tlc) -> list[Disagreement]:
    """Compare the successors in the states before these entries (from 1) of a recorded game.

    Successors are compared with how many ways lead to them. Raises ``TlcError`` if TLC does not follow the game.
    """
    seen = _ask(recording, sample, tlc)
    found = []
    for entry in sorted(sample):
        mine = successors(state_before(recording, entry))
        theirs = seen.get(entry, Counter())
        if mine != theirs:
            found.append(Disagreement(entry, tuple(theirs - mine), tuple(mine - theirs)))
    return found


def state_before(recording: Recording, entry: int) -> State:
    """The state before an entry, counted from 1, and before the replies it begins with."""
    if entry == 1:
        return initial_state(recording.game.constants)
    return recording.entries[entry - 2].step.state


def successors(state: State) -> Counter[Changes]:
    """What the program says can follow: for each successor how many actions lead there."""
    return Counter(
        frozenset(differences(state, apply(state, action)))
        for player in state.constants.players
        for action in enabled(state, player)
    )


def _ask(recording: Recording, sample: Collection[int], tlc: Tlc) -> dict[int, Counter[Changes]]:
    with tempfile.TemporaryDirectory(prefix="catan-p2p-successors-") as scratch:
        module, config = Path(scratch) / "RunTrace.tla", Path(scratch) / "RunTrace.cfg"
        text = trace_module(recording).replace("EXTENDS CatanTrace", "EXTENDS CatanSuccessors")
        module.write_text(text, encoding="utf-8")
        config.write_text(
            "SPECIFICATION LookingSpec\n"
            + constants_config(recording.game.constants)
            + f"    Trace <- RecordedTrace\n    Sample = {{{', '.join(map(str, sorted(sample)))}}}\n",
            encoding="utf-8",
        )
        result = tlc.run(module, config)
    if result.verdict != "fine":
        raise TlcError(f"TLC does not follow the game: {result.detail}")
    found: dict[int, Counter[Changes]] = {}
    for part in _NEXT.split("\n".join(result.printed))[1:]:
        _, entry, changes = parse_first_value('<< "next", ' + part)
        found.setdefault(entry, Counter())[changes] += 1
    return found
