"""Tournaments: rotated seats, equal dice, ratings that find strengths, and the verb."""

import json
from dataclasses import replace
from math import log
from pathlib import Path
from random import Random
from typing import Any

import pytest

from catan_p2p.game.actions import RollDice
from catan_p2p.players import flat_moves
from catan_p2p.players.builder import BuilderPolicy
from catan_p2p.tournament.games import TournamentGame, TournamentSetup, play_deal, whole_deals
from catan_p2p.tournament.ratings import fit, standings
from tests.typed import Typed


def drawn_game(seats: tuple[str, ...], strengths: dict[str, float], rng: Random, deal: int) -> TournamentGame:
    winner = rng.choices(range(len(seats)), [strengths[name] for name in seats])[0]
    return TournamentGame(deal, 0, seats, winner, tuple(10 if i == winner else 5 for i in range(len(seats))), 100, 50)


def test_every_policy_has_every_seat_on_the_same_deal() -> None:
    entry = TournamentSetup(("random", "builder", "random"), rules="thesis", seed=3)
    outcomes = [play_deal(entry, number) for number in range(3)]
    assert [outcome.deal for outcome in outcomes] == [0, 0, 0]
    assert [outcome.seats.index("builder") for outcome in outcomes] == [1, 0, 2]
    assert outcomes == [play_deal(entry, number) for number in range(3)]


def test_the_same_roll_of_a_deal_shows_the_same_dice(monkeypatch: pytest.MonkeyPatch) -> None:
    rolled: list[list[int]] = []
    entry = TournamentSetup(("builder", "builder"), rules="thesis", seed=3)
    from catan_p2p.game import rules

    draw = rules.draw

    def watched(state: Any, action: Any, rng: Random) -> Any:
        drawn = draw(state, action, rng)
        if isinstance(drawn, RollDice):
            rolled[-1].append(drawn.dice)
        return drawn

    monkeypatch.setattr(rules, "draw", watched)
    monkeypatch.setattr(flat_moves, "why_not_covered", lambda constants: "the mirror plays, whose draws are watched")
    choose = BuilderPolicy.choose

    def hasty(self: Any, state: Any, player: int, decisions: Any, rng: Random) -> Any:
        # The second game is played differently: its rolls are the same all the same.
        return (
            decisions[-1] if len(rolled) == 2 and state.tp == "Trading" else choose(self, state, player, decisions, rng)
        )

    monkeypatch.setattr(BuilderPolicy, "choose", hasty)
    for number in range(2):
        rolled.append([])
        play_deal(entry, number)
    shorter = min(map(len, rolled))
    assert shorter > 20
    assert rolled[0][:shorter] == rolled[1][:shorter]


def test_ratings_find_the_strengths_that_made_the_games() -> None:
    strengths = {"a": 4.0, "b": 2.0, "c": 1.0}
    rng = Random(2)
    outcomes = [drawn_game(("a", "b", "c"), strengths, rng, deal) for deal in range(6000)]
    ratings = fit(outcomes, list(strengths))
    assert abs(ratings["a"] - ratings["b"] - 120.4) < 25
    assert abs(ratings["b"] - ratings["c"] - 120.4) < 25
    assert abs(sum(ratings.values()) / 3 - 1500) < 1


def test_ratings_are_the_likeliest_of_the_stated_model() -> None:
    rng = Random(6)
    outcomes = [drawn_game(("a", "a", "b", "c"), {"a": 9.0, "b": 3.0, "c": 0.1}, rng, deal) for deal in range(12)]
    ratings = fit(outcomes, ["a", "b", "c"])

    def likelihood(told: dict[str, float]) -> float:
        strength = {name: 10 ** ((rating - 1500) / 400) for name, rating in told.items()}
        games = sum(
            log(strength[str(game.winning_policy)] / sum(strength[seat] for seat in game.seats)) for game in outcomes
        )
        return games + sum((log(s / (s + 1)) + log(1 / (s + 1))) / 2 for s in strength.values())

    best = likelihood(ratings)
    for name in ratings:
        for step in (-1.0, 1.0):
            assert likelihood({**ratings, name: ratings[name] + step}) < best
            assert likelihood({each: rating + step for each, rating in ratings.items()}) < best


