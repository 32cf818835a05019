"""Who lies about hidden cards over simulated links is charged or shown to be a liar, and excused; the game ends."""

from collections.abc import Callable

import pytest

from catan_p2p.log.graph import CommitGraph
from catan_p2p.simulation.laboratory.spec import parse_network
from catan_p2p.simulation.laboratory.world import SimulatedWorld
from tests.simulation.laboratory.card_lies import LIES, PARDONED
from tests.simulation.laboratory.hidden import Figures, ending, faulty, forking, lying
from tests.simulation.laboratory.hidden_forks import MOMENTS
from tests.simulation.laboratory.leaving import HIDDEN_RULES, Away, LeavingWorld
from tests.simulation.laboratory.oracle import PATIENCE_S
from tests.simulation.laboratory.sums import watched
from tests.simulation.laboratory.worlds import settings

pytestmark = pytest.mark.sampled(8)

MOST_GAMES = 40
SEEDS = {  # payment: over a relay, which is not charged with it
    "opening": 4,
    "piece": 3,
    "answer": 1,
    "share": 1,
    "shuffle": 1,
    "pieces": 1,
    "place": 1,
    "payment": 4,
    "card": 2,
    "pledge": 1,
    "choice": 1,
    "surrender": 1,
    "end": 0,
    "key": 1,
    "reveal": 1,
    "roll": 1,
}
"""From which seed on a game is looked for in which somebody tells the lie."""
LEFT = {"rest": 4, "strip": 4}
"""Of lies that are told after another player has left."""
FORKS = {  # a monopoly in the hands of the one liar is rare
    "theft": 1,
    "victim": 1,
    "robber": 1,
    "purchase": 2,
    "share": 1,
    "buyer": 2,
    "keys": 1,
    "first": 1,
    "monopoly": 30,
    "surrender": 15,
    "roll": 1,
    "signature": 1,
    "closing": 9,
}
FORKS_LEFT = {"rest": (4, 2), "surrender": (16, 2), "closing": (0, 1)}
"""Of forks after another player has left, with how many are excused in all."""


def occasion(play: Callable[[int], Figures], seed: int, way: str, excused: int | None = None) -> Figures:
    """The first game from a seed on in which somebody does what is looked for; those before it end properly, too.

    With ``excused``, as many players must be excused in it: a game can end before the others have settled a lie.
    """
    for number in range(seed, seed + MOST_GAMES):
        figures = play(number)
        assert figures.failures == []
        if figures.ways[way] and excused in (None, figures.excused):
            return figures
    pytest.fail(f"no {way} in {MOST_GAMES} games")


def test_every_lie_and_every_fork_has_a_seed() -> None:
    assert {*SEEDS, *LEFT} == {*LIES}
    assert {*FORKS, *FORKS_LEFT} == {*MOMENTS}


@pytest.mark.long
@pytest.mark.parametrize("lie", SEEDS)
def test_a_lie_about_cards_costs_the_seat(lie: str) -> None:
    figures = occasion(lambda seed: lying(seed, lie), SEEDS[lie], f"lie about {lie}")
    assert figures.excused == (lie not in PARDONED)


@pytest.mark.long
@pytest.mark.parametrize("lie", LEFT)
def test_a_lie_about_cards_costs_the_seat_after_another_has_left(lie: str) -> None:
    way = f"lie about {lie}, without somebody"
    figures = occasion(lambda seed: lying(seed, lie, is_left=True), LEFT[lie], way)
    assert figures.excused == 1 + (lie not in PARDONED)


@pytest.mark.long
@pytest.mark.parametrize("moment", FORKS)
def test_a_game_goes_on_after_a_fork_in_the_middle_of_something_hidden(moment: str) -> None:
    occasion(lambda seed: forking(seed, moment), FORKS[moment], f"fork at {moment}")


@pytest.mark.long
@pytest.mark.parametrize("moment", FORKS_LEFT)
def test_a_game_goes_on_after_a_fork_without_a_player_who_has_left(moment: str) -> None:
    seed, excused = FORKS_LEFT[moment]
    way = f"fork at {moment}, without somebody"
    occasion(lambda number: forking(number, moment, is_left=True), seed, way, excused)


@pytest.mark.long
def test_a_robber_who_takes_another_card_does_not_get_the_game() -> None:
    """Nothing is awaited of the victim, who has answered."""
    figures = lying(5, "place")
    assert figures.failures == []
    assert figures.excused == 1


@pytest.mark.long
@pytest.mark.parametrize("seed", [12])
def test_who_alone_is_shown_an_end_tells_no_key(seed: int) -> None:
    figures = ending(seed)
    assert figures.failures == []
    assert figures.ways["an end for one"] == 1


class AtTheEnd(Away):
    """Who falls silent when the end has to be signed, or closed."""

    def is_now(self, graph: CommitGraph) -> bool:
        return graph.state.tp == "Signing"


@pytest.mark.long
@pytest.mark.parametrize("player", [1, 2, 3])
def test_a_game_is_closed_without_who_is_silent_at_its_end(player: int) -> None:
    """One of the three has won; the others sign, or go on without, though they wait longer than peers stay."""
    chosen = settings("lan; machine = quick", 3, rules=HIDDEN_RULES[0], signed=True, hands="hidden")
    world = LeavingWorld(0, chosen, AtTheEnd(player, "killed", 1))
    for host in world.hosts:
        host.seat.pace.stay_s = PATIENCE_S / 2
    figures = watched(Figures(), world, "silent at the end", world.check)
    assert figures.failures == []
    state = world.watcher.graph.state
    assert state.tp == "top" and state.away[player - 1] and sum(state.away) == 1


@pytest.mark.long
def test_all_end_on_one_commit_after_which_each_log_has_a_key() -> None:
    words = "lan; machine = quick"
    chosen = settings(words, 5, rules="brief; PointsToWin = 3; Leaving = yes", signed=True, hands="hidden")
    SimulatedWorld(0, chosen, parse_network(words)).run()


@pytest.mark.long
def test_a_game_of_hidden_hands_ends_in_spite_of_faults() -> None:
    figures = faulty(1)
    assert figures.failures == []
    assert figures.ways
