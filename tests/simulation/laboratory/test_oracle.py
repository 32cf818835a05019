"""The oracle says who was put out, and why a game stands still; the game goes on until then."""

import pytest

from catan_p2p.simulation.laboratory import remotes
from catan_p2p.simulation.laboratory.distributions import US
from tests.simulation.laboratory import failing, leaving, racing, vote_lies
from tests.simulation.laboratory.oracle import PATIENCE_S
from tests.simulation.laboratory.sums import watched
from tests.simulation.laboratory.worlds import any_table


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


@pytest.mark.long
def test_where_moves_take_longer_than_the_others_wait_anybody_may_be_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """A relay over satellites that sends whole histories again takes half a minute for a commit, and others wait."""
    monkeypatch.setattr(remotes, "_FEW_COMMITS", 10**9)
    world = racing.RacingWorld(4027, "builder", "open", 6)
    found = watched(leaving.Figures(), world, "", world.check)
    assert (found.failures, world.slow, found.slow) == ([], ["Blue"], 1)
    for spread in world.recording.actions.values():
        spread.by = dict.fromkeys(spread.by, spread.written)
    assert (world.put_out, world.slow) == (["Blue"], [])


@pytest.mark.long
def test_who_goes_back_to_an_older_copy_while_the_others_vote_takes_no_part() -> None:
    world = failing.FailingWorld(4131, "builder", *any_table(4131))
    found = watched(leaving.Figures(), world, "", world.check)
    assert (found.failures, world.put_out) == ([], [])
    world._went_back.clear()
    assert world.put_out == ["Red"]


@pytest.mark.long
def test_a_game_stands_still_only_for_a_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    """A liar is one of two who are left, and nobody may claim of them."""

    def play() -> vote_lies.Figures:
        world = vote_lies.game_of(1)
        world.still_us = int(6 * PATIENCE_S * US)
        return watched(vote_lies.Figures(), world, "", world.check)

    found = play()
    assert (found.failures, sum(found.still.values())) == ([], 1)
    monkeypatch.setattr(vote_lies.VoteLiesWorld, "_why_still", lambda world: "")
    assert "the game stands still" in play().failures[0]
