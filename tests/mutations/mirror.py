"""The mistakes that are made from the source of the mirror, every one of them, and the table of what sees each.

``python -m tests.mutations.mirror`` makes the table anew. A mistake is made in this process: the code of a function is
replaced, so that the cases, which are made before, say what they said.
"""

import importlib
import inspect
import signal
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import CodeType, FunctionType
from typing import Any

from catan_p2p.game.actions import KIND_OF
from catan_p2p.game.rules import apply
from tests.game import test_rules, test_scoring, test_state
from tests.game.actions import test_effects, test_guards, test_seats
from tests.game.actions.cases import EffectCase
from tests.game.actions.effect_cases import EFFECT_CASES
from tests.mutations.extra_updates import ExtraUpdate, extra_updates, updated
from tests.mutations.implied import EXTRA_IMPLIED, SEAT_IMPLIED
from tests.mutations.seats import WrongSeat, wrong_seats
from tests.shared import made_table, table_row

HEAD = """# What sees a wrong seat and an extra update

Written by `make mutations` (tests/mutations/mirror.py). In every function of the rules every use of a seat, marked «»,
is replaced by the next seat; and every action puts back one part of the state more to what it was at first, or makes
its player the owner of it. The test named is the first that fails.

| the mistake | what sees it |
| --- | --- |
"""

_MOST_S = 20
"""Seconds of a processor's time for all checks of one mistake, some of which make a loop that does not end."""


class _TooLong(BaseException):
    pass


def _tests_of(module: Any) -> Iterator[Callable[[], None]]:
    """The tests of a module that need neither parameters nor fixtures."""
    for name, test in vars(module).items():
        if name.startswith("test_") and not inspect.signature(test).parameters:
            yield test


def checks() -> tuple[Callable[[], None], ...]:
    """What may see a mistake, the quickest first."""
    first = (
        test_effects.test_effect,
        test_effects.test_everything_else_is_the_very_same,
        test_guards.test_guard_refuses,
    )
    modules = (test_effects, test_guards, test_seats, test_rules, test_scoring, test_state)
    others = (test for module in modules for test in _tests_of(module))
    return tuple(dict.fromkeys((*first, *others)))


def function_of(mutant: WrongSeat) -> FunctionType:
    """The function that a mistake is made in."""
    found: Any = importlib.import_module(f"catan_p2p.{mutant.file.removesuffix('.py').replace('/', '.')}")
    for name in mutant.function.split("."):
        found = inspect.getattr_static(found, name)
    return inspect.unwrap(found.fget if isinstance(found, property) else found)  # type: ignore[no-any-return]


def _code_of(code: CodeType, name: str) -> CodeType:
    for part in name.split("."):
        code = next(one for one in code.co_consts if isinstance(one, CodeType) and one.co_name == part)
    return code


@contextmanager
def made(mutant: WrongSeat) -> Iterator[None]:
    """Within, the function has the mistake."""
    function = function_of(mutant)
    whole = function.__code__
    function.__code__ = _code_of(compile(mutant.source, mutant.file, "exec", dont_inherit=True), mutant.function)
    _forget()
    try:
        yield
    finally:
        function.__code__ = whole
        _forget()


def _forget() -> None:
    """What functions of the rules remember is forgotten."""
    for name, module in list(sys.modules.items()):
        if name.startswith("catan_p2p.game"):
            for value in vars(module).values():
                if hasattr(value, "cache_clear"):
                    value.cache_clear()


def who_sees(mutant: WrongSeat) -> str | None:
    """The first check that fails with the mistake, None if none does."""
    with made(mutant), _within(_MOST_S):
        for check in checks():
            try:
                check()
            except (Exception, _TooLong):  # noqa: BLE001 - whatever a check fails with
                return check.__name__
    return None


@contextmanager
def _within(seconds: int) -> Iterator[None]:
    def stop(*_: object) -> None:
        raise _TooLong

    before = signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def case_that_sees(mutant: ExtraUpdate) -> str | None:
    """The first case that an action with an extra update leads elsewhere, None if there is none."""
    for case in EFFECT_CASES:
        if type(case.action).__name__ == mutant.action and is_other(case, mutant):
            return case.name
    return None


def is_other(case: EffectCase, mutant: ExtraUpdate) -> bool:
    """Whether an action leads elsewhere with the extra update."""
    assert KIND_OF[type(case.action)].name == mutant.action
    return updated(apply(case.before, case.action), case.action, mutant.part) != case.after


def main() -> int:
    """Make every mistake and write what sees it; 1 if one goes unseen that should not, or the other way round."""
    seen: dict[str, str | None] = {one.what: who_sees(one) for one in wrong_seats()}
    seen |= {one.what: case_that_sees(one) for one in extra_updates()}
    implied = SEAT_IMPLIED | {one.what: reason for one in extra_updates() if (reason := EXTRA_IMPLIED.get(one.what))}
    lines = []
    for what, by in seen.items():
        told = by or (f"nothing: {implied[what]}" if what in implied else "nothing")
        lines.append(table_row(what, told))
    print(made_table("mirror", HEAD + "".join(lines)))
    wrong = [what for what, by in seen.items() if (by is None) != (what in implied)]
    print("\n".join(wrong))
    print(Counter("nothing" if by is None else "something" for by in seen.values()))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
