"""Who lies about hidden cards over simulated links is charged or shown to be a liar, and excused; the game ends."""

import pytest

from tests.simulation.laboratory.hidden import LIES, ending, faulty, lying

pytestmark = pytest.mark.sampled(3)

SEEDS = {  # payment: over a relay, which is not charged with it
    "opening": 1,
    "piece": 1,
    "answer": 5,
    "share": 1,
    "shuffle": 1,
    "pieces": 1,
    "place": 1,
    "payment": 30,
    "card": 1,
}


@pytest.mark.long
@pytest.mark.parametrize("lie", LIES)
def test_a_lie_about_cards_costs_the_seat(lie: str) -> None:
    figures = lying(SEEDS[lie], lie)
    assert figures.failures == []
    assert figures.ways[f"lie about {lie}"] == figures.excused == 1


@pytest.mark.long
def test_a_robber_who_takes_another_card_does_not_get_the_game() -> None:
    """Of two players: nothing is awaited of the victim, who has answered."""
    figures = lying(25, "place")
    assert figures.failures == []
    assert figures.excused == 1


@pytest.mark.long
@pytest.mark.parametrize("seed", [6, 9, 13, 16])
def test_who_alone_is_shown_an_end_tells_no_key(seed: int) -> None:
    figures = ending(seed)
    assert figures.failures == []
    assert figures.ways["an end for one"] == figures.excused == 1


@pytest.mark.long
def test_a_game_of_hidden_hands_ends_in_spite_of_faults() -> None:
    figures = faulty(1)
    assert figures.failures == []
    assert figures.ways
