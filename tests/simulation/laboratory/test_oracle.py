"""The oracle says who was put out, and the game goes on until then; what it says of today's rules stands here.

``UNTIL_VIEWS`` lists games of campaigns that end badly by today's votes on silence and on lies.
"""

import pytest

from tests.simulation.laboratory import forging, leaving
from tests.simulation.laboratory.found import CAMPAIGNS
from tests.simulation.laboratory.sums import watched

UNTIL_VIEWS = {
    "forging": (0, 2, 6, 9, 11, 14, 42, 52, 60, 64, 70, 72, 74, 77, 81, 85, 94),
    "restored": (18,),  # a reply that the others have merged is not taken back, and a second one is written
}
"""By campaign the games of the first hundred that fail."""


@pytest.mark.long
@pytest.mark.sampled(7)
@pytest.mark.xfail(strict=True, reason="until views")
@pytest.mark.parametrize(("campaign", "seed"), [(name, seed) for name, seeds in UNTIL_VIEWS.items() for seed in seeds])
def test_nobody_honest_is_put_out_or_stands_still(campaign: str, seed: int) -> None:
    assert CAMPAIGNS[campaign](seed).failures == []


@pytest.mark.long
def test_a_game_goes_on_after_the_first_contradiction_and_says_who_is_put_out() -> None:
    (failure,) = forging.play_one(14).failures
    first, *_, last = failure.split("; ")
    assert "contradicts what others hold" in first
    assert last == "Green, honest and there, is away"


def test_who_was_silent_for_longer_than_the_patience_was_not_there() -> None:
    world = leaving.game_of(3)
    assert world.away.way == "comes back"
    found = watched(leaving.Figures(), world, "", world.check)
    assert found.failures == []
    assert world.leaver.name not in world.gone
    assert world.watcher.graph.state.away[world.away.player - 1]
    world._silences.clear()
    assert world.put_out == [world.leaver.name]
