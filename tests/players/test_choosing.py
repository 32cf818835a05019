"""A bad choice costs its player one decision, whoever makes it: nothing that a policy does ends a peer."""

import logging
from pathlib import Path
from random import Random
from typing import Any

import pytest

import catan_p2p
from catan_p2p.api.playing import NoWinner
from catan_p2p.game.actions import Action, AnswerTrade, BuildCity, BuildRoad, Call, EmptyBuild, MoveBandit, RollDice
from catan_p2p.game.constants import Player
from catan_p2p.game.move_watcher import MoveWatcher
from catan_p2p.game.new_game import new_constants
from catan_p2p.game.rules import apply, awaited, called_for, decisions, draw, draw_or_call, initial_state
from catan_p2p.game.state import State
from catan_p2p.log.commit import action_message, parse_action
from catan_p2p.players.builder import BuilderPolicy
from catan_p2p.players.choosing import CheckedChooser, PolicyMistake, check_choice, checked, least
from catan_p2p.players.policies import POLICIES
from catan_p2p.replication import peer as peer_module
from catan_p2p.simulation.game import SimulationSettings, play_game
from tests.players.hostile import HostilePolicy, Unspeakable, bad_choices
from tests.players.test_away import SHORT, TABLES, leavers, play


def along(rules: str, seed: int, every: int = 4) -> list[tuple[State, Player, list[Action]]]:
    """Positions of a game of builders in which somebody decides, with what can be decided as it is shown."""
    state, rng, found = initial_state(new_constants(rules, ("Red", "Blue", "Green"), seed=seed)), Random(seed), []
    count = 0
    while not state.is_over:
        player = awaited(state)[0]
        options = decisions(state, player)
        if count % every == 0:
            found.append((state, player, options))
        count += 1
        state = apply(state, draw(state, BuilderPolicy().choose(state, player, options, rng), rng))
    return found


@pytest.mark.parametrize("rules", [f"thesis{SHORT}", f"brief; Leaving = yes{SHORT}"])
def test_what_passes_the_check_can_be_played_and_logged(rules: str) -> None:
    refused = passed = 0
    for state, player, offered in along(rules, 3):
        for choice in bad_choices(state, player):
            try:
                check_choice(state, player, offered, choice)
            except PolicyMistake as mistake:
                assert "\n" not in str(mistake)
                refused += 1
                continue
            action = draw_or_call(state, choice, Random(1))
            apply(state, action)
            assert parse_action(action_message(action), state.constants) == action
            assert type(choice) in map(type, offered)
            passed += 1
    assert refused > 50 * passed


def test_the_broken_guards_are_named() -> None:
    state, player, offered = along("thesis", 1)[0]
    with pytest.raises(PolicyMistake, match=r"answers what is not allowed: BuildCity\(player=\d, at=1\): BC1 phase"):
        check_choice(state, player, offered, BuildCity(player, 1))
    with pytest.raises(PolicyMistake, match="is not player"):
        check_choice(state, player, offered, EmptyBuild(player + 1))


def test_any_outcome_of_chance_may_be_named_for_it_is_drawn() -> None:
    robbing = [one for one in along("thesis", 3, every=1) if isinstance(one[2][0], MoveBandit)]
    assert robbing
    for state, player, offered in robbing:
        for move in offered:
            assert isinstance(move, MoveBandit)
            check_choice(state, player, offered, MoveBandit(player, move.to, move.victim, "Wool"))


def test_where_all_draw_together_a_choice_is_judged_as_the_call_that_it_becomes() -> None:
    joint = new_constants("thesis; Chance = joint", ("Red", "Blue", "Green"), seed=3)
    called = 0
    for state, player, _ in along("thesis", 3, every=1):
        if state.tp != "MovingBandit":
            continue
        state = state._replace(constants=joint)
        options = decisions(state, player)
        called += sum(isinstance(one, Call) for one in options)
        shown = [called_for(state, one) if isinstance(one, Call) else one for one in options]
        for one in shown:
            assert isinstance(one, MoveBandit)
            check_choice(state, player, shown, MoveBandit(player, one.to, one.victim, "Wool"))
        with pytest.raises(PolicyMistake, match="MB"):
            check_choice(state, player, shown, MoveBandit(player, state.ba, 0, "none"))
    assert called > 20


