"""The oracle says who was put out, and the game goes on until then."""

import pytest

from tests.simulation.laboratory import leaving
from tests.simulation.laboratory.sums import watched


@pytest.mark.long
def test_who_was_silent_for_longer_than_the_patience_was_not_there() -> None:
    world = leaving.game_of(3)
    assert world.away.way == "comes back"
    found = watched(leaving.Figures(), world, "", world.check)
    assert found.failures == []
    assert world.leaver.name not in world.gone
    assert world.watcher.graph.state.away[world.away.player - 1]
    world._silences.clear()
    assert world.put_out == [world.leaver.name]
