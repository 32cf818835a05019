"""Chosen steps, asked of TLC and of the program: what every action makes of a state, and what it refuses.

They are the cases of tests/game/actions, for every number of players and every choice of rules for which an effect is
tried; the specification takes the same step or none.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple

from catan_p2p.game.actions import Action
from catan_p2p.game.constants import Constants
from catan_p2p.game.state import State, initial_state
from catan_p2p.model_check.tlc import TlcProgram
from catan_p2p.model_check.trace import differences
from tests.game.actions.effect_cases import EFFECT_CASES
from tests.game.actions.guard_cases import GUARD_CASES
from tests.game.actions.openings import OPENINGS
from tests.model_check.given import Changes, Given, ask


class Case(NamedTuple):
    """A step, or one that is refused if there is nothing after it."""

    name: str
    before: State
    action: Action
    after: State | None

    @property
    def kind(self) -> str:
        """The action's name."""
        return type(self.action).__name__


@cache
def groups() -> dict[Constants, tuple[Case, ...]]:
    """The cases by the constants that they share, those with the most first: TLC starts once for each."""
    found: dict[Constants, list[Case]] = {}
    for case in EFFECT_CASES:
        step = Case(case.name, case.before, case.action, case.after)
        found.setdefault(case.before.constants, []).append(step)
    refusals = Counter(refused.state.constants for refused in GUARD_CASES)
    for refused in GUARD_CASES:
        constants = refused.state.constants
        # Guards are also tried by the models: no other constants for the sake of a few of them.
        if constants in found or refusals[constants] > 9:
            step = Case(f"refused: {refused.name}", refused.state, refused.action, None)
            found.setdefault(constants, []).append(step)
    for constants in OPENINGS:
        found.setdefault(constants, [])
    return {constants: tuple(found[constants]) for constants in sorted(found, key=lambda one: -len(found[one]))}


def group_name(constants: Constants) -> str:
    """What a group is called: how many play, and how many cases there are."""
    index = list(groups()).index(constants)
    return f"group {index}, {constants.player_count} players, {len(groups()[constants])} cases"


class Difference(NamedTuple):
    """A case in which TLC and the program differ, or the initial state; and in what."""

    case: Case | None
    detail: str

    @property
    def text(self) -> str:
        """Both in words."""
        return f"{self.case.name if self.case is not None else 'Init'}: {self.detail}"


def disagreements(
    constants: Constants,
    tlc: TlcProgram,
    kinds: Collection[str] | None = None,
    modules: Mapping[str, str] | None = None,
) -> Iterator[Difference]:
    """Where TLC and the program differ in a group; of these actions only, if some are named."""
    cases = [case for case in groups()[constants] if kinds is None or case.kind in kinds]
    answers = ask(constants, [Given(case.before, case.action) for case in cases], tlc, modules)
    if answers.initial != initial_state(constants):
        yield Difference(None, told(differences(initial_state(constants), answers.initial)))
    for case, steps in zip(cases, answers.steps, strict=True):
        found = difference(case, steps)
        if found is not None:
            yield found


def difference(case: Case, steps: Sequence[Changes]) -> Difference | None:
    """In what the steps that TLC takes differ from what the program makes of a case, None if in nothing."""
    expected = [] if case.after is None else [frozenset(differences(case.before, case.after))]
    if steps == expected:
        return None
    if steps and expected:
        return Difference(case, told(steps[0] ^ expected[0]) or "in more than one way")
    return Difference(case, "taken" if steps else "not taken")


_MANY = ("RC", "BC", "AC", "UC", "b", "s", "r")


def told(changes: Iterable[tuple[Any, ...]]) -> str:
    """The components that changes are about."""
    names = {" of ".join(map(str, change[:2])) if change[0] in _MANY else str(change[0]) for change in changes}
    return ", ".join(sorted(names))
