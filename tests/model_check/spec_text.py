"""The text of the specification, taken apart: definitions, what they mention, and the updates in their effects."""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from catan_p2p.game.actions import ACTIONS, HIDDEN_ACTIONS
from catan_p2p.model_check.tlc import spec_folder

_HEAD = re.compile(r"^(?P<name>\w+)(?:\([^)]*\))? ==", re.MULTILINE)
_END = re.compile(r"\n(?=\n|-----|=====|\S)")


class Definition(NamedTuple):
    """A definition of a module of the specification: its text, and where that begins in the module's."""

    file: str
    name: str
    start: int
    text: str


class Update(NamedTuple):
    """One ``!.path = value`` of an EXCEPT: where it is in the definition's text."""

    path: str
    value: str
    start: int
    """Where the value begins."""

    @property
    def end(self) -> int:
        """Where it ends."""
        return self.start + len(self.value)


@lru_cache
def module_text(file: str) -> str:
    """A module of the specification."""
    return (spec_folder() / file).read_text(encoding="utf-8")


@lru_cache
def definitions() -> dict[str, Definition]:
    """All definitions of ``Board.tla`` and ``Catan.tla`` by name."""
    found = {}
    for file in ("Board.tla", "Catan.tla"):
        text = module_text(file)
        for head in _HEAD.finditer(text):
            end = _END.search(text, head.end())
            assert end is not None
            found[head["name"]] = Definition(file, head["name"], head.start(), text[head.start() : end.start()])
    return found


@lru_cache
def actions_reaching(name: str) -> tuple[str, ...]:
    """The actions whose definitions mention a definition, themselves or by way of others; in the order of Next."""
    mentioned = {
        key: set(re.findall(r"\w+", re.sub(r"\\\*.*", "", one.text[len(key) :]))) & definitions().keys()
        for key, one in definitions().items()
    }

    def reaches(key: str, seen: set[str]) -> bool:
        seen.add(key)
        return key == name or any(reaches(other, seen) for other in mentioned[key] - seen)

    return tuple(kind.name for kind in (*ACTIONS, *HIDDEN_ACTIONS) if reaches(kind.name, set()))


def updates(text: str) -> Iterator[Update]:
    """Every update of every EXCEPT, nested ones too."""
    for found in re.finditer(r"(!(?:\.\w+|\[[^\]]*\])+) = ", text):
        at = found.end()
        yield Update(found[1], text[at : _end_of_value(text, at)].rstrip(), at)


def _end_of_value(text: str, at: int) -> int:
    """Where an expression ends that a comma or a closing bracket follows."""
    depth = 0
    for found in re.compile(r"<<|>>|[()\[\]{},]").finditer(text, at):
        if found[0] in "([{<<":
            depth += 1
        elif found[0] != "," and depth:
            depth -= 1
        elif not depth:
            return found.start()
    raise ValueError(f"no end of the update {text[at : at + 40]!r}")
