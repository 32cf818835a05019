"""Whoever is left goes on: every policy plays games from which players are excused, and chooses what can be done."""

from collections.abc import Sequence
from dataclasses import replace
from random import Random

import pytest

from catan_p2p.game.actions import Action, Call, Claim, Excuse, OfferTrade, Pledge, Reveal
from catan_p2p.game.actions.replies import owes_reply
from catan_p2p.game.constants import BRIEF, Player
from catan_p2p.game.move_watcher import watches
from catan_p2p.game.new_game import new_constants
from catan_p2p.game.rules import (
    apply,
    awaited,
    broken_guards,
    called_for,
    decisions,
    draw_or_call,
    initial_state,
    settlement,
)
from catan_p2p.game.state import State
from catan_p2p.log.refs import COLOURS
from catan_p2p.log.valid_commits import next_seat
from catan_p2p.players.choosing import PolicyChooser
from catan_p2p.players.policies import POLICIES
from tests.positions import position

pytestmark = pytest.mark.sampled(12)

RULES = ("thesis; Leaving = yes", "brief; Leaving = yes", "brief; Leaving = yes; TableTalk = yes")
TABLES = [(rules, players) for rules in RULES for players in range(2, 5 if rules.startswith("thesis") else 7)]
"""The thesis's board is for two to four."""
SHORT = "; PointsToWin = 5"
"""Few points, so that whole games are quick."""


def leave(state: State, absent: Player) -> Action | None:
    """How the others go on without a player now; None if they cannot yet, or the player is gone already."""
    others = [player for player in state.present if player != absent]
    if state.away[absent - 1] or not others:
        return None
    going = Claim(others[0], absent) if len(others) == 1 else Excuse(next_seat(state, others), absent)
    return None if broken_guards(state, going) else going


def decided(state: State, player: Player, policy: PolicyChooser, rng: Random) -> Action:
    """What a player does next: what the course of a draw asks for, else what the policy chooses."""
    if state.tp == "Pledging":
        return Pledge(player)
    if state.tp == "Drawing":
        return Reveal(player) if owes_reply(state, player) else settlement(state, rng)
    options = [called_for(state, one) if isinstance(one, Call) else one for one in decisions(state, player)]
    return draw_or_call(state, policy.choose(state, player, options, rng), rng)


def play(policies: Sequence[PolicyChooser], rules: str, seed: int, going: Sequence[tuple[int, Player]]) -> State:
    """Play a game to its end; each of those ``going`` is excused as soon as can be after so many actions."""
    rng, watching = Random(seed), watches(policies)
    state = initial_state(new_constants(rules, COLOURS[: len(policies)], seed=seed))
    left = list(going)
    for count in range(20_000):
        if state.is_over:
            break
        action = leave(state, left[0][1]) if left and left[0][0] <= count else None
        if action is not None:
            del left[0]
        else:
            player = awaited(state)[0]
            action = decided(state, player, policies[player - 1], rng)
        before, state = state, apply(state, action)
        for watch in watching:
            watch(before, action, state)
    return state


def leavers(players: int, first: Player, rng: Random, before: int = 90) -> list[tuple[int, Player]]:
    """Everybody but one goes, one after the other, the player after ``first`` first; after how many actions each."""
    begin, pause = rng.randrange(1, before), rng.randrange(10, 60)
    return [(begin + pause * i, 1 + (first + i) % players) for i in range(players - 1)]


@pytest.mark.parametrize(("rules", "players"), TABLES)
@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=[pytest.mark.long] * name.startswith("strategist")) for name in sorted(POLICIES)],
)
def test_a_policy_chooses_what_can_be_done_whoever_is_away(name: str, rules: str, players: int) -> None:
    away = 0
    for first in range(players):
        words = f"{rules}{SHORT}; Chance = {('actor', 'joint')[(players + first) % 2]}"
        policies = [POLICIES[name]() for _ in range(players)]
        going = leavers(players, first, Random(f"{name} {words} {first}"), before=45)
        last = play(policies, words, 100 * players + first, going)
        assert last.is_over
        away += any(last.away)
    assert 2 * away > players


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(40))
@pytest.mark.parametrize("name", sorted(POLICIES))
def test_whole_games_of_a_policy_from_which_players_leave(name: str, seed: int) -> None:
    rng = Random(f"{name} {seed}")
    players = 2 + seed % 5
    rules = RULES[1 + seed % 2 if players > 4 else seed % 3]
    words = f"{rules}; Chance = {rng.choice(('actor', 'joint'))}"
    going = leavers(players, rng.randrange(players), rng)[: rng.randrange(1, players)]
    policies = [POLICIES[rng.choice((name, name, "random"))]() for _ in range(players)]
    assert play(policies, words, seed, going).is_over


@pytest.mark.parametrize("name", ["builder", "strategist"])
def test_nobody_offers_what_only_a_player_who_is_away_could_give(name: str) -> None:
    state = position(
        3,
        phase="TradingBuilding",
        hands={1: "1 Lumber, 1 Wool, 2 Grain, 2 Ore", 2: "1 Ore, 3 Brick, 1 Grain", 3: "1 Brick"},
        rules=replace(BRIEF, leaving=True),
    )
    for away, is_offered in ((False, True), (True, False)):
        there = state._replace(away=(False, away, False))
        choices = [POLICIES[name]().choose(there, 1, decisions(there, 1), Random(seed)) for seed in range(40)]
        assert any(isinstance(choice, OfferTrade) for choice in choices) == is_offered
