"""The table of effect mutations: which check sees that an action of the specification does something else.

``python -m tests.model_check.effect_mutations`` makes the table anew: it makes every mistake, one at a time, and looks.
Names of definitions after it look at those only and leave the table as it is.

Three kinds of mistakes follow from the text: every update of an EXCEPT is left out, every ``UNCHANGED SU`` changes the
set-up, and every ``Won(...)`` overlooks that the game is won. The others are the rows of effect_table.py.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import NamedTuple

from catan_p2p.model_check.tlc import Tlc, TlcError, spec_folder
from tests.model_check.effect_table import MISTAKES
from tests.model_check.given_steps import disagreements, groups
from tests.model_check.guard_mutations import Seen, is_noticed, quick_tlc, run_model
from tests.model_check.spec_text import Definition, actions_reaching, definitions, module_text, updates

STEPS = "given steps"
"""The check by chosen steps: tests/model_check/test_given.py."""

IMPLIED: dict[tuple[str, str], str] = {}
"""Mistakes that change nothing in any state that can be reached, and why."""

TABLE = spec_folder() / "effects.md"
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
        yield from _numbered(one, places)


def _numbered(one: Definition, places: Sequence[tuple[int, str, str, str]]) -> Iterator[Mutant]:
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


def with_mistakes(made: Sequence[Mutant]) -> dict[str, str]:
    """The modules with these mistakes, none of which overlap, by the names of their files."""
    texts: dict[str, str] = {}
    for one in sorted(made, key=lambda one: one.start, reverse=True):
        text = texts.setdefault(one.file, module_text(one.file))
        assert text.startswith(one.old, one.start)
        texts[one.file] = text[: one.start] + one.new + text[one.start + len(one.old) :]
    return texts


def batches(chosen: Sequence[Mutant]) -> list[list[Mutant]]:
    """The mutants in batches of which no two concern the same action: one run of TLC tells of all of a batch."""
    found: list[list[Mutant]] = []
    for one in chosen:
        alone = one.model or not one.kinds
        for batch in () if alone else found:
            if not batch[0].model and batch[0].kinds and all(set(one.kinds).isdisjoint(m.kinds) for m in batch):
                batch.append(one)
                break
        else:
            found.append([one])
    return found


def judge(batch: Sequence[Mutant], tlc: Tlc) -> dict[Mutant, str]:
    """What the check sees of each of them, in words; those that it does not see are not there."""
    if not batch[0].model:
        return _by_steps(batch, tlc)
    whole, seen = _whole(batch[0].model), run_model(batch[0].model, tlc, with_mistakes(batch))
    if not is_noticed(whole, seen):
        return {}
    counted = f"{seen.distinct:,} states of {seen.generated:,} instead of {whole.distinct:,} of {whole.generated:,}"
    return {batch[0]: seen.verdict if seen.verdict != "fine" else counted}


def _by_steps(batch: Sequence[Mutant], tlc: Tlc) -> dict[Mutant, str]:
    """What the chosen steps tell, group by group until they have told of every mutant."""
    modules, seen = with_mistakes(batch), {}
    for constants in groups():
        left = [one for one in batch if one not in seen]
        kinds = {kind for one in left for kind in one.kinds}
        if not left or (kinds and not any(case.kind in kinds for case in groups()[constants])):
            continue
        try:
            for found in disagreements(constants, tlc, kinds, modules):
                for one in left:
                    if one.kinds == () if found.case is None else found.case.kind in one.kinds:
                        seen.setdefault(one, found.text)
        except TlcError as error:
            if len(batch) == 1:
                seen.setdefault(batch[0], f"TLC cannot evaluate it: {error}")
                continue
            return seen | {one: told for other in left for one, told in _by_steps([other], tlc).items()}
    return seen


def main() -> int:
    """Make every mistake and tell what happens; 1 if one goes unnoticed that should not."""
    wanted = sys.argv[1:]
    chosen = [one for one in mutants() if not wanted or one.definition in wanted or one.what in wanted]
    tlc = quick_tlc()
    told: dict[Mutant, str] = {}
    with ThreadPoolExecutor(2) as workers:
        for batch, seen in zip(batches(chosen), workers.map(lambda one: judge(one, tlc), batches(chosen)), strict=True):
            told |= seen
            for one in batch:
                print(f"{one.definition:18} {one.what:55} {one.check:12} {seen.get(one, 'UNNOTICED')}", flush=True)
    if not wanted:
        write_table(told)
    wrong = [one for one in chosen if (one in told) is ((one.definition, one.what) in IMPLIED)]
    told_wrong = "; ".join(f"{one.definition}: {one.what}" for one in wrong)
    print(f"{len(chosen)} mistakes, {f'not as it should be: {told_wrong}' if wrong else 'as it should be'}")
    return 1 if wrong else 0


def write_table(told: Mapping[Mutant, str]) -> None:
    """The table of all mistakes, with what was seen of each."""
    lines = []
    for one in mutants():
        implied = IMPLIED.get((one.definition, one.what))
        nothing = f"nothing: {implied}" if implied else "nothing"
        cells = (one.definition, one.what, one.check, told.get(one, nothing))
        lines.append(f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |\n")
    TABLE.write_text(HEAD + "".join(lines), encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
