"""What follows each state of a model, as TLC explores it (``-dump dot``)."""

import re
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any

from catan_p2p.game.constants import Constants
from catan_p2p.game.state import State
from catan_p2p.model_check.states import make_state, parse_value
from tests.model_check.exploration import Successors

_NODE = re.compile(r'^(-?\d+) \[label="((?:[^"\\]|\\.)*)"', re.MULTILINE)
_EDGE = re.compile(r"^(-?\d+) -> (-?\d+)", re.MULTILINE)
_COMPONENT = re.compile(r",\n  (?=\w+ \|->)")
"""Between two fields of a record that is printed over several lines."""


def dumped(path: Path, constants: Constants) -> Successors:
    """What TLC has written to a file."""
    text = path.read_text(encoding="utf-8")
    states = {node: _state(label, constants) for node, label in _NODE.findall(text)}
    found: dict[State, set[State]] = {state: set() for state in states.values()}
    for one, other in _EDGE.findall(text):
        if one != other:
            found[states[one]].add(states[other])
    return {state: frozenset(following) for state, following in found.items()}


def _state(label: str, constants: Constants) -> State:
    variables = dict(_variables(label.replace("\\n", "\n").replace('\\"', '"').replace("\\\\", "\\")))
    return make_state(variables["SU"], variables["G"], constants)


def _variables(text: str) -> Iterator[tuple[str, Any]]:
    for part in re.split(r"^/\\ ", text, flags=re.MULTILINE)[1:]:
        name, _, value = part.strip().partition(" = ")
        yield name, _record(value) if "\n" in value else parse_value(value)


def _record(text: str) -> dict[str, Any]:
    """A record over several lines; most of its fields are those of other states too."""
    assert text.startswith("[") and text.endswith("]"), text
    fields = (field.partition("|->") for field in _COMPONENT.split(text[1:-1]))
    return {name.strip(): _value(value) for name, _, value in fields}


@lru_cache(maxsize=1 << 14)
def _value(text: str) -> Any:
    return parse_value(text)