def test_the_share_of_a_policy_with_several_seats_is_bounded_by_what_it_can_win() -> None:
    outcomes = [drawn_game(("a", "a"), {"a": 1.0}, Random(1), deal) for deal in range(12)]
    [only] = standings(outcomes)
    assert (only.games, only.wins, only.parity) == (24, 12, 0.5)
    assert 0.35 < only.rate.low < only.rate.high == 0.5


def test_games_of_a_deal_that_go_alike_count_as_one() -> None:
    rng = Random(3)
    deals = [drawn_game(("a", "b"), {"a": 2.0, "b": 1.0}, rng, deal) for deal in range(100)]
    alike = [replace(outcome, rotation=rotation) for outcome in deals for rotation in range(10)]
    apart = [replace(outcome, deal=number) for number, outcome in enumerate(alike)]

    def width(outcomes: list[TournamentGame]) -> float:
        rate = next(one.rate for one in standings(outcomes) if one.policy == "a")
        return rate.high - rate.low

    assert width(alike) == pytest.approx(width(deals), rel=0.02)
    assert width(apart) < width(alike) / 2


def test_a_policy_is_rated_through_others_and_with_several_seats() -> None:
    strengths = {"a": 3.0, "b": 1.0, "c": 1.0}
    rng = Random(4)
    outcomes = [drawn_game(("a", "b", "b", "b"), strengths, rng, deal) for deal in range(4000)]
    outcomes += [drawn_game(("b", "c"), strengths, rng, deal) for deal in range(4000, 8000)]
    ratings = fit(outcomes, list(strengths))
    assert abs(ratings["a"] - ratings["c"] - 190.8) < 40


def test_who_always_wins_has_a_rating_and_an_interval_with_a_width() -> None:
    outcomes = [drawn_game(("a", "b"), {"a": 1.0, "b": 0.0}, Random(1), deal) for deal in range(20)]
    best, worst = standings(outcomes)
    assert (best.policy, best.wins, best.games, best.parity) == ("a", 20, 20, 0.5)
    assert 0.8 < best.rate.low < best.rate.high == 1.0
    assert 1500 < best.rating < 2600
    assert worst.rating == pytest.approx(3000 - best.rating)


def test_games_without_a_winner_are_nobodys() -> None:
    lost = TournamentGame(0, 0, ("a", "b"), None, (4, 5), 20000, 900)
    assert [one.wins for one in standings([lost])] == [0, 0]


def test_games_are_rounded_up_to_whole_deals() -> None:
    assert whole_deals(100, ["a", "b", "c"]) == 102
    assert whole_deals(1, ["a", "b"]) == 2


@pytest.mark.needs("report")
def test_the_verb_prints_draws_and_repeats(tmp_path: Path, typed: Typed) -> None:
    picture = tmp_path / "rating.svg"
    arguments = ["tournament", "--policies", "builder,random", "--games", "4", "--seed", "5", "--rules", "thesis"]
    printed = typed(0, *arguments, "--jobs", "1", "--plot", picture)
    assert "builder      4    4  100.00" in printed.out
    assert "again: catan-p2p tournament --policies builder,random --games 4 --seed 5 --rules thesis" in printed.out
    assert picture.read_text().startswith("<?xml")
    told = json.loads(typed(0, *arguments, "--jobs", "2", "--json").out)
    assert [game["winner"] for game in told["games"]] == [0, 1, 0, 1]
    assert told["standings"][0]["policy"] == "builder"


def test_joint_draws_have_the_luck_of_their_kind() -> None:
    entry = TournamentSetup(("builder", "random"), rules="brief; Chance = joint; PointsToWin = 4", seed=3)
    one, other = play_deal(entry, 0), play_deal(entry, 1)
    assert one.winner is not None and other.winner is not None
    assert one.seats == other.seats[::-1]
    assert play_deal(entry, 0) == one


def test_rules_are_told_as_everywhere_else(tmp_path: Path, typed: Typed) -> None:
    file = tmp_path / "short.txt"
    file.write_text("Profile = thesis\nPointsToWin = 4\n")
    arguments = ["tournament", "--policies", "builder,random", "--games", "2", "--seed", "5", "--jobs", "1"]
    from_file = typed(0, *arguments, "--rules", file).out
    assert typed(0, *arguments, "--rules", "thesis; PointsToWin = 4").out == from_file
    assert "--rules 'thesis; PointsToWin = 4'" in from_file
