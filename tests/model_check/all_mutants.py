"""Many mutants in one run of TLC: each definition that has some becomes a choice among its variants.

Which mutant it is, is a variable of the state, so one run takes every chosen step once by each of them.
"""

import re
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from catan_p2p.game.constants import Constants
from catan_p2p.game.state import initial_state
from catan_p2p.model_check.states import make_state, parse_first_value
from catan_p2p.model_check.tlc import TlcError, TlcProgram
from catan_p2p.model_check.trace import action_tuple, constants_config, constants_module, differences, tla
from tests.model_check.given import STACK, Changes
from tests.model_check.given_steps import Case, Difference, difference, told
from tests.model_check.spec_text import definitions, module_text

_HEAD = re.compile(r"^(\w+)(\([^)]*\))?")
_PRINTED = re.compile(r'<<\s*"(?=init"|step")')
_MODULE = "RunMutants"


class Variant(NamedTuple):
    """A definition of ``Catan.tla`` with a text of it replaced: where the text begins in the definition."""

    definition: str
    start: int
    old: str
    new: str


def with_choices(text: str, variants: Sequence[Variant], texts: Mapping[str, str], which: str = "mutant") -> str:
    """A module in which variant number n takes the place of its definition where ``which`` is n.

    ``texts`` are its definitions by name; ``which`` is an expression, or the variable that is added.
    """
    numbered: dict[str, list[tuple[int, Variant]]] = {}
    for n, one in enumerate(variants, 1):
        numbered.setdefault(one.definition, []).append((n, one))
    for name, mine in numbered.items():
        body = texts[name]
        assert text.count(f"\n{body}") == 1, name
        head = _HEAD.match(body)
        assert head is not None
        name_of, parameters = head[1], head[2] or ""
        pieces = [f"{name_of}_0{body[head.end(1) :]}"]
        for n, one in mine:
            assert body.startswith(one.old, one.start)
            changed = body[: one.start] + one.new + body[one.start + len(one.old) :]
            pieces.append(f"{name_of}_{n}{changed[head.end(1) :]}")
        choices = "".join(f"{which} = {n} -> {name_of}_{n}{parameters} [] " for n, _ in mine)
        first, last = mine[0][0], mine[-1][0]
        guarded = f"IF {which} < {first} \\/ {which} > {last} THEN {name_of}_0{parameters} ELSE "
        pieces.append(f"{name_of}{parameters} == {guarded}CASE {choices}OTHER -> {name_of}_0{parameters}")
        text = text.replace(f"\n{body}", "\n" + "\n\n".join(pieces), 1)
    return text


def catan_with(variants: Sequence[Variant]) -> str:
    """``Catan.tla`` with the variable mutant, which chooses among the variants."""
    text = module_text("Catan.tla").replace("VARIABLES\n", "VARIABLES\n    mutant,\n", 1)
    return with_choices(text, variants, {name: one.text for name, one in definitions().items()})


def given_with_mutants() -> str:
    """``CatanGiven.tla`` with the variable: the steps of a mutant are those that concern it."""
    text = module_text("CatanGiven.tla")
    for old, new in (
        ("    /\\ Init\n", "    /\\ mutant \\in DOMAIN CasesOf\n    /\\ Init\n"),
        ('PrintT(<<"init", SU, G>>)', 'CasesOf[mutant] = {} => PrintT(<<"init", mutant, SU, G>>)'),
        ("IF at = 0 THEN FromInit ELSE Given[at].next", "IF at = 0 THEN CasesOf[mutant] ELSE {}"),
        ('PrintT(<<"step", at, Changes>>)', 'PrintT(<<"step", mutant, at, Changes>>)'),
        ("    /\\ UNCHANGED <<left, base>>", "    /\\ UNCHANGED <<left, base, mutant>>"),
        ("    /\\ UNCHANGED <<at, left, base>>", "    /\\ UNCHANGED <<at, left, base, mutant>>"),
        ("    FromInit  ", "    CasesOf,\n    FromInit  "),
    ):
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    return text


def differences_of(
    constants: Constants, cases: Sequence[Case], variants: Mapping[Variant, Sequence[str]], tlc: TlcProgram
) -> dict[Variant, Difference]:
    """For each variant the first case of its actions, or the initial state, in which TLC and the program then differ.

    A variant that concerns no action is looked at for the initial state only. Raises ``TlcError`` if TLC cannot
    evaluate one of them, and ``RuntimeError`` if Java died: that tells nothing of them.
    """
    listed = list(variants)
    concerned = [[i for i, case in enumerate(cases, 1) if case.kind in variants[one]] for one in listed]
    with tempfile.TemporaryDirectory(prefix="catan-p2p-mutants-") as scratch:
        folder = Path(scratch)
        (folder / "Catan.tla").write_text(catan_with(listed), encoding="utf-8")
        (folder / "CatanGiven.tla").write_text(given_with_mutants(), encoding="utf-8")
        (folder / f"{_MODULE}.tla").write_text(_module(constants, cases, concerned), encoding="utf-8")
        named = "    Trace <- NoTrace\n    Given <- TheGiven\n    FromInit = {}\n    CasesOf <- TheCases\n"
        config = f"SPECIFICATION GivenSpec\n{constants_config(constants)}{named}"
        deep = replace(tlc, options=(*tlc.options, STACK))
        result = deep.run(folder / f"{_MODULE}.tla", config, ["-deadlock"])
    if result.verdict == "error" and result.detail.startswith("Java ended"):
        raise RuntimeError(result.detail)
    if result.verdict != "fine":
        raise TlcError(f"TLC cannot evaluate the mutants: {result.detail}")
    steps: dict[tuple[int, int], list[Changes]] = {}
    found: dict[Variant, Difference] = {}
    printed = "\n".join(result.printed)
    starts = [match.start() for match in _PRINTED.finditer(printed)]
    expected = initial_state(constants)
    ends = [*starts[1:], len(printed)]
    for start, end in zip(starts, ends[: len(starts)], strict=True):
        kind, mutant, *rest = parse_first_value(printed[start:end])
        if kind == "step":
            steps.setdefault((mutant, rest[0]), []).append(rest[1])
        elif make_state(rest[0], rest[1], constants) != expected and not variants[listed[mutant - 1]]:
            wrong = told(differences(expected, make_state(rest[0], rest[1], constants)))
            found[listed[mutant - 1]] = Difference(None, wrong)
    for n, (one, numbers) in enumerate(zip(listed, concerned, strict=True), 1):
        for i in numbers:
            if one not in found and (wrong_step := difference(cases[i - 1], steps.get((n, i), []))) is not None:
                found[one] = wrong_step
    return found


def _module(constants: Constants, cases: Sequence[Case], concerned: Sequence[Sequence[int]]) -> str:
    start = initial_state(constants)
    entries = [
        f"[changes |-> {tla(list(differences(start, case.before)))}, "
        f"act |-> {tla(action_tuple(case.action))}, next |-> {{}}]"
        for case in cases
    ]
    sets = [f"{{{', '.join(map(str, numbers))}}}" for numbers in concerned]
    return (
        f"---- MODULE {_MODULE} ----\nEXTENDS CatanGiven\n{constants_module(constants)}"
        f"TheGiven == <<{', '.join(entries)}>>\nTheCases == <<{', '.join(sets)}>>\n====\n"
    )
