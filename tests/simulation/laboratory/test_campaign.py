"""A campaign counts what happened, and a game that fails is shrunk to the faults that matter."""

import pytest

from catan_p2p.simulation.laboratory.shrinking import problem_of, shrink, smallest
from catan_p2p.simulation.laboratory.spec import parse_network
from tests.simulation.laboratory.campaign import play_one
from tests.simulation.laboratory.worlds import of_campaign


def test_a_campaign_counts_what_happened() -> None:
    figures = play_one(2)
    assert figures.failures == []
    assert figures.acknowledged > 0
    assert sum(figures.faults.values()) > 0


@pytest.mark.long
def test_a_failing_game_shrinks_to_the_faults_that_matter(monkeypatch: pytest.MonkeyPatch) -> None:
    def plant(size: object) -> bool:
        return False

    from catan_p2p.replication import play
    from catan_p2p.simulation.laboratory import hosts

    monkeypatch.setattr(play, "is_full", plant)
    monkeypatch.setattr(hosts, "may_pass", plant)
    seed = next(seed for seed in range(1, 60) if problem_of(0, of_campaign(seed)) is not None)
    fewest = shrink(0, of_campaign(seed))
    assert problem_of(0, fewest) is not None
    assert len(parse_network(fewest.network).chosen or ()) == 1


def test_only_what_matters_is_left() -> None:
    assert smallest(list(range(1, 21)), lambda some: {3, 17} <= set(some)) == [3, 17]
    assert smallest([1, 2, 3], lambda some: True) == []
    assert smallest([5], lambda some: 5 in some) == [5]
