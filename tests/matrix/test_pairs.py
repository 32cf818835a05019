"""The matrix: its rows cover what they say, games of the pairs find nothing, and what was found is found no more."""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations, product
from typing import Any

import pytest

from catan_p2p.replication.voting import Voting
from catan_p2p.rules import awaited
from catan_p2p.simulation.network.scene import Broken
from tests.matrix.factors import CONSTRAINTS, FACTORS, Row, rows
from tests.matrix.laboratory import MatrixWorld, Moment
from tests.matrix.playing import run_row

NAMES = tuple(FACTORS)


def go_together(levels: dict[str, Any]) -> bool:
    """Whether no constraint all of whose factors have a level forbids these."""
    return all(holds(levels) for needed, holds in CONSTRAINTS if levels.keys() >= {*needed})


@lru_cache
def can_be_filled(chosen: tuple[tuple[str, Any], ...]) -> bool:
    """Whether some row has these levels: one factor after the other, as far as constraints allow."""
    levels = dict(chosen)
    if not go_together(levels):
        return False
    lacking = next((name for needed, _ in CONSTRAINTS for name in needed if name not in levels), None)
    return lacking is None or any(can_be_filled((*chosen, (lacking, level))) for level in FACTORS[lacking])


@pytest.mark.parametrize("strength", [2, 3])
def test_the_rows_have_all_levels_that_go_together(strength: int) -> None:
    """Counted without the library that made them."""
    for row in rows(strength):
        assert go_together(row._asdict()), row
    for names in combinations(NAMES, strength):
        places = [NAMES.index(name) for name in names]
        there = {tuple(row[place] for place in places) for row in rows(strength)}
        for levels in product(*(FACTORS[name] for name in names)):
            assert levels in there or not can_be_filled(tuple(zip(names, levels, strict=True))), (names, levels)


@pytest.mark.parametrize("number", range(len(rows(2))))
def test_a_game_of_the_pairs(number: int) -> None:
    assert run_row((number, rows(2)[number])).findings == ()


TALK = Row("table talk", 4, "default", "actor", "yes", "no", "folder", "random", "stands still", "middle", "first")
"""Somebody is silent who was asked by an offer with table talk."""


def played(row: Row) -> MatrixWorld:
    world = MatrixWorld(row)
    world.run()
    world.check()
    return world


def test_who_does_not_answer_an_offer_with_table_talk_stops_nobody() -> None:
    world = played(TALK)
    assert isinstance(world.away, Moment) and world.has_happened


def test_a_program_that_votes_on_whom_it_waits_for_would_not_go_on(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whom a program waits for, and for whom the game does, differ with table talk."""

    def silent(voting: Voting) -> tuple[int, ...]:
        state, me = voting._replica.graph.state, voting._replica.player
        return tuple(player for player in awaited(state) if player != me)

    monkeypatch.setattr(Voting, "silent", silent)
    monkeypatch.setattr("catan_p2p.replication.play.are_optional", lambda state: False)
    with pytest.raises(Broken, match="VO6 awaited"):
        played(TALK)
