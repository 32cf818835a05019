"""Games without a log: the flat core and the mirror play the same ones, and each plays what it should."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import product
from random import Random
from typing import Any

import pytest

from catan_p2p.game.actions import Action
from catan_p2p.game.board import MAPS
from catan_p2p.game.constants import Constants
from catan_p2p.game.flat import PYTHON, CoreBuild, fastest
from catan_p2p.game.new_game import new_constants
from catan_p2p.game.randomness import CountedRandomness
from catan_p2p.game.state import State
from catan_p2p.log.refs import COLOURS
from catan_p2p.players import flat_moves
from catan_p2p.players.beginner import BeginnerPolicy
from catan_p2p.players.flat_moves import core_for
from catan_p2p.players.policies import POLICIES, Policy, make_policy
from catan_p2p.players.random_player import RandomPolicy
from catan_p2p.players.unlogged import PlayedOut, on_the_flat_core, on_the_mirror, play_out

PROFILES = ("thesis", "brief", "standard")
LINE_UPS = (("random",), ("beginner",), ("builder",), ("builder", "random"), ("random", "beginner"))
MOST = 400


class Unruly:
    """Answers by turns what is allowed, what is not, and nothing that is an action."""

    def choose(self, state: State, player: int, decisions: Sequence[Action], rng: Random) -> Any:
        chosen = decisions[int(rng.random() * len(decisions))]
        return rng.choice([chosen, replace(chosen, player=9), None])


class Onlooker(RandomPolicy):
    """Chooses at random, and is told every move."""

    def __init__(self) -> None:
        self.seen: list[Action] = []

    def watch(self, before: State, action: Action, after: State) -> None:
        self.seen.append(action)


class Last(RandomPolicy):
    """Derived from a policy that the flat core knows, and chooses otherwise."""

    def choose(self, state: State, player: int, decisions: Sequence[Action], rng: Random) -> Action:
        return decisions[-1]


def game(rules: str, map: str, players: int, number: int) -> Constants:
    return new_constants(rules, COLOURS[:players], map, 5, number)


def seats(policies: Sequence[Policy], players: int) -> list[Policy]:
    return [policies[seat % len(policies)] for seat in range(players)]


def on_both(core: CoreBuild, constants: Constants, policies: Sequence[Policy], most: int = MOST) -> PlayedOut:
    """The game, which the core and the mirror have to play alike."""
    flat = on_the_flat_core(core, constants, policies, CountedRandomness(1, 2), most)
    assert flat == on_the_mirror(constants, policies, CountedRandomness(1, 2), most), (constants.rules, policies)
    return flat


TABLES = [
    (rules, map, players)
    for rules, map, players in product(PROFILES, MAPS, range(2, 7))
    if players <= 4 or (rules != "thesis" and map != "beginners")
]
CASES = [(*table, LINE_UPS[(number + number // 5) % len(LINE_UPS)]) for number, table in enumerate(TABLES)]


@pytest.mark.parametrize(("rules", "map", "players", "line_up"), CASES, ids=str)
def test_both_play_the_same_game(rules: str, map: str, players: int, line_up: tuple[str, ...]) -> None:
    policies = seats([make_policy(name) for name in line_up], players)
    assert on_both(fastest(), game(rules, map, players, 0), policies).actions > 2 * players


@pytest.mark.parametrize("line_up", LINE_UPS, ids=str)
def test_the_core_in_python_plays_it_too(line_up: tuple[str, ...]) -> None:
    policies = seats([make_policy(name) for name in line_up], 3)
    assert on_both(PYTHON, game("standard", "variable", 3, 1), policies, 150).actions == 150


@pytest.mark.soak
def test_both_play_the_same_games() -> None:
    for (rules, map, players), line_up, number in product(TABLES, LINE_UPS, range(3)):
        policies = seats([make_policy(name) for name in line_up], players)
        on_both(fastest(), game(rules, map, players, number), policies, 5000)


def test_a_choice_that_is_not_legal_is_lost_alike() -> None:
    assert on_both(fastest(), game("brief", "default", 3, 0), [Unruly()] * 3).actions == MOST


def test_a_policy_derived_from_random_is_asked() -> None:
    last = on_both(fastest(), game("thesis", "default", 2, 0), [Last(), Last()], 60)
    assert last.last != play_out(last.last.constants, [RandomPolicy()] * 2, CountedRandomness(1, 2), 60).last


def refuse() -> CoreBuild:
    raise AssertionError("the flat core was asked")


@pytest.mark.parametrize(
    "change", [{"chance": "joint"}, {"chance": "joint", "table_talk": True}, {"longest_road_min": 0}]
)
def test_rules_that_the_core_does_not_cover_go_to_the_mirror(
    change: dict[str, Any], monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(flat_moves, "fastest", refuse)
    plain = game("brief", "default", 3, 0)
    constants = replace(plain, rules=replace(plain.rules, **change))
    played = play_out(constants, [BeginnerPolicy()] * 3, CountedRandomness(1, 2), 100)
    assert played.actions == 100
    assert capfd.readouterr() == ("", "")
    with pytest.raises(AssertionError, match="was asked"):
        play_out(plain, [BeginnerPolicy()] * 3, CountedRandomness(1, 2), 100)


def test_who_watches_is_told_every_move_by_the_mirror(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(flat_moves, "fastest", refuse)
    onlooker = Onlooker()
    played = play_out(game("brief", "default", 2, 0), [onlooker, RandomPolicy()], CountedRandomness(1, 2), 100)
    assert len(onlooker.seen) == played.actions == 100


@pytest.mark.parametrize("name", POLICIES)
def test_every_policy_plays_by_hashes(name: str) -> None:
    constants = game("brief", "default", 2, 0)
    one, same = (play_out(constants, [make_policy(name)] * 2, CountedRandomness(3, 0), 60) for _ in range(2))
    assert one == same and one.actions == 60


@pytest.mark.parametrize(
    ("core", "name", "is_flat"),
    [
        (PYTHON, "random", True),
        (PYTHON, "builder", False),
        (replace(PYTHON, name="compiled"), "builder", True),
        (replace(PYTHON, name="compiled"), "strategist", False),
    ],
)
def test_the_core_in_python_plays_where_nobody_asks_for_states(
    core: CoreBuild, name: str, is_flat: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(flat_moves, "fastest", lambda: core)
    found = core_for(game("brief", "default", 2, 0), [RandomPolicy(), make_policy(name)])
    assert found is (core if is_flat else None)
