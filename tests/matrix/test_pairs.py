"""The matrix: its rows cover what they say, games of the pairs find nothing, and what was found is found no more."""

from functools import lru_cache
from itertools import combinations, product
from typing import Any

import pytest

from tests.matrix.factors import CONSTRAINTS, FACTORS, REAL_CONSTRAINTS, REAL_FACTORS, Row, rows
from tests.matrix.laboratory import MatrixWorld, Moment
from tests.matrix.playing import run_row
from tests.matrix.verbs import Examination, Facts

SHARES = 44
pytestmark = [pytest.mark.long, pytest.mark.sampled(SHARES)]


class Model:
    """The levels of all factors, and what goes together: the other way to say which rows there must be."""

    def __init__(self, *, real: bool) -> None:
        self.factors = REAL_FACTORS if real else FACTORS
        self.constraints = (*CONSTRAINTS, *REAL_CONSTRAINTS) if real else CONSTRAINTS
        self.can_be_filled = lru_cache(self._can_be_filled)

    def go_together(self, levels: dict[str, Any]) -> bool:
        """Whether no constraint all of whose factors have a level forbids these."""
        return all(holds(levels) for needed, holds in self.constraints if levels.keys() >= {*needed})

    def _can_be_filled(self, chosen: tuple[tuple[str, Any], ...]) -> bool:
        """Whether some row has these levels: one factor after the other, as far as constraints ask for them."""
        levels = dict(chosen)
        if not self.go_together(levels):
            return False
        lacking = next((name for needed, _ in self.constraints for name in needed if name not in levels), None)
        return lacking is None or any(
            self.can_be_filled((*chosen, (lacking, level))) for level in self.factors[lacking]
        )


@pytest.mark.parametrize(("strength", "real"), [(2, False), (3, False), (2, True)])
def test_the_rows_have_all_levels_that_go_together(strength: int, real: bool) -> None:
    """Counted without the library that made them."""
    model = Model(real=real)
    made = [row._asdict() for row in rows(strength, real=real)]
    assert all(map(model.go_together, made))
    for names in combinations(model.factors, strength):
        there = {tuple(row[name] for name in names) for row in made}
        for levels in product(*(model.factors[name] for name in names)):
            assert levels in there or not model.can_be_filled(tuple(zip(names, levels, strict=True))), (names, levels)


def findings(share: int, shares: int, *, real: bool) -> dict[int, tuple[str, ...]]:
    """What is found in every row of a share. Rows are made when a test asks for them: that takes a second."""
    numbered = [*enumerate(rows(2, real=real))][share::shares]
    assert numbered
    return {row[0]: found for row in numbered if (found := run_row(row).findings)}


@pytest.mark.parametrize("share", range(SHARES))
def test_games_of_the_pairs(share: int) -> None:
    assert findings(share, SHARES, real=False) == {}


@pytest.mark.sampled(5, together=True)
def test_copies_of_which_verify_says_different_things_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    verify = Examination.verify

    def verify_wrongly(self: Examination) -> None:
        verify(self)
        if self.path.name == "Blue":
            self.verified = Facts()

    monkeypatch.setattr(Examination, "verify", verify_wrongly)
    [finding] = run_row((12, rows(2)[12])).findings
    assert finding.startswith("Blue: verify says ") and "of the same actions" in finding


@pytest.mark.soak
@pytest.mark.parametrize("share", range(19))
def test_games_of_real_processes(share: int) -> None:
    assert findings(share, 19, real=True) == {}


TALK = Row("standard", 4, "default", "actor", "open", "yes", "no", "folder", "random", "stands still", "early", "first")
"""Somebody is silent who was asked by an offer with table talk."""


def played(row: Row) -> MatrixWorld:
    world = MatrixWorld(row)
    world.run()
    world.check()
    return world


LIARS = {
    "two calls, to which the others have replied": Row(
        "own rules", 4, "default", "joint", "open", "yes", "yes", "relay", "strategist", "forks", "middle", "first"
    ),
    "two first commits of six players": Row(
        "brief", 6, "default", "actor", "open", "yes", "yes", "relay", "mixed", "forks", "opening", "first"
    ),
    "two replies with table talk": Row(
        "standard", 5, "variable", "actor", "open", "yes", "yes", "relay", "mixed", "replies twice", "opening", "first"
    ),
}
"""Somebody has lied, and the relay shows each of the others one of the two."""


@pytest.mark.sampled(5, together=True)
@pytest.mark.parametrize("row", LIARS.values(), ids=LIARS)
def test_a_liar_with_the_relay_in_league_stops_nobody(row: Row) -> None:
    world = played(row)
    assert world.has_happened
    assert all(host.name not in world.gone or host is world.leaver for host in world.hosts)


@pytest.mark.sampled(5, together=True)
def test_who_does_not_answer_an_offer_with_table_talk_stops_nobody() -> None:
    world = played(TALK)
    assert isinstance(world.away, Moment) and world.has_happened
