"""The strategist: by which rules it plays, what it may look at, and what it does not do."""

import math
import sys
from collections.abc import Iterable, Iterator
from dataclasses import fields, replace
from functools import reduce
from itertools import islice
from operator import add
from random import Random
from typing import Any

import pytest

from catan_p2p.game.actions import Action, AnswerTrade, EmptyBuild, OfferTrade, RollDice, SetupPhaseOne, SetupPhaseTwo
from catan_p2p.game.actions.parts import with_village
from catan_p2p.game.actions.placement import open_settlement_points
from catan_p2p.game.board import numbers
from catan_p2p.game.cards import ONE, pack, total
from catan_p2p.game.constants import Player
from catan_p2p.game.new_game import new_constants
from catan_p2p.game.randomness import SeededRandomness
from catan_p2p.game.rules import apply, awaited, broken_guards, decisions, draw
from catan_p2p.game.state import Offer, State, initial_state
from catan_p2p.players.bargaining import points_in_reach
from catan_p2p.players.moves import moves
from catan_p2p.players.policies import UnknownPolicy, check_policy, make_policy
from catan_p2p.players.strategist import settling
from catan_p2p.players.strategist.judge import PositionJudge
from catan_p2p.players.strategist.outlook import wait
from catan_p2p.players.strategist.policy import StrategistPolicy, known
from catan_p2p.players.strategist.weights import DEFAULT, NEVER
from catan_p2p.tournament.games import TournamentSetup, play_deal
from catan_p2p.view.sample import sample
from tests.positions import veiled

pytestmark = pytest.mark.sampled(3)

COLOURS = ("Red", "Blue", "Green", "Orange", "White", "Brown")
PLAIN = (0.25,) * 5


def game(rules: str, players: int, seed: int, most: int = 20_000) -> Iterator[tuple[State, Player, Action]]:
    """Every decision of a game of strategists: the state before, who decides, and what."""
    state = initial_state(new_constants(rules, COLOURS[:players], "default", seed))
    policy = make_policy("strategist")
    for number in range(most):
        if state.is_over:
            return
        player = awaited(state)[0]
        rng = Random(f"{seed}/{number}")
        choice = policy.choose(state, player, decisions(state, player), rng)
        yield state, player, choice
        state = apply(state, draw(state, choice, rng))


@pytest.mark.parametrize("players", [2, 4])
def test_it_plays_by_the_thesis_to_the_end(players: int) -> None:
    assert all(not broken_guards(state, choice) for state, _, choice in game("thesis", players, players))


@pytest.mark.sampled(3, together=True)
@pytest.mark.long
@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_it_plays_by_the_rule_book_to_the_end(players: int) -> None:
    assert all(not broken_guards(state, choice) for state, _, choice in game("brief", players, players))


def test_the_same_seed_plays_the_same_game() -> None:
    one, other = (list(game("brief", 3, 5)) for _ in range(2))
    assert one == other


