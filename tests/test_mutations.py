"""A check that was never seen to fail checks nothing: every mutation turns the test that it names red.

The quick tests import the package anew, with the mistake, into this process; the soak tests write a copy of the whole
source with the mistake and run pytest on it.
"""

import asyncio
import gc
import importlib
import importlib.util
import inspect
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from importlib.machinery import ModuleSpec, SourceFileLoader
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any

import pytest

from catan_p2p.game.actions import KIND_NAMED, KIND_OF, ActionKind
from tests.game.actions.guard_cases import GUARD_CASES
from tests.game.actions.test_guards import ALL_TAGS, check_refused
from tests.game.actions.test_instances import check_agreement_on_random_states
from tests.mutations import MUTATIONS
from tests.mutations.extra_updates import extra_updates
from tests.mutations.implied import EXTRA_IMPLIED, SEAT_IMPLIED
from tests.mutations.mirror import case_that_sees, who_sees
from tests.mutations.mutation import PACKAGE, Mutation, guard_deletions
from tests.mutations.seats import WrongSeat, wrong_seats
from tests.mutations.trust import TRUST

pytestmark = [pytest.mark.long, pytest.mark.sampled(48)]

ROOT = PACKAGE.parent
DELETIONS = tuple(guard_deletions())
WRONG_SEATS = tuple(wrong_seats())
EXTRA_UPDATES = tuple(extra_updates())
CASES_OF = {tag: [case for case in GUARD_CASES if case.tag == tag] for tag in ALL_TAGS}


def names(mutations: Sequence[Mutation]) -> list[str]:
    """What the tests are called."""
    return [mutation.what for mutation in mutations]


# ------------------------------------------------------------------------------------------------------ in this process


class _Mutant(SourceFileLoader):
    """Loads one module from other source than its file's."""

    def __init__(self, mutation: Mutation) -> None:
        super().__init__(mutation.module, str(PACKAGE / mutation.file))
        self.source = mutation.source

    def get_code(self, fullname: str) -> CodeType:
        return compile(self.source, self.path, "exec", dont_inherit=True)

    def find_spec(self, name: str, path: object = None, target: ModuleType | None = None) -> ModuleSpec | None:
        return importlib.util.spec_from_file_location(name, self.path, loader=self) if name == self.name else None


OURS = ("catan_p2p", "visualizer", "tests")


@contextmanager
def imported_anew(mutation: Mutation) -> Iterator[None]:
    """Within, importing the packages or a test gives fresh modules, with the mistake; afterwards all is as before."""

    def ours() -> dict[str, ModuleType]:
        return {name: sys.modules[name] for name in list(sys.modules) if name.partition(".")[0] in OURS}

    before, mutant = ours(), _Mutant(mutation)
    for name in before:
        del sys.modules[name]
    sys.meta_path.insert(0, mutant)  # type: ignore[arg-type]
    try:
        yield
    finally:
        sys.meta_path.remove(mutant)  # type: ignore[arg-type]
        for name in ours():
            del sys.modules[name]
        sys.modules.update(before)


def calls(node: str, folder: Path) -> list[Callable[[], Any]]:
    """What pytest would call for a test: its function with all of its parameters, or with those named in brackets.

    A test that wants ``tmp_path`` gets an empty folder below ``folder``.
    """
    file, name, _, wanted = re.fullmatch(r"(.+)\.py::(\w+)(\[(.+)\])?", node).groups()  # type: ignore[union-attr]
    function = getattr(importlib.import_module(f"tests.{file.replace('/', '.')}"), name)
    marks = [mark for mark in getattr(function, "pytestmark", ()) if mark.name == "parametrize"]
    rows = _rows(*marks[0].args, **marks[0].kwargs) if marks else [("", {})]
    found = []
    for number, (id, arguments) in enumerate(rows):
        if wanted in (None, id):
            if "tmp_path" in inspect.signature(function).parameters:
                (path := folder / str(number)).mkdir()
                arguments = {**arguments, "tmp_path": path}
            found.append(partial(function, **arguments))
    return found


def run(call: Callable[[], Any]) -> None:
    """Call a test, and run it to its end if it is a coroutine function, as ``tests/lmu/conftest.py`` does."""
    result = call()
    if inspect.iscoroutine(result):
        asyncio.run(result)


def _rows(
    names: str | Sequence[str], values: Sequence[Any], ids: Callable[[Any], str] | None = None
) -> Iterator[tuple[str, dict[str, Any]]]:
    names = (names,) if isinstance(names, str) else names
    for value in values:
        given = value.values if hasattr(value, "marks") else value if len(names) > 1 else (value,)
        yield (ids(value) if callable(ids) else str(value)), dict(zip(names, given, strict=True))


@pytest.fixture
def closed() -> Iterator[None]:
    """What a test leaves open that fails half-way is closed before the next test, which would be blamed for it."""
    yield
    gc.collect()


@pytest.mark.usefixtures("closed")
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning", "ignore::ResourceWarning")
@pytest.mark.parametrize("mutation", MUTATIONS, ids=names(MUTATIONS))
def test_mistake_is_noticed(mutation: Mutation, tmp_path: Path) -> None:
    with imported_anew(mutation), pytest.raises(BaseException) as noticed:
        for call in calls(mutation.test, tmp_path):
            run(call)
    assert not isinstance(noticed.value, KeyboardInterrupt | SyntaxError | ImportError), noticed.value


@pytest.mark.parametrize("test", sorted({mutation.test for mutation in MUTATIONS}))
def test_without_a_mistake_the_test_passes(test: str, tmp_path: Path) -> None:
    found = calls(test, tmp_path)
    assert found, f"{test} is not there"
    for call in found if "test_instances" not in test else ():  # these take long, and are run by themselves anyway
        run(call)


