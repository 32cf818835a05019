"""The table of effect mutations: which check sees that an action of the specification does something else.

``python -m tests.model_check.effect_mutations`` makes the table anew: it makes every mistake, one at a time, and looks.
Names of definitions after it look at those only and leave the table as it is.

Five kinds of mistakes follow from the text: every update of an EXCEPT is left out, every ``UNCHANGED SU`` changes the
set-up, every ``Won(...)`` overlooks that the game is won, after every ``Settled`` the draw goes on, and after every
``Heard`` the proposals stand. The others are the rows of effect_table.py.
"""

import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from typing import NamedTuple

from catan_p2p.game.constants import Constants
from catan_p2p.model_check.tlc import TlcError, TlcProgram
from tests.model_check.all_mutants import Variant, differences_of
from tests.model_check.effect_table import MISTAKES
from tests.model_check.given_steps import disagreements, groups
from tests.model_check.guard_mutations import Seen, is_noticed, quick_tlc, run_model
from tests.model_check.spec_text import Definition, actions_reaching, definitions, module_text, updates
from tests.shared import made_table, table_row

STEPS = "given steps"
"""The check by chosen steps: tests/model_check/test_given.py."""

IMPLIED: dict[tuple[str, str], str] = {}
"""Mistakes that change nothing in any state that can be reached, and why."""

"""Where ``make mutations`` writes what it saw."""

HEAD = """# What turns red with another effect

Written by `make mutations` (tests/model_check/effect_mutations.py): the effects of `Catan.tla`, and what they speak of,
are changed, one at a time. *Stays* means that an update is left out. Most are seen by the chosen steps that
tests/model_check/test_given.py has TLC and the program take; the first that differs is named, with what differs. The
others are seen by a model. Both are among the tests that CI runs.

| definition | the mistake | check | what is seen |
| --- | --- | --- | --- |
"""


class Mutant(NamedTuple):
    """A text of one definition replaced by another: where it is in the module, and what must notice."""

    definition: str
    what: str
    start: int
    old: str
    new: str
    model: str = ""

    @property
    def file(self) -> str:
        """The module's."""
        return definitions()[self.definition].file

    @property
    def kinds(self) -> tuple[str, ...]:
        """The actions that it concerns."""
        return actions_reaching(self.definition)

    @property
    def check(self) -> str:
        """What must notice."""
        return self.model or STEPS


def is_effect(definition: Definition) -> bool:
    """Whether a definition takes part in an action or in the initial state."""
    return definition.name in ("Init", "Opened") or bool(actions_reaching(definition.name))


def from_text() -> Iterator[Mutant]:
    """The mistakes that follow from the text of the specification."""
    for one in filter(is_effect, definitions().values()):
        places = [(found.start, f"{found.path} stays", found.value, "@") for found in updates(one.text)]
        elsewhere = "SU' = [SU EXCEPT !.first = NextPlayer(@)]"
        for found in re.finditer(r"UNCHANGED SU\b", one.text):
            places.append((found.start(), "the set-up changes", found[0], elsewhere))
        for found in re.finditer(r"UNCHANGED G\b", one.text):
            places.append((found.start(), "the game changes", found[0], "G' = [G EXCEPT !.ap = NextPlayer(@)]"))
        for found in re.finditer(r"\bWon\((?=\[)", one.text):
            places.append((found.start(), "a win is overlooked", found[0], "("))
        for found in re.finditer(r"\bHeard\b(?! ==)", one.text):
            places.append((found.start(), "the proposals stand", found[0], "G"))
        for found in re.finditer(r"\bSettled\b(?! ==)", one.text):
            places.append((found.start(), "the draw goes on", found[0], "G"))
        yield from numbered(one, places)


def numbered(one: Definition, places: Sequence[tuple[int, str, str, str]]) -> Iterator[Mutant]:
    """The mutants of one definition, told apart by a number where several do the same."""
    whats = [what for _, what, _, _ in places]
    for i, (at, what, old, new) in enumerate(places):
        name = f"{what} ({whats[: i + 1].count(what)})" if whats.count(what) > 1 else what
        yield Mutant(one.name, name, one.start + at, old, new)


def by_hand() -> Iterator[Mutant]:
    """The rows of the table of mistakes; ``ValueError`` if a text is not there exactly once."""
    for row in MISTAKES:
        one = definitions()[row.definition]
        if one.text.count(row.old) != 1:
            raise ValueError(f"{row.definition}: {row.old!r} is there {one.text.count(row.old)} times, expected once")
        yield Mutant(row.definition, row.what, one.start + one.text.index(row.old), row.old, row.new, row.model)


