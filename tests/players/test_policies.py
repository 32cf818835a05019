"""Policies: what they choose can be done, and a builder beats random players."""

from collections import Counter
from random import Random

import pytest

from catan_p2p.game.actions import ACTIONS, OfferTrade, ProposeTrade
from catan_p2p.game.constants import BRIEF, PROFILES
from catan_p2p.game.new_game import new_constants
from catan_p2p.game.randomness import SeededRandomness
from catan_p2p.game.rules import apply, awaited, broken_guards, decisions, draw, enabled, initial_state
from catan_p2p.game.scoring import player_points
from catan_p2p.game.state import State
from catan_p2p.log.refs import COLOURS
from catan_p2p.players.policies import POLICIES, Policy
from tests.positions import position

pytestmark = [pytest.mark.long, pytest.mark.sampled(4)]


def play(
    policies: list[Policy], seed: int, seen: Counter[str] | None = None, rules: str = "thesis"
) -> tuple[State, int]:
    rng = Random(seed)
    state = initial_state(new_constants(rules, COLOURS[: len(policies)], seed=seed))
    count = 0
    while awaited(state) and count < 20_000:
        player = awaited(state)[0]
        options = decisions(state, player)
        choice = policies[player - 1].choose(state, player, options, rng)
        is_trade = isinstance(choice, OfferTrade | ProposeTrade)
        assert choice in options or (is_trade and broken_guards(state, choice) == ())
        if seen is not None:
            seen[type(choice).__name__] += 1
        state = apply(state, draw(state, choice, rng))
        count += 1
    return state, count


@pytest.mark.parametrize("name", sorted(POLICIES))
@pytest.mark.parametrize("players", [2, 3, 4])
def test_every_game_of_a_policy_ends(name: str, players: int) -> None:
    for seed in range(4):
        state, _ = play([POLICIES[name]() for _ in range(players)], seed)
        assert state.is_over


@pytest.mark.parametrize("name", sorted(POLICIES))
@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_every_game_of_a_policy_by_the_rule_book_ends(name: str, players: int) -> None:
    for seed in range(2):
        state, _ = play([POLICIES[name]() for _ in range(players)], seed, rules="brief")
        assert state.is_over
        assert player_points(state, state.ap) >= 10


OF_THE_RULE_BOOK = {"RollForStart", "OfferTrade", "AnswerTrade", "ConcludeTrade", "WithdrawTrade"}
ALL = {kind.name for kind in ACTIONS if kind.cls.rule in (None, "table_talk")}
"""No profile has the rules of the others; tests/chance plays games with joint chance."""
TAKEN = {
    "thesis": ALL - OF_THE_RULE_BOOK - {"ProposeTrade"},
    "brief": ALL - {"EmptyTrade", "ProposeTrade"},
    "standard": ALL - {"EmptyTrade"},
}


@pytest.mark.sampled(12)
@pytest.mark.parametrize("rules", TAKEN)
@pytest.mark.parametrize("name", sorted(POLICIES))
def test_a_policy_takes_every_action_sooner_or_later(name: str, rules: str) -> None:
    seen: Counter[str] = Counter()
    seed = 0
    # Builders know of one another what they will accept, so they never have to withdraw an offer.
    expected = TAKEN[rules] - ({"WithdrawTrade"} if name == "builder" else set())
    while len(seen) < len(expected) and seed < 60:
        play([POLICIES[name]() for _ in range(4)], seed, seen, rules)
        seed += 1
    assert set(seen) == expected


@pytest.mark.parametrize("rules", PROFILES)
@pytest.mark.parametrize("seat", [1, 2, 3])
def test_a_builder_beats_random_players(seat: int, rules: str) -> None:
    policies = [POLICIES["random"](), POLICIES["random"](), POLICIES["random"]()]
    policies[seat - 1] = POLICIES["builder"]()
    assert sum(play(policies, seed, rules=rules)[0].ap == seat for seed in range(6)) >= 5


@pytest.mark.parametrize("rules", PROFILES)
def test_builders_need_fewer_actions_than_random_players(rules: str) -> None:
    lengths = {
        name: sum(play([POLICIES[name](), POLICIES[name]()], seed, rules=rules)[1] for seed in range(5))
        for name in ("builder", "random")
    }
    assert lengths["builder"] < lengths["random"] / 2


def test_random_players_make_every_offer_sooner_or_later() -> None:
    state = position(phase="TradingBuilding", hands={1: "1 Ore, 1 Wool", 2: "1 Brick, 1 Grain"}, rules=BRIEF)
    rng, policy = Random(1), POLICIES["random"]()
    options = decisions(state, 1)
    chosen = {policy.choose(state, 1, options, rng) for _ in range(400)}
    assert chosen == set(enabled(state, 1))


def test_randomness_depends_on_seed_game_height_and_player_only() -> None:
    def drawn(seed: int, game: int, height: int, player: int) -> float:
        return SeededRandomness(seed, game)(height, player).random()

    one = SeededRandomness(1, 2)
    one(9, 1).random()
    assert one(3, 1).random() == drawn(1, 2, 3, 1)
    assert len({drawn(1, 2, 3, 1), drawn(2, 2, 3, 1), drawn(1, 3, 3, 1), drawn(1, 2, 4, 1), drawn(1, 2, 3, 2)}) == 5
