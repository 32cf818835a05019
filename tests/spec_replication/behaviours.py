"""Behaviours of spec/MCP2PTrace.tla: chosen at random by TLC, read as steps with what is true after each."""

import json
import shutil
import subprocess
import tempfile
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple, TypeAlias

from catan_p2p.model_check.configurations import config_text, settings_of
from catan_p2p.model_check.tlc import spec_folder
from tests.model_check.guard_mutations import quick_tlc

Id: TypeAlias = tuple[int, int, int]
"""A commit in the specification: height, player, variant."""

NO_COMMIT: Id = (0, 0, 0)
ROOT: Id = (0, 1, 1)


class Stand(NamedTuple):
    """Where a peer stands: whether it runs, and what its journal, its published refs and its memory lead to."""

    is_up: bool
    log: Id
    reply: Id
    seen: Id
    seen_replies: tuple[Id, ...]
    shown_log: Id
    shown_reply: Id
    head: Id
    replies: tuple[Id, ...]


class Recorded(NamedTuple):
    """A commit that a step records: where it hangs, what it merges, and the game in its tree as plain tuples."""

    id: Id
    on: Id
    merges: tuple[Id, ...]
    game: tuple[Any, ...]


class SpecStep(NamedTuple):
    """One step: its name, who takes it, and where all peers stand after it."""

    name: str
    player: int
    other: int | None
    """Whose repository is read."""
    commit: Id | None
    """What is taken in."""
    recorded: Recorded | None
    stands: tuple[Stand, ...]

    def __str__(self) -> str:
        return f"{self.name}({self.player})"


Behaviour: TypeAlias = tuple[SpecStep, ...]


OFFERS = {"Rules": "OfferRules", "Dice": "{6, 8}"}
"""Constants with which players trade soon, and never discard."""

RULE_BOOK = {"Rules": "RuleBookRules"}
"""Constants of the rule book, but for the hand limit, the dice and small offers, which make more happen soon."""


def generate(
    players: int,
    count: int,
    seed: int,
    length: int,
    crashes: int = 4,
    rules: Mapping[str, object] = MappingProxyType({}),
) -> list[Behaviour]:
    """So many behaviours of so many steps, chosen by TLC's simulation; the same for the same seed.

    ``rules`` are constants that differ from those of MCP2PTrace in spec/models.toml.
    """
    constants = {"NPlayers": players, "Length": length, "MaxCrashes": crashes, **rules}
    return [_parse(told) for told in simulate("MCP2PTrace", constants, count, seed, length)]


def simulate(module: str, constants: Mapping[str, object], count: int, seed: int, length: int) -> list[Any]:
    """What a module of ``spec/`` prints of so many behaviours of so many steps, chosen by TLC at random.

    ``constants`` are those that differ from those of the configuration of that name.
    """
    folder = spec_folder()
    settings = settings_of(module)
    for name, value in constants.items():
        is_defined = str(settings[name]).startswith("<-")
        settings[name] = f"<- {value}" if is_defined else str(value)
    with tempfile.TemporaryDirectory() as scratch:
        (Path(scratch) / "trace.cfg").write_text(config_text(settings))
        shutil.copy(folder / f"{module}.tla", scratch)
        tlc = quick_tlc()
        command = [str(tlc.java), *tlc.options, "-Xmx1g", f"-DTLA-Library={folder}"]
        command += [f"-Djava.io.tmpdir={scratch}", "-cp", str(tlc.jar), "tlc2.TLC"]
        command += ["-metadir", "states", "-workers", "1", "-config", "trace.cfg", "-deadlock"]
        command += ["-simulate", f"num={count}", "-depth", str(length + 2), "-seed", str(seed), f"{module}.tla"]
        done = subprocess.run(command, cwd=scratch, capture_output=True, encoding="utf-8", check=False)
    assert done.returncode == 0, "\n".join(line[:200] for line in done.stdout.splitlines()[-10:])
    lines = (json.loads(line) for line in done.stdout.splitlines() if line.startswith('"BEHAVIOUR '))
    return [json.loads(line.removeprefix("BEHAVIOUR ").replace("<<", "[").replace(">>", "]")) for line in lines]


def _parse(told: list[Any]) -> Behaviour:
    return tuple(map(_step, told))


def _step(raw: list[Any]) -> SpecStep:
    name, player, *rest, stands = raw
    stood = tuple(
        Stand(bool(s[0]), _id(s[1]), _id(s[2]), _id(s[3]), _ids(s[4]), _id(s[5]), _id(s[6]), _id(s[7]), _ids(s[8]))
        for s in stands
    )
    other = commit = recorded = None
    if name == "TakeIn":
        other, commit = rest[0], _id(rest[1])
    if name in ("Record", "Pretend"):
        recorded = Recorded(_id(rest[0]), _id(rest[1]), _ids(rest[2]), _frozen(rest[3]))
    return SpecStep(name, player, other, commit, recorded, stood)


def _id(raw: list[int]) -> Id:
    return raw[0], raw[1], raw[2]


def _ids(raw: list[list[int]]) -> tuple[Id, ...]:
    return tuple(one for one in map(_id, raw) if one != NO_COMMIT)


def _frozen(raw: Any) -> Any:
    return tuple(map(_frozen, raw)) if isinstance(raw, list) else raw