def test_the_least_is_to_pass_to_reject_or_anything() -> None:
    rng = Random(1)
    assert least(1, [BuildRoad(1, 3), EmptyBuild(1)], rng) == EmptyBuild(1)
    assert least(2, [AnswerTrade(2, "accept"), AnswerTrade(2, "reject")], rng) == AnswerTrade(2, "reject")
    assert least(1, [RollDice(1, 2)], rng) == RollDice(1, 2)


class Erring:
    """Answers or raises what it is given."""

    def __init__(self, what: Any) -> None:
        self.what = what

    def choose(self, *_: object) -> Any:
        if isinstance(self.what, BaseException):
            raise self.what
        return self.what


@pytest.mark.parametrize(
    ("what", "told"),
    [
        (ValueError("no idea\nat all"), "policy Erring raises ValueError: no idea at all; player"),
        (Unspeakable(), "policy Erring raises Unspeakable; player"),
        (None, "policy Erring answers nonsense: None is no action; player"),
        (BuildCity, "is no action; player"),
    ],
    ids=["raises", "raises what has no text", "nothing", "a class"],
)
def test_a_mistake_is_counted_and_the_first_of_its_kind_is_logged(
    what: Any, told: str, caplog: pytest.LogCaptureFixture
) -> None:
    state, player, offered = along("thesis", 1)[0]
    chooser = checked(Erring(what))
    for _ in range(5):
        assert chooser.choose(state, player, offered, Random(1)) in offered
    assert chooser.mistakes == 5
    assert [told in record.message for record in caplog.records] == [True]


@pytest.mark.parametrize("stop", [KeyboardInterrupt(), SystemExit(1)])
def test_who_is_to_end_the_process_may(stop: BaseException) -> None:
    state, player, offered = along("thesis", 1)[0]
    with pytest.raises(type(stop)):
        checked(Erring(stop)).choose(state, player, offered, Random(1))


def test_it_is_checked_once_and_told_moves_only_where_it_asks_for_them() -> None:
    once = checked(BuilderPolicy())
    assert checked(once) is once
    assert not isinstance(once, MoveWatcher)
    assert isinstance(checked(POLICIES["strategist"]()), MoveWatcher)


@pytest.mark.parametrize(("rules", "players"), TABLES)
def test_a_hostile_policy_ends_no_game_whoever_is_away(rules: str, players: int) -> None:
    for chance in ("actor", "joint"):
        choosers = [checked(HostilePolicy()) for _ in range(players)]
        words = f"{rules}{SHORT}; Chance = {chance}"
        for first in range(players):
            assert play(choosers, words, first, leavers(players, first, Random(words))).is_over
        assert all(chooser.mistakes > 5 for chooser in choosers)


@pytest.fixture
def hostile(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(POLICIES, "hostile", HostilePolicy)


@pytest.mark.usefixtures("hostile")
@pytest.mark.parametrize("chance", ["actor", "joint"])
def test_no_peer_ends_for_it(tmp_path: Path, chance: Any, caplog: pytest.LogCaptureFixture) -> None:
    settings = SimulationSettings(
        policies=("hostile", "builder"), rules="brief; PointsToWin = 5", seed=2, chance=chance
    )
    played = play_game(tmp_path, 0, settings)
    assert played.result.mistakes > 10
    assert played.findings == ()
    warnings = [record.message for record in caplog.records if record.levelno >= logging.WARNING]
    assert 0 < len(warnings) == len(set(warnings)) < played.result.mistakes
    assert all(warning.startswith("policy hostile ") for warning in warnings)
    again = play_game(tmp_path / "again", 0, settings)
    assert (again.result.head, again.result.mistakes) == (played.result.head, played.result.mistakes)


@pytest.mark.usefixtures("hostile")
def test_unchecked_it_would_end_a_peer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Unchecked(CheckedChooser):
        def choose(self, *asked: Any) -> Action:
            return self._chooser.choose(*asked)

    monkeypatch.setattr(peer_module, "checked", Unchecked)
    with pytest.raises(Exception) as caught:
        play_game(tmp_path, 0, SimulationSettings(policies=("hostile", "builder"), rules="thesis", seed=2))
    assert not isinstance(caught.value, PolicyMistake)


def test_one_s_own_object_is_checked_too(caplog: pytest.LogCaptureFixture) -> None:
    with pytest.raises(NoWinner):
        catan_p2p.play(players=2, rules="thesis", policies=Erring(BuildCity(1, 1)), max_actions=40)
    assert "policy Erring answers what is not allowed: BuildCity(player=1, at=1)" in caplog.text
