"""Games of two to six players by all profiles, on both sides; and that a mistake on either is seen."""

from dataclasses import replace
from typing import Any

import pytest

from catan_p2p.game.constants import PROFILES, Constants, Rules, profile
from tests.referee import referee
from tests.referee.positions import Disagreement, board_for, play


def constants(name: str, players: int, seed: int, **changes: Any) -> Constants:
    rules: Rules = replace(profile(name, players), **changes)
    return Constants(rules, board_for(players, seed), players)


@pytest.mark.sampled(5)
@pytest.mark.long
@pytest.mark.parametrize("players", range(2, 7))
@pytest.mark.parametrize("rules", PROFILES)
def test_a_game_on_both_sides(rules: str, players: int) -> None:
    special = {"special_building": True} if players > 4 else {}
    end = play(constants(rules, players, players, leaving=players > 2, **special), players, most=250, every=25)
    assert end.tp != "bot"


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("players", range(2, 7))
@pytest.mark.parametrize("rules", PROFILES)
def test_many_whole_games_on_both_sides(rules: str, players: int, seed: int) -> None:
    special = {"special_building": True} if players > 4 else {}
    targets = ("adversary", "any", "friendly")[seed % 3]
    changes = special | {"leaving": seed % 2 == 1, "bandit_targets": targets, "start_order": "dice_then_seat"}
    play(constants(rules, players, seed, **changes), seed, most=3000, every=20)


OCCASIONS = range(5, 13)
"""Seeds of random games, looked at until a mistake is seen: that of ``points`` only where somebody wins."""
MISTAKES: dict[str, Any] = {
    "after": lambda game, s, p, step=1: p,
    "after_dice": lambda game: "Trading",
    "takers": lambda game, s, p, cards: [],
    "points": lambda s, p: 0,
    "bonus": lambda holder, has, least: 0,
    "harvest": lambda game, s: s.update(tp="TradingBuilding"),
    "rest": lambda s, p: None,
    "excess": lambda s, p: 0,
    "reaches": lambda game, s, p, road, first=0: True,
}


@pytest.mark.sampled(6)
@pytest.mark.long
@pytest.mark.parametrize("name", MISTAKES)
def test_a_mistake_on_one_side_is_seen(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(referee, name, MISTAKES[name])
    assert any(differs(seed) for seed in OCCASIONS), "no game gives an occasion"


def differs(seed: int) -> bool:
    """Whether the two sides differ in a random game."""
    try:
        play(constants("brief", 5, seed, largest_army_min=1, longest_road_min=3), seed, most=1500, every=7)
    except Disagreement:
        return True
    return False
