"""What holds for all tests: hypothesis asserts no times and shows how a failure is repeated; TLC starts quickly.

Tests say themselves what they are, by marks: ``long``, ``needs`` an extra, ``sampled``, ``soak`` (see pyproject.toml).
"""

import gc
import logging
import os
from collections import defaultdict
from collections.abc import Iterator
from datetime import UTC, datetime

import pytest
from hypothesis import HealthCheck, settings

from catan_p2p.cli import output
from tests.model_check.archive import options

pytest_plugins = ["tests.in_memory", "tests.left_out", "tests.typed"]

settings.register_profile("catan-p2p", deadline=None, print_blob=True, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("catan-p2p")

os.environ.setdefault("TLC_JAVA_OPTIONS", " ".join(options()))

OWN_POLICIES = ("policy random ", "policy builder ", "policy strategist ")
"""How the log begins that tells of a mistake of one of these."""

FIRST = "CATAN_P2P_CASES"
"""The variable that says which cases are run, a number. If nobody sets it, it grows by one a day (UTC).

So as many days, or runs with numbers that follow one another, as the largest number of a ``sampled`` mark run them all.
"""


def day() -> int:
    """The number of today's date in UTC; a clone of any depth has the same one."""
    return datetime.now(UTC).toordinal()


def is_left_out(place: int, many: int, every: int, first: int) -> bool:
    """Whether CI leaves out the case at this place, from 0, of a test with so many. One of ``every`` is run."""
    return (place + first) % min(every, many) != 0


def pytest_configure() -> None:
    """Settle which cases are run, for the processes of pytest-xdist too, which are begun after this."""
    if FIRST not in os.environ:
        os.environ[FIRST] = str(day())


def pytest_report_header() -> str:
    """Tell which cases are run, so that they can be run again."""
    return f"cases of tests with many: {FIRST}={os.environ[FIRST]}"


@pytest.fixture(autouse=True)
def usual_talk() -> None:
    """A verb that another test has run quietly in this process leaves nothing behind."""
    output.set_talk(output.Verbosity.USUAL)


@pytest.hookimpl(trylast=True)
def pytest_collection_finish() -> None:
    """Collect garbage less often, and never look through the tests themselves: this saves processor time."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 50)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Leave cases of tests with many to other days, before any are chosen by their marks; begin the longest first."""
    cases: dict[str, list[pytest.Item]] = defaultdict(list)
    for item in items:
        mark = item.get_closest_marker("sampled")
        if mark is not None and item.get_closest_marker("soak") is None:
            end = "::" if mark.kwargs.get("together") else "["
            cases[item.nodeid.partition(end)[0]].append(item)
    for of_one in cases.values():
        for place, item in enumerate(of_one):
            mark = item.get_closest_marker("sampled")
            assert mark is not None
            if is_left_out(place, len(of_one), mark.args[0], int(os.environ[FIRST])):
                item.add_marker(pytest.mark.soak)
    items.sort(key=lambda item: item.get_closest_marker("first") is None)


class _Mistakes(logging.Handler):
    """Keeps what is logged of the mistakes of this program's own policies."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.told: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        message = record.getMessage()
        if message.startswith(OWN_POLICIES):
            self.told.append(message)


@pytest.fixture(autouse=True)
def no_own_policy_makes_a_mistake(request: pytest.FixtureRequest) -> Iterator[None]:
    """A game goes on after one, so each test says itself that there was none; but where one is planted."""
    heard, log = _Mistakes(), logging.getLogger("catan_p2p")
    log.addHandler(heard)
    yield
    log.removeHandler(heard)
    assert heard.told == [] or request.node.name.startswith("test_mistake_is_noticed")