def test_every_mistake_can_be_made_and_its_test_called(tmp_path: Path) -> None:
    """All of them, every day: CI makes only some, and texts and tests move."""
    for number, mutation in enumerate(MUTATIONS):
        assert mutation.source
        (folder := tmp_path / str(number)).mkdir()
        found = calls(mutation.test, folder)
        assert found, f"{mutation.test} is not there"
        for call in found:
            inspect.signature(call.func).bind(*call.args, **call.keywords)  # type: ignore[attr-defined]
    assert all(mutation.source for mutation in TRUST)


def test_there_is_a_deletion_for_every_guard() -> None:
    assert sorted(names(DELETIONS)) == sorted(f"without {tag}" for tag in ALL_TAGS)


def without_guard(mutation: Mutation) -> ActionKind:
    """The action as it is, but for its guards."""
    changed = ModuleType(mutation.module)
    exec(compile(mutation.source, mutation.file, "exec", dont_inherit=True), vars(changed))
    return replace(KIND_NAMED[Path(mutation.file).stem], broken=changed.broken)


@pytest.mark.parametrize("mutation", DELETIONS, ids=names(DELETIONS))
def test_missing_guard_is_noticed(mutation: Mutation, monkeypatch: pytest.MonkeyPatch) -> None:
    mutant = without_guard(mutation)
    monkeypatch.setitem(KIND_OF, mutant.cls, mutant)  # type: ignore[arg-type]
    for case in CASES_OF[mutation.what.removeprefix("without ")]:
        with pytest.raises(AssertionError):
            check_refused(case)


@pytest.mark.parametrize("mutant", WRONG_SEATS, ids=[str(number) for number in range(len(WRONG_SEATS))])
def test_wrong_seat_is_noticed(mutant: WrongSeat) -> None:
    assert (who_sees(mutant) is None) == (mutant.what in SEAT_IMPLIED), mutant.what


def test_extra_updates_are_noticed() -> None:
    assert {one.what for one in EXTRA_UPDATES if case_that_sees(one) is None} == EXTRA_IMPLIED.keys()


def test_what_nothing_sees_is_among_the_mistakes() -> None:
    assert SEAT_IMPLIED.keys() <= {one.what for one in WRONG_SEATS}
    assert EXTRA_IMPLIED.keys() <= {one.what for one in EXTRA_UPDATES}


IMPLIED = {"without SO9 road_bandit", "without ST9 road_bandit", "without PR4 supply", "without PT1 rule"}
"""Guards that others imply, always or nearly so.

A road that touches a place and the bandit's tile is at a place beside the bandit. Without a road left, two cannot be
placed, nor a single one unless there is no place for a second. Without table talk no phase is one for proposals.
"""


@pytest.mark.soak
@pytest.mark.parametrize("mutation", DELETIONS, ids=names(DELETIONS))
def test_missing_guard_is_noticed_in_random_states(mutation: Mutation) -> None:
    """Without any case made for it, by the agreement of guards and instances alone."""
    mutant = without_guard(mutation)
    if mutation.what in IMPLIED:
        check_agreement_on_random_states(mutant)
    else:
        with pytest.raises(AssertionError):
            check_agreement_on_random_states(mutant)


# -------------------------------------------------------------------------------------------------------- in a copy


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the source and the tests."""
    folder = tmp_path_factory.mktemp("mutants")
    for name in ("catan_p2p", "spec", "tests", "docs", "pyproject.toml"):
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(source, folder / name)
    return folder


def run_pytest(copy: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """pytest in the copy, which must not find the original, nor must the programs that it starts."""
    command = [sys.executable, "-B", "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", *arguments]
    environment = os.environ | {"PYTHONPATH": str(copy)}
    return subprocess.run(command, cwd=copy, env=environment, capture_output=True, text=True, check=False)


@pytest.fixture
def mistaken(copy: Path) -> Iterator[Callable[[Mutation], None]]:
    """Writes a mutation into the copy; afterwards the copy is as before."""
    written: list[Mutation] = []

    def write(mutation: Mutation) -> None:
        written.append(mutation)
        (copy / "catan_p2p" / mutation.file).write_text(mutation.source, encoding="utf-8")

    yield write
    for mutation in written:
        shutil.copy(PACKAGE / mutation.file, copy / "catan_p2p" / mutation.file)


@pytest.mark.soak
def test_the_copy_passes_and_is_a_copy(copy: Path) -> None:
    done = run_pytest(copy, *sorted({f"tests/{mutation.test}" for mutation in (*MUTATIONS, *TRUST, *DELETIONS)}))
    assert done.returncode == 0, done.stdout
    where = "import catan_p2p; print(catan_p2p.__file__)"
    found = subprocess.run([sys.executable, "-c", where], cwd=copy, capture_output=True, text=True, check=True)
    assert Path(found.stdout.strip()).is_relative_to(copy)


@pytest.mark.soak
@pytest.mark.parametrize("mutation", (*MUTATIONS, *TRUST), ids=names((*MUTATIONS, *TRUST)))
def test_mistake_turns_the_test_red(copy: Path, mistaken: Callable[[Mutation], None], mutation: Mutation) -> None:
    mistaken(mutation)
    assert run_pytest(copy, f"tests/{mutation.test}").returncode == 1


@pytest.mark.soak
@pytest.mark.parametrize("mutation", DELETIONS, ids=names(DELETIONS))
def test_missing_guard_turns_the_test_red(copy: Path, mistaken: Callable[[Mutation], None], mutation: Mutation) -> None:
    mistaken(mutation)
    assert run_pytest(copy, f"tests/{mutation.test}").returncode == 1
