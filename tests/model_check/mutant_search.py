"""Which check sees a mistake in a sub-expression of the specification: hundreds of them in one run of TLC.

In every state TLC works out what follows by the specification, then by each mistake in turn, and tells the first state
in which that is another set of states; a mistake that was seen is not tried again. The states are those of the chosen
steps (given_steps.py), those of random games (test_successors.py), and those of the models of a module: of all of them
the tests compare what follows with the program, or count what TLC reaches.
"""

import re
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from catan_p2p.game.constants import Constants
from catan_p2p.model_check.models import TlcModel
from catan_p2p.model_check.tlc import TlcError, TlcProgram
from catan_p2p.model_check.trace import constants_config
from tests.model_check.all_mutants import Variant, with_choices
from tests.model_check.given import STACK, Given, module_of
from tests.model_check.spec_text import module_text
from tests.model_check.sub_expressions import Change, bodies

_TOLD = re.compile(r'<<"(try|seen)", (\d+), (\d+)>>')
_MOST_S = 120
"""Seconds of a processor's time for a run: a mistake may make a recursion that does not end."""
_FIRST = 10
"""The register of TLC that says whether mistake number 0 was seen; that of number n is n further."""

_RUN = """
KindsOf == <<{kinds}>>
ASSUME TLCSet(1, 0) /\\ \\A m \\in 0..{number} : TLCSet({first} + m, 0)
Differs(m) == TLCGet(2) # TLCGet(3) /\\ TLCSet({first} + m, 1) /\\ PrintT(<<"seen", m, {where}>>)
RunInit == mutant = 0 /\\ {init}
RunNext ==
    \\/ {explore} /\\ UNCHANGED mutant
    \\/ /\\ {when}
       /\\ UNCHANGED mutant
       /\\ \\E m \\in 0..{number} :
            /\\ TLCGet({first} + m) = 0 /\\ (m > 0 => {concerns})
            /\\ PrintT(<<"try", m, {where}>>) /\\ TLCSet(1, m) /\\ TLCSet(2, {{}})
            /\\ \\/ ({action}) /\\ TLCSet(2, TLCGet(2) \\cup {{{variables}'}}) /\\ m = 0 /\\ {goes_on}
               \\/ /\\ IF m = 0 THEN TLCSet(3, TLCGet(2)) ELSE Differs(m)
                  /\\ FALSE /\\ UNCHANGED {variables}
====
"""


class States(NamedTuple):
    """States in which TLC compares what follows."""

    name: str
    module: str
    """The text of the module ``RunMutants`` up to what is asked."""
    config: str
    init: str
    action: str
    variables: str
    where: str = 'TLCGet("level")'
    """What tells a state: a number."""
    explore: str = ""
    """The step that leads to the states, if it is not the one that is compared."""
    is_by_kind: bool = False
    """Whether each state asks for one action, so that mistakes that do not concern it need not be tried."""


def given_states(name: str, constants: Constants, given: Sequence[Given]) -> States:
    """Given states with an action each, or with all that can be next."""
    return States(
        name,
        module_of(constants, given, "RunMutants").rstrip().removesuffix("===="),
        constants_config(constants) + "    Trace <- NoTrace\n    Given <- TheGiven\n    FromInit <- TheFirst\n",
        "GivenInit",
        'IF Given[at].act = <<"next">> THEN Next /\\ UNCHANGED <<at, left, base>>'
        " ELSE Act(Given[at].act) /\\ UNCHANGED <<at, left, base>>",
        "tvars",
        "at",
        "Put",
        True,
    )


_INIT, _NEXT, _SPEC = (re.compile(rf"^{word} +(\w+)$", re.MULTILINE) for word in ("INIT", "NEXT", "SPECIFICATION"))
_SPECIFICATIONS = {
    "Spec": ("Init", "Next", "vars"),
    "UnfairSpec": ("Init", "Next", "vars"),
    "LateSpec": ("Init", "Next", "vars"),
    "FoundSpec": ("FoundInit", "FoundNext", "allVars"),
    "P2PSpec": ("P2PInit", "P2PNext", "p2pVars"),
    "FairP2PSpec": ("P2PInit", "P2PNext", "p2pVars"),
    "ReturningSpec": ("ReturningInit", "ReturningNext", "returningVars"),
    "TableSpec": ("TableInit", "TableNext", "tableVars"),
    "PowerSpec": ("PowerInit", "PowerNext", "powerVars"),
}


