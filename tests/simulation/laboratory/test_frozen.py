"""A relay whose views stand still: nobody is excused for less than the table's patience, and nobody forks for more."""

import pytest

from tests.simulation.laboratory.frozen import play_one

pytestmark = [pytest.mark.long, pytest.mark.sampled(5)]


@pytest.mark.parametrize(
    ("seed", "part", "excused"), [(2, 0.7, 0), (4, 0.7, 0), (2, 2.5, 1)], ids=["shorter", "pushes-refused", "longer"]
)
def test_a_game_ends_for_all_over_a_relay_whose_views_freeze(seed: int, part: float, excused: int) -> None:
    """In "pushes-refused" an old view made a player push what was there already, and wait with all that came after."""
    figures = play_one(seed, part)
    assert figures.failures == []
    assert figures.left > 0
    assert figures.excused == excused
