"""Real repositories follow the specification: every step that TLC generates, they take, and refs are compared after it.

The fetch of any part of a log, a crash between writing objects, moving a ref and publishing, and the restart are steps
like any other.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.spec_replication.behaviours import generate
from tests.spec_replication.table import follow, make_template


def drive(tmp_path: Path, players: int, count: int, seed: int, length: int) -> dict[str, int]:
    """Drive repositories through so many behaviours; how often each kind of step was taken."""
    template = make_template(tmp_path / "template", players)
    taken: dict[str, int] = {}
    behaviours = generate(players, count, seed, length)
    assert len(behaviours) == count
    for number, behaviour in enumerate(behaviours):
        follow(template, tmp_path / str(number), players, behaviour)
        for step in behaviour:
            taken[step.name] = taken.get(step.name, 0) + 1
    return taken


@pytest.mark.spec
def test_two_repositories_follow_behaviours_of_the_specification(tmp_path: Path) -> None:
    taken = drive(tmp_path, players=2, count=15, seed=1, length=100)
    assert min(taken[name] for name in ("Record", "Publish", "TakeIn", "Crash", "Restart", "Remove")) > 5


@pytest.mark.spec
def test_three_repositories_follow_behaviours_of_the_specification(tmp_path: Path) -> None:
    taken = drive(tmp_path, players=3, count=10, seed=1, length=140)
    assert min(taken[name] for name in ("Record", "Publish", "TakeIn", "Crash", "Restart", "Remove")) > 5


@pytest.mark.soak
@pytest.mark.spec
@pytest.mark.parametrize("seed", range(100, 115))
def test_two_repositories_follow_many_behaviours(tmp_path: Path, seed: int) -> None:
    drive(tmp_path, players=2, count=20, seed=seed, length=130)


@pytest.mark.soak
@pytest.mark.spec
@pytest.mark.parametrize("seed", range(200, 210))
def test_three_repositories_follow_many_behaviours(tmp_path: Path, seed: int) -> None:
    drive(tmp_path, players=3, count=20, seed=seed, length=160)