def model_states(model: TlcModel) -> States:
    """The states that a model reaches; what it promises is not looked at."""
    config = model.config
    if spec := _SPEC.search(config):
        init, action, variables = _SPECIFICATIONS[spec[1]]
    else:
        found = _INIT.search(config), _NEXT.search(config)
        assert found[0] is not None and found[1] is not None
        init, action, variables = found[0][1], found[1][1], "vars"
    kept = re.split(r"^(?=[A-Z]+\b)", config, flags=re.MULTILINE)
    told = "".join(part for part in kept if part.startswith(("CONSTANTS", "CONSTRAINT", "SYMMETRY")))
    return States(
        model.name, f"---- MODULE RunMutants ----\nEXTENDS {model.module}, TLC\n", told, init, action, variables
    )


def search(
    file: str, changes: Sequence[Change], kinds: Sequence[Sequence[str]], states: States, tlc: TlcProgram
) -> dict[Change, str]:
    """The changes that are seen in these states, and where.

    ``kinds`` are, for each change, the actions that it concerns. A change that TLC cannot evaluate is seen, too.
    """
    seen: dict[Change, str] = {}
    left = list(zip(changes, kinds, strict=True))
    while left:
        found, stopped_at, detail = _run(file, left, states, tlc)
        seen |= found
        if not detail:
            break
        if stopped_at is None:
            if len(left) == 1:
                seen[left[0][0]] = f"{states.name}: TLC cannot read it"
                break
            half = len(left) // 2
            for part in (left[:half], left[half:]):
                seen |= search(file, [one for one, _ in part], [kind for _, kind in part], states, tlc)
            break
        seen[stopped_at] = f"{states.name}: TLC cannot evaluate it"
        left = [one for one in left if one[0] not in seen]
    return seen


def _run(
    file: str, left: Sequence[tuple[Change, Sequence[str]]], states: States, tlc: TlcProgram
) -> tuple[dict[Change, str], Change | None, str]:
    """What was seen, the change at which TLC stopped if that is known, and what TLC said when it stopped."""
    text = module_text(file)
    texts = {body.name: text[body.start : body.end] for body in bodies(file, tlc)}
    variants = [Variant(one.definition, one.start, one.old, one.new) for one, _ in left]
    head = text.index("VARIABLES\n")
    declared = text.index("\n\n", head) + 2
    text = f"{text[:declared]}Which == mutant + TLCGet(1)\n\n{text[declared:]}"
    text = text.replace("VARIABLES\n", "VARIABLES\n    mutant,\n", 1)
    text = re.sub(r"^(EXTENDS Naturals.*)$", r"\1, TLC", text, count=1, flags=re.MULTILINE)
    run = _RUN.format(
        kinds=", ".join("{" + ", ".join(f'"{kind}"' for kind in kinds) + "}" for _, kinds in left),
        number=len(left),
        first=_FIRST,
        where=states.where,
        init=states.init,
        explore=states.explore or "FALSE /\\ UNCHANGED " + states.variables,
        when="at # 0" if states.is_by_kind else "TRUE",
        concerns='Given[at].act[1] \\in KindsOf[m] \\cup {"next"}' if states.is_by_kind else "TRUE",
        action=states.action,
        variables=states.variables,
        goes_on="FALSE" if states.explore else "TRUE",
    )
    with tempfile.TemporaryDirectory(prefix="catan-p2p-mutants-") as scratch:
        folder = Path(scratch)
        (folder / file).write_text(with_choices(text, variants, texts, "Which"), encoding="utf-8")
        (folder / "RunMutants.tla").write_text(states.module + run, encoding="utf-8")
        java = folder / "java"
        java.write_text(f'#!/bin/sh\nulimit -t {_MOST_S}\nexec {tlc.java} "$@"\n', encoding="utf-8")
        java.chmod(0o700)
        limited = replace(tlc, java=java, options=(*tlc.options, STACK))
        result = limited.run(folder / "RunMutants.tla", f"INIT RunInit\nNEXT RunNext\n{states.config}", ["-deadlock"])
    told = [(what, int(number), where) for what, number, where in _TOLD.findall("\n".join(result.printed))]
    found = {left[n - 1][0]: f"{states.name}: {where}" for what, n, where in told if what == "seen"}
    if result.verdict == "fine":
        return found, None, ""
    last = next((n for what, n, _ in reversed(told) if what == "try"), None)
    if last == 0:
        raise TlcError(f"{states.name}: TLC cannot evaluate the specification itself: {result.detail[:500]}")
    return found, None if last is None else left[last - 1][0], result.detail or result.verdict
