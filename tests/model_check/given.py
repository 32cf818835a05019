"""Given states, asked of TLC: what one action or any makes of a state, and which invariants hold in it.

The states need not be reachable; all of one question have the same constants, and TLC starts once for all of them.
"""

import re
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal, NamedTuple, TypeAlias

from catan_p2p.game.actions import Action
from catan_p2p.game.constants import Constants
from catan_p2p.game.state import State, initial_state
from catan_p2p.model_check.states import make_state, parse_first_value
from catan_p2p.model_check.tlc import TlcError, TlcProgram
from catan_p2p.model_check.trace import action_tuple, constants_config, constants_module, differences, tla

Changes: TypeAlias = frozenset[tuple[Any, ...]]
"""The components that a step changes, as ``trace.differences`` tells them."""

_PRINTED = re.compile(r'<<\s*"(?=init"|step"|holds")')
_CHUNK = 100
STACK = "-Xss16m"
"""For the Java machine: TLC puts a state together by a recursion as deep as there are changes."""


class Given(NamedTuple):
    """A state, and what is asked about it: what the action makes of it, what can be next, or which invariants hold."""

    state: State
    action: Action | Literal["next", "judge"] = "judge"
    like: State | None = None
    """A state that differs in few components: what is like it is told by the difference."""


class Answers(NamedTuple):
    """What TLC says; the lists are in the order of the questions."""

    initial: State
    steps: list[list[Changes]]
    """The components that each step changes: one set for each way to take it, none if nothing is enabled."""
    holding: list[frozenset[str]]
    """The invariants that hold; none at all where the types are wrong."""


def ask(
    constants: Constants, given: Sequence[Given], tlc: TlcProgram, modules: Mapping[str, str] | None = None
) -> Answers:
    """Have TLC answer; ``modules`` are texts to take for modules of the specification, by the names of their files.

    Raises ``TlcError`` if TLC cannot work the answers out.
    """
    with tempfile.TemporaryDirectory(prefix="catan-p2p-given-") as scratch:
        module = Path(scratch) / "RunGiven.tla"
        module.write_text(module_of(constants, given), encoding="utf-8")
        told = "    Trace <- NoTrace\n    Given <- TheGiven\n    FromInit <- TheFirst\n"
        config = f"SPECIFICATION GivenSpec\n{constants_config(constants)}{told}"
        for name, text in (modules or {}).items():
            (Path(scratch) / name).write_text(text, encoding="utf-8")
        result = replace(tlc, options=(*tlc.options, STACK)).run(module, config, ["-deadlock"])
    if result.verdict != "fine":
        raise TlcError(f"TLC cannot judge the given states: {result.detail}")
    return _read(result.printed, constants, len(given))


def _read(lines: Sequence[str], constants: Constants, number: int) -> Answers:
    steps: list[list[Changes]] = [[] for _ in range(number)]
    holding: list[frozenset[str]] = [frozenset() for _ in range(number)]
    initial: State | None = None
    printed = "\n".join(lines)
    starts = [found.start() for found in _PRINTED.finditer(printed)]
    for start, end in zip(starts, [*starts[1:], len(printed)], strict=True):
        kind, *told = parse_first_value(printed[start:end])
        if kind == "init":
            initial = make_state(told[0], told[1], constants)
        elif kind == "step":
            steps[told[0] - 1].append(told[1])
        else:
            holding[told[0] - 1] = told[1]
    if initial is None:
        raise TlcError("TLC tells no initial state")
    return Answers(initial, steps, holding)


def module_of(constants: Constants, given: Sequence[Given], name: str = "RunGiven") -> str:
    """The module of the given states, and behind them the states that some of them are like."""
    start = initial_state(constants)
    likes = list(dict.fromkeys(one.like for one in given if one.like is not None))
    number_of = {like: len(given) + i for i, like in enumerate(likes, 1)}
    next_of: dict[int, list[int]] = {number: [] for number in (0, *number_of.values())}
    next_of[0] += number_of.values()
    entries = []
    for i, one in enumerate(given, 1):
        next_of[0 if one.like is None else number_of[one.like]].append(i)
        question = (one.action,) if isinstance(one.action, str) else action_tuple(one.action)
        entries.append(_entry(start if one.like is None else one.like, one.state, question, ()))
    entries += [_entry(start, like, (), next_of[number]) for like, number in number_of.items()]
    chunks = [entries[i : i + _CHUNK] for i in range(0, len(entries), _CHUNK)] or [[]]
    lines = [f"---- MODULE {name} ----", "EXTENDS CatanGiven", constants_module(constants)]
    lines += [f"Part{i} ==\n  <<" + ",\n    ".join(chunk) + ">>" for i, chunk in enumerate(chunks)]
    lines += ["TheGiven == " + " \\o ".join(f"Part{i}" for i in range(len(chunks)))]
    lines += [f"TheFirst == {_set(next_of[0])}", "===="]
    return "\n".join(lines) + "\n"


def _entry(before: State, state: State, question: Sequence[object], following: Sequence[int]) -> str:
    changes = tla(list(differences(before, state)))
    return f"[changes |-> {changes}, act |-> {tla(tuple(question))}, next |-> {_set(following)}]"


def _set(numbers: Sequence[int]) -> str:
    return f"{{{', '.join(map(str, numbers))}}}"