@cache
def mutants() -> tuple[Mutant, ...]:
    """All of them, in the order of the specification."""
    return tuple(sorted([*from_text(), *by_hand()], key=lambda one: (one.file, one.start, one.what)))


@cache
def _whole(model: str) -> Seen:
    return run_model(model, quick_tlc())


def mutated(one: Mutant) -> dict[str, str]:
    """The module with this mistake, by the name of its file."""
    text = module_text(one.file)
    assert text.startswith(one.old, one.start)
    return {one.file: text[: one.start] + one.new + text[one.start + len(one.old) :]}


def judge(chosen: Sequence[Mutant], tlc: TlcProgram) -> dict[Mutant, str]:
    """What the checks see of each of them, in words; those that they do not see are not there."""
    at_once = [one for one in chosen if not one.model and one.file == "Catan.tla"]
    seen = _by_steps(at_once, tlc)
    for one in chosen:
        if one not in at_once and (told := _alone(one, tlc)) is not None:
            seen[one] = told
    return seen


def _by_steps(chosen: Sequence[Mutant], tlc: TlcProgram) -> dict[Mutant, str]:
    """What the chosen steps tell, group by group until they have told of every mutant, all mutants at once."""
    seen: dict[Mutant, str] = {}
    for constants, cases in groups().items():
        kinds = {case.kind for case in cases}
        left = [one for one in chosen if one not in seen and (not one.kinds or not kinds.isdisjoint(one.kinds))]
        seen |= _in_group(constants, left, tlc) if left else {}
    return seen


def _in_group(constants: Constants, left: Sequence[Mutant], tlc: TlcProgram) -> dict[Mutant, str]:
    variant_of = {
        Variant(one.definition, one.start - definitions()[one.definition].start, one.old, one.new): one for one in left
    }
    try:
        kinds = {variant: one.kinds for variant, one in variant_of.items()}
        found = differences_of(constants, groups()[constants], kinds, tlc)
    except TlcError as error:
        if len(left) == 1:
            return {left[0]: f"TLC cannot evaluate it: {str(error)[:200]}"}
        half = len(left) // 2
        return _in_group(constants, left[:half], tlc) | _in_group(constants, left[half:], tlc)
    return {variant_of[variant]: difference.text for variant, difference in found.items()}


def _alone(one: Mutant, tlc: TlcProgram) -> str | None:
    """What a model tells, or the chosen steps of a mutant of the board, which is constant."""
    if one.model:
        whole, seen = _whole(one.model), run_model(one.model, tlc, mutated(one))
        if not is_noticed(whole, seen):
            return None
        counted = f"{seen.distinct:,} states of {seen.generated:,} instead of {whole.distinct:,} of {whole.generated:,}"
        return seen.verdict if seen.verdict != "fine" else counted
    for constants in groups():
        for found in disagreements(constants, tlc, one.kinds, mutated(one)):
            return found.text
    return None


def main() -> int:
    """Make every mistake and tell what happens; 1 if one goes unnoticed that should not."""
    return run(mutants(), IMPLIED, "effects", HEAD)


def run(
    listed: Sequence[Mutant],
    implied: Mapping[tuple[str, str], str],
    table: str,
    head: str,
    look: Callable[[Sequence[Mutant], TlcProgram], dict[Mutant, str]] = judge,
) -> int:
    """Make the mistakes, or those whose names the command line has, and write the table if it has none.

    ``look`` tells what the checks see of each, in words; those that they do not see are not there.
    """
    wanted = sys.argv[1:]
    chosen = [one for one in listed if not wanted or one.definition in wanted or one.what in wanted]
    told = look(chosen, quick_tlc())
    for one in chosen:
        print(f"{one.definition:18} {one.what:55} {one.check:12} {told.get(one, 'UNNOTICED')}")
    if not wanted:
        print(made_table(table, head + table_of(listed, told, implied)))
    wrong = [one for one in chosen if (one in told) is ((one.definition, one.what) in implied)]
    told_wrong = "; ".join(f"{one.definition}: {one.what}" for one in wrong)
    print(f"{len(chosen)} mistakes, {f'not as it should be: {told_wrong}' if wrong else 'as it should be'}")
    return 1 if wrong else 0


def table_of(listed: Sequence[Mutant], told: Mapping[Mutant, str], implied: Mapping[tuple[str, str], str]) -> str:
    """The rows of all mistakes, with what was seen of each."""
    lines = []
    for one in listed:
        why = implied.get((one.definition, one.what))
        cells = (one.definition, one.what, one.check, told.get(one, f"nothing: {why}" if why else "nothing"))
        lines.append(table_row(*cells))
    return "".join(lines)


if __name__ == "__main__":
    sys.exit(main())
