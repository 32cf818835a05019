"""Wrong seats and extra updates in ``Catan.tla``, made from its text: helper definitions are changed as actions are.

``python -m tests.model_check.seat_mutations`` makes the table anew; names of definitions after it look at those only.
Every seat that a function or an operator is applied to is replaced by the next one, and every action puts one component
more back to what it was at first. The chosen steps must notice, as for the mistakes of effect_mutations.py.
"""

import re
import sys
from collections.abc import Iterator, Sequence
from functools import cache

from catan_p2p.model_check.tlc import Tlc, spec_folder
from tests.model_check.effect_mutations import Mutant, is_effect, judge, numbered, run
from tests.model_check.given import Given
from tests.model_check.given_steps import Case, groups
from tests.model_check.mutant_search import given_states, search
from tests.model_check.spec_text import definitions
from tests.model_check.sub_expressions import Change, bodies

IMPLIED: dict[tuple[str, str], str] = {}
"""Mistakes that change nothing in any state that can be reached, and why."""

TABLE = spec_folder() / "seats.md"
"""Where ``make mutations`` writes what it saw."""

HEAD = """# What turns red with a wrong seat, or one update more

Written by `make mutations` (tests/model_check/seat_mutations.py): in the definitions on which actions of `Catan.tla`
rest every seat, marked «», is replaced by the next one, and every action puts one component more back to what it was
at first. One of the chosen steps of tests/model_check/test_given.py that then is another one is named.

| definition | the mistake | check | what is seen |
| --- | --- | --- | --- |
"""


@cache
def mutants() -> tuple[Mutant, ...]:
    """All of them, in the order of the specification."""
    found = []
    for one in definitions().values():
        if one.file == "Catan.tla" and is_effect(one) and not one.name.startswith("Seat"):
            found += numbered(one, [*wrong_seats(one.text), *extra_updates(one.text)])
    return tuple(found)


_SEAT = re.compile(r"(?<=[\[(])(p|x|victim|partner)(?=[\]),])|(?<=, )(p|x|victim|partner)(?=\))")
"""A seat as what a function or an operator is applied to."""


def wrong_seats(text: str) -> Iterator[tuple[int, str, str, str]]:
    """Every such seat replaced by the next one."""
    head = text.index("==")
    seats = {"p", *re.findall(r"\w+", text[:head])[1:]}
    for found in _SEAT.finditer(text, head):
        line = text[text.rfind("\n", 0, found.start()) + 1 : found.start()]
        if "\\*" not in line and found[0] in seats:
            seat = found[0]
            told = re.sub(r"\s+", " ", _piece(text, found.start(), found.end()))
            yield found.start(), f"the next seat in {told}", seat, f"(IF {seat} = NPlayers THEN 1 ELSE {seat} + 1)"


def _piece(text: str, start: int, end: int) -> str:
    """A seat with the name that it is for."""
    before = re.search(r"[\w.!@]*[\w.!@\[\](]$", text[:start])
    return f"{before[0] if before else ''}«{text[start:end]}»"


FIRST = {
    "ap": "1",
    "dice": "0",
    "pd": "0",
    "sb": "NoOwner",
    "ba": "BanditStart",
    "dp": "NoProgressCards",
    "lr": "NoOwner",
    "la": "NoOwner",
    "lim": "[seat \\in Players |-> 0]",
    "offer": "NoOffer",
    "ans": '[seat \\in Players |-> "none"]',
    "prop": "NoProposals",
    "made": "NoneMade",
    "due": "NobodyDue",
    "call": "NoCall",
    "away": "[seat \\in Players |-> FALSE]",
}
"""Components of the game, and what they are at first where chance is the actor's."""

_NEXT_GAME = re.compile(r"^(?P<indent> +)/\\ G' = (?P<value>.*?)(?=\n {4}/\\ |\Z)", re.MULTILINE | re.DOTALL)


def extra_updates(text: str) -> Iterator[tuple[int, str, str, str]]:
    """Every component put back to what it was at first, after whatever else an action does."""
    for found in _NEXT_GAME.finditer(text):
        value = re.sub(r" *\\\*.*$", "", found["value"]).rstrip()
        column = found.start("value") - found.start()
        for name, first in FIRST.items():
            new = f"LET mutated ==\n{' ' * column}{value}\n{found['indent']}    IN [mutated EXCEPT !.{name} = {first}]"
            yield found.start("value"), f"{name} is as at first", found["value"], new


AT_ONCE = 100
"""How many mistakes one run of TLC tries."""


def look(chosen: Sequence[Mutant], tlc: Tlc) -> dict[Mutant, str]:
    """In which of the chosen steps each of them is seen first; those that are not seen are not there."""
    starts = {body.name: body.start for body in bodies("Catan.tla", tlc)}
    mutant_of = {
        Change("Catan.tla", one.definition, one.start - starts[one.definition], one.old, one.new, one.what): one
        for one in chosen
        if one.kinds
    }
    told = judge([one for one in chosen if not one.kinds], tlc)
    for number, (constants, cases) in enumerate(groups().items()):
        kinds = {case.kind for case in cases}
        left = [change for change, one in mutant_of.items() if one not in told and not kinds.isdisjoint(one.kinds)]
        states = given_states("step", constants, [Given(case.before, case.action) for case in cases])
        for i in range(0, len(left), AT_ONCE):
            part = left[i : i + AT_ONCE]
            seen = search("Catan.tla", part, [mutant_of[change].kinds for change in part], states, tlc)
            told |= {mutant_of[change]: _in_words(where, cases) for change, where in seen.items()}
        print(f"group {number}: {len(left)} tried, {len(mutant_of) - len(told)} left", file=sys.stderr, flush=True)
    return told


def _in_words(where: str, cases: Sequence[Case]) -> str:
    """The step that has this number, or what TLC could not do."""
    place = where.removeprefix("step: ")
    return cases[int(place) - 1].name if place.isdecimal() else place


def main() -> int:
    """Make every mistake and tell what happens; 1 if one goes unnoticed that should not."""
    return run(mutants(), IMPLIED, TABLE, HEAD, look)


if __name__ == "__main__":
    sys.exit(main())
