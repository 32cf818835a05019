"""A plugin of pytest: the last lines say which tests ``make test`` has left to ``make test-all``, and why.

A module that is marked as a whole with ``needs`` is not even imported by ``make test``: what it imports is not there.
"""

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

QUICK = "not soak and not long and not needs"
"""The marks by which ``make test`` chooses."""
_NEEDS = re.compile(r"^pytestmark = (?:.+\n)*?.*\bpytest\.mark\.needs\((.*?)\)", re.MULTILINE)


class LeftOut:
    """Counts while tests are collected; with pytest-xdist one process tells another."""

    def __init__(self) -> None:
        self._tests: Counter[str] = Counter()
        self._files: Counter[str] = Counter()

    def pytest_ignore_collect(self, collection_path: Path, config: pytest.Config) -> bool | None:
        """Pass over a module whose imports are not there."""
        if config.option.markexpr != QUICK or collection_path.suffix != ".py":
            return None
        found = _NEEDS.search(collection_path.read_text(encoding="utf-8"))
        if found is None:
            return None
        self._files.update(re.findall(r'"(\w+)"', found[1]))
        return True

    def pytest_deselected(self, items: list[pytest.Item]) -> None:
        """Count each by what keeps it from being run."""
        for item in items:
            needs = item.get_closest_marker("needs")
            if item.get_closest_marker("soak") is None and item.get_closest_marker("long") is not None:
                self._tests["long"] += 1
            elif item.get_closest_marker("soak") is None and needs is not None:
                self._tests.update(needs.args)

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Tell the process that began this one."""
        if hasattr(session.config, "workeroutput"):
            session.config.workeroutput["left_out"] = (dict(self._tests), dict(self._files))

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any, error: object) -> None:
        """Each process has collected all: what one tells is enough."""
        tests, files = getattr(node, "workeroutput", {}).get("left_out", ({}, {}))
        self._tests |= Counter(tests)
        self._files |= Counter(files)

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_terminal_summary(self, terminalreporter: Any, config: pytest.Config) -> Iterator[None]:
        """Below all else: nothing is left out in silence."""
        yield
        if config.option.markexpr != QUICK:
            return
        told = [_count(self._tests["long"], "long test")]
        for extra in sorted((self._tests | self._files).keys() - {"long"}):
            of_it = ((self._tests[extra], "test"), (self._files[extra], "file"))
            parts = [_count(count, kind) for count, kind in of_it if count]
            verb = "needs" if sum(count for count, _ in of_it) == 1 else "need"
            told.append(f"{' and '.join(parts)} that {verb} the extra {extra}")
        terminalreporter.write_line(f"left to make test-all: {', '.join(told)}")


def _count(count: int, kind: str) -> str:
    return f"{count} {kind}{'s' * (count != 1)}"


def pytest_configure(config: pytest.Config) -> None:
    """Count for the whole run."""
    config.pluginmanager.register(LeftOut(), "left-out")