@pytest.mark.parametrize("policy", ["builder", "strategist"])
def test_a_python_that_sums_floats_exactly_plays_the_same_game(policy: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Python rounds after every number that ``sum`` adds; from 3.12 on it rounds once. Nobody may decide by that."""

    def rounded_once(values: Iterable[Any], /, start: Any = 0) -> Any:
        numbers = [start, *values]
        return math.fsum(numbers) if any(isinstance(one, float) for one in numbers) else reduce(add, numbers)

    def rounded_each_time(values: Iterable[Any], /, start: Any = 0) -> Any:
        return reduce(add, values, start)

    games = []
    for instead in (rounded_once, rounded_each_time):
        monkeypatch.setattr("builtins.sum", instead)
        forget_what_is_kept()
        start = initial_state(new_constants("standard", COLOURS[:4], "default", 1))
        played = moves(start, [make_policy(policy) for _ in range(4)], SeededRandomness(1, 0))
        games.append([action for _, action, _ in islice(played, 40)])
    assert games[0] == games[1]


def forget_what_is_kept() -> None:
    """Empty the caches of all functions of computer players."""
    for name in [name for name in sys.modules if name.startswith("catan_p2p.players")]:
        for function in vars(sys.modules[name]).values():
            if hasattr(function, "cache_clear"):
                function.cache_clear()


@pytest.mark.sampled(3, together=True)
@pytest.mark.long
def test_it_beats_the_builder() -> None:
    won = [play_deal(TournamentSetup(("strategist", "builder"), seed=3), number).winning_policy for number in range(8)]
    assert won.count("strategist") >= 4


# The set-up


def set_up(players: int, seed: int) -> Iterator[tuple[State, Player, SetupPhaseOne | SetupPhaseTwo]]:
    """The placements of a game."""
    for state, player, choice in game("brief", players, seed):
        if isinstance(choice, SetupPhaseOne | SetupPhaseTwo):
            yield state, player, choice
        elif isinstance(choice, RollDice):
            return


@pytest.mark.parametrize("seed", range(4))
def test_the_second_road_leads_where_a_win_takes_the_fewest_rolls(seed: int) -> None:
    for state, player, choice in set_up(4, seed):
        if isinstance(choice, SetupPhaseTwo):
            judge = PositionJudge(state, player, DEFAULT)
            times = {
                one.road: settling._time(judge, state, one)
                for one in decisions(state, player)
                if isinstance(one, SetupPhaseTwo) and one.at == choice.at
            }
            assert times[choice.road] <= min(times.values()) + 0.1


@pytest.mark.parametrize("players", [2, 3, 4])
def test_for_the_second_village_it_counts_on_no_point_that_the_others_should_take(players: int) -> None:
    state = beginning = next(state for state, _, _ in set_up(players, 0))
    board, free = state.constants.board, open_settlement_points(state)
    others = [(state.first + turn) % players + 1 for turn in range(players - 1)]
    for other in (*others, *reversed(others)):
        held = state.s.villages[other - 1]
        best = max(numbers(free), key=lambda at: settling.promise(board, held, at))
        state = state._replace(s=with_village(state.s, other, best))
        free &= ~(1 << best | board.adjacent_settlements[best])
    assert all(free >> at & 1 for at in settling._seconds(beginning, beginning.first))


# Its time for a decision


def test_its_time_is_a_parameter() -> None:
    names = ("strategist", "strategist:19ms", "strategist:20ms", "strategist:99ms", "strategist:100ms")
    searches = []
    for policy in map(make_policy, names):
        assert isinstance(policy, StrategistPolicy)
        searches.append(policy.search)
    assert searches == [None, None, (2, 4), (2, 4), (4, 6)]
    assert check_policy("strategist:50ms") == "strategist:50ms"


@pytest.mark.parametrize("name", ["strategist:0ms", "strategist:50", "strategist:ms", "strategist:-5ms"])
def test_a_time_that_is_none_is_no_policy(name: str) -> None:
    with pytest.raises(UnknownPolicy):
        check_policy(name)


def test_more_time_decides_by_the_rules_as_well() -> None:
    entry = TournamentSetup(("strategist:20ms", "builder"), seed=4)
    assert play_deal(entry, 0).winner is not None


# What it may know


def with_other_hands(state: State, player: Player, rng: Random) -> State:
    """The state with all cards that the player cannot see dealt anew: as many to everybody as before."""
    return sample(veiled(state, player), rng)


def told(choice: Action) -> tuple[object, ...]:
    """A decision without the outcome of chance that it holds."""
    return (type(choice), *(getattr(choice, field.name) for field in fields(choice) if field.name != "card"))  # type: ignore[arg-type]


@pytest.mark.sampled(3, together=True)
@pytest.mark.long
@pytest.mark.parametrize(("rules", "players"), [("brief", 4), ("brief", 3), ("thesis", 3)])
def test_cards_that_it_cannot_see_change_no_decision(rules: str, players: int) -> None:
    policy, changed = make_policy("strategist"), 0
    for number, (state, player, choice) in enumerate(game(rules, players, 7)):
        other = with_other_hands(state, player, Random(number))
        assert known(other, player) == known(state, player)
        if other == state or (isinstance(choice, OfferTrade) and broken_guards(other, choice)):
            continue
        options = decisions(other, player)
        again = policy.choose(other, player, options, Random(f"7/{number}"))
        if isinstance(choice, AnswerTrade) or not isinstance(again, OfferTrade) or not broken_guards(state, again):
            assert told(again) == told(choice), number
        changed += 1
    assert changed > 50


def test_of_two_players_each_knows_the_other_s_hand() -> None:
    for state, player, _ in game("brief", 2, 9, 120):
        assert [hand.rc for hand in known(state, player).h] == [hand.rc for hand in state.h]


# What it does not do


@pytest.mark.sampled(3, together=True)
@pytest.mark.long
def test_it_does_not_sit_on_more_cards_than_a_seven_leaves() -> None:
    ends = [
        total(state.h[player - 1].rc)
        for seed in range(2)
        for state, player, choice in game("brief", 4, seed)
        if isinstance(choice, EmptyBuild)
    ]
    assert sum(held > 7 for held in ends) <= 0.03 * len(ends)


def test_it_never_accepts_what_lets_the_active_player_win() -> None:
    accepted = refused = 0
    for state, player, choice in game("brief", 4, 12):
        if not isinstance(choice, AnswerTrade):
            continue
        give, receive = state.offer
        reach = points_in_reach(state, state.ap, known(state, player).h[state.ap - 1].rc - give + receive)
        if choice.answer == "accept":
            assert reach < state.constants.rules.points_to_win
            accepted += 1
        refused += choice.answer == "reject"
    assert accepted
    assert refused


def test_an_offer_that_lets_the_other_win_is_rejected_however_good() -> None:
    state = next(state for state, _, _ in game("brief", 2, 1) if state.tp == "TradingBuilding" and state.ap == 1)
    rules = replace(state.constants.rules, points_to_win=state.points(1) + 1)
    hands = (state.h[0]._replace(rc=pack((0, 0, 0, 1, 3))), state.h[1]._replace(rc=pack((0, 0, 0, 1, 0))))
    bank = rules.resource_pool - hands[0].rc - hands[1].rc
    offering = state._replace(
        constants=replace(state.constants, rules=rules),
        h=hands,
        bnk=state.bnk._replace(rc=bank),
        tp="Offering",
        offer=Offer(pack((0, 0, 0, 0, 0)) + ONE["Ore"], ONE["Grain"]),
        ans=("none", "asked"),
    )
    choice = make_policy("strategist").choose(offering, 2, decisions(offering, 2), Random(0))
    assert choice == AnswerTrade(2, "reject")


# How it counts


@pytest.mark.parametrize(
    ("hand", "income", "cost", "rolls"),
    [
        ((1.0,) * 5, (0.0,) * 5, (1.0, 1.0, 0.0, 0.0, 0.0), 0.0),
        ((0.0,) * 5, (0.5, 0.0, 0.0, 0.0, 0.0), (1.0, 0.0, 0.0, 0.0, 0.0), 2.0),
        ((0.0,) * 5, (0.0, 0.5, 0.0, 0.0, 0.0), (1.0, 0.0, 0.0, 0.0, 0.0), 8.0),
        ((0.0, 4.0, 0.0, 0.0, 0.0), (0.0,) * 5, (1.0, 0.0, 0.0, 0.0, 0.0), 0.0),
        ((0.0, 3.0, 0.0, 0.0, 0.0), (0.0,) * 5, (1.0, 0.0, 0.0, 0.0, 0.0), NEVER),
        ((0.0,) * 5, (0.25, 0.25, 0.0, 0.0, 0.0), (1.0, 1.0, 0.0, 0.0, 0.0), 4.0),
    ],
)
def test_the_wait_for_a_cost(
    hand: tuple[float, ...], income: tuple[float, ...], cost: tuple[float, ...], rolls: float
) -> None:
    assert wait(hand, income, PLAIN, cost) == pytest.approx(rolls)  # type: ignore[arg-type]


def test_waiting_longer_is_never_said_of_more_cards() -> None:
    rng = Random(2)
    for _ in range(300):
        hand = [rng.randint(0, 4) for _ in range(5)]
        income = tuple(rng.choice((0.0, 0.1, 0.3)) for _ in range(5))
        cost = tuple(rng.randint(0, 3) for _ in range(5))
        more = [*hand]
        more[rng.randrange(5)] += 1
        assert wait(tuple(more), income, PLAIN, cost) <= wait(tuple(hand), income, PLAIN, cost) + 1e-9  # type: ignore[arg-type]
