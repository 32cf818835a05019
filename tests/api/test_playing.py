"""``play`` on the flat core and on the mirror: the same games, whose states are worked out when somebody asks."""

from collections import Counter
from itertools import product
from random import Random

import pytest

import catan_p2p
from catan_p2p.actions import AnswerTrade, Discard, ProposeTrade
from catan_p2p.api import playing
from catan_p2p.api.games import Game
from catan_p2p.api.playing import NoWinner
from catan_p2p.game.flat import PYTHON, CoreBuild, fastest
from catan_p2p.players import flat_moves
from catan_p2p.players.builder import BuilderPolicy
from tests.players.test_unlogged import CASES, LINE_UPS, TABLES, refuse


def on_both(
    patch: pytest.MonkeyPatch,
    core: CoreBuild,
    rules: str,
    map: str,
    players: int,
    line_up: tuple[str, ...],
    seed: int = 3,
) -> Game:
    """The game, which both have to play alike."""
    policies = [line_up[seat % len(line_up)] for seat in range(players)]
    patch.setattr(playing, "core_for_moves", lambda constants, policies: core)
    one = catan_p2p.play(players, rules, policies, seed, map)
    told = repr(one), one.points, one.turns, len(one), one.position().winner
    with pytest.MonkeyPatch.context() as here:
        here.setattr(playing, "core_for_moves", lambda constants, policies: None)
        other = catan_p2p.play(players, rules, policies, seed, map)
    assert told == (repr(other), other.points, other.turns, len(other), other.position().winner)
    assert one.last == other.last
    assert one.steps == other.steps
    return one


SHORT = "; PointsToWin = 4"


@pytest.mark.parametrize(("rules", "map", "players", "line_up"), CASES, ids=str)
def test_both_play_the_same_game(
    rules: str, map: str, players: int, line_up: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert on_both(monkeypatch, fastest(), rules + SHORT, map, players, line_up).winner


@pytest.mark.parametrize("line_up", LINE_UPS, ids=str)
def test_the_core_in_python_plays_it_too(line_up: tuple[str, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    on_both(monkeypatch, PYTHON, "standard" + SHORT, "variable", 3, line_up)


@pytest.mark.soak
def test_both_play_the_same_games(monkeypatch: pytest.MonkeyPatch) -> None:
    for (rules, map, players), line_up, seed in product(TABLES, LINE_UPS, range(2)):
        on_both(monkeypatch, fastest(), rules, map, players, line_up, seed)


@pytest.mark.parametrize("rules", ["brief", "standard"])
def test_replies_to_the_same_state_are_the_same(rules: str, monkeypatch: pytest.MonkeyPatch) -> None:
    game = on_both(monkeypatch, fastest(), rules, "default", 4, ("random", "builder"))
    kinds = Counter(type(step.action) for step in game)
    assert kinds[Discard] and kinds[AnswerTrade] > 10
    assert rules == "brief" or kinds[ProposeTrade]


class Mine(BuilderPolicy):
    def __repr__(self) -> str:
        return "mine"


@pytest.mark.parametrize(
    ("rules", "policies"),
    [("thesis; Chance = joint", "builder"), ("thesis", ["builder", Mine()]), ("thesis", ["strategist", "random"])],
    ids=str,
)
def test_what_the_core_does_not_play_goes_to_the_mirror(
    rules: str, policies: object, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(flat_moves, "fastest", refuse)
    assert catan_p2p.play(2, rules + SHORT, policies, seed=1).winner  # type: ignore[arg-type]
    assert capfd.readouterr() == ("", "")
    with pytest.raises(AssertionError, match="was asked"):
        catan_p2p.play(2, "thesis", seed=1)


@pytest.mark.parametrize("core", [PYTHON, None])
def test_the_most_actions_are_as_many_on_both(core: CoreBuild | None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(playing, "core_for_moves", lambda constants, policies: core)
    whole = catan_p2p.play(2, "thesis", "random", seed=1)
    assert len(catan_p2p.play(2, "thesis", "random", seed=1, max_actions=len(whole))) == len(whole)
    with pytest.raises(NoWinner, match="no winner after 5 actions"):
        catan_p2p.play(2, "thesis", "random", seed=1, max_actions=5)
    with pytest.raises(NoWinner):
        catan_p2p.play(2, "thesis", "random", seed=1, max_actions=len(whole) - 1)


def test_states_are_those_in_which_the_actions_were_taken() -> None:
    game = catan_p2p.play(2, "thesis", "random", seed=Random(5).randrange(99))
    assert game.position(len(game)).winner and game.position(1).winner is None
    assert all(before.after is after.before for before, after in zip(game.steps, game.steps[1:], strict=False))
