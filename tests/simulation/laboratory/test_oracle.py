"""The oracle says who was put out, and why a game stands still; the game goes on until then."""

import pytest

from catan_p2p.simulation.laboratory.distributions import US
from tests.simulation.laboratory import failing, leaving, racing, vote_lies
from tests.simulation.laboratory.oracle import PATIENCE_S
from tests.simulation.laboratory.sums import watched
from tests.simulation.laboratory.worlds import any_table


@pytest.mark.long
def test_who_was_silent_or_slow_for_longer_than_the_patience_may_be_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """In the end nobody was silent, and then all came later by as long as the others wait."""
    world = leaving.game_of(3)
    assert world.away.way == "comes back"
    found = watched(leaving.Figures(), world, "", world.check)
    assert found.failures == []
    assert world.leaver.name not in world.gone
    assert world.watcher.graph.state.away[world.away.player - 1]
    world._silences.clear()
    assert (world.put_out, world.slow) == ([world.leaver.name], [])
    for spread in world.recording.actions.values():
        spread.by = {name: known_us + int(PATIENCE_S * US) for name, known_us in spread.by.items()}
    monkeypatch.setattr(world, "run", lambda: None)
    found = watched(leaving.Figures(), world, "")
    assert (world.put_out, world.slow, found.slow) == ([], [world.leaver.name], 1)


@pytest.mark.long
def test_who_goes_back_to_an_older_copy_while_the_others_vote_takes_no_part() -> None:
    world = failing.FailingWorld(4131, "builder", *any_table(4131))
    found = watched(leaving.Figures(), world, "", world.check)
    assert (found.failures, world.put_out) == ([], [])
    world._went_back.clear()
    assert world.put_out == ["Red"]


@pytest.mark.long
def test_who_goes_back_to_an_older_copy_of_three_waits_for_both_others() -> None:
    world = failing.FailingWorld(18921, "builder", *any_table(4730))
    found = watched(leaving.Figures(), world, "", world.check)
    assert (found.failures, world.put_out) == ([], [])
    del world._silences["Blue"]
    assert world.put_out == ["Red"]


@pytest.mark.long
def test_who_goes_back_to_an_older_copy_in_a_ring_waits_for_both_neighbours() -> None:
    world = failing.FailingWorld(24207, "builder", *any_table(6051))
    found = watched(leaving.Figures(), world, "", world.check)
    assert (found.failures, world.put_out) == ([], [])
    world.hosts[0].seat.settings.remotes["Green"] = world.hosts[0].seat.settings.remotes["Blue"]
    assert world.put_out == ["Red"]


@pytest.mark.long
def test_a_relay_that_is_late_for_one_player_may_have_that_player_left_out() -> None:
    world = failing.FailingWorld(24311, "builder", *any_table(6077))
    found = watched(leaving.Figures(), world, "", world.check)
    assert (found.failures, world.put_out) == ([], [])
    world._silences["Green"] = world._silences["Green"][1:]
    assert world.put_out == ["Green"]


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


@pytest.mark.long
@pytest.mark.parametrize(("seed", "hands", "players"), [(9019, "open, returns", 4), (84, "hidden, returns", 3)])
def test_whoever_could_come_back_and_did_not_is_named(
    seed: int, hands: str, players: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = leaving.play_one(seed, hands=hands, players=players)
    assert (found.failures, found.returned, found.away) == ([], 1, {})
    monkeypatch.setattr("catan_p2p.replication.core.view_duty.ViewDuty.request", lambda _: None)
    found = leaving.play_one(seed, hands=hands, players=players)
    assert "could come back, and did not" in found.failures[0]
    assert (found.returned, found.away) == (0, {"could come back, and did not": 1})


@pytest.mark.long
def test_why_others_did_not_come_back_is_counted() -> None:
    found = leaving.play_one(11, hands="hidden, returns")
    assert (found.failures, found.returned) == ([], 0)
    assert found.away == {"silent until shortly before the end": 1}, "peers stay long after it"


@pytest.mark.long
def test_an_answer_that_comes_after_its_offer_was_settled_is_not_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    found = racing.play_one(4856, hands="open, returns", players=4)
    assert found.failures == []
    monkeypatch.setattr(leaving.LeavingWorld, "_settled_offers", lambda world, line: set())
    assert "had accepted" in racing.play_one(4856, hands="open, returns", players=4).failures[0]
